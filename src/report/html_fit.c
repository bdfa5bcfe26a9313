/* html_fit.c - how well the learned program fits what it was not learned from, and how its
** weights hang together. */
#include "report/html_parts.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- data held out ----------------------------------------------------------------------- */

static void write_test(Text *to, const lpmln_learning *a) {
  if (!(a->test_observations > 0))
    return;
  text_puts(to, "<tr><th scope=\"row\">test data, ");
  html_plain(to, a->test_observations, 0);
  text_printf(to, " observation%s</th><td class=\"num\">", a->test_observations == 1 ? "" : "s");
  html_number(to, "test_log_likelihood", NULL, a->test_log_likelihood, 4);
  text_puts(to, "</td><td class=\"num\">");
  html_plain(to, a->test_log_likelihood / a->test_observations, 4);
  text_puts(to, "</td></tr>\n");
}

static void write_folds(Text *to, const lpmln_learning *a) {
  double sum = 0;
  assert(a->folds || !a->fold_count);
  for (size_t i = 0; i < a->fold_count; i++) {
    char name[24];
    snprintf(name, sizeof name, "%zu", i + 1);
    text_printf(to, "<tr><th scope=\"row\">fold %s, learned from the others</th><td class=\"num\">",
                name);
    html_number(to, "folds", name, a->folds[i], 4);
    text_puts(to, "</td><td class=\"num\"></td></tr>\n");
    sum += a->folds[i];
  }
  if (!a->fold_count)
    return;
  text_puts(to, "<tr><th scope=\"row\">all folds</th><td class=\"num\">");
  html_plain(to, sum, 4);
  text_puts(to, "</td><td class=\"num\">");
  html_plain(to, sum / a->observations, 4);
  text_puts(to, "</td></tr>\n");
}

void html_fit(Text *to, const lpmln_learning *a) {
  if (!a->fold_count && !(a->test_observations > 0))
    return;
  html_section(to, "fit", "How well it fits what it has not seen");
  text_puts(to, "<table><thead><tr><th>log-likelihood of</th><th class=\"num\"></th>"
                "<th class=\"num\">per observation</th></tr></thead><tbody>\n"
                "<tr><th scope=\"row\">what it was learned from</th><td class=\"num\">");
  html_plain(to, a->log_likelihood, 4);
  text_puts(to, "</td><td class=\"num\">");
  html_plain(to, a->log_likelihood / a->observations, 4);
  text_puts(to, "</td></tr>\n");
  write_test(to, a);
  write_folds(to, a);
  text_puts(to, "</tbody></table></section>\n");
}

/* ---- correlations ------------------------------------------------------------------------ */

enum { MOST_CORRELATED = 30, WRITTEN = 8, SIDE = 480, LEFT = 24, MOST_PAIRS = 5 };

typedef struct {
  size_t n;
  size_t weight[MOST_CORRELATED]; /* those that have an error */
  const lpmln_learning *of;
} Square;

static double correlation(const Square *s, size_t i, size_t k) {
  size_t n = s->of->weight_count, a = s->weight[i], b = s->weight[k];
  const double *c = s->of->covariance;
  double r = c[a * n + b] / sqrt(c[a * n + a] * c[b * n + b]);
  return fmin(fmax(r, -1), 1);
}

static void draw_number(Text *to, size_t number, double x, double y) {
  text_printf(to, "<text class=\"name\" x=\"%s\" y=\"%s\">%zu</text>", NUMBER_FIXED(x, 1),
              NUMBER_FIXED(y, 1), number);
}

static void draw_cell(Text *to, const Square *s, size_t i, size_t k) {
  double r = correlation(s, i, k), side = (double)(SIDE - LEFT) / (double)s->n;
  double x = LEFT + side * (double)k, y = LEFT + side * (double)i;
  text_printf(to,
              "<rect class=\"cell %s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" "
              "style=\"--p:%s%%\"><title>",
              r < 0 ? "minus" : "plus", NUMBER_FIXED(x, 1), NUMBER_FIXED(y, 1),
              NUMBER_FIXED(side - 1, 1), NUMBER_FIXED(side - 1, 1), NUMBER_FIXED(70 * fabs(r), 1));
  html_escape(to, s->of->weights[s->weight[i]].parameter);
  text_puts(to, ", ");
  html_escape(to, s->of->weights[s->weight[k]].parameter);
  text_puts(to, ": ");
  html_plain(to, r, 3);
  text_puts(to, "</title></rect>");
  if (s->n > WRITTEN || i == k)
    return;
  text_printf(to, "<text class=\"name out\" x=\"%s\" y=\"%s\">", NUMBER_FIXED(x + side / 2, 1),
              NUMBER_FIXED(y + side / 2 + 4, 1));
  html_plain(to, r, 2);
  text_puts(to, "</text>");
}

