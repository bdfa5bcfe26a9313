/* options.c - see options.h. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALL (C_LEARN | C_INFER | C_MAP | C_MODELS | C_SAMPLE | C_CHECK | C_TRANSLATE | C_COMPILE)
#define ANSWERS (C_INFER | C_MAP | C_MODELS | C_SAMPLE)
#define SAMPLED (C_INFER | C_SAMPLE | C_LEARN)

const Command commands[] = {
    {C_LEARN, "learn", "PROGRAM… -e OBSERVATIONS…",
     "the weights that make the observations most likely",
     "Parameters are weights written @w(NAME). Blocks of observations are separated by '---'."},
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
     "The target asp is an answer set program for clingo, nnf the compiled circuit, lpmln shows "
     "what an import means; "
     "mln is Markov logic; problog, plingo, wcnf (weighted model counting), aspif (clasp), dot "
     "(dependencies) and "
     "dot-circuit are for those tools."},
    {C_COMPILE, "compile", "PROGRAM… [-e EVIDENCE] -o FILE",
     "the compiled program, which every command takes in place of the text",
     "Answers from the file need neither grounding nor compiling, whatever the weights (-w)."},
};
const size_t command_count = sizeof commands / sizeof *commands;

const Option options[] = {
    {O_EVIDENCE, ALL, 'e', "evidence", "FILE",
     "what was observed: constraints (`:- not a.`) or literals (`a. not b.`); may be repeated"},
    {O_DATA, C_CHECK | C_LEARN, 0, "data", "TABLE.csv",
     "observations as a table: a header of ground atoms, rows of 1, 0 or nothing"},
    {O_OUTPUT, C_LEARN | C_COMPILE, 'o', "output", "FILE",
     "where the compiled program goes, or the program with the learned weights in place"},
    {O_OPTIMIZER, C_LEARN, 0, "optimizer", "auto|lbfgs|newton|em|ascent",
     "auto: in closed form where that is right, else lbfgs (newton with bounds)"},
    {O_RATE, C_LEARN, 0, "rate", "R", "learning rate of ascent (default 0.1)"},
    {O_DELTA, C_LEARN, 0, "delta", "D", "ascent ends when no weight moves by D (default 0.001)"},
    {O_ITERATIONS, C_LEARN, 0, "iterations", "N", "at most, for each start"},
    {O_RESTARTS, C_LEARN, 0, "restarts", "N",
     "further starts at random places, for incomplete observations (default: 5 if that is cheap)"},
    {O_PRIOR, C_LEARN, 0, "prior", "MEAN,SD",
     "a Gaussian prior for every parameter; or l1,STRENGTH (default: none)"},
    {O_BOUNDS, C_LEARN, 0, "bounds", "LOW,HIGH", "for every parameter"},
    {O_NOISY, C_LEARN, 0, "noisy", "REFUSE",
     "impossible observations: refuse, drop, or atoms[=U]: noise atoms of weight -U (default 10)"},
    {O_TEST, C_LEARN, 0, "test", "FILE",
     "observations (or a table, .csv) to evaluate the learned weights on; may be repeated"},
    {O_FOLDS, C_LEARN, 0, "folds", "K", "cross-validate with K folds"},
    {O_HISTORY, C_LEARN, 0, "history", "FILE.csv", "write one row per iteration"},
    {O_CHECKPOINT, C_LEARN, 0, "checkpoint", "FILE",
     "write down what was computed, to resume after a crash"},
    {O_RESUME, C_LEARN, 0, "resume", NULL, "go on from the checkpoint"},
    {O_WEIGHT, ALL & ~C_TRANSLATE, 'w', "weight", "NAME=NUMBER",
     "the weight of a parameter, in place of its initial value; may be repeated"},
    {O_QUERY, C_INFER | C_TRANSLATE, 'q', "query", "QUERY",
     "an atom, a signature (p/2), an atom with variables, or a conjunction; may be repeated"},
    {O_NUMBER, C_MODELS | C_SAMPLE, 'n', "number", "N",
     "how many models are printed (0: all) or drawn"},
    {O_UNIFORM, C_SAMPLE, 0, "uniform", NULL,
     "every stable model is as likely as any other: weights are ignored"},
    {O_TO, C_TRANSLATE, 0, "to", "asp|nnf|lpmln|problog|mln|plingo|wcnf|aspif|dot|dot-circuit",
     "the language to translate to"},
    {O_DIALECT, C_TRANSLATE, 0, "dialect", "alchemy|tuffy", "of Markov logic (default alchemy)"},
    {O_DATA_OUTPUT, C_TRANSLATE, 0, "data-output", "FILE",
     "where the observations (-e) go, in the target's own format for training data"},
    {O_FROM, ALL, 0, "from", "auto|lpmln|problog|mln|plingo|plog|azreasoners|lpmlnmodels",
     "the language of the program (default: by the names of its files)"},
    {O_PROBLOG_CLAUSES, ALL, 0, "problog-clauses", NULL,
     "of plingo: `a :- b, &problog(p).` is ProbLog's clause p::a :- b, not a soft rule"},
    {O_FORM, C_TRANSLATE, 0, "form", "penalty|reward",
     "weak constraints that punish violated or reward satisfied rules"},
    {O_FORMAT, ANSWERS | C_CHECK | C_LEARN, 0, "format", "text|json", "how the answer is printed"},
    {O_METHOD, ANSWERS | C_CHECK | C_LEARN, 0, "method", "auto|exact|mc-asp|enumerate",
     "the engine: a compiled circuit, Markov chains, or all stable models one after the other"},
    {O_CHAINS, SAMPLED, 0, "chains", "N", "Markov chains of mc-asp (default 4)"},
    {O_SAMPLES, C_INFER | C_LEARN, 0, "samples", "N",
     "of each chain of mc-asp, 8 at least (default 1000); of learn, in each iteration (default: as "
     "needed)"},
    {O_BURN_IN, SAMPLED, 0, "burn-in", "N",
     "steps of each chain before the first sample (default 100)"},
    {O_THIN, SAMPLED, 0, "thin", "N", "steps from one sample of a chain to the next (default 1)"},
    {O_BLOCKS, SAMPLED, 0, "blocks", "N",
     "block moves in each step of a chain (default: a sweep; 0: MC-ASP alone)"},
    {O_COMPILE_LIMIT, SAMPLED, 0, "compile-limit", "SECONDS",
     "how long auto tries to compile before it samples (default 120)"},
    {O_HARD_RULES, ALL & ~C_TRANSLATE, 0, "hard-rules", "strict|violable",
     "violable: as many hard rules as possible hold, not all (the original definition)"},
    {O_CLOSED_WORLD, ANSWERS | C_CHECK | C_LEARN | C_COMPILE, 0, "closed-world", NULL,
     "atoms that the evidence does not list are false"},
    {O_REPORT, C_LEARN | C_INFER | C_SAMPLE, 0, "report", "FILE.html",
     "also write the answer as one page for a browser: program, plots, what is not certain"},
    {O_CONST, ALL, 'c', "const", "NAME=VALUE",
     "replaces a constant, as in clingo; may be repeated"},
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
  char left[128];
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

/* `A,B`, two numbers. */
static bool parse_pair(const char *text, double *first, double *second) {
  char *end;
  *first = strtod(text, &end);
  return end != text && *end == ',' && isfinite(*first) &&
         parse_number(end + 1, -1e300, 1e300, second);
}

