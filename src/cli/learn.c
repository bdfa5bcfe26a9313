/* learn.c - `lpmln learn`: progress on a terminal, the history and the program
** with its weights in files of their own. */
#include "cli/learn.h"

#include "cli/output.h"
#include "report/json.h"
#include "report/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  FILE *history; /* NULL: none */
  bool draw, drawn;
  double time_limit, last; /* seconds */
  bool keep;               /* iterations, for the report */
  HtmlIteration *iterations;
  size_t count, room;
} Watching;

/* The first million: a picture needs no more. */
static void keep(Watching *w, const lpmln_iteration *now) {
  enum { MOST = 1000000 };
  if (w->count == w->room) {
    size_t room = 2 * w->room + 256;
    HtmlIteration *more = room > MOST ? NULL : realloc(w->iterations, room * sizeof *more);
    if (!more)
      return;
    w->iterations = more, w->room = room;
  }
  w->iterations[w->count++] = (HtmlIteration){now->run, now->log_likelihood, now->gradient_sum};
}

/* A CSV cell; quotes are doubled. */
static void write_cell(FILE *to, const char *text) {
  fputs(",\"", to);
  for (; *text; text++) {
    if (*text == '"')
      fputc('"', to);
    fputc(*text, to);
  }
  fputc('"', to);
}

static void write_history(FILE *to, const lpmln_iteration *now) {
  if (now->iteration == 1) {
    fputs("iteration,start,log_likelihood,gradient_sum", to);
    for (size_t i = 0; i < now->count; i++)
      write_cell(to, now->parameters[i]);
    fputc('\n', to);
  }
  fprintf(to, "%zu,%zu,", now->iteration, now->run);
  if (!isnan(now->log_likelihood)) /* sampled: not known */
    fprintf(to, "%.17g", now->log_likelihood);
  fprintf(to, ",%.17g", now->gradient_sum);
  for (size_t i = 0; i < now->count; i++)
    fprintf(to, ",%.17g", now->weights[i]);
  fputc('\n', to);
}

static void draw(Watching *w, const lpmln_iteration *now) {
  if (w->drawn && now->seconds < w->last + 0.1)
    return;
  fprintf(stderr, "\riteration %zu", now->iteration);
  if (!isnan(now->log_likelihood))
    fprintf(stderr, "  log-likelihood %.6f", now->log_likelihood);
  fprintf(stderr, "  gradient %.2g", now->gradient);
  double left = now->seconds_left, limit = w->time_limit - now->seconds;
  if (w->time_limit > 0 && !(left < limit))
    left = limit;
  if (left >= 0.5)
    fprintf(stderr, "  about %.0f s left", left);
  fputs("\033[K", stderr);
  w->drawn = true;
  w->last = now->seconds;
}

static bool watch(void *data, const lpmln_iteration *now) {
  Watching *w = data;
  if (w->history)
    write_history(w->history, now);
  if (w->keep)
    keep(w, now);
  if (w->draw)
    draw(w, now);
  return true;
}

lpmln_status learn(lpmln *p, const Settings *s, FILE *out) {
  Watching watching = {.draw = isatty(STDERR_FILENO) && !s->quiet,
                       .time_limit = s->library.time_limit,
                       .keep = s->report != NULL};
  lpmln_learning_options wanted = s->learning;
  const lpmln_learning *answer;
  wanted.progress = watch, wanted.progress_data = &watching;
  if (s->history && !(watching.history = fopen(s->history, "w")))
    return cannot_write(s->history);
  lpmln_status status = lpmln_learn(p, &wanted, &answer);
  if (watching.drawn)
    fputs("\r\033[K", stderr);
  if (watching.history && fclose(watching.history) && status == LPMLN_OK)
    status = cannot_write(s->history);
  if (answer && s->output && !write_file(s->output, answer->program, strlen(answer->program)) &&
      status == LPMLN_OK)
    status = cannot_write(s->output);
  if (answer && s->json)
    json_learning(out, s->library.seed, answer);
  else if (answer)
    print_learning(out, answer);
  if (answer && s->report) {
    HtmlRun run = report_run(p, s);
    run.iterations = watching.iterations, run.iteration_count = watching.count;
    status = write_report(s, html_learning(&run, answer), status);
  }
  free(watching.iterations);
  return status;
}
