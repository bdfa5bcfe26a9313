/* learn.c - `lpmln learn`: progress on a terminal, the history and the program with its
** weights in files of their own. */
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/calibrate.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/page.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/html.h"
#include "report/json.h"
#include "report/print.h"
#include "report/table.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_KEPT = 1000000 }; /* iterations: a picture needs no more */

typedef struct {
  const char *history; /* its path; NULL: none, or it can't be written */
  int file;            /* the history, once it has begun; -1 */
  Text row;            /* of it, under construction */
  lpmln_status written;
  bool draw, drawn;
  bool tell;               /* each iteration, on standard error */
  double time_limit, last; /* seconds */
  bool keep;               /* iterations, for the report */
  VEC(HtmlIteration) iterations;
} Watching;

/* ---- iterations --------------------------------------------------------------------- */

static void write_head(Text *to, const lpmln_iteration *now) {
  text_puts(to, "iteration,start,log_likelihood,gradient_sum");
  for (size_t i = 0; i < now->count; i++) {
    text_puts(to, ",");
    table_quote(to, now->parameters[i]);
  }
  static const char *const columns[] = {"observed", "expected", "gradient"};
  for (size_t k = 0; now->balances && k < 3; k++)
    for (size_t i = 0; i < now->count; i++) {
      Text name = {0};
      text_printf(&name, "%s %s", columns[k], now->parameters[i]);
      text_puts(to, ",");
      table_quote(to, name.at);
      vec_free(&name);
    }
  text_puts(to, ",seconds\n");
}

static void write_balances(Text *to, const lpmln_iteration *now) {
  for (size_t k = 0; now->balances && k < 3; k++)
    for (size_t i = 0; i < now->count; i++) {
      const lpmln_balance *b = &now->balances[i];
      text_puts(to, ",");
      number_write(to, k == 0 ? b->observed : k == 1 ? b->expected : b->gradient);
    }
}

/* The first row replaces what was there; each is written when its iteration is over. */
static void add_history(Watching *w, const char *bytes, size_t length) {
  bool good = w->file >= 0 ? file_append(w->file, bytes, length)
                           : (w->file = file_begin(w->history, bytes, length)) >= 0;
  if (good)
    return;
  w->written = cannot_write(w->history);
  w->history = NULL;
}

static void write_history(Watching *w, const lpmln_iteration *now) {
  Text *to = &w->row;
  to->n = 0;
  if (now->iteration == 1)
    write_head(to, now);
  text_printf(to, "%zu,%zu,", now->iteration, now->run);
  if (!isnan(now->log_likelihood)) /* sampled: not known */
    number_write(to, now->log_likelihood);
  text_puts(to, ",");
  number_write(to, now->gradient_sum);
  for (size_t i = 0; i < now->count; i++) {
    text_puts(to, ",");
    number_write(to, now->weights[i]);
  }
  write_balances(to, now);
  text_printf(to, ",%s\n", NUMBER_FIXED(now->seconds, 6));
  add_history(w, to->at, to->n);
}

static void draw(Watching *w, const lpmln_iteration *now) {
  if (w->drawn && now->seconds < w->last + 0.1)
    return;
  fprintf(stderr, "\riteration %zu", now->iteration);
  if (!isnan(now->log_likelihood))
    fprintf(stderr, "  log-likelihood %s", NUMBER_FIXED(now->log_likelihood, 6));
  fprintf(stderr, "  gradient %s", NUMBER_SHORT(now->gradient, 2));
  double left = now->seconds_left, limit = w->time_limit - now->seconds;
  if (w->time_limit > 0 && !(left < limit))
    left = limit;
  if (left >= 0.5)
    fprintf(stderr, "  about %s s left", NUMBER_FIXED(left, 0));
  fputs("\033[K", stderr);
  w->drawn = true;
  w->last = now->seconds;
}

