/* marginals.c - probabilities of any atoms, in groups; see compile.h.
**
** The truth of an atom that is not guessed has to be told by the circuit, and
** telling many at once can make the circuit much larger than telling one after
** the other: nothing can be sliced away.  So a group is compiled within a
** limited effort and halved if that fails; a single atom a is evidence instead,
** P(a | e) = Z(a, e) / Z(e).  One that is too hard waits until all others were
** tried, and then may take more. */
#include "compile/compile.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/strata.h"
#include "ground/ground.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
  EFFORT = 20000,
  LEAST = 500,
  MORE = 8
}; /* branches for a group, unless the caller says more; growth */
#define MOST_EFFORT ((size_t)1 << 40)

typedef struct {
  size_t first, count; /* in open */
  bool as_evidence;    /* one atom, conjoined */
  size_t effort;       /* branches */
  CircuitRoot root;
} Group;

typedef struct {
  Compiled *c;
  const Lit *evidence;
  size_t evidences;
  VEC(Atom) open;     /* atoms to be told */
  VEC(Group) pending; /* stack */
  VEC(Group) hard;    /* to be tried after all others */
  VEC(Group) done;
} Work;

static Status compile_told(Work *w, Group *g) {
  assert(g->first + g->count <= w->open.n);
  return compile_root(w->c, w->evidence, w->evidences, w->open.at + g->first, g->count, &g->root);
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

/* Within its effort, or what is allowed anyway. */
static Status compile_group(Work *w, Group *g) {
  size_t before = w->c->options.branches;
  if (!before || g->effort < before)
    w->c->options.branches = g->effort;
  Status status = g->count > 1 ? compile_told(w, g) : compile_as_evidence(w, g);
  w->c->options.branches = before;
  return status;
}

/* Whether more effort may help. */
static bool worth_more(const Work *w, const Group *g) {
  const CompileOptions *o = &w->c->options;
  bool late = o->deadline > 0 && clock_now() > o->deadline;
  return !late &&
         (g->count > 1 || (g->effort < MOST_EFFORT && (!o->branches || g->effort < o->branches)));
}

/* What has failed is tried again: a group by halves, each with half the effort, so that all of
** them waste no more than the whole; one atom after all else. */
static void put_back(Work *w, const Group *g) {
  size_t half = g->count / 2, less = g->effort / 2 > LEAST ? g->effort / 2 : g->effort;
  Group first = {.first = g->first, .count = half, .effort = less};
  Group second = {.first = g->first + half, .count = g->count - half, .effort = less};
  if (half) {
    vec_push(&w->pending, second);
    vec_push(&w->pending, first);
  } else {
    second.effort = MORE * g->effort;
    vec_push(&w->hard, second);
  }
}

/* The next one to try; hard ones when all others were. */
static Group next_group(Work *w) {
  assert(w->pending.n || w->hard.n);
  if (!w->pending.n) {
    for (size_t i = w->hard.n; i-- > 0;)
      vec_push(&w->pending, w->hard.at[i]);
    w->hard.n = 0;
  }
  return w->pending.at[--w->pending.n];
}

static Status compile_groups(Work *w) {
  Status status = OK;
  while ((w->pending.n || w->hard.n) && status == OK) {
    Group g = next_group(w);
    status = compile_group(w, &g);
    if (status == OK) {
      vec_push(&w->done, g);
    } else if (status == LIMIT && worth_more(w, &g)) {
      put_back(w, &g);
      status = OK;
    } else {
      vec_push(&w->hard, g);
    }
  }
  return status;
}

/* Whether what seems certain is, an evaluation does not tell. */
static Probability ratio(Log with, Log all) {
  return with.rest == -INFINITY ? probability_known(false) : probability_open(log_apart(with, all));
}

/* What was not compiled is not known. */
static void leave_out(const Work *w, Probability *by_atom) {
  for (size_t i = 0; i < w->pending.n + w->hard.n; i++) {
    const Group *g = i < w->pending.n ? &w->pending.at[i] : &w->hard.at[i - w->pending.n];
    for (size_t k = 0; k < g->count; k++)
      by_atom[w->open.at[g->first + k]] = (Probability){NAN, NAN};
  }
}

static void read_groups(Work *w, const CircuitValues *v, Log evidence, Probability *by_atom) {
  assert(isfinite(evidence.rest));
  const Circuit *circuit = &w->c->circuit;
  for (size_t i = 0; i < w->done.n; i++) {
    const Group *g = &w->done.at[i];
    if (g->as_evidence)
      by_atom[w->open.at[g->first]] = ratio(circuit_log(circuit, v, &g->root), evidence);
    else
      circuit_marginals(circuit, v, &g->root, by_atom);
  }
}

/* by_atom starts with what is certain; atoms to be told are collected. */
static Probability *sort_atoms(Work *w, const Atom *atoms, size_t n, size_t effort) {
  const Ground *g = w->c->ground;
  Probability *by_atom = memory_zero(g->atoms.n, sizeof *by_atom);
  bool *met = memory_zero(g->atoms.n, 1);
  for (size_t i = 0; i < n; i++) {
    Atom a = atoms[i];
    by_atom[a] = probability_known(g->atoms.at[a].truth == ATOM_CERTAIN);
    if (g->atoms.at[a].truth == ATOM_OPEN && !w->c->strata.guessed[a] && !met[a])
      vec_push(&w->open, a);
    met[a] = true;
  }
  free(met);
  if (w->open.n)
    vec_push(&w->pending, (Group){.count = w->open.n, .effort = effort ? effort : EFFORT});
  return by_atom;
}

static void work_free(Work *w) {
  for (size_t i = 0; i < w->done.n; i++)
    circuit_root_free(&w->done.at[i].root);
  vec_free(&w->open);
  vec_free(&w->pending);
  vec_free(&w->hard);
  vec_free(&w->done);
}

static void answer(Work *w, const CircuitRoot *root, const double *weights, Probability *by_atom) {
  CircuitValues v;
  circuit_values_make(&w->c->circuit, &v);
  circuit_evaluate(&w->c->circuit, weights, &v);
  circuit_marginals(&w->c->circuit, &v, root, by_atom);
  read_groups(w, &v, circuit_log(&w->c->circuit, &v, root), by_atom);
  leave_out(w, by_atom);
  circuit_values_free(&v);
}

Status compile_marginals(Compiled *c, const Lit *evidence, size_t evidences, const Atom *atoms,
                         size_t n, const double *weights, size_t effort,
                         Probability *probabilities) {
  assert((atoms && probabilities) || !n);
  Work w = {.c = c, .evidence = evidence, .evidences = evidences};
  CircuitRoot root = {0};
  Probability *by_atom = sort_atoms(&w, atoms, n, effort);
  Status status = compile_root(c, evidence, evidences, NULL, 0, &root);
  if (status == OK && !circuit_possible(&root))
    status = NO_ANSWER;
  bool rooted = status == OK;
  if (rooted) {
    status = compile_groups(&w);
    answer(&w, &root, weights, by_atom);
  }
  for (size_t i = 0; i < n && status != NO_ANSWER; i++)
    probabilities[i] = rooted ? by_atom[atoms[i]] : (Probability){NAN, NAN};
  free(by_atom);
  work_free(&w);
  circuit_root_free(&root);
  return status;
}
