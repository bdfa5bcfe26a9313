/* options.c - see options.h. */
#include "cli/options.h"

#include "base/edit.h"
#include "base/number.h"
#include "cli/complain.h"
#include "cli/output.h"

#include <assert.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define ANSWERS (C_INFER | C_MAP | C_MODELS | C_SAMPLE | C_DECIDE)
#define ALONE (ANSWERS | C_LEARN | C_CHECK | C_TRANSLATE | C_COMPILE | C_INDUCE | C_WHY)
#define ALL (ALONE | C_COMPARE)
#define SAMPLED (C_INFER | C_SAMPLE | C_LEARN)

#define HUGE_NUMBER 1e300
#define TINY_NUMBER 1e-300
#define LARGEST_COUNT 9e15 /* a double has every whole number up to it */

/* ---- values that are no plain numbers or names ------------------------------------ */

static bool parse_number(const char *text, double least, double most, double *value) {
  const char *end;
  return number_parse(text, &end, value) && !*end && isfinite(*value) && *value >= least &&
         *value <= most;
}

/* `A,B`, two numbers. */
static bool parse_pair(const char *text, double *first, double *second) {
  const char *end;
  return number_parse(text, &end, first) && *end == ',' && isfinite(*first) &&
         parse_number(end + 1, -HUGE_NUMBER, HUGE_NUMBER, second);
}

static bool parse_prior(Settings *s, const char *value) {
  lpmln_learning_options *to = &s->learning;
  if (!strncmp(value, "l1,", 3)) {
    to->prior = LPMLN_L1;
    return parse_number(value + 3, TINY_NUMBER, HUGE_NUMBER, &to->prior_strength);
  }
  to->prior = LPMLN_GAUSSIAN;
  return parse_pair(value, &to->prior_mean, &to->prior_deviation) && to->prior_deviation > 0;
}

static bool parse_bounds(Settings *s, const char *value) {
  s->learning.bounded = true;
  return parse_pair(value, &s->learning.lower, &s->learning.upper);
}

static bool parse_noisy(Settings *s, const char *value) {
  lpmln_learning_options *to = &s->learning;
  bool atoms = !strncmp(value, "atoms", 5);
  to->noise = atoms ? LPMLN_NOISE_ATOMS : !strcmp(value, "drop") ? LPMLN_DROP : LPMLN_REFUSE;
  if (atoms && value[5])
    return value[5] == '=' && parse_number(value + 6, TINY_NUMBER, 1e6, &to->noise_weight);
  return atoms || to->noise == LPMLN_DROP || !strcmp(value, "refuse");
}

/* Algorithm 2 of the paper, with its numbers. */
static bool parse_preset(Settings *s, const char *value) {
  s->library.method = LPMLN_MC_ASP;
  s->library.compile_limit = 0;
  s->library.sampling =
      (lpmln_sampling){.chains = 1, .samples = 50, .burn_in = 0, .thin = 1, .block_moves = 0};
  s->learning.optimizer = LPMLN_ASCENT;
  s->learning.rate = 0.1, s->learning.delta = 0.001;
  return !strcmp(value, "paper");
}

/* A parameter's name may have a = of its own. */
static bool parse_weight(Settings *s, const char *value) {
  const char *sign = strrchr(value, '=');
  double number;
  if (!sign || sign == value || !parse_number(sign + 1, -INFINITY, INFINITY, &number))
    return false;
  vec_reserve(&s->weights, 1); /* before the name, which would be lost */
  vec_push(&s->weights, (Weight){memory_copy(value, (size_t)(sign - value)), number});
  return true;
}

static bool parse_constant(Settings *s, const char *value) {
  const char *sign = strchr(value, '=');
  if (!sign)
    return false;
  vec_reserve(&s->constants, 1);
  vec_push(&s->constants, (Constant){memory_copy(value, (size_t)(sign - value)), sign + 1});
  return true;
}

/* All predicates, or those named. */
static bool parse_closed(Settings *s, const char *value) {
  s->library.closed_world = true;
  s->library.closed = value;
  return true;
}

static bool parse_open(Settings *s, const char *value) {
  s->library.open_world = true;
  s->library.open = value;
  return true;
}

/* ---- the table -------------------------------------------------------------------- */

