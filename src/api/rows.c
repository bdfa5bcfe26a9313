/* rows.c - the same queries for every row of a table of evidence.
**
** The program is compiled once, with the columns as observables; then a row costs an
** evaluation.  If telling all columns at once is too hard, each row is compiled when its
** turn comes. */
#include "infer/rows.h"

#include "api/handle.h"
#include "api/model.h"
#include "api/sealed.h"
#include "api/state.h"
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "ground/absent.h"
#include "ground/read.h"
#include "infer/task.h"
#include "language/table.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 1 << 17 }; /* rows that are in memory at once */

/* Who gets the answers, part after part. */
typedef struct {
  lpmln_rows_function each;
  void *data;
} Receiver;

/* What the table says. */
typedef struct {
  TableRows table;          /* some of its rows */
  size_t count;             /* all of them */
  Atom *atoms;              /* by column; NONE: the program has no such atom */
  const Receiver *receiver; /* NULL: the answer has all rows */
  ShareSetup setup;
} Rows;

static void rows_free(Rows *r) {
  share_end(&r->setup);
  table_free(&r->table);
  free(r->atoms);
}

/* All of them are looked at before the first is answered. */
static void count_rows(const Task *t, uint32_t source, Rows *to) {
  table_open(t->said, source, &to->table);
  while (!t->said->errors && table_read(t->said, &to->table, PART))
    to->count += to->table.rows;
  to->table.next = to->table.begin;
}

/* Several tables would have several headers. */
static Status find_rows(const Task *t, const Sealed *s, Rows *to) {
  assert(!to->table.rows && !to->atoms);
  if (t->options->method == LPMLN_MC_ASP || t->options->method == LPMLN_ENUMERATE ||
      t->options->closed_world) {
    diagnose_error(t->said, NOWHERE, NULL,
                   "rows of evidence are answered by the compiled program, in an open world");
    return USAGE;
  }
  uint32_t source = NONE_SOURCE;
  for (size_t i = 0; i < s->texts.n; i++)
    if (s->texts.at[i].role == LPMLN_DATA && source != NONE_SOURCE)
      diagnose_error(t->said, NOWHERE, NULL, "rows of evidence come from one table");
    else if (s->texts.at[i].role == LPMLN_DATA)
      source = s->texts.at[i].source;
  if (source == NONE_SOURCE)
    diagnose_error(t->said, NOWHERE, "give a table with option data",
                   "there are no rows of evidence");
  else if (!t->said->errors)
    count_rows(t, source, to);
  return t->said->errors ? INPUT : OK;
}

static Status find_atoms(const Task *t, const Ground *g, Rows *r) {
  assert(!r->atoms && g->sealed);
  size_t n = r->table.columns.n;
  r->atoms = memory_zero(n, sizeof *r->atoms);
  for (size_t i = 0; i < n; i++) {
    const TableColumn *column = &r->table.columns.at[i];
    r->atoms[i] = NONE;
    if (!strcmp(column->text, "#count")) {
      diagnose_error(t->said, column->place, NULL, "rows of evidence have no counts");
      continue;
    }
    ModelAtoms found = {0};
    char *bare = atom_bare(column->text, strlen(column->text));
    r->atoms[i] = model_atoms(g, bare, &found) && found.n == 1 ? found.at[0] : NONE;
    if (r->atoms[i] == NONE)
      absent_say_atom(t->program, g, column->place, bare, t->options->strict, t->said);
    free(bare);
    vec_free(&found);
  }
  return t->said->errors ? INPUT : OK;
}

static char cell(const Rows *r, size_t row, size_t column) {
  assert(row < r->table.rows && column < r->table.columns.n);
  return r->table.cells.at[row * r->table.columns.n + column];
}

static bool names_nothing(const Rows *r, size_t row) {
  for (size_t i = 0; i < r->table.columns.n; i++)
    if (r->atoms[i] == NONE && cell(r, row, i) == '1')
      return true;
  return false;
}

/* ---- all at once ------------------------------------------------------------------------ */

