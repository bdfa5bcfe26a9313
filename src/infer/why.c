/* why.c - see why.h.
**
** The program is compiled once more, so that the circuit tells every guess that the query depends
** on.  All else is a matter of setting literals in that circuit. */
#include "infer/why.h"

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/scaled.h"
#include "base/source.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "infer/derivation.h"
#include "infer/engine.h"
#include "infer/exact.h"
#include "infer/guesses.h"
#include "infer/proofs.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const Task *asked; /* with the condition of the query as evidence */
  Atom query;
  Probability chance;
  Guesses guesses;
  Analysis analysis;
  Compiled compiled;
  bool compiling;
  Side all; /* borrowed but for its root: the query's component with the evidence */
  Side with, against;
  Lits open;      /* guesses that the evidence leaves open, each different from the others */
  VEC(bool) free; /* likewise: see guesses.h */
  size_t used;    /* so many of them proofs may have */
  size_t until[GUESS_LEVELS]; /* so many, the first ones, are of this level or a lower one */
  lpmln_explanation *to;
} Why;

/* ---- the circuit ------------------------------------------------------------------------ */

/* What the circuit would not tell by itself. */
static void find_wanted(const Why *w, const Compiled *c, Atoms *to) {
  for (size_t i = 0; i < w->guesses.list.n; i++) {
    Atom a = lit_atom(w->guesses.list.at[i].holds);
    if (!c->strata.guessed[a])
      vec_push(to, a);
  }
  if (!c->strata.guessed[w->query])
    vec_push(to, w->query);
}

/* The part of the root that is about the query. */
static void take_part(Why *w, const CircuitRoot *root) {
  uint32_t component = w->analysis.component[w->query];
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    for (uint32_t k = 0; k < part->copies; k++)
      if (root->copies.at[part->first + k] == component) {
        vec_push(&w->all.root.parts, (CircuitPart){part->node, part->block, 0, 1});
        vec_push(&w->all.root.copies, component);
      }
  }
  assert(w->all.root.parts.n == 1);
}

static Status compile(Why *w) {
  guesses_make(w->asked->ground, w->asked->evidence, w->asked->evidences, w->query, &w->guesses);
  analysis_make(&w->guesses.ground, &w->analysis);
  Task own = *w->asked;
  own.ground = &w->guesses.ground, own.analysis = &w->analysis;
  own.compiled = &w->compiled, own.compiling = &w->compiling;
  Compiled *c = task_compiled(&own);
  Atoms wanted = {0};
  CircuitRoot root = {0};
  find_wanted(w, c, &wanted);
  Status status = compile_root(c, own.evidence, own.evidences, wanted.at, wanted.n, &root);
  if (status == LIMIT)
    diagnose_warning(own.said, NOWHERE, NULL, "compiling: %s", c->message.at);
  if (status == OK) {
    w->all.circuit = c->circuit;
    take_part(w, &root);
  }
  circuit_root_free(&root);
  vec_free(&wanted);
  return status;
}

static bool possible(const Why *w, const Lit *literals, size_t n) {
  Side set = {0};
  bool is = side_set(&w->all, literals, n, &set);
  side_free(&set);
  return is;
}

static Probability *marginals(const Why *w, const Side *side) {
  Probability *p = memory_zero(w->guesses.ground.atoms.n, sizeof *p);
  side_marginals(side, w->asked->weights, p);
  return p;
}

/* ---- guesses ---------------------------------------------------------------------------- */

/* Do these two guesses always agree, or never?  `on` and `off` are marginals given the first. */
static bool is_same(const Why *w, Lit first, Lit second, const Probability *on,
                    const Probability *off) {
  double x = on[lit_atom(second)].value, y = off[lit_atom(second)].value;
  bool equal = x > 1 - 1e-9 && y<1e-9, opposite = y> 1 - 1e-9 && x < 1e-9;
  if (!equal && !opposite)
    return false;
  Lit atom = lit_of(lit_atom(first), false), other = lit_of(lit_atom(second), opposite);
  const Lit one[2] = {atom, lit_not(other)}, two[2] = {lit_not(atom), other};
  return !possible(w, one, 2) && !possible(w, two, 2);
}

