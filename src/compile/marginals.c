/* marginals.c - probabilities of any atoms, in groups; see compile.h.
**
** The truth of an atom that is not guessed has to be told by the circuit, and
** telling many at once can make the circuit much larger than telling one after
** the other: nothing can be sliced away.  So a group is compiled within a
** limited effort and halved if that fails; a single atom a is evidence instead,
** P(a | e) = Z(a, e) / Z(e). */
#include "compile/compile.h"

#include "base/memory.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/strata.h"
#include "ground/ground.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { EFFORT = 20000 }; /* branches for a group, unless the caller says more */

typedef struct {
  size_t first, count; /* in open */
  bool as_evidence;    /* one atom, conjoined */
  CircuitRoot root;
} Group;

typedef struct {
  Compiled *c;
  const Lit *evidence;
  size_t evidences;
  VEC(Atom) open;     /* atoms to be told */
  VEC(Group) pending; /* stack */
  VEC(Group) done;
} Work;

static Status compile_told(Work *w, Group *g, size_t effort) {
  assert(g->first + g->count <= w->open.n);
  size_t before = w->c->options.branches;
  if (effort && (!before || effort < before))
    w->c->options.branches = effort;
  Status status =
      compile_root(w->c, w->evidence, w->evidences, w->open.at + g->first, g->count, &g->root);
  w->c->options.branches = before;
  return status;
}

static Status compile_as_evidence(Work *w, Group *g) {
  assert(g->count == 1 && g->first < w->open.n);
  Lit *literals = memory_zero(w->evidences + 1, sizeof *literals);
  for (size_t i = 0; i < w->evidences; i++)
    literals[i] = w->evidence[i];
  literals[w->evidences] = lit_of(w->open.at[g->first], false);
  g->as_evidence = true;
  Status status = compile_root(w->c, literals, w->evidences + 1, NULL, 0, &g->root);
  free(literals);
  return status;
}

/* A limit that was not the group's effort is final for single atoms only: a
** smaller group may still fit. */
static Status compile_groups(Work *w, size_t effort) {
  Status status = OK;
  while (w->pending.n && status == OK) {
    Group g = w->pending.at[--w->pending.n];
    status = g.count > 1 ? compile_told(w, &g, effort) : compile_as_evidence(w, &g);
    if (status == LIMIT && g.count > 1) {
      size_t half = g.count / 2;
      vec_push(&w->pending, (Group){.first = g.first + half, .count = g.count - half});
      vec_push(&w->pending, (Group){.first = g.first, .count = half});
      status = OK;
    } else {
      vec_push(&w->done, g);
    }
  }
  return status;
}

static void read_groups(Work *w, const CircuitValues *v, double log_evidence, double *by_atom) {
  assert(!w->pending.n && isfinite(log_evidence));
  const Circuit *circuit = &w->c->circuit;
  for (size_t i = 0; i < w->done.n; i++) {
    const Group *g = &w->done.at[i];
    if (g->as_evidence)
      by_atom[w->open.at[g->first]] =
          fmin(1, exp(circuit_log_value(circuit, v, &g->root) - log_evidence));
    else
      circuit_marginals(circuit, v, &g->root, by_atom);
  }
}

/* by_atom starts with what is certain; atoms to be told are collected. */
static double *sort_atoms(Work *w, const Atom *atoms, size_t n) {
  const Ground *g = w->c->ground;
  double *by_atom = memory_zero(g->atoms.n, sizeof *by_atom);
  bool *met = memory_zero(g->atoms.n, 1);
  for (size_t i = 0; i < n; i++) {
    Atom a = atoms[i];
    by_atom[a] = g->atoms.at[a].truth == ATOM_CERTAIN;
    if (g->atoms.at[a].truth == ATOM_OPEN && !w->c->strata.guessed[a] && !met[a])
      vec_push(&w->open, a);
    met[a] = true;
  }
  free(met);
  if (w->open.n)
    vec_push(&w->pending, (Group){.count = w->open.n});
  return by_atom;
}

static void work_free(Work *w) {
  for (size_t i = 0; i < w->done.n; i++)
    circuit_root_free(&w->done.at[i].root);
  vec_free(&w->open);
  vec_free(&w->pending);
  vec_free(&w->done);
}

static void answer(Work *w, const CircuitRoot *root, const double *weights, double *by_atom) {
  CircuitValues v;
  circuit_values_make(&w->c->circuit, &v);
  circuit_evaluate(&w->c->circuit, weights, &v);
  circuit_marginals(&w->c->circuit, &v, root, by_atom);
  read_groups(w, &v, circuit_log_value(&w->c->circuit, &v, root), by_atom);
  circuit_values_free(&v);
}

Status compile_marginals(Compiled *c, const Lit *evidence, size_t evidences, const Atom *atoms,
                         size_t n, const double *weights, size_t effort, double *probabilities) {
  assert((atoms && probabilities) || !n);
  Work w = {.c = c, .evidence = evidence, .evidences = evidences};
  CircuitRoot root = {0};
  double *by_atom = sort_atoms(&w, atoms, n);
  Status status = compile_root(c, evidence, evidences, NULL, 0, &root);
  if (status == OK && !circuit_possible(&root))
    status = NO_ANSWER;
  if (status == OK)
    status = compile_groups(&w, effort ? effort : EFFORT);
  if (status == OK) {
    answer(&w, &root, weights, by_atom);
    for (size_t i = 0; i < n; i++)
      probabilities[i] = by_atom[atoms[i]];
  }
  free(by_atom);
  work_free(&w);
  circuit_root_free(&root);
  return status;
}
