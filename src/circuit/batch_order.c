/* batch_order.c - segments, the order of steps and their slots; see batch.h.
**
** Comes after batch_plan.c, whose ids become slots: first those of the results that
** a later segment reads, then the ones that all segments share. */
#include "circuit/batch_kernels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Steps in a segment: values and adjoints of their slots take 256 KB each.  Twice
** as many are not worth cutting. */
enum { SEGMENT = 4096 };

typedef struct {
  BatchPlan *plan;
  uint32_t first_result;
  size_t segment; /* steps in each, but for the last */
} Order;

static void cut_segments(Order *o) {
  BatchPlan *plan = o->plan;
  size_t twice = 2 * (size_t)SEGMENT;
  o->segment = plan->steps.n <= twice ? twice : SEGMENT;
  for (size_t i = 0; i < plan->steps.n; i += o->segment)
    vec_push(&plan->segments, i);
  vec_push(&plan->segments, plan->steps.n);
}

static bool is_result(const Order *o, uint32_t id) { return id >= o->first_result; }

/* Within a segment, a step's level: above those of the results that it reads. */
static uint32_t level_of(const Order *o, const uint32_t *level, size_t start, const BatchStep *s) {
  uint32_t most = 0, read[2] = {s->first, s->second};
  for (int k = 0; k < 2; k++)
    if (is_result(o, read[k]) && read[k] - o->first_result >= start) {
      uint32_t below = level[read[k] - o->first_result - start];
      most = below >= most ? below + 1 : most;
    }
  return most;
}

typedef struct {
  BatchStep step;
  uint32_t level;
} Place;

static int compare_places(const void *a, const void *b) {
  const Place *x = a, *y = b;
  if (x->level != y->level)
    return x->level < y->level ? -1 : 1;
  if (x->step.literal != y->step.literal)
    return x->step.literal < y->step.literal ? -1 : 1;
  return (x->step.to > y->step.to) - (x->step.to < y->step.to);
}

/* Sorts the steps of a segment by level, then literal: equal ones come together,
** and neighbours do not wait for each other. */
static void sort_segment(const Order *o, size_t start, size_t n) {
  BatchStep *steps = o->plan->steps.at + start;
  uint32_t *level = memory_zero(n, sizeof *level);
  Place *place = memory_zero(n, sizeof *place);
  for (size_t i = 0; i < n; i++) {
    level[i] = level_of(o, level, start, &steps[i]);
    place[i] = (Place){steps[i], level[i]};
  }
  qsort(place, n, sizeof *place, compare_places);
  for (size_t i = 0; i < n; i++)
    steps[i] = place[i].step;
  free(level);
  free(place);
}

/* Tells for each result whether a later segment reads it. */
static void find_kept(const Order *o, bool *kept) {
  const BatchPlan *plan = o->plan;
  for (size_t i = 0; i < plan->steps.n; i++) {
    uint32_t read[2] = {plan->steps.at[i].first, plan->steps.at[i].second};
    for (int k = 0; k < 2; k++)
      if (is_result(o, read[k]) && (read[k] - o->first_result) / o->segment != i / o->segment)
        kept[read[k] - o->first_result] = true;
  }
  if (is_result(o, plan->root))
    kept[plan->root - o->first_result] = true;
}

/* In the order of steps, so that what is written is near. */
static void choose_slots(const Order *o, const bool *kept, uint32_t *slot) {
  uint32_t next = o->first_result, shared = 0, most = 0;
  const BatchStep *steps = o->plan->steps.at;
  for (size_t i = 0; i < o->plan->steps.n; i++)
    if (kept[steps[i].to - o->first_result])
      slot[steps[i].to - o->first_result] = next++;
  for (size_t i = 0; i < o->plan->steps.n; i++) {
    if (i % o->segment == 0)
      shared = 0;
    if (!kept[steps[i].to - o->first_result])
      slot[steps[i].to - o->first_result] = next + shared++;
    most = shared > most ? shared : most;
  }
  o->plan->slots = next + most;
  assert(o->plan->slots < BATCH_FRESH);
}

/* Makes a slot of an id; `met` tells what the way down has met. */
static uint32_t operand(const Order *o, const uint32_t *slot, bool *met, uint32_t id) {
  if (!is_result(o, id))
    return id;
  bool fresh = !met[id - o->first_result];
  met[id - o->first_result] = true;
  return slot[id - o->first_result] | (fresh ? BATCH_FRESH : 0);
}

static void number_slots(const Order *o) {
  BatchPlan *plan = o->plan;
  bool *flag = memory_zero(plan->steps.n, sizeof *flag);
  uint32_t *slot = memory_zero(plan->steps.n, sizeof *slot);
  find_kept(o, flag);
  choose_slots(o, flag, slot);
  memset(flag, 0, plan->steps.n);
  for (size_t i = plan->steps.n; i-- > 0;) {
    BatchStep *s = &plan->steps.at[i];
    s->to = slot[s->to - o->first_result];
    s->first = operand(o, slot, flag, s->first);
    s->second = operand(o, slot, flag, s->second);
  }
  if (is_result(o, plan->root))
    plan->root = slot[plan->root - o->first_result];
  free(flag);
  free(slot);
}

/* A set of variables by slot, those of one round: what every path mentions.
** Products join, decisions meet. */
enum { ROUND = 512 };
typedef uint64_t Set __attribute__((vector_size(ROUND / 8), aligned(8)));

static void find_sets(const BatchPlan *plan, Set *set) {
  for (size_t i = 0; i < plan->steps.n; i++) {
    const BatchStep *s = &plan->steps.at[i];
    size_t first = s->first & ~BATCH_FRESH, second = s->second & ~BATCH_FRESH;
    if (s->literal & BATCH_ONE_WAY)
      set[s->to] = set[s->literal & ~BATCH_ONE_WAY] | set[first];
    else if (s->literal)
      set[s->to] = (set[s->literal] | set[first]) & (set[s->literal + 1] | set[second]);
    else
      set[s->to] = set[first] | set[second];
  }
}

static void find_always(BatchPlan *plan) {
  Set *set = memory_zero(plan->slots, sizeof *set);
  for (uint32_t from = 0; from < plan->variables; from += ROUND) {
    uint32_t n = plan->variables - from < ROUND ? plan->variables - from : ROUND;
    memset(set, 0, (2 + 2 * (size_t)plan->variables) * sizeof *set);
    for (uint32_t k = 0; k < n; k++)
      for (uint32_t slot = 2 + 2 * (from + k); slot < 4 + 2 * (from + k); slot++)
        set[slot][k / 64] = (uint64_t)1 << k % 64;
    find_sets(plan, set);
    for (uint32_t k = 0; k < n; k++)
      plan->always[from + k] = set[plan->root][k / 64] >> k % 64 & 1;
  }
  free(set);
}

void batch_order(BatchPlan *plan) {
  Order o = {.plan = plan, .first_result = batch_first_result(plan)};
  cut_segments(&o);
  for (size_t i = 0; i + 1 < plan->segments.n; i++)
    sort_segment(&o, plan->segments.at[i], plan->segments.at[i + 1] - plan->segments.at[i]);
  number_slots(&o);
  find_always(plan);
}
