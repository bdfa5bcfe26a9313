/* examples/c/learn.c */
/* Learning: weights from observations, then a question to the learned program. */
#include <lpmln/lpmln.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  lpmln_program *p = lpmln_program_new(NULL);
  lpmln_program_add_file(p, LPMLN_PROGRAM, "examples/virus/virus.lpmln");
  lpmln_program_add_file(p, LPMLN_EVIDENCE, "examples/virus/virus.obs");
  lpmln_learning_options how = lpmln_learning_options_default();
  how.prior = LPMLN_GAUSSIAN, how.prior_mean = 0, how.prior_deviation = 2;

  const lpmln_learning *l = lpmln_learn(p, &how);
  fputs(l->about.messages, stderr);
  for (size_t i = 0; i < l->weight_count; i++)
    printf("%s %.4f +- %.4f\n", l->weights[i].parameter, l->weights[i].weight,
           l->weights[i].standard_error);
  int status = (int)l->about.status;

  if (status == LPMLN_OK) { /* the learned program is text as any other */
    lpmln_program *learned = lpmln_program_new(NULL);
    lpmln_program_add_text(learned, LPMLN_PROGRAM, "learned", l->program, strlen(l->program));
    lpmln_program_add_query(learned, "has_disease(\"E\")");
    const lpmln_inference *a = lpmln_infer(learned);
    fputs(a->about.messages, stderr);
    for (size_t i = 0; i < a->count; i++)
      printf("%s %.6f\n", a->marginals[i].atom, a->marginals[i].probability);
    lpmln_answer_free(a);
    lpmln_program_free(learned);
  }
  lpmln_answer_free(l);
  lpmln_program_free(p);
  return status;
}
