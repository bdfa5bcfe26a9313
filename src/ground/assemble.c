/* assemble.c - raw rules and markers to the ground program; the idea is at the
** top of read.c. */
#include "ground/assemble.h"

#include "base/graph.h"
#include "base/limits.h"
#include "base/names.h"
#include "ground/assembly.h"
#include "ground/intervene.h"
#include "ground/negation.h"
#include "ground/relay.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- atoms -------------------------------------------------------------------- */

static uint32_t *filled(uint32_t n, uint32_t value) {
  uint32_t *list = memory_zero(n, sizeof *list);
  for (uint32_t i = 0; i < n; i++)
    list[i] = value;
  return list;
}

static void count_ids(Assembly *a) {
  for (size_t i = 0; i < a->raw->rules.n; i++) {
    const RawRule *r = &a->raw->rules.at[i];
    for (uint32_t k = 0; k < r->heads + r->size; k++) {
      uint32_t id = id_of(raw_heads(a, r)[k]);
      a->ids = id >= a->ids ? id + 1 : a->ids;
    }
  }
  for (size_t i = 0; i < a->raw->atoms.n; i++)
    if (a->raw->atoms.at[i].atom >= a->ids)
      a->ids = a->raw->atoms.at[i].atom + 1;
  for (size_t i = 0; i < a->raw->markers.n; i++)
    if (a->raw->markers.at[i].atom >= a->ids)
      a->ids = a->raw->markers.at[i].atom + 1;
  for (size_t i = 0; i < a->raw->terms.n; i++)
    for (uint32_t k = 0; k < a->raw->terms.at[i].size; k++) {
      uint32_t id = id_of(a->raw->pool.at[a->raw->terms.at[i].first + k]);
      a->ids = id >= a->ids ? id + 1 : a->ids;
    }
}

Atom assembly_atom(Assembly *a, uint32_t id) {
  assert(id < a->ids);
  if (a->atom_of[id] == NONE)
    a->atom_of[id] = ground_atom(a->g, NULL);
  return a->atom_of[id];
}

Lit assembly_literal(Assembly *a, int32_t literal) {
  return lit_of(assembly_atom(a, id_of(literal)), literal < 0);
}

void assembly_rule(Assembly *a, bool choice, const Atom *heads, uint32_t head_count,
                   const Lit *body, uint32_t size, uint32_t instance) {
  assert((heads || !head_count) && (body || !size));
  Rule rule = {.choice = choice, .heads = head_count, .size = size, .instance = instance};
  uint32_t *words = ground_rule(a->g, rule);
  if (head_count)
    memcpy(words, heads, head_count * sizeof *heads);
  if (size)
    memcpy(words + head_count, body, size * sizeof *body);
}

void assembly_fact(Assembly *a, Atom atom) { assembly_rule(a, false, &atom, 1, NULL, 0, NONE); }

static bool is_hidden(const Assembly *a, const char *atom) {
  return names_find(&a->program->hidden, atom, strcspn(atom, "(")) != UINT32_MAX;
}

static void add_atoms(Assembly *a) {
  for (size_t i = 0; i < a->raw->atoms.n; i++) {
    const RawAtom *raw = &a->raw->atoms.at[i];
    Atom atom = ground_atom(a->g, text_at(a, raw->name));
    a->g->atoms.at[atom].shown = raw->shown && !is_hidden(a, text_at(a, raw->name));
    assert(raw->atom < a->ids);
    if (raw->fact)
      assembly_fact(a, atom);
    if (a->atom_of[raw->atom] == NONE)
      a->atom_of[raw->atom] = atom;
  }
}

static bool is_set(const Assembly *a, uint32_t id) { return a->set && a->set[id]; }

static void add_externals(Assembly *a) {
  for (size_t i = 0; i < a->raw->externals.n; i++) {
    const RawExternal *e = &a->raw->externals.at[i];
    if (e->atom >= a->ids || a->definitions[e->atom] || e->type > 1 || is_set(a, e->atom))
      continue; /* defined by rules, or false */
    Atom atom = assembly_atom(a, e->atom);
    assembly_rule(a, e->type == 0, &atom, 1, NULL, 0, NONE);
  }
}

#define COIN_DONE (NONE - 1)

/* ---- instances ------------------------------------------------------------------- */

/* `X=1, Y="a"`, or the values alone */
static uint32_t substitution(Assembly *a, const RawMarker *m, const Marked *marked, bool names) {
  assert(m->count == 2 + marked->count);
  Text text = {0};
  for (uint32_t i = 0; i < marked->count; i++) {
    text_puts(&text, !i ? "" : names ? ", " : ",");
    if (names)
      text_printf(&text, "%s=", marked->variables[i]);
    text_puts(&text, text_at(a, a->raw->arguments.at[m->first + 2 + i].text));
  }
  uint32_t name = ground_name(a->g, text.at, text.n);
  vec_free(&text);
  return name;
}

