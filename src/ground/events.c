/* events.c - observations, queries and shown terms behind the program's own rules, and how
** atoms are displayed; see assembly.h. */
#include "ground/assembly.h"

#include "base/diagnostic.h"
#include "base/graph.h"
#include "base/memory.h"
#include "base/names.h"
#include "ground/assemble.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "ground/script.h"
#include "language/lexer.h"
#include "language/program.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The query with the values of its variables in place. */
static uint32_t query_text(Assembly *a, const RawMarker *m, const Marked *marked) {
  const Statement *s = &a->program->statements.at[marked->statement];
  const Token *t = program_tokens(a->program, s);
  Text text = {0};
  if (query_is_atom(a->program, s)) {
    text_puts(&text, text_at(a, a->raw->arguments.at[m->first + 1].text));
  } else {
    for (uint32_t i = s->body.from; i < s->body.to; i++) {
      if (i > s->body.from && t[i - 1].offset + t[i - 1].length < t[i].offset)
        text_puts(&text, " ");
      uint32_t k = 0;
      while (k < marked->count &&
             !token_is(program_source(a->program, s), &t[i], marked->variables[k]))
        k++;
      if (t[i].kind == T_VARIABLE && k < marked->count)
        text_puts(&text, text_at(a, a->raw->arguments.at[m->first + 1 + k].text));
      else
        program_write(a->program, s, (Range){i, i + 1}, &text);
    }
  }
  uint32_t name = ground_name(a->g, text.at, text.n);
  vec_free(&text);
  return name;
}

/* The atom that a query for one atom means: no atom of its own is needed. */
static Atom queried_atom(Assembly *a, const RawMarker *m) {
  const Marked *query = &a->script->queries.at[argument_number(a, m, 0)];
  if (!query_is_atom(a->program, &a->program->statements.at[query->statement]))
    return NONE;
  if (!a->names.list.n)
    for (size_t i = 0; i < a->raw->atoms.n; i++) {
      const char *name = text_at(a, a->raw->atoms.at[i].name);
      names_add(&a->names, name, strlen(name)); /* the i-th name is the i-th atom */
    }
  const char *text = text_at(a, a->raw->arguments.at[m->first + 1].text);
  return names_find(&a->names, text, strlen(text));
}

/* The rules that define an event come behind the program. */
static Atom define_event(Assembly *a, const RawMarker *m) {
  assert(m->atom < a->ids && a->event[m->atom]);
  if (m->fact) {
    Atom atom = ground_atom(a->g, NULL);
    assembly_fact(a, atom);
    return atom;
  }
  Atom atom = assembly_atom(a, m->atom);
  for (uint32_t i = a->defining.start[m->atom]; i < a->defining.start[m->atom + 1]; i++)
    assembly_plain(a, &a->raw->rules.at[a->defining.at[i]]);
  return atom;
}

void events_add_query(Assembly *a, const RawMarker *m) {
  assert(m->letter == MARK_QUERY);
  uint32_t query = argument_number(a, m, 0);
  Atom atom = queried_atom(a, m);
  Event e = {.first = query, .atom = atom != NONE ? atom : define_event(a, m)};
  e.text = query_text(a, m, &a->script->queries.at[query]);
  vec_push(&a->g->queries, e);
}

/* The literal that an event repeats, or NONE. */
static Lit repeated_literal(Assembly *a, const RawMarker *m) {
  uint32_t first = a->defining.start[m->atom];
  if (m->fact || a->defining.start[m->atom + 1] != first + 1)
    return NONE;
  const RawRule *r = &a->raw->rules.at[a->defining.at[first]];
  bool single = !r->choice && !r->weighted && r->size == 1;
  return single ? assembly_literal(a, *raw_body(a, r)) : NONE;
}

/* What only repeats a literal needs no atom of its own. */
void events_add_violation(Assembly *a, const RawMarker *m) {
  assert(m->letter == MARK_VIOLATION && m->count == 2);
  Violation v = {.block = argument_number(a, m, 0), .statement = argument_number(a, m, 1)};
  v.lit = repeated_literal(a, m);
  if (v.lit == NONE)
    v.lit = lit_of(define_event(a, m), false);
  vec_push(&a->observed->violations, v);
}

void events_add_terms(Assembly *a) {
  assert(a->g->observed.rules <= a->g->rules.n);
  for (size_t i = 0; i < a->raw->terms.n; i++) {
    const RawTerm *term = &a->raw->terms.at[i];
    Lits body = {0};
    for (uint32_t k = 0; k < term->size; k++)
      vec_push(&body, assembly_literal(a, a->raw->pool.at[term->first + k]));
    Atom atom = ground_atom(a->g, NULL);
    assembly_rule(a, false, &atom, 1, body.at, (uint32_t)body.n, NONE);
    vec_free(&body);
    const char *name = text_at(a, term->name);
    Event e = {.text = ground_name(a->g, name, strlen(name)), .atom = atom};
    vec_push(&a->g->terms, e);
  }
}

