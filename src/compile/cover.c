/* cover.c - see cover.h. */
#include "compile/cover.h"

#include <assert.h>
#include <stdlib.h>

enum { OPEN, TRUE, FALSE };

/* A literal that is decided, and the bodies that were open before. */
typedef struct {
  size_t begin, end; /* in bodies */
  uint32_t pivot;    /* atom */
  uint32_t next;     /* its value to be tried */
} Frame;

typedef struct {
  Cover *c;
  const Words *words;
  Bodies bodies;
  VEC(Frame) frames;
  Covered found;
} Run;

void cover_begin(Cover *c, uint32_t atoms) {
  *c = (Cover){.atoms = atoms,
               .group = memory_zero(atoms, sizeof *c->group),
               .value = memory_zero(atoms, 1),
               .count = memory_zero(2 * (size_t)atoms, sizeof *c->count)};
  vec_push(&c->start, 0);
}

void cover_free(Cover *c) {
  free(c->group);
  free(c->value);
  free(c->count);
  vec_free(&c->start);
  vec_free(&c->members);
  vec_free(&c->exact);
  *c = (Cover){0};
}

void cover_add(Cover *c, const Words *atoms, bool exact) {
  for (size_t i = 0; i < atoms->n; i++) {
    assert(!c->group[atoms->at[i]]);
    c->group[atoms->at[i]] = (uint32_t)c->start.n;
    vec_push(&c->members, atoms->at[i]);
  }
  vec_push(&c->start, (uint32_t)c->members.n);
  vec_push(&c->exact, exact);
}

static uint32_t *count_of(Run *run, uint32_t atom) {
  uint32_t group = run->c->group[atom];
  return &run->c->count[group ? run->c->atoms + group - 1 : atom];
}

static void count_body(Run *run, size_t body, bool reset) {
  const uint32_t *rule = run->words->at + body;
  for (uint32_t k = 0; k < rule_size(rule); k++) {
    uint32_t *count = count_of(run, rule[2 + k] >> 1);
    *count = reset ? 0 : *count + 1;
  }
  run->c->work += rule_words(rule);
}

/* Of the first body that is open the literal whose value most bodies wait for: what only one
** row of a table knows is looked at when no other row is left. */
static uint32_t choose(Run *run, size_t begin, size_t end) {
  const uint32_t *rule = run->words->at + run->bodies.at[begin];
  uint32_t best = THEORY_NONE, most = 0;
  for (size_t i = begin; i < end; i++)
    count_body(run, run->bodies.at[i], false);
  for (uint32_t k = 0; k < rule_size(rule); k++) {
    uint32_t atom = rule[2 + k] >> 1;
    if (run->c->value[atom] == OPEN && *count_of(run, atom) > most)
      best = atom, most = *count_of(run, atom);
  }
  for (size_t i = begin; i < end; i++)
    count_body(run, run->bodies.at[i], true);
  assert(best != THEORY_NONE);
  return best;
}

static uint32_t members_of(const Cover *c, uint32_t group) {
  return c->start.at[group] - c->start.at[group - 1];
}

/* A group that is not exact has one more: none of it holds. */
static uint32_t values_of(const Cover *c, uint32_t atom) {
  uint32_t group = c->group[atom];
  return group ? members_of(c, group) + !c->exact.at[group - 1] : 2;
}

/* Gives the atom a value: itself true or false, or one of its group true, or none. */
static void set(Cover *c, uint32_t atom, uint32_t value) {
  uint32_t group = c->group[atom];
  assert(value < values_of(c, atom));
  if (!group) {
    c->value[atom] = value ? FALSE : TRUE;
    return;
  }
  const uint32_t *members = c->members.at + c->start.at[group - 1];
  if (!value)
    for (uint32_t i = 0; i < members_of(c, group); i++)
      c->value[members[i]] = FALSE;
  else
    c->value[members[value - 1]] = FALSE;
  if (value < members_of(c, group))
    c->value[members[value]] = TRUE;
}

static void set_back(Cover *c, uint32_t atom) {
  uint32_t group = c->group[atom];
  c->value[atom] = OPEN;
  for (uint32_t i = group ? c->start.at[group - 1] : 0; group && i < c->start.at[group]; i++)
    c->value[c->members.at[i]] = OPEN;
}

static uint8_t body_value(const Run *run, size_t body) {
  const uint32_t *rule = run->words->at + body;
  uint8_t found = TRUE;
  for (uint32_t k = 0; k < rule_size(rule); k++) {
    uint8_t value = run->c->value[rule[2 + k] >> 1];
    if (value == (rule[2 + k] & 1 ? TRUE : FALSE))
      return FALSE;
    found = value == OPEN ? OPEN : found;
  }
  return found;
}

/* Pushes the bodies that may hold now; how many hold. */
static uint32_t keep_open(Run *run, size_t begin, size_t end) {
  uint32_t holding = 0;
  for (size_t i = begin; i < end; i++) {
    size_t body = run->bodies.at[i];
    uint8_t value = body_value(run, body);
    run->c->work += rule_size(run->words->at + body) + 1;
    holding += value == TRUE;
    if (value == OPEN)
      vec_push(&run->bodies, body);
  }
  return holding;
}

/* Looks at what is left from `begin` on; a frame if that has to be decided further. */
static void look(Run *run, size_t begin, uint32_t holding) {
  size_t open = run->bodies.n - begin;
  run->found.exclusive &= holding + !!open < 2;
  run->found.complete &= holding || open;
  if (holding || !open || !run->found.exclusive || (open == 1 && !run->found.complete))
    return;
  Frame frame = {.begin = begin, .end = run->bodies.n};
  frame.pivot = choose(run, frame.begin, frame.end);
  vec_push(&run->frames, frame);
}

/* Goes to the next value of the last frame. */
static void step(Run *run) {
  Frame *frame = &run->frames.at[run->frames.n - 1];
  size_t end = frame->end;
  run->bodies.n = end;
  if (frame->next == values_of(run->c, frame->pivot)) {
    set_back(run->c, frame->pivot);
    run->frames.n--;
    return;
  }
  set(run->c, frame->pivot, frame->next++);
  look(run, end, keep_open(run, frame->begin, end));
}

Covered cover_bodies(Cover *c, const Words *words, const Bodies *bodies) {
  Run run = {.c = c, .words = words, .found = {true, true}};
  for (size_t i = 0; i < bodies->n; i++) {
    assert(!rule_weighted(words->at + bodies->at[i]));
    vec_push(&run.bodies, bodies->at[i]);
  }
  look(&run, bodies->n, keep_open(&run, 0, bodies->n));
  while (run.found.exclusive && run.frames.n && c->work <= c->most)
    step(&run);
  run.found.exclusive &= !run.frames.n;
  for (; run.frames.n; run.frames.n--)
    set_back(c, run.frames.at[run.frames.n - 1].pivot);
  run.found.complete &= run.found.exclusive;
  vec_free(&run.bodies);
  vec_free(&run.frames);
  return run.found;
}
