/* sensitivity.c - see sensitivity.h.
**
** With n the violations of a weight's instances, the derivative of P(q | e) by the weight is
** P(q | e) (E[n | e] - E[n | q, e]): two passes down through the circuit.  The information
** I(q; a | e) is the mean, over the values of q, of how far P(a | q, e) is from P(a | e). */
#include "infer/sensitivity.h"

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/scaled.h"
#include "base/source.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "infer/engine.h"
#include "infer/exact.h"
#include "language/program.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A query that is open, and its condition. */
typedef struct {
  const char *text;
  Atom atom, given; /* NONE: no condition */
} Question;

typedef VEC(Question) Questions;

static void find_questions(const Task *t, Questions *to, bool *always) {
  AskedList asked = {0};
  answer_asked(t->program, t->ground, &asked, always);
  for (size_t i = 0; i < asked.n; i++) {
    const Asked *a = &asked.at[i];
    bool condition = i + 1 < asked.n && !*asked.at[i + 1].text;
    if (*a->text && t->ground->atoms.at[a->atom].truth == ATOM_OPEN)
      vec_push(to, (Question){a->text, a->atom, condition ? asked.at[i + 1].atom : NONE});
  }
  vec_free(&asked);
}

/* The evidence and more; the caller frees it. */
static Lit *extend(const Task *t, Atom given, Lit more, size_t *n) {
  Lit *list = memory_zero(t->evidences + 2, sizeof *list);
  if (t->evidences)
    memcpy(list, t->evidence, t->evidences * sizeof *list);
  *n = t->evidences;
  if (given != NONE && t->ground->atoms.at[given].truth == ATOM_OPEN)
    list[(*n)++] = lit_of(given, false);
  if (more != NONE)
    list[(*n)++] = more;
  return list;
}

/* ---- derivatives ------------------------------------------------------------------------ */

typedef struct {
  CircuitRoot given, both;
} Pair;

static Status compile_pair(const Task *t, Compiled *c, const Question *q, Pair *to) {
  size_t n;
  Lit *given = extend(t, q->given, NONE, &n);
  Status status = compile_root(c, given, n, NULL, 0, &to->given);
  free(given);
  Lit *both = extend(t, q->given, lit_of(q->atom, false), &n);
  if (status == OK)
    status = compile_root(c, both, n, NULL, 0, &to->both);
  free(both);
  return status;
}

/* The name of a weight: a parameter's, or the rule that has the number. */
static const char *describe(const Task *t, uint32_t weight) {
  const Ground *g = t->ground;
  const Weight *w = &g->weights.at[weight];
  if (w->name != NONE)
    return arena_text(t->answer, ground_text(g, w->name));
  Text text = {0};
  const char *file;
  unsigned line;
  program_describe(t->program, &t->program->statements.at[g->soft.at[w->soft].statement], &file,
                   &line, &text);
  bool shared = false; /* its rule has a weight for each instance */
  for (uint32_t k = 0; k < g->weights.n; k++)
    shared |= k != weight && g->weights.at[k].name == NONE && g->weights.at[k].soft == w->soft;
  for (size_t i = 0; shared && i < g->instances.n; i++)
    if (g->instances.at[i].weight == weight) {
      text_printf(&text, "  [%s]", ground_text(g, g->instances.at[i].text));
      break;
    }
  const char *made = arena_bytes(t->answer, text.at, text.n);
  vec_free(&text);
  return made;
}

static int by_size(const void *a, const void *b) {
  const lpmln_sensitivity *x = a, *y = b;
  double one = fabs(x->derivative), other = fabs(y->derivative);
  if (one != other)
    return one > other ? -1 : 1;
  int order = strverscmp(x->query, y->query);
  return order ? order : strverscmp(x->parameter, y->parameter);
}

typedef VEC(lpmln_sensitivity) Sensitivities;

static void differentiate(const Task *t, const Circuit *c, const CircuitValues *values,
                          const Question *q, const Pair *pair, Sensitivities *to) {
  assert(circuit_possible(&pair->given));
  if (!circuit_possible(&pair->both))
    return;
  double *expected = memory_zero(c->weights, sizeof *expected);
  circuit_expectations(c, values, &pair->given, 1, expected);
  circuit_expectations(c, values, &pair->both, -1, expected);
  double p = exp(fmin(
      log_apart(circuit_log(c, values, &pair->both), circuit_log(c, values, &pair->given)), 0));
  for (uint32_t w = 0; w < c->weights; w++) /* differences of rounding are none */
    if (fabs(expected[w]) > 1e-13)
      vec_push(
          to, (lpmln_sensitivity){arena_text(t->answer, q->text), describe(t, w), p * expected[w]});
  free(expected);
}

/* Of all questions, the largest first; of none if a limit is reached. */
static Status differentiate_all(const Task *t, const Questions *questions, const Pair *pairs,
                                Sensitivities *to) {
  const Circuit *c = &task_compiled(t)->circuit;
  CircuitValues values;
  Status status = OK;
  circuit_values_make(c, &values);
  circuit_evaluate(c, t->weights, &values);
  for (size_t i = 0; i < questions->n && (status = limits_check(&t->limits)) == OK; i++)
    differentiate(t, c, &values, &questions->at[i], &pairs[i], to);
  circuit_values_free(&values);
  to->n = status == OK ? to->n : 0;
  if (to->n)
    qsort(to->at, to->n, sizeof *to->at, by_size);
  return status;
}

