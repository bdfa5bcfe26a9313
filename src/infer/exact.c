/* exact.c - answers from the compiled circuit. */
#include "api/bundle.h"
#include "infer/engine.h"
#include "infer/hard.h"
#include "write/dot.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_TIES = 10000 };

/* The circuit of the program alone and with the evidence, and their values.  A
** compiled file brings its own; other questions are compiled beside it. */
typedef struct {
  Compiled *c;
  const Circuit *circuit;
  Lit *evidence;
  size_t evidences;
  CircuitRoot own[2];
  const CircuitRoot *program, *observed;
  CircuitValues values;
  double *weights;
  double log_program, log_observed;
} Exact;

static void exact_free(Exact *e) {
  circuit_root_free(&e->own[0]);
  circuit_root_free(&e->own[1]);
  circuit_values_free(&e->values);
  free(e->evidence);
  free(e->weights);
}

static void begin(lpmln *p) {
  atomic_store(&p->stage, LPMLN_COMPILING);
  if (p->compiling)
    return;
  CompileOptions options = compile_options_default();
  options.memory = p->options.memory_limit << 20;
  options.stop = &p->stop;
  options.seed = p->options.seed;
  options.threads = p->options.threads;
  compile_begin(&p->compiled, &p->ground, &p->analysis, &options);
  p->compiling = true;
}

/* `auto` keeps half of the time for another engine. */
static void set_deadline(lpmln *p) {
  double left = p->limits.deadline > 0 ? fmax(p->limits.deadline - clock_now(), 1e-3) : INFINITY;
  if (p->compile_seconds > 0)
    left = fmin(p->options.method == LPMLN_AUTO ? left / 2 : left, p->compile_seconds);
  p->compiled.options.seconds = isinf(left) ? 0 : left;
}

static Status explain(lpmln *p, Status status) {
  if (status == LIMIT)
    diagnose_warning(&p->program.sources, NOWHERE, NULL, "compiling: %s", p->compiled.message.at);
  return status;
}

/* Compiles the program, and with the evidence. */
static Status make_roots(lpmln *p, Exact *e) {
  Status status = compile_root(e->c, NULL, 0, NULL, 0, &e->own[0]);
  if (status == OK && circuit_possible(&e->own[0]))
    status = compile_root(e->c, e->evidence, e->evidences, NULL, 0, &e->own[1]);
  e->circuit = &e->c->circuit;
  e->program = &e->own[0], e->observed = &e->own[1];
  return status == OK ? OK : explain(p, status);
}

static Status find_roots(lpmln *p, Exact *e) {
  begin(p);
  set_deadline(p);
  e->c = &p->compiled;
  problem_evidence(p, &e->evidence, &e->evidences);
  Status status = OK;
  if (p->from_bundle) {
    e->circuit = &p->bundle.circuit;
    e->program = &p->bundle.roots[0], e->observed = &p->bundle.roots[1];
  } else {
    status = make_roots(p, e);
  }
  if (status == OK && !circuit_possible(e->program))
    return problem_no_model(p);
  if (status == OK && !circuit_possible(e->observed))
    return problem_no_evidence(p);
  return status;
}

static Status prepare(lpmln *p, Exact *e, bool uniform) {
  Status status = find_roots(p, e);
  if (status != OK)
    return status;
  e->weights = memory_zero(p->ground.weights.n, sizeof *e->weights);
  for (size_t i = 0; !uniform && i < p->ground.weights.n; i++)
    e->weights[i] = p->ground.weights.at[i].value;
  circuit_values_make(e->circuit, &e->values);
  circuit_evaluate(e->circuit, e->weights, &e->values);
  e->log_program = circuit_log_value(e->circuit, &e->values, e->program);
  e->log_observed = circuit_log_value(e->circuit, &e->values, e->observed);
  return OK;
}

static const lpmln_answer by_circuit = {.method = LPMLN_EXACT, .exact = true, .complete = true};

/* ---- size ------------------------------------------------------------------------ */

/* A name for people: some atom of the component that has one. */
static const char *atom_of_component(const lpmln *p, uint32_t component) {
  const Analysis *an = &p->analysis;
  for (uint32_t i = an->first[component]; i < an->first[component + 1]; i++)
    if (p->ground.atoms.at[an->member[i]].name != NONE)
      return ground_text(&p->ground, p->ground.atoms.at[an->member[i]].name);
  return NULL;
}

Status exact_size(lpmln *p, lpmln_analysis *answer) {
  begin(p);
  set_deadline(p);
  CircuitRoot root = {0};
  Status status = compile_root(&p->compiled, NULL, 0, NULL, 0, &root);
  for (size_t i = 0; status == OK && i < root.parts.n; i++) {
    const CircuitPart *part = &root.parts.at[i];
    size_t size = circuit_size(&p->compiled.circuit, part->node);
    answer->circuit_nodes += size;
    if (size <= answer->largest_part)
      continue;
    answer->largest_part = size;
    answer->largest_atom = atom_of_component(p, root.copies.at[part->first]);
  }
  circuit_root_free(&root);
  return status;
}

