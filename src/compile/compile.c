/* compile.c - components, kinds and roots; see compile.h. */
#include "compile/compile.h"

#include "base/graph.h"
#include "base/limits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "compile/residual.h"

#include <assert.h>
#include <stdlib.h>

CompileOptions compile_options_default(void) {
  return (CompileOptions){.nodes = 100000000,
                          .memory = (size_t)4 << 30,
                          .foundedness = FOUNDED_BY_TWINS,
                          .diagram_nodes = 2000000,
                          .threads = 1};
}

static void place_members(Compiled *c) {
  const Analysis *an = c->analysis;
  c->position = memory_zero(c->ground->atoms.n, sizeof *c->position);
  for (uint32_t k = 0; k < an->components; k++)
    for (uint32_t i = an->first[k]; i < an->first[k + 1]; i++)
      c->position[an->member[i]] = i - an->first[k];
}

static Atom some_atom(const Ground *g, const Rule *r) {
  assert(r->heads + r->size);
  return r->heads ? rule_heads(g, r)[0] : lit_atom(rule_body(g, r)[0]);
}

/* Rules by component; those without atoms are constant. */
static void place_rules(Compiled *c) {
  const Ground *g = c->ground;
  GraphEdges edges = {0};
  c->impossible = g->inconsistent;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->heads + r->size)
      vec_push(&edges, (GraphEdge){c->analysis->component[some_atom(g, r)], (uint32_t)i});
    else if (r->instance != NONE)
      vec_push(&c->circuit.constants, g->instances.at[r->instance].weight);
    else
      c->impossible |= !r->choice;
  }
  GraphLists lists = graph_lists(&edges, c->analysis->components);
  c->rule_start = lists.start, c->rules = lists.at;
  vec_free(&edges);
}

/* The components' members, and one component without any: it stands for what
** is impossible whatever the atoms. */
static void copy_members(Compiled *c) {
  const Analysis *an = c->analysis;
  uint32_t end = an->components ? an->first[an->components] : 0;
  for (uint32_t i = 0; i < end; i++)
    vec_push(&c->circuit.members, an->member[i]);
  for (uint32_t k = 0; k < an->components; k++)
    vec_push(&c->circuit.starts, an->first[k]);
  vec_push(&c->circuit.starts, end);
  vec_push(&c->circuit.starts, end);
}

void compile_begin(Compiled *c, const Ground *g, const Analysis *an,
                   const CompileOptions *options) {
  assert(an->scc && an->first);
  assert(g->sealed);
  *c = (Compiled){.ground = g, .analysis = an, .options = *options};
  circuit_begin(&c->circuit);
  c->circuit.weights = (uint32_t)g->weights.n;
  c->circuit.atoms = (uint32_t)g->atoms.n;
  strata_make(g, an, &c->strata);
  place_members(c);
  place_rules(c);
  copy_members(c);
  c->units = memory_zero(an->kinds, sizeof *c->units);
  for (uint32_t k = 0; k <= an->kinds; k++) /* the last is the empty one */
    vec_push(&c->circuit.blocks, (CircuitBlock){0});
}

void compile_free(Compiled *c) {
  for (uint32_t k = 0; c->units && k < c->analysis->kinds; k++)
    unit_free(&c->units[k]);
  free(c->units);
  free(c->position);
  free(c->rule_start);
  free(c->rules);
  strata_free(&c->strata);
  circuit_free(&c->circuit);
  vec_free(&c->message);
  *c = (Compiled){0};
}

/* Local literals and atoms of a question, by component. */
typedef struct {
  GraphLists evidence, wanted;
  bool impossible; /* evidence against a certain or impossible atom */
} Question;

/* The values of one component, sorted and without repeats: equal questions
** must look equal. */
static const uint32_t *list_of(const GraphLists *lists, uint32_t component, size_t *n) {
  uint32_t *at = lists->at + lists->start[component];
  *n = sort_unique(at, lists->start[component + 1] - lists->start[component]);
  return at;
}

static Question question_make(const Compiled *c, const CompileQuestion *asked) {
  const Analysis *an = c->analysis;
  Question q = {.impossible = c->impossible};
  GraphEdges edges = {0};
  for (size_t i = 0; i < asked->evidences; i++) {
    Lit l = asked->evidence[i];
    Atom a = lit_atom(l);
    assert(a < c->ground->atoms.n);
    uint8_t truth = c->ground->atoms.at[a].truth;
    if (truth == ATOM_OPEN)
      vec_push(&edges, (GraphEdge){an->component[a], lit_of(c->position[a], lit_negated(l))});
    else
      q.impossible |= (truth == ATOM_CERTAIN) == lit_negated(l);
  }
  q.evidence = graph_lists(&edges, an->components);
  edges.n = 0;
  for (size_t i = 0; i < asked->wants; i++) {
    Atom a = asked->wanted[i];
    assert(a < c->ground->atoms.n);
    if (c->ground->atoms.at[a].truth == ATOM_OPEN && !c->strata.guessed[a])
      vec_push(&edges, (GraphEdge){an->component[a], c->position[a]});
  }
  q.wanted = graph_lists(&edges, an->components);
  vec_free(&edges);
  return q;
}

