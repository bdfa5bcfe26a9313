/* problog_data.c - observations as ProbLog's evidence: one literal each. */
#include "write/problog.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "language/lexer.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST_REPEATED = 1000000 };

static bool refuse(ToProblog *to, const Statement *s, const char *reason) {
  diagnose_error(to->said, program_place(to->program, s, s->whole),
                 "ProbLog's evidence is a list of ground atoms that are true or false",
                 "not ProbLog's evidence: %s", reason);
  return false;
}

/* `a.`, `not a.`, `:- not a.` and `:- a.` say that an atom holds, or not. */
static bool write_observed(ToProblog *to, const Statement *s, Text *out) {
  const Program *p = to->program;
  const Token *t = program_tokens(p, s);
  Range atom = s->body;
  bool positive = s->kind == S_LITERAL && !s->denied;
  for (; atom.from < atom.to && t[atom.from].kind == T_NOT; atom.from++)
    positive = !positive;
  Parts parts = {0};
  program_parts(p, s, s->body, &parts);
  bool single = parts.n == 1 && !parts.at[0].conditional && !parts.at[0].braces;
  vec_free(&parts);
  for (uint32_t i = atom.from; i < atom.to; i++)
    if (t[i].kind == T_VARIABLE || t[i].kind == T_ANONYMOUS)
      return refuse(to, s, "an observation with variables");
  Text text = {0};
  bool good = single && t[atom.from].kind == T_IDENTIFIER && prolog_tokens(p, s, atom, true, &text);
  if (good) {
    problog_signature(to, p, s, atom, false);
    text_printf(out, "evidence(%s,%s).\n", text.at, positive ? "true" : "false");
  }
  vec_free(&text);
  return good || refuse(to, s, "a constraint of several literals, or one that is no plain atom");
}

bool problog_write_data(ToProblog *to, Text *out, bool blocks) {
  const Program *p = to->program;
  double lines = 0;
  for (uint32_t b = 0; b < p->block_count; b++) {
    Text block = {0};
    text_puts(&block, "");
    bool good = true;
    for (size_t i = 0; good && i < p->statements.n; i++)
      if (p->statements.at[i].block == b)
        good = write_observed(to, &p->statements.at[i], &block);
    double count = blocks ? program_block_count(p, b) : 1;
    lines += count;
    if (good && lines > MOST_REPEATED) {
      diagnose_error(to->said, program_block_place(p, b),
                     "ProbLog has no counts: blocks are repeated", "more than %d examples",
                     MOST_REPEATED);
      good = false;
    }
    for (double k = 0; good && k < count; k++)
      text_printf(out, "%s%s", block.at, blocks ? "---\n" : "");
    vec_free(&block);
    if (!good)
      return false;
  }
  return true;
}
