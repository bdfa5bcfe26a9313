/* check.c - lpmln_check: what a program is, and what is unusual about it. */
#include "infer/coherence.h"
#include "infer/engine.h"
#include "infer/hard.h"

#include "write/asp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  lpmln *p;
  lpmln_analysis *a;
  VEC(const char *) advice;
  bool compiled; /* in time */
} Check;

static void advise(Check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void advise(Check *c, const char *format, ...) {
  Text text = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  char *sentence = text_take(&text);
  vec_push(&c->p->answers, sentence);
  vec_push(&c->advice, sentence);
}

static void count_statements(Check *c) {
  const Program *program = &c->p->program;
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    if (s->kind != S_RULE || s->block != PROGRAM_BLOCK)
      continue;
    c->a->rules++;
    c->a->soft_rules += s->weight_kind != WEIGHT_HARD;
  }
}

/* The program without what observations, queries and shown terms add to it. */
static void copy_without_events(const Ground *g, Ground *copy) {
  bool *event = memory_zero(g->atoms.n, sizeof *event);
  for (size_t i = 0; i < g->violations.n; i++)
    event[g->violations.at[i].atom] = g->atoms.at[g->violations.at[i].atom].name == NONE;
  for (size_t i = 0; i < g->queries.n; i++)
    event[g->queries.at[i].atom] = g->atoms.at[g->queries.at[i].atom].name == NONE;
  for (size_t i = 0; i < g->terms.n; i++)
    event[g->terms.at[i].atom] = true;
  ground_without(g, event, copy);
  free(event);
}

static void count_components(Check *c) {
  Ground bare = {0};
  Analysis an;
  copy_without_events(&c->p->ground, &bare);
  analysis_make(&bare, &an);
  c->a->tight = an.tight;
  c->a->head_cycle_free = an.head_cycle_free;
  c->a->loops = an.loops;
  c->a->components = an.components;
  c->a->distinct_components = an.kinds;
  for (uint32_t k = 0; k < an.components; k++) {
    size_t size = an.first[k + 1] - an.first[k];
    c->a->largest_component = size > c->a->largest_component ? size : c->a->largest_component;
  }
  if (!an.tight) {
    Atoms loop = {0};
    Text text = {0};
    loop_find(&bare, &an, &loop);
    loop_write(&c->p->ground, &loop, &text);
    c->a->loop = problem_keep_text(c->p, text.at);
    vec_free(&loop);
    vec_free(&text);
  }
  analysis_free(&an);
  ground_free(&bare);
}

