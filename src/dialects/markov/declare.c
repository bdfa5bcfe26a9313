/* declare.c - types, predicates and databases of a Markov logic network as
** LPMLN text; see markov.h. */
#include "dialects/markov/markov.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "dialects/dialect.h"
#include "language/instance.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- declarations ---------------------------------------------------------------- */

static void write_type(Markov *m, uint32_t type) {
  MarkovType *t = &m->types.at[type];
  Text stem = {0};
  text_printf(&stem, "type_%s", m->type_names.list.at[type]);
  t->written = markov_fresh(m, stem.at);
  vec_free(&stem);
  dialect_hide(m->dialect, t->written);
  if (!t->constants.list.n) {
    diagnose_error(m->said, t->place, "as in `person = {Anna, Bob}`, or by a database",
                   "the type %s has no constants", m->type_names.list.at[type]);
    return;
  }
  writer_place(&m->dialect->rules, t->place, t->written);
  Text *out = &m->dialect->rules.text;
  for (size_t i = 0; i < t->constants.list.n; i++)
    text_printf(out, "%s%s", i ? ";" : "(", t->constants.list.at[i]);
  text_puts(out, ").\n");
}

static void write_conditions(const Markov *m, const MarkovPredicate *p, bool exclusive,
                             const char *open, Text *out) {
  assert(p->types.n == p->exclusive.n);
  for (size_t k = 0; k < p->types.n; k++)
    if (p->exclusive.at[k] == exclusive) {
      text_printf(out, "%s%s(X%zu)", open, m->types.at[p->types.at[k]].written, k + 1);
      open = ", ";
    }
}

/* `{p(X1,X2) : a(X1), b(X2)}.`, or exactly one for each of the other arguments. */
static void write_predicate(Markov *m, const MarkovPredicate *p) {
  writer_place(&m->dialect->rules, p->place, "{");
  Text *out = &m->dialect->rules.text;
  text_puts(out, p->written);
  for (size_t k = 0; k < p->types.n; k++)
    text_printf(out, "%sX%zu", k ? "," : "(", k + 1);
  text_puts(out, p->types.n ? ")" : "");
  write_conditions(m, p, p->functional, " : ", out);
  text_puts(out, p->functional ? "} = 1" : "}");
  if (p->functional)
    write_conditions(m, p, false, " :- ", out);
  text_puts(out, ".\n");
}

/* ---- facts ----------------------------------------------------------------------- */

/* Of a closed-world predicate: what is listed is a fact, nothing else can hold. */
static void write_closed(Markov *m, uint32_t predicate) {
  assert(m->predicates.at[predicate].closed);
  const MarkovPredicate *p = &m->predicates.at[predicate];
  uint32_t input = MARKOV_NONE;
  writer_place(&m->dialect->rules, p->place, "");
  text_printf(&m->dialect->rules.text, "#defined %s/%zu.\n", p->written, p->types.n);
  for (size_t i = 0; i < m->facts.n; i++) {
    const MarkovFact *f = &m->facts.at[i];
    if (f->predicate != predicate || f->negated)
      continue;
    if (input != MARKOV_NONE && input != f->input &&
        m->dialect->inputs.at[f->input].role != LPMLN_PROGRAM)
      diagnose_error(m->said, f->place, "leave out the `*` before its declaration",
                     "a closed-world predicate can't have facts in two databases");
    input = f->input;
    Text atom = {0};
    markov_write_atom(m, predicate, m->terms.at + f->first, (uint32_t)p->types.n, &atom);
    writer_place(&m->dialect->rules, f->place, atom.at);
    text_puts(&m->dialect->rules.text, ".\n");
    vec_free(&atom);
  }
}

/* Where the atoms of a database go: each is an observation of its own. */
static Writer *database(const Markov *m, uint32_t input) {
  Dialect *dialect = m->dialect;
  switch (dialect->inputs.at[input].role) {
  case LPMLN_TEST: return &dialect->tests;
  case LPMLN_EVIDENCE: return dialect->blocks ? &dialect->observations : &dialect->evidence;
  default: return &dialect->evidence;
  }
}

static void write_facts(Markov *m, uint32_t input) {
  assert(input < m->dialect->inputs.n);
  Writer *w = database(m, input);
  bool block = w != &m->dialect->evidence,
       observed = m->dialect->inputs.at[input].role != LPMLN_PROGRAM;
  if (block && w->text.n)
    text_puts(&w->text, "---\n");
  for (size_t i = 0; i < m->facts.n; i++) {
    const MarkovFact *f = &m->facts.at[i];
    if (f->input != input || (m->predicates.at[f->predicate].closed && !f->negated))
      continue;
    Text atom = {0};
    text_puts(&atom, f->negated ? "not " : "");
    markov_write_atom(m, f->predicate, m->terms.at + f->first,
                      (uint32_t)m->predicates.at[f->predicate].types.n, &atom);
    writer_place(w, f->place, atom.at);
    text_puts(&w->text, ".\n");
    vec_free(&atom);
  }
  if (observed && block && !w->text.n) /* an empty observation is one, too */
    text_puts(&w->text, "\n");
}

void markov_write(Markov *m) {
  for (uint32_t i = 0; i < m->types.n; i++)
    write_type(m, i);
  for (uint32_t i = 0; i < m->predicates.n; i++)
    if (m->predicates.at[i].closed)
      write_closed(m, i);
    else
      write_predicate(m, &m->predicates.at[i]);
  for (uint32_t i = 0; i < m->formulas.n; i++)
    markov_write_formula(m, i);
  for (uint32_t i = 0; i < m->dialect->inputs.n; i++)
    write_facts(m, i);
}
