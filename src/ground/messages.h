/* messages.h - what clingo complained about, said in the user's terms. */
#ifndef GROUND_MESSAGES_H
#define GROUND_MESSAGES_H

#include "ground/script.h"

/* `message` is one of clingo's log; its place is in the script. */
void messages_report(Program *, const Script *, const char *message);

#endif
