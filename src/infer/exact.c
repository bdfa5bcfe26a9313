/* exact.c - answers from the compiled circuit. */
#include "infer/exact.h"

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/source.h"
#include "ground/ground.h"
#include "infer/engine.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_TIES = 10000 };

/* The circuit of the program alone and with the evidence, and their values. */
typedef struct {
  ExactRoots roots;
  const Circuit *circuit;
  CircuitValues values;
  double log_program, log_observed;
} Exact;

static void exact_free(Exact *e) {
  exact_roots_free(&e->roots);
  circuit_values_free(&e->values);
}

static Status explain(const Task *task, Status status) {
  if (status == LIMIT)
    diagnose_warning(task->said, NOWHERE, NULL, "compiling: %s", task->compiled->message.at);
  return status;
}

Status exact_roots(const Task *task, ExactRoots *r) {
  assert(task->ground->sealed && (task->evidence || !task->evidences));
  *r = (ExactRoots){.c = task_compiled(task)};
  Status status = compile_root(r->c, NULL, 0, NULL, 0, &r->program);
  if (status == OK && !circuit_possible(&r->program))
    return task_no_model(task);
  if (status == OK)
    status = compile_root(r->c, task->evidence, task->evidences, NULL, 0, &r->observed);
  if (status == OK && !circuit_possible(&r->observed))
    return task_no_evidence(task);
  return explain(task, status);
}

void exact_roots_free(ExactRoots *r) {
  circuit_root_free(&r->program);
  circuit_root_free(&r->observed);
}

static Status prepare(const Task *task, Exact *e) {
  Status status = exact_roots(task, &e->roots);
  if (status != OK)
    return status;
  e->circuit = &e->roots.c->circuit;
  circuit_values_make(e->circuit, &e->values);
  circuit_evaluate(e->circuit, task->weights, &e->values);
  e->log_program = circuit_log_value(e->circuit, &e->values, &e->roots.program);
  e->log_observed = circuit_log_value(e->circuit, &e->values, &e->roots.observed);
  return OK;
}

static const lpmln_answer by_circuit = {.method = LPMLN_EXACT, .exact = true, .complete = true};

/* ---- probabilities -------------------------------------------------------------- */

/* Rounding may leave a trace of probability where there is none, or none where
** there is some: whether an atom that seems certain or impossible really is, is
** a question for the solver, and a much cheaper one than its probability. */
static Status settle(const Task *task, Atom atom, bool listed, double *probability) {
  assert(*probability >= 0 && *probability <= 1);
  bool nearly_false = *probability<1e-12, nearly_true = *probability> 1 - 1e-12;
  bool plain = *probability == 0 || *probability == 1;
  if ((!nearly_false && !nearly_true) || (plain && listed) ||
      task->ground->atoms.at[atom].truth != ATOM_OPEN)
    return OK;
  Lit *literals = memory_zero(task->evidences + 1, sizeof *literals);
  for (size_t i = 0; i < task->evidences; i++)
    literals[i] = task->evidence[i];
  literals[task->evidences] = lit_of(atom, nearly_true);
  bool possible;
  Status status = task_satisfiable(task, literals, task->evidences + 1, &possible);
  if (status == OK && !possible)
    *probability = nearly_true;
  else if (status == OK && plain) /* less than a double can tell from 0 or 1 */
    *probability = nearly_true ? nextafter(1, 0) : DBL_MIN;
  free(literals);
  return status;
}

/* Guessed atoms are variables of the circuit; the others are compiled for, in
** slices. */
static Status find_probabilities(const Task *task, Exact *e, const Atom *atoms, size_t n,
                                 double *result) {
  assert(atoms || !n);
  const Ground *g = task->ground;
  double *by_atom = memory_zero(g->atoms.n, sizeof *by_atom), *rest;
  VEC(Atom) derived = {0};
  circuit_marginals(e->circuit, &e->values, &e->roots.observed, by_atom);
  for (size_t i = 0; i < n; i++)
    if (g->atoms.at[atoms[i]].truth == ATOM_CERTAIN)
      by_atom[atoms[i]] = 1;
    else if (g->atoms.at[atoms[i]].truth == ATOM_OPEN && !e->roots.c->strata.guessed[atoms[i]])
      vec_push(&derived, atoms[i]);
  rest = memory_zero(derived.n, sizeof *rest);
  Status status = OK;
  if (derived.n)
    status = compile_marginals(e->roots.c, task->evidence, task->evidences, derived.at, derived.n,
                               task->weights, 0, rest);
  for (size_t i = 0; status == OK && i < derived.n; i++)
    by_atom[derived.at[i]] = rest[i];
  for (size_t i = 0; status == OK && i < n; i++)
    result[i] = by_atom[atoms[i]];
  vec_free(&derived);
  free(rest);
  free(by_atom);
  return status;
}

