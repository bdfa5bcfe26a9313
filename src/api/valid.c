/* valid.c - see valid.h. */
#include "api/valid.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MOST_COUNT 9000000000000000 /* a double has every whole number up to it */
#define MOST_CHAINS 65536
#define LEAST_SAMPLES 8 /* of a chain, to tell how far off they are */

/* One thing that must hold. */
typedef struct {
  bool holds;
  const char *or_else;
} Rule;

static const char *first_broken(const Rule *rules, size_t n) {
  assert(rules && n);
  for (size_t i = 0; i < n; i++)
    if (!rules[i].holds)
      return rules[i].or_else;
  return NULL;
}

#define FIRST_BROKEN(rules) first_broken((rules), sizeof(rules) / sizeof *(rules))

static bool in_range(double x, double least, double most) { return x >= least && x <= most; }

static bool all_there(size_t n, const char *const *texts) {
  assert(n <= MOST_COUNT);
  for (size_t i = 0; i < n; i++)
    if (!texts || !texts[i])
      return false;
  return true;
}

static const char *wrong_sampling(const lpmln_sampling *s) {
  const Rule rules[] = {
      {s->chains >= 1 && s->chains <= MOST_CHAINS, "option chains must be from 1 to 65536"},
      {!s->samples || (s->samples >= LEAST_SAMPLES && s->samples <= MOST_COUNT),
       "option samples must be 8 at least, or 0 for the default"},
      {s->burn_in == SIZE_MAX || s->burn_in <= MOST_COUNT, "option burn_in is too large"},
      {s->thin >= 1 && s->thin <= MOST_COUNT, "option thin must be 1 at least"},
      {s->block_moves == SIZE_MAX || s->block_moves <= MOST_COUNT,
       "option block_moves is too large"},
      {in_range(s->error, 0, 1), "option error must be from 0 to 1"}};
  return FIRST_BROKEN(rules);
}

/* `p/2,q/1`, or nothing. */
static bool are_signatures(const char *list) {
  while (list && *list) {
    size_t name = strcspn(list, "/,"), digits = 0;
    if (!name || list[name] != '/')
      return false;
    list += name + 1;
    digits = strspn(list, "0123456789");
    if (!digits || (list[digits] && (list[digits] != ',' || !list[digits + 1])))
      return false;
    list += digits + (list[digits] == ',');
  }
  return true;
}

const char *valid_options(const lpmln_options *o) {
  const Rule rules[] = {
      {are_signatures(o->closed), "option closed_world takes predicates such as p/2,q/1"},
      {are_signatures(o->open), "option open_world takes predicates such as p/2,q/1"},
      {(unsigned)o->method <= LPMLN_BOUNDS && o->method != LPMLN_CLOSED_FORM,
       "option method is none of auto, exact, mc-asp, enumerate and bounds"},
      {in_range(o->time_limit, 0, MOST_COUNT), "option time_limit must be finite and not negative"},
      {o->memory_limit >= 1 && o->memory_limit <= MOST_COUNT,
       "option memory_limit must be 1 at least"},
      {isfinite(o->compile_limit), "option compile_limit must be finite"},
      {in_range(o->precision, 0, 1), "option precision must be from 0 to 1"}};
  const char *wrong = FIRST_BROKEN(rules);
  return wrong ? wrong : wrong_sampling(&o->sampling);
}

/* What does not go together. */
static const char *wrong_together(const lpmln_learning_options *o) {
  bool l1 = o->prior == LPMLN_L1, batches = o->batch || o->optimizer == LPMLN_ADAM;
  const Rule rules[] = {
      {!o->bounded || (o->optimizer != LPMLN_LBFGS && o->optimizer != LPMLN_EM),
       "bounds need the optimiser newton, ascent or adam"},
      {!o->bounded || !l1, "bounds and an L1 prior do not go together"},
      {!l1 || (o->optimizer != LPMLN_NEWTON && o->optimizer != LPMLN_EM),
       "an L1 prior needs the optimiser lbfgs, ascent or adam"},
      {!batches || o->optimizer != LPMLN_EM, "batches need another optimiser than em"},
      {!batches || !o->folds, "batches and folds do not go together"}};
  return FIRST_BROKEN(rules);
}

