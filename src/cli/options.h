/* options.h - the one table of commands and options.  Parsing, help, the man
** page and shell completion are all made from it. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "lpmln/lpmln.h"

#include <stdio.h>

typedef enum {
  C_INFER = 1,
  C_MAP = 2,
  C_MODELS = 4,
  C_SAMPLE = 8,
  C_CHECK = 16,
  C_TRANSLATE = 32,
  C_LEARN = 64,
  C_COMPILE = 128
} CommandSet;

typedef struct {
  CommandSet id;
  const char *name, *usage, *summary, *details;
} Command;

typedef enum {
  O_EVIDENCE,
  O_DATA,
  O_OUTPUT,
  O_OPTIMIZER,
  O_RATE,
  O_DELTA,
  O_ITERATIONS,
  O_RESTARTS,
  O_PRIOR,
  O_BOUNDS,
  O_NOISY,
  O_TEST,
  O_FOLDS,
  O_HISTORY,
  O_CHECKPOINT,
  O_RESUME,
  O_WEIGHT,
  O_QUERY,
  O_NUMBER,
  O_UNIFORM,
  O_TO,
  O_DIALECT,
  O_DATA_OUTPUT,
  O_FROM,
  O_PROBLOG_CLAUSES,
  O_FORM,
  O_FORMAT,
  O_METHOD,
  O_HARD_RULES,
  O_CLOSED_WORLD,
  O_REPORT,
  O_CONST,
  O_INCLUDE_ROOT,
  O_SEED,
  O_THREADS,
  O_TIME_LIMIT,
  O_MEMORY_LIMIT,
  O_QUIET,
  O_VERBOSE,
  O_VERSION,
  O_HELP,
  O_CHAINS,
  O_SAMPLES,
  O_BURN_IN,
  O_THIN,
  O_BLOCKS,
  O_COMPILE_LIMIT
} OptionId;

typedef struct {
  OptionId id;
  unsigned commands; /* CommandSets that take it */
  char letter;       /* 0: none */
  const char *name;
  const char *argument; /* NULL: none; `a|b` lists all values */
  const char *help;
} Option;

extern const Command commands[];
extern const size_t command_count;
extern const Option options[];
extern const size_t option_count;

/* What the user asked for. */
typedef struct {
  const Command *command;
  lpmln_options library;
  const char *programs[1024], *evidence[1024], *data[1024], *queries[1024], *constants[1024],
      *weights[1024], *tests[1024];
  size_t program_count, evidence_count, data_count, query_count, constant_count, weight_count,
      test_count;
  lpmln_learning_options learning;
  const char *history; /* a file of learn; NULL: none */
  size_t number;       /* of models; 0: all */
  bool number_given, uniform, json, quiet, verbose;
  lpmln_form form;
  const char *target; /* of translate */
  const char *output; /* a file of compile or learn */
  lpmln_dialect dialect;
  const char *data_output; /* of translate: where observations go; NULL: nowhere */
  const char *report;      /* a page to write; NULL: none */
  const char *line;        /* the command as typed, for the report */
} Settings;

/* -1: go on with the settings; else the exit code.  Prints help and errors. */
int options_parse(int argc, char **argv, Settings *);

void options_help(const Command *, FILE *); /* NULL: all commands */

#endif