static const Choice optimizers[] = {{"auto", LPMLN_BEST},
                                    {"lbfgs", LPMLN_LBFGS},
                                    {"newton", LPMLN_NEWTON},
                                    {"em", LPMLN_EM},
                                    {"ascent", LPMLN_ASCENT},
                                    {"adam", LPMLN_ADAM},
                                    {NULL, 0}};
static const Choice methods[] = {{"auto", LPMLN_AUTO},           {"exact", LPMLN_EXACT},
                                 {"bounds", LPMLN_BOUNDS},       {"mc-asp", LPMLN_MC_ASP},
                                 {"enumerate", LPMLN_ENUMERATE}, {NULL, 0}};
static const Choice markov_systems[] = {
    {"alchemy", LPMLN_ALCHEMY}, {"tuffy", LPMLN_TUFFY}, {NULL, 0}};
static const Choice forms[] = {{"penalty", LPMLN_PENALTY}, {"reward", LPMLN_REWARD}, {NULL, 0}};
static const Choice formats[] = {{"text", FORMAT_TEXT}, {"json", FORMAT_JSON}, {NULL, 0}};
static const Choice hardness[] = {{"strict", false}, {"violable", true}, {NULL, 0}};

#define AT(member) .field = offsetof(Settings, member), .size = sizeof(((Settings *)0)->member)

