/* enumerate.c - answers by enumerating all stable models.
**
** Sums are kept per atom, models are not, except for those that may still be
** among the most probable ones: when twice as many as wanted are there, or a
** better model makes ties obsolete, they are thinned. */
#include "infer/engine.h"
#include "infer/hard.h"
#include "infer/tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *decimal(lpmln *p, uint64_t number) {
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  return problem_keep_text(p, text);
}

static WorkerOutcome enumerate(lpmln *p, const Lit *required, size_t count, const Limits *limits,
                               Layout *layout, ModelsCallback callback, void *data) {
  atomic_store(&p->stage, LPMLN_ENUMERATING);
  Question q = {.ground = &p->ground,
                .analysis = &p->analysis,
                .required = required,
                .required_count = count,
                .hard_violated = p->hard_bound};
  return solve(&q, &p->worker, p->worker_path, limits, layout, callback, data);
}

static Status ask(lpmln *p, const Lit *required, size_t count, Layout *layout,
                  ModelsCallback callback, void *data) {
  WorkerOutcome outcome = enumerate(p, required, count, &p->limits, layout, callback, data);
  return ground_outcome(&p->program, outcome, &p->worker, "enumerating stable models");
}

/* ---- probabilities -------------------------------------------------------------- */

typedef struct {
  lpmln *p;
  Tally tally;
  uint64_t most; /* models; 0: any number */
} Sums;

static bool add_models(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  Sums *s = data;
  tally_start(&s->tally, layout);
  for (size_t i = 0; i < count; i++)
    tally_add(&s->tally, layout, models + i * layout->bytes);
  atomic_store(&s->p->models, s->tally.models);
  return !s->most || s->tally.models <= s->most;
}

static void fill_marginals(lpmln *p, const Layout *layout, const Tally *tally,
                           lpmln_inference *answer) {
  AskedList asked = {0};
  bool always;
  answer_asked(p, &asked, &always);
  lpmln_marginal *list = problem_keep(p, asked.n, sizeof *list);
  for (size_t i = 0; i < asked.n; i++) {
    Atom atom = asked.at[i].atom;
    uint32_t bit = layout->of_atom[atom];
    bool certain = p->ground.atoms.at[atom].truth == ATOM_CERTAIN;
    uint64_t count = bit != NONE ? tally->count[bit] : certain ? tally->agreeing : 0;
    if (!always && (count == 0 || count == tally->agreeing))
      continue;
    double probability = count == 0                 ? 0
                         : count == tally->agreeing ? 1
                                                    : (double)(tally->sum[bit] / tally->with);
    list[answer->count++] = (lpmln_marginal){asked.at[i].text, probability, 0, NAN, NAN};
  }
  answer->marginals = list;
  vec_free(&asked);
}

/* From the sums of all models seen. */
static Status answer_sums(lpmln *p, const Layout *layout, const Tally *tally, Status status,
                          lpmln_inference *answer) {
  if (!tally->agreeing)
    return status != OK ? status : tally->models ? problem_no_evidence(p) : problem_no_model(p);
  answer->about = (lpmln_answer){.method = LPMLN_ENUMERATE,
                                 .exact = status == OK,
                                 .complete = status == OK,
                                 .models_seen = decimal(p, tally->models)};
  answer->log_partition = tally_log_all(tally);
  if (tally->agreeing < tally->models)
    answer->log_evidence = tally_log_with(tally) - answer->log_partition;
  fill_marginals(p, layout, tally, answer);
  return status;
}

Status enumerate_infer(lpmln *p, lpmln_inference *answer) {
  Layout layout = {0};
  Sums sums = {.p = p, .tally = {.ground = &p->ground}};
  Lit *evidence;
  problem_evidence(p, &evidence, &sums.tally.evidence_count);
  sums.tally.evidence = evidence;
  Status status = ask(p, NULL, 0, &layout, add_models, &sums);
  status = answer_sums(p, &layout, &sums.tally, status, answer);
  tally_free(&sums.tally);
  layout_free(&layout);
  free(evidence);
  return status;
}

Status enumerate_infer_few(lpmln *p, uint64_t most, double seconds, lpmln_inference *answer) {
  Layout layout = {0};
  Sums sums = {.p = p, .tally = {.ground = &p->ground}, .most = most};
  Lit *evidence;
  Limits limits = p->limits;
  if (limits.deadline == 0 || clock_now() + seconds < limits.deadline)
    limits.deadline = clock_now() + seconds;
  problem_evidence(p, &evidence, &sums.tally.evidence_count);
  sums.tally.evidence = evidence;
  WorkerOutcome outcome = enumerate(p, NULL, 0, &limits, &layout, add_models, &sums);
  Status status =
      outcome == WORKER_TIME || sums.tally.models > most
          ? LIMIT
          : ground_outcome(&p->program, outcome, &p->worker, "enumerating stable models");
  if (status == OK)
    status = answer_sums(p, &layout, &sums.tally, status, answer);
  tally_free(&sums.tally);
  layout_free(&layout);
  free(evidence);
  return status;
}

