/* relay.c - see relay.h.
**
** Orders go through a ring of chunks.  Who orders fills a chunk alone and hands it over when it
** is full; who finds the ring full and nobody at work, because no thread could be had, makes the
** nodes of a chunk itself. */
#include "compile/relay.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CHUNKS = 16, CHUNK = 4096 }; /* words, or a little more: they should stay in the cache */

/* The first word of an order: what it is, and above that a number. */
enum { PRODUCT, DECISION, LITERAL, LOOK, KIND = 3, SHIFT = 2 };

struct Relay {
  Search *search;
  const SearchLimits *limits;
  void (*work)(void *);
  void *data;
  uint32_t ordered; /* numbers given so far */
  atomic_bool over; /* a limit was reached */

  pthread_mutex_t lock; /* of all that follows up to `failed` */
  pthread_cond_t filled, emptied;
  size_t head, tail; /* chunks handed over, and made; chunk[head] is being filled */
  bool busy;         /* somebody makes nodes */
  bool closed;       /* nothing comes any more */
  bool failed;       /* a thread ran out of memory */
  Words chunk[CHUNKS];

  Words made;  /* nodes by number */
  Words stack; /* products that no decision has used */
  Words nodes; /* scratch */
};

/* ---- making -------------------------------------------------------------------------------- */

static uint32_t node_of(const Relay *r, uint32_t ref) {
  assert(!(ref & RELAY_ORDERED) || (ref & ~RELAY_ORDERED) < r->made.n);
  return ref & RELAY_ORDERED ? r->made.at[ref & ~RELAY_ORDERED] : ref;
}

static void make_product(Relay *r, const uint32_t *refs, uint32_t n) {
  r->nodes.n = 0;
  for (uint32_t i = 0; i < n; i++)
    vec_push(&r->nodes, node_of(r, refs[i]));
  vec_push(&r->stack, circuit_product(r->search->circuit, r->nodes.at, n));
}

static void make_decision(Relay *r, uint32_t variable) {
  assert(r->stack.n >= 2);
  uint32_t low = r->stack.at[--r->stack.n], high = r->stack.at[--r->stack.n];
  vec_push(&r->made, circuit_decision(r->search->circuit, variable, high, low));
}

static void compare(Relay *r, size_t bytes) {
  const Circuit *c = r->search->circuit;
  const SearchLimits *l = r->limits;
  if ((l->nodes && c->nodes.n > l->nodes) || (l->memory && bytes + circuit_memory(c) > l->memory))
    atomic_store_explicit(&r->over, true, memory_order_relaxed);
}

static void make_all(Relay *r, const Words *orders) {
  const uint32_t *at = orders->at;
  for (size_t i = 0; i < orders->n;) {
    uint32_t number = at[i] >> SHIFT, kind = at[i] & KIND;
    i++;
    switch (kind) {
    case PRODUCT: make_product(r, at + i, number), i += number; break;
    case DECISION: make_decision(r, number); break;
    case LITERAL:
      vec_push(&r->made, circuit_literal(r->search->circuit, number >> 1, number & 1));
      break;
    default: compare(r, (size_t)((uint64_t)at[i + 1] << 32 | at[i])), i += 2;
    }
  }
}

/* ---- the ring; all of it with the lock ------------------------------------------------------ */

static void make_chunk(Relay *r) {
  assert(!r->busy && r->tail < r->head);
  const Words *orders = &r->chunk[r->tail % CHUNKS];
  r->busy = true;
  pthread_mutex_unlock(&r->lock);
  make_all(r, orders);
  pthread_mutex_lock(&r->lock);
  r->busy = false;
  r->tail++;
  pthread_cond_signal(&r->emptied);
}

static void serve(Relay *r) {
  pthread_mutex_lock(&r->lock);
  while (!r->failed && (r->tail < r->head || !r->closed))
    if (r->tail < r->head && !r->busy)
      make_chunk(r);
    else
      pthread_cond_wait(r->busy ? &r->emptied : &r->filled, &r->lock);
  pthread_mutex_unlock(&r->lock);
}

/* Hands over what was filled, and waits until there is a chunk to fill. */
static void hand_over(Relay *r) {
  pthread_mutex_lock(&r->lock);
  r->head++;
  pthread_cond_signal(&r->filled);
  while (!r->failed && r->head - r->tail >= CHUNKS)
    if (r->busy)
      pthread_cond_wait(&r->emptied, &r->lock);
    else
      make_chunk(r);
  bool failed = r->failed;
  pthread_mutex_unlock(&r->lock);
  if (failed)
    memory_fail();
  r->chunk[r->head % CHUNKS].n = 0;
}

/* ---- ordering ------------------------------------------------------------------------------- */

/* Room for an order of so many words, in one piece. */
static Words *room_for(Relay *r, size_t words) {
  if (r->chunk[r->head % CHUNKS].n >= CHUNK)
    hand_over(r);
  Words *orders = &r->chunk[r->head % CHUNKS];
  vec_reserve(orders, words);
  return orders;
}

