/* compile.c - components, kinds and roots; see compile.h. */
#include "compile/compile.h"

#include "base/graph.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static void unit_free(CompileUnit *unit) {
  if (unit->begun) {
    search_free(&unit->search);
    theory_free(&unit->theory);
    circuit_free(&unit->own);
  }
  vec_free(&unit->common);
  vec_free(&unit->message);
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

/* Variables: the members first, then events.  In the unit's own circuit they are
** numbered from 0. */
static void make_variables(CompileUnit *unit, uint32_t kind) {
  const Theory *t = &unit->theory;
  Circuit *own = &unit->own;
  for (uint32_t a = 0; a < t->atoms; a++) {
    if (a >= t->members && !t->event.at[a])
      continue;
    unit->search.variable[a] = (uint32_t)own->variables.n;
    vec_push(&own->variables,
             (CircuitVariable){kind, t->input.at[a] ? CIRCUIT_INPUT : CIRCUIT_DETERMINED});
  }
  for (uint32_t a = 0; a < t->mirror.n; a++)
    if (t->mirror.at[a] != THEORY_NONE)
      unit->search.variable[t->mirror.at[a]] = unit->search.variable[a];
}

/* Blocks are numbered by kind; their variables stand in the common circuit in
** the order in which kinds are first used. */
static void place_block(Compiled *c, uint32_t kind) {
  CompileUnit *unit = &c->units[kind];
  const Theory *t = &unit->theory;
  Circuit *circuit = &c->circuit;
  uint32_t first = (uint32_t)circuit->variables.n;
  for (size_t i = 0; i < unit->own.variables.n; i++)
    vec_push(&circuit->variables, unit->own.variables.at[i]);
  circuit->blocks.at[kind] =
      (CircuitBlock){.first = first, .count = (uint32_t)unit->own.variables.n, .atoms = t->members};
  for (size_t i = 0; i < t->terms.n; i++) {
    uint32_t literal = t->terms.at[i].literal;
    uint32_t variable = first + unit->search.variable[literal >> 1];
    vec_push(&circuit->terms, (CircuitTerm){lit_of(variable, literal & 1), t->terms.at[i].weight});
  }
  unit->placed = true;
}

/* Copies the nodes that are new since the last time. */
static void copy_nodes(Compiled *c, uint32_t kind) {
  CompileUnit *unit = &c->units[kind];
  const Circuit *own = &unit->own;
  if (!unit->placed)
    place_block(c, kind);
  uint32_t first = c->circuit.blocks.at[kind].first;
  VEC(uint32_t) children = {0};
  for (size_t i = unit->common.n; i < own->nodes.n; i++) {
    const CircuitNode *node = &own->nodes.at[i];
    uint32_t copy = (uint32_t)i; /* the constants */
    if (i > CIRCUIT_TRUE && node->variable != CIRCUIT_NONE) {
      copy = circuit_decision(&c->circuit, first + node->variable, unit->common.at[node->first],
                              unit->common.at[node->second]);
    } else if (i > CIRCUIT_TRUE) {
      children.n = 0;
      for (uint32_t k = 0; k < node->second; k++)
        vec_push(&children, unit->common.at[own->children.at[node->first + k]]);
      copy = circuit_product(&c->circuit, children.at, children.n);
    }
    vec_push(&unit->common, copy);
  }
  vec_free(&children);
}

static Status begin_unit(const Compiled *c, uint32_t component) {
  const Analysis *an = c->analysis;
  uint32_t kind = an->kind[component];
  CompileUnit *unit = &c->units[kind];
  if (unit->begun)
    return OK;
  TheorySource source = {
      .ground = c->ground, .analysis = an, .strata = &c->strata,
      .rules = c->rules + c->rule_start[component],
      .rule_count = c->rule_start[component + 1] - c->rule_start[component],
      .members = an->member + an->first[component],
      .member_count = an->first[component + 1] - an->first[component],
      .position = c->position,
      .foundedness = c->options.foundedness,
      .node_limit = c->options.diagram_nodes};
  Status status = theory_make(&unit->theory, &source);
  if (status != OK && source.foundedness == FOUNDED_BY_FORMULA) {
    theory_free(&unit->theory);
    source.foundedness = FOUNDED_BY_TWINS;
    status = theory_make(&unit->theory, &source);
  }
  if (status != OK) {
    theory_free(&unit->theory);
    text_printf(&unit->message, "the diagram of a head cycle among %u atoms needs more "
                "than %zu nodes", source.member_count, source.node_limit);
    return status;
  }
  theory_order(&unit->theory, c->options.seed);
  theory_add_mirrors(&unit->theory);
  circuit_begin(&unit->own);
  search_begin(&unit->search, &unit->theory, &unit->own, c->options.choice);
  unit->begun = true;
  make_variables(unit, kind);
  return OK;
}