/* ---- models --------------------------------------------------------------------- */

typedef struct {
  double log_weight;
  uint8_t *bits; /* owned */
  uint32_t bytes;
} Kept;

typedef struct {
  lpmln *p;
  Tally tally;
  Wanted wanted;
  double best;
  VEC(Kept) kept;
} Store;

static int compare_kept(const void *a, const void *b) {
  const Kept *x = a, *y = b;
  if (x->log_weight != y->log_weight)
    return x->log_weight > y->log_weight ? -1 : 1;
  return x->bytes ? memcmp(x->bits, y->bits, x->bytes) : 0;
}

static void thin(Store *s) {
  size_t n = s->kept.n;
  if (n)
    qsort(s->kept.at, n, sizeof *s->kept.at, compare_kept);
  while (n && ((s->wanted.most && n > s->wanted.most) ||
               (s->wanted.ties && s->kept.at[n - 1].log_weight < s->best - TIE)))
    free(s->kept.at[--n].bits);
  s->kept.n = n;
}

static void keep(Store *s, const Layout *layout, const uint8_t *model) {
  double log_weight = tally_log_weight(&s->tally, model);
  if (s->wanted.ties && log_weight < s->best - TIE)
    return;
  if (s->wanted.ties && log_weight > s->best + TIE) {
    s->best = log_weight;
    thin(s);
  }
  s->best = log_weight > s->best ? log_weight : s->best;
  uint8_t *bits = memory_resize(NULL, layout->bytes + 1, 1);
  memcpy(bits, model, layout->bytes);
  vec_push(&s->kept, (Kept){log_weight, bits, layout->bytes});
  if (s->wanted.most && s->kept.n >= 2 * s->wanted.most + 64)
    thin(s);
}

static bool keep_models(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  Store *s = data;
  tally_start(&s->tally, layout);
  for (size_t i = 0; i < count; i++) {
    tally_add(&s->tally, layout, models + i * layout->bytes);
    keep(s, layout, models + i * layout->bytes);
  }
  atomic_store(&s->p->models, s->tally.models);
  return true;
}

static void fill_models(lpmln *p, const Layout *layout, const Store *s, bool complete,
                        lpmln_models *answer) {
  lpmln_model *models = problem_keep(p, s->kept.n, sizeof *models);
  bool *atoms = answer_atoms(p);
  for (size_t i = 0; i < s->kept.n; i++) {
    const Kept *kept = &s->kept.at[i];
    for (Atom a = 0; a < p->ground.atoms.n; a++)
      if (layout->of_atom[a] != NONE)
        atoms[a] = layout_bit(kept->bits, layout->of_atom[a]);
    models[i] =
        answer_model(p, atoms, kept->log_weight, tally_probability(&s->tally, kept->log_weight));
  }
  free(atoms);
  answer_order(models, s->kept.n);
  answer->about = (lpmln_answer){.method = LPMLN_ENUMERATE,
                                 .exact = complete,
                                 .complete = complete,
                                 .models_seen = decimal(p, s->tally.models)};
  answer->total = answer->about.models_seen;
  answer->count = s->kept.n;
  answer->models = models;
}

Status enumerate_models(lpmln *p, Wanted wanted, lpmln_models *answer) {
  Layout layout = {0};
  Store store = {.p = p, .tally = {.ground = &p->ground}, .wanted = wanted, .best = -INFINITY};
  Lit *evidence;
  size_t count;
  problem_evidence(p, &evidence, &count);
  Status status = ask(p, evidence, count, &layout, keep_models, &store);
  if (store.tally.models) {
    thin(&store);
    fill_models(p, &layout, &store, status == OK, answer);
  } else if (status == OK) {
    bool consistent;
    status = problem_satisfiable(p, NULL, 0, p->hard_bound, &consistent);
    if (status == OK)
      status = consistent ? problem_no_evidence(p) : problem_no_model(p);
  }
  for (size_t i = 0; i < store.kept.n; i++)
    free(store.kept.at[i].bits);
  vec_free(&store.kept);
  tally_free(&store.tally);
  layout_free(&layout);
  free(evidence);
  return status;
}
