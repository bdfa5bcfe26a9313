/* test_model.c - models and states against programs, one question at a time, and against
** sums over all stable models. */
#include "random_text.h"

enum { CASES = 150, MOST_ROWS = 41, MOST_COLUMNS = 64 };

/* ---- a random model ---------------------------------------------------------------------- */

typedef struct {
  Dice dice;
  RandomText text;
  lpmln_model *model;
  lpmln_state *state;
  Oracle oracle;
  const char *const *parameters, *const *observables, *const *queries;
  size_t parameter_count, observable_count, query_count;
  double weights[MOST_COLUMNS]; /* of the state */
} Case;

static size_t made; /* cases that a test has seen */

static void set_weights(Case *k) {
  for (size_t i = 0; i < k->parameter_count; i++) {
    k->weights[i] = dice_weight(&k->dice);
    assert_int_equal(lpmln_state_set_weight(k->state, k->parameters[i], k->weights[i]), LPMLN_OK);
  }
}

/* The program, with queries if there are any. */
static lpmln_program *program_for(const Case *k, lpmln_method method, const char *evidence,
                                  const char *query) {
  lpmln_options o = options();
  o.method = method;
  lpmln_program *p = program_with(&o, k->text.at, evidence);
  if (query)
    assert_int_equal(lpmln_program_add_query(p, query), LPMLN_OK);
  return p;
}

/* False: the program has no stable model, which compiling says, too. */
static bool case_make(Case *k, uint64_t seed, const char *query) {
  *k = (Case){.dice = {seed * 7919 + 1}};
  random_text(&k->text, &k->dice);
  lpmln_program *p = program_for(k, LPMLN_AUTO, NULL, query);
  const lpmln_answer *about;
  k->model = lpmln_compile(p, NULL, &about);
  lpmln_program_free(p);
  lpmln_status status = status_of(about);
  if (k->model) {
    k->parameters = lpmln_model_parameters(k->model, &k->parameter_count);
    k->observables = lpmln_model_observables(k->model, &k->observable_count);
    k->queries = lpmln_model_queries(k->model, &k->query_count);
    assert_true(k->parameter_count <= MOST_COLUMNS && k->observable_count <= MOST_COLUMNS &&
                k->query_count <= MOST_COLUMNS);
  }
  bool there = oracle_make(&k->oracle, k->text.at, k->parameters, k->parameter_count);
  assert_int_equal(there, k->model != NULL);
  assert_int_equal(status, there ? LPMLN_OK : LPMLN_NO_ANSWER);
  if (!there)
    return false;
  k->state = lpmln_state_new(k->model);
  assert_non_null(k->state);
  set_weights(k);
  made++;
  return true;
}

static void case_free(Case *k) {
  lpmln_state_free(k->state);
  lpmln_model_free(k->model);
  oracle_free(&k->oracle);
}

static void random_seen(Case *k, double *values, unsigned known) {
  for (size_t i = 0; i < k->observable_count; i++)
    values[i] = dice_chance(&k->dice, known) ? (double)dice_below(&k->dice, 2) : (double)NAN;
}

