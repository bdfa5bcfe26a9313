/* plingo.c - see plingo.h.  A soft rule is written as plingo reads it,
**
**   Head :- Body, &weight("w").
**
** if plingo counts the same instances: one atom in the head, no local or
** anonymous variables, the same weight for all.  Else its violation is spelt out:
**
**   unsat(i,x) :- Body, not Head.   Head :- Body, not unsat(i,x).
**   :- unsat(i,x), &weight("w"). */
#include "write/plingo.h"

#include "base/diagnostic.h"
#include "base/number.h"
#include "base/source.h"
#include "ground/script.h"
#include "language/instance.h"
#include "language/lexer.h"
#include "lpmln/lpmln.h"
#include "write/rules.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const Program *program;
  const Ground *ground;
  Diagnostics *said;
  Writer w;
  char *unsat, *query, *fresh;
} Output;

/* A natural number, or a string that Python reads as exactly this number. */
static void write_weight(Output *o, double weight) {
  if (weight >= 0 && weight <= PLINGO_MOST_WEIGHT && weight == floor(weight)) {
    text_printf(&o->w.text, "&weight(%.0f).\n", fabs(weight)); /* no -0 */
    return;
  }
  text_printf(&o->w.text, "&weight(\"%s\").\n", number_close(weight, 15, 0).text);
}

/* ---- soft rules --------------------------------------------------------------------- */

/* An atom: `a(X)`, `-a`; no comparison, no `not`. */
static bool plain_head(const Output *o, const Statement *s) {
  const Token *t = program_tokens(o->program, s);
  Range r = s->head;
  if (s->head_kind == HEAD_NONE)
    return true;
  bool plain =
      s->head_kind == HEAD_LITERAL && t[r.from + (t[r.from].kind == T_MINUS)].kind == T_IDENTIFIER;
  for (uint32_t i = r.from; i < r.to; i++)
    plain &= t[i].kind != T_COMPARISON;
  return plain;
}

/* All variables are global: plingo takes each for one. */
static bool plain_inside(const Output *o, const Statement *s, Range r) {
  const Token *t = program_tokens(o->program, s);
  for (uint32_t i = r.from; i < r.to; i++)
    if (t[i].kind == T_OPEN_BRACE || t[i].kind == T_COLON || t[i].kind == T_ANONYMOUS)
      return false;
  return true;
}

static void write_plain(Output *o, const Shape *shape, double weight) {
  const Statement *s = shape->statement;
  writer_head(&o->w, o->program, shape);
  writer_puts(&o->w, range_empty(s->head) ? ":- " : " :- ");
  writer_body(&o->w, o->program, shape, "");
  writer_puts(&o->w, rules_has_body(shape) ? "; " : "");
  write_weight(o, weight);
}

static void write_unsat(Output *o, const Shape *shape, uint32_t number) {
  text_printf(&o->w.text, "%s(%u", o->unsat, number + 1);
  rules_variables(&o->w, shape);
  writer_puts(&o->w, ")");
}

/* A constraint for all instances, or one for each where weights differ. */
static void write_punishment(Output *o, const Shape *shape, uint32_t number) {
  double weight;
  if (rules_weight(o->ground, number, &weight)) {
    writer_puts(&o->w, ":- ");
    write_unsat(o, shape, number);
    writer_puts(&o->w, ", ");
    write_weight(o, weight);
    return;
  }
  for (size_t i = 0; i < o->ground->instances.n; i++) {
    const Instance *instance = &o->ground->instances.at[i];
    const char *values = ground_text(o->ground, instance->values);
    if (instance->soft != number)
      continue;
    text_printf(&o->w.text, ":- %s(%u%s%s), ", o->unsat, number + 1, *values ? "," : "", values);
    write_weight(o, o->ground->weights.at[instance->weight].value);
  }
}

static void write_spelt_out(Output *o, const Shape *shape, uint32_t number) {
  write_unsat(o, shape, number);
  writer_body(&o->w, o->program, shape, " :- ");
  rules_head_false(&o->w, o->program, shape, rules_has_body(shape) ? "; " : " :- ");
  writer_puts(&o->w, ".\n");
  if (shape->statement->head_kind != HEAD_NONE) {
    writer_head(&o->w, o->program, shape);
    writer_body(&o->w, o->program, shape, " :- ");
    writer_puts(&o->w, rules_has_body(shape) ? "; not " : " :- not ");
    write_unsat(o, shape, number);
    writer_puts(&o->w, ".\n");
  }
  write_punishment(o, shape, number);
}

static void write_soft(Output *o, const Statement *s, uint32_t number) {
  Shape shape;
  double weight;
  rules_comment(&o->w, o->program, s);
  free(rules_shape(&o->w, o->program, s, true, o->fresh, &shape));
  bool plain = plain_head(o, s) && plain_inside(o, s, s->head) && plain_inside(o, s, s->body) &&
               rules_weight(o->ground, number, &weight);
  if (s->head_kind == HEAD_CHOICE) /* it can't be violated */
    rules_hard(&o->w, o->program, s, o->fresh);
  else if (plain)
    write_plain(o, &shape, weight);
  else
    write_spelt_out(o, &shape, number);
  shape_free(&shape);
}

