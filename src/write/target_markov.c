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
#include "write/markov_names.h"
#include "write/target.h"

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
  for (size_t i = 0; i < o->of_block.n && !m->refusal.n; i++) {
    const Observation *seen = &o->list.at[o->of_block.at[i]];
    Text text = {0};
    to_markov_write_data(m, o->literals.at + seen->first, seen->size, &text);
    vec_push(&out->data, text);
    double times = task->program->blocks.at[i].count;
    count = times > count ? times : count;
  }
  if (count > 1)
    diagnose_warning(task->said, task->program->blocks.at[0].place, NULL,
                     "databases of Markov logic have no counts: each observation is written once");
}

/* Weights that the program ties together are different ones in Markov logic. */
static void note_ties(const Task *task, bool rules) {
  const Ground *g = task->ground;
  for (uint32_t w = 0; w < g->weights.n; w++) {
    uint32_t first = NONE;
    bool tied = false;
    for (size_t i = 0; i < g->instances.n && g->weights.at[w].name != NONE; i++) {
      if (g->instances.at[i].weight != w)
        continue;
      tied |= first != NONE && (!rules || first != g->instances.at[i].soft);
      first = g->instances.at[i].soft;
    }
    if (tied)
      diagnose_note(task->said, NOWHERE, NULL,
                    "Markov logic learns the parameter %s anew for each of its formulas",
                    ground_text(g, g->weights.at[w].name));
  }
}

static Status write_network(const Task *task, const lpmln_translation_options *options,
                            const Ground *g, Translation *out) {
  ToMarkov m = {.program = task->program,
                .named = task->ground,
                .ground = g,
                .tuffy = options->markov == LPMLN_TUFFY};
  if (!options->separate)
    m.evidence = task->evidence, m.evidences = task->evidences;
  to_markov_write(&m);
  if (options->separate && !m.refusal.n) {
    write_data(task, &m, out);
    note_ties(task, m.rules);
  }
  Status status = m.refusal.n ? refuse(task, m.refusal.at, NULL) : OK;
  out->text = m.out;
  to_markov_names_free(&m.names);
  vec_free(&m.refusal);
  return status;
}

Status target_markov(const Task *task, const lpmln_translation_options *options, Translation *out) {
  if (task->ground->inconsistent)
    return task_no_model(task);
  Ground g = ground_view(task->ground, task->ground->observed);
  Analysis an;
  analysis_make(&g, &an);
  Status status = an.tight ? write_network(task, options, &g, out) : refuse_loop(task, &g, &an);
  analysis_free(&an);
  return status;
}
