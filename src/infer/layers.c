/* layers.c - see layers.h. */
#include "infer/layers.h"

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/scaled.h"
#include "base/source.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "infer/engine.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define COMPILING 120.0 /* seconds: nothing else can be done */
enum { MOST_TIES = 10000 };

/* ---- the circuit ----------------------------------------------------------------------- */

typedef struct {
  const Task *task;
  bool *first;       /* by atom: of the upper layer */
  double *gain;      /* by atom: what it is worth if it holds */
  Analysis analysis; /* the task's, but for kinds */
  Compiled compiled;
  CircuitRoot root;
  CircuitValues values;
  CircuitLayers layers;
} Layered;

static void layered_begin(const Task *t, Layered *l) {
  *l = (Layered){.task = t, .analysis = *t->analysis};
  l->first = memory_zero(t->ground->atoms.n, sizeof *l->first);
  l->gain = memory_zero(t->ground->atoms.n, sizeof *l->gain);
}

static void layered_free(Layered *l) {
  circuit_layers_free(&l->layers);
  circuit_values_free(&l->values);
  circuit_root_free(&l->root);
  if (l->compiled.ground)
    compile_free(&l->compiled);
  if (l->analysis.kind != l->task->analysis->kind)
    free(l->analysis.kind);
  free(l->first);
  free(l->gain);
}

/* Components are alike if their atoms are of the same layer and worth the same, too. */
static void refine_kinds(Layered *l) {
  Analysis *an = &l->analysis;
  const uint32_t *old = an->kind;
  Names kinds = {0};
  Text key = {0};
  an->kind = memory_zero(an->components, sizeof *an->kind);
  for (uint32_t k = 0; k < an->components; k++) {
    key.n = 0;
    text_printf(&key, "%u ", old[k]);
    for (uint32_t i = an->first[k]; i < an->first[k + 1]; i++) {
      text_puts(&key, l->first[an->member[i]] ? "1" : "0");
      if (l->gain[an->member[i]] != 0)
        text_printf(&key, "%a ", l->gain[an->member[i]]);
    }
    an->kind[k] = names_add(&kinds, key.at, key.n);
  }
  an->kinds = (uint32_t)kinds.list.n;
  names_free(&kinds);
  vec_free(&key);
}

static Status say_hard(const Layered *l, Status status) {
  if (status == LIMIT)
    diagnose_warning(l->task->said, NOWHERE,
                     "decide about fewer atoms (#show, #decision), fix some of them by option "
                     "evidence or option do, or give it more time with option compile_limit",
                     "too hard with these atoms decided before all others: %s",
                     l->compiled.message.at);
  return status;
}

/* The atoms of the upper layer and those that are worth something are told. */
static Status compile_layers(Layered *l) {
  const Task *t = l->task;
  const Ground *g = t->ground;
  VEC(Atom) wanted = {0};
  refine_kinds(l);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].truth == ATOM_OPEN && (l->first[a] || l->gain[a] != 0))
      vec_push(&wanted, a);
  CompileOptions options = task_compile_options(t);
  double left = fmin(task_seconds(t), task_compile_limit(t, COMPILING));
  options.first = l->first;
  options.deadline = isinf(left) ? 0 : clock_now() + fmax(left, 1e-3);
  task_stage(t, LPMLN_COMPILING);
  compile_begin(&l->compiled, g, &l->analysis, &options);
  Status status =
      compile_root(&l->compiled, t->evidence, t->evidences, wanted.at, wanted.n, &l->root);
  vec_free(&wanted);
  if (status == OK && !circuit_possible(&l->root))
    return task_nothing(t);
  return say_hard(l, status);
}

/* By variable of the circuit: of any component that has its block; they are alike. */
static void make_layers(Layered *l) {
  const Circuit *c = &l->compiled.circuit;
  const Analysis *an = &l->analysis;
  bool *top = memory_zero(c->variables.n, sizeof *top);
  for (uint32_t k = 0; k < an->components; k++) {
    const CircuitBlock *block = &c->blocks.at[an->kind[k]];
    for (uint32_t i = 0; i < block->atoms; i++)
      top[block->first + i] = l->first[an->member[an->first[k] + i]];
  }
  circuit_values_make(c, &l->values);
  circuit_evaluate(c, l->task->weights, &l->values);
  circuit_layers_make(c, top, &l->layers);
  free(top);
}

static Status layered_make(Layered *l) {
  Status status = compile_layers(l);
  if (status == OK)
    make_layers(l);
  return status;
}

/* Violable hard rules are a matter of counting models. */
static Status refuse_methods(const Task *t, const char *what) {
  if (t->options->method != LPMLN_AUTO && t->options->method != LPMLN_EXACT) {
    diagnose_error(t->said, NOWHERE, NULL, "%s need the compiled program, option method=exact",
                   what);
    return USAGE;
  }
  if (t->hard_bound != NONE) {
    diagnose_error(t->said, NOWHERE, NULL, "%s do not go with hard rules that are violated", what);
    return USAGE;
  }
  return task_contradicted(t) ? task_no_evidence(t) : OK;
}

static const lpmln_answer by_circuit = {.method = LPMLN_EXACT, .exact = true, .complete = true};

static void say_cut(const Task *t, bool cut) {
  if (cut)
    diagnose_warning(t->said, NOWHERE, NULL, "more than %d tie", MOST_TIES);
}

/* ---- visible states -------------------------------------------------------------------- */

static void mark_visible(Layered *l) {
  const Ground *g = l->task->ground;
  for (Atom a = 0; a < g->atoms.n; a++)
    l->first[a] = g->atoms.at[a].shown;
  for (size_t i = 0; i < g->terms.n; i++)
    l->first[g->terms.at[i].atom] = true;
}

