/* markov.c - what both ways to write Markov logic share; see markov.h. */
#include "write/markov.h"

#include "base/names.h"
#include "language/weight.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_FALSE = 100000 }; /* ground atoms listed one by one as false */

void to_markov_write_weight(double w, Text *out) {
  if (w == floor(w) && fabs(w) < 1e6)
    text_printf(out, "%.0f ", w);
  else
    weight_write(w, out), text_puts(out, " ");
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
    for (k = 0; k < p->arity; k++)
      text_printf(&atom, "%s%s", k ? ", " : "",
                  m->names.written.at[constants.at[start[k] + at[k]]]);
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

static void write_evidence(ToMarkov *m) {
  if (m->evidences)
    text_puts(&m->out, "\n// what was observed\n");
  for (size_t i = 0; i < m->evidences; i++) {
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
  m->rules = !m->tuffy && evidence_named(m) && to_markov_write_rules(m);
  if (!m->rules)
    to_markov_write_ground(m);
  if (!m->refusal.n)
    write_evidence(m);
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
    to_markov_write_literal(m, literals[i], out);
    text_puts(out, "\n");
  }
  for (Atom a = 0; !m->tuffy && a < m->ground->atoms.n;
       a++) /* what is not listed counts as false */
    if (!seen[a] && m->ground->atoms.at[a].name != NONE &&
        m->ground->atoms.at[a].truth == ATOM_OPEN) {
      text_puts(out, "?");
      to_markov_write_literal(m, lit_of(a, false), out);
      text_puts(out, "\n");
    }
  free(seen);
}
