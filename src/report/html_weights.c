/* html_weights.c - the table of learned weights, with a picture of their intervals: as
** probabilities if all are soft facts, else as weights. */
#include "report/html_parts.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1000 };

typedef struct {
  bool facts;                             /* probabilities, from 0 to 1 */
  bool column;                            /* some have a probability, to be written beside */
  double low, high;                       /* of the axis */
  double step;                            /* between ticks */
  const lpmln_learning_options *learning; /* its prior is drawn; NULL: none */
} Axis;

static const lpmln_group *group_of(const lpmln_learning *a, const lpmln_learned *w) {
  return !w->identified && w->group < a->group_count ? &a->groups[w->group] : NULL;
}

/* 1, 2 or 5 times a power of ten. */
static double round_step(double raw) {
  assert(raw > 0);
  double unit = pow(10, floor(log10(raw))), n = raw / unit;
  return unit * (n <= 1 ? 1 : n <= 2 ? 2 : n <= 5 ? 5 : 10);
}

/* Where a weight is with 95% by the prior; false: there is none for it. */
static bool prior_of(const lpmln_learning_options *o, const lpmln_learned *w, double *low,
                     double *high) {
  if (!o || o->prior == LPMLN_NO_PRIOR)
    return false;
  bool gaussian = o->prior == LPMLN_GAUSSIAN;
  if (!gaussian && o->prior_only && strncmp(w->parameter, o->prior_only, strlen(o->prior_only)))
    return false;
  double middle = gaussian ? o->prior_mean : 0;
  double half = gaussian ? 1.96 * o->prior_deviation : log(20) / o->prior_strength;
  *low = middle - half, *high = middle + half;
  return half < 20;
}

/* Weights that diverge say nothing about the axis. */
static Axis axis_of(const lpmln_learning *a, const lpmln_learning_options *learning) {
  double low = 0, high = 0;
  bool facts = true, column = false;
  for (size_t i = 0; i < a->weight_count; i++) {
    const lpmln_learned *w = &a->weights[i];
    facts &= html_independent(w);
    column |= isfinite(html_chance(w));
    if (w->diverges)
      continue;
    bool wide = isfinite(w->lower) && w->upper - w->lower < 40;
    low = fmin(low, wide ? w->lower : w->weight);
    high = fmax(high, wide ? w->upper : w->weight);
    double from, until;
    if (prior_of(learning, w, &from, &until))
      low = fmin(low, from), high = fmax(high, until);
  }
  if (facts)
    return (Axis){true, column, 0, 1, 0.25, learning};
  double step = round_step(fmax(high - low, 1e-6) / 5);
  return (Axis){false,
                column,
                step * floor(low / step),
                step * fmax(ceil(high / step), floor(low / step) + 1),
                step,
                learning};
}

/* In per cent of the axis. */
static double on(const Axis *x, double value) {
  assert(x->low < x->high && x->step > 0);
  return 100 * fmin(fmax((value - x->low) / (x->high - x->low), 0), 1);
}

static void draw_span(Text *to, const char *kind, double from, double until) {
  text_printf(to, "<i class=\"%s\" style=\"left:%s%%;width:%s%%\"></i>", kind,
              NUMBER_FIXED(from, 2), NUMBER_FIXED(until - from, 2));
}

static void draw_prior(Text *to, const Axis *x, const lpmln_learned *w) {
  double low, high;
  if (!prior_of(x->learning, w, &low, &high))
    return;
  draw_span(to, "prior", on(x, x->facts ? html_logistic(low) : low),
            on(x, x->facts ? html_logistic(high) : high));
}

/* The interval, or the range that is free, and the estimate. */
static void draw_weight(Text *to, const Axis *x, const lpmln_learning *a, const lpmln_learned *w) {
  const lpmln_group *g = group_of(a, w);
  double value = x->facts ? html_chance(w) : w->weight, low, high;
  text_puts(to, "<td class=\"plot\"><div>");
  draw_prior(to, x, w);
  if (g && x->facts && isfinite(g->at_least_one))
    draw_span(to, "free", 0, on(x, g->at_least_one));
  else if (g)
    draw_span(to, "loose", 0, 100);
  else if (x->facts && html_interval(w, &low, &high))
    draw_span(to, "sure", on(x, low), on(x, high));
  else if (!x->facts && isfinite(w->lower))
    draw_span(to, "sure", on(x, w->lower), on(x, w->upper));
  if (w->diverges)
    text_printf(to, "<i class=\"out\" style=\"left:%d%%\"></i>", w->diverges == '+' ? 100 : 0);
  else if (isfinite(value))
    text_printf(to, "<i class=\"dot%s\" style=\"left:%s%%\"></i>", g ? " open" : "",
                NUMBER_FIXED(on(x, value), 2));
  text_puts(to, "</div></td>");
}

/* The part of the error that is due to sampling. */
static void write_sampling(Text *to, const lpmln_learned *w) {
  if (!(w->mc_error > 0))
    return;
  text_puts(to, "<small class=\"mc\">sampling ± ");
  html_number(to, "mc_error", w->parameter, w->mc_error, 3);
  text_puts(to, "</small>");
}

