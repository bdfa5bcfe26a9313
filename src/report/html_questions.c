/* html_questions.c - what the probabilities depend on, what to look at next, and how often rules
** are violated: plain tables. */
#include "report/html_parts.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 200 };

static void open_table(Text *to, const char *first, const char *second) {
  text_printf(
      to,
      "<table class=\"list\"><thead><tr><th>%s</th><th class=\"num\">%s</th></tr></thead><tbody>\n",
      first, second);
}

static void close_table(Text *to, size_t count) {
  text_puts(to, "</tbody></table>\n");
  if (count > MOST_ROWS)
    text_printf(to, "<p class=\"note\">%zu more are in the answer as JSON.</p>\n",
                count - MOST_ROWS);
  text_puts(to, "</section>\n");
}

/* The row's number is its name. */
static void write_number(Text *to, const char *of, size_t row, double value) {
  char name[24];
  snprintf(name, sizeof name, "%zu", row + 1);
  html_number(to, of, name, value, 6);
}

static void write_derivatives(Text *to, const lpmln_inference *a) {
  assert(a->sensitivities);
  html_section(to, "sensitivity", "What the probabilities depend on");
  open_table(to, "probability, and weight", "derivative");
  for (size_t i = 0; i < a->sensitivity_count && i < MOST_ROWS; i++) {
    const lpmln_sensitivity *s = &a->sensitivities[i];
    text_puts(to, "<tr><th scope=\"row\"><code>");
    html_name(to, s->query);
    text_puts(to, "</code> by <code>");
    html_name(to, s->parameter);
    text_puts(to, "</code></th><td class=\"num\">");
    write_number(to, "derivative", i, s->derivative);
    text_puts(to, "</td></tr>\n");
  }
  close_table(to, a->sensitivity_count);
}

static void write_next(Text *to, const lpmln_inference *a) {
  assert(a->next);
  html_section(to, "next", "What observing an atom would tell");
  open_table(to, "atom", "information, in nats");
  for (size_t i = 0; i < a->next_count && i < MOST_ROWS; i++) {
    text_puts(to, "<tr><th scope=\"row\"><code>");
    html_name(to, a->next[i].atom);
    text_puts(to, "</code></th><td class=\"num\">");
    html_number(to, "information", a->next[i].atom, a->next[i].information, 6);
    text_puts(to, "</td></tr>\n");
  }
  close_table(to, a->next_count);
}

static void write_counts(Text *to, const lpmln_inference *a) {
  assert(a->counts);
  html_section(to, "counts", "Violated instances, on average");
  text_puts(to, "<table class=\"list folds\" style=\"--numbers:3\"><thead><tr><th>rule</th><th "
                "class=\"num\">instances</th><th "
                "class=\"num\">before</th><th class=\"num\">given the "
                "evidence</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < a->rule_count && i < MOST_ROWS; i++) {
    const lpmln_count *c = &a->counts[i];
    text_puts(to, "<tr><th scope=\"row\"><code>");
    html_name(to, c->rule);
    text_printf(to, "</code></th><td class=\"num\">%zu</td><td class=\"num\">", c->instances);
    write_number(to, "expected", i, c->expected);
    text_puts(to, "</td><td class=\"num\">");
    write_number(to, "expected_given_evidence", i, c->given);
    text_puts(to, "</td></tr>\n");
  }
  close_table(to, a->rule_count);
}

/* `of`: the names of the fields. */
static void write_balances(Text *to, const char *title, const lpmln_learning *a, bool end,
                           const char *const of[4]) {
  size_t rows = 0;
  text_printf(to,
              "<table class=\"list folds\" style=\"--numbers:4\"><thead><tr><th>%s</th><th "
              "class=\"num\">weight</th><th class=\"num\">seen</th><th "
              "class=\"num\">expected</th><th class=\"num\">derivative</th></tr></thead><tbody>\n",
              title);
  for (size_t i = 0; i < a->weight_count; i++) {
    const lpmln_learned *w = &a->weights[i];
    const lpmln_balance *b = end ? &w->end : &w->start;
    const double numbers[4] = {b->weight, b->observed, b->expected, b->gradient};
    if (isnan(w->end.weight) || rows++ >= MOST_ROWS)
      continue;
    text_puts(to, "<tr><th scope=\"row\"><code>");
    html_name(to, w->parameter);
    text_puts(to, "</code></th>");
    for (int k = 0; k < 4; k++) {
      text_puts(to, "<td class=\"num\">");
      html_number(to, of[k], w->parameter, numbers[k], 4);
      text_puts(to, "</td>");
    }
    text_puts(to, "</tr>\n");
  }
  text_puts(to, "</tbody></table>\n");
  if (rows > MOST_ROWS)
    text_printf(to, "<p class=\"note\">%zu more are in the answer as JSON.</p>\n",
                rows - MOST_ROWS);
}

void html_balances(Text *to, const HtmlRun *run, const lpmln_learning *a) {
  static const char *const start[] = {"start.value", "start.observed", "start.expected",
                                      "start.gradient"},
                           *const end[] = {"end.value", "end.observed", "end.expected",
                                           "end.gradient"};
  if (!run->counts || !a->weight_count)
    return;
  html_section(to, "counts", "Violated instances, seen and expected");
  write_balances(to, "where the search began", a, false, start);
  write_balances(to, "where it ended", a, true, end);
  text_puts(to, "</section>\n");
}

void html_questions(Text *to, const lpmln_inference *a) {
  if (a->rule_count)
    write_counts(to, a);
  if (a->sensitivities)
    write_derivatives(to, a);
  if (a->next)
    write_next(to, a);
}
