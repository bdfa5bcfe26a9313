/* examples/c/errors.c */
/* What can go wrong, who says so, and what lives how long. */
#include <lpmln/lpmln.h>
#include <stdio.h>

/* Wrong input: each diagnostic has its place; `messages` is all of them as text. */
static void wrong_input(void) {
  lpmln_program *p = lpmln_program_of("p(1..3).\n1 q(X,Y) :- p(X).");
  const lpmln_inference *a = lpmln_infer(p);
  lpmln_program_free(p); /* the answer stays */
  for (size_t i = 0; i < a->about.diagnostic_count; i++) {
    const lpmln_diagnostic *d = &a->about.diagnostics[i];
    printf("status %d, line %u, column %u: %s\n", a->about.status, d->line, d->column, d->message);
  }
  fputs(a->about.messages, stdout);
  lpmln_answer_free(a);
}

/* Impossible evidence ends one question; the state goes on. */
static void impossible_evidence(void) {
  lpmln_program *p = lpmln_program_of("1 a. 2 b. :- a, b.");
  lpmln_model *m = lpmln_compile(p, NULL, NULL);
  lpmln_state *s = lpmln_state_new(m);
  lpmln_model_free(m); /* the state keeps it */
  lpmln_program_free(p);

  printf("an atom that is not there: status %d\n", lpmln_state_observe(s, "c", LPMLN_TRUE));
  lpmln_state_observe(s, "a", LPMLN_TRUE);
  lpmln_state_observe(s, "b", LPMLN_TRUE);
  const lpmln_inference *a = lpmln_state_infer(s);
  printf("a and b: status %d, %s", a->about.status, a->about.messages);
  lpmln_answer_free(a);

  lpmln_state_observe(s, "b", LPMLN_UNKNOWN); /* taken back */
  a = lpmln_state_infer(s);
  printf("a: status %d, ln P(evidence) %.6f\n", a->about.status, a->log_evidence);
  lpmln_answer_free(a);
  lpmln_state_free(s);
}

/* An interruption, here before the question, ends that question only. */
static void interruption(void) {
  lpmln_program *p = lpmln_program_of("0.5 heads.");
  lpmln_program_interrupt(p);
  for (int i = 0; i < 2; i++) {
    const lpmln_inference *a = lpmln_infer(p);
    printf("question %d: status %d, %zu probabilities\n", i + 1, a->about.status, a->count);
    lpmln_answer_free(a);
  }
  lpmln_program_free(p);
}

int main(void) {
  if (lpmln_abi() != LPMLN_ABI) {
    fprintf(stderr, "liblpmln has ABI %d, this program wants %d\n", lpmln_abi(), LPMLN_ABI);
    return 1;
  }
  wrong_input();
  impossible_evidence();
  interruption();
}