/* The body's literals but the marker (or what stands for it). */
static void add_literals(Assembly *a, const RawRule *r, Lits *lits) {
  for (uint32_t k = 0; k < r->size; k++) {
    int32_t literal = raw_body(a, r)[k];
    if (literal < 0 || (a->marker_of[literal] == NONE && a->alias[literal] == NONE))
      vec_push(lits, assembly_literal(a, literal));
  }
}

/* A choice loses the atoms that are set. */
static void heads_of(Assembly *a, const RawRule *r, Lits *heads) {
  assert(r && a->raw->rules.at <= r);
  heads->n = 0;
  for (uint32_t h = 0; h < r->heads; h++)
    if (!r->choice || !is_set(a, id_of(raw_heads(a, r)[h])))
      vec_push(heads, assembly_atom(a, id_of(raw_heads(a, r)[h])));
}

/* The general form, see the top: s and u are atoms of their own. */
static void add_guarded(Assembly *a, uint32_t marker, const Lits *body, uint32_t instance) {
  assert(marker < a->raw->markers.n && a->head_rules[marker] != NONE);
  Lits lits = {0}, heads = {0};
  Atom s = ground_atom(a->g, NULL), u = ground_atom(a->g, NULL);
  bool violable = false;
  for (uint32_t i = a->head_rules[marker]; i != NONE; i = a->links.at[i].next) {
    const RawRule *r = &a->raw->rules.at[a->links.at[i].value];
    heads_of(a, r, &heads);
    lits.n = 0;
    vec_push(&lits, lit_of(s, false));
    add_literals(a, r, &lits);
    if (heads.n)
      assembly_rule(a, r->choice, heads.at, (uint32_t)heads.n, lits.at, (uint32_t)lits.n, NONE);
    if (r->choice)
      continue;
    violable = true;
    lits.n = 0;
    for (size_t k = 0; k < body->n; k++)
      vec_push(&lits, body->at[k]);
    add_literals(a, r, &lits);
    for (size_t h = 0; h < heads.n; h++)
      vec_push(&lits, lit_of(heads.at[h], true));
    assembly_rule(a, false, &u, 1, lits.at, (uint32_t)lits.n, NONE);
  }
  lits.n = 0;
  for (size_t k = 0; k < body->n; k++)
    vec_push(&lits, body->at[k]);
  vec_push(&lits, lit_of(u, true));
  assembly_rule(a, false, &s, 1, lits.at, (uint32_t)lits.n, NONE);
  Lit violated = lit_of(u, false);
  if (violable)
    assembly_rule(a, false, NULL, 0, &violated, 1, instance);
  vec_free(&lits);
  vec_free(&heads);
}

static int compare_literals(const void *x, const void *y) {
  return (*(const Lit *)x > *(const Lit *)y) - (*(const Lit *)x < *(const Lit *)y);
}

/* Equal values of a pool, or overlapping intervals, make several choice rules for one
** substitution: one instance, whose body is that of any of them. */
static void body_of(Assembly *a, uint32_t marker, Lits *body) {
  uint32_t first = a->choices[marker];
  Atom any = NONE;
  assert(first != NONE);
  add_literals(a, &a->raw->rules.at[a->links.at[first].value], body);
  if (a->links.at[first].next == NONE)
    return;
  if (body->n)
    qsort(body->at, body->n, sizeof *body->at, compare_literals);
  for (uint32_t i = a->links.at[first].next; i != NONE; i = a->links.at[i].next) {
    Lits other = {0};
    add_literals(a, &a->raw->rules.at[a->links.at[i].value], &other);
    if (other.n)
      qsort(other.at, other.n, sizeof *other.at, compare_literals);
    bool same =
        other.n == body->n && (!other.n || !memcmp(other.at, body->at, other.n * sizeof *other.at));
    if (!same && any == NONE) {
      any = ground_atom(a->g, NULL);
      assembly_rule(a, false, &any, 1, body->at, (uint32_t)body->n, NONE);
    }
    if (!same)
      assembly_rule(a, false, &any, 1, other.at, (uint32_t)other.n, NONE);
    vec_free(&other);
  }
  if (any != NONE) {
    body->n = 0;
    vec_push(body, lit_of(any, false));
  }
}

