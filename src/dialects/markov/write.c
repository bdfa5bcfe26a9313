/* write.c - the formulas of a Markov logic network as LPMLN text.
**
** A formula is a constraint whose body says that it is false, with the types of its
** free variables.  What a body can't say, a disjunction or a quantifier, is an
** atom of its own, defined by hard rules that are written first. */
#include "dialects/markov/markov.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "dialects/dialect.h"
#include "language/instance.h"
#include "language/weight.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STARS = 10 };

typedef struct {
  Markov *m;
  const MarkovFormula *formula;
  uint32_t stars, mask; /* starred atoms met so far; which are negated */
  Writer *out;          /* definitions, then the formula */
} Writing;

typedef VEC(uint32_t) Variables;

static void body(Writing *w, uint32_t node, bool negated, const Variables *known, Text *text);

/* ---- terms and literals ---------------------------------------------------------------------- */

/* `x` is X; a second variable of that name in a formula has its number behind it. */
static void write_variable(const Markov *m, uint32_t v, Text *out) {
  assert(v < m->variables.n);
  const MarkovVariable *variable = &m->variables.at[v];
  const char *name = m->variable_names.list.at[variable->name];
  if (isalpha((unsigned char)*name))
    text_add(out, &(char){(char)toupper((unsigned char)*name++)}, 1);
  else
    text_puts(out, "X");
  for (; *name; name++)
    text_add(out, *name == '\'' ? "_" : name, 1);
  if (variable->again)
    text_printf(out, "_%u", v);
}

static void write_term(const Markov *m, MarkovTerm t, Text *out) {
  if (t.variable)
    write_variable(m, t.id, out);
  else
    text_puts(out, m->constants.list.at[t.id]);
}

static void separate(Text *text) { text_puts(text, text->n ? ", " : ""); }

static void write_types(const Markov *m, const Variables *variables, Text *out) {
  for (size_t i = 0; i < variables->n; i++) {
    separate(out);
    text_printf(out, "%s(", m->types.at[m->variables.at[variables->at[i]].type].written);
    write_variable(m, variables->at[i], out);
    text_puts(out, ")");
  }
}

void markov_write_atom(const Markov *m, uint32_t predicate, const MarkovTerm *terms, uint32_t n,
                       Text *out) {
  assert(predicate < m->predicates.n && n == m->predicates.at[predicate].types.n);
  text_puts(out, m->predicates.at[predicate].written);
  for (uint32_t k = 0; k < n; k++) {
    text_puts(out, k ? "," : "(");
    write_term(m, terms[k], out);
  }
  text_puts(out, n ? ")" : "");
}

static void write_literal(Writing *w, const MarkovNode *n, bool negated, Text *text) {
  assert(n->operation == F_ATOM || (n->operation == F_COMPARE && n->predicate < 6));
  static const char *const signs[2][6] = {{"=", "!=", "<", ">", "<=", ">="},
                                          {"!=", "=", ">=", "<=", ">", "<"}};
  const MarkovTerm *terms = markov_terms(w->m, n->first);
  separate(text);
  if (n->operation == F_COMPARE) {
    write_term(w->m, terms[0], text);
    text_printf(text, " %s ", signs[negated][n->predicate]);
    write_term(w->m, terms[1], text);
    return;
  }
  bool flipped = n->star && w->mask >> w->stars & 1;
  w->stars += n->star;
  text_puts(text, negated != flipped ? "not " : "");
  markov_write_atom(w->m, n->predicate, terms, n->count, text);
}

/* ---- definitions ----------------------------------------------------------------- */

/* The variables of the node that are free in it, among those known outside. */
static void find_free(const Markov *m, uint32_t node, bool *seen) {
  const MarkovNode *n = markov_node(m, node);
  bool leaf = n->operation == F_ATOM || n->operation == F_COMPARE;
  for (uint32_t k = 0; k < n->count && leaf; k++)
    if (m->terms.at[n->first + k].variable)
      seen[m->terms.at[n->first + k].id] = true;
  if (n->operation == F_EXIST || n->operation == F_FORALL)
    find_free(m, markov_scope(m, n), seen);
  for (uint32_t k = 0; k < n->count && !leaf && n->operation != F_EXIST && n->operation != F_FORALL;
       k++)
    find_free(m, markov_child(m, n, k), seen);
}

/* An auxiliary atom, over the known variables that the node mentions. */
typedef struct {
  Variables variables;
  Text atom;
} Auxiliary;

