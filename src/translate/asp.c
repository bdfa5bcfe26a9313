/* asp.c - lpmln2asp.  A soft rule i with weight w over variables x becomes
**
**   penalty  unsat(i,w,x) :- Body, not Head.      reward  sat(i,w,x) :- instance(i,x),
**            Head :- Body, not unsat(i,w,x).                             not unsat(i,w,x).
**            :~ unsat(i,w,x). [1000w@0,i,x]               Head :- Body, not not sat(i,w,x).
**                                                         :~ sat(i,w,x). [-1000w@0,i,x]
**
** clingo's weights are integers, so they are thousandths, rounded. */
#include "translate/asp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Program *program;
  const Ground *ground;
  bool reward;
  Writer w;
  char *unsat, *sat, *instance, *weight, *fresh;
} Output;

/* ---- heads in bodies ------------------------------------------------------------- */

/* `t : a : c` of a head aggregate is `t : a, c` in a body. */
static void write_set(Output *o, const Shape *shape, Range r) {
  const Token *t = program_tokens(o->program, shape->statement);
  int depth = 0;
  unsigned colons = 0;
  bool named = false;
  for (uint32_t i = r.from; i < r.to; i++) {
    named |= t[i].kind == T_DIRECTIVE;
    depth += t[i].kind == T_OPEN || t[i].kind == T_OPEN_BRACE;
    depth -= t[i].kind == T_CLOSE || t[i].kind == T_CLOSE_BRACE;
    if (depth == 1 && t[i].kind == T_SEMICOLON)
      colons = 0;
    bool second = depth == 1 && t[i].kind == T_COLON && ++colons == 2 && named;
    if (i > r.from && t[i - 1].offset + t[i - 1].length < t[i].offset)
      writer_puts(&o->w, " ");
    if (second)
      writer_puts(&o->w, ",");
    else
      writer_tokens(&o->w, o->program, shape, (Range){i, i + 1});
  }
}

static void write_negated(Output *o, const Shape *shape, const Part *part) {
  const Token *t = program_tokens(o->program, shape->statement);
  Range r = part->range;
  unsigned nots = 0;
  for (; t[r.from].kind == T_NOT; r.from++)
    nots++;
  writer_puts(&o->w, nots == 1 ? "not not " : "not ");
  if (part->braces)
    write_set(o, shape, r);
  else
    writer_tokens(&o->w, o->program, shape, r);
}

/* Every part of the head is false. */
static void write_head_false(Output *o, const Shape *shape, const char *before) {
  Parts parts = {0};
  program_parts(o->program, shape->statement, shape->statement->head, &parts);
  for (size_t i = 0; i < parts.n; i++) {
    writer_puts(&o->w, before);
    write_negated(o, shape, &parts.at[i]);
    before = "; ";
  }
  vec_free(&parts);
}

/* ---- soft rules -------------------------------------------------------------------- */

static void write_quoted(Output *o, const Statement *s) {
  Text text = {0};
  program_write(o->program, s, s->weight, &text);
  writer_puts(&o->w, "\"");
  for (size_t i = 0; i < text.n; i++)
    text_printf(&o->w.text, "%s%c", text.at[i] == '"' || text.at[i] == '\\' ? "\\" : "", text.at[i]);
  writer_puts(&o->w, "\"");
  vec_free(&text);
}

static void write_variables(Output *o, const Shape *shape) {
  for (size_t i = 0; i < shape->variables.n; i++)
    text_printf(&o->w.text, ",%s", shape->variables.at[i].name);
}

static void write_marker(Output *o, const Shape *shape, const char *name, uint32_t number) {
  text_printf(&o->w.text, "%s(%u,", name, number + 1);
  write_quoted(o, shape->statement);
  write_variables(o, shape);
  writer_puts(&o->w, ")");
}

static bool body_written(const Shape *shape) {
  return !range_empty(shape->statement->body) || shape->domains.n || shape->bindings.n;
}

static void write_unsat(Output *o, const Shape *shape, uint32_t number) {
  write_marker(o, shape, o->unsat, number);
  writer_body(&o->w, o->program, shape, " :- ");
  write_head_false(o, shape, body_written(shape) ? "; " : " :- ");
  writer_puts(&o->w, ".\n");
}

static void write_guarded_rule(Output *o, const Shape *shape, uint32_t number) {
  writer_tokens(&o->w, o->program, shape, shape->statement->head);
  writer_body(&o->w, o->program, shape, range_empty(shape->statement->head) ? ":- " : " :- ");
  writer_puts(&o->w, body_written(shape) ? "; " : " :- ");
  writer_puts(&o->w, o->reward ? "not not " : "not ");
  write_marker(o, shape, o->reward ? o->sat : o->unsat, number);
  writer_puts(&o->w, ".\n");
}

/* The weight of the rule's instances; false if they differ. */
static bool one_weight(const Output *o, uint32_t number, double *value) {
  bool found = false;
  *value = 0;
  for (size_t i = 0; i < o->ground->instances.n; i++) {
    const Instance *instance = &o->ground->instances.at[i];
    if (instance->soft != number)
      continue;
    double weight = o->ground->weights.at[instance->weight].value;
    if (found && weight != *value)
      return false;
    *value = weight, found = true;
  }
  return true;
}

