/* assemble.c - raw rules and markers to the ground program; the idea is at the
** top of read.c. */
#include "ground/assemble.h"

#include "base/names.h"
#include "ground/imported.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Linked lists of numbers; NONE ends one. */
typedef struct {
  uint32_t value, next;
} Link;

typedef struct {
  Program *program;
  const Script *script;
  const RawProgram *raw;
  Ground *g;
  uint32_t ids;          /* clingo's atoms are below this */
  Atom *atom_of;         /* by clingo's atom: ours, or NONE so far */
  uint32_t *marker_of;   /* by clingo's atom: a marker of a rule, or NONE */
  uint32_t *definitions; /* by clingo's atom: number of rules with it as a head */
  uint32_t *alias;       /* by clingo's atom: first Link to a marker that it stands for */
  uint32_t *head_rules;  /* by marker: first Link to a raw rule below it */
  VEC(Link) links;
  uint32_t never; /* clingo's atom of MARK_NEVER */
  Names names;    /* of the raw atoms, made when a query needs it */
  bool *unneeded; /* by clingo's atom: its rules serve nobody */
  Names parameters;
  uint32_t *fixed;                /* by script rule: its one weight, or NONE */
  VEC(uint32_t) parameter_weight; /* by name in parameters: in weights */
  VEC(uint32_t) initial_of;       /* by name: the statement that gave its initial value */
} Assembly;

static const char *text_at(const Assembly *a, uint32_t at) { return a->raw->text.at + at; }

static const int32_t *raw_heads(const Assembly *a, const RawRule *r) {
  return a->raw->pool.at + r->first;
}
static const int32_t *raw_body(const Assembly *a, const RawRule *r) {
  return raw_heads(a, r) + r->heads;
}
static const int32_t *raw_weights(const Assembly *a, const RawRule *r) {
  return raw_body(a, r) + r->size;
}

/* ---- atoms -------------------------------------------------------------------- */

static uint32_t *filled(uint32_t n, uint32_t value) {
  uint32_t *list = memory_zero(n, sizeof *list);
  for (uint32_t i = 0; i < n; i++)
    list[i] = value;
  return list;
}

static uint32_t id_of(int32_t literal) { return (uint32_t)abs(literal); }

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
}

static Atom atom_of(Assembly *a, uint32_t id) {
  if (a->atom_of[id] == NONE)
    a->atom_of[id] = ground_atom(a->g, NULL);
  return a->atom_of[id];
}

static Lit lit_from(Assembly *a, int32_t literal) {
  return lit_of(atom_of(a, id_of(literal)), literal < 0);
}

static void add_rule(Assembly *a, bool choice, const Atom *heads, uint32_t head_count,
                     const Lit *body, uint32_t size, uint32_t instance) {
  Rule rule = {.choice = choice, .heads = head_count, .size = size, .instance = instance};
  uint32_t *words = ground_rule(a->g, rule);
  if (head_count)
    memcpy(words, heads, head_count * sizeof *heads);
  if (size)
    memcpy(words + head_count, body, size * sizeof *body);
}

static void add_fact(Assembly *a, Atom atom) { add_rule(a, false, &atom, 1, NULL, 0, NONE); }

static bool hidden(const Assembly *a, const char *atom) {
  return names_find(&a->program->hidden, atom, strcspn(atom, "(")) != UINT32_MAX;
}

static void add_atoms(Assembly *a) {
  for (size_t i = 0; i < a->raw->atoms.n; i++) {
    const RawAtom *raw = &a->raw->atoms.at[i];
    Atom atom = ground_atom(a->g, text_at(a, raw->name));
    a->g->atoms.at[atom].shown = raw->shown && !hidden(a, text_at(a, raw->name));
    if (raw->fact)
      add_fact(a, atom);
    if (a->atom_of[raw->atom] == NONE)
      a->atom_of[raw->atom] = atom;
  }
}

static void add_externals(Assembly *a) {
  for (size_t i = 0; i < a->raw->externals.n; i++) {
    const RawExternal *e = &a->raw->externals.at[i];
    if (e->atom >= a->ids || a->definitions[e->atom] || e->type > 1)
      continue; /* defined by rules, or false */
    Atom atom = atom_of(a, e->atom);
    add_rule(a, e->type == 0, &atom, 1, NULL, 0, NONE);
  }
}

