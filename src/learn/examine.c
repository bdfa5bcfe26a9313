/* examine.c - see examine.h. */
#include "learn/examine.h"

#include "base/memory.h"
#include "base/random.h"
#include "learn/information.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WEAK 1e-5 /* where a diverging weight may hide */
#define AFAR 40   /* exp(-AFAR) is nothing */
#define NEAR 8    /* exp(-NEAR) is still much */

enum { MOST_PROFILED = 5000000, STARTS = 3, TAIL = 5 }; /* weights times nodes; random; steps */

/* ---- diverging weights ---------------------------------------------------------- */

/* A weight diverges upwards if for every M the supremum of F over w <= M is below the whole
** supremum; downwards likewise.  Where F at infinity is as good as anywhere, M = NEAR tells:
** either F is as good within, or its lack decays like exp(-M). */
typedef struct {
  Objective *o;
  const Point *at;
  const double *start;
  Examination *d;
  Point probe;
  Point found[1 + STARTS]; /* by searches from other places; made when first needed */
  double much, little;     /* differences of F that matter, and that do not */
  bool profile;            /* there is time for searches of their own */
} Probing;

static double value_at(Probing *p, uint32_t i, double w) {
  assert(i < p->o->n);
  memcpy(p->probe.w, p->at->w, p->o->n * sizeof *p->probe.w);
  p->probe.w[i] = w;
  point_evaluate(p->o, &p->probe);
  return p->probe.value;
}

static double enough(const Probing *p) { return p->at->value - p->much; }

/* A search that ends when it has enough, or when it will not get it: at the end of a tail each
** step halves the gradient, whose sum is about what there is left to gain.  (What sits on a plateau
** leaves it by steps that make the gradient grow.) */
typedef struct {
  double enough, gradient;
  bool newton;
  int falling; /* steps in a row */
} Search;

static bool goes_on(void *data, const lpmln_iteration *now) {
  Search *s = data;
  double lack = s->enough - now->objective;
  s->falling = s->newton && now->gradient_sum < s->gradient ? s->falling + 1 : 0;
  s->gradient = now->gradient_sum;
  return lack > 0 && (s->falling < TAIL || 1000 * now->gradient_sum > lack);
}

static void search(const Probing *p, Objective *o, Point *point) {
  Search s = {.enough = p->at->value - p->much / 2};
  o->progress = goes_on, o->progress_data = &s;
  lbfgs_maximise(o, point, 200);
  s.newton = true;
  if (!objective_ended(o))
    newton_maximise(o, point, 100);
}

/* Whether F is as good with weight i fixed there, the others free, from their places in `from`. */
static bool good_at(Probing *p, uint32_t i, double w, const double *from) {
  Objective *o = p->o, rest = *o;
  uint32_t *place = memory_zero(o->n, sizeof *place), n = 0;
  Point point = point_make(o->n);
  for (uint32_t k = 0; k < o->n; k++)
    if (k != i)
      point.w[n] = from[k], place[n++] = o->place[k];
  assert(n == o->n - 1);
  rest.n = n, rest.place = place, rest.balances = NULL;
  o->weights[o->place[i]] = w;
  objective_begin(&rest, o->circuit, o->weights);
  if (n)
    search(p, &rest, &point);
  else
    point_evaluate(&rest, &point);
  bool good = point.value >= enough(p);
  if (o->status == OK)
    o->status = rest.status;
  objective_free(&rest);
  point_free(&point);
  free(place);
  return good;
}

/* A place to start a search within: where the search began, random ones. */
static void start_within(const Probing *p, uint32_t k, double *w) {
  Random random = random_make(k + 1, 0);
  for (uint32_t i = 0; i < p->o->n; i++)
    w[i] = p->start[i] + (k > 0 ? 8 * random_unit(&random) - 4 : 0);
}

/* Where a search from there ends, whatever weight is looked at. */
static const Point *found_from(Probing *p, uint32_t k) {
  if (!p->found[k].w) {
    Objective all = *p->o;
    p->found[k] = point_make(all.n);
    start_within(p, k, p->found[k].w);
    objective_begin(&all, p->o->circuit, p->o->weights);
    search(p, &all, &p->found[k]);
    if (p->o->status == OK)
      p->o->status = all.status;
    objective_free(&all);
  }
  return &p->found[k];
}

