/* chain.c - see chain.h. */
#include "sample/chain.h"

#include "ground/analysis.h"
#include "ground/ground.h"
#include "sample/encode.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Block moves cost much less than a uniform draw: with them, a component has a move of MC-ASP
** in so many steps only, at random, and more rarely if its draws are not just enumerations. */
enum { SMALL = 16, RARELY = 8, VERY_RARELY = 64, MOST_MOVES = 32 };

/* Flips cost much less again: where they change all guessed atoms, the others come more rarely,
** so that they have about the same share of the time. */
enum { BLOCKS_RARELY = 16, WITH_FLIPS = 4, STUCK = 2 };

/* Where flips reach everything, draws of MC-ASP are for leaving modes.  Above so many guessed atoms
** tempered transitions do that: a draw may take seconds. */
enum { MOST_DRAWN = 24 };

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

static void take_model(Chain *c) {
  const Target *t = c->target;
  const uint32_t *bit = c->uniform.encoding.layout.of_atom;
  for (Atom a = 0; a < t->ground.atoms.n; a++)
    if (t->ground.atoms.at[a].truth == ATOM_OPEN)
      c->atoms[a] = layout_bit(c->model, bit[a]);
}

static Status draw(Chain *c) {
  UniformGuarantee guarantee;
  Status status =
      uniform_draw(&c->uniform, c->kept.at, c->kept.n, &c->random, c->model, &guarantee);
  if (status != OK)
    return status;
  c->near |= guarantee != UNIFORM_EXACT;
  take_model(c);
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

/* Somewhere: as much as possible is set at random, and the solver finds the rest.  Where a
** chain begins is of no consequence but for the burn-in. */
static Status find_start(Chain *c) {
  enum { TRIES = 2 };
  const Target *t = c->target;
  uint32_t n = t->guess_start[t->analysis.components], fixed = n;
  Atom *guessed = memory_zero(n, sizeof *guessed);
  for (uint32_t i = 0; i < n; i++)
    guessed[i] = t->guessed[i];
  Status status = NO_ANSWER;
  for (unsigned tried = 0; status == NO_ANSWER; tried++) {
    c->kept.n = 0;
    keep_evidence(c);
    keep_random(c, guessed, n, fixed);
    status = uniform_any(&c->uniform, c->kept.at, c->kept.n, c->model);
    if (!fixed)
      break;
    if (tried % TRIES == TRIES - 1)
      fixed = fixed / 4 * 3;
  }
  free(guessed);
  if (status == OK)
    take_model(c);
  return status;
}

Status chain_begin(Chain *c, const char *worker_path) {
  assert(c->target && c->limits && !c->atoms);
  const Target *t = c->target;
  UniformOptions options = uniform_options_default();
  options.trials = false; /* slices differ from draw to draw and have few models, mostly */
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
  status = find_start(c);
  if (status == OK && c->block_moves) {
    flips_begin(&c->flips, t, c->plan, c->atoms);
    temper_begin(&c->temper, t);
  }
  return status;
}

static uint32_t guesses(const Chain *c, uint32_t k) {
  assert(k < c->target->analysis.components);
  return c->target->guess_start[k + 1] - c->target->guess_start[k];
}

static uint32_t largest(const Chain *c) {
  uint32_t most = 0;
  for (uint32_t k = 0; k < c->target->analysis.components; k++)
    most = guesses(c, k) > most ? guesses(c, k) : most;
  return most;
}

/* Block moves that change each guessed atom once, about. */
static size_t sweep(const Chain *c) {
  assert(c->blocks.size);
  size_t moves = (largest(c) + c->blocks.size - 1) / c->blocks.size;
  return moves < MOST_MOVES ? moves : MOST_MOVES;
}

/* Components are independent: what a step draws from is the product of theirs. */
static void tell(Chain *c) {
  const UniformSlice *s = &c->uniform.all;
  for (size_t i = 0; i < c->kept.n; i++)
    if (c->kept.at[i].violation)
      vec_push(&c->told->kept, c->kept.at[i]);
  c->told->candidates *= s->whole ? (double)s->count : ldexp((double)s->count, (int)s->hash_bits);
  c->told->counted &= s->whole;
}

uint32_t chain_obstructed(const Chain *c) {
  for (uint32_t k = 0; k < c->target->analysis.components; k++)
    if (guesses(c, k) > c->whole && (!c->block_moves || c->plan->obstacle[k].reason != FLIP_FREE))
      return k;
  return NONE;
}

/* Do flips alone move every guessed atom, and most of them freely? */
static bool flips_all(const Chain *c) {
  return !c->stuck && c->plan->movable == c->target->guess_start[c->target->analysis.components];
}

/* Is the only guessed atom known, or drawn anew by every flip? */
static bool is_settled(const Chain *c, uint32_t k) {
  assert(guesses(c, k) == 1);
  Atom a = c->target->guessed[c->target->guess_start[k]];
  return c->plan->observed[a] >= 0 || c->plan->sort[a] != FLIP_NEVER;
}

/* Is it this component's turn to be moved by MC-ASP?  Not where flips reach everything and a
** whole move is out of reach, or needless. */
static bool moves_now(Chain *c, uint32_t k) {
  uint32_t n = guesses(c, k);
  if (!n || !c->block_moves)
    return n;
  if (n == 1 && is_settled(c, k))
    return false;
  if ((n > c->whole || (n > MOST_DRAWN && c->temper.levels)) &&
      c->plan->obstacle[k].reason == FLIP_FREE)
    return false;
  uint32_t rarely = n <= SMALL ? RARELY : flips_all(c) ? VERY_RARELY * WITH_FLIPS : VERY_RARELY;
  return !random_below(&c->random, rarely);
}

/* So many block moves: a sweep; or, where flips do, one now and then.  Small components are
** drawn as a whole by one block move, which is better than flips. */
static size_t count_moves(Chain *c) {
  if (c->block_moves != SIZE_MAX)
    return c->block_moves;
  if (!flips_all(c) || largest(c) <= SMALL)
    return sweep(c);
  return !random_below(&c->random, BLOCKS_RARELY);
}

/* Half of the time, about. */
static bool tempers_now(Chain *c) {
  return c->temper.levels && flips_all(c) && largest(c) > SMALL &&
         !random_below(&c->random, 2 * c->temper.levels);
}

/* Moves that change the state at once; all of them with the same right. */
static void move_atoms(Chain *c, bool tune) {
  assert(c->block_moves);
  if (tempers_now(c))
    temper_move(&c->temper, &c->flips, c->weights, tune, &c->random);
  flips_sweep(&c->flips, c->weights, &c->random);
  if (tune)
    c->stuck = c->flips.blocked > c->flips.tried / STUCK;
}

Status chain_step(Chain *c, bool tune) {
  assert(c->atoms && c->model);
  if (c->told)
    c->told->kept.n = 0, c->told->candidates = 1, c->told->counted = true;
  Status status = OK;
  for (uint32_t k = 0; status == OK && k < c->target->analysis.components; k++) {
    if (!moves_now(c, k))
      continue;
    c->kept.n = 0;
    keep_evidence(c);
    keep_others(c, k);
    keep_instances(c, k);
    status = draw(c);
    if (status == OK && c->told)
      tell(c);
    flips_stale(&c->flips);
  }
  size_t moves = c->block_moves ? count_moves(c) : 0;
  for (size_t i = 0; status == OK && i < moves; i++) {
    status = blocks_move(&c->blocks, &c->region, c->weights, tune, &c->random, c->atoms);
    flips_stale(&c->flips);
  }
  if (status == OK && c->block_moves)
    move_atoms(c, tune);
  return status;
}

void chain_forget(Chain *c) {
  uniform_forget(&c->uniform);
  flips_stale(&c->flips);
}

/* ---- the state as words ------------------------------------------------------------------ */

enum { HEAD_WORDS = 12, WORD = 64 };

size_t chain_words(const Chain *c) {
  return HEAD_WORDS + (c->target->ground.atoms.n + WORD - 1) / WORD;
}

void chain_save(const Chain *c, uint64_t *to) {
  assert(c->atoms);
  size_t n = c->target->ground.atoms.n;
  uint64_t head[HEAD_WORDS] = {
      c->random.state[0], c->random.state[1], c->random.state[2],
      c->random.state[3], c->uniform.guess,   c->blocks.size,
      c->flips.tried,     c->flips.blocked,   (uint64_t)(c->near | c->stuck << 1),
      c->temper.levels,   c->temper.tried,    c->temper.accepted};
  memset(to, 0, chain_words(c) * sizeof *to);
  memcpy(to, head, sizeof head);
  for (size_t a = 0; a < n; a++)
    to[HEAD_WORDS + a / WORD] |= (uint64_t)c->atoms[a] << a % WORD;
}

void chain_restore(Chain *c, const uint64_t *from) {
  assert(c->atoms);
  memcpy(c->random.state, from, sizeof c->random.state);
  c->uniform.guess = (uint32_t)from[4];
  c->blocks.size = from[5];
  c->flips.tried = from[6], c->flips.blocked = from[7];
  c->near = from[8] & 1, c->stuck = from[8] >> 1 & 1;
  c->temper.levels = (uint32_t)(from[9] & 127);
  c->temper.tried = (uint32_t)from[10], c->temper.accepted = (uint32_t)from[11];
  for (size_t a = 0; a < c->target->ground.atoms.n; a++)
    c->atoms[a] = from[HEAD_WORDS + a / WORD] >> a % WORD & 1;
  chain_forget(c);
}

void chain_free(Chain *c) {
  uniform_free(&c->uniform);
  blocks_free(&c->blocks);
  flips_free(&c->flips);
  temper_free(&c->temper);
  region_free(&c->region);
  vec_free(&c->kept);
  free(c->atoms);
  free(c->model);
}
