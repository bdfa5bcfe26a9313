/* rows.c - see rows.h. */
#include "infer/rows.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "circuit/batch.h"
#include "circuit/circuit.h"
#include "infer/careful.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TILE ((size_t)BATCH_TILE)

/* A column of evidence, or a query, in a copy. */
typedef struct {
  uint32_t column, variable;
} Column;

/* A copy that columns, queries or evidence are about. */
typedef struct {
  uint32_t part, copy;
  VEC(Column) observed, asked, fixed; /* fixed: column is the value */
} Active;

typedef struct {
  const RowsShape *shape;
  const lpmln_batch *batch;
  const Limits *limits;
  atomic_int ended;       /* by a limit: that Status; OK: not */
  VEC(Active) active;     /* part after part */
  uint32_t *passive;      /* by part: copies that nothing is about */
  uint32_t *parameter_of; /* by weight: its parameter, or NONE */
  bool prior, counts;     /* what is wanted: the program alone, expected counts */
  bool large;             /* weights of the shape want care */
} Rows;

/* ---- what goes where ------------------------------------------------------------------ */

static int compare_active(const void *a, const void *b) {
  const Active *x = a, *y = b;
  if (x->part != y->part)
    return x->part < y->part ? -1 : 1;
  return (x->copy > y->copy) - (x->copy < y->copy);
}

/* By root copy: its place in active + 1. */
static Active *active_at(Rows *r, uint32_t *known, ToldPlace at) {
  assert(at.part < r->shape->told->root->parts.n);
  const CircuitPart *part = &r->shape->told->root->parts.at[at.part];
  assert(at.copy < part->copies);
  uint32_t *number = &known[part->first + at.copy];
  if (!*number) {
    vec_push(&r->active, (Active){.part = at.part, .copy = at.copy});
    *number = (uint32_t)r->active.n;
  }
  assert(r->active.at && *number <= r->active.n);
  return &r->active.at[*number - 1];
}

static void find_active(Rows *r) {
  const RowsShape *s = r->shape;
  const Told *told = s->told;
  uint32_t *known = memory_zero(told->root->copies.n, sizeof *known);
  for (uint32_t i = 0; r->batch->evidence.at && i < s->observables; i++)
    if (told_has(told, s->observable[i])) {
      ToldPlace at = told->place[s->observable[i]];
      Active *to = active_at(r, known, at);
      vec_push(&to->observed, (Column){i, at.variable});
    }
  for (uint32_t i = 0; r->batch->marginals.at && i < s->queries; i++)
    if (told_has(told, s->query[i])) {
      ToldPlace at = told->place[s->query[i]];
      Active *to = active_at(r, known, at);
      vec_push(&to->asked, (Column){i, at.variable});
    }
  for (size_t i = 0; i < s->evidences; i++) {
    Atom a = lit_atom(s->evidence[i]);
    assert(told_has(told, a));
    ToldPlace at = told->place[a];
    Active *to = active_at(r, known, at);
    vec_push(&to->fixed, (Column){!lit_negated(s->evidence[i]), at.variable});
  }
  free(known);
  if (r->active.n)
    qsort(r->active.at, r->active.n, sizeof *r->active.at, compare_active);
  r->passive = memory_zero(told->root->parts.n, sizeof *r->passive);
  for (size_t i = 0; i < told->root->parts.n; i++)
    r->passive[i] = told->root->parts.at[i].copies;
  for (size_t i = 0; i < r->active.n; i++)
    r->passive[r->active.at[i].part]--;
}

static void rows_begin(Rows *r, const RowsShape *s, const lpmln_batch *b, const Limits *limits) {
  *r = (Rows){.shape = s, .batch = b, .limits = limits};
  find_active(r);
  r->parameter_of = memory_zero(s->ground->weights.n, sizeof *r->parameter_of);
  memset(r->parameter_of, 0xff, s->ground->weights.n * sizeof *r->parameter_of);
  for (uint32_t i = 0; i < s->parameters; i++)
    r->parameter_of[s->parameter[i]] = i;
  r->large = careful_needed(s->weights, s->ground->weights.n);
  r->counts = b->counts.at || b->gradient.at;
  r->prior = b->log_partition.at || b->log_evidence.at || b->gradient.at;
}

