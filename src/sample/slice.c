/* slice.c - a model of one slice: by choice from all, by trial, or from a hashed cell. */
#include "sample/uniform.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const uint8_t *at;
  size_t bytes;
} Model;

static int compare_models(const void *a, const void *b) {
  const Model *x = a, *y = b;
  return memcmp(x->at, y->at, x->bytes);
}

/* Puts the cell in an order of its own: the solver's does not matter then. */
static void sort_cell(Uniform *u, size_t bytes) {
  if (!u->count || !bytes)
    return;
  Model *models = memory_zero(u->count, sizeof *models);
  for (size_t i = 0; i < u->count; i++)
    models[i] = (Model){u->cell.at + i * bytes, bytes};
  qsort(models, u->count, sizeof *models, compare_models);
  uint8_t *sorted = memory_resize(NULL, u->count * bytes, 1);
  for (size_t i = 0; i < u->count; i++)
    memcpy(sorted + i * bytes, models[i].at, bytes);
  free(u->cell.at);
  u->cell.at = sorted;
  u->cell.room = u->count * bytes;
  free(models);
}

/* The cell becomes the slice's models, whose memory is used for the next cell. */
static void keep_cell(Uniform *u, UniformSlice *s) {
  assert(u->cell.n == u->count * s->bytes);
  sort_cell(u, s->bytes);
  uint8_t *at = s->models.at;
  size_t room = s->models.room;
  s->models.at = u->cell.at, s->models.n = u->cell.n, s->models.room = u->cell.room;
  u->cell.at = at, u->cell.n = 0, u->cell.room = room;
  s->count = u->count;
}

/* A slice seems too large to enumerate if a cell says so that was cut out by as
** many bits as another slice needed. */
static Status seems_large(Uniform *u, const UniformSlice *s, Random *random, bool *large) {
  *large = false;
  if (!u->guess)
    return OK;
  Status status = uniform_cell(u, s, u->guess, u->bounds.most, random);
  *large = ldexp((double)u->count, (int)u->guess) > 4.0 * (double)s->pivot;
  return status;
}

/* ---- by trial ---------------------------------------------------------------------------- */

static bool go_to(Uniform *u, UniformSlice *s) {
  u->trying = s;
  return reject_enter(&u->reject, s->part, s->assumed.at, s->assumed.n);
}

/* The models that were found become those of the slice: each is as good as any other. */
static void take_found(Uniform *u, UniformSlice *s) {
  s->models.n = s->count = 0;
  for (unsigned lane = 0; lane < LANES; lane++)
    if (lanes_bit(&u->reject.alive, lane)) {
      vec_reserve(&s->models, s->bytes + 1);
      reject_take(&u->reject, lane, s->bits.at, s->bits.n, s->models.at + s->models.n);
      s->models.n += s->bytes;
      s->count++;
    }
}

/* Can models be found by trial?  Then there are some already. */
static Status explore_trials(Uniform *u, UniformSlice *s, Random *random) {
  assert(!s->whole && !s->tried);
  if (!u->reject.part || !go_to(u, s))
    return OK;
  uint64_t effort = reject_effort(&u->reject, random);
  Status status = reject_find(&u->reject, effort, u->limits, random);
  if (status == OK && lanes_any(&u->reject.alive)) {
    s->tried = true;
    take_found(u, s);
  }
  return status;
}

/* The next model; more are found if there is none. */
static Status next_found(Uniform *u, UniformSlice *s, Random *random, const uint8_t **model) {
  Status status = OK;
  if (!s->count && u->trying != s)
    (void)go_to(u, s);
  if (!s->count)
    status = reject_find(&u->reject, UINT64_MAX, u->limits, random);
  if (status != OK)
    return status;
  if (!s->count)
    take_found(u, s);
  assert(s->count);
  *model = s->models.at + --s->count * s->bytes;
  return OK;
}

/* ---- either way ------------------------------------------------------------------------- */

/* Enumerates the slice, or finds the bits that cut it into cells. */
static Status explore(Uniform *u, UniformSlice *s, Random *random) {
  assert(!s->known);
  bool large;
  s->whole = s->tried = false;
  Status status = seems_large(u, s, random, &large);
  if (status == OK && !large) {
    status = uniform_cell(u, s, 0, s->pivot + 1, random);
    s->whole = u->count <= s->pivot;
  }
  if (status == OK && !s->whole)
    status = explore_trials(u, s, random);
  if (status == OK && !s->whole && !s->tried)
    status = uniform_count(u, s, random);
  if (status != OK)
    return status;
  if (s->whole)
    keep_cell(u, s);
  else if (!s->tried)
    u->guess = s->hash_bits;
  s->known = true;
  return OK;
}

static Status find_cell(Uniform *u, UniformSlice *s, Random *random) {
  assert(s->known && !s->whole);
  for (unsigned i = 0; i < u->options.retries; i++) {
    Status status = uniform_cell(u, s, s->hash_bits, u->bounds.most + 1, random);
    if (status != OK)
      return status;
    if (u->count < u->bounds.least || u->count > u->bounds.most)
      continue;
    keep_cell(u, s);
    return OK;
  }
  return LIMIT;
}

Status uniform_slice_draw(Uniform *u, UniformSlice *s, Random *random, const uint8_t **model) {
  Status status = s->known ? OK : explore(u, s, random);
  if (status == OK && s->tried)
    return next_found(u, s, random, model);
  if (status == OK && !s->whole)
    status = find_cell(u, s, random);
  if (status == OK && !s->count)
    status = NO_ANSWER;
  if (status == OK)
    *model = s->models.at + random_below(random, s->count) * s->bytes;
  return status;
}
