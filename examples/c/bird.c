/* examples/c/bird.c */
/* One question: the probabilities of the bird, and what there is to say about them. */
#include <lpmln/lpmln.h>
#include <stdio.h>

int main(void) {
  lpmln_program *p = lpmln_program_new(NULL);
  lpmln_program_add_file(p, LPMLN_PROGRAM, "examples/bird/bird.lpmln");
  lpmln_program_add_text(p, LPMLN_EVIDENCE, "seen", "bird(jo).", 9);
  lpmln_program_add_query(p, "residentBird(jo)");

  const lpmln_inference *a = lpmln_infer(p);
  for (size_t i = 0; i < a->count; i++)
    printf("%s %.6f\n", a->marginals[i].atom, a->marginals[i].probability);
  if (a->about.status == LPMLN_OK)
    printf("ln P(evidence) %.6f, %s\n", a->log_evidence, lpmln_method_name(a->about.method));
  fputs(a->about.messages, stderr);
  int status = (int)a->about.status;

  lpmln_answer_free(a);
  lpmln_program_free(p);
  return status;
}
