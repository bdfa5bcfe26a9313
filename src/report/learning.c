/* learning.c - learned weights for people. */
#include "report/print.h"

#include <math.h>
#include <string.h>

static void print_summary(FILE *to, const lpmln_learning *a) {
  if (!a->about.complete)
    fprintf(to, "INCOMPLETE: cut short; these are the best weights so far\n");
  if (isnan(a->log_likelihood))
    fprintf(to, "log-likelihood   not known\n");
  if (isnan(a->log_likelihood) && !isnan(a->gradient))
    fprintf(to, "gradient         %.2g, its Monte Carlo error %.2g\n", a->gradient,
            a->gradient_error);
  if (!isnan(a->log_likelihood))
    fprintf(to, "log-likelihood   %.6f%s\n", fabs(a->log_likelihood) < 5e-7 ? 0 : a->log_likelihood,
            a->about.complete && a->converged ? "" : " so far");
  if (a->supremum > a->log_likelihood + 5e-7)
    fprintf(to, "its supremum     %.6f\n", a->supremum);
  if (a->objective != a->log_likelihood && !isnan(a->objective))
    fprintf(to, "with the prior   %.6f\n", a->objective);
  fprintf(to, "observations     %.15g", a->observations);
  if ((double)a->different != a->observations)
    fprintf(to, ", different ones %zu", a->different);
  if (a->dropped > 0)
    fprintf(to, "; dropped as impossible: %.15g", a->dropped);
  if (a->about.method == LPMLN_CLOSED_FORM)
    fprintf(to, "\nmethod           closed form\n");
  else
    fprintf(to, "\nmethod           %s%s, %zu iteration%s, %s\n",
            a->about.method == LPMLN_MC_ASP ? "mc-asp, " : "", lpmln_optimizer_name(a->optimizer),
            a->iterations, a->iterations == 1 ? "" : "s",
            a->converged ? "converged" : "not converged");
}

static const char *remark(const lpmln_learned *w, char *room, size_t size) {
  if (w->diverges)
    return w->diverges == '+' ? "diverges to +infinity" : "diverges to -infinity";
  if (!w->identified)
    snprintf(room, size, "not identified (group %zu)", w->group + 1);
  return !w->identified ? room : !w->held ? "" : w->weight == 0 ? "0 by the prior" : "at a bound";
}

static void print_weight(FILE *to, const lpmln_learned *w, int width, bool facts, bool sampled) {
  char error[32] = "", interval[64] = "", probability[32] = "", room[64];
  if (isfinite(w->standard_error)) {
    snprintf(error, sizeof error, "%.6f", w->standard_error);
    snprintf(interval, sizeof interval, "%.4f .. %.4f", w->lower, w->upper);
  }
  if (isfinite(w->probability))
    snprintf(probability, sizeof probability, "%.6f", w->probability);
  const char *said = remark(w, room, sizeof room);
  fprintf(to, "%-*s  %12.6f", width, w->parameter, fabs(w->weight) < 5e-7 ? 0 : w->weight);
  if (sampled && isnan(w->mc_error))
    fprintf(to, "  %9s", "");
  else if (sampled)
    fprintf(to, "  %9.6f", w->mc_error);
  if (*error || *probability || *said)
    fprintf(to, "  %10s  %22s", error, interval);
  if (facts && (*probability || *said))
    fprintf(to, "  %11s", probability);
  fprintf(to, "%s%s\n", *said ? "  " : "", said);
}

static void print_probability(FILE *to, const lpmln_learned *w, int width) {
  char interval[64] = "", room[64];
  if (isfinite(w->probability_lower) && isfinite(w->probability_upper))
    snprintf(interval, sizeof interval, "%.4f .. %.4f", w->probability_lower, w->probability_upper);
  const char *said = w->diverges == '+' ? "as large as it can be"
                     : w->diverges      ? "0"
                                        : remark(w, room, sizeof room);
  fprintf(to, "%-*s  %12.6f", width, w->parameter, w->probability);
  if (*interval || *said)
    fprintf(to, "  %22s", interval);
  fprintf(to, "%s%s\n", *said ? "  " : "", said);
}

static int name_width(const lpmln_learning *a) {
  size_t width = strlen("parameter");
  for (size_t i = 0; i < a->weight_count; i++) {
    size_t n = strlen(a->weights[i].parameter);
    width = n > width ? n : width;
  }
  return width > 40 ? 40 : (int)width;
}

/* First those that their language knows as probabilities. */
static void print_weights(FILE *to, const lpmln_learning *a) {
  int width = name_width(a);
  bool facts = false, sampled = a->about.method == LPMLN_MC_ASP;
  size_t probabilities = 0;
  for (size_t i = 0; i < a->weight_count; i++) {
    probabilities += a->weights[i].as_probability;
    facts |= isfinite(a->weights[i].probability) && !a->weights[i].as_probability;
  }
  if (probabilities)
    fprintf(to, "\n%-*s  %12s  %22s\n", width, "parameter", "probability", "95% interval");
  for (size_t i = 0; i < a->weight_count; i++)
    if (a->weights[i].as_probability)
      print_probability(to, &a->weights[i], width);
  if (probabilities < a->weight_count || !a->weight_count)
    fprintf(to, "\n%-*s  %12s%s  %10s  %22s%s\n", width, "parameter", "weight",
            sampled ? "   MC error" : "", "std. error", "95% interval",
            facts ? "  probability" : "");
  for (size_t i = 0; i < a->weight_count; i++)
    if (!a->weights[i].as_probability)
      print_weight(to, &a->weights[i], width, facts, sampled);
}

static void print_held_out(FILE *to, const lpmln_learning *a) {
  double sum = 0;
  if (a->test_observations > 0)
    fprintf(to, "\ntest             log-likelihood %.6f of %.15g observation%s\n",
            a->test_log_likelihood, a->test_observations, a->test_observations > 1 ? "s" : "");
  for (size_t i = 0; i < a->fold_count; i++) {
    fprintf(to, "%sfold %-11zu held-out log-likelihood %.6f\n", i ? "" : "\n", i + 1, a->folds[i]);
    sum += a->folds[i];
  }
  if (a->fold_count)
    fprintf(to, "all folds        held-out log-likelihood %.6f\n", sum);
}

void print_learning(FILE *to, const lpmln_learning *a) {
  print_summary(to, a);
  print_weights(to, a);
  print_held_out(to, a);
  if (a->advice_count)
    fputc('\n', to);
  for (size_t i = 0; i < a->advice_count; i++)
    fprintf(to, "* %s\n", a->advice[i]);
}