/* A ground query that the grounder had no instance of never holds. */
static void add_impossible_queries(Assembly *a) {
  for (uint32_t q = 0; q < a->script->queries.n; q++) {
    const Marked *marked = &a->script->queries.at[q];
    const Statement *s = &a->program->statements.at[marked->statement];
    bool answered = query_is_signature(a->program, s);
    for (size_t i = 0; i < a->g->queries.n; i++)
      answered |= a->g->queries.at[i].first == q;
    if (answered)
      continue;
    if (marked->count) {
      diagnose_warning(a->said, program_place(a->program, s, s->whole), NULL,
                       "the query matches nothing");
      continue;
    }
    Text text = {0};
    const Token *t = program_tokens(a->program, s);
    Range asked = range_empty(s->head) ? s->body : s->head;
    for (uint32_t i = asked.from; i < asked.to; i++) {
      program_write(a->program, s, (Range){i, i + 1}, &text);
      if (!query_is_atom(a->program, s) && (t[i].kind == T_NOT || t[i].kind == T_COMMA))
        text_puts(&text, " ");
    }
    Event e = {
        .first = q, .text = ground_name(a->g, text.at, text.n), .atom = ground_atom(a->g, NULL)};
    vec_push(&a->g->queries, e);
    vec_free(&text);
  }
}

/* `p/2` against `p(1,"a,b")`: same name, same number of arguments. */
static bool has_signature(const char *atom, const char *name, size_t length, unsigned arity) {
  if (strncmp(atom, name, length) || (atom[length] && atom[length] != '('))
    return false;
  return ground_arity(atom) == arity;
}

static void add_signatures(Assembly *a) {
  for (uint32_t q = 0; q < a->script->queries.n; q++) {
    const Statement *s = &a->program->statements.at[a->script->queries.at[q].statement];
    if (!query_is_signature(a->program, s))
      continue;
    Text name = {0}, arity = {0};
    program_write(a->program, s, (Range){s->body.from, s->body.to - 2}, &name);
    program_write(a->program, s, (Range){s->body.to - 1, s->body.to}, &arity);
    size_t before = a->g->queries.n;
    for (Atom atom = 0; atom < a->g->atoms.n; atom++) {
      uint32_t text = a->g->atoms.at[atom].name;
      if (text != NONE && has_signature(ground_text(a->g, text), name.at, name.n,
                                        (unsigned)strtoul(arity.at, NULL, 10)))
        vec_push(&a->g->queries, (Event){.text = text, .first = q, .atom = atom});
    }
    if (before == a->g->queries.n)
      diagnose_warning(a->said, program_place(a->program, s, s->whole), NULL,
                       "the program has no atom %s/%s", name.at, arity.at);
    vec_free(&name);
    vec_free(&arity);
  }
}

/* The text of an atom as answers show it. */
static void write_displayed(const Assembly *a, const char *atom, Text *out) {
  if (a->program->display)
    a->program->display(a->program, atom, out);
  else
    text_puts(out, atom);
}

static uint32_t displayed(Assembly *a, uint32_t name) {
  Text text = {0};
  write_displayed(a, ground_text(a->g, name), &text);
  bool other = strcmp(text.at, ground_text(a->g, name)) != 0;
  uint32_t made = other ? ground_name(a->g, text.at, text.n) : name;
  vec_free(&text);
  return made;
}

void events_display(Assembly *a) {
  assert(!a->g->sealed && a->program->display);
  for (size_t i = 0; i < a->g->atoms.n; i++)
    if (a->g->atoms.at[i].name != NONE)
      a->g->atoms.at[i].name = displayed(a, a->g->atoms.at[i].name);
  for (size_t i = 0; i < a->g->queries.n; i++)
    a->g->queries.at[i].text = displayed(a, a->g->queries.at[i].text);
}

/* `block atom` of all atoms that are listed as observed. */
static void find_listed(const Assembly *a, Names *listed) {
  Text key = {0};
  for (uint32_t i = 0; i < a->raw->markers.n; i++) {
    const RawMarker *m = &a->raw->markers.at[i];
    if (m->letter != MARK_LISTED)
      continue;
    key.n = 0;
    text_printf(&key, "%u ", argument_number(a, m, 0));
    write_displayed(a, text_at(a, a->raw->arguments.at[m->first + 1].text), &key);
    names_add(listed, key.at, key.n);
  }
  vec_free(&key);
}

/* What an observation does not list as true is false. */
void events_close_world(Assembly *a) {
  assert(a->g->sealed && a->hidden);
  Names listed = {0};
  Text key = {0};
  find_listed(a, &listed);
  for (uint32_t block = 0; block < a->program->blocks.n; block++)
    for (Atom atom = 0; atom < a->g->atoms.n; atom++) {
      const AtomInfo *info = &a->g->atoms.at[atom];
      if (info->name == NONE || info->truth != ATOM_OPEN || a->hidden[atom])
        continue; /* what a dialect has made is not for the user to list */
      key.n = 0;
      text_printf(&key, "%u %s", block, ground_text(a->g, info->name));
      if (names_find(&listed, key.at, key.n) == UINT32_MAX)
        vec_push(&a->observed->violations, (Violation){block, NONE, lit_of(atom, false)});
    }
  names_free(&listed);
  vec_free(&key);
}

void events_add_unmarked(Assembly *a) {
  add_impossible_queries(a);
  add_signatures(a);
}

static int compare_events(const void *a, const void *b, void *data) {
  const Event *x = a, *y = b;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return strverscmp(ground_text(data, x->text), ground_text(data, y->text));
}

/* In the order of the user's texts, not of the grounder's mind. */
void events_sort(Ground *g) {
  if (g->queries.n)
    qsort_r(g->queries.at, g->queries.n, sizeof *g->queries.at, compare_events, g);
}