static bool comes_after(const Why *w, size_t first, size_t second) {
  int one = w->guesses.list.at[first].level, other = w->guesses.list.at[second].level;
  return one != other ? one < other : first < second;
}

/* False: the evidence decides the guess.  Drops later ones that say the same. */
static bool look_at(Why *w, size_t number, bool *dropped) {
  Lit atom = lit_of(lit_atom(w->guesses.list.at[number].holds), false), not_atom = lit_not(atom);
  Side yes = {0}, no = {0};
  bool open = side_set(&w->all, &atom, 1, &yes) && side_set(&w->all, &not_atom, 1, &no);
  if (open) {
    Probability *on = marginals(w, &yes), *off = marginals(w, &no);
    for (size_t k = 0; k < w->guesses.list.n; k++)
      dropped[k] = dropped[k] || (comes_after(w, number, k) &&
                                  is_same(w, atom, w->guesses.list.at[k].holds, on, off));
    free(on);
    free(off);
  }
  side_free(&yes);
  side_free(&no);
  return open;
}

static void take_open(Why *w, const Guess *guess) {
  vec_push(&w->open, guess->holds);
  vec_push(&w->free, guess->free);
}

/* What is guessed first: causes, then choices that depend on other guesses, then atoms of such
** loops that have no name. */
static Status find_open(Why *w) {
  bool *dropped = memory_zero(w->guesses.list.n, sizeof *dropped);
  Status status = OK;
  for (int level = 0; level < GUESS_LEVELS; level++) {
    for (size_t i = 0; status == OK && i < w->guesses.list.n; i++) {
      if (w->guesses.list.at[i].level == level && !dropped[i] && look_at(w, i, dropped))
        take_open(w, &w->guesses.list.at[i]);
      status = limits_check(&w->asked->limits);
    }
    w->until[level] = w->open.n;
  }
  free(dropped);
  return status;
}

static const Guess *guess_of(const Why *w, Lit literal) {
  size_t i = 0;
  while (lit_atom(w->guesses.list.at[i].holds) != lit_atom(literal))
    i++;
  assert(i < w->guesses.list.n);
  return &w->guesses.list.at[i];
}

static const char *describe(const Why *w, Lit literal) {
  const Guess *g = guess_of(w, literal);
  return guess_text(w->asked, &w->guesses, g, literal != g->holds);
}

/* ---- proofs ------------------------------------------------------------------------------ */

/* The rules of the most probable model with the proof and the query. */
static void fill_rules(const Why *w, const Side *side, const Proof *proof, lpmln_proof *to) {
  const Ground *g = &w->guesses.ground;
  bool *inputs = memory_zero(g->atoms.n, sizeof *inputs);
  for (size_t i = 0; i < proof->literals.n; i++)
    inputs[guess_of(w, proof->literals.at[i])->head] = true;
  bool *model = answer_atoms(g);
  side_best(side, w->asked->weights, model);
  strata_extend(g, &w->compiled.strata, model);
  RuleNumbers rules = {0};
  derivation_find(g, model, inputs, w->query, &rules);
  const char **texts = arena_zero(w->asked->answer, rules.n + 1, sizeof *texts);
  for (size_t i = 0; i < rules.n; i++) {
    Text text = {0};
    guess_write_rule(g, &g->rules.at[rules.at[i]], &text);
    texts[to->rule_count++] = arena_bytes(w->asked->answer, text.at, text.n);
    vec_free(&text);
  }
  to->rules = texts;
  vec_free(&rules);
  free(inputs);
  free(model);
}