/* ---- evidence and queries ------------------------------------------------------------ */

/* `a.` or `not a.` of a ground atom without a sign. */
static bool plain_observation(const Output *o, const Statement *s, Range *atom, bool *negated) {
  const Token *t = program_tokens(o->program, s);
  *atom = s->body;
  *negated = t[atom->from].kind == T_NOT;
  atom->from += *negated;
  *negated ^= s->denied;
  bool plain = s->kind == S_LITERAL && !s->formula && t[atom->from].kind == T_IDENTIFIER;
  for (uint32_t i = atom->from; i < atom->to; i++)
    plain &= t[i].kind != T_VARIABLE && t[i].kind != T_ANONYMOUS && t[i].kind != T_MINUS &&
             t[i].kind != T_SEMICOLON && t[i].kind != T_DOTS;
  return plain;
}

static void write_evidence(Output *o, const Statement *s) {
  Range atom;
  bool negated;
  if (plain_observation(o, s, &atom, &negated)) {
    writer_puts(&o->w, "&evidence(");
    program_write(o->program, s, atom, &o->w.text);
    writer_puts(&o->w, negated ? ", false).\n" : ").\n");
  } else if (s->kind == S_LITERAL) {
    rules_observed(&o->w, o->program, s, o->fresh);
  } else {
    rules_hard(&o->w, o->program, s, o->fresh);
  }
}

/* The statement of the query with that number. */
static const Statement *query_statement(const Output *o, uint32_t number) {
  const Statement *s = o->program->statements.at;
  while (s->kind != S_QUERY || number--)
    s++;
  return s;
}

/* A formula is asked for under a name of its own, if it is ground and has no condition. */
static void write_formula_query(Output *o, const Statement *s, const char *text, size_t number) {
  Shape shape;
  shape_make(o->program, NULL, s, false, o->fresh, &shape);
  bool ground = !shape.variables.n;
  shape_free(&shape);
  if (!ground || !range_empty(s->given)) {
    diagnose_warning(o->said, NOWHERE, NULL, "plingo can't ask for '%s': it is left out", text);
    return;
  }
  free(rules_shape(&o->w, o->program, s, false, o->fresh, &shape));
  for (uint32_t k = 0; k < shape.formula.groups.at[0].alternatives; k++) {
    text_printf(&o->w.text, "%s_%zu :- ", o->query, number);
    writer_alternative(&o->w, o->program, &shape, 0, k);
    writer_puts(&o->w, ".\n");
  }
  text_printf(&o->w.text, "&query(%s_%zu).\n", o->query, number);
  shape_free(&shape);
}

/* What is no plain atom is asked for under a name of its own. */
static void write_query(Output *o, const Event *query, size_t number) {
  const char *text = ground_text(o->ground, query->text);
  const Statement *s = query_statement(o, query->first);
  if (s->formula) {
    write_formula_query(o, s, text, number);
    return;
  }
  bool plain = !strchr(text, ' ') && !strchr(text, '-') && !strchr(text, '"');
  if (plain)
    text_printf(&o->w.text, "&query(%s).\n", text);
  else
    text_printf(&o->w.text, "%s_%zu :- %s.\n&query(%s_%zu).\n", o->query, number, text, o->query,
                number);
}

/* ---- the whole ------------------------------------------------------------------------- */

/* Statements that pass come last: plingo stumbles over those before rules. */
static void write_program(Output *o) {
  uint32_t number = 0;
  for (size_t i = 0; i < o->program->statements.n; i++) {
    const Statement *s = &o->program->statements.at[i];
    if (s->kind == S_RULE && s->weight_kind != WEIGHT_HARD)
      write_soft(o, s, number++);
    else if (s->kind == S_RULE && s->block == PROGRAM_BLOCK)
      rules_hard(&o->w, o->program, s, o->fresh);
    else if (s->kind == S_RULE || s->kind == S_LITERAL)
      write_evidence(o, s);
  }
  for (size_t i = 0; i < o->program->statements.n; i++)
    if (o->program->statements.at[i].kind == S_PASS)
      rules_pass(&o->w, o->program, &o->program->statements.at[i]);
  for (size_t i = 0; i < o->ground->queries.n; i++)
    write_query(o, &o->ground->queries.at[i], i + 1);
}

void write_plingo(const Program *program, const Ground *ground, Diagnostics *said, Text *out) {
  Output o = {.program = program, .ground = ground, .said = said};
  o.unsat = fresh_name(program, "unsat", false);
  o.query = fresh_name(program, "query", false);
  o.fresh = fresh_name(program, "V", true);
  text_printf(&o.w.text, "%% Translated by lpmln %s for plingo.\n", lpmln_version());
  write_program(&o);
  text_add(out, o.w.text.at, o.w.text.n);
  writer_free(&o.w);
  free(o.unsat);
  free(o.query);
  free(o.fresh);
}
