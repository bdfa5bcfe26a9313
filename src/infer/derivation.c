/* derivation.c - see derivation.h. */
#include "infer/derivation.h"

#include "base/graph.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>

typedef struct {
  const Ground *g;
  const bool *model;
  uint32_t *support; /* by atom: rule + 1 that derives it; 0: none */
  GraphLists rules;  /* by head */
  bool *seen;        /* by atom */
  VEC(Atom) waiting;
} Deriving;

/* All that the body says is derived, or does not hold. */
static bool is_derived(const Deriving *d, const Rule *r) {
  for (uint32_t k = 0; k < r->size; k++) {
    Lit l = rule_body(d->g, r)[k];
    if (!lit_negated(l) && d->model[lit_atom(l)] && !d->support[lit_atom(l)])
      return false;
  }
  return ground_holds(d->g, r, d->model);
}

static bool derive(Deriving *d, uint32_t rule) {
  const Rule *r = &d->g->rules.at[rule];
  bool new = false;
  for (uint32_t h = 0; h < r->heads; h++)
    new |= d->model[rule_heads(d->g, r)[h]] && !d->support[rule_heads(d->g, r)[h]];
  if (!new || !is_derived(d, r))
    return false;
  for (uint32_t h = 0; h < r->heads; h++) {
    Atom head = rule_heads(d->g, r)[h];
    if (d->model[head] && !d->support[head])
      d->support[head] = rule + 1;
  }
  return true;
}

/* What the stable model derives, from what is derived already. */
static void find_support(Deriving *d) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < d->g->rules.n; i++)
      more |= derive(d, i);
  }
}

static void ask(Deriving *d, Atom a) {
  if (!d->seen[a])
    vec_push(&d->waiting, a);
  d->seen[a] = true;
}

/* A literal of the body that does not hold: one that is asked for already, or the first. */
static void ask_failure(Deriving *d, const Rule *r) {
  Atom first = NONE;
  for (uint32_t k = 0; k < r->size; k++) {
    Lit l = rule_body(d->g, r)[k];
    if (d->model[lit_atom(l)] != lit_negated(l))
      continue;
    if (d->seen[lit_atom(l)])
      return;
    first = first == NONE ? lit_atom(l) : first;
  }
  if (first != NONE)
    ask(d, first);
}

static void explain(Deriving *d, Atom a) {
  const Ground *g = d->g;
  if (d->model[a] && d->support[a]) {
    const Rule *r = &g->rules.at[d->support[a] - 1];
    for (uint32_t k = 0; k < r->size; k++)
      ask(d, lit_atom(rule_body(g, r)[k]));
  }
  for (uint32_t i = d->rules.start[a]; !d->model[a] && i < d->rules.start[a + 1]; i++)
    ask_failure(d, &g->rules.at[d->rules.at[i]]);
}

/* Has one of the atoms that were asked for to do with inputs? */
static bool reads_marked(const Deriving *d, uint32_t rule, const bool *marked) {
  const Rule *r = &d->g->rules.at[rule];
  for (uint32_t k = 0; k < r->size; k++) {
    Atom b = lit_atom(rule_body(d->g, r)[k]);
    if (d->seen[b] && marked[b])
      return true;
  }
  return false;
}

static bool depends(const Deriving *d, Atom a, const bool *marked) {
  if (d->model[a])
    return d->support[a] && reads_marked(d, d->support[a] - 1, marked);
  for (uint32_t i = d->rules.start[a]; i < d->rules.start[a + 1]; i++)
    if (reads_marked(d, d->rules.at[i], marked))
      return true;
  return false;
}

/* Has the body something that has a name? */
static bool is_told(const Ground *g, const Rule *r) {
  for (uint32_t k = 0; k < r->size; k++)
    if (g->atoms.at[lit_atom(rule_body(g, r)[k])].name != NONE)
      return true;
  return false;
}

static void take_rules(const Deriving *d, const bool *inputs, RuleNumbers *to) {
  const Ground *g = d->g;
  bool *marked = memory_zero(g->atoms.n, 1);
  for (bool more = true; more;) {
    more = false;
    for (Atom a = 0; a < g->atoms.n; a++)
      if (d->seen[a] && !marked[a] && (inputs[a] || depends(d, a, marked)))
        marked[a] = more = true;
  }
  for (Atom a = 0; a < g->atoms.n; a++) {
    uint32_t support = d->support[a];
    if (marked[a] && support && g->atoms.at[a].name != NONE &&
        is_told(g, &g->rules.at[support - 1]))
      vec_push(to, support - 1);
  }
  to->n = sort_unique(to->at, to->n);
  free(marked);
}

static GraphLists rules_by_head(const Ground *g) {
  GraphEdges edges = {0};
  for (uint32_t i = 0; i < g->rules.n; i++)
    for (uint32_t h = 0; h < g->rules.at[i].heads; h++)
      vec_push(&edges, (GraphEdge){rule_heads(g, &g->rules.at[i])[h], i});
  GraphLists lists = graph_lists(&edges, g->atoms.n);
  vec_free(&edges);
  return lists;
}

void derivation_find(const Ground *g, const bool *model, const bool *inputs, Atom atom,
                     RuleNumbers *to) {
  assert(g->sealed && model[atom] && !to->n);
  Deriving d = {.g = g, .model = model, .rules = rules_by_head(g)};
  d.support = memory_zero(g->atoms.n, sizeof *d.support);
  d.seen = memory_zero(g->atoms.n, 1);
  find_support(&d);
  for (ask(&d, atom); d.waiting.n;)
    explain(&d, d.waiting.at[--d.waiting.n]);
  take_rules(&d, inputs, to);
  graph_lists_free(&d.rules);
  free(d.support);
  free(d.seen);
  vec_free(&d.waiting);
}
