/* lpmln.h - probabilistic answer set programs (LPMLN): the public interface.
**
** Four things.  A *program* collects texts and options and answers any question,
** for one thread at a time.  A *model* is a program compiled: sealed, shared by any
** number of threads, saved and loaded.  A *state* is a caller's workspace on a model:
** weights, evidence that is set and taken back, a seed; one thread each.  An *answer*
** is the caller's own until lpmln_answer_free, whatever becomes of the rest.
**
**   lpmln_program *p = lpmln_program_of("0.5 heads.");
**   const lpmln_inference *a = lpmln_infer(p);
**   for (size_t i = 0; i < a->count; i++)
**     printf("%s %g\n", a->marginals[i].atom, a->marginals[i].probability);
**   fputs(a->about.messages, stderr);
**   lpmln_answer_free(a);
**   lpmln_program_free(p);
**
** Questions never return NULL: an answer without content says why in `about`.  Handles
** may be NULL where memory was out, then so does the answer.  Strings passed in are
** copied.  The library neither prints nor exits and keeps no global state. */
#ifndef LPMLN_LPMLN_H
#define LPMLN_LPMLN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define LPMLN_API __attribute__((visibility("default")))
#else
#define LPMLN_API
#endif

#define LPMLN_VERSION "0.2.0"
#define LPMLN_ABI 3 /* changes when programs must be compiled again; liblpmln.so.3 */
LPMLN_API const char *lpmln_version(void);
LPMLN_API int lpmln_abi(void); /* of the library that runs */

/* How a call ended; also the exit codes of the command line. */
typedef enum {
  LPMLN_OK = 0,
  LPMLN_NO_ANSWER = 1, /* no probabilistic stable model; impossible evidence */
  LPMLN_USAGE = 2,     /* the call itself makes no sense */
  LPMLN_INPUT = 3,     /* syntax, grounding, unreadable file */
  LPMLN_LIMIT = 4,     /* time, memory; a partial answer may be there */
  LPMLN_INTERNAL = 5,  /* our own fault */
  LPMLN_INTERRUPTED = 130
} lpmln_status;

typedef enum {
  LPMLN_AUTO,
  LPMLN_EXACT,
  LPMLN_MC_ASP,
  LPMLN_ENUMERATE,
  LPMLN_CLOSED_FORM,
  LPMLN_BOUNDS
} lpmln_method;

LPMLN_API const char *lpmln_method_name(lpmln_method);

/* How LPMLN_MC_ASP samples. */
typedef struct {
  size_t chains;      /* Markov chains; at least 1 */
  size_t samples;     /* of each chain, for learning in each iteration; 0: a default */
  size_t burn_in;     /* steps of each chain before; SIZE_MAX: a default */
  size_t thin;        /* steps from one sample to the next; at least 1 */
  size_t block_moves; /* in each step; SIZE_MAX: a sweep, 0: MC-ASP alone */
  double error;       /* of probabilities: so many samples that all are below it; 0: none wanted */
} lpmln_sampling;

/* A name that an option takes, and what it is. */
typedef struct {
  const char *name, *summary;
} lpmln_choice;

/* Languages that programs are read in, "auto" (by the ending of the file's name) and
** "lpmln" first; languages and formats that lpmln_translate writes. */
LPMLN_API const lpmln_choice *lpmln_dialects(size_t *count);
LPMLN_API const lpmln_choice *lpmln_targets(size_t *count);

typedef struct {
  lpmln_method method;
  const char *dialect;  /* of the programs, and of evidence whose name does not tell; NULL: auto */
  bool problog_clauses; /* of plingo: &problog of a rule with a body as in ProbLog */
  uint64_t seed;
  unsigned threads;
  double time_limit;    /* seconds of wall time for a question; 0: none */
  size_t memory_limit;  /* MiB for the worker process, and for what compiling keeps */
  double compile_limit; /* seconds that LPMLN_AUTO compiles before it does something else, and
                        ** LPMLN_EXACT before it gives up; negative: of AUTO 7, and 120 where
                        ** little else can be done; of EXACT none */
  double precision;     /* intervals of lpmln_infer are to be that narrow; 0: as time allows */
  lpmln_sampling sampling;
  bool violable;            /* hard rules: as many as possible hold */
  bool closed_world;        /* atoms an observation does not list are false… */
  const char *closed;       /* …of these predicates alone: "p/2,q/1"; NULL: of all */
  bool open_world;          /* Markov logic: what observations do not list is unknown… */
  const char *open;         /* …of these predicates alone; NULL: of all */
  bool counts;              /* lpmln_infer: expected violations of soft rules, too */
  bool sensitivity;         /* lpmln_infer: derivatives of the answers by the weights, too */
  bool next;                /* lpmln_infer: what each unobserved atom would tell, too */
  bool visible;             /* lpmln_map: states of the shown atoms, summed over the others */
  bool strict;              /* an atom that no rule derives is an error, not a warning */
  const char *include_root; /* #include reads below it; NULL: each program's own folder */
  const char *worker;       /* path of lpmln-worker; NULL: look for it */
} lpmln_options;

LPMLN_API lpmln_options lpmln_options_default(void);

/* ---- answers ------------------------------------------------------------------ */

typedef enum { LPMLN_NOTE, LPMLN_WARNING, LPMLN_ERROR } lpmln_severity;