/* Local literals and atoms of a question, by component. */
typedef struct {
  GraphLists evidence, wanted;
  bool impossible; /* evidence against a certain or impossible atom */
} Question;

static int compare_words(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The values of one component, sorted and without repeats: equal questions
** must look equal. */
static const uint32_t *list_of(const GraphLists *lists, uint32_t component, size_t *n) {
  uint32_t *at = lists->at + lists->start[component];
  size_t kept = 0, size = lists->start[component + 1] - lists->start[component];
  if (size)
    qsort(at, size, sizeof *at, compare_words);
  for (size_t i = 0; i < size; i++)
    if (!kept || at[kept - 1] != at[i])
      at[kept++] = at[i];
  *n = kept;
  return at;
}

static Question question_make(const Compiled *c, const Lit *evidence, size_t evidences,
                              const Atom *wanted, size_t wants) {
  const Analysis *an = c->analysis;
  Question q = {.impossible = c->impossible};
  GraphEdges edges = {0};
  for (size_t i = 0; i < evidences; i++) {
    Atom a = lit_atom(evidence[i]);
    uint8_t truth = c->ground->atoms.at[a].truth;
    if (truth == ATOM_OPEN)
      vec_push(&edges, (GraphEdge){an->component[a],
                                   lit_of(c->position[a], lit_negated(evidence[i]))});
    else
      q.impossible |= (truth == ATOM_CERTAIN) == lit_negated(evidence[i]);
  }
  q.evidence = graph_lists(&edges, an->components);
  edges.n = 0;
  for (size_t i = 0; i < wants; i++)
    if (c->ground->atoms.at[wanted[i]].truth == ATOM_OPEN && !c->strata.guessed[wanted[i]])
      vec_push(&edges, (GraphEdge){an->component[wanted[i]], c->position[wanted[i]]});
  q.wanted = graph_lists(&edges, an->components);
  vec_free(&edges);
  return q;
}

static void question_free(Question *q) {
  graph_lists_free(&q->evidence);
  graph_lists_free(&q->wanted);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void explain(const Compiled *c, uint32_t component, Status status) {
  const Analysis *an = c->analysis;
  CompileUnit *unit = &c->units[an->kind[component]];
  uint32_t inputs = 0;
  for (uint32_t a = 0; a < unit->theory.members; a++)
    inputs += unit->theory.input.at[a];
  text_printf(&unit->message,
              "%s while compiling component %u (%u atoms, %u of them guessed) after "
              "%zu branches and %zu circuit nodes",
              status == INTERRUPTED ? "interrupted" : "a limit was reached", component + 1,
              an->first[component + 1] - an->first[component], inputs,
              unit->search.branches, unit->own.nodes.n);
}

/* One component's node. */
static Status compile_component(const Compiled *c, const Question *q, uint32_t component,
                                const SearchLimits *limits, uint32_t *node) {
  Status status = begin_unit(c, component);
  if (status != OK)
    return status;
  size_t evidences, wants;
  const uint32_t *evidence = list_of(&q->evidence, component, &evidences);
  const uint32_t *wanted = list_of(&q->wanted, component, &wants);
  Search *search = &c->units[c->analysis->kind[component]].search;
  status = search_compile(search, evidence, evidences, wanted, wants, limits, node);
  if (status != OK)
    explain(c, component, status);
  return status;
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

/* One question to all kinds; each worker takes the next kind until none is left. */
typedef struct {
  const Compiled *c;
  const Question *q;
  const SearchLimits *limits;
  GraphLists by_kind;  /* components */
  uint32_t *node;      /* by component: in its kind's own circuit */
  Status *status;      /* by kind */
  atomic_uint next;
} Work;

static void compile_kind(Work *w, uint32_t kind) {
  CompileUnit *unit = &w->c->units[kind];
  SearchLimits limits = *w->limits;
  double until = w->c->options.kind_seconds > 0 ? now() + w->c->options.kind_seconds : 0;
  if (until > 0 && (limits.deadline == 0 || until < limits.deadline))
    limits.deadline = until;
  unit->message.n = 0;
  text_puts(&unit->message, "");
  for (uint32_t i = w->by_kind.start[kind]; i < w->by_kind.start[kind + 1] && !w->status[kind]; i++)
    w->status[kind] = compile_component(w->c, w->q, w->by_kind.at[i], &limits, &w->node[w->by_kind.at[i]]);
  unit->failed = w->status[kind] != OK;
}

static void *compile_kinds(void *data) {
  Work *w = data;
  uint32_t kind;
  while ((kind = atomic_fetch_add(&w->next, 1)) < w->c->analysis->kinds) {
    MemoryGuard guard;
    w->c->units[kind].failed = true; /* until it is done */
    if (memory_guard(&guard))
      w->status[kind] = LIMIT;
    else
      compile_kind(w, kind);
    memory_unguard(&guard);
  }
  return NULL;
}

static void run_work(Work *w, unsigned threads) {
  enum { MOST_THREADS = 64 };
  pthread_t others[MOST_THREADS];
  unsigned started = 0;
  if (threads > w->c->analysis->kinds)
    threads = w->c->analysis->kinds;
  while (started + 1 < threads && started < MOST_THREADS &&
         !pthread_create(&others[started], NULL, compile_kinds, w))
    started++;
  compile_kinds(w);
  while (started)
    pthread_join(others[--started], NULL);
}

static Work work_make(const Compiled *c, const Question *q, const SearchLimits *limits) {
  const Analysis *an = c->analysis;
  Work w = {.c = c, .q = q, .limits = limits};
  GraphEdges edges = {0};
  for (uint32_t k = 0; k < an->components; k++)
    vec_push(&edges, (GraphEdge){an->kind[k], k});
  w.by_kind = graph_lists(&edges, an->kinds);
  vec_free(&edges);
  w.node = memory_zero(an->components, sizeof *w.node);
  w.status = memory_zero(an->kinds, sizeof *w.status);
  return w;
}

static void work_free(Work *w) {
  graph_lists_free(&w->by_kind);
  free(w->node);
  free(w->status);
}

/* The first kind that failed speaks for all. */
static Status first_failure(Compiled *c, const Work *w) {
  for (uint32_t kind = 0; kind < c->analysis->kinds; kind++)
    if (w->status[kind] != OK) {
      text_puts(&c->message, c->units[kind].message.at);
      return w->status[kind];
    }
  return OK;
}

#ifndef NDEBUG
/* The check keeps a set of variables for every node. */
static bool too_large_to_check(const Circuit *c) {
  return c->nodes.n * (c->variables.n / 64 + 1) > (size_t)1 << 18;
}
#endif

Status compile_root(Compiled *c, const Lit *evidence, size_t evidences,
                    const Atom *wanted, size_t wants, CircuitRoot *root) {
  const Analysis *an = c->analysis;
  SearchLimits limits = {.nodes = c->options.nodes, .memory = c->options.memory,
                         .branches = c->options.branches, .stop = c->options.stop};
  if (c->options.seconds > 0)
    limits.deadline = now() + c->options.seconds;
  Question q = question_make(c, evidence, evidences, wanted, wants);
  Work w = work_make(c, &q, &limits);
  VEC(Use) uses = {0};
  c->message.n = 0;
  text_puts(&c->message, "");
  run_work(&w, c->options.threads);
  Status status = first_failure(c, &w);
  for (uint32_t kind = 0; status == OK && kind < an->kinds; kind++)
    copy_nodes(c, kind);
  if (q.impossible)
    vec_push(&uses, (Use){an->kinds, CIRCUIT_FALSE, an->components});
  for (uint32_t k = 0; status == OK && k < an->components; k++)
    vec_push(&uses, (Use){an->kind[k], c->units[an->kind[k]].common.at[w.node[k]], k});
  circuit_root_free(root);
  if (status == OK)
    make_root(uses.at, uses.n, root);
  assert(status != OK || too_large_to_check(&c->circuit) || !circuit_check(&c->circuit, root, 1));
  vec_free(&uses);
  work_free(&w);
  question_free(&q);
  return status;
}

bool compile_failed(const Compiled *c, uint32_t kind) { return c->units[kind].failed; }

/* Leaves the variables only. */
static void unit_forget(CompileUnit *unit) {
  Circuit fresh;
  circuit_begin(&fresh);
  for (size_t i = 0; i < unit->own.variables.n; i++)
    vec_push(&fresh.variables, unit->own.variables.at[i]);
  circuit_free(&unit->own);
  unit->own = fresh;
  unit->common.n = 0;
  search_forget(&unit->search);
}

void compile_compact(Compiled *c, CircuitRoot *const *roots, size_t n) {
  for (uint32_t k = 0; k < c->analysis->kinds; k++)
    if (c->units[k].begun)
      unit_forget(&c->units[k]);
  circuit_compact(&c->circuit, roots, n);
}
