/* asp.c - lpmln2asp.  A soft rule i with weight w over variables x becomes
**
**   penalty  unsat(i,w,x) :- Body, not Head.      reward  sat(i,w,x) :- instance(i,x),
**            Head :- Body, not unsat(i,w,x).                             not unsat(i,w,x).
**            :~ unsat(i,w,x). [1000w@0,i,x]               Head :- Body, not not sat(i,w,x).
**                                                         :~ sat(i,w,x). [-1000w@0,i,x]
**
** clingo's weights are integers, so they are multiplied by a scale and rounded (scale.h).
** Hard rules that may be violated are such rules of weight 1 on level 1. */
#include "write/asp.h"

#include "base/number.h"
#include "ground/script.h"
#include "language/instance.h"
#include "write/rules.h"
#include "write/scale.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  const Program *program;
  const Ground *ground;
  bool reward, violable;
  uint32_t label; /* of the rule at hand, from 1 */
  double scale;
  Writer w;
  char *unsat, *sat, *instance, *weight, *fresh;
} Output;

/* ---- soft rules -------------------------------------------------------------------- */

static bool is_hard(const Statement *s) { return s->weight_kind == WEIGHT_HARD; }

/* Violated hard rules are punished in either form. */
static bool rewards(const Output *o, const Shape *shape) {
  return o->reward && !is_hard(shape->statement);
}

static void write_quoted(Output *o, const Statement *s) {
  Text text = {0};
  if (is_hard(s))
    text_puts(&text, "alpha");
  else
    program_write(o->program, s, s->weight, &text);
  writer_puts(&o->w, "\"");
  for (size_t i = 0; i < text.n; i++)
    text_printf(&o->w.text, "%s%c", text.at[i] == '"' || text.at[i] == '\\' ? "\\" : "",
                text.at[i]);
  writer_puts(&o->w, "\"");
  vec_free(&text);
}

static void write_marker(Output *o, const Shape *shape, const char *name) {
  text_printf(&o->w.text, "%s(%u,", name, o->label);
  write_quoted(o, shape->statement);
  rules_variables(&o->w, shape);
  writer_puts(&o->w, ")");
}

static void write_unsat(Output *o, const Shape *shape) {
  write_marker(o, shape, o->unsat);
  writer_body(&o->w, o->program, shape, " :- ");
  rules_head_false(&o->w, o->program, shape, rules_has_body(shape) ? "; " : " :- ");
  writer_puts(&o->w, ".\n");
}

static void write_guarded_rule(Output *o, const Shape *shape) {
  writer_head(&o->w, o->program, shape);
  writer_body(&o->w, o->program, shape, range_empty(shape->statement->head) ? ":- " : " :- ");
  writer_puts(&o->w, rules_has_body(shape) ? "; " : " :- ");
  writer_puts(&o->w, rewards(o, shape) ? "not not " : "not ");
  write_marker(o, shape, rewards(o, shape) ? o->sat : o->unsat);
  writer_puts(&o->w, ".\n");
}

/* The weight as an integer; a variable where instances differ. */
static void write_weak_constraint(Output *o, const Shape *shape, uint32_t number) {
  double value;
  writer_puts(&o->w, ":~ ");
  write_marker(o, shape, rewards(o, shape) ? o->sat : o->unsat);
  if (is_hard(shape->statement)) {
    text_printf(&o->w.text, ". [1@1,%u", o->label);
  } else if (rules_weight(o->ground, number, &value)) {
    text_printf(&o->w.text, ". [%.0f@0,%u", scale_round(value, o->reward ? -o->scale : o->scale),
                o->label);
  } else {
    text_printf(&o->w.text, "; %s(%u,%sK", o->weight, o->label, o->fresh);
    rules_variables(&o->w, shape);
    text_printf(&o->w.text, "). [%s%sK@0,%u", o->reward ? "-" : "", o->fresh, o->label);
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
      text_printf(&o->w.text, "%s(%u%s%s).\n", o->instance, o->label, *values ? "," : "", values);
    if (differ)
      text_printf(&o->w.text, "%s(%u,%.0f%s%s).\n", o->weight, o->label,
                  scale_round(o->ground->weights.at[instance->weight].value, o->scale),
                  *values ? "," : "", values);
  }
}

static void write_sat(Output *o, const Shape *shape) {
  write_marker(o, shape, o->sat);
  text_printf(&o->w.text, " :- %s(%u", o->instance, o->label);
  rules_variables(&o->w, shape);
  writer_puts(&o->w, "); not ");
  write_marker(o, shape, o->unsat);
  writer_puts(&o->w, ".\n");
}

/* `number`: of a soft rule, in the ground program. */
static void write_soft(Output *o, const Statement *s, uint32_t number) {
  Shape shape;
  free(rules_shape(&o->w, o->program, s, true, o->fresh, &shape));
  write_unsat(o, &shape);
  if (!is_hard(s))
    write_facts(o, number);
  if (rewards(o, &shape))
    write_sat(o, &shape);
  write_guarded_rule(o, &shape);
  write_weak_constraint(o, &shape, number);
  shape_free(&shape);
}

/* ---- the rest ------------------------------------------------------------------------ */

/* The number of the statement among soft rules. */
static uint32_t soft_number(const Ground *g, uint32_t statement) {
  uint32_t k = 0;
  while (k < g->soft.n && g->soft.at[k].statement != statement)
    k++;
  return k;
}

void write_asp(const Program *program, const Ground *ground, AspForm form, Text *out) {
  assert(form.scale > 0);
  Output o = {.program = program,
              .ground = ground,
              .reward = form.form == LPMLN_REWARD,
              .violable = form.violable,
              .scale = form.scale};
  o.unsat = fresh_name(program, "unsat", false);
  o.sat = fresh_name(program, "sat", false);
  o.instance = fresh_name(program, "instance", false);
  o.weight = fresh_name(program, "weight", false);
  o.fresh = fresh_name(program, "V", true);
  text_printf(&o.w.text,
              "%% Translated by lpmln %s into an answer set program (lpmln2asp, %s form).\n"
              "%% The optimal stable models are the most probable ones; weights are multiplied by "
              "%s.\n",
              lpmln_version(), o.reward ? "reward" : "penalty", NUMBER_SHORT(o.scale, 17));
  if (o.violable)
    writer_puts(&o.w, "% Hard rules may be violated, as few as possible: level 1.\n");
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    bool soft = s->kind == S_RULE && s->block == PROGRAM_BLOCK &&
                (!is_hard(s) || (o.violable && s->head_kind != HEAD_CHOICE));
    o.label += soft;
    if (soft)
      rules_comment(&o.w, program, s);
    if (soft && s->head_kind == HEAD_CHOICE)
      rules_hard(&o.w, program, s, o.fresh); /* it can't be violated */
    else if (soft)
      write_soft(&o, s, soft_number(ground, (uint32_t)i));
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
