/* coherence.c - see coherence.h: stable models of one component after the other
** are counted by the assignment to its soft atoms. */
#include "infer/coherence.h"

#include "base/names.h"
#include "sample/solve.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MODELS = 1 << 18, MOST_SOFT = 16 };

static const char *no(Coherence *k, lpmln *p, const char *reason) {
  k->count = NULL;
  return k->reason = problem_keep_text(p, reason);
}

/* Marks the atoms of soft facts; false if a soft rule is anything else, or a
** hard rule has such an atom in its head. */
static bool find_simple(const Ground *g, bool *soft) {
  size_t facts = 0;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance == NONE)
      continue;
    if (r->heads != 1 || r->size)
      return false;
    soft[rule_heads(g, r)[0]] = true;
    facts++;
  }
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t h = 0; r->instance == NONE && h < r->heads; h++)
      if (soft[rule_heads(g, r)[h]])
        return false;
  }
  return facts == g->instances.n;
}

/* The rules of one component as a program of their own, with the same atoms. */
static void extract(const Ground *g, const Analysis *an, uint32_t component, Ground *part) {
  for (Atom a = 0; a < g->atoms.n; a++)
    vec_push(&part->atoms, g->atoms.at[a]);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (an->component[a] != component)
      part->atoms.at[a].truth = ATOM_IMPOSSIBLE;
  for (size_t i = 0; i < g->instances.n; i++)
    vec_push(&part->instances, g->instances.at[i]);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (!r->heads && !r->size)
      continue;
    Atom any = r->heads ? rule_heads(g, r)[0] : lit_atom(rule_body(g, r)[0]);
    if (an->component[any] != component)
      continue;
    size_t words = (size_t)r->heads + r->size * (r->weighted ? 2 : 1);
    memcpy(ground_rule(part, *r), g->pool.at + r->first, words * sizeof(uint32_t));
  }
  part->sealed = true;
}

typedef struct {
  const Atom *soft;
  uint32_t soft_count;
  Names assignments;
  VEC(uint64_t) counts; /* by assignment */
  uint64_t models;
} Counting;

static bool count_models(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  Counting *c = data;
  char key[MOST_SOFT + 1];
  for (size_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < c->soft_count; k++)
      key[k] = layout_bit(models + i * layout->bytes, layout->of_atom[c->soft[k]]) ? '1' : '0';
    uint32_t which = names_add(&c->assignments, key, c->soft_count);
    if (which == c->counts.n)
      vec_push(&c->counts, 0);
    c->counts.at[which]++;
    c->models++;
  }
  return c->models <= MOST_MODELS;
}

static void write_assignment(const Ground *g, const Counting *c, uint32_t which, Text *text) {
  const char *key = c->assignments.list.at[which];
  for (uint32_t k = 0; k < c->soft_count; k++)
    text_printf(text, "%s%s%s", k ? ", " : "", key[k] == '1' ? "" : "not ",
                ground_text(g, g->atoms.at[c->soft[k]].name));
}

/* All assignments must be there, with equal counts; says what is not so. */
static bool even(const Ground *g, const Counting *c, Text *reason) {
  if (c->counts.n != (size_t)1 << c->soft_count) {
    text_puts(reason, "an assignment to the soft atoms has no stable model");
    return false;
  }
  for (uint32_t i = 1; i < c->counts.n; i++) {
    if (c->counts.at[i] == c->counts.at[0])
      continue;
    text_puts(reason, "{");
    write_assignment(g, c, 0, reason);
    text_printf(reason, "} has %llu stable models, {", (unsigned long long)c->counts.at[0]);
    write_assignment(g, c, i, reason);
    text_printf(reason, "} has %llu", (unsigned long long)c->counts.at[i]);
    return false;
  }
  return true;
}

/* The number of stable models per assignment of one component; 0: no such. */
static uint64_t count_component(lpmln *p, const Ground *g, const Analysis *an, uint32_t component,
                                const bool *soft, Text *reason) {
  Atom list[MOST_SOFT];
  Counting c = {.soft = list};
  for (uint32_t i = an->first[component]; i < an->first[component + 1]; i++) {
    if (!soft[an->member[i]])
      continue;
    if (c.soft_count == MOST_SOFT) {
      text_puts(reason, "not known: too many soft facts depend on each other to count");
      return 0;
    }
    list[c.soft_count++] = an->member[i];
  }
  Ground part = {0};
  Layout layout = {0};
  extract(g, an, component, &part);
  Question q = {.ground = &part, .analysis = an, .hard_violated = NONE, .most = MOST_MODELS + 1};
  WorkerOutcome outcome = solve(&q, &p->worker, p->worker_path, &p->limits, &layout, count_models, &c);
  uint64_t result = 0;
  if (outcome != WORKER_OK || c.models > MOST_MODELS)
    text_puts(reason, "not known: too many stable models to count");
  else if (even(g, &c, reason))
    result = c.counts.at[0];
  layout_free(&layout);
  ground_free(&part);
  names_free(&c.assignments);
  vec_free(&c.counts);
  return result;
}

static void multiply(lpmln *p, const Ground *g, const Analysis *an, const bool *soft, Coherence *k) {
  uint64_t *of_kind = memory_zero(an->kinds, sizeof *of_kind);
  Text reason = {0};
  mpz_t product;
  mpz_init_set_ui(product, 1);
  for (uint32_t c = 0; c < an->components && !reason.n; c++) {
    if (!of_kind[an->kind[c]])
      of_kind[an->kind[c]] = count_component(p, g, an, c, soft, &reason);
    mpz_mul_ui(product, product, of_kind[an->kind[c]]);
  }
  if (reason.n) {
    no(k, p, reason.at);
  } else {
    char *digits = mpz_get_str(NULL, 10, product);
    k->count = problem_keep_text(p, digits);
    free(digits);
  }
  mpz_clear(product);
  vec_free(&reason);
  free(of_kind);
}

void coherence_find_of(lpmln *p, const Ground *g, const Analysis *an, Coherence *k) {
  bool *soft = memory_zero(g->atoms.n, sizeof *soft);
  k->simple = find_simple(g, soft);
  if (!k->simple)
    no(k, p, "it is not simple: a soft rule is no fact, or a hard rule derives its atom");
  else if (!g->instances.n)
    no(k, p, "it has no soft rules");
  else
    multiply(p, g, an, soft, k);
  free(soft);
}

void coherence_find(lpmln *p, Coherence *k) { coherence_find_of(p, &p->ground, &p->analysis, k); }