/* The weight, and its error or why there is none. */
static void write_weight(Text *to, const lpmln_learned *w) {
  html_weight(to, w, 3);
  if (isfinite(w->standard_error)) {
    text_puts(to, " <small>± ");
    html_number(to, "standard_error", w->parameter, w->standard_error, 3);
    text_puts(to, "</small>");
    write_sampling(to, w);
  } else if (!w->identified && !w->diverges) {
    text_printf(to, " <small>group %zu</small>", w->group + 1);
    write_sampling(to, w);
  } else if (w->held) {
    text_puts(to, w->weight == 0 ? " <small>by the prior</small>" : " <small>at a bound</small>");
  }
}

static void write_row(Text *to, const Axis *x, const lpmln_learning *a, const lpmln_learned *w) {
  const char *rule = "";
  size_t length = 0;
  if (w->rule_count == 1)
    html_bare_rule(w->rules[0].text, &rule, &length);
  text_puts(to, "<tr><th scope=\"row\"><b>");
  html_name(to, w->parameter);
  text_puts(to, "</b> <code>");
  html_escape_part(to, rule, length); /* it has blanks to break at */
  if (w->rule_count > 1)
    text_printf(to, "%zu rules", w->rule_count);
  text_puts(to, "</code></th><td class=\"num\">");
  write_weight(to, w);
  text_puts(to, "</td>");
  draw_weight(to, x, a, w);
  if (x->column) {
    text_puts(to, "<td class=\"num\">");
    if (isfinite(html_chance(w)))
      html_write_chance(to, w);
    text_puts(to, "</td>");
  }
  text_puts(to, "</tr>\n");
}

/* Three labels, which never meet: the ends, and 0 or what is near the middle. */
static void label_axis(Text *to, const Axis *x) {
  int ticks = (int)lround((x->high - x->low) / x->step), zero = (int)lround(-x->low / x->step);
  int middle = 10 * abs(2 * zero - ticks) <= 4 * ticks ? zero : ticks / 2;
  const int labels[] = {0, middle, ticks};
  for (size_t i = 0; i < 3; i++) {
    double value = x->low + labels[i] * x->step;
    text_printf(to, "<span style=\"left:%s%%\">", NUMBER_FIXED(on(x, value), 2));
    if (i != 1 || (middle > 0 && middle < ticks))
      html_plain(to, value, x->facts ? i == 1 : x->step < 0.1 ? 2 : x->step < 1);
    text_puts(to, "</span>");
  }
}

static void write_head(Text *to, const Axis *x) {
  text_puts(to, "<thead><tr><th>parameter</th><th class=\"num\">weight ± error</th>"
                "<th class=\"axis\"><div>");
  label_axis(to, x);
  text_puts(to, "</div></th>");
  if (x->column)
    text_puts(to, "<th class=\"num\">probability</th>");
  text_puts(to, "</tr></thead>\n");
}

/* Of the marks that occur. */
static void write_key(Text *to, const Axis *x, const lpmln_learning *a) {
  bool sure = false, open = false, loose = false, out = false, prior = false;
  double low, high;
  for (size_t i = 0; i < a->weight_count; i++) {
    const lpmln_learned *w = &a->weights[i];
    const lpmln_group *g = group_of(a, w);
    bool range = g && x->facts && isfinite(g->at_least_one);
    prior |= prior_of(x->learning, w, &low, &high);
    sure |= isfinite(w->standard_error), open |= range, loose |= g && !range,
        out |= w->diverges != 0;
  }
  text_puts(to, "<p class=\"key\">");
  text_puts(to, sure ? "<span><i class=\"sure\"></i>95% interval</span>" : "");
  text_puts(to, prior ? "<span><i class=\"prior\"></i>95% of the prior</span>" : "");
  text_puts(to, open ? "<span><i class=\"free\"></i>as likely anywhere here</span>" : "");
  text_puts(to, loose ? "<span><i class=\"loose\"></i>not determined alone</span>" : "");
  text_puts(to, out ? "<span><i class=\"out\"></i>goes to infinity</span>" : "");
  text_puts(to, "</p></section>\n");
}

void html_weights(Text *to, const HtmlRun *run, const lpmln_learning *a) {
  Axis x = axis_of(a, run->learning);
  html_section(to, "weights", "Learned weights");
  text_printf(to, "<table class=\"weights drawn list\" style=\"--numbers:%d;--step:%s%%\">\n",
              1 + x.column, NUMBER_FIXED(on(&x, x.low + x.step), 3));
  write_head(to, &x);
  text_puts(to, "<tbody>\n");
  for (size_t i = 0; i < a->weight_count && i < MOST_ROWS; i++)
    write_row(to, &x, a, &a->weights[i]);
  text_puts(to, "</tbody></table>\n");
  if (a->weight_count > MOST_ROWS)
    text_printf(to, "<p class=\"note\">%zu more are in the answer as JSON.</p>\n",
                a->weight_count - MOST_ROWS);
  write_key(to, &x, a);
}