typedef struct {
  lpmln_severity severity;
  const char *file;              /* NULL: of none */
  unsigned line, column, length; /* from 1; length in columns; line 0: the whole file */
  const char *message;           /* an option is spoken of as `option time_limit` */
  const char *hint;              /* NULL: none */
  const char *source;            /* the line of text, NULL: none */
} lpmln_diagnostic;

/* What every answer says about itself; answers start with it. */
typedef struct {
  lpmln_status status;
  lpmln_method method; /* the engine that answered; LPMLN_AUTO: there is no answer */
  bool exact;
  bool complete;           /* false: cut short; figures are about what was seen */
  const char *models_seen; /* stable models looked at; NULL: not counted */
  size_t diagnostic_count;
  const lpmln_diagnostic *diagnostics; /* what there is to say, in the order found */
  const char *messages; /* the same as text, with the lines and carets; "" if nothing */
} lpmln_answer;

/* Any answer; NULL is fine. */
LPMLN_API void lpmln_answer_free(const void *answer);

/* ---- programs ----------------------------------------------------------------- */

typedef struct lpmln_program lpmln_program;

/* NULL options: the defaults.  NULL is returned only when memory is out. */
LPMLN_API lpmln_program *lpmln_program_new(const lpmln_options *);
LPMLN_API void lpmln_program_free(lpmln_program *);

/* A program of one text, with the default options. */
LPMLN_API lpmln_program *lpmln_program_of(const char *text);

/* LPMLN_TEST, LPMLN_TEST_DATA: observations that learning only evaluates. */
typedef enum { LPMLN_PROGRAM, LPMLN_EVIDENCE, LPMLN_DATA, LPMLN_TEST, LPMLN_TEST_DATA } lpmln_role;

/* Texts to read.  A file is opened at the first question, "-" is standard
** input.  The name of a text is what diagnostics call it.  A compiled program
** (lpmln_model_save) stands in place of its text. */
LPMLN_API lpmln_status lpmln_program_add_file(lpmln_program *, lpmln_role, const char *path);
LPMLN_API lpmln_status lpmln_program_add_text(lpmln_program *, lpmln_role, const char *name,
                                              const char *bytes, size_t length);

/* An atom, a signature (p/2), an atom with variables or a formula: `,` is and, `;` or, with
** not and parentheses; `A | B` asks for A given B. */
LPMLN_API lpmln_status lpmln_program_add_query(lpmln_program *, const char *query);

/* An intervention, `a, not b`: what the program says about these ground atoms is gone, and they
** hold or do not.  Every ground instance, with its weight, whose head has one is removed; a
** choice without bounds loses the atom; another head of several atoms must be set whole, or not
** at all; constraints stay. */
LPMLN_API lpmln_status lpmln_program_do(lpmln_program *, const char *literals);

/* Like #const name = value., but stronger. */
LPMLN_API lpmln_status lpmln_program_define(lpmln_program *, const char *name, const char *value);

/* A value for a parameter (@w(NAME)) in place of its initial one; NAN takes it back.  The
** program may have no such parameter: the next question says so. */
LPMLN_API lpmln_status lpmln_program_set_weight(lpmln_program *, const char *parameter,
                                                double value);

/* Processes that answer together.  Rank 0 has the program and asks; the others call lpmln_serve
** and do a part of the work: observations, chains, rows.  The bits of the answer do not depend
** on their number. */
typedef struct {
  unsigned rank, count;
  unsigned threads; /* of this rank when it serves; 0: one */
  const char *host; /* where it is, for people; NULL: not known */
  /* To a rank, which is 0 for all but rank 0; false: it is lost.  Does not wait until it
  ** is received.  No bytes: that is all. */
  bool (*send)(void *data, unsigned to, const char *bytes, size_t length);
  /* Waits a moment for what others sent next, which stays until the next call; NULL: nothing
  ** yet. */
  const char *(*receive)(void *data, unsigned *from, size_t *length);
  void *data;
} lpmln_ranks;

/* Of rank 0, before it asks.  NULL, or a count of 1: alone. */
LPMLN_API lpmln_status lpmln_program_share(lpmln_program *, const lpmln_ranks *);

/* Of the others: serves until rank 0 sends no bytes. */
LPMLN_API lpmln_status lpmln_serve(const lpmln_ranks *);

/* Makes the question under way, or else the next one, end with LPMLN_INTERRUPTED; the
** one after that is answered.  May be called from a signal handler or another thread. */
LPMLN_API void lpmln_program_interrupt(lpmln_program *);

typedef enum {
  LPMLN_IDLE,
  LPMLN_GROUNDING,
  LPMLN_COMPILING,
  LPMLN_ENUMERATING,
  LPMLN_LEARNING,
  LPMLN_SAMPLING,
  LPMLN_BOUNDING
} lpmln_stage;

/* What a question under way is doing. */
typedef struct {
  lpmln_stage stage;
  uint64_t models;     /* stable models seen or drawn */
  double explored;     /* of LPMLN_BOUNDING, or of what LPMLN_COMPILING is at: the share of the
                       ** search, 0 to 1; NAN: not known */
  double width;        /* of LPMLN_BOUNDING: the widest interval so far; NAN: none */
  double seconds_left; /* of this stage, at most; NAN: no limit */
} lpmln_progress;

/* May be called from another thread. */
LPMLN_API lpmln_progress lpmln_program_progress(lpmln_program *);