static Auxiliary auxiliary_make(Writing *w, uint32_t node, const Variables *known) {
  Auxiliary a = {0};
  bool *seen = memory_zero(w->m->variables.n, sizeof *seen);
  char *name = markov_fresh(w->m, "formula");
  dialect_hide(w->m->dialect, name);
  find_free(w->m, node, seen);
  text_puts(&a.atom, name);
  for (size_t i = 0; i < known->n; i++)
    if (seen[known->at[i]]) {
      text_puts(&a.atom, a.variables.n ? "," : "(");
      write_variable(w->m, known->at[i], &a.atom);
      vec_push(&a.variables, known->at[i]);
    }
  text_puts(&a.atom, a.variables.n ? ")" : "");
  free(name);
  free(seen);
  return a;
}

static void auxiliary_free(Auxiliary *a) {
  vec_free(&a->variables);
  vec_free(&a->atom);
}

static void start(Writing *w) { writer_place(w->out, w->formula->place, ""); }

/* `atom :- types, literals.`; more variables than the atom's are `inner`. */
static void define(Writing *w, const Auxiliary *a, const uint32_t *inner, uint32_t n, uint32_t node,
                   bool negated) {
  Variables all = {0};
  Text text = {0};
  for (size_t i = 0; i < a->variables.n; i++)
    vec_push(&all, a->variables.at[i]);
  for (uint32_t i = 0; i < n; i++)
    vec_push(&all, inner[i]);
  write_types(w->m, &all, &text);
  body(w, node, negated, &all, &text);
  start(w);
  text_printf(&w->out->text, "%s :- %s.\n", a->atom.at, text.at);
  vec_free(&all);
  vec_free(&text);
}

/* Some child holds, or some is false. */
static void write_some(Writing *w, uint32_t node, bool negated, const Variables *known,
                       Text *text) {
  const MarkovNode n = *markov_node(w->m, node);
  Auxiliary a = auxiliary_make(w, node, known);
  for (uint32_t k = 0; k < n.count; k++) /* of `a => b`, the first is negated */
    define(w, &a, NULL, 0, markov_child(w->m, &n, k), negated != (n.operation == F_IMPLIES && !k));
  separate(text);
  text_puts(text, a.atom.at);
  auxiliary_free(&a);
}

/* One side of `a <=> b`: a literal as it is, else an atom of its own, so that it is
** written once. */
static Auxiliary side_make(Writing *w, uint32_t node, const Variables *known) {
  const MarkovNode *n = markov_node(w->m, node);
  if (n->operation == F_ATOM && !n->star) {
    Auxiliary a = {0};
    markov_write_atom(w->m, n->predicate, markov_terms(w->m, n->first), n->count, &a.atom);
    return a;
  }
  Auxiliary a = auxiliary_make(w, node, known);
  define(w, &a, NULL, 0, node, false);
  return a;
}

static void write_iff(Writing *w, uint32_t node, bool negated, const Variables *known, Text *text) {
  assert(markov_node(w->m, node)->count == 2);
  const MarkovNode n = *markov_node(w->m, node);
  Auxiliary whole = auxiliary_make(w, node, known), side[2];
  for (unsigned k = 0; k < 2; k++)
    side[k] = side_make(w, markov_child(w->m, &n, k), known);
  for (unsigned both = 0; both < 2; both++) {
    Text types = {0};
    write_types(w->m, &whole.variables, &types);
    start(w);
    text_printf(&w->out->text, "%s :- %s%s%s%s, %s%s.\n", whole.atom.at, types.n ? types.at : "",
                types.n ? ", " : "", both ? "" : "not ", side[0].atom.at, both ? "" : "not ",
                side[1].atom.at);
    vec_free(&types);
  }
  separate(text);
  text_printf(text, "%s%s", negated ? "not " : "", whole.atom.at);
  auxiliary_free(&side[0]);
  auxiliary_free(&side[1]);
  auxiliary_free(&whole);
}

/* EXIST: an atom that some value makes true; FORALL: that no value makes false. */
static void write_quantifier(Writing *w, uint32_t node, bool negated, const Variables *known,
                             Text *text) {
  const MarkovNode n = *markov_node(w->m, node);
  bool forall = n.operation == F_FORALL;
  Auxiliary a = auxiliary_make(w, node, known);
  uint32_t *inner = memory_zero(n.count, sizeof *inner);
  memcpy(inner, w->m->lists.at + n.first, n.count * sizeof *inner);
  define(w, &a, inner, n.count, markov_scope(w->m, &n), forall);
  separate(text);
  text_printf(text, "%s%s", negated != forall ? "not " : "", a.atom.at);
  free(inner);
  auxiliary_free(&a);
}

/* ---- bodies ---------------------------------------------------------------------- */

