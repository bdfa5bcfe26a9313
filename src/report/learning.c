/* learning.c - learned weights for people. */
#include "base/memory.h"
#include "base/number.h"
#include "lpmln/lpmln.h"
#include "report/print.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No minus before a number that is printed as 0. */
static double unsigned_zero(double x) { return fabs(x) < 5e-7 ? 0 : x; }

static void print_likelihood(Text *to, const lpmln_learning *a) {
  if (!a->about.complete)
    text_printf(to, "INCOMPLETE: cut short; these are the best weights so far\n");
  if (isnan(a->log_likelihood))
    text_printf(to, "log-likelihood   not known\n");
  if (!isnan(a->log_likelihood) && a->log_likelihood_error > 0)
    text_printf(to, "log-likelihood   %s, its Monte Carlo error %s\n",
                NUMBER_SHORT(a->log_likelihood, 6), NUMBER_SHORT(a->log_likelihood_error, 2));
  else if (!isnan(a->log_likelihood))
    text_printf(to, "log-likelihood   %s%s\n", NUMBER_FIXED(unsigned_zero(a->log_likelihood), 6),
                a->about.complete && a->converged ? "" : " so far");
  if (a->about.method == LPMLN_MC_ASP && !isnan(a->gradient))
    text_printf(to, "gradient         %s, its Monte Carlo error %s\n", NUMBER_SHORT(a->gradient, 2),
                NUMBER_SHORT(a->gradient_error, 2));
  if (a->supremum > a->log_likelihood + 5e-7)
    text_printf(to, "its supremum     %s\n", NUMBER_FIXED(a->supremum, 6));
  if (a->objective != a->log_likelihood && !isnan(a->objective))
    text_printf(to, "with the prior   %s\n", NUMBER_FIXED(a->objective, 6));
}

static void print_summary(Text *to, const lpmln_learning *a) {
  print_likelihood(to, a);
  text_printf(to, "observations     %s", NUMBER_SHORT(a->observations, 15));
  if ((double)a->different != a->observations)
    text_printf(to, ", different ones %zu", a->different);
  if (a->dropped > 0)
    text_printf(to, "; dropped as impossible: %s", NUMBER_SHORT(a->dropped, 15));
  if (a->about.method == LPMLN_CLOSED_FORM)
    text_printf(to, "\nmethod           closed form\n");
  else
    text_printf(to, "\nmethod           %s%s, %zu iteration%s, %s\n",
                a->about.method == LPMLN_MC_ASP ? "mc-asp, " : "",
                lpmln_optimizer_name(a->optimizer), a->iterations, a->iterations == 1 ? "" : "s",
                a->converged ? "converged" : "not converged");
}

static const char *remark(const lpmln_learned *w, char *room, size_t size) {
  if (w->diverges)
    return w->diverges == '+' ? "diverges to +infinity" : "diverges to -infinity";
  if (!w->identified)
    snprintf(room, size, "not identified (group %zu)", w->group + 1);
  return !w->identified ? room : !w->held ? "" : w->weight == 0 ? "0 by the prior" : "at a bound";
}

enum { INTERVAL_ROOM = 2 * NUMBER_ROOM + 8 };

static void describe_interval(char *room, double low, double high) {
  assert(low <= high);
  snprintf(room, INTERVAL_ROOM, "%s .. %s", NUMBER_FIXED(low, 4), NUMBER_FIXED(high, 4));
}

static void print_weight(Text *to, const lpmln_learned *w, int width, bool facts, bool sampled) {
  char room[64], interval[INTERVAL_ROOM] = "";
  bool known = isfinite(w->standard_error), fact = isfinite(w->holds);
  if (known)
    describe_interval(interval, w->lower, w->upper);
  const char *said = remark(w, room, sizeof room);
  text_printf(to, "%-*s  %12s", print_room(width, w->parameter), w->parameter,
              NUMBER_FIXED(unsigned_zero(w->weight), 6));
  if (sampled)
    text_printf(to, "  %9s", isnan(w->mc_error) ? "" : NUMBER_FIXED(w->mc_error, 6));
  if (known || fact || *said)
    text_printf(to, "  %10s  %22s", known ? NUMBER_FIXED(w->standard_error, 6) : "", interval);
  if (facts && (fact || *said))
    text_printf(to, "  %11s", fact ? NUMBER_FIXED(w->holds, 6) : "");
  text_printf(to, "%s%s\n", *said ? "  " : "", said);
}

static void print_probability(Text *to, const lpmln_learned *w, int width) {
  char interval[INTERVAL_ROOM] = "", room[64];
  if (isfinite(w->probability_lower) && isfinite(w->probability_upper))
    describe_interval(interval, w->probability_lower, w->probability_upper);
  const char *said = w->diverges == '+' ? "as large as it can be"
                     : w->diverges      ? "0"
                                        : remark(w, room, sizeof room);
  text_printf(to, "%-*s  %12s", print_room(width, w->parameter), w->parameter,
              NUMBER_FIXED(w->probability, 6));
  if (*interval || *said)
    text_printf(to, "  %22s", interval);
  text_printf(to, "%s%s\n", *said ? "  " : "", said);
}

