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
enum { TOP = 8 }; /* frames of the question, above which a helper keeps to the search's order */

/* What a helper wrote down of one way. */
typedef struct {
  Memo steps; /* values are AheadStep * */
  Arena arena;
  size_t bytes;
} Written;

/* The order in which a helper takes branches: that of the search, the other, one of its own. */
enum { SAME, OTHER, OWN };

struct AheadHelper {
  Ahead *ahead;
  unsigned course; /* SAME, OTHER, or OWN + which one */
  Search search;
  Written of[WAYS];
  atomic_size_t bytes;
};

struct Ahead {
  pthread_mutex_t lock; /* of all memos that more than one thread looks into */
  Search *search;       /* that is helped */
  AheadHelper helper[MOST_HELPERS];
  atomic_bool stop;
  uint64_t order[WAYS]; /* what the choice of inputs depends on: steps of another are not ours */
};

/* ---- steps -------------------------------------------------------------------------- */

pthread_mutex_t *ahead_lock(Ahead *a) { return &a->lock; }

bool ahead_has_words(const ResidualPart *part) { return part->next <= part->limit; }

void ahead_note_order(const Residual *r, ResidualPart *part) {
  if (!ahead_has_words(part) || part->order)
    return;
  const uint32_t *words = r->words.at + part->begin;
  uint64_t h = hash_word(hash_word(HASH_START, part->next), part->limit);
  part->order = hash_words(h, words, (part->end - part->begin) * sizeof *words) | 1;
}

static ResidualKey step_key(const ResidualPart *part) {
  assert(part->order);
  return (ResidualKey){{part->key.word[0], part->key.word[1] ^ part->order}};
}

static AheadStep *find(const Ahead *a, SearchWay way, const ResidualPart *part) {
  ResidualKey key = step_key(part);
  uintptr_t step = 0;
  for (unsigned i = 0; i < MOST_HELPERS && !step; i++)
    step = memo_find(&a->helper[i].of[way].steps, &key);
  return (AheadStep *)step;
}

AheadStep *ahead_find(Ahead *a, const ResidualPart *part) {
  pthread_mutex_lock(&a->lock);
  AheadStep *step = find(a, a->search->way, part);
  pthread_mutex_unlock(&a->lock);
  return step;
}

size_t ahead_memory(const Ahead *a) {
  size_t bytes = 0;
  for (unsigned i = 0; i < MOST_HELPERS; i++)
    bytes += atomic_load_explicit(&a->helper[i].bytes, memory_order_relaxed);
  return bytes;
}

uint32_t ahead_known(const AheadHelper *h, const ResidualPart *part) {
  Ahead *a = h->ahead;
  pthread_mutex_lock(&a->lock);
  uint32_t node = search_find(a->search, &part->key);
  if (node == CIRCUIT_NONE) {
    const AheadStep *step = find(a, h->search.way, part);
    node = !step ? CIRCUIT_NONE : step->none ? CIRCUIT_FALSE : CIRCUIT_TRUE;
  }
  pthread_mutex_unlock(&a->lock);
  return node > CIRCUIT_TRUE && node != CIRCUIT_NONE ? CIRCUIT_TRUE : node;
}

/* ---- what a helper writes down ------------------------------------------------------ */

static void *take(AheadHelper *h, size_t count, size_t size) {
  h->of[h->search.way].bytes += count * size;
  atomic_fetch_add_explicit(&h->bytes, count * size, memory_order_relaxed);
  return count ? arena_zero(&h->of[h->search.way].arena, count, size) : NULL;
}

AheadStep *ahead_begin(AheadHelper *h, const ResidualPart *part, uint32_t input) {
  AheadStep *step = take(h, 1, sizeof *step);
  step->key = step_key(part), step->input = input;
  return step;
}

/* Who goes the other way round meets the search half way.  Below the top, that is: what is met
** soon is of use in attempts that are not through, too.  Further ones have an order of their own,
** in which they agree with nobody. */
bool ahead_low_first(const AheadHelper *h, const ResidualKey *key) {
  return (h->course == OTHER && h->search.frames.n >= TOP) ||
         (h->course >= OWN && (key->word[1] >> h->course & 1));
}