static uint32_t first_word(uint32_t kind, size_t number) {
  assert(number <= UINT32_MAX >> SHIFT);
  return (uint32_t)number << SHIFT | kind;
}

static void order(Relay *r, uint32_t kind, uint32_t number) {
  Words *orders = room_for(r, 1);
  orders->at[orders->n++] = first_word(kind, number);
}

static uint32_t next_number(Relay *r) {
  if (r->ordered == ~RELAY_ORDERED)
    memory_fail();
  return r->ordered++ | RELAY_ORDERED;
}

uint32_t relay_order_product(Relay *r, const uint32_t *refs, size_t n) {
  Words *orders = room_for(r, n + 1);
  uint32_t *at = orders->at + orders->n;
  bool none = false;
  *at++ = first_word(PRODUCT, n);
  for (size_t i = 0; i < n; i++) {
    none |= refs[i] == CIRCUIT_FALSE;
    *at++ = refs[i];
  }
  orders->n += n + 1;
  return none ? CIRCUIT_FALSE : CIRCUIT_TRUE;
}

uint32_t relay_order_decision(Relay *r, uint32_t variable, uint32_t high, uint32_t low) {
  order(r, DECISION, variable);
  uint32_t number = next_number(r);
  return high == CIRCUIT_FALSE && low == CIRCUIT_FALSE ? CIRCUIT_FALSE : number;
}

uint32_t relay_order_literal(Relay *r, uint32_t variable, bool negated) {
  order(r, LITERAL, 2 * variable + negated);
  return next_number(r);
}

bool relay_look(Relay *r, size_t bytes) {
  Words *orders = room_for(r, 3);
  orders->at[orders->n++] = LOOK;
  orders->at[orders->n++] = (uint32_t)bytes;
  orders->at[orders->n++] = (uint32_t)((uint64_t)bytes >> 32);
  return atomic_load_explicit(&r->over, memory_order_relaxed);
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Job 0 searches.  It ends before the other, whatever becomes of it. */
static void run_job(void *data, size_t i) {
  Relay *r = data;
  MemoryGuard guard;
  bool failed = memory_guard(&guard);
  if (!failed && i)
    serve(r);
  else if (!failed)
    r->work(r->data);
  memory_unguard(&guard);
  pthread_mutex_lock(&r->lock);
  r->failed |= failed;
  if (!i)
    r->closed = true, r->head += !failed; /* what is in the last chunk */
  pthread_cond_broadcast(&r->filled);
  pthread_cond_broadcast(&r->emptied);
  pthread_mutex_unlock(&r->lock);
  if (failed)
    memory_fail();
}

static Relay *begin(Search *s, const SearchLimits *limits, void (*work)(void *), void *data) {
  Relay *r = memory_zero(1, sizeof *r);
  r->search = s, r->limits = limits, r->work = work, r->data = data;
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->filled, NULL);
  pthread_cond_init(&r->emptied, NULL);
  return r;
}

/* The memo refers to nodes, or to nothing. */
static void settle(Search *s, const Relay *r, bool failed) {
  s->relay = NULL;
  for (size_t i = 0; i < s->memo.room && !failed; i++) {
    uintptr_t *value = &s->memo.at[i].value;
    if (*value)
      *value = (uintptr_t)node_of(r, (uint32_t)(*value - 1)) + 1;
  }
  if (failed)
    search_forget(s);
}

static void end(Relay *r) {
  for (size_t i = 0; i < CHUNKS; i++)
    vec_free(&r->chunk[i]);
  vec_free(&r->made);
  vec_free(&r->stack);
  vec_free(&r->nodes);
  pthread_cond_destroy(&r->filled);
  pthread_cond_destroy(&r->emptied);
  pthread_mutex_destroy(&r->lock);
  free(r);
}

/* Between a search that has one thread more, and what it was. */
static Status run_relay(Relay *r, uint32_t *node) {
  MemoryGuard guard;
  bool failed = memory_guard(&guard);
  if (!failed)
    parallel_for(2, 2, run_job, r);
  memory_unguard(&guard);
  settle(r->search, r, failed);
  if (!failed && *node != CIRCUIT_NONE)
    *node = r->stack.at[r->stack.n - 1];
  bool over = atomic_load(&r->over);
  end(r);
  if (failed)
    memory_fail();
  return over ? LIMIT : OK;
}

Status relay_run(Search *s, const SearchLimits *limits, uint64_t budget, void (*work)(void *),
                 void *data, uint32_t *node) {
  assert(!s->relay && !s->ahead);
  bool worth = budget >= limits->ahead && s->circuit->nodes.n < RELAY_ORDERED;
  if (!worth || !parallel_take(limits->spare, 1)) {
    work(data);
    return OK;
  }
  s->relay = begin(s, limits, work, data);
  Status status = run_relay(s->relay, node);
  atomic_fetch_add(limits->spare, 1);
  return status;
}
