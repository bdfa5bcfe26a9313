/* learn.c - lpmln_learn: from a program and observations to weights. */
#include "learn/learning.h"

#include "infer/hard.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIAGNOSED = 500, AUTO_RESTARTS = 5, AUTO_NODES = 20000 };

lpmln_learning_options lpmln_learning_options_default(void) {
  return (lpmln_learning_options){
      .rate = 0.1, .delta = 0.001, .restarts = SIZE_MAX, .prior_deviation = 1, .noise_weight = 10};
}

const char *lpmln_optimizer_name(lpmln_optimizer optimizer) {
  static const char *const names[] = {"auto", "lbfgs", "newton", "em", "ascent"};
  return names[optimizer];
}

/* ---- objectives and optimisers ------------------------------------------------- */

double learning_mix(const Learning *l, const double *counts, Mixture *both) {
  double sum = 0;
  for (size_t i = 0; i < l->observed.list.n; i++) {
    if (counts[i] > 0)
      mixture_add(both, &l->roots[i], counts[i]);
    sum += counts[i];
  }
  mixture_add(both, &l->program, -sum);
  return sum;
}

Objective learning_objective(Learning *l, const Mixture *mixture, double count) {
  const lpmln_learning_options *s = l->options;
  Objective o = {.mixture = mixture,
                 .n = l->parameters.n,
                 .place = l->parameters.place,
                 .count = count,
                 .bounded = s->bounded,
                 .lower = s->lower,
                 .upper = s->upper,
                 .limits = &l->p->limits,
                 .threads = l->p->options.threads,
                 .journal = l->journal.path ? &l->journal : NULL,
                 .progress = s->progress,
                 .progress_data = s->progress_data,
                 .names = l->parameters.name};
  o.prior = (Prior){s->prior, s->prior_mean, s->prior_deviation, s->prior_strength};
  objective_begin(&o, &l->compiled.circuit, l->initial);
  return o;
}

static size_t most_iterations(const lpmln_learning_options *o, lpmln_optimizer optimizer) {
  static const size_t defaults[] = {10000, 10000, 1000, 100000, 1000000};
  return o->iterations ? o->iterations : defaults[optimizer];
}

static lpmln_optimizer chosen(const Learning *l) {
  if (l->options->optimizer != LPMLN_BEST)
    return l->options->optimizer;
  return l->options->bounded ? LPMLN_NEWTON : LPMLN_LBFGS;
}

/* From the start in point->w by the optimiser that was chosen. */
static void maximise(Learning *l, Objective *o, Point *point) {
  lpmln_optimizer optimizer = chosen(l);
  size_t most = most_iterations(l->options, optimizer);
  Expectation e = {&l->halves[0], &l->halves[1], l->coherent};
  switch (optimizer) {
  case LPMLN_NEWTON: newton_maximise(o, point, most); break;
  case LPMLN_EM: em_maximise(o, &e, point, most); break;
  case LPMLN_ASCENT:
    ascent_maximise(o, point, (Ascent){l->options->rate, l->options->delta}, most);
    break;
  default: lbfgs_maximise(o, point, most);
  }
}

static double normal(Random *random) {
  double radius = sqrt(-2 * log(1 - random_unit(random)));
  return radius * cos(2 * M_PI * random_unit(random));
}

/* Initial values, or random ones around them. */
static void set_start(const Learning *l, size_t run, double *w) {
  Random random = random_make(l->p->options.seed, 2 + run);
  for (uint32_t i = 0; i < l->parameters.n; i++) {
    w[i] = l->parameters.start[i] + (run ? 2 * normal(&random) : 0);
    if (l->options->bounded)
      w[i] = fmin(fmax(w[i], l->options->lower), l->options->upper);
  }
}

static size_t restarts_of(const Learning *l) {
  if (l->options->restarts != SIZE_MAX)
    return l->options->restarts;
  bool cheap = l->compiled.circuit.nodes.n <= AUTO_NODES;
  return l->incomplete && cheap && chosen(l) == LPMLN_LBFGS ? AUTO_RESTARTS : 0;
}

/* All starts; the first is kept unless another is clearly better. */
static void run_all(Learning *l, Point *best, double *start) {
  Objective *o = &l->objective;
  size_t runs = 1 + restarts_of(l);
  double *values = problem_keep(l->p, runs, sizeof *values), best_total = -INFINITY;
  Point point = point_make(o->n);
  for (o->run = 0; o->run < runs && !objective_ended(o); o->run++) {
    set_start(l, o->run, point.w);
    double *from = memory_zero(o->n, sizeof *from);
    memcpy(from, point.w, o->n * sizeof *from);
    maximise(l, o, &point);
    double total = point.value - objective_penalty(o, point.w);
    values[l->answer->run_count++] = total;
    if (!o->run || total > best_total + 1e-9 * (1 + fabs(total))) {
      point_copy(best, &point, o->n);
      memcpy(start, from, o->n * sizeof *start);
      best_total = total;
    }
    free(from);
  }
  l->answer->runs = values;
  point_free(&point);
}

