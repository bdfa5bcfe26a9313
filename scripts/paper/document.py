"""A document that can be written as plain text and as one HTML page."""

import html
import textwrap

WIDTH = 110


def clean(text):
    """Text with `code` in it, for HTML."""
    parts = html.escape(text, quote=False).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


class Paragraph:
    def __init__(self, text, kind=""):
        self.text_, self.kind = text, kind

    def text(self):
        return "\n".join(textwrap.wrap(self.text_.replace("`", ""), WIDTH)) + "\n"

    def html(self):
        return f'<p class="{self.kind}">{clean(self.text_)}</p>\n' if self.kind else f"<p>{clean(self.text_)}</p>\n"


class Note(Paragraph):
    """Where we deviate from the paper, and why."""

    def text(self):
        return textwrap.fill(self.text_.replace("`", ""), WIDTH, initial_indent="  | ", subsequent_indent="  | ") + "\n"

    def html(self):
        return f'<p class="aside">{clean(self.text_)}</p>\n'


class Table:
    """Cells are strings; the first column and `left` are to the left, the others to the right.  `ours` are the
    numbers of the columns that are new here."""

    def __init__(self, caption, head, rows, ours=(), groups=(), left=()):
        self.caption, self.head, self.rows = caption, head, rows
        self.ours, self.groups, self.left = set(ours), groups, {0, *left}

    def text(self):
        rows = [self.head] + self.rows
        widths = [max(len(row[i]) for row in rows) for i in range(len(self.head))]
        lines = ["  ".join(cell.ljust(w) if i in self.left else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths)))
                 for row in rows]
        lines.insert(1, "-" * len(lines[0]))
        return self.caption.replace("`", "") + "\n\n" + "\n".join("  " + line.rstrip() for line in lines) + "\n"

    def html(self):
        def row(cells, tag):
            return "<tr>" + "".join(
                f'<{"th" if i == 0 else tag} class="{"" if i in self.left else "num"}{" ours" if i in self.ours else ""}">{clean(cell)}'
                f'</{"th" if i == 0 else tag}>' for i, cell in enumerate(cells)) + "</tr>\n"
        above = ""
        if self.groups:
            above = "<tr>" + "".join(f'<th colspan="{span}" class="group">{clean(name)}</th>'
                                     for name, span in self.groups) + "</tr>\n"
        return (f'<figure class="table"><figcaption>{clean(self.caption)}</figcaption><div class="wide"><table>\n<thead>'
                + above + row(self.head, "th") + "</thead>\n<tbody>\n" + "".join(row(r, "td") for r in self.rows) +
                "</tbody></table></div></figure>\n")


class Row:
    """Tables side by side, where there is room."""

    def __init__(self, *tables):
        self.tables = tables

    def text(self):
        return "\n".join(table.text() for table in self.tables)

    def html(self):
        return '<div class="row">' + "".join(table.html() for table in self.tables) + "</div>\n"


class Figure:
    """Pictures side by side, with what they show as a table for the text."""

    def __init__(self, caption, pictures, table=None):
        self.caption, self.pictures, self.table = caption, pictures, table

    def text(self):
        return self.table.text() if self.table else ""

    def html(self):
        return (f'<figure><div class="pictures">{"".join(self.pictures)}</div>'
                f"<figcaption>{clean(self.caption)}</figcaption></figure>\n")


class Document:
    def __init__(self, title, lead):
        self.title, self.lead, self.sections = title, lead, []

    def section(self, title):
        self.sections.append((title, []))

    def add(self, *blocks):
        self.sections[-1][1].extend(blocks)

    def text(self):
        parts = [self.title + "\n" + "=" * len(self.title) + "\n", Paragraph(self.lead).text()]
        for number, (title, blocks) in enumerate(self.sections, 1):
            heading = f"{number}. {title}"
            parts.append(heading + "\n" + "-" * len(heading) + "\n")
            parts += [block.text() for block in blocks]
        return "\n".join(part for part in parts if part)

    def html(self, style):
        body = "".join(f'<section id="s{i}"><h2>{i}. {clean(title)}</h2>\n' + "".join(b.html() for b in blocks) +
                       "</section>\n" for i, (title, blocks) in enumerate(self.sections, 1))
        links = "".join(f'<a href="#s{i}">{i}. {clean(title)}</a>' for i, (title, _) in enumerate(self.sections, 1))
        return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
                '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
                f"<title>{clean(self.title)}</title>\n<style>\n{style}{STYLE}</style></head><body class=\"article\">\n"
                f'<header><div><h1>{clean(self.title)}</h1><p class="lead">{clean(self.lead)}</p></div></header>\n'
                f"<nav>{links}</nav>\n{body}</body></html>\n")


STYLE = """
body.article{max-width:1260px;font-size:15px;--c1:#9db7c9;--c2:#7aa0bb;--c3:#5788ac;--c4:#36709b;--c5:#1d5f8a;--c6:#0c3f61}
@media(prefers-color-scheme:dark){body.article{--c1:#3f5f78;--c2:#51789a;--c3:#6492b9;--c4:#7badd4;--c5:#9bc8ea;--c6:#cbe5f8}}
.article h1{font-size:32px}
.article .lead{max-width:820px;font-size:15px}
.article h2{font:600 20px/1.3 Charter,'Bitstream Charter','Sitka Text',Cambria,Georgia,serif;color:var(--ink);margin:2px 0 10px}
.article section{padding:18px 22px;margin-bottom:18px}
.article section>p{max-width:860px;margin:0 0 10px}
nav{display:flex;flex-wrap:wrap;gap:4px 22px;margin:0 0 16px;font-size:13px}
nav a{color:var(--accent);text-decoration:none}
nav a:hover{text-decoration:underline}
.article p.aside{border-left:3px solid var(--hot);padding:1px 0 1px 12px;color:var(--soft);font-size:13.5px}
.article figure{margin:14px 0 16px}
.article figcaption{font-size:13px;color:var(--soft);max-width:860px}
.article .table figcaption{margin-bottom:6px;color:var(--ink);font-weight:600}
.row{display:flex;flex-wrap:wrap;gap:0 24px}
.row figure{max-width:100%}
.wide{overflow-x:auto}
.article table{width:auto;font-variant-numeric:tabular-nums;font-size:14px}
.article td,.article th{padding:4px 14px 4px 0}
.article .row td,.article .row th{padding-right:10px}
.article .row table{min-width:0}
.article tbody th{font-weight:400}
.article thead th{white-space:nowrap;vertical-align:bottom}
.article td.num:last-child,.article th.num:last-child{padding-right:8px}
.article .group{border-bottom:1px solid var(--line);text-align:center;color:var(--ink)}
.article .group:first-child{border:0}
.ours{background:color-mix(in srgb,var(--tint) 45%,transparent);padding-left:14px!important}
.pictures{display:grid;gap:18px;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));margin-bottom:8px}
.chart path{fill:none;stroke-width:1.8}
.chart .axis{stroke:var(--soft)}
svg .end{font-size:11px}
svg .middle{text-anchor:middle}
@media(max-width:560px){.article section{padding:14px}.article h1{font-size:25px}}
"""
