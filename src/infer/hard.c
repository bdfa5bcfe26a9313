/* hard.c - see hard.h. */
#include "infer/hard.h"

#include "sample/solve.h"

#include <stdlib.h>

typedef VEC(Lit) Lits;

typedef struct {
  Layout layout;
  VEC(uint8_t) model; /* the first one */
  bool found;
} First;

static bool take_first(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  First *first = data;
  first->found |= count > 0;
  for (uint32_t i = 0; count && i < layout->bytes; i++)
    vec_push(&first->model, models[i]);
  return true;
}

static Status find_first(lpmln *p, const Lit *required, size_t count, uint32_t hard_bound,
                         First *first) {
  Question q = {.ground = &p->ground,
                .analysis = &p->analysis,
                .required = required,
                .required_count = count,
                .hard_violated = hard_bound,
                .most = 1};
  WorkerOutcome outcome =
      solve(&q, &p->worker, p->worker_path, &p->limits, &first->layout, take_first, first);
  return ground_outcome(&p->program, outcome, &p->worker, "solving");
}

static void first_free(First *first) {
  layout_free(&first->layout);
  vec_free(&first->model);
}

Status problem_satisfiable(lpmln *p, const Lit *required, size_t count, uint32_t hard_bound,
                           bool *result) {
  First first = {0};
  Status status = find_first(p, required, count, hard_bound, &first);
  *result = first.found;
  first_free(&first);
  return status;
}

/* The literals that say that no observation of the block is violated. */
static void require_block(const lpmln *p, uint32_t block, Lits *required) {
  for (size_t i = 0; i < p->ground.violations.n; i++)
    if (p->ground.violations.at[i].first == block)
      vec_push(required, lit_of(p->ground.violations.at[i].atom, true));
}

enum { MOST_IN_THE_WAY = 3 }; /* hard instances, of an observation */

/* The least bound with a model of the violable program, with the evidence of a
** block if it is not NONE; then there may be none. */
static Status find_bound(lpmln *p, uint32_t block, First *first) {
  Status status = OK;
  Lits required = {0};
  if (block != NONE)
    require_block(p, block, &required);
  for (p->hard_bound = 1; status == OK && !first->found; p->hard_bound++) {
    first_free(first);
    status = find_first(p, required.at, required.n, p->hard_bound, first);
    if (first->found || p->hard_bound > p->ground.instances.n ||
        (block != NONE && p->hard_bound == MOST_IN_THE_WAY))
      break;
  }
  vec_free(&required);
  return status;
}

static Status relax(lpmln *p, First *first) {
  Status status = problem_ground(p, true);
  return status == OK ? find_bound(p, NONE, first) : status;
}

Status hard_relax(lpmln *p) {
  bool consistent;
  Status status = problem_satisfiable(p, NULL, 0, NONE, &consistent);
  if (status != OK || consistent)
    return status;
  First first = {0};
  status = relax(p, &first);
  first_free(&first);
  return status;
}

/* Says of each hard instance that the model violates that it is in the way. */
static void report_violated(lpmln *p, const First *first, const char *what, const char *result) {
  for (uint32_t i = 0; first->found && i < p->ground.instances.n; i++) {
    const Instance *instance = &p->ground.instances.at[i];
    uint32_t bit = first->layout.of_instance[i];
    bool violated = bit == ALWAYS || (bit != NEVER && layout_bit(first->model.at, bit));
    if (!violated || instance->weight != NONE)
      continue;
    const Statement *s = &p->program.statements.at[p->ground.soft.at[instance->soft].statement];
    const char *text = ground_text(&p->ground, instance->text);
    diagnose_warning(&p->program.sources, program_place(&p->program, s, s->whole), NULL,
                   "%s; without this instance%s%s%s%s %s", what, *text ? " (" : "", text,
                   *text ? ")" : "", p->hard_bound > 1 ? ", and the others named," : "", result);
  }
}

Status hard_explain(lpmln *p) {
  First first = {0};
  Status status = relax(p, &first);
  if (status == OK)
    report_violated(p, &first, "the hard rules can't all hold", "there is a stable model");
  first_free(&first);
  return status;
}

static Status explain_block(lpmln *p, uint32_t block) {
  First first = {0};
  Text what = {0};
  text_printf(&what, "a hard rule in the way of observation %u", block + 1);
  Status status = find_bound(p, block, &first);
  if (status == OK)
    report_violated(p, &first, what.at, "it is possible");
  vec_free(&what);
  first_free(&first);
  return status;
}

void hard_explain_blocks(lpmln *p, const uint32_t *blocks, size_t n) {
  unsigned errors = p->program.sources.errors; /* grounding stops at errors */
  p->program.sources.errors = 0;
  Status status = problem_ground(p, true);
  for (size_t i = 0; i < n && i < HARD_BLOCKS && status == OK; i++)
    status = explain_block(p, blocks[i]);
  p->program.sources.errors += errors;
}

/* ---- evidence --------------------------------------------------------------------- */

enum { MOST_NAMED = 5 };

static void report_impossible(lpmln *p, const Event *e, const char *why, const char *hint) {
  Text what = {0};
  text_puts(&what, "the evidence is impossible");
  if (p->program.blocks.n > 1) {
    what.n = 0;
    text_printf(&what, "observation %u is impossible", e->first + 1);
  }
  const Statement *s = e->second == NONE ? NULL : &p->program.statements.at[e->second];
  if (s)
    diagnose_error(&p->program.sources, program_place(&p->program, s, s->whole), hint, "%s: %s",
                 what.at, why);
  else
    diagnose_error(&p->program.sources, p->program.blocks.at[e->first].place, hint,
                 "%s: %s can't be false", what.at, ground_text(&p->ground, e->text));
  vec_free(&what);
}

/* Statements that no stable model agrees with, whatever the others say. */
static size_t name_impossible(lpmln *p, uint32_t block) {
  size_t named = 0;
  for (size_t i = 0; i < p->ground.violations.n; i++) {
    const Event *e = &p->ground.violations.at[i];
    if (e->first != block || p->ground.atoms.at[e->atom].truth != ATOM_CERTAIN)
      continue;
    if (++named <= MOST_NAMED)
      report_impossible(p, e, "no stable model agrees with this",
                        "is there a rule that derives the atom?");
  }
  if (named > MOST_NAMED)
    diagnose_error(&p->program.sources, NOWHERE, NULL, "and %zu more like these", named - MOST_NAMED);
  return named;
}

Status explain_impossible(lpmln *p, uint32_t block) {
  VEC(Lit) required = {0};
  Status status = OK;
  bool named = name_impossible(p, block) > 0;
  for (size_t i = 0; !named && status == OK && i < p->ground.violations.n; i++) {
    const Event *e = &p->ground.violations.at[i];
    bool possible = true;
    if (e->first != block)
      continue;
    vec_push(&required, lit_of(e->atom, true));
    status = problem_satisfiable(p, required.at, required.n, p->hard_bound, &possible);
    if (status == OK && !possible) {
      report_impossible(p, e,
                        required.n == 1 ? "no stable model agrees with this"
                                        : "this contradicts what stands before it",
                        NULL);
      named = true;
    }
  }
  vec_free(&required);
  return status;
}
