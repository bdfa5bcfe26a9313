/* flips.c - flips per CPU second on an Ising grid of 45 by 45 with random couplings and fields:
** ours, by the rules of the program `{s(X,Y)}. J :- s, not t. J :- t, not s. h :- s.`, and a
** plain Gibbs sampler for this one model as yardstick.  Prints both numbers, and how far the
** mean numbers of true atoms are apart, in standard errors of one of them. */
#include "sample/flips.h"
#include "base/random.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "sample/target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 45, SWEEPS = 3000, BATCH = 100 };

static double across[N][N], down[N][N],
    field[N][N]; /* what differing neighbours, a true one lose */

static void add_soft(Ground *g, double weight, Lit first, Lit second) {
  vec_push(&g->weights, (Weight){.value = weight, .name = NONE});
  vec_push(&g->instances, (Instance){.weight = (uint32_t)g->weights.n - 1});
  uint32_t *body = ground_rule(
      g, (Rule){.size = second == NONE ? 1 : 2, .instance = (uint32_t)g->instances.n - 1});
  body[0] = first;
  if (second != NONE)
    body[1] = second;
}

static void add_coupling(Ground *g, double weight, Atom a, Atom b) {
  add_soft(g, weight, lit_of(a, false), lit_of(b, true));
  add_soft(g, weight, lit_of(b, false), lit_of(a, true));
}

static void make_program(Ground *g) {
  ground_name(g, "", 0);
  vec_push(&g->soft, (SoftRule){0});
  for (Atom a = 0; a < N * N; a++) {
    char name[16];
    snprintf(name, sizeof name, "s%u", a);
    ground_atom(g, name);
    *ground_rule(g, (Rule){.choice = true, .heads = 1, .instance = NONE}) = a;
  }
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      Atom a = (Atom)(y * N + x);
      add_soft(g, field[y][x], lit_of(a, false), NONE);
      if (x + 1 < N)
        add_coupling(g, across[y][x], a, a + 1);
      if (y + 1 < N)
        add_coupling(g, down[y][x], a, a + N);
    }
  ground_seal(g);
}

typedef struct {
  double flips; /* per CPU second */
  double mean, error;
} Result;

/* `values`: of each sweep. */
static Result result_of(const double *values, double seconds) {
  double sum = 0, square = 0, n = SWEEPS / BATCH;
  for (int b = 0; b < SWEEPS / BATCH; b++) {
    double mean = 0;
    for (int i = 0; i < BATCH; i++)
      mean += values[b * BATCH + i] / BATCH;
    sum += mean, square += mean * mean;
  }
  double mean = sum / n;
  return (Result){(double)SWEEPS * N * N / seconds, mean,
                  sqrt((square / n - mean * mean) / (n - 1))};
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static Result ours(void) {
  Ground g = {0};
  make_program(&g);
  bool *dropped = memory_zero(g.atoms.n, 1), *atoms = memory_zero(g.atoms.n, 1);
  double *weights = memory_zero(g.weights.n, sizeof *weights), *values = memory_zero(SWEEPS, 8);
  Target t;
  FlipPlan plan;
  Flips f;
  for (size_t i = 0; i < g.weights.n; i++)
    weights[i] = g.weights.at[i].value;
  target_make(&g, dropped, NULL, 0, &t);
  flip_plan_make(&plan, &t);
  flips_begin(&f, &t, &plan, atoms);
  Random random = random_make(1, 0);
  for (int i = 0; i < BATCH; i++)
    flips_sweep(&f, weights, &random);
  double spent = 0;
  for (int i = 0; i < SWEEPS; i++) {
    double start = i % BATCH ? 0 : seconds();
    flips_sweep(&f, weights, &random);
    for (Atom a = 0; a < N * N; a++)
      values[i] += atoms[a];
    spent += i % BATCH ? 0 : -start;
    spent += i % BATCH == BATCH - 1 ? seconds() : 0;
  }
  Result result = result_of(values, spent);
  flips_free(&f);
  flip_plan_free(&plan);
  target_free(&t);
  ground_free(&g);
  free(dropped);
  free(atoms);
  free(weights);
  free(values);
  return result;
}

/* The neighbours' pull on s: what it gains by being true. */
static double pull(bool s[N][N], int y, int x) {
  double sum = -field[y][x];
  sum += x ? across[y][x - 1] * (s[y][x - 1] ? 1 : -1) : 0;
  sum += x + 1 < N ? across[y][x] * (s[y][x + 1] ? 1 : -1) : 0;
  sum += y ? down[y - 1][x] * (s[y - 1][x] ? 1 : -1) : 0;
  sum += y + 1 < N ? down[y][x] * (s[y + 1][x] ? 1 : -1) : 0;
  return sum;
}

static Result plain(void) {
  static bool s[N][N];
  double *values = memory_zero(SWEEPS, sizeof *values), start = 0;
  Random random = random_make(2, 0);
  for (int i = -BATCH; i < SWEEPS; i++) {
    start = i ? start : seconds();
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++)
        s[y][x] = random_unit(&random) < 1 / (1 + exp(-pull(s, y, x)));
    for (int k = 0; i >= 0 && k < N * N; k++)
      values[i] += s[k / N][k % N];
  }
  Result result = result_of(values, seconds() - start);
  free(values);
  return result;
}

int main(void) {
  Random random = random_make(3, 0);
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      across[y][x] = 2 * random_unit(&random) - 1;
      down[y][x] = 2 * random_unit(&random) - 1;
      field[y][x] = 2 * random_unit(&random) - 1;
    }
  Result a = ours(), b = plain();
  printf("%.0f %.0f %.2f\n", a.flips, b.flips, fabs(a.mean - b.mean) / fmax(a.error, b.error));
  return 0;
}
