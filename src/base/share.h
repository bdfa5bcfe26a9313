/* share.h - work that other processes do.
**
** Rank 0 gives work out, the others serve it (api/serve.c).  What they need to know before is
** a set-up, which a rank is told when it gets its first task of it; a task and its answer are
** bytes.  Every message ends in a check sum.  A task does the same wherever it is done, so
** that it does not matter who does it.  An answer that nobody waits for any more is dropped. */
#ifndef BASE_SHARE_H
#define BASE_SHARE_H

#include "base/bytes.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who serves a set-up. */
typedef enum {
  SHARE_COMPILE,
  SHARE_CHAINS,
  SHARE_PORTIONS,
  SHARE_ROWS,
  SHARE_BOUNDS,
  SHARE_KINDS
} ShareKind;

typedef enum { SHARE_MAKE, SHARE_TASK, SHARE_DROP, SHARE_ANSWER } ShareType;

typedef struct {
  lpmln_ranks ranks;
  uint32_t setups; /* so far */
  uint64_t tasks;  /* so far */
} Team;

typedef struct {
  Team *share;
  uint32_t number;
  Text make;  /* the message that tells it */
  bool *told; /* by rank */
} ShareSetup; /* {0} is none */

/* Takes the bytes. */
void share_begin(ShareSetup *, Team *, ShareKind, Text *bytes);
void share_end(ShareSetup *);

/* What is done for each number: here, on several threads; or elsewhere: the bytes of the
** task, and those of its answer, which sets `bad` if it makes no sense. */
typedef struct {
  void (*work)(void *data, size_t i);
  void (*put)(void *data, size_t i, Text *to);
  void (*get)(void *data, size_t i, Bytes *from);
  unsigned (*owner)(void *data, size_t i); /* the rank that must do it; NULL: any */
} ShareWork;

/* Whatever is not done when a limit is reached stays so.  LIMIT, INTERNAL: a rank is in trouble,
** which is said; else OK. */
Status share_for(ShareSetup *, unsigned threads, size_t n, const ShareWork *, void *data,
                 const Limits *, Text *trouble);

/* ---- messages ------------------------------------------------------------------------- */

typedef struct {
  ShareType type;
  uint32_t setup;
  uint64_t task;
  Bytes rest;
} ShareMessage;

void share_open(Text *, ShareType, uint32_t setup, uint64_t task);
void share_seal(Text *); /* adds the check sum */
bool share_read(const char *bytes, size_t length, ShareMessage *);

/* Serves set-ups: makes one of bytes (NULL: they make no sense), answers a task of it (bad: it
** makes no sense), on several threads at once. */
typedef struct {
  void *(*make)(Bytes *);
  void (*answer)(void *setup, Bytes *task, const Limits *, Text *to);
  void (*free)(void *setup);
} ShareServer;

#endif