const Option options[] = {
    {ALL, 'e', "evidence", "FILE",
     "what was observed: constraints (`:- not a.`) or literals (`a. not b.`); may be repeated",
     .type = LIST, AT(evidence)},
    {C_INFER | C_CHECK | C_LEARN | C_INDUCE | C_COMPARE, 0, "data", "TABLE.csv",
     "observations as a table: a header of ground atoms, rows of 1, 0 or nothing; infer answers "
     "for each row",
     .type = LIST, AT(data)},
    {C_INFER | C_LEARN, 0, "counts", NULL,
     "also the expected numbers of violated instances: of infer by soft rule, of learn by "
     "parameter, at the start and at the end",
     .type = FLAG, AT(library.counts)},
    {C_INFER, 0, "sensitivity", NULL,
     "also the derivative of each answer by each weight, the largest first", .type = FLAG,
     AT(library.sensitivity)},
    {C_INFER, 0, "next", NULL,
     "also which unobserved atom would tell most about the queries (mutual information, in nats)",
     .type = FLAG, AT(library.next)},
    {ALL, 0, "strict", NULL,
     "atoms of evidence, data and queries that no rule derives are errors; a row of infer --data "
     "that is impossible makes the exit code 1",
     .type = FLAG, AT(library.strict)},
    {ALL, 'o', "output", "FILE",
     "where the answer goes; of learn, induce and compile, the program with the learned weights in "
     "place and the compiled program",
     .type = STRING, AT(output)},
    {C_COMPILE, 0, "observable", "ATOM",
     "an atom or a signature (p/2) that evidence will be about; may be repeated", .type = LIST,
     AT(observables)},
    {C_INDUCE, 0, "candidates", "FILE", "rules to choose from, or #modeh and #modeb declarations",
     .type = STRING, AT(candidates)},
    {C_INDUCE, 0, "penalty", "P", "of each rule, in log-likelihood", .type = NUMBER,
     AT(induction.penalty), .most = HUGE_NUMBER,
     .otherwise = "ln(candidates) + ln(observations)/2"},
    {C_LEARN, 0, "optimizer", NULL,
     "auto: in closed form where that is right, else lbfgs (newton with bounds)", .type = CHOICE,
     AT(learning.optimizer), .choices = optimizers},
    {C_LEARN, 0, "preset", "paper",
     "Algorithm 2 of the paper: ascent on 50 samples of one chain of MC-ASP, without compiling, "
     "rate "
     "0.1, until no weight moves by 0.001; options that follow change it",
     .type = CUSTOM, .otherwise = "none", .parse = parse_preset},
    {C_LEARN, 0, "rate", "R", "learning rate of ascent and adam", .type = NUMBER, AT(learning.rate),
     .least = TINY_NUMBER, .most = HUGE_NUMBER},
    {C_LEARN, 0, "delta", "D", "ascent ends when no weight moves by D", .type = NUMBER,
     AT(learning.delta), .most = HUGE_NUMBER},
    {C_LEARN, 0, "batch", "N",
     "compile and evaluate N different observations at a time; adam takes a step for each batch",
     .type = COUNT, AT(learning.batch), .least = 1, .most = LARGEST_COUNT,
     .otherwise = "all; of adam, 1024"},
    {C_LEARN, 0, "iterations", "N", "at most, for each start", .type = COUNT,
     AT(learning.iterations), .least = 1, .most = LARGEST_COUNT, .otherwise = "as needed"},
    {C_LEARN, 0, "restarts", "N", "further starts at random places, for incomplete observations",
     .type = COUNT, AT(learning.restarts), .most = LARGEST_COUNT,
     .otherwise = "5 if that is cheap"},
    {C_LEARN, 0, "prior", "MEAN,SD|l1,STRENGTH", "of every parameter: Gaussian, or L1",
     .type = CUSTOM, .otherwise = "none", .parse = parse_prior},
    {C_LEARN, 0, "bounds", "LOW,HIGH", "for every parameter", .type = CUSTOM, .otherwise = "none",
     .parse = parse_bounds},
    {C_LEARN | C_TRANSLATE, 0, "noisy", "refuse|drop|atoms[=U]",
     "impossible observations: refuse them, drop them (learn), or explain them by noise atoms of "
     "weight -U (10)",
     .type = CUSTOM, .otherwise = "refuse", .parse = parse_noisy},
    {C_LEARN, 0, "fix", "NAME",
     "a parameter that keeps its value, its own or that of --weight; may be repeated", .type = LIST,
     AT(fixed)},
    {C_LEARN, 0, "weights-from", "FILE.mln",
     "weights that were learned elsewhere, in the program's translation into Markov logic, in "
     "place "
     "of initial values; without observations nothing is learned",
     .type = STRING, AT(elsewhere)},
    {C_LEARN, 0, "test", "FILE",
     "observations (or a table, .csv) to evaluate the learned weights on; may be repeated",
     .type = LIST, AT(tests)},
    {C_LEARN | C_INDUCE, 0, "folds", "K", "cross-validate with K folds", .type = COUNT,
     AT(learning.folds), .least = 2, .most = LARGEST_COUNT, .otherwise = "none; of induce, 5"},
    {C_LEARN, 0, "split", NULL,
     "which tied rules should have a weight for each value of a variable, or group of values",
     .type = FLAG, AT(split)},
    {C_LEARN, 0, "history", "FILE.csv", "write one row per iteration", .type = STRING, AT(history)},
    {C_LEARN, 0, "checkpoint", "FILE", "write down what was computed, to resume after a crash",
     .type = STRING, AT(learning.checkpoint)},
    {C_LEARN, 0, "resume", NULL, "go on from the checkpoint", .type = FLAG, AT(learning.resume)},
    {ALONE, 'w', "weight", "NAME=NUMBER",
     "the weight of a parameter, in place of its initial value; may be repeated", .type = CUSTOM,
     .parse = parse_weight},
    {C_INFER | C_CHECK | C_TRANSLATE | C_WHY, 'q', "query", "QUERY",
     "an atom, a signature (p/2), an atom with variables, or a formula ('(a ; b), not c'; 'a | b' "
     "is a given b); may be repeated",
     .type = LIST, AT(queries)},
    {C_MAP, 0, "visible", NULL,
     "the most probable state of the atoms that are shown, summed over all others", .type = FLAG,
     AT(library.visible)},
    {C_INFER | C_MAP | C_MODELS | C_SAMPLE | C_CHECK | C_WHY | C_DECIDE, 0, "do", "LITERALS",
     "intervene ('a, not b'): what the program says about these atoms is gone, and they hold or "
     "do not; may be repeated",
     .type = LIST, AT(interventions)},
    {C_MODELS | C_SAMPLE | C_CHECK | C_WHY, 'n', "number", "N",
     "how many models, or proofs, are printed (0: all) or drawn; of check --chain, steps of the "
     "run",
     .type = COUNT, AT(number), .most = LARGEST_COUNT,
     .otherwise = "10000 of models and steps, 10 of proofs"},
    {C_SAMPLE, 0, "uniform", NULL,
     "every stable model is as likely as any other: weights are ignored", .type = FLAG,
     AT(uniform)},
    {C_SAMPLE, 0, "trace", NULL,
     "steps of MC-ASP (Algorithm 1 of the paper): where it is, what it keeps, from how many it "
     "draws",
     .type = FLAG, AT(trace)},
    {C_CHECK, 0, "chain", NULL,
     "the Markov chain of MC-ASP, for few stable models: its exact transition matrix, ergodicity, "
     "detailed balance, and a run beside it",
     .type = FLAG, AT(chain)},
    {C_TRANSLATE, 0, "to", "TARGET", "the language to translate to", .type = STRING,
     AT(translation.target), .names = lpmln_targets},
    {C_TRANSLATE, 0, "dialect", NULL, "of Markov logic", .type = CHOICE, AT(translation.markov),
     .choices = markov_systems},
    {C_TRANSLATE, 0, "data-output", "FILE",
     "where the observations (-e) go, in the target's own format for training data", .type = STRING,
     AT(data_output)},
    {ALL, 0, "from", "LANGUAGE", "the language of the program", .type = STRING, AT(library.dialect),
     .otherwise = "by the names of its files", .names = lpmln_dialects},
    {ALL, 0, "problog-clauses", NULL,
     "of plingo: `a :- b, &problog(p).` is ProbLog's clause p::a :- b, not a soft rule",
     .type = FLAG, AT(library.problog_clauses)},
    {C_TRANSLATE, 0, "form", NULL,
     "weak constraints that punish violated or reward satisfied rules", .type = CHOICE,
     AT(translation.form), .choices = forms},
    {C_TRANSLATE, 0, "no-completion", NULL,
     "of Markov logic: rules read as formulas, without completion (another distribution)",
     .type = FLAG, AT(translation.no_completion)},
    {C_TRANSLATE, 0, "indexed", NULL,
     "of lpmln: each predicate has the number of the observation as an argument (Section 4.1); "
     "with --data-output",
     .type = FLAG, AT(translation.indexed)},
    {C_TRANSLATE, 0, "negative", NULL,
     "of lpmln: the paper's program without positive weights (Algorithm 2, Theorem 2)",
     .type = FLAG, AT(translation.negative)},
    {C_TRANSLATE, 0, "scale", "N", "of asp and aspif: weights are multiplied by N and rounded",
     .type = NUMBER, AT(translation.scale), .least = TINY_NUMBER, .most = HUGE_NUMBER,
     .otherwise = "1000"},
    {ALL, 0, "format", NULL, "how the answer is printed", .type = CHOICE, AT(format),
     .choices = formats},
    {ANSWERS | C_CHECK | C_LEARN | C_WHY | C_COMPARE, 0, "method", NULL,
     "the engine: a compiled circuit, certain bounds, Markov chains, or all stable models one "
     "after "
     "the other",
     .type = CHOICE, AT(library.method), .choices = methods},
    {SAMPLED, 0, "chains", "N", "Markov chains of mc-asp", .type = COUNT,
     AT(library.sampling.chains), .least = 1, .most = 256},
    {C_INFER | C_LEARN, 0, "samples", "N",
     "of each chain of mc-asp, 8 at least; of learn, in each iteration", .type = COUNT,
     AT(library.sampling.samples), .least = 8, .most = LARGEST_COUNT,
     .otherwise = "1000; of learn, as needed"},
    {C_INFER, 0, "error", "E",
     "of mc-asp: samples until every probability has a smaller standard error; --samples is the "
     "most",
     .type = NUMBER, AT(library.sampling.error), .least = 1e-6, .most = 0.5,
     .otherwise = "as the samples have it"},
    {SAMPLED, 0, "burn-in", "N", "steps of each chain before the first sample", .type = COUNT,
     AT(library.sampling.burn_in), .most = LARGEST_COUNT, .otherwise = "100"},
    {SAMPLED, 0, "thin", "N", "steps from one sample of a chain to the next", .type = COUNT,
     AT(library.sampling.thin), .least = 1, .most = LARGEST_COUNT},
    {SAMPLED, 0, "blocks", "N", "block moves in each step of a chain (0: MC-ASP alone)",
     .type = COUNT, AT(library.sampling.block_moves), .most = LARGEST_COUNT,
     .otherwise = "a sweep"},
    {SAMPLED | C_MAP | C_DECIDE, 0, "compile-limit", "SECONDS",
     "how long auto and exact try to compile before they do something else, or give up",
     .type = NUMBER, AT(library.compile_limit), .most = 1e9,
     .otherwise = "of auto 7; of learn, decide, map --visible 120"},
    {C_INFER, 0, "precision", "WIDTH",
     "of bounds: stop when every interval is narrower; exit code 4 if that can't be reached",
     .type = NUMBER, AT(library.precision), .least = 1e-12, .most = 1,
     .otherwise = "as time allows"},
    {ALL, 0, "hard-rules", NULL,
     "violable: as many hard rules as possible hold, not all (the original definition)",
     .type = CHOICE, AT(library.violable), .choices = hardness},
    {ANSWERS | C_CHECK | C_LEARN | C_COMPILE | C_INDUCE | C_COMPARE | C_WHY, 0, "closed-world",
     "[=p/2,q/1]", "atoms (of these predicates) that the evidence does not list are false",
     .type = CUSTOM, .parse = parse_closed, .optional = true},
    {ANSWERS | C_CHECK | C_LEARN | C_COMPILE | C_INDUCE | C_COMPARE | C_WHY | C_TRANSLATE, 0,
     "open-world", "[=p/2,q/1]",
     "of Markov logic: atoms (of these predicates) that no database lists are unknown; otherwise "
     "they are false, as in Alchemy",
     .type = CUSTOM, .parse = parse_open, .optional = true},
    {ANSWERS | C_LEARN | C_CHECK | C_WHY | C_COMPARE, 0, "report", "FILE.html",
     "also write the answer as one page for a browser: program, plots, what is not certain",
     .type = STRING, AT(report)},
    {ALL, 'c', "const", "NAME=VALUE", "replaces a constant, as in clingo; may be repeated",
     .type = CUSTOM, .parse = parse_constant},
    {ALL, 0, "include-root", "DIR", "#include may read files below this folder", .type = STRING,
     AT(library.include_root), .otherwise = "the program's own"},
    {ALL, 0, "seed", "N", "of everything random", .type = COUNT, AT(library.seed),
     .most = LARGEST_COUNT},
    {ALL, 0, "threads", "N", "how many to use", .type = COUNT, AT(library.threads), .least = 1,
     .most = UINT_MAX},
    {ALL, 0, "time-limit", "SECONDS", "stop then and print what is known", .type = NUMBER,
     AT(library.time_limit), .least = 1e-3, .most = LARGEST_COUNT, .otherwise = "none"},
    {ALL, 0, "memory-limit", "MIB",
     "for the program, and for its worker; stop there and print what is known", .type = COUNT,
     AT(library.memory_limit), .least = 1, .most = LARGEST_COUNT},
    {ALL, 0, "quiet", NULL, "no notes and warnings", .type = FLAG, AT(quiet)},
    {ALL, 0, "verbose", NULL, "say what is being done", .type = FLAG, AT(verbose)},
    {ALL, 0, "version", NULL, "print the version", .type = FLAG, AT(version)},
    {ALL, 'h', "help", NULL, "print this", .type = FLAG, AT(help)},
};
const size_t option_count = sizeof options / sizeof *options;