/* For --verbose. */
static void tell(const lpmln_iteration *now) {
  Text to = {0};
  text_printf(&to, "iteration %zu  %s s", now->iteration, NUMBER_FIXED(now->seconds, 3));
  if (!isnan(now->log_likelihood))
    text_printf(&to, "  log-likelihood %s", NUMBER_FIXED(now->log_likelihood, 6));
  text_puts(&to, "\n");
  if (now->balances)
    print_balances(&to, "parameter", now->parameters, now->balances, now->count);
  fwrite(to.at, 1, to.n, stderr);
  vec_free(&to);
}

static bool note(Watching *w, const lpmln_iteration *now) {
  if (w->tell)
    tell(now);
  if (w->history)
    write_history(w, now);
  if (w->keep && w->iterations.n < MOST_KEPT)
    vec_push(&w->iterations, (HtmlIteration){now->run, now->log_likelihood, now->gradient_sum});
  return true;
}

/* The library's frames are not jumped over: memory that is out ends the run here. */
static bool watch(void *data, const lpmln_iteration *now) {
  Watching *w = data;
  MemoryGuard guard;
  assert(now->iteration >= 1 && (now->weights || !now->count));
  bool noted = memory_guard(&guard) ? false : note(w, now);
  memory_unguard(&guard);
  if (!noted)
    w->written = LPMLN_LIMIT;
  if (w->draw)
    draw(w, now);
  return noted;
}

/* ---- the command ---------------------------------------------------------------------- */

static lpmln_status refuse(const Settings *s) {
  if (!s->evidence.n && !s->data.n && !s->elsewhere)
    return usage_error("'%s' needs observations: -e FILE or --data TABLE.csv", s->command->name);
  if (s->library.method == LPMLN_ENUMERATE)
    return usage_error("'%s' works on the compiled program or samples: --method exact or mc-asp",
                       s->command->name);
  if (s->learning.resume && !s->learning.checkpoint)
    return usage_error("--resume needs --checkpoint FILE");
  return LPMLN_OK;
}

static const lpmln_learning *ask(Session *s, Watching *w) {
  lpmln_learning_options wanted = s->settings->learning;
  wanted.progress = watch, wanted.progress_data = w;
  wanted.counts = w->tell || w->history;
  wanted.fixed = s->settings->fixed.at, wanted.fixed_count = s->settings->fixed.n;
  const lpmln_learning *a = lpmln_learn(s->program, &wanted);
  if (w->drawn)
    fputs("\r\033[K", stderr);
  return a;
}

/* Also a run without iterations has a history. */
static lpmln_status end_history(Watching *w, bool answered) {
  if (w->history && w->file < 0 && answered)
    add_history(w, "", 0);
  if (w->file >= 0 && !file_end(w->file) && w->history)
    w->written = cannot_write(w->history);
  if (w->written == LPMLN_LIMIT)
    fputs("lpmln: error: memory is out\n", stderr);
  return w->written;
}

static bool ends_in(const char *name, const char *ending) {
  size_t n = strlen(name), m = strlen(ending);
  return n > m && !strcmp(name + n - m, ending);
}

/* The file's name says whether it is to be ProbLog or Markov logic. */
static lpmln_status write_program(const Session *s, const lpmln_learning *a) {
  const char *file = s->settings->output, *text = a->program;
  bool problog = ends_in(file, ".pl") || ends_in(file, ".problog"), markov = ends_in(file, ".mln");
  const char *other = problog ? a->problog : markov ? a->markov : NULL;
  if (other)
    text = other;
  else if (problog || markov)
    print_plain(stderr,
                "lpmln: warning: '%s' is written in LPMLN: the program can't be said in %s\n", file,
                problog ? "ProbLog" : "Markov logic");
  return write_file(s, file, text, strlen(text));
}

