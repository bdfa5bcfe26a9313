/* encode.c - see encode.h. */
#include "sample/encode.h"

#include "base/bytes.h"

#include <assert.h>
#include <stdlib.h>

void layout_free(Layout *layout) {
  free(layout->of_atom);
  free(layout->of_instance);
  *layout = (Layout){0};
}

static int32_t literal(const Encoding *t, Lit l) {
  int32_t atom = (int32_t)t->atom[lit_atom(l)];
  assert(atom);
  return lit_negated(l) ? -atom : atom;
}

/* The rule's body in p.body; a weighted one becomes an atom first. */
static void take_body(Encoding *t, const Rule *r) {
  SolverProgram *p = &t->p;
  p->body.n = 0;
  for (uint32_t k = 0; k < r->size; k++)
    vec_push(&p->body, literal(t, rule_body(t->g, r)[k]));
  if (r->weighted) {
    uint32_t sum = ++p->atoms;
    solver_sum(p, sum, r->bound, p->body.at, rule_weights(t->g, r), r->size);
    p->body.n = 0;
    vec_push(&p->body, (int32_t)sum);
  }
}

static void add(Encoding *t, bool choice, const uint32_t *heads, uint32_t count) {
  solver_rule(&t->p, choice, heads, count, t->p.body.at, (uint32_t)t->p.body.n);
}

/* The atom's strongly connected component, if a disjunction has two heads there. */
static uint32_t cyclic_scc(const Encoding *t, Atom a) {
  uint32_t scc = t->an->scc[a];
  return t->an->head_cyclic[scc] ? scc : NONE;
}

/* Heads of one component together, the others negated in the body: a single
** head is a normal rule, several a choice whose minimality is checked. */
static void add_disjunction(Encoding *t, const Rule *r) {
  assert(r->heads > 1 && !r->choice);
  const Atom *heads = rule_heads(t->g, r);
  size_t body = t->p.body.n;
  for (uint32_t h = 0; h < r->heads; h++) {
    VEC(uint32_t) group = {0};
    bool first = true;
    uint32_t scc = cyclic_scc(t, heads[h]);
    t->p.body.n = body;
    for (uint32_t i = 0; i < r->heads; i++) {
      bool together = i == h || (scc != NONE && cyclic_scc(t, heads[i]) == scc);
      first &= !together || i >= h;
      if (together)
        vec_push(&group, t->atom[heads[i]]);
      else
        vec_push(&t->p.body, -(int32_t)t->atom[heads[i]]);
    }
    if (first) /* each group once, at its first head */
      add(t, group.n > 1, group.at, (uint32_t)group.n);
    if (first && group.n > 1) {
      for (size_t i = 0; i < group.n; i++)
        vec_push(&t->p.body, -(int32_t)group.at[i]);
      add(t, false, NULL, 0);
    }
    vec_free(&group);
  }
}

/* u :- B, not heads; a single literal stands for itself. */
static int32_t violation_of(Encoding *t, const Rule *r) {
  assert(r->instance < t->g->instances.n && !t->violation[r->instance]);
  size_t body = t->p.body.n;
  for (uint32_t h = 0; h < r->heads; h++)
    vec_push(&t->p.body, -(int32_t)t->atom[rule_heads(t->g, r)[h]]);
  int32_t result;
  if (t->p.body.n == 1) {
    result = t->p.body.at[0];
  } else {
    uint32_t u = ++t->p.atoms;
    add(t, false, &u, 1);
    result = (int32_t)u;
  }
  t->p.body.n = body;
  return result;
}

static void add_soft(Encoding *t, const Rule *r) {
  assert(!r->weighted && !r->choice);
  if (!r->heads && !r->size) {
    t->layout.of_instance[r->instance] = ALWAYS;
    return;
  }
  int32_t violated = violation_of(t, r);
  t->violation[r->instance] = violated;
  if (r->heads == 1) {
    add(t, true, &t->atom[rule_heads(t->g, r)[0]], 1);
  } else if (r->heads > 1) {
    vec_push(&t->p.body, -violated);
    add_disjunction(t, r);
  }
}

