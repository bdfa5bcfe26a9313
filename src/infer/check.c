/* check.c - what a program is, and what is unusual about it. */
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "infer/coherence.h"
#include "infer/hardness.h"
#include "infer/infer.h"
#include "infer/task.h"
#include "language/program.h"
#include "language/weight.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const Task *task;
  lpmln_analysis *a;
  VEC(const char *) advice;
  bool compiled; /* in time: this is the program */
  CircuitRoot root;
  bool *possible; /* by observation; NULL: they did not compile */
} Check;

static void advise(Check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void advise(Check *c, const char *format, ...) {
  Text text = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  vec_push(&c->advice, arena_bytes(c->task->answer, text.at, text.n));
  vec_free(&text);
}

static void count_statements(Check *c) {
  const Program *program = c->task->program;
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    if (s->kind != S_RULE || s->block != PROGRAM_BLOCK)
      continue;
    c->a->rules++;
    c->a->soft_rules += s->weight_kind != WEIGHT_HARD;
  }
}

static void name_loop(Check *c, const Ground *own, const Analysis *an) {
  Atoms loop = {0};
  Text text = {0};
  loop_find(own, an, &loop);
  loop_write(c->task->ground, &loop, &text);
  c->a->loop = arena_text(c->task->answer, text.at);
  vec_free(&loop);
  vec_free(&text);
}

/* Of the program without what observations, queries and shown terms add to it. */
static void count_components(Check *c) {
  Ground own = ground_view(c->task->ground, c->task->ground->own);
  Analysis an;
  analysis_make(&own, &an);
  c->a->tight = an.tight;
  c->a->head_cycle_free = an.head_cycle_free;
  c->a->loops = an.loops;
  c->a->components = an.components;
  c->a->distinct_components = an.kinds;
  for (uint32_t k = 0; k < an.components; k++) {
    size_t size = an.first[k + 1] - an.first[k];
    c->a->largest_component = size > c->a->largest_component ? size : c->a->largest_component;
  }
  if (!an.tight)
    name_loop(c, &own, &an);
  analysis_free(&an);
}

static void count_ground(Check *c) {
  const Ground *g = c->task->ground;
  for (Atom a = 0; a < g->atoms.n; a++) {
    bool named = g->atoms.at[a].name != NONE;
    c->a->atoms += named;
    c->a->open_atoms += named && g->atoms.at[a].truth == ATOM_OPEN;
  }
  for (size_t i = 0; i < g->weights.n; i++)
    c->a->parameters += g->weights.at[i].name != NONE;
  c->a->ground_rules = g->received;
  c->a->soft_instances = g->instances.n;
  count_components(c);
}

/* Has an instance a body that may or may not hold? */
static bool has_open_body(const Ground *g, uint32_t soft) {
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance != NONE && g->instances.at[r->instance].soft == soft && r->size)
      return true;
  }
  return false;
}

/* Soft rules that do nothing, and some that do other than it seems. */
static void look_at_soft_rules(Check *c) {
  const Task *task = c->task;
  for (size_t i = 0; i < task->ground->soft.n; i++) {
    const SoftRule *soft = &task->ground->soft.at[i];
    const Statement *s = &task->program->statements.at[soft->statement];
    if (s->weight_kind == WEIGHT_HARD)
      continue;
    if (!soft->instances)
      diagnose_warning(task->said, program_place(task->program, s, s->whole), NULL,
                       "this soft rule has no ground instance: its body never holds");
    bool number = s->weight_kind == WEIGHT_NUMBER && weight_constant(&s->expression);
    double w = number ? weight_evaluate(&s->expression, NULL) : 0;
    bool logarithm = false;
    for (size_t k = 0; k < s->expression.n; k++)
      logarithm |= s->expression.at[k].operation == W_LOG;
    if (number && !s->coin && s->head_kind == HEAD_LITERAL && (logarithm || (w > 0 && w < 1)) &&
        has_open_body(task->ground, (uint32_t)i))
      diagnose_note(
          task->said, program_place(task->program, s, s->weight),
          "for a conditional probability p, weigh a fact of its own: "
          "`@log(p/(1-p)) c(X) :- dom(X).  h(X) :- b(X), c(X).`",
          "this is no conditional probability: the weight also makes the body less probable");
  }
}

static Status look_at_hard_rules(Check *c) {
  bool consistent;
  Status status = task_satisfiable(c->task, NULL, 0, &consistent);
  c->a->hard_inconsistent = status == OK && !consistent;
  return status;
}