/* The answer, and what is made of it beside. */
static lpmln_status show(Session *s, const Watching *w, const lpmln_learning *a,
                         lpmln_status status) {
  const Settings *wanted = s->settings;
  lpmln_status written = LPMLN_OK;
  if (wanted->output)
    written = write_program(s, a);
  status = status == LPMLN_OK ? written : status;
  if (wanted->format == FORMAT_JSON)
    json_learning(&s->out, wanted->library.seed, a);
  else
    print_learning(&s->out, a);
  if (wanted->format == FORMAT_TEXT && wanted->library.counts)
    print_learning_counts(&s->out, a);
  if (wanted->report) {
    HtmlRun run = page_open(s);
    run.iterations = w->iterations.at, run.iteration_count = w->iterations.n;
    run.learning = &wanted->learning, run.counts = wanted->library.counts;
    HtmlCalibration calibration = {0};
    calibrate(s, run.sources, a, &calibration);
    run.calibration = &calibration;
    status = page_close(s, &run, html_learning(&run, a), status);
  }
  return status;
}

/* Weights for clusters of instances. */
static lpmln_status split(Session *s) {
  const Settings *wanted = s->settings;
  if (wanted->history || wanted->report || wanted->learning.checkpoint ||
      wanted->library.method == LPMLN_MC_ASP)
    return usage_error(
        "--split learns many programs, exactly: no --history, --report, --checkpoint "
        "or --method mc-asp");
  const lpmln_splitting *a = lpmln_learn_split(s->program, &wanted->learning);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    if (wanted->format == FORMAT_JSON)
      json_splitting(&s->out, wanted->library.seed, a);
    else
      print_splitting(&s->out, a);
    if (wanted->output && status == LPMLN_OK)
      status = write_file(s, wanted->output, a->program, strlen(a->program));
  }
  lpmln_answer_free(a);
  return status;
}

/* ---- weights learned elsewhere -------------------------------------------------------- */

static lpmln_status show_weights(Session *s, const lpmln_weights *a) {
  const Settings *wanted = s->settings;
  if (wanted->format == FORMAT_JSON)
    json_weights(&s->out, wanted->library.seed, a);
  else
    print_elsewhere(&s->out, a);
  return wanted->output ? write_file(s, wanted->output, a->program, strlen(a->program)) : LPMLN_OK;
}

/* They are initial values, or the answer if nothing was observed. */
static lpmln_status take_weights(Session *s) {
  const Settings *wanted = s->settings;
  Text text = {0};
  lpmln_status status = LPMLN_INPUT;
  if (read_file(wanted->elsewhere, &text)) {
    const lpmln_weights *a = lpmln_weights_from(s->program, wanted->elsewhere, text.at, text.n);
    status = a->about.status;
    bool answered = session_answered(s, &a->about);
    if (answered && !wanted->evidence.n && !wanted->data.n)
      status = show_weights(s, a);
    for (size_t i = 0; status == LPMLN_OK && i < a->count; i++)
      if (!isnan(a->weights[i].weight))
        status =
            lpmln_program_set_weight(s->program, a->weights[i].parameter, a->weights[i].weight);
    lpmln_answer_free(a);
  }
  vec_free(&text);
  return status;
}

lpmln_status command_learn(Session *s) {
  const Settings *wanted = s->settings;
  Watching w = {.draw = isatty(STDERR_FILENO) && !wanted->quiet && !wanted->verbose,
                .tell = wanted->verbose,
                .time_limit = wanted->library.time_limit,
                .history = wanted->history,
                .file = -1,
                .keep = wanted->report != NULL};
  if (refuse(wanted) != LPMLN_OK)
    return LPMLN_USAGE;
  lpmln_status taken = wanted->elsewhere ? take_weights(s) : LPMLN_OK;
  if (taken != LPMLN_OK || (!wanted->evidence.n && !wanted->data.n))
    return taken;
  if (wanted->split)
    return split(s);
  const lpmln_learning *a = ask(s, &w);
  lpmln_status status = a->about.status;
  bool answered = session_answered(s, &a->about);
  lpmln_status written = end_history(&w, answered);
  status = status == LPMLN_OK ? written : status;
  if (answered)
    status = show(s, &w, a, status);
  lpmln_answer_free(a);
  vec_free(&w.iterations);
  vec_free(&w.row);
  return status;
}
