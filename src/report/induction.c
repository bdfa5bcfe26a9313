/* induction.c - chosen rules, and rules that were split, for people. */
#include "base/memory.h"
#include "base/number.h"
#include "lpmln/lpmln.h"
#include "report/print.h"

#include <assert.h>
#include <math.h>

/* A number, `-` where there is none, or that it is impossible. */
static NumberText shown(double x, int digits) {
  NumberText none = {"-"}, never = {"impossible"};
  return isnan(x) ? none : isinf(x) ? never : number_as('f', digits, x);
}

static void print_path(Text *to, const lpmln_induction *a) {
  text_printf(to, "\n%12s  %5s  %14s  %14s\n", "L1 strength", "rules", "log-likelihood",
              "held-out");
  for (size_t i = 0; i < a->path_count; i++) {
    const lpmln_path_point *p = &a->path[i];
    text_printf(to, "%12s  %5zu  %14s  %14s%s\n", shown(p->strength, 3).text, p->rules,
                shown(p->log_likelihood, 4).text, shown(p->held_out, 4).text,
                p->chosen ? "  begin here" : "");
  }
}

static void print_steps(Text *to, const lpmln_induction *a) {
  for (size_t i = 0; i < a->step_count; i++) {
    const lpmln_induction_step *s = &a->steps[i];
    assert(s->candidate < a->candidate_count);
    text_printf(to, "%s%-4s  log-likelihood %s, score %s  %s\n", i ? "" : "\n",
                s->added ? "add" : "drop", shown(s->log_likelihood, 4).text,
                shown(s->score, 4).text, a->candidates[s->candidate].rule);
  }
}

static void print_kept(Text *to, const lpmln_induction *a) {
  size_t kept = 0;
  for (size_t i = 0; i < a->candidate_count; i++) {
    const lpmln_candidate *c = &a->candidates[i];
    if (!c->kept)
      continue;
    if (!kept++)
      text_printf(to, "\n%12s  %10s  %10s  rule\n", "weight", "std. error", "gain");
    text_printf(to, "%12s  %10s  %10s  %s%s\n", shown(c->weight, 6).text,
                shown(c->standard_error, 6).text, shown(c->gain, 3).text, c->rule,
                c->diverges == '+'   ? "  diverges to +infinity"
                : c->diverges == '-' ? "  diverges to -infinity"
                                     : "");
  }
  if (!kept)
    text_puts(to, "\nno candidate is worth its penalty\n");
}

void print_induction(Text *to, const lpmln_induction *a) {
  text_printf(to, "candidates       %zu, penalty of a rule %s\n", a->candidate_count,
              shown(a->penalty, 3).text);
  text_printf(to, "observations     %s\n", NUMBER_SHORT(a->observations, 15));
  text_printf(to, "without rules    log-likelihood %s, held-out %s\n",
              shown(a->base_log_likelihood, 4).text, shown(a->base_held_out, 4).text);
  text_printf(to, "with rules       log-likelihood %s, held-out %s\n",
              shown(a->log_likelihood, 4).text, shown(a->held_out, 4).text);
  print_path(to, a);
  print_steps(to, a);
  print_kept(to, a);
}

static void print_split(Text *to, const lpmln_split *s) {
  text_printf(to, "\n%s  by %s\n", s->rule, s->variable);
  for (size_t g = 0; g < s->count; g++) {
    text_printf(to, "%12s ", shown(s->groups[g].weight, 6).text);
    for (size_t i = 0; i < s->groups[g].count; i++)
      text_printf(to, " %s", s->groups[g].values[i]);
    text_puts(to, "\n");
  }
}

void print_splitting(Text *to, const lpmln_splitting *a) {
  text_printf(to, "observations     %s\n", NUMBER_SHORT(a->observations, 15));
  text_printf(to, "tied             log-likelihood %s\n", shown(a->tied_log_likelihood, 6).text);
  text_printf(to, "split            log-likelihood %s\n", shown(a->log_likelihood, 6).text);
  if (a->try_count)
    text_printf(to, "\n%10s  %6s  %6s  rule and variable\n", "gain", "values", "groups");
  for (size_t i = 0; i < a->try_count; i++) {
    const lpmln_split_try *t = &a->tries[i];
    text_printf(to, "%10s  %6zu  %6zu  %s:%u: %s  by %s%s\n", shown(t->gain, 3).text, t->values,
                t->groups, t->file, t->line, t->rule, t->variable, t->taken ? "  *" : "");
  }
  if (!a->try_count)
    text_puts(
        to,
        "\nno rule has one parameter, and enough instances, for several values of a variable\n");
  else if (!a->count)
    text_puts(to, "\nno rule is worth splitting\n");
  for (size_t i = 0; i < a->count; i++)
    print_split(to, &a->splits[i]);
}