/* ---- probabilities -------------------------------------------------------------- */

/* Rounding may leave a trace of probability where there is none, or none where
** there is some: whether an atom that seems certain or impossible really is, is
** a question for the solver, and a much cheaper one than its probability. */
static Status settle(lpmln *p, const Exact *e, Atom atom, bool listed, double *probability) {
  bool nearly_false = *probability<1e-12, nearly_true = *probability> 1 - 1e-12;
  bool plain = *probability == 0 || *probability == 1;
  if ((!nearly_false && !nearly_true) || (plain && listed) ||
      p->ground.atoms.at[atom].truth != ATOM_OPEN)
    return OK;
  Lit *literals = memory_zero(e->evidences + 1, sizeof *literals);
  for (size_t i = 0; i < e->evidences; i++)
    literals[i] = e->evidence[i];
  literals[e->evidences] = lit_of(atom, nearly_true);
  bool possible;
  Status status = problem_satisfiable(p, literals, e->evidences + 1, NONE, &possible);
  if (status == OK && !possible)
    *probability = nearly_true;
  else if (status == OK && plain) /* less than a double can tell from 0 or 1 */
    *probability = nearly_true ? nextafter(1, 0) : DBL_MIN;
  free(literals);
  return status;
}

/* Guessed atoms are variables of the circuit; the others are compiled for, in
** slices. */
static Status find_probabilities(lpmln *p, Exact *e, const Atom *atoms, size_t n, double *result) {
  const Ground *g = &p->ground;
  double *by_atom = memory_zero(g->atoms.n, sizeof *by_atom), *rest;
  VEC(Atom) derived = {0};
  circuit_marginals(e->circuit, &e->values, e->observed, by_atom);
  for (size_t i = 0; i < n; i++)
    if (g->atoms.at[atoms[i]].truth == ATOM_CERTAIN)
      by_atom[atoms[i]] = 1;
    else if (g->atoms.at[atoms[i]].truth == ATOM_OPEN && !e->c->strata.guessed[atoms[i]])
      vec_push(&derived, atoms[i]);
  rest = memory_zero(derived.n, sizeof *rest);
  Status status = OK;
  if (derived.n)
    status = compile_marginals(e->c, e->evidence, e->evidences, derived.at, derived.n, e->weights,
                               0, rest);
  for (size_t i = 0; status == OK && i < derived.n; i++)
    by_atom[derived.at[i]] = rest[i];
  for (size_t i = 0; status == OK && i < n; i++)
    result[i] = by_atom[atoms[i]];
  vec_free(&derived);
  free(rest);
  free(by_atom);
  return status;
}

static Status fill_marginals(lpmln *p, Exact *e, lpmln_inference *answer) {
  AskedList asked = {0};
  bool always;
  answer_asked(p, &asked, &always);
  lpmln_marginal *list = problem_keep(p, asked.n, sizeof *list);
  Atom *atoms = memory_zero(asked.n, sizeof *atoms);
  double *probabilities = memory_zero(asked.n, sizeof *probabilities);
  for (size_t i = 0; i < asked.n; i++)
    atoms[i] = asked.at[i].atom;
  Status status = find_probabilities(p, e, atoms, asked.n, probabilities);
  for (size_t i = 0; status == OK && i < asked.n; i++)
    status = settle(p, e, atoms[i], always, &probabilities[i]);
  for (size_t i = 0; status == OK && i < asked.n; i++)
    if (always || (probabilities[i] > 0 && probabilities[i] < 1))
      list[answer->count++] = (lpmln_marginal){asked.at[i].text, probabilities[i], 0, NAN, NAN};
  answer->marginals = list;
  free(atoms);
  free(probabilities);
  vec_free(&asked);
  return status == OK ? OK : explain(p, status);
}

Status exact_infer(lpmln *p, lpmln_inference *answer) {
  Exact e = {0};
  Status status = prepare(p, &e, false);
  if (status == OK)
    status = fill_marginals(p, &e, answer);
  if (status == OK) {
    answer->about = by_circuit;
    answer->log_partition = e.log_program;
    answer->log_evidence = e.evidences ? e.log_observed - e.log_program : 0;
  }
  exact_free(&e);
  return status;
}

/* ---- models --------------------------------------------------------------------- */

