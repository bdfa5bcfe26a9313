/* examine.c - see examine.h. */
#include "learn/examine.h"

#include "base/memory.h"
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

enum { MOST_PROFILED = 5000000 }; /* weights times nodes */

/* ---- diverging weights ---------------------------------------------------------- */

typedef struct {
  Objective *o;
  const Point *at;
  const double *start;
  Examination *d;
  Point probe;
  double much, little; /* differences of F that matter, and that do not */
  bool profile;        /* there is time for searches of their own */
} Probing;

static double value_at(Probing *p, uint32_t i, double w) {
  assert(i < p->o->n);
  memcpy(p->probe.w, p->at->w, p->o->n * sizeof *p->probe.w);
  p->probe.w[i] = w;
  point_evaluate(p->o, &p->probe);
  return p->probe.value;
}

/* The best value with weight i fixed there, the others free. */
static double profile_at(Probing *p, uint32_t i, double w) {
  Objective *o = p->o, rest = *o;
  uint32_t *place = memory_zero(o->n, sizeof *place), n = 0;
  Point point = point_make(o->n);
  for (uint32_t k = 0; k < o->n; k++)
    if (k != i)
      point.w[n] = p->at->w[k], place[n++] = o->place[k];
  assert(n == o->n - 1);
  rest.n = n, rest.place = place, rest.progress = NULL;
  o->weights[o->place[i]] = w;
  objective_begin(&rest, o->circuit, o->weights);
  if (n)
    lbfgs_maximise(&rest, &point, 200);
  else
    point_evaluate(&rest, &point);
  double value = point.value;
  o->status = rest.status;
  objective_free(&rest);
  point_free(&point);
  free(place);
  return value;
}

