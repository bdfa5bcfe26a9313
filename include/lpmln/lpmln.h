/* lpmln.h - probabilistic answer set programs (LPMLN): the public interface.
**
** A problem (lpmln) collects program texts, evidence, queries and options, and
** answers questions about them.  It owns everything that it hands out; answers
** and diagnostics live until the next question to the same problem or
** lpmln_free.  Strings passed in are copied.
**
** The library neither prints nor exits and keeps no global state: different
** problems can be used in different threads at once, one problem by one thread
** at a time (lpmln_interrupt excepted).
**
**   lpmln *p = lpmln_new(NULL);
**   lpmln_add_text(p, LPMLN_PROGRAM, "coin", "0.5 heads.", 10);
**   const lpmln_inference *answer;
**   if (lpmln_infer(p, &answer) == LPMLN_OK)
**     printf("%s %g\n", answer->marginals[0].atom,
**            answer->marginals[0].probability);
**   lpmln_free(p);
*/
#ifndef LPMLN_LPMLN_H
#define LPMLN_LPMLN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LPMLN_VERSION "0.1.0"
const char *lpmln_version(void);

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

const char *lpmln_method_name(lpmln_method);

/* How LPMLN_MC_ASP samples. */
typedef struct {
  size_t chains;      /* Markov chains; at least 1 */
  size_t samples;     /* of each chain, for learning in each iteration; 0: a default */
  size_t burn_in;     /* steps of each chain before; SIZE_MAX: a default */
  size_t thin;        /* steps from one sample to the next; at least 1 */
  size_t block_moves; /* in each step; SIZE_MAX: a sweep, 0: MC-ASP alone */
} lpmln_sampling;

/* What programs are written in.  AUTO: by the ending of the file's name. */
typedef enum {
  LPMLN_LANGUAGE_AUTO,
  LPMLN_LANGUAGE_LPMLN,
  LPMLN_LANGUAGE_PROBLOG,
  LPMLN_LANGUAGE_MLN,
  LPMLN_LANGUAGE_PLINGO,
  LPMLN_LANGUAGE_PLOG,
  LPMLN_LANGUAGE_AZREASONERS,
  LPMLN_LANGUAGE_LPMLNMODELS
} lpmln_language;

const char *lpmln_language_name(lpmln_language);

typedef struct {
  lpmln_method method;
  lpmln_language language; /* of the programs, and of evidence whose name does not tell */
  bool problog_clauses;    /* of plingo: &problog of a rule with a body as in ProbLog */
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

lpmln_options lpmln_options_default(void);

typedef struct lpmln lpmln;

/* NULL options: the defaults.  NULL is returned only when memory is out. */
lpmln *lpmln_new(const lpmln_options *);
void lpmln_free(lpmln *);

/* LPMLN_TEST, LPMLN_TEST_DATA: observations that learning only evaluates. */
typedef enum { LPMLN_PROGRAM, LPMLN_EVIDENCE, LPMLN_DATA, LPMLN_TEST, LPMLN_TEST_DATA } lpmln_role;

/* Texts to read.  A file is opened at the first question, "-" is standard
** input.  The name of a text is what diagnostics call it. */
lpmln_status lpmln_add_file(lpmln *, lpmln_role, const char *path);
lpmln_status lpmln_add_text(lpmln *, lpmln_role, const char *name, const char *bytes,
                            size_t length);

/* An atom, a signature (p/2), an atom with variables or a conjunction. */
lpmln_status lpmln_add_query(lpmln *, const char *query);

/* Like #const name = value., but stronger. */
lpmln_status lpmln_define(lpmln *, const char *name, const char *value);

/* A value for a parameter (@w(NAME)) in place of its initial one. */
lpmln_status lpmln_set_weight(lpmln *, const char *parameter, double value);

/* Makes the question under way end with LPMLN_INTERRUPTED.  May be called from
** a signal handler or another thread. */
void lpmln_interrupt(lpmln *);

typedef enum {
  LPMLN_IDLE,
  LPMLN_GROUNDING,
  LPMLN_COMPILING,
  LPMLN_ENUMERATING,
  LPMLN_LEARNING,
  LPMLN_SAMPLING
} lpmln_stage;

/* What a question under way is doing, and how many stable models it has seen
** or drawn.
** May be called from another thread. */
lpmln_stage lpmln_progress(lpmln *, uint64_t *models);

typedef enum { LPMLN_NOTE, LPMLN_WARNING, LPMLN_ERROR } lpmln_severity;

typedef struct {
  lpmln_severity severity;
  const char *file;              /* NULL: no place in a text */
  unsigned line, column, length; /* from 1; length in columns */
  const char *message;
  const char *hint;   /* NULL: none */
  const char *source; /* the line of text, NULL: none */
} lpmln_diagnostic;

/* What there is to say about the texts, in the order found. */
const lpmln_diagnostic *lpmln_diagnostics(const lpmln *, size_t *count);

/* A text of the problem, as it was read. */
typedef struct {
  lpmln_role role;
  const char *name;
  const char *bytes;
  size_t length;
} lpmln_text;

/* Of the last question: its texts in the order read, included files too; the ground
** atoms that hold in every stable model.  They live as long as its answer. */
const lpmln_text *lpmln_texts(lpmln *, size_t *count);
const char *const *lpmln_certain_atoms(lpmln *, size_t *count);

typedef struct {
  const char *atom;
  double probability;
  double error; /* Monte Carlo standard error; 0: exact */
  double ess;   /* effective sample size; NAN: not sampled, or never seen to change */
  double rhat;  /* split R-hat; NAN: likewise */
} lpmln_marginal;

/* What every answer says about itself. */
typedef struct {
  lpmln_method method; /* the engine that answered */
  bool exact;
  bool complete;           /* false: cut short; figures are about what was seen */
  const char *models_seen; /* stable models looked at; NULL: not counted */
} lpmln_answer;

/* What is certain about the distribution of samples.  LPMLN_NEAR_UNIFORM: with a
** probability of at least 1 - doubt each of N stable models is drawn with a
** probability between 1/((1 + epsilon) N) and (1 + epsilon)/N.  Of Markov chains this
** is about each of their steps; LPMLN_HEURISTIC: the distribution is the right one, but
** it is not proven that the chains reach every stable model. */
typedef enum { LPMLN_EXACTLY, LPMLN_NEAR_UNIFORM, LPMLN_HEURISTIC } lpmln_guarantee;

const char *lpmln_guarantee_name(lpmln_guarantee);

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

lpmln_status lpmln_infer(lpmln *, const lpmln_inference **);

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
} lpmln_model;

