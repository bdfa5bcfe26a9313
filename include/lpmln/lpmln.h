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
#define LPMLN_ABI 2 /* changes when programs must be compiled again; liblpmln.so.2 */
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
  LPMLN_CLOSED_FORM
} lpmln_method;

LPMLN_API const char *lpmln_method_name(lpmln_method);

/* How LPMLN_MC_ASP samples. */
typedef struct {
  size_t chains;      /* Markov chains; at least 1 */
  size_t samples;     /* of each chain, for learning in each iteration; 0: a default */
  size_t burn_in;     /* steps of each chain before; SIZE_MAX: a default */
  size_t thin;        /* steps from one sample to the next; at least 1 */
  size_t block_moves; /* in each step; SIZE_MAX: a sweep, 0: MC-ASP alone */
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
  size_t memory_limit;  /* MiB for the worker process */
  double compile_limit; /* seconds that LPMLN_AUTO compiles before it samples */
  lpmln_sampling sampling;
  bool violable;            /* hard rules: as many as possible hold */
  bool closed_world;        /* atoms an observation does not list are false */
  const char *include_root; /* #include reads below it; NULL: each program's own folder */
  const char *worker;       /* path of lpmln-worker; NULL: look for it */
} lpmln_options;

LPMLN_API lpmln_options lpmln_options_default(void);

/* ---- answers ------------------------------------------------------------------ */

typedef enum { LPMLN_NOTE, LPMLN_WARNING, LPMLN_ERROR } lpmln_severity;

typedef struct {
  lpmln_severity severity;
  const char *file;              /* NULL: no place in a text */
  unsigned line, column, length; /* from 1; length in columns */
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

/* An atom, a signature (p/2), an atom with variables or a conjunction. */
LPMLN_API lpmln_status lpmln_program_add_query(lpmln_program *, const char *query);

/* Like #const name = value., but stronger. */
LPMLN_API lpmln_status lpmln_program_define(lpmln_program *, const char *name, const char *value);

/* A value for a parameter (@w(NAME)) in place of its initial one; NAN takes it back.  The
** program may have no such parameter: the next question says so. */
LPMLN_API lpmln_status lpmln_program_set_weight(lpmln_program *, const char *parameter,
                                                double value);

/* Makes the question under way, or else the next one, end with LPMLN_INTERRUPTED; the
** one after that is answered.  May be called from a signal handler or another thread. */
LPMLN_API void lpmln_program_interrupt(lpmln_program *);

typedef enum {
  LPMLN_IDLE,
  LPMLN_GROUNDING,
  LPMLN_COMPILING,
  LPMLN_ENUMERATING,
  LPMLN_LEARNING,
  LPMLN_SAMPLING
} lpmln_stage;

/* What a question under way is doing, and how many stable models it has seen
** or drawn.  May be called from another thread. */
LPMLN_API lpmln_stage lpmln_program_progress(lpmln_program *, uint64_t *models);

/* A text of the program, as it was read. */
typedef struct {
  lpmln_role role;
  const char *name;
  const char *bytes;
  size_t length;
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
  double error; /* Monte Carlo standard error; 0: exact */
  double ess;   /* effective sample size; NAN: not sampled, or never seen to change */
  double rhat;  /* split R-hat; NAN: likewise */
} lpmln_marginal;

/* What is certain about the distribution of samples.  LPMLN_NEAR_UNIFORM: with a
** probability of at least 1 - doubt each of N stable models is drawn with a
** probability between 1/((1 + epsilon) N) and (1 + epsilon)/N.  Of Markov chains this
** is about each of their steps; LPMLN_HEURISTIC: the distribution is the right one, but
** it is not proven that the chains reach every stable model. */
typedef enum { LPMLN_EXACTLY, LPMLN_NEAR_UNIFORM, LPMLN_HEURISTIC } lpmln_guarantee;

LPMLN_API const char *lpmln_guarantee_name(lpmln_guarantee);

typedef struct {
  lpmln_answer about;
  double log_partition;      /* ln of the sum of weights, evidence ignored; NAN: not known */
  double log_evidence;       /* ln P(evidence); NAN: not known */
  size_t samples;            /* of all chains; 0: not sampled */
  lpmln_guarantee guarantee; /* of the chains' steps */
  double epsilon, doubt;     /* 0: exact */
  size_t count;
  const lpmln_marginal *marginals;
} lpmln_inference;

LPMLN_API const lpmln_inference *lpmln_infer(lpmln_program *);

typedef struct {
  const char *file;
  unsigned line;
  const char *rule;     /* its text */
  const char *instance; /* the substitution of its variables */
} lpmln_violation;

typedef struct {
  size_t atom_count;
  const char *const *atoms; /* true ones, as #show wants them */
  double probability;       /* given the evidence */
  double log_weight;        /* -(sum of the weights of violated instances) */
  size_t violated_count;
  const lpmln_violation *violated;
} lpmln_stable_model;

typedef struct {
  lpmln_answer about;
  const char *total; /* number of stable models with the evidence, decimal */
  size_t count;
  const lpmln_stable_model *models; /* most probable first */
} lpmln_models;

/* The most probable stable models: all that tie (within 1e-6 in log weight). */
LPMLN_API const lpmln_models *lpmln_map(lpmln_program *);

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

/* ---- learning -------------------------------------------------------------- */

/* LPMLN_BEST: in closed form where that is right, else L-BFGS (with bounds: the
** trust region). */
typedef enum { LPMLN_BEST, LPMLN_LBFGS, LPMLN_NEWTON, LPMLN_EM, LPMLN_ASCENT } lpmln_optimizer;

LPMLN_API const char *lpmln_optimizer_name(lpmln_optimizer);

typedef enum { LPMLN_NO_PRIOR, LPMLN_GAUSSIAN, LPMLN_L1 } lpmln_prior;

/* What to do about observations that no stable model agrees with. */
typedef enum { LPMLN_REFUSE, LPMLN_DROP, LPMLN_NOISE_ATOMS } lpmln_noise;

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
  const char *const *parameters;
} lpmln_iteration;

