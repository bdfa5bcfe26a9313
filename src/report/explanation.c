/* explanation.c - why a query is probable, for people. */
#include "base/memory.h"
#include "base/number.h"
#include "lpmln/lpmln.h"
#include "report/print.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

static void print_proof(Text *to, size_t number, const lpmln_proof *p) {
  assert(p->share <= 1);
  text_printf(to, "%2zu. probability %s, share %s\n", number, NUMBER_FIXED(p->probability, 6),
              NUMBER_FIXED(p->share, 6));
  for (size_t i = 0; i < p->input_count; i++)
    text_printf(to, "      %s\n", p->inputs[i]);
  if (!p->input_count)
    text_puts(to, "      nothing needs to be guessed\n");
  for (size_t i = 0; i < p->rule_count; i++)
    text_printf(to, "    %s %s\n", i ? "   " : "by ", p->rules[i]);
}

static void print_pieces(Text *to, const lpmln_explanation *a) {
  if (a->evidence_count)
    text_puts(to, "\n% the probability without each piece of evidence\n");
  for (size_t i = 0; i < a->evidence_count; i++)
    text_printf(to, "  %s  %s\n", NUMBER_FIXED(a->evidence[i].probability_without, 6),
                a->evidence[i].literal);
}

/* Those that change nothing are left out. */
static void print_changes(Text *to, const lpmln_explanation *a) {
  size_t n = 0;
  while (n < a->change_count &&
         fabs(a->changes[n].probability_with - a->changes[n].probability_without) > 5e-7)
    n++;
  if (n)
    text_puts(to, "\n% the probability if a guess were true, and if it were not\n");
  for (size_t i = 0; i < n; i++)
    text_printf(to, "  %s  %s  %s\n", NUMBER_FIXED(a->changes[i].probability_with, 6),
                NUMBER_FIXED(a->changes[i].probability_without, 6), a->changes[i].literal);
}

void print_explanation(Text *to, const lpmln_explanation *a) {
  if (!a->about.complete)
    text_puts(to, "INCOMPLETE: cut short; there may be more proofs\n");
  text_printf(to, "%s  %s\n", a->query, NUMBER_FIXED(a->probability, 6));
  text_puts(to, a->count ? "\n% proofs, and their shares of this probability\n"
                         : "\n% there is no proof\n");
  for (size_t i = 0; i < a->count; i++)
    print_proof(to, i + 1, &a->proofs[i]);
  print_pieces(to, a);
  print_changes(to, a);
}
