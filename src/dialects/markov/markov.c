/* markov.c - the front end for Markov logic: statements and databases; see
** markov.h. */
#include "dialects/markov/markov.h"

#include "base/limits.h"
#include "dialects/markov/read.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool markov_is(const MarkovParser *p, uint32_t token, const char *text) {
  const MarkovToken *t = &p->t[token];
  return (t->kind == M_SIGN || t->kind == M_NAME || t->kind == M_CAPITAL) &&
         strlen(text) == t->length && !strncmp(p->bytes + t->offset, text, t->length);
}

Place markov_place(const MarkovParser *p, uint32_t from, uint32_t to) {
  uint32_t end = p->t[to].offset + p->t[to].length, start = p->t[from].offset;
  return (Place){p->source, start, end > start ? end - start : 0};
}

void markov_wrong(MarkovParser *p, uint32_t token, const char *hint, const char *format, ...) {
  if (p->bad)
    return;
  p->bad = true;
  Text text = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  diagnose_error(p->m->said, markov_place(p, token, token), hint, "%s", text.at);
  vec_free(&text);
}

/* ---- types ------------------------------------------------------------------------------- */

/* `1, ..., 5` */
static void parse_range(MarkovParser *p, uint32_t type) {
  enum { MOST_RANGE = 1000000 };
  char *low = memory_copy(p->bytes + p->t[p->now - 2].offset, p->t[p->now - 2].length),
       *high = NULL, *ends[2];
  bool good = markov_is(p, p->now + 1, ",") && p->t[p->now + 2].kind == M_NUMBER &&
              p->t[p->now - 2].kind == M_NUMBER;
  if (good) {
    high = memory_copy(p->bytes + p->t[p->now + 2].offset, p->t[p->now + 2].length);
    long from = strtol(low, &ends[0], 10), to = strtol(high, &ends[1], 10);
    good = !*ends[0] && !*ends[1] && labs(from) < 1000000000 && labs(to) < 1000000000 &&
           from <= to && to - from < MOST_RANGE;
    for (long i = from; good && i <= to; i++) {
      Text text = {0};
      text_printf(&text, "%ld", i);
      markov_belongs(p->m, names_add(&p->m->constants, text.at, text.n), type);
      vec_free(&text);
    }
  }
  if (!good)
    markov_wrong(p, p->now, "as in `{1, ..., 5}`",
                 "a range of integers is expected around the dots");
  p->now += 3;
  free(low);
  free(high);
}

/* `person = {Anna, Bob}` */
static void parse_type(MarkovParser *p) {
  const MarkovToken *name = &p->t[p->now];
  uint32_t type = markov_type(p->m, p->bytes + name->offset, name->length,
                              markov_place(p, p->now, p->now)),
           constant;
  for (p->now += 3; !p->bad && !markov_is(p, p->now, "}");) {
    if (markov_is(p, p->now, "...") && p->now >= 2)
      parse_range(p, type);
    else if (markov_constant(p, p->now, &constant))
      markov_belongs(p->m, constant, type), p->now++;
    if (p->bad || markov_is(p, p->now, "}"))
      break;
    if (!markov_is(p, p->now, ","))
      markov_wrong(p, p->now, NULL, "`,` or `}` is expected");
    p->now++;
  }
  p->now++;
}

/* ---- predicates ---------------------------------------------------------------------------- */

/* A name with arguments in parentheses and nothing else; the first such thing for a
** name declares it. */
static bool is_declaration(const MarkovParser *p) {
  uint32_t at = p->now + markov_is(p, p->now, "*");
  const MarkovToken *t = &p->t[at];
  if ((t->kind != M_NAME && t->kind != M_CAPITAL) || !markov_is(p, at + 1, "(") ||
      names_find(&p->m->predicate_names, p->bytes + t->offset, t->length) != UINT32_MAX)
    return false;
  for (at += 2; !markov_is(p, at, ")"); at++)
    if (p->t[at].kind != M_NAME && !markov_is(p, at, ",") && !markov_is(p, at, "!"))
      return false;
  return p->t[at + 1].kind == M_NEWLINE;
}

