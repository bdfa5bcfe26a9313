/* modes.c - mode declarations: the rules that they stand for; see candidates.h.
**
** A rule is a head, some body modes in the order of their declaration (each at most twice)
** and a variable for each of their types.  Variables are numbered as they occur, so that no
** two rules differ by names alone; each literal of a body shares a variable with what stands
** before it.  What no positive literal binds gets its type as a further literal. */
#include "base/memory.h"
#include "language/candidates.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LITERALS = 9, MOST_PLACES = 32 };

/* ---- declarations -------------------------------------------------------------------- */

static void mode_free(Mode *m) {
  for (size_t i = 0; i < m->types.n; i++) {
    free(m->types.at[i]);
    free(m->after.at[i]);
  }
  free(m->before);
  vec_free(&m->types);
  vec_free(&m->after);
}

void modes_free(Modes *m) {
  for (size_t i = 0; i < m->heads.n; i++)
    mode_free(&m->heads.at[i]);
  for (size_t i = 0; i < m->bodies.n; i++)
    mode_free(&m->bodies.at[i]);
  vec_free(&m->heads);
  vec_free(&m->bodies);
}

/* A name that is an argument by itself is a type. */
static bool is_type(const Token *t, unsigned depth) {
  return depth == 1 && t->kind == T_IDENTIFIER && (t[-1].kind == T_OPEN || t[-1].kind == T_COMMA) &&
         (t[1].kind == T_COMMA || t[1].kind == T_CLOSE);
}

static void end_part(Mode *m, Text *part) {
  char *text = text_take(part);
  if (!m->before)
    m->before = text;
  else
    vec_push(&m->after, text);
}

/* The literal from its first token to its last, as a pattern. */
static Mode mode_of(const Source *s, const Token *from, const Token *end, Place place) {
  Mode m = {.place = place};
  Text part = {0};
  unsigned depth = 0;
  text_puts(&part, "");
  for (const Token *t = from; t < end; t++) {
    depth += t->kind == T_OPEN;
    depth -= t->kind == T_CLOSE;
    if (is_type(t, depth)) {
      end_part(&m, &part);
      vec_push(&m.types, memory_copy(s->bytes + t->offset, t->length));
      text_puts(&part, "");
    } else {
      text_printf(&part, "%s%.*s",
                  t->kind == T_IDENTIFIER && t > from && t[-1].kind == T_NOT ? " " : "",
                  (int)t->length, s->bytes + t->offset);
    }
  }
  end_part(&m, &part);
  return m;
}

bool modes_add(Modes *m, Diagnostics *said, const Source *s, const Token *from, const Token *end,
               Place place) {
  bool head = token_is(s, from, "#modeh");
  const Token *first = from + 1, *last = end - 1;
  bool none = head && last - first == 1 && token_is(s, first, "#false");
  bool atom = last > first && (first->kind == T_IDENTIFIER ||
                               (!head && first->kind == T_NOT && first[1].kind == T_IDENTIFIER));
  if (!none && !atom) {
    diagnose_error(said, place, NULL,
                   head ? "this takes an atom, or #false for constraints"
                        : "this takes an atom, or `not` and an atom");
    return false;
  }
  Mode mode = none ? mode_of(s, first, first, place) : mode_of(s, first, last, place);
  if (mode.types.n > MOST_PLACES / 4)
    diagnose_error(said, place, NULL, "a mode has at most %d types", MOST_PLACES / 4);
  if (head)
    vec_push(&m->heads, mode);
  else
    vec_push(&m->bodies, mode);
  return mode.types.n <= MOST_PLACES / 4;
}

/* ---- rules ----------------------------------------------------------------------------- */

/* A rule under construction. */
typedef struct {
  const Modes *modes;
  const Mode *head;
  const Mode *body[MOST_LITERALS];
  uint32_t literals;
  const char *type[MOST_PLACES];     /* by place of a variable: head first, then the body */
  uint32_t first[MOST_LITERALS + 1]; /* by literal: its first place; the end */
  uint32_t variable[MOST_PLACES];    /* by place */
  uint32_t places;
} Shape;

static bool negated(const Mode *m) { return !strncmp(m->before, "not", 3) && m->before[3] == ' '; }

/* Numbers in order of first occurrence, few enough, each of one type. */
static bool well_numbered(const Shape *s) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < s->places; i++) {
    if (s->variable[i] > seen)
      return false;
    seen += s->variable[i] == seen;
    for (uint32_t k = 0; k < i; k++)
      if (s->variable[k] == s->variable[i] && strcmp(s->type[k], s->type[i]) != 0)
        return false;
  }
  return seen <= s->modes->most_variables;
}

/* Each literal with variables shares one with what stands before it. */
static bool connected(const Shape *s) {
  for (uint32_t l = 0; l < s->literals; l++) {
    bool shares = s->first[l] == s->first[l + 1] || s->first[l] == 0;
    for (uint32_t i = s->first[l]; i < s->first[l + 1]; i++)
      for (uint32_t k = 0; k < s->first[l]; k++)
        shares |= s->variable[i] == s->variable[k];
    if (!shares)
      return false;
  }
  return true;
}

static void write_literal(Text *to, const Mode *m, const uint32_t *variable) {
  text_puts(to, m->before);
  for (size_t i = 0; i < m->types.n; i++)
    text_printf(to, "V%u%s", variable[i] + 1, m->after.at[i]);
}

