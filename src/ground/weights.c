/* weights.c - the weights of ground instances; see assembly.h. */
#include "ground/assembly.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "ground/assemble.h"
#include "ground/ground.h"
#include "ground/script.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t add_weight(Assembly *a, double value, uint32_t name, uint32_t soft) {
  assert(soft < a->g->soft.n);
  vec_push(&a->g->weights, (Weight){value, name, soft});
  return (uint32_t)(a->g->weights.n - 1);
}

static void report_weight(Assembly *a, const Statement *s, const char *why, const char *what) {
  diagnose_error(a->said, program_place(a->program, s, s->weight),
                 "a weight is a number, or a string such as \"0.37\"", "%s: %s", why, what);
}

/* A marker's value of a variable as a number. */
static bool variable_value(Assembly *a, const Statement *s, const Argument *argument,
                           double *value) {
  const char *text = text_at(a, argument->text);
  size_t n = strlen(text);
  assert(argument->type != 's' || n >= 2); /* its quotes */
  char *bare = argument->type == 's' ? memory_copy(text + 1, n - 2) : memory_copy(text, n);
  bool good = argument->type != 'o' && weight_from_text(bare, value);
  if (!good)
    report_weight(
        a, s, s->kind == S_UTILITY ? "the utility is not a number" : "the weight is not a number",
        text);
  free(bare);
  return good;
}

static const Argument *variable_argument(const Assembly *a, const RawMarker *m,
                                         const Marked *marked, const Statement *s, uint32_t token) {
  const Token *t = &program_tokens(a->program, s)[token];
  const char *name = program_source(a->program, s)->bytes + t->offset;
  for (uint32_t i = 0; i < marked->count; i++)
    if (strlen(marked->variables[i]) == t->length && !memcmp(marked->variables[i], name, t->length))
      return &a->raw->arguments.at[m->first + 2 + i];
  return NULL;
}

bool assembly_number(Assembly *a, const RawMarker *m, const Marked *marked, double *number) {
  const Statement *s = &a->program->statements.at[marked->statement];
  const WeightExpression *e = &s->expression;
  double *values = memory_zero(e->n, sizeof *values);
  bool good = true;
  for (size_t i = 0; good && i < e->n; i++)
    if (e->at[i].operation == W_VARIABLE)
      good =
          variable_value(a, s, variable_argument(a, m, marked, s, e->at[i].variable), &values[i]);
  *number = good ? weight_evaluate(e, values) : 0;
  free(values);
  return good;
}

/* A weight expression over the instance's variables. */
static uint32_t weight_of_instance(Assembly *a, const RawMarker *m, const Marked *marked,
                                   const Statement *s, uint32_t soft) {
  bool logit = weight_is_logit(&s->expression);
  double value;
  bool good = assembly_number(a, m, marked, &value);
  if (good && isinf(value) && logit)
    return value > 0 ? WEIGHT_ALWAYS : WEIGHT_NEVER;
  if (good && !isfinite(value))
    report_weight(a, s, "the weight of an instance is not a finite number",
                  logit ? "its probability is not between 0 and 1"
                        : "it overflows, divides by zero or takes the logarithm of zero");
  return add_weight(a, value, NONE, soft);
}

static void check_initial(Assembly *a, uint32_t name, const Statement *s, uint32_t statement) {
  assert(name < a->parameter_weight.n && a->initial_of.n == a->parameter_weight.n);
  Weight *w = &a->g->weights.at[a->parameter_weight.at[name]];
  uint32_t before = a->initial_of.at[name];
  if (!s->has_initial || before == statement)
    return;
  if (before != NONE && w->value != s->initial)
    diagnose_error(a->said, program_place(a->program, s, s->weight),
                   "give the initial value once; the other rules may write @w(NAME) alone",
                   "parameter %s has two initial values: %g and %g", a->parameters.list.at[name],
                   w->value, s->initial);
  w->value = s->initial;
  a->initial_of.at[name] = statement;
}

/* A probability to learn has the name of its atom, which is not the user's to give again. */
static void check_name(Assembly *a, const Statement *s, const char *name) {
  if (a->program->display ||
      names_find(&a->program->chance_names, name, strlen(name)) == UINT32_MAX)
    return; /* a dialect names them all */
  diagnose_error(a->said, program_place(a->program, s, s->weight), "give this one another name",
                 "parameter %s is also the probability to learn of an atom, `t(_) :: %s`", name,
                 name);
}

static uint32_t parameter_of(Assembly *a, const RawMarker *m, const Statement *s,
                             uint32_t statement, uint32_t soft) {
  Text own = {0};
  const char *name = text_at(a, a->raw->arguments.at[m->first + 1].text);
  if (s->chance) {
    name = a->program->chance_names.list.at[s->chance - 1];
  } else if (!range_empty(s->name)) {
    check_name(a, s, name);
  } else { /* plain @w: named after its place */
    Place place = source_origin(&a->program->sources, program_place(a->program, s, s->weight));
    const Source *source = &a->program->sources.list.at[place.source];
    Position at = source_position(source, place.offset);
    text_printf(&own, "%s:%u:%u", source->name, at.line, at.column);
    name = own.at;
  }
  size_t known = a->parameters.list.n;
  uint32_t number = names_add(&a->parameters, name, strlen(name));
  if (number == known) {
    uint32_t text = ground_name(a->g, name, strlen(name));
    vec_push(&a->parameter_weight, add_weight(a, 0, text, soft));
    vec_push(&a->initial_of, NONE);
  }
  vec_free(&own);
  check_initial(a, number, s, statement);
  return a->parameter_weight.at[number];
}

uint32_t assembly_weight(Assembly *a, const RawMarker *m, uint32_t rule) {
  assert(rule < a->script->rules.n);
  const Marked *marked = &a->script->rules.at[rule];
  const Statement *s = &a->program->statements.at[marked->statement];
  if (s->weight_kind == WEIGHT_HARD)
    return NONE;
  if (s->weight_kind == WEIGHT_PARAMETER)
    return parameter_of(a, m, s, marked->statement, rule);
  if (!weight_constant(&s->expression))
    return weight_of_instance(a, m, marked, s, rule);
  double value = a->fixed[rule] == NONE ? weight_evaluate(&s->expression, NULL) : 0;
  if (isinf(value) && s->coin)
    return value > 0 ? WEIGHT_ALWAYS : WEIGHT_NEVER;
  if (a->fixed[rule] == NONE)
    a->fixed[rule] = add_weight(a, value, NONE, rule);
  return a->fixed[rule];
}
