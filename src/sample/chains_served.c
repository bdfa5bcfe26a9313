/* chains_served.c - chains that live in another process; see chains.h.
**
** A task is about one chain: it begins, or makes steps and tells its states.  Weights come with
** every task, since they may have changed. */
#include "base/bytes.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/share.h"
#include "sample/chains.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* ---- the program ------------------------------------------------------------------------- */

void chains_put(const Target *t, const ChainsOptions *o, Text *to) {
  assert(o->limits);
  put_u64(to, o->count);
  put_u64(to, o->block_moves);
  put_u64(to, o->seed);
  put_u64(to, o->stream);
  put_u64(to, o->limits->memory);
  put_u32(to, o->worker_path != NULL);
  put_string(to, o->worker_path ? o->worker_path : "", o->worker_path ? strlen(o->worker_path) : 0);
  put_vec(to, &t->evidence);
  ground_put(&t->ground, to);
}

/* A chain, and what it reads while it works. */
typedef struct {
  Chain chain;
  Limits limits;
  double *weights;
  bool begun;
  pthread_mutex_t lock; /* a task that nobody waits for may still go on when the next comes */
} Member;

typedef struct {
  ChainsOptions options;
  char *worker_path;
  size_t memory;
  Ground ground;
  Target target;
  FlipPlan plan;
  Member *members; /* by chain */
} Served;

static bool evidence_fits(const Ground *g, const Target *with) {
  bool good = true;
  for (size_t i = 0; i < with->evidence.n; i++)
    good &= lit_atom(with->evidence.at[i]) < g->atoms.n;
  return good;
}

static bool get_served(Served *s, Bytes *from) {
  enum { MOST_CHAINS = 1 << 20 };
  Target with = {0}; /* of which only the evidence */
  uint32_t length;
  s->options.count = bytes_u64(from);
  s->options.block_moves = bytes_u64(from);
  s->options.seed = bytes_u64(from);
  s->options.stream = bytes_u64(from);
  s->memory = bytes_u64(from);
  bool named = bytes_u32(from);
  const char *path = bytes_string(from, &length);
  s->worker_path = named ? memory_copy(path, length) : NULL;
  bytes_vec(from, &with.evidence);
  ground_get(&s->ground, from);
  bool good = !from->bad && !bytes_left(from) && s->options.count <= MOST_CHAINS &&
              ground_valid(&s->ground) && evidence_fits(&s->ground, &with);
  bool *dropped = memory_zero(s->ground.atoms.n, sizeof *dropped);
  if (good)
    target_make(&s->ground, dropped, with.evidence.at, with.evidence.n, &s->target);
  free(dropped);
  vec_free(&with.evidence);
  return good;
}

static void free_served(void *setup) {
  Served *s = setup;
  for (size_t i = 0; s->members && i < s->options.count; i++) {
    chain_free(&s->members[i].chain);
    free(s->members[i].weights);
    pthread_mutex_destroy(&s->members[i].lock);
  }
  free(s->members);
  flip_plan_free(&s->plan);
  target_free(&s->target);
  ground_free(&s->ground);
  free(s->worker_path);
  free(s);
}

static void *make(Bytes *from) {
  Served *s = memory_zero(1, sizeof *s);
  if (!get_served(s, from)) {
    ground_free(&s->ground);
    free(s->worker_path);
    free(s);
    return NULL;
  }
  flip_plan_make(&s->plan, &s->target);
  s->members = memory_zero(s->options.count, sizeof *s->members);
  for (size_t i = 0; i < s->options.count; i++) {
    Member *m = &s->members[i];
    m->weights = memory_zero(s->ground.weights.n, sizeof *m->weights);
    m->chain = chain_of(&s->options, i, &s->target, &s->plan, m->weights);
    m->chain.limits = &m->limits;
    pthread_mutex_init(&m->lock, NULL);
  }
  return s;
}

/* ---- a task ------------------------------------------------------------------------------ */

static void put_state(const Chain *c, Text *to) {
  size_t n = c->target->ground.atoms.n;
  for (size_t i = 0; i < n; i += 8) {
    uint8_t byte = 0;
    for (size_t k = i; k < n && k < i + 8; k++)
      byte = (uint8_t)(byte | c->atoms[k] << (k - i));
    put_u8(to, byte);
  }
}

static Status go(Member *m, size_t samples, size_t thin, bool record, Text *states) {
  Status status = OK;
  for (size_t k = 0; k < samples && status == OK; k++) {
    status = chain_steps(&m->chain, thin, !record);
    if (status == OK && record)
      put_state(&m->chain, states);
  }
  return status;
}

static bool get_weights(const Served *s, Member *m, Bytes *task) {
  bytes_take(task, m->weights, s->ground.weights.n * sizeof *m->weights);
  bool good = !task->bad && !bytes_left(task);
  for (size_t i = 0; good && i < s->ground.weights.n; i++)
    good = isfinite(m->weights[i]);
  return good;
}

static void do_task(const Served *s, Member *m, Bytes *task, const Limits *limits, Text *to) {
  uint64_t samples = bytes_u64(task), thin = bytes_u64(task);
  bool record = bytes_u32(task) == 1, forgetful = bytes_u32(task) == 1;
  task->bad |= !get_weights(s, m, task) || m->begun != (samples > 0);
  if (task->bad)
    return;
  Text states = {0};
  m->limits = *limits;
  m->limits.memory = s->memory;
  if (forgetful && m->begun)
    chain_forget(&m->chain);
  Status status =
      m->begun ? go(m, samples, thin, record, &states) : chain_begin(&m->chain, s->worker_path);
  m->begun = true;
  put_u32(to, (uint32_t)status);
  put_u32(to, (uint32_t)m->chain.uniform.outcome);
  put_u32(to, m->chain.near);
  put_bytes(to, states.at, states.n);
  vec_free(&states);
}

static void answer(void *setup, Bytes *task, const Limits *limits, Text *to) {
  Served *s = setup;
  uint64_t chain = bytes_u64(task);
  task->bad |= chain >= s->options.count;
  if (task->bad)
    return;
  pthread_mutex_lock(&s->members[chain].lock);
  do_task(s, &s->members[chain], task, limits, to);
  pthread_mutex_unlock(&s->members[chain].lock);
}

const ShareServer chains_server = {make, answer, free_served};