static lpmln_proof proof_of(const Why *w, const Proof *proof) {
  lpmln_proof to = {.input_count = proof->literals.n};
  const char **inputs = arena_zero(w->asked->answer, proof->literals.n + 1, sizeof *inputs);
  size_t n = 0;
  for (size_t i = 0; i < w->open.n; i++)
    for (size_t k = 0; k < proof->literals.n; k++)
      if (lit_atom(proof->literals.at[k]) == lit_atom(w->open.at[i]))
        inputs[n++] = describe(w, proof->literals.at[k]);
  assert(n == proof->literals.n);
  to.inputs = inputs;
  Side side = {0};
  bool is = side_set(&w->with, proof->literals.at, proof->literals.n, &side);
  assert(is);
  (void)is;
  double log_share = side_log_share(&side, &w->with, w->asked->weights);
  to.share = exp(log_share);
  to.log_probability = log_share + w->chance.log;
  to.probability = exp(to.log_probability);
  fill_rules(w, &side, proof, &to);
  side_free(&side);
  return to;
}

static int by_inputs(const void *a, const void *b) {
  const lpmln_proof *x = a, *y = b;
  if (x->input_count != y->input_count)
    return x->input_count < y->input_count ? -1 : 1;
  for (size_t i = 0; i < x->input_count; i++) {
    int order = strverscmp(x->inputs[i], y->inputs[i]);
    if (order)
      return order;
  }
  return 0;
}

static int by_share(const void *a, const void *b) {
  const lpmln_proof *x = a, *y = b;
  return (x->share < y->share) - (x->share > y->share);
}

/* Proofs of equal share, but for rounding, by their size and text. */
static void order_proofs(lpmln_proof *proofs, size_t n) {
  qsort(proofs, n, sizeof *proofs, by_share);
  for (size_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && proofs[from].share - proofs[to].share < 1e-12; to++)
      ;
    qsort(proofs + from, to - from, sizeof *proofs, by_inputs);
  }
}

/* Of the first guesses, unless these leave the query open: then of more. */
static Status search_levels(Why *w, ProofSearch *search, Proofs *found) {
  bool undecided = true;
  Status status = OK;
  for (int level = 0; status == OK && undecided && level < GUESS_LEVELS; level++) {
    bool last = level + 1 == GUESS_LEVELS;
    proofs_free(found);
    undecided = false;
    w->used = search->guess_count = w->until[level];
    search->undecided = last ? NULL : &undecided;
    status = proofs_find(search, found);
  }
  search->undecided = NULL;
  return status;
}

static Status find_proofs(Why *w, const lpmln_why_options *wanted) {
  const Lit is = lit_of(w->query, false), is_not = lit_not(is);
  bool holds = side_set(&w->all, &is, 1, &w->with);
  bool always = !side_set(&w->all, &is_not, 1, &w->against);
  assert(holds);
  (void)holds;
  ProofSearch search = {.with = &w->with,
                        .against = &w->against,
                        .always = always,
                        .weights = w->asked->weights,
                        .guesses = w->open.at,
                        .free = w->free.at,
                        .atoms = w->guesses.ground.atoms.n,
                        .most = wanted->most,
                        .least = wanted->least_share,
                        .limits = &w->asked->limits};
  Proofs found = {0};
  Status status = search_levels(w, &search, &found);
  lpmln_proof *list = arena_zero(w->asked->answer, found.n + 1, sizeof *list);
  for (size_t i = 0; i < found.n; i++)
    list[w->to->count++] = proof_of(w, &found.at[i]);
  order_proofs(list, found.n);
  w->to->proofs = list;
  proofs_free(&found);
  return status;
}

/* ---- what would change it ----------------------------------------------------------------- */

static double difference(const lpmln_change *c) {
  return fabs(c->probability_with - c->probability_without);
}

static int by_difference(const void *a, const void *b) {
  const lpmln_change *x = a, *y = b;
  double one = difference(x), other = difference(y);
  if (fabs(one - other) > 1e-12)
    return one > other ? -1 : 1;
  return strverscmp(x->literal, y->literal);
}