/* A text of the program, as it was read. */
typedef struct {
  lpmln_role role;
  const char *name;
  const char *bytes;
  size_t length;
  bool cut; /* data that is too long for memory: these are its first lines */
} lpmln_text;

/* Its texts in the order read, included files too, and the ground atoms that hold in
** every stable model. */
typedef struct {
  lpmln_answer about;
  size_t text_count;
  const lpmln_text *texts;
  size_t certain_count;
  const char *const *certain;
} lpmln_sources;

LPMLN_API const lpmln_sources *lpmln_program_sources(lpmln_program *);

/* ---- questions ---------------------------------------------------------------- */

typedef struct {
  const char *atom;
  double probability;
  double log_probability; /* its ln: -INFINITY or 0 only if it is impossible or certain */
  double error;        /* Monte Carlo standard error; 0: exact; of bounds alone, half their width */
  double ess;          /* effective sample size; NAN: not sampled, or never seen to change */
  double rhat;         /* rank-normalised R-hat; NAN: likewise */
  double lower, upper; /* certain; the probability if it is exact, 0 and 1 if nothing is */
} lpmln_marginal;

/* What is certain about the distribution of samples.  LPMLN_NEAR_UNIFORM: with a
** probability of at least 1 - doubt each of N stable models is drawn with a
** probability between 1/((1 + epsilon) N) and (1 + epsilon)/N.  Of Markov chains this
** is about each of their steps; LPMLN_HEURISTIC: the distribution is the right one, but
** it is not proven that the chains reach every stable model.  LPMLN_CERTAIN (in words:
** "bounds"): whatever the samples are, the truth is between `lower` and `upper`. */
typedef enum { LPMLN_EXACTLY, LPMLN_NEAR_UNIFORM, LPMLN_HEURISTIC, LPMLN_CERTAIN } lpmln_guarantee;

LPMLN_API const char *lpmln_guarantee_name(lpmln_guarantee);

/* How many instances of a soft rule are violated, on average: E[n]. */
typedef struct {
  const char *file;
  unsigned line;
  const char *rule;      /* its text */
  const char *parameter; /* NULL: its weight is a number */
  size_t instances;      /* of the rule, or of these with this parameter */
  double expected, expected_error;
  double given, given_error; /* given the evidence; errors are Monte Carlo standard errors */
} lpmln_count;

/* The derivative of P(query | evidence) by a weight. */
typedef struct {
  const char *query;
  const char *parameter; /* its name, or the text of the rule that has a number */
  double derivative;
} lpmln_sensitivity;

/* What it would tell, in nats, to observe an atom: the mutual information of the atom and each
** query, added up; without queries, of the atom and the stable model. */
typedef struct {
  const char *atom;
  double information;
} lpmln_next;

/* How an atom went through the chains: in which share of the samples it was true, piece after
** piece of a chain. */
typedef struct {
  const char *atom;
  size_t chains, pieces;
  const double *shares; /* chain after chain */
} lpmln_mixing;

typedef struct {
  lpmln_answer about;
  double log_partition; /* ln of the sum of weights, evidence ignored; NAN: not known */
  double log_evidence;  /* ln P(evidence); NAN: not known */
  double log_partition_lower, log_partition_upper; /* certain; -INFINITY, INFINITY: nothing is */
  double log_evidence_lower, log_evidence_upper;   /* likewise; 0 at most */
  size_t samples;                                  /* of all chains; 0: not sampled */
  lpmln_guarantee guarantee;                       /* of the chains' steps, or LPMLN_CERTAIN */
  double epsilon, doubt;                           /* 0: exact */
  size_t count;
  const lpmln_marginal *marginals;
  size_t rule_count;         /* 0: option counts was not set */
  const lpmln_count *counts; /* by soft rule and parameter, in the order of the text */
  size_t sensitivity_count;  /* 0: option sensitivity was not set, or nothing depends on weights */
  const lpmln_sensitivity *sensitivities; /* the largest absolute value first; none is 0 */
  size_t next_count;                      /* 0: option next was not set, or nothing is open */
  const lpmln_next *next;                 /* the most telling one first */
  double log_partition_error, log_evidence_error; /* Monte Carlo standard errors; 0: exact */
  size_t mixing_count;                            /* of LPMLN_MC_ASP */
  const lpmln_mixing *mixing;                     /* of a few atoms, the largest R-hat first */
} lpmln_inference;

LPMLN_API const lpmln_inference *lpmln_infer(lpmln_program *);

typedef struct {
  size_t most;        /* proofs and changes, at most; 0: all */
  double least_share; /* proofs of a smaller share are not looked for */
} lpmln_why_options;

LPMLN_API lpmln_why_options lpmln_why_options_default(void); /* 10, 0.001 */

/* A minimal set of guesses with which the query holds, whatever the others are: in every stable
** model that has them and the evidence.  A guess is an instance of a soft rule (satisfied or
** violated), a head of a choice rule, an atom of a disjunction or of a loop through negation. */
typedef struct {
  size_t input_count;
  const char *const *inputs; /* literals */
  size_t rule_count;
  const char *const *rules; /* ground rules by which the query follows */
  double probability;       /* of the inputs, given the evidence */
  double log_probability;   /* its ln */
  double share;             /* of P(query | evidence); shares overlap */
} lpmln_proof;