enum { OPTIONS = sizeof options / sizeof *options };

/* Has the field the size that its type wants? */
static bool fits(const Option *o) {
  switch (o->type) {
  case FLAG: return o->size == sizeof(bool);
  case STRING: return o->size == sizeof(char *);
  case LIST: return o->size == sizeof(Words);
  case NUMBER: return o->size == sizeof(double) && o->least <= o->most;
  case COUNT:
    return (o->size == sizeof(uint64_t) || o->size == sizeof(uint32_t)) && o->least <= o->most;
  case CHOICE: return o->choices && (o->size == sizeof(int) || o->size == sizeof(bool));
  case CUSTOM: return o->parse;
  }
  return false;
}

bool options_valid(void) {
  for (size_t i = 0; i < option_count; i++) {
    const Option *o = &options[i];
    bool nameless = o->type == FLAG || o->type == CHOICE;
    if (!o->commands || !o->name || !o->help || !fits(o) || nameless != !o->argument)
      return false;
    for (size_t k = 0; k < i; k++)
      if (!strcmp(options[k].name, o->name) || (o->letter && options[k].letter == o->letter))
        return false;
  }
  return true;
}

/* ---- settings ----------------------------------------------------------------------- */

void settings_default(Settings *s) {
  *s = (Settings){.library = lpmln_options_default(),
                  .learning = lpmln_learning_options_default(),
                  .induction = lpmln_induction_options_default(),
                  .number = SIZE_MAX};
}

