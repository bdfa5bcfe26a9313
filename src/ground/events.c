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
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_UTILITY 1e12 /* sums of these have their digits */

/* The query with the values of its variables in place. */
static uint32_t query_text(Assembly *a, const RawMarker *m, const Marked *marked) {
  const Statement *s = &a->program->statements.at[marked->statement];
  const Token *t = program_tokens(a->program, s);
  Text text = {0};
  if (query_is_atom(a->program, s)) {
    text_puts(&text, text_at(a, a->raw->arguments.at[m->first + 1].text));
  } else {
    uint32_t end = range_empty(s->given) ? s->body.to : s->given.to;
    for (uint32_t i = s->body.from; i < end; i++) {
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

Atom assembly_named(Assembly *a, const char *text) {
  if (!a->names.list.n)
    for (size_t i = 0; i < a->raw->atoms.n; i++) {
      const char *name = text_at(a, a->raw->atoms.at[i].name);
      names_add(&a->names, name, strlen(name)); /* the i-th name is the i-th atom */
    }
  return names_find(&a->names, text, strlen(text));
}

/* The atom that a query for one atom means: no atom of its own is needed. */
static Atom queried_atom(Assembly *a, const RawMarker *m) {
  const Marked *query = &a->script->queries.at[argument_number(a, m, 0)];
  if (!query_is_atom(a->program, &a->program->statements.at[query->statement]))
    return NONE;
  return assembly_named(a, text_at(a, a->raw->arguments.at[m->first + 1].text));
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

/* A fact needs no rules. */
void events_add_part(Assembly *a, const RawMarker *m) {
  if (!m->fact)
    (void)define_event(a, m);
}

/* `query value 0 value`: what tells conditions apart. */
static void write_key(const Assembly *a, const RawMarker *m, Text *key) {
  uint32_t query = argument_number(a, m, 0);
  const Marked *marked = &a->script->queries.at[query];
  const Statement *s = &a->program->statements.at[marked->statement];
  text_printf(key, "%u", query);
  for (uint32_t k = 0; k < marked->count; k++)
    text_printf(key, " %s",
                query_conditioned(a->program, s, marked, k)
                    ? text_at(a, a->raw->arguments.at[m->first + 1 + k].text)
                    : "0");
}

void events_add_given(Assembly *a, const RawMarker *m) {
  assert(m->letter == MARK_GIVEN);
  Text key = {0};
  write_key(a, m, &key);
  names_add(&a->given, key.at, key.n);
  vec_push(&a->given_atoms, define_event(a, m));
  assert(a->given.list.n == a->given_atoms.n);
  vec_free(&key);
}

/* The atom of a query's condition: one that never holds if the grounder had none. */
static Atom condition_of(Assembly *a, const char *key, size_t length) {
  uint32_t found = names_find(&a->given, key, length);
  return found == UINT32_MAX ? ground_atom(a->g, NULL) : a->given_atoms.at[found];
}

static bool has_condition(const Assembly *a, uint32_t query) {
  const Marked *marked = &a->script->queries.at[query];
  return !range_empty(a->program->statements.at[marked->statement].given);
}

void events_add_query(Assembly *a, const RawMarker *m) {
  assert(m->letter == MARK_QUERY);
  uint32_t query = argument_number(a, m, 0);
  Atom atom = queried_atom(a, m);
  Event e = {.first = query, .atom = atom != NONE ? atom : define_event(a, m), .given = NONE};
  if (has_condition(a, query)) {
    Text key = {0};
    write_key(a, m, &key);
    e.given = condition_of(a, key.at, key.n);
    vec_free(&key);
  }
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

/* By atom of the script: the literal that it is. */
static Lit *find_looked_up(Assembly *a) {
  size_t n = a->script->atoms.list.n;
  Lit *found = memory_zero(n, sizeof *found);
  memset(found, 0xff, n * sizeof *found); /* NONE */
  for (size_t i = 0; i < a->raw->markers.n; i++) {
    const RawMarker *m = &a->raw->markers.at[i];
    if (m->letter != MARK_OBSERVED)
      continue;
    Lit repeated = repeated_literal(a, m);
    found[argument_number(a, m, 0)] =
        repeated != NONE ? repeated : lit_of(define_event(a, m), false);
  }
  Lit never = NONE; /* stands for what the grounder can't derive */
  for (size_t i = 0; i < n; i++) {
    if (found[i] == NONE && never == NONE)
      never = lit_of(ground_atom(a->g, NULL), false);
    found[i] = found[i] == NONE ? never : found[i];
  }
  return found;
}

void events_look_up(Assembly *a) {
  assert(!a->observed->columns.n && !a->g->sealed);
  Lit *found = find_looked_up(a);
  for (size_t i = 0; i < a->script->looked.n; i++) {
    const Looked *looked = &a->script->looked.at[i];
    Lit atom = found[looked->atom];
    vec_push(&a->observed->violations,
             (Violation){.block = a->program->statements.at[looked->statement].block,
                         .statement = looked->statement,
                         .lit = looked->negated ? atom : lit_not(atom)});
  }
  for (size_t i = 0; i < a->script->columns.n; i++)
    vec_push(&a->observed->columns, found[a->script->columns.at[i]]);
  free(found);
}

/* ---- decisions ------------------------------------------------------------------------- */

void events_add_decision(Assembly *a, const RawMarker *m) {
  assert(m->letter == MARK_DECISION);
  uint32_t statement = argument_number(a, m, 0);
  const Statement *s = &a->program->statements.at[statement];
  bool minus = program_tokens(a->program, s)[s->head.from].kind == T_MINUS;
  Text name = {0};
  text_puts(&name, minus ? "-" : "");
  if (m->count > 1)
    text_puts(&name, text_at(a, a->raw->arguments.at[m->first + 1].text));
  else
    program_write(a->program, s, (Range){s->head.to - 1, s->head.to}, &name);
  Atom atom = assembly_named(a, name.at);
  bool known = atom == NONE;
  for (size_t i = 0; !known && i < a->g->decisions.n; i++)
    known = a->g->decisions.at[i].atom == atom;
  if (!known) {
    uint32_t text = ground_name(a->g, name.at, name.n);
    vec_push(&a->g->decisions,
             (Event){.text = text, .first = statement, .atom = atom, .given = NONE});
  }
  vec_free(&name);
}

void events_add_utility(Assembly *a, const RawMarker *m) {
  assert(m->letter == MARK_UTILITY);
  const Marked *marked = &a->script->utilities.at[argument_number(a, m, 0)];
  const Statement *s = &a->program->statements.at[marked->statement];
  Utility utility = {.atom = define_event(a, m)};
  if (assembly_number(a, m, marked, &utility.value) && !(fabs(utility.value) <= MOST_UTILITY))
    diagnose_error(a->said, program_place(a->program, s, s->weight), NULL,
                   "a utility is a number of at most %g", MOST_UTILITY);
  else
    vec_push(&a->g->utilities, utility);
}

/* By the atoms' names, as shown: `#show t : c.` may name an atom that is shown, too. */
static Names shown_names(const Assembly *a, Atom **atoms) {
  Names names = {0};
  *atoms = memory_zero(a->raw->terms.n ? a->g->atoms.n : 0, sizeof **atoms);
  for (Atom atom = 0; a->raw->terms.n && atom < a->g->atoms.n; atom++) {
    uint32_t name = a->g->atoms.at[atom].name;
    if (!a->g->atoms.at[atom].shown || name == NONE)
      continue;
    const char *text = ground_text(a->g, name);
    (*atoms)[names_add(&names, text, strlen(text))] = atom;
  }
  return names;
}

/* One name has one meaning: what is shown as an atom and as a term holds if one of them does. */
static void add_atom_to_term(Assembly *a, const Names *names, const Atom *atoms, const char *name,
                             Atom event) {
  uint32_t number = names_find(names, name, strlen(name));
  if (number == UINT32_MAX)
    return;
  Lit own = lit_of(atoms[number], false);
  assembly_rule(a, false, &event, 1, &own, 1, NONE);
  a->g->atoms.at[atoms[number]].shown = false;
}

void events_add_terms(Assembly *a) {
  assert(a->g->observed.rules <= a->g->rules.n);
  Atom *atoms;
  Names names = shown_names(a, &atoms);
  for (size_t i = 0; i < a->raw->terms.n; i++) {
    const RawTerm *term = &a->raw->terms.at[i];
    Lits body = {0};
    for (uint32_t k = 0; k < term->size; k++)
      vec_push(&body, assembly_literal(a, a->raw->pool.at[term->first + k]));
    Atom atom = ground_atom(a->g, NULL);
    assembly_rule(a, false, &atom, 1, body.at, (uint32_t)body.n, NONE);
    vec_free(&body);
    const char *name = text_at(a, term->name);
    add_atom_to_term(a, &names, atoms, name, atom);
    Event e = {.text = ground_name(a->g, name, strlen(name)), .atom = atom, .given = NONE};
    vec_push(&a->g->terms, e);
  }
  names_free(&names);
  free(atoms);
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
    if (marked->count)
      continue;
    Text text = {0};
    const Token *t = program_tokens(a->program, s);
    Range asked = range_empty(s->head) ? s->body : s->head;
    if (!range_empty(s->given))
      asked.to = s->given.to;
    for (uint32_t i = asked.from; i < asked.to; i++) {
      program_write(a->program, s, (Range){i, i + 1}, &text);
      if (!query_is_atom(a->program, s) && i + 1 < asked.to &&
          t[i].offset + t[i].length < t[i + 1].offset)
        text_puts(&text, " ");
    }
    Event e = {.first = q,
               .text = ground_name(a->g, text.at, text.n),
               .atom = ground_atom(a->g, NULL),
               .given = NONE};
    text.n = 0;
    text_printf(&text, "%u", q);
    if (has_condition(a, q))
      e.given = condition_of(a, text.at, text.n);
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
    for (Atom atom = 0; atom < a->g->atoms.n; atom++) {
      uint32_t text = a->g->atoms.at[atom].name;
      if (text != NONE && has_signature(ground_text(a->g, text), name.at, name.n,
                                        (unsigned)strtoul(arity.at, NULL, 10)))
        vec_push(&a->g->queries, (Event){.text = text, .first = q, .atom = atom, .given = NONE});
    }
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
  for (size_t i = 0; i < a->g->decisions.n; i++)
    a->g->decisions.at[i].text = displayed(a, a->g->decisions.at[i].text);
}

/* `block atom` of all atoms that are listed as observed and were not looked up. */
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

/* By block: the atoms that were looked up and that it says hold. */
static GraphLists atoms_listed(const Assembly *a) {
  GraphEdges edges = {0};
  bool *looked = memory_zero(a->program->statements.n, sizeof *looked);
  for (size_t i = 0; i < a->script->looked.n; i++)
    looked[a->script->looked.at[i].statement] = true;
  for (size_t i = 0; i < a->observed->violations.n; i++) {
    const Violation *v = &a->observed->violations.at[i];
    if (lit_negated(v->lit) && looked[v->statement])
      vec_push(&edges, (GraphEdge){v->block, lit_atom(v->lit)});
  }
  free(looked);
  for (uint32_t block = 0; block < a->program->block_count; block++) {
    Violations row = {0};
    observations_row(a->observed, a->program, block, &row);
    for (size_t i = 0; i < row.n; i++)
      if (lit_negated(row.at[i].lit))
        vec_push(&edges, (GraphEdge){block, lit_atom(row.at[i].lit)});
    vec_free(&row);
  }
  GraphLists lists = graph_lists(&edges, a->program->block_count);
  vec_free(&edges);
  return lists;
}

static bool may_be_listed(const Assembly *a, Atom atom) {
  const AtomInfo *info = &a->g->atoms.at[atom]; /* what a dialect has made is not for users */
  return info->name != NONE && info->truth == ATOM_OPEN && !a->hidden[atom];
}

/* Of a complete observation, what answers show is known. */
static bool is_closed(const Assembly *a, const bool *closed, uint32_t block, Atom atom) {
  return may_be_listed(a, atom) && (closed[atom] || (a->g->atoms.at[atom].shown &&
                                                     program_block_complete(a->program, block)));
}

/* Is the atom's predicate one of `p/2,q/1`? */
static bool is_of(const char *atom, const char *signatures) {
  while (*signatures) {
    size_t name = strcspn(signatures, "/");
    if (has_signature(atom, signatures, name, (unsigned)strtoul(signatures + name + 1, NULL, 10)))
      return true;
    signatures += strcspn(signatures, ",");
    signatures += *signatures == ',';
  }
  return false;
}

/* A predicate that is to be closed and has no atom is a slip of the pen. */
static void warn_of_closed(const Assembly *a, const char *signatures) {
  for (size_t n; *signatures; signatures += n + (signatures[n] == ',')) {
    bool found = false;
    n = strcspn(signatures, ",");
    char *one = memory_copy(signatures, n);
    for (Atom atom = 0; !found && atom < a->g->atoms.n; atom++) {
      uint32_t name = a->g->atoms.at[atom].name;
      found = name != NONE && is_of(ground_text(a->g, name), one);
    }
    if (!found)
      diagnose_warning(a->said, NOWHERE, "a predicate is its name and the number of arguments: p/2",
                       "closed world: the program has no atom %s", one);
    free(one);
  }
}

/* By atom: is it false unless it is listed? */
static bool *closed_atoms(const Assembly *a, ScriptOptions options) {
  bool *closed = memory_zero(a->g->atoms.n, sizeof *closed);
  for (Atom atom = 0; options.closed_world && atom < a->g->atoms.n; atom++) {
    uint32_t name = a->g->atoms.at[atom].name;
    closed[atom] =
        !options.closed || (name != NONE && is_of(ground_text(a->g, name), options.closed));
  }
  return closed;
}

/* What an observation does not list as true is false. */
void events_close_world(Assembly *a, ScriptOptions options) {
  assert(a->g->sealed && a->hidden);
  bool *closed = closed_atoms(a, options);
  if (options.closed)
    warn_of_closed(a, options.closed);
  Names named = {0};
  Text key = {0};
  find_listed(a, &named);
  GraphLists lists = atoms_listed(a);
  uint32_t *listed = memory_zero(a->g->atoms.n, sizeof *listed); /* by atom: block + 1 */
  for (uint32_t block = 0; block < a->program->block_count; block++) {
    for (uint32_t i = lists.start[block]; i < lists.start[block + 1]; i++)
      listed[lists.at[i]] = block + 1;
    for (Atom atom = 0; atom < a->g->atoms.n; atom++) {
      if (listed[atom] == block + 1 || !is_closed(a, closed, block, atom))
        continue;
      key.n = 0;
      if (named.list.n)
        text_printf(&key, "%u %s", block, ground_text(a->g, a->g->atoms.at[atom].name));
      if (!named.list.n || names_find(&named, key.at, key.n) == UINT32_MAX)
        vec_push(&a->observed->violations, (Violation){block, NONE, lit_of(atom, false)});
    }
  }
  free(listed);
  free(closed);
  graph_lists_free(&lists);
  names_free(&named);
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
  if (g->decisions.n)
    qsort_r(g->decisions.at, g->decisions.n, sizeof *g->decisions.at, compare_events, g);
}