/* A piece of evidence, and P(query | all other evidence). */
typedef struct {
  const char *literal;
  double probability_without;
} lpmln_piece;

/* What P(query | evidence) would be if a guess were known, this way or the other. */
typedef struct {
  const char *literal;
  double probability; /* of the guess, given the evidence */
  double probability_with, probability_without;
} lpmln_change;

typedef struct {
  lpmln_answer about;
  const char *query;
  double probability; /* P(query | evidence) */
  size_t count;
  const lpmln_proof *proofs; /* most probable first */
  size_t evidence_count;
  const lpmln_piece *evidence;
  size_t change_count;
  const lpmln_change *changes; /* the largest difference first */
} lpmln_explanation;

/* Why the query, of which there is one, is as probable as it is.  Exact, from the compiled
** program.  NULL options: the defaults. */
LPMLN_API const lpmln_explanation *lpmln_why(lpmln_program *, const lpmln_why_options *);

typedef struct {
  const char *file;
  unsigned line;
  const char *rule;     /* its text */
  const char *instance; /* the substitution of its variables */
  double weight;        /* NAN: of a hard rule */
  bool fact;            /* a soft fact, or a coin, that does not hold */
} lpmln_violation;

typedef struct {
  size_t atom_count;
  const char *const *atoms; /* true ones, as #show wants them */
  double probability;       /* given the evidence */
  double log_probability;   /* its ln, where a double can't hold it */
  double log_weight;        /* -(sum of the weights of violated instances) */
  size_t violated_count;
  const lpmln_violation *violated;
} lpmln_stable_model;

typedef struct {
  lpmln_answer about;
  const char *total; /* number of stable models with the evidence, decimal */
  size_t count;
  const lpmln_stable_model *models; /* most probable first */
  double log_weight_upper;          /* certain: none weighs more; INFINITY: nothing is */
} lpmln_models;

/* The most probable stable models: all that tie (within 1e-6 in log weight).  With option visible,
** the most probable states of the atoms that are shown (marginal MAP): `log_weight` is the ln of
** the sum over all stable models of the state, which violates nothing by itself. */
LPMLN_API const lpmln_models *lpmln_map(lpmln_program *);

/* The decisions (#decision) that maximise the expected utility (#utility), given the decisions
** and the evidence. */
typedef struct {
  lpmln_answer about;
  double expected_utility;
  size_t atom_count;
  const char *const *atoms; /* to decide, in the order of the text */
  size_t count;
  const bool *const *values; /* all that tie: the truth of each atom */
} lpmln_decision;

LPMLN_API const lpmln_decision *lpmln_decide(lpmln_program *);

/* The `most` most probable stable models; 0: all. */
LPMLN_API const lpmln_models *lpmln_list(lpmln_program *, size_t most);

typedef struct {
  size_t atom_count;
  const char *const *atoms;
} lpmln_sample;

typedef struct {
  lpmln_answer about;
  bool uniform;              /* weights were ignored */
  lpmln_guarantee guarantee; /* the weakest of all samples */
  double epsilon, doubt;     /* 0: exact */
  size_t count;
  const lpmln_sample *samples; /* independent; those of LPMLN_MC_ASP that are not uniform
                               ** are from Markov chains, chain after chain */
} lpmln_samples;

/* Random stable models, given the evidence; the seed is an option. */
LPMLN_API const lpmln_samples *lpmln_draw(lpmln_program *, size_t count);

/* The same, each stable model being as likely as any other. */
LPMLN_API const lpmln_samples *lpmln_draw_uniform(lpmln_program *, size_t count);

/* An instance that a step of MC-ASP keeps as it is: violated, or satisfied. */
typedef struct {
  lpmln_violation instance;
  bool violated;
} lpmln_kept;

/* A step of MC-ASP: Algorithm 1 of the paper, on the program of its Theorem 2. */
typedef struct {
  lpmln_sample before;
  size_t kept_count;
  const lpmln_kept *kept; /* M */
  double candidates;      /* stable models that agree with M and the evidence */
  bool counted;           /* false: there are about so many */
  lpmln_sample after;     /* one of them, each being as likely */
} lpmln_step;

typedef struct {
  lpmln_answer about;
  size_t count;
  const lpmln_step *steps;
} lpmln_trace;

/* One chain of MC-ASP, from a random stable model, without block moves. */
LPMLN_API const lpmln_trace *lpmln_draw_trace(lpmln_program *, size_t steps);

/* The Markov chain of MC-ASP, for programs with few stable models (1,024 at most). */
typedef struct {
  lpmln_answer about;
  size_t states;
  const lpmln_stable_model *models; /* the states: stable models with the evidence */
  const double *probabilities;      /* of them, given the evidence */
  const double *matrix;             /* by row: from a state to each */
  double least;                     /* entry; all states are reached at once if it is not 0 */
  double balance;                   /* largest |P(X) Q(X,Y) - P(Y) Q(Y,X)|, or of a row's sum */
  double stationary;                /* largest |(P Q)(Y) - P(Y)| */
  bool ergodic, balanced;           /* Theorem 1, as far as rounding lets it be seen */
  size_t steps;                     /* of the run beside it */
  const double *shares;             /* of its steps, by state that they led to */
  double chi_square, p_value;       /* were its transitions drawn from the matrix? */
  size_t degrees;
} lpmln_chain;

