/* coin.c - `p :: head :- body`, and `p :: a; q :: b :- body`: probabilities, as in ProbLog.
**
** Each alternative becomes a statement of its own, one after the other: a coin, thrown
** for each instance whether its body holds or not.  The head of the k-th holds if its
** body does, its coin comes up, and those of the k-1 before it did not; so its coin has
** the share p/(1-…) of what these leave.  The statements have the same variables.
**
** The share of `t(_) :: head` is a parameter.  Those with numbers come before them, so that
** what these leave is known. */
#include "language/parser.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "language/formula.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define ROUNDING 1e-12 /* of probabilities that add up to 1 */

bool parser_has_coins(const Parser *p) {
  for (uint32_t i = p->now; !parser_ends(p, i); i++)
    if (p->t[i].kind == T_COLONS)
      return true;
  return false;
}

typedef struct {
  VEC(Statement) list;         /* with the probabilities themselves as expressions… */
  VEC(WeightExpression) share; /* …and the weights of their coins */
  double sum;                  /* of the probabilities so far, NAN: they have variables */
  double left;                 /* by those to learn, at their initial values */
  uint32_t last;               /* of those: in Program.chances; UINT32_MAX: none */
} Coins;

static void coins_free(Coins *c) {
  for (size_t i = 0; i < c->list.n; i++)
    vec_free(&c->list.at[i].expression);
  for (size_t i = 0; i < c->share.n; i++)
    vec_free(&c->share.at[i]);
  vec_free(&c->list);
  vec_free(&c->share);
}

static void put(WeightExpression *to, WeightOperation operation, double number) {
  vec_push(to, (WeightStep){.operation = operation, .number = number});
}

static void append(WeightExpression *to, const WeightExpression *more) {
  for (size_t i = 0; i < more->n; i++)
    vec_push(to, more->at[i]);
}

/* The share of a number in what is left: 0 and 1 are exact. */
static double share_of(double p, double left) {
  assert(p >= 0 && p <= 1);
  if (p <= 0 || left <= ROUNDING)
    return 0;
  return left - p <= ROUNDING * (left < 1) ? 1 : p / left;
}

/* Adds the weight of the last coin: @logit(p/(1-p1-p2…)). */
static void add_share(Coins *c) {
  assert(c->list.n == c->share.n + 1);
  size_t k = c->share.n;
  const WeightExpression *e = &c->list.at[k].expression;
  WeightExpression share = {0};
  if (!isnan(c->sum) && weight_constant(e)) {
    double p = weight_evaluate(e, NULL);
    put(&share, W_NUMBER, share_of(p, 1 - c->sum));
    c->sum += p;
  } else {
    append(&share, e);
    put(&share, W_NUMBER, 1);
    for (size_t j = 0; j < k; j++) {
      append(&share, &c->list.at[j].expression);
      put(&share, W_SUBTRACT, 0);
    }
    put(&share, W_DIVIDE, 0);
    c->sum = NAN;
  }
  put(&share, W_LOGIT, 0);
  vec_push(&c->share, share);
}

/* The name of what is learned: its predicate's, and a number if that is taken. */
static uint32_t name_chance(Parser *p, const Statement *s) {
  Program *program = p->program;
  const Source *source = parser_source(p);
  uint32_t end = s->head.from + (p->t[s->head.from].kind == T_MINUS);
  size_t length = p->t[end].offset + p->t[end].length - p->t[s->head.from].offset;
  Text name = {0};
  text_add(&name, source->bytes + p->t[s->head.from].offset, length);
  for (unsigned k = 2; names_find(&program->chance_names, name.at, name.n) != UINT32_MAX; k++) {
    name.n = length;
    text_printf(&name, "_%u", k);
  }
  uint32_t number = names_add(&program->chance_names, name.at, name.n);
  vec_free(&name);
  assert(number == program->chances.n);
  return number;
}

