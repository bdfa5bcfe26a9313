/* html_why.c - why a query is probable: its proofs, what each piece of evidence adds, what would
** change the answer. */
#include "report/html_parts.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 200 };

static void write_number(Text *to, const char *of, const char *name, double p) {
  text_puts(to, "<td class=\"num\">");
  html_probability(to, of, name, p);
  text_puts(to, "</td>");
}

static void write_rules(Text *to, const lpmln_proof *p) {
  if (!p->rule_count)
    return;
  text_printf(to, "<details><summary><small>by %zu rule%s</small></summary><ul>", p->rule_count,
              p->rule_count == 1 ? "" : "s");
  for (size_t i = 0; i < p->rule_count; i++) {
    text_puts(to, "<li><code>");
    html_escape(to, p->rules[i]);
    text_puts(to, "</code></li>");
  }
  text_puts(to, "</ul></details>");
}

/* Its number is its name. */
static void write_proof(Text *to, const lpmln_proof *p, size_t number) {
  static const Names none = {0};
  char name[24];
  snprintf(name, sizeof name, "%zu", number);
  HtmlBar bar = {.value = p->share, .low = NAN, .high = NAN, .before = NAN};
  text_puts(to, "<tr><th scope=\"row\"><code>");
  if (p->input_count)
    html_atoms(to, p->inputs, p->input_count, &none);
  else
    text_puts(to, "<i>nothing has to be guessed</i>");
  text_puts(to, "</code>");
  write_rules(to, p);
  text_puts(to, "</th>");
  html_bar(to, &bar);
  write_number(to, "share", name, fmin(p->share, 1));
  write_number(to, "probability", name, p->probability);
  text_puts(to, "</tr>\n");
}

void html_proofs(Text *to, const lpmln_explanation *a) {
  static const char *const columns[] = {"share", "probability"};
  assert(a->proofs || !a->count);
  html_section(to, "proofs", "Its likeliest proofs");
  html_bars_open(to, "what was guessed", columns, 2, false);
  for (size_t i = 0; i < a->count && i < MOST_ROWS; i++)
    write_proof(to, &a->proofs[i], i + 1);
  html_bars_close(to, a->count, MOST_ROWS);
  text_puts(to,
            "<p class=\"note\">A share is the probability of a proof by that of the query; proofs "
            "may hold together, so shares overlap.</p></section>\n");
}

static void open_literal(Text *to, const char *literal, const HtmlBar *bar) {
  text_puts(to, "<tr><th scope=\"row\"><code>");
  html_name(to, literal);
  text_puts(to, "</code></th>");
  html_bar(to, bar);
}

void html_pieces(Text *to, const lpmln_explanation *a) {
  static const char *const columns[] = {"without it"};
  if (!a->evidence_count)
    return;
  html_section(to, "evidence", "What each piece of evidence adds");
  html_bars_open(to, "observed", columns, 1, true);
  for (size_t i = 0; i < a->evidence_count && i < MOST_ROWS; i++) {
    const lpmln_piece *e = &a->evidence[i];
    open_literal(
        to, e->literal,
        &(HtmlBar){
            .value = a->probability, .low = NAN, .high = NAN, .before = e->probability_without});
    write_number(to, "probability_without", e->literal, e->probability_without);
    text_puts(to, "</tr>\n");
  }
  html_bars_close(to, a->evidence_count, MOST_ROWS);
  text_puts(to, "<p class=\"key\"><span><i class=\"before\"></i>without this piece</span></p>"
                "</section>\n");
}

void html_changes(Text *to, const lpmln_explanation *a) {
  static const char *const columns[] = {"probability", "query if so", "if not"};
  if (!a->change_count)
    return;
  html_section(to, "changes", "What would change the answer");
  html_bars_open(to, "guess", columns, 3, true);
  for (size_t i = 0; i < a->change_count && i < MOST_ROWS; i++) {
    const lpmln_change *c = &a->changes[i];
    open_literal(to, c->literal,
                 &(HtmlBar){.value = c->probability_with,
                            .low = NAN,
                            .high = NAN,
                            .before = c->probability_without});
    write_number(to, "probability", c->literal, c->probability);
    write_number(to, "probability_with", c->literal, c->probability_with);
    write_number(to, "probability_without", c->literal, c->probability_without);
    text_puts(to, "</tr>\n");
  }
  html_bars_close(to, a->change_count, MOST_ROWS);
  text_puts(to, "<p class=\"key\"><span><i class=\"before\"></i>if it is not so</span></p>"
                "</section>\n");
}
