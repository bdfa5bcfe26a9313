/* compile.c - components, kinds and roots; see compile.h. */
#include "compile/compile.h"

#include "base/graph.h"
#include "base/limits.h"
#include "compile/jobs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifndef COMPILE_CHOICE /* tests of one way of choosing build with another */
#define COMPILE_CHOICE CHOOSE_ALL
#endif

CompileOptions compile_options_default(void) {
  return (CompileOptions){.nodes = 100000000,
                          .choice = COMPILE_CHOICE,
                          .memory = (size_t)4 << 30,
                          .foundedness = FOUNDED_BY_TWINS,
                          .diagram_nodes = 2000000,
                          .threads = 1,
                          .ahead = 500000};
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
  share_end(&c->setup);
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

static TheorySource source_of(const Compiled *c, uint32_t component) {
  const Analysis *an = c->analysis;
  return (TheorySource){.ground = c->ground,
                        .analysis = an,
                        .strata = &c->strata,
                        .rules = c->rules + c->rule_start[component],
                        .rule_count = c->rule_start[component + 1] - c->rule_start[component],
                        .members = an->member + an->first[component],
                        .member_count = an->first[component + 1] - an->first[component],
                        .position = c->position,
                        .first = c->options.first,
                        .foundedness = c->options.foundedness,
                        .node_limit = c->options.diagram_nodes};
}

const CompileUnit *compile_unit(Compiled *c, uint32_t component) {
  assert(component < c->analysis->components);
  uint32_t kind = c->analysis->kind[component];
  TheorySource source = source_of(c, component);
  if (!c->units[kind].begun)
    (void)unit_begin(&c->units[kind], &source, kind, c->options.seed);
  return c->units[kind].begun ? &c->units[kind] : NULL;
}

/* Kind after kind, lane after lane. */
static void copy_lanes(const Jobs *j) {
  Compiled *c = j->c;
  for (uint32_t i = 0; i < c->analysis->kinds * j->slots; i++)
    if (j->jobs[i].lane)
      lane_copy(j->jobs[i].lane, &c->units[i / j->slots], &c->circuit, i / j->slots);
}

/* The root of one question, from its asks. */
static void collect(const Jobs *j, const Question *q, const Ask *asks, CircuitRoot *root) {
  const Compiled *c = j->c;
  const Analysis *an = c->analysis;
  assert(asks || !an->components);
  VEC(Use) uses = {0};
  if (q->impossible)
    vec_push(&uses, (Use){an->kinds, CIRCUIT_FALSE, an->components});
  for (uint32_t k = 0; k < an->components; k++) {
    const UnitLane *lane = j->jobs[asks[k].job].lane;
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
                         .stop = c->options.stop,
                         .ahead = c->options.ahead,
                         .explored = c->options.explored};
  if (c->options.seconds > 0)
    limits.deadline = clock_now() + c->options.seconds;
  if (c->options.deadline > 0 && (limits.deadline == 0 || c->options.deadline < limits.deadline))
    limits.deadline = c->options.deadline;
  Question *questions = memory_zero(n, sizeof *questions);
  for (size_t i = 0; i < n; i++)
    questions[i] = question_make(c, &asked[i]);
  Jobs jobs = jobs_make(c, questions, n, &limits);
  c->message.n = 0;
  text_puts(&c->message, "");
  Status status = jobs_do(&jobs);
  if (status == OK)
    copy_lanes(&jobs);
  for (size_t i = 0; i < n; i++) {
    circuit_root_free(&roots[i]);
    if (status == OK)
      collect(&jobs, &questions[i], jobs.asks.at ? jobs.asks.at + i * an->components : NULL,
              &roots[i]);
    question_free(&questions[i]);
  }
  jobs_free(&jobs);
  free(questions);
  return status;
}

Status compile_root(Compiled *c, const Lit *evidence, size_t evidences, const Atom *wanted,
                    size_t wants, CircuitRoot *root) {
  return compile_roots(c, &(CompileQuestion){evidence, wanted, evidences, wants}, 1, root);
}

CompileEffort compile_effort(const Compiled *c) {
  CompileEffort effort = c->past;
  effort.nodes = c->circuit.nodes.n;
  for (uint32_t k = 0; k < c->analysis->kinds; k++) {
    const UnitLane *lane = &c->units[k].lane;
    if (!lane->begun)
      continue;
    effort.branches += lane->search.branches + lane->search.states;
    effort.width = lane->search.width > effort.width ? lane->search.width : effort.width;
  }
  return effort;
}

bool compile_failed(const Compiled *c, uint32_t kind) { return c->units[kind].failed; }

void compile_shrink(Compiled *c, CircuitRoot *const *roots, size_t n) {
  for (uint32_t k = 0; k < c->analysis->kinds; k++)
    unit_compacted(&c->units[k]);
  circuit_compact(&c->circuit, roots, n);
}

void compile_compact(Compiled *c, CircuitRoot *const *roots, size_t n) {
  for (uint32_t k = 0; k < c->analysis->kinds; k++)
    if (c->units[k].begun)
      unit_forget(&c->units[k]);
  circuit_compact(&c->circuit, roots, n);
}