static void question_free(Question *q) {
  graph_lists_free(&q->evidence);
  graph_lists_free(&q->wanted);
}

typedef struct {
  uint32_t block, node, component;
} Use;

static int compare_uses(const void *a, const void *b) {
  const Use *x = a, *y = b;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  return (x->component > y->component) - (x->component < y->component);
}

/* Equal uses become one part with several copies. */
static void make_root(Use *uses, size_t n, CircuitRoot *root) {
  assert(!root->parts.n && !root->copies.n);
  if (n)
    qsort(uses, n, sizeof *uses, compare_uses);
  for (size_t i = 0; i < n; i++) {
    if (!i || uses[i].block != uses[i - 1].block || uses[i].node != uses[i - 1].node)
      vec_push(&root->parts,
               (CircuitPart){uses[i].node, uses[i].block, (uint32_t)root->copies.n, 0});
    root->parts.at[root->parts.n - 1].copies++;
    vec_push(&root->copies, uses[i].component);
  }
}

/* One component's share of a question. */
typedef struct {
  uint32_t question, component, lane;
  uint32_t node; /* in the circuit of its lane */
} Ask;

/* Questions, cut into asks; a job is a lane of a kind. */
typedef struct {
  Compiled *c;
  const Question *questions;
  const SearchLimits *limits;
  uint32_t lanes;
  uint32_t *sample; /* by kind: some component of it */
  VEC(Ask) asks;
  GraphLists by_job;
  Status *status; /* by job */
} Work;

static void begin_kind(void *data, size_t kind) {
  Work *w = data;
  const Compiled *c = w->c;
  const Analysis *an = c->analysis;
  uint32_t component = w->sample[kind];
  TheorySource source = {.ground = c->ground,
                         .analysis = an,
                         .strata = &c->strata,
                         .rules = c->rules + c->rule_start[component],
                         .rule_count = c->rule_start[component + 1] - c->rule_start[component],
                         .members = an->member + an->first[component],
                         .member_count = an->first[component + 1] - an->first[component],
                         .position = c->position,
                         .foundedness = c->options.foundedness,
                         .node_limit = c->options.diagram_nodes};
  if (!c->units[kind].begun)
    (void)unit_begin(&c->units[kind], &source, (uint32_t)kind, c->options.seed);
}

static void explain(const CompileUnit *unit, UnitLane *lane, uint32_t component, Status status) {
  uint32_t inputs = 0;
  for (uint32_t a = 0; a < unit->theory.members; a++)
    inputs += unit->theory.input.at[a];
  lane->message.n = 0;
  text_printf(&lane->message,
              "%s while compiling component %u (%u atoms, %u of them guessed) after "
              "%zu branches and %zu circuit nodes",
              status == INTERRUPTED ? "interrupted" : "a limit was reached", component + 1,
              unit->theory.members, inputs, lane->search.branches, lane->own.nodes.n);
}

static void do_job(void *data, size_t job) {

  Work *w = data;
  uint32_t first = w->by_job.start[job], last = w->by_job.start[job + 1];
  if (first == last)
    return;
  CompileUnit *unit = &w->c->units[job / w->lanes];
  assert(job / w->lanes < w->c->analysis->kinds);
  if (!unit->begun)
    return;
  UnitLane *lane = unit_lane(unit, (uint32_t)(job % w->lanes), w->c->options.choice);
  SearchLimits limits = *w->limits;
  double until = w->c->options.kind_seconds > 0 ? clock_now() + w->c->options.kind_seconds : 0;
  if (until > 0 && (limits.deadline == 0 || until < limits.deadline))
    limits.deadline = until;
  w->status[job] = OK;
  for (uint32_t i = first; i < last && w->status[job] == OK; i++) {
    Ask *ask = &w->asks.at[w->by_job.at[i]];
    const Question *q = &w->questions[ask->question];
    size_t evidences, wants;
    const uint32_t *evidence = list_of(&q->evidence, ask->component, &evidences);
    const uint32_t *wanted = list_of(&q->wanted, ask->component, &wants);
    w->status[job] =
        search_compile(&lane->search, evidence, evidences, wanted, wants, &limits, &ask->node);
    if (w->status[job] != OK)
      explain(unit, lane, ask->component, w->status[job]);
  }
}

/* The same share of different questions takes the same lane. */
static uint32_t choose_lane(const Work *w, const Question *q, uint32_t component) {
  size_t evidences, wants;
  const uint32_t *evidence = list_of(&q->evidence, component, &evidences);
  const uint32_t *wanted = list_of(&q->wanted, component, &wants);
  if (w->lanes == 1 || evidences + wants == 0)
    return 0;
  return (uint32_t)(search_key(evidence, evidences, wanted, wants).word[0] % w->lanes);
}

