/* random_program.h - random ground programs and their models by brute force.
**
** The oracle shares no code with the engines: it keeps its own copy of the
** rules, tries all sets of atoms, and checks each by the definition: hard
** rules hold, and no proper subset satisfies the reduct of the rules that the
** set satisfies. */
#ifndef TESTS_RANDOM_PROGRAM_H
#define TESTS_RANDOM_PROGRAM_H

#include "base/random.h"
#include "ground/analysis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ATOMS = 12, MOST_RULES = 40, MOST_BODY = 5, MOST_HEADS = 3, MOST_WEIGHTS = 4 };

typedef struct {
  bool choice, weighted;
  unsigned heads, size;
  unsigned head[MOST_HEADS];
  unsigned body[MOST_BODY]; /* literals */
  int weight[MOST_BODY], bound;
  int soft; /* number of its weight; -1: hard */
} TestRule;

typedef struct {
  unsigned atoms, rules, weights;
  TestRule rule[MOST_RULES];
  double value[MOST_WEIGHTS];
} TestProgram;

typedef struct {
  unsigned set;
  double log_weight;
  unsigned count[MOST_WEIGHTS]; /* violations */
} TestModel;

typedef struct {
  TestModel *model;
  size_t models;
} TestModels;

/* --- random programs --- */

typedef struct {
  unsigned atoms, rules;
  unsigned choice, disjunction, weighted, soft, constraint; /* percent */
  unsigned positive;                                        /* percent of body literals */
} TestStyle;

static unsigned test_below(Random *random, unsigned n) { return (unsigned)random_below(random, n); }

static bool test_chance(Random *random, unsigned percent) {
  return test_below(random, 100) < percent;
}

static void test_body(Random *random, const TestStyle *style, unsigned atoms, TestRule *r) {
  r->weighted = test_chance(random, style->weighted);
  r->size = r->weighted ? 2 + test_below(random, MOST_BODY - 1) : test_below(random, 4);
  int total = 0;
  for (unsigned k = 0; k < r->size; k++) {
    r->body[k] = 2 * test_below(random, atoms) + !test_chance(random, style->positive);
    r->weight[k] = 1 + (int)test_below(random, 3);
    total += r->weight[k];
  }
  r->bound = r->weighted ? 1 + (int)test_below(random, (unsigned)total) : 0;
}

static TestRule test_rule(Random *random, const TestStyle *style, unsigned atoms,
                          unsigned weights) {
  TestRule r = {.soft = -1};
  test_body(random, style, atoms, &r);
  if (test_chance(random, style->soft)) {
    r.soft = (int)test_below(random, weights);
    r.weighted = false;
    r.size = r.size < 3 ? r.size : 3;
  }
  if (test_chance(random, style->constraint))
    r.heads = 0;
  else if (r.soft < 0 && test_chance(random, style->choice))
    r.choice = true, r.heads = 1 + test_below(random, 2);
  else
    r.heads = test_chance(random, style->disjunction) ? 2 + test_below(random, 2) : 1;
  for (unsigned h = 0; h < r.heads; h++)
    r.head[h] = test_below(random, atoms);
  return r;
}

static void test_program(Random *random, const TestStyle *style, TestProgram *p) {
  memset(p, 0, sizeof *p);
  p->atoms = style->atoms, p->rules = style->rules;
  p->weights = 1 + test_below(random, MOST_WEIGHTS);
  for (unsigned w = 0; w < p->weights; w++)
    p->value[w] = 4 * random_unit(random) - 2;
  for (unsigned i = 0; i < p->rules; i++)
    p->rule[i] = test_rule(random, style, p->atoms, p->weights);
}

/* --- as a ground program --- */

/* Adds the rule, its atoms moved up by `first`. */
static void test_add_rule(const TestRule *r, unsigned first, Ground *g) {
  Rule rule = {.choice = r->choice,
               .weighted = r->weighted,
               .heads = r->heads,
               .size = r->size,
               .bound = r->bound,
               .instance = NONE};
  if (r->soft >= 0) {
    rule.instance = (uint32_t)g->instances.n;
    vec_push(&g->instances, (Instance){.weight = (uint32_t)r->soft});
  }
  uint32_t *words = ground_rule(g, rule);
  for (unsigned h = 0; h < r->heads; h++)
    *words++ = first + r->head[h];
  for (unsigned k = 0; k < r->size; k++)
    *words++ = 2 * first + r->body[k];
  for (unsigned k = 0; r->weighted && k < r->size; k++)
    *words++ = (uint32_t)r->weight[k];
}

/* An empty program with what instances refer to: a soft rule and the empty name. */
static void test_begin(Ground *g) {
  *g = (Ground){0};
  ground_name(g, "", 0);
  vec_push(&g->soft, (SoftRule){0});
}

static inline void test_ground(const TestProgram *p, Ground *g) {
  test_begin(g);
  for (unsigned a = 0; a < p->atoms; a++) {
    char name[16];
    snprintf(name, sizeof name, "a%u", a);
    ground_atom(g, name);
  }
  for (unsigned w = 0; w < p->weights; w++)
    vec_push(&g->weights, (Weight){.value = p->value[w], .name = NONE});
  for (unsigned i = 0; i < p->rules; i++)
    test_add_rule(&p->rule[i], 0, g);
  ground_seal(g);
}

