/* mln.c - what both ways to write Markov logic share; see mln.h. */
#include "translate/mln.h"

#include "language/weight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FALSE = 100000 }; /* ground atoms listed one by one as false */

void mln_write_weight(double w, Text *out) {
  if (w == floor(w) && fabs(w) < 1e6)
    text_printf(out, "%.0f ", w);
  else
    weight_write(w, out), text_puts(out, " ");
}

void mln_write_literal(const Mln *m, Lit l, Text *out) {
  uint32_t name = m->ground->atoms.at[lit_atom(l)].name;
  text_puts(out, lit_negated(l) ? "!" : "");
  if (name != NONE) {
    mln_write_atom(&m->names, ground_text(m->ground, name), out);
  } else {
    Text aux = {0};
    text_printf(&aux, "\1aux%u", lit_atom(l));
    mln_write_atom(&m->names, aux.at, out);
    vec_free(&aux);
  }
}

/* ---- atoms that can't hold ------------------------------------------------------------ */

static double tuples(const Mln *m, const MlnPredicate *p) {
  double product = 1;
  for (uint32_t k = 0; k < p->arity; k++)
    product *= mln_type_size(&m->names, p->first + k);
  return product;
}

/* `p(x,y) => (x = A ^ y = B) v …` */
static void write_only(Mln *m, const MlnPredicate *p, const Atom *atoms, size_t n) {
  text_printf(&m->out, "%s(", p->written);
  for (uint32_t k = 0; k < p->arity; k++)
    text_printf(&m->out, "%sarg%u", k ? ", " : "", k + 1);
  text_puts(&m->out, ") =>");
  for (size_t i = 0; i < n; i++) {
    MlnSplit s;
    mln_split(ground_text(m->ground, m->ground->atoms.at[atoms[i]].name), &s);
    text_puts(&m->out, i ? " v (" : " (");
    for (uint32_t k = 0; k < p->arity; k++) {
      uint32_t c = names_find(&m->names.constants, s.at.at[k], s.lengths.at[k]);
      text_printf(&m->out, "%sarg%u = %s", k ? " ^ " : "", k + 1, m->names.written.at[c]);
    }
    text_puts(&m->out, ")");
    mln_split_free(&s);
  }
  text_puts(&m->out, ".\n");
}

/* All tuples of the predicate's types that are not among the atoms, one by one. */
static void write_others(Mln *m, const MlnPredicate *p, const Names *listed) {
  VEC(uint32_t) constants = {0}; /* by argument, one list after the other */
  uint32_t *start = memory_zero(p->arity + 1, sizeof *start),
           *at = memory_zero(p->arity, sizeof *at);
  for (uint32_t k = 0; k < p->arity; k++) {
    for (uint32_t c = 0; c < m->names.written.n; c++)
      if (mln_type(&m->names, m->names.slot.at[c]) == mln_type(&m->names, p->first + k))
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

void mln_write_possible(Mln *m, uint32_t predicate, const Atom *atoms, size_t n) {
  const MlnPredicate *p = &m->names.predicates.at[predicate];
  double all = tuples(m, p);
  for (size_t i = 0; i < n; i++)
    if (m->ground->atoms.at[atoms[i]].truth == ATOM_CERTAIN) {
      mln_write_literal(m, lit_of(atoms[i], false), &m->out);
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
    mln_write_literal(m, lit_of(atoms[i], false), &atom);
    names_add(&listed, atom.at, atom.n);
    vec_free(&atom);
  }
  write_others(m, p, &listed);
  names_free(&listed);
}

/* ---- all of it ------------------------------------------------------------------------- */

static void write_evidence(Mln *m) {
  if (m->evidences)
    text_puts(&m->out, "\n// what was observed\n");
  for (size_t i = 0; i < m->evidences; i++) {
    mln_write_literal(m, m->evidence[i], &m->out);
    text_puts(&m->out, ".\n");
  }
}

static bool evidence_named(const Mln *m) {
  for (size_t i = 0; i < m->evidences; i++)
    if (m->ground->atoms.at[lit_atom(m->evidence[i])].name == NONE)
      return false;
  return true;
}

void mln_write(Mln *m) {
  m->rules = !m->tuffy && evidence_named(m) && mln_write_rules(m);
  if (!m->rules)
    mln_write_ground(m);
  if (!m->refusal.n)
    write_evidence(m);
}

void mln_write_data(Mln *m, const Lit *literals, size_t n, Text *out) {
  bool *seen = memory_zero(m->ground->atoms.n, sizeof *seen);
  text_puts(out, "// what was observed\n");
  for (size_t i = 0; i < n && !m->refusal.n; i++) {
    Atom a = lit_atom(literals[i]);
    seen[a] = true;
    if (m->ground->atoms.at[a].name == NONE) {
      text_puts(&m->refusal, "an observation is more than a list of literals");
      break;
    }
    mln_write_literal(m, literals[i], out);
    text_puts(out, "\n");
  }
  for (Atom a = 0; !m->tuffy && a < m->ground->atoms.n;
       a++) /* what is not listed counts as false */
    if (!seen[a] && m->ground->atoms.at[a].name != NONE &&
        m->ground->atoms.at[a].truth == ATOM_OPEN) {
      text_puts(out, "?");
      mln_write_literal(m, lit_of(a, false), out);
      text_puts(out, "\n");
    }
  free(seen);
}