static void look_at_coherence(Check *c) {
  Coherence k = {.simple_reason = "not known: the hard rules are inconsistent",
                 .reason = "the hard rules are inconsistent"};
  if (!c->a->hard_inconsistent)
    coherence_find(c->task, c->task->ground, &c->task->compiled->circuit,
                   c->compiled ? &c->root : NULL, &k);
  c->a->simple = k.simple;
  c->a->simple_reason = k.simple_reason;
  c->a->coherent = k.count;
  c->a->coherence_reason = k.reason;
}

enum { CHECK_SECONDS = 10 }; /* for compiling */

/* A name for people: some atom of the component that has one.  The last component of a
** circuit has no atoms. */
static const char *atom_of_component(const Task *task, uint32_t component) {
  const Analysis *an = task->analysis;
  if (component >= an->components)
    return NULL;
  for (uint32_t i = an->first[component]; i < an->first[component + 1]; i++)
    if (task->ground->atoms.at[an->member[i]].name != NONE)
      return ground_text(task->ground, task->ground->atoms.at[an->member[i]].name);
  return NULL;
}

/* Compiles the program alone and tells the size of the circuit. */
static void measure_circuit(Check *c) {
  assert(!c->compiled && !c->root.parts.n);
  Compiled *compiled = task_compiled(c->task);
  c->compiled = compile_root(compiled, NULL, 0, NULL, 0, &c->root) == OK;
  for (size_t i = 0; c->compiled && i < c->root.parts.n; i++) {
    const CircuitPart *part = &c->root.parts.at[i];
    size_t size = circuit_size(&compiled->circuit, part->node);
    c->a->circuit_nodes += size;
    if (size <= c->a->largest_part)
      continue;
    c->a->largest_part = size;
    c->a->largest_atom =
        arena_text(c->task->answer, atom_of_component(c->task, c->root.copies.at[part->first]));
  }
}

typedef VEC(CompileQuestion) Questions;

/* The queries, given each different observation, whose literals may be in `room`; nothing if
** nothing is asked. */
static void collect_questions(const Check *c, const Atom *queries, size_t n, Lits *room,
                              Questions *to) {
  const Observations *o = c->task->observed;
  size_t observations = observations_count(o);
  vec_reserve(room, observations * observations_most(o)); /* it must not move */
  for (size_t i = 0; i < observations; i++) {
    uint32_t size;
    const Lit *literals = observations_literals(o, i, room, &size);
    vec_push(to, (CompileQuestion){
                     .evidence = literals, .evidences = size, .wanted = queries, .wants = n});
  }
  if (!observations && n)
    vec_push(to, (CompileQuestion){.wanted = queries, .wants = n});
}

/* Compiles what is asked, beside the program, and tells what that takes. */
static void measure_questions(Check *c, double started) {
  const Ground *g = c->task->ground;
  VEC(Atom) queries = {0};
  Questions questions = {0};
  Lits room = {0};
  for (size_t i = 0; i < g->queries.n; i++)
    vec_push(&queries, g->queries.at[i].atom);
  collect_questions(c, queries.at, queries.n, &room, &questions);
  CircuitRoot *roots = memory_zero(questions.n, sizeof *roots);
  c->a->asked_compiles = c->compiled;
  if (c->compiled && questions.n)
    c->a->asked_compiles =
        compile_roots(task_compiled(c->task), questions.at, questions.n, roots) == OK;
  CompileEffort effort = compile_effort(c->task->compiled);
  c->a->asked_nodes = effort.nodes;
  c->a->asked_branches = effort.branches;
  c->a->asked_width = effort.width;
  c->a->asked_seconds = clock_now() - started;
  if (c->a->asked_compiles && observations_count(c->task->observed))
    c->possible = memory_zero(questions.n, sizeof *c->possible);
  for (size_t i = 0; i < questions.n; i++) {
    if (c->possible)
      c->possible[i] = circuit_possible(&roots[i]);
    circuit_root_free(&roots[i]);
  }
  free(roots);
  vec_free(&queries);
  vec_free(&questions);
  vec_free(&room);
}

static void measure(Check *c) {
  double started = clock_now();
  measure_circuit(c);
  measure_questions(c, started);
}

/* Is the observation possible?  Its circuit tells, if there is one. */
static Status find_possible(const Check *c, uint32_t number, bool *possible) {
  const Observations *o = c->task->observed;
  Lits room = {0};
  uint32_t size;
  *possible = c->possible && c->possible[number];
  if (c->possible)
    return OK;
  const Lit *required = observations_literals(o, number, &room, &size);
  Status status = task_satisfiable(c->task, required, size, possible);
  vec_free(&room);
  return status;
}

static Status look_at_observations(Check *c) {
  assert(observations_valid(c->task->observed, c->task->ground));
  const Observations *o = c->task->observed;
  Status status = OK;
  bool impossible = false;
  for (uint32_t i = 0; status == OK && i < observations_count(o); i++) {
    bool possible;
    status = find_possible(c, i, &possible);
    if (status == OK && !possible)
      impossible = true, status = task_explain_block(c->task, observations_block(o, i));
  }
  return status == OK && impossible ? NO_ANSWER : status;
}