/* ---- the optimum --------------------------------------------------------------- */

/* Examination wants the optimum itself; another optimiser than the Newton-like ones
** keeps the point that it found. */
static void polish(Learning *l, Point *best, Point *optimum) {
  Objective *o = &l->objective;
  lpmln_optimizer optimizer = chosen(l);
  bool own = optimizer == LPMLN_EM || optimizer == LPMLN_ASCENT;
  point_copy(optimum, best, o->n);
  if (own && o->bounded)
    newton_maximise(o, optimum, 1000);
  else if (own)
    lbfgs_maximise(o, optimum, 10000);
  examine_polish(o, optimum);
  if (!own && !objective_ended(o))
    point_copy(best, optimum, o->n);
}

static void optimise(Learning *l) {
  Objective *o = &l->objective;
  Point best = point_make(o->n), optimum = point_make(o->n);
  double *start = memory_zero(o->n, sizeof *start);
  memcpy(start, l->parameters.start, o->n * sizeof *start);
  Examination d = {0};
  bool closed = closed_form(l, &best);
  if (!closed)
    run_all(l, &best, start);
  else
    l->answer->about.method = LPMLN_CLOSED_FORM;
  l->answer->iterations = o->iterations;
  bool deep = o->n <= MOST_DIAGNOSED && best.converged && !objective_ended(o);
  o->progress = NULL;
  if (deep && !closed)
    polish(l, &best, &optimum);
  else
    point_copy(&optimum, &best, o->n);
  if (deep)
    examine(o, &optimum, start, &d);
  if (deep && !objective_ended(o))
    facts_combine(l, &optimum, &d);
  bool diagnosed = deep && !objective_ended(o);
  if (o->n > MOST_DIAGNOSED)
    diagnose_note(&l->p->program.sources, NOWHERE, NULL,
                "more than %d parameters: which of them diverge or "
                "are not determined separately is not examined",
                MOST_DIAGNOSED);
  l->answer->evaluations = o->evaluations;
  learning_answer(l, &best, diagnosed ? &d : NULL, NULL);
  examination_free(&d);
  point_free(&best);
  point_free(&optimum);
  free(start);
}

static void evaluate_test(Learning *l) {
  Mixture mixture = {0};
  double *w = memory_zero(l->parameters.n, sizeof *w), *g = memory_zero(l->parameters.n, sizeof *g);
  bool possible = true;
  l->answer->test_log_likelihood = NAN;
  for (size_t i = 0; i < l->observed.list.n; i++) {
    l->answer->test_observations += l->test[i];
    if (l->test[i] == 0 || circuit_possible(&l->roots[i]))
      continue;
    possible = false;
    diagnose_warning(&l->p->program.sources,
                   l->p->program.blocks.at[l->observed.list.at[i].block].place, NULL,
                   "this test observation is impossible: its log-likelihood is minus infinity");
  }
  for (uint32_t i = 0; i < l->parameters.n; i++)
    w[i] = l->answer->weights[i].weight;
  if (l->answer->test_observations > 0) {
    double count = possible ? learning_mix(l, l->test, &mixture) : 1;
    mixture_seal(&mixture);
    Objective o = learning_objective(l, &mixture, count);
    o.prior = (Prior){0};
    l->answer->test_log_likelihood = possible ? objective_value(&o, w, g) : -INFINITY;
    objective_free(&o);
  }
  mixture_free(&mixture);
  free(w);
  free(g);
}

/* ---- the question ----------------------------------------------------------------- */

/* What a checkpoint is of: everything that decides the run. */
static Status begin_journal(Learning *l) {
  const lpmln_learning_options *s = l->options;
  Text key = {0};
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < l->p->program.sources.list.n; i++)
    for (size_t k = 0; k < l->p->program.sources.list.at[i].length; k++)
      h = (h ^ (unsigned char)l->p->program.sources.list.at[i].bytes[k]) * 0x100000001b3u;
  text_printf(
      &key, "%s %016" PRIx64 " %u %" PRIu64 " %d %a %a %zu %zu %d %a %a %a %d %a %a %d %a %zu",
      LPMLN_VERSION, h, l->parameters.n, l->p->options.seed, s->optimizer, s->rate, s->delta,
      s->iterations, s->restarts, s->prior, s->prior_mean, s->prior_deviation, s->prior_strength,
      s->bounded, s->lower, s->upper, s->noise, s->noise_weight, s->folds);
  Status status = journal_begin(&l->journal, s->checkpoint, key.at, s->resume);
  if (status != OK)
    diagnose_error(&l->p->program.sources, NOWHERE, "remove the file, or ask for the same run again",
                 "the checkpoint '%s' is of another run", s->checkpoint);
  vec_free(&key);
  return status;
}