/* Whether F is as good with the weight within sign * NEAR: at that bound, or further in. */
static bool good_within(Probing *p, uint32_t i, int sign) {
  bool good = value_at(p, i, sign * NEAR) >= enough(p);
  good = good || (p->profile && good_at(p, i, sign * NEAR, p->at->w));
  double *from = memory_zero(p->o->n, sizeof *from);
  for (uint32_t k = 0; p->profile && !good && k < 1 + STARTS && !objective_ended(p->o); k++) {
    const Point *found = found_from(p, k);
    start_within(p, k, from);
    good = (found->value >= enough(p) && sign * found->w[i] <= NEAR) ||
           good_at(p, i, sign * NEAR, from);
  }
  free(from);
  return good;
}

/* Further out nothing is lost, but nowhere within is F as good. */
static bool goes_out(Probing *p, uint32_t i, int sign) {
  double far = sign * (fmax(sign * p->at->w[i], NEAR) + AFAR);
  bool out = value_at(p, i, far) >= p->at->value - p->little ||
             (p->profile && good_at(p, i, far, p->at->w));
  return out && !good_within(p, i, sign);
}

/* Marks those that are not marked yet; how many there are. */
static size_t find_diverging(Probing *p, const Information *f) {
  size_t weak = 0, found = 0;
  for (uint32_t i = 0; i < p->o->n; i++)
    weak += !p->d->held[i] && information_projection(f, WEAK, i, i) >= 1e-3;
  p->profile = weak * p->o->circuit->nodes.n <= MOST_PROFILED;
  for (uint32_t i = 0; i < p->o->n && !objective_ended(p->o); i++) {
    if (p->d->held[i] || p->d->diverges[i] || information_projection(f, WEAK, i, i) < 1e-3)
      continue;
    int sign = p->at->w[i] < p->start[i] ? -1 : 1;
    p->d->diverges[i] = goes_out(p, i, sign)    ? (sign > 0 ? '+' : '-')
                        : goes_out(p, i, -sign) ? (sign > 0 ? '-' : '+')
                                                : 0;
    found += p->d->diverges[i] != 0;
  }
  return found;
}

/* ---- free directions --------------------------------------------------------------- */

static uint32_t top_of(const uint32_t *up, uint32_t i) {
  while (up[i] != i)
    i = up[i];
  return i;
}

/* Weights that a null vector has in common are one group. */
static void find_groups(const Information *f, const bool *fixed, Examination *d) {
  uint32_t n = f->n;
  uint32_t *up = memory_zero(n, sizeof *up);
  double *share = memory_zero(n, sizeof *share);
  for (uint32_t i = 0; i < n; i++)
    up[i] = i, share[i] = fixed[i] ? 0 : information_projection(f, NULL_SPACE, i, i);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; share[i] > 1e-5 && k < i; k++)
      if (share[k] > 1e-5 && fabs(information_projection(f, NULL_SPACE, i, k)) > 1e-5)
        up[top_of(up, i)] = top_of(up, k);
  uint32_t *number = memory_zero(n, sizeof *number);
  double *room = memory_zero(n, sizeof *room);
  for (uint32_t i = 0; i < n; i++)
    room[top_of(up, i)] += share[i];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t top = top_of(up, i);
    if (share[i] <= 1e-5)
      continue;
    if (!number[top]) {
      vec_push(&d->free, (uint32_t)lround(room[top]));
      number[top] = (uint32_t)d->free.n;
    }
    d->group[i] = number[top] - 1;
    assert(d->group[i] < d->free.n);
  }
  free(up);
  free(share);
  free(number);
  free(room);
}

/* An entry of the inverse of the information, on the space that is determined. */
static double inverse_at(const Information *f, uint32_t i, uint32_t k) {
  double sum = 0;
  for (uint32_t e = 0; e < f->n; e++)
    if (f->values[e] > NULL_SPACE * f->scale)
      sum += f->vectors[(size_t)e * f->n + i] * f->vectors[(size_t)e * f->n + k] / f->values[e];
  return sum;
}

static void find_errors(const Information *f, const bool *fixed, Examination *d) {
  for (uint32_t e = 0; e < f->n; e++)
    if (f->values[e] < -1e-6 * f->scale)
      return; /* no maximum: a limit cut the search short */
  for (uint32_t i = 0; i < f->n; i++) {
    if (fixed[i] || d->diverges[i] || d->group[i] != NO_GROUP)
      continue;
    d->error[i] = sqrt(inverse_at(f, i, i));
    for (uint32_t k = 0; k <= i; k++)
      if (!isnan(d->error[k]))
        d->covariance[(size_t)i * f->n + k] = d->covariance[(size_t)k * f->n + i] =
            inverse_at(f, i, k);
  }
}

