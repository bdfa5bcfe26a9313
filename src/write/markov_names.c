/* markov_names.c - see markov_names.h. */
#include "write/markov_names.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The argument of predicates that have none; no name or term of a program looks
** so, and names of auxiliary atoms start with it. */
#define NOTHING "\1"

void to_markov_names_free(ToMarkovNames *n) {
  for (size_t i = 0; i < n->predicates.n; i++)
    free(n->predicates.at[i].written);
  for (size_t i = 0; i < n->written.n; i++)
    free(n->written.at[i]);
  for (size_t i = 0; i < n->types.n; i++)
    free(n->types.at[i]);
  names_free(&n->keys);
  vec_free(&n->predicates);
  vec_free(&n->parent);
  names_free(&n->constants);
  vec_free(&n->written);
  vec_free(&n->slot);
  names_free(&n->taken);
  vec_free(&n->types);
  vec_free(&n->sizes);
}

void to_markov_split_free(ToMarkovSplit *s) {
  vec_free(&s->at);
  vec_free(&s->lengths);
}

/* Commas outside of parentheses and strings part the arguments. */
void to_markov_split(const char *atom, ToMarkovSplit *s) {
  *s = (ToMarkovSplit){.name = atom, .length = strcspn(atom, "(")};
  if (!atom[s->length])
    return;
  int depth = 0;
  bool quoted = false;
  const char *from = atom + s->length + 1, *c = from;
  for (; *c && depth >= 0; c++) {
    if (quoted) {
      if (*c == '\\' && c[1])
        c++;
      else
        quoted = *c != '"';
      continue;
    }
    quoted = *c == '"';
    depth += *c == '(';
    depth -= *c == ')';
    if (depth < 0 || (!depth && *c == ',')) {
      vec_push(&s->at, from);
      vec_push(&s->lengths, (size_t)(c - from));
      from = c + 1;
    }
  }
}

/* ---- names ------------------------------------------------------------------------- */

static bool reserved(const char *name) {
  static const char *const words[] = {
      "v",    "exist",  "Exist",       "EXIST",    "forall",        "Forall",     "FORALL",
      "int",  "string", "greaterThan", "lessThan", "greaterThanEq", "lessThanEq", "substr",
      "succ", "plus",   "minus",       "times",    "dividedBy",     "mod",        "concat"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(name, words[i]))
      return true;
  return !strncmp(name, "isReturnValueOf", 15) || !strncmp(name, "funcVar", 7);
}

/* The stem, or the stem and a number, inside its quotes if it has any. */
static char *take_name(ToMarkovNames *n, const char *stem) {
  size_t length = strlen(stem);
  bool quoted = *stem == '"';
  for (unsigned number = 1;; number++) {
    Text text = {0};
    text_add(&text, stem, length - quoted);
    if (number > 1 || reserved(stem))
      text_printf(&text, "_%u", number + (number == 1));
    if (quoted)
      text_puts(&text, "\"");
    size_t known = n->taken.list.n;
    if (names_add(&n->taken, text.at, text.n) == known && !reserved(text.at))
      return text_take(&text);
    vec_free(&text);
  }
}

static bool plain(char c) { return isalnum((unsigned char)c) || c == '_'; }

static char *predicate_name(ToMarkovNames *n, const char *name, size_t length) {
  Text text = {0};
  if (*name == '-')
    text_puts(&text, "not_"), name++, length--;
  while (length && !isalpha((unsigned char)*name)) /* a name starts with a letter */
    name++, length--;
  for (size_t i = 0; i < length; i++)
    text_add(&text, plain(name[i]) ? &name[i] : "_", 1);
  char *taken = take_name(n, text.n ? text.at : "p");
  vec_free(&text);
  return taken;
}

static bool word(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!plain(text[i]))
      return false;
  return length > 0;
}