void settings_free(Settings *s) {
  for (size_t i = 0; i < s->weights.n; i++)
    free(s->weights.at[i].name);
  for (size_t i = 0; i < s->constants.n; i++)
    free(s->constants.at[i].name);
  vec_free(&s->weights);
  vec_free(&s->constants);
  vec_free(&s->programs);
  vec_free(&s->evidence);
  vec_free(&s->data);
  vec_free(&s->tests);
  vec_free(&s->queries);
  vec_free(&s->interventions);
  vec_free(&s->observables);
  vec_free(&s->fixed);
  free(s->line);
  s->line = NULL;
}

/* ---- parsing -------------------------------------------------------------------------- */

static const Command *asked; /* of the process, for messages */

lpmln_status usage_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *said = NULL;
  if (vasprintf(&said, format, arguments) < 0)
    memory_fail();
  va_end(arguments);
  complain("%s; `lpmln %s%s--help` tells more", said, asked ? asked->name : "", asked ? " " : "");
  free(said);
  return LPMLN_USAGE;
}

bool refuse_samples(const Settings *s) {
  if (s->library.method != LPMLN_MC_ASP)
    return false;
  usage_error("samples do not answer '%s': --method exact or enumerate does", s->command->name);
  return true;
}

static void store_whole(const Option *o, void *field, uint64_t value) {
  uint32_t half = (uint32_t)value;
  assert(o->size == sizeof value || half == value);
  memcpy(field, o->size == sizeof value ? (void *)&value : (void *)&half, o->size);
}