static void begin_weights(Learning *l) {
  const Ground *g = &l->p->ground;
  l->initial = memory_zero(g->weights.n, sizeof *l->initial);
  for (size_t i = 0; i < g->weights.n; i++)
    l->initial[i] = g->weights.at[i].value;
}

static void begin_mixtures(Learning *l) {
  lpmln_learning *answer = l->answer;
  answer->observations = learning_mix(l, l->train, &l->both);
  for (size_t i = 0; i < l->observed.list.n; i++)
    if (l->train[i] > 0) {
      mixture_add(&l->halves[0], &l->roots[i], l->train[i]);
      answer->different++;
    }
  mixture_add(&l->halves[1], &l->program, -answer->observations);
  mixture_seal(&l->both);
  mixture_seal(&l->halves[0]);
  mixture_seal(&l->halves[1]);
  answer->circuit_nodes = l->compiled.circuit.nodes.n;
}

static void learning_free(Learning *l) {
  for (size_t i = 0; l->roots && i < l->observed.list.n; i++)
    circuit_root_free(&l->roots[i]);
  free(l->roots);
  circuit_root_free(&l->program);
  mixture_free(&l->both);
  mixture_free(&l->halves[0]);
  mixture_free(&l->halves[1]);
  if (l->compiling)
    compile_free(&l->compiled);
  observations_free(&l->observed);
  parameters_free(&l->parameters);
  journal_free(&l->journal);
  free(l->initial);
  free(l->train);
  free(l->test);
  free(l->possible);
  vec_free(&l->impossible);
}

static Status prepare(Learning *l) {
  lpmln *p = l->p;
  Status status = problem_prepare(p, true);
  if (status == OK && p->hard_bound != NONE) {
    diagnose_error(&p->program.sources, NOWHERE, NULL, "learning needs hard rules that can hold");
    return NO_ANSWER;
  }
  if (status == OK && !p->tests) {
    diagnose_error(&p->program.sources, NOWHERE, "give them with -e or --data",
                 "there are no observations");
    return INPUT;
  }
  if (status == OK)
    status = parameters_find(p, &l->parameters);
  if (status == OK) {
    observations_make(p, &l->observed);
    evidence_count(l);
    begin_weights(l);
  }
  return status;
}

/* `auto` turns to sampling if compiling takes too long. */
static Status compile_or_sample(Learning *l, bool *sampled) {
  lpmln *p = l->p;
  *sampled = p->options.method == LPMLN_MC_ASP;
  Status status = *sampled ? OK : evidence_compile(l);
  if (status == LIMIT && p->options.method == LPMLN_AUTO && limits_check(&p->limits) == OK) {
    diagnose_note(&p->program.sources, NOWHERE, "--method exact stops here instead",
                "the program is too hard to compile: expected counts are sampled by Markov chains");
    *sampled = true;
    status = OK;
  }
  return status;
}

static Status finish(Learning *l) {
  atomic_store(&l->p->stage, LPMLN_LEARNING);
  begin_mixtures(l);
  Status status = l->options->checkpoint ? begin_journal(l) : OK;
  if (status != OK)
    return status;
  closed_examine(l);
  l->objective = learning_objective(l, &l->both, l->answer->observations);
  l->answer->about = (lpmln_answer){.method = LPMLN_EXACT, .exact = true, .complete = true};
  l->answer->optimizer = chosen(l);
  optimise(l);
  evaluate_test(l);
  if (l->options->folds)
    folds_run(l);
  status = l->objective.status;
  l->answer->about.complete = status == OK;
  journal_flush(&l->journal, true);
  if (l->journal.status != OK)
    diagnose_warning(&l->p->program.sources, NOWHERE, NULL, "can't write the checkpoint '%s'",
                   l->options->checkpoint);
  if (status == OK && !l->answer->converged)
    diagnose_warning(&l->p->program.sources, NOWHERE, NULL, "stopped before it converged");
  objective_free(&l->objective);
  return status;
}

