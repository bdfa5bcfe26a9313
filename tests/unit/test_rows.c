/* test_rows.c - many rows of weights and evidence, against all models by brute force; rows do
** not depend on each other, on tiles, chunks or threads. */
#include "unit.h"

#include "compile/compile.h"
#include "infer/rows.h"
#include "unit/random_program.h"

enum { CASES = 150, MOST_ROWS = 30 };

static const TestStyle styles[] = {
    {5, 8, 50, 10, 10, 60, 8, 70}, /* everything; twice over */
    {9, 12, 45, 15, 10, 55, 8, 70},
    {6, 6, 60, 0, 0, 50, 0, 80},
};

typedef struct {
  TestProgram program;
  TestModels models;
  Ground ground;
  Analysis analysis;
  Compiled compiled;
  CircuitRoot root, prior_root;
  Told told, prior;
  Atom observable[MOST_ATOMS], query[MOST_ATOMS];
  size_t observables, queries;
  uint32_t parameter[MOST_WEIGHTS];
  Lit fixed[MOST_ATOMS]; /* evidence of all rows */
  size_t fixeds;
} Case;

/* The program beside a copy of itself. */
static void twice(TestProgram *p) {
  for (unsigned i = 0; i < p->rules; i++) {
    TestRule r = p->rule[i];
    for (unsigned h = 0; h < r.heads; h++)
      r.head[h] += p->atoms;
    for (unsigned b = 0; b < r.size; b++)
      r.body[b] += 2 * p->atoms;
    p->rule[p->rules + i] = r;
  }
  p->rules *= 2, p->atoms *= 2;
}

static bool case_make(Case *k, Random *random, const TestStyle *style) {
  *k = (Case){0};
  test_program(random, style, &k->program);
  if (style->atoms == 5)
    twice(&k->program);
  test_models(&k->program, &k->models);
  if (!k->models.models)
    return false;
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
  CompileOptions options = compile_options_default();
  compile_begin(&k->compiled, &k->ground, &k->analysis, &options);
  Atom all[MOST_ATOMS];
  for (unsigned a = 0; a < k->program.atoms; a++)
    all[a] = a;
  Status status = compile_root(&k->compiled, NULL, 0, NULL, 0, &k->prior_root);
  if (status == OK)
    status = compile_root(&k->compiled, NULL, 0, all, k->program.atoms, &k->root);
  assert_int_equal(status, OK);
  told_make(&k->told, &k->compiled.circuit, &k->root);
  told_make(&k->prior, &k->compiled.circuit, &k->prior_root);
  for (Atom a = 0; a < k->program.atoms; a++) {
    bool known = k->ground.atoms.at[a].truth != ATOM_OPEN;
    if (told_has(&k->told, a) && test_chance(random, 15))
      k->fixed[k->fixeds++] = lit_of(a, test_chance(random, 50));
    if (told_has(&k->told, a) || known)
      k->observable[k->observables++] = k->query[k->queries++] = a;
  }
  for (uint32_t w = 0; w < k->program.weights; w++)
    k->parameter[w] = w;
  return true;
}

static void case_free(Case *k) {
  told_free(&k->told);
  told_free(&k->prior);
  circuit_root_free(&k->root);
  circuit_root_free(&k->prior_root);
  if (k->ground.sealed) {
    compile_free(&k->compiled);
    analysis_free(&k->analysis);
  }
  ground_free(&k->ground);
  free(k->models.model);
}

static RowsShape shape_of(const Case *k) {
  return (RowsShape){.told = &k->told,
                     .program = &k->prior,
                     .weights = k->program.value,
                     .parameters = k->program.weights,
                     .parameter = k->parameter,
                     .observables = k->observables,
                     .observable = k->observable,
                     .queries = k->queries,
                     .query = k->query,
                     .ground = &k->ground,
                     .evidence = k->fixed,
                     .evidences = k->fixeds};
}

enum { WIDE = MOST_ATOMS };

typedef struct {
  double weights[WIDE], evidence[WIDE];
  double log_partition, log_evidence, marginals[WIDE], counts[WIDE], gradient[WIDE];
} Row; /* in and out, row after row */

#define COLUMN(rows, field) \
  (lpmln_matrix) { (rows)[0].field, sizeof(Row) / sizeof(double), 1 }
#define NUMBER(rows, field) \
  (lpmln_matrix) { &(rows)[0].field, sizeof(Row) / sizeof(double), 1 }

static void fill(const Case *k, Random *random, Row *rows, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned percent = test_below(random, 50);
    for (unsigned w = 0; w < WIDE; w++)
      rows[i].weights[w] = test_chance(random, 25) ? (double)NAN : 4 * random_unit(random) - 2;
    for (size_t c = 0; c < k->observables; c++)
      rows[i].evidence[c] =
          test_chance(random, percent) ? (double)test_below(random, 2) : (double)NAN;
  }
}

