/* targets.c - the program as plingo's, as weighted clauses, as aspif, as graphs. */
#include "infer/engine.h"
#include "infer/hard.h"
#include "write/aspif.h"
#include "write/dot.h"
#include "write/plingo.h"
#include "write/wcnf.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  lpmln_target target;
  const char **text;
} Targeting;

/* Integers of other systems have an end. */
static Status check_weights(lpmln *p, double most, const char *system) {
  for (size_t i = 0; i < p->ground.weights.n; i++) {
    const Weight *w = &p->ground.weights.at[i];
    if (fabs(w->value) <= most)
      continue;
    const Statement *s = &p->program.statements.at[p->ground.soft.at[w->soft].statement];
    diagnose_error(&p->program.sources, program_place(&p->program, s, s->weight), NULL,
                 "%s can't take the weight %g: its weights end at %g", system, w->value, most);
    return NO_ANSWER;
  }
  return OK;
}

static Status to_plingo(lpmln *p, Text *out) {
  Status status = check_weights(p, PLINGO_MOST_WEIGHT, "plingo");
  if (status == OK)
    write_plingo(&p->program, &p->ground, out);
  return status;
}

static Status to_wcnf(lpmln *p, const Lit *evidence, size_t count, Text *out) {
  Atom obstacle;
  Status status = write_wcnf(&p->ground, &p->analysis, evidence, count, out, &obstacle);
  if (status == NO_ANSWER) {
    uint32_t name = p->ground.atoms.at[obstacle].name;
    diagnose_error(
        &p->program.sources, NOWHERE, "`--to nnf` or `--to aspif` may do",
        "clauses for the %u atoms of a loop through disjunctive heads, with %s, would be too many",
        p->analysis.scc_size[p->analysis.scc[obstacle]],
        name == NONE ? "an auxiliary atom" : ground_text(&p->ground, name));
  } else if (status == LIMIT) {
    diagnose_error(&p->program.sources, NOWHERE, "`--to nnf` or `--to aspif` may do",
                 "the clauses would need more than half a gigabyte");
  }
  return status;
}

static Status to_aspif(lpmln *p, const Lit *evidence, size_t count, Text *out) {
  Status status = check_weights(p, ASPIF_MOST_WEIGHT, "clasp");
  if (status != OK)
    return status;
  char *unsat = fresh_name(&p->program, "unsat", false);
  write_aspif(&p->ground, unsat, evidence, count, out);
  free(unsat);
  return OK;
}

static Status translate(lpmln *p, lpmln_target target, Text *out) {
  Lit *evidence;
  size_t count;
  Status status = OK;
  problem_evidence(p, &evidence, &count);
  switch (target) {
  case LPMLN_PLINGO: status = to_plingo(p, out); break;
  case LPMLN_WCNF: status = to_wcnf(p, evidence, count, out); break;
  case LPMLN_ASPIF: status = to_aspif(p, evidence, count, out); break;
  case LPMLN_DOT: write_dot(&p->ground, &p->analysis, out); break;
  case LPMLN_DOT_CIRCUIT: status = exact_dot(p, out); break;
  }
  free(evidence);
  return status;
}

static Status run(lpmln *p, void *data) {
  const Targeting *t = data;
  Status status = problem_prepare(p, false);
  Text text = {0};
  if (status == OK)
    status = translate(p, t->target, &text);
  if (status == OK) {
    char *kept = text_take(&text);
    vec_push(&p->answers, kept);
    *t->text = kept;
  }
  vec_free(&text);
  return status;
}

lpmln_status lpmln_translate(lpmln *p, lpmln_target target, const char **text) {
  *text = NULL;
  return problem_run(p, run, &(Targeting){target, text});
}
