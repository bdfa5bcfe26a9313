/* options.h - the one table of options.  Parsing, help, the man page and shell
** completion are all made from it: a new option is a new row. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/memory.h"
#include "cli/command.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>

typedef VEC(const char *) Words; /* borrowed, of argv */

typedef struct {
  char *name; /* owned */
  double value;
} Weight;

typedef struct {
  char *name; /* owned */
  const char *value;
} Constant;

typedef enum { FORMAT_TEXT, FORMAT_JSON } Format;

/* What the user asked for. */
typedef struct {
  const Command *command;
  char *line; /* as one would type it again, for the report; owned */
  lpmln_options library;
  lpmln_learning_options learning;
  lpmln_induction_options induction;
  lpmln_translation_options translation;
  Words programs, evidence, data, tests, queries, interventions, observables, fixed;
  VEC(Weight) weights;
  VEC(Constant) constants;
  size_t number;     /* of models, 0: all; SIZE_MAX: not said */
  bool split;        /* of learn: weights for clusters of instances */
  bool trace, chain; /* of sample: its steps; of check: the Markov chain of mc-asp */
  bool uniform, quiet, verbose, help, version;
  Format format;
  const char *output;      /* a file: of learn and compile a program, else the answer */
  const char *data_output; /* of translate: where observations go; NULL: nowhere */
  const char *candidates;  /* a file of induce */
  const char *elsewhere;   /* a file with weights, of learn; NULL: none */
  const char *history;     /* a file of learn; NULL: none */
  const char *report;      /* a page to write; NULL: none */
} Settings;

/* ---- the table ------------------------------------------------------------------ */

typedef enum {
  FLAG,   /* no argument; a bool becomes true */
  STRING, /* a const char *; one of `names`, if there are any */
  LIST,   /* Words; may be repeated */
  NUMBER, /* a double within `least` and `most` */
  COUNT,  /* a whole number within them, of any unsigned type */
  CHOICE, /* the value of one of `choices`, an enumeration or a bool */
  CUSTOM  /* `parse` does it */
} OptionType;

typedef struct {
  const char *name; /* NULL ends a list */
  int value;
} Choice;

typedef struct {
  unsigned commands; /* CommandSets that take it */
  char letter;       /* 0: none */
  const char *name;
  const char *argument; /* NULL: none, or the names of its choices */
  const char *help;
  OptionType type;
  size_t field, size; /* where the value goes in Settings, and its bytes */
  double least, most;
  const char *otherwise; /* the default in words; NULL: what the field is, if that says
                         ** something (NUMBER, COUNT, CHOICE) */
  const Choice *choices;
  const lpmln_choice *(*names)(size_t *count);
  bool (*parse)(Settings *, const char *value); /* false: it makes no sense */
  bool optional; /* of CUSTOM: the value may be missing (NULL); `argument` is `[=VALUE]` */
} Option;

extern const Option options[];
extern const size_t option_count;

/* Is the table well-formed?  For assertions. */
bool options_valid(void);

/* ---- parsing -------------------------------------------------------------------- */

/* -1: go on with the settings; else the exit code.  Prints help and errors.  The caller
** frees the settings either way. */
int options_parse(int argc, char **argv, Settings *);

void settings_default(Settings *);
void settings_free(Settings *);

/* A message about options that do not make a question; LPMLN_USAGE. */
lpmln_status usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For commands that samples do not answer: true, with a message, if they were asked for. */
bool refuse_samples(const Settings *);

/* ---- what is said about them: help.c -------------------------------------------- */

void options_help(Text *, const Command *); /* NULL: all commands */

bool option_takes_argument(const Option *);
void option_argument(Text *, const Option *); /* FILE, auto|exact; nothing for flags */
void option_values(Text *, const Option *);   /* the same, but all names that it may be */
void option_wants(Text *, const Option *);    /* the same, but numbers with their range */
void option_help(Text *, const Option *);     /* with the default */

/* The names that it may be, one after the other; NULL: no more, or anything goes. */
const char *option_name_at(const Option *, size_t i);

#endif