static void parse_predicate(MarkovParser *p) {
  MarkovPredicate predicate = {.closed = markov_is(p, p->now, "*")};
  p->now += predicate.closed;
  const MarkovToken *name = &p->t[p->now];
  predicate.place = markov_place(p, p->now, p->now);
  for (p->now += 2; !p->bad && !markov_is(p, p->now, ")");) {
    const MarkovToken *t = &p->t[p->now];
    if (t->kind != M_NAME)
      markov_wrong(p, p->now, "as in `Friends(person, person)`", "the name of a type is expected");
    else
      vec_push(&predicate.types,
               markov_type(p->m, p->bytes + t->offset, t->length, markov_place(p, p->now, p->now)));
    bool exclusive = markov_is(p, ++p->now, "!");
    vec_push(&predicate.exclusive, exclusive);
    predicate.functional |= exclusive;
    p->now += exclusive;
    if (!p->bad && !markov_is(p, p->now, ",") && !markov_is(p, p->now, ")"))
      markov_wrong(p, p->now, NULL, "`,` or `)` is expected");
    p->now += markov_is(p, p->now, ",");
  }
  if (!p->bad && predicate.closed && predicate.functional)
    markov_wrong(p, p->now, NULL, "a closed-world predicate can't have an argument with `!`");
  p->now++;
  char *text = memory_copy(p->bytes + name->offset, name->length);
  predicate.written = markov_fresh(p->m, text);
  assert(p->m->predicate_names.list.n == p->m->predicates.n);
  names_add(&p->m->predicate_names, text, name->length);
  vec_push(&p->m->predicates, predicate);
  free(text);
}

/* ---- statements ------------------------------------------------------------------------------ */

static void parse_statement(MarkovParser *p) {
  const MarkovToken *t = &p->t[p->now];
  bool exist, name = (t->kind == M_NAME || t->kind == M_CAPITAL) && !markov_quantifier(p, &exist);
  if (markov_is(p, p->now, "#"))
    markov_wrong(p, p->now, "give all files on the command line", "directives are not supported");
  else if (name && markov_is(p, p->now + 1, "=") && markov_is(p, p->now + 2, "{"))
    parse_type(p);
  else if (is_declaration(p))
    parse_predicate(p);
  else if (name && (t[1].kind == M_NAME || t[1].kind == M_CAPITAL) &&
           markov_is(p, p->now + 2, "(") && !markov_is(p, p->now + 1, "v"))
    markov_wrong(p, p->now + 1, "write a predicate with one more argument and a `!`",
                 "functions are not supported");
  else
    markov_formula(p);
  if (!p->bad && p->t[p->now].kind != M_NEWLINE)
    markov_wrong(p, p->now, NULL, "the end of the line is expected");
}

/* `Smokes(Anna)`, `!Smokes(Bob)`, `?Smokes(Carl)` */
static void parse_fact(MarkovParser *p) {
  uint32_t from = p->now, first = (uint32_t)p->m->terms.n;
  MarkovFact fact = {.input = p->input, .negated = markov_is(p, p->now, "!"), .first = first};
  fact.unknown = markov_is(p, p->now, "?");
  p->now += fact.unknown || fact.negated;
  const MarkovToken *t = &p->t[p->now];
  fact.predicate = names_find(&p->m->predicate_names, p->bytes + t->offset, t->length);
  if ((t->kind != M_NAME && t->kind != M_CAPITAL) || !markov_is(p, p->now + 1, "("))
    markov_wrong(p, p->now, "a database lists `Smokes(Anna)` or `!Smokes(Anna)`, one on a line",
                 "a ground atom is expected");
  else if (fact.predicate == UINT32_MAX)
    markov_wrong(p, p->now, NULL, "the predicate '%.*s' is not declared", (int)t->length,
                 p->bytes + t->offset);
  p->now++;
  if (!p->bad)
    markov_arguments(p, true);
  if (p->bad)
    return;
  const MarkovPredicate *predicate = &p->m->predicates.at[fact.predicate];
  if (p->m->terms.n - first != predicate->types.n)
    markov_wrong(p, from, NULL, "this predicate was declared with %zu argument%s",
                 predicate->types.n, predicate->types.n == 1 ? "" : "s");
  if (!p->bad && p->t[p->now].kind != M_NEWLINE)
    markov_wrong(p, p->now, NULL, "the end of the line is expected");
  fact.place = markov_place(p, from, p->now - 1);
  for (size_t k = first; k < p->m->terms.n && !p->bad; k++)
    markov_belongs(p->m, p->m->terms.at[k].id, predicate->types.at[k - first]);
  if (!p->bad)
    vec_push(&p->m->facts, fact);
}

