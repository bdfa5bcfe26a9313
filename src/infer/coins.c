/* coins.c - see coins.h.
**
** A coin that comes up satisfies its soft fact, so that the expected number of violated
** instances tells how often it does. */
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
  double given, found;
  size_t count;
} Coin;

static void add_weight(const Task *t, uint32_t weight, size_t count, double violated, Coin *coins) {
  Coin *coin = &coins[t->ground->weights.at[weight].soft];
  coin->given += (double)count / (1 + exp(-t->weights[weight]));
  coin->found += (double)count - violated;
  coin->count += count;
}

static void say(const Task *t, uint32_t soft, const Coin *coin) {
  const Statement *s = &t->program->statements.at[t->ground->soft.at[soft].statement];
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
  for (uint32_t i = 0; i < g->soft.n; i++)
    if (coins[i].count && fabs(coins[i].found - coins[i].given) > SAME * (double)coins[i].count)
      say(t, i, &coins[i]);
  circuit_values_free(&values);
  free(violated);
  free(count);
  free(coins);
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
