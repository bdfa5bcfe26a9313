/* weight.c - see weight.h.  Parsing is Dijkstra's two stacks, so that nesting
** costs no stack of ours. */
#include "language/weight.h"

#include "base/number.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What waits for its right operand; OPEN is a parenthesis. */
typedef enum { OPEN, LOG, EXP, LOGIT, ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE } Waiting;

typedef struct {
  const Source *source;
  const Token *tokens;
  uint32_t now;
  WeightExpression *out;
  VEC(Waiting) stack;
  size_t open; /* parentheses on the stack */
  bool clingo_term;
} Parse;

static int strength(Waiting w) { return w <= LOGIT ? 0 : w <= SUBTRACT ? 1 : w <= DIVIDE ? 2 : 3; }

static void apply(Parse *p, Waiting w) {
  static const WeightOperation operation[] = {
      [LOG] = W_LOG,           [EXP] = W_EXP,           [LOGIT] = W_LOGIT,   [ADD] = W_ADD,
      [SUBTRACT] = W_SUBTRACT, [MULTIPLY] = W_MULTIPLY, [DIVIDE] = W_DIVIDE, [NEGATE] = W_NEGATE};
  if (w != OPEN)
    vec_push(p->out, (WeightStep){.operation = operation[w]});
}

/* Applies what binds at least as strongly as the operator to come. */
static void reduce(Parse *p, int least) {
  while (p->stack.n && strength(p->stack.at[p->stack.n - 1]) >= least)
    apply(p, p->stack.at[--p->stack.n]);
}

/* The end of the decimal number that starts at this token, or of its integer
** part if the longer reading would end inside of another token. */
static uint32_t decimal_end(const Parse *p, uint32_t offset) {
  const char *s = p->source->bytes;
  uint32_t end = offset;
  while (isdigit((unsigned char)s[end]))
    end++;
  if (s[end] == '.' && isdigit((unsigned char)s[end + 1]))
    for (end++; isdigit((unsigned char)s[end]);)
      end++;
  uint32_t exponent = end;
  if (s[exponent] == 'e' || s[exponent] == 'E') {
    exponent++;
    if (s[exponent] == '+' || s[exponent] == '-')
      exponent++;
    if (isdigit((unsigned char)s[exponent])) {
      while (isdigit((unsigned char)s[exponent]))
        exponent++;
      if (!isalnum((unsigned char)s[exponent]) && s[exponent] != '_' && s[exponent] != '\'')
        end = exponent;
    }
  }
  return end;
}

/* The value of 0x1f, 0o17 or 0b11. */
static double based_value(const char *s, uint32_t length) {
  double base = s[1] == 'x' ? 16 : s[1] == 'o' ? 8 : 2, value = 0;
  for (uint32_t i = 2; i < length; i++)
    value = value * base + (isdigit((unsigned char)s[i]) ? s[i] - '0' : (s[i] | 32) - 'a' + 10);
  return value;
}

static void parse_number(Parse *p) {
  const Token *t = &p->tokens[p->now];
  const char *s = p->source->bytes + t->offset;
  bool based = t->length > 2 && s[0] == '0' && isalpha((unsigned char)s[1]);
  double value = 0;
  if (based) {
    value = based_value(s, t->length);
    p->now++;
  } else {
    uint32_t end = decimal_end(p, t->offset);
    char *digits = memory_copy(s, end - t->offset);
    value = weight_number(digits, NULL);
    free(digits);
    if (end > t->offset + t->length)
      p->clingo_term = false;
    while (p->tokens[p->now].offset < end && p->tokens[p->now].kind != T_END)
      p->now++;
  }
  vec_push(p->out, (WeightStep){.operation = W_NUMBER, .number = value});
}

/* `@log (`, `@exp (` or `@logit (` */
static bool parse_function(Parse *p) {
  const Token *t = &p->tokens[p->now];
  if (t[1].kind != T_IDENTIFIER || t[2].kind != T_OPEN)
    return false;
  bool log = token_is(p->source, t + 1, "log"), exp = token_is(p->source, t + 1, "exp");
  if (!log && !exp && !token_is(p->source, t + 1, "logit"))
    return false;
  vec_push(&p->stack, log ? LOG : exp ? EXP : LOGIT);
  vec_push(&p->stack, OPEN);
  p->open++;
  p->clingo_term = false;
  p->now += 3;
  return true;
}

/* Signs, opening parentheses and then an operand. */
static bool parse_operand(Parse *p) {
  for (;; p->now++) {
    switch (p->tokens[p->now].kind) {
    case T_MINUS: vec_push(&p->stack, NEGATE); break;
    case T_PLUS: p->clingo_term = false; break;
    case T_OPEN: vec_push(&p->stack, OPEN), p->open++; break;
    case T_NUMBER: parse_number(p); return true;
    case T_VARIABLE:
      vec_push(p->out, (WeightStep){.operation = W_VARIABLE, .variable = p->now++});
      return true;
    case T_AT:
      if (!parse_function(p))
        return false;
      p->now--; /* the loop steps on */
      break;
    default: return false;
    }
  }
}