/* The weight in thousandths; a variable where instances differ. */
static void write_weak_constraint(Output *o, const Shape *shape, uint32_t number) {
  double value;
  writer_puts(&o->w, ":~ ");
  write_marker(o, shape, o->reward ? o->sat : o->unsat, number);
  if (one_weight(o, number, &value)) {
    text_printf(&o->w.text, ". [%.0f@0,%u", (o->reward ? -1000 : 1000) * value, number + 1);
  } else {
    text_printf(&o->w.text, "; %s(%u,%sK", o->weight, number + 1, o->fresh);
    write_variables(o, shape);
    text_printf(&o->w.text, "). [%s%sK@0,%u", o->reward ? "-" : "", o->fresh, number + 1);
  }
  write_variables(o, shape);
  writer_puts(&o->w, "]\n");
}

/* Facts that only we can compute: instances, and weights that differ. */
static void write_facts(Output *o, uint32_t number) {
  double value;
  bool differ = !one_weight(o, number, &value);
  for (size_t i = 0; i < o->ground->instances.n; i++) {
    const Instance *instance = &o->ground->instances.at[i];
    const char *values = ground_text(o->ground, instance->values);
    if (instance->soft != number)
      continue;
    if (o->reward)
      text_printf(&o->w.text, "%s(%u%s%s).\n", o->instance, number + 1, *values ? "," : "", values);
    if (differ)
      text_printf(&o->w.text, "%s(%u,%.0f%s%s).\n", o->weight, number + 1,
                  1000 * o->ground->weights.at[instance->weight].value, *values ? "," : "", values);
  }
}

static void write_sat(Output *o, const Shape *shape, uint32_t number) {
  write_marker(o, shape, o->sat, number);
  text_printf(&o->w.text, " :- %s(%u", o->instance, number + 1);
  write_variables(o, shape);
  writer_puts(&o->w, "); not ");
  write_marker(o, shape, o->unsat, number);
  writer_puts(&o->w, ".\n");
}

static void write_soft(Output *o, const Statement *s, uint32_t number) {
  Shape shape;
  shape_make(o->program, s, true, o->fresh, &shape);
  write_unsat(o, &shape, number);
  write_facts(o, number);
  if (o->reward)
    write_sat(o, &shape, number);
  write_guarded_rule(o, &shape, number);
  write_weak_constraint(o, &shape, number);
  shape_free(&shape);
}

/* ---- the rest ------------------------------------------------------------------------ */

static void write_comment(Output *o, const Statement *s) {
  const char *file;
  unsigned line;
  Text text = {0};
  program_describe(o->program, s, &file, &line, &text);
  text_printf(&o->w.text, "\n%% %s:%u: %s\n", file, line, text.at);
  vec_free(&text);
}

static void write_hard(Output *o, const Statement *s) {
  Shape shape;
  shape_make(o->program, s, false, o->fresh, &shape);
  writer_tokens(&o->w, o->program, &shape, s->head);
  writer_body(&o->w, o->program, &shape, range_empty(s->head) ? ":- " : " :- ");
  writer_puts(&o->w, ".\n");
  shape_free(&shape);
}

/* Evidence: the opposite of what was observed does not hold. */
static void write_observed(Output *o, const Statement *s) {
  Shape shape;
  Statement atom = *s;
  bool negated = program_tokens(o->program, s)[s->body.from].kind == T_NOT;
  atom.body.from += negated;
  shape_make(o->program, &atom, false, o->fresh, &shape);
  writer_body(&o->w, o->program, &shape, negated != s->denied ? ":- " : ":- not ");
  writer_puts(&o->w, ".\n");
  shape_free(&shape);
}

static void write_pass(Output *o, const Statement *s) {
  program_write(o->program, s, s->whole, &o->w.text);
  writer_puts(&o->w, "\n");
}

void translate_asp(Program *program, const Ground *ground, lpmln_form form, Text *out) {
  Output o = {.program = program, .ground = ground, .reward = form == LPMLN_REWARD};
  o.unsat = fresh_name(program, "unsat", false);
  o.sat = fresh_name(program, "sat", false);
  o.instance = fresh_name(program, "instance", false);
  o.weight = fresh_name(program, "weight", false);
  o.fresh = fresh_name(program, "V", true);
  text_printf(&o.w.text,
              "%% Translated by lpmln %s into an answer set program (lpmln2asp, %s form).\n"
              "%% The optimal stable models are the most probable ones; weights are thousandths.\n",
              lpmln_version(), o.reward ? "reward" : "penalty");
  uint32_t number = 0;
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    bool soft = s->kind == S_RULE && s->weight_kind != WEIGHT_HARD;
    if (soft)
      write_comment(&o, s);
    if (soft && s->head_kind == HEAD_CHOICE)
      write_hard(&o, s), number++; /* it can't be violated */
    else if (soft)
      write_soft(&o, s, number++);
    else if (s->kind == S_RULE)
      write_hard(&o, s);
    else if (s->kind == S_LITERAL)
      write_observed(&o, s);
    else if (s->kind == S_PASS)
      write_pass(&o, s);
  }
  text_add(out, o.w.text.at, o.w.text.n);
  writer_free(&o.w);
  free(o.unsat);
  free(o.sat);
  free(o.instance);
  free(o.weight);
  free(o.fresh);
}