static bool set_count(const Option *o, void *field, const char *value) {
  double number;
  if (!parse_number(value, o->least, o->most, &number) || number != floor(number))
    return false;
  store_whole(o, field, (uint64_t)number);
  return true;
}

static bool set_choice(const Option *o, void *field, const char *value) {
  for (const Choice *c = o->choices; c->name; c++) {
    if (strcmp(c->name, value) != 0)
      continue;
    bool truth = c->value != 0;
    memcpy(field, o->size == sizeof truth ? (const void *)&truth : (const void *)&c->value,
           o->size);
    return true;
  }
  return false;
}

static bool set_string(const Option *o, void *field, const char *value) {
  bool known = !o->names;
  const char *name;
  for (size_t i = 0; !known && (name = option_name_at(o, i)); i++)
    known = !strcmp(name, value);
  if (known)
    memcpy(field, &value, sizeof value);
  return known;
}

/* False if the value makes no sense. */
static bool set(Settings *s, const Option *o, const char *value) {
  void *field = (char *)s + o->field;
  assert(o->type == FLAG || o->optional || value);
  assert(o->field + o->size <= sizeof *s);
  switch (o->type) {
  case FLAG: *(bool *)field = true; return true;
  case STRING: return set_string(o, field, value);
  case LIST: vec_push((Words *)field, value); return true;
  case NUMBER: return parse_number(value, o->least, o->most, field);
  case COUNT: return set_count(o, field, value);
  case CHOICE: return set_choice(o, field, value);
  case CUSTOM: return o->parse(s, value);
  }
  return false;
}

enum { FIRST_LONG = 256 }; /* codes of getopt_long beside letters */

/* For getopt_long; `shorts` has room for a letter and a colon of each option. */
static void list_options(struct option *longs, char *shorts) {
  *shorts++ = ':'; /* an argument that is missing is told from an unknown option */
  for (size_t i = 0; i < option_count; i++) {
    bool argument = option_takes_argument(&options[i]);
    int takes = options[i].optional ? optional_argument : argument;
    longs[i] = (struct option){options[i].name, takes, NULL, FIRST_LONG + (int)i};
    if (options[i].letter)
      *shorts++ = options[i].letter;
    if (options[i].letter && argument)
      *shorts++ = ':';
  }
  longs[option_count] = (struct option){0};
  *shorts = 0;
}

static const Option *option_of(int code) {
  for (size_t i = 0; i < option_count; i++)
    if (code == FIRST_LONG + (int)i || (options[i].letter && code == options[i].letter))
      return &options[i];
  return NULL;
}

