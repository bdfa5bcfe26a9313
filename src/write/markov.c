/* markov.c - what both ways to write Markov logic share; see markov.h. */
#include "write/markov.h"

#include "base/names.h"
#include "language/weight.h"
#include "write/markov_ties.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_FALSE = 100000 }; /* ground atoms listed one by one as false */

void to_markov_write_weight(double w, Text *out) {
  if (w == floor(w) && fabs(w) < 1e6)
    text_printf(out, "%.0f ", w);
  else
    weight_write(w, out), text_puts(out, " ");
}

bool to_markov_left_out(const ToMarkov *m, uint32_t weight) {
  const Weight *w = &m->named->weights.at[weight];
  return w->name != NONE && (m->learned || w->value == 0);
}

void to_markov_write_literal(const ToMarkov *m, Lit l, Text *out) {
  uint32_t name = m->ground->atoms.at[lit_atom(l)].name;
  text_puts(out, lit_negated(l) ? "!" : "");
  if (name != NONE) {
    to_markov_write_atom(&m->names, ground_text(m->ground, name), out);
  } else {
    Text aux = {0};
    text_printf(&aux, "\1aux%u", lit_atom(l));
    to_markov_write_atom(&m->names, aux.at, out);
    vec_free(&aux);
  }
}

/* ---- atoms that can't hold ------------------------------------------------------------ */

static double tuples(const ToMarkov *m, const ToMarkovPredicate *p) {
  double product = 1;
  for (uint32_t k = 0; k < p->arity; k++)
    product *= to_markov_type_size(&m->names, p->first + k);
  return product;
}

/* `p(x,y) => (x = A ^ y = B) v …` */
static void write_only(ToMarkov *m, const ToMarkovPredicate *p, const Atom *atoms, size_t n) {
  text_printf(&m->out, "%s(", p->written);
  for (uint32_t k = 0; k < p->arity; k++)
    text_printf(&m->out, "%sarg%u", k ? ", " : "", k + 1);
  text_puts(&m->out, ") =>");
  for (size_t i = 0; i < n; i++) {
    ToMarkovSplit s;
    to_markov_split(ground_text(m->ground, m->ground->atoms.at[atoms[i]].name), &s);
    text_puts(&m->out, i ? " v (" : " (");
    for (uint32_t k = 0; k < p->arity; k++) {
      uint32_t c = names_find(&m->names.constants, s.at.at[k], s.lengths.at[k]);
      text_printf(&m->out, "%sarg%u = %s", k ? " ^ " : "", k + 1, m->names.written.at[c]);
    }
    text_puts(&m->out, ")");
    to_markov_split_free(&s);
  }
  text_puts(&m->out, ".\n");
}

/* All tuples of the predicate's types that are not among the atoms, one by one. */
static void write_others(ToMarkov *m, const ToMarkovPredicate *p, const Names *listed) {
  VEC(uint32_t) constants = {0}; /* by argument, one list after the other */
  uint32_t *start = memory_zero(p->arity + 1, sizeof *start),
           *at = memory_zero(p->arity, sizeof *at);
  for (uint32_t k = 0; k < p->arity; k++) {
    for (uint32_t c = 0; c < m->names.written.n; c++)
      if (to_markov_type(&m->names, m->names.slot.at[c]) == to_markov_type(&m->names, p->first + k))
        vec_push(&constants, c);
    start[k + 1] = (uint32_t)constants.n;
  }
  for (uint32_t k = 0; k != p->arity;) {
    Text atom = {0};
    text_printf(&atom, "%s(", p->written);
    for (k = 0; k < p->arity; k++) {
      assert(constants.at && start[k] + at[k] < constants.n);
      text_printf(&atom, "%s%s", k ? ", " : "",
                  m->names.written.at[constants.at[start[k] + at[k]]]);
    }
    text_puts(&atom, ")");
    if (names_find(listed, atom.at, atom.n) == UINT32_MAX)
      text_printf(&m->out, "!%s.\n", atom.at);
    vec_free(&atom);
    for (k = 0; k < p->arity && ++at[k] == start[k + 1] - start[k]; k++) /* the next tuple */
      at[k] = 0;
  }
  vec_free(&constants);
  free(start);
  free(at);
}

