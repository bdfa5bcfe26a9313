/* markov_names.h - predicates, constants and types of a program written in Markov
** logic.
**
** Alchemy wants constants with capital letters, one arity for each predicate, at
** least one argument, and a type for each argument.  Positions of arguments have
** the same type if they share a variable or a constant, so that each constant
** belongs to one type. */
#ifndef WRITE_MARKOV_NAMES_H
#define WRITE_MARKOV_NAMES_H

#include "base/memory.h"
#include "base/names.h"
#include "ground/ground.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  char *written;
  uint32_t arity; /* as written: at least 1 */
  uint32_t first; /* its positions are slots first, first + 1, … */
  bool plain;     /* no arguments in the program */
} ToMarkovPredicate;

typedef struct {
  Names keys; /* `p/2`, by predicate */
  VEC(ToMarkovPredicate) predicates;
  VEC(uint32_t) parent; /* by slot: union-find over positions and variables */
  Names constants;      /* as in the program… */
  VEC(char *) written;  /* …and as written */
  VEC(uint32_t) slot;   /* by constant */
  Names taken;          /* names of predicates, constants, types */
  VEC(char *) types;    /* by slot: the name, of roots only; to_markov_names_close */
  VEC(uint32_t) sizes;  /* by slot: constants of the type, of roots only */
} ToMarkovNames;        /* {0} is empty */

void to_markov_names_free(ToMarkovNames *);

/* A ground atom's text (or a predicate's name) cut into its parts. */
typedef struct {
  const char *name;
  size_t length;
  VEC(const char *) at; /* arguments: where they start… */
  VEC(size_t) lengths;  /* …and how long they are */
} ToMarkovSplit;

void to_markov_split(const char *atom, ToMarkovSplit *);
void to_markov_split_free(ToMarkovSplit *);

uint32_t to_markov_predicate(ToMarkovNames *, const char *name, size_t length, uint32_t arity);
uint32_t to_markov_constant(ToMarkovNames *, const char *text, size_t length);
uint32_t to_markov_slot(ToMarkovNames *); /* of a variable */
void to_markov_same(ToMarkovNames *, uint32_t slot, uint32_t other);

/* Makes the names and constants of an atom known; returns its predicate. */
uint32_t to_markov_add_atom(ToMarkovNames *, const char *atom);

/* Can the atom be written: are its predicate and its constants known? */
bool to_markov_knows(const ToMarkovNames *, const char *atom);

/* Does the predicate serve the translation alone? */
bool to_markov_auxiliary(const ToMarkovNames *, uint32_t predicate);

/* Chooses names for types; nothing may be added afterwards. */
void to_markov_names_close(ToMarkovNames *);

uint32_t to_markov_type(const ToMarkovNames *, uint32_t slot); /* its root */
uint32_t to_markov_type_size(const ToMarkovNames *, uint32_t slot);

void to_markov_write_atom(const ToMarkovNames *, const char *atom, Text *);
void to_markov_write_declarations(const ToMarkovNames *, bool domains, Text *);

/* Comments about what is spelt otherwise than in the program. */
void to_markov_write_changes(const ToMarkovNames *, Text *);

#endif
