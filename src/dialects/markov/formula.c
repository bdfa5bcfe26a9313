/* formula.c - the parser of formulas.
**
** From the tightest: `!`, `^`, `v`, `=>`, `<=>`, quantifiers; equal connectives from
** left to right.  The depth of a formula is bounded, so that everything after may
** recurse over it. */
#include "dialects/markov/markov.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "language/weight.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 200 };

static uint32_t parse_formula(MarkovParser *p);

static uint32_t add_node(MarkovParser *p, MarkovNode n) {
  if (n.depth > MOST_DEPTH && !p->bad) {
    diagnose_error(p->m->said, n.place, NULL, "nested deeper than %d", MOST_DEPTH);
    p->bad = true;
  }
  vec_push(&p->m->nodes, n);
  return (uint32_t)p->m->nodes.n - 1;
}

static Place from_to(const MarkovParser *p, uint32_t from) {
  return markov_place(p, from, p->now ? p->now - 1 : 0);
}

/* A node over children, whose depth it exceeds by one. */
static uint32_t join(MarkovParser *p, MarkovOperation operation, const uint32_t *children,
                     uint32_t n, uint32_t from) {
  MarkovNode node = {.operation = operation,
                     .first = (uint32_t)p->m->lists.n,
                     .count = n,
                     .place = from_to(p, from)};
  for (uint32_t i = 0; i < n; i++) {
    uint16_t depth = p->m->nodes.at[children[i]].depth;
    assert(children[i] < p->m->nodes.n);
    node.depth = depth >= node.depth ? (uint16_t)(depth + 1) : node.depth;
    vec_push(&p->m->lists, children[i]);
  }
  return add_node(p, node);
}

/* ---- terms and atoms -------------------------------------------------------------------- */

static uint32_t find_variable(MarkovParser *p, const char *name, size_t length) {
  uint32_t text = names_add(&p->m->variable_names, name, length);
  for (size_t i = p->scope.n; i-- > 0;)
    if (p->m->variables.at[p->scope.at[i]].name == text)
      return p->scope.at[i];
  return MARKOV_NONE;
}

static uint32_t new_variable(MarkovParser *p, uint32_t token) {
  const MarkovToken *t = &p->t[token];
  uint32_t text = names_add(&p->m->variable_names, p->bytes + t->offset, t->length);
  bool odd =
      memchr(p->bytes + t->offset, '\'', t->length) || memchr(p->bytes + t->offset, '_', t->length);
  MarkovVariable v = {
      .name = text, .type = MARKOV_NONE, .place = markov_place(p, token, token), .again = odd};
  for (size_t i = p->first_variable; i < p->m->variables.n; i++)
    v.again |= p->m->variables.at[i].name == text;
  vec_push(&p->m->variables, v);
  vec_push(&p->scope, (uint32_t)p->m->variables.n - 1);
  return (uint32_t)p->m->variables.n - 1;
}

/* A free variable joins the outermost scope, which is the formula's. */
static uint32_t free_variable(MarkovParser *p, uint32_t token) {
  assert(p->m->formulas.n);
  uint32_t v = new_variable(p, token);
  MarkovFormula *f = &p->m->formulas.at[p->m->formulas.n - 1];
  vec_push(&f->free, v);
  for (size_t i = p->scope.n - 1; i > 0; i--)
    p->scope.at[i] = p->scope.at[i - 1];
  p->scope.at[0] = v;
  return v;
}

/* Variables get a number; `ground`: only constants are allowed. */
static bool parse_term(MarkovParser *p, bool ground) {
  bool plus = markov_is(p, p->now, "+");
  p->now += plus;
  const MarkovToken *t = &p->t[p->now];
  MarkovTerm term = {.place = markov_place(p, p->now, p->now)};
  if (t->kind == M_NAME && !ground) {
    uint32_t v = find_variable(p, p->bytes + t->offset, t->length);
    term.variable = true;
    term.id = v == MARKOV_NONE ? free_variable(p, p->now) : v;
    p->m->variables.at[term.id].counted |= plus;
  } else if (plus) {
    markov_wrong(p, p->now, NULL, "`+` stands before a variable");
    return false;
  } else if (!markov_constant(p, p->now, &term.id)) {
    return false;
  }
  p->now++;
  if ((t->kind == M_NAME || t->kind == M_CAPITAL) && markov_is(p, p->now, "(")) {
    markov_wrong(p, p->now - 1, "write a predicate with one more argument",
                 "functions are not supported");
    return false;
  }
  vec_push(&p->m->terms, term);
  return true;
}

/* From `(` to behind `)`. */
void markov_arguments(MarkovParser *p, bool ground) {
  assert(markov_is(p, p->now, "("));
  bool more = !markov_is(p, ++p->now, ")");
  while (more && parse_term(p, ground)) {
    more = markov_is(p, p->now, ",");
    p->now += more;
  }
  if (!p->bad && !markov_is(p, p->now, ")"))
    markov_wrong(p, p->now, NULL, "`,` or `)` is expected");
  p->now++;
}