LPMLN_API const lpmln_chain *lpmln_check_chain(lpmln_program *, size_t steps);

/* What the program is. */
typedef struct {
  lpmln_answer about;
  size_t rules, soft_rules, parameters;
  size_t atoms, open_atoms, ground_rules, soft_instances;
  bool tight, head_cycle_free;
  size_t loops;     /* positive loops: nontrivial strongly connected components */
  const char *loop; /* the atoms of one of them, as text; NULL: tight */
  size_t components, distinct_components, largest_component;
  bool simple;
  const char *simple_reason; /* why not; NULL if it is */
  const char *coherent;      /* k in decimal; NULL: not k-coherent, or unknown */
  const char *coherence_reason;
  bool hard_inconsistent;
  size_t circuit_nodes;     /* of the compiled program; 0: it does not compile in time */
  size_t largest_part;      /* of these, for the largest component alone */
  const char *largest_atom; /* an atom of that component */
  /* What compiling takes for the program together with what is asked: the queries, given
  ** each observation. */
  bool asked_compiles;   /* within ten seconds; else these are how far it came */
  size_t asked_nodes;    /* of the circuit */
  size_t asked_branches; /* decisions that were tried */
  size_t asked_width;    /* of the tree decomposition that was found; 0: none was needed */
  double asked_seconds;
  size_t observations;
  size_t advice_count;
  const char *const *advice; /* sentences for people */
} lpmln_analysis;

LPMLN_API const lpmln_analysis *lpmln_check(lpmln_program *);

/* Rows of a table of evidence (LPMLN_DATA), each a question of its own. */
typedef struct {
  lpmln_answer about;
  size_t row_count, query_count;
  const char *const *queries;
  const double *probabilities; /* row after row, by query; NAN: the row is impossible */
  const double *log_evidence;  /* by row; -INFINITY: impossible */
  size_t impossible;           /* rows */
} lpmln_table;

/* Probabilities of the queries for every row of the data, compiled once. */
LPMLN_API const lpmln_table *lpmln_infer_rows(lpmln_program *);

/* The same in parts, in the order of the rows, for tables whose answers don't fit into memory.  A
** part lives until `each` returns; false ends the question (LPMLN_INTERRUPTED).  The answer itself
** has the number of rows, but no rows. */
typedef bool (*lpmln_rows_function)(void *data, const lpmln_table *part);
LPMLN_API const lpmln_table *lpmln_infer_rows_each(lpmln_program *, lpmln_rows_function each,
                                                   void *data);

/* ---- learning -------------------------------------------------------------- */

/* LPMLN_BEST: in closed form where that is right, else L-BFGS (with bounds: the
** trust region). */
typedef enum {
  LPMLN_BEST,
  LPMLN_LBFGS,
  LPMLN_NEWTON,
  LPMLN_EM,
  LPMLN_ASCENT,
  LPMLN_ADAM /* a step for each batch of observations */
} lpmln_optimizer;

LPMLN_API const char *lpmln_optimizer_name(lpmln_optimizer);

typedef enum { LPMLN_NO_PRIOR, LPMLN_GAUSSIAN, LPMLN_L1 } lpmln_prior;

/* What to do about observations that no stable model agrees with. */
typedef enum { LPMLN_REFUSE, LPMLN_DROP, LPMLN_NOISE_ATOMS } lpmln_noise;

/* Of a parameter at some weights: what was observed, what the program expects, and the
** partial derivative of the objective, their difference (and the prior's). */
typedef struct {
  double weight;
  double observed; /* n(O): violated instances in the observations; E[n | O] if they are
                   ** incomplete; counts added */
  double expected; /* E[n], as often as there are observations */
  double gradient;
} lpmln_balance;

/* Where an optimiser is.  The weights are in the order of the answer. */
typedef struct {
  size_t iteration; /* from 1, restarts included */
  size_t run;       /* which start, from 0 */
  double log_likelihood;
  double objective;    /* log-likelihood and log prior */
  double gradient;     /* largest absolute partial derivative */
  double gradient_sum; /* of absolute partial derivatives */
  double seconds;      /* since learning began */
  double seconds_left; /* until this start converges, a guess; NAN: none */
  size_t count;
  const double *weights;
  const lpmln_balance *balances; /* by parameter; NULL: option counts was not set */
  const char *const *parameters;
} lpmln_iteration;

/* False ends the run; what was found so far is the answer, not converged. */
typedef bool (*lpmln_iteration_function)(void *data, const lpmln_iteration *);

typedef struct {
  lpmln_optimizer optimizer;
  double rate, delta; /* of LPMLN_ASCENT; the rate also of LPMLN_ADAM */
  size_t batch;       /* different observations that are compiled, and evaluated, at a time, each
                      ** batch with a circuit of its own; 0: all together (of LPMLN_ADAM, 1024) */
  size_t iterations;  /* at most, for each start; 0: the optimiser's default */
  size_t restarts;    /* further starts, at random places */
  lpmln_prior prior;
  double prior_mean, prior_deviation; /* of LPMLN_GAUSSIAN */
  double prior_strength;              /* of LPMLN_L1: subtracts strength * sum |w| */
  const char *prior_only; /* of LPMLN_L1: for parameters whose name starts so; NULL: all */
  bool bounded;
  double lower, upper; /* for every parameter */
  lpmln_noise noise;
  double noise_weight;               /* u: noise atoms have weight -u */
  size_t folds;                      /* of cross-validation; 0: none */
  size_t fixed_count;                /* parameters that keep their value: they are weights */
  const char *const *fixed;          /* of the program, and not in the answer */
  const char *checkpoint;            /* a file; NULL: none */
  bool resume;                       /* from the checkpoint, if it is there */
  lpmln_iteration_function progress; /* after each iteration; NULL: none */
  void *progress_data;
  bool counts;   /* iterations tell their balances */
  bool evaluate; /* a program without parameters is fine: its likelihood is told */
} lpmln_learning_options;

