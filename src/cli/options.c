/* options.c - see options.h. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALL (C_INFER | C_MAP | C_MODELS | C_SAMPLE | C_CHECK | C_TRANSLATE | C_COMPILE)
#define ANSWERS (C_INFER | C_MAP | C_MODELS | C_SAMPLE)

const Command commands[] = {
    {C_INFER, "infer", "PROGRAM… [-e EVIDENCE] [-q QUERY]…",
     "probabilities of atoms, given evidence",
     "Without -q, every atom that is neither certain nor impossible is printed."},
    {C_MAP, "map", "PROGRAM… [-e EVIDENCE]", "the most probable stable model(s)",
     "All models that tie with the most probable one are printed."},
    {C_MODELS, "models", "PROGRAM… [-e EVIDENCE] [-n N]",
     "the stable models with their probabilities, most probable first",
     "Without -n, the 10,000 most probable ones are printed."},
    {C_SAMPLE, "sample", "PROGRAM… [-e EVIDENCE] -n N", "N random stable models",
     "They are independent and distributed exactly as the program says."},
    {C_CHECK, "check", "PROGRAM… [-e OBSERVATIONS]",
     "what the program is: size, loops, components, coherence, which engine fits",
     "Also says what is unusual: hard rules that contradict each other, soft rules without "
     "instances, observations that are impossible."},
    {C_TRANSLATE, "translate", "PROGRAM… --to TARGET", "the program in another language",
     "The target asp is an answer set program for clingo."},
    {C_COMPILE, "compile", "PROGRAM… [-e EVIDENCE] -o FILE",
     "the compiled program, which every command takes in place of the text",
     "Answers from the file need neither grounding nor compiling, whatever the weights (-w)."},
};
const size_t command_count = sizeof commands / sizeof *commands;

const Option options[] = {
    {O_EVIDENCE, ANSWERS | C_CHECK | C_COMPILE, 'e', "evidence", "FILE",
     "what was observed: constraints (`:- not a.`) or literals (`a. not b.`); may be repeated"},
    {O_DATA, C_CHECK, 0, "data", "TABLE.csv",
     "observations as a table: a header of ground atoms, rows of 1, 0 or nothing"},
    {O_OUTPUT, C_COMPILE, 'o', "output", "FILE", "where the compiled program goes"},
    {O_WEIGHT, ALL & ~C_TRANSLATE, 'w', "weight", "NAME=NUMBER",
     "the weight of a parameter, in place of its initial value; may be repeated"},
    {O_QUERY, C_INFER, 'q', "query", "QUERY",
     "an atom, a signature (p/2), an atom with variables, or a conjunction; may be repeated"},
    {O_NUMBER, C_MODELS | C_SAMPLE, 'n', "number", "N", "how many models are printed (0: all) or drawn"},
    {O_TO, C_TRANSLATE, 0, "to", "asp", "the language to translate to"},
    {O_FORM, C_TRANSLATE, 0, "form", "penalty|reward",
     "weak constraints that punish violated or reward satisfied rules"},
    {O_FORMAT, ANSWERS | C_CHECK, 0, "format", "text|json", "how the answer is printed"},
    {O_METHOD, ANSWERS | C_CHECK, 0, "method", "auto|exact|enumerate",
     "the engine: a compiled circuit, or all stable models one after the other"},
    {O_HARD_RULES, ALL & ~C_TRANSLATE, 0, "hard-rules", "strict|violable",
     "violable: as many hard rules as possible hold, not all (the original definition)"},
    {O_CLOSED_WORLD, ANSWERS | C_CHECK | C_COMPILE, 0, "closed-world", NULL,
     "atoms that the evidence does not list are false"},
    {O_CONST, ALL, 'c', "const", "NAME=VALUE", "replaces a constant, as in clingo; may be repeated"},
    {O_INCLUDE_ROOT, ALL, 0, "include-root", "DIR",
     "#include may read files below this folder (default: the program's own)"},
    {O_SEED, ALL, 0, "seed", "N", "of everything random (default 0)"},
    {O_THREADS, ALL, 0, "threads", "N", "how many to use (default 1)"},
    {O_TIME_LIMIT, ALL, 0, "time-limit", "SECONDS", "stop then and print what is known"},
    {O_MEMORY_LIMIT, ALL, 0, "memory-limit", "MIB",
     "for grounding and solving (default 4096); stop there and print what is known"},
    {O_QUIET, ALL, 0, "quiet", NULL, "no notes and warnings"},
    {O_VERBOSE, ALL, 0, "verbose", NULL, "say what is being done"},
    {O_VERSION, ALL, 0, "version", NULL, "print the version"},
    {O_HELP, ALL, 'h', "help", NULL, "print this"},
};
const size_t option_count = sizeof options / sizeof *options;

/* ---- help --------------------------------------------------------------------- */