/* Further out nothing is lost, but nowhere within is F as good. */
static bool goes_out(Probing *p, uint32_t i, int sign) {
  double w = p->at->w[i], inner = p->start[i];
  if (sign * (w - inner) < 10)
    inner = w - sign * 10;
  return value_at(p, i, w + sign * AFAR) >= p->at->value - p->little &&
         value_at(p, i, inner) < p->at->value - p->much &&
         (!p->profile || profile_at(p, i, inner) < p->at->value - p->much);
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

/* Several weights that diverge together, each alone being free: along the way that
** the search has come, as far as there is little information on it, within the
** cluster. */
static void find_joint(Probing *p, Information *f, const uint32_t *cluster, uint32_t number,
                       const Point *out) {
  uint32_t n = p->o->n;
  assert(number < n && f->n == n);
  double *way = memory_zero(n, sizeof *way), length = 0, largest = 0, value[2] = {0};
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; cluster[i] == number && k < n; k++)
      if (cluster[k] == number)
        way[i] += information_projection(f, WEAK, i, k) * (out->w[k] - p->start[k]);
  for (uint32_t i = 0; i < n; i++)
    length += way[i] * way[i], largest = fmax(largest, fabs(way[i]));
  length = sqrt(length);
  for (int back = 0; length > 10 && back < 2; back++) {
    for (uint32_t i = 0; i < n; i++)
      p->probe.w[i] = out->w[i] + (back ? -way[i] : way[i] * AFAR / length);
    point_evaluate(p->o, &p->probe);
    value[back] = p->probe.value;
  }
  if (length > 10 && value[0] >= out->value - p->little && value[1] < out->value - p->much) {
    for (uint32_t i = 0; i < n; i++)
      if (fabs(way[i]) > 0.1 * largest)
        p->d->diverges[i] = way[i] > 0 ? '+' : '-';
    for (uint32_t i = 0; i < n; i++)
      way[i] /= length;
    vec_push(&f->outward, way);
  } else {
    free(way);
  }
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

static void find_errors(const Information *f, const bool *fixed, Examination *d) {
  for (uint32_t e = 0; e < f->n; e++)
    if (f->values[e] < -1e-6 * f->scale)
      return; /* no maximum: a limit cut the search short */
  for (uint32_t i = 0; i < f->n; i++) {
    double variance = 0;
    if (fixed[i] || d->diverges[i] || d->group[i] != NO_GROUP)
      continue;
    for (uint32_t e = 0; e < f->n; e++) {
      double entry = f->vectors[(size_t)e * f->n + i];
      if (f->values[e] > NULL_SPACE * f->scale)
        variance += entry * entry / f->values[e];
    }
    d->error[i] = sqrt(variance);
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

/* By weight: those that act on each other where the search began. */
static uint32_t *find_clusters(Probing *p) {
  Objective *o = p->o;
  uint32_t *up = memory_zero(o->n, sizeof *up);
  double *hessian = memory_zero((size_t)o->n * o->n, sizeof *hessian);
  memcpy(p->probe.w, p->start, o->n * sizeof *p->start);
  point_evaluate(o, &p->probe);
  objective_hessian(o, hessian);
  for (uint32_t i = 0; i < o->n; i++)
    up[i] = i;
  for (uint32_t i = 0; i < o->n; i++)
    for (uint32_t k = 0; k < i; k++)
      if (fabs(hessian[(size_t)i * o->n + k]) > 1e-9 * o->count)
        up[top_of(up, i)] = top_of(up, k);
  for (uint32_t i = 0; i < o->n; i++)
    up[i] = top_of(up, i);
  free(hessian);
  return up;
}

static void find_all_joint(Probing *p, Information *f, const Point *out) {
  uint32_t n = p->o->n;
  bool *any = memory_zero(n, sizeof *any), some = false; /* by cluster: little is known */
  for (uint32_t i = 0; i < n; i++)
    some |= information_projection(f, WEAK, i, i) > 1e-5;
  uint32_t *cluster = some ? find_clusters(p) : NULL;
  for (uint32_t i = 0; some && i < n; i++)
    any[cluster[i]] |= information_projection(f, WEAK, i, i) > 1e-5;
  for (uint32_t c = 0; some && c < n; c++)
    if (any[c])
      find_joint(p, f, cluster, c, out);
  free(any);
  free(cluster);
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

/* Goes far out on the ways found; they are in the null space then. */
static Information follow_joint(Probing *p, Information *f, const bool *fixed, Point *out) {
  for (size_t k = 0; k < f->outward.n; k++)
    for (uint32_t i = 0; i < p->o->n; i++)
      out->w[i] += 4 * AFAR * f->outward.at[k][i];
  point_evaluate(p->o, out);
  Information there = information_at(p->o, fixed);
  for (size_t k = 0; k < f->outward.n; k++)
    vec_push(&there.outward, f->outward.at[k]);
  f->outward.n = 0; /* taken over */
  information_free(f);
  return there;
}

/* Everything but the diverging weights. */
static void find_free(Probing *p, Point *out, bool joint) {
  Objective *o = p->o;
  bool *fixed = fixed_weights(o, p->d);
  point_evaluate(o, out);
  Information f = information_at(o, fixed);
  if (joint)
    find_all_joint(p, &f, out);
  if (f.outward.n)
    f = follow_joint(p, &f, fixed, out);
  p->d->supremum = fmax(p->d->supremum, out->value);
  find_groups(&f, fixed, p->d);
  find_errors(&f, fixed, p->d);
  information_free(&f);
  free(fixed);
}

/* Where several weights could go out, each instead of the others, none has to; but one
** that is out already, with hardly any information left on it, is not determined. */
static void find_alternatives(Probing *p) {
  Examination *d = p->d;
  p->profile = false;
  for (uint32_t i = 0; i < p->o->n && !objective_ended(p->o); i++) {
    if (d->held[i] || d->diverges[i] || d->group[i] != NO_GROUP || !(d->error[i] > AFAR / 2.0))
      continue;
    d->diverges[i] = goes_out(p, i, 1) ? '+' : goes_out(p, i, -1) ? '-' : 0;
    if (d->diverges[i])
      d->error[i] = NAN;
  }
}

void examine(Objective *o, const Point *at, const double *start, Examination *d) {
  assert(o->n && at->w != start);
  *d = (Examination){.held = information_held(o, at)};
  d->diverges = memory_zero(o->n, sizeof *d->diverges);
  d->error = memory_zero(o->n, sizeof *d->error);
  d->group = memory_zero(o->n, sizeof *d->group);
  for (uint32_t i = 0; i < o->n; i++)
    d->error[i] = NAN, d->group[i] = NO_GROUP;
  Point out = point_make(o->n);
  point_copy(&out, at, o->n);
  Probing p = {.o = o, .at = &out, .start = start, .d = d, .probe = point_make(o->n)};
  p.little = 1e-11 * (1 + fabs(at->value));
  p.much = 1e-6 * (1 + fabs(at->value));                      /* searches end nearer than that */
  bool open = o->prior.kind == LPMLN_NO_PRIOR && !o->bounded; /* weights may diverge */
  if (open)
    follow_diverging(&p, &out);
  d->supremum = fmax(at->value, out.value);
  if (!objective_ended(o))
    find_free(&p, &out, open);
  if (open)
    find_alternatives(&p);
  point_free(&out);
  point_free(&p.probe);
}

void examination_free(Examination *d) {
  free(d->diverges);
  free(d->held);
  free(d->error);
  free(d->group);
  free(d->some);
  vec_free(&d->free);
}
