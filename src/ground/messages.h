/* messages.h - what clingo complained about, said in the user's terms. */
#ifndef GROUND_MESSAGES_H
#define GROUND_MESSAGES_H

#include "base/bytes.h"
#include "base/diagnostic.h"
#include "ground/absent.h"
#include "ground/script.h"
#include "ground/unbounded.h"
#include "language/program.h"

#include <stdbool.h>

/* `message` is one of clingo's log; its place is in the script.  Atoms that no rule derives are
** added to `underived`, for who can tell more of them. */
void messages_say(const Program *, Diagnostics *, const Script *, const char *message,
                  Places *underived);

/* Grounding has no end: names the rule.  `what` is OUTCOME_ENDLESS behind its number; false: it
** makes no sense. */
bool messages_endless(const Program *, Diagnostics *, Bytes *what);

/* Likewise of a rule that counts without end; false: there is none. */
bool messages_counting(const Program *, Diagnostics *, const Growths *);

/* The rule that derives a predicate; of several, one with a body.  NULL: none is the user's. */
const Statement *messages_rule(const Program *, const char *predicate);

/* A limit was reached when so many rules were ground: names what has the most instances.
** `number`: of a marker, its rule. */
void messages_explodes(const Program *, Diagnostics *, const Script *, const char *predicate,
                       uint32_t atoms, uint32_t rules, uint32_t number);

#endif