static Status fill_models(lpmln *p, Exact *e, Wanted wanted, lpmln_models *answer) {
  VEC(lpmln_model) list = {0};
  bool *atoms = answer_atoms(p);
  double log_weight, best = -INFINITY;
  bool cut = false;
  Status status = OK;
  CircuitBest *models = circuit_best_make(e->circuit, e->observed, e->weights);
  while (status == OK && (!wanted.most || list.n < wanted.most) &&
         circuit_best_next(models, atoms, &log_weight)) {
    best = list.n ? best : log_weight;
    cut = wanted.ties && list.n == MOST_TIES;
    if (cut || (wanted.ties && log_weight < best - TIE))
      break;
    strata_extend(&p->ground, &e->c->strata, atoms);
    vec_push(&list, answer_model(p, atoms, log_weight, exp(log_weight - e->log_observed)));
    status = limits_check(&p->limits);
  }
  circuit_best_free(models);
  free(atoms);
  answer_order(list.at, list.n);
  vec_push(&p->answers, list.at);
  if (cut)
    diagnose_warning(&p->program.sources, NOWHERE, NULL, "more than %d models tie", MOST_TIES);
  char *total = circuit_count(e->circuit, e->observed);
  answer->about = by_circuit;
  answer->about.complete = status == OK && !cut;
  answer->total = answer->about.models_seen = problem_keep_text(p, total);
  answer->count = list.n;
  answer->models = list.at;
  free(total);
  return status;
}

Status exact_models(lpmln *p, Wanted wanted, lpmln_models *answer) {
  Exact e = {0};
  Status status = prepare(p, &e, false);
  if (status == OK)
    status = fill_models(p, &e, wanted, answer);
  exact_free(&e);
  return status;
}

/* ---- samples --------------------------------------------------------------------- */

Status exact_sample(lpmln *p, size_t count, bool uniform, lpmln_samples *answer) {
  Exact e = {0};
  Status status = prepare(p, &e, uniform);
  if (status == OK) {
    lpmln_sample *samples = problem_keep(p, count, sizeof *samples);
    bool *atoms = answer_atoms(p);
    Random random = random_make(p->options.seed, 0);
    for (; answer->count < count && (status = limits_check(&p->limits)) == OK; answer->count++) {
      lpmln_sample *sample = &samples[answer->count];
      circuit_sample(e.circuit, &e.values, e.observed, &random, atoms);
      strata_extend(&p->ground, &e.c->strata, atoms);
      sample->atoms = answer_shown(p, atoms, &sample->atom_count);
    }
    free(atoms);
    answer->about = by_circuit;
    answer->about.complete = status == OK;
    answer->uniform = uniform;
    answer->samples = samples;
  }
  exact_free(&e);
  return status;
}

/* ---- files ----------------------------------------------------------------------- */

Status exact_compile(lpmln *p, Text *out) {
  Exact e = {0};
  Status status = find_roots(p, &e);
  if (status == OK && !p->from_bundle) {
    CircuitRoot *roots[] = {&e.own[0], &e.own[1]};
    compile_compact(e.c, roots, 2);
    bundle_save(p, e.program, e.observed, out);
  } else if (status == OK) {
    diagnose_error(&p->program.sources, NOWHERE, NULL, "this program is compiled already");
    status = USAGE;
  }
  exact_free(&e);
  return status;
}

/* By variable: it is an input, or some node decides it. */
static bool *used_variables(const Circuit *c) {
  bool *used = memory_zero(c->variables.n, sizeof *used);
  for (size_t v = 0; v < c->variables.n; v++)
    used[v] = c->variables.at[v].sort == CIRCUIT_INPUT;
  for (size_t i = 2; i < c->nodes.n; i++)
    if (c->nodes.at[i].variable != CIRCUIT_NONE)
      used[c->nodes.at[i].variable] = true;
  return used;
}

/* `c NUMBER ATOM` for each variable of the NNF, copies in the order of the root. */
static void name_variables(const lpmln *p, const Circuit *c, const CircuitRoot *root, Text *out) {
  bool *used = used_variables(c);
  uint32_t shift = 1;
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    const CircuitBlock *block = &c->blocks.at[part->block];
    for (uint32_t k = 0; k < part->copies; k++, shift += block->count) {
      const uint32_t *members = c->members.at + c->starts.at[root->copies.at[part->first + k]];
      for (uint32_t v = 0; v < block->count; v++) {
        uint32_t name = v < block->atoms ? p->ground.atoms.at[members[v]].name : NONE;
        const char *text = v < block->atoms ? "(auxiliary)" : "(violation of a soft rule)";
        if (used[block->first + v])
          text_printf(out, "c %u %s\n", shift + v,
                      name != NONE ? ground_text(&p->ground, name) : text);
      }
    }
  }
  free(used);
}

Status exact_nnf(lpmln *p, Text *out) {
  Exact e = {0};
  Status status = find_roots(p, &e);
  if (status == OK) {
    name_variables(p, e.circuit, e.observed, out);
    circuit_write_nnf(e.circuit, e.observed, out);
  }
  exact_free(&e);
  return status;
}

Status exact_dot(lpmln *p, Text *out) {
  Exact e = {0};
  Status status = find_roots(p, &e);
  if (status == OK)
    write_circuit_dot(&p->ground, e.circuit, e.observed, out);
  exact_free(&e);
  return status;
}