void to_markov_write_possible(ToMarkov *m, uint32_t predicate, const Atom *atoms, size_t n) {
  const ToMarkovPredicate *p = &m->names.predicates.at[predicate];
  double all = tuples(m, p);
  for (size_t i = 0; i < n; i++)
    if (m->ground->atoms.at[atoms[i]].truth == ATOM_CERTAIN) {
      to_markov_write_literal(m, lit_of(atoms[i], false), &m->out);
      text_puts(&m->out, ".\n");
    }
  if ((double)n == all)
    return;
  if (!m->tuffy && n && all - (double)n > (double)n) {
    write_only(m, p, atoms, n);
    return;
  }
  if (all - (double)n > MOST_FALSE) {
    text_printf(&m->refusal, "%.0f ground atoms of %s would have to be listed as false",
                all - (double)n, p->written);
    return;
  }
  Names listed = {0};
  for (size_t i = 0; i < n; i++) {
    Text atom = {0};
    to_markov_write_literal(m, lit_of(atoms[i], false), &atom);
    names_add(&listed, atom.at, atom.n);
    vec_free(&atom);
  }
  write_others(m, p, &listed);
  names_free(&listed);
}

/* ---- all of it ------------------------------------------------------------------------- */

/* A literal of an atom that no rule derives, and that Markov logic knows nothing of: it says
** nothing, or can't be observed. */
static bool is_known(ToMarkov *m, Lit l) {
  bool impossible = m->ground->atoms.at[lit_atom(l)].truth == ATOM_IMPOSSIBLE;
  if (impossible && !lit_negated(l) && !m->refusal.n)
    text_puts(&m->refusal, "an observation is of an atom that no rule derives");
  return !impossible;
}

static void write_evidence(ToMarkov *m) {
  if (m->evidences)
    text_puts(&m->out, "\n// what was observed\n");
  for (size_t i = 0; i < m->evidences; i++) {
    if (!is_known(m, m->evidence[i]))
      continue;
    to_markov_write_literal(m, m->evidence[i], &m->out);
    text_puts(&m->out, ".\n");
  }
}

static bool evidence_named(const ToMarkov *m) {
  for (size_t i = 0; i < m->evidences; i++)
    if (m->ground->atoms.at[lit_atom(m->evidence[i])].name == NONE)
      return false;
  return true;
}

void to_markov_write(ToMarkov *m) {
  bool whole = !m->tuffy && evidence_named(m) && !to_markov_several(m);
  m->rules = whole && to_markov_write_rules(m);
  m->lift = true;
  if (!m->rules)
    to_markov_write_ground(m);
  if (!m->rules && m->refusal.n) { /* types are larger if rules share them */
    to_markov_names_free(&m->names);
    m->names = (ToMarkovNames){0};
    m->out.n = m->refusal.n = m->marks.n = 0;
    m->lift = false;
    to_markov_write_ground(m);
  }
  if (!m->refusal.n)
    write_evidence(m);
}

void to_markov_free(ToMarkov *m) {
  to_markov_names_free(&m->names);
  vec_free(&m->marks);
  vec_free(&m->refusal);
}

/* Ground atoms of auxiliary predicates, none of which is observed. */
static void write_unknown(const ToMarkov *m, Text *out) {
  const ToMarkovNames *n = &m->names;
  for (uint32_t p = 0; p < n->predicates.n; p++)
    for (uint32_t c = 0; c < n->written.n && to_markov_auxiliary(n, p); c++)
      if (to_markov_type(n, n->slot.at[c]) == to_markov_type(n, n->predicates.at[p].first))
        text_printf(out, "?%s(%s)\n", n->predicates.at[p].written, n->written.at[c]);
}

static void write_line(const ToMarkov *m, Lit l, const char *before, Text *out) {
  text_puts(out, before);
  to_markov_write_literal(m, l, out);
  text_puts(out, "\n");
}

/* What a database does not list counts as false. */
static void write_unobserved(const ToMarkov *m, Atom a, Text *out) {
  const AtomInfo *info = &m->ground->atoms.at[a];
  if (info->name == NONE || !to_markov_knows(&m->names, ground_text(m->ground, info->name)))
    return;
  if (info->truth == ATOM_CERTAIN)
    write_line(m, lit_of(a, false), "", out);
  else if (info->truth == ATOM_OPEN && !m->tuffy)
    write_line(m, lit_of(a, false), "?", out);
}

void to_markov_write_data(ToMarkov *m, const Lit *literals, size_t n, Text *out) {
  bool *seen = memory_zero(m->ground->atoms.n, sizeof *seen);
  text_puts(out, "// what was observed\n");
  for (size_t i = 0; i < n && !m->refusal.n; i++) {
    Atom a = lit_atom(literals[i]);
    seen[a] = true;
    if (m->ground->atoms.at[a].name == NONE) {
      text_puts(&m->refusal, "an observation is more than a list of literals");
      break;
    }
    if (is_known(m, literals[i]))
      write_line(m, literals[i], "", out);
  }
  for (Atom a = 0; a < m->ground->atoms.n; a++)
    if (!seen[a])
      write_unobserved(m, a, out);
  if (!m->tuffy && !m->rules)
    write_unknown(m, out);
  free(seen);
}
