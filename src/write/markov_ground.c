/* markov_ground.c - the ground program in Markov logic; see markov.h.
**
** A body is a list of alternatives, each a conjunction of literals: one for a
** plain body, the minimal sets that reach the bound for an aggregate.  For Tuffy,
** which takes clauses only, a conjunction gets an atom of its own. */
#include "write/markov.h"

#include "base/graph.h"
#include "base/memory.h"
#include "ground/ground.h"
#include "lpmln/lpmln.h"
#include "write/markov_names.h"
#include "write/markov_ties.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_LITERALS = 16, MOST_ALTERNATIVES = 1000 };

typedef struct {
  VEC(Lit) literals;
  VEC(uint32_t) starts; /* by alternative; one more */
} Alternatives;

static void alternatives_free(Alternatives *a) {
  vec_free(&a->literals);
  vec_free(&a->starts);
}

static uint64_t sum_of(const uint32_t *weights, uint32_t set) {
  uint64_t sum = 0;
  for (uint32_t k = 0; set >> k; k++)
    sum += set >> k & 1 ? weights[k] : 0;
  return sum;
}

static bool minimal(const uint32_t *weights, uint32_t set, uint64_t bound) {
  for (uint32_t k = 0; set >> k; k++)
    if (set >> k & 1 && sum_of(weights, set & ~(1u << k)) >= bound)
      return false;
  return true;
}

static void add_sets(ToMarkov *m, const Rule *r, Alternatives *a) {
  const Lit *body = rule_body(m->ground, r);
  const uint32_t *weights = rule_weights(m->ground, r);
  uint64_t bound = (uint64_t)r->bound;
  if (r->size > MOST_LITERALS) {
    text_printf(&m->refusal, "an aggregate over %u literals is too large for a formula", r->size);
    return;
  }
  for (uint32_t set = 0; !(set >> r->size); set++) {
    if (sum_of(weights, set) < bound || !minimal(weights, set, bound))
      continue;
    for (uint32_t k = 0; k < r->size; k++)
      if (set >> k & 1)
        vec_push(&a->literals, body[k]);
    vec_push(&a->starts, (uint32_t)a->literals.n);
  }
  if (a->starts.n > MOST_ALTERNATIVES)
    text_printf(&m->refusal, "an aggregate holds in %zu ways, too many for a formula",
                a->starts.n - 1);
}

/* The rule's body; `head`, unless NONE, adds that the other heads are false. */
static void find_alternatives(ToMarkov *m, const Rule *r, Atom head, Alternatives *a) {
  Alternatives bare = {0};
  vec_push(&bare.starts, 0);
  if (r->weighted) {
    add_sets(m, r, &bare);
  } else {
    for (uint32_t k = 0; k < r->size; k++)
      vec_push(&bare.literals, rule_body(m->ground, r)[k]);
    vec_push(&bare.starts, (uint32_t)bare.literals.n);
  }
  if (!a->starts.n)
    vec_push(&a->starts, 0);
  for (size_t i = 0; i + 1 < bare.starts.n; i++) {
    for (uint32_t k = bare.starts.at[i]; k < bare.starts.at[i + 1]; k++)
      vec_push(&a->literals, bare.literals.at[k]);
    for (uint32_t h = 0; h < r->heads && head != NONE && !r->choice; h++)
      if (rule_heads(m->ground, r)[h] != head)
        vec_push(&a->literals, lit_of(rule_heads(m->ground, r)[h], true));
    vec_push(&a->starts, (uint32_t)a->literals.n);
  }
  alternatives_free(&bare);
}

/* ---- rules --------------------------------------------------------------------------- */

/* `a ^ !b => c v d`, or `!a v b v c v d` as a clause. */
static void write_rule(ToMarkov *m, const Lit *body, uint32_t size, const Atom *heads, uint32_t n,
                       const char *end) {
  bool clause = m->tuffy || !n;
  for (uint32_t k = 0; k < size; k++) {
    text_puts(&m->out, !k ? "" : clause ? " v " : " ^ ");
    to_markov_write_literal(m, clause ? lit_not(body[k]) : body[k], &m->out);
  }
  if (size && n)
    text_puts(&m->out, clause ? " v " : " => ");
  for (uint32_t h = 0; h < n; h++) {
    text_puts(&m->out, h ? " v " : "");
    to_markov_write_literal(m, lit_of(heads[h], false), &m->out);
  }
  text_puts(&m->out, end);
}

static void write_soft(ToMarkov *m, const Rule *r) {
  if (!r->heads && !r->size)
    return; /* always violated: the same factor for all */
  uint32_t weight = m->named->instances.at[r->instance].weight;
  if (to_markov_left_out(m, weight))
    vec_push(&m->marks, ((ToMarkovMark){m->out.n, NULL, weight}));
  else
    to_markov_write_weight(m->named->weights.at[weight].value, &m->out);
  write_rule(m, rule_body(m->ground, r), r->size, rule_heads(m->ground, r), r->heads, "\n");
}

