/* parallel.c - see parallel.h. */
#include "base/parallel.h"

#include "base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { MOST_THREADS = 64 };

typedef struct {
  void (*work)(void *, size_t);
  void *data;
  size_t n;
  atomic_size_t next;
  atomic_bool failed;
} Crew;

/* Running out of memory jumps to the guard of its own thread. */
static void *run(void *data) {
  Crew *crew = data;
  MemoryGuard guard;
  if (memory_guard(&guard))
    atomic_store(&crew->failed, true);
  else
    for (size_t i; (i = atomic_fetch_add(&crew->next, 1)) < crew->n && !atomic_load(&crew->failed);)
      crew->work(crew->data, i);
  memory_unguard(&guard);
  return NULL;
}

Status parallel_for(unsigned threads, size_t n, void (*work)(void *, size_t), void *data) {
  assert(work);
  Crew crew = {.work = work, .data = data, .n = n};
  pthread_t thread[MOST_THREADS];
  size_t started = 0, wanted = threads < n ? threads : n;
  wanted = wanted > MOST_THREADS ? MOST_THREADS : wanted;
  while (started + 1 < wanted && !pthread_create(&thread[started], NULL, run, &crew))
    started++;
  run(&crew); /* this thread helps */
  for (size_t i = 0; i < started; i++)
    pthread_join(thread[i], NULL);
  return atomic_load(&crew.failed) ? LIMIT : OK;
}