static int name_width(const lpmln_learning *a) {
  size_t width = strlen("parameter");
  for (size_t i = 0; i < a->weight_count; i++) {
    size_t n = print_columns(a->weights[i].parameter);
    width = n > width ? n : width;
  }
  return width > 40 ? 40 : (int)width;
}

/* First those that their language knows as probabilities. */
static void print_weights(Text *to, const lpmln_learning *a) {
  int width = name_width(a);
  bool facts = false, sampled = a->about.method == LPMLN_MC_ASP;
  size_t probabilities = 0;
  for (size_t i = 0; i < a->weight_count; i++) {
    probabilities += a->weights[i].as_probability;
    facts |= isfinite(a->weights[i].holds) && !a->weights[i].as_probability;
  }
  if (probabilities)
    text_printf(to, "\n%-*s  %12s  %22s\n", width, "parameter", "probability", "95% interval");
  for (size_t i = 0; i < a->weight_count; i++)
    if (a->weights[i].as_probability)
      print_probability(to, &a->weights[i], width);
  if (probabilities < a->weight_count || !a->weight_count)
    text_printf(to, "\n%-*s  %12s%s  %10s  %22s%s\n", width, "parameter", "weight",
                sampled ? "   MC error" : "", "std. error", "95% interval",
                facts ? "        holds" : "");
  for (size_t i = 0; i < a->weight_count; i++)
    if (!a->weights[i].as_probability)
      print_weight(to, &a->weights[i], width, facts, sampled);
}

static void print_balance(Text *to, const char *name, const lpmln_balance *b, int width) {
  text_printf(
      to, "%-*s  %12s  %12s  %12s  %12s\n", print_room(width, name), name,
      NUMBER_FIXED(unsigned_zero(b->weight), 6), NUMBER_FIXED(unsigned_zero(b->observed), 6),
      NUMBER_FIXED(unsigned_zero(b->expected), 6), NUMBER_FIXED(unsigned_zero(b->gradient), 6));
}

void print_balances(Text *to, const char *title, const char *const *names,
                    const lpmln_balance *balances, size_t n) {
  size_t width = strlen(title);
  for (size_t i = 0; i < n; i++)
    width = print_columns(names[i]) > width ? print_columns(names[i]) : width;
  width = width > 40 ? 40 : width;
  text_printf(to, "%-*s  %12s  %12s  %12s  %12s\n", (int)width, title, "weight", "n observed",
              "n expected", "gradient");
  for (size_t i = 0; i < n; i++)
    print_balance(to, names[i], &balances[i], (int)width);
}

void print_learning_counts(Text *to, const lpmln_learning *a) {
  const char **names = memory_zero(a->weight_count, sizeof *names);
  lpmln_balance *balances = memory_zero(a->weight_count, sizeof *balances);
  for (int end = 0; end < 2; end++) {
    size_t n = 0;
    for (size_t i = 0; i < a->weight_count; i++)
      if (!isnan(a->weights[i].end.weight)) {
        names[n] = a->weights[i].parameter;
        balances[n++] = end ? a->weights[i].end : a->weights[i].start;
      }
    text_puts(to, "\n");
    print_balances(to, end ? "at the end" : "at the start", names, balances, n);
  }
  free(names);
  free(balances);
}

static void print_held_out(Text *to, const lpmln_learning *a) {
  double sum = 0;
  if (a->test_observations > 0)
    text_printf(to, "\ntest             log-likelihood %s of %s observation%s\n",
                NUMBER_FIXED(a->test_log_likelihood, 6), NUMBER_SHORT(a->test_observations, 15),
                a->test_observations > 1 ? "s" : "");
  for (size_t i = 0; i < a->fold_count; i++) {
    text_printf(to, "%sfold %-11zu held-out log-likelihood %s\n", i ? "" : "\n", i + 1,
                NUMBER_FIXED(a->folds[i], 6));
    sum += a->folds[i];
  }
  if (a->fold_count)
    text_printf(to, "all folds        held-out log-likelihood %s\n", NUMBER_FIXED(sum, 6));
}

void print_learning(Text *to, const lpmln_learning *a) {
  print_summary(to, a);
  print_weights(to, a);
  print_held_out(to, a);
  if (a->advice_count)
    text_puts(to, "\n");
  print_advice(to, a->advice, a->advice_count);
}

/* Weights that were read, not learned. */
void print_elsewhere(Text *to, const lpmln_weights *a) {
  int widest = 9;
  for (size_t i = 0; i < a->count; i++)
    if (print_columns(a->weights[i].parameter) > (size_t)widest)
      widest = (int)print_columns(a->weights[i].parameter);
  text_printf(to, "%-*s  %12s\n", widest, "parameter", "weight");
  for (size_t i = 0; i < a->count; i++)
    if (!isnan(a->weights[i].weight))
      text_printf(to, "%-*s  %12s\n", print_room(widest, a->weights[i].parameter),
                  a->weights[i].parameter, NUMBER_FIXED(a->weights[i].weight, 6));
}