LPMLN_API lpmln_learning_options lpmln_learning_options_default(void);

typedef struct {
  const char *file;
  unsigned line;
  const char *text;
} lpmln_rule;

typedef struct {
  const char *parameter;
  double weight;         /* where it diverges: the value reached */
  double standard_error; /* NAN: none */
  double mc_error;       /* Monte Carlo standard error of the weight; 0: exact, NAN: none */
  double lower, upper;   /* of the 95% interval; NAN: none */
  double probability;    /* of a soft fact, e^w / (1 + e^w); NAN: no fact */
  double holds;          /* how probable a soft fact is in the learned program (mean of its
                         ** instances): the same, if nothing else depends on it */
  bool as_probability;   /* its language knows it as this probability, not as a weight */
  double probability_lower, probability_upper; /* of the 95% interval; NAN: none */
  char diverges;                               /* '+', '-', or 0 */
  bool identified;                             /* false: the data determines it only with others */
  bool held;                                   /* at a bound, or at 0 by an L1 prior */
  size_t group;                                /* number of its group, if not identified */
  lpmln_balance start, end;                    /* where the search began, and here */
  size_t rule_count;
  const lpmln_rule *rules;
} lpmln_learned;

/* Weights that the data does not determine separately. */
typedef struct {
  size_t count;
  const char *const *parameters;
  size_t free_directions; /* 0: samples do not tell */
  double at_least_one;    /* soft facts of which the data determines nothing but how
                          ** probable it is that one of them holds: this; else NAN */
} lpmln_group;

typedef struct {
  lpmln_answer about;
  lpmln_optimizer optimizer;
  bool converged;
  size_t iterations, evaluations;
  size_t replayed;           /* results that a resumed run found in its checkpoint */
  double log_likelihood;     /* of all observations, natural logarithm; NAN: not known */
  double supremum;           /* with diverging weights at infinity */
  double objective;          /* log-likelihood and log prior */
  double gradient;           /* largest absolute partial derivative of the objective */
  double gradient_error;     /* Monte Carlo standard error of that derivative; 0: exact */
  lpmln_guarantee guarantee; /* of sampled answers */
  double observations;       /* counts added */
  size_t different;          /* different ones */
  double dropped;            /* observations that were impossible and dropped */
  size_t circuit_nodes;
  bool diagnosed; /* false: errors, divergence, groups are not known */
  size_t weight_count;
  const lpmln_learned *weights; /* in order of first occurrence */
  const double *covariance;     /* of the estimates, weight_count rows; NAN where there is no
                                ** standard error; NULL: sampled, or not diagnosed */
  size_t group_count;
  const lpmln_group *groups;
  size_t run_count;
  const double *runs; /* objective by start; NULL if there was only one */
  double test_log_likelihood, test_observations; /* NAN, 0: none */
  size_t fold_count;
  const double *folds; /* held-out log-likelihood by fold */
  size_t advice_count;
  const char *const *advice; /* sentences for people */
  const char *program;       /* the program's text with the learned weights in place */
  const char *problog;       /* of a ProbLog program: the same in ProbLog; NULL: it can't be said */
  const char *markov;        /* of Markov logic: the same in Markov logic; NULL: it can't be said */
  double log_likelihood_error; /* Monte Carlo standard error; 0: exact, NAN: not known */
} lpmln_learning;

/* Finds the weights that make the observations most likely. */
LPMLN_API const lpmln_learning *lpmln_learn(lpmln_program *, const lpmln_learning_options *);

/* ---- comparing programs --------------------------------------------------------- */

/* A program that was learned. */
typedef struct {
  const char *program;   /* the names of its texts */
  double log_likelihood; /* of all observations */
  size_t weights;        /* its parameters… */
  size_t parameters;     /* …less the directions in which the data does not determine them: what
                         ** AIC, BIC and tests count */
  double aic;            /* 2 parameters - 2 log_likelihood */
  double bic;            /* parameters ln(observations) - 2 log_likelihood */
  bool converged;
  size_t diverging; /* weights that go to infinity */
} lpmln_compared;

/* Likelihood-ratio test of two programs, one of which is the other with parameters fixed at a
** number or tied to each other. */
typedef struct {
  size_t smaller, larger; /* which of the programs, from 0 */
  double statistic;       /* twice the difference of the log-likelihoods */
  size_t degrees;         /* of freedom: the difference of `parameters` */
  double p_value;         /* of the chi-square distribution */
  const char *doubt;      /* why that distribution may not be right; NULL: no reason is known */
} lpmln_ratio_test;

typedef struct {
  lpmln_answer about;
  double observations; /* counts added */
  size_t count;
  const lpmln_compared *models; /* in the order given */
  size_t test_count;
  const lpmln_ratio_test *tests;
} lpmln_comparison;

