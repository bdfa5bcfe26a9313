/* uniform.c - see uniform.h: slices, cells and the choice within them. */
#include "sample/uniform.h"

#include "compile/strata.h"
#include "sample/solve.h"

#include <string.h>

enum { MOST_BYTES = 1 << 26 }; /* of models that are enumerated to choose from */

UniformOptions uniform_options_default(void) {
  return (UniformOptions){.pivot = 4096, .epsilon = 0.5, .doubt = 0.01, .retries = 32,
                          .hard_violated = NONE};
}

/* ---- the worker -------------------------------------------------------------------- */

static Status status_of(WorkerOutcome outcome) {
  switch (outcome) {
  case WORKER_OK: return OK;
  case WORKER_TIME:
  case WORKER_MEMORY: return LIMIT;
  case WORKER_INTERRUPTED: return INTERRUPTED;
  case WORKER_DIED:
  case WORKER_MISSING: break;
  }
  return INTERNAL;
}

static bool take_models(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  Uniform *u = data;
  size_t bytes = count * layout->bytes;
  vec_reserve(&u->cell, bytes);
  if (bytes)
    memcpy(u->cell.at + u->cell.n, models, bytes);
  u->cell.n += bytes;
  u->count += count;
  return true;
}

static Status ask(Uniform *u, uint32_t request) {
  u->cell.n = u->count = 0;
  u->outcome = worker_send(&u->worker, request, &u->request, u->limits);
  if (u->outcome == WORKER_OK)
    u->outcome = receive_models(&u->worker, u->limits, &u->encoding.layout, take_models, u);
  return status_of(u->outcome);
}

/* Guessed atoms: all others follow from them. */
static void find_hashed(Uniform *u, const Ground *g, const Analysis *an) {
  Strata strata;
  strata_make(g, an, &strata);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (strata.guessed[a] && u->encoding.atom[a])
      vec_push(&u->hashed, (int32_t)u->encoding.atom[a]);
  strata_free(&strata);
}

static void write_literals(Text *to, const int32_t *literals, size_t n) {
  payload_u32(to, (uint32_t)n);
  text_add(to, (const char *)literals, n * sizeof *literals);
}

Status uniform_begin(Uniform *u, const Ground *g, const Analysis *an, const char *worker_path,
                     const Limits *limits, const UniformOptions *options) {
  *u = (Uniform){.options = *options, .bounds = uniform_bounds(options), .limits = limits};
  encode_begin(&u->encoding, g, an);
  find_hashed(u, g, an);
  if (options->hard_violated != NONE)
    encode_hard_bound(&u->encoding, options->hard_violated);
  encode_write(&u->encoding, &u->request);
  write_literals(&u->request, u->hashed.at, u->hashed.n);
  size_t affordable = MOST_BYTES / (u->encoding.layout.bytes + 1);
  if (u->options.pivot > affordable)
    u->options.pivot = affordable;
  if (u->options.pivot < 4 * u->bounds.mean) /* what is hashed must fill two cells */
    u->options.pivot = 4 * u->bounds.mean;
  u->outcome = worker_start(&u->worker, worker_path, limits);
  return u->outcome == WORKER_OK ? ask(u, REQUEST_LOAD) : status_of(u->outcome);
}

void uniform_free(Uniform *u) {
  worker_free(&u->worker);
  encode_free(&u->encoding);
  vec_free(&u->hashed);
  vec_free(&u->slice.assumed);
  vec_free(&u->request);
  vec_free(&u->rows);
  vec_free(&u->cell);
}

/* ---- cells ----------------------------------------------------------------------------- */

Status uniform_rows(Uniform *u, const uint64_t *rows, uint32_t bits, size_t most) {
  u->request.n = 0;
  payload_u32(&u->request, (uint32_t)most);
  write_literals(&u->request, u->slice.assumed.at, u->slice.assumed.n);
  payload_u32(&u->request, bits);
  text_add(&u->request, (const char *)rows, bits * uniform_row_words(u) * sizeof *rows);
  u->cells++;
  return ask(u, REQUEST_CELL);
}

Status uniform_cell(Uniform *u, uint32_t bits, size_t most, Random *random) {
  size_t words = bits * uniform_row_words(u);
  u->rows.n = 0;
  vec_reserve(&u->rows, words);
  for (size_t i = 0; i < words; i++)
    vec_push(&u->rows, random_bits(random));
  return uniform_rows(u, u->rows.at, bits, most);
}

