/* uniform.c - see uniform.h: the program in the worker, its parts, and draws. */
#include "sample/uniform.h"

#include "base/bytes.h"
#include "compile/strata.h"
#include "sample/minimality.h"
#include "sample/solve.h"
#include "solver/protocol.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_BYTES = 1 << 26, /* of models that are enumerated to choose from */
  MOST_PARTS = 256,
};

UniformOptions uniform_options_default(void) {
  return (UniformOptions){.pivot = 4096,
                          .epsilon = 0.5,
                          .doubt = 0.01,
                          .retries = 32,
                          .hard_violated = NONE,
                          .trials = true};
}

/* ---- the worker -------------------------------------------------------------------- */

static Status status_of(WorkerOutcome outcome) {
  switch (outcome) {
  case WORKER_OK: return OK;
  case WORKER_TIME:
  case WORKER_ENDLESS:
  case WORKER_MEMORY: return LIMIT;
  case WORKER_INTERRUPTED: return INTERRUPTED;
  case WORKER_DIED:
  case WORKER_DAMAGED:
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

static void write_literals(Text *to, const int32_t *literals, size_t n) {
  put_u32(to, (uint32_t)n);
  text_add(to, (const char *)literals, n * sizeof *literals);
}

/* Starts a worker and gives it the program. */
static Status load(Uniform *u) {
  Text program = {0};
  Layout layout = {0};
  encode_write(&u->encoding, &program);
  write_literals(&program, u->hashed.at, u->hashed.n);
  u->outcome = worker_start(&u->worker, u->limits);
  if (u->outcome == WORKER_OK)
    u->outcome = worker_send(&u->worker, REQUEST_LOAD, &program, u->limits);
  if (u->outcome == WORKER_OK)
    u->outcome = receive_models(&u->worker, u->limits, &layout, take_models, u);
  u->parked = u->outcome != WORKER_OK;
  vec_free(&program);
  return status_of(u->outcome);
}

static Status ask(Uniform *u, uint32_t request, size_t bytes) {
  Layout layout = {.bytes = (uint32_t)bytes};
  Status status = u->parked ? load(u) : OK;
  if (status != OK)
    return status;
  u->cell.n = u->count = 0;
  u->outcome = worker_send(&u->worker, request, &u->request, u->limits);
  if (u->outcome == WORKER_OK)
    u->outcome = receive_models(&u->worker, u->limits, &layout, take_models, u);
  return status_of(u->outcome);
}

void uniform_park(Uniform *u) {
  worker_stop(&u->worker);
  u->parked = true;
}

Status uniform_rows(Uniform *u, const UniformSlice *s, const uint64_t *rows, uint32_t bits,
                    size_t most) {
  assert(rows || !bits);
  assert(s->bytes == (s->bits.n + 7) / 8);
  Text *r = &u->request;
  r->n = 0;
  put_u32(r, (uint32_t)most);
  write_literals(r, u->context.at, u->context.n);
  put_u32(r, (uint32_t)s->bits.n);
  for (size_t i = 0; i < s->bits.n; i++)
    put_u32(r, (uint32_t)u->encoding.reported.at[s->bits.at[i]]);
  put_u32(r, bits);
  text_add(r, (const char *)rows, bits * uniform_row_words(u) * sizeof *rows);
  u->cells++;
  return ask(u, REQUEST_CELL, s->bytes);
}

Status uniform_cell(Uniform *u, const UniformSlice *s, uint32_t bits, size_t most, Random *random) {
  size_t words = bits * uniform_row_words(u);
  u->rows.n = 0;
  vec_reserve(&u->rows, words);
  for (size_t i = 0; i < words; i++)
    vec_push(&u->rows, random_bits(random));
  return uniform_rows(u, s, u->rows.at, bits, most);
}

/* ---- parts --------------------------------------------------------------------------- */

/* By component: its part.  A bound on all violated hard rules makes all one. */
static uint32_t *number_parts(const Analysis *an, const Strata *strata, const Ground *g, bool one) {
  bool *guessing = memory_zero(an->components, sizeof *guessing);
  uint32_t *part = memory_zero(an->components, sizeof *part), n = 0, count = 0;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (an->component[a] != NONE && strata->guessed[a])
      guessing[an->component[a]] = true;
  for (uint32_t c = 0; c < an->components; c++)
    n += guessing[c];
  uint32_t each = one ? n : (n + MOST_PARTS - 1) / MOST_PARTS; /* in a part */
  for (uint32_t c = 0; c < an->components; c++)
    part[c] = guessing[c] ? count++ / each : NONE;
  free(guessing);
  return part;
}

static uint32_t part_of_rule(const Uniform *u, const Ground *g, const Rule *r) {
  if (!r->heads && !r->size)
    return NONE;
  return u->part_of_atom[r->heads ? rule_heads(g, r)[0] : lit_atom(rule_body(g, r)[0])];
}

static void place_atoms(Uniform *u, const Ground *g, const Analysis *an, const uint32_t *part) {
  u->part_of_atom = memory_zero(g->atoms.n, sizeof *u->part_of_atom);
  u->part_of_instance = memory_zero(g->instances.n, sizeof *u->part_of_instance);
  for (Atom a = 0; a < g->atoms.n; a++)
    u->part_of_atom[a] = an->component[a] == NONE ? NONE : part[an->component[a]];
  for (size_t i = 0; i < g->instances.n; i++)
    u->part_of_instance[i] = NONE;
  for (size_t i = 0; i < g->rules.n; i++)
    if (g->rules.at[i].instance != NONE)
      u->part_of_instance[g->rules.at[i].instance] = part_of_rule(u, g, &g->rules.at[i]);
}

static void add_hashed(Uniform *u, const Ground *g, const Strata *strata, uint32_t part) {
  UniformPart new = {.first = (uint32_t)u->hashed.n, .slice.part = part};
  for (Atom a = 0; a < g->atoms.n; a++)
    if (u->part_of_atom[a] == part && strata->guessed[a]) {
      vec_push(&u->hashed, (int32_t)u->encoding.atom[a]);
      vec_push(&u->hashed_bit, u->encoding.layout.of_atom[a]);
    }
  new.end = (uint32_t)u->hashed.n;
  vec_push(&u->parts, new);
}

static void add_bit(UniformSlice *s, uint32_t bit) {
  assert(bit != NONE);
  vec_push(&s->bits, bit);
  s->bytes = (s->bits.n + 7) / 8;
}

static void place_bits(Uniform *u, const Ground *g) {
  const Layout *layout = &u->encoding.layout;
  for (uint32_t i = 0; i < layout->bits; i++)
    add_bit(&u->all, i);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (layout->of_atom[a] != NONE && u->part_of_atom[a] != NONE)
      add_bit(&u->parts.at[u->part_of_atom[a]].slice, layout->of_atom[a]);
  for (size_t i = 0; i < g->instances.n; i++)
    if (layout->of_instance[i] < layout->bits && u->part_of_instance[i] != NONE)
      add_bit(&u->parts.at[u->part_of_instance[i]].slice, layout->of_instance[i]);
}

/* What is enumerated must be affordable, and what is hashed must fill cells. */
static void set_pivot(const Uniform *u, UniformSlice *s) {
  size_t affordable = MOST_BYTES / (u->parts.n + 1) / (s->bytes + 1),
         least = 4 * (size_t)u->bounds.mean;
  s->pivot = u->options.pivot < affordable ? u->options.pivot : affordable;
  s->pivot = s->pivot > least ? s->pivot : least;
}

static void find_parts(Uniform *u, const Ground *g, const Analysis *an) {
  Strata strata;
  strata_make(g, an, &strata);
  bool one = u->options.together || u->options.hard_violated != NONE;
  uint32_t *part = number_parts(an, &strata, g, one), n = 0;
  place_atoms(u, g, an, part);
  for (uint32_t c = 0; c < an->components; c++)
    n = part[c] != NONE && part[c] >= n ? part[c] + 1 : n;
  for (uint32_t i = 0; i < n; i++)
    add_hashed(u, g, &strata, i);
  u->all.part = NONE;
  place_bits(u, g);
  for (size_t i = 0; i < u->parts.n; i++)
    set_pivot(u, &u->parts.at[i].slice);
  set_pivot(u, &u->all);
  free(part);
  strata_free(&strata);
}

Status uniform_begin(Uniform *u, const Ground *g, const Analysis *an, const char *worker_path,
                     const Limits *limits, const UniformOptions *options) {
  assert(g->sealed && limits);
  *u = (Uniform){.options = *options, .bounds = uniform_bounds(options), .limits = limits};
  encode_begin(&u->encoding, g, an);
  find_parts(u, g, an);
  if (options->hard_violated != NONE)
    encode_hard_bound(&u->encoding, options->hard_violated);
  if (options->trials && options->hard_violated == NONE)
    reject_begin(&u->reject, g, an, &u->encoding, u->part_of_atom, (uint32_t)u->parts.n);
  u->fixed = memory_zero((size_t)u->encoding.p.atoms + 1, sizeof *u->fixed);
  u->worker.wanted = worker_path;
  return load(u);
}

static void slice_free(UniformSlice *s) {
  vec_free(&s->bits);
  vec_free(&s->assumed);
  vec_free(&s->models);
}

void uniform_free(Uniform *u) {
  worker_free(&u->worker);
  encode_free(&u->encoding);
  for (size_t i = 0; i < u->parts.n; i++) {
    slice_free(&u->parts.at[i].slice);
    vec_free(&u->parts.at[i].now);
  }
  slice_free(&u->all);
  reject_free(&u->reject);
  vec_free(&u->parts);
  vec_free(&u->hashed);
  vec_free(&u->hashed_bit);
  vec_free(&u->assumed);
  vec_free(&u->base);
  vec_free(&u->based);
  vec_free(&u->context);
  vec_free(&u->request);
  vec_free(&u->rows);
  vec_free(&u->cell);
  free(u->part_of_atom);
  free(u->part_of_instance);
  free(u->fixed);
}

/* ---- draws --------------------------------------------------------------------------- */

/* The assumption as a literal of the solver, 0 if it is known.  False: it can't
** hold. */
static bool literal_of(const Encoding *e, Assumption a, int32_t *literal) {
  assert(a.id < (a.violation ? e->g->instances.n : e->g->atoms.n));
  int32_t positive = a.violation ? e->violation[a.id] : (int32_t)e->atom[a.id];
  *literal = a.holds ? positive : -positive;
  bool always = a.violation ? e->layout.of_instance[a.id] == ALWAYS
                            : e->g->atoms.at[a.id].truth == ATOM_CERTAIN;
  return positive || always == a.holds;
}

static bool equal(const SolverLiterals *a, const SolverLiterals *b) {
  return a->n == b->n && (!a->n || !memcmp(a->at, b->at, a->n * sizeof *a->at));
}

static void copy(SolverLiterals *to, const SolverLiterals *from) {
  to->n = 0;
  for (size_t i = 0; i < from->n; i++)
    vec_push(to, from->at[i]);
}

/* False: the assumptions contradict what is certain. */
static bool take_assumptions(Uniform *u, const Assumption *list, size_t n) {
  bool possible = true;
  u->assumed.n = 0;
  for (size_t i = 0; i < u->parts.n; i++)
    u->parts.at[i].now.n = 0;
  for (size_t i = 0; i < n; i++) {
    int32_t literal;
    possible &= literal_of(&u->encoding, list[i], &literal);
    if (!literal)
      continue;
    vec_push(&u->assumed, literal);
    uint32_t part =
        list[i].violation ? u->part_of_instance[list[i].id] : u->part_of_atom[list[i].id];
    if (part != NONE)
      vec_push(&u->parts.at[part].now, literal);
  }
  return possible;
}

/* Marks the atoms that the assumptions are about, or takes the marks away. */
static void mark(Uniform *u, bool value) {
  for (size_t i = 0; i < u->assumed.n; i++)
    u->fixed[abs(u->assumed.at[i])] = value;
}

/* Does it have a guessed atom that is not assumed? */
static bool is_open(const Uniform *u, const UniformPart *part) {
  for (uint32_t i = part->first; i < part->end; i++)
    if (!u->fixed[u->hashed.at[i]])
      return true;
  return false;
}

static void enter(Uniform *u, UniformSlice *s, const SolverLiterals *assumed) {
  s->known &= equal(&s->assumed, assumed);
  if (s->known)
    return;
  copy(&s->assumed, assumed);
  u->trying = u->trying == s ? NULL : u->trying;
}

static Status draw_as_one(Uniform *u, Random *random, uint8_t *model, UniformGuarantee *guarantee) {
  const uint8_t *drawn;
  enter(u, &u->all, &u->assumed);
  copy(&u->context, &u->assumed);
  Status status = uniform_slice_draw(u, &u->all, random, &drawn);
  if (status != OK)
    return status;
  if (u->all.bytes)
    memcpy(model, drawn, u->all.bytes);
  u->near = !u->all.whole && !u->all.tried;
  *guarantee = u->near ? UNIFORM_NEAR : UNIFORM_EXACT;
  return OK;
}

/* Some model under the assumptions, for the parts that are not being drawn. */
static Status find_base(Uniform *u) {
  if (u->has_base && equal(&u->based, &u->assumed))
    return OK;
  u->has_base = false;
  copy(&u->context, &u->assumed);
  Status status = uniform_rows(u, &u->all, NULL, 0, 1);
  if (status != OK || !u->count)
    return status == OK ? NO_ANSWER : status;
  u->base.n = 0;
  for (size_t i = 0; i < u->all.bytes; i++)
    vec_push(&u->base, u->cell.at[i]);
  copy(&u->based, &u->assumed);
  u->has_base = true;
  return OK;
}

/* The other parts stay as in the base. */
static void hold_others(Uniform *u, const UniformPart *part) {
  assert(u->has_base && part->end <= u->hashed.n);
  copy(&u->context, &u->assumed);
  for (uint32_t i = 0; i < u->hashed.n; i++)
    if (i < part->first || i >= part->end) {
      bool holds = layout_bit(u->base.at, u->hashed_bit.at[i]);
      vec_push(&u->context, holds ? u->hashed.at[i] : -u->hashed.at[i]);
    }
}

static void put_bits(const UniformSlice *s, const uint8_t *from, uint8_t *model) {
  for (uint32_t i = 0; i < s->bits.n; i++) {
    uint32_t bit = s->bits.at[i];
    uint8_t mask = (uint8_t)(1u << (bit & 7));
    model[bit >> 3] =
        (uint8_t)(layout_bit(from, i) ? model[bit >> 3] | mask : model[bit >> 3] & ~mask);
  }
}

static Status draw_parts(Uniform *u, Random *random, uint8_t *model, UniformGuarantee *guarantee) {
  Status status = find_base(u);
  if (status != OK)
    return status;
  assert(u->base.n == u->encoding.layout.bytes);
  u->near = 0;
  memcpy(model, u->base.at, u->base.n);
  for (size_t i = 0; i < u->parts.n; i++) {
    UniformPart *part = &u->parts.at[i];
    UniformSlice *s = &part->slice;
    const uint8_t *drawn;
    enter(u, s, &part->now);
    if (!s->known || !(s->whole || s->tried))
      hold_others(u, part);
    status = uniform_slice_draw(u, s, random, &drawn);
    if (status != OK)
      return status;
    put_bits(s, drawn, model);
    u->near += !s->whole && !s->tried;
  }
  *guarantee = u->near ? UNIFORM_NEAR : UNIFORM_EXACT;
  return OK;
}

Status uniform_draw(Uniform *u, const Assumption *assumptions, size_t n, Random *random,
                    uint8_t *model, UniformGuarantee *guarantee) {
  assert(assumptions || !n);
  uint32_t open = 0;
  u->outcome = WORKER_OK;
  if (!take_assumptions(u, assumptions, n))
    return NO_ANSWER;
  mark(u, true);
  for (size_t i = 0; i < u->parts.n; i++)
    open += is_open(u, &u->parts.at[i]);
  mark(u, false);
  return open > 1 ? draw_parts(u, random, model, guarantee)
                  : draw_as_one(u, random, model, guarantee);
}

void uniform_forget(Uniform *u) {
  u->all.known = u->has_base = false;
  for (size_t i = 0; i < u->parts.n; i++)
    u->parts.at[i].slice.known = false;
}

Status uniform_any(Uniform *u, const Assumption *assumptions, size_t n, uint8_t *model) {
  assert(assumptions || !n);
  u->outcome = WORKER_OK;
  Status status = take_assumptions(u, assumptions, n) ? find_base(u) : NO_ANSWER;
  if (status == OK && u->base.n)
    memcpy(model, u->base.at, u->base.n);
  return status;
}