/* ---- weights ------------------------------------------------------------------ */

static uint32_t add_weight(Assembly *a, double value, uint32_t name, uint32_t soft) {
  vec_push(&a->g->weights, (Weight){value, name, soft});
  return (uint32_t)(a->g->weights.n - 1);
}

static void report_weight(Assembly *a, const Statement *s, const char *why, const char *what) {
  diagnose_error(&a->program->sources, program_place(a->program, s, s->weight),
               "a weight is a number, or a string such as \"0.37\"", "%s: %s", why, what);
}

/* A marker's value of a variable as a number. */
static bool variable_value(Assembly *a, const Statement *s, const Argument *argument,
                           double *value) {
  const char *text = text_at(a, argument->text);
  size_t n = strlen(text);
  char *bare = argument->type == 's' ? memory_copy(text + 1, n - 2) : memory_copy(text, n);
  bool good = argument->type != 'o' && weight_from_text(bare, value);
  if (!good)
    report_weight(a, s, "the weight is not a number", text);
  free(bare);
  return good;
}

static const Argument *variable_argument(const Assembly *a, const RawMarker *m,
                                         const Marked *marked, const Statement *s, uint32_t token) {
  const Token *t = &program_tokens(a->program, s)[token];
  const char *name = program_source(a->program, s)->bytes + t->offset;
  for (uint32_t i = 0; i < marked->count; i++)
    if (strlen(marked->variables[i]) == t->length && !memcmp(marked->variables[i], name, t->length))
      return &a->raw->arguments.at[m->first + 2 + i];
  return NULL;
}

/* Of probabilities 1 and 0: the instance is a hard rule, or none. */
#define ALWAYS (NONE - 1)
#define NEVER (NONE - 2)

/* A weight expression over the instance's variables. */
static uint32_t weight_of_instance(Assembly *a, const RawMarker *m, const Marked *marked,
                                   const Statement *s, uint32_t soft) {
  const WeightExpression *e = &s->expression;
  double *values = memory_zero(e->n, sizeof *values), value = 0;
  bool good = true;
  for (size_t i = 0; good && i < e->n; i++)
    if (e->at[i].operation == W_VARIABLE)
      good =
          variable_value(a, s, variable_argument(a, m, marked, s, e->at[i].variable), &values[i]);
  if (good) {
    value = weight_evaluate(e, values);
    if (isinf(value) && weight_is_logit(e)) {
      free(values);
      return value > 0 ? ALWAYS : NEVER;
    }
    if (!isfinite(value))
      report_weight(a, s, "the weight of an instance is not a finite number",
                    weight_is_logit(e)
                        ? "its probability is not between 0 and 1"
                        : "it overflows, divides by zero or takes the logarithm of zero");
  }
  free(values);
  return add_weight(a, value, NONE, soft);
}

static void check_initial(Assembly *a, uint32_t name, const Statement *s, uint32_t statement) {
  Weight *w = &a->g->weights.at[a->parameter_weight.at[name]];
  uint32_t before = a->initial_of.at[name];
  if (!s->has_initial || before == statement)
    return;
  if (before != NONE && w->value != s->initial)
    diagnose_error(&a->program->sources, program_place(a->program, s, s->weight),
                 "give the initial value once; the other rules may write @w(NAME) alone",
                 "parameter %s has two initial values: %g and %g", a->parameters.list.at[name],
                 w->value, s->initial);
  w->value = s->initial;
  a->initial_of.at[name] = statement;
}

static uint32_t parameter_of(Assembly *a, const RawMarker *m, const Statement *s,
                             uint32_t statement, uint32_t soft) {
  Text own = {0};
  const char *name = text_at(a, a->raw->arguments.at[m->first + 1].text);
  if (range_empty(s->name)) { /* plain @w: named after its place */
    Place place = source_origin(&a->program->sources, program_place(a->program, s, s->weight));
    const Source *source = &a->program->sources.list.at[place.source];
    Position at = source_position(source, place.offset);
    text_printf(&own, "%s:%u:%u", source->name, at.line, at.column);
    name = own.at;
  }
  size_t known = a->parameters.list.n;
  uint32_t number = names_add(&a->parameters, name, strlen(name));
  if (number == known) {
    uint32_t text = ground_name(a->g, name, strlen(name));
    vec_push(&a->parameter_weight, add_weight(a, 0, text, soft));
    vec_push(&a->initial_of, NONE);
  }
  vec_free(&own);
  check_initial(a, number, s, statement);
  return a->parameter_weight.at[number];
}

