/* learned_markov.c - a network of Markov logic with the learned weights before its formulas; see
** learned.h.
**
** A statement with a parameter knows the formula that it came from.  A formula with a variable
** `+x` has a weight for each value: it becomes one formula for each of them. */
#include "write/learned.h"

#include "base/memory.h"
#include "base/source.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARIABLES = 16 };

/* Pieces of a text. */
typedef struct {
  const char *at;
  size_t length;
} Slice;

/* Counted variables, as the statement calls them, and their values. */
typedef struct {
  Slice variable[MOST_VARIABLES], value[MOST_VARIABLES];
  size_t variables, values;
  bool used[MOST_VARIABLES];
} Values;

/* `f3(X,Y)`: the variables. */
static bool find_variables(const Program *p, const Statement *s, Values *to) {
  const Token *t = program_tokens(p, s);
  const char *bytes = program_source(p, s)->bytes;
  for (uint32_t i = s->name.from; i < s->name.to; i++)
    if (t[i].kind == T_VARIABLE) {
      if (to->variables == MOST_VARIABLES)
        return false;
      to->variable[to->variables++] = (Slice){bytes + t[i].offset, t[i].length};
    }
  return true;
}

/* `f3("Anna",2)`: the values, which are strings and integers. */
static void find_values(const char *name, Values *to) {
  const char *at = strchr(name, '(');
  to->values = 0;
  while (at && *at && *at != ')' && to->values < MOST_VARIABLES) {
    const char *from = ++at;
    for (bool quoted = false; *at && (quoted || (*at != ',' && *at != ')')); at++) {
      if (*at == '\\' && at[1])
        at++;
      else
        quoted ^= *at == '"';
    }
    to->value[to->values++] = (Slice){from, (size_t)(at - from)};
  }
}

/* Alchemy writes constants with a capital letter, and without quotes. */
static void write_value(Slice value, Text *out) {
  bool plain = value.length > 2 && isupper((unsigned char)value.at[1]);
  for (size_t i = 1; plain && i + 1 < value.length; i++)
    plain = isalnum((unsigned char)value.at[i]) || value.at[i] == '_';
  text_add(out, value.at + plain, value.length - 2 * (size_t)plain);
}

/* Which variable the word is: `x` is called X. */
static size_t variable_at(const Values *v, const char *word, size_t length) {
  for (size_t i = 0; i < v->variables; i++)
    if (v->variable[i].length == length && toupper((unsigned char)*word) == *v->variable[i].at &&
        !strncmp(word + 1, v->variable[i].at + 1, length - 1))
      return i;
  return SIZE_MAX;
}

static size_t word_length(const char *s, const char *end) {
  size_t n = 0;
  while (s + n < end && (isalnum((unsigned char)s[n]) || strchr("_'", s[n])))
    n++;
  return n;
}

/* The formula with the values in place of their variables. */
static void write_with(Values *v, const char *from, const char *end, Text *out) {
  for (const char *s = from; s < end;) {
    const char *close = *s == '"' ? memchr(s + 1, '"', (size_t)(end - s - 1)) : NULL;
    const char *word = *s == '+' ? s + 1 + strspn(s + 1, " \t") : s;
    size_t n = islower((unsigned char)*word) ? word_length(word, end) : 0;
    size_t variable = n ? variable_at(v, word, n) : SIZE_MAX;
    if (variable != SIZE_MAX && variable < v->values) {
      write_value(v->value[variable], out);
      v->used[variable] = true;
      s = word + n;
    } else {
      size_t step = close ? (size_t)(close - s) + 1 : word_length(s, end);
      step += step == 0;
      text_add(out, s, step);
      s += step;
    }
  }
}

/* Without the weight that it had. */
static const char *behind_weight(const char *from) {
  const char *behind;
  if (isdigit((unsigned char)*from) || strchr("-+.", *from)) {
    weight_number(from, &behind);
    return behind + strspn(behind, " \t");
  }
  return from;
}

/* A line for each parameter of the statement. */
static bool write_formula(const Program *p, const Parameters *t, const double *w,
                          uint32_t statement, Slice formula, Text *out) {
  Values v = {0};
  bool good = find_variables(p, &p->statements.at[statement], &v), any = false;
  const char *end = formula.at + formula.length, *from = behind_weight(formula.at);
  for (uint32_t i = 0; i < t->n; i++)
    for (uint32_t k = t->rule_start[i]; k < t->rule_start[i + 1]; k++)
      if (t->rules[k] == statement) {
        find_values(t->name[i], &v);
        text_puts(out, any ? "\n" : "");
        weight_write(w[i], out);
        text_puts(out, " ");
        write_with(&v, from, end, out);
        any = true;
      }
  for (size_t i = 0; i < v.variables; i++)
    good &= v.used[i];
  if (!any) /* without instances it has no weight */
    text_add(out, formula.at, formula.length);
  return good || !any;
}

static bool write_source(const Program *p, const Parameters *t, const double *w, uint32_t source,
                         Text *out) {
  const Source *text = &p->sources.list.at[source];
  uint32_t at = 0;
  for (uint32_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    Place place = source_origin(&p->sources, program_place(p, s, s->whole));
    if (s->weight_kind != WEIGHT_PARAMETER || place.source != source)
      continue;
    if (place.offset < at) /* a formula with `*` has several weights */
      return false;
    assert(place.offset + place.length <= text->length);
    text_add(out, text->bytes + at, place.offset - at);
    if (!write_formula(p, t, w, i, (Slice){text->bytes + place.offset, place.length}, out))
      return false;
    at = place.offset + place.length;
  }
  text_add(out, text->bytes + at, text->length - at);
  return true;
}

bool write_learned_markov(const Program *program, const Parameters *parameters, const double *w,
                          const uint32_t *sources, size_t count, Text *out) {
  bool good = true;
  for (size_t i = 0; good && i < count; i++)
    good = write_source(program, parameters, w, sources[i], out);
  return good;
}
