/* bounds_shared.c - see bounds_shared.h. */
#include "infer/bounds_shared.h"

#include "base/bytes.h"
#include "base/limits.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

/* ---- rank 0 ------------------------------------------------------------------------------- */

void bounds_share(const Intervals *iv, const Atom *atoms, size_t n, Team *team, ShareSetup *setup) {
  const Compiled *c = iv->c;
  Text to = {0};
  assert(!iv->best && !setup->share);
  if (c->analysis->kinds < 2)
    return;
  compile_put_options(&c->options, &to);
  ground_put(c->ground, &to);
  put_bytes(&to, iv->weights, c->ground->weights.n * sizeof *iv->weights);
  put_u32(&to, (uint32_t)iv->evidences);
  put_bytes(&to, iv->evidence, iv->evidences * sizeof *iv->evidence);
  put_u32(&to, (uint32_t)n);
  put_bytes(&to, atoms, n * sizeof *atoms);
  share_begin(setup, team, SHARE_BOUNDS, &to);
}

typedef struct {
  Intervals *iv;
  const BoundLimits *limits;
  double precision;
  bool all;
  unsigned ranks;
  VEC(uint32_t) kinds; /* that want more… */
  Status *status;      /* …and how it went */
} Turn;

static void turn_here(void *data, size_t i) {
  const Turn *t = data;
  t->status[i] =
      intervals_turn_kind(t->iv, t->kinds.at[i], t->iv->slice, t->precision, t->all, t->limits);
}

static void put_turn(void *data, size_t i, Text *to) {
  const Turn *t = data;
  put_u32(to, t->kinds.at[i]);
  put_u64(to, t->iv->slice);
  put_bytes(to, &t->precision, sizeof t->precision);
  put_u8(to, t->all);
  put_u64(to, t->limits->memory);
}

static void get_turn(void *data, size_t i, Bytes *from) {
  const Turn *t = data;
  uint32_t status = bytes_u32(from);
  from->bad |= status > INTERNAL;
  t->status[i] = (Status)status;
  intervals_take(t->iv, t->kinds.at[i], from);
}

static unsigned owner_of(void *data, size_t i) {
  const Turn *t = data;
  return t->kinds.at[i] % t->ranks;
}

Status bounds_turn(Intervals *iv, ShareSetup *setup, double precision, bool all,
                   const BoundLimits *limits, Text *trouble) {
  static const ShareWork work = {turn_here, put_turn, get_turn, owner_of};
  Turn t = {iv, limits, precision, all, setup->share->ranks.count, {0}, NULL};
  for (uint32_t kind = 0; kind < iv->c->analysis->kinds; kind++)
    if (intervals_asks(iv, kind, precision, all))
      vec_push(&t.kinds, kind);
  t.status = memory_zero(t.kinds.n, sizeof *t.status);
  Status status = share_for(setup, 1, t.kinds.n, &work, &t, &limits->until, trouble);
  for (size_t i = 0; i < t.kinds.n && status != INTERNAL; i++)
    status = t.status[i] == OK ? status : t.status[i];
  if (status == OK)
    status = limits_check(&limits->until);
  iv->slice *= 2;
  free(t.status);
  vec_free(&t.kinds);
  return status;
}

/* ---- other ranks -------------------------------------------------------------------------- */

typedef struct {
  Ground ground;
  Analysis analysis;
  Compiled compiled;
  Intervals iv;
  double *weights;
  VEC(uint32_t) evidence, atoms;
  bool begun;
  pthread_mutex_t lock; /* a kind after the other */
} Served;

static void free_served(void *setup) {
  Served *s = setup;
  if (s->begun) {
    intervals_free(&s->iv);
    compile_free(&s->compiled);
    analysis_free(&s->analysis);
    pthread_mutex_destroy(&s->lock);
  }
  ground_free(&s->ground);
  free(s->weights);
  vec_free(&s->evidence);
  vec_free(&s->atoms);
  free(s);
}

static bool below(const uint32_t *at, size_t n, size_t end) {
  bool good = true;
  for (size_t i = 0; i < n; i++)
    good &= at[i] < end;
  return good;
}

static void *make(Bytes *from) {
  Served *s = memory_zero(1, sizeof *s);
  CompileOptions options = compile_get_options(from);
  ground_get(&s->ground, from);
  bool good = !from->bad && ground_valid(&s->ground);
  if (good) {
    s->weights = memory_zero(s->ground.weights.n, sizeof *s->weights);
    bytes_take(from, s->weights, s->ground.weights.n * sizeof *s->weights);
    bytes_vec(from, &s->evidence);
    bytes_vec(from, &s->atoms);
    good = !from->bad && !bytes_left(from) &&
           below(s->evidence.at, s->evidence.n, 2 * s->ground.atoms.n) &&
           below(s->atoms.at, s->atoms.n, s->ground.atoms.n);
  }
  if (!good) {
    free_served(s);
    return NULL;
  }
  pthread_mutex_init(&s->lock, NULL);
  analysis_make(&s->ground, &s->analysis);
  compile_begin(&s->compiled, &s->ground, &s->analysis, &options);
  intervals_begin(&s->iv, &s->compiled, s->evidence.at, s->evidence.n, s->atoms.at, s->atoms.n,
                  s->weights);
  s->begun = true;
  return s;
}

static void answer(void *setup, Bytes *task, const Limits *limits, Text *to) {
  Served *s = setup;
  uint32_t kind = bytes_u32(task);
  uint64_t slice = bytes_u64(task);
  double precision;
  bytes_take(task, &precision, sizeof precision);
  bool all = bytes_u8(task);
  BoundLimits own = {.memory = bytes_u64(task), .until = *limits};
  task->bad |= bytes_left(task) || kind >= s->analysis.kinds;
  if (task->bad)
    return;
  pthread_mutex_lock(&s->lock);
  Status status = intervals_turn_kind(&s->iv, kind, slice, precision, all, &own);
  put_u32(to, (uint32_t)status);
  intervals_put(&s->iv, kind, to);
  pthread_mutex_unlock(&s->lock);
}

const ShareServer bounds_server = {make, answer, free_served};