static void rows_free(Rows *r) {
  for (size_t i = 0; i < r->active.n; i++) {
    vec_free(&r->active.at[i].observed);
    vec_free(&r->active.at[i].asked);
    vec_free(&r->active.at[i].fixed);
  }
  vec_free(&r->active);
  free(r->passive);
  free(r->parameter_of);
}

/* ---- a tile ---------------------------------------------------------------------------- */

/* A thread's workspace. */
typedef struct {
  const Rows *rows;
  BatchWork *told, *program; /* by part; the same if the circuits are */
  double *weights;           /* [weight of a plan][lane] */
  int8_t *evidence;          /* [variable][lane] */
  double *held, *expected;
  size_t first, lanes; /* rows of the tile */
  double log_value[TILE], log_prior[TILE];
  bool impossible[TILE];
  double *counts, *prior_counts; /* [parameter][lane] */
} Tile;

static double *matrix_at(const lpmln_matrix *m, size_t row, size_t column) {
  return m->at + (ptrdiff_t)row * m->row_stride + (ptrdiff_t)column * m->column_stride;
}

static double weight_at(const Tile *t, uint32_t weight, size_t lane) {
  assert(weight < t->rows->shape->ground->weights.n && lane < TILE);
  const Rows *r = t->rows;
  uint32_t parameter = r->parameter_of[weight];
  if (r->batch->weights.at && parameter != NONE && lane < t->lanes) {
    double given = *matrix_at(&r->batch->weights, t->first + lane, parameter);
    if (!isnan(given))
      return given;
  }
  return r->shape->weights[weight];
}

static void set_weights(Tile *t, const BatchPlan *plan) {
  for (size_t k = 0; k < plan->weights.n; k++)
    for (size_t lane = 0; lane < TILE; lane++)
      t->weights[k * TILE + lane] = weight_at(t, plan->weights.at[k], lane);
}

static void add_counts(const Tile *t, const BatchPlan *plan, double copies, double *counts) {
  for (size_t k = 0; k < plan->weights.n; k++) {
    uint32_t parameter = t->rows->parameter_of[plan->weights.at[k]];
    for (size_t lane = 0; parameter != NONE && lane < TILE; lane++)
      counts[parameter * TILE + lane] += copies * t->expected[k * TILE + lane];
  }
}

/* Copies without evidence, all at once. */
static void evaluate_free(Tile *t, const BatchPlan *plan, BatchWork *work, uint32_t copies,
                          double *log_value, double *counts) {
  double value[TILE];
  memset(t->evidence, -1, (size_t)plan->variables * TILE);
  batch_up(plan, work, t->weights, t->evidence, value);
  for (size_t lane = 0; lane < TILE; lane++)
    log_value[lane] += copies * value[lane];
  if (counts) {
    batch_down(plan, work, NULL, t->expected);
    add_counts(t, plan, copies, counts);
  }
}

/* Evidence against the fixed one makes the row impossible. */
static void set_evidence(Tile *t, const BatchPlan *plan, const Active *a) {
  assert(t->lanes && t->lanes <= TILE);
  const lpmln_matrix *evidence = &t->rows->batch->evidence;
  memset(t->evidence, -1, (size_t)plan->variables * TILE);
  for (size_t i = 0; i < a->fixed.n; i++)
    memset(t->evidence + a->fixed.at[i].variable * TILE, (int)a->fixed.at[i].column, TILE);
  for (size_t i = 0; i < a->observed.n; i++)
    for (size_t lane = 0; lane < t->lanes; lane++) {
      double seen = *matrix_at(evidence, t->first + lane, a->observed.at[i].column);
      int8_t *to = &t->evidence[a->observed.at[i].variable * TILE + lane];
      int8_t value = isnan(seen) ? -1 : seen != 0;
      t->impossible[lane] |= value >= 0 && *to >= 0 && *to != value;
      *to = value >= 0 ? value : *to;
    }
}

