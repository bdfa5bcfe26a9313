/* problog.c - see problog.h: the checks, and the ground program. */
#include "write/problog.h"

#include "base/source.h"
#include "ground/negation.h"
#include "ground/script.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stdlib.h>

/* ---- is it a ProbLog program? --------------------------------------------------------- */

static const char *const advice =
    "`lpmln check` says more; ProbLog has normal rules and independent facts only";

static Place place_of(const Program *p, const Statement *s) {
  return program_place(p, s, s->whole);
}

/* The first rule with such a head, to point at. */
static Place head_place(const Program *p, HeadKind kind) {
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (s->kind == S_RULE && s->block == PROGRAM_BLOCK && s->head_kind == kind)
      return place_of(p, s);
  }
  return NOWHERE;
}

static bool refuse(ToProblog *t, Place place, const char *reason) {
  diagnose_error(t->said, place, advice, "not a ProbLog program: %s", reason);
  return false;
}

static bool check_hard(ToProblog *t, const Rule *r) {
  const Program *p = t->program;
  if (r->choice)
    return refuse(t,
                  head_place(p, head_place(p, HEAD_CHOICE).source != NONE_SOURCE ? HEAD_CHOICE
                                                                                 : HEAD_BOUNDED),
                  "a choice");
  if (!r->heads)
    return refuse(t, head_place(p, HEAD_NONE), "a constraint");
  if (r->heads > 1)
    return refuse(t, head_place(p, HEAD_DISJUNCTION), "a disjunction");
  if (r->weighted)
    return refuse(t, NOWHERE, "an aggregate over atoms that are not certain");
  return true;
}

/* A soft instance that never holds or always does changes nothing. */
static bool add_soft(ToProblog *t, const Rule *r) {
  assert(r->instance != NONE);
  const Ground *g = t->ground;
  const Instance *i = &g->instances.at[r->instance];
  const Statement *s = &t->program->statements.at[g->soft.at[i->soft].statement];
  if (!r->heads && !r->size)
    return true;
  if (r->heads != 1 || r->size)
    return refuse(t, place_of(t->program, s), "a soft rule that is no fact");
  SoftAtom *a = &t->soft[rule_heads(g, r)[0]];
  const Weight *w = &g->weights.at[i->weight];
  if (!a->instances)
    a->parameter = NONE;
  a->instances++;
  a->statement = g->soft.at[i->soft].statement;
  if (w->name == NONE)
    a->fixed += w->value;
  else if (a->parameter != NONE)
    return refuse(t, place_of(t->program, s), "two parameters for one fact");
  else
    a->parameter = i->weight;
  return true;
}

static bool check_program(ToProblog *t) {
  const Ground *g = t->ground;
  if (g->inconsistent)
    return refuse(t, NOWHERE, "the hard rules have no stable model");
  for (size_t i = 0; i < g->rules.n; i++)
    if (g->rules.at[i].instance != NONE && !add_soft(t, &g->rules.at[i]))
      return false;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance != NONE)
      continue;
    if (!check_hard(t, r))
      return false;
    const SoftAtom *a = &t->soft[rule_heads(g, r)[0]];
    if (a->instances)
      return refuse(t, place_of(t->program, &t->program->statements.at[a->statement]),
                    "a hard rule derives an atom that is a soft fact, too");
  }
  for (Atom a = 0; a < g->atoms.n; a++)
    if (t->soft[a].parameter != NONE && t->soft[a].instances > 1)
      return refuse(t, place_of(t->program, &t->program->statements.at[t->soft[a].statement]),
                    "one fact with several weights, of which one is a parameter");
  Atom loop = negation_loop(g);
  if (loop != NONE) {
    Text reason = {0};
    uint32_t name = g->atoms.at[loop].name;
    text_printf(&reason, "%s depends on its own negation",
                name == NONE ? "an atom" : ground_text(g, name));
    refuse(t, name == NONE ? NOWHERE : negation_defined_at(t->program, ground_text(g, name)),
           reason.at);
    vec_free(&reason);
  }
  return loop == NONE;
}

/* ---- the ground program ----------------------------------------------------------------- */

static void write_atom(ToProblog *t, Atom a, Text *out) {
  const Ground *g = t->ground;
  if (g->atoms.at[a].name == NONE)
    text_printf(out, "p_aux(%u)", a);
  else
    prolog_ground(ground_text(g, g->atoms.at[a].name), out);
}

/* As the head of a clause. */
static void write_head(ToProblog *t, Atom a) {
  const Ground *g = t->ground;
  Text signature = {0};
  write_atom(t, a, t->out);
  if (g->atoms.at[a].name != NONE) {
    prolog_signature(ground_text(g, g->atoms.at[a].name), &signature);
    names_add(&t->defined, signature.at, signature.n);
  }
  vec_free(&signature);
}