/* Learns each of the programs, which have the same observations, exactly and with the default
** options of lpmln_learn, and puts them side by side.  A time limit, that of the first one, is
** for all of them. */
LPMLN_API const lpmln_comparison *lpmln_compare(lpmln_program *const *programs, size_t count);

/* ---- weights learned elsewhere ------------------------------------------------ */

typedef struct {
  const char *parameter;
  double weight; /* NAN: the text has none for it */
} lpmln_weight;

typedef struct {
  lpmln_answer about;
  size_t count;
  const lpmln_weight *weights; /* in order of first occurrence */
  const char *program;         /* its text with these weights; others keep their initial value */
} lpmln_weights;

/* Reads the weights of parameters back from a text in Markov logic: the translation of the program
** (target mln) with weights, as Alchemy, Tuffy or lpmln_learn writes it.  Formulas are found by
** what they say, not by their order.  The program stays as it is. */
LPMLN_API const lpmln_weights *lpmln_weights_from(lpmln_program *, const char *name,
                                                  const char *text, size_t length);

/* ---- clusters of instances -------------------------------------------------- */

/* Values of a variable whose instances share a weight. */
typedef struct {
  double weight;
  size_t count;
  const char *const *values;
} lpmln_cluster;

typedef struct {
  const char *rule, *variable;
  size_t count;
  const lpmln_cluster *groups; /* by weight */
} lpmln_split;

/* A rule and a variable that were tried, with the best number of groups. */
typedef struct {
  const char *rule, *file;
  unsigned line;
  const char *variable;
  size_t values, groups;
  double log_likelihood;
  double gain; /* of the score over the program before */
  bool taken;
} lpmln_split_try;

typedef struct {
  lpmln_answer about;
  double observations;
  double tied_log_likelihood, log_likelihood; /* before, after */
  size_t try_count;
  const lpmln_split_try *tries; /* in their order */
  size_t count;
  const lpmln_split *splits;
  const char *program; /* with the groups as facts, and the learned weights */
} lpmln_splitting;

/* Which rules whose instances share a parameter should have one for each value of a variable,
** or group of values.  The score is the log-likelihood less ln(M)/2 for each further weight, of M
** instances observed, and less v ln(g) if v values are in g groups, fewer than v; or, with option
** folds, the held-out log-likelihood. */
LPMLN_API const lpmln_splitting *lpmln_learn_split(lpmln_program *, const lpmln_learning_options *);

/* ---- choosing rules -------------------------------------------------------- */

typedef struct {
  const char *candidates; /* a text of rules without weights, and #modeh, #modeb declarations */
  const char *name;       /* what diagnostics call it; NULL: a default */
  size_t folds;           /* of cross-validation */
  double penalty; /* of a rule, in log-likelihood; NAN: ln(candidates) + ln(observations)/2 */
} lpmln_induction_options;

LPMLN_API lpmln_induction_options lpmln_induction_options_default(void);

typedef struct {
  const char *rule, *file;
  unsigned line;
  bool kept;
  double weight, standard_error; /* NAN: not kept; none */
  char diverges;                 /* as in lpmln_learned */
  double gain;                   /* in log-likelihood: what is lost without it, or gained with it
                                 ** if it is not kept; NAN: its gradient was too small to try */
} lpmln_candidate;

/* The program with all candidates under an L1 prior. */
typedef struct {
  double strength;
  size_t rules; /* whose weight is not 0 */
  double log_likelihood, held_out;
  bool chosen; /* where the steps began: the largest held-out log-likelihood */
} lpmln_path_point;

typedef struct {
  bool added;       /* or dropped */
  size_t candidate; /* its number */
  double log_likelihood, score;
} lpmln_induction_step;

typedef struct {
  lpmln_answer about;
  double observations, penalty;
  size_t fits; /* programs that were learned */
  size_t candidate_count;
  const lpmln_candidate *candidates; /* in the order of the text */
  size_t path_count;
  const lpmln_path_point *path;
  size_t step_count;
  const lpmln_induction_step *steps;
  double log_likelihood, held_out;           /* with the rules that are kept */
  double base_log_likelihood, base_held_out; /* without any; -INFINITY: impossible */
  const char *program;                       /* its text, with the rules and their weights */
} lpmln_induction;

/* Chooses from candidate rules those that improve a penalised likelihood of the observations. */
LPMLN_API const lpmln_induction *lpmln_induce(lpmln_program *, const lpmln_induction_options *);

/* ---- translations -------------------------------------------------------------- */

typedef enum { LPMLN_PENALTY, LPMLN_REWARD } lpmln_form;
typedef enum { LPMLN_ALCHEMY, LPMLN_TUFFY } lpmln_markov_system;

typedef struct {
  const char *target;         /* a name of lpmln_targets */
  lpmln_form form;            /* of asp: weak constraints punish or reward */
  lpmln_markov_system markov; /* of mln */
  bool separate;              /* observations as training data, not as part of the text */
  double scale;               /* of asp and aspif: weights times this are integers; 0: 1000 */
  bool no_completion;         /* of mln: rules as formulas alone, another distribution */
  bool indexed;               /* of lpmln, with separate: observations as one (Section 4.1) */
  bool negative;              /* of lpmln: no weight is positive (the paper, Algorithm 2) */
  double noise;               /* > 0: with noise atoms of weight -noise for what was observed */
} lpmln_translation_options;

