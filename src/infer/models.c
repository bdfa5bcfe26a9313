/* models.c - lpmln_map and lpmln_list_models: the most probable stable models
** of an enumeration.
**
** Only what may still be among the answers is kept: when the store is twice as
** large as wanted, or a better model makes ties obsolete, it is thinned. */
#include "infer/hard.h"
#include "infer/tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIE 1e-6 /* in log weight */

typedef struct {
  double log_weight;
  uint8_t *bits; /* owned */
  uint32_t bytes;
} Kept;

typedef struct {
  Tally tally;
  size_t most; /* 0: all */
  bool ties;   /* only those that tie with the best */
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
  while (n && ((s->most && n > s->most) ||
               (s->ties && s->kept.at[n - 1].log_weight < s->best - TIE)))
    free(s->kept.at[--n].bits);
  s->kept.n = n;
}

static void keep(Store *s, const Layout *layout, const uint8_t *model) {
  double log_weight = tally_log_weight(&s->tally, model);
  if (s->ties && log_weight < s->best - TIE)
    return;
  if (s->ties && log_weight > s->best + TIE) {
    s->best = log_weight;
    thin(s);
  }
  s->best = log_weight > s->best ? log_weight : s->best;
  uint8_t *bits = memory_resize(NULL, layout->bytes + 1, 1);
  memcpy(bits, model, layout->bytes);
  vec_push(&s->kept, (Kept){log_weight, bits, layout->bytes});
  if (s->most && s->kept.n >= 2 * s->most + 64)
    thin(s);
}

static bool keep_models(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  Store *s = data;
  tally_start(&s->tally, layout);
  for (size_t i = 0; i < count; i++) {
    tally_add(&s->tally, layout, models + i * layout->bytes);
    keep(s, layout, models + i * layout->bytes);
  }
  return true;
}

static void store_free(Store *s) {
  for (size_t i = 0; i < s->kept.n; i++)
    free(s->kept.at[i].bits);
  vec_free(&s->kept);
  tally_free(&s->tally);
}

/* ---- answers -------------------------------------------------------------------- */

static bool holds(const Ground *g, const Layout *layout, const Kept *kept, Atom a) {
  Truth truth = g->atoms.at[a].truth;
  return truth == ATOM_OPEN ? layout_bit(kept->bits, layout->of_atom[a]) : truth == ATOM_CERTAIN;
}

static void fill_atoms(lpmln *p, const Layout *layout, const Kept *kept, lpmln_model *model) {
  const Ground *g = &p->ground;
  VEC(const char *) atoms = {0};
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].shown && holds(g, layout, kept, a))
      vec_push(&atoms, ground_text(g, g->atoms.at[a].name));
  for (size_t i = 0; i < g->terms.n; i++) {
    const char *term = ground_text(g, g->terms.at[i].text);
    bool known = !holds(g, layout, kept, g->terms.at[i].atom);
    for (size_t k = 0; !known && k < atoms.n; k++) /* several conditions, one term */
      known = !strcmp(atoms.at[k], term);
    if (!known)
      vec_push(&atoms, term);
  }
  vec_push(&p->answers, (void *)atoms.at);
  model->atoms = atoms.at;
  model->atom_count = atoms.n;
}

static lpmln_violation violation_of(lpmln *p, uint32_t instance) {
  const Instance *i = &p->ground.instances.at[instance];
  const Statement *s = &p->program.statements.at[p->ground.soft.at[i->soft].statement];
  const Source *source = program_source(&p->program, s);
  Text text = {0};
  program_write(&p->program, s, s->whole, &text);
  char *rule = text_take(&text);
  vec_push(&p->answers, rule);
  unsigned line = source_position(source, program_place(&p->program, s, s->whole).offset).line;
  return (lpmln_violation){source->name, line, rule, ground_text(&p->ground, i->text)};
}

static void fill_violated(lpmln *p, const Layout *layout, const Kept *kept, lpmln_model *model) {
  VEC(lpmln_violation) list = {0};
  for (uint32_t i = 0; i < p->ground.instances.n; i++) {
    uint32_t bit = layout->of_instance[i];
    if (bit == ALWAYS || (bit != NEVER && layout_bit(kept->bits, bit)))
      vec_push(&list, violation_of(p, i));
  }
  vec_push(&p->answers, list.at);
  model->violated = list.at;
  model->violated_count = list.n;
}

static lpmln_models *answer_of(lpmln *p, const Layout *layout, Store *s, bool complete) {
  lpmln_models *answer = problem_keep(p, 1, sizeof *answer);
  lpmln_model *models = problem_keep(p, s->kept.n, sizeof *models);
  char total[32];
  snprintf(total, sizeof total, "%llu", (unsigned long long)s->tally.models);
  double log_all = tally_log_all(&s->tally);
  for (size_t i = 0; i < s->kept.n; i++) {
    models[i].log_weight = s->kept.at[i].log_weight;
    models[i].probability = exp(s->kept.at[i].log_weight - log_all);
    fill_atoms(p, layout, &s->kept.at[i], &models[i]);
    fill_violated(p, layout, &s->kept.at[i], &models[i]);
  }
  answer->about = (lpmln_answer){LPMLN_ENUMERATE, complete, complete, problem_keep_text(p, total)};
  answer->total = answer->about.models_seen;
  answer->count = s->kept.n;
  answer->models = models;
  return answer;
}

typedef struct {
  const lpmln_models **answer;
  size_t most;
  bool ties;
} Listing;

static Status list(lpmln *p, void *data) {
  Listing *l = data;
  Status status = problem_prepare(p, false);
  if (status != OK)
    return status;
  Layout layout = {0};
  Store store = {.tally = {.ground = &p->ground}, .most = l->most, .ties = l->ties, .best = -INFINITY};
  Lit *evidence;
  size_t count;
  problem_evidence(p, &evidence, &count);
  Question q = {.ground = &p->ground, .analysis = &p->analysis, .required = evidence,
                .required_count = count, .hard_violated = p->hard_bound};
  WorkerOutcome outcome = solve(&q, &p->worker, p->worker_path, &p->limits, &layout, keep_models, &store);
  status = ground_outcome(&p->program, outcome, &p->worker, "enumerating stable models");
  if (store.tally.models) {
    thin(&store);
    *l->answer = answer_of(p, &layout, &store, status == OK);
  } else if (status == OK) {
    bool consistent;
    status = problem_satisfiable(p, NULL, 0, p->hard_bound, &consistent);
    if (status == OK)
      status = consistent ? problem_no_evidence(p) : problem_no_model(p);
  }
  store_free(&store);
  layout_free(&layout);
  free(evidence);
  return status;
}

lpmln_status lpmln_map(lpmln *p, const lpmln_models **answer) {
  *answer = NULL;
  return problem_run(p, list, &(Listing){answer, 0, true});
}

lpmln_status lpmln_list_models(lpmln *p, size_t most, const lpmln_models **answer) {
  *answer = NULL;
  return problem_run(p, list, &(Listing){answer, most, false});
}