/* `jo` and "Jo" become Jo, numbers stay, all else is quoted. */
static char *constant_name(ToMarkovNames *n, const char *c, size_t length) {
  bool string = *c == '"';
  const char *inside = string ? c + 1 : c;
  size_t size = string ? length - 2 : length;
  Text text = {0};
  if (*c == *NOTHING && length == 1) {
    text_puts(&text, "It");
  } else if (*c == *NOTHING) {
    text_printf(&text, "%c%.*s", toupper((unsigned char)c[1]), (int)length - 2, c + 2);
  } else if (!string && isdigit((unsigned char)*c)) {
    text_add(&text, c, length);
  } else if (word(inside, size) &&
             (string ? isupper((unsigned char)*inside) : islower((unsigned char)*inside))) {
    char first = (char)toupper((unsigned char)*inside);
    text_add(&text, &first, 1);
    text_add(&text, inside + 1, size - 1);
  } else {
    text_puts(&text, "\"");
    for (size_t i = 0; i < size; i++)
      text_add(&text, inside[i] == '"' || inside[i] == '\\' || inside[i] == '\n' ? "_" : &inside[i],
               1);
    text_puts(&text, "\"");
  }
  char *taken = take_name(n, text.at);
  vec_free(&text);
  return taken;
}

/* ---- slots and types ---------------------------------------------------------------- */

uint32_t to_markov_slot(ToMarkovNames *n) {
  assert(!n->types.n); /* not closed yet */
  uint32_t slot = (uint32_t)n->parent.n;
  vec_push(&n->parent, slot);
  return slot;
}

uint32_t to_markov_type(const ToMarkovNames *n, uint32_t slot) {
  assert(slot < n->parent.n);
  while (n->parent.at[slot] != slot)
    slot = n->parent.at[slot] = n->parent.at[n->parent.at[slot]];
  return slot;
}

void to_markov_same(ToMarkovNames *n, uint32_t slot, uint32_t other) {
  uint32_t a = to_markov_type(n, slot), b = to_markov_type(n, other);
  n->parent.at[a > b ? a : b] = a > b ? b : a;
}

uint32_t to_markov_predicate(ToMarkovNames *n, const char *name, size_t length, uint32_t arity) {
  Text key = {0};
  text_add(&key, name, length);
  text_printf(&key, "/%u", arity);
  uint32_t number = names_add(&n->keys, key.at, key.n);
  assert(number <= n->predicates.n);
  vec_free(&key);
  if (number < n->predicates.n)
    return number;
  ToMarkovPredicate p = {
      .arity = arity ? arity : 1, .plain = !arity, .first = (uint32_t)n->parent.n};
  p.written = predicate_name(n, name, length);
  for (uint32_t i = 0; i < p.arity; i++)
    to_markov_slot(n);
  vec_push(&n->predicates, p);
  if (!arity) {
    uint32_t nothing = to_markov_constant(n, NOTHING, 1);
    to_markov_same(n, p.first, n->slot.at[nothing]);
  }
  return number;
}

uint32_t to_markov_constant(ToMarkovNames *n, const char *text, size_t length) {
  uint32_t number = names_add(&n->constants, text, length);
  assert(number <= n->written.n && n->written.n == n->slot.n);
  if (number == n->written.n) {
    vec_push(&n->written, constant_name(n, text, length));
    vec_push(&n->slot, to_markov_slot(n));
  }
  return number;
}

uint32_t to_markov_add_atom(ToMarkovNames *n, const char *atom) {
  ToMarkovSplit s;
  to_markov_split(atom, &s);
  uint32_t p = to_markov_predicate(n, s.name, s.length, (uint32_t)s.at.n);
  for (uint32_t i = 0; i < s.at.n; i++) {
    uint32_t c = to_markov_constant(n, s.at.at[i], s.lengths.at[i]);
    to_markov_same(n, n->predicates.at[p].first + i, n->slot.at[c]);
  }
  to_markov_split_free(&s);
  return p;
}

bool to_markov_auxiliary(const ToMarkovNames *n, uint32_t predicate) {
  return *n->keys.list.at[predicate] == *NOTHING;
}

/* A type is named after a predicate of one argument, if there is one. */
void to_markov_names_close(ToMarkovNames *n) {
  assert(!n->types.n);
  for (size_t i = 0; i < n->parent.n; i++) {
    vec_push(&n->types, NULL);
    vec_push(&n->sizes, 0);
  }
  for (size_t i = 0; i < n->slot.n; i++)
    n->sizes.at[to_markov_type(n, n->slot.at[i])]++;
  uint32_t nothing = names_find(&n->constants, NOTHING, 1);
  if (nothing != UINT32_MAX)
    n->types.at[to_markov_type(n, n->slot.at[nothing])] = take_name(n, "it");
  for (int unary = 1; unary >= 0; unary--)
    for (size_t i = 0; i < n->predicates.n; i++) {
      const ToMarkovPredicate *p = &n->predicates.at[i];
      for (uint32_t k = 0; k < p->arity && (!unary || p->arity == 1); k++) {
        char **name = &n->types.at[to_markov_type(n, p->first + k)];
        Text stem = {0};
        text_printf(&stem, unary ? "%s_type" : "%s_arg%u", p->written, k + 1);
        if (!*name)
          *name = take_name(n, stem.at);
        vec_free(&stem);
      }
    }
}

