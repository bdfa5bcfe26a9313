/* portions_shared.h - which rank has a portion, and how it gets there; see portions.h. */
#ifndef LEARN_PORTIONS_SHARED_H
#define LEARN_PORTIONS_SHARED_H

#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "learn/portions.h"

/* 0: this process. */
unsigned portions_owner(const Portions *, size_t portion);

/* The portion that comes next, to its owner. */
Status portions_send(Portions *, const Text *bytes, const Limits *);

#endif
