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
#include "infer/hardness.h"
#include "language/lexer.h"
#include "language/program.h"
#include "sample/lanes.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_TIES = 10000 };

void exact_found_free(ExactFound *e) {
  exact_roots_free(&e->roots);
  circuit_values_free(&e->values);
}

static Status explain(const Task *task, Status status) {
  if (status == LIMIT) {
    diagnose_warning(task->said, NOWHERE, NULL, "compiling: %s", task->compiled->message.at);
    hardness_say(task);
  }
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

static Status prepare(const Task *task, ExactFound *e) {
  *e = (ExactFound){0};
  Status status = exact_roots(task, &e->roots);
  if (status != OK)
    return status;
  const Circuit *circuit = &e->roots.c->circuit;
  circuit_values_make(circuit, &e->values);
  circuit_evaluate(circuit, task->weights, &e->values);
  e->program = circuit_log(circuit, &e->values, &e->roots.program);
  e->observed = circuit_log(circuit, &e->values, &e->roots.observed);
  e->rooted = true;
  return OK;
}

static const lpmln_answer by_circuit = {.method = LPMLN_EXACT, .exact = true, .complete = true};

/* ---- probabilities -------------------------------------------------------------- */

/* Where an atom was made evidence, rounding does not tell what is certain from what is nearly
** so.  That is a question for the solver, and a much cheaper one than its probability. */
static Status settle(const Task *task, Atom atom, Probability *p) {
  assert(isnan(p->value) || (p->value >= 0 && p->value <= 1));
  if (!(p->value >= 1 - 1e-12) || p->log == 0)
    return OK;
  Lit *literals = memory_zero(task->evidences + 1, sizeof *literals);
  for (size_t i = 0; i < task->evidences; i++)
    literals[i] = task->evidence[i];
  literals[task->evidences] = lit_of(atom, true);
  bool possible;
  Status status = task_satisfiable(task, literals, task->evidences + 1, &possible);
  if (status == OK && !possible)
    *p = probability_known(true);
  free(literals);
  return status;
}

/* Guessed atoms are variables of the circuit; the others are compiled for, in
** slices. */
static Status find_probabilities(const Task *task, ExactFound *e, const Atom *atoms, size_t n,
                                 Probability *result) {
  assert(atoms || !n);
  const Ground *g = task->ground;
  Probability *by_atom = memory_zero(g->atoms.n, sizeof *by_atom), *rest;
  VEC(Atom) derived = {0};
  for (size_t i = 0; i < n; i++) {
    by_atom[atoms[i]] = probability_known(g->atoms.at[atoms[i]].truth == ATOM_CERTAIN);
    if (g->atoms.at[atoms[i]].truth == ATOM_OPEN && !e->roots.c->strata.guessed[atoms[i]])
      vec_push(&derived, atoms[i]);
  }
  circuit_marginals(&e->roots.c->circuit, &e->values, &e->roots.observed, by_atom);
  rest = memory_zero(derived.n, sizeof *rest);
  Status status = OK;
  if (derived.n)
    status = compile_marginals(e->roots.c, task->evidence, task->evidences, derived.at, derived.n,
                               task->weights, 0, rest);
  for (size_t i = 0; i < derived.n; i++) {
    if (status == OK)
      status = settle(task, derived.at[i], &rest[i]);
    by_atom[derived.at[i]] = rest[i];
  }
  for (size_t i = 0; i < n; i++)
    result[i] = by_atom[atoms[i]];
  vec_free(&derived);
  free(rest);
  free(by_atom);
  return status == OK ? OK : explain(task, status);
}

Status exact_find(const Task *task, const Atom *atoms, size_t n, ExactFound *e,
                  Probability *found) {
  for (size_t i = 0; i < n; i++)
    found[i] = (Probability){NAN, NAN};
  Status status = prepare(task, e);
  return status == OK ? find_probabilities(task, e, atoms, n, found) : status;
}

void exact_answer(const Task *task, const ExactFound *e, const AskedList *asked, bool always,
                  const Probability *found, lpmln_inference *answer) {
  assert(e->rooted);
  lpmln_marginal *list = arena_zero(task->answer, asked->n, sizeof *list);
  for (size_t i = 0; i < asked->n; i++)
    if (always || probability_is_open(found[i]))
      list[answer->count++] = answer_marginal(task, asked->at[i].text, found[i]);
  answer->marginals = list;
  answer->about = by_circuit;
  answer->log_partition = log_double(e->program);
  answer->log_evidence = task->evidences ? log_apart(e->observed, e->program) : 0;
}

enum { ESTIMATES = 160 * LANES }; /* samples: errors of 0.0025 at most */

/* So many samples of the guesses at once, and what follows from them. */
static void draw_lanes(const Task *task, const ExactFound *e, const CircuitValues *values,
                       Random *random, bool *model, Lanes *atoms) {
  const Compiled *c = e->roots.c;
  const Ground *g = task->ground;
  for (Atom a = 0; a < g->atoms.n; a++)
    atoms[a] = lanes_all(g->atoms.at[a].truth == ATOM_CERTAIN);
  for (unsigned lane = 0; lane < LANES; lane++) {
    circuit_sample(&c->circuit, values, &e->roots.observed, random, model);
    for (Atom a = 0; a < g->atoms.n; a++)
      if (c->strata.guessed[a])
        atoms[a].word[lane >> 6] |= (uint64_t)model[a] << (lane & 63);
  }
  for (size_t i = 0; i < c->strata.group_count; i++)
    (void)lanes_stratum(g, &c->strata, task->analysis, i, atoms);
}

size_t exact_estimate(const Task *task, const ExactFound *e, const Atom *atoms, size_t n,
                      const Probability *found, Estimate *to) {
  assert(e->rooted && circuit_possible(&e->roots.observed));
  const Compiled *c = e->roots.c;
  double *seen = memory_zero(n, sizeof *seen);
  bool *model = answer_atoms(task->ground);
  Lanes *lanes = memory_zero(task->ground->atoms.n, sizeof *lanes);
  Random random = random_make(task->options->seed, 0);
  size_t done = 0;
  CircuitValues values; /* the circuit may have grown */
  circuit_values_make(&c->circuit, &values);
  circuit_evaluate(&c->circuit, task->weights, &values);
  task_stage(task, LPMLN_SAMPLING);
  for (; done < ESTIMATES && limits_check(&task->limits) == OK; done += LANES) {
    draw_lanes(task, e, &values, &random, model, lanes);
    for (size_t i = 0; i < n; i++)
      seen[i] += lanes_count(&lanes[atoms[i]]);
    atomic_store(&task->progress->models, done + LANES);
  }
  for (size_t i = 0; done && i < n; i++)
    if (isnan(found[i].value)) {
      double mean = seen[i] / (double)done, more = (seen[i] + 2) / ((double)done + 4);
      to[i] =
          (Estimate){mean, sqrt(more * (1 - more) / ((double)done + 4)), (double)done, NAN, NAN};
    }
  circuit_values_free(&values);
  free(model);
  free(lanes);
  free(seen);
  return done;
}

/* ---- models --------------------------------------------------------------------- */

static void fill_models(const Task *task, const ExactSource *from, Log observed, Wanted wanted,
                        lpmln_models *answer, Status *status) {
  assert(from->strata && from->weights);
  VEC(lpmln_stable_model) list = {0};
  bool *atoms = answer_atoms(task->ground);
  Log log_weight, best = {0};
  bool cut = false;
  CircuitBest *models = circuit_best_make(from->circuit, from->root, from->weights);
  while (*status == OK && (!wanted.most || list.n < wanted.most) &&
         circuit_best_next(models, atoms, &log_weight)) {
    best = list.n ? best : log_weight;
    cut = wanted.ties && list.n == MOST_TIES;
    if (cut || (wanted.ties && log_apart(best, log_weight) > TIE))
      break;
    strata_extend(task->ground, from->strata, atoms);
    vec_push(&list, answer_model(task, atoms, log_weight, log_apart(log_weight, observed)));
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

static Log log_value(const ExactSource *from, CircuitValues *values) {
  circuit_values_make(from->circuit, values);
  circuit_evaluate(from->circuit, from->weights, values);
  return circuit_log(from->circuit, values, from->root);
}

Status exact_list(const Task *task, const ExactSource *from, Wanted wanted, lpmln_models *answer) {
  assert(circuit_possible(from->root));
  CircuitValues values;
  Status status = OK;
  fill_models(task, from, log_value(from, &values), wanted, answer, &status);
  circuit_values_free(&values);
  char *total = circuit_count(from->circuit, from->root);
  answer->total = answer->about.models_seen = arena_text(task->answer, total);
  answer->log_weight_upper =
      answer->about.complete && answer->count ? answer->models[0].log_weight : INFINITY;
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

/* Who writes #show knows that there is more. */
static bool has_show(const Program *p) {
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (s->kind == S_PASS &&
        token_is(program_source(p, s), &program_tokens(p, s)[s->whole.from], "#show"))
      return true;
  }
  return false;
}

/* Of the most probable models: coins that nobody sees make many of one state. */
static void say_hidden(const Task *task, const Strata *strata) {
  const Ground *g = task->ground;
  bool hidden = false, sought = !has_show(task->program);
  for (Atom a = 0; sought && a < g->own.atoms; a++)
    hidden |= strata->guessed[a] && g->atoms.at[a].truth == ATOM_OPEN && !g->atoms.at[a].shown;
  if (hidden)
    diagnose_note(task->said, NOWHERE, "option visible sums over what is not shown",
                  "a stable model has guesses that are not shown; the most probable state of what "
                  "is shown may be another one");
}

Status exact_models(const Task *task, Wanted wanted, lpmln_models *answer) {
  ExactRoots roots;
  Status status = exact_roots(task, &roots);
  if (status == OK) {
    ExactSource from = source_of(&roots, task->weights);
    status = exact_list(task, &from, wanted, answer);
    if (wanted.ties)
      say_hidden(task, from.strata);
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