static Status fill_states(const Layered *l, lpmln_models *answer) {
  const Task *t = l->task;
  const Circuit *c = &l->compiled.circuit;
  Log observed = circuit_log(c, &l->values, &l->root), log_weight, best = {0};
  VEC(lpmln_stable_model) list = {0};
  bool *atoms = answer_atoms(t->ground), cut = false;
  Status status = OK;
  CircuitBest *states = circuit_best_layered(c, &l->root, &l->layers);
  while (status == OK && circuit_best_next(states, atoms, &log_weight)) {
    best = list.n ? best : log_weight;
    cut = list.n == MOST_TIES;
    if (cut || log_apart(best, log_weight) > TIE)
      break;
    lpmln_stable_model state = {.log_weight = log_double(log_weight)};
    state.log_probability = fmin(log_apart(log_weight, observed), 0);
    state.probability = exp(state.log_probability);
    state.atoms = answer_shown(t, atoms, &state.atom_count);
    vec_push(&list, state);
    status = limits_check(&t->limits);
  }
  circuit_best_free(states);
  free(atoms);
  answer_order(list.at, list.n);
  say_cut(t, cut);
  answer->about = by_circuit;
  answer->about.complete = status == OK && !cut;
  answer->log_weight_upper = log_double(best);
  answer->count = list.n;
  answer->models = arena_take(t->answer, &list);
  return status;
}

Status layers_visible(const Task *t, lpmln_models *answer) {
  Status status = refuse_methods(t, "visible states");
  if (status != OK)
    return status;
  Layered l;
  layered_begin(t, &l);
  mark_visible(&l);
  status = layered_make(&l);
  if (status == OK) {
    circuit_layers_sum(&l.compiled.circuit, t->weights, &l.values, &l.layers);
    status = fill_states(&l, answer);
  }
  layered_free(&l);
  return status;
}

/* ---- decisions ------------------------------------------------------------------------- */

#define NEAR 1e-9 /* of expected utilities that tie, for each unit of their size */

/* Gains by variable, of components that are alike; what is certain is a constant. */
static void set_gains(Layered *l) {
  const Circuit *c = &l->compiled.circuit;
  const Analysis *an = &l->analysis;
  const Ground *g = l->task->ground;
  double *gain = memory_zero(c->variables.n, sizeof *gain);
  for (uint32_t k = 0; k < an->components; k++) {
    const CircuitBlock *block = &c->blocks.at[an->kind[k]];
    for (uint32_t i = 0; i < block->atoms; i++)
      gain[block->first + i] = l->gain[an->member[an->first[k] + i]];
  }
  circuit_layers_expect(c, &l->values, gain, &l->layers);
  double certain = 0;
  for (Atom a = 0; a < g->atoms.n; a++)
    certain += g->atoms.at[a].truth == ATOM_CERTAIN ? l->gain[a] : 0;
  l->layers.constant = log_of(certain);
  free(gain);
}

static void mark_decisions(Layered *l) {
  const Ground *g = l->task->ground;
  for (size_t i = 0; i < g->decisions.n; i++)
    l->first[g->decisions.at[i].atom] = true;
  for (size_t i = 0; i < g->utilities.n; i++)
    l->gain[g->utilities.at[i].atom] += g->utilities.at[i].value;
}

static const bool *values_of(const Task *t, const bool *atoms) {
  const Ground *g = t->ground;
  bool *values = arena_zero(t->answer, g->decisions.n, sizeof *values);
  for (size_t i = 0; i < g->decisions.n; i++)
    values[i] = atoms[g->decisions.at[i].atom];
  return values;
}

static const char *const *names_of(const Task *t) {
  const Ground *g = t->ground;
  const char **names = arena_zero(t->answer, g->decisions.n, sizeof *names);
  for (size_t i = 0; i < g->decisions.n; i++)
    names[i] = arena_text(t->answer, ground_text(g, g->decisions.at[i].text));
  return names;
}

static Status fill_decisions(const Layered *l, lpmln_decision *answer) {
  const Task *t = l->task;
  VEC(const bool *) list = {0};
  bool *atoms = answer_atoms(t->ground), cut = false;
  Log worth, best = {0};
  Status status = OK;
  CircuitBest *found = circuit_best_layered(&l->compiled.circuit, &l->root, &l->layers);
  while (status == OK && circuit_best_next(found, atoms, &worth)) {
    best = list.n ? best : worth;
    cut = list.n == MOST_TIES;
    if (cut || log_apart(best, worth) > NEAR * fmax(1, fabs(log_double(best))))
      break;
    vec_push(&list, values_of(t, atoms));
    status = limits_check(&t->limits);
  }
  circuit_best_free(found);
  free(atoms);
  say_cut(t, cut);
  answer->about = by_circuit;
  answer->about.complete = status == OK && !cut;
  answer->expected_utility = log_double(best);
  answer->atom_count = t->ground->decisions.n;
  answer->atoms = names_of(t);
  answer->count = list.n;
  answer->values = arena_take(t->answer, &list);
  return status;
}

Status layers_decide(const Task *t, lpmln_decision *answer) {
  Status status = refuse_methods(t, "decisions");
  if (status != OK)
    return status;
  if (!t->ground->decisions.n) {
    diagnose_error(t->said, NOWHERE, "write #decision a. and #utility(5) a.",
                   "the program has nothing to decide");
    return INPUT;
  }
  Layered l;
  layered_begin(t, &l);
  mark_decisions(&l);
  status = layered_make(&l);
  if (status == OK) {
    set_gains(&l);
    status = fill_decisions(&l, answer);
  }
  layered_free(&l);
  return status;
}