/* Some rows, but for columns that the program has no atom for. */
static void read_evidence(const void *data, size_t first, size_t n, double *evidence) {
  const Rows *r = data;
  for (size_t row = first; row < first + n; row++)
    for (size_t i = 0; i < r->table.columns.n; i++)
      if (r->atoms[i] != NONE)
        *evidence++ = cell(r, row, i) == '?' ? NAN : cell(r, row, i) == '1';
}

static Status evaluate(const State *s, const Task *t, const Asking *a, Rows *r,
                       double *log_evidence, double *probabilities) {
  assert(a->queries.n == a->names.n);
  size_t columns = 0, n = r->table.columns.n;
  Atom *observable = memory_zero(n, sizeof *observable);
  StateEvidence fixed = {0};
  Text trouble = {0};
  for (size_t i = 0; i < n; i++)
    if (r->atoms[i] != NONE)
      observable[columns++] = r->atoms[i];
  state_evidence(s, true, &fixed); /* all of it, see all_told */
  RowsShape shape = {.told = &s->model->told,
                     .program = &s->model->prior,
                     .weights = s->weights,
                     .observables = columns,
                     .observable = observable,
                     .queries = a->queries.n,
                     .query = a->queries.at,
                     .ground = t->ground,
                     .evidence = fixed.at,
                     .evidences = fixed.n};
  RowsTable table = {r->table.rows, read_evidence,       r,        log_evidence,
                     probabilities, t->options->threads, t->share, &r->setup};
  Status status = rows_answer(&shape, &table, &t->limits, &trouble);
  if (trouble.n)
    diagnose_error(t->said, NOWHERE, NULL, "%s", trouble.at);
  vec_free(&trouble);
  free(observable);
  vec_free(&fixed);
  return status;
}

/* ---- one after the other ---------------------------------------------------------------- */

/* Beside the evidence that is there for all rows; false: they contradict each other. */
static bool observe_row(State *s, const int8_t *always, const Rows *r, size_t row) {
  bool agrees = true;
  for (size_t i = 0; i < r->table.columns.n; i++)
    if (r->atoms[i] != NONE)
      state_observe(s, r->atoms[i], always[r->atoms[i]]);
  for (size_t i = 0; i < r->table.columns.n; i++)
    if (r->atoms[i] != NONE && cell(r, row, i) != '?')
      agrees &= state_observe_too(s, r->atoms[i], cell(r, row, i) == '1');
  return agrees;
}

static Status evaluate_row(State *s, const Task *t, const Asking *asking, bool agrees,
                           double *log_evidence, double *probabilities) {
  Arena aside = {0};
  Diagnostics unsaid = {.sources = t->said->sources};
  Task own = *t;
  Asking always = *asking;
  lpmln_inference answer = {0};
  own.answer = &aside, own.said = &unsaid;
  always.always = true;
  Status status = agrees ? limits_check(&t->limits) : NO_ANSWER;
  if (status == OK)
    status = state_infer(s, &own, &always, &answer, NULL);
  *log_evidence = status == NO_ANSWER ? -INFINITY : answer.log_evidence;
  for (size_t i = 0; i < asking->queries.n; i++)
    probabilities[i] = status == OK ? answer.marginals[i].probability : NAN;
  diagnostics_free(&unsaid);
  arena_free(&aside);
  return status == NO_ANSWER ? OK : status;
}

/* `always`: the evidence of all rows. */
static Status evaluate_rows(State *s, const Task *t, const Asking *asking, const Rows *r,
                            const int8_t *always, double *log_evidence, double *probabilities) {
  size_t queries = asking->queries.n;
  Status status = OK;
  for (size_t row = 0; row < r->table.rows && status == OK; row++)
    status = evaluate_row(s, t, asking, observe_row(s, always, r, row), &log_evidence[row],
                          probabilities + row * queries);
  return status;
}