static uint32_t new_instance(Assembly *a, const RawMarker *m, uint32_t rule, uint32_t weight) {
  const Marked *marked = &a->script->rules.at[rule];
  Instance instance = {rule, weight, substitution(a, m, marked, true),
                       substitution(a, m, marked, false)};
  vec_push(&a->g->instances, instance);
  a->g->soft.at[rule].instances++;
  return (uint32_t)(a->g->instances.n - 1);
}

/* A coin is a soft fact, thrown whether its body holds or not: once, though several choice
** rules may stand above it. */
static void add_coin(Assembly *a, uint32_t id) {
  const RawMarker *m = &a->raw->markers.at[a->coin_of[id]];
  uint32_t rule = argument_number(a, m, 0), weight = assembly_weight(a, m, rule);
  Atom coin = assembly_atom(a, id);
  a->coin_of[id] = COIN_DONE;
  if (weight == WEIGHT_ALWAYS)
    assembly_fact(a, coin);
  else if (weight != WEIGHT_NEVER)
    assembly_rule(a, false, &coin, 1, NULL, 0, new_instance(a, m, rule, weight));
}

/* One ground instance: the marker, and the choice rules that have its body. */
static void add_instance(Assembly *a, uint32_t marker) {
  const RawMarker *m = &a->raw->markers.at[marker];
  uint32_t rule = (uint32_t)atoi(text_at(a, a->raw->arguments.at[m->first].text));
  const Marked *marked = &a->script->rules.at[rule];
  const Statement *s = &a->program->statements.at[marked->statement];
  assert(rule < a->script->rules.n && m->count == 2 + marked->count);
  uint32_t weight = assembly_weight(a, m, rule), number = NONE;
  if (weight == WEIGHT_NEVER)
    return;
  if (weight != WEIGHT_ALWAYS)
    number = new_instance(a, m, rule, weight);
  uint32_t below = a->head_rules[marker];
  const RawRule *only = NULL; /* the one rule below the marker */
  if (below != NONE && a->links.at[below].next == NONE)
    only = &a->raw->rules.at[a->links.at[below].value];
  Lits body = {0}, heads = {0};
  body_of(a, marker, &body);
  if (below == NONE && s->head_kind == HEAD_NONE) {
    assembly_rule(a, false, NULL, 0, body.at, (uint32_t)body.n, number);
  } else if (only && !only->choice && (!only->heads || only->size == 1)) {
    heads_of(a, only, &heads);
    add_literals(a, only, &body); /* of a constraint */
    assembly_rule(a, false, heads.at, (uint32_t)heads.n, body.at, (uint32_t)body.n, number);
  } else if (below != NONE) { /* else its head always holds */
    add_guarded(a, marker, &body, number);
  }
  vec_free(&body);
  vec_free(&heads);
}

/* ---- rules ------------------------------------------------------------------------- */

static bool rule_marker(char letter) { return letter == MARK_SOFT || letter == MARK_HARD; }

static void link(Assembly *a, uint32_t *list, uint32_t value) {
  vec_push(&a->links, (Link){value, *list});
  *list = (uint32_t)(a->links.n - 1);
}

/* For disjunctions and aggregates the grounder stands an atom x of its own for
** the body, x :- s, and one x for several instances if their heads are alike. */
static bool is_alias(const Assembly *a, const RawRule *r) {
  if (r->choice || r->weighted || r->heads != 1 || r->size != 1 || *raw_body(a, r) < 0)
    return false;
  return a->marker_of[*raw_body(a, r)] != NONE && a->atom_of[*raw_heads(a, r)] == NONE;
}

static void find_aliases(Assembly *a) {
  for (size_t i = a->raw->rules.n; i-- > 0;) { /* backwards: the lists come out in order */
    const RawRule *r = &a->raw->rules.at[i];
    if (!is_alias(a, r))
      continue;
    link(a, &a->alias[*raw_heads(a, r)], a->marker_of[*raw_body(a, r)]);
    a->definitions[*raw_heads(a, r)]--;
  }
}

/* The body has the atom that never holds: the rule served grounding only. */
static bool is_companion(const Assembly *a, const RawRule *r) {
  for (uint32_t k = 0; k < r->size; k++)
    if (raw_body(a, r)[k] > 0 && (uint32_t)raw_body(a, r)[k] == a->never)
      return true;
  return false;
}