static void draw_square(Text *to, const Square *s) {
  double side = (double)(SIDE - LEFT) / (double)s->n;
  text_printf(to, "<figure><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"correlations\">\n",
              SIDE, SIDE);
  for (size_t i = 0; i < s->n; i++) {
    double middle = LEFT + side * ((double)i + 0.5);
    draw_number(to, i + 1, LEFT / 2.0 - 1, middle + 4);
    draw_number(to, i + 1, middle, LEFT - 8);
    for (size_t k = 0; k < s->n; k++)
      draw_cell(to, s, i, k);
    text_puts(to, "\n");
  }
  text_puts(to, "</svg><figcaption><span class=\"scale\">−1<i class=\"both\"></i>1</span> "
                "correlation of the estimates.</figcaption></figure>\n<ol class=\"names\">");
  for (size_t i = 0; i < s->n; i++) {
    text_puts(to, "<li><code>");
    html_name(to, s->of->weights[s->weight[i]].parameter);
    text_puts(to, "</code></li>");
  }
  text_puts(to, "</ol>\n");
}

typedef struct {
  size_t i, k;
  double r;
} Pair;

static int by_strength(const void *a, const void *b) {
  const Pair *x = a, *y = b;
  double left = fabs(x->r), right = fabs(y->r);
  return left != right  ? (left < right ? 1 : -1)
         : x->i != y->i ? (x->i < y->i ? -1 : 1)
                        : (x->k > y->k) - (x->k < y->k);
}

/* The strongest, in words. */
static void say_strongest(Text *to, const Square *s) {
  VEC(Pair) pairs = {0};
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = i + 1; k < s->n; k++)
      if (fabs(correlation(s, i, k)) >= 0.3)
        vec_push(&pairs, ((Pair){i, k, correlation(s, i, k)}));
  if (pairs.n)
    qsort(pairs.at, pairs.n, sizeof *pairs.at, by_strength);
  text_puts(to, pairs.n ? "<ul>\n" : "<p class=\"note\">None is above 0.3.</p>\n");
  for (size_t i = 0; i < pairs.n && i < MOST_PAIRS; i++) {
    const Pair *p = &pairs.at[i];
    text_puts(to, "<li><code>");
    html_name(to, s->of->weights[s->weight[p->i]].parameter);
    text_puts(to, "</code> and <code>");
    html_name(to, s->of->weights[s->weight[p->k]].parameter);
    text_puts(to, "</code>: ");
    html_plain(to, p->r, 2);
    text_puts(to, p->r < 0 ? "; if one is larger than estimated, the other is smaller.</li>\n"
                           : "; if one is larger than estimated, so is the other.</li>\n");
  }
  text_puts(to, pairs.n ? "</ul>\n" : "");
  vec_free(&pairs);
}

void html_correlations(Text *to, const lpmln_learning *a) {
  Square s = {.of = a};
  size_t left = 0;
  for (size_t i = 0; a->covariance && i < a->weight_count; i++) {
    double variance = a->covariance[i * a->weight_count + i];
    if (!(variance > 0 && isfinite(variance)))
      continue;
    if (s.n < MOST_CORRELATED)
      s.weight[s.n++] = i;
    else
      left++;
  }
  if (s.n < 2)
    return;
  html_section(to, "correlations", "How the weights hang together");
  say_strongest(to, &s);
  text_puts(to, "<details><summary>all of them</summary>\n");
  draw_square(to, &s);
  if (left)
    text_printf(to, "<p class=\"note\">%zu more weights have no room here.</p>\n", left);
  text_puts(to, "</details></section>\n");
}
