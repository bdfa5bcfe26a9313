/* learn.c - `lpmln learn`: progress on a terminal, the history and the program with its
** weights in files of their own. */
#include "base/memory.h"
#include "base/number.h"
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
  FILE *history; /* NULL: none */
  Text row;      /* of it, under construction */
  bool draw, drawn;
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
  text_puts(to, "\n");
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
  text_puts(to, "\n");
  fwrite(to->at, 1, to->n, w->history);
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

static bool note(Watching *w, const lpmln_iteration *now) {
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
  if (w->draw)
    draw(w, now);
  return noted;
}

/* ---- the command ---------------------------------------------------------------------- */

static lpmln_status refuse(const Settings *s) {
  if (!s->evidence.n && !s->data.n)
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
  const lpmln_learning *a = lpmln_learn(s->program, &wanted);
  if (w->drawn)
    fputs("\r\033[K", stderr);
  return a;
}

static bool close_file(FILE *file) {
  bool good = !ferror(file);
  return fclose(file) == 0 && good;
}

/* The answer, and what is made of it beside. */
static lpmln_status show(Session *s, const Watching *w, const lpmln_learning *a,
                         lpmln_status status) {
  const Settings *wanted = s->settings;
  const char *output = wanted->output;
  if (output && !write_file(output, a->program, strlen(a->program)) && status == LPMLN_OK)
    status = cannot_write(output);
  if (wanted->format == FORMAT_JSON)
    json_learning(&s->out, wanted->library.seed, a);
  else
    print_learning(&s->out, a);
  if (wanted->report) {
    HtmlRun run = page_open(s);
    run.iterations = w->iterations.at, run.iteration_count = w->iterations.n;
    status = page_close(s, &run, html_learning(&run, a), status);
  }
  return status;
}

lpmln_status command_learn(Session *s) {
  const Settings *wanted = s->settings;
  Watching w = {.draw = isatty(STDERR_FILENO) && !wanted->quiet,
                .time_limit = wanted->library.time_limit,
                .keep = wanted->report != NULL};
  if (refuse(wanted) != LPMLN_OK)
    return LPMLN_USAGE;
  if (wanted->history && !(w.history = fopen(wanted->history, "w")))
    return cannot_write(wanted->history);
  const lpmln_learning *a = ask(s, &w);
  lpmln_status status = a->about.status;
  bool answered = session_answered(s, &a->about);
  if (w.history && !close_file(w.history) && status == LPMLN_OK)
    status = cannot_write(wanted->history);
  if (answered)
    status = show(s, &w, a, status);
  lpmln_answer_free(a);
  vec_free(&w.iterations);
  vec_free(&w.row);
  return status;
}
