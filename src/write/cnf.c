/* cnf.c - see cnf.h. */
#include "write/cnf.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST_LITERALS = 1 << 27 }; /* half a gigabyte */

void cnf_free(Cnf *c) {
  vec_free(&c->literals);
  vec_free(&c->outputs);
  names_free(&c->gates);
}

int32_t cnf_variable(Cnf *c) {
  c->full |= c->variables == MOST_LITERALS;
  return c->full ? c->variables : ++c->variables;
}

/* ---- clauses ------------------------------------------------------------------- */

static int by_variable(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  int32_t v = abs(x), w = abs(y);
  return v != w ? (v > w) - (v < w) : (x > y) - (x < y);
}

/* Copies the literals sorted, each once and without `neutral`.  False if one is
** the opposite of `neutral`, or of another one: the rest does not matter. */
static bool normalise(const int32_t *literals, size_t n, int32_t neutral, CnfLiterals *out) {
  assert(!out->n);
  for (size_t i = 0; i < n; i++) {
    if (literals[i] == -neutral)
      return false;
    if (literals[i] != neutral)
      vec_push(out, literals[i]);
  }
  if (out->n > 1)
    qsort(out->at, out->n, sizeof *out->at, by_variable);
  size_t kept = 0;
  for (size_t i = 0; i < out->n; i++) {
    if (kept && out->at[kept - 1] == -out->at[i])
      return false;
    if (!kept || out->at[kept - 1] != out->at[i])
      out->at[kept++] = out->at[i];
  }
  out->n = kept;
  return true;
}

void cnf_clause(Cnf *c, const int32_t *literals, size_t n) {
  assert(literals || !n);
  CnfLiterals clause = {0};
  bool needed = normalise(literals, n, -CNF_TRUE, &clause);
  c->full |= c->literals.n + n > MOST_LITERALS;
  if (needed && !c->full) {
    for (size_t i = 0; i < clause.n; i++)
      vec_push(&c->literals, clause.at[i]);
    vec_push(&c->literals, 0);
    c->clauses++;
  }
  vec_free(&clause);
}

/* ---- gates ---------------------------------------------------------------------- */

/* output <-> the conjunction of the literals */
static void define(Cnf *c, int32_t output, const CnfLiterals *literals) {
  assert(output > 0);
  CnfLiterals all = {0};
  vec_push(&all, output);
  for (size_t i = 0; i < literals->n; i++) {
    int32_t one[] = {-output, literals->at[i]};
    cnf_clause(c, one, 2);
    vec_push(&all, -literals->at[i]);
  }
  cnf_clause(c, all.at, all.n);
  vec_free(&all);
}

static int32_t shared_gate(Cnf *c, const CnfLiterals *literals) {
  assert(literals->n > 1);
  Text key = {0};
  for (size_t i = 0; i < literals->n; i++)
    text_printf(&key, "%d ", literals->at[i]);
  uint32_t gate = names_add(&c->gates, key.at, key.n);
  vec_free(&key);
  if (gate == c->outputs.n) {
    vec_push(&c->outputs, cnf_variable(c));
    define(c, c->outputs.at[gate], literals);
  }
  return c->outputs.at[gate];
}

int32_t cnf_and(Cnf *c, const int32_t *literals, size_t n) {
  CnfLiterals left = {0};
  int32_t output = -CNF_TRUE;
  if (normalise(literals, n, CNF_TRUE, &left))
    output = left.n == 0 ? CNF_TRUE : left.n == 1 ? left.at[0] : shared_gate(c, &left);
  vec_free(&left);
  return output;
}

int32_t cnf_or(Cnf *c, const int32_t *literals, size_t n) {
  CnfLiterals negated = {0};
  for (size_t i = 0; i < n; i++)
    vec_push(&negated, -literals[i]);
  int32_t output = -cnf_and(c, negated.at, negated.n);
  vec_free(&negated);
  return output;
}

/* ---- sums ------------------------------------------------------------------------- */

typedef struct {
  int32_t literal;
  uint32_t weight;
} Term;

static int by_weight(const void *a, const void *b) {
  const Term *x = a, *y = b;
  if (x->weight != y->weight)
    return (x->weight < y->weight) - (x->weight > y->weight);
  return (x->literal > y->literal) - (x->literal < y->literal);
}

/* What is left of a sum behind some of its terms: this bound. */
typedef struct {
  int64_t bound;
  int32_t output;
} Rest;

typedef VEC(Rest) Rests;

static int by_bound(const void *a, const void *b) {
  const Rest *x = a, *y = b;
  return (x->bound > y->bound) - (x->bound < y->bound);
}

/* The different bounds behind the next term; neither met nor out of reach. */
static void next_bounds(const Rests *now, Term term, int64_t reach, Rests *next) {
  for (size_t i = 0; i < now->n; i++)
    for (int with = 0; with < 2; with++) {
      int64_t bound = now->at[i].bound - (with ? term.weight : 0);
      if (bound > 0 && bound <= reach)
        vec_push(next, (Rest){bound, 0});
    }
  if (next->n > 1)
    qsort(next->at, next->n, sizeof *next->at, by_bound);
  size_t kept = 0;
  for (size_t i = 0; i < next->n; i++)
    if (!kept || next->at[kept - 1].bound != next->at[i].bound)
      next->at[kept++] = next->at[i];
  next->n = kept;
}

static int32_t output_of(const Rests *next, int64_t bound) {
  if (bound <= 0)
    return CNF_TRUE;
  Rest key = {bound, 0};
  const Rest *found = next->n ? bsearch(&key, next->at, next->n, sizeof key, by_bound) : NULL;
  return found ? found->output : -CNF_TRUE;
}

/* With the term the bound falls; what holds without it holds with it. */
static int32_t sum_gate(Cnf *c, int32_t literal, int32_t with, int32_t without) {
  int32_t both[] = {literal, with};
  int32_t either[] = {cnf_and(c, both, 2), without};
  return cnf_or(c, either, 2);
}

/* Layers of a decision diagram: layer i has the bounds that may be left before
** term i.  Made downwards, turned into gates upwards. */
int32_t cnf_sum(Cnf *c, const int32_t *literals, const uint32_t *weights, size_t n, int64_t bound) {
  assert((literals && weights) || !n);
  if (bound <= 0)
    return CNF_TRUE;
  Term *terms = memory_zero(n, sizeof *terms);
  Rests *layers = memory_zero(n + 1, sizeof *layers);
  int64_t reach = 0;
  for (size_t i = 0; i < n; i++)
    terms[i] = (Term){literals[i], weights[i]}, reach += weights[i];
  if (n > 1)
    qsort(terms, n, sizeof *terms, by_weight);
  if (bound <= reach)
    vec_push(&layers[0], (Rest){bound, 0});
  size_t size = 0;
  for (size_t i = 0; i < n && !c->full; i++) {
    next_bounds(&layers[i], terms[i], reach -= terms[i].weight, &layers[i + 1]);
    c->full |= (size += layers[i + 1].n) > MOST_LITERALS / 8;
  }
  for (size_t i = n; i-- > 0 && !c->full;)
    for (size_t k = 0; k < layers[i].n; k++) {
      int64_t left = layers[i].at[k].bound;
      layers[i].at[k].output =
          sum_gate(c, terms[i].literal, output_of(&layers[i + 1], left - terms[i].weight),
                   output_of(&layers[i + 1], left));
    }
  int32_t output = c->full ? CNF_TRUE : output_of(&layers[0], bound);
  for (size_t i = 0; i <= n; i++)
    vec_free(&layers[i]);
  free(layers);
  free(terms);
  return output;
}
