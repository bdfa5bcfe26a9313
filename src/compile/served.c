/* served.c - lanes that are compiled for another process; see jobs.h. */
#include "base/bytes.h"
#include "base/memory.h"
#include "base/share.h"
#include "compile/compile.h"
#include "compile/jobs.h"
#include "ground/analysis.h"
#include "ground/ground.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

/* ---- the program ------------------------------------------------------------------------- */

void compile_put_options(const CompileOptions *o, Text *to) {
  put_u64(to, o->nodes);
  put_u64(to, o->memory);
  put_u64(to, o->branches);
  put_bytes(to, &o->kind_seconds, sizeof o->kind_seconds);
  put_u32(to, (uint32_t)o->foundedness);
  put_u32(to, (uint32_t)o->choice);
  put_u64(to, o->diagram_nodes);
  put_u64(to, o->seed);
}

void compile_share(Compiled *c) {
  const CompileOptions *o = &c->options;
  Text to = {0};
  assert(o->share && !c->setup.share);
  compile_put_options(o, &to);
  ground_put(c->ground, &to);
  share_begin(&c->setup, o->share, SHARE_COMPILE, &to);
}

typedef struct {
  Ground ground;
  Analysis analysis;
  Compiled compiled;
  uint32_t *sample;     /* by kind: some component of it */
  pthread_mutex_t lock; /* of what several lanes use: theories */
} Served;

CompileOptions compile_get_options(Bytes *from) {
  CompileOptions o = compile_options_default();
  o.nodes = bytes_u64(from);
  o.memory = bytes_u64(from);
  o.branches = bytes_u64(from);
  bytes_take(from, &o.kind_seconds, sizeof o.kind_seconds);
  uint32_t foundedness = bytes_u32(from), choice = bytes_u32(from);
  o.foundedness = (Foundedness)foundedness, o.choice = (SearchChoice)choice;
  o.diagram_nodes = bytes_u64(from);
  o.seed = bytes_u64(from);
  from->bad |= choice > CHOOSE_CLAUSES || foundedness > FOUNDED_BY_FORMULA;
  return o;
}

static void *make(Bytes *from) {
  Served *s = memory_zero(1, sizeof *s);
  CompileOptions options = compile_get_options(from);
  ground_get(&s->ground, from);
  if (from->bad || bytes_left(from) || !ground_valid(&s->ground)) {
    ground_free(&s->ground);
    free(s);
    return NULL;
  }
  pthread_mutex_init(&s->lock, NULL);
  analysis_make(&s->ground, &s->analysis);
  compile_begin(&s->compiled, &s->ground, &s->analysis, &options);
  s->sample = memory_zero(s->analysis.kinds, sizeof *s->sample);
  for (uint32_t k = 0; k < s->analysis.components; k++)
    s->sample[s->analysis.kind[k]] = k;
  return s;
}

static void free_served(void *setup) {
  Served *s = setup;
  compile_free(&s->compiled);
  analysis_free(&s->analysis);
  ground_free(&s->ground);
  free(s->sample);
  pthread_mutex_destroy(&s->lock);
  free(s);
}

/* ---- a job --------------------------------------------------------------------------------- */

typedef VEC(uint32_t) Numbers;

/* Literals or atoms of a theory, sorted and without repeats. */
static void get_list(Bytes *from, uint32_t below, Numbers *to) {
  to->n = 0;
  bytes_vec(from, to);
  for (size_t i = 0; i < to->n; i++)
    from->bad |= to->at[i] >= below || (i && to->at[i] <= to->at[i - 1]);
}

static const CompileUnit *unit_of(Served *s, uint32_t kind) {
  pthread_mutex_lock(&s->lock);
  const CompileUnit *unit = compile_unit(&s->compiled, s->sample[kind]);
  pthread_mutex_unlock(&s->lock);
  return unit;
}

typedef struct {
  UnitLane lane;
  Numbers nodes, evidence, wanted;
} Answering;

static Status answer_all(Answering *a, const CompileUnit *unit, Bytes *task, uint32_t count,
                         const SearchLimits *limits) {
  Status status = OK;
  for (uint32_t i = 0; i < count && !task->bad; i++) {
    LaneQuestion q = {.component = bytes_u32(task)};
    uint32_t node = CIRCUIT_FALSE;
    get_list(task, 2 * unit->theory.members, &a->evidence);
    get_list(task, unit->theory.members, &a->wanted);
    q.evidence = a->evidence.at, q.evidences = a->evidence.n;
    q.wanted = a->wanted.at, q.wants = a->wanted.n;
    if (status == OK && !task->bad)
      status = lane_answer(&a->lane, unit, &q, limits, &node);
    vec_push(&a->nodes, node);
  }
  return status;
}

static void answer(void *setup, Bytes *task, const Limits *limits, Text *to) {
  Served *s = setup;
  const CompileOptions *o = &s->compiled.options;
  uint32_t kind = bytes_u32(task), count = bytes_count(task, 12);
  const CompileUnit *unit = !task->bad && kind < s->analysis.kinds ? unit_of(s, kind) : NULL;
  task->bad |= !unit;
  if (task->bad)
    return;
  Answering a = {0};
  SearchLimits all = {.nodes = o->nodes,
                      .memory = o->memory,
                      .branches = o->branches,
                      .deadline = limits->deadline,
                      .stop = limits->stop};
  SearchLimits own = lane_limits(o, &all);
  lane_begin(&a.lane, unit, o->choice);
  Status status = answer_all(&a, unit, task, count, &own);
  task->bad |= bytes_left(task) > 0;
  put_u32(to, (uint32_t)status);
  put_u64(to, a.lane.search.branches + a.lane.search.states);
  put_u32(to, a.lane.search.width);
  lane_put(&a.lane, to);
  put_bytes(to, a.nodes.at, a.nodes.n * sizeof *a.nodes.at);
  lane_free(&a.lane);
  vec_free(&a.nodes);
  vec_free(&a.evidence);
  vec_free(&a.wanted);
}

const ShareServer compile_server = {make, answer, free_served};
