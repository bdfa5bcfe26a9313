/* ahead.c - see ahead.h. */
#include "compile/ahead.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "compile/memo.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HELPERS = 15 };

struct AheadHelper {
  Ahead *ahead;
  unsigned number;
  Search search;
  Memo steps; /* values are AheadStep * */
  Arena arena;
  atomic_size_t bytes;
};

struct Ahead {
  pthread_mutex_t lock; /* of all memos that more than one thread looks into */
  Search *search;       /* that is helped */
  AheadHelper helper[MOST_HELPERS];
  atomic_bool stop;
  uint64_t order; /* what the choice of inputs depends on: steps of another are not ours */
};

/* ---- steps -------------------------------------------------------------------------- */

pthread_mutex_t *ahead_lock(Ahead *a) { return &a->lock; }

static AheadStep *find(const Ahead *a, const ResidualKey *key) {
  uintptr_t step = 0;
  for (unsigned i = 0; i < MOST_HELPERS && !step; i++)
    step = memo_find(&a->helper[i].steps, key);
  return (AheadStep *)step;
}

AheadStep *ahead_find(Ahead *a, const ResidualKey *key) {
  pthread_mutex_lock(&a->lock);
  AheadStep *step = find(a, key);
  pthread_mutex_unlock(&a->lock);
  return step;
}

size_t ahead_memory(const Ahead *a) {
  size_t bytes = 0;
  for (unsigned i = 0; i < MOST_HELPERS; i++)
    bytes += atomic_load_explicit(&a->helper[i].bytes, memory_order_relaxed);
  return bytes;
}

uint32_t ahead_known(const AheadHelper *h, const ResidualKey *key) {
  Ahead *a = h->ahead;
  pthread_mutex_lock(&a->lock);
  uint32_t node = search_find(a->search, key);
  if (node == CIRCUIT_NONE) {
    const AheadStep *step = find(a, key);
    node = !step ? CIRCUIT_NONE : step->none ? CIRCUIT_FALSE : CIRCUIT_TRUE;
  }
  pthread_mutex_unlock(&a->lock);
  return node > CIRCUIT_TRUE && node != CIRCUIT_NONE ? CIRCUIT_TRUE : node;
}

/* ---- what a helper writes down ------------------------------------------------------ */

static void *take(AheadHelper *h, size_t count, size_t size) {
  atomic_fetch_add_explicit(&h->bytes, count * size, memory_order_relaxed);
  return count ? arena_zero(&h->arena, count, size) : NULL;
}

AheadStep *ahead_begin(AheadHelper *h, const ResidualKey *key, uint32_t input) {
  AheadStep *step = take(h, 1, sizeof *step);
  step->key = *key, step->input = input;
  return step;
}

/* The first helper goes the other way round, so that it meets the search half way; further
** ones take a way of their own, in which they agree with nobody. */
bool ahead_low_first(const AheadHelper *h, const ResidualKey *key) {
  return !h->number || (key->word[1] >> h->number & 1);
}

void ahead_branch(AheadHelper *h, AheadBranch *b, uint64_t work, bool conflict, size_t first_part) {
  const Search *s = &h->search;
  const Residual *r = &s->residual;
  *b = (AheadBranch){.work = work, .conflict = conflict};
  if (conflict)
    return;
  b->told = take(h, r->told.n, sizeof *b->told);
  for (size_t i = 0; i < r->told.n; i++) {
    uint32_t variable = s->variable[r->told.at[i] >> 1];
    if (variable != CIRCUIT_NONE)
      b->told[b->tolds++] = 2 * variable + (r->told.at[i] & 1);
  }
  assert(first_part <= r->parts.n);
  b->parts = (uint32_t)(r->parts.n - first_part);
  b->part = take(h, b->parts, sizeof *b->part);
  for (uint32_t i = 0; i < b->parts; i++)
    b->part[i] = r->parts.at[first_part + i].key;
}

void ahead_end(AheadHelper *h, AheadStep *step, bool none) {
  step->none = none;
  memo_add(&h->steps, &step->key, (uintptr_t)step, &h->ahead->lock);
}

/* ---- helpers ------------------------------------------------------------------------ */