static void write_marginals(const Tile *t, const Active *a) {
  const lpmln_matrix *out = &t->rows->batch->marginals;
  for (size_t i = 0; i < a->asked.n; i++)
    for (size_t lane = 0; lane < t->lanes; lane++)
      *matrix_at(out, t->first + lane, a->asked.at[i].column) =
          t->held[a->asked.at[i].variable * TILE + lane];
}

static void evaluate_active(Tile *t, const Active *a) {
  const Rows *r = t->rows;
  const BatchPlan *plan = &r->shape->told->plans[a->part];
  double value[TILE];
  set_evidence(t, plan, a);
  batch_up(plan, &t->told[a->part], t->weights, t->evidence, value);
  for (size_t lane = 0; lane < TILE; lane++)
    t->log_value[lane] += value[lane];
  if (!r->counts && !a->asked.n)
    return;
  batch_down(plan, &t->told[a->part], a->asked.n ? t->held : NULL, r->counts ? t->expected : NULL);
  write_marginals(t, a);
  if (r->counts)
    add_counts(t, plan, 1, t->counts);
}

/* What every model loses. */
static void add_constants(const Tile *t, double *log_value, double *counts) {
  const Circuit *c = t->rows->shape->told->circuit;
  for (size_t i = 0; i < c->constants.n; i++)
    for (size_t lane = 0; lane < TILE; lane++) {
      uint32_t parameter = t->rows->parameter_of[c->constants.at[i]];
      log_value[lane] -= weight_at(t, c->constants.at[i], lane);
      if (counts && parameter != NONE)
        counts[parameter * TILE + lane] += 1;
    }
}

static void evaluate_told(Tile *t) {
  const Rows *r = t->rows;
  const Told *told = r->shape->told;
  size_t next = 0;
  memset(t->log_value, 0, sizeof t->log_value);
  memset(t->impossible, 0, sizeof t->impossible);
  memset(t->counts, 0, r->shape->parameters * TILE * sizeof *t->counts);
  add_constants(t, t->log_value, r->counts ? t->counts : NULL);
  for (uint32_t i = 0; i < told->root->parts.n; i++) {
    set_weights(t, &told->plans[i]);
    if (r->passive[i])
      evaluate_free(t, &told->plans[i], &t->told[i], r->passive[i], t->log_value,
                    r->counts ? t->counts : NULL);
    for (; next < r->active.n && r->active.at[next].part == i; next++)
      evaluate_active(t, &r->active.at[next]);
  }
}

/* The program alone: ln Z and expected counts. */
static void evaluate_prior(Tile *t) {
  const Rows *r = t->rows;
  const Told *program = r->shape->program;
  double *counts = r->batch->gradient.at ? t->prior_counts : NULL;
  memset(t->log_prior, 0, sizeof t->log_prior);
  memset(t->prior_counts, 0, r->shape->parameters * TILE * sizeof *t->prior_counts);
  add_constants(t, t->log_prior, counts);
  for (uint32_t i = 0; i < program->root->parts.n; i++) {
    set_weights(t, &program->plans[i]);
    evaluate_free(t, &program->plans[i], &t->program[i], program->root->parts.at[i].copies,
                  t->log_prior, counts);
  }
}

