/* parameters.c - see parameters.h. */
#include "learn/parameters.h"

#include "base/memory.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A parameter and the first statement that mentions it. */
typedef struct {
  uint32_t weight, statement;
  const char *name;
} Found;

typedef struct {
  uint32_t weight, statement;
} Use;

static int compare_found(const void *a, const void *b) {
  const Found *x = a, *y = b;
  if (x->statement != y->statement)
    return x->statement < y->statement ? -1 : 1;
  return strverscmp(x->name, y->name);
}

static int compare_uses(const void *a, const void *b) {
  const Use *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? -1 : 1;
  return (x->statement > y->statement) - (x->statement < y->statement);
}

typedef VEC(Use) Uses;

bool parameters_fix(Fixed fixed, const char *name) {
  for (size_t i = 0; i < fixed.n; i++)
    if (!strcmp(fixed.names[i], name))
      return true;
  return false;
}

/* By weight: whether it is to be learned. */
static bool *find_learned(const Ground *g, Fixed fixed) {
  bool *learned = memory_zero(g->weights.n, sizeof *learned);
  for (uint32_t w = 0; w < g->weights.n; w++) {
    uint32_t name = g->weights.at[w].name;
    learned[w] = name != NONE && !parameters_fix(fixed, ground_text(g, name));
  }
  return learned;
}

/* Which statement uses which parameter: each pair once, sorted. */
static void find_uses(const Ground *g, const bool *learned, Uses *uses) {
  size_t kept = 0;
  for (uint32_t w = 0; w < g->weights.n; w++)
    if (learned[w])
      vec_push(uses, (Use){w, g->soft.at[g->weights.at[w].soft].statement});
  for (size_t i = 0; i < g->instances.n; i++) {
    const Instance *instance = &g->instances.at[i];
    if (instance->weight != NONE && learned[instance->weight])
      vec_push(uses, (Use){instance->weight, g->soft.at[instance->soft].statement});
  }
  if (uses->n)
    qsort(uses->at, uses->n, sizeof *uses->at, compare_uses);
  for (size_t i = 0; i < uses->n; i++)
    if (!kept || compare_uses(&uses->at[kept - 1], &uses->at[i]))
      uses->at[kept++] = uses->at[i];
  uses->n = kept;
}

/* By weight: its ground instances are facts, one head and no body. */
static bool *find_facts(const Ground *g) {
  bool *fact = memory_zero(g->weights.n, sizeof *fact);
  for (size_t i = 0; i < g->instances.n; i++)
    if (g->instances.at[i].weight != NONE)
      fact[g->instances.at[i].weight] = true;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    uint32_t weight = r->instance == NONE ? NONE : g->instances.at[r->instance].weight;
    if (weight != NONE && (r->heads != 1 || r->size))
      fact[weight] = false;
  }
  return fact;
}

/* Uses are sorted by weight; first_use is by weight. */
static void fill(const Ground *g, const double *weights, const bool *learned, const Found *found,
                 const Uses *uses, Parameters *to) {
  assert(found || !to->n);
  uint32_t used = 0, *first_use = memory_zero(g->weights.n, sizeof *first_use);
  uint32_t *parameter = memory_zero(g->weights.n, sizeof *parameter);
  bool *fact = find_facts(g);
  for (size_t k = uses->n; k-- > 0;)
    first_use[uses->at[k].weight] = (uint32_t)k;
  for (uint32_t i = 0; found && i < to->n; i++) {
    uint32_t weight = found[i].weight;
    parameter[weight] = i;
    to->place[i] = weight;
    to->name[i] = found[i].name;
    to->start[i] = weights[weight];
    to->fact[i] = fact[weight];
    to->rule_start[i] = used;
    for (size_t k = first_use[weight]; k < uses->n && uses->at[k].weight == weight; k++)
      to->rules[used++] = uses->at[k].statement;
  }
  to->rule_start[to->n] = used;
  for (size_t k = 0; k < g->instances.n; k++) {
    uint32_t weight = g->instances.at[k].weight;
    if (weight != NONE && learned[weight])
      to->instances[parameter[weight]]++;
  }
  free(first_use);
  free(parameter);
  free(fact);
}

void parameters_find(const Ground *g, const double *weights, Fixed fixed, Parameters *to) {
  assert(g->sealed && (weights || !g->weights.n));
  Uses uses = {0};
  VEC(Found) found = {0};
  bool *learned = find_learned(g, fixed);
  find_uses(g, learned, &uses);
  for (size_t i = 0; i < uses.n; i++)
    if (!i || uses.at[i].weight != uses.at[i - 1].weight)
      vec_push(&found, (Found){uses.at[i].weight, uses.at[i].statement,
                               ground_text(g, g->weights.at[uses.at[i].weight].name)});
  if (found.n)
    qsort(found.at, found.n, sizeof *found.at, compare_found);
  uint32_t n = (uint32_t)found.n;
  *to = (Parameters){.n = n};
  to->place = memory_zero(n, sizeof *to->place);
  to->name = memory_zero(n, sizeof *to->name);
  to->start = memory_zero(n, sizeof *to->start);
  to->instances = memory_zero(n, sizeof *to->instances);
  to->fact = memory_zero(n, sizeof *to->fact);
  to->rule_start = memory_zero((size_t)n + 1, sizeof *to->rule_start);
  to->rules = memory_zero(uses.n, sizeof *to->rules);
  fill(g, weights, learned, found.at, &uses, to);
  assert(to->rule_start[n] == uses.n && parameters_valid(to, g));
  free(learned);
  vec_free(&uses);
  vec_free(&found);
}

void parameters_free(Parameters *t) {
  free(t->place);
  free(t->name);
  free(t->start);
  free(t->instances);
  free(t->fact);
  free(t->rule_start);
  free(t->rules);
  *t = (Parameters){0};
}

bool parameters_valid(const Parameters *t, const Ground *g) {
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->place[i] >= g->weights.n || g->weights.at[t->place[i]].name == NONE)
      return false;
    if (t->instances[i] < 0 || t->rule_start[i] >= t->rule_start[i + 1])
      return false;
    /* in the order of the text */
    if (i && t->rules[t->rule_start[i]] < t->rules[t->rule_start[i - 1]])
      return false;
  }
  return !t->n || !t->rule_start[0];
}
