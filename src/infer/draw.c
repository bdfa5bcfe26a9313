/* draw.c - uniform samples from the solver, for programs without a circuit. */
#include "infer/engine.h"
#include "infer/hard.h"
#include "sample/uniform.h"

#include <math.h>
#include <stdlib.h>

const char *lpmln_guarantee_name(lpmln_guarantee guarantee) {
  static const char *const names[] = {"exact", "near-uniform", "heuristic"};
  return names[guarantee];
}

/* Says what stopped the sampler. */
static Status explain(lpmln *p, const Uniform *u, Status status) {
  if (status == LIMIT && limits_check(&p->limits) == LIMIT)
    return ground_outcome(&p->program, WORKER_TIME, &u->worker, "sampling");
  if (status == LIMIT && u->outcome == WORKER_OK) {
    diagnose_warning(&p->program.sources, NOWHERE, NULL,
                   "no cell of the hashed stable models was acceptable in %u attempts",
                   u->options.retries);
    return LIMIT;
  }
  return u->outcome == WORKER_OK ? status
                                 : ground_outcome(&p->program, u->outcome, &u->worker, "sampling");
}

static Status no_sample(lpmln *p) {
  bool consistent;
  Status status = problem_satisfiable(p, NULL, 0, p->hard_bound, &consistent);
  if (status != OK)
    return status;
  return consistent ? problem_no_evidence(p) : problem_no_model(p);
}

static void evidence_of(const lpmln *p, Assumption **list, size_t *count) {
  Lit *lits;
  problem_evidence(p, &lits, count);
  *list = memory_zero(*count, sizeof **list);
  for (size_t i = 0; i < *count; i++)
    (*list)[i] = (Assumption){.id = lit_atom(lits[i]), .holds = !lit_negated(lits[i])};
  free(lits);
}

/* The weakest guarantee of all draws: that of the most hashed parts. */
static void promise(const Uniform *u, lpmln_samples *answer) {
  if (!u->near)
    return;
  answer->guarantee = LPMLN_NEAR_UNIFORM;
  answer->epsilon = fmax(answer->epsilon, pow(1 + u->options.epsilon, u->near) - 1);
  answer->doubt = fmin(1, fmax(answer->doubt, u->near * u->options.doubt));
}

/* Draws until there are enough samples or something stops it. */
static Status draw(lpmln *p, Uniform *u, size_t count, lpmln_samples *answer) {
  const Layout *layout = &u->encoding.layout;
  lpmln_sample *samples = problem_keep(p, count, sizeof *samples);
  Assumption *evidence;
  size_t evidences;
  evidence_of(p, &evidence, &evidences);
  bool *atoms = answer_atoms(p);
  uint8_t *model = memory_zero(layout->bytes, 1);
  Random random = random_make(p->options.seed, 0);
  Status status = OK;
  while (answer->count < count && status == OK) {
    UniformGuarantee guarantee;
    status = limits_check(&p->limits);
    if (status == OK)
      status = uniform_draw(u, evidence, evidences, &random, model, &guarantee);
    if (status != OK)
      break;
    promise(u, answer);
    for (Atom a = 0; a < p->ground.atoms.n; a++)
      if (layout->of_atom[a] != NONE)
        atoms[a] = layout_bit(model, layout->of_atom[a]);
    lpmln_sample *sample = &samples[answer->count++];
    sample->atoms = answer_shown(p, atoms, &sample->atom_count);
    atomic_store(&p->models, answer->count);
  }
  answer->samples = samples;
  free(model);
  free(atoms);
  free(evidence);
  return status;
}

static void describe(lpmln *p, Status status, lpmln_samples *answer) {
  bool near = answer->guarantee == LPMLN_NEAR_UNIFORM;
  answer->about = (lpmln_answer){LPMLN_MC_ASP, !near, status == OK, NULL};
  answer->uniform = true;
  if (near)
    diagnose_note(&p->program.sources, NOWHERE, NULL,
                "near-uniform samples: with probability %.4g or more, no stable model is more than "
                "%.4g times as likely as it should be, or less than 1/%.4g times",
                1 - answer->doubt, 1 + answer->epsilon, 1 + answer->epsilon);
}

Status solver_sample(lpmln *p, size_t count, lpmln_samples *answer) {
  UniformOptions options = uniform_options_default();
  options.hard_violated = p->hard_bound;
  Uniform u;
  atomic_store(&p->stage, LPMLN_SAMPLING);
  Status status = uniform_begin(&u, &p->ground, &p->analysis, p->worker_path, &p->limits, &options);
  if (status == OK)
    status = draw(p, &u, count, answer);
  if (status != OK)
    status = status == NO_ANSWER ? no_sample(p) : explain(p, &u, status);
  if (status != NO_ANSWER && (status == OK || answer->count))
    describe(p, status, answer);
  uniform_free(&u);
  return status;
}