static bool all_told(const State *s, const Asking *a, const Rows *r) {
  const Told *told = &s->model->told;
  const Ground *g = &s->model->sealed->is.ground;
  bool good = true;
  for (size_t i = 0; i < r->table.columns.n; i++)
    good &= r->atoms[i] == NONE || g->atoms.at[r->atoms[i]].truth != ATOM_OPEN ||
            told_has(told, r->atoms[i]);
  for (size_t i = 0; i < a->queries.n; i++)
    good &= g->atoms.at[a->queries.at[i]].truth != ATOM_OPEN || told_has(told, a->queries.at[i]);
  for (Atom atom = 0; atom < g->atoms.n; atom++)
    good &= s->evidence[atom] < 0 || told_has(told, atom);
  return good;
}

/* ---- the answer -------------------------------------------------------------------------- */

/* Divides by the conditions of queries (`A | B`, see answer_asked) and leaves their columns
** out.  A condition that is impossible leaves an empty cell.  `to` may be `from`. */
static void divide(const Asking *a, size_t rows, const double *from, double *to) {
  size_t all = a->queries.n;
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < all; i++) {
      const double *p = &from[row * all + i];
      bool condition = i + 1 < all && !*a->names.at[i + 1];
      double value = !condition ? p[0] : p[1] > 0 ? fmin(p[0] / p[1], 1) : NAN;
      *to++ = value; /* never ahead of what is read */
      i += condition;
    }
}

/* The rows that are in memory: their answers stand behind each other. */
typedef struct {
  State *state;
  const Asking *asking;
  int8_t *always; /* the evidence of all rows, if they are answered one after the other */
  double *log_evidence, *probabilities;
  size_t kept;        /* columns of the answer */
  size_t done, first; /* rows before these; the first impossible one */
} RowParts;

static void finish_part(RowParts *x, const Rows *r, double *log_evidence, const double *from,
                        double *to, lpmln_table *answer) {
  divide(x->asking, r->table.rows, from, to);
  for (size_t row = 0; row < r->table.rows; row++) {
    if (names_nothing(r, row))
      log_evidence[row] = -INFINITY;
    if (!isinf(log_evidence[row]))
      continue;
    for (size_t i = 0; i < x->kept; i++)
      to[row * x->kept + i] = NAN;
    x->first = answer->impossible ? x->first : x->done + row;
    answer->impossible++;
  }
}

static Status answer_part(RowParts *x, const Task *t, Rows *r, lpmln_table *answer) {
  size_t queries = x->asking->queries.n, before = r->receiver ? 0 : x->done;
  double *log_evidence = x->log_evidence + before, *from = x->probabilities + before * queries;
  double *to = x->probabilities + before * x->kept;
  Status status;
  if (!x->always)
    status = evaluate(x->state, t, x->asking, r, log_evidence, from);
  else
    status = evaluate_rows(x->state, t, x->asking, r, x->always, log_evidence, from);
  if (status != OK)
    return status;
  finish_part(x, r, log_evidence, from, to, answer);
  x->done += r->table.rows;
  lpmln_table part = *answer;
  part.row_count = r->table.rows;
  part.probabilities = to, part.log_evidence = log_evidence;
  return !r->receiver || r->receiver->each(r->receiver->data, &part) ? OK : INTERRUPTED;
}

static void say_impossible(const Task *t, const Rows *r, size_t first, size_t impossible) {
  if (impossible)
    diagnose_warning(t->said, table_row_place(t->said, r->table.source, first), NULL,
                     impossible == 1 ? "%zu of %zu rows is impossible"
                                     : "%zu of %zu rows are impossible, first this one",
                     impossible, r->count);
}

static void begin_answer(const Task *t, RowParts *x, lpmln_table *answer) {
  const Asking *a = x->asking;
  for (size_t i = 0; i < a->names.n; i++)
    x->kept += *a->names.at[i] != 0;
  const char **names = arena_zero(t->answer, x->kept, sizeof *names);
  for (size_t i = 0, n = 0; i < a->names.n; i++)
    if (*a->names.at[i])
      names[n++] = arena_text(t->answer, a->names.at[i]);
  answer->queries = names, answer->query_count = x->kept;
}