static bool bound(const Shape *s, uint32_t variable) {
  for (uint32_t l = 0; l < s->literals; l++)
    for (uint32_t i = s->first[l]; i < s->first[l + 1]; i++)
      if (s->variable[i] == variable && !negated(s->body[l]))
        return true;
  return false;
}

/* Types of variables that no positive literal binds. */
static void write_types(const Shape *s, Text *to) {
  for (uint32_t i = 0, seen = 0; i < s->places; i++) {
    if (s->variable[i] != seen)
      continue;
    seen++;
    if (!bound(s, s->variable[i]))
      text_printf(to, "%s%s(V%u)", to->n ? ", " : "", s->type[i], s->variable[i] + 1);
  }
}

/* False: a literal stands twice, as it is or negated. */
static bool write_body(const Shape *s, const char *head, Text *to) {
  char *literal[MOST_LITERALS + 1];
  bool once = true;
  literal[0] = memory_copy(head, strlen(head));
  for (uint32_t l = 0; l < s->literals; l++) {
    Text text = {0};
    write_literal(&text, s->body[l], s->variable + s->first[l]);
    const char *atom = text.at + (negated(s->body[l]) ? 4 : 0);
    for (uint32_t k = 0; k <= l; k++)
      once &= strcmp(atom, literal[k]) != 0;
    literal[l + 1] = memory_copy(atom, strlen(atom));
    text_printf(to, "%s%s", l ? ", " : "", text.at);
    vec_free(&text);
  }
  for (uint32_t l = 0; l <= s->literals; l++)
    free(literal[l]);
  return once;
}

static void write_rule(const Shape *s, Candidates *to) {
  Text text = {0}, body = {0};
  text_puts(&body, "");
  write_literal(&text, s->head, s->variable);
  bool good = write_body(s, text.at, &body);
  write_types(s, &body);
  if (body.n)
    text_printf(&text, "%s:- %s", text.n ? " " : "", body.at);
  text_puts(&text, ".");
  vec_free(&body);
  if (good)
    candidates_add(to, text_take(&text), s->head->place);
  else
    vec_free(&text);
}

/* All ways to give the places variables. */
static void number(Shape *s, Candidates *to) {
  s->places = 0;
  for (size_t i = 0; i < s->head->types.n; i++)
    s->type[s->places++] = s->head->types.at[i];
  for (uint32_t l = 0; l < s->literals; l++) {
    s->first[l] = s->places;
    for (size_t i = 0; i < s->body[l]->types.n && s->places < MOST_PLACES; i++)
      s->type[s->places++] = s->body[l]->types.at[i];
  }
  s->first[s->literals] = s->places;
  memset(s->variable, 0, sizeof s->variable);
  for (uint32_t at = 0; at < s->places || !s->places;) {
    if (well_numbered(s) && connected(s))
      write_rule(s, to);
    if (!s->places || to->list.n > MOST_CANDIDATES)
      return;
    for (at = 0; at < s->places && ++s->variable[at] >= s->modes->most_variables; at++)
      s->variable[at] = 0;
  }
}

/* The next choice of body modes, not falling, none more than twice; false: no more. */
static bool next_body(Shape *s, uint32_t *chosen) {
  size_t n = s->modes->bodies.n;
  uint32_t l = s->literals;
  while (l > 0 && chosen[l - 1] + 1 >= n)
    l--;
  if (l > 0) {
    uint32_t mode = chosen[l - 1] + 1;
    for (uint32_t i = l - 1; i < s->literals; i++)
      chosen[i] = mode;
    return true;
  }
  if (s->literals == s->modes->most_literals || !n)
    return false;
  s->literals++;
  for (uint32_t i = 0; i < s->literals; i++)
    chosen[i] = 0;
  return true;
}

static bool thrice(const Shape *s, const uint32_t *chosen) {
  for (uint32_t i = 2; i < s->literals; i++)
    if (chosen[i] == chosen[i - 2])
      return true;
  return false;
}

static void expand_head(const Modes *m, const Mode *head, Candidates *to) {
  Shape s = {.modes = m, .head = head};
  uint32_t chosen[MOST_LITERALS] = {0};
  bool constraint = !*head->before && !head->types.n;
  assert(m->most_literals <= MOST_LITERALS);
  if (!constraint)
    number(&s, to);
  while (to->list.n <= MOST_CANDIDATES && next_body(&s, chosen)) {
    for (uint32_t i = 0; i < s.literals; i++)
      s.body[i] = &m->bodies.at[chosen[i]];
    if (!thrice(&s, chosen))
      number(&s, to);
  }
}

void modes_expand(const Modes *m, Diagnostics *said, Candidates *to) {
  if (m->bodies.n && !m->heads.n)
    diagnose_error(said, m->bodies.at[0].place, "`#modeh #false.` makes constraints",
                   "there are bodies, but no heads");
  for (size_t i = 0; i < m->heads.n && to->list.n <= MOST_CANDIDATES; i++)
    expand_head(m, &m->heads.at[i], to);
  if (to->list.n > MOST_CANDIDATES)
    diagnose_error(said, m->heads.n ? m->heads.at[0].place : NOWHERE,
                   "#maxbody 1, #maxvars 2 or fewer modes make them fewer",
                   "these stand for more than %d rules", MOST_CANDIDATES);
}
