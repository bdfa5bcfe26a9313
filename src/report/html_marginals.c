/* html_marginals.c - probabilities of atoms as bars: how sure they are, and what they were before
** the evidence. */
#include "report/html_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_ROWS = 2000 };

/* Where the exact value is: certainly, or with 95% confidence. */
static HtmlBar bar_of(const lpmln_inference *a, const lpmln_marginal *m, double before) {
  HtmlBar bar = {.value = m->probability, .low = NAN, .high = NAN, .before = before};
  if (a->guarantee == LPMLN_CERTAIN && m->error > 0)
    bar.low = m->lower, bar.high = m->upper;
  else if (m->error > 0)
    bar.low = fmax(m->probability - 1.96 * m->error, 0),
    bar.high = fmin(m->probability + 1.96 * m->error, 1);
  return bar;
}

static void write_probability(Text *to, const lpmln_marginal *m) {
  text_puts(to, "<td class=\"num\">");
  html_probability(to, "probability", m->atom, m->probability);
  if (m->error > 0) {
    text_puts(to, " <small>± ");
    html_number(to, "error", m->atom, m->error, 4);
    text_puts(to, "</small>");
  }
  text_puts(to, "</td>");
}

static void write_chains(Text *to, const lpmln_marginal *m) {
  text_puts(to, "<td class=\"num\">");
  if (isfinite(m->ess))
    html_number(to, "ess", m->atom, m->ess, 0);
  text_puts(to, "</td><td class=\"num\">");
  if (isfinite(m->rhat))
    html_number(to, "rhat", m->atom, m->rhat, 3);
  text_puts(to, "</td>");
}

/* Atoms that had a probability before the evidence, by name. */
typedef struct {
  const lpmln_inference *answer; /* NULL: there was no evidence */
  Names atoms;
} Before;

static Before before_of(const HtmlRun *run) {
  Before b = {.answer = run->before};
  for (size_t i = 0; b.answer && i < b.answer->count; i++)
    names_add(&b.atoms, b.answer->marginals[i].atom, strlen(b.answer->marginals[i].atom));
  return b;
}

static double before_at(const Before *b, const char *atom) {
  uint32_t i = b->answer ? names_find(&b->atoms, atom, strlen(atom)) : UINT32_MAX;
  return i < (b->answer ? b->answer->count : 0) ? b->answer->marginals[i].probability : NAN;
}

static void write_row(Text *to, const lpmln_inference *a, const lpmln_marginal *m,
                      const Before *b) {
  double before = before_at(b, m->atom);
  HtmlBar bar = bar_of(a, m, before);
  text_puts(to, "<tr><th scope=\"row\"><code>");
  html_name(to, m->atom);
  text_puts(to, "</code></th>");
  html_bar(to, &bar);
  if (b->answer) {
    text_puts(to, "<td class=\"num\">");
    html_plain_probability(to, before);
    text_puts(to, "</td>");
  }
  write_probability(to, m);
  if (a->samples)
    write_chains(to, m);
  text_puts(to, "</tr>\n");
}

static void write_key(Text *to, const lpmln_inference *a, const Before *b) {
  if (b->answer)
    text_puts(to,
              "<p class=\"key\"><span><i class=\"before\"></i>before the evidence</span></p>\n");
  else if (a->log_evidence < 0)
    text_puts(to,
              "<p class=\"note\">What they were before the evidence is not known: it would have "
              "taken too long.</p>\n");
  if (a->guarantee == LPMLN_CERTAIN)
    text_puts(to, "<p class=\"note\">The line on a bar: the exact value is certainly there.</p>\n");
}

void html_marginals(Text *to, const HtmlRun *run, const lpmln_inference *a) {
  const char *columns[4];
  size_t count = 0;
  Before b = before_of(run);
  if (b.answer)
    columns[count++] = "before";
  columns[count++] = b.answer ? "given the evidence" : "probability";
  if (a->samples)
    columns[count++] = "ESS", columns[count++] = "R-hat";
  html_section(to, "marginals", "Probabilities");
  if (!a->about.complete)
    text_puts(to, "<p class=\"warning\">Cut short: these are shares of what was seen.</p>\n");
  html_bars_open(to, "atom", columns, count, true);
  for (size_t i = 0; i < a->count && i < MOST_ROWS; i++)
    write_row(to, a, &a->marginals[i], &b);
  html_bars_close(to, a->count, MOST_ROWS);
  write_key(to, a, &b);
  text_puts(to, "</section>\n");
  names_free(&b.atoms);
}