/* Columns and queries about atoms whose truth is known. */
static void meet_known(Tile *t) {
  const RowsShape *s = t->rows->shape;
  const lpmln_batch *b = t->rows->batch;
  for (size_t i = 0; b->evidence.at && i < s->observables; i++) {
    int truth = ground_truth(s->ground, lit_of(s->observable[i], false));
    for (size_t lane = 0; truth >= 0 && lane < t->lanes; lane++) {
      double seen = *matrix_at(&b->evidence, t->first + lane, i);
      t->impossible[lane] |= !isnan(seen) && (seen != 0) != (truth == 1);
    }
  }
  for (size_t i = 0; b->marginals.at && i < s->queries; i++) {
    int truth = ground_truth(s->ground, lit_of(s->query[i], false));
    for (size_t lane = 0; !told_has(s->told, s->query[i]) && lane < t->lanes; lane++)
      *matrix_at(&b->marginals, t->first + lane, i) = truth >= 0 ? (double)truth : (double)NAN;
  }
}

static void write_row(const Tile *t, size_t lane) {
  assert(lane < t->lanes);
  const lpmln_batch *b = t->rows->batch;
  size_t row = t->first + lane, n = t->rows->shape->parameters;
  bool impossible = t->impossible[lane] || isinf(t->log_value[lane]);
  if (b->log_partition.at)
    *matrix_at(&b->log_partition, row, 0) = t->log_prior[lane];
  if (b->log_evidence.at)
    *matrix_at(&b->log_evidence, row, 0) =
        impossible ? -INFINITY : t->log_value[lane] - t->log_prior[lane];
  for (size_t i = 0; b->marginals.at && impossible && i < t->rows->shape->queries; i++)
    *matrix_at(&b->marginals, row, i) = NAN;
  for (size_t i = 0; i < n; i++) {
    double count = impossible ? NAN : t->counts[i * TILE + lane];
    if (b->counts.at)
      *matrix_at(&b->counts, row, i) = count;
    if (b->gradient.at)
      *matrix_at(&b->gradient, row, i) = t->prior_counts[i * TILE + lane] - count;
  }
}

/* ---- rows with large weights ------------------------------------------------------------- */

static bool is_large(const Tile *t, size_t lane) {
  const lpmln_matrix *given = &t->rows->batch->weights;
  bool large = t->rows->large;
  for (size_t i = 0; given->at && !large && i < t->rows->shape->parameters; i++)
    large = careful_needed(matrix_at(given, t->first + lane, i), 1);
  return large;
}

static void write_careful(const Tile *t, size_t lane, const CarefulRow *r) {
  const RowsShape *s = t->rows->shape;
  const lpmln_batch *b = t->rows->batch;
  size_t row = t->first + lane;
  if (b->log_partition.at)
    *matrix_at(&b->log_partition, row, 0) = log_double(r->prior);
  if (b->log_evidence.at)
    *matrix_at(&b->log_evidence, row, 0) = log_apart(r->observed, r->prior);
  for (size_t i = 0; b->marginals.at && i < s->queries; i++)
    if (told_has(s->told, s->query[i]))
      *matrix_at(&b->marginals, row, i) = r->marginals[s->query[i]].value;
  for (size_t i = 0; i < s->parameters; i++) {
    uint32_t w = s->parameter[i];
    if (b->counts.at)
      *matrix_at(&b->counts, row, i) = r->counts[w];
    if (b->gradient.at)
      *matrix_at(&b->gradient, row, i) = r->prior_counts[w] - r->counts[w];
  }
}

/* Again, after the tile, with nothing lost.  What is impossible stays so. */
static void do_careful(const Tile *t, size_t lane) {
  const RowsShape *s = t->rows->shape;
  const lpmln_matrix *evidence = &t->rows->batch->evidence;
  if (t->impossible[lane])
    return;
  double *weights = memory_zero(s->ground->weights.n, sizeof *weights);
  int8_t *value = memory_zero(s->ground->atoms.n, sizeof *value);
  memset(value, -1, s->ground->atoms.n);
  for (uint32_t w = 0; w < s->ground->weights.n; w++)
    weights[w] = weight_at(t, w, lane);
  for (size_t i = 0; i < s->evidences; i++)
    value[lit_atom(s->evidence[i])] = !lit_negated(s->evidence[i]);
  for (size_t i = 0; evidence->at && i < s->observables; i++) {
    double seen = *matrix_at(evidence, t->first + lane, i);
    if (!isnan(seen) && told_has(s->told, s->observable[i]))
      value[s->observable[i]] = seen != 0;
  }
  CarefulRow r;
  careful_evaluate(&r, s->told, s->program, weights, value);
  if (!isinf(r.observed.rest))
    write_careful(t, lane, &r);
  careful_free(&r);
  free(weights);
  free(value);
}

