/* chain.c - see chain.h. */
#include "sample/chain.h"

#include "ground/analysis.h"
#include "ground/ground.h"
#include "sample/encode.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Block moves cost much less than a uniform draw: with them, a component has a move of MC-ASP
** in so many steps only, at random, and more rarely if its draws are not just enumerations. */
enum { SMALL = 16, RARELY = 8, VERY_RARELY = 64, MOST_MOVES = 32 };

static void keep(Chain *c, uint32_t id, bool violation, bool holds) {
  vec_push(&c->kept, (Assumption){id, violation, holds});
}

static void keep_evidence(Chain *c) {
  for (size_t i = 0; i < c->target->evidence.n; i++)
    keep(c, lit_atom(c->target->evidence.at[i]), false, !lit_negated(c->target->evidence.at[i]));
}

static void keep_atom(void *data, Atom a, bool value) { keep(data, a, false, value); }

/* All components but one stay as they are, and of a large one all but a region. */
static void keep_others(Chain *c, uint32_t component) {
  assert(component < c->target->analysis.components && c->part);
  const Target *t = c->target;
  uint32_t n = t->guess_start[component + 1] - t->guess_start[component];
  bool large = n > c->whole;
  c->heuristic |= large;
  region_choose(&c->region, component, large ? c->part : n, &c->random);
  region_fix_others(&c->region, c->atoms, keep_atom, c);
}

/* What the step keeps: an instance in its more probable state, with the probability that
** the slice variable, uniform below its factor, is above the factor of the other. */
static void keep_instances(Chain *c, uint32_t component) {
  const Target *t = c->target;
  for (uint32_t i = t->soft_start[component]; i < t->soft_start[component + 1]; i++) {
    double w = c->weights[t->soft[i].weight];
    assert(isfinite(w));
    bool violated = target_violated(t, &t->soft[i], c->atoms);
    if (w != 0 && violated == (w < 0) && random_unit(&c->random) < -expm1(-fabs(w)))
      keep(c, t->soft[i].instance, true, violated);
  }
}

static Status draw(Chain *c) {
  UniformGuarantee guarantee;
  const Target *t = c->target;
  Status status =
      uniform_draw(&c->uniform, c->kept.at, c->kept.n, &c->random, c->model, &guarantee);
  if (status != OK)
    return status;
  c->near |= guarantee != UNIFORM_EXACT;
  const uint32_t *bit = c->uniform.encoding.layout.of_atom;
  for (Atom a = 0; a < t->ground.atoms.n; a++)
    if (t->ground.atoms.at[a].truth == ATOM_OPEN)
      c->atoms[a] = layout_bit(c->model, bit[a]);
  return OK;
}

/* Literals of `count` random guessed atoms with random values. */
static void keep_random(Chain *c, Atom *guessed, uint32_t n, uint32_t count) {
  assert(count <= n);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = i + (uint32_t)random_below(&c->random, n - i);
    Atom a = guessed[k];
    guessed[k] = guessed[i];
    guessed[i] = a;
    keep(c, a, false, random_bits(&c->random) >> 63);
  }
}

/* Somewhere: as much as possible is set at random, so that the rest is a quick draw.  Where a
** chain begins is of no consequence but for the burn-in. */
static Status draw_start(Chain *c) {
  enum { FREE = 12, TRIES = 4 };
  const Target *t = c->target;
  uint32_t n = t->guess_start[t->analysis.components], fixed = n > FREE ? n - FREE : 0;
  Atom *guessed = memory_zero(n, sizeof *guessed);
  for (uint32_t i = 0; i < n; i++)
    guessed[i] = t->guessed[i];
  Status status = NO_ANSWER;
  for (unsigned tried = 0; status == NO_ANSWER; tried++) {
    c->kept.n = 0;
    keep_evidence(c);
    keep_random(c, guessed, n, fixed);
    status = draw(c);
    if (!fixed)
      break;
    if (tried % TRIES == TRIES - 1)
      fixed = fixed / 4 * 3;
  }
  free(guessed);
  c->near = false;
  return status;
}

Status chain_begin(Chain *c, const char *worker_path) {
  assert(c->target && c->limits && !c->atoms);
  const Target *t = c->target;
  UniformOptions options = uniform_options_default();
  c->atoms = memory_zero(t->ground.atoms.n, sizeof *c->atoms);
  for (Atom a = 0; a < t->ground.atoms.n; a++)
    c->atoms[a] = t->ground.atoms.at[a].truth == ATOM_CERTAIN;
  Status status =
      uniform_begin(&c->uniform, &t->ground, &t->analysis, worker_path, c->limits, &options);
  if (status != OK)
    return status;
  c->model = memory_zero((size_t)c->uniform.encoding.layout.bytes + 1, 1);
  if (c->block_moves)
    blocks_begin(&c->blocks, t, c->limits);
  region_begin(&c->region, t);
  return draw_start(c);
}

/* Block moves that change each guessed atom once, about. */
static size_t sweep(const Chain *c) {
  assert(c->blocks.size);
  const Target *t = c->target;
  size_t most = 0;
  for (uint32_t k = 0; k < t->analysis.components; k++)
    most = t->guess_start[k + 1] - t->guess_start[k] > most
               ? t->guess_start[k + 1] - t->guess_start[k]
               : most;
  size_t moves = (most + c->blocks.size - 1) / c->blocks.size;
  return moves < MOST_MOVES ? moves : MOST_MOVES;
}

Status chain_step(Chain *c, bool tune) {
  assert(c->atoms && c->model);
  const Target *t = c->target;
  Status status = OK;
  for (uint32_t k = 0; status == OK && k < t->analysis.components; k++) {
    uint32_t n = t->guess_start[k + 1] - t->guess_start[k];
    if (!n || (c->block_moves && random_below(&c->random, n <= SMALL ? RARELY : VERY_RARELY)))
      continue;
    c->kept.n = 0;
    keep_evidence(c);
    keep_others(c, k);
    keep_instances(c, k);
    status = draw(c);
  }
  size_t moves = c->block_moves == SIZE_MAX ? sweep(c) : c->block_moves;
  for (size_t i = 0; status == OK && i < moves; i++)
    status = blocks_move(&c->blocks, &c->region, c->weights, tune, &c->random, c->atoms);
  return status;
}

void chain_free(Chain *c) {
  uniform_free(&c->uniform);
  blocks_free(&c->blocks);
  region_free(&c->region);
  vec_free(&c->kept);
  free(c->atoms);
  free(c->model);
}
