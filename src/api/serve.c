/* serve.c - what a rank above 0 does: the work that rank 0 gives out.
**
** One thread listens and sends, others work, so that a task ends soon when nobody wants it any
** more.  A set-up that was dropped goes when its last task has ended. */
#include "api/valid.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/share.h"
#include "base/status.h"
#include "compile/compile.h"
#include "infer/bounds_shared.h"
#include "infer/rows.h"
#include "learn/portions.h"
#include "lpmln/lpmln.h"
#include "sample/chains.h"
#include "solver/client.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static const ShareServer *const SERVERS[SHARE_KINDS] = {[SHARE_COMPILE] = &compile_server,
                                                        [SHARE_CHAINS] = &chains_server,
                                                        [SHARE_PORTIONS] = &portions_server,
                                                        [SHARE_ROWS] = &rows_server,
                                                        [SHARE_BOUNDS] = &bounds_server};

typedef struct {
  const ShareServer *server;
  void *is;
  uint32_t number;
  unsigned users; /* tasks */
  atomic_bool stop;
  bool dropped;
} Setup;

typedef struct {
  Setup *setup; /* NULL: it could not be made */
  char *bytes;
  size_t length;
} Task;

typedef struct {
  const lpmln_ranks *ranks;
  pthread_mutex_t lock; /* of all that follows */
  pthread_cond_t more;
  VEC(Setup *) setups;
  VEC(Task) tasks;
  size_t next;    /* of tasks */
  size_t running; /* tasks */
  VEC(Text) answers;
  bool ended;
  Workers workers;
} Serving;

/* ---- set-ups ---------------------------------------------------------------------------- */

/* With the lock. */
static void release(Serving *s, Setup *setup) {
  if (!setup->dropped || setup->users)
    return;
  for (size_t i = 0; i < s->setups.n; i++)
    if (s->setups.at[i] == setup)
      s->setups.at[i] = s->setups.at[--s->setups.n];
  setup->server->free(setup->is);
  free(setup);
}

static Setup *setup_of(const Serving *s, uint32_t number) {
  for (size_t i = 0; i < s->setups.n; i++)
    if (s->setups.at[i]->number == number)
      return s->setups.at[i];
  return NULL;
}

static void make(Serving *s, ShareMessage *m) {
  uint32_t kind = bytes_u32(&m->rest);
  if (kind >= SHARE_KINDS || setup_of(s, m->setup))
    return;
  void *is = SERVERS[kind]->make(&m->rest);
  if (!is)
    return; /* its tasks will say so */
  Setup *setup = memory_zero(1, sizeof *setup);
  setup->server = SERVERS[kind], setup->is = is, setup->number = m->setup;
  vec_push(&s->setups, setup);
}

static void drop(Serving *s, uint32_t number) {
  Setup *setup = setup_of(s, number);
  if (!setup)
    return;
  setup->dropped = true;
  atomic_store(&setup->stop, true);
  release(s, setup);
}

/* ---- tasks ------------------------------------------------------------------------------ */

static void say(const Serving *s, Status status, const char *what, Text *to) {
  Text why = {0};
  text_printf(&why, "rank %u%s%s: %s", s->ranks->rank, s->ranks->host ? " on " : "",
              s->ranks->host ? s->ranks->host : "", what);
  put_u32(to, (uint32_t)status);
  put_string(to, why.at, why.n);
  vec_free(&why);
}

static void do_task(Serving *s, const Task *task, const ShareMessage *m, Text *to) {
  Bytes rest = m->rest;
  double left = 0;
  Limits limits = {.workers = &s->workers};
  share_open(to, SHARE_ANSWER, m->setup, m->task);
  bytes_take(&rest, &left, sizeof left);
  limits.deadline = left > 0 ? clock_now() + (left > 1e-3 ? left : 1e-3) : 0;
  if (!task->setup) {
    say(s, INTERNAL, "what it was sent makes no sense", to);
    return;
  }
  size_t begin = to->n;
  limits.stop = &task->setup->stop;
  put_u32(to, OK);
  task->setup->server->answer(task->setup->is, &rest, &limits, to);
  if (rest.bad) {
    to->n = begin;
    say(s, INTERNAL, "what it was sent makes no sense", to);
  }
}

/* An answer, whatever happens: memory that is out is said, too. */
static void answer(Serving *s, const Task *task, Text *to) {
  ShareMessage m;
  MemoryGuard guard;
  bool good = share_read(task->bytes, task->length, &m);
  assert(good);
  (void)good;
  if (memory_guard(&guard)) {
    vec_free(to);
    share_open(to, SHARE_ANSWER, m.setup, m.task);
    say(s, LIMIT, "memory is out", to);
  } else {
    do_task(s, task, &m, to);
  }
  memory_unguard(&guard);
  share_seal(to);
}

