/* scale.c - see scale.h. */
#include "write/scale.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/source.h"
#include "ground/ground.h"
#include "language/program.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

#define MOST 2147483647.0 /* of clingo's integers */
#define MOST_DIGITS 1e9   /* a scale that is worth offering */
#define COARSE 0.01       /* relative error that is worth a warning */
#define EXACT 1e-9        /* relative error of an integer that was computed */

double scale_round(double weight, double scale) {
  return nearbyint(weight * scale) + 0.0; /* no negative zero */
}

/* The largest power of ten with which the weight fits. */
static double largest_scale(double weight) {
  return pow(10, floor(log10(MOST / fmax(fabs(weight), MOST / MOST_DIGITS))));
}

static Place place_of(const Task *task, const Weight *w) {
  const Statement *s = &task->program->statements.at[task->ground->soft.at[w->soft].statement];
  return program_place(task->program, s, s->weight);
}

static char *scale_hint(const char *format, double scale) {
  Text hint = {0};
  text_printf(&hint, format, NUMBER_SHORT(scale, 6));
  return text_take(&hint);
}

static Status refuse(const Task *task, const Weight *w, double scale) {
  diagnose_hinted(task->said, LPMLN_ERROR, place_of(task, w),
                  scale_hint("option scale=%s would do", largest_scale(w->value)),
                  "clingo has integers of 32 bits, and the weight %s times %s is larger",
                  NUMBER_SHORT(w->value, 6), NUMBER_SHORT(scale, 6));
  return NO_ANSWER;
}

/* Says what becomes of the weight that suffers most. */
static void say_rounded(const Task *task, const Weight *w, double scale, double error,
                        double offer) {
  bool coarse = error > COARSE;
  diagnose_hinted(task->said, coarse ? LPMLN_WARNING : LPMLN_NOTE,
                  coarse ? place_of(task, w) : NOWHERE,
                  offer > scale ? scale_hint("option scale=%s keeps more digits", offer) : NULL,
                  "weights are rounded to whole 1/%s: %s becomes %s", NUMBER_SHORT(scale, 6),
                  NUMBER_SHORT(w->value, 6), NUMBER_SHORT(scale_round(w->value, scale) / scale, 6));
}

Status scale_check(const Task *task, double scale) {
  const Ground *g = task->ground;
  const Weight *worst = NULL;
  double error = EXACT, offer = MOST_DIGITS;
  assert(scale > 0);
  for (size_t i = 0; i < g->weights.n; i++) {
    const Weight *w = &g->weights.at[i];
    double scaled = w->value * scale;
    if (!(fabs(scaled) <= MOST))
      return refuse(task, w, scale);
    double lost = w->value != 0 ? fabs(nearbyint(scaled) - scaled) / fabs(scaled) : 0;
    if (lost > error)
      error = lost, worst = w;
    offer = fmin(offer, largest_scale(w->value));
  }
  if (worst)
    say_rounded(task, worst, scale, error, offer);
  return OK;
}