static void print_option(const Option *o, FILE *to) {
  char left[64];
  int n = o->letter ? snprintf(left, sizeof left, "  -%c, ", o->letter)
                    : snprintf(left, sizeof left, "      ");
  snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", o->name, o->argument ? " " : "",
           o->argument ? o->argument : "");
  fprintf(to, "%-30s  %s\n", left, o->help);
}

void options_help(const Command *command, FILE *to) {
  if (command) {
    fprintf(to, "lpmln %s %s\n\n%c%s. %s\n", command->name, command->usage,
            toupper((unsigned char)*command->summary), command->summary + 1, command->details);
  } else {
    fprintf(to, "lpmln %s: probabilistic answer set programs\n\n", lpmln_version());
    for (size_t i = 0; i < command_count; i++)
      fprintf(to, "  lpmln %-9s %-36s %s\n", commands[i].name, commands[i].usage,
              commands[i].summary);
    fprintf(to, "\n`-` reads standard input. `lpmln COMMAND --help` tells more.\n");
  }
  fprintf(to, "\nOptions:\n");
  for (size_t i = 0; i < option_count; i++)
    if (!command || (options[i].commands & command->id))
      print_option(&options[i], to);
}

/* ---- parsing -------------------------------------------------------------------- */

static int wrong(const char *format, const char *what) {
  fprintf(stderr, "lpmln: ");
  fprintf(stderr, format, what);
  fprintf(stderr, "; `lpmln --help` tells more\n");
  return LPMLN_USAGE;
}

static bool parse_number(const char *text, double least, double most, double *value) {
  char *end;
  errno = 0;
  *value = strtod(text, &end);
  return end != text && !*end && isfinite(*value) && *value >= least && *value <= most;
}

/* The index of a value among `a|b|c`, or -1. */
static int choice(const char *list, const char *value) {
  size_t n = strlen(value);
  for (int i = 0;; i++) {
    size_t length = strcspn(list, "|");
    if (length == n && !strncmp(list, value, n))
      return i;
    if (!list[length])
      return -1;
    list += length + 1;
  }
}

static bool add(const char **list, size_t *count, const char *value) {
  if (*count == 1024)
    return false;
  list[(*count)++] = value;
  return true;
}