static bool parse_prior(const char *value, lpmln_learning_options *to) {
  if (!strncmp(value, "l1,", 3)) {
    to->prior = LPMLN_L1;
    return parse_number(value + 3, 1e-300, 1e300, &to->prior_strength);
  }
  to->prior = LPMLN_GAUSSIAN;
  return parse_pair(value, &to->prior_mean, &to->prior_deviation) && to->prior_deviation > 0;
}

static bool parse_noisy(const char *value, lpmln_learning_options *to) {
  bool atoms = !strncmp(value, "atoms", 5);
  to->noise = atoms ? LPMLN_NOISE_ATOMS : !strcmp(value, "drop") ? LPMLN_DROP : LPMLN_REFUSE;
  if (atoms && value[5])
    return value[5] == '=' && parse_number(value + 6, 1e-300, 1e6, &to->noise_weight);
  return atoms || to->noise == LPMLN_DROP || !strcmp(value, "refuse");
}

static bool parse_count(const char *value, double least, size_t *to) {
  double number;
  if (!parse_number(value, least, 9e15, &number) || number != floor(number))
    return false;
  *to = (size_t)number;
  return true;
}

/* The options of learn. */
static bool set_learning(Settings *s, const Option *o, const char *value) {
  static const lpmln_optimizer optimizers[] = {LPMLN_BEST, LPMLN_LBFGS, LPMLN_NEWTON, LPMLN_EM,
                                               LPMLN_ASCENT};
  lpmln_learning_options *l = &s->learning;
  int which = o->id == O_OPTIMIZER ? choice(o->argument, value) : 0;
  switch (o->id) {
  case O_OPTIMIZER: l->optimizer = optimizers[which < 0 ? 0 : which]; return which >= 0;
  case O_RATE: return parse_number(value, 1e-300, 1e300, &l->rate);
  case O_DELTA: return parse_number(value, 0, 1e300, &l->delta);
  case O_ITERATIONS: return parse_count(value, 1, &l->iterations);
  case O_RESTARTS: return parse_count(value, 0, &l->restarts);
  case O_PRIOR: return parse_prior(value, l);
  case O_BOUNDS: return l->bounded = true, parse_pair(value, &l->lower, &l->upper);
  case O_NOISY: return parse_noisy(value, l);
  case O_TEST: return add(s->tests, &s->test_count, value);
  case O_FOLDS: return parse_count(value, 2, &l->folds);
  case O_HISTORY: s->history = value; return true;
  case O_CHECKPOINT: l->checkpoint = value; return true;
  case O_RESUME: return l->resume = true;
  default: return false;
  }
}

