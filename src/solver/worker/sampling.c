/* sampling.c - see sampling.h.
**
** The constraints live in a propagator.  Its clauses are volatile: clasp adds
** the negation of its step literal, which every solve call has its own of, so
** that neither they nor what is learnt from them outlive the call.  That is so
** only once the search has begun: while clasp still prepares it there is no step
** literal and a clause would stay for ever, so nothing is said before there is a
** root level, which the step literal, being assumed, makes.
**
** The propagator keeps no copy of the assignment: it is called at every fixpoint
** of propagation, reads the atoms anew, and has nothing to undo. */
#include "solver/worker/sampling.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- parity in the solver ------------------------------------------------------ */

static int compare_variables(const void *a, const void *b) {
  clingo_literal_t x = abs(*(const clingo_literal_t *)a), y = abs(*(const clingo_literal_t *)b);
  return (x > y) - (x < y);
}

/* Columns are solver variables: several atoms may share one. */
static bool make_columns(Sampling *s, const clingo_propagate_init_t *init, bool *negated) {
  clingo_literal_t *all = allocate(s->hashed, sizeof *all);
  bool good = true;
  for (uint32_t i = 0; good && i < s->hashed; i++) {
    good = clingo_propagate_init_solver_literal(init, s->atom[i], &all[i]);
    s->literal[i] = abs(all[i]);
  }
  qsort(s->literal, s->hashed, sizeof *s->literal, compare_variables);
  uint32_t columns = 0;
  for (uint32_t i = 0; i < s->hashed; i++)
    if (!columns || s->literal[columns - 1] != s->literal[i])
      s->literal[columns++] = s->literal[i];
  for (uint32_t i = 0; good && i < s->hashed; i++) {
    clingo_literal_t *at = bsearch(&all[i], s->literal, columns, sizeof *at, compare_variables);
    assert(at);
    s->column[i] = (uint32_t)(at - s->literal);
    negated[i] = all[i] < 0;
  }
  parity_reset(&s->parity, columns);
  free(all);
  return good;
}

static void add_rows(Sampling *s, const bool *negated) {
  uint64_t *row = allocate(s->parity.words, sizeof *row);
  for (uint32_t r = 0; r < s->row_count; r++) {
    const uint64_t *from = s->rows + (size_t)r * s->row_words;
    bool odd = parity_bit(from, s->hashed);
    memset(row, 0, s->parity.words * sizeof *row);
    for (uint32_t i = 0; i < s->hashed; i++)
      if (parity_bit(from, i)) {
        parity_flip(row, s->column[i]);
        odd ^= negated[i];
      }
    parity_add(&s->parity, row, odd);
  }
  free(row);
}

/* Called before every solve call: what solver literals mean may have changed. */
static bool on_init(clingo_propagate_init_t *init, void *data) {
  Sampling *s = data;
  clingo_propagate_init_set_check_mode(init, s->row_count ? clingo_propagator_check_mode_fixpoint
                                                          : clingo_propagator_check_mode_none);
  if (!s->row_count)
    return true;
  bool *negated = allocate(s->hashed, sizeof *negated);
  bool good = make_columns(s, init, negated);
  if (good)
    add_rows(s, negated);
  free(negated);
  return good;
}

static bool read_assignment(Sampling *s, const clingo_assignment_t *assignment) {
  assert(s->parity.columns <= s->hashed);
  Parity *p = &s->parity;
  memset(p->assigned, 0, p->words * sizeof *p->assigned);
  memset(p->value, 0, p->words * sizeof *p->value);
  for (uint32_t c = 0; c < p->columns; c++) {
    clingo_truth_value_t truth;
    if (!clingo_assignment_truth_value(assignment, s->literal[c], &truth))
      return false;
    if (truth != clingo_truth_value_free)
      parity_flip(p->assigned, c);
    if (truth == clingo_truth_value_true)
      parity_flip(p->value, c);
  }
  return true;
}

/* The row as a clause that its unassigned column must satisfy; without one it
** is a conflict. */
static bool add_clause(Sampling *s, clingo_propagate_control_t *control, uint32_t row, bool value,
                       bool *goes_on) {
  assert(row < s->parity.rows);
  const Parity *p = &s->parity;
  const uint64_t *bits = parity_row(p, row);
  clingo_literal_t *clause = allocate(p->columns, sizeof *clause);
  size_t n = 0;
  for (uint32_t c = 0; c < p->columns; c++)
    if (parity_bit(bits, c)) {
      bool positive = parity_bit(p->assigned, c) ? !parity_bit(p->value, c) : value;
      clause[n++] = positive ? s->literal[c] : -s->literal[c];
    }
  bool good =
      clingo_propagate_control_add_clause(control, clause, n, clingo_clause_type_volatile, goes_on);
  free(clause);
  return good;
}

static bool on_check(clingo_propagate_control_t *control, void *data) {
  Sampling *s = data;
  uint32_t row;
  bool value, goes_on = true;
  const clingo_assignment_t *assignment = clingo_propagate_control_assignment(control);
  if (!clingo_assignment_root_level(assignment))
    return true;
  if (s->parity.contradictory)
    return clingo_propagate_control_add_clause(control, NULL, 0, clingo_clause_type_volatile,
                                               &goes_on);
  if (!read_assignment(s, assignment))
    return false;
  if (!parity_adjust(&s->parity, &row))
    return add_clause(s, control, row, false, &goes_on);
  for (row = 0; goes_on && row < s->parity.rows; row++)
    if (parity_implies(&s->parity, row, &value) && !add_clause(s, control, row, value, &goes_on))
      return false;
  return true;
}

/* ---- requests ------------------------------------------------------------------- */

void sampling_free(Sampling *s) {
  if (s->loaded)
    solving_free(&s->solving);
  free(s->atom);
  free(s->column);
  free(s->literal);
  parity_free(&s->parity);
  *s = (Sampling){0};
}

/* All models, and few learnt clauses at a time: rows make long ones by the
** thousand, and watching them was nine tenths of the work. */
static const char *const arguments[] = {"0",
                                        NO_EQUIVALENCES,
                                        "--del-cfl=F,1000",
                                        "--del-grow=no",
                                        "--del-init=1,500,1000",
                                        "--del-max=1000"};

void sampling_load(Sampling *s, Bytes *request, Buffer *out) {
  static const clingo_propagator_t propagator = {.init = on_init, .check = on_check};
  sampling_free(s);
  s->loaded = true;
  bool good =
      solving_begin(&s->solving, request, out, arguments, sizeof arguments / sizeof *arguments);
  if (good) {
    s->atom = take_literals(request, &s->hashed, &s->solving.solver);
    s->column = allocate(s->hashed, sizeof *s->column);
    s->literal = allocate(s->hashed, sizeof *s->literal);
    s->row_words = (s->hashed + 1 + 63) / 64;
    good = clingo_control_register_propagator(s->solving.solver.control, &propagator, s, false);
  }
  done(out, good);
}

void sampling_cell(Sampling *s, Bytes *request, Buffer *out) {
  uint32_t most = bytes_u32(request), n;
  clingo_literal_t *assumed = take_literals(request, &n, &s->solving.solver);
  free(s->solving.report);
  s->solving.report = take_literals(request, &s->solving.bits, &s->solving.solver);
  s->row_count = bytes_u32(request);
  s->rows = allocate((size_t)s->row_count * s->row_words, sizeof *s->rows);
  bytes_take(request, s->rows, (size_t)s->row_count * s->row_words * sizeof *s->rows);
  done(out, solving_run(&s->solving, most, assumed, n));
  free(s->rows);
  free(assumed);
}
