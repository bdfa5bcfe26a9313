/* intervals.c - see intervals.h. */
#include "compile/intervals.h"

#include "base/limits.h"
#include "base/memory.h"
#include "compile/strata.h"
#include "ground/analysis.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 32 };    /* questions about derived atoms of a component, at most */
enum { SLICE = 100000 }; /* work of the first turn: below a millisecond */

/* ---- questions --------------------------------------------------------------------- */

static Bound *bound_of(const Intervals *iv, uint32_t component) {
  return &iv->bounds[iv->c->analysis->kind[component]];
}

static bool open_atom(const Intervals *iv, Atom a) {
  return iv->c->ground->atoms.at[a].truth == ATOM_OPEN;
}

/* The component's evidence, as its theory reads it; the caller frees it. */
static uint32_t *local_evidence(const Intervals *iv, uint32_t component, size_t *n) {
  uint32_t *list = memory_zero(iv->evidences, sizeof *list);
  *n = 0;
  for (size_t i = 0; i < iv->evidences; i++) {
    Atom a = lit_atom(iv->evidence[i]);
    if (open_atom(iv, a) && iv->c->analysis->component[a] == component)
      list[(*n)++] = lit_of(iv->c->position[a], lit_negated(iv->evidence[i]));
  }
  return list;
}

/* Asks the component about atoms[first .. first + count - 1] of the list. */
static uint32_t ask(Intervals *iv, uint32_t component, bool given, size_t first, size_t count) {
  Bound *b = bound_of(iv, component);
  IntervalQuestion q = {.component = component,
                        .first = (uint32_t)first,
                        .count = (uint32_t)count,
                        .given = given,
                        .state = {{0, 1}, 1},
                        .width = INFINITY};
  if (b->unit) {
    size_t n = 0;
    uint32_t *evidence = given ? local_evidence(iv, component, &n) : NULL;
    uint32_t *wanted = memory_zero(count, sizeof *wanted);
    for (size_t i = 0; i < count; i++)
      wanted[i] = iv->c->position[iv->atoms.at[first + i].atom];
    q.number = bound_ask(b, evidence, n, wanted, count);
    free(evidence);
    free(wanted);
  }
  q.closed = !b->unit;
  q.state.all.upper = b->unit ? 1 : INFINITY;
  vec_push(&iv->questions, q);
  return (uint32_t)iv->questions.n;
}

/* Atoms of one component; guessed ones first, then groups of derived ones. */
static void ask_atoms(Intervals *iv, uint32_t component, size_t first, size_t count) {
  size_t guessed = 0;
  while (guessed < count && iv->c->strata.guessed[iv->atoms.at[first + guessed].atom])
    guessed++;
  if (guessed)
    (void)ask(iv, component, true, first, guessed);
  size_t derived = count - guessed, each = (derived + GROUPS - 1) / GROUPS;
  for (size_t i = 0; i < derived; i += each) {
    size_t size = derived - i < each ? derived - i : each;
    (void)ask(iv, component, true, first + guessed + i, size);
  }
}

/* Components without a question about atoms have one about their weight alone. */
static void ask_all(Intervals *iv) {
  const Analysis *an = iv->c->analysis;
  for (size_t i = 0, next; i < iv->atoms.n; i = next) {
    uint32_t component = an->component[iv->atoms.at[i].atom];
    for (next = i; next < iv->atoms.n; next++)
      if (an->component[iv->atoms.at[next].atom] != component)
        break;
    ask_atoms(iv, component, i, next - i);
  }
  bool *observed = memory_zero(an->components, 1);
  for (size_t i = 0; i < iv->evidences; i++)
    if (open_atom(iv, lit_atom(iv->evidence[i])))
      observed[an->component[lit_atom(iv->evidence[i])]] = true;
  for (uint32_t k = 0; k < an->components; k++) {
    if (!iv->prior[an->kind[k]] && !(iv->best && observed[k]))
      iv->prior[an->kind[k]] = ask(iv, k, false, 0, 0);
    if (observed[k])
      iv->given[k] = ask(iv, k, true, 0, 0);
  }
  free(observed);
}

/* ---- reading ------------------------------------------------------------------------ */

/* x / (x + y) is the larger the larger x and the smaller y. */
static double share_of(long double x, long double y, bool up) {
  if (isinf(x) || isinf(y))
    return up;
  long double share = x > 0 ? x / (x + y) : 0;
  double near = (double)share;
  return up ? fmin(1, nextafter(near, 2)) : fmax(0, nextafter(near, -1));
}

static double ln_of(long double x, bool up) {
  if (x <= 0)
    return -INFINITY;
  double near = (double)logl(x);
  return nextafter(near, up ? INFINITY : -INFINITY);
}