typedef struct {
  lpmln_answer about;
  const char *total; /* number of stable models with the evidence, decimal */
  size_t count;
  const lpmln_model *models; /* most probable first */
} lpmln_models;

/* The most probable stable models: all that tie (within 1e-6 in log weight). */
lpmln_status lpmln_map(lpmln *, const lpmln_models **);

/* The `most` most probable stable models; 0: all. */
lpmln_status lpmln_list_models(lpmln *, size_t most, const lpmln_models **);

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
lpmln_status lpmln_draw_samples(lpmln *, size_t count, const lpmln_samples **);

/* The same, each stable model being as likely as any other. */
lpmln_status lpmln_draw_uniform(lpmln *, size_t count, const lpmln_samples **);

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

lpmln_status lpmln_check(lpmln *, const lpmln_analysis **);

/* The compiled program, evidence included, as bytes that can stand in place of the
** program's text: answers from them need no grounding and no compiling. */
lpmln_status lpmln_compile(lpmln *, const char **bytes, size_t *length);

/* ---- learning -------------------------------------------------------------- */

/* LPMLN_BEST: in closed form where that is right, else L-BFGS (with bounds: the
** trust region). */
typedef enum { LPMLN_BEST, LPMLN_LBFGS, LPMLN_NEWTON, LPMLN_EM, LPMLN_ASCENT } lpmln_optimizer;

const char *lpmln_optimizer_name(lpmln_optimizer);

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

lpmln_learning_options lpmln_learning_options_default(void);

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
lpmln_status lpmln_learn(lpmln *, const lpmln_learning_options *, const lpmln_learning **);

typedef enum { LPMLN_PENALTY, LPMLN_REWARD } lpmln_form;

/* The program as an answer set program for clingo. */
lpmln_status lpmln_translate_asp(lpmln *, lpmln_form, const char **text);

/* The program as LPMLN text, evidence as constraints: what an import means. */
lpmln_status lpmln_translate_lpmln(lpmln *, const char **text);

typedef enum { LPMLN_ALCHEMY, LPMLN_TUFFY } lpmln_dialect;

typedef struct {
  const char *text;
  size_t data_count;
  const char *const *data; /* a database for each observation, if these were asked for */
} lpmln_mln;

/* The program in Markov logic, if it is tight (LPMLN_NO_ANSWER if not: the
** diagnostics name a loop).  Evidence becomes hard formulas, or `separate`
** databases of training data. */
lpmln_status lpmln_translate_mln(lpmln *, lpmln_dialect, bool separate, const lpmln_mln **);

/* The program as a ProbLog program, or LPMLN_NO_ANSWER if it is none (a diagnostic
** says why).  Evidence becomes part of the text, or, if `data` is given, blocks of
** examples for learning. */
lpmln_status lpmln_translate_problog(lpmln *, const char **text, const char **data);

/* The compiled program, evidence included, in the NNF format of c2d and d4, after
** comment lines that name the variables. */
lpmln_status lpmln_translate_nnf(lpmln *, const char **text);

/* PLINGO: with variables, &weight, &evidence and &query.  WCNF: clauses with
** weights, for model counters; their models are the stable models.  ASPIF: the
** ground program, for clasp.  DOT: its dependencies for Graphviz; DOT_CIRCUIT: the
** compiled program. */
typedef enum { LPMLN_PLINGO, LPMLN_WCNF, LPMLN_ASPIF, LPMLN_DOT, LPMLN_DOT_CIRCUIT } lpmln_target;

lpmln_status lpmln_translate(lpmln *, lpmln_target, const char **text);

#ifdef __cplusplus
}
#endif

#endif