static uint32_t weight_of(Assembly *a, const RawMarker *m, uint32_t rule) {
  const Marked *marked = &a->script->rules.at[rule];
  const Statement *s = &a->program->statements.at[marked->statement];
  if (s->weight_kind == WEIGHT_HARD)
    return NONE;
  if (s->weight_kind == WEIGHT_PARAMETER)
    return parameter_of(a, m, s, marked->statement, rule);
  if (!weight_constant(&s->expression))
    return weight_of_instance(a, m, marked, s, rule);
  if (a->fixed[rule] == NONE)
    a->fixed[rule] = add_weight(a, weight_evaluate(&s->expression, NULL), NONE, rule);
  return a->fixed[rule];
}

/* ---- instances ------------------------------------------------------------------- */

/* `X=1, Y="a"`, or the values alone */
static uint32_t substitution(Assembly *a, const RawMarker *m, const Marked *marked, bool names) {
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

typedef VEC(Lit) Lits;

/* The body's literals but the marker (or what stands for it). */
static void add_literals(Assembly *a, const RawRule *r, Lits *lits) {
  for (uint32_t k = 0; k < r->size; k++) {
    int32_t literal = raw_body(a, r)[k];
    if (literal < 0 || (a->marker_of[literal] == NONE && a->alias[literal] == NONE))
      vec_push(lits, lit_from(a, literal));
  }
}

static void heads_of(Assembly *a, const RawRule *r, Lits *heads) {
  heads->n = 0;
  for (uint32_t h = 0; h < r->heads; h++)
    vec_push(heads, atom_of(a, id_of(raw_heads(a, r)[h])));
}

/* The general form, see the top: s and u are atoms of their own. */
static void add_guarded(Assembly *a, uint32_t marker, const Lits *body, uint32_t instance) {
  Lits lits = {0}, heads = {0};
  Atom s = ground_atom(a->g, NULL), u = ground_atom(a->g, NULL);
  bool violable = false;
  for (uint32_t i = a->head_rules[marker]; i != NONE; i = a->links.at[i].next) {
    const RawRule *r = &a->raw->rules.at[a->links.at[i].value];
    heads_of(a, r, &heads);
    lits.n = 0;
    vec_push(&lits, lit_of(s, false));
    add_literals(a, r, &lits);
    if (r->heads)
      add_rule(a, r->choice, heads.at, (uint32_t)heads.n, lits.at, (uint32_t)lits.n, NONE);
    if (r->choice)
      continue;
    violable = true;
    lits.n = 0;
    for (size_t k = 0; k < body->n; k++)
      vec_push(&lits, body->at[k]);
    add_literals(a, r, &lits);
    for (size_t h = 0; h < heads.n; h++)
      vec_push(&lits, lit_of(heads.at[h], true));
    add_rule(a, false, &u, 1, lits.at, (uint32_t)lits.n, NONE);
  }
  lits.n = 0;
  for (size_t k = 0; k < body->n; k++)
    vec_push(&lits, body->at[k]);
  vec_push(&lits, lit_of(u, true));
  add_rule(a, false, &s, 1, lits.at, (uint32_t)lits.n, NONE);
  Lit violated = lit_of(u, false);
  if (violable)
    add_rule(a, false, NULL, 0, &violated, 1, instance);
  vec_free(&lits);
  vec_free(&heads);
}

/* One ground instance: the marker, and the choice rule that has its body. */
static void add_instance(Assembly *a, uint32_t marker, const RawRule *choice) {
  const RawMarker *m = &a->raw->markers.at[marker];
  uint32_t rule = (uint32_t)atoi(text_at(a, a->raw->arguments.at[m->first].text));
  const Marked *marked = &a->script->rules.at[rule];
  const Statement *s = &a->program->statements.at[marked->statement];
  uint32_t weight = weight_of(a, m, rule), number = NONE;
  if (weight == NEVER)
    return;
  if (weight != ALWAYS) {
    Instance instance = {rule, weight, substitution(a, m, marked, true),
                         substitution(a, m, marked, false)};
    number = (uint32_t)a->g->instances.n;
    vec_push(&a->g->instances, instance);
    a->g->soft.at[rule].instances++;
  }
  uint32_t below = a->head_rules[marker];
  const RawRule *only = NULL; /* the one rule below the marker */
  if (below != NONE && a->links.at[below].next == NONE)
    only = &a->raw->rules.at[a->links.at[below].value];
  Lits body = {0}, heads = {0};
  add_literals(a, choice, &body);
  if (below == NONE && s->head_kind == HEAD_NONE) {
    add_rule(a, false, NULL, 0, body.at, (uint32_t)body.n, number);
  } else if (only && !only->choice && (!only->heads || only->size == 1)) {
    heads_of(a, only, &heads);
    add_literals(a, only, &body); /* of a constraint */
    add_rule(a, false, heads.at, (uint32_t)heads.n, body.at, (uint32_t)body.n, number);
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

static void add_plain(Assembly *a, const RawRule *r) {
  Rule rule = {.choice = r->choice,
               .weighted = r->weighted,
               .heads = r->heads,
               .size = r->size,
               .bound = r->bound,
               .instance = NONE};
  Lits words = {0};
  for (uint32_t h = 0; h < r->heads; h++)
    vec_push(&words, atom_of(a, id_of(raw_heads(a, r)[h])));
  for (uint32_t k = 0; k < r->size; k++) {
    Lit l = lit_from(a, raw_body(a, r)[k]);
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
  for (size_t i = 0; i < n; i++) {
    const RawRule *r = &a->raw->rules.at[i];
    uint32_t above = marker_above(a, r);
    if (above != NONE)
      add_instance(a, above, r);
    else if (plain[i] && !(r->heads == 1 && a->unneeded[*raw_heads(a, r)]))
      add_plain(a, r);
  }
  free(plain);
}

/* ---- observations, queries, shown terms ------------------------------------------- */

static uint32_t argument_number(const Assembly *a, const RawMarker *m, uint32_t i) {
  return (uint32_t)atoi(text_at(a, a->raw->arguments.at[m->first + i].text));
}

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

static void add_query(Assembly *a, const RawMarker *m) {
  uint32_t query = argument_number(a, m, 0);
  Atom atom = queried_atom(a, m);
  if (atom != NONE && !m->fact) {
    a->unneeded[m->atom] = true;
  } else if (atom == NONE) {
    atom = m->fact ? ground_atom(a->g, NULL) : atom_of(a, m->atom);
    if (m->fact)
      add_fact(a, atom);
  }
  Event e = {.first = query, .atom = atom};
  e.text = query_text(a, m, &a->script->queries.at[query]);
  vec_push(&a->g->queries, e);
}

static void add_violation(Assembly *a, const RawMarker *m) {
  Atom atom = m->fact ? ground_atom(a->g, NULL) : atom_of(a, m->atom);
  if (m->fact)
    add_fact(a, atom);
  Event e = {.first = argument_number(a, m, 0), .second = argument_number(a, m, 1), .atom = atom};
  e.text = ground_name(a->g, "", 0);
  vec_push(&a->g->violations, e);
}

static void add_markers(Assembly *a) {
  for (uint32_t i = 0; i < a->raw->markers.n; i++) {
    const RawMarker *m = &a->raw->markers.at[i];
    if (m->letter == MARK_PARAMETER)
      weight_of(a, m, argument_number(a, m, 0));
    else if (m->letter == MARK_VIOLATION)
      add_violation(a, m);
    else if (m->letter == MARK_QUERY)
      add_query(a, m);
  }
}

static void add_terms(Assembly *a) {
  for (size_t i = 0; i < a->raw->terms.n; i++) {
    const RawTerm *term = &a->raw->terms.at[i];
    Lits body = {0};
    for (uint32_t k = 0; k < term->size; k++)
      vec_push(&body, lit_from(a, a->raw->pool.at[term->first + k]));
    Atom atom = ground_atom(a->g, NULL);
    add_rule(a, false, &atom, 1, body.at, (uint32_t)body.n, NONE);
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
      diagnose_warning(&a->program->sources, program_place(a->program, s, s->whole), NULL,
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
      diagnose_warning(&a->program->sources, program_place(a->program, s, s->whole), NULL,
                     "the program has no atom %s/%s", name.at, arity.at);
    vec_free(&name);
    vec_free(&arity);
  }
}

/* What an observation does not list as true is false. */
static void close_world(Assembly *a) {
  Names listed = {0};
  Text key = {0};
  for (uint32_t i = 0; i < a->raw->markers.n; i++) {
    const RawMarker *m = &a->raw->markers.at[i];
    if (m->letter != MARK_LISTED)
      continue;
    key.n = 0;
    text_printf(&key, "%u %s", argument_number(a, m, 0),
                text_at(a, a->raw->arguments.at[m->first + 1].text));
    names_add(&listed, key.at, key.n);
  }
  for (uint32_t block = 0; block < a->g->blocks; block++)
    for (Atom atom = 0; atom < a->g->atoms.n; atom++) {
      const AtomInfo *info = &a->g->atoms.at[atom];
      if (info->name == NONE || info->truth != ATOM_OPEN ||
          hidden(a, ground_text(a->g, info->name)))
        continue; /* what an import has made is not for the user to list */
      key.n = 0;
      text_printf(&key, "%u %s", block, ground_text(a->g, info->name));
      if (names_find(&listed, key.at, key.n) == UINT32_MAX)
        vec_push(&a->g->violations,
                 (Event){.text = info->name, .first = block, .second = NONE, .atom = atom});
    }
  names_free(&listed);
  vec_free(&key);
}

static int compare_events(const void *a, const void *b, void *data) {
  const Event *x = a, *y = b;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  if (x->second != y->second)
    return x->second < y->second ? -1 : 1;
  return strverscmp(ground_text(data, x->text), ground_text(data, y->text));
}

/* In the order of the user's texts, not of the grounder's mind. */
static void sort_events(Ground *g) {
  if (g->violations.n)
    qsort_r(g->violations.at, g->violations.n, sizeof *g->violations.at, compare_events, g);
  if (g->queries.n)
    qsort_r(g->queries.at, g->queries.n, sizeof *g->queries.at, compare_events, g);
}

/* ---- all of it --------------------------------------------------------------------- */

static void prepare(Assembly *a) {
  count_ids(a);
  a->atom_of = filled(a->ids, NONE);
  a->marker_of = filled(a->ids, NONE);
  a->definitions = filled(a->ids, 0);
  a->unneeded = memory_zero(a->ids, sizeof *a->unneeded);
  a->alias = filled(a->ids, NONE);
  a->head_rules = filled((uint32_t)a->raw->markers.n, NONE);
  a->fixed = filled((uint32_t)a->script->rules.n, NONE);
  for (uint32_t i = 0; i < a->raw->markers.n; i++) {
    const RawMarker *m = &a->raw->markers.at[i];
    if (rule_marker(m->letter))
      a->marker_of[m->atom] = i;
    if (m->letter == MARK_NEVER)
      a->never = m->atom;
  }
  for (size_t i = 0; i < a->raw->rules.n; i++)
    for (uint32_t h = 0; h < a->raw->rules.at[i].heads; h++)
      a->definitions[id_of(raw_heads(a, &a->raw->rules.at[i])[h])]++;
  for (size_t i = 0; i < a->script->rules.n; i++)
    vec_push(&a->g->soft, (SoftRule){a->script->rules.at[i].statement, 0});
}

Status assemble(Program *program, const Script *script, ScriptOptions options,
                const RawProgram *raw, Ground *g) {
  Assembly a = {.program = program, .script = script, .raw = raw, .g = g};
  g->blocks = (uint32_t)program->blocks.n;
  prepare(&a);
  add_atoms(&a);
  add_markers(&a);
  add_externals(&a);
  add_rules(&a);
  add_terms(&a);
  add_impossible_queries(&a);
  g->received = (uint32_t)g->rules.n;
  ground_seal(g);
  add_signatures(&a);
  if (options.closed_world)
    close_world(&a);
  if (program->prolog) {
    imported_check(program, g);
    imported_display(program, g);
  }
  sort_events(g);
  names_free(&a.parameters);
  names_free(&a.names);
  free(a.unneeded);
  vec_free(&a.parameter_weight);
  vec_free(&a.initial_of);
  free(a.atom_of);
  free(a.marker_of);
  free(a.definitions);
  free(a.alias);
  free(a.head_rules);
  vec_free(&a.links);
  free(a.fixed);
  return program->sources.errors ? INPUT : OK;
}
