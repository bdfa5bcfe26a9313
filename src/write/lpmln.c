/* lpmln.c - see lpmln.h. */
#include "write/lpmln.h"

#include "language/lexer.h"

#include <stdbool.h>
#include <stddef.h>

/* The constraint that a literal was observed: its opposite does not hold. */
static void write_observed(const Program *p, const Statement *s, Text *out) {
  Range body = s->body;
  bool negated = s->denied;
  if (program_tokens(p, s)[body.from].kind == T_NOT)
    body.from++, negated = !negated;
  text_puts(out, negated ? ":- " : ":- not ");
  program_write(p, s, body, out);
  text_puts(out, ".\n");
}

void write_lpmln(const Program *p, Text *out) {
  bool observed = false;
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (s->block != PROGRAM_BLOCK && !observed) {
      text_puts(out, "% evidence\n");
      observed = true;
    }
    if (s->kind == S_LITERAL) {
      write_observed(p, s, out);
      continue;
    }
    text_puts(out, s->kind == S_QUERY ? "% query: " : "");
    program_write(p, s, s->whole, out);
    text_puts(out, "\n");
  }
}