/* Adds literals that hold together iff the node does (or does not). */
static void body(Writing *w, uint32_t node, bool negated, const Variables *known, Text *text) {
  const MarkovNode *n = markov_node(w->m, node);
  uint32_t count = n->count, first = n->first;
  switch (n->operation) {
  case F_ATOM:
  case F_COMPARE: write_literal(w, n, negated, text); break;
  case F_NOT: body(w, markov_child(w->m, n, 0), !negated, known, text); break;
  case F_IFF: write_iff(w, node, negated, known, text); break;
  case F_EXIST:
  case F_FORALL: write_quantifier(w, node, negated, known, text); break;
  default: {
    bool implies = n->operation == F_IMPLIES, together = (n->operation == F_AND) != negated;
    if (!together)
      write_some(w, node, negated, known, text);
    for (uint32_t k = 0; k < count && together; k++)
      body(w, w->m->lists.at[first + k], negated != (implies && !k), known, text);
  }
  }
}

/* ---- formulas -------------------------------------------------------------------- */

static uint32_t count_stars(const Markov *m, uint32_t node) {
  const MarkovNode *n = markov_node(m, node);
  if (n->operation == F_ATOM || n->operation == F_COMPARE)
    return n->star;
  if (n->operation == F_EXIST || n->operation == F_FORALL)
    return count_stars(m, markov_scope(m, n));
  uint32_t sum = 0;
  for (uint32_t k = 0; k < n->count; k++)
    sum += count_stars(m, markov_child(m, n, k));
  return sum;
}

/* Is the formula one clause?  Alchemy splits the weight of others. */
static bool is_clause(const Markov *m, uint32_t node, bool negated) {
  const MarkovNode *n = markov_node(m, node);
  switch (n->operation) {
  case F_ATOM:
  case F_COMPARE: return true;
  case F_NOT: return is_clause(m, markov_child(m, n, 0), !negated);
  case F_IFF: return false;
  case F_EXIST:
  case F_FORALL:
    return (n->operation == F_EXIST) != negated && is_clause(m, markov_scope(m, n), negated);
  default: {
    bool some = (n->operation == F_AND) == negated;
    for (uint32_t k = 0; k < n->count && some; k++)
      some = is_clause(m, markov_child(m, n, k), negated != (n->operation == F_IMPLIES && !k));
    return some;
  }
  }
}

/* A parameter if the weight is to be learned, or one for each constant. */
static void write_weight(const Markov *m, const MarkovFormula *f, uint32_t number, uint32_t variant,
                         bool several, Text *out) {
  Text values = {0};
  for (size_t i = 0; i < f->free.n; i++)
    if (m->variables.at[f->free.at[i]].counted) {
      text_puts(&values, values.n ? "," : "(");
      write_variable(m, f->free.at[i], &values);
    }
  if (f->weighted && !values.n) {
    weight_write(f->weight, out);
  } else {
    text_printf(out, "@w(f%u", number + 1);
    if (several)
      text_printf(out, "_%u", variant + 1);
    text_printf(out, "%s%s", values.n ? values.at : "", values.n ? ")" : "");
    text_puts(out, f->weighted ? ", " : "");
    if (f->weighted)
      weight_write(f->weight, out);
    text_puts(out, ")");
  }
  text_puts(out, " ");
  vec_free(&values);
}

void markov_write_formula(Markov *m, uint32_t number) {
  assert(number < m->formulas.n);
  const MarkovFormula *f = &m->formulas.at[number];
  uint32_t stars = count_stars(m, f->root);
  Variables free_variables = {0};
  for (size_t i = 0; i < f->free.n; i++)
    vec_push(&free_variables, f->free.at[i]);
  if (stars > MOST_STARS)
    diagnose_error(m->said, f->place, NULL, "more than %d stars in a formula", MOST_STARS);
  if (!f->hard && !is_clause(m, f->root, false))
    diagnose_note(m->said, f->place, NULL,
                  "the weight is that of the whole formula; Alchemy splits it among its clauses");
  for (uint32_t variant = 0; stars <= MOST_STARS && !(variant >> stars); variant++) {
    Writing w = {.m = m, .formula = f, .mask = variant, .out = &m->dialect->rules};
    Text text = {0};
    write_types(m, &free_variables, &text);
    body(&w, f->root, true, &free_variables, &text);
    start(&w);
    if (!f->hard)
      write_weight(m, f, number, variant, stars > 0, &w.out->text);
    text_printf(&w.out->text, ":- %s.\n", text.at);
    vec_free(&text);
  }
  vec_free(&free_variables);
}
