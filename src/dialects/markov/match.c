/* match.c - see match.h.
**
** Both texts are read as one network, so that predicates and constants have the same numbers.
** Clauses are compared as sets of literals: each literal of one is tried with those of the
** other that are left, in turn. */
#include "dialects/markov/match.h"

#include "dialects/dialect.h"
#include "dialects/markov/markov.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

enum { MOST_TRIES = 100000, MOST_LITERALS = 64 };

typedef struct {
  uint32_t node;
  bool negated;
} Literal;

typedef VEC(Literal) Clause;

/* A variable of the first clause, and the term of the second that it is. */
typedef struct {
  uint32_t variable;
  MarkovTerm term;
} Binding;

typedef VEC(Binding) Bindings;

void markov_matches_free(MarkovMatches *m) {
  vec_free(&m->list);
  vec_free(&m->values);
}

/* The literals of a formula that is one clause; false: it is not.  Its depth is bounded. */
static bool find_clause(const Markov *m, uint32_t node, bool negated, Clause *to) {
  const MarkovNode *n = markov_node(m, node);
  if (n->operation == F_ATOM || n->operation == F_COMPARE) {
    vec_push(to, ((Literal){node, negated}));
    return !n->star && to->n <= MOST_LITERALS;
  }
  if (n->operation == F_NOT)
    return find_clause(m, markov_child(m, n, 0), !negated, to);
  bool some = (n->operation == F_AND && negated) ||
              ((n->operation == F_OR || n->operation == F_IMPLIES) && !negated);
  for (uint32_t k = 0; k < n->count && some; k++)
    some = find_clause(m, markov_child(m, n, k), negated != (n->operation == F_IMPLIES && !k), to);
  return some;
}

/* Different variables stay different; a constant stands for `+x` alone. */
static bool bind(const Markov *m, MarkovTerm from, MarkovTerm to, Bindings *b) {
  if (!from.variable)
    return !to.variable && from.id == to.id;
  if (!to.variable && !m->variables.at[from.id].counted)
    return false;
  for (size_t i = 0; i < b->n; i++) {
    MarkovTerm known = b->at[i].term;
    bool same = known.variable == to.variable && known.id == to.id;
    if (b->at[i].variable == from.id)
      return same;
    if (same && to.variable)
      return false;
  }
  vec_push(b, ((Binding){from.id, to}));
  return true;
}

static bool same_literal(const Markov *m, Literal a, Literal b, Bindings *bindings) {
  const MarkovNode *x = markov_node(m, a.node), *y = markov_node(m, b.node);
  bool opposite = false;
  uint32_t sign = y->predicate;
  if (y->operation == F_COMPARE && x->operation == F_COMPARE && sign < 2 && x->predicate < 2)
    opposite = sign != x->predicate, sign = x->predicate; /* = and != */
  if (x->operation != y->operation || x->predicate != sign || x->count != y->count ||
      a.negated != (b.negated != opposite))
    return false;
  for (uint32_t k = 0; k < x->count; k++)
    if (!bind(m, m->terms.at[x->first + k], m->terms.at[y->first + k], bindings))
      return false;
  return true;
}

/* Do the first `n` literals fit those that were chosen for them? */
static bool fits(const Markov *m, const Clause *a, const Clause *b, const uint32_t *chosen,
                 uint32_t n, Bindings *bindings) {
  bindings->n = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < i; k++)
      if (chosen[k] == chosen[i])
        return false;
    if (!same_literal(m, a->at[i], b->at[chosen[i]], bindings))
      return false;
  }
  return true;
}

static bool same_clause(const Markov *m, const Clause *a, const Clause *b, Bindings *bindings) {
  uint32_t chosen[MOST_LITERALS + 1] = {0}, i = 0, n = (uint32_t)a->n;
  if (a->n != b->n)
    return false;
  assert(n && n <= MOST_LITERALS);
  for (unsigned tries = 0; tries < MOST_TRIES; tries++) {
    bool good = fits(m, a, b, chosen, i + 1, bindings);
    if (good && i + 1 == n)
      return true;
    if (good) {
      chosen[++i] = 0;
      continue;
    }
    while (++chosen[i] == n) /* the next choice, of an earlier literal if there is none */
      if (i-- == 0)
        return false;
  }
  return false;
}

static void add_match(const Markov *m, const MarkovFormula *known, const MarkovFormula *learned,
                      const Bindings *bindings, MarkovMatches *to) {
  MarkovMatch match = {.formula = known->place.offset,
                       .place = learned->place,
                       .weight = learned->weight,
                       .first = to->values.n};
  for (size_t i = 0; i < bindings->n; i++)
    if (!bindings->at[i].term.variable)
      vec_push(&to->values, ((MarkovValue){m->variables.at[bindings->at[i].variable].place,
                                           bindings->at[i].term.place}));
  match.count = to->values.n - match.first;
  vec_push(&to->list, match);
}

/* Formulas from `first` on are those of the other text. */
static void match_formulas(const Markov *m, size_t first, MarkovMatches *to) {
  Clause a = {0}, b = {0};
  Bindings bindings = {0};
  for (size_t i = first; i < m->formulas.n; i++) {
    const MarkovFormula *learned = &m->formulas.at[i];
    b.n = 0;
    if (!learned->weighted || !find_clause(m, learned->root, false, &b))
      continue;
    assert(isfinite(learned->weight));
    for (size_t k = 0; k < first; k++) {
      const MarkovFormula *known = &m->formulas.at[k];
      a.n = 0;
      if (!known->hard && !known->weighted && find_clause(m, known->root, false, &a) &&
          same_clause(m, &a, &b, &bindings))
        add_match(m, known, learned, &bindings, to);
    }
  }
  vec_free(&a);
  vec_free(&b);
  vec_free(&bindings);
}

void markov_match(Program *program, Diagnostics *said, uint32_t network, uint32_t learned,
                  MarkovMatches *to) {
  Dialect dialect = {.program = program};
  Markov m = {.dialect = &dialect, .said = said};
  vec_push(&dialect.inputs, ((DialectInput){LPMLN_PROGRAM, network}));
  vec_push(&dialect.inputs, ((DialectInput){LPMLN_PROGRAM, learned}));
  markov_read_text(&m, 0, false);
  size_t first = m.formulas.n;
  markov_read_text(&m, 1, false);
  if (!said->errors)
    match_formulas(&m, first, to);
  markov_free(&m);
  dialect_free(&dialect);
}