/* An observation's, which is written as evidence. */
static bool is_event(const Ground *g, Atom a) { return a >= g->own.atoms && a < g->observed.atoms; }

static void write_parameter(const Weight *w, Text *out) {
  text_puts(out, "t(");
  if (w->value == 0)
    text_puts(out, "_");
  else
    prolog_probability(w->value, out);
  text_puts(out, ")::");
}

/* t(_)::p_tied(1,N) :- p_instance(1,N): one parameter for several facts. */
static void write_tied(ToProblog *t, uint32_t weight, uint32_t number) {
  assert(weight < t->ground->weights.n && number);
  const Ground *g = t->ground;
  uint32_t count = 0;
  write_parameter(&g->weights.at[weight], t->out);
  text_printf(t->out, "p_tied(%u,N) :- p_instance(%u,N).\n", number, number);
  for (Atom a = 0; a < g->atoms.n; a++) {
    if (!t->soft[a].instances || t->soft[a].parameter != weight)
      continue;
    text_printf(t->out, "p_instance(%u,%u).\n", number, ++count);
    write_head(t, a);
    text_printf(t->out, " :- p_tied(%u,%u).\n", number, count);
  }
}

static void write_parameters(ToProblog *t) {
  const Ground *g = t->ground;
  uint32_t number = 0;
  for (uint32_t w = 0; w < g->weights.n; w++) {
    if (g->weights.at[w].name == NONE)
      continue;
    uint32_t uses = 0;
    Atom only = NONE;
    for (Atom a = 0; a < g->atoms.n; a++)
      if (t->soft[a].instances && t->soft[a].parameter == w)
        uses++, only = a;
    if (uses == 1) {
      write_parameter(&g->weights.at[w], t->out);
      write_head(t, only);
      text_puts(t->out, ".\n");
    } else if (uses) {
      write_tied(t, w, ++number);
    }
  }
}

static void write_facts(ToProblog *t) {
  const Ground *g = t->ground;
  for (Atom a = 0; a < g->atoms.n; a++) {
    bool certain = g->atoms.at[a].truth == ATOM_CERTAIN && g->atoms.at[a].name != NONE;
    if (t->soft[a].instances && t->soft[a].parameter == NONE) {
      prolog_probability(t->soft[a].fixed, t->out);
      text_puts(t->out, "::");
    } else if (!certain) {
      continue;
    }
    write_head(t, a);
    text_puts(t->out, ".\n");
  }
  write_parameters(t);
}

static void write_rules(ToProblog *t) {
  const Ground *g = t->ground;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance != NONE || is_event(g, rule_heads(g, r)[0]))
      continue;
    write_head(t, rule_heads(g, r)[0]);
    for (uint32_t k = 0; k < r->size; k++) {
      Lit l = rule_body(g, r)[k];
      text_printf(t->out, "%s%s", k ? ", " : " :- ", lit_negated(l) ? "\\+" : "");
      write_atom(t, lit_atom(l), t->out);
    }
    text_puts(t->out, ".\n");
  }
}

static void write_queries(ToProblog *t) {
  for (size_t i = 0; i < t->program->statements.n; i++) {
    const Statement *s = &t->program->statements.at[i];
    Text atom = {0};
    if (s->kind == S_QUERY && range_empty(s->head) && query_is_atom(t->program, s) &&
        prolog_tokens(t->program, s, s->body, true, &atom)) {
      text_printf(t->out, "query(%s).\n", atom.at);
      problog_signature(t, t->program, s, s->body, false);
    } else if (s->kind == S_QUERY && s->formula) {
      diagnose_warning(t->said, program_place(t->program, s, s->whole),
                       "define an atom for it in the program",
                       "ProbLog has no such query: it is "
                       "left out");
    }
    vec_free(&atom);
  }
}

bool write_problog(const Program *program, const Ground *ground, Diagnostics *said, Text *out,
                   Text *data) {
  assert(ground->sealed);
  ToProblog t = {.program = program, .ground = ground, .said = said, .out = out};
  t.soft = memory_zero(ground->atoms.n, sizeof *t.soft);
  for (Atom a = 0; a < ground->atoms.n; a++)
    t.soft[a].parameter = NONE;
  bool good = check_program(&t);
  text_printf(out, "%% Translated by lpmln %s.\n", lpmln_version());
  size_t start = out->n;
  if (good && !problog_write_rules(&t)) {
    out->n = start;
    out->at[start] = 0;
    text_puts(out, "% The ground program: not all of its rules can be written with variables.\n");
    names_free(&t.defined);
    names_free(&t.used);
    t.defined = t.used = (Names){0};
    write_facts(&t);
    write_rules(&t);
  }
  good = good && problog_write_data(&t, data ? data : out, data != NULL);
  if (good) {
    write_queries(&t);
    problog_write_undefined(&t);
  }
  names_free(&t.defined);
  names_free(&t.used);
  free(t.soft);
  return good;
}
