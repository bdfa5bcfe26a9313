/* api.h - what every test of the public interface includes: cmocka, in the order it wants,
** and the one public header.  These programs are compiled without the sources' folder and
** linked with the library as users get it. */
#ifndef TESTS_API_H
#define TESTS_API_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <lpmln/lpmln.h>

#include <math.h>
#include <stdio.h>

static const char bird[] = "bird(X) :- residentBird(X). bird(X) :- migratoryBird(X).\n"
                           ":- residentBird(X), migratoryBird(X).\n"
                           "2 residentBird(jo). 1 migratoryBird(jo).";

static inline lpmln_options options(void) {
  lpmln_options o = lpmln_options_default();
  o.worker = getenv("LPMLN_TEST_WORKER");
  return o;
}

/* A program and, if not NULL, evidence. */
static inline lpmln_program *program_with(const lpmln_options *o, const char *text,
                                          const char *evidence) {
  lpmln_program *p = lpmln_program_new(o);
  assert_non_null(p);
  assert_int_equal(lpmln_program_add_text(p, LPMLN_PROGRAM, "program", text, strlen(text)),
                   LPMLN_OK);
  if (evidence)
    assert_int_equal(
        lpmln_program_add_text(p, LPMLN_EVIDENCE, "evidence", evidence, strlen(evidence)),
        LPMLN_OK);
  return p;
}

static inline lpmln_program *program_of(const char *text) {
  lpmln_options o = options();
  return program_with(&o, text, NULL);
}

static inline double probability(const lpmln_inference *answer, const char *atom) {
  for (size_t i = 0; i < answer->count; i++)
    if (!strcmp(answer->marginals[i].atom, atom))
      return answer->marginals[i].probability;
  return NAN;
}

/* The status of an answer, which is freed. */
static inline lpmln_status status_of(const void *answer) {
  assert_non_null(answer);
  lpmln_status status = ((const lpmln_answer *)answer)->status;
  lpmln_answer_free(answer);
  return status;
}

#define assert_near(x, y, most) near((x), (y), (most), #x, __FILE__, __LINE__)

static inline void near(double x, double y, double most, const char *what, const char *file,
                        int line) {
  if (x == y || fabs(x - y) <= most)
    return;
  fprintf(stderr, "%s is %.17g, not %.17g\n", what, x, y);
  _assert_true(0, what, file, line);
}

/* The bird by itself: the answer that a handle must still give after any failure. */
static inline void expect_bird(const lpmln_inference *answer) {
  double z = 1 + M_E + M_E * M_E;
  assert_int_equal(answer->about.status, LPMLN_OK);
  assert_true(answer->about.exact && answer->about.complete);
  assert_int_equal(answer->count, 3);
  assert_near(probability(answer, "bird(jo)"), (M_E + M_E * M_E) / z, 1e-12);
  assert_near(probability(answer, "residentBird(jo)"), M_E * M_E / z, 1e-12);
  assert_near(probability(answer, "migratoryBird(jo)"), M_E / z, 1e-12);
  assert_near(answer->log_partition, log(z) - 3, 1e-12);
}

#endif
