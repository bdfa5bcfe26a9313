/* terms.c - constants, types and names of a Markov logic network. */
#include "dialects/markov/markov.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A predicate of LPMLN: small first letter, nothing but letters, digits and _, and
** not yet taken. */
char *markov_fresh(Markov *m, const char *stem) {
  for (unsigned number = 1;; number++) {
    Text text = {0};
    for (const char *c = stem; *c; c++)
      if (text.n || isalpha((unsigned char)*c))
        text_add(&text, *c == '\'' ? "_" : &(char){text.n ? *c : (char)tolower((unsigned char)*c)},
                 1);
    if (!text.n)
      text_puts(&text, "p");
    if (number > 1)
      text_printf(&text, "_%u", number);
    size_t known = m->taken.list.n;
    if (names_add(&m->taken, text.at, text.n) == known && strcmp(text.at, "not") != 0)
      return text_take(&text);
    vec_free(&text);
  }
}

uint32_t markov_type(Markov *m, const char *name, size_t length, Place place) {
  uint32_t number = names_add(&m->type_names, name, length);
  assert(number <= m->types.n);
  if (number == m->types.n)
    vec_push(&m->types, (MarkovType){.place = place});
  return number;
}

void markov_belongs(Markov *m, uint32_t constant, uint32_t type) {
  assert(constant < m->constants.list.n && type < m->types.n);
  const char *term = m->constants.list.at[constant];
  names_add(&m->types.at[type].constants, term, strlen(term));
}

static void write_string(const char *bytes, size_t n, Text *out) {
  text_puts(out, "\"");
  for (size_t i = 0; i < n; i++) {
    text_puts(out, bytes[i] == '\\' ? "\\" : "");
    text_add(out, &bytes[i], 1);
  }
  text_puts(out, "\"");
}

/* An integer as clingo writes it, any other number as a string. */
static void write_number(const char *bytes, size_t n, Text *out) {
  char *copy = memory_copy(bytes, n), *end;
  long value = strtol(copy, &end, 10);
  if (!*end && value > INT_MIN && value <= INT_MAX)
    text_printf(out, "%ld", value);
  else
    write_string(bytes, n, out);
  free(copy);
}

bool markov_constant(MarkovParser *p, uint32_t token, uint32_t *constant) {
  const MarkovToken *t = &p->t[token];
  const char *bytes = p->bytes + t->offset;
  Text text = {0};
  if (t->kind == M_CAPITAL)
    write_string(bytes, t->length, &text);
  else if (t->kind == M_STRING)
    write_string(bytes + 1, t->length >= 2 ? t->length - 2 : 0, &text);
  else if (t->kind == M_NUMBER)
    write_number(bytes, t->length, &text);
  else
    markov_wrong(p, token, "constants start with a capital letter, or are numbers or \"strings\"",
                 "a constant is expected");
  if (text.n)
    *constant = names_add(&p->m->constants, text.at, text.n);
  bool good = text.n > 0;
  vec_free(&text);
  return good;
}
