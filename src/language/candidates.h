/* candidates.h - rules to choose from: a text of rules without weights, and of mode
** declarations that stand for many.
**
**   carries(Y) :- contact(X,Y), carries(X).    % a candidate
**   #modeh carries(person).                    % a head; person is a type, person/1
**   #modeh #false.                             % constraints, too
**   #modeb contact(person,person).             % a body literal, also with `not`
**   #maxbody 2.                                % literals of a body, at most (2)
**   #maxvars 3.                                % variables of a rule, at most (3)
**
** An argument of a mode that is a name is a type, whose values variables range over;
** numbers, strings and names in parentheses stand for themselves. */
#ifndef LANGUAGE_CANDIDATES_H
#define LANGUAGE_CANDIDATES_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "language/lexer.h"

#include <stdint.h>

typedef struct {
  char *text;  /* on one line, with the full stop; owned */
  Place place; /* of the rule, or of the head's declaration */
} Candidate;

typedef struct {
  VEC(Candidate) list; /* no two alike */
} Candidates;          /* {0} is empty */

enum { MOST_CANDIDATES = 1000 };

/* Errors are said. */
void candidates_read(Diagnostics *, uint32_t source, Candidates *);
void candidates_free(Candidates *);

/* Unless it is there. */
void candidates_add(Candidates *, char *text, Place);

/* ---- modes.c ------------------------------------------------------------------------- */

/* A literal of a mode declaration: text between arguments, and types in their places. */
typedef struct {
  char *before;      /* `not contact(` up to the first type */
  VEC(char *) types; /* in order */
  VEC(char *) after; /* by type: the text up to the next one */
  Place place;
} Mode;

typedef struct {
  VEC(Mode) heads, bodies; /* a head without text: a constraint */
  uint32_t most_literals, most_variables;
} Modes;

/* From the tokens of `#modeh …` up to the full stop; false: said why not. */
bool modes_add(Modes *, Diagnostics *, const Source *, const Token *from, const Token *end, Place);

/* All rules that the declarations stand for. */
void modes_expand(const Modes *, Diagnostics *, Candidates *);
void modes_free(Modes *);

#endif