/* P(q | g) = P(g | q) P(q) / P(g), and of the opposite likewise. */
static void find_changes(Why *w, const lpmln_why_options *wanted) {
  Probability *before = marginals(w, &w->all), *after = marginals(w, &w->with);
  lpmln_change *list = arena_zero(w->asked->answer, w->used + 1, sizeof *list);
  double chance = w->chance.value;
  for (size_t i = 0; i < w->used; i++) {
    Lit holds = w->open.at[i];
    double p = before[lit_atom(holds)].value, q = after[lit_atom(holds)].value;
    p = lit_negated(holds) ? 1 - p : p, q = lit_negated(holds) ? 1 - q : q;
    list[i] = (lpmln_change){.literal = describe(w, holds),
                             .probability = p,
                             .probability_with = fmin(q * chance / p, 1),
                             .probability_without = fmin((1 - q) * chance / (1 - p), 1)};
  }
  if (w->used)
    qsort(list, w->used, sizeof *list, by_difference);
  bool all = !wanted->most || wanted->most > w->used;
  w->to->change_count = all ? w->used : wanted->most;
  w->to->changes = list;
  free(before);
  free(after);
}

/* ---- what the evidence adds ---------------------------------------------------------------- */

/* The text of what was observed: the literal, or the statement that forbids its opposite. */
static const char *evidence_text(const Task *t, Lit literal) {
  Text text = {0};
  const char *file;
  unsigned line;
  if (t->ground->atoms.at[lit_atom(literal)].name != NONE)
    guess_write_literal(t->ground, literal, &text);
  for (size_t i = 0; !text.n && i < t->observed->violations.n; i++) {
    const Violation *v = &t->observed->violations.at[i];
    if (v->lit == lit_not(literal) && v->statement != NONE)
      program_describe(t->program, &t->program->statements.at[v->statement], &file, &line, &text);
  }
  const char *made = arena_bytes(t->answer, text.at, text.n);
  vec_free(&text);
  return made;
}

static Status find_chance(const Task *t, Atom query, Probability *to) {
  ExactFound exact;
  Status status = exact_find(t, &query, 1, &exact, to);
  exact_found_free(&exact);
  return status;
}

static Status find_evidence(Why *w, size_t pieces) {
  const Task *t = w->asked;
  lpmln_piece *list = arena_zero(t->answer, pieces + 1, sizeof *list);
  Lit *rest = memory_zero(t->evidences, sizeof *rest);
  Task less = *t;
  less.evidence = rest, less.evidences = t->evidences ? t->evidences - 1 : 0;
  Status status = OK;
  w->to->evidence = list;
  for (size_t i = 0; status == OK && i < pieces; i++) {
    Probability p;
    for (size_t k = 0, n = 0; k < t->evidences; k++)
      if (k != i)
        rest[n++] = t->evidence[k];
    status = find_chance(&less, w->query, &p);
    if (status == OK)
      list[w->to->evidence_count++] = (lpmln_piece){evidence_text(t, t->evidence[i]), p.value};
  }
  free(rest);
  return status;
}

/* ---- the question -------------------------------------------------------------------------- */

static Status explain(Why *w, const lpmln_why_options *wanted) {
  Status status = compile(w);
  if (status == OK)
    status = find_open(w);
  if (status == OK) {
    status = find_proofs(w, wanted);
    find_changes(w, wanted);
  }
  return status;
}

static void why_free(Why *w) {
  side_free(&w->with);
  side_free(&w->against);
  circuit_root_free(&w->all.root);
  if (w->compiling)
    compile_free(&w->compiled);
  analysis_free(&w->analysis);
  guesses_free(&w->guesses);
  vec_free(&w->open);
  vec_free(&w->free);
}

/* It holds in every stable model: nothing needs to be guessed. */
static void fill_certain(const Task *t, lpmln_explanation *to) {
  lpmln_proof *proof = arena_zero(t->answer, 1, sizeof *proof);
  proof->probability = proof->share = 1;
  proof->inputs = proof->rules = arena_zero(t->answer, 1, sizeof *proof->inputs);
  to->proofs = proof, to->count = 1;
}

