/* assembly.h - what the files that put a ground program together share: assemble.c has
** atoms, rules and instances, weights.c the weights of instances, events.c what follows
** the program itself (observations, queries, shown terms) and how atoms are displayed. */
#ifndef GROUND_ASSEMBLY_H
#define GROUND_ASSEMBLY_H

#include "base/diagnostic.h"
#include "base/graph.h"
#include "base/memory.h"
#include "base/names.h"
#include "ground/assemble.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "ground/script.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Linked lists of numbers; NONE ends one. */
typedef struct {
  uint32_t value, next;
} Link;

typedef struct {
  const Program *program;
  Diagnostics *said;
  const Script *script;
  const RawProgram *raw;
  Ground *g;
  Observations *observed;
  uint32_t ids;          /* clingo's atoms are below this */
  Atom *atom_of;         /* by clingo's atom: ours, or NONE so far */
  uint32_t *marker_of;   /* by clingo's atom: a marker of a rule, or NONE */
  uint32_t *coin_of;     /* by clingo's atom: a marker of a coin, or NONE */
  uint32_t *definitions; /* by clingo's atom: number of rules with it as a head */
  uint32_t *alias;       /* by clingo's atom: first Link to a marker that it stands for */
  uint32_t *head_rules;  /* by marker: first Link to a raw rule below it */
  uint32_t *choices;     /* by marker: first Link to a choice rule above it */
  VEC(Link) links;
  uint32_t never;      /* clingo's atom of MARK_NEVER */
  Names names;         /* of the raw atoms, made when a query needs it */
  bool *set;           /* by clingo's atom: it is, and no fact, see intervene.h; NULL: none is */
  bool *hidden;        /* by atom of ours: answers never show it */
  bool *event;         /* by clingo's atom: of an observation or query; nothing depends on it… */
  GraphLists defining; /* …and these are its rules */
  Names given;         /* conditions of queries by number and variables… */
  VEC(Atom) given_atoms; /* …and their atoms */
  Names parameters;
  uint32_t *fixed;                /* by script rule: its one weight, or NONE */
  VEC(uint32_t) parameter_weight; /* by name in parameters: in weights */
  VEC(uint32_t) initial_of;       /* by name: the statement that gave its initial value */
} Assembly;

static inline const char *text_at(const Assembly *a, uint32_t at) { return a->raw->text.at + at; }

static inline const int32_t *raw_heads(const Assembly *a, const RawRule *r) {
  return a->raw->pool.at + r->first;
}
static inline const int32_t *raw_body(const Assembly *a, const RawRule *r) {
  return raw_heads(a, r) + r->heads;
}
static inline const int32_t *raw_weights(const Assembly *a, const RawRule *r) {
  return raw_body(a, r) + r->size;
}

static inline uint32_t id_of(int32_t literal) { return (uint32_t)abs(literal); }

static inline uint32_t argument_number(const Assembly *a, const RawMarker *m, uint32_t i) {
  return (uint32_t)atoi(text_at(a, a->raw->arguments.at[m->first + i].text));
}

/* assemble.c: ours for clingo's atoms, made when first asked for; rules of the ground program. */
Atom assembly_atom(Assembly *, uint32_t id);
Lit assembly_literal(Assembly *, int32_t literal);
void assembly_rule(Assembly *, bool choice, const Atom *heads, uint32_t head_count, const Lit *body,
                   uint32_t size, uint32_t instance);
void assembly_fact(Assembly *, Atom);
void assembly_plain(Assembly *, const RawRule *);

/* events.c: the atom of that name; NONE: there is none. */
Atom assembly_named(Assembly *, const char *name);

/* weights.c: the instance's weight in Ground.weights, NONE for a hard rule, or of
** probabilities 1 and 0: the instance is a hard rule, or none. */
#define WEIGHT_ALWAYS (NONE - 1)
#define WEIGHT_NEVER (NONE - 2)
uint32_t assembly_weight(Assembly *, const RawMarker *, uint32_t rule);
/* The statement's number with the values of the marker's variables; false: that was said. */
bool assembly_number(Assembly *, const RawMarker *, const Marked *, double *);

/* events.c: called in this order, parts of formulas before what they are parts of.  Sealing comes
 * before close_world. */
void events_add_violation(Assembly *, const RawMarker *);
void events_look_up(Assembly *); /* observations of one atom */
void events_add_part(Assembly *, const RawMarker *);
void events_add_given(Assembly *, const RawMarker *);
void events_add_query(Assembly *, const RawMarker *);
void events_add_decision(Assembly *, const RawMarker *);
void events_add_utility(Assembly *, const RawMarker *);
void events_add_terms(Assembly *);
void events_add_unmarked(Assembly *); /* queries without a marker of their own */
void events_display(Assembly *);
void events_sort(Ground *);
void events_close_world(Assembly *, ScriptOptions);

#endif