/* --- its models by definition --- */

/* Positive literals are read in `small`, negative ones in `model`. */
static bool test_body_holds(const TestRule *r, unsigned small, unsigned model) {
  int sum = 0;
  for (unsigned k = 0; k < r->size; k++) {
    unsigned bit = 1u << r->body[k] / 2;
    bool holds = r->body[k] & 1 ? !(model & bit) : (small & bit) != 0;
    if (!r->weighted && !holds)
      return false;
    sum += holds ? r->weight[k] : 0;
  }
  return !r->weighted || sum >= r->bound;
}

static unsigned test_heads(const TestRule *r) {
  unsigned set = 0;
  for (unsigned h = 0; h < r->heads; h++)
    set |= 1u << r->head[h];
  return set;
}

static bool test_satisfied(const TestRule *r, unsigned model) {
  return r->choice || !test_body_holds(r, model, model) || (test_heads(r) & model);
}

/* Does `small` satisfy the reduct, by `model`, of the rules that it satisfies? */
static bool test_closed(const TestProgram *p, unsigned small, unsigned model) {
  for (unsigned i = 0; i < p->rules; i++) {
    const TestRule *r = &p->rule[i];
    if (!test_satisfied(r, model) || !test_body_holds(r, small, model))
      continue;
    unsigned heads = test_heads(r);
    if (r->choice ? (heads & model & ~small) != 0 : !(heads & small))
      return false;
  }
  return true;
}

static bool test_stable(const TestProgram *p, unsigned model) {
  for (unsigned i = 0; i < p->rules; i++)
    if (p->rule[i].soft < 0 && !test_satisfied(&p->rule[i], model))
      return false;
  for (unsigned small = model; small;) {
    small = (small - 1) & model;
    if (test_closed(p, small, model))
      return false;
  }
  return true;
}

static inline void test_models(const TestProgram *p, TestModels *m) {
  *m = (TestModels){0};
  for (unsigned set = 0; set < 1u << p->atoms; set++) {
    if (!test_stable(p, set))
      continue;
    TestModel model = {.set = set};
    for (unsigned i = 0; i < p->rules; i++)
      if (p->rule[i].soft >= 0 && !test_satisfied(&p->rule[i], set)) {
        model.count[p->rule[i].soft]++;
        model.log_weight -= p->value[p->rule[i].soft];
      }
    m->model = realloc(m->model, (m->models + 1) * sizeof *m->model);
    m->model[m->models++] = model;
  }
}

static bool test_agrees(const TestModel *m, const Lit *evidence, size_t n) {
  for (size_t i = 0; i < n; i++)
    if ((m->set >> lit_atom(evidence[i]) & 1) == lit_negated(evidence[i]))
      return false;
  return true;
}

__attribute__((unused)) static double test_log_sum(const TestModels *m, const Lit *evidence,
                                                   size_t n) {
  double most = -INFINITY, sum = 0;
  for (size_t i = 0; i < m->models; i++)
    if (test_agrees(&m->model[i], evidence, n) && m->model[i].log_weight > most)
      most = m->model[i].log_weight;
  for (size_t i = 0; i < m->models; i++)
    if (test_agrees(&m->model[i], evidence, n))
      sum += exp(m->model[i].log_weight - most);
  return sum > 0 ? most + log(sum) : -INFINITY;
}

/* For people: the program as text. */
static inline void test_print(const TestProgram *p) {
  for (unsigned i = 0; i < p->rules; i++) {
    const TestRule *r = &p->rule[i];
    if (r->soft >= 0)
      fprintf(stderr, "[%d: %g] ", r->soft, p->value[r->soft]);
    for (unsigned h = 0; h < r->heads; h++)
      fprintf(stderr, "%sa%u", h ? (r->choice ? ";" : "|") : (r->choice ? "{" : ""), r->head[h]);
    fprintf(stderr, "%s :- ", r->choice ? "}" : "");
    if (r->weighted)
      fprintf(stderr, "%d <= #sum ", r->bound);
    for (unsigned k = 0; k < r->size; k++) {
      fprintf(stderr, "%s%sa%u", k ? ", " : "", r->body[k] & 1 ? "not " : "", r->body[k] / 2);
      if (r->weighted)
        fprintf(stderr, "=%d", r->weight[k]);
    }
    fprintf(stderr, ".\n");
  }
}

/* A program too large for brute force: a chain in which rules mention atoms
** that are near each other. */
static inline void test_chain(Random *random, const TestStyle *style, Ground *g) {
  TestProgram p;
  unsigned atoms = 30 + test_below(random, 31);
  test_begin(g);
  for (unsigned a = 0; a < atoms; a++)
    ground_atom(g, NULL);
  for (unsigned w = 0; w < MOST_WEIGHTS; w++)
    vec_push(&g->weights, (Weight){.value = 2 * random_unit(random) - 1, .name = NONE});
  for (unsigned first = 0; first + style->atoms <= atoms; first += 3) {
    test_program(random, style, &p);
    for (unsigned i = 0; i < p.rules / 2; i++)
      test_add_rule(&p.rule[i], first, g);
  }
  ground_seal(g);
}

#endif
