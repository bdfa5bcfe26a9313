/* mln_names.h - predicates, constants and types of a program written in Markov
** logic.
**
** Alchemy wants constants with capital letters, one arity for each predicate, at
** least one argument, and a type for each argument.  Positions of arguments have
** the same type if they share a variable or a constant, so that each constant
** belongs to one type. */
#ifndef TRANSLATE_MLN_NAMES_H
#define TRANSLATE_MLN_NAMES_H

#include "base/names.h"
#include "ground/ground.h"

typedef struct {
  char *written;
  uint32_t arity; /* as written: at least 1 */
  uint32_t first; /* its positions are slots first, first + 1, … */
  bool plain;     /* no arguments in the program */
} MlnPredicate;

typedef struct {
  Names keys; /* `p/2`, by predicate */
  VEC(MlnPredicate) predicates;
  VEC(uint32_t) parent; /* by slot: union-find over positions and variables */
  Names constants;      /* as in the program… */
  VEC(char *) written;  /* …and as written */
  VEC(uint32_t) slot;   /* by constant */
  Names taken;          /* names of predicates, constants, types */
  VEC(char *) types;    /* by slot: the name, of roots only; mln_names_close */
  VEC(uint32_t) sizes;  /* by slot: constants of the type, of roots only */
} MlnNames;             /* {0} is empty */

void mln_names_free(MlnNames *);

/* A ground atom's text (or a predicate's name) cut into its parts. */
typedef struct {
  const char *name;
  size_t length;
  VEC(const char *) at; /* arguments: where they start… */
  VEC(size_t) lengths;  /* …and how long they are */
} MlnSplit;

void mln_split(const char *atom, MlnSplit *);
void mln_split_free(MlnSplit *);

uint32_t mln_predicate(MlnNames *, const char *name, size_t length, uint32_t arity);
uint32_t mln_constant(MlnNames *, const char *text, size_t length);
uint32_t mln_slot(MlnNames *); /* of a variable */
void mln_same(MlnNames *, uint32_t slot, uint32_t other);

/* Makes the names and constants of an atom known; returns its predicate. */
uint32_t mln_add_atom(MlnNames *, const char *atom);

/* Chooses names for types; nothing may be added afterwards. */
void mln_names_close(MlnNames *);

uint32_t mln_type(const MlnNames *, uint32_t slot); /* its root */
uint32_t mln_type_size(const MlnNames *, uint32_t slot);

void mln_write_atom(const MlnNames *, const char *atom, Text *);
void mln_write_declarations(const MlnNames *, bool domains, Text *);

/* Comments about what is spelt otherwise than in the program. */
void mln_write_changes(const MlnNames *, Text *);

#endif