static Interval narrower(Interval a, Interval b) {
  Interval both = {fmax(a.lower, b.lower), fmin(a.upper, b.upper)};
  return both;
}

/* What the question says now, and how wide that is. */
static void read_question(Intervals *iv, IntervalQuestion *q) {
  Bound *b = bound_of(iv, q->component);
  uint32_t *local = memory_zero(q->count, sizeof *local);
  BoundRange *holds = memory_zero(q->count, sizeof *holds);
  BoundRange *fails = memory_zero(q->count, sizeof *fails);
  for (uint32_t i = 0; i < q->count; i++)
    local[i] = iv->c->position[iv->atoms.at[q->first + i].atom];
  q->state = bound_read(b, q->number, local, q->count, holds, fails);
  q->closed = b->questions.at[q->number].closed;
  q->width = 0;
  for (uint32_t i = 0; i < q->count; i++) {
    IntervalAtom *atom = &iv->atoms.at[q->first + i];
    Interval now = {share_of(holds[i].lower, fails[i].upper, false),
                    share_of(holds[i].upper, fails[i].lower, true)};
    atom->probability = narrower(atom->probability, now);
    q->width = fmax(q->width, atom->probability.upper - atom->probability.lower);
  }
  if (!q->count)
    q->width = 1 - (double)(q->state.all.lower / q->state.all.upper);
  free(local);
  free(holds);
  free(fails);
}

int intervals_possible(const Intervals *iv) {
  if (iv->impossible)
    return 0;
  int possible = 1;
  for (size_t i = 0; i < iv->questions.n; i++) {
    const IntervalQuestion *q = &iv->questions.at[i];
    if (q->state.all.upper <= 0)
      return 0;
    if (q->state.all.lower <= 0)
      possible = -1;
  }
  return possible;
}

/* ln of a question's weight, without its theory's scale. */
static Interval log_weight(const Intervals *iv, uint32_t number) {
  assert(number && number <= iv->questions.n);
  const BoundRange *all = &iv->questions.at[number - 1].state.all;
  if (isinf(all->upper))
    return (Interval){-INFINITY, INFINITY};
  return (Interval){ln_of(all->lower, false), ln_of(all->upper, true)};
}

/* Moves both ends outwards by the errors of a sum of n numbers of that size altogether. */
static Interval widen(Interval x, size_t n, double size) {
  double error = (double)(n + 1) * (size + 1) * DBL_EPSILON;
  return (Interval){x.lower - error, x.upper + error};
}

/* Of all components, with the evidence if they are of it, or without; constants included. */
static Interval log_product(const Intervals *iv, bool given) {
  const Analysis *an = iv->c->analysis;
  Interval sum = {0, 0};
  double size = 0;
  const Circuit *circuit = &iv->c->circuit;
  for (size_t i = 0; i < circuit->constants.n; i++) {
    double weight = iv->weights[circuit->constants.at[i]];
    sum.lower -= weight, sum.upper -= weight, size += fabs(weight);
  }
  for (uint32_t k = 0; k < an->components; k++) {
    const Bound *b = &iv->bounds[an->kind[k]];
    bool own_question = given && iv->given[k];
    Interval own = log_weight(iv, own_question ? iv->given[k] : iv->prior[an->kind[k]]);
    sum.lower += own.lower + b->log_scale - b->scale_error;
    sum.upper += own.upper + b->log_scale + b->scale_error;
    size += fabs(b->log_scale) + (isfinite(own.lower) ? fabs(own.lower) : 0);
  }
  return widen(sum, circuit->constants.n + 4 * (size_t)an->components, size);
}

Interval intervals_log_partition(const Intervals *iv) {
  assert(!iv->best);
  return log_product(iv, false);
}

Interval intervals_log_best(const Intervals *iv) {
  assert(iv->best);
  return iv->impossible ? (Interval){-INFINITY, -INFINITY} : log_product(iv, true);
}

Interval intervals_log_evidence(const Intervals *iv) {
  const Analysis *an = iv->c->analysis;
  Interval sum = {0, 0};
  double size = 0;
  size_t n = 0;
  for (uint32_t k = 0; k < an->components; k++) {
    if (!iv->given[k])
      continue;
    Interval given = log_weight(iv, iv->given[k]), prior = log_weight(iv, iv->prior[an->kind[k]]);
    sum.lower += isinf(prior.upper) ? -INFINITY : given.lower - prior.upper;
    sum.upper += fmin(0, isinf(prior.lower) ? 0 : given.upper - prior.lower);
    size += isfinite(sum.lower) ? fabs(sum.lower) : 0;
    n += 4;
  }
  sum = n ? widen(sum, n, size) : sum;
  return (Interval){sum.lower, fmin(0, sum.upper)};
}