static Status answer(const Task *t, const Event *query, size_t pieces,
                     const lpmln_why_options *wanted, lpmln_explanation *to) {
  Why w = {.asked = t, .query = query->atom, .to = to};
  Status status = find_chance(t, w.query, &w.chance);
  if (status != OK)
    return status;
  to->about = (lpmln_answer){.method = LPMLN_EXACT, .exact = true, .complete = true};
  to->query = arena_text(t->answer, ground_text(t->ground, query->text));
  to->probability = w.chance.value;
  if (w.chance.value > 0 && w.chance.log == 0)
    fill_certain(t, to);
  else if (w.chance.value > 0 || isfinite(w.chance.log))
    status = explain(&w, wanted);
  if (status == OK)
    status = find_evidence(&w, pieces);
  to->about.complete = status == OK;
  why_free(&w);
  return status;
}

static Status check_condition(const Task *t, const Event *query) {
  Probability chance;
  Status status = find_chance(t, query->given, &chance);
  if (status != OK || chance.value > 0 || isfinite(chance.log))
    return status;
  diagnose_error(t->said, NOWHERE, NULL, "the condition of '%s' is impossible",
                 ground_text(t->ground, query->text));
  return NO_ANSWER;
}

/* Is it a query beside the texts?  ProbLog's have some of their own. */
static bool is_beside(const Task *t, const Event *query) {
  uint32_t number = 0;
  for (size_t i = 0; i < t->program->statements.n; i++) {
    const Statement *s = &t->program->statements.at[i];
    if (s->kind == S_QUERY && number++ == query->first)
      return !strcmp(program_source(t->program, s)->name, ASKED_SOURCE);
  }
  return false;
}

static bool has_query(const Task *t) {
  bool found = false;
  for (size_t i = 0; i < t->program->statements.n && !found; i++)
    found = t->program->statements.at[i].kind == S_QUERY;
  return found;
}

/* The one that is asked; of several those beside the texts count. */
static const Event *find_query(const Task *t, size_t *count) {
  const Ground *g = t->ground;
  const Event *found = g->queries.at;
  *count = g->queries.n;
  size_t beside = 0;
  for (size_t i = 0; i<g->queries.n && * count> 1; i++)
    if (is_beside(t, &g->queries.at[i]))
      found = &g->queries.at[i], beside++;
  *count = beside ? beside : *count;
  return found;
}

Status why(const Task *t, const lpmln_why_options *wanted, lpmln_explanation *to) {
  const Ground *g = t->ground;
  size_t count;
  const Event *query = find_query(t, &count);
  if (count != 1) {
    bool asked = count || has_query(t);
    diagnose_error(t->said, NOWHERE, "ask for one atom, or a formula",
                   asked ? "the query is about %zu atoms" : "there is no query", count);
    return asked ? INPUT : USAGE;
  }
  if (t->hard_bound != NONE) {
    diagnose_error(t->said, NOWHERE, NULL, "proofs need hard rules that can hold");
    return NO_ANSWER;
  }
  if (task_contradicted(t))
    return task_no_evidence(t);
  Task own = *t;
  own.compile_seconds = 0; /* nothing else could answer */
  Status status = query->given == NONE ? OK : check_condition(&own, query);
  if (status != OK)
    return status;
  Lit *evidence = memory_zero(t->evidences + 1, sizeof *evidence);
  if (t->evidences)
    memcpy(evidence, t->evidence, t->evidences * sizeof *evidence);
  if (query->given != NONE && g->atoms.at[query->given].truth == ATOM_OPEN)
    evidence[own.evidences++] = lit_of(query->given, false);
  own.evidence = evidence;
  status = answer(&own, query, t->evidences, wanted, to);
  free(evidence);
  return status;
}
