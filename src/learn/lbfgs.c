/* lbfgs.c - L-BFGS by liblbfgs, on -F divided by the number of observations. */
#include "learn/optimise.h"

#include "base/memory.h"
#include "base/status.h"
#include "learn/objective.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <lbfgs.h>
#include <math.h>
#include <string.h>

typedef struct {
  Objective *o;
  Point *best;
  double best_total; /* with the L1 penalty */
} Search;

static lbfgsfloatval_t evaluate(void *data, const lbfgsfloatval_t *x, lbfgsfloatval_t *g,
                                const int n, const lbfgsfloatval_t step) {
  Search *s = data;
  Objective *o = s->o;
  (void)step;
  assert((uint32_t)n == o->n);
  double value = objective_value(o, x, g);
  double total = value - objective_penalty(o, x);
  if (total > s->best_total) {
    memcpy(s->best->w, x, (size_t)n * sizeof *x);
    memcpy(s->best->gradient, g, (size_t)n * sizeof *g);
    s->best->value = value;
    s->best_total = total;
  }
  for (int i = 0; i < n; i++)
    g[i] /= -o->count;
  return isfinite(value) ? -value / o->count : 1e300;
}

static int progress(void *data, const lbfgsfloatval_t *x, const lbfgsfloatval_t *g,
                    const lbfgsfloatval_t fx, const lbfgsfloatval_t xnorm,
                    const lbfgsfloatval_t gnorm, const lbfgsfloatval_t step, int n, int k, int ls) {
  Search *s = data;
  (void)x, (void)g, (void)fx, (void)xnorm, (void)gnorm, (void)step, (void)n, (void)k, (void)ls;
  return !objective_iteration(s->o, s->best->w, s->best->value, s->best->gradient);
}

static lbfgs_parameter_t parameters(const Objective *o, size_t most_iterations) {
  lbfgs_parameter_t p;
  lbfgs_parameter_init(&p);
  p.m = 10;
  p.epsilon = 0.01 * GRADIENT;
  p.max_iterations = most_iterations > 1000000000 ? 1000000000 : (int)most_iterations;
  p.max_linesearch = 60;
  if (o->prior.kind == LPMLN_L1) {
    p.linesearch = LBFGS_LINESEARCH_BACKTRACKING;
    p.orthantwise_c = o->prior.strength / o->count;
    p.orthantwise_start = (int)o->prior.first;
    p.orthantwise_end = (int)o->prior.end;
  }
  return p;
}

void lbfgs_maximise(Objective *o, Point *point, size_t most_iterations) {
  assert(o->n && o->n <= INT32_MAX && !o->bounded);
  Search s = {o, point, -INFINITY};
  lbfgs_parameter_t p = parameters(o, most_iterations);
  lbfgsfloatval_t *x = memory_have(lbfgs_malloc((int)o->n));
  memcpy(x, point->w, o->n * sizeof *x);
  /* a line search that fails starts afresh once, without the memory */
  for (int attempt = 0; attempt < 3; attempt++) {
    double before = s.best_total;
    int code = lbfgs((int)o->n, x, NULL, evaluate, progress, &s, &p);
    if (code == LBFGSERR_OUTOFMEMORY) {
      lbfgs_free(x);
      memory_fail();
    }
    double slope = objective_slope(o, point->w, point->gradient);
    bool bad = code < 0 && slope > GRADIENT * o->count, fine = objective_fine(slope, point->value);
    if (code == LBFGSERR_MAXIMUMITERATION || objective_ended(o) || (!bad && fine) ||
        (attempt && s.best_total <= before))
      break;
    if (!bad)
      p.epsilon *= 1e-3;
    memcpy(x, point->w, o->n * sizeof *x);
  }
  lbfgs_free(x);
  point->converged =
      objective_converged(o, objective_slope(o, point->w, point->gradient), point->value);
}