/* Puts the rule below its markers.  `plain`: it is (also) a rule without one. */
static void link_below(Assembly *a, uint32_t rule, bool *plain) {
  assert(rule < a->raw->rules.n);
  const RawRule *r = &a->raw->rules.at[rule];
  *plain = true;
  for (uint32_t k = 0; !r->weighted && k < r->size; k++) {
    int32_t literal = raw_body(a, r)[k];
    if (literal < 0)
      continue;
    if (a->marker_of[literal] != NONE) {
      link(a, &a->head_rules[a->marker_of[literal]], rule);
      *plain = false;
    }
    for (uint32_t i = a->alias[literal]; i != NONE; i = a->links.at[i].next) {
      link(a, &a->head_rules[a->links.at[i].value], rule);
      *plain = a->definitions[literal] > 0;
    }
  }
}

static uint32_t marker_above(const Assembly *a, const RawRule *r) {
  return r->choice && r->heads == 1 ? a->marker_of[id_of(*raw_heads(a, r))] : NONE;
}

void assembly_plain(Assembly *a, const RawRule *r) {
  assert(!a->g->sealed);
  Lits words = {0};
  heads_of(a, r, &words);
  Rule rule = {.choice = r->choice,
               .weighted = r->weighted,
               .heads = (uint32_t)words.n,
               .size = r->size,
               .bound = r->bound,
               .instance = NONE};
  if (r->heads && !words.n) { /* a choice of nothing */
    vec_free(&words);
    return;
  }
  for (uint32_t k = 0; k < r->size; k++) {
    Lit l = assembly_literal(a, raw_body(a, r)[k]);
    bool flip = r->weighted && raw_weights(a, r)[k] < 0; /* -w·l = w·¬l - w */
    if (flip)
      rule.bound -= raw_weights(a, r)[k];
    vec_push(&words, flip ? lit_not(l) : l);
  }
  for (uint32_t k = 0; r->weighted && k < r->size; k++)
    vec_push(&words, id_of(raw_weights(a, r)[k]));
  uint32_t *to = ground_rule(a->g, rule);
  if (words.n)
    memcpy(to, words.at, words.n * sizeof *words.at);
  vec_free(&words);
}

static void add_rules(Assembly *a) {
  size_t n = a->raw->rules.n;
  bool *plain = memory_zero(n, sizeof *plain);
  find_aliases(a);
  for (size_t i = n; i-- > 0;)
    if (!is_alias(a, &a->raw->rules.at[i]) && !is_companion(a, &a->raw->rules.at[i]))
      link_below(a, (uint32_t)i, &plain[i]);
  for (size_t i = n; i-- > 0;)
    if (marker_above(a, &a->raw->rules.at[i]) != NONE)
      link(a, &a->choices[marker_above(a, &a->raw->rules.at[i])], (uint32_t)i);
  for (size_t i = 0; i < n; i++) {
    const RawRule *r = &a->raw->rules.at[i];
    uint32_t above = marker_above(a, r);
    limits_poll();
    uint32_t coin = r->choice && r->heads == 1 ? a->coin_of[id_of(*raw_heads(a, r))] : NONE;
    if (coin == COIN_DONE)
      continue;
    if (relay_rule(a, r))
      continue;
    if (coin != NONE)
      add_coin(a, id_of(*raw_heads(a, r)));
    else if (above != NONE && a->links.at[a->choices[above]].value == i)
      add_instance(a, above);
    else if (above == NONE && plain[i] && !(r->heads == 1 && a->event[*raw_heads(a, r)]))
      assembly_plain(a, r);
  }
  free(plain);
}

static void add_marked(Assembly *a, char letter, void (*add)(Assembly *, const RawMarker *)) {
  for (size_t i = 0; i < a->raw->markers.n; i++)
    if (a->raw->markers.at[i].letter == letter)
      add(a, &a->raw->markers.at[i]);
}

static void add_parameter(Assembly *a, const RawMarker *m) {
  (void)assembly_weight(a, m, argument_number(a, m, 0));
}

static void find_hidden(Assembly *a) {
  a->hidden = memory_zero(a->g->atoms.n, sizeof *a->hidden);
  for (Atom atom = 0; atom < a->g->atoms.n; atom++) {
    uint32_t name = a->g->atoms.at[atom].name;
    a->hidden[atom] = name != NONE && is_hidden(a, ground_text(a->g, name));
  }
}

/* ---- all of it --------------------------------------------------------------------- */

/* Of atoms that only define events. */
static const char EVENT_MARKS[] = {
    MARK_VIOLATION, MARK_OBSERVED, MARK_SEEN, MARK_QUERY,  MARK_GIVEN,    MARK_ASKED,   MARK_SET,
    MARK_WANTED,    MARK_DERIVED,  MARK_HEAD, MARK_PARTLY, MARK_DECISION, MARK_UTILITY, 0};

