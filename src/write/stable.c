/* stable.c - see stable.h: completion, and stages for loops. */
#include "write/stable.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

void stable_free(Stable *s) {
  cnf_free(&s->cnf);
  free(s->atom);
  free(s->body);
  free(s->first);
  free(s->heading);
}

/* ---- bodies --------------------------------------------------------------------- */

static int32_t literal(const Stable *s, Lit l) {
  assert(s->atom[lit_atom(l)]);
  int32_t atom = s->atom[lit_atom(l)];
  return lit_negated(l) ? -atom : atom;
}

static int32_t encode_body(Stable *s, const Rule *r, uint32_t scc, const int32_t *inside) {
  CnfLiterals body = {0};
  for (uint32_t k = 0; k < r->size; k++) {
    Lit l = rule_body(s->g, r)[k];
    bool within = inside && !lit_negated(l) && s->an->scc[lit_atom(l)] == scc;
    vec_push(&body, within ? inside[lit_atom(l)] : literal(s, l));
  }
  int32_t output = r->weighted ? cnf_sum(&s->cnf, body.at, rule_weights(s->g, r), body.n, r->bound)
                               : cnf_and(&s->cnf, body.at, body.n);
  vec_free(&body);
  return output;
}

/* As in the model; made once, when it is needed. */
static int32_t body_of(Stable *s, const Rule *r) {
  assert(s->g->rules.at <= r && r < s->g->rules.at + s->g->rules.n);
  int32_t *body = &s->body[r - s->g->rules.at];
  if (!*body)
    *body = encode_body(s, r, NONE, NULL);
  return *body;
}

int32_t stable_support(Stable *s, const Rule *r, uint32_t scc, const int32_t *inside,
                       const bool *mask) {
  CnfLiterals all = {0};
  vec_push(&all, inside ? encode_body(s, r, scc, inside) : body_of(s, r));
  for (uint32_t h = 0; !r->choice && h < r->heads; h++)
    if (!mask[rule_heads(s->g, r)[h]])
      vec_push(&all, -s->atom[rule_heads(s->g, r)[h]]);
  int32_t output = cnf_and(&s->cnf, all.at, all.n);
  vec_free(&all);
  return output;
}

int32_t stable_violation(Stable *s, const Rule *r) {
  assert(r->instance != NONE);
  CnfLiterals all = {0};
  vec_push(&all, body_of(s, r));
  for (uint32_t h = 0; h < r->heads; h++)
    vec_push(&all, -s->atom[rule_heads(s->g, r)[h]]);
  int32_t output = cnf_and(&s->cnf, all.at, all.n);
  vec_free(&all);
  return output;
}

/* ---- completion ------------------------------------------------------------------ */

/* By atom: the rules with it in the head. */
static void index_heads(Stable *s) {
  const Ground *g = s->g;
  s->first = memory_zero(g->atoms.n + 2, sizeof *s->first);
  for (size_t i = 0; i < g->rules.n; i++)
    for (uint32_t h = 0; h < g->rules.at[i].heads; h++)
      s->first[rule_heads(g, &g->rules.at[i])[h] + 2]++;
  for (size_t a = 2; a < g->atoms.n + 2; a++)
    s->first[a] += s->first[a - 1];
  s->heading = memory_zero(s->first[g->atoms.n + 1], sizeof *s->heading);
  for (size_t i = 0; i < g->rules.n; i++)
    for (uint32_t h = 0; h < g->rules.at[i].heads; h++)
      s->heading[s->first[rule_heads(g, &g->rules.at[i])[h] + 1]++] = (uint32_t)i;
}

static void hold(Stable *s, const Rule *r) {
  if (r->choice || r->instance != NONE)
    return;
  CnfLiterals clause = {0};
  if (r->weighted)
    vec_push(&clause, -body_of(s, r));
  for (uint32_t k = 0; !r->weighted && k < r->size; k++)
    vec_push(&clause, -literal(s, rule_body(s->g, r)[k]));
  for (uint32_t h = 0; h < r->heads; h++)
    vec_push(&clause, s->atom[rule_heads(s->g, r)[h]]);
  cnf_clause(&s->cnf, clause.at, clause.n);
  vec_free(&clause);
}

/* What supports the atom, by each of its rules. */
static void supports(Stable *s, Atom a, const int32_t *inside, bool *mask, CnfLiterals *out) {
  mask[a] = true;
  for (uint32_t k = s->first[a]; k < s->first[a + 1]; k++)
    vec_push(out, stable_support(s, &s->g->rules.at[s->heading[k]], s->an->scc[a], inside, mask));
  mask[a] = false;
}

