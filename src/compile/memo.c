/* memo.c - see memo.h. */
#include "compile/memo.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

void memo_free(Memo *m) {
  free(m->at);
  *m = (Memo){0};
}

static MemoEntry *entry_of(const Memo *m, const ResidualKey *key) {
  assert(m->used < m->room && !(m->room & (m->room - 1)));
  size_t at = key->word[0] & (m->room - 1);
  while (m->at[at].value &&
         (m->at[at].key.word[0] != key->word[0] || m->at[at].key.word[1] != key->word[1]))
    at = (at + 1) & (m->room - 1);
  return &m->at[at];
}

uintptr_t memo_find(const Memo *m, const ResidualKey *key) {
  return m->room ? entry_of(m, key)->value : 0;
}

static void lock_if(pthread_mutex_t *lock) {
  if (lock)
    pthread_mutex_lock(lock);
}

static void unlock_if(pthread_mutex_t *lock) {
  if (lock)
    pthread_mutex_unlock(lock);
}

/* Memory is asked for without the lock: running out of it jumps. */
static void grow(Memo *m, pthread_mutex_t *lock) {
  Memo more = {.room = m->room ? 2 * m->room : FIRST_ROOM, .used = m->used};
  MemoEntry *old = m->at;
  more.at = memory_resize(NULL, more.room, sizeof *more.at);
  memset(more.at, 0, more.room * sizeof *more.at); /* a page that is read first is mapped twice */
  for (size_t i = 0; i < m->room; i++)
    if (old[i].value)
      *entry_of(&more, &old[i].key) = old[i];
  lock_if(lock);
  *m = more;
  unlock_if(lock);
  free(old);
}

void memo_add(Memo *m, const ResidualKey *key, uintptr_t value, pthread_mutex_t *lock) {
  assert(value);
  if (2 * (m->used + 1) > m->room)
    grow(m, lock);
  MemoEntry *entry = entry_of(m, key);
  if (entry->value)
    return;
  lock_if(lock);
  *entry = (MemoEntry){*key, value};
  m->used++;
  unlock_if(lock);
}