void intervals_probabilities(const Intervals *iv, Interval *by_asked) {
  for (size_t i = 0; i < iv->atoms.n; i++)
    by_asked[iv->atoms.at[i].asked] = iv->atoms.at[i].probability;
}

/* ---- beginning ---------------------------------------------------------------------- */

/* By component; guessed atoms before the others. */
static void sort_atoms(Intervals *iv, const Atom *atoms, size_t n) {
  const Analysis *an = iv->c->analysis;
  GraphEdges edges = {0};
  for (int derived = 0; derived < 2; derived++)
    for (size_t i = 0; i < n; i++)
      if (open_atom(iv, atoms[i]) && iv->c->strata.guessed[atoms[i]] == !derived)
        vec_push(&edges, (GraphEdge){an->component[atoms[i]], (uint32_t)i});
  GraphLists lists = graph_lists(&edges, an->components);
  for (size_t i = 0; i < edges.n; i++) {
    uint32_t asked = lists.at[i];
    vec_push(&iv->atoms, (IntervalAtom){atoms[asked], asked, {0, 1}});
  }
  graph_lists_free(&lists);
  vec_free(&edges);
}

static void begin_bounds(Intervals *iv) {
  const Analysis *an = iv->c->analysis;
  bool **asked = memory_zero(an->kinds, sizeof *asked);
  const CompileUnit **units = memory_zero(an->kinds, sizeof *units);
  for (uint32_t k = 0; k < an->components; k++) {
    uint32_t kind = an->kind[k];
    if (asked[kind])
      continue;
    units[kind] = compile_unit(iv->c, k);
    asked[kind] = memory_zero(units[kind] ? units[kind]->theory.atoms : 1, 1);
  }
  for (size_t i = 0; i < iv->atoms.n; i++) {
    uint32_t kind = an->kind[an->component[iv->atoms.at[i].atom]];
    if (units[kind])
      asked[kind][iv->c->position[iv->atoms.at[i].atom]] = true;
  }
  for (uint32_t kind = 0; kind < an->kinds; kind++) {
    if (units[kind])
      bound_begin(&iv->bounds[kind], units[kind], iv->weights, asked[kind], iv->best);
    free(asked[kind]);
  }
  free(asked);
  free(units);
}

static void begin(Intervals *iv, Compiled *c, const Lit *evidence, size_t evidences,
                  const double *weights) {
  assert(evidence || !evidences);
  *iv = (Intervals){.c = c,
                    .weights = weights,
                    .evidence = evidence,
                    .evidences = evidences,
                    .impossible = c->impossible,
                    .slice = SLICE};
  for (size_t i = 0; i < evidences; i++)
    iv->impossible |= ground_truth(c->ground, evidence[i]) == 0;
  iv->bounds = memory_zero(c->analysis->kinds, sizeof *iv->bounds);
  iv->prior = memory_zero(c->analysis->kinds, sizeof *iv->prior);
  iv->given = memory_zero(c->analysis->components, sizeof *iv->given);
}

static void list_questions(Intervals *iv) {
  const Analysis *an = iv->c->analysis;
  GraphEdges edges = {0};
  for (uint32_t i = 0; i < iv->questions.n; i++)
    vec_push(&edges, (GraphEdge){an->kind[iv->questions.at[i].component], i});
  iv->of_kind = graph_lists(&edges, an->kinds);
  vec_free(&edges);
}

static void begin_questions(Intervals *iv) {
  begin_bounds(iv);
  ask_all(iv);
  list_questions(iv);
  for (size_t i = 0; i < iv->questions.n; i++)
    if (!iv->questions.at[i].closed)
      read_question(iv, &iv->questions.at[i]);
}

void intervals_begin(Intervals *iv, Compiled *c, const Lit *evidence, size_t evidences,
                     const Atom *atoms, size_t n, const double *weights) {
  assert(atoms || !n);
  begin(iv, c, evidence, evidences, weights);
  sort_atoms(iv, atoms, n);
  begin_questions(iv);
}

void intervals_begin_best(Intervals *iv, Compiled *c, const Lit *evidence, size_t evidences,
                          const double *weights) {
  begin(iv, c, evidence, evidences, weights);
  iv->best = true;
  begin_questions(iv);
}

void intervals_free(Intervals *iv) {
  for (uint32_t kind = 0; iv->bounds && kind < iv->c->analysis->kinds; kind++)
    if (iv->bounds[kind].unit)
      bound_free(&iv->bounds[kind]);
  free(iv->bounds);
  free(iv->prior);
  free(iv->given);
  graph_lists_free(&iv->of_kind);
  vec_free(&iv->questions);
  vec_free(&iv->atoms);
  *iv = (Intervals){0};
}

/* ---- turns --------------------------------------------------------------------------- */