/* What a user can do about it, beforehand. */
static void advise_hardness(Check *c) {
  Text hard = {0};
  hardness_write(c->task, &hard);
  if (hard.n)
    advise(c,
           "What is hard: %s%s Ask for less, say what is known of these atoms, or rewrite the rule "
           "so that fewer meet.",
           hard.at, hard.at[strlen(hard.at) - 1] == '.' ? "" : ".");
  vec_free(&hard);
}

static void tell_questions(Check *c) {
  const lpmln_analysis *a = c->a;
  Text asked = {0}, width = {0};
  size_t queries = c->task->ground->queries.n, seen = observations_count(c->task->observed);
  if (queries)
    text_printf(&asked, "%zu quer%s", queries, queries == 1 ? "y" : "ies");
  if (seen)
    text_printf(&asked, "%s%zu %sobservation%s", queries ? " given " : "", seen,
                seen == 1 ? "" : "different ", seen == 1 ? "" : "s");
  text_puts(&width, "");
  if (a->asked_width)
    text_printf(&width, ", a tree decomposition has width %zu", a->asked_width);
  if (asked.n && a->asked_compiles)
    advise(c, "What is asked (%s) compiles in %.2g s: %zu nodes, %zu branches%s.", asked.at,
           a->asked_seconds, a->asked_nodes, a->asked_branches, width.at);
  else if (asked.n && c->compiled) {
    advise(c,
           "What is asked (%s) does not compile within %d seconds (%s): bounds and samples answer "
           "it.",
           asked.at, CHECK_SECONDS, c->task->compiled->message.at);
    advise_hardness(c);
  }
  vec_free(&asked);
  vec_free(&width);
}

static void advise_otherwise(Check *c) {
  advise(c,
         "Engine: bounds and samples (Markov chains), or enumeration if there are few stable "
         "models, for the program does not compile within %d seconds (%s).",
         CHECK_SECONDS, c->task->compiled->message.at);
  advise_hardness(c);
}

static void recommend_engine(Check *c) {
  if (c->compiled)
    advise(c, "Engine: exact, by a circuit of %zu node%s.", c->a->circuit_nodes,
           c->a->circuit_nodes == 1 ? "" : "s");
  else
    advise_otherwise(c);
  if (c->compiled && c->a->largest_atom && c->a->largest_part < c->a->circuit_nodes)
    advise(c, "The component of %s has %zu of these nodes.", c->a->largest_atom,
           c->a->largest_part);
  tell_questions(c);
}

static void recommend(Check *c) {
  const lpmln_analysis *a = c->a;
  if (a->distinct_components < a->components)
    advise(c, "Of the %zu independent components, %zu %s of another one.", a->components,
           a->components - a->distinct_components,
           a->components - a->distinct_components == 1 ? "is a copy" : "are copies");
  if (a->hard_inconsistent)
    advise(c, "The hard rules can't all hold, so there are no probabilities; see the warnings, or "
              "use option hard_rules=violable.");
  else
    recommend_engine(c);
  if (!a->head_cycle_free)
    advise(c, "There are disjunctions with head cycles, the hardest kind of rules.");
  if (!a->soft_rules)
    advise(c, "There is no soft rule: all stable models are equally probable.");
}

Status infer_check(const Task *asked, lpmln_analysis *answer) {
  assert(asked->ground->sealed && asked->analysis && asked->observed);
  Task task = *asked;
  task.compile_seconds = CHECK_SECONDS;
  Check c = {.task = &task, .a = answer};
  answer->simple_reason = answer->coherence_reason = "not known: a limit was reached";
  answer->about.method = LPMLN_ENUMERATE, answer->about.exact = true;
  count_statements(&c);
  count_ground(&c);
  look_at_soft_rules(&c);
  answer->observations = task.program->block_count;
  Status status = look_at_hard_rules(&c);
  if (!answer->hard_inconsistent)
    measure(&c);
  if (c.compiled)
    answer->about.method = LPMLN_EXACT;
  if (status == OK && !answer->hard_inconsistent)
    status = look_at_observations(&c);
  answer->about.complete = status == OK || status == NO_ANSWER;
  recommend(&c);
  if (answer->about.complete)
    look_at_coherence(&c);
  answer->advice_count = c.advice.n;
  answer->advice = arena_take(task.answer, &c.advice);
  if (answer->hard_inconsistent)
    (void)task_explain_hard(&task);
  circuit_root_free(&c.root);
  free(c.possible);
  return status;
}
