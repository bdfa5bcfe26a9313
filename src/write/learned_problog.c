/* learned_problog.c - a ProbLog program with the learned probabilities in place of t(…); see
** learned.h.
**
** A statement with a parameter knows the clause that it came from.  The parameters of a clause
** are in the order of its t(…)::; a last one without a parameter gets what is left. */
#include "write/learned.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/source.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A clause and the probabilities of its parameters. */
typedef struct {
  Place place;
  VEC(double) chances;
} LearnedClause;

typedef VEC(LearnedClause) LearnedClauses;

static void clauses_free(LearnedClauses *c) {
  for (size_t i = 0; i < c->n; i++)
    vec_free(&c->at[i].chances);
  vec_free(c);
}

/* The parameter of the statement, if it is one alone. */
static uint32_t parameter_of(const Parameters *t, uint32_t statement) {
  uint32_t found = UINT32_MAX, n = 0;
  for (uint32_t i = 0; i < t->n; i++)
    for (uint32_t k = t->rule_start[i]; k < t->rule_start[i + 1]; k++)
      if (t->rules[k] == statement)
        found = i, n++;
  return n == 1 ? found : UINT32_MAX;
}

static bool find_clauses(const Program *p, const Parameters *t, const lpmln_learned *weights,
                         LearnedClauses *to) {
  for (uint32_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (s->kind != S_RULE || s->weight_kind != WEIGHT_PARAMETER)
      continue;
    uint32_t parameter = parameter_of(t, i);
    Place place = source_origin(&p->sources, program_place(p, s, s->whole));
    if (parameter == UINT32_MAX || !weights[parameter].as_probability ||
        !program_source(p, s)->derived || place.source == NONE_SOURCE)
      return false;
    LearnedClause *last = to->n ? &to->at[to->n - 1] : NULL;
    if (!last || last->place.source != place.source || last->place.offset != place.offset) {
      vec_push(to, (LearnedClause){.place = place});
      last = &to->at[to->n - 1];
    }
    vec_push(&last->chances, weights[parameter].probability);
  }
  return to->n;
}

/* An annotation that ends before `::` at `colons`: where it starts. */
static const char *annotation_start(const char *from, const char *colons) {
  const char *s = colons;
  int depth = 0;
  while (s > from && isspace((unsigned char)s[-1]))
    s--;
  for (; s > from && (depth || !strchr(";,", s[-1])); s--)
    depth += (s[-1] == ')') - (s[-1] == '(');
  return s + strspn(s, " \t\r\n");
}

static bool tunable(const char *s) { return s[0] == 't' && s[1 + strspn(s + 1, " ")] == '('; }

/* What the other annotations of the clause leave; NAN: one is no plain number. */
static double left_over(const LearnedClause *c, const char *from, const char *end) {
  double left = 1;
  for (size_t i = 0; i < c->chances.n; i++)
    left -= c->chances.at[i];
  for (const char *s = from; s + 1 < end; s++)
    if (s[0] == ':' && s[1] == ':' && !tunable(annotation_start(from, s))) {
      const char *behind;
      left -= weight_number(annotation_start(from, s), &behind);
      if (behind + strspn(behind, " \t\r\n") != s)
        return NAN;
    }
  return left > 0 ? left : 0;
}

static bool write_clause(const LearnedClause *c, const char *from, const char *end, Text *out) {
  const char *at = from;
  size_t next = 0;
  for (const char *s = from; s + 1 < end; s++) {
    const char *start = s[0] == ':' && s[1] == ':' ? annotation_start(from, s) : s;
    if (start == s || start < at || !tunable(start))
      continue;
    double p = next < c->chances.n ? c->chances.at[next] : left_over(c, from, end);
    next++;
    if (isnan(p))
      return false;
    text_add(out, at, (size_t)(start - at));
    number_write(out, p);
    at = s;
  }
  text_add(out, at, (size_t)(end - at));
  return next >= c->chances.n;
}

static bool write_source(const Program *p, uint32_t source, const LearnedClauses *c, Text *out) {
  const Source *text = &p->sources.list.at[source];
  uint32_t at = 0;
  for (size_t i = 0; i < c->n; i++) {
    Place place = c->at[i].place;
    if (place.source != source || place.offset < at)
      continue;
    assert(place.offset + place.length <= text->length);
    text_add(out, text->bytes + at, place.offset - at);
    const char *from = text->bytes + place.offset;
    if (!write_clause(&c->at[i], from, from + place.length, out))
      return false;
    at = place.offset + place.length;
  }
  text_add(out, text->bytes + at, text->length - at);
  return true;
}

bool write_learned_problog(const Program *program, const Parameters *parameters,
                           const lpmln_learned *weights, const uint32_t *sources, size_t count,
                           Text *out) {
  LearnedClauses clauses = {0};
  bool good = find_clauses(program, parameters, weights, &clauses);
  for (size_t i = 0; good && i < count; i++)
    good = write_source(program, sources[i], &clauses, out);
  clauses_free(&clauses);
  return good;
}
