/* flat_search.c - flat parts as circuit nodes; see flat.h.
**
** Depth first along the tree of variables, with all values of each; the stack is
** explicit.  Hot: millions of states, each of which looks at a few words. */
#include "compile/flat.h"
#include "compile/relay.h"
#include "compile/search.h"

#include "ground/ground.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { STATE = 12 }; /* work of a state with two values, in words of a residual */

typedef struct {
  uint64_t values; /* of what the variable depends on */
  uint32_t variable, node;
} FlatMemo;

typedef struct {
  uint32_t variable;
  uint32_t value;  /* under way */
  uint32_t next;   /* child under way */
  size_t results;  /* height of results before the frame */
  size_t ends;     /* height of ends before the frame */
  uint64_t values; /* the key */
} FlatFrame;

typedef struct {
  Search *s;
  const Flat *f;
  uint32_t *value;  /* by variable */
  bool *holds;      /* by atom */
  uint32_t *told;   /* by factor: references of its head's literals; CIRCUIT_NONE: not yet */
  uint32_t *absent; /* by member: reference of the literal that it does not hold, likewise */
  FlatMemo *memo;
  size_t room, used, steps;
  VEC(FlatFrame) frames;
  Words results;    /* references */
  VEC(size_t) ends; /* of the results of values that are through */
  Words factors;    /* scratch: references */
  const SearchLimits *limits;
  Status status;
  uint32_t *found; /* the node of all */
} Run;

static uint64_t key_of(const Run *run, uint32_t variable) {
  const FlatVariable *v = &run->f->variables.at[variable];
  const uint32_t *above = run->f->above.at + v->first;
  const uint64_t *strides = run->f->strides.at + v->first;
  uint64_t values = 0;
  for (uint32_t i = 0; i < v->count; i++)
    values += strides[i] * run->value[above[i]];
  return values;
}

static FlatMemo *memo_at(const Run *run, uint32_t variable, uint64_t values) {
  uint64_t hash = (values + 0x9e3779b97f4a7c15u * (variable + 1)) * 0xff51afd7ed558ccdu;
  size_t at = (hash ^ hash >> 32) & (run->room - 1);
  while (run->memo[at].node != CIRCUIT_NONE &&
         (run->memo[at].variable != variable || run->memo[at].values != values))
    at = (at + 1) & (run->room - 1);
  return &run->memo[at];
}

static void memo_grow(Run *run) {
  FlatMemo *old = run->memo;
  size_t room = run->room;
  run->room = room ? 2 * room : 256;
  run->memo = memory_zero(run->room, sizeof *run->memo);
  for (size_t i = 0; i < run->room; i++)
    run->memo[i].node = CIRCUIT_NONE;
  for (size_t i = 0; i < room; i++)
    if (old[i].node != CIRCUIT_NONE)
      *memo_at(run, old[i].variable, old[i].values) = old[i];
  free(old);
}

static void remember(Run *run, const FlatFrame *frame, uint32_t node) {
  if (2 * (run->used + 1) > run->room)
    memo_grow(run);
  *memo_at(run, frame->variable, frame->values) = (FlatMemo){frame->values, frame->variable, node};
  run->used++;
}

static bool body_holds(const Run *run, const uint32_t *rule) {
  uint32_t size = rule_size(rule);
  int64_t missing = rule_weighted(rule) ? rule[2 + 2 * (size_t)size] : 0;
  for (uint32_t k = 0; k < size; k++) {
    bool holds = run->holds[rule[2 + k] >> 1] != (rule[2 + k] & 1);
    if (!rule_weighted(rule) && !holds)
      return false;
    missing -= rule_weighted(rule) && holds ? rule[2 + size + k] : 0;
  }
  return missing <= 0;
}

static bool factor_holds(const Run *run, const FlatFactor *factor) {
  const Words *words = &run->f->words;
  for (size_t at = factor->begin; at < factor->end; at += rule_words(words->at + at))
    if (body_holds(run, words->at + at))
      return true;
  return false;
}

static void tell(Run *run, uint32_t factor, bool holds) {
  uint32_t *literal = &run->told[2 * (size_t)factor + holds];
  uint32_t head = run->f->factors.at[factor].head;
  if (*literal == CIRCUIT_NONE)
    *literal = relay_literal(run->s, run->s->variable[head], !holds);
  vec_push(&run->results, *literal);
}

