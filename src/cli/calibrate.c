/* calibrate.c - see calibrate.h.
**
** The learned program is compiled once with the columns as observables.  Column after column is
** made unknown in all rows, and these go through the circuit at once. */
#include "cli/calibrate.h"

#include "base/csv.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 20000 }; /* a picture needs no more */

/* ---- a table of the test data --------------------------------------------------------- */

typedef struct {
  VEC(char *) names; /* by column */
  size_t counts;     /* the column of #count; SIZE_MAX: none */
  size_t rows;
  VEC(double) cells; /* row after row: 1, 0, NAN; of #count a number */
} Rows;

static void rows_free(Rows *r) {
  for (size_t i = 0; i < r->names.n; i++)
    free(r->names.at[i]);
  vec_free(&r->names);
  vec_free(&r->cells);
}

/* Names as the library writes them have no blanks but in strings. */
static char *without_blanks(const char *text) {
  Text bare = {0};
  bool string = false;
  text_add(&bare, "", 0);
  for (; *text; text++) {
    string ^= *text == '"';
    if (string || *text != ' ')
      text_add(&bare, text, 1);
  }
  return text_take(&bare);
}

static double value_of(const Rows *r, size_t column, const char *cell) {
  char truth = column == r->counts ? 0 : csv_truth(cell);
  return column == r->counts ? strtod(cell, NULL) : truth == '?' ? NAN : truth == '1';
}

/* The library has read it before, so it is in order. */
static void read_rows(const lpmln_text *text, Rows *to) {
  char separator = csv_separator(text->bytes);
  const char *at = text->bytes;
  Text cell = {0};
  CsvCell about;
  to->counts = SIZE_MAX;
  do {
    at = csv_cell(at, separator, &cell, &about);
    if (!strcmp(cell.at, "#count"))
      to->counts = to->names.n;
    vec_push(&to->names, without_blanks(cell.at));
  } while (!about.last);
  while (*at && to->rows < MOST_ROWS) {
    size_t column = 0;
    do {
      at = csv_cell(at, separator, &cell, &about);
      if (!column && about.last && !cell.n)
        break; /* an empty line */
      vec_push(&to->cells, value_of(to, column++, cell.at));
    } while (!about.last);
    to->rows += column > 0;
  }
  assert(to->cells.n == to->rows * to->names.n);
  vec_free(&cell);
}

/* ---- predictions ---------------------------------------------------------------------- */

/* By column: which of the model's names it is; SIZE_MAX: none. */
static size_t *find_columns(const Rows *r, const char *const *names, size_t count) {
  size_t *found = memory_zero(r->names.n, sizeof *found);
  for (size_t i = 0; i < r->names.n; i++) {
    found[i] = SIZE_MAX;
    for (size_t k = 0; k < count && found[i] == SIZE_MAX; k++) {
      char *bare = without_blanks(names[k]);
      if (!strcmp(bare, r->names.at[i]))
        found[i] = k;
      free(bare);
    }
  }
  return found;
}

typedef struct {
  lpmln_state *state;
  const Rows *rows;
  size_t observables, queries;
  size_t *observable, *query; /* by column */
  double *evidence, *marginals;
  unsigned threads;
} Predicting;

/* Everything but the column. */
static void fill_evidence(const Predicting *p, size_t column) {
  const Rows *r = p->rows;
  for (size_t i = 0; i < r->rows * p->observables; i++)
    p->evidence[i] = NAN;
  for (size_t row = 0; row < r->rows; row++)
    for (size_t c = 0; c < r->names.n; c++)
      if (c != column && p->observable[c] != SIZE_MAX)
        p->evidence[row * p->observables + p->observable[c]] = r->cells.at[row * r->names.n + c];
}

static void add_cell(HtmlCalibration *to, double predicted, double truth, double count) {
  size_t bin = (size_t)fmin(predicted * HTML_BINS, HTML_BINS - 1);
  assert(predicted >= 0 && (truth == 0 || truth == 1) && count > 0);
  to->count[bin] += count;
  to->predicted[bin] += count * predicted;
  to->seen[bin] += count * truth;
  to->squares += count * (predicted - truth) * (predicted - truth);
}

