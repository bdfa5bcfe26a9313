/* examples/c/rows.c */
/* Many rows: a program is compiled once, then 100,000 rows of evidence are evaluated. */
#include <lpmln/lpmln.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 100000 };

/* The program, asked for diseases, to be told symptoms. */
static lpmln_model *compile(void) {
  const char *observables[] = {"shows/2"};
  lpmln_compile_options options = {.observable_count = 1, .observables = observables};
  lpmln_program *p = lpmln_program_new(NULL);
  lpmln_program_add_file(p, LPMLN_PROGRAM, "examples/c/diagnosis.lpmln");
  lpmln_program_add_query(p, "has/2");
  const lpmln_answer *about;
  lpmln_model *m = lpmln_compile(p, &options, &about);
  fputs(about->messages, stderr);
  lpmln_answer_free(about);
  lpmln_program_free(p); /* the model keeps what it needs */
  return m;
}

/* Rows that are always the same: a symptom shows, does not, or nobody has looked. */
static double symptom(void) {
  static uint32_t random = 1;
  random = random * 1664525 + 1013904223;
  return random >> 30 == 0 ? 0 : random >> 30 == 1 ? 1 : NAN;
}

static double *fill(const char *const *columns, size_t n) {
  double *evidence = malloc(ROWS * n * sizeof *evidence);
  for (size_t row = 0; evidence && row < ROWS; row++)
    for (size_t i = 0; i < n; i++)
      evidence[row * n + i] = strncmp(columns[i], "shows(", 6) ? NAN : symptom();
  return evidence;
}

static void print(const double *marginals, const double *log_evidence, const char *const *names,
                  size_t n) {
  double sum = 0;
  for (size_t i = 0; i < ROWS * n; i++)
    sum += marginals[i];
  for (size_t row = 0; row < 3; row++)
    printf("row %zu: P(%s) %.6f, ln P(evidence) %.6f\n", row, names[0], marginals[row * n],
           log_evidence[row]);
  printf("%d rows, %zu queries, sum %.3f\n", ROWS, n, sum);
}

int main(void) {
  size_t columns, queries;
  lpmln_model *m = compile();
  if (!m)
    return 1;
  lpmln_state *s = lpmln_state_new(m);
  const char *const *observables = lpmln_model_observables(m, &columns);
  const char *const *names = lpmln_model_queries(m, &queries);
  double *evidence = fill(observables, columns);
  double *marginals = malloc(ROWS * queries * sizeof *marginals);
  double *log_evidence = malloc(ROWS * sizeof *log_evidence);
  if (!s || !evidence || !marginals || !log_evidence)
    return 1;

  lpmln_batch batch = {.rows = ROWS,
                       .evidence = {evidence, (ptrdiff_t)columns, 1},
                       .threads = 2,
                       .log_evidence = {log_evidence, 1, 1},
                       .marginals = {marginals, (ptrdiff_t)queries, 1}};
  lpmln_status status = lpmln_state_evaluate(s, &batch);
  if (status == LPMLN_OK)
    print(marginals, log_evidence, names, queries);

  free(evidence), free(marginals), free(log_evidence);
  lpmln_state_free(s);
  lpmln_model_free(m);
  return (int)status;
}
