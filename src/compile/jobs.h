/* jobs.h - questions cut into jobs: those of a lane of a kind of component.
**
** A question about the program is one about each of its components, which goes to a lane of the
** component's kind.  Few questions, and those about a component as it is, take the lane of
** the unit, which remembers.  Many have more lanes, that all begin afresh; which one a question
** takes depends on itself and on their number alone.  So what a lane becomes is the same
** whoever makes it: any thread, any process. */
#ifndef COMPILE_JOBS_H
#define COMPILE_JOBS_H

#include "base/graph.h"
#include "compile/compile.h"
#include "compile/search.h"
#include "compile/unit.h"

#include <stdatomic.h>

/* Local literals and atoms of a question, by component. */
typedef struct {
  GraphLists evidence, wanted;
  bool impossible; /* evidence against a certain or impossible atom */
} Question;

/* One component's share of a question. */
typedef struct {
  uint32_t question, component, job;
  uint32_t node; /* in the circuit of its lane */
} Ask;

typedef struct {
  UnitLane *lane;    /* of the unit, or owned */
  uint64_t branches; /* what an owned one has cost */
  uint32_t width;
  Status status;
} Job;

typedef struct {
  Compiled *c;
  const Question *questions;
  const SearchLimits *limits;
  uint32_t slots;   /* jobs of a kind: the first is the unit's lane */
  uint32_t *sample; /* by kind: some component of it */
  VEC(Ask) asks;    /* by question and component */
  GraphLists by_job;
  Job *jobs;             /* kind after kind */
  VEC(uint32_t) several; /* jobs of other slots that have asks */
  atomic_size_t left;    /* jobs that are not done, here */
  atomic_uint spare;     /* threads without a job: they help others */
} Jobs;

Jobs jobs_make(Compiled *, const Question *, size_t n, const SearchLimits *);
void jobs_free(Jobs *);

/* All of them, here and by those who share the compilation; a kind that fails does not keep the
** others from being compiled.  The first that failed speaks for all. */
Status jobs_do(Jobs *);

/* served.c: makes the set-up for those who share it. */
void compile_share(Compiled *);

/* A question to a lane: lists without repeats, sorted. */
typedef struct {
  const uint32_t *evidence, *wanted;
  size_t evidences, wants;
  uint32_t component; /* for messages */
} LaneQuestion;

/* Answers it; a failure is told in the lane. */
Status lane_answer(UnitLane *, const CompileUnit *, const LaneQuestion *, const SearchLimits *,
                   uint32_t *node);

/* What a lane may use, beginning now. */
SearchLimits lane_limits(const CompileOptions *, const SearchLimits *);

#endif