/* ---- all of them ------------------------------------------------------------------------ */

static BatchWork *works_of(const Told *told) {
  BatchWork *works = memory_zero(told->root->parts.n, sizeof *works);
  for (size_t i = 0; i < told->root->parts.n; i++)
    batch_work_make(&works[i], &told->plans[i]);
  return works;
}

static void widen(const Told *told, size_t *variables, size_t *weights) {
  for (size_t i = 0; i < told->root->parts.n; i++) {
    *variables = told->plans[i].variables > *variables ? told->plans[i].variables : *variables;
    *weights = told->plans[i].weights.n > *weights ? told->plans[i].weights.n : *weights;
  }
}

static Tile tile_make(const Rows *r) {
  const RowsShape *s = r->shape;
  size_t variables = 1, weights = 1;
  widen(s->told, &variables, &weights);
  widen(s->program, &variables, &weights);
  Tile t = {.rows = r, .told = works_of(s->told)};
  t.program = s->program == s->told ? t.told : works_of(s->program);
  t.weights = memory_zero(weights * TILE, sizeof *t.weights);
  t.expected = memory_zero(weights * TILE, sizeof *t.expected);
  t.evidence = memory_zero(variables * TILE, sizeof *t.evidence);
  t.held = memory_zero(variables * TILE, sizeof *t.held);
  t.counts = memory_zero(s->parameters * TILE, sizeof *t.counts);
  t.prior_counts = memory_zero(s->parameters * TILE, sizeof *t.prior_counts);
  return t;
}

static void works_free(const Told *told, BatchWork *works) {
  for (size_t i = 0; i < told->root->parts.n; i++)
    batch_work_free(&works[i]);
  free(works);
}

static void tile_free(Tile *t) {
  const RowsShape *s = t->rows->shape;
  if (t->program != t->told)
    works_free(s->program, t->program);
  works_free(s->told, t->told);
  free(t->weights);
  free(t->expected);
  free(t->evidence);
  free(t->held);
  free(t->counts);
  free(t->prior_counts);
}

enum { CHUNK = 512 }; /* rows that share a workspace */

static void do_chunk(void *data, size_t chunk) {
  Rows *r = data;
  size_t end = (chunk + 1) * CHUNK < r->batch->rows ? (chunk + 1) * CHUNK : r->batch->rows;
  Tile t = tile_make(r);
  bool varies = r->batch->weights.at, first = true;
  for (t.first = chunk * CHUNK; t.first < end; t.first += TILE) {
    t.lanes = end - t.first < TILE ? end - t.first : TILE;
    Status status = limits_check(r->limits);
    if (status != OK) {
      atomic_store(&r->ended, (int)status);
      break;
    }
    if (r->prior && (varies || first))
      evaluate_prior(&t);
    evaluate_told(&t);
    meet_known(&t);
    for (size_t lane = 0; lane < t.lanes; lane++) {
      write_row(&t, lane);
      if (is_large(&t, lane))
        do_careful(&t, lane);
    }
    first = false;
  }
  tile_free(&t);
}

Status rows_evaluate(const RowsShape *shape, const lpmln_batch *batch, const Limits *limits) {
  assert(shape->told && shape->program && shape->ground->sealed);
  Rows r;
  rows_begin(&r, shape, batch, limits);
  size_t chunks = (batch->rows + CHUNK - 1) / CHUNK;
  parallel_for(batch->threads ? batch->threads : 1, chunks, do_chunk, &r);
  rows_free(&r);
  return (Status)atomic_load(&r.ended);
}