void ahead_branch(AheadHelper *h, AheadBranch *b, uint64_t work, bool conflict, size_t first_part) {
  Search *s = &h->search;
  Residual *r = &s->residual;
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
  for (uint32_t i = 0; i < b->parts; i++) {
    ResidualPart *part = &r->parts.at[first_part + i];
    ahead_note_order(r, part);
    b->part[i] = (ResidualPart){.next = 1, .key = part->key, .order = part->order};
  }
}

void ahead_end(AheadHelper *h, AheadStep *step, bool none) {
  step->none = none;
  memo_add(&h->of[h->search.way].steps, &step->key, (uintptr_t)step, &h->ahead->lock);
}

/* ---- helpers ------------------------------------------------------------------------ */

static void forget_steps(Ahead *a, SearchWay way) {
  for (unsigned i = 0; i < MOST_HELPERS; i++) {
    Written *of = &a->helper[i].of[way];
    atomic_fetch_sub(&a->helper[i].bytes, of->bytes);
    memo_free(&of->steps);
    arena_free(&of->arena);
    of->bytes = 0;
  }
}

void ahead_free(Ahead *a) {
  if (!a)
    return;
  for (int way = 0; way < WAYS; way++)
    forget_steps(a, (SearchWay)way);
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
    a->helper[i].ahead = a;
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

/* Steps of another order are of no use. */
static void agree(Ahead *a, const Search *s) {
  uint64_t order = order_of(s);
  if (order != a->order[s->way])
    forget_steps(a, s->way);
  a->order[s->way] = order;
}

static void begin_helper(AheadHelper *h, const Search *s) {
  if (!h->search.theory)
    search_begin(&h->search, s->theory, NULL, s->variable, s->choice);
  h->search.helps = h;
  h->search.first = s->first;
}

typedef struct {
  Ahead *ahead;
  const SearchLimits *limits;
  size_t before;
  uint64_t budget;
  const AheadPlan *plan;
  uint32_t *node;
  Status status;
} Run;

/* Goes through the question, or the beginning of it. */
static void go_through(AheadHelper *h, const AheadPlan *plan, SearchWay way, uint64_t budget,
                       unsigned course) {
  Search *s = &h->search;
  uint32_t node;
  SearchLimits limits = {.stop = &h->ahead->stop};
  s->way = way, h->course = course;
  plan->ask(s, plan->question);
  if (way == WAY_TREE)
    s->residual.rank = h->ahead->search->rank;
  if (course == SAME)
    agree(h->ahead, s); /* nobody else is on this way now */
  (void)search_run(s, &limits, 0, budget, &node);
}

/* What comes next; no other helper does that. */
static void go_on(AheadHelper *h, const AheadPlan *plan) {
  const Ahead *a = h->ahead;
  for (unsigned i = 0; i < plan->count && !atomic_load(&a->stop); i++) {
    assert(plan->next[i].way != a->search->way);
    if (plan->next[i].way != WAY_TREE || a->search->tree.width)
      go_through(h, plan, plan->next[i].way, plan->next[i].budget, SAME);
  }
}

static void help(Ahead *a, unsigned i, const AheadPlan *plan) {
  if (!i)
    go_on(&a->helper[i], plan);
  if (!atomic_load(&a->stop))
    go_through(&a->helper[i], plan, a->search->way, UINT64_MAX / 2, OTHER + i);
}

/* Job 0 is the search itself; the others end with it. */
static void run_job(void *data, size_t i) {
  Run *run = data;
  Ahead *a = run->ahead;
  MemoryGuard guard;
  bool failed = memory_guard(&guard);
  if (!failed && i)
    help(a, (unsigned)i - 1, run->plan);
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
                 const AheadPlan *plan, uint32_t *node) {
  unsigned helpers = budget >= limits->ahead ? parallel_take(limits->spare, MOST_HELPERS) : 0;
  if (!helpers)
    return search_run(s, limits, before, budget, node);
  Ahead *a = s->crew ? s->crew : (s->crew = make(s));
  agree(a, s);
  for (unsigned i = 0; i < helpers; i++)
    begin_helper(&a->helper[i], s);
  atomic_store(&a->stop, false);
  s->ahead = a;
  Run run = {a, limits, before, budget, plan, node, OK};
  parallel_for(1 + helpers, 1 + helpers, run_job, &run);
  atomic_fetch_add(limits->spare, helpers);
  return run.status;
}