static Status fill_marginals(const Task *task, Exact *e, lpmln_inference *answer) {
  AskedList asked = {0};
  bool always;
  answer_asked(task->program, task->ground, &asked, &always);
  lpmln_marginal *list = arena_zero(task->answer, asked.n, sizeof *list);
  Atom *atoms = memory_zero(asked.n, sizeof *atoms);
  double *probabilities = memory_zero(asked.n, sizeof *probabilities);
  for (size_t i = 0; i < asked.n; i++)
    atoms[i] = asked.at[i].atom;
  Status status = find_probabilities(task, e, atoms, asked.n, probabilities);
  for (size_t i = 0; status == OK && i < asked.n; i++)
    status = settle(task, atoms[i], always, &probabilities[i]);
  for (size_t i = 0; status == OK && i < asked.n; i++)
    if (always || (probabilities[i] > 0 && probabilities[i] < 1))
      list[answer->count++] = (lpmln_marginal){arena_text(task->answer, asked.at[i].text),
                                               probabilities[i], 0, NAN, NAN};
  answer->marginals = list;
  free(atoms);
  free(probabilities);
  vec_free(&asked);
  return status == OK ? OK : explain(task, status);
}

Status exact_infer(const Task *task, lpmln_inference *answer) {
  Exact e = {0};
  Status status = prepare(task, &e);
  if (status == OK)
    status = fill_marginals(task, &e, answer);
  if (status == OK) {
    answer->about = by_circuit;
    answer->log_partition = e.log_program;
    answer->log_evidence = task->evidences ? e.log_observed - e.log_program : 0;
  }
  exact_free(&e);
  return status;
}

/* ---- models --------------------------------------------------------------------- */

static void fill_models(const Task *task, const ExactSource *from, double log_observed,
                        Wanted wanted, lpmln_models *answer, Status *status) {
  assert(from->strata && from->weights);
  VEC(lpmln_stable_model) list = {0};
  bool *atoms = answer_atoms(task->ground);
  double log_weight, best = -INFINITY;
  bool cut = false;
  CircuitBest *models = circuit_best_make(from->circuit, from->root, from->weights);
  while (*status == OK && (!wanted.most || list.n < wanted.most) &&
         circuit_best_next(models, atoms, &log_weight)) {
    best = list.n ? best : log_weight;
    cut = wanted.ties && list.n == MOST_TIES;
    if (cut || (wanted.ties && log_weight < best - TIE))
      break;
    strata_extend(task->ground, from->strata, atoms);
    vec_push(&list, answer_model(task, atoms, log_weight, exp(log_weight - log_observed)));
    *status = limits_check(&task->limits);
  }
  circuit_best_free(models);
  free(atoms);
  answer_order(list.at, list.n);
  if (cut)
    diagnose_warning(task->said, NOWHERE, NULL, "more than %d models tie", MOST_TIES);
  answer->about = by_circuit;
  answer->about.complete = *status == OK && !cut;
  answer->count = list.n;
  answer->models = arena_take(task->answer, &list);
}

static double log_value(const ExactSource *from, CircuitValues *values) {
  circuit_values_make(from->circuit, values);
  circuit_evaluate(from->circuit, from->weights, values);
  return circuit_log_value(from->circuit, values, from->root);
}

Status exact_list(const Task *task, const ExactSource *from, Wanted wanted, lpmln_models *answer) {
  assert(circuit_possible(from->root));
  CircuitValues values;
  Status status = OK;
  fill_models(task, from, log_value(from, &values), wanted, answer, &status);
  circuit_values_free(&values);
  char *total = circuit_count(from->circuit, from->root);
  answer->total = answer->about.models_seen = arena_text(task->answer, total);
  free(total);
  return status;
}

Status exact_draw(const Task *task, const ExactSource *from, size_t count, lpmln_samples *answer) {
  assert(circuit_possible(from->root));
  CircuitValues values;
  (void)log_value(from, &values);
  lpmln_sample *samples = arena_zero(task->answer, count, sizeof *samples);
  bool *atoms = answer_atoms(task->ground);
  Random random = random_make(task->options->seed, 0);
  Status status = OK;
  for (; answer->count < count && (status = limits_check(&task->limits)) == OK; answer->count++) {
    lpmln_sample *sample = &samples[answer->count];
    circuit_sample(from->circuit, &values, from->root, &random, atoms);
    strata_extend(task->ground, from->strata, atoms);
    sample->atoms = answer_shown(task, atoms, &sample->atom_count);
  }
  free(atoms);
  circuit_values_free(&values);
  answer->about = by_circuit;
  answer->about.complete = status == OK;
  answer->samples = samples;
  return status;
}

static ExactSource source_of(const ExactRoots *r, const double *weights) {
  return (ExactSource){&r->c->circuit, &r->observed, &r->c->strata, weights};
}

Status exact_models(const Task *task, Wanted wanted, lpmln_models *answer) {
  ExactRoots roots;
  Status status = exact_roots(task, &roots);
  if (status == OK) {
    ExactSource from = source_of(&roots, task->weights);
    status = exact_list(task, &from, wanted, answer);
  }
  exact_roots_free(&roots);
  return status;
}

Status exact_sample(const Task *task, size_t count, bool uniform, lpmln_samples *answer) {
  ExactRoots roots;
  Status status = exact_roots(task, &roots);
  double *none = memory_zero(task->ground->weights.n, sizeof *none);
  if (status == OK) {
    ExactSource from = source_of(&roots, uniform ? none : task->weights);
    status = exact_draw(task, &from, count, answer);
    answer->uniform = uniform;
  }
  free(none);
  exact_roots_free(&roots);
  return status;
}