static int refuse_value(const Option *o, const char *value) {
  Text text = {0};
  option_wants(&text, o);
  complain("--%s takes %s, not '%s'", o->name, text.at, value);
  vec_free(&text);
  return LPMLN_USAGE;
}

static int answer_at_once(const Settings *s) {
  Text text = {0};
  if (s->help)
    options_help(&text, s->command);
  else
    text_printf(&text, "lpmln %s\n", lpmln_version());
  fputs(text.at, stdout);
  vec_free(&text);
  return LPMLN_OK;
}

/* The nearest of the command's options, if one is near. */
static int unknown_option(const Command *command, const char *word) {
  const char *nearest = NULL, *name = word + strspn(word, "-");
  size_t length = strcspn(name, "=");
  unsigned least = edit_slips(length) + 1;
  for (size_t i = 0; i < option_count; i++) {
    unsigned d = edit_distance(name, length, options[i].name, strlen(options[i].name));
    if ((!command || options[i].commands & command->bit) && d < least)
      least = d, nearest = options[i].name;
  }
  return (int)(nearest ? usage_error("unknown option '%s': did you mean --%s?", word, nearest)
                       : usage_error("unknown option '%s'", word));
}

static int unknown_command(const char *word) {
  const char *nearest = NULL;
  unsigned least = edit_slips(strlen(word)) + 1;
  for (size_t i = 0; i < command_count; i++) {
    unsigned d = edit_distance(word, strlen(word), commands[i].name, strlen(commands[i].name));
    d = strcasecmp(word, commands[i].name) ? d : 0;
    if (d < least)
      least = d, nearest = commands[i].name;
  }
  if (nearest)
    return (int)usage_error("there is no command '%s': did you mean %s?", word, nearest);
  return (int)(access(word, R_OK) ? usage_error("there is no command '%s'", word)
                                  : usage_error("'%s' is a file, but the first word is a command: "
                                                "lpmln infer %s",
                                                word, word));
}

static int parse_all(int argc, char **argv, Settings *s) {
  struct option longs[OPTIONS + 1];
  char shorts[2 * OPTIONS + 2];
  int code;
  list_options(longs, shorts);
  while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
    const Option *o = option_of(code);
    if (!o && code == ':')
      return (int)usage_error("option '%s' needs an argument", argv[optind - 1]);
    if (!o)
      return unknown_option(s->command, argv[optind - 1]);
    if (s->command && !(o->commands & s->command->bit))
      return (int)usage_error("--%s does not go with '%s'", o->name, s->command->name);
    if (!set(s, o, optarg))
      return refuse_value(o, optarg);
    if (s->help || s->version)
      return answer_at_once(s);
  }
  return -1;
}

/* Is the engine one that answers the command? */
static bool engine_fits(const Settings *s) {
  lpmln_method method = s->library.method;
  if (method == LPMLN_BOUNDS)
    return s->command->bit & (C_INFER | C_MAP);
  return method == LPMLN_AUTO || method == LPMLN_EXACT || !(s->command->bit & (C_WHY | C_COMPARE));
}

int options_parse(int argc, char **argv, Settings *s) {
  assert(options_valid());
  settings_default(s);
  s->line = command_line(argc, argv); /* before options are sorted to the front */
  if (argc > 1)
    s->command = asked = command_find(argv[1]);
  if (argc > 1 && !s->command && argv[1][0] != '-')
    return unknown_command(argv[1]);
  int skip = s->command ? 1 : 0;
  int done = parse_all(argc - skip, argv + skip, s);
  if (done >= 0)
    return done;
  if (!s->command) {
    Text text = {0};
    options_help(&text, NULL);
    fputs(text.at, stderr);
    vec_free(&text);
    return LPMLN_USAGE;
  }
  for (int i = optind + skip; i < argc; i++)
    vec_push(&s->programs, argv[i]);
  if (!s->programs.n)
    return (int)usage_error("'%s' needs a program", s->command->name);
  if (!engine_fits(s) && s->library.method == LPMLN_BOUNDS)
    return (int)usage_error("bounds do not answer '%s': they are for infer and map",
                            s->command->name);
  if (!engine_fits(s))
    return (int)usage_error("'%s' works on the compiled program: --method exact", s->command->name);
  return -1;
}
