/* infer.c - lpmln_infer: probabilities of atoms and queries by enumeration. */
#include "infer/hard.h"
#include "infer/tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool add_models(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  Tally *tally = data;
  tally_start(tally, layout);
  for (size_t i = 0; i < count; i++)
    tally_add(tally, layout, models + i * layout->bytes);
  return true;
}

typedef struct {
  lpmln *p;
  const Layout *layout;
  const Tally *tally;
  VEC(lpmln_marginal) list;
} Marginals;

static void add_marginal(Marginals *m, const char *text, Atom atom, bool always) {
  uint32_t bit = m->layout->of_atom[atom];
  bool certain = m->p->ground.atoms.at[atom].truth == ATOM_CERTAIN;
  uint64_t count = bit != NONE ? m->tally->count[bit] : certain ? m->tally->agreeing : 0;
  if (!always && (count == 0 || count == m->tally->agreeing))
    return;
  long double part = bit != NONE ? m->tally->sum[bit] : count ? m->tally->with : 0;
  double probability = count == m->tally->agreeing ? 1 : (double)(part / m->tally->with);
  vec_push(&m->list, (lpmln_marginal){text, probability, 0});
}

/* The queries, or else every shown atom and term that is neither certain nor
** impossible. */
static void make_marginals(Marginals *m) {
  const Ground *g = &m->p->ground;
  for (size_t i = 0; i < g->queries.n; i++)
    add_marginal(m, ground_text(g, g->queries.at[i].text), g->queries.at[i].atom, true);
  if (m->p->queries.n)
    return;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].shown)
      add_marginal(m, ground_text(g, g->atoms.at[a].name), a, false);
  for (size_t i = 0; i < g->terms.n; i++)
    add_marginal(m, ground_text(g, g->terms.at[i].text), g->terms.at[i].atom, false);
}

static char *decimal(lpmln *p, uint64_t number) {
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  return problem_keep_text(p, text);
}

/* Evidence as literals: no violation of an observation holds. */
void problem_evidence(const lpmln *p, Lit **lits, size_t *count) {
  const Ground *g = &p->ground;
  *lits = memory_zero(g->violations.n, sizeof **lits);
  *count = g->violations.n;
  for (size_t i = 0; i < g->violations.n; i++)
    (*lits)[i] = lit_of(g->violations.at[i].atom, true);
}

Status problem_no_model(lpmln *p) {
  report_error(&p->program.sources, NOWHERE, "`lpmln check` tells which hard rules are in the way",
               "the program has no probabilistic stable model");
  return NO_ANSWER;
}

Status problem_no_evidence(lpmln *p) {
  size_t before = p->program.sources.errors;
  Status status = explain_impossible(p, 0);
  if (p->program.sources.errors == before)
    report_error(&p->program.sources, NOWHERE, NULL, "no stable model agrees with the evidence");
  return status == OK ? NO_ANSWER : status;
}

static Status infer(lpmln *p, void *data) {
  const lpmln_inference **answer = data;
  Status status = problem_prepare(p, false);
  if (status != OK)
    return status;
  Layout layout = {0};
  Tally tally = {.ground = &p->ground};
  Lit *evidence;
  problem_evidence(p, &evidence, &tally.evidence_count);
  tally.evidence = evidence;
  Question q = {.ground = &p->ground, .analysis = &p->analysis, .hard_violated = p->hard_bound};
  WorkerOutcome outcome = solve(&q, &p->worker, p->worker_path, &p->limits, &layout, add_models, &tally);
  status = ground_outcome(&p->program, outcome, &p->worker, "enumerating stable models");
  if (tally.agreeing) {
    lpmln_inference *result = problem_keep(p, 1, sizeof *result);
    Marginals m = {.p = p, .layout = &layout, .tally = &tally};
    make_marginals(&m);
    vec_push(&p->answers, m.list.at);
    *result = (lpmln_inference){
        .about = {LPMLN_ENUMERATE, status == OK, status == OK, decimal(p, tally.models)},
        .log_partition = tally_log_all(&tally),
        .log_evidence = tally.agreeing == tally.models ? 0 : tally_log_with(&tally) - tally_log_all(&tally),
        .count = m.list.n,
        .marginals = m.list.at};
    *answer = result;
  } else if (status == OK) {
    status = tally.models ? problem_no_evidence(p) : problem_no_model(p);
  }
  tally_free(&tally);
  layout_free(&layout);
  free(evidence);
  return status;
}

lpmln_status lpmln_infer(lpmln *p, const lpmln_inference **answer) {
  *answer = NULL;
  return problem_run(p, infer, answer);
}
