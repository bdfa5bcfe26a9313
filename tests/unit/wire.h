/* wire.h - ranks in this process: a task is answered when it is sent. */
#ifndef UNIT_WIRE_H
#define UNIT_WIRE_H

#include "base/memory.h"
#include "base/share.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { WIRE_RANKS = 4, WIRE_SETUPS = 64 };

typedef struct {
  const ShareServer *server;
  void *setup[WIRE_RANKS][WIRE_SETUPS]; /* by number */
  VEC(Text) answers;
  VEC(unsigned) from;
  size_t next, tasks;
  char *last;                        /* as it was received */
  void (*spoil)(void *data, Text *); /* an answer; NULL: they arrive as they are */
  void *data;
} Wire; /* {.server} */

static inline void wire_answer(Wire *w, unsigned to, ShareMessage *m) {
  Text answer = {0};
  Limits limits = {0};
  double left;
  share_open(&answer, SHARE_ANSWER, m->setup, m->task);
  put_u32(&answer, OK);
  bytes_take(&m->rest, &left, sizeof left);
  w->server->answer(w->setup[to][m->setup], &m->rest, &limits, &answer);
  assert(!m->rest.bad);
  share_seal(&answer);
  if (w->spoil)
    w->spoil(w->data, &answer);
  vec_push(&w->answers, answer);
  vec_push(&w->from, to);
  w->tasks++;
}

static inline bool wire_send(void *data, unsigned to, const char *bytes, size_t length) {
  Wire *w = data;
  ShareMessage m;
  bool good = share_read(bytes, length, &m);
  assert(good && to && to < WIRE_RANKS && m.setup < WIRE_SETUPS);
  (void)good;
  if (m.type == SHARE_MAKE) {
    (void)bytes_u32(&m.rest);
    w->setup[to][m.setup] = w->server->make(&m.rest);
    assert(w->setup[to][m.setup]);
  } else if (m.type == SHARE_TASK) {
    wire_answer(w, to, &m);
  } else {
    w->server->free(w->setup[to][m.setup]);
    w->setup[to][m.setup] = NULL;
  }
  return true;
}

/* From a block of its own size, so that the sanitizers see what is read beyond it. */
static inline const char *wire_receive(void *data, unsigned *from, size_t *length) {
  Wire *w = data;
  if (w->next == w->answers.n)
    return NULL;
  free(w->last);
  Text *t = &w->answers.at[w->next];
  *from = w->from.at[w->next++];
  *length = t->n;
  w->last = malloc(t->n ? t->n : 1);
  if (t->n)
    memcpy(w->last, t->at, t->n);
  return w->last;
}

static inline Team wire_team(Wire *w, unsigned count) {
  return (Team){.ranks = {.count = count, .send = wire_send, .receive = wire_receive, .data = w}};
}

static inline void wire_free(Wire *w) {
  for (size_t i = 0; i < w->answers.n; i++)
    vec_free(&w->answers.at[i]);
  vec_free(&w->answers);
  vec_free(&w->from);
  free(w->last);
}

#endif