uint32_t to_markov_type_size(const ToMarkovNames *n, uint32_t slot) {
  assert(n->sizes.n == n->parent.n);
  return n->sizes.at[to_markov_type(n, slot)];
}

/* ---- writing ------------------------------------------------------------------------- */

static uint32_t find_predicate(const ToMarkovNames *n, const ToMarkovSplit *s) {
  Text key = {0};
  text_add(&key, s->name, s->length);
  text_printf(&key, "/%zu", s->at.n);
  uint32_t p = names_find(&n->keys, key.at, key.n);
  vec_free(&key);
  return p;
}

bool to_markov_knows(const ToMarkovNames *n, const char *atom) {
  ToMarkovSplit s;
  to_markov_split(atom, &s);
  bool known = find_predicate(n, &s) != UINT32_MAX;
  for (size_t i = 0; i < s.at.n; i++)
    known &= names_find(&n->constants, s.at.at[i], s.lengths.at[i]) != UINT32_MAX;
  to_markov_split_free(&s);
  return known;
}

void to_markov_write_atom(const ToMarkovNames *n, const char *atom, Text *out) {
  ToMarkovSplit s;
  to_markov_split(atom, &s);
  uint32_t p = find_predicate(n, &s);
  assert(p != UINT32_MAX);
  text_printf(out, "%s(", n->predicates.at[p].written);
  if (!s.at.n)
    text_puts(out, n->written.at[names_find(&n->constants, NOTHING, 1)]);
  for (size_t i = 0; i < s.at.n; i++)
    text_printf(out, "%s%s", i ? ", " : "",
                n->written.at[names_find(&n->constants, s.at.at[i], s.lengths.at[i])]);
  text_puts(out, ")");
  to_markov_split_free(&s);
}

static void write_domain(const ToMarkovNames *n, uint32_t type, Text *out) {
  const char *before = " = {";
  text_puts(out, n->types.at[type]);
  for (size_t i = 0; i < n->written.n; i++)
    if (to_markov_type(n, n->slot.at[i]) == type) {
      text_printf(out, "%s%s", before, n->written.at[i]);
      before = ", ";
    }
  text_puts(out, "}\n");
}

void to_markov_write_declarations(const ToMarkovNames *n, bool domains, Text *out) {
  for (uint32_t slot = 0; domains && slot < n->parent.n; slot++)
    if (to_markov_type(n, slot) == slot && n->sizes.at[slot] && n->types.at[slot])
      write_domain(n, slot, out);
  for (size_t i = 0; i < n->predicates.n; i++) {
    const ToMarkovPredicate *p = &n->predicates.at[i];
    bool empty = false;
    for (uint32_t k = 0; k < p->arity; k++)
      empty |= !to_markov_type_size(n, p->first + k);
    if (empty) /* it has no ground atoms */
      continue;
    text_printf(out, "%s(", p->written);
    for (uint32_t k = 0; k < p->arity; k++)
      text_printf(out, "%s%s", k ? ", " : "", n->types.at[to_markov_type(n, p->first + k)]);
    text_puts(out, ")\n");
  }
}

void to_markov_write_changes(const ToMarkovNames *n, Text *out) {
  uint32_t nothing = names_find(&n->constants, NOTHING, 1);
  for (size_t i = 0; i < n->predicates.n; i++) {
    const ToMarkovPredicate *p = &n->predicates.at[i];
    const char *key = n->keys.list.at[i];
    size_t length = strlen(p->written);
    if (*key == *NOTHING) /* an auxiliary atom */
      continue;
    if (p->plain || strncmp(key, p->written, length) != 0 || key[length] != '/')
      text_printf(out, "// predicate %s is written %s%s%s%s\n", key, p->written,
                  p->plain ? "(" : "", p->plain ? n->written.at[nothing] : "", p->plain ? ")" : "");
  }
  for (size_t i = 0; i < n->written.n; i++)
    if (strcmp(n->constants.list.at[i], n->written.at[i]) != 0 &&
        *n->constants.list.at[i] != *NOTHING)
      text_printf(out, "// constant %s is written %s\n", n->constants.list.at[i], n->written.at[i]);
}