static bool is_positive(double x) { return x > 0 && isfinite(x); }

const char *valid_learning(const lpmln_learning_options *o) {
  bool ascent = o->optimizer == LPMLN_ASCENT, adam = o->optimizer == LPMLN_ADAM,
       gaussian = o->prior == LPMLN_GAUSSIAN;
  const Rule rules[] = {
      {(unsigned)o->optimizer <= LPMLN_ADAM, "option optimizer is none that there is"},
      {(unsigned)o->prior <= LPMLN_L1, "option prior is none that there is"},
      {(unsigned)o->noise <= LPMLN_NOISE_ATOMS, "option noise is none that there is"},
      {!o->bounded || (isfinite(o->lower) && isfinite(o->upper)), "the bounds must be finite"},
      {!o->bounded || o->lower < o->upper, "the lower bound must be less than the upper one"},
      {!gaussian || isfinite(o->prior_mean), "the mean of a Gaussian prior must be finite"},
      {!gaussian || is_positive(o->prior_deviation),
       "the standard deviation of a Gaussian prior must be positive"},
      {o->prior != LPMLN_L1 || in_range(o->prior_strength, 0, 1e300),
       "the strength of an L1 prior must not be negative"},
      {!(ascent || adam) || is_positive(o->rate), "the rate of gradient ascent must be positive"},
      {!ascent || in_range(o->delta, 0, 1e300),
       "the delta of gradient ascent must not be negative"},
      {o->noise != LPMLN_NOISE_ATOMS || is_positive(o->noise_weight),
       "the weight of noise atoms must be positive"},
      {o->folds != 1, "cross-validation needs two folds at least"},
      {o->fixed_count <= MOST_COUNT && all_there(o->fixed_count, o->fixed),
       "a name of a fixed parameter is missing"}};
  const char *wrong = FIRST_BROKEN(rules);
  return wrong ? wrong : wrong_together(o);
}

const char *valid_why(const lpmln_why_options *o) {
  const Rule rules[] = {{in_range(o->least_share, 0, 1), "option least_share must be from 0 to 1"}};
  return FIRST_BROKEN(rules);
}

const char *valid_induction(const lpmln_induction_options *o) {
  const Rule rules[] = {{o->candidates, "there are no candidates"},
                        {o->folds >= 2, "cross-validation needs two folds at least"},
                        {isnan(o->penalty) || in_range(o->penalty, 0, 1e300),
                         "the penalty of a rule must not be negative"}};
  return FIRST_BROKEN(rules);
}

const char *valid_translation(const lpmln_translation_options *o) {
  const Rule rules[] = {
      {o->target, "option target is missing"},
      {(unsigned)o->form <= LPMLN_REWARD, "option form is none that there is"},
      {(unsigned)o->markov <= LPMLN_TUFFY, "option markov is none that there is"},
      {o->scale == 0 || is_positive(o->scale),
       "option scale must be positive, or 0 for the default"},
      {o->noise == 0 || is_positive(o->noise), "the weight of noise atoms must be positive"}};
  return FIRST_BROKEN(rules);
}

const char *valid_compiling(const lpmln_compile_options *o) {
  const Rule rules[] = {
      {!o || (o->observable_count <= MOST_COUNT && all_there(o->observable_count, o->observables)),
       "a name of an observable is missing"}};
  return FIRST_BROKEN(rules);
}

const char *valid_ranks(const lpmln_ranks *r) {
  const Rule rules[] = {{r->rank < r->count, "the rank must be below their count"},
                        {r->count == 1 || (r->send && r->receive), "ranks must send and receive"}};
  return FIRST_BROKEN(rules);
}
