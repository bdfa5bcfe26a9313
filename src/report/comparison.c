/* comparison.c - programs side by side, for people. */
#include "base/memory.h"
#include "base/number.h"
#include "lpmln/lpmln.h"
#include "report/criterion.h"
#include "report/print.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

static int widest(const lpmln_comparison *a) {
  size_t most = strlen("program");
  for (size_t i = 0; i < a->count; i++) {
    size_t n = print_columns(a->models[i].program);
    most = n > most ? n : most;
  }
  return (int)most;
}

static const char *remark(const lpmln_compared *m) {
  return !m->converged                ? "  not converged"
         : m->diverging               ? "  a weight goes to infinity"
         : m->parameters < m->weights ? "  not all weights are determined"
                                      : "";
}

/* The lowest of each criterion has a star. */
static void print_model(Text *to, const lpmln_comparison *a, size_t number, int width) {
  const lpmln_compared *m = &a->models[number];
  const char *said = remark(m);
  bool aic = lowest_aic(a, m), bic = lowest_bic(a, m);
  text_printf(to, "%-*s  %14s  %10zu  %12s%s  %12s%s%s\n", print_room(width, m->program),
              m->program, NUMBER_FIXED(m->log_likelihood > -5e-7 ? 0 : m->log_likelihood, 6),
              m->parameters, NUMBER_FIXED(m->aic, 4), aic ? "*" : " ", NUMBER_FIXED(m->bic, 4),
              bic     ? "*"
              : *said ? " "
                      : "",
              said);
}

static void print_test(Text *to, const lpmln_comparison *a, const lpmln_ratio_test *t) {
  assert(t->smaller < a->count && t->larger < a->count && t->degrees);
  text_printf(to, "%s is %s with parameters fixed or tied:\n", a->models[t->smaller].program,
              a->models[t->larger].program);
  text_printf(to, "  likelihood ratio %s, %zu degree%s of freedom, p = %s\n",
              NUMBER_FIXED(t->statistic, 4), t->degrees, t->degrees == 1 ? "" : "s",
              NUMBER_SHORT(t->p_value, 4));
  if (t->doubt)
    text_printf(to, "  doubtful: %s\n", t->doubt);
}

void print_comparison(Text *to, const lpmln_comparison *a) {
  int width = widest(a);
  text_printf(to, "observations     %s\n\n", NUMBER_SHORT(a->observations, 15));
  text_printf(to, "%-*s  %14s  %10s  %12s   %12s\n", width, "program", "log-likelihood",
              "parameters", "AIC", "BIC");
  for (size_t i = 0; i < a->count; i++)
    print_model(to, a, i, width);
  for (size_t i = 0; i < a->test_count; i++) {
    text_puts(to, "\n");
    print_test(to, a, &a->tests[i]);
  }
}