typedef struct {
  const uint8_t *at;
  size_t bytes;
} Model;

static int compare_models(const void *a, const void *b) {
  const Model *x = a, *y = b;
  return x->bytes ? memcmp(x->at, y->at, x->bytes) : 0;
}

/* Puts the cell in an order of its own. */
static void sort_cell(Uniform *u) {
  size_t bytes = u->encoding.layout.bytes;
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

static void choose(const Uniform *u, Random *random, uint8_t *model) {
  size_t bytes = u->encoding.layout.bytes, which = random_below(random, u->count);
  if (bytes)
    memcpy(model, u->cell.at + which * bytes, bytes);
}

/* ---- slices ------------------------------------------------------------------------- */

/* The assumption as a literal of the solver; true or false if it is known. */
static bool literal_of(const Encoding *e, Assumption a, int32_t *literal) {
  int32_t positive = a.violation ? e->violation[a.id] : (int32_t)e->atom[a.id];
  *literal = a.holds ? positive : -positive;
  bool always = a.violation ? e->layout.of_instance[a.id] == ALWAYS
                            : e->g->atoms.at[a.id].truth == ATOM_CERTAIN;
  return positive || always == a.holds;
}

/* Makes the slice of the assumptions the current one.  False: it is empty. */
static bool enter(Uniform *u, const Assumption *assumptions, size_t n) {
  VEC(int32_t) assumed = {0};
  bool possible = true;
  for (size_t i = 0; i < n; i++) {
    int32_t literal;
    possible &= literal_of(&u->encoding, assumptions[i], &literal);
    if (literal)
      vec_push(&assumed, literal);
  }
  UniformSlice *s = &u->slice;
  bool same = s->known && assumed.n == s->assumed.n &&
              (!assumed.n || !memcmp(assumed.at, s->assumed.at, assumed.n * sizeof *assumed.at));
  if (!same)
    s->known = s->whole = false;
  vec_free(&s->assumed);
  s->assumed.at = assumed.at, s->assumed.n = assumed.n, s->assumed.room = assumed.room;
  return possible;
}

/* A slice seems too large to enumerate if a cell says so that was cut out by as
** many bits as another slice needed. */
static Status seems_large(Uniform *u, Random *random, bool *large) {
  *large = false;
  if (!u->guess)
    return OK;
  Status status = uniform_cell(u, u->guess, u->bounds.cap, random);
  *large = u->guess > 60 ? u->count > 0 : (double)u->count * (double)(1ull << u->guess) > 4.0 * (double)u->options.pivot;
  return status;
}

/* Enumerates the slice, or finds the bits that cut it into cells. */
static Status explore(Uniform *u, Random *random) {
  bool large;
  Status status = seems_large(u, random, &large);
  if (status == OK && !large) {
    status = uniform_cell(u, 0, u->options.pivot + 1, random);
    u->slice.whole = u->count <= u->options.pivot;
  }
  if (status != OK)
    return status;
  if (u->slice.whole) {
    sort_cell(u);
  } else {
    status = uniform_count(u, random);
    u->guess = status == OK ? u->slice.bits : u->guess;
  }
  u->slice.known = status == OK;
  return status;
}

static Status draw_hashed(Uniform *u, Random *random, uint8_t *model) {
  for (unsigned i = 0; i < u->options.retries; i++) {
    Status status = uniform_cell(u, u->slice.bits, u->bounds.most + 1, random);
    if (status != OK)
      return status;
    if (u->count < u->bounds.least || u->count > u->bounds.most)
      continue;
    sort_cell(u);
    choose(u, random, model);
    return OK;
  }
  return LIMIT;
}

Status uniform_draw(Uniform *u, const Assumption *assumptions, size_t n, Random *random,
                    uint8_t *model, UniformGuarantee *guarantee) {
  u->outcome = WORKER_OK;
  if (!enter(u, assumptions, n))
    return NO_ANSWER;
  Status status = u->slice.known ? OK : explore(u, random);
  if (status != OK)
    return status;
  *guarantee = u->slice.whole ? UNIFORM_EXACT : UNIFORM_NEAR;
  if (!u->slice.whole)
    return draw_hashed(u, random, model);
  if (!u->count)
    return NO_ANSWER;
  choose(u, random, model);
  return OK;
}
