/* deny.c - heads with a negation: \+a says that a does not hold, whatever
** derives it.  What derives a derives `derived a`, \+a derives `denied a`, and
** a :- derived a, \+ denied a. */
#include "dialects/problog/problog.h"

#include "base/memory.h"
#include "base/source.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The same atom of another predicate. */
static TermId renamed(Problog *p, TermId atom, const char *word) {
  Term t = *problog_at(p, atom);
  VEC(TermId) arguments = {0};
  Text name = {0};
  text_printf(&name, "%s %s", word, problog_text(p, t.name));
  for (uint32_t i = 0; i < t.count; i++)
    vec_push(&arguments, problog_argument(p, atom, i));
  t.name = problog_name(p, name.at);
  TermId made = problog_term(p, t, arguments.at);
  vec_free(&arguments);
  vec_free(&name);
  return made;
}

TermId problog_negative_head(Problog *p, TermId head) {
  assert(problog_at(p, head)->count == 1);
  TermId atom = problog_argument(p, head, 0);
  if (!problog_check_head(p, atom))
    return NO_TERM;
  uint32_t predicate = problog_predicate_of(p, atom);
  if (predicate == UINT32_MAX)
    return NO_TERM;
  p->predicates.at[predicate].denied = true;
  return renamed(p, atom, "denied");
}

/* a(X,Y) with fresh variables. */
static TermId general_atom(Problog *p, uint32_t predicate, Place place) {
  VEC(TermId) arguments = {0};
  uint32_t n = p->predicates.at[predicate].arity;
  for (uint32_t i = 0; i < n; i++)
    vec_push(&arguments,
             problog_term(p, (Term){.kind = P_VARIABLE, .name = i, .place = place}, NULL));
  TermId atom = problog_term(p,
                             (Term){.kind = n ? P_COMPOUND : P_ATOM,
                                    .name = p->predicates.at[predicate].name,
                                    .count = n,
                                    .place = place},
                             arguments.at);
  vec_free(&arguments);
  return atom;
}

static void deny(Problog *p, uint32_t predicate) {
  assert(p->predicates.at[predicate].denied);
  Clause c = {.made = true, .variables = p->predicates.at[predicate].arity};
  VEC(uint32_t) clauses = {0};
  for (size_t k = 0; k < p->predicates.at[predicate].clauses.n; k++)
    vec_push(&clauses, p->predicates.at[predicate].clauses.at[k]);
  vec_free(&p->predicates.at[predicate].clauses);
  for (size_t k = 0; k < clauses.n; k++)
    for (size_t i = 0; i < p->clauses.at[clauses.at[k]].heads.n; i++) {
      TermId head = p->clauses.at[clauses.at[k]].heads.at[i].head;
      c.place = p->clauses.at[clauses.at[k]].place;
      if (problog_predicate_of(p, head) != predicate)
        continue;
      TermId other = renamed(p, head, "derived");
      p->clauses.at[clauses.at[k]].heads.at[i].head = other;
      uint32_t derived = problog_predicate_of(p, other);
      p->predicates.at[derived].defined = true;
      if (!p->predicates.at[derived].clauses.n ||
          p->predicates.at[derived].clauses.at[p->predicates.at[derived].clauses.n - 1] !=
              clauses.at[k])
        vec_push(&p->predicates.at[derived].clauses, clauses.at[k]);
    }
  TermId atom = general_atom(p, predicate, c.place);
  Literal derived = {L_ATOM, renamed(p, atom, "derived"), NO_TERM, NO_TERM, NULL, false};
  Literal denied = {L_NEGATED, renamed(p, atom, "denied"), NO_TERM, NO_TERM, NULL, false};
  for (uint32_t i = 0; i < c.variables; i++)
    vec_push(&c.names, problog_name(p, "_"));
  vec_push(&c.heads, (Alternative){.head = atom, .expression = NO_TERM});
  vec_push(&c.body, derived);
  vec_push(&c.body, denied);
  problog_predicate_at(p, derived.left)->defined = true;
  problog_add_clause(p, &c);
  vec_free(&clauses);
}

void problog_deny(Problog *p) {
  for (uint32_t i = 0; i < p->predicates.n; i++)
    if (p->predicates.at[i].denied)
      deny(p, i);
}
