/* coins.c - see coins.h.
**
** A coin that comes up satisfies its soft fact, so that the expected number of violated
** instances tells how often it does.  Of several heads (`0.2 :: a; 0.3 :: b`) the k-th coin counts
** only if those before it did not come up; otherwise nothing depends on it, so that it comes up
** as often as it is given.  That is left out, and the rest is what users call the probability of
** the head. */
#include "infer/coins.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/number.h"
#include "circuit/circuit.h"
#include "ground/ground.h"
#include "infer/exact.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define ROUNDING 1e-14
#define SAME 1e-9 /* probabilities that differ by less are rounded otherwise */

/* Is it a coin of the user's, or a fact with a probability?  Of a dialect, its own words count. */
static bool is_coin(const Task *t, uint32_t soft) {
  const Statement *s = &t->program->statements.at[t->ground->soft.at[soft].statement];
  bool fact = s->weight_kind == WEIGHT_NUMBER && weight_is_logit(&s->expression) &&
              s->head_kind == HEAD_LITERAL && range_empty(s->body);
  return (s->coin || fact) && !program_source(t->program, s)->derived;
}

static bool has_coins(const Task *t) {
  for (uint32_t i = 0; i < t->ground->soft.n; i++)
    if (t->ground->soft.at[i].instances && is_coin(t, i))
      return true;
  return false;
}

/* By soft rule: what its coins are given, and how often they come up. */
typedef struct {
  double given, found; /* added up */
  size_t count;
  bool several; /* different weights */
} Coin;

/* The heads of one rule, so far. */
typedef struct {
  uint32_t first;              /* its statement */
  double left, found_to_leave; /* for the heads behind: as given, of 1; as found, of `count` */
  size_t count;
  bool unclear; /* its instances have different probabilities */
} Heads;

static void add_weight(const Task *t, uint32_t weight, size_t count, double violated, Coin *coins) {
  Coin *coin = &coins[t->ground->weights.at[weight].soft];
  coin->several |= coin->count > 0;
  coin->given += (double)count / (1 + exp(-t->weights[weight]));
  coin->found += (double)count - violated;
  coin->count += count;
}

static const Statement *statement_of(const Task *t, uint32_t soft) {
  return &t->program->statements.at[t->ground->soft.at[soft].statement];
}

/* Its coin as the probability of its head; false: that is not known. */
static bool as_head(const Task *t, uint32_t soft, Coin *coin, Heads *heads) {
  assert(coin->count);
  const Statement *s = statement_of(t, soft);
  uint32_t first = t->ground->soft.at[soft].statement - (s->coin ? s->before : 0);
  double n = (double)coin->count;
  if (!s->before || heads->first != first)
    *heads = (Heads){first, 1, n, coin->count, false};
  heads->unclear |= coin->several || heads->count != coin->count;
  if (!heads->unclear) {
    double share = coin->given / n;
    coin->found -= share * (n - heads->found_to_leave);
    coin->found = fabs(coin->found) < ROUNDING * n ? 0 : coin->found;
    coin->given *= heads->left;
    heads->left *= 1 - share, heads->found_to_leave -= coin->found;
  }
  return !heads->unclear || !s->before;
}

static void say(const Task *t, uint32_t soft, const Coin *coin) {
  const Statement *s = statement_of(t, soft);
  double n = (double)coin->count;
  diagnose_warning(
      t->said, program_place(t->program, s, s->weight),
      "outcomes that a constraint forbids, or that have several stable models or none, count "
      "otherwise: docs/weights-or-probabilities.md",
      "without evidence this comes up with probability %s%s, not %s",
      NUMBER_SHORT(coin->found / n, 6), coin->count > 1 ? " on average" : "",
      NUMBER_SHORT(coin->given / n, 6));
}

static void compare(const Task *t, const Circuit *circuit, const CircuitRoot *root) {
  const Ground *g = t->ground;
  assert(circuit->weights == g->weights.n);
  CircuitValues values;
  double *violated = memory_zero(g->weights.n, sizeof *violated);
  size_t *count = memory_zero(g->weights.n, sizeof *count);
  Coin *coins = memory_zero(g->soft.n, sizeof *coins);
  circuit_values_make(circuit, &values);
  circuit_evaluate(circuit, t->weights, &values);
  circuit_expectations(circuit, &values, root, 1, violated);
  for (size_t i = 0; i < g->instances.n; i++)
    if (g->instances.at[i].weight != NONE)
      count[g->instances.at[i].weight]++;
  for (uint32_t w = 0; w < g->weights.n; w++)
    if (count[w] && is_coin(t, g->weights.at[w].soft))
      add_weight(t, w, count[w], violated[w], coins);
  Heads heads = {.first = NONE};
  for (uint32_t i = 0; i < g->soft.n; i++)
    if (coins[i].count && as_head(t, i, &coins[i], &heads) &&
        fabs(coins[i].found - coins[i].given) > SAME * (double)coins[i].count)
      say(t, i, &coins[i]);
  circuit_values_free(&values);
  free(violated);
  free(count);
  free(coins);
}

void coins_compare_in(const Task *task, const Circuit *circuit, const CircuitRoot *root) {
  if (has_coins(task))
    compare(task, circuit, root);
}

Status coins_compare(const Task *task) {
  if (!has_coins(task))
    return OK;
  Task own = *task;
  ExactRoots roots;
  own.evidence = NULL, own.evidences = 0;
  Status status = exact_roots(&own, &roots);
  if (status == OK)
    compare(task, &roots.c->circuit, &roots.program);
  exact_roots_free(&roots);
  return status;
}