typedef struct {
  const lpmln_learning_options *options;
  const lpmln_learning **answer;
  BlockNumbers absorbed; /* blocks that noise atoms have to explain */
} Asking;

static void say_absorbed(lpmln *p, const BlockNumbers *blocks) {
  enum { MOST_SAID = 5 };
  for (size_t i = 0; i < blocks->n && i < MOST_SAID; i++)
    diagnose_warning(&p->program.sources, p->program.blocks.at[blocks->at[i]].place, NULL,
                   "observation %u is impossible but for noise", blocks->at[i] + 1);
  if (blocks->n > MOST_SAID)
    diagnose_warning(&p->program.sources, NOWHERE, NULL,
                   "%zu more observations are impossible but for noise", blocks->n - MOST_SAID);
}

static Status learn(lpmln *p, void *data) {
  const Asking *a = data;
  Learning l = {.p = p, .options = a->options, .answer = problem_keep(p, 1, sizeof *l.answer)};
  bool sampled = false;
  Status status = prepare(&l);
  if (status == OK)
    status = compile_or_sample(&l, &sampled);
  bool answered = status == OK;
  if (answered) {
    say_absorbed(p, &a->absorbed);
    status = sampled ? sampled_learn(&l) : finish(&l);
  }
  BlockNumbers impossible = l.impossible;
  l.impossible = (BlockNumbers){0};
  learning_free(&l);
  if (status == OK && impossible.n) { /* grounds anew, so it comes last */
    hard_explain_blocks(p, impossible.at, impossible.n);
    p->prepared = false;
  }
  vec_free(&impossible);
  *a->answer = answered && l.answer->weights ? l.answer : NULL;
  return status;
}

static const char *wrong_options(const lpmln_learning_options *o) {
  bool l1 = o->prior == LPMLN_L1;
  if (o->bounded && (o->optimizer == LPMLN_LBFGS || o->optimizer == LPMLN_EM))
    return "bounds need the optimiser newton or ascent";
  if (o->bounded && l1)
    return "bounds and an L1 prior do not go together";
  if (l1 && (o->optimizer == LPMLN_NEWTON || o->optimizer == LPMLN_EM))
    return "an L1 prior needs the optimiser lbfgs or ascent";
  if (o->bounded && !(o->lower < o->upper))
    return "the lower bound must be less than the upper one";
  if (o->folds == 1)
    return "cross-validation needs two folds at least";
  return NULL;
}

/* With noise atoms the program has one more text. */
typedef struct {
  Asking *asking;
  char *rules; /* NULL: none */
} Noise;

/* Finds the rules, and the observations that need them. */
static Status find_noise(lpmln *p, void *data) {
  Noise *noise = data;
  lpmln_learning_options options = *noise->asking->options;
  options.noise = LPMLN_DROP;
  Learning l = {.p = p, .options = &options, .answer = problem_keep(p, 1, sizeof *l.answer)};
  Status status = prepare(&l);
  if (status == OK)
    status = evidence_compile(&l);
  for (size_t i = 0; i < l.impossible.n; i++)
    vec_push(&noise->asking->absorbed, l.impossible.at[i]);
  bool goes_on = status == OK || l.impossible.n; /* all of them may be impossible */
  if (goes_on)
    noise->rules = noise_rules(p, options.noise_weight);
  learning_free(&l);
  return goes_on ? OK : status;
}

/* The text is there for this question only. */
static Status learn_with_noise(lpmln *p, Asking *asking) {
  Noise noise = {.asking = asking};
  Status status = problem_run(p, find_noise, &noise);
  if (status == OK && noise.rules)
    status = lpmln_add_text(p, LPMLN_PROGRAM, "<noise>", noise.rules, strlen(noise.rules));
  if (status == OK)
    status = problem_run(p, learn, asking);
  if (noise.rules) {
    Input *last = &p->inputs.at[--p->inputs.n];
    free(last->name);
    free(last->bytes);
    p->prepared = false;
  }
  free(noise.rules);
  vec_free(&asking->absorbed);
  return status;
}

lpmln_status lpmln_learn(lpmln *p, const lpmln_learning_options *options,
                         const lpmln_learning **answer) {
  lpmln_learning_options defaults = lpmln_learning_options_default();
  Asking asking = {.options = options ? options : &defaults, .answer = answer};
  const char *wrong = wrong_options(asking.options);
  *answer = NULL;
  if (wrong) {
    diagnose_error(&p->program.sources, NOWHERE, NULL, "%s", wrong);
    return USAGE;
  }
  if (asking.options->noise == LPMLN_NOISE_ATOMS)
    return learn_with_noise(p, &asking);
  return problem_run(p, learn, &asking);
}