static void write_hard(ToMarkov *m, const Rule *r) {
  Alternatives a = {0};
  find_alternatives(m, r, NONE, &a);
  for (size_t i = 0; i + 1 < a.starts.n && !m->refusal.n; i++)
    write_rule(m, a.literals.at + a.starts.at[i], a.starts.at[i + 1] - a.starts.at[i],
               rule_heads(m->ground, r), r->heads, ".\n");
  alternatives_free(&a);
}

/* ---- completion ------------------------------------------------------------------------ */

static void write_conjunction(ToMarkov *m, const Lit *literals, uint32_t n, bool alone) {
  text_puts(&m->out, n > 1 && !alone ? "(" : "");
  for (uint32_t k = 0; k < n; k++) {
    text_puts(&m->out, k ? " ^ " : "");
    to_markov_write_literal(m, literals[k], &m->out);
  }
  text_puts(&m->out, n > 1 && !alone ? ")" : "");
}

static void write_support(ToMarkov *m, Atom a, const Alternatives *ways, bool both) {
  to_markov_write_literal(m, lit_of(a, false), &m->out);
  text_puts(&m->out, both ? " <=> " : " => ");
  for (size_t i = 0; i + 1 < ways->starts.n; i++) {
    text_puts(&m->out, i ? " v " : "");
    write_conjunction(m, ways->literals.at + ways->starts.at[i],
                      ways->starts.at[i + 1] - ways->starts.at[i], ways->starts.n == 2);
  }
  text_puts(&m->out, ".\n");
}

static void write_body_atom(ToMarkov *m, Atom a, size_t way, bool negated) {
  Text name = {0};
  text_printf(&name, "\1body%u_%zu", a, way);
  text_puts(&m->out, negated ? "!" : "");
  to_markov_write_atom(&m->names, name.at, &m->out);
  vec_free(&name);
}

/* Clauses: an atom for each conjunction, and one of them (or a literal) holds. */
static void write_clauses(ToMarkov *m, Atom a, const Alternatives *ways) {
  for (size_t i = 0; i + 1 < ways->starts.n; i++) {
    const Lit *body = ways->literals.at + ways->starts.at[i];
    uint32_t n = ways->starts.at[i + 1] - ways->starts.at[i];
    for (uint32_t k = 0; k < n && n > 1; k++) {
      write_body_atom(m, a, i, true);
      text_puts(&m->out, " v ");
      to_markov_write_literal(m, body[k], &m->out);
      text_puts(&m->out, ".\n");
    }
    for (uint32_t k = 0; k < n && n > 1; k++) {
      to_markov_write_literal(m, lit_not(body[k]), &m->out);
      text_puts(&m->out, " v ");
    }
    if (n > 1)
      write_body_atom(m, a, i, false), text_puts(&m->out, ".\n");
  }
  to_markov_write_literal(m, lit_of(a, true), &m->out);
  for (size_t i = 0; i + 1 < ways->starts.n; i++) {
    text_puts(&m->out, " v ");
    if (ways->starts.at[i + 1] - ways->starts.at[i] > 1)
      write_body_atom(m, a, i, false);
    else
      to_markov_write_literal(m, ways->literals.at[ways->starts.at[i]], &m->out);
  }
  text_puts(&m->out, ".\n");
}

/* An atom without open rules: defined by hard rules with one head each? */
static bool defined(const ToMarkov *m, const GraphLists *rules, Atom a) {
  for (uint32_t i = rules->start[a]; i < rules->start[a + 1]; i++) {
    const Rule *r = &m->ground->rules.at[rules->at[i]];
    if (r->choice || r->instance != NONE || r->heads != 1)
      return false;
  }
  return true;
}

static void complete(ToMarkov *m, const GraphLists *rules, Atom a) {
  Alternatives ways = {0};
  bool free_choice = false;
  vec_push(&ways.starts, 0);
  for (uint32_t i = rules->start[a]; i < rules->start[a + 1]; i++)
    find_alternatives(m, &m->ground->rules.at[rules->at[i]], a, &ways);
  for (size_t i = 0; i + 1 < ways.starts.n; i++)
    free_choice |= ways.starts.at[i] == ways.starts.at[i + 1];
  if (ways.starts.n == 1) {
    to_markov_write_literal(m, lit_of(a, true), &m->out);
    text_puts(&m->out, ".\n");
  } else if (m->tuffy && free_choice) { /* it is known only if a clause mentions it */
    text_puts(&m->out, "0 ");
    to_markov_write_literal(m, lit_of(a, false), &m->out);
    text_puts(&m->out, "\n");
  } else if (m->tuffy) {
    write_clauses(m, a, &ways);
  } else if (!free_choice) {
    write_support(m, a, &ways, defined(m, rules, a));
  }
  alternatives_free(&ways);
}

