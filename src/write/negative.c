/* negative.c - see negative.h.  The instances that there are, and weights that differ, are
** facts: without them the last rule would not bind its variables. */
#include "write/negative.h"

#include "ground/script.h"
#include "language/instance.h"
#include "language/weight.h"
#include "lpmln/lpmln.h"
#include "write/lpmln.h"
#include "write/rules.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  const Program *program;
  const Ground *ground;
  Writer w;
  char *neg, *instance, *fresh;
} Output;

static void write_neg(Output *o, const Shape *shape, uint32_t number) {
  text_printf(&o->w.text, "%s(%u", o->neg, number + 1);
  rules_variables(&o->w, shape);
  writer_puts(&o->w, ")");
}

/* 0 : H :- B.  neg(i,x) :- B, not H. */
static void write_rules(Output *o, const Shape *shape, uint32_t number) {
  const Statement *s = shape->statement;
  writer_puts(&o->w, "0 : ");
  writer_head(&o->w, o->program, shape);
  writer_body(&o->w, o->program, shape, range_empty(s->head) ? ":- " : " :- ");
  writer_puts(&o->w, range_empty(s->head) && !rules_has_body(shape) ? ":-.\n" : ".\n");
  write_neg(o, shape, number);
  writer_body(&o->w, o->program, shape, " :- ");
  rules_head_false(&o->w, o->program, shape, rules_has_body(shape) ? "; " : " :- ");
  writer_puts(&o->w, ".\n");
}

/* instance(i,"-w",x).  and, of instances whose weight is not positive, the same with no sign
** changed: these are punished where they are violated. */
static void write_instances(Output *o, uint32_t number, bool *positive, bool *others) {
  for (size_t i = 0; i < o->ground->instances.n; i++) {
    const Instance *x = &o->ground->instances.at[i];
    const char *values = ground_text(o->ground, x->values);
    if (x->soft != number)
      continue;
    double w = o->ground->weights.at[x->weight].value;
    *(w > 0 ? positive : others) = true;
    text_printf(&o->w.text, "%s(%u,%s,\"", o->instance, number + 1, w > 0 ? "neg" : "pos");
    weight_write(w > 0 ? -w : w, &o->w.text);
    text_printf(&o->w.text, "\"%s%s).\n", *values ? "," : "", values);
  }
}

static void write_punished(Output *o, const Shape *shape, uint32_t number, bool positive) {
  text_printf(&o->w.text, "%sW : :- %s(%u,%s,%sW", o->fresh, o->instance, number + 1,
              positive ? "neg" : "pos", o->fresh);
  rules_variables(&o->w, shape);
  writer_puts(&o->w, positive ? "), not " : "), ");
  write_neg(o, shape, number);
  writer_puts(&o->w, ".\n");
}

/* All instances have one positive weight: it stands in the rule. */
static void write_uniform(Output *o, const Shape *shape, uint32_t number, double weight) {
  for (size_t i = 0; shape->variables.n && i < o->ground->instances.n; i++)
    if (o->ground->instances.at[i].soft == number)
      text_printf(&o->w.text, "%s(%u,%s).\n", o->instance, number + 1,
                  ground_text(o->ground, o->ground->instances.at[i].values));
  weight_write(-weight, &o->w.text);
  writer_puts(&o->w, " : :- ");
  if (shape->variables.n) {
    text_printf(&o->w.text, "%s(%u", o->instance, number + 1);
    rules_variables(&o->w, shape);
    writer_puts(&o->w, "), ");
  }
  writer_puts(&o->w, "not ");
  write_neg(o, shape, number);
  writer_puts(&o->w, ".\n");
}

/* Has it instances, and have all of them weights that are not positive? */
static bool is_negative(const Ground *g, uint32_t number) {
  bool some = false, positive = false;
  for (size_t i = 0; i < g->instances.n; i++)
    if (g->instances.at[i].soft == number) {
      some = true;
      positive |= g->weights.at[g->instances.at[i].weight].value > 0;
    }
  return some && !positive;
}

static void write_soft(Output *o, const Statement *s, uint32_t number) {
  Shape shape;
  bool positive = false, others = false;
  rules_comment(&o->w, o->program, s);
  if (s->head_kind == HEAD_CHOICE) { /* it can't be violated */
    rules_hard(&o->w, o->program, s, o->fresh);
    return;
  }
  if (is_negative(o->ground, number) && write_lpmln_rule(o->program, o->ground, s, &o->w.text))
    return;
  free(rules_shape(&o->w, o->program, s, true, o->fresh, &shape));
  write_rules(o, &shape, number);
  double weight;
  if (rules_weight(o->ground, number, &weight) && weight > 0)
    write_uniform(o, &shape, number, weight);
  else
    write_instances(o, number, &positive, &others);
  if (positive)
    write_punished(o, &shape, number, true);
  if (others)
    write_punished(o, &shape, number, false);
  shape_free(&shape);
}

void write_negative(const Program *program, const Ground *ground, bool separate, Text *out) {
  Output o = {.program = program, .ground = ground};
  uint32_t number = 0;
  o.neg = fresh_name(program, "neg", false);
  o.instance = fresh_name(program, "instance", false);
  o.fresh = fresh_name(program, "V", true);
  text_printf(&o.w.text, "%% Translated by lpmln %s: no weight is positive (Algorithm 2).\n",
              lpmln_version());
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    if (s->kind == S_RULE && s->weight_kind != WEIGHT_HARD)
      write_soft(&o, s, number++);
    else if (!separate || s->kind == S_QUERY || s->block == PROGRAM_BLOCK)
      lpmln_statement(program, s, &o.w.text);
  }
  text_add(out, o.w.text.at, o.w.text.n);
  writer_free(&o.w);
  free(o.neg);
  free(o.instance);
  free(o.fresh);
}