static bool counts(const Intervals *iv, const IntervalQuestion *q, bool all) {
  return q->count || all || !iv->atoms.n;
}

static bool wants_more(const Intervals *iv, const IntervalQuestion *q, double precision, bool all) {
  return !q->closed && counts(iv, q, all) && !(q->width <= precision);
}

bool intervals_closed(const Intervals *iv, double precision, bool all) {
  for (size_t i = 0; i < iv->questions.n; i++)
    if (wants_more(iv, &iv->questions.at[i], precision, all))
      return false;
  return true;
}

/* *left: work that is allowed. */
static Status run_kind(Intervals *iv, uint32_t kind, uint64_t slice, uint64_t *left,
                       double precision, bool all, const BoundLimits *limits) {
  Status status = OK;
  const GraphLists *of = &iv->of_kind;
  for (uint32_t i = of->start[kind]; i < of->start[kind + 1] && status == OK && *left; i++) {
    IntervalQuestion *q = &iv->questions.at[of->at[i]];
    if (!wants_more(iv, q, precision, all))
      continue;
    BoundLimits own = *limits;
    own.work = slice < *left ? slice : *left;
    *left -= own.work;
    status = bound_run(bound_of(iv, q->component), q->number, &own);
    read_question(iv, q);
  }
  return status;
}

Status intervals_turn_kind(Intervals *iv, uint32_t kind, uint64_t slice, double precision, bool all,
                           const BoundLimits *limits) {
  uint64_t left = UINT64_MAX;
  assert(!limits->work && kind < iv->c->analysis->kinds);
  return run_kind(iv, kind, slice, &left, precision, all, limits);
}

/* Memory that is out for one kind is not out for the others. */
Status intervals_turn(Intervals *iv, double precision, bool all, const BoundLimits *limits) {
  Status status = OK;
  uint64_t left = limits->work ? limits->work : UINT64_MAX;
  for (uint32_t kind = 0; kind < iv->c->analysis->kinds && left; kind++) {
    Status own = run_kind(iv, kind, iv->slice, &left, precision, all, limits);
    status = own == OK ? status : own;
    if (own != OK && limits_check(&limits->until) != OK)
      break;
  }
  iv->slice *= 2;
  return status;
}

/* ---- elsewhere ----------------------------------------------------------------------- */

bool intervals_asks(const Intervals *iv, uint32_t kind, double precision, bool all) {
  for (uint32_t i = iv->of_kind.start[kind]; i < iv->of_kind.start[kind + 1]; i++)
    if (wants_more(iv, &iv->questions.at[iv->of_kind.at[i]], precision, all))
      return true;
  return false;
}

/* Padding of long doubles is nobody's. */
static void put_long(Text *to, long double x) {
  char bytes[sizeof x] = {0};
  memcpy(bytes, &x, 10);
  put_bytes(to, bytes, sizeof bytes);
}

void intervals_put(const Intervals *iv, uint32_t kind, Text *to) {
  for (uint32_t i = iv->of_kind.start[kind]; i < iv->of_kind.start[kind + 1]; i++) {
    const IntervalQuestion *q = &iv->questions.at[iv->of_kind.at[i]];
    put_u8(to, q->closed);
    put_long(to, q->state.all.lower);
    put_long(to, q->state.all.upper);
    put_bytes(to, &q->state.open, sizeof q->state.open);
    put_bytes(to, &q->width, sizeof q->width);
    for (uint32_t k = 0; k < q->count; k++)
      put_bytes(to, &iv->atoms.at[q->first + k].probability, sizeof(Interval));
  }
}

void intervals_take(Intervals *iv, uint32_t kind, Bytes *from) {
  for (uint32_t i = iv->of_kind.start[kind]; i < iv->of_kind.start[kind + 1]; i++) {
    IntervalQuestion *q = &iv->questions.at[iv->of_kind.at[i]];
    q->closed = bytes_u8(from);
    bytes_take(from, &q->state.all.lower, sizeof q->state.all.lower);
    bytes_take(from, &q->state.all.upper, sizeof q->state.all.upper);
    bytes_take(from, &q->state.open, sizeof q->state.open);
    bytes_take(from, &q->width, sizeof q->width);
    for (uint32_t k = 0; k < q->count; k++)
      bytes_take(from, &iv->atoms.at[q->first + k].probability, sizeof(Interval));
  }
}

double intervals_width(const Intervals *iv) {
  double width = 0;
  for (size_t i = 0; i < iv->atoms.n; i++) {
    Interval p = iv->atoms.at[i].probability;
    width = fmax(width, p.upper - p.lower);
  }
  return width;
}

double intervals_explored(const Intervals *iv) {
  double least = 1;
  for (size_t i = 0; i < iv->questions.n; i++)
    least = fmin(least, 1 - iv->questions.at[i].state.open);
  return least;
}