/* A share of what is left to learn, which starts where the user says. */
static bool add_learned(Parser *p, Coins *c, Statement *s) {
  double share = s->has_initial ? s->initial / (c->left * (1 - c->sum)) : 0.5;
  if (isnan(c->sum) || !(share > 0 && share < 1)) {
    diagnose_error(program_said(p->program), parser_place(p, s->weight.from, s->weight.to - 1),
                   NULL,
                   isnan(c->sum) ? "beside probabilities to learn the others are numbers"
                                 : "nothing is left for this probability to learn");
    return false;
  }
  s->initial = log(share / (1 - share));
  c->left *= 1 - share;
  s->chance = 1 + name_chance(p, s);
  vec_push(&p->program->chances, (Chance){c->last, 1 - c->sum, false});
  c->last = s->chance - 1;
  vec_push(&c->share, (WeightExpression){0});
  return true;
}

/* ---- parsing ------------------------------------------------------------------------ */

/* `t(_)`, or `t(0.3)`: where it starts. */
static bool parse_learned(Parser *p, Statement *s) {
  WeightParse found = {.end = p->now + 3};
  uint32_t from = p->now;
  s->has_initial = p->t[from + 2].kind != T_ANONYMOUS;
  bool good =
      !s->has_initial || weight_parse(parser_source(p), p->t, from + 2, &s->expression, &found);
  if (!good || p->t[found.end].kind != T_CLOSE || p->t[found.end + 1].kind != T_COLONS) {
    parser_error(p, from, "write `t(_) :: head :- body.`, or `t(0.5) :: …` with an initial value",
                 "a probability to learn is t(_) or t(NUMBER)");
    return false;
  }
  s->initial = weight_constant(&s->expression) ? weight_evaluate(&s->expression, NULL) : NAN;
  s->weight_kind = WEIGHT_PARAMETER;
  s->weight = (Range){from, found.end + 1};
  p->now = found.end + 2;
  if (!s->has_initial || (s->initial > 0 && s->initial < 1))
    return true;
  diagnose_error(program_said(p->program), parser_place(p, from, found.end), NULL,
                 "a probability to learn starts at a number between 0 and 1");
  return false;
}

/* The probability at p->now, and the `::` behind it. */
static bool parse_probability(Parser *p, Statement *s) {
  WeightParse found;
  uint32_t from = p->now;
  if (parser_is(p, from, "t") && p->t[from + 1].kind == T_OPEN)
    return parse_learned(p, s);
  if (!weight_parse(parser_source(p), p->t, from, &s->expression, &found) ||
      p->t[found.end].kind != T_COLONS) {
    parser_error(p, from, "write `0.3 :: head :- body.`, or `0.2 :: a; 0.3 :: b :- body.`",
                 "a probability and '::' were expected here");
    return false;
  }
  s->weight_kind = WEIGHT_NUMBER;
  s->weight = (Range){from, found.end};
  p->now = found.end + 1;
  double value = weight_constant(&s->expression) ? weight_evaluate(&s->expression, NULL) : 0;
  if (p->t[p->now].kind == T_MINUS && p->t[p->now - 1].offset + 2 == p->t[p->now].offset &&
      p->t[p->now + 1].kind != T_OPEN && p->t[p->now + 1].offset > p->t[p->now].offset + 1) {
    parser_error(p, p->now - 1, "a constraint with a weight is `1.5 : :- a.`",
                 "a probability needs a head");
    return false;
  }
  if (value >= 0 && value <= 1)
    return true;
  diagnose_error(program_said(p->program), parser_place(p, from, found.end - 1),
                 "a weight has one colon, or none: `2.5 : head :- body.`",
                 "a probability is between 0 and 1");
  return false;
}

/* An atom, or `-atom`: where it ends. */
static bool check_head(Parser *p, Range r, bool several) {
  uint32_t i = r.from + (p->t[r.from].kind == T_MINUS);
  int depth = 0;
  bool good = i < r.to && p->t[i].kind == T_IDENTIFIER;
  for (i++; good && i < r.to; i++) {
    depth += p->t[i].kind == T_OPEN;
    depth -= p->t[i].kind == T_CLOSE;
    good = depth || (p->t[i].kind == T_CLOSE && i + 1 == r.to);
    if (several && (p->t[i].kind == T_SEMICOLON || p->t[i].kind == T_DOTS)) {
      parser_error(p, i, "let a variable have these values in the body",
                   "several heads with probabilities have no pools and intervals");
      return false;
    }
  }
  if (!good)
    parser_error(p, r.from < r.to ? r.from : r.to,
                 "give the atom its probability, and use it in other rules",
                 "a probability stands before one atom");
  return good;
}

