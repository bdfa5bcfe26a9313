/* number.c - arithmetic: what can be computed while reading, and what
** clingo, which has integers only, may compute later. */
#include "dialects/problog/problog.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, WHOLE, MODULO, POWER } Operation;

static const struct {
  const char *name;
  Operation operation;
} operations[] = {
    {"+", ADD},    {"-", SUBTRACT}, {"*", MULTIPLY}, {"/", DIVIDE},
    {"//", WHOLE}, {"mod", MODULO}, {"**", POWER},
};

static int operation_of(const Problog *p, TermId t) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (problog_is(p, t, operations[i].name, 2))
      return (int)operations[i].operation;
  return -1;
}

/* As Python does it, like ProbLog; false if it has no value. */
static bool compute(int operation, double x, double y, bool *real, double *value) {
  switch (operation) {
  case ADD: *value = x + y; break;
  case SUBTRACT: *value = x - y; break;
  case MULTIPLY: *value = x * y; break;
  case DIVIDE:
    *value = x / y;
    *real = true;
    return y != 0;
  case WHOLE: *value = floor(x / y); return y != 0;
  case MODULO: *value = x - y * floor(x / y); return y != 0;
  case POWER:
    *value = pow(x, y);
    *real |= y < 0;
    break;
  default: return false;
  }
  return isfinite(*value);
}

bool problog_value(const Problog *p, TermId t, double *value, bool *real) {
  const Term *term = problog_at(p, t);
  if (term->kind == P_INTEGER || term->kind == P_FLOAT) {
    *value = term->kind == P_INTEGER ? (double)term->integer : term->real;
    *real = term->kind == P_FLOAT;
    return true;
  }
  if (problog_is(p, t, "-", 1) || problog_is(p, t, "+", 1)) {
    if (!problog_value(p, problog_argument(p, t, 0), value, real))
      return false;
    *value = problog_is(p, t, "-", 1) ? -*value : *value;
    return true;
  }
  double x, y;
  bool real_x, real_y;
  int operation = operation_of(p, t);
  if (operation < 0 || !problog_value(p, problog_argument(p, t, 0), &x, &real_x) ||
      !problog_value(p, problog_argument(p, t, 1), &y, &real_y))
    return false;
  *real = real_x || real_y;
  return compute(operation, x, y, real, value);
}

static bool refuse(Problog *p, TermId t, const char *hint, const char *what) {
  const Term *term = problog_at(p, t);
  problog_error(p, term->place, hint, what,
                term->kind == P_COMPOUND || term->kind == P_ATOM ? problog_text(p, term->name)
                                                                 : "this");
  return false;
}

bool problog_check_expression(Problog *p, TermId t, bool real) {
  Term term = *problog_at(p, t);
  int operation = operation_of(p, t);
  if (term.kind == P_VARIABLE || term.kind == P_INTEGER)
    return true;
  if (term.kind == P_FLOAT)
    return real ||
           refuse(p, t, "clingo has integers only; probabilities may be computed with decimals",
                  "a decimal number in arithmetic");
  bool sign = problog_is(p, t, "-", 1) || problog_is(p, t, "+", 1);
  bool absolute = problog_is(p, t, "abs", 1) && !real;
  bool good =
      sign || absolute ||
      (operation >= 0 && operation != POWER && (real ? operation <= DIVIDE : operation != DIVIDE));
  if (operation == DIVIDE && !real)
    return refuse(
        p, t, "clingo has integers only: `//` divides them; probabilities may be computed with `/`",
        "`/` gives a decimal number");
  if (!good)
    return refuse(p, t, "+ - * // mod abs, and / for probabilities, can be computed",
                  "clingo can't compute '%s'");
  for (uint32_t i = 0; i < term.count; i++)
    if (!problog_check_expression(p, problog_argument(p, t, i), real))
      return false;
  return true;
}
