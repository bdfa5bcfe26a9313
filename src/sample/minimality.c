/* minimality.c - is a candidate a minimal model of its reduct?
**
** For the atoms C of components with head cycles (every other component is
** handled by shifting), a proper subset X of the candidate M is sought that
** satisfies the reduct: x_a for a in C, m_a for any atom, assumed as in M.
**     {x_a} :- m_a.   smaller :- m_a, not x_a.   :- not smaller.
** and for each rule with heads in C, with positive literals of C read in X and
** everything else in M:   :- B, not x_h..., not m_o...   (o: heads outside C).
** A soft rule takes part only if M satisfies it, a choice head only if M has
** it.  The candidate is stable iff there is no such X. */
#include "sample/minimality.h"

#include "base/bytes.h"

#include <assert.h>
#include <stdlib.h>

void solver_rule(SolverProgram *p, bool choice, const uint32_t *heads, uint32_t head_count,
                 const int32_t *body, uint32_t size) {
  assert((heads || !head_count) && (body || !size));
  put_u8(&p->rules, false);
  put_u8(&p->rules, choice);
  put_u32(&p->rules, head_count);
  text_add(&p->rules, (const char *)heads, head_count * sizeof *heads);
  put_u32(&p->rules, size);
  text_add(&p->rules, (const char *)body, size * sizeof *body);
  p->count++;
}

void solver_sum(SolverProgram *p, uint32_t head, int32_t bound, const int32_t *body,
                const uint32_t *weights, uint32_t size) {
  assert(head && head <= p->atoms);
  put_u8(&p->rules, true);
  put_u8(&p->rules, false);
  put_u32(&p->rules, 1);
  put_u32(&p->rules, head);
  put_u32(&p->rules, size);
  text_add(&p->rules, (const char *)body, size * sizeof *body);
  put_u32(&p->rules, (uint32_t)bound);
  text_add(&p->rules, (const char *)weights, size * sizeof *weights);
  p->count++;
}

void solver_write(const SolverProgram *p, Text *payload) {
  put_u32(payload, p->atoms);
  put_u32(payload, p->count);
  text_add(payload, p->rules.at, p->rules.n);
}

void solver_free(SolverProgram *p) {
  vec_free(&p->rules);
  vec_free(&p->body);
}

/* ---- the checker ------------------------------------------------------------- */

typedef struct {
  const Ground *g;
  const Analysis *an;
  SolverProgram p;
  uint32_t *m, *x; /* by atom; 0: not made */
  uint32_t smaller;
} Checker;

static bool inside(const Checker *c, Atom a) {
  return c->g->atoms.at[a].truth == ATOM_OPEN && c->an->head_cyclic[c->an->scc[a]];
}

/* m_a: a free choice, fixed by assumption. */
static int32_t in_model(Checker *c, Atom a) {
  assert(c->g->atoms.at[a].truth == ATOM_OPEN);
  if (!c->m[a]) {
    c->m[a] = ++c->p.atoms;
    solver_rule(&c->p, true, &c->m[a], 1, NULL, 0);
  }
  return (int32_t)c->m[a];
}

static int32_t in_subset(Checker *c, Atom a) {
  if (!c->x[a]) {
    int32_t m = in_model(c, a);
    c->x[a] = ++c->p.atoms;
    solver_rule(&c->p, true, &c->x[a], 1, &m, 1);
    int32_t lost[] = {m, -(int32_t)c->x[a]};
    solver_rule(&c->p, false, &c->smaller, 1, lost, 2);
  }
  return (int32_t)c->x[a];
}

static int32_t body_literal(Checker *c, Lit l) {
  Atom a = lit_atom(l);
  if (lit_negated(l))
    return -in_model(c, a);
  return inside(c, a) ? in_subset(c, a) : in_model(c, a);
}

static void take_body(Checker *c, const Rule *r) {
  VEC(int32_t) body = {0};
  for (uint32_t k = 0; k < r->size; k++)
    vec_push(&body, body_literal(c, rule_body(c->g, r)[k]));
  c->p.body.n = 0;
  if (r->weighted) {
    uint32_t sum = ++c->p.atoms;
    solver_sum(&c->p, sum, r->bound, body.at, rule_weights(c->g, r), (uint32_t)body.n);
    vec_push(&c->p.body, (int32_t)sum);
  }
  for (size_t k = 0; !r->weighted && k < body.n; k++)
    vec_push(&c->p.body, body.at[k]);
  vec_free(&body);
}

static void forbid(Checker *c) {
  solver_rule(&c->p, false, NULL, 0, c->p.body.at, (uint32_t)c->p.body.n);
}

static void add_choice(Checker *c, const Rule *r) {
  assert(r->choice);
  size_t body = c->p.body.n;
  for (uint32_t h = 0; h < r->heads; h++) {
    Atom a = rule_heads(c->g, r)[h];
    if (!inside(c, a))
      continue;
    c->p.body.n = body;
    vec_push(&c->p.body, in_model(c, a));
    vec_push(&c->p.body, -in_subset(c, a));
    forbid(c);
  }
}

static void add_rule(Checker *c, const Rule *r) {
  const Atom *heads = rule_heads(c->g, r);
  uint32_t satisfied = r->instance == NONE ? 0 : ++c->p.atoms;
  if (satisfied)
    vec_push(&c->p.body, (int32_t)satisfied);
  for (uint32_t h = 0; h < r->heads; h++) {
    int32_t m = in_model(c, heads[h]);
    vec_push(&c->p.body, inside(c, heads[h]) ? -in_subset(c, heads[h]) : -m);
    if (satisfied)
      solver_rule(&c->p, false, &satisfied, 1, &m, 1);
  }
  forbid(c);
}

static bool concerns(const Checker *c, const Rule *r) {
  for (uint32_t h = 0; h < r->heads; h++)
    if (inside(c, rule_heads(c->g, r)[h]))
      return true;
  return false;
}

static void write_pairs(const Checker *c, const uint32_t *atom, Text *payload) {
  uint32_t pairs = 0;
  for (Atom a = 0; a < c->g->atoms.n; a++)
    pairs += c->m[a] != 0;
  put_u32(payload, pairs);
  for (Atom a = 0; a < c->g->atoms.n; a++)
    if (c->m[a])
      put_u32(payload, atom[a]);
  put_u32(payload, pairs);
  for (Atom a = 0; a < c->g->atoms.n; a++)
    if (c->m[a])
      put_u32(payload, c->m[a]);
}

void minimality_write(const Ground *g, const Analysis *an, const uint32_t *atom, Text *payload) {
  assert(g->sealed && (atom || !g->atoms.n));
  if (an->head_cycle_free) {
    put_u32(payload, 0);
    return;
  }
  Checker c = {.g = g, .an = an};
  c.m = memory_zero(g->atoms.n, sizeof *c.m);
  c.x = memory_zero(g->atoms.n, sizeof *c.x);
  c.smaller = ++c.p.atoms;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (!concerns(&c, r))
      continue;
    take_body(&c, r);
    if (r->choice)
      add_choice(&c, r);
    else
      add_rule(&c, r);
  }
  int32_t none = -(int32_t)c.smaller;
  solver_rule(&c.p, false, NULL, 0, &none, 1);
  solver_write(&c.p, payload);
  write_pairs(&c, atom, payload);
  solver_free(&c.p);
  free(c.m);
  free(c.x);
}
