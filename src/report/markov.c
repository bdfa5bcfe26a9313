/* markov.c - MC-ASP for people: its transition matrix, and its steps. */
#include "base/memory.h"
#include "base/number.h"
#include "lpmln/lpmln.h"
#include "report/print.h"

#include <assert.h>

enum { MOST_SHOWN = 12 }; /* states of a matrix that fits a page */

static void print_matrix(Text *to, const lpmln_chain *a) {
  text_puts(to, "\ntransitions");
  for (size_t y = 0; y < a->states; y++)
    text_printf(to, "%*zu", y ? 9 : 2, y + 1);
  text_puts(to, "\n");
  for (size_t x = 0; x < a->states; x++) {
    text_printf(to, "%4zu ", x + 1);
    for (size_t y = 0; y < a->states; y++)
      text_printf(to, " %s", NUMBER_FIXED(a->matrix[x * a->states + y], 6));
    text_puts(to, "\n");
  }
}

static void print_states(Text *to, const lpmln_chain *a) {
  text_puts(to, "\nstate  probability  in the run  stable model\n");
  for (size_t i = 0; i < a->states; i++) {
    text_printf(to, "%5zu  %11s  %10s  ", i + 1, NUMBER_FIXED(a->probabilities[i], 6),
                NUMBER_FIXED(a->shares[i], 6));
    print_atoms(to, a->models[i].atoms, a->models[i].atom_count);
  }
}

/* Digits that are only rounding are no news. */
static const char *rounding(double x) { return x < 1e-12 ? "rounding only" : "more than rounding"; }

void print_chain(Text *to, const lpmln_chain *a) {
  assert(a->models && a->matrix);
  text_printf(to, "states             %zu stable model%s\n", a->states, a->states == 1 ? "" : "s");
  text_printf(to,
              "ergodic            %s: each is reached from each in one step, with a probability "
              "of %s or more\n",
              a->ergodic ? "yes" : "no", NUMBER_SHORT(a->least, 3));
  text_printf(to, "detailed balance   %s: P(X) Q(X,Y) and P(Y) Q(Y,X) differ by %s\n",
              a->balanced ? "yes" : "no", rounding(a->balance));
  text_printf(to, "stationary         P Q and P differ by %s\n", rounding(a->stationary));
  text_printf(to,
              "a run              %zu steps, chi-square %s with %zu degrees of freedom, p-value "
              "%s\n",
              a->steps, NUMBER_FIXED(a->chi_square, 2), a->degrees, NUMBER_FIXED(a->p_value, 4));
  print_states(to, a);
  if (a->states <= MOST_SHOWN)
    print_matrix(to, a);
}

static void print_step(Text *to, const lpmln_step *step, size_t number) {
  text_printf(to, "step %zu\n  at         ", number);
  print_atoms(to, step->before.atoms, step->before.atom_count);
  for (size_t i = 0; i < step->kept_count; i++) {
    const lpmln_violation *v = &step->kept[i].instance;
    text_printf(to, "  keeps      %s %s:%u: %s%s%s%s\n",
                step->kept[i].violated ? "violated" : "satisfied", v->file, v->line, v->rule,
                *v->instance ? "  [" : "", v->instance, *v->instance ? "]" : "");
  }
  if (!step->kept_count)
    text_puts(to, "  keeps      nothing\n");
  text_printf(to, "  candidates %s%s\n  draws      ", step->counted ? "" : "about ",
              NUMBER_SHORT(step->candidates, 15));
  print_atoms(to, step->after.atoms, step->after.atom_count);
}

void print_trace(Text *to, const lpmln_trace *a) {
  if (!a->about.complete)
    text_puts(to, "INCOMPLETE: cut short; there are fewer steps than asked for\n");
  for (size_t i = 0; i < a->count; i++)
    print_step(to, &a->steps[i], i + 1);
}
