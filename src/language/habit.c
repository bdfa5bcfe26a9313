/* habit.c - what means something in another language, and nothing of the kind here: facts
** `query(a)` and `evidence(a,true)` of ProbLog, `#show a.` for an atom. */
#include "language/doubt.h"

#include "base/diagnostic.h"
#include "language/lexer.h"
#include "language/program.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- facts that are no facts in ProbLog ------------------------------------------------- */

static bool is_fact(const Program *p, const Statement *s, const char *name) {
  const Token *t = program_tokens(p, s);
  return s->kind == S_RULE && s->head_kind == HEAD_LITERAL && range_empty(s->body) &&
         s->weight_kind == WEIGHT_HARD && !s->coin && s->block == PROGRAM_BLOCK &&
         !program_source(p, s)->derived && token_is(program_source(p, s), &t[s->head.from], name) &&
         t[s->head.from + 1].kind == T_OPEN;
}

static size_t count_tokens(const Program *p, const char *name) {
  size_t count = 0;
  for (size_t i = 0; i < p->units.n; i++) {
    const Unit *unit = &p->units.at[i];
    for (size_t k = 0; k < unit->tokens.n; k++)
      count += token_is(&p->sources.list.at[unit->source], &unit->tokens.at[k], name);
  }
  return count;
}

/* Facts of a predicate that nothing else mentions are for somebody else to read. */
static void doubt_facts(const Program *p, const char *name, const char *hint, const char *message,
                        Diagnostics *said) {
  const Statement *first = NULL;
  size_t facts = 0;
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (!is_fact(p, s, name))
      continue;
    first = first ? first : s;
    facts++;
  }
  if (first && facts == count_tokens(p, name))
    diagnose_warning(said, program_place(p, first, first->head), hint, "%s", message);
}

/* ---- #show ------------------------------------------------------------------------------- */

static bool has_head(const Program *p, const char *name, size_t length) {
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    const Source *source = program_source(p, s);
    for (uint32_t k = s->head.from; s->kind == S_RULE && k < s->head.to; k++) {
      const Token *t = program_tokens(p, s) + k;
      if (t->kind == T_IDENTIFIER && t->length == length &&
          !memcmp(source->bytes + t->offset, name, length))
        return true;
    }
  }
  return false;
}

/* How many arguments stand between these parentheses. */
static unsigned count_arguments(const Token *t, Range r) {
  unsigned commas = 0;
  int depth = 0;
  for (uint32_t i = r.from; i < r.to; i++) {
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
    commas += depth == 1 && t[i].kind == T_COMMA;
  }
  return range_empty(r) ? 0 : commas + 1;
}

/* `#show a.` shows a term, in every model. */
static void doubt_show(const Program *p, const Statement *s, Diagnostics *said) {
  const Token *t = program_tokens(p, s);
  const Source *source = program_source(p, s);
  Range term = {s->whole.from + 1, s->whole.to - 1};
  if (!token_is(source, &t[s->whole.from], "#show") || range_empty(term) ||
      t[term.from].kind != T_IDENTIFIER)
    return;
  bool call =
      term.from + 1 < term.to && t[term.from + 1].kind == T_OPEN && t[term.to - 1].kind == T_CLOSE;
  const char *name = source->bytes + t[term.from].offset;
  int length = (int)t[term.from].length;
  for (uint32_t i = term.from; i < term.to; i++)
    if (t[i].kind == T_COLON || t[i].kind == T_SLASH || t[i].kind == T_VARIABLE)
      return;
  if ((!call && term.from + 1 < term.to) || !has_head(p, name, (size_t)length))
    return;
  Text hint = {0};
  text_printf(&hint, "`#show %.*s/%u.` shows atoms", length, name,
              count_arguments(t, (Range){term.from + 1, term.to}));
  diagnose_hinted(said, LPMLN_WARNING, program_place(p, s, term), text_take(&hint),
                  "this is shown as a term, whether such an atom holds or not");
}

void program_habits(const Program *p, Diagnostics *said) {
  doubt_facts(p, "evidence",
              "what was observed is given with option evidence; ProbLog's programs are read from "
              ".pl files, or with option dialect=problog",
              "this is an atom of the program, and no evidence", said);
  doubt_facts(p, "query",
              "a question is asked with option query; ProbLog's programs are read from .pl files, "
              "or with option dialect=problog",
              "this is an atom of the program, and no query", said);
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (s->kind == S_PASS && !program_source(p, s)->derived)
      doubt_show(p, s, said);
  }
}
