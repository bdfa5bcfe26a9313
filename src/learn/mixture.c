/* mixture.c - see mixture.h. */
#include "learn/mixture.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "circuit/circuit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { DIGIT_BITS = 31, FRACTION_BITS = 30, WORTH_A_THREAD = 20000 };

void mixture_add(Mixture *m, const CircuitRoot *root, double times) {
  assert(!m->terms.n && circuit_possible(root));
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    vec_push(&m->parts, (MixturePart){part->node, part->block, times * part->copies});
  }
  m->sum += times;
}

static int compare_parts(const void *a, const void *b) {
  const MixturePart *x = a, *y = b;
  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  return (x->block > y->block) - (x->block < y->block);
}

/* Adds up the factors of equal parts; what cancels is gone. */
static void merge(Mixture *m) {
  size_t kept = 0;
  if (m->parts.n)
    qsort(m->parts.at, m->parts.n, sizeof *m->parts.at, compare_parts);
  for (size_t i = 0; i < m->parts.n; i++) {
    if (kept && !compare_parts(&m->parts.at[kept - 1], &m->parts.at[i]))
      m->parts.at[kept - 1].times += m->parts.at[i].times;
    else
      m->parts.at[kept++] = m->parts.at[i];
  }
  m->parts.n = kept;
}

/* Takes the lowest digit of each factor with this sign; false if none is left. */
static bool take_digit(Mixture *m, int sign, double unit) {
  MixtureTerm term = {.scale = sign * unit};
  double base = ldexp(1, DIGIT_BITS);
  for (size_t i = 0; i < m->parts.n; i++) {
    MixturePart *part = &m->parts.at[i];
    double units = sign * part->times / unit;
    if (units <= 0)
      continue;
    double digit = fmod(units, base);
    assert(!(digit < 0 || digit >= base)); /* it fits a number of copies */
    part->times = sign * (units - digit) * unit;
    if (digit > 0)
      vec_push(&term.root.parts, (CircuitPart){part->node, part->block, 0, (uint32_t)digit});
  }
  if (term.root.parts.n)
    vec_push(&m->terms, term);
  for (size_t i = 0; i < m->parts.n; i++)
    if (sign * m->parts.at[i].times > 0)
      return true;
  return false;
}

void mixture_seal(Mixture *m) {
  assert(!m->terms.n);
  merge(m);
  double unit = 1;
  for (size_t i = 0; i < m->parts.n; i++)
    if (m->parts.at[i].times != floor(m->parts.at[i].times))
      unit = ldexp(1, -FRACTION_BITS);
  for (size_t i = 0; i < m->parts.n; i++)
    m->parts.at[i].times = unit * round(m->parts.at[i].times / unit);
  for (int sign = 1; sign >= -1; sign -= 2)
    for (double digit = unit; take_digit(m, sign, digit);)
      digit = ldexp(digit, DIGIT_BITS);
  vec_free(&m->parts);
}

void mixture_free(Mixture *m) {
  for (size_t i = 0; i < m->terms.n; i++)
    circuit_root_free(&m->terms.at[i].root);
  vec_free(&m->terms);
  vec_free(&m->parts);
  *m = (Mixture){0};
}

/* Constants are in the value of every term, but count `sum` times. */
static double constants(const Mixture *m) {
  double there = 0;
  for (size_t i = 0; i < m->terms.n; i++)
    there += m->terms.at[i].scale;
  return m->sum - there;
}

double mixture_value(const Mixture *m, const Circuit *c, const CircuitValues *v) {
  assert(!m->parts.n); /* sealed */
  double value = constants(m) * v->log_constant;
  for (size_t i = 0; i < m->terms.n; i++)
    value += m->terms.at[i].scale * circuit_log_value(c, v, &m->terms.at[i].root);
  return value;
}

typedef struct {
  const Mixture *mixture;
  const Circuit *circuit;
  const CircuitValues *values;
  double *gradients; /* term after term */
} Differentiation;

static void differentiate(void *data, size_t i) {
  const Differentiation *d = data;
  const MixtureTerm *term = &d->mixture->terms.at[i];
  circuit_expectations(d->circuit, d->values, &term->root, -term->scale,
                       d->gradients + i * d->circuit->weights);
}

Status mixture_gradient(const Mixture *m, const Circuit *c, const CircuitValues *v,
                        unsigned threads, double *gradient) {
  assert(!m->parts.n);
  Differentiation d = {m, c, v, memory_zero(m->terms.n * c->weights, sizeof(double))};
  bool small = c->nodes.n < WORTH_A_THREAD;
  Status status = parallel_for(small ? 1 : threads, m->terms.n, differentiate, &d);
  for (size_t i = 0; i < m->terms.n; i++)
    for (uint32_t w = 0; w < c->weights; w++)
      gradient[w] += d.gradients[i * c->weights + w];
  double more = constants(m);
  for (size_t i = 0; i < c->constants.n; i++)
    gradient[c->constants.at[i]] -= more;
  free(d.gradients);
  return status;
}

void mixture_product(const Mixture *m, const Circuit *c, const CircuitValues *v,
                     const double *direction, double *product) {
  assert(!m->parts.n && direction != product);
  for (size_t i = 0; i < m->terms.n; i++)
    circuit_hessian_product(c, v, &m->terms.at[i].root, direction, m->terms.at[i].scale, product);
}
