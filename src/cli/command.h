/* command.h - the commands of the program, one file each, and the table of them. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "lpmln/lpmln.h"

#include <stddef.h>

typedef struct Session Session; /* session.h */

/* Bits: an option says which commands take it. */
typedef enum {
  C_INFER = 1,
  C_MAP = 2,
  C_MODELS = 4,
  C_SAMPLE = 8,
  C_CHECK = 16,
  C_TRANSLATE = 32,
  C_LEARN = 64,
  C_COMPILE = 128,
  C_INDUCE = 256,
  C_COMPARE = 512,
  C_WHY = 1024,
  C_DECIDE = 2048
} CommandSet;

typedef struct Command {
  CommandSet bit;
  const char *name, *usage, *summary, *details;
  /* Asks one question and prints the answer.  LPMLN_USAGE, with a message: the options
  ** do not make a question together. */
  lpmln_status (*ask)(Session *);
} Command;

extern const Command commands[];
extern const size_t command_count;

const Command *command_find(const char *name); /* NULL: there is none */

lpmln_status command_learn(Session *);
lpmln_status command_infer(Session *);
lpmln_status command_map(Session *);
lpmln_status command_models(Session *); /* map.c */
lpmln_status command_sample(Session *);
lpmln_status command_check(Session *);
lpmln_status command_translate(Session *);
lpmln_status command_compile(Session *);
lpmln_status command_induce(Session *);
lpmln_status command_compare(Session *);
lpmln_status command_why(Session *);
lpmln_status command_decide(Session *);

#endif