/* False ends the run; what was found so far is the answer, not converged. */
typedef bool (*lpmln_iteration_function)(void *data, const lpmln_iteration *);

typedef struct {
  lpmln_optimizer optimizer;
  double rate, delta; /* of LPMLN_ASCENT */
  size_t iterations;  /* at most, for each start; 0: the optimiser's default */
  size_t restarts;    /* further starts, at random places */
  lpmln_prior prior;
  double prior_mean, prior_deviation; /* of LPMLN_GAUSSIAN */
  double prior_strength;              /* of LPMLN_L1: subtracts strength * sum |w| */
  bool bounded;
  double lower, upper; /* for every parameter */
  lpmln_noise noise;
  double noise_weight;               /* u: noise atoms have weight -u */
  size_t folds;                      /* of cross-validation; 0: none */
  const char *checkpoint;            /* a file; NULL: none */
  bool resume;                       /* from the checkpoint, if it is there */
  lpmln_iteration_function progress; /* after each iteration; NULL: none */
  void *progress_data;
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
} lpmln_learning;

/* Finds the weights that make the observations most likely. */
LPMLN_API const lpmln_learning *lpmln_learn(lpmln_program *, const lpmln_learning_options *);

/* ---- translations -------------------------------------------------------------- */

typedef enum { LPMLN_PENALTY, LPMLN_REWARD } lpmln_form;
typedef enum { LPMLN_ALCHEMY, LPMLN_TUFFY } lpmln_markov_system;

typedef struct {
  const char *target;         /* a name of lpmln_targets */
  lpmln_form form;            /* of asp: weak constraints punish or reward */
  lpmln_markov_system markov; /* of mln */
  bool separate;              /* observations as training data, not as part of the text */
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

/* Names in the order of the columns of lpmln_state_evaluate; they live as long as the
** model.  Observables are the atoms that it tells, queries what it was asked for (without
** queries: every shown atom that is neither certain nor impossible). */
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