static void find_markers(Assembly *a) {
  for (uint32_t i = 0; i < a->raw->markers.n; i++) {
    const RawMarker *m = &a->raw->markers.at[i];
    if (rule_marker(m->letter))
      a->marker_of[m->atom] = i;
    if (m->letter == MARK_COIN)
      a->coin_of[m->atom] = i;
    if (m->letter == MARK_NEVER)
      a->never = m->atom;
    a->event[m->atom] |= strchr(EVENT_MARKS, m->letter) != NULL;
  }
}

static void find_definitions(Assembly *a) {
  GraphEdges edges = {0};
  for (size_t i = 0; i < a->raw->rules.n; i++) {
    const RawRule *r = &a->raw->rules.at[i];
    for (uint32_t h = 0; h < r->heads; h++) {
      uint32_t id = id_of(raw_heads(a, r)[h]);
      a->definitions[id]++;
      if (r->heads == 1 && a->event[id])
        vec_push(&edges, (GraphEdge){id, (uint32_t)i});
    }
  }
  a->defining = graph_lists(&edges, a->ids);
  vec_free(&edges);
}

static void prepare(Assembly *a) {
  assert(!a->g->atoms.n && !a->g->rules.n);
  count_ids(a);
  a->atom_of = filled(a->ids, NONE);
  a->marker_of = filled(a->ids, NONE);
  a->coin_of = filled(a->ids, NONE);
  a->definitions = filled(a->ids, 0);
  a->event = memory_zero(a->ids, sizeof *a->event);
  a->alias = filled(a->ids, NONE);
  a->head_rules = filled((uint32_t)a->raw->markers.n, NONE);
  a->choices = filled((uint32_t)a->raw->markers.n, NONE);
  a->fixed = filled((uint32_t)a->script->rules.n, NONE);
  find_markers(a);
  find_definitions(a);
  for (size_t i = 0; i < a->script->rules.n; i++)
    vec_push(&a->g->soft, (SoftRule){a->script->rules.at[i].statement, 0});
}

static void assembly_free(Assembly *a) {
  names_free(&a->parameters);
  names_free(&a->names);
  vec_free(&a->parameter_weight);
  vec_free(&a->initial_of);
  vec_free(&a->links);
  graph_lists_free(&a->defining);
  names_free(&a->given);
  vec_free(&a->given_atoms);
  free(a->hidden);
  free(a->set);
  free(a->event);
  free(a->atom_of);
  free(a->marker_of);
  free(a->coin_of);
  free(a->definitions);
  free(a->alias);
  free(a->head_rules);
  free(a->choices);
  free(a->fixed);
}

static Extent extent_of(const Ground *g) { return (Extent){g->atoms.n, g->rules.n}; }

/* The program itself first, then what defines events: see ground.h. */
static void add_all(Assembly *a) {
  add_atoms(a);
  relay_atoms(a);
  add_marked(a, MARK_PARAMETER, add_parameter);
  add_externals(a);
  add_rules(a);
  a->g->own = extent_of(a->g);
  add_marked(a, MARK_SEEN, events_add_part);
  add_marked(a, MARK_VIOLATION, events_add_violation);
  events_look_up(a);
  a->g->observed = extent_of(a->g);
  add_marked(a, MARK_ASKED, events_add_part);
  add_marked(a, MARK_GIVEN, events_add_given);
  add_marked(a, MARK_QUERY, events_add_query);
  add_marked(a, MARK_DECISION, events_add_decision);
  add_marked(a, MARK_UTILITY, events_add_utility);
  events_add_terms(a);
  events_add_unmarked(a);
  a->g->received = (uint32_t)a->g->rules.n;
}

static bool has_complete(const Program *program) {
  bool found = false;
  for (size_t i = 0; i < program->blocks.n; i++)
    found |= program->blocks.at[i].complete;
  return found;
}

Status assemble(const Program *program, Diagnostics *said, const Script *script,
                ScriptOptions options, const RawProgram *raw, Ground *g, Observations *observed) {
  assert(!g->sealed && !observed->of_block.n && !said->errors);
  Assembly a = {
      .program = program, .said = said, .script = script, .raw = raw, .g = g, .observed = observed};
  prepare(&a);
  intervene_check(&a);
  add_all(&a);
  find_hidden(&a);
  if (program->display)
    events_display(&a);
  events_sort(g);
  ground_seal(g);
  if (options.closed_world || has_complete(program))
    events_close_world(&a, options);
  observations_seal(observed, g, program);
  assert(ground_valid(g) && observations_valid(observed, g));
  negation_check(program, g, said);
  assembly_free(&a);
  return said->errors ? INPUT : OK;
}
