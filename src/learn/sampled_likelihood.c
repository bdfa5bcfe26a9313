/* sampled_likelihood.c - see sampled_likelihood.h.
**
**   ln L = sum of c_k ln W(O_k) - C ln Z
**
** Observations that leave nothing open have their W by counting; of the other sides, each sum is
** that of a ladder (mixed_log_sums).  Their errors are independent. */
#include "learn/sampled_likelihood.h"

#include "infer/mixed.h"
#include "infer/task.h"
#include "learn/learning.h"
#include "learn/sides.h"
#include "sample/ladder.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

enum { RUNG = 250, MOST_LADDERS = 20 }; /* samples on a rung; observations that have chains */

static double settled_log(const Sides *s) {
  double sum = 0;
  for (size_t i = 0; i < s->l->ground.weights.n; i++)
    sum -= s->settled[i] != 0 ? s->settled[i] * s->weights[i] : 0;
  return sum;
}

static Status add_side(Side *side, const Task *task, LogEstimate *to) {
  LogEstimate sum;
  assert(side->begun && side->factor != 0);
  const Task *before = side->mixed.q.task;
  side->mixed.q.task = task;
  Status status = mixed_log_sums(&side->mixed, RUNG, &sum, NULL);
  side->mixed.q.task = before;
  to->value -= side->factor * sum.value;
  to->error = hypot(to->error, side->factor * sum.error);
  return status;
}

LogEstimate sampled_likelihood(Sides *s, const double *w, double seconds) {
  const LogEstimate none = {NAN, NAN};
  if (s->clamped > MOST_LADDERS)
    return none;
  for (uint32_t i = 0; i < s->l->parameters.n; i++)
    s->weights[s->l->parameters.place[i]] = w[i];
  Task task = task_within(s->l->task, seconds);
  LogEstimate sum = {settled_log(s), 0};
  Status status = OK;
  for (size_t i = 0; status == OK && i < s->count; i++)
    if (s->side[i].begun && s->side[i].factor != 0)
      status = add_side(&s->side[i], &task, &sum);
  sum.value = fmin(sum.value, 0); /* no probability is above 1 */
  return status == OK ? sum : none;
}
