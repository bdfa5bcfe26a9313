/* html_program.c - the texts: the program with its weights in the margin, the data, and
** what there was to say about them. */
#include "report/html_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_LINES = 1000, MOST_DATA = 200 };

/* ---- weights in the margin ---------------------------------------------------------------- */

/* Those of the rules that begin in this line. */
static void write_margin(Text *to, const lpmln_learning *a, const char *file, unsigned line) {
  const lpmln_learned *first = NULL;
  double low = INFINITY, high = -INFINITY;
  size_t count = 0;
  for (size_t i = 0; a && i < a->weight_count; i++)
    for (size_t k = 0; k < a->weights[i].rule_count; k++)
      if (a->weights[i].rules[k].line == line && !strcmp(a->weights[i].rules[k].file, file)) {
        first = first ? first : &a->weights[i];
        low = fmin(low, a->weights[i].weight), high = fmax(high, a->weights[i].weight);
        count++;
      }
  text_puts(to, "<td class=\"margin\">");
  if (count == 1) {
    html_weight(to, first, 2);
  } else if (count) {
    html_plain(to, low, 1);
    text_puts(to, "…");
    html_plain(to, high, 1);
  }
  text_puts(to, "</td>");
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Where a comment starts; the length if there is none. */
static size_t comment_start(const char *line, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (line[i] == '"')
      for (i++; i < length && line[i] != '"'; i++)
        i += line[i] == '\\';
    if (i < length && line[i] == '%')
      return i;
  }
  return length;
}

static void write_code(Text *to, const char *line, size_t length) {
  size_t comment = comment_start(line, length);
  html_escape_part(to, line, comment);
  if (comment < length) {
    text_puts(to, "<i>");
    html_escape_part(to, line + comment, length - comment);
    text_puts(to, "</i>");
  }
}

static void write_listing(Text *to, const lpmln_text *text, const lpmln_learning *a) {
  unsigned line = 1;
  text_puts(to, "<div class=\"scroll\"><table class=\"code\"><tbody>\n");
  for (size_t i = 0, end; i < text->length && line <= MOST_LINES; i = end + 1, line++) {
    const char *newline = memchr(text->bytes + i, '\n', text->length - i);
    end = newline ? (size_t)(newline - text->bytes) : text->length;
    text_printf(to, "<tr><td class=\"line\">%u</td>", line);
    if (a)
      write_margin(to, a, text->name, line);
    text_puts(to, "<td>");
    write_code(to, text->bytes + i, end - i);
    text_puts(to, "</td></tr>\n");
  }
  text_puts(to, "</tbody></table></div>\n");
  if (line > MOST_LINES)
    text_printf(to, "<p class=\"note\">The first %d lines.</p>\n", MOST_LINES);
}

static void file_name(Text *to, const char *name) {
  text_puts(to, "<code>");
  html_escape(to, strcmp(name, "<stdin>") ? name : "standard input");
  text_puts(to, "</code>");
}

void html_program(Text *to, const HtmlRun *run, const lpmln_learning *a) {
  size_t count = run->sources->text_count, programs = 0;
  const lpmln_text *texts = run->sources->texts;
  assert(texts || !count);
  for (size_t i = 0; i < count; i++)
    programs += texts[i].role == LPMLN_PROGRAM;
  if (!programs)
    return;
  html_section(to, "program", a ? "The program, weights in the margin" : "The program");
  for (size_t i = 0; i < count; i++) {
    if (texts[i].role != LPMLN_PROGRAM)
      continue;
    if (programs > 1) {
      text_puts(to, "<p class=\"note\">");
      file_name(to, texts[i].name);
      text_puts(to, "</p>\n");
    }
    write_listing(to, &texts[i], a);
  }
  text_puts(to, "</section>\n");
}

/* ---- data and messages ---------------------------------------------------------------- */

static size_t count_lines(const lpmln_text *text) {
  size_t lines = 0;
  for (size_t i = 0; i < text->length; i++)
    lines += text->bytes[i] == '\n' || i + 1 == text->length;
  return lines;
}

static void write_data(Text *to, const lpmln_text *text) {
  static const char *const roles[] = {"program", "observed", "observed", "for testing",
                                      "for testing"};
  size_t shown = 0, lines = 0, all = count_lines(text);
  assert(text->role < sizeof roles / sizeof *roles);
  while (shown < text->length && lines < MOST_DATA)
    lines += text->bytes[shown++] == '\n';
  text_puts(to, "<details><summary>");
  file_name(to, text->name);
  text_printf(to, " %s, %s%zu line%s</summary><pre>", roles[text->role],
              text->cut ? "more than " : "", all, all == 1 ? "" : "s");
  html_escape_part(to, text->bytes, shown);
  text_puts(to, shown < text->length || text->cut ? "…</pre></details>\n" : "</pre></details>\n");
}

void html_data(Text *to, const HtmlRun *run) {
  size_t count = run->sources->text_count, data = 0;
  const lpmln_text *texts = run->sources->texts;
  for (size_t i = 0; i < count; i++)
    data += texts[i].role != LPMLN_PROGRAM;
  if (!data)
    return;
  html_section(to, "data", "The data");
  for (size_t i = 0; i < count; i++)
    if (texts[i].role != LPMLN_PROGRAM)
      write_data(to, &texts[i]);
  text_puts(to, "</section>\n");
}

static void write_message(Text *to, const lpmln_diagnostic *d) {
  static const char *const severity[] = {"note", "warning", "error"};
  assert(d->severity <= LPMLN_ERROR);
  text_printf(to, "<li class=\"%s\">", severity[d->severity]);
  if (d->line) {
    text_puts(to, "<code>");
    html_escape(to, d->file);
    text_printf(to, ":%u</code> ", d->line);
  }
  html_sentence(to, d->message);
  text_puts(to, "</li>\n");
}

void html_messages(Text *to, const lpmln_answer *about) {
  if (!about->diagnostic_count)
    return;
  html_section(to, "messages", "Messages");
  text_puts(to, "<ul>\n");
  for (size_t i = 0; i < about->diagnostic_count && i < MOST_DATA; i++)
    write_message(to, &about->diagnostics[i]);
  text_puts(to, "</ul></section>\n");
}
