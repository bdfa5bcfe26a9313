/* reasons.c - why there is no answer: hard rules that can't all hold, evidence that is
** impossible; see task.h.
**
** Which hard instances stand in the way is found on a second ground program, in which
** hard rules keep track of their instances and may be violated. */
#include "infer/relax.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "ground/read.h"
#include "ground/script.h"
#include "infer/task.h"
#include "language/program.h"
#include "lpmln/lpmln.h"
#include "sample/encode.h"
#include "sample/solve.h"
#include "solver/client.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

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

static Status find_first(const Task *t, Question q, First *first) {
  q.most = 1;
  WorkerOutcome outcome = solve(&q, t->worker, &t->limits, &first->layout, take_first, first);
  return ground_outcome(t->said, outcome, t->worker, "solving");
}

static void first_free(First *first) {
  layout_free(&first->layout);
  vec_free(&first->model);
}

Status task_satisfiable(const Task *t, const Lit *required, size_t count, bool *result) {
  assert(required || !count);
  First first = {0};
  Question q = {.ground = t->ground,
                .analysis = t->analysis,
                .required = required,
                .required_count = count,
                .hard_violated = t->hard_bound};
  Status status = find_first(t, q, &first);
  *result = first.found;
  first_free(&first);
  return status;
}

/* ---- hard rules --------------------------------------------------------------------- */

void relaxed_free(Relaxed *r) {
  grounded_free(&r->is);
  *r = (Relaxed){0};
}

/* What there is to say of the texts was said when they were ground before. */
static Status ground_again(const Task *t, Relaxed *r) {
  Diagnostics unsaid = {.sources = &t->program->sources};
  ScriptOptions options = {
      .violable = true, .closed_world = t->options->closed_world, .closed = t->options->closed};
  Status status = ground_read(t->program, &unsaid, options, t->worker, &t->limits, &r->is);
  diagnostics_free(&unsaid);
  return status;
}

/* The literals that say that no observation of the block is violated. */
static void require_block(const Task *t, const Observations *o, uint32_t block, Lits *required) {
  Violations all = {0};
  observations_forbidden(o, t->program, block, &all);
  for (size_t i = 0; i < all.n; i++)
    vec_push(required, lit_not(all.at[i].lit));
  vec_free(&all);
}

enum { MOST_IN_THE_WAY = 3 }; /* hard instances, of an observation */

/* The least number of violated hard instances with a model, with the evidence of a block
** if it is not NONE; then there may be none. */
static Status find_bound(const Task *t, Relaxed *r, uint32_t block, First *first) {
  assert(block == NONE || block < t->program->block_count);
  Status status = OK;
  Lits required = {0};
  if (block != NONE)
    require_block(t, &r->is.observed, block, &required);
  size_t most = block == NONE ? r->is.ground.instances.n + 1 : MOST_IN_THE_WAY;
  for (r->bound = 1; status == OK; r->bound++) {
    first_free(first);
    Question q = {.ground = &r->is.ground,
                  .analysis = &r->is.analysis,
                  .required = required.at,
                  .required_count = required.n,
                  .hard_violated = r->bound};
    status = find_first(t, q, first);
    if (first->found || r->bound >= most)
      break;
  }
  vec_free(&required);
  return status;
}

Status task_relax(const Task *t, Relaxed *r) {
  First first = {0};
  Status status = ground_again(t, r);
  if (status == OK)
    status = find_bound(t, r, NONE, &first);
  first_free(&first);
  return status;
}

/* Says of each hard instance that the model violates that it is in the way. */
static void say_violated(const Task *t, const Relaxed *r, const First *first, const char *what,
                         const char *result) {
  assert(!first->found || first->layout.of_instance);
  for (uint32_t i = 0; first->found && i < r->is.ground.instances.n; i++) {
    const Instance *instance = &r->is.ground.instances.at[i];
    uint32_t bit = first->layout.of_instance[i];
    bool violated = bit == ALWAYS || (bit != NEVER && layout_bit(first->model.at, bit));
    if (!violated || instance->weight != NONE)
      continue;
    const Statement *s = &t->program->statements.at[r->is.ground.soft.at[instance->soft].statement];
    const char *text = ground_text(&r->is.ground, instance->text);
    diagnose_warning(t->said, program_place(t->program, s, s->whole), NULL,
                     "%s; without this instance%s%s%s%s %s", what, *text ? " (" : "", text,
                     *text ? ")" : "", r->bound > 1 ? ", and the others named," : "", result);
  }
}

Status task_explain_hard(const Task *t) {
  Relaxed r = {0};
  First first = {0};
  Status status = ground_again(t, &r);
  if (status == OK)
    status = find_bound(t, &r, NONE, &first);
  if (status == OK)
    say_violated(t, &r, &first, "the hard rules can't all hold", "there is a stable model");
  first_free(&first);
  relaxed_free(&r);
  return status;
}

