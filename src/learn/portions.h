/* portions.h - observations in portions, each with a circuit of its own.
**
** Filled while observations are compiled, so many at a time; then only read.  A portion is bytes:
** the part of the circuit that its observations and the program need, and their mixtures.  What
** is more than `most` bytes lies in a file without a name and is mapped while it is looked at;
** what the disk does not take stays in memory.  On several machines portion i lives on rank
** i mod N.  Sums are in the order of portions, so that they are the same for any number of
** threads and ranks. */
#ifndef LEARN_PORTIONS_H
#define LEARN_PORTIONS_H

#include "base/limits.h"
#include "base/memory.h"
#include "base/share.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "learn/mixture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  char *bytes; /* owned; NULL: they are in the file, or on another rank… */
  size_t at;   /* …from here on */
  size_t length;
} Portion;

typedef struct {
  VEC(Portion) list;
  uint32_t weights; /* of the circuits */
  size_t nodes;     /* of all of them */
  size_t most;      /* bytes in memory; 0: no limit */
  size_t kept;      /* so many are */
  bool spilled;     /* there is a file */
  int file;         /* owned */
  size_t end;       /* of the file */
  ShareSetup setup; /* with other ranks; begun by portions_share */
  Text trouble;     /* of another rank, if a status is not OK */
} Portions;         /* {0} is empty */

/* Before anything is added. */
void portions_share(Portions *, Team *);

/* Sealed mixtures of the circuit's nodes: observations less the program; observations. */
Status portions_add(Portions *, const Circuit *, const Mixture *both, const Mixture *observed,
                    const Limits *);
void portions_free(Portions *);

typedef struct {
  const double *weights;   /* all of the circuit */
  const double *direction; /* the Hessian times this; NULL: the gradient */
  bool observed;           /* of the observations alone */
  unsigned threads;
  const Limits *limits;
} PortionQuestion;

/* Adds the value of one portion (0 with a direction), or of all, to `value`, and to `sum` by
** weight.  If it is not OK, what was added is good for nothing. */
Status portions_ask(Portions *, size_t portion, const PortionQuestion *, double *value,
                    double *sum);
Status portions_sum(Portions *, const PortionQuestion *, double *value, double *sum);

/* portions_shared.c: the same for another process. */
extern const ShareServer portions_server;

/* Parts of it that this process has: bytes that came from another one (false: they make no
** sense), and what one of them says. */
bool portions_keep(Portions *, const char *bytes, size_t length);
double portions_answer(const Portions *, size_t portion, const PortionQuestion *, double *sum);

#endif