static void end_answer(const RowParts *x, const Rows *r, lpmln_table *answer) {
  answer->about.method = LPMLN_EXACT, answer->about.exact = answer->about.complete = true;
  answer->row_count = r->count;
  answer->probabilities = r->receiver ? NULL : x->probabilities;
  answer->log_evidence = r->receiver ? NULL : x->log_evidence;
}

static Status answer_rows(State *s, Task *t, const Asking *asking, Rows *r, lpmln_table *answer) {
  size_t queries = asking->queries.n, atoms = t->ground->atoms.n;
  size_t rows = r->receiver && r->count > PART ? PART : r->count;
  RowParts x = {.state = s, .asking = asking};
  Status status = OK;
  x.log_evidence = arena_zero(t->answer, rows, sizeof *x.log_evidence);
  x.probabilities = arena_zero(t->answer, rows * queries, sizeof *x.probabilities);
  if (!all_told(s, asking, r)) {
    x.always = memory_zero(atoms, sizeof *x.always);
    memcpy(x.always, s->evidence, atoms * sizeof *x.always);
  }
  begin_answer(t, &x, answer);
  if (r->receiver && !r->count)
    (void)r->receiver->each(r->receiver->data, answer);
  while (status == OK && x.done < r->count && table_read(t->said, &r->table, PART))
    status = answer_part(&x, t, r, answer);
  free(x.always);
  assert(status != OK || x.done == r->count);
  if (status == OK) {
    say_impossible(t, r, x.first, answer->impossible);
    end_answer(&x, r, answer);
  }
  return status;
}

/* From a compiled file. */
static Status rows_told(State *s, Task *t, const Asking *asking, void *answer, const void *data) {
  const Sealed *sealed = s->asked;
  Rows r = {.receiver = data};
  Status status = find_rows(t, sealed, &r);
  t->ground = &s->model->sealed->is.ground;
  if (status == OK)
    status = find_atoms(t, t->ground, &r);
  if (status == OK)
    status = answer_rows(s, t, asking, &r, answer);
  rows_free(&r);
  return status;
}

/* With the columns as observables, or, if that is too hard, without. */
static Status make_model(const Task *t, Sealed *s, const Rows *r, lpmln_model **model) {
  ModelAtoms asked = {0};
  for (size_t i = 0; i < r->table.columns.n; i++)
    if (r->atoms[i] != NONE)
      vec_push(&asked, r->atoms[i]);
  Status status = model_make(t, s, asked.at, asked.n, model);
  if (status == LIMIT && limits_check(&t->limits) == OK)
    status = model_make(t, s, NULL, 0, model);
  vec_free(&asked);
  return status;
}

static Status rows_ground(Task *t, Sealed *s, void *answer, const void *data) {
  Rows r = {.receiver = data};
  lpmln_model *model = NULL;
  Status status = task_contradicted(t) ? task_no_evidence(t) : find_rows(t, s, &r);
  if (status == OK)
    status = find_atoms(t, t->ground, &r);
  if (status == OK)
    status = make_model(t, s, &r, &model);
  if (status == OK) {
    State state;
    Asking asking = {.always = true};
    asking_of_model(model, &asking);
    state_begin(&state, model);
    state.options = *t->options;
    status = answer_rows(&state, t, &asking, &r, answer);
    state_end(&state);
    asking_free(&asking);
  }
  lpmln_model_free(model);
  rows_free(&r);
  return status;
}

static const lpmln_table *infer(lpmln_program *p, const Receiver *receiver) {
  return ask(p, &(Request){.size = sizeof(lpmln_table),
                           .wrong = receiver && !receiver->each ? "a function is needed" : NULL,
                           .reading = {.rows = true},
                           .run = rows_ground,
                           .run_told = rows_told,
                           .data = receiver});
}

const lpmln_table *lpmln_infer_rows(lpmln_program *p) { return infer(p, NULL); }

const lpmln_table *lpmln_infer_rows_each(lpmln_program *p, lpmln_rows_function each, void *data) {
  return infer(p, &(Receiver){each, data});
}