static Status explain_hard_block(const Task *t, Relaxed *r, uint32_t block) {
  First first = {0};
  Text what = {0};
  text_printf(&what, "a hard rule in the way of observation %u", block + 1);
  Status status = find_bound(t, r, block, &first);
  if (status == OK)
    say_violated(t, r, &first, what.at, "it is possible");
  vec_free(&what);
  first_free(&first);
  return status;
}

void task_explain_hard_blocks(const Task *t, const uint32_t *blocks, size_t n) {
  Relaxed r = {0};
  Status status = ground_again(t, &r);
  for (size_t i = 0; i < n && i < HARD_BLOCKS && status == OK; i++)
    status = explain_hard_block(t, &r, blocks[i]);
  relaxed_free(&r);
}

/* ---- evidence ------------------------------------------------------------------------ */

enum { MOST_NAMED = 5 };

static void say_impossible(const Task *t, const Violation *v, const char *why, const char *hint) {
  const Program *program = t->program;
  Text what = {0};
  if (program->block_count > 1)
    text_printf(&what, "observation %u is impossible", v->block + 1);
  else
    text_puts(&what, "the evidence is impossible");
  if (v->statement != NONE) {
    const Statement *s = &program->statements.at[v->statement];
    diagnose_error(t->said, program_observed(program, s, v->block), hint, "%s: %s", what.at, why);
  } else {
    const AtomInfo *atom = &t->ground->atoms.at[lit_atom(v->lit)];
    assert(atom->name != NONE); /* a closed world lists named atoms */
    diagnose_error(t->said, program_block_place(program, v->block), hint, "%s: %s can't be false",
                   what.at, ground_text(t->ground, atom->name));
  }
  vec_free(&what);
}

/* Does the cell of the column, or the literal or constraint alone, say that an atom is false? */
static bool denies(const Program *program, const Violation *v) {
  const Statement *s = &program->statements.at[v->statement];
  bool negated = program_tokens(program, s)[s->body.from].kind == T_NOT;
  for (size_t i = 0; s->kind == S_COLUMN && i < program->tables.n; i++) {
    const ObservedTable *table = &program->tables.at[i];
    for (size_t k = 0; k < table->columns.n; k++)
      if (table->columns.at[k] == v->statement)
        return !table_cell(table, v->block - table->first, k);
  }
  return !s->formula && (s->kind == S_LITERAL ? negated || s->denied : !negated);
}

/* What to look at if no stable model agrees with a statement. */
static const char *hint_of(const Program *program, const Violation *v) {
  assert(v->statement == NONE || v->statement < program->statements.n);
  return v->statement != NONE && denies(program, v) ? "does the program say that it always holds?"
                                                    : "is there a rule that derives the atom?";
}

/* Statements that no stable model agrees with, whatever the others say. */
static size_t name_impossible(const Task *t, const Violations *all) {
  size_t named = 0;
  for (size_t i = 0; i < all->n; i++) {
    if (ground_truth(t->ground, all->at[i].lit) != 1)
      continue;
    if (++named <= MOST_NAMED)
      say_impossible(t, &all->at[i], "no stable model agrees with this",
                     hint_of(t->program, &all->at[i]));
  }
  if (named > MOST_NAMED)
    diagnose_error(t->said, NOWHERE, NULL, "and %zu more like these", named - MOST_NAMED);
  return named;
}

Status task_explain_block(const Task *t, uint32_t block) {
  assert(t->observed && t->program);
  Lits required = {0};
  Violations all = {0};
  Status status = OK;
  if (block < t->program->block_count)
    observations_forbidden(t->observed, t->program, block, &all);
  bool named = name_impossible(t, &all) > 0;
  for (size_t i = 0; !named && status == OK && i < all.n; i++) {
    bool possible = true;
    vec_push(&required, lit_not(all.at[i].lit));
    status = task_satisfiable(t, required.at, required.n, &possible);
    if (status == OK && !possible) {
      say_impossible(t, &all.at[i],
                     required.n == 1 ? "no stable model agrees with this"
                                     : "this contradicts what stands before it",
                     NULL);
      named = true;
    }
  }
  vec_free(&required);
  vec_free(&all);
  return status;
}

Status task_no_model(const Task *t) {
  diagnose_error(t->said, NOWHERE, "`lpmln check` tells which hard rules are in the way",
                 "the program has no probabilistic stable model");
  return NO_ANSWER;
}

Status task_no_evidence(const Task *t) {
  size_t before = t->said->errors;
  Status status = task_explain_block(t, 0);
  if (t->said->errors == before)
    diagnose_error(t->said, NOWHERE, NULL, "no stable model agrees with the evidence");
  return status == OK ? NO_ANSWER : status;
}

bool task_contradicted(const Task *t) {
  assert(t->ground->sealed && (t->evidence || !t->evidences));
  for (size_t i = 0; i < t->evidences; i++)
    if (ground_truth(t->ground, t->evidence[i]) == 0)
      return true;
  return false;
}

Status task_nothing(const Task *task) {
  bool consistent;
  Status status = task_satisfiable(task, NULL, 0, &consistent);
  return status != OK ? status : consistent ? task_no_evidence(task) : task_no_model(task);
}
