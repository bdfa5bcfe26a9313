/* assemble.h - the grounder's raw output, and what puts it together. */
#ifndef GROUND_ASSEMBLE_H
#define GROUND_ASSEMBLE_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/status.h"
#include "ground/absent.h"
#include "ground/ground.h"
#include "ground/messages.h"
#include "ground/observations.h"
#include "ground/script.h"
#include "ground/unbounded.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

/* In pool: heads (clingo's atoms), body (clingo's literals), then weights. */
typedef struct {
  bool choice, weighted;
  uint32_t first, heads, size;
  int32_t bound;
} RawRule;

typedef struct {
  uint32_t atom, name;
  bool fact, shown;
} RawAtom;

typedef struct {
  uint32_t atom;
  bool fact;
  char letter;           /* MARK_… */
  uint32_t first, count; /* in arguments */
} RawMarker;

typedef struct {
  char type; /* 'n' number, 's' string, 'o' other */
  uint32_t text;
} Argument;

typedef struct {
  uint32_t atom, type; /* clingo's: 0 free, 1 true, 2 false, 3 released */
} RawExternal;

typedef struct {
  uint32_t name, first, size; /* condition: literals in pool */
} RawTerm;

/* What the grounder had made when it was looked at last. */
typedef struct {
  uint32_t name, atoms; /* the predicate with the most atoms */
  uint32_t rules;       /* ground rules in all; 0: it was not looked at */
  uint32_t number;      /* the first argument of one of its atoms; of a marker, its rule */
} RawLargest;

typedef struct {
  VEC(RawRule) rules;
  VEC(int32_t) pool;
  VEC(RawAtom) atoms;
  VEC(RawMarker) markers;
  VEC(Argument) arguments;
  VEC(RawExternal) externals;
  VEC(RawTerm) terms;
  Text text; /* NUL-terminated strings */
  RawLargest largest;
  Growths growths;  /* until the largest one is told */
  Places underived; /* atoms that no rule derives */
} RawProgram;

void raw_free(RawProgram *);

/* Fills and seals the ground program and the observations; wrong weights are said: INPUT. */
Status assemble(const Program *, Diagnostics *, const Script *, ScriptOptions, const RawProgram *,
                Ground *, Observations *);

#endif