static void parse_closings(Parse *p) {
  assert(p->open <= p->stack.n);
  while (p->open && p->tokens[p->now].kind == T_CLOSE) {
    reduce(p, 1);
    assert(p->stack.at[p->stack.n - 1] == OPEN);
    p->stack.n--, p->open--, p->now++;
    if (p->stack.n && p->stack.at[p->stack.n - 1] >= LOG && p->stack.at[p->stack.n - 1] <= LOGIT)
      apply(p, p->stack.at[--p->stack.n]);
  }
}

/* Steps over a binary operator; false if the expression ends here. */
static bool parse_operator(Parse *p) {
  const Token *t = &p->tokens[p->now];
  bool starts_head = t->kind == T_MINUS && !p->open && t[1].kind == T_IDENTIFIER;
  if (t->kind < T_PLUS || t->kind > T_SLASH || starts_head)
    return false;
  Waiting w = t->kind == T_PLUS    ? ADD
              : t->kind == T_MINUS ? SUBTRACT
              : t->kind == T_STAR  ? MULTIPLY
                                   : DIVIDE;
  reduce(p, strength(w));
  vec_push(&p->stack, w);
  p->now++;
  return true;
}

bool weight_parse(const Source *source, const Token *tokens, uint32_t from, WeightExpression *out,
                  WeightParse *result) {
  Parse p = {.source = source, .tokens = tokens, .now = from, .out = out, .clingo_term = true};
  bool good;
  do {
    good = parse_operand(&p);
    if (good)
      parse_closings(&p);
  } while (good && parse_operator(&p));
  good = good && !p.open;
  if (good)
    reduce(&p, 1);
  assert(!good || !p.stack.n);
  vec_free(&p.stack);
  *result = (WeightParse){p.now, p.clingo_term, p.now};
  return good;
}

/* ln(p/(1-p)); a hair above 1 is rounding. */
static double logit(double p) { return p > 1 && p < 1 + 1e-9 ? INFINITY : log(p) - log1p(-p); }

/* Of several heads, `P :: a; Q :: b`, the second has the share Q/(1-P): if nothing is left, and
** that is what it wants, it has none. */
static double share(const WeightExpression *e, size_t i, double wanted, double left) {
  bool of_heads = i + 1 < e->n && e->at[i + 1].operation == W_LOGIT && !weight_constant(e);
  return of_heads && wanted == 0 && fabs(left) < 1e-9 ? 0 : wanted / left;
}

double weight_evaluate(const WeightExpression *e, const double *values) {
  assert(values || weight_constant(e));
  double *stack = memory_zero(e->n, sizeof *stack);
  size_t n = 0;
  for (size_t i = 0; i < e->n; i++) {
    double right = n ? stack[n - 1] : 0, left = n > 1 ? stack[n - 2] : 0;
    switch (e->at[i].operation) {
    case W_NUMBER: stack[n++] = e->at[i].number; break;
    case W_VARIABLE: stack[n++] = values[i]; break;
    case W_NEGATE: stack[n - 1] = -right; break;
    case W_LOG: stack[n - 1] = log(right); break;
    case W_EXP: stack[n - 1] = exp(right); break;
    case W_LOGIT: stack[n - 1] = logit(right); break;
    case W_ADD: stack[--n - 1] = left + right; break;
    case W_SUBTRACT: stack[--n - 1] = left - right; break;
    case W_MULTIPLY: stack[--n - 1] = left * right; break;
    case W_DIVIDE: stack[--n - 1] = share(e, i, left, right); break;
    }
  }
  assert(n <= 1);
  double result = n ? stack[0] : 0;
  free(stack);
  return result;
}

bool weight_is_logit(const WeightExpression *e) {
  return e->n && e->at[e->n - 1].operation == W_LOGIT;
}

bool weight_constant(const WeightExpression *e) {
  for (size_t i = 0; i < e->n; i++)
    if (e->at[i].operation == W_VARIABLE)
      return false;
  return true;
}

double weight_number(const char *text, const char **end) {
  const char *stop;
  double value = 0;
  (void)number_parse(text, &stop, &value);
  if (end)
    *end = stop;
  return value;
}

bool weight_from_text(const char *text, double *value) {
  const char *end;
  if (isspace((unsigned char)*text))
    return false;
  *value = weight_number(text, &end);
  return end != text && !*end && isfinite(*value);
}

void weight_write(double w, Text *to) {
  assert(isfinite(w));
  NumberText digits = number_close(w, 6, 0);
  text_puts(to, digits.text);
  if (!strpbrk(digits.text, ".e"))
    text_puts(to, ".0");
}