typedef struct {
  lpmln_answer about;
  const char *text; /* NULL: there is none, see about */
  size_t length;
  size_t data_count; /* texts of training data, if these were asked for */
  const char *const *data;
} lpmln_translation;

/* The program in another language.  LPMLN_NO_ANSWER: it can't be said there, for the
** reason that the diagnostics give. */
LPMLN_API const lpmln_translation *lpmln_translate(lpmln_program *,
                                                   const lpmln_translation_options *);

/* ---- models -------------------------------------------------------------------- */

typedef struct lpmln_model lpmln_model;

typedef struct {
  size_t observable_count;
  const char *const *observables; /* atoms or signatures (p/2) that evidence will be about */
} lpmln_compile_options;

/* The program compiled, with its evidence.  It *tells* guessed atoms, observables and what
** is asked for: evidence about these costs an evaluation, not a compilation.  NULL: it
** failed.  `about`, if not NULL, is an answer that says how it went.  The model is the
** caller's, who frees it. */
LPMLN_API lpmln_model *lpmln_compile(lpmln_program *, const lpmln_compile_options *,
                                     const lpmln_answer **about);

/* Holders share a model: each lpmln_model_keep, and each state, wants an
** lpmln_model_free. */
LPMLN_API lpmln_model *lpmln_model_keep(lpmln_model *);
LPMLN_API void lpmln_model_free(lpmln_model *);

typedef struct {
  lpmln_answer about;
  const char *bytes;
  size_t length;
} lpmln_bytes;

LPMLN_API const lpmln_bytes *lpmln_model_save(const lpmln_model *);
LPMLN_API lpmln_model *lpmln_model_load(const char *bytes, size_t length,
                                        const lpmln_answer **about);

/* Names in the order of the columns of lpmln_state_evaluate, parameters as lpmln_learn has
** them; they live as long as the model.  Observables are the atoms that it tells, queries what
** it was asked for (without queries: every shown atom that is neither certain nor impossible). */
LPMLN_API const char *const *lpmln_model_parameters(const lpmln_model *, size_t *count);
LPMLN_API const char *const *lpmln_model_observables(const lpmln_model *, size_t *count);
LPMLN_API const char *const *lpmln_model_queries(const lpmln_model *, size_t *count);
LPMLN_API size_t lpmln_model_edges(const lpmln_model *); /* of the circuit */

/* ---- states -------------------------------------------------------------------- */

typedef struct lpmln_state lpmln_state;

/* NULL: memory is out. */
LPMLN_API lpmln_state *lpmln_state_new(lpmln_model *);
LPMLN_API void lpmln_state_free(lpmln_state *);

/* LPMLN_USAGE: the model has no such parameter, or the value is not finite. */
LPMLN_API lpmln_status lpmln_state_set_weight(lpmln_state *, const char *parameter, double value);

typedef enum { LPMLN_FALSE, LPMLN_TRUE, LPMLN_UNKNOWN } lpmln_truth;

/* Evidence beside that of the model; LPMLN_UNKNOWN takes it back.  LPMLN_USAGE: the
** program has no such atom. */
LPMLN_API lpmln_status lpmln_state_observe(lpmln_state *, const char *atom, lpmln_truth);
LPMLN_API void lpmln_state_clear(lpmln_state *); /* takes all of it back */

LPMLN_API void lpmln_state_seed(lpmln_state *, uint64_t seed);
LPMLN_API void lpmln_state_limit(lpmln_state *, double seconds); /* for a question; 0: none */
LPMLN_API void lpmln_state_interrupt(lpmln_state *);             /* as lpmln_program_interrupt */

LPMLN_API const lpmln_inference *lpmln_state_infer(lpmln_state *);
LPMLN_API const lpmln_models *lpmln_state_map(lpmln_state *);
LPMLN_API const lpmln_models *lpmln_state_list(lpmln_state *, size_t most);
LPMLN_API const lpmln_samples *lpmln_state_draw(lpmln_state *, size_t count);

/* A matrix of the caller's: element (row, column) is at[row * row_stride + column *
** column_stride], strides in elements.  at NULL: none. */
typedef struct {
  double *at;
  ptrdiff_t row_stride, column_stride;
} lpmln_matrix;

/* Many evaluations at once, upwards and downwards through the circuit, into the caller's
** arrays.  Inputs: */
typedef struct {
  size_t rows;
  lpmln_matrix weights;  /* by parameter; none, or NAN: those of the state */
  lpmln_matrix evidence; /* by observable: 1 true, 0 false, NAN unknown, beside the state's */
  unsigned threads;
  /* Outputs, each of them if it is there; NAN where the evidence is impossible, but for ln Z,
  ** and for queries that the model does not tell (shown atoms that are too many at once): */
  lpmln_matrix log_partition; /* one column: ln Z */
  lpmln_matrix log_evidence;  /* one column: ln P(evidence), -INFINITY if impossible */
  lpmln_matrix marginals;     /* by query: P(query | evidence) */
  lpmln_matrix counts;        /* by parameter: E[n | evidence], expected violations */
  lpmln_matrix gradient;      /* by parameter: of ln P(evidence), E[n] - E[n | evidence] */
} lpmln_batch;

LPMLN_API lpmln_status lpmln_state_evaluate(lpmln_state *, const lpmln_batch *);

#ifdef __cplusplus
}
#endif

#endif
