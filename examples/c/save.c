/* examples/c/save.c */
/* Saving and loading: a model as bytes, for later or for another process. */
#include <lpmln/lpmln.h>
#include <stdio.h>
#include <stdlib.h>

static int save(const char *path) {
  lpmln_program *p = lpmln_program_new(NULL);
  lpmln_program_add_file(p, LPMLN_PROGRAM, "examples/c/diagnosis.lpmln");
  lpmln_program_add_query(p, "has(ann,flu)");
  lpmln_program_add_query(p, "has(ann,covid)");
  const char *observables[] = {"shows/2"};
  lpmln_compile_options options = {.observable_count = 1, .observables = observables};
  const lpmln_answer *about;
  lpmln_model *m = lpmln_compile(p, &options, &about);
  fputs(about->messages, stderr);
  const lpmln_bytes *bytes = lpmln_model_save(m); /* m may be NULL: then there are none */
  FILE *file = bytes->bytes ? fopen(path, "wb") : NULL;
  int good = file && fwrite(bytes->bytes, 1, bytes->length, file) == bytes->length;
  good = file && fclose(file) == 0 && good;
  lpmln_answer_free(bytes);
  lpmln_answer_free(about);
  lpmln_model_free(m);
  lpmln_program_free(p);
  return good;
}

static lpmln_model *load(const char *path) {
  FILE *file = fopen(path, "rb");
  char *bytes = malloc(1 << 20);
  size_t length = file && bytes ? fread(bytes, 1, 1 << 20, file) : 0;
  const lpmln_answer *about;
  lpmln_model *m = lpmln_model_load(bytes, length, &about); /* a damaged file is refused */
  fputs(about->messages, stderr);
  lpmln_answer_free(about);
  free(bytes);
  if (file)
    fclose(file);
  return m;
}

int main(void) {
  lpmln_model *m = save("diagnosis.lpc") ? load("diagnosis.lpc") : NULL;
  lpmln_state *s = lpmln_state_new(m);
  if (!s)
    return 1;
  lpmln_state_observe(s, "shows(ann,fever)", LPMLN_TRUE);
  for (int w = -1; w <= 1; w++) {
    lpmln_state_set_weight(s, "prior(flu)", w);
    const lpmln_inference *a = lpmln_state_infer(s);
    printf("weight %2d:", w);
    for (size_t i = 0; i < a->count; i++)
      printf(" %s %.6f", a->marginals[i].atom, a->marginals[i].probability);
    printf("\n");
    lpmln_answer_free(a);
  }
  const lpmln_models *best = lpmln_state_map(s);
  printf("%zu most probable models of %s\n", best->count, best->total);
  lpmln_answer_free(best);
  lpmln_state_free(s);
  lpmln_model_free(m);
}
