/* types.c - the types of variables, by the predicates they are arguments of
** and by what they are compared with. */
#include "dialects/markov/markov.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  Markov *m;
  VEC(uint32_t) comparisons; /* nodes */
} Typing;

static void say_types(Markov *m, Place place, uint32_t variable, uint32_t other) {
  assert(m->variables.at[variable].type < m->types.n);
  const MarkovVariable *v = &m->variables.at[variable];
  diagnose_error(m->said, place, NULL,
                 "the variable %s is a %s here, but a %s elsewhere in the formula",
                 m->variable_names.list.at[v->name], m->type_names.list.at[other],
                 m->type_names.list.at[v->type]);
}

static void set_type(Markov *m, MarkovTerm t, uint32_t type) {
  assert(type < m->types.n);
  if (!t.variable) {
    markov_belongs(m, t.id, type);
    return;
  }
  MarkovVariable *v = &m->variables.at[t.id];
  if (v->type == MARKOV_NONE)
    v->type = type;
  else if (v->type != type)
    say_types(m, t.place, t.id, type);
}

/* The depth of formulas is bounded by the parser. */
static void walk(Typing *x, uint32_t node) {
  Markov *m = x->m;
  const MarkovNode *n = markov_node(m, node);
  switch (n->operation) {
  case F_ATOM:
    for (uint32_t k = 0; k < n->count; k++)
      set_type(m, m->terms.at[n->first + k], m->predicates.at[n->predicate].types.at[k]);
    break;
  case F_COMPARE: vec_push(&x->comparisons, node); break;
  case F_EXIST:
  case F_FORALL: walk(x, markov_scope(m, n)); break;
  default:
    for (uint32_t k = 0; k < n->count; k++)
      walk(x, markov_child(m, n, k));
  }
}

static uint32_t known_type(const Markov *m, MarkovTerm t) {
  return t.variable ? m->variables.at[t.id].type : MARKOV_NONE;
}

/* Each side of a comparison tells the other's type, until nothing is new. */
static void compare_types(Typing *x) {
  Markov *m = x->m;
  for (size_t round = 0; round <= x->comparisons.n; round++) {
    bool grew = false;
    for (size_t i = 0; i < x->comparisons.n; i++) {
      const MarkovTerm *sides = &m->terms.at[markov_node(m, x->comparisons.at[i])->first];
      for (unsigned k = 0; k < 2; k++) {
        uint32_t type = known_type(m, sides[k]);
        grew |=
            type != MARKOV_NONE && sides[!k].variable && known_type(m, sides[!k]) == MARKOV_NONE;
        if (type != MARKOV_NONE)
          set_type(m, sides[!k], type);
      }
    }
    if (!grew)
      break;
  }
}

void markov_find_types(Markov *m) {
  for (size_t i = 0; i < m->formulas.n; i++) {
    Typing x = {.m = m};
    walk(&x, m->formulas.at[i].root);
    compare_types(&x);
    vec_free(&x.comparisons);
  }
  for (size_t i = 0; i < m->variables.n && !m->said->errors; i++)
    if (m->variables.at[i].type == MARKOV_NONE)
      diagnose_error(m->said, m->variables.at[i].place, "it is no argument of a predicate",
                     "the type of the variable %s is not known",
                     m->variable_names.list.at[m->variables.at[i].name]);
}
