/* rows_shared.c - a table of evidence, block after block, here and on other ranks; see rows.h.
**
** The set-up is the circuit with both roots, the ground program, and what the columns are about;
** a task is a block of cells.  A row's answer does not depend on the others. */
#include "infer/rows.h"

#include "base/bytes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { BLOCK = 4096, HERE = 16 }; /* rows; blocks at a time, of a process that is alone */

static Status answer_rows(const RowsShape *s, size_t rows, const double *evidence, unsigned threads,
                          const Limits *limits, double *log_evidence, double *marginals) {
  lpmln_batch batch = {.rows = rows,
                       .evidence = {(double *)(uintptr_t)evidence, (ptrdiff_t)s->observables, 1},
                       .threads = threads,
                       .log_evidence = {log_evidence, 1, 1},
                       .marginals = {marginals, (ptrdiff_t)s->queries, 1}};
  return rows_evaluate(s, &batch, limits);
}

/* ---- rank 0 ------------------------------------------------------------------------------- */

typedef struct {
  const RowsShape *shape;
  const RowsTable *table;
  const Limits *limits;
} Blocks;

static size_t size_of(const RowsTable *t, size_t block, size_t size) {
  size_t left = t->rows - block * size;
  return left < size ? left : size;
}

static double *evidence_of(const Blocks *b, size_t block, size_t size) {
  size_t n = size_of(b->table, block, size), columns = b->shape->observables;
  double *evidence = memory_zero(n * columns, sizeof *evidence);
  b->table->read(b->table->data, block * size, n, evidence);
  return evidence;
}

static Status do_some(const Blocks *b, size_t block, size_t size, unsigned threads) {
  const RowsTable *t = b->table;
  double *evidence = evidence_of(b, block, size);
  Status status =
      answer_rows(b->shape, size_of(t, block, size), evidence, threads, b->limits,
                  t->log_evidence + block * size, t->marginals + block * size * b->shape->queries);
  free(evidence);
  return status;
}

static void do_block(void *data, size_t i) {
  (void)do_some(data, i, BLOCK, 1); /* a limit shows at the end */
}

static void put_block(void *data, size_t i, Text *to) {
  const Blocks *b = data;
  size_t n = size_of(b->table, i, BLOCK), cells = n * b->shape->observables;
  double *evidence = evidence_of(b, i, BLOCK);
  put_u32(to, (uint32_t)n);
  for (size_t k = 0; k < cells; k++)
    put_u8(to, isnan(evidence[k]) ? 2 : evidence[k] != 0);
  free(evidence);
}

static void get_block(void *data, size_t i, Bytes *from) {
  const Blocks *b = data;
  size_t n = size_of(b->table, i, BLOCK), queries = b->shape->queries;
  bytes_take(from, b->table->log_evidence + i * BLOCK, n * sizeof(double));
  bytes_take(from, b->table->marginals + i * BLOCK * queries, n * queries * sizeof(double));
}

static void put_list(Text *to, const uint32_t *at, size_t n) {
  put_u32(to, (uint32_t)n);
  put_bytes(to, at, n * sizeof *at);
}

static void put_shape(const RowsShape *s, Text *to) {
  Text circuit = {0};
  CircuitRoot roots[] = {*s->program->root, *s->told->root};
  (void)circuit_save(s->told->circuit, roots, 2, &circuit);
  ground_put(s->ground, to);
  put_string(to, circuit.at, circuit.n);
  put_bytes(to, s->weights, s->ground->weights.n * sizeof *s->weights);
  put_list(to, s->observable, s->observables);
  put_list(to, s->query, s->queries);
  put_list(to, s->evidence, s->evidences);
  vec_free(&circuit);
}

static Status share_out(Blocks *b, Text *trouble) {
  static const ShareWork work = {.work = do_block, .put = put_block, .get = get_block};
  const RowsTable *t = b->table;
  Text to = {0};
  if (!t->setup->share) {
    put_shape(b->shape, &to);
    share_begin(t->setup, t->share, SHARE_ROWS, &to);
  }
  size_t blocks = (t->rows + BLOCK - 1) / BLOCK;
  Status status = share_for(t->setup, t->threads, blocks, &work, b, b->limits, trouble);
  return status == OK ? limits_check(b->limits) : status;
}

