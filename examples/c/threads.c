/* examples/c/threads.c */
/* Many threads: eight of them share one model, each asks with evidence of its own. */
#include <lpmln/lpmln.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8 };

typedef struct {
  lpmln_model *model; /* shared */
  unsigned symptoms;  /* a set of bits */
  const lpmln_inference *answer;
} Patient;

static const char *const names[] = {"fever", "cough", "anosmia"};
static const char *const atoms[] = {"shows(ann,fever)", "shows(ann,cough)", "shows(ann,anosmia)"};

static void *examine(void *data) {
  Patient *patient = data;
  lpmln_state *s = lpmln_state_new(patient->model);
  for (unsigned i = 0; i < 3; i++)
    lpmln_state_observe(s, atoms[i], patient->symptoms >> i & 1 ? LPMLN_TRUE : LPMLN_FALSE);
  patient->answer = lpmln_state_infer(s);
  lpmln_state_free(s); /* the answer stays */
  return NULL;
}

static void print(const Patient *patient) {
  const lpmln_inference *a = patient->answer;
  for (unsigned i = 0; i < 3; i++)
    printf("%s ", patient->symptoms >> i & 1 ? names[i] : "-");
  for (size_t i = 0; i < a->count; i++)
    printf(" %s %.6f", a->marginals[i].atom, a->marginals[i].probability);
  printf("\n");
  fputs(a->about.messages, stderr);
}

int main(void) {
  const char *observables[] = {"shows/2"};
  lpmln_compile_options options = {.observable_count = 1, .observables = observables};
  const lpmln_answer *about;
  lpmln_program *p = lpmln_program_new(NULL);
  lpmln_program_add_file(p, LPMLN_PROGRAM, "examples/c/diagnosis.lpmln");
  lpmln_program_add_query(p, "has(ann,flu)");
  lpmln_program_add_query(p, "has(ann,covid)");
  lpmln_model *m = lpmln_compile(p, &options, &about);
  fputs(about->messages, stderr);
  lpmln_answer_free(about);
  lpmln_program_free(p);
  if (!m)
    return 1;

  pthread_t threads[THREADS];
  Patient patients[THREADS];
  for (unsigned i = 0; i < THREADS; i++) {
    patients[i] = (Patient){.model = m, .symptoms = i};
    if (pthread_create(&threads[i], NULL, examine, &patients[i]))
      return 1;
  }
  for (unsigned i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    print(&patients[i]);
    lpmln_answer_free(patients[i].answer);
  }
  lpmln_model_free(m);
}