/* Diverging weights far out (those found first furthest), the others where they
** belong then. */
static void push_out(Probing *p, const bool *fixed, Point *out) {
  Objective *o = p->o;
  Point next = point_make(o->n);
  for (uint32_t i = 0; i < o->n; i++)
    out->w[i] += p->d->diverges[i] == '+' ? 4 * AFAR : p->d->diverges[i] ? -4 * AFAR : 0;
  point_evaluate(o, out); /* then Newton steps */
  for (int k = 0; k < 2; k++) {
    Information f = information_at(o, fixed);
    information_step(o, &f, fixed, out, &next);
    information_free(&f);
    if (!point_improve(o, out, &next, p->little))
      point_evaluate(o, out);
    if (largest_of(out->gradient, o->n) < 1e-11 * o->count)
      break;
  }
  point_free(&next);
}

static bool *fixed_weights(const Objective *o, const Examination *d) {
  bool *fixed = memory_zero(o->n, sizeof *fixed);
  for (uint32_t i = 0; i < o->n; i++)
    fixed[i] = d->held[i] || d->diverges[i];
  return fixed;
}

/* Some weights show that they diverge only when others are far out. */
static void follow_diverging(Probing *p, Point *out) {
  Objective *o = p->o;
  size_t found = 1;
  for (int round = 0; round < 4 && found && !objective_ended(o); round++) {
    bool *fixed = fixed_weights(o, p->d);
    point_evaluate(o, out);
    Information f = information_at(o, fixed);
    found = find_diverging(p, &f);
    information_free(&f);
    free(fixed);
    fixed = fixed_weights(o, p->d);
    if (found)
      push_out(p, fixed, out);
    free(fixed);
  }
}

/* Everything but the diverging weights. */
static void find_free(Probing *p, Point *out) {
  Objective *o = p->o;
  bool *fixed = fixed_weights(o, p->d);
  point_evaluate(o, out);
  Information f = information_at(o, fixed);
  p->d->supremum = fmax(p->d->supremum, out->value);
  find_groups(&f, fixed, p->d);
  find_errors(&f, fixed, p->d);
  information_free(&f);
  free(fixed);
}

/* Where several weights could go out, each instead of the others, none has to; but with
** hardly any information left on it, it is not determined. */
static void find_alternatives(Examination *d, uint32_t n) {
  uint32_t group = (uint32_t)d->free.n;
  for (uint32_t i = 0; i < n; i++) {
    if (d->held[i] || d->diverges[i] || d->group[i] != NO_GROUP || !(d->error[i] > AFAR / 2.0))
      continue;
    if (group == d->free.n)
      vec_push(&d->free, 0);
    d->free.at[group]++;
    d->group[i] = group;
    d->error[i] = NAN;
  }
}

void examine(Objective *o, const Point *at, const double *start, Examination *d) {
  assert(o->n && at->w != start);
  *d = (Examination){.held = information_held(o, at)};
  d->diverges = memory_zero(o->n, sizeof *d->diverges);
  d->error = memory_zero(o->n, sizeof *d->error);
  d->covariance = memory_zero((size_t)o->n * o->n, sizeof *d->covariance);
  d->group = memory_zero(o->n, sizeof *d->group);
  for (uint32_t i = 0; i < o->n; i++)
    d->error[i] = NAN, d->group[i] = NO_GROUP;
  for (size_t i = 0; i < (size_t)o->n * o->n; i++)
    d->covariance[i] = NAN;
  Point out = point_make(o->n);
  point_copy(&out, at, o->n);
  Probing p = {.o = o, .at = &out, .start = start, .d = d, .probe = point_make(o->n)};
  p.little = 1e-11 * (1 + fabs(at->value));
  p.much = 1e-8 * (1 + fabs(at->value));                      /* searches end nearer than that */
  bool open = o->prior.kind == LPMLN_NO_PRIOR && !o->bounded; /* weights may diverge */
  if (open)
    follow_diverging(&p, &out);
  d->supremum = fmax(at->value, out.value);
  if (!objective_ended(o))
    find_free(&p, &out);
  if (open)
    find_alternatives(d, o->n);
  point_free(&out);
  point_free(&p.probe);
  for (size_t k = 0; k < 1 + STARTS; k++)
    point_free(&p.found[k]);
}

void examination_free(Examination *d) {
  free(d->diverges);
  free(d->held);
  free(d->error);
  free(d->covariance);
  free(d->group);
  free(d->some);
  vec_free(&d->free);
}