static Work work_make(Compiled *c, const Question *questions, size_t n,
                      const SearchLimits *limits) {
  enum { MANY = 64 };
  const Analysis *an = c->analysis;
  Work w = {.c = c, .questions = questions, .limits = limits, .lanes = n < MANY ? 1 : UNIT_LANES};
  size_t jobs = (size_t)an->kinds * w.lanes;
  GraphEdges edges = {0};
  w.sample = memory_zero(an->kinds, sizeof *w.sample);
  for (uint32_t k = 0; k < an->components; k++)
    w.sample[an->kind[k]] = k;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < an->components; k++) {
      uint32_t lane = choose_lane(&w, &questions[i], k);
      vec_push(&edges, (GraphEdge){an->kind[k] * w.lanes + lane, (uint32_t)w.asks.n});
      vec_push(&w.asks, (Ask){.question = i, .component = k, .lane = lane});
    }
  w.by_job = graph_lists(&edges, jobs);
  vec_free(&edges);
  w.status = memory_zero(jobs, sizeof *w.status);
  for (size_t job = 0; job < jobs; job++) /* until it is done */
    w.status[job] = w.by_job.start[job] < w.by_job.start[job + 1] ? LIMIT : OK;
  return w;
}

static void work_free(Work *w) {
  vec_free(&w->asks);
  graph_lists_free(&w->by_job);
  free(w->sample);
  free(w->status);
}

/* Marks the kinds that failed; the first of them speaks for all. */
static Status collect_failures(Compiled *c, const Work *w) {
  Status status = OK;
  for (uint32_t job = 0; job < c->analysis->kinds * w->lanes; job++) {
    CompileUnit *unit = &c->units[job / w->lanes];
    unit->failed = (job % w->lanes && unit->failed) || w->status[job] != OK;
    if (w->status[job] == OK || status != OK)
      continue;
    const Text *message = unit->begun ? &unit->lanes[job % w->lanes].message : &unit->message;
    text_puts(&c->message, message->at ? message->at : "");
    status = w->status[job];
  }
  return status;
}

/* A kind that fails does not keep the others from being compiled. */
static Status do_work(Work *w) {
  const Analysis *an = w->c->analysis;
  unsigned threads = w->c->options.threads;
  Status status = parallel_for(threads, an->kinds, begin_kind, w);
  if (status == OK)
    status = parallel_for(threads, (size_t)an->kinds * w->lanes, do_job, w);
  if (status != OK)
    memory_fail(); /* a theory may be without its last rules: nobody may ask it again */
  return collect_failures(w->c, w);
}

/* The root of one question, from its asks. */
static void collect(const Compiled *c, const Question *q, const Ask *asks, CircuitRoot *root) {
  assert(asks || !c->analysis->components);
  const Analysis *an = c->analysis;
  VEC(Use) uses = {0};
  if (q->impossible)
    vec_push(&uses, (Use){an->kinds, CIRCUIT_FALSE, an->components});
  for (uint32_t k = 0; k < an->components; k++) {
    const UnitLane *lane = &c->units[an->kind[k]].lanes[asks[k].lane];
    assert(asks[k].component == k && asks[k].node < lane->common.n);
    vec_push(&uses, (Use){an->kind[k], lane->common.at[asks[k].node], k});
  }
  make_root(uses.at, uses.n, root);
  assert(circuit_sound(&c->circuit, root, 1));
  vec_free(&uses);
}

Status compile_roots(Compiled *c, const CompileQuestion *asked, size_t n, CircuitRoot *roots) {
  assert((asked && roots) || !n);
  const Analysis *an = c->analysis;
  SearchLimits limits = {.nodes = c->options.nodes,
                         .memory = c->options.memory,
                         .branches = c->options.branches,
                         .stop = c->options.stop};
  if (c->options.seconds > 0)
    limits.deadline = clock_now() + c->options.seconds;
  Question *questions = memory_zero(n, sizeof *questions);
  for (size_t i = 0; i < n; i++)
    questions[i] = question_make(c, &asked[i]);
  Work w = work_make(c, questions, n, &limits);
  c->message.n = 0;
  text_puts(&c->message, "");
  Status status = do_work(&w);
  for (uint32_t kind = 0; status == OK && kind < an->kinds; kind++)
    unit_copy(&c->units[kind], &c->circuit, kind);
  for (size_t i = 0; i < n; i++) {
    circuit_root_free(&roots[i]);
    if (status == OK)
      collect(c, &questions[i], w.asks.at ? w.asks.at + i * an->components : NULL, &roots[i]);
    question_free(&questions[i]);
  }
  work_free(&w);
  free(questions);
  return status;
}

Status compile_root(Compiled *c, const Lit *evidence, size_t evidences, const Atom *wanted,
                    size_t wants, CircuitRoot *root) {
  return compile_roots(c, &(CompileQuestion){evidence, wanted, evidences, wants}, 1, root);
}

bool compile_failed(const Compiled *c, uint32_t kind) { return c->units[kind].failed; }

void compile_compact(Compiled *c, CircuitRoot *const *roots, size_t n) {
  for (uint32_t k = 0; k < c->analysis->kinds; k++)
    if (c->units[k].begun)
      unit_forget(&c->units[k]);
  circuit_compact(&c->circuit, roots, n);
}
