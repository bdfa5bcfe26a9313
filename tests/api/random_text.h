/* random_text.h - random LPMLN programs as text, and their answers by adding up.
**
** The oracle asks the program once, with the enumerating engine and without evidence, for
** all stable models and the rules that each violates.  Whatever weights and evidence a test
** then chooses, the answer is a sum over that list, which shares nothing with circuits. */
#ifndef TESTS_RANDOM_TEXT_H
#define TESTS_RANDOM_TEXT_H

#include "api.h"

typedef struct {
  uint64_t state;
} Dice;

static inline uint64_t dice_bits(Dice *d) { /* splitmix64 */
  uint64_t z = d->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
static inline unsigned dice_below(Dice *d, unsigned n) { return (unsigned)(dice_bits(d) % n); }
static inline bool dice_chance(Dice *d, unsigned percent) { return dice_below(d, 100) < percent; }
static inline double dice_weight(Dice *d) {
  return 4 * (double)(dice_bits(d) >> 11) / 9007199254740992.0 - 2;
}

/* ---- programs -------------------------------------------------------------------------- */

enum { TEXT_ROOM = 8192, OWN_PARAMETERS = 4 };

typedef struct {
  char at[TEXT_ROOM];
  size_t n;
} RandomText;

__attribute__((format(printf, 2, 3))) static inline void say(RandomText *t, const char *format,
                                                             ...) {
  va_list arguments;
  va_start(arguments, format);
  t->n += (size_t)vsnprintf(t->at + t->n, TEXT_ROOM - t->n, format, arguments);
  va_end(arguments);
  assert_true(t->n < TEXT_ROOM);
}

/* A parameter, a number or, if it may be, nothing: hard. */
static inline void say_weight(RandomText *t, Dice *d, unsigned hard) {
  unsigned parameter = dice_below(d, OWN_PARAMETERS);
  if (dice_chance(d, hard))
    return;
  if (dice_chance(d, 70))
    say(t, "@w(p%u,%g) ", parameter, 0.25 * parameter - 0.4);
  else
    say(t, "%.3f ", dice_weight(d));
}

/* Guessed atoms a.., then derived ones d... */
static inline void say_body(RandomText *t, Dice *d, unsigned guessed, unsigned derived) {
  for (unsigned i = 0, n = 1 + dice_below(d, 3); i < n; i++) {
    unsigned which = dice_below(d, guessed + derived);
    say(t, "%s%s%c%u", i ? ", " : " ", dice_chance(d, 35) ? "not " : "",
        which < guessed ? 'a' : 'd', which < guessed ? which : which - guessed);
  }
  say(t, ".\n");
}

static inline void say_core(RandomText *t, Dice *d) {
  unsigned guessed = 2 + dice_below(d, 3), derived = 1 + dice_below(d, 4);
  for (unsigned i = 0; i < guessed; i++) {
    if (dice_chance(d, 30))
      say(t, "{a%u}.\n", i);
    else
      say_weight(t, d, 0), say(t, "a%u.\n", i);
  }
  for (unsigned i = 0; i < derived; i++)
    for (unsigned k = 0, n = 1 + dice_below(d, 2); k < n; k++) {
      say_weight(t, d, 60);
      say(t, "d%u :-", i);
      say_body(t, d, guessed, derived);
    }
  for (unsigned i = 0, n = dice_below(d, 3); i < n; i++) {
    say_weight(t, d, 25);
    say(t, ":-");
    say_body(t, d, guessed, derived);
  }
}

/* Components that are equal but for their names. */
static inline void say_copies(RandomText *t, Dice *d) {
  say(t, "n(1..%u). @w(s,0.6) s(X) :- n(X). @w(t,-0.3) t(X) :- s(X).\n", 2 + dice_below(d, 2));
  if (dice_chance(d, 50))
    say(t, "u(X) :- t(X), not v(X). v(X) :- t(X), not u(X).\n");
  if (dice_chance(d, 40))
    say(t, "@w(l,0.8) :- s(X), not t(X), a0.\n"); /* not so equal after all */
}

/* One of several values, each with a weight. */
static inline void say_values(RandomText *t, Dice *d) {
  unsigned n = 2 + dice_below(d, 3);
  say(t, "1 { c(1..%u) } 1.\n", n);
  for (unsigned i = 1; i <= n; i++)
    say(t, "@w(c%u,%g) :- not c(%u).\n", i, 0.3 * i, i);
  if (dice_chance(d, 50))
    say(t, "e :- c(1). e :- c(2), a0.\n");
}

static inline void random_text(RandomText *t, Dice *d) {
  t->n = 0;
  say_core(t, d);
  if (dice_chance(d, 50))
    say_copies(t, d);
  if (dice_chance(d, 40))
    say_values(t, d);
  if (dice_chance(d, 20))
    say(t, "x | y :- a0. @w(x,0.2) z :- x, not y.\n");
  if (dice_chance(d, 20))
    say(t, "sure. k :- sure, a1. never :- not sure.\n");
}

/* ---- answers by adding up ---------------------------------------------------------------- */

typedef struct {
  const lpmln_models *all;
  size_t parameters;
  const char *const *names;
  double *count; /* [model][parameter]: violations */
  double *fixed; /* by model: ln weight of rules without a parameter */
} Oracle;

static inline size_t parameter_of(const Oracle *o, const char *rule) {
  size_t n = strcspn(rule, ",)");
  for (size_t i = 0; i < o->parameters; i++)
    if (!strncmp(rule, "@w(", 3) && strlen(o->names[i]) == n - 3 &&
        !strncmp(rule + 3, o->names[i], n - 3))
      return i;
  return SIZE_MAX;
}

/* False: there is no stable model. */
static inline bool oracle_make(Oracle *o, const char *text, const char *const *names, size_t n) {
  lpmln_options how = options();
  how.method = LPMLN_ENUMERATE;
  lpmln_program *p = program_with(&how, text, NULL);
  *o = (Oracle){.all = lpmln_list(p, 0), .parameters = n, .names = names};
  lpmln_program_free(p);
  if (o->all->about.status != LPMLN_OK)
    return false;
  assert_true(o->all->about.complete);
  o->count = calloc(o->all->count * n + 1, sizeof *o->count);
  o->fixed = calloc(o->all->count + 1, sizeof *o->fixed);
  for (size_t i = 0; i < o->all->count; i++)
    for (size_t k = 0; k < o->all->models[i].violated_count; k++) {
      const char *rule = o->all->models[i].violated[k].rule;
      size_t parameter = parameter_of(o, rule);
      if (parameter == SIZE_MAX)
        o->fixed[i] -= strtod(rule, NULL);
      else
        o->count[i * n + parameter]++;
    }
  return true;
}

static inline void oracle_free(Oracle *o) {
  lpmln_answer_free(o->all);
  free(o->count);
  free(o->fixed);
}

static inline bool holds(const lpmln_stable_model *m, const char *atom) {
  for (size_t i = 0; i < m->atom_count; i++)
    if (!strcmp(m->atoms[i], atom))
      return true;
  return false;
}

/* Evidence: names and 1, 0 or NAN. */
typedef struct {
  size_t n;
  const char *const *atoms;
  const double *values;
} Seen;

static inline bool agrees(const lpmln_stable_model *m, const Seen *seen) {
  for (size_t i = 0; i < seen->n; i++)
    if (!isnan(seen->values[i]) && holds(m, seen->atoms[i]) != (seen->values[i] != 0))
      return false;
  return true;
}

/* What one row must come to. */
typedef struct {
  double log_partition, log_evidence;
  double *marginals, *counts, *gradient;
} Sums;

static inline double log_weight(const Oracle *o, size_t model, const double *weights) {
  double sum = o->fixed[model];
  for (size_t i = 0; i < o->parameters; i++)
    sum -= weights[i] * o->count[model * o->parameters + i];
  return sum;
}

/* The arrays are the caller's: by query, by parameter, by parameter. */
static inline void oracle_sum(const Oracle *o, const double *weights, const Seen *first,
                              const Seen *second, const char *const *queries, size_t n, Sums *to) {
  double z = 0, seen = 0;
  memset(to->marginals, 0, n * sizeof(double));
  memset(to->counts, 0, o->parameters * sizeof(double));
  memset(to->gradient, 0, o->parameters * sizeof(double));
  for (size_t i = 0; i < o->all->count; i++) {
    const lpmln_stable_model *m = &o->all->models[i];
    double weight = exp(log_weight(o, i, weights));
    bool fits = agrees(m, first) && agrees(m, second);
    z += weight;
    seen += fits ? weight : 0;
    for (size_t k = 0; fits && k < n; k++)
      to->marginals[k] += holds(m, queries[k]) ? weight : 0;
    for (size_t k = 0; k < o->parameters; k++) {
      to->counts[k] += fits ? weight * o->count[i * o->parameters + k] : 0;
      to->gradient[k] += weight * o->count[i * o->parameters + k];
    }
  }
  to->log_partition = log(z);
  to->log_evidence = seen > 0 ? log(seen / z) : -INFINITY;
  for (size_t k = 0; k < n; k++)
    to->marginals[k] /= seen; /* NAN if it is impossible */
  for (size_t k = 0; k < o->parameters; k++) {
    to->counts[k] /= seen;
    to->gradient[k] = to->gradient[k] / z - to->counts[k];
  }
}

/* Evidence as text for a program. */
static inline void say_seen(RandomText *t, const Seen *seen) {
  for (size_t i = 0; i < seen->n; i++)
    if (!isnan(seen->values[i]))
      say(t, "%s%s.\n", seen->values[i] != 0 ? "" : "not ", seen->atoms[i]);
}

#endif