static void forget_steps(Ahead *a) {
  for (unsigned i = 0; i < MOST_HELPERS; i++) {
    memo_free(&a->helper[i].steps);
    arena_free(&a->helper[i].arena);
    atomic_store(&a->helper[i].bytes, 0);
  }
}

void ahead_free(Ahead *a) {
  if (!a)
    return;
  forget_steps(a);
  for (unsigned i = 0; i < MOST_HELPERS; i++)
    search_free(&a->helper[i].search);
  pthread_mutex_destroy(&a->lock);
  free(a);
}

static Ahead *make(Search *s) {
  Ahead *a = memory_zero(1, sizeof *a);
  pthread_mutexattr_t spins; /* it is held for less than going to sleep takes */
  pthread_mutexattr_init(&spins);
  pthread_mutexattr_settype(&spins, PTHREAD_MUTEX_ADAPTIVE_NP);
  memory_have(pthread_mutex_init(&a->lock, &spins) ? NULL : a);
  pthread_mutexattr_destroy(&spins);
  a->search = s;
  for (unsigned i = 0; i < MOST_HELPERS; i++)
    a->helper[i].ahead = a, a->helper[i].number = i;
  return a;
}

/* The way of choosing, and the ranks it goes by; the question is told by its first parts. */
static uint64_t order_of(const Search *s) {
  uint64_t h = hash_word(HASH_START, s->way);
  h = hash_bytes(h, s->residual.rank, s->theory->atoms * sizeof *s->residual.rank);
  for (size_t i = 0; i < s->residual.parts.n; i++)
    h = hash_bytes(h, &s->residual.parts.at[i].key, sizeof s->residual.parts.at[i].key);
  return hash_bytes(h, s->residual.output, s->theory->atoms);
}

/* At the question's first branch, where the search is. */
static void begin_helper(AheadHelper *h, const Search *s) {
  assert(s->frames.n == 1);
  if (!h->search.theory)
    search_begin(&h->search, s->theory, NULL, s->variable, s->choice);
  h->search.helps = h;
  h->search.way = s->way;
  h->search.first = s->first;
  residual_copy(&h->search.residual, &s->residual);
  h->search.frames.n = h->search.results.n = 0;
  SearchFrame question = s->frames.at[0];
  question.results = 0;
  vec_push(&h->search.frames, question);
}

typedef struct {
  Ahead *ahead;
  const SearchLimits *limits;
  size_t before;
  uint64_t budget;
  uint32_t *node;
  Status status;
} Run;

static void help(AheadHelper *h) {
  uint32_t node;
  SearchLimits limits = {.stop = &h->ahead->stop};
  (void)search_run(&h->search, &limits, 0, UINT64_MAX / 2, &node);
}

/* Job 0 is the search itself; the others end with it. */
static void run_job(void *data, size_t i) {
  Run *run = data;
  Ahead *a = run->ahead;
  MemoryGuard guard;
  bool failed = memory_guard(&guard);
  if (!failed && i)
    help(&a->helper[i - 1]);
  else if (!failed)
    run->status = search_run(a->search, run->limits, run->before, run->budget, run->node);
  memory_unguard(&guard);
  if (!i || failed)
    atomic_store(&a->stop, true);
  if (!i)
    a->search->ahead = NULL;
  if (failed)
    memory_fail();
}

Status ahead_run(Search *s, const SearchLimits *limits, size_t before, uint64_t budget,
                 uint32_t *node) {
  unsigned helpers = budget >= limits->ahead ? parallel_take(limits->spare, MOST_HELPERS) : 0;
  if (!helpers)
    return search_run(s, limits, before, budget, node);
  Ahead **crew = &s->crew[s->way], *a = *crew ? *crew : (*crew = make(s));
  uint64_t order = order_of(s);
  if (order != a->order)
    forget_steps(a);
  a->order = order;
  for (unsigned i = 0; i < helpers; i++)
    begin_helper(&a->helper[i], s);
  atomic_store(&a->stop, false);
  s->ahead = a;
  Run run = {a, limits, before, budget, node, OK};
  parallel_for(1 + helpers, 1 + helpers, run_job, &run);
  atomic_fetch_add(limits->spare, helpers);
  return run.status;
}
