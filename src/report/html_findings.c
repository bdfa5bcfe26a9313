/* html_findings.c - what learning found, in sentences for someone who has never seen
** the tool: what is how probable, how sure that is, and what the data leaves open. */
#include "report/html_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAID = 6 };

/* The fact or rule that a weight belongs to; its name if there are several. */
static void write_rule(Text *to, const lpmln_learned *w) {
  const char *rule = w->parameter;
  size_t length = strlen(rule);
  if (w->rule_count == 1)
    html_bare_rule(w->rules[0].text, &rule, &length);
  text_puts(to, "<code>");
  if (w->rule_count == 1 && strpbrk(w->parameter, "(\""))
    html_name(to, w->parameter); /* one of many: its name says which */
  else
    html_name_part(to, rule, length);
  text_puts(to, "</code>");
}

static const lpmln_learned *find(const lpmln_learning *a, const char *parameter) {
  for (size_t i = 0; i < a->weight_count; i++)
    if (!strcmp(a->weights[i].parameter, parameter))
      return &a->weights[i];
  assert(false); /* a group is one of weights of the answer */
  return NULL;
}

/* ---- one finding each ------------------------------------------------------------------ */

static void say_fact(Text *to, const lpmln_learned *w) {
  text_puts(to, "<li>");
  write_rule(to, w);
  text_puts(to, " holds with probability <b>");
  html_write_chance(to, w);
  text_puts(to, "</b>");
  double low, high;
  if (html_interval(w, &low, &high)) {
    text_puts(to, "; with 95% confidence between ");
    html_plain(to, low, 2);
    text_puts(to, " and ");
    html_plain(to, high, 2);
  }
  text_puts(to, ".</li>\n");
}

static void say_rule(Text *to, const lpmln_learned *w) {
  text_puts(to, "<li>Each time that ");
  write_rule(to, w);
  text_puts(to, " is violated, a situation is <b>");
  html_plain(to, exp(fabs(w->weight)), 2);
  text_printf(to, "</b> times %s likely", w->weight < 0 ? "more" : "less");
  if (w->lower < 0 && w->upper > 0)
    text_puts(to, "; but so little data also fits with the opposite");
  text_puts(to, ".</li>\n");
}

static void say_group(Text *to, const lpmln_learning *a, const lpmln_group *g) {
  assert(g->count);
  text_puts(to, "<li>");
  for (size_t i = 0; i < g->count && i <= MOST_SAID; i++) {
    text_puts(to, !i ? "" : i + 1 == g->count ? " and " : ", ");
    if (i == MOST_SAID && i + 1 < g->count)
      text_printf(to, "%zu more", g->count - i);
    else
      write_rule(to, find(a, g->parameters[i]));
  }
  if (isfinite(g->at_least_one)) {
    text_puts(to, ": at least one holds with probability <b>");
    html_probability(to, "at_least_one", g->parameters[0], g->at_least_one);
    text_puts(to, "</b>. The data can’t tell which: each alone may be anywhere from 0 to ");
    html_plain(to, g->at_least_one, 2);
    text_puts(to, ".</li>\n");
  } else if (g->count == 1) {
    text_puts(to, ": the data says nothing about it.</li>\n");
  } else {
    text_puts(to, ": the data determines them only together; other values are as likely.</li>\n");
  }
}

static void say_diverging(Text *to, const lpmln_learning *a, char sign) {
  size_t all = 0, said = 0;
  assert(sign == '+' || sign == '-');
  for (size_t i = 0; i < a->weight_count; i++)
    all += a->weights[i].diverges == sign;
  if (!all)
    return;
  text_puts(to, "<li>");
  for (size_t i = 0; i < a->weight_count && said <= MOST_SAID; i++) {
    if (a->weights[i].diverges != sign)
      continue;
    text_puts(to, !said ? "" : said + 1 == all ? " and " : ", ");
    if (said == MOST_SAID && said + 1 < all)
      text_printf(to, "%zu more", all - said);
    else
      write_rule(to, &a->weights[i]);
    said++;
  }
  text_puts(to,
            sign == '-' ? ": nothing in the data needs " : ": everything in the data agrees with ");
  text_puts(to, all > 1 ? "them" : "it");
  text_puts(to, sign == '-' ? " to hold; the best estimate is <b>never</b>"
                            : "; the best estimate is <b>always</b>");
  text_puts(to, ", and so little data can’t be sure of that.</li>\n");
}

/* ---- all of them ------------------------------------------------------------------------- */

static bool is_certain(const lpmln_learned *w) { return w->identified && !w->diverges; }

static int by_probability(const void *a, const void *b) {
  const lpmln_learned *x = *(const lpmln_learned *const *)a, *y = *(const lpmln_learned *const *)b;
  double left = isfinite(html_chance(x)) ? html_chance(x) : 2;
  double right = isfinite(html_chance(y)) ? html_chance(y) : 2;
  return left != right ? (left < right ? 1 : -1) : (x > y) - (x < y);
}

static void say_determined(Text *to, const lpmln_learning *a) {
  VEC(const lpmln_learned *) list = {0};
  for (size_t i = 0; i < a->weight_count; i++)
    if (is_certain(&a->weights[i]))
      vec_push(&list, &a->weights[i]);
  if (list.n)
    qsort(list.at, list.n, sizeof *list.at, by_probability);
  for (size_t i = 0; i < list.n && i < MOST_SAID; i++)
    (isfinite(html_chance(list.at[i])) ? say_fact : say_rule)(to, list.at[i]);
  if (list.n > MOST_SAID)
    text_printf(to, "<li>%zu more weights are determined; the table has them.</li>\n",
                list.n - MOST_SAID);
  vec_free(&list);
}

void html_findings(Text *to, const lpmln_learning *a) {
  html_section(to, "findings", "What the data says");
  if (!a->converged || !a->about.complete)
    text_puts(
        to,
        "<p class=\"warning\">The search was cut short: these are the best weights so far.</p>\n");
  text_puts(to, "<ul>\n");
  say_determined(to, a);
  for (size_t i = 0; i < a->group_count && i < MOST_SAID; i++)
    say_group(to, a, &a->groups[i]);
  if (a->group_count > MOST_SAID)
    text_printf(to, "<li>%zu more groups are determined only together.</li>\n",
                a->group_count - MOST_SAID);
  say_diverging(to, a, '-');
  say_diverging(to, a, '+');
  text_puts(to, "</ul></section>\n");
}
