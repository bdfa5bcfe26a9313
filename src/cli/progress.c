/* progress.c - see progress.h. */
#include "cli/progress.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const char *const stages[] = {"reading",  "grounding", "compiling", "enumerating",
                                     "learning", "sampling",  "bounding"};

enum { SECOND = 20 }; /* ticks */
#define LITTLE 5e-4   /* shares below are as good as nothing */

static void draw(const Progress *p, const lpmln_progress *now, unsigned seconds) {
  assert(now->stage < sizeof stages / sizeof *stages);
  fprintf(stderr, "%slpmln: %s, %u s", p->terminal ? "\r" : "", stages[now->stage], seconds);
  if (now->stage == LPMLN_ENUMERATING || now->stage == LPMLN_SAMPLING)
    fprintf(stderr, ", %llu stable models", (unsigned long long)now->models);
  if (p->terminal && now->explored < LITTLE)
    fputs(", hardly any of it explored", stderr);
  else if (p->terminal && !isnan(now->explored))
    fprintf(stderr, ", %.1f%% explored", 100 * now->explored);
  if (p->terminal && !isnan(now->width))
    fprintf(stderr, ", widest interval %.4f", now->width);
  if (now->seconds_left < 1e6 && p->terminal)
    fprintf(stderr, ", at most %.0f s more", ceil(now->seconds_left));
  fputs(p->terminal ? "\033[K" : "\n", stderr);
  fflush(stderr);
}

static void *watch(void *data) {
  Progress *p = data;
  lpmln_stage before = LPMLN_IDLE;
  bool drawn = false;
  for (unsigned ticks = 0; !atomic_load(&p->done); ticks++) {
    lpmln_progress now = lpmln_program_progress(p->program);
    lpmln_stage stage = now.stage;
    bool other = p->terminal && stage == LPMLN_LEARNING; /* it has a line of its own */
    if (!other && (p->terminal ? ticks >= SECOND && ticks % 4 == 0 : stage != before))
      draw(p, &now, (ticks + SECOND / 2) / SECOND), drawn = true;
    before = stage;
    nanosleep(&(struct timespec){0, 1000000000 / SECOND}, NULL);
  }
  if (drawn && p->terminal)
    fputs("\r\033[K", stderr);
  return NULL;
}

void progress_begin(Progress *p, lpmln_program *program, bool quiet, bool verbose) {
  assert(program && !p->running);
  p->program = program;
  p->terminal = isatty(STDERR_FILENO);
  p->running = (p->terminal && !quiet) || verbose;
  atomic_store(&p->done, false);
  if (p->running)
    p->running = pthread_create(&p->thread, NULL, watch, p) == 0;
}

void progress_end(Progress *p) {
  atomic_store(&p->done, true);
  if (p->running)
    pthread_join(p->thread, NULL);
  p->running = false;
}