static Status find_derivatives(const Task *t, const Questions *questions, lpmln_inference *answer) {
  Compiled *c = task_compiled(t);
  Sensitivities list = {0};
  vec_reserve(&list, 1); /* a list without entries is an answer, too */
  Pair *pairs = memory_zero(questions->n, sizeof *pairs);
  Status status = limits_check(&t->limits);
  for (size_t i = 0; status == OK && i < questions->n; i++) {
    status = compile_pair(t, c, &questions->at[i], &pairs[i]);
    status = status == OK ? limits_check(&t->limits) : status;
  }
  if (status == OK)
    status = differentiate_all(t, questions, pairs, &list);
  for (size_t i = 0; i < questions->n; i++) {
    circuit_root_free(&pairs[i].given);
    circuit_root_free(&pairs[i].both);
  }
  free(pairs);
  answer->sensitivity_count = list.n;
  answer->sensitivities = arena_take(t->answer, &list);
  return status;
}

/* ---- information ------------------------------------------------------------------------- */

/* Atoms that are shown and might be observed. */
static void find_candidates(const Task *t, const Questions *questions, bool always, Atoms *to) {
  const Ground *g = t->ground;
  bool *known = memory_zero(g->atoms.n, sizeof *known);
  for (size_t i = 0; i < t->evidences; i++)
    known[lit_atom(t->evidence[i])] = true;
  for (size_t i = 0; always && i < questions->n; i++)
    known[questions->at[i].atom] = true;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].shown && g->atoms.at[a].truth == ATOM_OPEN && !known[a])
      vec_push(to, a);
  free(known);
}

static Status find_given(const Task *t, Atom given, Lit more, const Atoms *atoms,
                         Probability *found) {
  Task own = *t;
  Lit *evidence = extend(t, given, more, &own.evidences);
  own.evidence = evidence;
  ExactFound exact;
  Status status = exact_find(&own, atoms->at, atoms->n, &exact, found);
  exact_found_free(&exact);
  free(evidence);
  return status;
}

/* p ln(p/q), p a share of what q is. */
static double divergence(double p, double q) { return p > 0 && q > 0 ? p * log(p / q) : 0; }

static double entropy(double p) { return -divergence(p, 1) - divergence(1 - p, 1); }

/* `before` is P(atom | evidence), by atom of the list. */
static Status add_information(const Task *t, const Question *q, double chance, const Atoms *atoms,
                              const Probability *before, double *information) {
  Probability *after = memory_zero(atoms->n, sizeof *after);
  Status status = OK;
  for (int value = 0; status == OK && value < 2; value++) {
    double share = value ? chance : 1 - chance;
    status = find_given(t, q->given, lit_of(q->atom, !value), atoms, after);
    for (size_t i = 0; status == OK && i < atoms->n; i++)
      information[i] += share * (divergence(after[i].value, before[i].value) +
                                 divergence(1 - after[i].value, 1 - before[i].value));
  }
  free(after);
  return status;
}

static Status ask_about(const Task *t, const Question *q, const Atoms *atoms, double *information) {
  Probability *before = memory_zero(atoms->n + 1, sizeof *before);
  Atoms all = {0};
  for (size_t i = 0; i < atoms->n; i++)
    vec_push(&all, atoms->at[i]);
  vec_push(&all, q->atom);
  Status status = find_given(t, q->given, NONE, &all, before);
  if (status == OK && probability_is_open(before[atoms->n]))
    status = add_information(t, q, before[atoms->n].value, atoms, before, information);
  vec_free(&all);
  free(before);
  return status;
}

static int by_information(const void *a, const void *b) {
  const lpmln_next *x = a, *y = b;
  if (x->information != y->information)
    return x->information > y->information ? -1 : 1;
  return strverscmp(x->atom, y->atom);
}

/* Atoms whose truth is certain, given the evidence, tell nothing and are not listed. */
static Status find_next(const Task *t, const Questions *questions, bool always,
                        lpmln_inference *answer) {
  Atoms atoms = {0};
  find_candidates(t, questions, always, &atoms);
  double *information = memory_zero(atoms.n, sizeof *information);
  Probability *now = memory_zero(atoms.n, sizeof *now);
  Status status = find_given(t, NONE, NONE, &atoms, now);
  for (size_t i = 0; status == OK && always && i < questions->n; i++) {
    status = ask_about(t, &questions->at[i], &atoms, information);
    status = status == OK ? limits_check(&t->limits) : status;
  }
  lpmln_next *list = arena_zero(t->answer, atoms.n + 1, sizeof *list);
  for (size_t i = 0; status == OK && i < atoms.n; i++)
    if (probability_is_open(now[i])) {
      const char *name = ground_text(t->ground, t->ground->atoms.at[atoms.at[i]].name);
      double told = always ? fmax(information[i], 0) : entropy(now[i].value);
      list[answer->next_count++] = (lpmln_next){arena_text(t->answer, name), told};
    }
  if (answer->next_count)
    qsort(list, answer->next_count, sizeof *list, by_information);
  answer->next = list;
  vec_free(&atoms);
  free(information);
  free(now);
  return status;
}

Status sensitivity_infer(const Task *t, lpmln_inference *answer) {
  assert(t->options->sensitivity || t->options->next);
  if (answer->about.method != LPMLN_EXACT) {
    diagnose_error(t->said, NOWHERE, NULL,
                   "options sensitivity and next need the compiled program");
    return t->options->method == LPMLN_AUTO ? LIMIT : USAGE;
  }
  Questions questions = {0};
  bool always;
  find_questions(t, &questions, &always);
  Status status = OK;
  if (t->options->sensitivity)
    status = find_derivatives(t, &questions, answer);
  if (status == OK && t->options->next)
    status = find_next(t, &questions, always, answer);
  vec_free(&questions);
  return status;
}
