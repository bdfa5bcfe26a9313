/* proofs.c - see proofs.h.
**
** A set that some model against the query has must grow, by a literal that is false in that model:
** every proof that contains the set has one of these.  Sets are taken from a heap by their share,
** P(set | query), which only falls as they grow and is, of a proof, its own; so proofs come in
** their order.
**
** Guesses that are free, and do not matter to what the model says about the query, are left out:
** with any values of these the model is one against the query, so a proof has to differ
** elsewhere. */
#include "infer/proofs.h"

#include "base/scaled.h"
#include "base/seen.h"
#include "base/sort.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void side_free(Side *s) {
  circuit_root_free(&s->root);
  circuit_free(&s->circuit);
}

void proofs_free(Proofs *p) {
  for (size_t i = 0; i < p->n; i++)
    vec_free(&p->at[i].literals);
  vec_free(p);
}

bool side_set(const Side *from, const Lit *literals, size_t n, Side *to) {
  int8_t *value = memory_zero(from->circuit.atoms, 1);
  memset(value, -1, from->circuit.atoms);
  for (size_t i = 0; i < n; i++)
    value[lit_atom(literals[i])] = !lit_negated(literals[i]);
  circuit_condition(&from->circuit, &from->root, value, &to->circuit, &to->root);
  free(value);
  return circuit_possible(&to->root);
}

void side_marginals(const Side *s, const double *weights, Probability *to) {
  CircuitValues values;
  circuit_values_make(&s->circuit, &values);
  circuit_evaluate(&s->circuit, weights, &values);
  circuit_marginals(&s->circuit, &values, &s->root, to);
  circuit_values_free(&values);
}

static Log side_log(const Side *s, const double *weights) {
  CircuitValues values;
  circuit_values_make(&s->circuit, &values);
  circuit_evaluate(&s->circuit, weights, &values);
  Log log = circuit_log(&s->circuit, &values, &s->root);
  circuit_values_free(&values);
  return log;
}

double side_log_share(const Side *part, const Side *whole, const double *weights) {
  return fmin(log_apart(side_log(part, weights), side_log(whole, weights)), 0);
}

void side_best(const Side *s, const double *weights, bool *model) {
  Log ignored;
  CircuitBest *best = circuit_best_make(&s->circuit, &s->root, weights);
  bool found = circuit_best_next(best, model, &ignored);
  assert(found);
  (void)found;
  circuit_best_free(best);
}

/* ---- sets that wait --------------------------------------------------------------------- */

typedef struct {
  double log_share;
  uint32_t set; /* in Search.sets */
} Waiting;

typedef struct {
  const ProofSearch *s;
  Seen sets; /* of sorted literals */
  VEC(Waiting) heap;
  Probability *marginals; /* by atom */
  bool *model;            /* by atom */
  bool *matters;          /* by guess: in this model */
  Proofs *found;
} Search;

static const Lit *set_at(const Search *x, uint32_t number, size_t *n) {
  size_t from = number ? x->sets.ends.at[number - 1] : 0;
  *n = (x->sets.ends.at[number] - from) / sizeof(Lit);
  return (const Lit *)(const void *)(x->sets.bytes.at + from);
}

/* The larger share; of equal ones, the set that was made earlier. */
static bool before(Waiting a, Waiting b) {
  return a.log_share != b.log_share ? a.log_share > b.log_share : a.set < b.set;
}

