/* target_markov.c - the program in Markov logic, with observations as training data. */
#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "infer/task.h"
#include "language/program.h"
#include "lpmln/lpmln.h"
#include "write/markov.h"
#include "write/target.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static Status refuse(const Task *task, const char *reason, const char *hint) {
  diagnose_error(task->said, NOWHERE, hint, "there is no translation into Markov logic: %s",
                 reason);
  return NO_ANSWER;
}

static Status refuse_loop(const Task *task, const Ground *g, const Analysis *an) {
  Atoms loop = {0};
  Text reason = {0};
  loop_find(g, an, &loop);
  text_puts(&reason, "the program is not tight, for there is a positive loop through ");
  loop_write(task->ground, &loop, &reason);
  Status status =
      refuse(task, reason.at, "Markov logic would let the atoms of the loop support each other");
  vec_free(&reason);
  vec_free(&loop);
  return status;
}

/* The training data: a text for each block of observations. */
static void write_data(const Task *task, ToMarkov *m, Translation *out) {
  const Observations *o = task->observed;
  double count = 0;
  Lits room = {0};
  for (uint32_t block = 0; block < task->program->block_count && !m->refusal.n; block++) {
    Text text = {0};
    uint32_t size;
    room.n = 0;
    const Lit *seen = observations_literals(o, observations_of(o, block), &room, &size);
    to_markov_write_data(m, seen, size, &text);
    vec_push(&out->data, text);
    count = fmax(count, program_block_count(task->program, block));
  }
  vec_free(&room);
  if (count > 1)
    diagnose_warning(task->said, program_block_place(task->program, 0), NULL,
                     "databases of Markov logic have no counts: each observation is written once");
}

static bool has_parameters(const Ground *g) {
  for (size_t i = 0; i < g->weights.n; i++)
    if (g->weights.at[i].name != NONE)
      return true;
  return false;
}

/* Alchemy knows no weights that stay as they are. */
static void warn_fixed(const Task *task) {
  const Ground *g = task->ground;
  for (size_t i = 0; has_parameters(g) && i < g->weights.n; i++) {
    const Statement *s = &task->program->statements.at[g->soft.at[g->weights.at[i].soft].statement];
    if (g->weights.at[i].name == NONE)
      diagnose_warning(task->said, program_place(task->program, s, s->weight), NULL,
                       "Alchemy's learnwts learns this weight anew, which is fixed here");
  }
}

/* Has the predicate an atom that is neither certain nor impossible? */
static bool is_open(ToMarkov *m, uint32_t predicate) {
  for (Atom a = 0; a < m->ground->atoms.n; a++) {
    const AtomInfo *info = &m->ground->atoms.at[a];
    if (info->name != NONE && info->truth == ATOM_OPEN &&
        to_markov_add_atom(&m->names, ground_text(m->ground, info->name)) == predicate)
      return true;
  }
  return false;
}

/* How Alchemy is called. */
static void write_call(ToMarkov *m, size_t databases) {
  const char *before = "";
  if (m->tuffy || !has_parameters(m->named))
    return;
  text_puts(&m->out,
            "\n// The weights are learned by\n// learnwts -g -i THIS.mln -o LEARNED.mln -t ");
  for (size_t i = 1; i <= databases; i++)
    text_printf(&m->out, databases > 1 ? "%sDATA-%zu.db" : "%sDATA.db", i > 1 ? "," : "", i);
  text_puts(&m->out, " -ne ");
  for (uint32_t p = 0; p < m->names.predicates.n; p++)
    if (is_open(m, p))
      text_printf(&m->out, "%s%s", before, m->names.predicates.at[p].written), before = ",";
  text_puts(&m->out, "\n");
}

static Status write_network(const Task *task, const lpmln_translation_options *options,
                            const Ground *g, Translation *out) {
  ToMarkov m = {.program = task->program,
                .named = task->ground,
                .ground = g,
                .tuffy = options->markov == LPMLN_TUFFY,
                .learned = options->separate,
                .no_completion = options->no_completion};
  if (!options->separate)
    m.evidence = task->evidence, m.evidences = task->evidences;
  to_markov_write(&m);
  if (options->separate && !m.refusal.n) {
    write_data(task, &m, out);
    warn_fixed(task);
    write_call(&m, out->data.n);
  }
  Status status = m.refusal.n ? refuse(task, m.refusal.at, NULL) : OK;
  out->text = m.out;
  to_markov_free(&m);
  return status;
}

Status target_markov(const Task *task, const lpmln_translation_options *options, Translation *out) {
  if (task->ground->inconsistent)
    return task_no_model(task);
  Ground g = ground_view(task->ground, task->ground->observed);
  Analysis an;
  analysis_make(&g, &an);
  Status status = an.tight || options->no_completion ? write_network(task, options, &g, out)
                                                     : refuse_loop(task, &g, &an);
  analysis_free(&an);
  return status;
}
