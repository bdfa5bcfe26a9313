/* weight.h - weight expressions: real arithmetic over numbers and the rule's
** variables, `+ - * / ( ) @log @exp @logit`.  Never seen by clingo. */
#ifndef LANGUAGE_WEIGHT_H
#define LANGUAGE_WEIGHT_H

#include "base/memory.h"
#include "base/source.h"
#include "language/lexer.h"

#include <stdbool.h>
#include <stdint.h>

/* In postfix order.  VARIABLE's operand is the index of a variable. */
typedef enum {
  W_NUMBER,
  W_VARIABLE,
  W_NEGATE,
  W_ADD,
  W_SUBTRACT,
  W_MULTIPLY,
  W_DIVIDE,
  W_LOG,
  W_EXP,
  W_LOGIT
} WeightOperation;

typedef struct {
  WeightOperation operation;
  double number;
  uint32_t variable; /* token that names it */
} WeightStep;

typedef VEC(WeightStep) WeightExpression;

/* What a parse ran into. */
typedef struct {
  uint32_t end;     /* the first token behind the expression */
  bool clingo_term; /* clingo could read it too: integers, variables, + - * / */
  uint32_t bad;     /* where it is wrong, if parsing failed */
} WeightParse;

/* Parses the longest expression at tokens[from]; false if there is none.
** A `-` before an identifier starts the head instead. */
bool weight_parse(const Source *, const Token *tokens, uint32_t from, WeightExpression *,
                  WeightParse *);

/* values: by step, what the variable of that step stands for. */
double weight_evaluate(const WeightExpression *, const double *values);

bool weight_constant(const WeightExpression *);

/* Is it @logit(…) as a whole?  Then it is infinite where a probability is 0 or 1. */
bool weight_is_logit(const WeightExpression *);

/* strtod that knows no locale; 0 if there is no number.  `end` may be NULL. */
double weight_number(const char *text, const char **end);

/* Reads a whole string as a number. */
bool weight_from_text(const char *text, double *value);

/* The shortest decimal that reads back the same, never an integer. */
void weight_write(double, Text *);

#endif
