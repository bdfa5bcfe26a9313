/* markov_ties.c - see markov_ties.h. */
#include "write/markov_ties.h"

#include "base/memory.h"
#include "ground/ground.h"
#include "language/program.h"
#include "write/markov_names.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void to_markov_ties_free(ToMarkovTies *t) {
  to_markov_rules_free(&t->rules);
  free(t->lifted);
  free(t->tied);
}

static uint32_t statement_of(const ToMarkov *m, const Rule *r) {
  assert(r->instance != NONE);
  return m->named->soft.at[m->named->instances.at[r->instance].soft].statement;
}

static uint32_t weight_of(const ToMarkov *m, const Rule *r) {
  return m->named->instances.at[r->instance].weight;
}

/* By weight: the statement of its ground rules; UINT32_MAX - 1: several. */
enum { SEVERAL = UINT32_MAX - 1 };

static uint32_t *statements_by_weight(const ToMarkov *m) {
  uint32_t *of = memory_zero(m->named->weights.n, sizeof *of);
  for (size_t i = 0; i < m->named->weights.n; i++)
    of[i] = NONE;
  for (size_t i = 0; i < m->ground->rules.n; i++) {
    const Rule *r = &m->ground->rules.at[i];
    if (r->instance == NONE || !to_markov_left_out(m, weight_of(m, r)))
      continue;
    uint32_t *before = &of[weight_of(m, r)];
    *before = *before == NONE || *before == statement_of(m, r) ? statement_of(m, r) : SEVERAL;
  }
  return of;
}

bool to_markov_several(const ToMarkov *m) {
  uint32_t *of = statements_by_weight(m);
  bool found = false;
  for (size_t i = 0; i < m->named->weights.n; i++)
    found |= of[i] == SEVERAL;
  free(of);
  return found;
}

/* ---- which --------------------------------------------------------------------------------- */

static void case_name(uint32_t weight, uint32_t instance, Text *name) {
  text_printf(name, "\1formula%u(\1case%u)", weight + 1, instance + 1);
}

/* Statements whose instances have a weight that they share with no other statement. */
static void lift(ToMarkov *m, ToMarkovTies *t, const uint32_t *of) {
  bool *shared = memory_zero(m->program->statements.n, sizeof *shared);
  for (size_t i = 0; i < m->ground->rules.n; i++) {
    const Rule *r = &m->ground->rules.at[i];
    if (r->instance != NONE)
      shared[statement_of(m, r)] |= of[weight_of(m, r)] == SEVERAL;
  }
  for (size_t i = 0; i < m->ground->rules.n; i++) {
    const Rule *r = &m->ground->rules.at[i];
    uint32_t s = r->instance == NONE ? NONE : statement_of(m, r);
    if (s != NONE && !shared[s]) {
      shared[s] = true; /* it is looked at once */
      t->lifted[s] = to_markov_read_soft(m, &t->rules, &m->program->statements.at[s]);
    }
  }
  free(shared);
}

static void tie(ToMarkov *m, ToMarkovTies *t) {
  uint32_t *uses = memory_zero(m->named->weights.n, sizeof *uses);
  for (int second = 0; second < 2; second++)
    for (size_t i = 0; i < m->ground->rules.n; i++) {
      const Rule *r = &m->ground->rules.at[i];
      if (r->instance == NONE || t->lifted[statement_of(m, r)] || (!r->heads && !r->size))
        continue;
      uint32_t weight = weight_of(m, r);
      if (!second) {
        t->tied[weight] = ++uses[weight] > 1 && to_markov_left_out(m, weight);
      } else if (t->tied[weight]) {
        Text name = {0};
        case_name(weight, r->instance, &name);
        to_markov_add_atom(&m->names, name.at);
        vec_free(&name);
      }
    }
  free(uses);
}

void to_markov_ties_make(ToMarkov *m, ToMarkovTies *t) {
  assert(!m->names.types.n);
  *t = (ToMarkovTies){.lifted = memory_zero(m->program->statements.n, sizeof *t->lifted),
                      .tied = memory_zero(m->named->weights.n, sizeof *t->tied)};
  uint32_t *of = statements_by_weight(m);
  if (m->lift)
    lift(m, t, of);
  tie(m, t);
  free(of);
}

/* ---- writing ----------------------------------------------------------------------------------
 */

void to_markov_write_ties(ToMarkov *m, const ToMarkovTies *t) {
  for (size_t i = 0; i < t->rules.rules.n; i++)
    to_markov_write_rule(m, &t->rules.rules.at[i]);
  for (uint32_t w = 0; w < m->named->weights.n; w++) {
    if (!t->tied[w])
      continue;
    Text name = {0};
    text_printf(&name, "\1formula%u", w + 1);
    uint32_t p = to_markov_predicate(&m->names, name.at, name.n, 1);
    text_printf(&m->out, "// @w(%s)\n", ground_text(m->named, m->named->weights.at[w].name));
    vec_push(&m->marks, ((ToMarkovMark){m->out.n, NULL, w}));
    text_printf(&m->out, "%s(x)\n", m->names.predicates.at[p].written);
    vec_free(&name);
  }
}

/* Body and heads as a clause: the k-th of its literals. */
static Lit clause_literal(const ToMarkov *m, const Rule *r, uint32_t k) {
  return k < r->size ? lit_not(rule_body(m->ground, r)[k])
                     : lit_of(rule_heads(m->ground, r)[k - r->size], false);
}

/* The case holds iff the clause does; for Tuffy by clauses. */
static void write_case(ToMarkov *m, const Rule *r, const char *name) {
  uint32_t n = r->size + r->heads;
  text_puts(&m->out, m->tuffy ? "!" : "");
  to_markov_write_atom(&m->names, name, &m->out);
  text_puts(&m->out, m->tuffy ? " v " : " <=> ");
  for (uint32_t k = 0; k < n; k++) {
    text_puts(&m->out, k ? " v " : "");
    to_markov_write_literal(m, clause_literal(m, r, k), &m->out);
  }
  text_puts(&m->out, ".\n");
  for (uint32_t k = 0; k < n && m->tuffy; k++) {
    to_markov_write_atom(&m->names, name, &m->out);
    text_puts(&m->out, " v ");
    to_markov_write_literal(m, lit_not(clause_literal(m, r, k)), &m->out);
    text_puts(&m->out, ".\n");
  }
}

bool to_markov_write_case(ToMarkov *m, const ToMarkovTies *t, const Rule *r) {
  if (t->lifted[statement_of(m, r)])
    return true;
  if (!t->tied[weight_of(m, r)] || (!r->heads && !r->size))
    return false;
  Text name = {0};
  case_name(weight_of(m, r), r->instance, &name);
  write_case(m, r, name.at);
  vec_free(&name);
  return true;
}