static void observe(Case *k, const double *values) {
  for (size_t i = 0; i < k->observable_count; i++)
    assert_int_equal(lpmln_state_observe(k->state, k->observables[i],
                                         isnan(values[i])   ? LPMLN_UNKNOWN
                                         : values[i] != 0.0 ? LPMLN_TRUE
                                                            : LPMLN_FALSE),
                     LPMLN_OK);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static const double untouched = 12345.25;

/* A matrix in memory of some layout, filled with `untouched`. */
typedef struct {
  double *room;
  size_t size, rows, columns;
  lpmln_matrix is;
} Matrix;

static Matrix matrix_make(Dice *d, size_t rows, size_t columns) {
  Matrix m = {.rows = rows, .columns = columns};
  size_t apart = 1 + dice_below(d, 2), gap = dice_below(d, 3);
  m.size = (rows + gap) * (columns + gap) * apart + 8;
  m.room = malloc(m.size * sizeof *m.room);
  for (size_t i = 0; i < m.size; i++)
    m.room[i] = untouched;
  switch (dice_below(d, 3)) {
  case 0: /* rows, one after the other */
    m.is = (lpmln_matrix){m.room, (ptrdiff_t)((columns + gap) * apart), (ptrdiff_t)apart};
    break;
  case 1: /* columns, likewise */
    m.is = (lpmln_matrix){m.room, (ptrdiff_t)apart, (ptrdiff_t)((rows + gap) * apart)};
    break;
  default: /* rows from the last one up */
    m.is = (lpmln_matrix){m.room + (rows ? rows - 1 : 0) * (columns + gap) * apart,
                          -(ptrdiff_t)((columns + gap) * apart), (ptrdiff_t)apart};
  }
  return m;
}

static double *cell(const Matrix *m, size_t row, size_t column) {
  return m->is.at + (ptrdiff_t)row * m->is.row_stride + (ptrdiff_t)column * m->is.column_stride;
}

/* Nothing beside the elements was written to, and each element was. */
static void matrix_free(Matrix *m, bool output) {
  size_t kept = 0, own = 0;
  for (size_t row = 0; row < m->rows; row++)
    for (size_t i = 0; i < m->columns; i++)
      own += *cell(m, row, i) == untouched;
  for (size_t i = 0; i < m->size; i++)
    kept += m->room[i] == untouched;
  assert_int_equal(kept - own, m->size - m->rows * m->columns);
  assert_true(!output || own == 0);
  free(m->room);
}

typedef struct {
  Matrix weights, evidence;
  Matrix log_partition, log_evidence, marginals, counts, gradient;
} Rows;

static void rows_fill(Case *k, Rows *r, size_t rows) {
  Dice *d = &k->dice;
  r->weights = matrix_make(d, rows, k->parameter_count);
  r->evidence = matrix_make(d, rows, k->observable_count);
  r->log_partition = matrix_make(d, rows, 1);
  r->log_evidence = matrix_make(d, rows, 1);
  r->marginals = matrix_make(d, rows, k->query_count);
  r->counts = matrix_make(d, rows, k->parameter_count);
  r->gradient = matrix_make(d, rows, k->parameter_count);
  for (size_t row = 0; row < rows; row++) {
    unsigned known = dice_below(d, 60);
    for (size_t i = 0; i < k->parameter_count; i++)
      *cell(&r->weights, row, i) = dice_chance(d, 20) ? NAN : dice_weight(d);
    for (size_t i = 0; i < k->observable_count; i++)
      *cell(&r->evidence, row, i) = dice_chance(d, known) ? (double)dice_below(d, 2) : (double)NAN;
  }
}

static void rows_free(Rows *r) {
  matrix_free(&r->weights, false);
  matrix_free(&r->evidence, false);
  matrix_free(&r->log_partition, true);
  matrix_free(&r->log_evidence, true);
  matrix_free(&r->marginals, true);
  matrix_free(&r->counts, true);
  matrix_free(&r->gradient, true);
}

static void expect_equal(double is, double wanted, const Case *k, const char *what, size_t row) {
  if (isnan(is) ? isnan(wanted) : is == wanted || fabs(is - wanted) < 1e-10)
    return;
  fprintf(stderr, "%s of row %zu is %.17g, not %.17g, in\n%s", what, row, is, wanted, k->text.at);
  fail();
}

typedef struct {
  double marginals[MOST_COLUMNS], counts[MOST_COLUMNS], gradient[MOST_COLUMNS];
  double weights[MOST_COLUMNS], seen[MOST_COLUMNS];
} Room;

/* The row's weights and evidence, and what they must come to. */
static Sums sums_of(Case *k, const Rows *r, size_t row, const double *state_seen, bool weighted,
                    bool observed, Room *room) {
  for (size_t i = 0; i < k->parameter_count; i++) {
    double w = weighted ? *cell(&r->weights, row, i) : NAN;
    room->weights[i] = isnan(w) ? k->weights[i] : w;
  }
  for (size_t i = 0; i < k->observable_count; i++)
    room->seen[i] = observed ? *cell(&r->evidence, row, i) : NAN;
  Seen own = {k->observable_count, k->observables, room->seen},
       before = {k->observable_count, k->observables, state_seen};
  Sums sums = {.marginals = room->marginals, .counts = room->counts, .gradient = room->gradient};
  oracle_sum(&k->oracle, room->weights, &own, &before, k->queries, k->query_count, &sums);
  return sums;
}

static size_t impossible_rows, possible_rows;

static void expect_row(Case *k, const Rows *r, size_t row, const Sums *sums) {
  bool impossible = isinf(sums->log_evidence);
  *(impossible ? &impossible_rows : &possible_rows) += 1;
  expect_equal(*cell(&r->log_partition, row, 0), sums->log_partition, k, "ln Z", row);
  expect_equal(*cell(&r->log_evidence, row, 0), sums->log_evidence, k, "ln P", row);
  for (size_t i = 0; i < k->query_count; i++)
    expect_equal(*cell(&r->marginals, row, i), impossible ? NAN : sums->marginals[i], k,
                 k->queries[i], row);
  for (size_t i = 0; i < k->parameter_count; i++) {
    expect_equal(*cell(&r->counts, row, i), impossible ? NAN : sums->counts[i], k, "count", row);
    expect_equal(*cell(&r->gradient, row, i), impossible ? NAN : sums->gradient[i], k, "gradient",
                 row);
  }
}

/* The same question to a program with the same evidence as text. */
static void expect_program(Case *k, const Room *room, const double *state_seen, const Sums *sums) {
  RandomText evidence = {.at = ""};
  say_seen(&evidence, &(Seen){k->observable_count, k->observables, room->seen});
  say_seen(&evidence, &(Seen){k->observable_count, k->observables, state_seen});
  lpmln_method method = dice_chance(&k->dice, 50) ? LPMLN_EXACT : LPMLN_AUTO;
  lpmln_program *p = program_for(k, method, evidence.at, NULL);
  for (size_t i = 0; i < k->parameter_count; i++)
    lpmln_program_set_weight(p, k->parameters[i], room->weights[i]);
  const lpmln_inference *x = lpmln_infer(p);
  if (isinf(sums->log_evidence)) {
    assert_int_equal(x->about.status, LPMLN_NO_ANSWER);
  } else {
    assert_int_equal(x->about.status, LPMLN_OK);
    expect_equal(x->log_partition, sums->log_partition, k, "ln Z of the program", 0);
    expect_equal(x->log_evidence, sums->log_evidence, k, "ln P of the program", 0);
    for (size_t i = 0; i < k->query_count; i++) {
      double found = probability(x, k->queries[i]);
      if (isnan(found)) /* certain or impossible ones are not listed */
        found = round(sums->marginals[i]);
      expect_equal(found, sums->marginals[i], k, "marginal of the program", 0);
    }
  }
  lpmln_answer_free(x);
  lpmln_program_free(p);
}

static void compare_rows(Case *k) {
  double state_seen[MOST_COLUMNS];
  Rows r;
  Room room;
  size_t rows = dice_chance(&k->dice, 10) ? 0 : 1 + dice_below(&k->dice, MOST_ROWS - 1);
  bool weighted = dice_chance(&k->dice, 70), observed = dice_chance(&k->dice, 85);
  random_seen(k, state_seen, dice_chance(&k->dice, 50) ? 15 : 0);
  observe(k, state_seen);
  rows_fill(k, &r, rows);
  lpmln_batch batch = {.rows = rows,
                       .threads = 1 + dice_below(&k->dice, 2),
                       .log_partition = r.log_partition.is,
                       .log_evidence = r.log_evidence.is,
                       .marginals = r.marginals.is,
                       .counts = r.counts.is,
                       .gradient = r.gradient.is};
  if (weighted)
    batch.weights = r.weights.is;
  if (observed)
    batch.evidence = r.evidence.is;
  assert_int_equal(lpmln_state_evaluate(k->state, &batch), LPMLN_OK);
  for (size_t row = 0; row < rows; row++) {
    Sums sums = sums_of(k, &r, row, state_seen, weighted, observed, &room);
    expect_row(k, &r, row, &sums);
    if (row == 0)
      expect_program(k, &room, state_seen, &sums);
  }
  rows_free(&r);
}

static void rows_of_random_models(void **state) {
  (void)state;
  size_t none = 0;
  made = impossible_rows = possible_rows = 0;
  for (uint64_t seed = 0; made < CASES && none < CASES; seed++) {
    Case k;
    if (!case_make(&k, seed, NULL)) {
      oracle_free(&k.oracle);
      none++;
      continue;
    }
    compare_rows(&k);
    case_free(&k);
  }
  assert_int_equal(made, CASES);
  assert_true(impossible_rows > CASES && possible_rows > CASES); /* both were seen often */
}

/* ---- gradients by differences -----------------------------------------------------------------
 */

static double log_of(lpmln_state *s, bool evidence) {
  const lpmln_inference *x = lpmln_state_infer(s);
  assert_int_equal(x->about.status, LPMLN_OK);
  double value = evidence ? x->log_evidence : x->log_partition + x->log_evidence;
  lpmln_answer_free(x);
  return value;
}

static void expect_difference(Case *k, size_t i, double count, double gradient) {
  const double h = 1e-4;
  double value[2][2];
  for (int side = 0; side < 2; side++) {
    lpmln_state_set_weight(k->state, k->parameters[i], k->weights[i] + (side ? h : -h));
    value[side][0] = log_of(k->state, true), value[side][1] = log_of(k->state, false);
  }
  lpmln_state_set_weight(k->state, k->parameters[i], k->weights[i]);
  assert_near((value[1][0] - value[0][0]) / (2 * h), gradient, 1e-6);
  assert_near(-(value[1][1] - value[0][1]) / (2 * h), count, 1e-6);
}

static void gradients(void **state) {
  (void)state;
  enum { GRADIENTS = 40 };
  size_t seen = 0;
  for (uint64_t seed = 5000; seen < GRADIENTS && seed < 5000 + 20 * GRADIENTS; seed++) {
    Case k;
    double values[MOST_COLUMNS], ln, counts[MOST_COLUMNS], gradient[MOST_COLUMNS];
    if (!case_make(&k, seed, NULL)) {
      oracle_free(&k.oracle);
      continue;
    }
    random_seen(&k, values, 20);
    observe(&k, values);
    lpmln_batch batch = {.rows = 1,
                         .log_evidence = {&ln, 1, 1},
                         .counts = {counts, MOST_COLUMNS, 1},
                         .gradient = {gradient, MOST_COLUMNS, 1}};
    assert_int_equal(lpmln_state_evaluate(k.state, &batch), LPMLN_OK);
    for (size_t i = 0; isfinite(ln) && i < k.parameter_count; i++)
      expect_difference(&k, i, counts[i], gradient[i]);
    seen += isfinite(ln);
    case_free(&k);
  }
  assert_int_equal(seen, GRADIENTS);
}

/* ---- evidence set and taken back ----------------------------------------------------------------
 */

static void expect_inference(const lpmln_inference *x, const lpmln_inference *y) {
  assert_int_equal(x->about.status, y->about.status);
  if (x->about.status == LPMLN_OK) {
    assert_near(x->log_partition, y->log_partition, 1e-10);
    assert_near(x->log_evidence, y->log_evidence, 1e-10);
    for (size_t i = 0; i < x->count; i++) {
      double p = x->marginals[i].probability, q = probability(y, x->marginals[i].atom);
      assert_true(isnan(q) ? p < 1e-10 || p > 1 - 1e-10 : fabs(p - q) < 1e-10);
    }
    for (size_t i = 0; i < y->count; i++)
      assert_true(!isnan(probability(x, y->marginals[i].atom)));
  } else {
    assert_true(*x->about.messages);
  }
  lpmln_answer_free(x);
  lpmln_answer_free(y);
}

static bool same_atoms(const char *const *x, size_t n, const char *const *y, size_t m) {
  if (n != m)
    return false;
  for (size_t i = 0; i < n; i++)
    if (strcmp(x[i], y[i]) != 0)
      return false;
  return true;
}

/* The same models, whatever the order of ties. */
static void expect_models(const lpmln_models *x, const lpmln_models *y) {
  assert_int_equal(x->about.status, y->about.status);
  assert_int_equal(x->count, y->count);
  assert_true((x->total == NULL) == (y->total == NULL));
  if (x->total)
    assert_string_equal(x->total, y->total);
  for (size_t i = 0; i < x->count; i++) {
    const lpmln_stable_model *m = &x->models[i];
    bool found = false;
    for (size_t k = 0; !found && k < y->count; k++) {
      const lpmln_stable_model *other = &y->models[k];
      found = same_atoms(m->atoms, m->atom_count, other->atoms, other->atom_count);
      if (found) {
        assert_near(m->probability, other->probability, 1e-10);
        assert_near(m->log_weight, other->log_weight, 1e-10);
        assert_int_equal(m->violated_count, other->violated_count);
      }
    }
    assert_true(found);
    assert_true(!i || m->probability <= x->models[i - 1].probability + 1e-12);
  }
  lpmln_answer_free(x);
  lpmln_answer_free(y);
}

/* Each sample is a stable model that agrees with the evidence. */
static void expect_samples(const lpmln_samples *x, const lpmln_models *all) {
  assert_int_equal(x->about.status, all->about.status);
  for (size_t i = 0; i < x->count; i++) {
    bool found = false;
    for (size_t k = 0; !found && k < all->count; k++)
      found = same_atoms(x->samples[i].atoms, x->samples[i].atom_count, all->models[k].atoms,
                         all->models[k].atom_count);
    assert_true(found);
  }
  lpmln_answer_free(x);
  lpmln_answer_free(all);
}

static void compare_questions(Case *k, const double *seen, const char *query) {
  RandomText evidence = {.at = ""};
  say_seen(&evidence, &(Seen){k->observable_count, k->observables, seen});
  lpmln_program *p = program_for(k, LPMLN_EXACT, evidence.at, query);
  for (size_t i = 0; i < k->parameter_count; i++)
    lpmln_program_set_weight(p, k->parameters[i], k->weights[i]);
  expect_inference(lpmln_state_infer(k->state), lpmln_infer(p));
  expect_models(lpmln_state_map(k->state), lpmln_map(p));
  expect_models(lpmln_state_list(k->state, 0), lpmln_list(p, 0));
  lpmln_state_seed(k->state, 7);
  const lpmln_samples *drawn = lpmln_state_draw(k->state, 6), *again;
  assert_true(drawn->about.status != LPMLN_OK || drawn->count == 6);
  lpmln_state_seed(k->state, 7);
  again = lpmln_state_draw(k->state, 6);
  for (size_t i = 0; i < drawn->count; i++) /* by the seed */
    assert_true(same_atoms(drawn->samples[i].atoms, drawn->samples[i].atom_count,
                           again->samples[i].atoms, again->samples[i].atom_count));
  lpmln_answer_free(again);
  expect_samples(drawn, lpmln_list(p, 0));
  lpmln_program_free(p);
}

/* Set, taken back, set otherwise: only what is set now matters. */
static void questions_with_evidence(void **state) {
  (void)state;
  enum { QUESTIONS = 60 };
  made = 0;
  for (uint64_t seed = 9000; made < QUESTIONS && seed < 9000 + 3 * QUESTIONS; seed++) {
    Case k;
    double seen[MOST_COLUMNS];
    if (!case_make(&k, seed, NULL)) {
      oracle_free(&k.oracle);
      continue;
    }
    random_seen(&k, seen, 50);
    observe(&k, seen);
    lpmln_answer_free(lpmln_state_infer(k.state));
    if (dice_chance(&k.dice, 50))
      lpmln_state_clear(k.state);
    random_seen(&k, seen, 25);
    observe(&k, seen);
    compare_questions(&k, seen, NULL);
    case_free(&k);
  }
  assert_int_equal(made, QUESTIONS);
}

/* A model that was asked about one atom tells no other derived ones: evidence about them is
** compiled beside it. */
static void untold_atoms(void **state) {
  (void)state;
  enum { UNTOLD = 60 };
  size_t untold = 0;
  made = 0;
  for (uint64_t seed = 20000; made < UNTOLD && seed < 20000 + 3 * UNTOLD; seed++) {
    static const char *const names[] = {"d0", "d1", "d2", "t(1)", "t(2)", "e", "x", "k", "a0"};
    enum { NAMES = sizeof names / sizeof *names };
    Case k;
    double seen[NAMES];
    if (!case_make(&k, seed, "a1")) {
      oracle_free(&k.oracle);
      continue;
    }
    for (int round = 0; round < 3; round++) {
      RandomText evidence = {.at = ""};
      for (size_t i = 0; i < NAMES; i++) {
        seen[i] = dice_chance(&k.dice, 25) ? (double)dice_below(&k.dice, 2) : (double)NAN;
        lpmln_status status = lpmln_state_observe(k.state, names[i],
                                                  isnan(seen[i])   ? LPMLN_UNKNOWN
                                                  : seen[i] != 0.0 ? LPMLN_TRUE
                                                                   : LPMLN_FALSE);
        bool told = false;
        for (size_t c = 0; c < k.observable_count; c++)
          told |= !strcmp(k.observables[c], names[i]);
        untold += status == LPMLN_OK && !told && !isnan(seen[i]);
        assert_true(status == LPMLN_OK || status == LPMLN_USAGE);
        if (status == LPMLN_USAGE) /* there is no such atom: of random programs some */
          seen[i] = NAN;
      }
      say_seen(&evidence, &(Seen){NAMES, names, seen});
      lpmln_program *p = program_for(&k, LPMLN_EXACT, evidence.at, "a1");
      for (size_t i = 0; i < k.parameter_count; i++)
        lpmln_program_set_weight(p, k.parameters[i], k.weights[i]);
      for (int twice = 0; twice < 2; twice++)
        expect_inference(lpmln_state_infer(k.state), lpmln_infer(p));
      expect_models(lpmln_state_map(k.state), lpmln_map(p));
      expect_models(lpmln_state_list(k.state, 0), lpmln_list(p, 0));
      expect_samples(lpmln_state_draw(k.state, 3), lpmln_list(p, 0));
      lpmln_program_free(p);
    }
    case_free(&k);
  }
  assert_int_equal(made, UNTOLD);
  assert_true(untold >= UNTOLD / 2); /* indeed untold */
}

/* Rows beside evidence about untold atoms. */
static void untold_rows(void **state) {
  (void)state;
  lpmln_program *p = program_of("@w(a,1) a. @w(b,0.5) b. {c}. d :- a, b. e :- d, not c.");
  assert_int_equal(lpmln_program_add_query(p, "a"), LPMLN_OK);
  lpmln_model *model = lpmln_compile(p, NULL, NULL);
  lpmln_program_free(p);
  size_t n;
  const char *const *observables = lpmln_model_observables(model, &n);
  lpmln_state *s = lpmln_state_new(model);
  double evidence[8] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}, ln, marginal;
  assert_true(n >= 3 && n <= 8);
  for (size_t i = 0; i < n; i++) {
    assert_string_not_equal(observables[i], "e");
    if (!strcmp(observables[i], "c"))
      evidence[i] = 0;
  }
  assert_int_equal(lpmln_state_observe(s, "e", LPMLN_FALSE), LPMLN_OK);
  lpmln_batch batch = {.rows = 1,
                       .evidence = {evidence, 8, 1},
                       .log_evidence = {&ln, 1, 1},
                       .marginals = {&marginal, 1, 1}};
  assert_int_equal(lpmln_state_evaluate(s, &batch), LPMLN_OK);
  double a = 1 / (1 + exp(-1)), b = 1 / (1 + exp(-0.5)); /* not c and not (a and b) */
  assert_near(ln, log(0.5 * (1 - a * b)), 1e-12);
  assert_near(marginal, a * (1 - b) / (1 - a * b), 1e-12);
  lpmln_state_free(s);
  lpmln_model_free(model);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void loaded_models(void **state) {
  (void)state;
  enum { LOADED = 30 };
  made = 0;
  for (uint64_t seed = 40000; made < LOADED && seed < 40000 + 3 * LOADED; seed++) {
    Case k;
    double seen[MOST_COLUMNS];
    if (!case_make(&k, seed, NULL)) {
      oracle_free(&k.oracle);
      continue;
    }
    const lpmln_bytes *bytes = lpmln_model_save(k.model);
    lpmln_state_free(k.state);
    lpmln_model_free(k.model);
    const lpmln_answer *about;
    k.model = lpmln_model_load(bytes->bytes, bytes->length, &about);
    assert_int_equal(status_of(about), LPMLN_OK);
    lpmln_answer_free(bytes);
    const char *const *names = k.parameters = lpmln_model_parameters(k.model, &k.parameter_count);
    k.oracle.names = names;
    k.observables = lpmln_model_observables(k.model, &k.observable_count);
    k.queries = lpmln_model_queries(k.model, &k.query_count);
    k.state = lpmln_state_new(k.model);
    set_weights(&k);
    random_seen(&k, seen, 25);
    observe(&k, seen);
    compare_questions(&k, seen, NULL);
    compare_rows(&k);
    case_free(&k);
  }
  assert_int_equal(made, LOADED);
}

/* ---- names, misuse ------------------------------------------------------------------------------
 */

static void columns(void **state) {
  (void)state;
  lpmln_program *p = program_of("@w(w,1) a. @w(f(X)) b(X) :- n(X), a. n(1..2). c :- b(1). sure.");
  static const char *const wanted[] = {"b/1", "c"};
  lpmln_compile_options o = {2, wanted};
  assert_int_equal(lpmln_program_add_query(p, "sure"), LPMLN_OK);
  assert_int_equal(lpmln_program_add_query(p, "b(2)"), LPMLN_OK);
  lpmln_model *m = lpmln_compile(p, &o, NULL);
  lpmln_program_free(p); /* the model lives on */
  size_t n;
  const char *const *names = lpmln_model_parameters(m, &n);
  assert_int_equal(n, 3);
  assert_string_equal(names[0], "w");
  names = lpmln_model_queries(m, &n);
  assert_int_equal(n, 2);
  assert_string_equal(names[0], "sure");
  assert_string_equal(names[1], "b(2)");
  names = lpmln_model_observables(m, &n);
  size_t seen = 0;
  for (size_t i = 0; i < n; i++)
    seen += !strcmp(names[i], "a") || !strcmp(names[i], "b(1)") || !strcmp(names[i], "b(2)") ||
            !strcmp(names[i], "c");
  assert_int_equal(seen, 4);
  assert_true(lpmln_model_edges(m) > 0);
  lpmln_model_free(m);
  p = program_of("1 a.");
  static const char *const none[] = {"nothing"};
  const lpmln_answer *about;
  assert_null(lpmln_compile(p, &(lpmln_compile_options){1, none}, &about));
  assert_non_null(strstr(about->messages, "nothing"));
  assert_int_equal(status_of(about), LPMLN_INPUT);
  lpmln_program_free(p);
}

static void misuse(void **state) {
  (void)state;
  size_t n = 7;
  lpmln_batch batch = {.rows = 1};
  assert_null(lpmln_model_keep(NULL));
  lpmln_model_free(NULL);
  assert_int_equal(status_of(lpmln_model_save(NULL)), LPMLN_LIMIT);
  assert_null(lpmln_state_new(NULL));
  lpmln_state_free(NULL);
  lpmln_state_clear(NULL);
  lpmln_state_seed(NULL, 1);
  lpmln_state_limit(NULL, 1);
  lpmln_state_interrupt(NULL);
  assert_int_equal(status_of(lpmln_state_infer(NULL)), LPMLN_LIMIT);
  assert_int_equal(status_of(lpmln_state_map(NULL)), LPMLN_LIMIT);
  assert_int_equal(status_of(lpmln_state_list(NULL, 1)), LPMLN_LIMIT);
  assert_int_equal(status_of(lpmln_state_draw(NULL, 1)), LPMLN_LIMIT);
  assert_int_not_equal(lpmln_state_evaluate(NULL, &batch), LPMLN_OK);
  assert_int_not_equal(lpmln_state_set_weight(NULL, "a", 1), LPMLN_OK);
  assert_int_not_equal(lpmln_state_observe(NULL, "a", LPMLN_TRUE), LPMLN_OK);
  (void)lpmln_model_parameters(NULL, &n);
  assert_int_equal(n, 0);
  n = 7, (void)lpmln_model_observables(NULL, &n);
  assert_int_equal(n, 0);
  n = 7, (void)lpmln_model_queries(NULL, &n);
  assert_int_equal(n, 0);
  assert_int_equal(lpmln_model_edges(NULL), 0);

  lpmln_program *p = program_of("@w(w,1) a. f(\"x y\",1) :- a.");
  lpmln_model *m = lpmln_compile(p, NULL, NULL);
  lpmln_state *s = lpmln_state_new(m);
  assert_int_equal(lpmln_state_set_weight(s, NULL, 1), LPMLN_USAGE);
  assert_int_equal(lpmln_state_set_weight(s, "none", 1), LPMLN_USAGE);
  assert_int_equal(lpmln_state_set_weight(s, "w", NAN), LPMLN_USAGE);
  assert_int_equal(lpmln_state_set_weight(s, "w", INFINITY), LPMLN_USAGE);
  assert_int_equal(lpmln_state_observe(s, NULL, LPMLN_TRUE), LPMLN_USAGE);
  assert_int_equal(lpmln_state_observe(s, "none", LPMLN_TRUE), LPMLN_USAGE);
  assert_int_equal(lpmln_state_observe(s, "", LPMLN_TRUE), LPMLN_USAGE);
  assert_int_equal(lpmln_state_observe(s, "a", (lpmln_truth)9), LPMLN_USAGE);
  assert_int_equal(lpmln_state_observe(s, " f( \"x y\" , 1 ) ", LPMLN_TRUE), LPMLN_OK);
  assert_int_equal(lpmln_state_observe(s, "f(\"xy\",1)", LPMLN_TRUE), LPMLN_USAGE);
  assert_int_equal(lpmln_state_evaluate(s, NULL), LPMLN_USAGE);
  double w = INFINITY;
  batch.weights = (lpmln_matrix){&w, 1, 1};
  assert_int_equal(lpmln_state_evaluate(s, &batch), LPMLN_USAGE);
  lpmln_state_clear(s);
  const lpmln_inference *x = lpmln_state_infer(s); /* nothing of that has changed it */
  assert_near(probability(x, "a"), 1 / (1 + exp(-1)), 1e-15);
  assert_near(x->log_evidence, 0, 0);
  lpmln_answer_free(x);
  lpmln_state_free(s);
  lpmln_model_free(m);
  lpmln_program_free(p);
}

/* ln P(e) of one row, with another weight in place of one of the large ones. */
static double large_row(lpmln_state *s, lpmln_model *m, double weight, double *d) {
  double weights[2] = {weight, NAN}, evidence[3], log_evidence, marginals[3];
  size_t n;
  const char *const *names = lpmln_model_observables(m, &n);
  assert_int_equal(n, 3);
  for (size_t i = 0; i < n; i++)
    evidence[i] = strcmp(names[i], "e") ? NAN : 1;
  lpmln_batch batch = {.rows = 1,
                       .weights = {weights, 2, 1},
                       .evidence = {evidence, 3, 1},
                       .log_evidence = {&log_evidence, 1, 1},
                       .marginals = {marginals, 3, 1}};
  assert_int_equal(lpmln_state_evaluate(s, &batch), LPMLN_OK);
  *d = marginals[1];
  return log_evidence;
}

/* 1e17 and 5 in one sum; probabilities that are nearly 0 and 1, which a double does not tell. */
static void large_weights(void **state) {
  (void)state;
  lpmln_program *p = program_of("@w(x, 1e17) :- not d. @w(y, 1e17) :- d. {d}. 5 :- e. {e}.\n"
                                "-800 : a. f :- not a. #show a/0. #show d/0. #show e/0.");
  lpmln_model *m = lpmln_compile(p, NULL, NULL);
  lpmln_state *s = lpmln_state_new(m);
  double given_e = -5 - log1p(exp(-5)), d;
  const lpmln_inference *x = lpmln_state_infer(s);
  assert_int_equal(x->count, 3);
  assert_near(x->marginals[0].log_probability, -800, 1e-9);
  lpmln_answer_free(x);
  assert_near(large_row(s, m, NAN, &d), given_e, 1e-12);
  assert_near(d, 0.5, 1e-12);
  assert_near(large_row(s, m, 1e17 + 64, &d), given_e, 1e-12);
  assert_near(d, 1, 1e-12);
  assert_int_equal(lpmln_state_observe(s, "e", LPMLN_TRUE), LPMLN_OK);
  x = lpmln_state_infer(s);
  assert_near(x->log_evidence, given_e, 1e-12);
  lpmln_answer_free(x);
  assert_int_equal(lpmln_state_set_weight(s, "x", 1e300), LPMLN_OK);
  assert_int_equal(status_of(lpmln_state_infer(s)), LPMLN_INPUT);
  assert_int_equal(status_of(lpmln_state_map(s)), LPMLN_INPUT);
  assert_int_equal(lpmln_state_set_weight(s, "x", 1e17), LPMLN_OK);
  double w[2] = {1e300, NAN};
  assert_int_equal(lpmln_state_evaluate(s, &(lpmln_batch){.rows = 1, .weights = {w, 2, 1}}),
                   LPMLN_USAGE);
  assert_int_equal(status_of(lpmln_state_infer(s)), LPMLN_OK);
  lpmln_state_free(s);
  lpmln_model_free(m);
  lpmln_program_free(p);
}

/* Evidence of the model stays, whatever the state says. */
static void evidence_of_the_model(void **state) {
  (void)state;
  lpmln_options o = options();
  lpmln_program *p = program_with(&o, bird, "bird(jo).");
  lpmln_model *m = lpmln_compile(p, NULL, NULL);
  lpmln_program_free(p);
  lpmln_state *s = lpmln_state_new(m);
  double all = log((M_E + M_E * M_E) / (1 + M_E + M_E * M_E));
  const lpmln_inference *x = lpmln_state_infer(s);
  assert_near(x->log_evidence, all, 1e-12);
  assert_near(probability(x, "residentBird(jo)"), M_E / (1 + M_E), 1e-12);
  lpmln_answer_free(x);
  assert_int_equal(lpmln_state_observe(s, "bird(jo)", LPMLN_FALSE), LPMLN_OK);
  for (int i = 0; i < 2; i++) {
    x = lpmln_state_infer(s);
    assert_int_equal(x->about.status, LPMLN_NO_ANSWER);
    assert_true(*x->about.messages);
    lpmln_answer_free(x);
    assert_int_equal(status_of(lpmln_state_map(s)), LPMLN_NO_ANSWER);
    assert_int_equal(status_of(lpmln_state_draw(s, 1)), LPMLN_NO_ANSWER);
  }
  assert_int_equal(lpmln_state_observe(s, "bird(jo)", LPMLN_UNKNOWN), LPMLN_OK);
  assert_int_equal(lpmln_state_observe(s, "migratoryBird(jo)", LPMLN_TRUE), LPMLN_OK);
  x = lpmln_state_infer(s);
  assert_near(x->log_evidence, log(M_E / (1 + M_E + M_E * M_E)), 1e-12);
  lpmln_answer_free(x);
  lpmln_state_clear(s);
  x = lpmln_state_infer(s);
  assert_near(x->log_evidence, all, 1e-12);
  lpmln_answer_free(x);
  lpmln_state_free(s);
  lpmln_model_free(m);
}

/* An interruption ends one question of the state. */
static void interruption(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  lpmln_model *m = lpmln_compile(p, NULL, NULL);
  lpmln_program_free(p);
  lpmln_state *s = lpmln_state_new(m);
  double ln[3];
  lpmln_batch batch = {.rows = 3, .log_partition = {ln, 1, 1}};
  for (int i = 0; i < 5; i++) {
    lpmln_state_interrupt(s);
    lpmln_status status = i == 0   ? status_of(lpmln_state_infer(s))
                          : i == 1 ? status_of(lpmln_state_map(s))
                          : i == 2 ? status_of(lpmln_state_list(s, 2))
                          : i == 3 ? status_of(lpmln_state_draw(s, 2))
                                   : lpmln_state_evaluate(s, &batch);
    assert_int_equal(status, LPMLN_INTERRUPTED);
    const lpmln_inference *x = lpmln_state_infer(s);
    expect_bird(x);
    lpmln_answer_free(x);
    assert_int_equal(lpmln_state_evaluate(s, &batch), LPMLN_OK);
  }
  lpmln_state_free(s);
  lpmln_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_random_models),
      cmocka_unit_test(gradients),
      cmocka_unit_test(questions_with_evidence),
      cmocka_unit_test(untold_atoms),
      cmocka_unit_test(untold_rows),
      cmocka_unit_test(loaded_models),
      cmocka_unit_test(columns),
      cmocka_unit_test(misuse),
      cmocka_unit_test(large_weights),
      cmocka_unit_test(evidence_of_the_model),
      cmocka_unit_test(interruption),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