static void add_rule(Encoding *t, const Rule *r) {
  take_body(t, r);
  if (r->instance != NONE) {
    add_soft(t, r);
  } else if (r->choice || r->heads <= 1) {
    VEC(uint32_t) heads = {0};
    for (uint32_t h = 0; h < r->heads; h++)
      vec_push(&heads, t->atom[rule_heads(t->g, r)[h]]);
    add(t, r->choice, heads.at, (uint32_t)heads.n);
    vec_free(&heads);
  } else {
    add_disjunction(t, r);
  }
}

void encode_hard_bound(Encoding *t, uint32_t most) {
  VEC(int32_t) body = {0};
  VEC(uint32_t) ones = {0};
  int64_t allowed = most;
  for (uint32_t i = 0; i < t->g->instances.n; i++) {
    if (t->g->instances.at[i].weight != NONE)
      continue;
    allowed -= t->layout.of_instance[i] == ALWAYS;
    if (t->violation[i]) {
      vec_push(&body, t->violation[i]);
      vec_push(&ones, 1);
    }
  }
  t->p.body.n = 0;
  if (allowed >= 0) {
    uint32_t over = ++t->p.atoms;
    solver_sum(&t->p, over, (int32_t)allowed + 1, body.at, ones.at, (uint32_t)body.n);
    vec_push(&t->p.body, (int32_t)over);
  }
  add(t, false, NULL, 0);
  vec_free(&body);
  vec_free(&ones);
}

void encode_require(Encoding *t, const Lit *required, size_t count) {
  assert(required || !count);
  for (size_t i = 0; i < count; i++) {
    Lit l = required[i];
    assert(lit_atom(l) < t->g->atoms.n);
    Truth truth = t->g->atoms.at[lit_atom(l)].truth;
    t->p.body.n = 0;
    if (truth == ATOM_OPEN)
      vec_push(&t->p.body, -literal(t, l));
    if (truth == ATOM_OPEN || (truth == ATOM_CERTAIN) == lit_negated(l))
      add(t, false, NULL, 0);
  }
}

/* Every open atom that somebody may ask for, and every violation. */
static void lay_out(Encoding *t) {
  assert(!t->reported.n);
  Layout *layout = &t->layout;
  for (Atom a = 0; a < t->g->atoms.n; a++) {
    layout->of_atom[a] = t->atom[a] ? (uint32_t)t->reported.n : NONE;
    if (t->atom[a])
      vec_push(&t->reported, (int32_t)t->atom[a]);
  }
  for (uint32_t i = 0; i < t->g->instances.n; i++) {
    if (layout->of_instance[i] == ALWAYS)
      continue;
    layout->of_instance[i] = t->violation[i] ? (uint32_t)t->reported.n : NEVER;
    if (t->violation[i])
      vec_push(&t->reported, t->violation[i]);
  }
  layout->bits = (uint32_t)t->reported.n;
  layout->bytes = (layout->bits + 7) / 8;
}

void encode_begin(Encoding *t, const Ground *g, const Analysis *an) {
  assert(g->sealed && an->scc);
  *t = (Encoding){.g = g, .an = an};
  t->atom = memory_zero(g->atoms.n, sizeof *t->atom);
  t->violation = memory_zero(g->instances.n, sizeof *t->violation);
  t->layout.of_atom = memory_zero(g->atoms.n, sizeof *t->layout.of_atom);
  t->layout.of_instance = memory_zero(g->instances.n, sizeof *t->layout.of_instance);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].truth == ATOM_OPEN)
      t->atom[a] = ++t->p.atoms;
  for (size_t i = 0; i < g->rules.n; i++)
    add_rule(t, &g->rules.at[i]);
  lay_out(t);
}

void encode_write(const Encoding *t, Text *payload) {
  assert(t->reported.n == t->layout.bits);
  solver_write(&t->p, payload);
  put_u32(payload, (uint32_t)t->reported.n);
  text_add(payload, (const char *)t->reported.at, t->reported.n * sizeof *t->reported.at);
  minimality_write(t->g, t->an, t->atom, payload);
}

void encode_free(Encoding *t) {
  solver_free(&t->p);
  layout_free(&t->layout);
  vec_free(&t->reported);
  free(t->atom);
  free(t->violation);
  *t = (Encoding){0};
}
