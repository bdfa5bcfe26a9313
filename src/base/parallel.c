/* parallel.c - see parallel.h. */
#include "base/parallel.h"

#include "base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { MOST_THREADS = 64 };

struct Crew {
  void (*work)(void *, size_t);
  void (*here)(void *, Crew *); /* of the thread that waits for the others; NULL: it helps */
  void *data;
  size_t n;
  atomic_size_t next;
  atomic_bool failed;
};

size_t parallel_next(Crew *crew) {
  size_t i = atomic_load(&crew->failed) ? crew->n : atomic_fetch_add(&crew->next, 1);
  return i < crew->n ? i : crew->n;
}

static void help(Crew *crew) {
  for (size_t i; (i = parallel_next(crew)) < crew->n;)
    crew->work(crew->data, i);
}

static void wait(Crew *crew) { crew->here(crew->data, crew); }

/* Running out of memory jumps to the guard of its own thread. */
static void guarded(Crew *crew, void (*what)(Crew *)) {
  MemoryGuard guard;
  if (memory_guard(&guard))
    atomic_store(&crew->failed, true);
  else
    what(crew);
  memory_unguard(&guard);
}

static void *run(void *crew) {
  guarded(crew, help);
  return NULL;
}

/* `wanted` threads, and this one. */
static void run_all(Crew *crew, size_t wanted) {
  pthread_t thread[MOST_THREADS];
  size_t started = 0;
  wanted = wanted > MOST_THREADS ? MOST_THREADS : wanted;
  while (started < wanted && !pthread_create(&thread[started], NULL, run, crew))
    started++;
  if (crew->here)
    guarded(crew, wait);
  if (!crew->here || !started)
    guarded(crew, help);
  for (size_t i = 0; i < started; i++)
    pthread_join(thread[i], NULL);
  if (atomic_load(&crew->failed))
    memory_fail();
}

void parallel_for(unsigned threads, size_t n, void (*work)(void *, size_t), void *data) {
  assert(work);
  size_t wanted = threads < n ? threads : n;
  run_all(&(Crew){.work = work, .data = data, .n = n}, wanted ? wanted - 1 : 0);
}

void parallel_beside(unsigned threads, size_t n, void (*work)(void *, size_t),
                     void (*here)(void *, Crew *), void *data) {
  assert(work && here && threads);
  run_all(&(Crew){.work = work, .here = here, .data = data, .n = n}, threads < n ? threads : n);
}

unsigned parallel_take(atomic_uint *spare, unsigned most) {
  unsigned now = spare ? atomic_load(spare) : 0, taken;
  do
    taken = now < most ? now : most;
  while (now && !atomic_compare_exchange_weak(spare, &now, now - taken));
  return taken;
}
