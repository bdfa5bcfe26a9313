/* jobs.c - see jobs.h. */
#include "compile/jobs.h"

#include "base/bytes.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "compile/residual.h"

#include <assert.h>
#include <stdlib.h>

/* Lanes of many questions: so many that hundreds of processes have something to do, and few
** enough for equal parts of questions to meet. */
enum { A_LANE = 16, LEAST_LANES = 4, MOST_JOBS = 512 };

/* ---- a lane ----------------------------------------------------------------------------- */

static void explain(const CompileUnit *unit, UnitLane *lane, uint32_t component, Status status) {
  uint32_t inputs = 0;
  for (uint32_t a = 0; a < unit->theory.members; a++)
    inputs += unit->theory.input.at[a];
  lane->message.n = 0;
  text_printf(&lane->message,
              "%s while compiling component %u (%u atoms, %u of them guessed) after "
              "%zu branches and %zu circuit nodes",
              status == INTERRUPTED ? "interrupted" : "a limit was reached", component + 1,
              unit->theory.members, inputs, lane->search.branches, lane->own.nodes.n);
}

Status lane_answer(UnitLane *lane, const CompileUnit *unit, const LaneQuestion *q,
                   const SearchLimits *limits, uint32_t *node) {
  assert(lane->searching);
  Status status =
      search_compile(&lane->search, q->evidence, q->evidences, q->wanted, q->wants, limits, node);
  if (status != OK)
    explain(unit, lane, q->component, status);
  return status;
}

SearchLimits lane_limits(const CompileOptions *options, const SearchLimits *all) {
  SearchLimits limits = *all;
  double until = options->kind_seconds > 0 ? clock_now() + options->kind_seconds : 0;
  if (until > 0 && (limits.deadline == 0 || until < limits.deadline))
    limits.deadline = until;
  return limits;
}

/* ---- questions to jobs ------------------------------------------------------------------- */

/* The values of one component, sorted and without repeats: equal questions
** must look equal. */
static const uint32_t *list_of(const GraphLists *lists, uint32_t component, size_t *n) {
  uint32_t *at = lists->at + lists->start[component];
  *n = sort_unique(at, lists->start[component + 1] - lists->start[component]);
  return at;
}

static LaneQuestion question_of(const Jobs *j, uint32_t question, uint32_t component) {
  LaneQuestion q = {.component = component};
  q.evidence = list_of(&j->questions[question].evidence, component, &q.evidences);
  q.wanted = list_of(&j->questions[question].wanted, component, &q.wants);
  return q;
}

/* The same share of different questions takes the same lane. */
static uint32_t choose_slot(const Jobs *j, uint32_t question, uint32_t component) {
  LaneQuestion q = question_of(j, question, component);
  if (j->slots == 1 || q.evidences + q.wants == 0)
    return 0;
  uint64_t key = search_key(q.evidence, q.evidences, q.wanted, q.wants).word[0];
  return 1 + (uint32_t)(key % (j->slots - 1));
}

static uint32_t slots_for(const Compiled *c, size_t n) {
  size_t lanes = n / A_LANE, most = MOST_JOBS / (c->analysis->kinds ? c->analysis->kinds : 1);
  lanes = lanes < most ? lanes : most;
  return n < COMPILE_MANY ? 1 : 1 + (uint32_t)(lanes > LEAST_LANES ? lanes : LEAST_LANES);
}

Jobs jobs_make(Compiled *c, const Question *questions, size_t n, const SearchLimits *limits) {
  const Analysis *an = c->analysis;
  Jobs j = {.c = c, .questions = questions, .limits = limits, .slots = slots_for(c, n)};
  size_t count = (size_t)an->kinds * j.slots;
  GraphEdges edges = {0};
  j.sample = memory_zero(an->kinds, sizeof *j.sample);
  for (uint32_t k = 0; k < an->components; k++)
    j.sample[an->kind[k]] = k;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < an->components; k++) {
      uint32_t job = an->kind[k] * j.slots + choose_slot(&j, i, k);
      vec_push(&edges, (GraphEdge){job, (uint32_t)j.asks.n});
      vec_push(&j.asks, (Ask){.question = i, .component = k, .job = job});
    }
  j.by_job = graph_lists(&edges, count);
  vec_free(&edges);
  j.jobs = memory_zero(count, sizeof *j.jobs);
  for (uint32_t job = 0; job < count; job++) {
    bool asked = j.by_job.start[job] < j.by_job.start[job + 1];
    j.jobs[job].status = asked ? LIMIT : OK; /* until it is done */
    if (asked && job % j.slots)
      vec_push(&j.several, job);
  }
  return j;
}

void jobs_free(Jobs *j) {
  for (size_t i = 0; i < j->several.n; i++) {
    Job *job = &j->jobs[j->several.at[i]];
    if (job->lane)
      lane_free(job->lane);
    free(job->lane);
  }
  free(j->jobs);
  free(j->sample);
  vec_free(&j->asks);
  vec_free(&j->several);
  graph_lists_free(&j->by_job);
}

/* ---- here --------------------------------------------------------------------------------- */

static CompileUnit *unit_of(const Jobs *j, uint32_t job) {
  assert(job / j->slots < j->c->analysis->kinds);
  return &j->c->units[job / j->slots];
}

static void begin_kind(void *data, size_t kind) {
  Jobs *j = data;
  (void)compile_unit(j->c, j->sample[kind]);
}

