/* memo.h - what is known about parts of a residual, by their keys.
**
** One thread adds to a memo and looks into it freely; others may look while they hold the
** lock that it is added under. */
#ifndef COMPILE_MEMO_H
#define COMPILE_MEMO_H

#include "compile/residual.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  ResidualKey key;
  uintptr_t value; /* 0: empty */
} MemoEntry;

typedef struct {
  MemoEntry *at; /* open addressing */
  size_t room, used;
} Memo; /* {0} is empty */

void memo_free(Memo *);
uintptr_t memo_find(const Memo *, const ResidualKey *); /* 0: not there */

/* What is there already stays.  `lock`: who looks from elsewhere; NULL: nobody. */
void memo_add(Memo *, const ResidualKey *, uintptr_t value, pthread_mutex_t *lock);

#endif
