/* test_diagnostics.c - effective sample sizes and R-hat against those of ArviZ 0.21, which
** tests/mcasp/arviz_peer.py computes anew if ArviZ is there: with the argument --print the
** program prints what the test compares. */
#include "unit.h"

#include "base/random.h"
#include "sample/diagnostics.h"

#include <math.h>
#include <stdio.h>

enum { CHAINS = 4, LENGTH = 501, SERIES = 7 };

/* The same numbers in any language: a multiplicative generator. */
static double next(uint64_t *state) {
  *state = *state * 48271 % 2147483647;
  return (double)*state / 2147483647;
}

/* 0-2: x' = phi x + noise, of a heavy-tailed kind in 2; 3: one chain elsewhere; 4: one chain
** wider; 5: zeros and ones; 6: small counts. */
static void make_series(int kind, double *x) {
  uint64_t state = 12345 + (uint64_t)kind;
  for (int c = 0; c < CHAINS; c++) {
    double now = 0;
    for (int i = 0; i < LENGTH; i++) {
      double noise = next(&state) + next(&state) + next(&state) - 1.5;
      noise = kind == 2 ? noise / (0.05 + next(&state)) : noise;
      now = (kind == 0 ? 0 : kind == 1 ? 0.8 : 0.4) * now + noise;
      double value = now + (kind == 3 && !c ? 0.4 : 0);
      value = kind == 4 && !c ? 3 * value : value;
      value = kind == 5 ? now > 0.7 : kind == 6 ? floor(3 * now + 4) : value;
      x[c * LENGTH + i] = value;
    }
  }
}

typedef struct {
  double ess, tail, rhat;
} Expected;

static const Expected expected[SERIES] = {
#include "unit/arviz_numbers.h"
};

static void close_to(double found, double wanted) {
  if (fabs(found - wanted) > 1e-6 * fabs(wanted))
    fail_msg("%.12g is not %.12g", found, wanted);
}

static void test_arviz(void **state) {
  (void)state;
  double *x = malloc(CHAINS * LENGTH * sizeof *x);
  for (int kind = 0; kind < SERIES; kind++) {
    make_series(kind, x);
    Estimate e = estimate_mean(x, CHAINS, LENGTH);
    close_to(e.ess, expected[kind].ess);
    close_to(e.tail, expected[kind].tail);
    close_to(e.rhat, expected[kind].rhat);
  }
  free(x);
}

/* One value that differs, wherever it is, makes a series that is not constant. */
static void test_constant(void **state) {
  (void)state;
  double x[40];
  for (int at = 0; at < 40; at++) {
    for (int i = 0; i < 40; i++)
      x[i] = i == at;
    assert_true(estimate_mean(x, 1, 40).error > 0);
  }
  x[39] = 0;
  assert_true(isnan(estimate_mean(x, 1, 40).error));
}

static int print_all(void) {
  double *x = malloc(CHAINS * LENGTH * sizeof *x);
  for (int kind = 0; kind < SERIES; kind++) {
    make_series(kind, x);
    Estimate e = estimate_mean(x, CHAINS, LENGTH);
    printf("%.17g %.17g %.17g\n", e.ess, e.tail, e.rhat);
  }
  free(x);
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_arviz), cmocka_unit_test(test_constant)};
  return argc > 1 && !strcmp(argv[1], "--print") ? print_all()
                                                 : cmocka_run_group_tests(tests, NULL, NULL);
}
