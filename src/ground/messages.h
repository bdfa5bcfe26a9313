/* messages.h - what clingo complained about, said in the user's terms. */
#ifndef GROUND_MESSAGES_H
#define GROUND_MESSAGES_H

#include "base/diagnostic.h"
#include "ground/script.h"
#include "language/program.h"

/* `message` is one of clingo's log; its place is in the script. */
void messages_say(const Program *, Diagnostics *, const Script *, const char *message);

#endif