/* What is decided now is told; false if it is not allowed. */
static bool apply_factors(Run *run, const FlatVariable *v) {
  for (uint32_t i = v->factor; i < v->factor + v->factors; i++) {
    const FlatFactor *factor = &run->f->factors.at[i];
    if (factor->kind == FLAT_COVERED && !run->holds[factor->head])
      continue;
    bool holds = factor_holds(run, factor);
    bool wanted =
        factor->kind == FLAT_DEFINED ? run->holds[factor->head] : factor->kind != FLAT_FORBIDDEN;
    if (factor->kind != FLAT_TOLD && holds != wanted)
      return false;
    if (factor->kind == FLAT_TOLD && run->s->variable[factor->head] != CIRCUIT_NONE)
      tell(run, i, holds);
  }
  return true;
}

/* Where the results of a value begin. */
static size_t begin_of(const Run *run, const FlatFrame *frame, uint32_t value) {
  return value ? run->ends.at[frame->ends + value - 1] : frame->results;
}

/* Gives the frame's variable the value of its branch.  A branch that fails has no
** children to look at. */
static void start_branch(Run *run, FlatFrame *frame) {
  const FlatVariable *v = &run->f->variables.at[frame->variable];
  const uint32_t *atoms = run->f->members.at + v->member;
  if (frame->value)
    run->holds[atoms[frame->value - 1]] = false;
  if (frame->value < v->members)
    run->holds[atoms[frame->value]] = true;
  run->value[frame->variable] = frame->value;
  frame->next = 0;
  run->s->states++, run->steps++;
  if (apply_factors(run, v))
    return;
  run->results.n = begin_of(run, frame, frame->value);
  vec_push(&run->results, CIRCUIT_FALSE);
  frame->next = v->children;
}

static void open_frame(Run *run, uint32_t variable, uint64_t values) {
  const FlatVariable *v = &run->f->variables.at[variable];
  for (uint32_t i = 0; i < v->members; i++)
    run->holds[run->f->members.at[v->member + i]] = false;
  vec_push(&run->frames, (FlatFrame){.variable = variable,
                                     .results = run->results.n,
                                     .ends = run->ends.n,
                                     .values = values});
  start_branch(run, &run->frames.at[run->frames.n - 1]);
}

/* The node of a variable and what is below, or a frame for it. */
static void next_child(Run *run, FlatFrame *frame) {
  const FlatVariable *v = &run->f->variables.at[frame->variable];
  uint32_t child = run->f->below.at[v->child + frame->next++];
  uint64_t values = key_of(run, child);
  const FlatMemo *memo = memo_at(run, child, values);
  if (memo->node == CIRCUIT_NONE) {
    open_frame(run, child, values);
    return;
  }
  if (memo->node == CIRCUIT_FALSE)
    frame->next = v->children;
  vec_push(&run->results, memo->node);
}

/* What was found below a value, and the literals of members behind it. */
static uint32_t value_product(Run *run, const FlatFrame *frame, uint32_t value) {
  size_t from = begin_of(run, frame, value), to = run->ends.at[frame->ends + value];
  const FlatVariable *v = &run->f->variables.at[frame->variable];
  run->factors.n = 0;
  for (size_t i = from; i < to; i++)
    vec_push(&run->factors, run->results.at[i]);
  for (uint32_t i = value + 1; i < v->members; i++)
    vec_push(&run->factors, run->absent[v->member + i]);
  return relay_product(run->s, run->factors.at, run->factors.n);
}

/* A decision for each member: it holds, and those behind it do not. */
static uint32_t join_branches(Run *run, const FlatFrame *frame) {
  Search *s = run->s;
  const FlatVariable *v = &run->f->variables.at[frame->variable];
  uint32_t node = CIRCUIT_FALSE;
  assert(run->ends.n == frame->ends + flat_values(v));
  for (uint32_t i = v->members; i-- > 0;) {
    uint32_t variable = s->variable[run->f->members.at[v->member + i]];
    uint32_t *absent = &run->absent[v->member + i];
    bool last = i + 1 == v->members && !v->exact;
    assert(variable != CIRCUIT_NONE);
    if (i && *absent == CIRCUIT_NONE)
      *absent = relay_literal(s, variable, true);
    uint32_t high = value_product(run, frame, i);
    uint32_t low = last ? value_product(run, frame, v->members) : relay_product(s, &node, 1);
    node = relay_decision(s, variable, high, low);
  }
  return node;
}

