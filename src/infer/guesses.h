/* guesses.h - what a stable model guesses before an atom follows.
**
** A guess is (1) an instance of a soft rule with a head: it is satisfied, or violated; (2) a head
** of a choice rule: it is not refused, or refused, which is that the body holds and the head does
** not; (3) an atom of a disjunction, or one that is negated in a loop through itself: it holds or
** not.  The truth of all guesses that an atom depends on determines whether it holds; hard
** constraints make atoms depend on each other.  `a :- B, not not a.` is a choice.
**
** Guesses whose truth no atom tells get one: the ground program is copied and grows. */
#ifndef INFER_GUESSES_H
#define INFER_GUESSES_H

#include "base/memory.h"
#include "ground/ground.h"
#include "infer/task.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GUESS_LEVELS = 3 };

typedef enum { GUESS_SOFT, GUESS_CHOICE, GUESS_ATOM } GuessKind;

typedef struct {
  Lit holds; /* the guess is true iff this literal holds, in the copy */
  GuessKind kind;
  uint32_t rule; /* of kinds SOFT and CHOICE */
  Atom head;     /* of the rule, or the atom itself */
  bool free;     /* whatever else is guessed, either way leaves a stable model with the evidence and
                 ** the same other guesses: a fact with no other rule, and below it neither guesses,
                 ** constraints nor evidence */
  uint8_t level; /* 0; 1: a choice or an atom that depends on other guesses; 2: without a name */
} Guess;

typedef struct {
  Ground ground;   /* the program, and atoms that tell guesses */
  VEC(Guess) list; /* those that the atom depends on: soft rules first */
} Guesses;         /* {0} is empty */

/* Of a sealed program; the query is open.  Evidence is borrowed. */
void guesses_make(const Ground *, const Lit *evidence, size_t evidences, Atom query, Guesses *);
void guesses_free(Guesses *);

/* A guess as text, or its opposite; in the answer's memory. */
const char *guess_text(const Task *, const Guesses *, const Guess *, bool negated);

/* A literal, and a rule of the ground program, as text. */
void guess_write_literal(const Ground *, Lit, Text *);
void guess_write_rule(const Ground *, const Rule *, Text *);

#endif
