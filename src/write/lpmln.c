/* lpmln.c - see lpmln.h. */
#include "write/lpmln.h"

#include "base/number.h"
#include "base/source.h"
#include "language/lexer.h"
#include "language/weight.h"
#include "write/rules.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The constraint that a literal was observed: its opposite does not hold. */
static void write_observed(const Program *p, const Statement *s, Text *out) {
  Range body = s->body;
  bool negated = s->denied;
  if (s->formula) {
    int depth = 0;
    text_puts(out, ":- not (");
    for (uint32_t i = body.from; i < body.to; i++) {
      TokenKind kind = program_tokens(p, s)[i].kind;
      depth += kind == T_OPEN || kind == T_OPEN_BRACE;
      depth -= kind == T_CLOSE || kind == T_CLOSE_BRACE;
      text_puts(out, i > body.from && kind != T_CLOSE && kind != T_OPEN ? " " : "");
      if (kind == T_BAR && !depth)
        text_puts(out, ";");
      else
        program_write(p, s, (Range){i, i + 1}, out);
    }
    text_puts(out, ").\n");
    return;
  }
  if (program_tokens(p, s)[body.from].kind == T_NOT)
    body.from++, negated = !negated;
  text_puts(out, negated ? ":- " : ":- not ");
  program_write(p, s, body, out);
  text_puts(out, ".\n");
}

void lpmln_statement(const Program *p, const Statement *s, Text *out) {
  if (s->kind == S_LITERAL) {
    write_observed(p, s, out);
    return;
  }
  text_puts(out, s->kind == S_QUERY ? "% query: " : "");
  program_write(p, s, s->whole, out);
  text_puts(out, "\n");
}

/* ---- weights ---------------------------------------------------------------------- */

/* The statement's number among the soft rules, if a parameter of it was given a value. */
static uint32_t soft_given(const Program *p, const Ground *g, const Statement *s) {
  uint32_t statement = (uint32_t)(s - p->statements.at);
  if (s->kind != S_RULE || s->weight_kind != WEIGHT_PARAMETER)
    return NONE;
  for (size_t i = 0; i < g->instances.n; i++) {
    const Instance *x = &g->instances.at[i];
    if (g->soft.at[x->soft].statement == statement && g->weights.at[x->weight].name == NONE)
      return x->soft;
  }
  return NONE;
}

bool write_lpmln_weight(const Program *p, const Ground *g, const Statement *s, Text *out) {
  uint32_t soft = soft_given(p, g, s);
  double value;
  if (soft == NONE) {
    program_write(p, s, s->weight, out);
    return true;
  }
  if (s->chance || range_empty(s->name) || !rules_weight(g, soft, &value))
    return false;
  text_puts(out, "@w(");
  program_write(p, s, s->name, out);
  text_puts(out, ",");
  weight_write(value, out);
  text_puts(out, ")");
  return true;
}

bool lpmln_refuse_weight(const Program *p, Diagnostics *said, const Statement *s) {
  diagnose_error(said, program_place(p, s, s->weight),
                 "@w(NAME), with one value for all of its instances, has one",
                 "there is no place for the weight that this parameter was given");
  return false;
}

bool write_lpmln_rule(const Program *p, const Ground *g, const Statement *s, Text *out) {
  if (soft_given(p, g, s) == NONE) {
    lpmln_statement(p, s, out);
    return true;
  }
  if (!write_lpmln_weight(p, g, s, out))
    return false;
  text_puts(out, " ");
  program_write(p, s, (Range){s->weight.to, s->whole.to}, out);
  text_puts(out, "\n");
  return true;
}

/* ---- the whole -------------------------------------------------------------------- */

/* The program, what was observed, queries. */
static int order_of(const Statement *s) {
  return s->kind == S_QUERY ? 2 : s->block != PROGRAM_BLOCK ? 1 : 0;
}

bool write_lpmln(const Program *p, const Ground *g, Diagnostics *said, bool separate, Text *out) {
  bool good = true;
  for (int order = 0; order < 3; order++) {
    bool first = true;
    for (size_t i = 0; i < p->statements.n; i++) {
      const Statement *s = &p->statements.at[i];
      if (order_of(s) != order || (separate && order == 1) ||
          s->before) /* the rule of a coin is written once */
        continue;
      text_puts(out, order == 1 && first ? "% evidence\n" : "");
      good &= write_lpmln_rule(p, g, s, out) || lpmln_refuse_weight(p, said, s);
      first = false;
    }
  }
  return good;
}

/* ---- observations ------------------------------------------------------------------ */

bool lpmln_is_mark(const Program *p, const Statement *s) {
  return s->kind == S_RULE && s->block != PROGRAM_BLOCK && program_block_complete(p, s->block) &&
         s->body.to - s->body.from == 1 &&
         token_is(program_source(p, s), &program_tokens(p, s)[s->body.from], "#false");
}

/* What a closed world says. */
static void write_unlisted(const Ground *g, const Observations *o, uint32_t block, size_t *next,
                           Text *out) {
  for (Atom a; (a = observations_unlisted(o, block, next)) != NONE;)
    text_printf(out, ":- %s.\n", ground_text(g, g->atoms.at[a].name));
}

void write_lpmln_data(const Program *p, const Ground *g, const Observations *o, uint32_t end,
                      Text *out) {
  assert(end <= p->block_count);
  size_t next = 0;
  text_puts(out, "");
  for (uint32_t b = 0; b < end; b++) {
    size_t before = out->n;
    for (size_t i = 0; i < p->statements.n; i++) {
      const Statement *s = &p->statements.at[i];
      if (s->block == b && !lpmln_is_mark(p, s) && (s->kind == S_RULE || s->kind == S_LITERAL))
        lpmln_statement(p, s, out);
    }
    write_unlisted(g, o, b, &next, out);
    text_puts(out, out->n == before ? ":- #false.\n--- " : "--- "); /* a block is not empty */
    number_write(out, program_block_count(p, b));
    text_puts(out, "\n");
  }
}