/* The branch is through: the next one, or the end of the frame. */
static void end_branch(Run *run, FlatFrame *frame) {
  const FlatVariable *v = &run->f->variables.at[frame->variable];
  vec_push(&run->ends, run->results.n);
  if (++frame->value < flat_values(v)) {
    start_branch(run, frame);
    return;
  }
  if (frame->value == v->members) /* one must hold: the last one did */
    run->holds[run->f->members.at[v->member + v->members - 1]] = false;
  uint32_t node = join_branches(run, frame);
  run->results.n = frame->results;
  run->ends.n = frame->ends;
  remember(run, frame, node);
  if (--run->frames.n && node == CIRCUIT_FALSE) {
    FlatFrame *outer = &run->frames.at[run->frames.n - 1];
    outer->next = run->f->variables.at[outer->variable].children;
  }
  vec_push(&run->results, node);
}

static void run_root(Run *run, uint32_t root) {
  assert(!run->frames.n && !run->f->variables.at[root].count);
  open_frame(run, root, 0);
  for (size_t step = 1; run->frames.n && run->status == OK; step++) {
    FlatFrame *frame = &run->frames.at[run->frames.n - 1];
    if (frame->next < run->f->variables.at[frame->variable].children)
      next_child(run, frame);
    else
      end_branch(run, frame);
    if (!(step % 1024))
      run->status = search_check(run->s, run->limits, 0);
  }
}

static void run_all(void *data) {
  Run *run = data;
  for (size_t i = 0; i < run->f->roots.n && run->status == OK; i++)
    run_root(run, run->f->roots.at[i]);
  if (run->status == OK)
    *run->found = relay_product(run->s, run->results.at, run->results.n);
}

static uint32_t *no_references(size_t n) {
  uint32_t *found = memory_zero(n, sizeof *found);
  memset(found, 0xff, n * sizeof *found);
  return found;
}

static Status compile_flat(Search *s, const Flat *f, const SearchLimits *limits, uint32_t *node) {
  Run run = {.s = s,
             .f = f,
             .value = memory_zero(f->variables.n, sizeof *run.value),
             .holds = memory_zero(s->theory->atoms, 1),
             .told = no_references(2 * f->factors.n),
             .absent = no_references(f->members.n),
             .limits = limits,
             .found = node};
  memo_grow(&run);
  Status status = relay_run(s, limits, (uint64_t)(STATE * f->states), run_all, &run, node);
  status = status == OK ? run.status : status;
  s->residual.work += STATE * (uint64_t)run.steps / 2;
  free(run.value);
  free(run.holds);
  free(run.told);
  free(run.absent);
  free(run.memo);
  vec_free(&run.frames);
  vec_free(&run.results);
  vec_free(&run.ends);
  vec_free(&run.factors);
  return status;
}

/* The part as one sum, or by its decomposition, unless it takes too much. */
static Status flat_part(Search *s, const ResidualPart *part, const SearchLimits *limits,
                        uint64_t effort, double most, FlatCost *cost) {
  Flat f = {.states = sum_states(&s->residual, part)};
  const Limits ends = {.deadline = limits->deadline, .stop = limits->stop};
  bool sum = f.states > 0;
  bool flat = sum || flat_make(&f, &s->residual, part, s->variable, effort, &ends);
  uint32_t node = CIRCUIT_NONE;
  Status status = OK;
  cost->more |= !flat && f.more;
  s->width = f.width > s->width ? f.width : s->width;
  if (flat && STATE * f.states > most)
    cost->work += STATE * f.states;
  else if (sum)
    status = sum_compile(s, part, limits, &node);
  else if (flat)
    status = compile_flat(s, &f, limits, &node);
  if (node != CIRCUIT_NONE && f.cut)
    vec_push(&s->cuts, (SearchCut){part->key, node});
  else if (node != CIRCUIT_NONE)
    search_remember(s, &part->key, node);
  flat_free(&f);
  return status;
}

Status search_flat(Search *s, const SearchLimits *limits, uint64_t effort, double most,
                   FlatCost *cost) {
  const Residual *r = &s->residual;
  Status status = OK;
  SearchLimits own = *limits;
  own.branches = 0; /* states cost much less, and are counted before */
  *cost = (FlatCost){0};
  for (size_t p = 0; p < r->parts.n && status == OK; p++) {
    ResidualPart part = r->parts.at[p];
    if (search_find(s, &part.key) == CIRCUIT_NONE)
      status = flat_part(s, &part, &own, effort, most, cost);
  }
  return status;
}
