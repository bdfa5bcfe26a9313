/* portions_shared.c - portions on several threads and ranks; see portions.h.
**
** A rank keeps those that it was sent, in their order, and answers questions about them. */
#include "learn/portions_shared.h"

#include "base/bytes.h"
#include "base/parallel.h"
#include "base/share.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEEP, ASK };

/* ---- rank 0 ------------------------------------------------------------------------------- */

void portions_share(Portions *p, Team *team) {
  Text to = {0};
  assert(!p->list.n && !p->setup.share);
  put_u64(&to, p->most);
  share_begin(&p->setup, team, SHARE_PORTIONS, &to);
}

unsigned portions_owner(const Portions *p, size_t portion) {
  return p->setup.share ? (unsigned)(portion % p->setup.share->ranks.count) : 0;
}

/* Its number among those of its owner. */
static uint32_t place_of(const Portions *p, size_t portion) {
  return (uint32_t)(p->setup.share ? portion / p->setup.share->ranks.count : portion);
}

typedef struct {
  const Portions *portions;
  const Text *bytes;
} Sending;

static unsigned next_owner(void *data, size_t i) {
  const Sending *s = data;
  return portions_owner(s->portions, s->portions->list.n + i);
}

static void put_portion(void *data, size_t i, Text *to) {
  const Sending *s = data;
  (void)i;
  put_u32(to, KEEP);
  put_u32(to, place_of(s->portions, s->portions->list.n));
  put_bytes(to, s->bytes->at, s->bytes->n);
}

static void get_nothing(void *data, size_t i, Bytes *from) { (void)data, (void)i, (void)from; }

static void work_nothing(void *data, size_t i) { (void)data, (void)i; }

Status portions_send(Portions *p, const Text *bytes, const Limits *limits) {
  static const ShareWork work = {work_nothing, put_portion, get_nothing, next_owner};
  Sending s = {p, bytes};
  Status status = share_for(&p->setup, 1, 1, &work, &s, limits, &p->trouble);
  return status == OK ? limits_check(limits) : status;
}

typedef struct {
  Portions *portions;
  const PortionQuestion *question;
  size_t first;   /* portion of this wave */
  size_t width;   /* of a row: the value, then by weight */
  double *answer; /* by portion of the wave */
} Wave;

static void ask_one(void *data, size_t i) {
  const Wave *w = data;
  double *row = w->answer + i * w->width;
  if (limits_check(w->question->limits) == OK)
    row[0] = portions_answer(w->portions, w->first + i, w->question, row + 1);
}

static unsigned owner_of(void *data, size_t i) {
  const Wave *w = data;
  return portions_owner(w->portions, w->first + i);
}

static void put_question(void *data, size_t i, Text *to) {
  const Wave *w = data;
  const PortionQuestion *q = w->question;
  put_u32(to, ASK);
  put_u32(to, place_of(w->portions, w->first + i));
  put_u32(to, (q->observed ? 1u : 0u) | (q->direction ? 2u : 0u));
  put_bytes(to, q->weights, (w->width - 1) * sizeof *q->weights);
  if (q->direction)
    put_bytes(to, q->direction, (w->width - 1) * sizeof *q->direction);
}

static void get_answer(void *data, size_t i, Bytes *from) {
  const Wave *w = data;
  bytes_take(from, w->answer + i * w->width, w->width * sizeof *w->answer);
}

/* n portions, added in their order. */
static Status ask_wave(const Wave *w, size_t n, double *value, double *sum) {
  static const ShareWork work = {ask_one, put_question, get_answer, owner_of};
  const PortionQuestion *q = w->question;
  Portions *p = w->portions;
  Wave data = *w;
  Status status = OK;
  memset(w->answer, 0, n * w->width * sizeof *w->answer);
  if (p->setup.share)
    status = share_for(&p->setup, q->threads, n, &work, &data, q->limits, &p->trouble);
  else
    parallel_for(q->threads, n, ask_one, &data);
  for (size_t i = 0; i < n; i++) {
    *value += w->answer[i * w->width];
    for (size_t k = 0; k + 1 < w->width; k++)
      sum[k] += w->answer[i * w->width + 1 + k];
  }
  return status == OK ? limits_check(q->limits) : status;
}

static Status ask_some(Portions *p, size_t first, size_t end, const PortionQuestion *q,
                       double *value, double *sum) {
  enum { WAVE = 256 };
  size_t width = (size_t)p->weights + 1, most = end - first < WAVE ? end - first : WAVE;
  Wave w = {p, q, first, width, memory_zero(most * width, sizeof *w.answer)};
  Status status = OK;
  for (; status == OK && w.first < end; w.first += most)
    status = ask_wave(&w, end - w.first < most ? end - w.first : most, value, sum);
  free(w.answer);
  return status;
}

Status portions_ask(Portions *p, size_t portion, const PortionQuestion *q, double *value,
                    double *sum) {
  assert(portion < p->list.n);
  return ask_some(p, portion, portion + 1, q, value, sum);
}

Status portions_sum(Portions *p, const PortionQuestion *q, double *value, double *sum) {
  return p->list.n ? ask_some(p, 0, p->list.n, q, value, sum) : OK;
}

/* ---- other ranks -------------------------------------------------------------------------- */

typedef struct {
  Portions portions;
  pthread_mutex_t lock; /* while one is kept */
} Served;

static void *make(Bytes *from) {
  uint64_t most = bytes_u64(from);
  if (from->bad || bytes_left(from))
    return NULL;
  Served *s = memory_zero(1, sizeof *s);
  s->portions.most = most;
  pthread_mutex_init(&s->lock, NULL);
  return s;
}

static void free_served(void *setup) {
  Served *s = setup;
  portions_free(&s->portions);
  pthread_mutex_destroy(&s->lock);
  free(s);
}

static void keep(Served *s, uint32_t place, Bytes *task) {
  size_t length = bytes_left(task);
  pthread_mutex_lock(&s->lock);
  task->bad |= place != s->portions.list.n || !portions_keep(&s->portions, task->at, length);
  pthread_mutex_unlock(&s->lock);
  task->at = task->end;
}

static void ask(const Served *s, uint32_t place, Bytes *task, Text *to) {
  const Portions *p = &s->portions;
  size_t n = p->weights;
  uint32_t what = bytes_u32(task);
  task->bad |= place >= p->list.n || what > 3;
  if (task->bad)
    return;
  double *weights = memory_zero(n, sizeof *weights), *direction = memory_zero(n, sizeof *direction);
  double *row = memory_zero(n + 1, sizeof *row);
  bytes_take(task, weights, n * sizeof *weights);
  if (what & 2)
    bytes_take(task, direction, n * sizeof *direction);
  task->bad |= bytes_left(task) > 0;
  PortionQuestion q = {
      .weights = weights, .direction = what & 2 ? direction : NULL, .observed = what & 1};
  if (!task->bad)
    row[0] = portions_answer(p, place, &q, row + 1);
  put_bytes(to, row, (n + 1) * sizeof *row);
  free(weights);
  free(direction);
  free(row);
}

static void answer(void *setup, Bytes *task, const Limits *limits, Text *to) {
  uint32_t what = bytes_u32(task), place = bytes_u32(task);
  (void)limits;
  task->bad |= what > ASK;
  if (!task->bad && what == KEEP)
    keep(setup, place, task);
  else if (!task->bad)
    ask(setup, place, task, to);
}

const ShareServer portions_server = {make, answer, free_served};