static uint32_t parse_atom(MarkovParser *p) {
  uint32_t name = p->now, first = (uint32_t)p->m->terms.n;
  const MarkovToken *t = &p->t[name];
  uint32_t predicate = names_find(&p->m->predicate_names, p->bytes + t->offset, t->length);
  if (predicate == UINT32_MAX) {
    markov_wrong(p, name, "declare it before, as in `Friends(person, person)`",
                 "the predicate '%.*s' is not declared", (int)t->length, p->bytes + t->offset);
    return 0;
  }
  p->now++;
  markov_arguments(p, false);
  if (p->bad)
    return 0;
  uint32_t count = (uint32_t)p->m->terms.n - first,
           arity = (uint32_t)p->m->predicates.at[predicate].types.n;
  if (count != arity)
    markov_wrong(p, name, NULL, "this predicate was declared with %u argument%s, not %u", arity,
                 arity == 1 ? "" : "s", count);
  return add_node(p, (MarkovNode){.operation = F_ATOM,
                                  .predicate = predicate,
                                  .first = first,
                                  .count = count,
                                  .place = from_to(p, name)});
}

static uint32_t parse_comparison(MarkovParser *p) {
  static const char *const compare[] = {"=", "!=", "<", ">", "<=", ">="};
  uint32_t from = p->now, first = (uint32_t)p->m->terms.n, sign = MARKOV_NONE;
  bool term = p->t[from].kind < M_SIGN || markov_is(p, from, "+");
  if (!term)
    markov_wrong(p, from, NULL, "a predicate or a comparison is expected");
  if (!term || !parse_term(p, false))
    return 0;
  for (uint32_t i = 0; i < 6; i++)
    if (markov_is(p, p->now, compare[i]))
      sign = i;
  if (sign == MARKOV_NONE) {
    bool operator= markov_is(p, p->now, "+") || markov_is(p, p->now, "-") ||
        markov_is(p, p->now, "*") || markov_is(p, p->now, "/") || markov_is(p, p->now, "%");
    if (operator)
      markov_wrong(p, p->now, NULL, "arithmetic is not supported");
    else
      markov_wrong(p, from, "a formula is made of predicates with arguments in parentheses",
                   "a predicate or a comparison is expected");
    return 0;
  }
  p->now++;
  if (!parse_term(p, false))
    return 0;
  return add_node(p, (MarkovNode){.operation = F_COMPARE,
                                  .predicate = sign,
                                  .first = first,
                                  .count = 2,
                                  .place = from_to(p, from)});
}

/* ---- connectives -------------------------------------------------------------------------- */

bool markov_quantifier(const MarkovParser *p, bool *exist) {
  static const char *const words[] = {"EXIST", "Exist", "exist", "FORALL", "Forall", "forall"};
  for (unsigned i = 0; i < 6; i++)
    if (markov_is(p, p->now, words[i])) {
      *exist = i < 3;
      return true;
    }
  return false;
}

/* `EXIST x, y` and all that follows. */
static uint32_t parse_quantifier(MarkovParser *p, bool exist) {
  uint32_t from = p->now++, names = 0;
  size_t outside = p->scope.n;
  do {
    p->now += names > 0;
    if (p->t[p->now].kind != M_NAME || markov_is(p, p->now, "v")) {
      markov_wrong(p, p->now, "variables start with a small letter", "a variable is expected");
      return 0;
    }
    new_variable(p, p->now++);
    names++;
  } while (markov_is(p, p->now, ","));
  VEC(uint32_t) own = {0};
  for (size_t i = outside; i < p->scope.n; i++)
    vec_push(&own, p->scope.at[i]);
  uint32_t inside = parse_formula(p);
  p->scope.n -= own.n;
  if (p->bad) {
    vec_free(&own);
    return 0;
  }
  MarkovNode n = {
      .operation = exist ? F_EXIST : F_FORALL, .first = (uint32_t)p->m->lists.n, .count = names};
  for (size_t i = 0; i < own.n; i++)
    vec_push(&p->m->lists, own.at[i]);
  vec_push(&p->m->lists, inside);
  vec_free(&own);
  n.place = from_to(p, from);
  n.depth = (uint16_t)(p->m->nodes.at[inside].depth + 1);
  return add_node(p, n);
}

static uint32_t parse_group(MarkovParser *p) {
  p->now++;
  uint32_t inside = parse_formula(p);
  if (!p->bad && !markov_is(p, p->now, ")"))
    markov_wrong(p, p->now, NULL, "`)` or a connective is expected");
  p->now++;
  return inside;
}