/* The options of mc-asp. */
static bool set_sampling(Settings *s, const Option *o, const char *value) {
  lpmln_sampling *to = &s->library.sampling;
  switch (o->id) {
  case O_CHAINS: return parse_count(value, 1, &to->chains) && to->chains <= 256;
  case O_SAMPLES: return parse_count(value, 8, &to->samples);
  case O_BURN_IN: return parse_count(value, 0, &to->burn_in);
  case O_THIN: return parse_count(value, 1, &to->thin);
  case O_BLOCKS: return parse_count(value, 0, &to->block_moves);
  default: return parse_number(value, 0, 1e9, &s->library.compile_limit);
  }
}

/* False if the value makes no sense. */
static bool set(Settings *s, const Option *o, const char *value) {
  if (o->commands == C_LEARN)
    return set_learning(s, o, value);
  if (o->id >= O_CHAINS)
    return set_sampling(s, o, value);
  static const lpmln_method methods[] = {LPMLN_AUTO, LPMLN_EXACT, LPMLN_MC_ASP, LPMLN_ENUMERATE};
  double number = 0;
  int which = o->argument && strchr(o->argument, '|') ? choice(o->argument, value) : 0;
  if (which < 0)
    return false;
  bool whole =
      o->id == O_NUMBER || o->id == O_SEED || o->id == O_THREADS || o->id == O_MEMORY_LIMIT;
  if (whole || o->id == O_TIME_LIMIT)
    if (!parse_number(value,
                      o->id == O_NUMBER || o->id == O_SEED ? 0
                      : o->id == O_TIME_LIMIT              ? 1e-3
                                                           : 1,
                      9e15, &number) ||
        (whole && number != floor(number)))
      return false;
  switch (o->id) {
  case O_EVIDENCE: return add(s->evidence, &s->evidence_count, value);
  case O_DATA: return add(s->data, &s->data_count, value);
  case O_OUTPUT: s->output = value; break;
  case O_REPORT: s->report = value; break;
  case O_WEIGHT: return strrchr(value, '=') && add(s->weights, &s->weight_count, value);
  case O_QUERY: return add(s->queries, &s->query_count, value);
  case O_CONST: return strchr(value, '=') && add(s->constants, &s->constant_count, value);
  case O_NUMBER: s->number = (size_t)number, s->number_given = true; break;
  case O_TO: s->target = value; break;
  case O_DIALECT: s->dialect = which == 0 ? LPMLN_ALCHEMY : LPMLN_TUFFY; break;
  case O_DATA_OUTPUT: s->data_output = value; break;
  case O_FROM: s->library.language = (lpmln_language)which; break; /* the same order */
  case O_PROBLOG_CLAUSES: s->library.problog_clauses = true; break;
  case O_FORM: s->form = which == 0 ? LPMLN_PENALTY : LPMLN_REWARD; break;
  case O_FORMAT: s->json = which == 1; break;
  case O_METHOD: s->library.method = methods[which]; break;
  case O_UNIFORM: s->uniform = true; break;
  case O_HARD_RULES: s->library.violable = which == 1; break;
  case O_CLOSED_WORLD: s->library.closed_world = true; break;
  case O_INCLUDE_ROOT: s->library.include_root = value; break;
  case O_SEED: s->library.seed = (uint64_t)number; break;
  case O_THREADS: s->library.threads = (unsigned)number; break;
  case O_TIME_LIMIT: s->library.time_limit = number; break;
  case O_MEMORY_LIMIT: s->library.memory_limit = (size_t)number; break;
  case O_QUIET: s->quiet = true; break;
  case O_VERBOSE: s->verbose = true; break;
  default: break;
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
    longs[i] = (struct option){
        options[i].name, options[i].argument ? required_argument : no_argument, NULL, 256 + (int)i};
    if (options[i].letter)
      snprintf(shorts + strlen(shorts), 3, "%c%s", options[i].letter,
               options[i].argument ? ":" : "");
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
  *s = (Settings){.library = lpmln_options_default(),
                  .learning = lpmln_learning_options_default(),
                  .number = 10000};
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
  if (s->command->id == C_LEARN && !s->evidence_count && !s->data_count)
    return wrong("'%s' needs observations: -e FILE or --data TABLE.csv", s->command->name);
  if (s->command->id == C_LEARN && s->library.method == LPMLN_ENUMERATE)
    return wrong("'%s' works on the compiled program or samples: --method exact or mc-asp",
                 s->command->name);
  if (s->library.method == LPMLN_MC_ASP && (s->command->id & (C_MAP | C_MODELS | C_CHECK)))
    return wrong("samples do not answer '%s': --method exact or enumerate does", s->command->name);
  if (s->learning.resume && !s->learning.checkpoint)
    return wrong("%s needs --checkpoint FILE", "--resume");
  if (s->command->id == C_TRANSLATE && !s->target)
    return wrong("'%s' needs --to TARGET", s->command->name);
  if (s->command->id == C_COMPILE && !s->output)
    return wrong("'%s' needs -o FILE", s->command->name);
  if (s->library.method == LPMLN_ENUMERATE && s->command->id == C_SAMPLE)
    return wrong("'%s' works on the compiled program or with the solver: --method exact or mc-asp",
                 s->command->name);
  if (s->command->id == C_SAMPLE && (!s->number_given || !s->number))
    return wrong("'%s' needs -n N, how many", s->command->name);
  return -1;
}