static bool predict_column(const Predicting *p, size_t column, HtmlCalibration *to) {
  const Rows *r = p->rows;
  if (p->observable[column] == SIZE_MAX || p->query[column] == SIZE_MAX)
    return true;
  fill_evidence(p, column);
  lpmln_batch batch = {.rows = r->rows,
                       .evidence = {p->evidence, (ptrdiff_t)p->observables, 1},
                       .threads = p->threads,
                       .marginals = {p->marginals, (ptrdiff_t)p->queries, 1}};
  if (lpmln_state_evaluate(p->state, &batch) != LPMLN_OK)
    return false;
  for (size_t row = 0; row < r->rows; row++) {
    const double *cells = r->cells.at + row * r->names.n;
    double predicted = p->marginals[row * p->queries + p->query[column]];
    if (!isnan(cells[column]) && !isnan(predicted))
      add_cell(to, fmin(fmax(predicted, 0), 1), cells[column],
               r->counts == SIZE_MAX ? 1 : cells[r->counts]);
  }
  return true;
}

static bool predict(lpmln_model *model, const Rows *r, double seconds, unsigned threads,
                    HtmlCalibration *to) {
  Predicting p = {.state = lpmln_state_new(model), .rows = r, .threads = threads};
  const char *const *observables = lpmln_model_observables(model, &p.observables);
  const char *const *queries = lpmln_model_queries(model, &p.queries);
  p.observable = find_columns(r, observables, p.observables);
  p.query = find_columns(r, queries, p.queries);
  p.evidence = memory_zero(r->rows * p.observables, sizeof *p.evidence);
  p.marginals = memory_zero(r->rows * p.queries, sizeof *p.marginals);
  bool good = p.state != NULL;
  if (good)
    lpmln_state_limit(p.state, seconds);
  for (size_t c = 0; good && c < r->names.n; c++)
    good = c == r->counts || predict_column(&p, c, to);
  lpmln_state_free(p.state);
  free(p.observable);
  free(p.query);
  free(p.evidence);
  free(p.marginals);
  return good;
}

/* ---- the learned program --------------------------------------------------------------- */

static lpmln_model *compile(const Session *s, const lpmln_learning *a, const Rows *r,
                            double seconds) {
  lpmln_options library = s->settings->library;
  library.method = LPMLN_EXACT, library.dialect = "lpmln", library.time_limit = seconds;
  lpmln_program *p = lpmln_program_new(&library);
  lpmln_status status =
      p ? lpmln_program_add_text(p, LPMLN_PROGRAM, "<learned>", a->program, strlen(a->program))
        : LPMLN_LIMIT;
  for (size_t i = 0; status == LPMLN_OK && i < s->settings->constants.n; i++)
    status = lpmln_program_define(p, s->settings->constants.at[i].name,
                                  s->settings->constants.at[i].value);
  VEC(const char *) names = {0};
  for (size_t i = 0; i < r->names.n; i++)
    if (i != r->counts)
      vec_push(&names, r->names.at[i]);
  for (size_t i = 0; status == LPMLN_OK && i < names.n; i++)
    status = lpmln_program_add_query(p, names.at[i]);
  lpmln_compile_options told = {.observable_count = names.n, .observables = names.at};
  session_interrupts(p);
  lpmln_model *model = status == LPMLN_OK ? lpmln_compile(p, &told, NULL) : NULL;
  session_interrupts(NULL);
  vec_free(&names);
  lpmln_program_free(p);
  return model;
}

void calibrate(const Session *s, const lpmln_sources *read, const lpmln_learning *a,
               HtmlCalibration *to) {
  for (size_t i = 0; i < read->text_count; i++) {
    double seconds = session_seconds(s);
    if (read->texts[i].role != LPMLN_TEST_DATA || seconds < 0.01)
      continue;
    Rows rows = {0};
    HtmlCalibration more = *to;
    read_rows(&read->texts[i], &rows);
    lpmln_model *model = compile(s, a, &rows, seconds);
    if (model && predict(model, &rows, seconds, s->settings->library.threads, &more))
      *to = more;
    lpmln_model_free(model);
    rows_free(&rows);
  }
}