static void complete(Stable *s, Atom a, bool *mask) {
  CnfLiterals clause = {0};
  vec_push(&clause, -s->atom[a]);
  supports(s, a, NULL, mask, &clause);
  cnf_clause(&s->cnf, clause.at, clause.n);
  vec_free(&clause);
}

/* ---- loops ------------------------------------------------------------------------ */

/* `stage`, by atom: derived in at most i steps; false if that changes nothing. */
static bool advance(Stable *s, const Atom *atoms, uint32_t n, int32_t *stage, bool *mask) {
  int32_t *next = memory_zero(n, sizeof *next);
  bool changed = false;
  for (uint32_t i = 0; i < n; i++) {
    CnfLiterals some = {0};
    supports(s, atoms[i], stage, mask, &some);
    int32_t both[] = {s->atom[atoms[i]], cnf_or(&s->cnf, some.at, some.n)};
    next[i] = cnf_and(&s->cnf, both, 2);
    changed |= next[i] != stage[atoms[i]];
    vec_free(&some);
  }
  for (uint32_t i = 0; i < n; i++)
    stage[atoms[i]] = next[i];
  free(next);
  return changed;
}

static void encode_stages(Stable *s, const Atom *atoms, uint32_t n, int32_t *stage, bool *mask) {
  for (uint32_t i = 0; i < n; i++)
    stage[atoms[i]] = -CNF_TRUE;
  for (uint32_t i = 0; i < n && !s->cnf.full && advance(s, atoms, n, stage, mask); i++)
    ;
  for (uint32_t i = 0; i < n; i++) {
    int32_t derived[] = {-s->atom[atoms[i]], stage[atoms[i]]};
    cnf_clause(&s->cnf, derived, 2);
  }
}

static void encode_scc(Stable *s, const Atom *atoms, uint32_t n, int32_t *stage, bool *mask) {
  assert(n && (n == 1 || s->an->looping[s->an->scc[atoms[0]]]));
  uint32_t scc = s->an->scc[atoms[0]];
  if (s->an->head_cyclic[scc] && n > STABLE_MOST)
    s->obstacle = atoms[0];
  else if (s->an->head_cyclic[scc])
    stable_loops(s, atoms, n);
  else if (s->an->looping[scc])
    encode_stages(s, atoms, n, stage, mask);
  else
    complete(s, atoms[0], mask);
}

/* Open atoms, component after component. */
static Atom *sort_atoms(const Stable *s, uint32_t *first) {
  const Ground *g = s->g;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].truth == ATOM_OPEN)
      first[s->an->scc[a] + 2]++;
  for (uint32_t c = 2; c < s->an->sccs + 2; c++)
    first[c] += first[c - 1];
  Atom *sorted = memory_zero(g->atoms.n, sizeof *sorted);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].truth == ATOM_OPEN)
      sorted[first[s->an->scc[a] + 1]++] = a;
  return sorted;
}

static void encode_support(Stable *s) {
  uint32_t *first = memory_zero(s->an->sccs + 2, sizeof *first);
  Atom *sorted = sort_atoms(s, first);
  int32_t *stage = memory_zero(s->g->atoms.n, sizeof *stage);
  bool *mask = memory_zero(s->g->atoms.n, sizeof *mask);
  for (uint32_t c = 0; c < s->an->sccs && s->obstacle == NONE && !s->cnf.full; c++)
    if (first[c] < first[c + 1])
      encode_scc(s, sorted + first[c], first[c + 1] - first[c], stage, mask);
  free(first);
  free(sorted);
  free(stage);
  free(mask);
}

void stable_encode(const Ground *g, const Analysis *an, Stable *s) {
  assert(g->sealed && an->scc);
  *s = (Stable){.g = g, .an = an, .obstacle = NONE};
  s->atom = memory_zero(g->atoms.n, sizeof *s->atom);
  s->body = memory_zero(g->rules.n, sizeof *s->body);
  for (Atom a = 0; a < g->atoms.n; a++)
    s->atom[a] = g->atoms.at[a].truth == ATOM_OPEN      ? cnf_variable(&s->cnf)
                 : g->atoms.at[a].truth == ATOM_CERTAIN ? CNF_TRUE
                                                        : -CNF_TRUE;
  index_heads(s);
  for (size_t i = 0; i < g->rules.n && !s->cnf.full; i++)
    hold(s, &g->rules.at[i]);
  if (g->inconsistent)
    cnf_clause(&s->cnf, NULL, 0);
  encode_support(s);
}