static Status evaluate(const Case *k, Row *rows, size_t n, unsigned threads) {
  RowsShape shape = shape_of(k);
  lpmln_batch batch = {.rows = n,
                       .threads = threads,
                       .weights = COLUMN(rows, weights),
                       .evidence = COLUMN(rows, evidence),
                       .log_partition = NUMBER(rows, log_partition),
                       .log_evidence = NUMBER(rows, log_evidence),
                       .marginals = COLUMN(rows, marginals),
                       .counts = COLUMN(rows, counts),
                       .gradient = COLUMN(rows, gradient)};
  return rows_evaluate(&shape, &batch, &(Limits){0});
}

static bool close_to(double x, double y) {
  return isnan(y) ? isnan(x) : x == y || fabs(x - y) < 1e-9;
}

/* What the row must come to, model by model. */
static bool expect_row(const Case *k, const Row *row) {
  double z = 0, seen = 0, count[WIDE] = {0}, all[WIDE] = {0}, held[WIDE] = {0};
  Lit evidence[2 * WIDE];
  size_t n = 0;
  for (size_t c = 0; c < k->observables; c++)
    if (!isnan(row->evidence[c]))
      evidence[n++] = lit_of(k->observable[c], row->evidence[c] == 0);
  for (size_t i = 0; i < k->fixeds; i++)
    evidence[n++] = k->fixed[i];
  for (size_t i = 0; i < k->models.models; i++) {
    const TestModel *m = &k->models.model[i];
    double weight = 0;
    for (unsigned w = 0; w < k->program.weights; w++)
      weight -= m->count[w] * (isnan(row->weights[w]) ? k->program.value[w] : row->weights[w]);
    weight = exp(weight);
    bool agrees = test_agrees(m, evidence, n);
    z += weight;
    seen += agrees ? weight : 0;
    for (unsigned w = 0; w < k->program.weights; w++) {
      all[w] += weight * m->count[w];
      count[w] += agrees ? weight * m->count[w] : 0;
    }
    for (size_t q = 0; q < k->queries; q++)
      held[q] += agrees && (m->set >> k->query[q] & 1) ? weight : 0;
  }
  assert_true(close_to(row->log_partition, log(z)));
  assert_true(close_to(row->log_evidence, seen > 0 ? log(seen / z) : -INFINITY));
  for (size_t q = 0; q < k->queries; q++)
    assert_true(close_to(row->marginals[q], seen > 0 ? held[q] / seen : (double)NAN));
  for (unsigned w = 0; w < k->program.weights; w++) {
    assert_true(close_to(row->counts[w], seen > 0 ? count[w] / seen : (double)NAN));
    assert_true(close_to(row->gradient[w], seen > 0 ? all[w] / z - count[w] / seen : (double)NAN));
  }
  return seen > 0;
}

static void random_rows(void **state) {
  (void)state;
  Random random = random_make(31, 0);
  size_t cases = 0, rows_seen = 0, possible = 0;
  for (size_t i = 0; cases < CASES && i < 20 * CASES; i++) {
    Case k;
    if (case_make(&k, &random, &styles[i % (sizeof styles / sizeof *styles)])) {
      Row *rows = calloc(MOST_ROWS, sizeof *rows);
      size_t n = 1 + test_below(&random, MOST_ROWS);
      fill(&k, &random, rows, n);
      assert_int_equal(evaluate(&k, rows, n, 1), OK);
      for (size_t r = 0; r < n; r++)
        possible += expect_row(&k, &rows[r]);
      rows_seen += n, cases++;
      free(rows);
    }
    case_free(&k);
  }
  assert_int_equal(cases, CASES);
  assert_true(possible > rows_seen / 5 && possible < rows_seen);
}

/* The bits of a row are its own, whoever is beside it. */
static void independent_rows(void **state) {
  (void)state;
  enum { ROWS = 1100 }; /* more than two chunks */
  Random random = random_make(37, 0);
  Case k;
  while (!case_make(&k, &random, &styles[1]))
    case_free(&k);
  Row *rows = calloc(ROWS, sizeof *rows), *again = calloc(ROWS, sizeof *again);
  fill(&k, &random, rows, ROWS);
  memcpy(again, rows, ROWS * sizeof *rows);
  assert_int_equal(evaluate(&k, rows, ROWS, 1), OK);
  for (unsigned threads = 0; threads <= 4; threads++) {
    assert_int_equal(evaluate(&k, again, ROWS, threads), OK);
    assert_memory_equal(rows, again, ROWS * sizeof *rows);
  }
  for (size_t i = 0; i < ROWS; i += 37) {
    Row one = rows[i];
    memset(&one.log_partition, 0, sizeof one - offsetof(Row, log_partition));
    assert_int_equal(evaluate(&k, &one, 1, 1), OK);
    assert_memory_equal(&one, &rows[i], sizeof one);
  }
  atomic_bool stop = true;
  RowsShape shape = shape_of(&k);
  lpmln_batch batch = {.rows = ROWS, .log_partition = NUMBER(again, log_partition)};
  assert_int_equal(rows_evaluate(&shape, &batch, &(Limits){.stop = &stop}), INTERRUPTED);
  batch.rows = 0;
  assert_int_equal(rows_evaluate(&shape, &batch, &(Limits){0}), OK);
  free(rows);
  free(again);
  case_free(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_rows),
                                     cmocka_unit_test(independent_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
