/* protocol.h - what the worker process and the library say to each other.
**
** Both sides are built together, so numbers travel in the machine's own
** layout.  A message is a header and `length` bytes.  Its check sum is over its
** number among those of its direction, too, so that none is lost, repeated or
** changed on the way.  Requests go to the worker one at a time; it streams
** replies and ends with REPLY_DONE.
**
** Strings: u32 length and bytes.  Literals: clingo's, +a or -a, a > 0. */
#ifndef SOLVER_PROTOCOL_H
#define SOLVER_PROTOCOL_H

#include "base/hash.h"

#include <stdint.h>

typedef struct {
  uint32_t type, length;
  uint64_t sum;
} Header;

/* What the sum of a message must be; `number` counts from 0. */
static inline uint64_t message_sum(const Header *header, uint64_t number, const void *bytes) {
  uint64_t h = hash_word(HASH_START, number);
  return hash_words(hash_word(h, header->type), bytes, header->length);
}

enum {
  REQUEST_GROUND = 1, /* string prefix, string text */
  REQUEST_PARSE,      /* the same, for its messages only */
  REQUEST_SOLVE,      /* see below */
  REQUEST_LOAD,       /* see below */
  REQUEST_CELL,
};

enum {
  REPLY_ATOM = 16, /* u32 atom, u8 fact, u8 shown, string name */
  REPLY_MARKER,    /* u32 atom, u8 fact, u8 letter, u32 n, n × (u8 type, string) */
  REPLY_RULE,      /* u8 choice, u32 heads, heads × u32, u32 size, size × i32 */
  REPLY_WEIGHT,    /* as REPLY_RULE, then i32 bound, size × i32 weight */
  REPLY_EXTERNAL,  /* u32 atom, u32 type */
  REPLY_TERM,      /* string name, u32 size, size × i32 */
  REPLY_LOG,       /* u32 code, string message */
  REPLY_MODELS,    /* models, each in (bits + 7) / 8 bytes */
  REPLY_LARGEST,   /* while grounding: string predicate, u32 its atoms, u32 ground rules so far, u32
                      the first argument of its last atom if that is a number, else 0 */
  REPLY_GROWTH,    /* before that, of each predicate with many atoms: string predicate, u32 its
                      atoms, u32 how far a number of the last one is from that of the first */
  REPLY_DONE,      /* u32 outcome, string message; OUTCOME_ENDLESS: string predicate, u32 its
                      atoms, u32 how deep one is nested */
};

enum { OUTCOME_OK, OUTCOME_ERROR, OUTCOME_MEMORY, OUTCOME_ENDLESS };

/* Descriptors of the worker: the two ends of its socket, and a pipe into which it puts
** one byte, NOTE_MEMORY, before it stops itself at its memory limit. */
enum { WORKER_IN = 0, WORKER_OUT = 1, WORKER_NOTE = 3 };
enum { NOTE_MEMORY = 'm' };

/* REQUEST_SOLVE: u32 most (0: all models), then a program: u32 atoms, u32 rules,
** each rule: u8 weighted, u8 choice, u32 heads, heads × u32, u32 size, size ×
** i32, and if weighted i32 bound, size × i32 weight.  Atoms are numbered from
** 1.  Then u32 bits, bits × i32: literals to report of each model.  Then the
** minimality checker: u32 0 for none, or a program, u32 pairs, pairs × i32
** literals of the model, u32 pairs, pairs × i32 atoms of the checker.  A model
** is dropped if the checker is satisfiable when its atoms are assumed to have
** the values that the literals have in the model.
**
** REQUEST_LOAD: the same without `most`, then u32 hashed, hashed × u32 atoms.
** REQUEST_CELL, about the program loaded last: u32 most, u32 n, n × i32 literals
** that are assumed, u32 bits, bits × i32 literals to report, u32 rows, each
** (hashed + 1 + 63) / 64 words of 64 bits: the parity of the hashed atoms whose bit is
** set is that of the bit after them. */

#endif
