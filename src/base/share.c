/* share.c - see share.h. */
#include "base/share.h"

#include "base/hash.h"
#include "base/parallel.h"

#include <assert.h>
#include <stdlib.h>

/* ---- messages ------------------------------------------------------------------------- */

void share_open(Text *to, ShareType type, uint32_t setup, uint64_t task) {
  put_u32(to, (uint32_t)type);
  put_u32(to, setup);
  put_u64(to, task);
}

void share_seal(Text *t) { put_u64(t, hash_words(HASH_START, t->at, t->n)); }

bool share_read(const char *bytes, size_t length, ShareMessage *m) {
  uint64_t sum;
  if (length < 24)
    return false;
  memcpy(&sum, bytes + length - sizeof sum, sizeof sum);
  m->rest = bytes_of(bytes, length - sizeof sum);
  if (sum != hash_words(HASH_START, bytes, length - sizeof sum))
    return false;
  uint32_t type = bytes_u32(&m->rest);
  m->type = (ShareType)type;
  m->setup = bytes_u32(&m->rest);
  m->task = bytes_u64(&m->rest);
  return type <= SHARE_ANSWER;
}

/* ---- set-ups ---------------------------------------------------------------------------- */

void share_begin(ShareSetup *s, Team *share, ShareKind kind, Text *bytes) {
  assert(share->ranks.count > 1 && !share->ranks.rank && kind < SHARE_KINDS);
  *s = (ShareSetup){.share = share, .number = ++share->setups};
  s->told = memory_zero(share->ranks.count, sizeof *s->told);
  share_open(&s->make, SHARE_MAKE, s->number, 0);
  put_u32(&s->make, (uint32_t)kind);
  put_bytes(&s->make, bytes->at, bytes->n);
  share_seal(&s->make);
  vec_free(bytes);
}

void share_end(ShareSetup *s) {
  Text drop = {0};
  if (!s->share)
    return;
  share_open(&drop, SHARE_DROP, s->number, 0);
  share_seal(&drop);
  for (unsigned rank = 1; rank < s->share->ranks.count; rank++)
    if (s->told[rank])
      (void)s->share->ranks.send(s->share->ranks.data, rank, drop.at, drop.n);
  vec_free(&drop);
  vec_free(&s->make);
  free(s->told);
  *s = (ShareSetup){0};
}

/* ---- work -------------------------------------------------------------------------------- */

/* Tasks first, first + 1, … are numbers 0, 1, … */
typedef struct {
  ShareSetup *setup;
  const ShareWork *work;
  void *data;
  const Limits *limits;
  size_t n, given, answered; /* given: to other ranks */
  uint64_t first;
  unsigned threads;
  unsigned *waiting; /* by rank: tasks without an answer */
  size_t *local;     /* with owners: the numbers that are ours */
  Status status;
  Text *trouble;
} Sharing;

static void give(Sharing *s, unsigned rank, size_t i) {
  const lpmln_ranks *ranks = &s->setup->share->ranks;
  Text task = {0};
  double left = s->limits->deadline > 0 ? s->limits->deadline - clock_now() : 0;
  assert(rank && rank < ranks->count && i < s->n);
  share_open(&task, SHARE_TASK, s->setup->number, s->first + i);
  put_bytes(&task, &left, sizeof left);
  s->work->put(s->data, i, &task);
  share_seal(&task);
  bool sent =
      s->setup->told[rank] || ranks->send(ranks->data, rank, s->setup->make.at, s->setup->make.n);
  s->setup->told[rank] = true;
  sent = sent && ranks->send(ranks->data, rank, task.at, task.n);
  vec_free(&task);
  s->waiting[rank]++, s->given++;
  if (!sent) {
    text_printf(s->trouble, "rank %u is lost", rank);
    s->status = INTERNAL;
  }
}

/* An answer begins with OK, or another status and what there is to say. */
static void take(Sharing *s, unsigned from, ShareMessage *m) {
  assert(from < s->setup->share->ranks.count);
  Status status = (Status)bytes_u32(&m->rest);
  s->waiting[from]--, s->answered++;
  if (status == OK) {
    s->work->get(s->data, (size_t)(m->task - s->first), &m->rest);
    status = m->rest.bad || bytes_left(&m->rest) ? INTERNAL : OK;
  } else if (s->status == OK) {
    uint32_t length;
    const char *why = bytes_string(&m->rest, &length);
    text_add(s->trouble, why, length);
  }
  s->status = s->status == OK ? status : s->status;
}

static bool over(const Sharing *s) { return s->status != OK || limits_check(s->limits) != OK; }

/* Waits a moment for an answer. */
static void receive(Sharing *s) {
  const lpmln_ranks *ranks = &s->setup->share->ranks;
  unsigned from = 0;
  size_t length = 0;
  ShareMessage m;
  const char *bytes = ranks->receive(ranks->data, &from, &length);
  if (!bytes)
    return;
  if (!share_read(bytes, length, &m) || m.type != SHARE_ANSWER) {
    text_printf(s->trouble, "what rank %u sent is damaged", from);
    s->status = INTERNAL;
  } else if (m.task >= s->first && m.task - s->first < s->n) {
    take(s, from, &m);
  }
  if (s->status == INTERNAL && !s->trouble->n)
    text_printf(s->trouble, "what rank %u sent makes no sense", from);
}

/* Every rank has a task more than it does at once, while there are many: it does not wait. */
static void give_any(void *data, Crew *crew) {
  Sharing *s = data;
  unsigned count = s->setup->share->ranks.count;
  size_t i = 0;
  while (!over(s)) {
    for (unsigned rank = 1; rank < count && i < s->n; rank++) {
      bool many = s->n - i > (size_t)4 * count * s->threads;
      while (s->waiting[rank] < s->threads + many && (i = parallel_next(crew)) < s->n)
        give(s, rank, i);
    }
    if (i >= s->n && s->answered == s->given)
      return;
    receive(s);
  }
  while (parallel_next(crew) < s->n) {
  } /* nobody begins another */
}

static void work_here(void *data, size_t i) {
  const Sharing *s = data;
  s->work->work(s->data, s->local ? s->local[i] : i);
}

static void wait_for_all(void *data, Crew *crew) {
  Sharing *s = data;
  (void)crew;
  while (s->answered < s->given && !over(s))
    receive(s);
}

static size_t give_owned(Sharing *s) {
  size_t own = 0;
  s->local = memory_zero(s->n, sizeof *s->local);
  for (size_t i = 0; i < s->n; i++) {
    unsigned rank = s->work->owner(s->data, i);
    if (rank && s->status == OK)
      give(s, rank, i);
    else if (!rank)
      s->local[own++] = i;
  }
  return own;
}

Status share_for(ShareSetup *setup, unsigned threads, size_t n, const ShareWork *work, void *data,
                 const Limits *limits, Text *trouble) {
  Team *share = setup->share;
  assert(work->work && work->put && work->get && limits);
  Sharing s = {.setup = setup,
               .work = work,
               .data = data,
               .limits = limits,
               .n = n,
               .first = share->tasks,
               .threads = threads ? threads : 1,
               .waiting = memory_zero(share->ranks.count, sizeof *s.waiting),
               .trouble = trouble};
  share->tasks += n;
  size_t here = work->owner ? give_owned(&s) : n;
  parallel_beside(s.threads, here, work_here, work->owner ? wait_for_all : give_any, &s);
  free(s.waiting);
  free(s.local);
  return s.status;
}