/* After an error the next line is tried. */
void markov_read_text(Markov *m, uint32_t input, bool database) {
  MarkovTokens tokens = {0};
  uint32_t source = m->dialect->inputs.at[input].source;
  markov_lex(m->said, source, &tokens);
  MarkovParser p = {.m = m,
                    .source = source,
                    .input = input,
                    .bytes = m->said->sources->list.at[source].bytes,
                    .t = tokens.at};
  while (p.t[p.now].kind != M_END) {
    limits_poll();
    p.bad = false;
    if (p.t[p.now].kind != M_NEWLINE && database)
      parse_fact(&p);
    else if (p.t[p.now].kind != M_NEWLINE)
      parse_statement(&p);
    p.now = p.now < tokens.n ? p.now : (uint32_t)tokens.n - 1;
    while (p.t[p.now].kind != M_NEWLINE && p.t[p.now].kind != M_END)
      p.now++;
    p.now += p.t[p.now].kind == M_NEWLINE;
  }
  vec_free(&p.scope);
  vec_free(&tokens);
}

static bool is_database(const Markov *m, uint32_t input) {
  const DialectInput *in = &m->dialect->inputs.at[input];
  const char *name = m->said->sources->list.at[in->source].name;
  size_t n = strlen(name);
  return in->role != LPMLN_PROGRAM || (n > 3 && !strcmp(name + n - 3, ".db"));
}

void markov_free(Markov *m) {
  for (size_t i = 0; i < m->types.n; i++) {
    free(m->types.at[i].written);
    names_free(&m->types.at[i].constants);
  }
  for (size_t i = 0; i < m->predicates.n; i++) {
    free(m->predicates.at[i].written);
    vec_free(&m->predicates.at[i].types);
    vec_free(&m->predicates.at[i].exclusive);
  }
  for (size_t i = 0; i < m->formulas.n; i++)
    vec_free(&m->formulas.at[i].free);
  Names *names[] = {&m->type_names, &m->predicate_names, &m->constants, &m->taken,
                    &m->variable_names};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    names_free(names[i]);
  vec_free(&m->types);
  vec_free(&m->predicates);
  vec_free(&m->nodes);
  vec_free(&m->lists);
  vec_free(&m->terms);
  vec_free(&m->variables);
  vec_free(&m->formulas);
  vec_free(&m->facts);
}

void markov_read(Dialect *dialect) {
  assert(dialect->program && dialect->inputs.n);
  dialect->program->capitals =
      "in queries and observations predicates have a small letter, and constants are strings: "
      "smokes(\"Anna\"), or smokes/1 for all";
  Markov m = {.dialect = dialect, .said = program_said(dialect->program)};
  for (int database = 0; database < 2; database++)
    for (uint32_t i = 0; i < dialect->inputs.n; i++)
      if (is_database(&m, i) == database)
        markov_read_text(&m, i, database);
  if (!m.said->errors)
    markov_find_types(&m);
  if (!m.said->errors)
    markov_write(&m);
  markov_free(&m);
}