static void do_job(Jobs *j, uint32_t number) {
  Job *job = &j->jobs[number];
  const CompileUnit *unit = unit_of(j, number);
  uint32_t first = j->by_job.start[number], last = j->by_job.start[number + 1];
  if (!unit->begun || first == last)
    return;
  assert(job->lane);
  lane_begin(job->lane, unit, j->c->options.choice);
  SearchLimits limits = lane_limits(&j->c->options, j->limits);
  limits.spare = &j->spare;
  job->status = OK;
  for (uint32_t i = first; i < last && job->status == OK; i++) {
    Ask *ask = &j->asks.at[j->by_job.at[i]];
    LaneQuestion q = question_of(j, ask->question, ask->component);
    job->status = lane_answer(job->lane, unit, &q, &limits, &ask->node);
  }
}

/* So many jobs come.  Who finds that none waits has a thread to spare. */
static void expect(Jobs *j, size_t jobs) {
  size_t threads = j->c->options.threads;
  atomic_store(&j->left, jobs);
  atomic_store(&j->spare, (unsigned)(jobs < threads ? threads - jobs : 0));
}

static void job_done(Jobs *j) {
  if (atomic_fetch_sub(&j->left, 1) <= j->c->options.threads)
    atomic_fetch_add(&j->spare, 1);
}

static void do_own(void *data, size_t kind) {
  Jobs *j = data;
  uint32_t job = (uint32_t)kind * j->slots;
  j->jobs[job].lane = &unit_of(j, job)->lane;
  do_job(j, job);
  job_done(j);
}

static void do_one(void *data, size_t i) {
  Jobs *j = data;
  Job *job = &j->jobs[j->several.at[i]];
  job->lane = memory_zero(1, sizeof *job->lane);
  do_job(j, j->several.at[i]);
  job->branches = job->lane->search.branches + job->lane->search.states;
  job->width = job->lane->search.width;
  lane_finish(job->lane);
  job_done(j);
}

/* ---- elsewhere; see served.c ------------------------------------------------------------------
 */

static void put_list(const uint32_t *at, size_t n, Text *to) {
  put_u32(to, (uint32_t)n);
  put_bytes(to, at, n * sizeof *at);
}

static void put_job(void *data, size_t i, Text *to) {
  Jobs *j = data;
  uint32_t job = j->several.at[i], first = j->by_job.start[job], last = j->by_job.start[job + 1];
  put_u32(to, job / j->slots);
  put_u32(to, last - first);
  for (uint32_t k = first; k < last; k++) {
    const Ask *ask = &j->asks.at[j->by_job.at[k]];
    LaneQuestion q = question_of(j, ask->question, ask->component);
    put_u32(to, q.component);
    put_list(q.evidence, q.evidences, to);
    put_list(q.wanted, q.wants, to);
  }
}

static void get_job(void *data, size_t i, Bytes *from) {
  Jobs *j = data;
  uint32_t number = j->several.at[i];
  Job *job = &j->jobs[number];
  Status status = (Status)bytes_u32(from);
  job->lane = memory_zero(1, sizeof *job->lane);
  job->branches = bytes_u64(from), job->width = bytes_u32(from);
  from->bad |= !unit_of(j, number)->begun;
  if (from->bad)
    return;
  lane_get(job->lane, unit_of(j, number), from);
  for (uint32_t k = j->by_job.start[number]; k < j->by_job.start[number + 1]; k++) {
    uint32_t node = bytes_u32(from);
    from->bad |= status == OK && node >= job->lane->own.nodes.n;
    j->asks.at[j->by_job.at[k]].node = from->bad ? CIRCUIT_FALSE : node;
  }
  job->status = from->bad ? INTERNAL : status;
}

static Status share_out(Jobs *j) {
  static const ShareWork work = {.work = do_one, .put = put_job, .get = get_job};
  Compiled *c = j->c;
  Limits limits = {.deadline = j->limits->deadline, .stop = j->limits->stop};
  if (!c->setup.share)
    compile_share(c);
  return share_for(&c->setup, c->options.threads, j->several.n, &work, j, &limits, &c->message);
}

/* ---- all of them --------------------------------------------------------------------------------
 */

static void count_effort(Jobs *j) {
  CompileEffort *past = &j->c->past;
  for (size_t i = 0; i < j->several.n; i++) {
    const Job *job = &j->jobs[j->several.at[i]];
    past->branches += job->branches;
    past->width = job->width > past->width ? job->width : past->width;
  }
}

/* Marks the kinds that failed. */
static Status collect_failures(Jobs *j) {
  Status status = OK;
  for (uint32_t i = 0; i < j->c->analysis->kinds * j->slots; i++) {
    CompileUnit *unit = unit_of(j, i);
    const Job *job = &j->jobs[i];
    unit->failed = (i % j->slots && unit->failed) || job->status != OK;
    if (job->status == OK || status != OK)
      continue;
    const Text *message = unit->begun && job->lane ? &job->lane->message : &unit->message;
    text_puts(&j->c->message, message->at ? message->at : "a limit was reached");
    status = job->status;
  }
  return status;
}

Status jobs_do(Jobs *j) {
  const Compiled *c = j->c;
  unsigned threads = c->options.threads;
  parallel_for(threads, c->analysis->kinds, begin_kind, j);
  expect(j, c->analysis->kinds);
  parallel_for(threads, c->analysis->kinds, do_own, j);
  expect(j, j->several.n);
  Status status = OK;
  if (c->options.share && !c->options.first && j->several.n)
    status = share_out(j);
  else
    parallel_for(threads, j->several.n, do_one, j);
  count_effort(j);
  return status == OK ? collect_failures(j) : status;
}