static void push(Search *x, Waiting new) {
  vec_push(&x->heap, new);
  size_t i = x->heap.n - 1;
  for (; i && before(new, x->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
    x->heap.at[i] = x->heap.at[(i - 1) / 2];
  x->heap.at[i] = new;
}

static Waiting pop(Search *x) {
  Waiting top = x->heap.at[0], last = x->heap.at[--x->heap.n];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < x->heap.n; i = child) {
    if (child + 1 < x->heap.n && before(x->heap.at[child + 1], x->heap.at[child]))
      child++;
    if (!before(x->heap.at[child], last))
      break;
    x->heap.at[i] = x->heap.at[child];
  }
  if (x->heap.n)
    x->heap.at[i] = last;
  return top;
}

/* ---- one set ---------------------------------------------------------------------------- */

/* Is there a model against the query that has these literals? */
static bool contradicted(const Search *x, const Lit *set, size_t n) {
  Side left = {0};
  bool possible = !x->s->always && side_set(x->s->against, set, n, &left);
  side_free(&left);
  return possible;
}

static bool is_minimal(const Search *x, const Lit *set, size_t n) {
  Lit *less = memory_zero(n, sizeof *less);
  bool minimal = true;
  for (size_t i = 0; minimal && i < n; i++) {
    size_t k = 0;
    for (size_t j = 0; j < n; j++)
      if (j != i)
        less[k++] = set[j];
    minimal = contradicted(x, less, k);
  }
  free(less);
  return minimal;
}

static bool contains_proof(const Search *x, const Lit *set, size_t n) {
  for (size_t i = 0; i < x->found->n; i++) {
    const Proof *p = &x->found->at[i];
    size_t k = 0;
    for (size_t j = 0; j < n && k < p->literals.n; j++)
      k += set[j] == p->literals.at[k];
    if (k == p->literals.n)
      return true;
  }
  return false;
}

static void take_proof(Search *x, const Lit *set, size_t n, double log_share) {
  Proof proof = {.log_share = log_share};
  for (size_t i = 0; i < n; i++)
    vec_push(&proof.literals, set[i]);
  vec_push(x->found, proof);
}

static Lit in_model(const Search *x, size_t guess) {
  Atom a = lit_atom(x->s->guesses[guess]);
  return lit_of(a, !x->model[a]);
}

/* ln P(the literal, too | the set and the query): a probability near 1 does not tell its opposite,
** which is then set to see. */
static double log_given(const Search *x, const Side *with, Lit literal) {
  Probability p = x->marginals[lit_atom(literal)];
  if (!lit_negated(literal))
    return p.log;
  if (p.value < 1 - 1e-6 || x->s->least > 1e-6)
    return log1p(-p.value);
  Side set = {0};
  double log =
      side_set(with, &literal, 1, &set) ? side_log_share(&set, with, x->s->weights) : -INFINITY;
  side_free(&set);
  return log;
}

/* Larger sets, by each guess that is otherwise than in the model. */
static void grow(Search *x, const Side *with, const Lit *set, size_t n, double log_share) {
  const ProofSearch *s = x->s;
  Lit *larger = memory_zero(n + 1, sizeof *larger);
  for (size_t i = 0; i < s->guess_count; i++) {
    if (!x->matters[i])
      continue;
    Lit other = lit_not(in_model(x, i));
    double share = log_share + fmin(log_given(x, with, other), 0);
    if (!(exp(share) >= s->least) || isinf(share))
      continue;
    memcpy(larger, set, n * sizeof *larger);
    larger[n] = other;
    sort_words(larger, n + 1);
    size_t known = x->sets.ends.n;
    if (!contains_proof(x, larger, n + 1) &&
        seen_add(&x->sets, larger, (n + 1) * sizeof *larger) == known)
      push(x, (Waiting){share, (uint32_t)known});
  }
  free(larger);
}

/* Is there a model for the query that agrees with the one against it on all guesses that matter? */
static bool is_undecided(const Search *x) {
  const ProofSearch *s = x->s;
  Lit *all = memory_zero(s->guess_count, sizeof *all);
  size_t n = 0;
  for (size_t i = 0; i < s->guess_count; i++)
    if (x->matters[i])
      all[n++] = in_model(x, i);
  Side same = {0};
  bool is = side_set(s->with, all, n, &same);
  side_free(&same);
  free(all);
  return is;
}

typedef struct {
  double log_p;
  size_t guess;
} Candidate;

static int by_chance(const void *a, const void *b) {
  const Candidate *x = a, *y = b;
  if (x->log_p != y->log_p)
    return x->log_p > y->log_p ? -1 : 1;
  return (x->guess > y->guess) - (x->guess < y->guess);
}

/* Leaves free guesses out, those first whose opposite is probable: sets that are not made. */
static void leave_out(Search *x) {
  VEC(Candidate) list = {0};
  for (size_t i = 0; i < x->s->guess_count; i++) {
    Probability p = x->marginals[lit_atom(x->s->guesses[i])];
    if (x->s->free[i])
      vec_push(&list, (Candidate){lit_negated(in_model(x, i)) ? p.log : log1p(-p.value), i});
  }
  if (list.n)
    qsort(list.at, list.n, sizeof *list.at, by_chance);
  for (size_t i = 0; i < list.n; i++) {
    x->matters[list.at[i].guess] = false;
    x->matters[list.at[i].guess] = is_undecided(x);
  }
  vec_free(&list);
}

static void visit(Search *x, const Lit *set, size_t n, double log_share) {
  Side with = {0}, against = {0};
  bool open = !x->s->always && side_set(x->s->against, set, n, &against);
  if (!open) {
    if (is_minimal(x, set, n))
      take_proof(x, set, n, log_share);
  } else if (side_set(x->s->with, set, n, &with)) {
    side_marginals(&with, x->s->weights, x->marginals);
    side_best(&against, x->s->weights, x->model);
    memset(x->matters, true, x->s->guess_count);
    if (x->s->undecided && is_undecided(x)) {
      *x->s->undecided = true;
    } else {
      leave_out(x);
      grow(x, &with, set, n, log_share);
    }
  }
  side_free(&with);
  side_free(&against);
}

Status proofs_find(const ProofSearch *s, Proofs *found) {
  assert(!found->n && (s->guesses || !s->guess_count));
  Search x = {.s = s, .found = found};
  x.marginals = memory_zero(s->atoms, sizeof *x.marginals);
  x.model = memory_zero(s->atoms, sizeof *x.model);
  x.matters = memory_zero(s->guess_count, sizeof *x.matters);
  Status status = OK;
  seen_add(&x.sets, "", 0);
  push(&x, (Waiting){0, 0});
  while (status == OK && x.heap.n && !(s->undecided && *s->undecided) &&
         (!s->most || found->n < s->most)) {
    Waiting next = pop(&x);
    size_t n;
    const Lit *at = set_at(&x, next.set, &n);
    Lit *set = memory_zero(n + 1, sizeof *set); /* the pool moves */
    if (n)
      memcpy(set, at, n * sizeof *set);
    if (!contains_proof(&x, set, n))
      visit(&x, set, n, next.log_share);
    free(set);
    status = limits_check(s->limits);
  }
  free(x.marginals);
  free(x.model);
  free(x.matters);
  seen_free(&x.sets);
  vec_free(&x.heap);
  return status;
}