/* The end of a head: a semicolon, `:-` or the end of the statement. */
static uint32_t head_end(const Parser *p) {
  int depth = 0;
  uint32_t i = p->now;
  for (; !parser_ends(p, i) && p->t[i].kind != T_IF; i++) {
    depth += parser_opens(p->t[i].kind) - parser_closes(p->t[i].kind);
    if (!depth && p->t[i].kind == T_SEMICOLON)
      break;
  }
  return i;
}

static bool parse_alternatives(Parser *p, Coins *c, uint32_t *stop) {
  for (;;) {
    Statement s = {.kind = S_RULE, .unit = p->unit, .block = PROGRAM_BLOCK, .coin = true};
    bool good = parse_probability(p, &s);
    s.head = (Range){p->now, good ? head_end(p) : p->now};
    s.head_kind = HEAD_LITERAL;
    vec_push(&c->list, s);
    if (!good)
      return false;
    if (p->t[s.head.to].kind != T_SEMICOLON)
      return parser_find_stop(p, s.head.from, stop);
    if (!parser_check_brackets(p, s.head) || !parser_check_decimals(p, s.head))
      return false;
    p->now = s.head.to + 1;
  }
}

/* Numbers first, then what is learned. */
static bool add_shares(Parser *p, Coins *c) {
  Coins sorted = {.left = 1, .last = UINT32_MAX};
  bool good = true;
  for (int learned = 0; learned < 2; learned++)
    for (size_t i = 0; good && i < c->list.n; i++) {
      if ((c->list.at[i].weight_kind == WEIGHT_PARAMETER) != learned)
        continue;
      Statement s = c->list.at[i];
      c->list.at[i].expression = (WeightExpression){0}; /* it moves */
      s.before = (uint32_t)sorted.list.n;
      vec_push(&sorted.list, s);
      if (learned)
        good = add_learned(p, &sorted, &sorted.list.at[sorted.list.n - 1]);
      else
        add_share(&sorted);
    }
  coins_free(c);
  *c = sorted;
  return good;
}

/* Completes the statements; false after an error. */
static bool complete(Parser *p, Coins *c, uint32_t start, uint32_t stop) {
  bool good = true;
  uint32_t turn = c->list.at[c->list.n - 1].head.to;
  for (size_t i = 0; good && i < c->list.n; i++) {
    Statement *s = &c->list.at[i];
    s->whole = (Range){start, stop + 1};
    s->body = (Range){turn + 1 < stop ? turn + 1 : stop, stop};
    s->formula = formula_found(p->program, s);
    good = check_head(p, s->head, c->list.n > 1) && parser_check_inside(p, s->head) &&
           (i || parser_check_inside(p, s->body)) &&
           (!s->formula || i || formula_check(p->program, s));
  }
  good = good && add_shares(p, c);
  if (good && c->sum > 1 + 1e-9) {
    diagnose_error(program_said(p->program), parser_place(p, start, stop),
                   "at most one of these heads is chosen; for independent ones write several rules",
                   "these probabilities add up to %g, which is more than 1", c->sum);
    good = false;
  }
  return good;
}

void parse_coins(Parser *p) {
  assert(parser_has_coins(p));
  Coins c = {0};
  uint32_t start = p->now, stop = 0;
  bool good = !p->observations;
  if (!good)
    parser_error(p, start, "write literals (`a. not b.`), formulas or constraints",
                 "observations have no probabilities");
  good = good && parse_alternatives(p, &c, &stop);
  if (good && complete(p, &c, start, stop)) {
    for (size_t i = 0; i < c.list.n; i++) {
      Statement s = c.list.at[i];
      s.expression = c.share.at[i];
      c.share.at[i] = (WeightExpression){0}; /* the program's now */
      vec_push(&p->program->statements, s);
    }
  }
  coins_free(&c);
  parser_skip(p);
}