/* By atom: the rules with it in the head. */
static GraphLists rules_by_head(const Ground *g) {
  GraphEdges edges = {0};
  for (size_t i = 0; i < g->rules.n; i++)
    for (uint32_t h = 0; h < g->rules.at[i].heads; h++)
      vec_push(&edges, (GraphEdge){rule_heads(g, &g->rules.at[i])[h], (uint32_t)i});
  GraphLists lists = graph_lists(&edges, g->atoms.n);
  vec_free(&edges);
  return lists;
}

/* ---- names -------------------------------------------------------------------------------- */

static void name_bodies(ToMarkov *m, const GraphLists *rules, Atom a) {
  Alternatives ways = {0};
  for (uint32_t i = rules->start[a]; i < rules->start[a + 1]; i++)
    find_alternatives(m, &m->ground->rules.at[rules->at[i]], a, &ways);
  for (size_t i = 0; i + 1 < ways.starts.n; i++) {
    Text name = {0};
    text_printf(&name, "\1body%u_%zu", a, i);
    if (ways.starts.at[i + 1] - ways.starts.at[i] > 1)
      to_markov_predicate(&m->names, name.at, name.n, 0);
    vec_free(&name);
  }
  alternatives_free(&ways);
}

static void name_atoms(ToMarkov *m, const GraphLists *rules) {
  const Ground *g = m->ground;
  for (Atom a = 0; a < g->atoms.n; a++) {
    const AtomInfo *info = &g->atoms.at[a];
    if (info->truth == ATOM_IMPOSSIBLE)
      continue;
    if (info->name != NONE) {
      to_markov_add_atom(&m->names, ground_text(g, info->name));
    } else if (info->truth == ATOM_OPEN) {
      Text name = {0};
      text_printf(&name, "\1aux%u", a);
      to_markov_predicate(&m->names, name.at, name.n, 0);
      vec_free(&name);
    }
    if (m->tuffy && info->truth == ATOM_OPEN)
      name_bodies(m, rules, a);
  }
  to_markov_names_close(&m->names);
}

/* Named atoms by predicate. */
static GraphLists atoms_by_predicate(ToMarkov *m) {
  GraphEdges edges = {0};
  for (Atom a = 0; a < m->ground->atoms.n; a++) {
    const AtomInfo *info = &m->ground->atoms.at[a];
    if (info->name != NONE && info->truth != ATOM_IMPOSSIBLE)
      vec_push(&edges,
               (GraphEdge){to_markov_add_atom(&m->names, ground_text(m->ground, info->name)), a});
  }
  GraphLists lists = graph_lists(&edges, m->names.predicates.n);
  vec_free(&edges);
  return lists;
}

static void write_all(ToMarkov *m, const GraphLists *rules, const ToMarkovTies *ties) {
  const Ground *g = m->ground;
  GraphLists atoms = atoms_by_predicate(m);
  for (uint32_t p = 0; p < m->names.predicates.n; p++)
    if (!to_markov_auxiliary(&m->names, p))
      to_markov_write_possible(m, p, atoms.at + atoms.start[p],
                               atoms.start[p + 1] - atoms.start[p]);
  graph_lists_free(&atoms);
  text_puts(&m->out, "\n// rules\n");
  to_markov_write_ties(m, ties);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    bool merged = r->heads == 1 && !m->tuffy && defined(m, rules, rule_heads(g, r)[0]);
    if (r->instance == NONE && !r->choice && !merged)
      write_hard(m, r);
    if (r->instance != NONE && !to_markov_write_case(m, ties, r))
      write_soft(m, r);
  }
  if (m->no_completion)
    return;
  text_puts(&m->out, "\n// completion: an atom needs a rule with a true body\n");
  for (Atom a = 0; a < g->atoms.n && !m->refusal.n; a++)
    if (g->atoms.at[a].truth == ATOM_OPEN)
      complete(m, rules, a);
}

void to_markov_write_ground(ToMarkov *m) {
  GraphLists rules = rules_by_head(m->ground);
  ToMarkovTies ties;
  to_markov_ties_make(m, &ties);
  name_atoms(m, &rules);
  text_printf(
      &m->out,
      "// Translated by lpmln %s into Markov logic: the ground program and its completion.\n",
      lpmln_version());
  to_markov_write_changes(&m->names, &m->out);
  to_markov_write_declarations(&m->names, !m->tuffy, &m->out);
  text_puts(&m->out, "\n");
  write_all(m, &rules, &ties);
  to_markov_ties_free(&ties);
  graph_lists_free(&rules);
}