static void *work(void *data) {
  Serving *s = data;
  pthread_mutex_lock(&s->lock);
  while (!s->ended) {
    if (s->next == s->tasks.n) {
      pthread_cond_wait(&s->more, &s->lock);
      continue;
    }
    Task task = s->tasks.at[s->next++];
    s->running++;
    pthread_mutex_unlock(&s->lock);
    Text done = {0};
    answer(s, &task, &done);
    free(task.bytes);
    pthread_mutex_lock(&s->lock);
    vec_push(&s->answers, done); /* there is room */
    s->running--;
    if (task.setup) {
      task.setup->users--;
      release(s, task.setup);
    }
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

/* ---- listening -------------------------------------------------------------------------- */

static void add_task(Serving *s, const ShareMessage *m, const char *bytes, size_t length) {
  Task task = {setup_of(s, m->setup), memory_copy(bytes, length), length};
  if (s->next == s->tasks.n)
    s->next = s->tasks.n = 0;
  vec_push(&s->tasks, task);
  vec_reserve(&s->answers, s->running + s->tasks.n - s->next + 1); /* when it is there */
  if (task.setup)
    task.setup->users++;
  pthread_cond_signal(&s->more);
}

/* False: what came is damaged. */
static bool hear(Serving *s, const char *bytes, size_t length) {
  ShareMessage m;
  if (!share_read(bytes, length, &m))
    return false;
  pthread_mutex_lock(&s->lock);
  if (m.type == SHARE_MAKE)
    make(s, &m);
  else if (m.type == SHARE_TASK)
    add_task(s, &m, bytes, length);
  else if (m.type == SHARE_DROP)
    drop(s, m.setup);
  pthread_mutex_unlock(&s->lock);
  return m.type != SHARE_ANSWER;
}

static bool send_answers(Serving *s) {
  bool good = true;
  pthread_mutex_lock(&s->lock);
  for (size_t i = 0; i < s->answers.n; i++) {
    good &= s->ranks->send(s->ranks->data, 0, s->answers.at[i].at, s->answers.at[i].n);
    vec_free(&s->answers.at[i]);
  }
  s->answers.n = 0;
  pthread_mutex_unlock(&s->lock);
  return good;
}

/* Until there is no more. */
static Status listen(Serving *s) {
  for (;;) {
    unsigned from = 0;
    size_t length = 0;
    const char *bytes = s->ranks->receive(s->ranks->data, &from, &length);
    if (bytes && !length)
      return OK;
    if ((bytes && !hear(s, bytes, length)) || !send_answers(s))
      return INTERNAL;
  }
}

static void end(Serving *s, pthread_t *thread, size_t started) {
  pthread_mutex_lock(&s->lock);
  s->ended = true;
  for (size_t i = 0; i < s->setups.n; i++)
    atomic_store(&s->setups.at[i]->stop, true);
  pthread_cond_broadcast(&s->more);
  pthread_mutex_unlock(&s->lock);
  for (size_t i = 0; i < started; i++)
    pthread_join(thread[i], NULL);
  for (size_t i = s->next; i < s->tasks.n; i++) {
    if (s->tasks.at[i].setup)
      s->tasks.at[i].setup->users--;
    free(s->tasks.at[i].bytes);
  }
  while (s->setups.n) {
    assert(!s->setups.at[0]->users);
    s->setups.at[0]->dropped = true;
    release(s, s->setups.at[0]);
  }
  workers_end(&s->workers, &(Worker){0});
}

/* LIMIT: memory is out where rank 0 can't be told. */
static Status listen_guarded(Serving *s) {
  MemoryGuard guard;
  Status status = memory_guard(&guard) ? LIMIT : listen(s);
  memory_unguard(&guard);
  return status;
}

static Status serve(Serving *s) {
  enum { MOST_THREADS = 64 };
  pthread_t thread[MOST_THREADS];
  size_t wanted = s->ranks->threads ? s->ranks->threads : 1, started = 0;
  wanted = wanted > MOST_THREADS ? MOST_THREADS : wanted;
  while (started < wanted && !pthread_create(&thread[started], NULL, work, s))
    started++;
  Status status = started ? listen_guarded(s) : LIMIT;
  if (status != LIMIT) /* then some lock may be taken: the process must end */
    end(s, thread, started);
  return status;
}

lpmln_status lpmln_serve(const lpmln_ranks *ranks) {
  if (!ranks || valid_ranks(ranks) || !ranks->rank)
    return USAGE;
  Serving s = {.ranks = ranks,
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .more = PTHREAD_COND_INITIALIZER,
               .workers = {.lock = PTHREAD_MUTEX_INITIALIZER}};
  Status status = serve(&s);
  vec_free(&s.setups);
  vec_free(&s.tasks);
  vec_free(&s.answers);
  return status;
}