Status rows_answer(const RowsShape *s, const RowsTable *t, const Limits *limits, Text *trouble) {
  assert(!s->parameters && s->told->circuit == s->program->circuit);
  Blocks b = {s, t, limits};
  size_t size = (size_t)BLOCK * HERE;
  Status status = OK;
  if (t->share && t->rows > BLOCK)
    return share_out(&b, trouble);
  for (size_t i = 0; i * size < t->rows && status == OK; i++)
    status = do_some(&b, i, size, t->threads);
  return status;
}

/* ---- other ranks -------------------------------------------------------------------------- */

typedef struct {
  Ground ground;
  Circuit circuit;
  CircuitRoot roots[2];
  Told program, told;
  double *weights;
  VEC(uint32_t) observables, queries, evidence;
  RowsShape shape;
} Served;

static void free_served(void *setup) {
  Served *s = setup;
  told_free(&s->program);
  told_free(&s->told);
  circuit_free(&s->circuit);
  circuit_root_free(&s->roots[0]);
  circuit_root_free(&s->roots[1]);
  ground_free(&s->ground);
  vec_free(&s->observables);
  vec_free(&s->queries);
  vec_free(&s->evidence);
  free(s->weights);
  free(s);
}

static bool take_circuit(Served *s, Bytes *from) {
  uint32_t size;
  const char *circuit = bytes_string(from, &size);
  return !from->bad && circuit_load(&s->circuit, s->roots, 2, circuit, size) == OK &&
         s->circuit.atoms == s->ground.atoms.n && s->circuit.weights == s->ground.weights.n;
}

static bool take_columns(Served *s, Bytes *from) {
  s->weights = memory_zero(s->ground.weights.n, sizeof *s->weights);
  bytes_take(from, s->weights, s->ground.weights.n * sizeof *s->weights);
  bytes_vec(from, &s->observables);
  bytes_vec(from, &s->queries);
  bytes_vec(from, &s->evidence);
  bool good = !from->bad && !bytes_left(from);
  for (size_t i = 0; i < s->observables.n; i++)
    good &= s->observables.at[i] < s->ground.atoms.n;
  for (size_t i = 0; i < s->queries.n; i++)
    good &= s->queries.at[i] < s->ground.atoms.n;
  for (size_t i = 0; i < s->evidence.n; i++)
    good &= told_has(&s->told, lit_atom(s->evidence.at[i]));
  return good;
}

static bool take_shape(Served *s, Bytes *from) {
  ground_get(&s->ground, from);
  if (from->bad || !ground_valid(&s->ground) || !take_circuit(s, from))
    return false;
  told_make(&s->program, &s->circuit, &s->roots[0]);
  told_make(&s->told, &s->circuit, &s->roots[1]);
  if (!take_columns(s, from))
    return false;
  s->shape = (RowsShape){.told = &s->told,
                         .program = &s->program,
                         .weights = s->weights,
                         .observables = s->observables.n,
                         .observable = s->observables.at,
                         .queries = s->queries.n,
                         .query = s->queries.at,
                         .ground = &s->ground,
                         .evidence = s->evidence.at,
                         .evidences = s->evidence.n};
  return true;
}

static void *make(Bytes *from) {
  Served *s = memory_zero(1, sizeof *s);
  if (take_shape(s, from))
    return s;
  free_served(s);
  return NULL;
}

static void answer(void *setup, Bytes *task, const Limits *limits, Text *to) {
  const Served *s = setup;
  const RowsShape *shape = &s->shape;
  size_t rows = bytes_u32(task), cells = rows * shape->observables;
  task->bad |= rows > BLOCK || bytes_left(task) != cells;
  if (task->bad)
    return;
  double *evidence = memory_zero(cells, sizeof *evidence);
  double *log_evidence = memory_zero(rows, sizeof *log_evidence);
  double *marginals = memory_zero(rows * shape->queries, sizeof *marginals);
  for (size_t i = 0; i < cells; i++) {
    uint8_t cell = bytes_u8(task);
    evidence[i] = cell > 1 ? NAN : cell;
  }
  (void)answer_rows(shape, rows, evidence, 1, limits, log_evidence, marginals); /* or nobody asks */
  put_bytes(to, log_evidence, rows * sizeof *log_evidence);
  put_bytes(to, marginals, rows * shape->queries * sizeof *marginals);
  free(evidence);
  free(log_evidence);
  free(marginals);
}

const ShareServer rows_server = {make, answer, free_served};