/* False if the value makes no sense. */
static bool set(Settings *s, const Option *o, const char *value) {
  double number = 0;
  int which = o->argument && strchr(o->argument, '|') ? choice(o->argument, value) : 0;
  if (which < 0)
    return false;
  bool whole = o->id == O_NUMBER || o->id == O_SEED || o->id == O_THREADS || o->id == O_MEMORY_LIMIT;
  if (whole || o->id == O_TIME_LIMIT)
    if (!parse_number(value, o->id == O_NUMBER || o->id == O_SEED ? 0 : o->id == O_TIME_LIMIT ? 1e-3 : 1, 9e15, &number) ||
        (whole && number != floor(number)))
      return false;
  switch (o->id) {
  case O_EVIDENCE: return add(s->evidence, &s->evidence_count, value);
  case O_DATA: return add(s->data, &s->data_count, value);
  case O_OUTPUT: s->output = value; break;
  case O_WEIGHT: return strrchr(value, '=') && add(s->weights, &s->weight_count, value);
  case O_QUERY: return add(s->queries, &s->query_count, value);
  case O_CONST: return strchr(value, '=') && add(s->constants, &s->constant_count, value);
  case O_NUMBER: s->number = (size_t)number, s->number_given = true; break;
  case O_TO: s->target = value; return !strcmp(value, o->argument);
  case O_FORM: s->form = which == 0 ? LPMLN_PENALTY : LPMLN_REWARD; break;
  case O_FORMAT: s->json = which == 1; break;
  case O_METHOD: s->library.method = which == 0 ? LPMLN_AUTO : which == 1 ? LPMLN_EXACT : LPMLN_ENUMERATE; break;
  case O_HARD_RULES: s->library.violable = which == 1; break;
  case O_CLOSED_WORLD: s->library.closed_world = true; break;
  case O_INCLUDE_ROOT: s->library.include_root = value; break;
  case O_SEED: s->library.seed = (uint64_t)number; break;
  case O_THREADS: s->library.threads = (unsigned)number; break;
  case O_TIME_LIMIT: s->library.time_limit = number; break;
  case O_MEMORY_LIMIT: s->library.memory_limit = (size_t)number; break;
  case O_QUIET: s->quiet = true; break;
  case O_VERBOSE: s->verbose = true; break;
  case O_VERSION: case O_HELP: break;
  }
  return true;
}

static const Command *find_command(const char *name) {
  for (size_t i = 0; i < command_count; i++)
    if (!strcmp(commands[i].name, name))
      return &commands[i];
  return NULL;
}

static int parse_all(int argc, char **argv, Settings *s) {
  struct option longs[sizeof options / sizeof *options + 1] = {{0}};
  char shorts[2 * sizeof options / sizeof *options + 2] = ":";
  for (size_t i = 0; i < option_count; i++) {
    longs[i] = (struct option){options[i].name, options[i].argument ? required_argument : no_argument,
                               NULL, 256 + (int)i};
    if (options[i].letter)
      snprintf(shorts + strlen(shorts), 3, "%c%s", options[i].letter, options[i].argument ? ":" : "");
  }
  int code;
  while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
    const Option *o = NULL;
    for (size_t i = 0; i < option_count; i++)
      if (code == 256 + (int)i || (options[i].letter && code == options[i].letter))
        o = &options[i];
    if (!o)
      return code == ':' ? wrong("option '%s' needs an argument", argv[optind - 1])
                         : wrong("unknown option '%s'", argv[optind - 1]);
    if (o->id == O_HELP || o->id == O_VERSION) {
      if (o->id == O_HELP)
        options_help(s->command, stdout);
      else
        printf("lpmln %s\n", lpmln_version());
      return LPMLN_OK;
    }
    if (s->command && !(o->commands & s->command->id))
      return wrong("--%s does not go with this command", o->name);
    if (!set(s, o, optarg)) {
      fprintf(stderr, "lpmln: --%s takes %s, not '%s'\n", o->name, o->argument, optarg);
      return LPMLN_USAGE;
    }
  }
  return -1;
}

int options_parse(int argc, char **argv, Settings *s) {
  *s = (Settings){.library = lpmln_options_default(), .number = 10000};
  if (argc > 1)
    s->command = find_command(argv[1]);
  if (argc > 1 && !s->command && argv[1][0] != '-')
    return wrong("there is no command '%s'", argv[1]);
  int skip = s->command ? 1 : 0;
  int done = parse_all(argc - skip, argv + skip, s);
  if (done >= 0)
    return done;
  if (!s->command) {
    options_help(NULL, stderr);
    return LPMLN_USAGE;
  }
  for (int i = optind + skip; i < argc; i++)
    if (!add(s->programs, &s->program_count, argv[i]))
      return wrong("more than 1024 %s", "files");
  if (!s->program_count)
    return wrong("'%s' needs a program", s->command->name);
  if (s->command->id == C_TRANSLATE && !s->target)
    return wrong("'%s' needs --to TARGET", s->command->name);
  if (s->command->id == C_COMPILE && !s->output)
    return wrong("'%s' needs -o FILE", s->command->name);
  if (s->command->id == C_SAMPLE && (!s->number_given || !s->number))
    return wrong("'%s' needs -n N, how many", s->command->name);
  return -1;
}
