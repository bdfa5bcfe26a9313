/* asp.c - lpmln2asp.  A soft rule i with weight w over variables x becomes
**
**   penalty  unsat(i,w,x) :- Body, not Head.      reward  sat(i,w,x) :- instance(i,x),
**            Head :- Body, not unsat(i,w,x).                             not unsat(i,w,x).
**            :~ unsat(i,w,x). [1000w@0,i,x]               Head :- Body, not not sat(i,w,x).
**                                                         :~ sat(i,w,x). [-1000w@0,i,x]
**
** clingo's weights are integers, so they are thousandths, rounded. */
#include "write/asp.h"

#include "ground/script.h"
#include "language/instance.h"
#include "write/rules.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  const Program *program;
  const Ground *ground;
  bool reward;
  Writer w;
  char *unsat, *sat, *instance, *weight, *fresh;
} Output;

/* ---- soft rules -------------------------------------------------------------------- */

static void write_quoted(Output *o, const Statement *s) {
  Text text = {0};
  program_write(o->program, s, s->weight, &text);
  writer_puts(&o->w, "\"");
  for (size_t i = 0; i < text.n; i++)
    text_printf(&o->w.text, "%s%c", text.at[i] == '"' || text.at[i] == '\\' ? "\\" : "",
                text.at[i]);
  writer_puts(&o->w, "\"");
  vec_free(&text);
}

static void write_marker(Output *o, const Shape *shape, const char *name, uint32_t number) {
  text_printf(&o->w.text, "%s(%u,", name, number + 1);
  write_quoted(o, shape->statement);
  rules_variables(&o->w, shape);
  writer_puts(&o->w, ")");
}

static void write_unsat(Output *o, const Shape *shape, uint32_t number) {
  write_marker(o, shape, o->unsat, number);
  writer_body(&o->w, o->program, shape, " :- ");
  rules_head_false(&o->w, o->program, shape, rules_has_body(shape) ? "; " : " :- ");
  writer_puts(&o->w, ".\n");
}

static void write_guarded_rule(Output *o, const Shape *shape, uint32_t number) {
  writer_tokens(&o->w, o->program, shape, shape->statement->head);
  writer_body(&o->w, o->program, shape, range_empty(shape->statement->head) ? ":- " : " :- ");
  writer_puts(&o->w, rules_has_body(shape) ? "; " : " :- ");
  writer_puts(&o->w, o->reward ? "not not " : "not ");
  write_marker(o, shape, o->reward ? o->sat : o->unsat, number);
  writer_puts(&o->w, ".\n");
}

/* The weight in thousandths; a variable where instances differ. */
static void write_weak_constraint(Output *o, const Shape *shape, uint32_t number) {
  double value;
  writer_puts(&o->w, ":~ ");
  write_marker(o, shape, o->reward ? o->sat : o->unsat, number);
  if (rules_weight(o->ground, number, &value)) {
    text_printf(&o->w.text, ". [%.0f@0,%u", (o->reward ? -1000 : 1000) * value, number + 1);
  } else {
    text_printf(&o->w.text, "; %s(%u,%sK", o->weight, number + 1, o->fresh);
    rules_variables(&o->w, shape);
    text_printf(&o->w.text, "). [%s%sK@0,%u", o->reward ? "-" : "", o->fresh, number + 1);
  }
  rules_variables(&o->w, shape);
  writer_puts(&o->w, "]\n");
}

/* Facts that only we can compute: instances, and weights that differ. */
static void write_facts(Output *o, uint32_t number) {
  double value;
  bool differ = !rules_weight(o->ground, number, &value);
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
  rules_variables(&o->w, shape);
  writer_puts(&o->w, "); not ");
  write_marker(o, shape, o->unsat, number);
  writer_puts(&o->w, ".\n");
}

static void write_soft(Output *o, const Statement *s, uint32_t number) {
  Shape shape;
  shape_make(o->program, NULL, s, true, o->fresh, &shape);
  write_unsat(o, &shape, number);
  write_facts(o, number);
  if (o->reward)
    write_sat(o, &shape, number);
  write_guarded_rule(o, &shape, number);
  write_weak_constraint(o, &shape, number);
  shape_free(&shape);
}

/* ---- the rest ------------------------------------------------------------------------ */

void write_asp(const Program *program, const Ground *ground, lpmln_form form, Text *out) {
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
      rules_comment(&o.w, program, s);
    if (soft && s->head_kind == HEAD_CHOICE)
      rules_hard(&o.w, program, s, o.fresh), number++; /* it can't be violated */
    else if (soft)
      write_soft(&o, s, number++);
    else if (s->kind == S_RULE)
      rules_hard(&o.w, program, s, o.fresh);
    else if (s->kind == S_LITERAL)
      rules_observed(&o.w, program, s, o.fresh);
    else if (s->kind == S_PASS)
      rules_pass(&o.w, program, s);
  }
  text_add(out, o.w.text.at, o.w.text.n);
  writer_free(&o.w);
  free(o.unsat);
  free(o.sat);
  free(o.instance);
  free(o.weight);
  free(o.fresh);
}