static uint32_t parse_unary(MarkovParser *p) {
  uint32_t from = p->now, child = 0;
  bool exist, star = markov_is(p, p->now, "*");
  if (p->bad)
    return 0;
  if (++p->nesting > MOST_DEPTH) {
    markov_wrong(p, p->now, NULL, "nested deeper than %d", MOST_DEPTH);
  } else if (markov_is(p, p->now, "!")) {
    p->now++;
    child = parse_unary(p);
    child = p->bad ? 0 : join(p, F_NOT, &child, 1, from);
  } else if (markov_quantifier(p, &exist)) {
    child = parse_quantifier(p, exist);
  } else if (markov_is(p, p->now, "(")) {
    child = parse_group(p);
  } else {
    p->now += star;
    bool atom = (p->t[p->now].kind == M_NAME || p->t[p->now].kind == M_CAPITAL) &&
                markov_is(p, p->now + 1, "(");
    child = atom ? parse_atom(p) : parse_comparison(p);
    if (star && !p->bad && !atom)
      markov_wrong(p, from, NULL, "`*` stands before a predicate");
    if (star && !p->bad)
      p->m->nodes.at[child].star = true;
  }
  p->nesting--;
  return child;
}

/* `a ^ b ^ c`, `a v b`: one node; `a => b => c`: one inside of the other. */
static uint32_t parse_chain(MarkovParser *p, unsigned level) {
  assert(level <= 4);
  static const char *const words[] = {"<=>", "=>", "v", "^"};
  static const MarkovOperation operations[] = {F_IFF, F_IMPLIES, F_OR, F_AND};
  if (level == 4)
    return parse_unary(p);
  uint32_t from = p->now;
  VEC(uint32_t) parts = {0};
  uint32_t left = parse_chain(p, level + 1);
  vec_push(&parts, left);
  while (!p->bad && markov_is(p, p->now, words[level])) {
    p->now++;
    uint32_t right = parse_chain(p, level + 1);
    vec_push(&parts, right);
    if (level < 2 && !p->bad) { /* left to right */
      parts.at[0] = join(p, operations[level], parts.at, 2, from);
      parts.n = 1;
    }
  }
  uint32_t result = p->bad         ? 0
                    : parts.n == 1 ? parts.at[0]
                                   : join(p, operations[level], parts.at, (uint32_t)parts.n, from);
  vec_free(&parts);
  return result;
}

static uint32_t parse_formula(MarkovParser *p) {
  bool exist;
  if (p->bad || ++p->nesting > MOST_DEPTH) {
    if (!p->bad)
      markov_wrong(p, p->now, NULL, "nested deeper than %d", MOST_DEPTH);
    return 0;
  }
  uint32_t result = markov_quantifier(p, &exist) ? parse_quantifier(p, exist) : parse_chain(p, 0);
  p->nesting--;
  return result;
}

/* ---- weights --------------------------------------------------------------------- */

static void parse_weight(MarkovParser *p, MarkovFormula *f) {
  const MarkovToken *t = &p->t[p->now];
  if (t->kind != M_NUMBER)
    return;
  char *text = memory_copy(p->bytes + t->offset, t->length);
  f->weighted = true;
  f->weight = weight_number(text, NULL);
  free(text);
  if (!isfinite(f->weight))
    markov_wrong(p, p->now, "a hard formula ends in a full stop",
                 "the weight is not a finite number");
  p->now++;
}

/* FORALL in front of the formula makes free variables. */
static void strip_quantifiers(Markov *m, MarkovFormula *f) {
  assert(f->root < m->nodes.n);
  while (m->nodes.at[f->root].operation == F_FORALL) {
    const MarkovNode *n = markov_node(m, f->root);
    for (uint32_t i = 0; i < n->count; i++)
      vec_push(&f->free, markov_child(m, n, i));
    f->root = markov_scope(m, n);
  }
}

void markov_formula(MarkovParser *p) {
  Markov *m = p->m;
  uint32_t from = p->now;
  vec_push(&m->formulas, (MarkovFormula){0});
  MarkovFormula head = {0};
  parse_weight(p, &head);
  p->scope.n = p->nesting = 0;
  p->first_variable = m->variables.n;
  uint32_t root = parse_formula(p);
  bool hard = !p->bad && markov_is(p, p->now, ".");
  if (hard && head.weighted)
    markov_wrong(p, p->now, "a hard formula has no weight",
                 "a full stop makes a formula hard, but this has a weight");
  p->now += hard;
  if (!p->bad && p->t[p->now].kind != M_NEWLINE)
    markov_wrong(p, p->now, "a formula ends with its line",
                 "a connective or the end of the formula is expected");
  MarkovFormula *f = &m->formulas.at[m->formulas.n - 1];
  if (p->bad) {
    vec_free(&f->free);
    m->formulas.n--;
    return;
  }
  f->root = root, f->hard = hard, f->weighted = head.weighted, f->weight = head.weight;
  f->place = markov_place(p, from, p->now - 1);
  strip_quantifiers(m, f);
}
