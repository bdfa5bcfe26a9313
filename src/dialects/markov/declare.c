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
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Of a closed-world predicate: what is listed is a fact, what is unknown may hold, nothing else. */
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
    if (!f->unknown && input != MARKOV_NONE && input != f->input && m->dialect->blocks &&
        m->dialect->inputs.at[f->input].role != LPMLN_PROGRAM)
      diagnose_error(m->said, f->place, "leave out the `*` before its declaration",
                     "a closed-world predicate can't have facts in two databases");
    input = f->unknown ? input : f->input;
    Text atom = {0};
    text_puts(&atom, f->unknown ? "{" : "");
    markov_write_atom(m, predicate, markov_terms(m, f->first), (uint32_t)p->types.n, &atom);
    writer_place(&m->dialect->rules, f->place, atom.at);
    text_puts(&m->dialect->rules.text, f->unknown ? "}.\n" : ".\n");
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
    text_puts(&atom, f->negated ? "not " : f->unknown ? "?" : "");
    markov_write_atom(m, f->predicate, markov_terms(m, f->first),
                      (uint32_t)m->predicates.at[f->predicate].types.n, &atom);
    writer_place(w, f->place, atom.at);
    text_puts(&w->text, ".\n");
    vec_free(&atom);
  }
  if (observed && block && !w->text.n) /* an empty observation is one, too */
    text_puts(&w->text, "\n");
}

/* ---- closed worlds ---------------------------------------------------------------- */

/* Does the user ask for it? */
static bool is_asked(const Markov *m, const MarkovPredicate *p) {
  size_t n = strlen(p->written);
  const char *text = m->dialect->asked ? m->dialect->asked : "";
  for (const char *at = text; (at = strstr(at, p->written)); at++)
    if ((at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
        !(isalnum((unsigned char)at[n]) || at[n] == '_'))
      return true;
  return false;
}

/* As it is shown, or with a capital as in Markov logic. */
static bool is_signature(const char *text, size_t length, const MarkovPredicate *p) {
  Text own = {0};
  text_printf(&own, "%s/%zu", p->written, (size_t)p->types.n);
  bool same = own.n == length && !strncasecmp(own.at, text, length);
  vec_free(&own);
  return same;
}

static const char *opened(const Markov *m) { return m->dialect->open ? m->dialect->open : ""; }

static bool is_opened(const Markov *m, const MarkovPredicate *p) {
  for (const char *at = opened(m); *at; at += strspn(at, ",")) {
    size_t length = strcspn(at, ",");
    if (is_signature(at, length, p))
      return true;
    at += length;
  }
  return false;
}

static void warn_unknown(const Markov *m) {
  for (const char *at = opened(m); *at; at += strspn(at, ",")) {
    size_t length = strcspn(at, ","), i = 0;
    while (i < m->predicates.n && !is_signature(at, length, &m->predicates.at[i]))
      i++;
    if (i == m->predicates.n)
      diagnose_warning(m->said, NOWHERE, NULL, "option open_world: there is no predicate %.*s",
                       (int)length, at);
    at += length;
  }
}

/* A fact of it in a database that is evidence. */
static bool is_observed(const Markov *m, uint32_t predicate) {
  for (size_t i = 0; i < m->facts.n; i++)
    if (m->facts.at[i].predicate == predicate && !m->facts.at[i].unknown &&
        m->dialect->inputs.at[m->facts.at[i].input].role == LPMLN_EVIDENCE)
      return true;
  return false;
}

/* As Alchemy: predicates that a database has facts of and nobody asks for are closed; in learning
** all are. */
static void close_worlds(Markov *m) {
  Text names = {0};
  bool learns = m->dialect->blocks && m->facts.n;
  warn_unknown(m);
  m->dialect->closes = learns && !m->dialect->open_world && !*opened(m);
  for (uint32_t i = 0; !learns && !m->dialect->open_world && i < m->predicates.n; i++) {
    MarkovPredicate *p = &m->predicates.at[i];
    if (p->closed || p->functional || !is_observed(m, i) || is_asked(m, p) || is_opened(m, p))
      continue;
    p->closed = true;
    text_printf(&names, "%s%s/%zu", names.n ? ", " : "", p->written, (size_t)p->types.n);
  }
  if (names.n || m->dialect->closes)
    diagnose_note(m->said, NOWHERE, "option open_world leaves it unknown",
                  "what no database lists of %s is false, as in Alchemy",
                  m->dialect->closes ? "any predicate" : names.at);
  vec_free(&names);
}

void markov_write(Markov *m) {
  close_worlds(m);
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