static void count_ground(Check *c) {
  const Ground *g = &c->p->ground;
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

static Place statement_place(const lpmln *p, const Statement *s) {
  return program_place(&p->program, s, s->whole);
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
  lpmln *p = c->p;
  for (size_t i = 0; i < p->ground.soft.n; i++) {
    const SoftRule *soft = &p->ground.soft.at[i];
    const Statement *s = &p->program.statements.at[soft->statement];
    if (s->weight_kind == WEIGHT_HARD)
      continue;
    if (!soft->instances)
      diagnose_warning(&p->program.sources, statement_place(p, s), NULL,
                     "this soft rule has no ground instance: its body never holds");
    bool number = s->weight_kind == WEIGHT_NUMBER && weight_constant(&s->expression);
    double w = number ? weight_evaluate(&s->expression, NULL) : 0;
    bool logarithm = false;
    for (size_t k = 0; k < s->expression.n; k++)
      logarithm |= s->expression.at[k].operation == W_LOG;
    if (number && s->head_kind == HEAD_LITERAL && (logarithm || (w > 0 && w < 1)) &&
        has_open_body(&p->ground, (uint32_t)i))
      diagnose_note(
          &p->program.sources, program_place(&p->program, s, s->weight),
          "for a conditional probability p, weigh a fact of its own: "
          "`@log(p/(1-p)) c(X) :- dom(X).  h(X) :- b(X), c(X).`",
          "this is no conditional probability: the weight also makes the body less probable");
  }
}

static Status look_at_hard_rules(Check *c) {
  bool consistent;
  Status status = problem_satisfiable(c->p, NULL, 0, c->p->hard_bound, &consistent);
  c->a->hard_inconsistent = status == OK && !consistent;
  return status;
}

static Status look_at_observations(Check *c) {
  lpmln *p = c->p;
  Status status = OK;
  bool impossible = false;
  c->a->observations = p->program.blocks.n;
  for (uint32_t block = 0; status == OK && block < p->program.blocks.n; block++) {
    VEC(Lit) required = {0};
    bool possible;
    for (size_t i = 0; i < p->ground.violations.n; i++)
      if (p->ground.violations.at[i].first == block)
        vec_push(&required, lit_of(p->ground.violations.at[i].atom, true));
    status = problem_satisfiable(p, required.at, required.n, p->hard_bound, &possible);
    vec_free(&required);
    if (status == OK && !possible)
      impossible = true, status = explain_impossible(p, block);
  }
  return status == OK && impossible ? NO_ANSWER : status;
}

static void look_at_coherence(Check *c) {
  Coherence k = {.simple_reason = "not known: the hard rules are inconsistent",
                 .reason = "the hard rules are inconsistent"};
  if (!c->compiled) /* once is enough */
    c->p->compiled.options.seconds = 1e-3;
  if (!c->a->hard_inconsistent)
    coherence_find(c->p, &c->p->compiled, &k);
  c->a->simple = k.simple;
  c->a->simple_reason = k.simple_reason;
  c->a->coherent = k.count;
  c->a->coherence_reason = k.reason;
}

enum { CHECK_SECONDS = 10 }; /* for compiling */

static void recommend_engine(Check *c) {
  c->p->compile_seconds = CHECK_SECONDS;
  Status status = exact_size(c->p, c->a);
  c->compiled = status == OK;
  if (status == OK)
    advise(c, "Engine: exact, by a circuit of %zu node%s.", c->a->circuit_nodes,
           c->a->circuit_nodes == 1 ? "" : "s");
  else
    advise(c,
           "Engine: Markov chains (mc-asp), or enumeration if there are few stable models, for the "
           "program does not compile within %d seconds (%s).",
           CHECK_SECONDS, c->p->compiled.message.at);
  if (status == OK && c->a->largest_atom && c->a->largest_part < c->a->circuit_nodes)
    advise(c, "The component of %s has %zu of these nodes.", c->a->largest_atom,
           c->a->largest_part);
}

static void recommend(Check *c) {
  const lpmln_analysis *a = c->a;
  if (a->distinct_components < a->components)
    advise(c, "Of the %zu independent components, %zu %s of another one.", a->components,
           a->components - a->distinct_components,
           a->components - a->distinct_components == 1 ? "is a copy" : "are copies");
  if (a->hard_inconsistent)
    advise(c, "The hard rules can't all hold, so there are no probabilities; see the warnings, or "
              "use --hard-rules violable.");
  else
    recommend_engine(c);
  if (!a->head_cycle_free)
    advise(c, "There are disjunctions with head cycles, the hardest kind of rules.");
  if (!a->soft_rules)
    advise(c, "There is no soft rule: all stable models are equally probable.");
}

static Status check(lpmln *p, void *data) {
  const lpmln_analysis **answer = data;
  Status status = problem_prepare(p, true);
  if (status != OK)
    return status;
  Check c = {.p = p, .a = problem_keep(p, 1, sizeof *c.a)};
  c.a->simple_reason = c.a->coherence_reason = "not known: a limit was reached";
  c.a->about = (lpmln_answer){.method = LPMLN_ENUMERATE, .exact = true, .complete = true};
  count_statements(&c);
  count_ground(&c);
  look_at_soft_rules(&c);
  status = look_at_hard_rules(&c);
  if (status == OK && !c.a->hard_inconsistent)
    status = look_at_observations(&c);
  c.a->about.complete = status == OK || status == NO_ANSWER;
  recommend(&c);
  if (c.a->about.complete) /* it counts on the circuit that was just made */
    look_at_coherence(&c);
  vec_push(&p->answers, (void *)c.advice.at);
  c.a->advice = c.advice.at;
  c.a->advice_count = c.advice.n;
  *answer = c.a;
  if (c.a->hard_inconsistent) { /* last: it grounds the program anew */
    hard_explain(p);
    p->prepared = false;
  }
  return status;
}

lpmln_status lpmln_check(lpmln *p, const lpmln_analysis **answer) {
  *answer = NULL;
  return problem_run(p, check, answer);
}

typedef struct {
  lpmln_form form;
  const char **text;
} Translating;

static Status translate(lpmln *p, void *data) {
  const Translating *t = data;
  Status status = problem_prepare(p, false);
  if (status != OK)
    return status;
  Text text = {0};
  write_asp(&p->program, &p->ground, t->form, &text);
  char *kept = text_take(&text);
  vec_push(&p->answers, kept);
  *t->text = kept;
  return OK;
}

lpmln_status lpmln_translate_asp(lpmln *p, lpmln_form form, const char **text) {
  *text = NULL;
  return problem_run(p, translate, &(Translating){form, text});
}
