/* markov.c - the program in Markov logic, with observations as training data. */
#include "infer/hard.h"
#include "ground/observations.h"
#include "write/markov.h"

typedef struct {
  lpmln_dialect dialect;
  bool separate;
  const lpmln_mln **answer;
} ToMarkovAsking;

static Status refuse(lpmln *p, const char *reason, const char *hint) {
  diagnose_error(&p->program.sources, NOWHERE, hint, "there is no translation into Markov logic: %s",
               reason);
  return NO_ANSWER;
}

static Status refuse_loop(lpmln *p, const Observations *o) {
  Atoms loop = {0};
  Text reason = {0};
  loop_find(&o->ground, &o->analysis, &loop);
  text_puts(&reason, "the program is not tight, for there is a positive loop through ");
  loop_write(&p->ground, &loop, &reason);
  Status status =
      refuse(p, reason.at, "Markov logic would let the atoms of the loop support each other");
  vec_free(&reason);
  vec_free(&loop);
  return status;
}

/* The training data: a text for each block of observations. */
static void write_data(lpmln *p, const Observations *o, ToMarkov *m, lpmln_mln *answer) {
  const char **data = problem_keep(p, p->program.blocks.n, sizeof *data);
  double count = 0;
  for (size_t i = 0; i < p->program.blocks.n && !m->refusal.n; i++) {
    const Observation *seen = &o->list.at[o->of_block.at[i]];
    Text text = {0};
    to_markov_write_data(m, o->literals.at + seen->first, seen->size, &text);
    data[i] = problem_keep_text(p, text.at);
    vec_free(&text);
    count = p->program.blocks.at[i].count > count ? p->program.blocks.at[i].count : count;
  }
  if (count > 1)
    diagnose_warning(&p->program.sources, p->program.blocks.at[0].place, NULL,
                   "databases of Markov logic have no counts: each observation is written once");
  answer->data = data;
  answer->data_count = p->program.blocks.n;
}

/* Weights that the program ties together are different ones in Markov logic. */
static void note_ties(lpmln *p, bool rules) {
  const Ground *g = &p->ground;
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
      diagnose_note(&p->program.sources, NOWHERE, NULL,
                  "Markov logic learns the parameter %s anew for each of its formulas",
                  ground_text(g, g->weights.at[w].name));
  }
}

static Status write_mln(lpmln *p, const ToMarkovAsking *to, const Observations *o, lpmln_mln *answer) {
  ToMarkov m = {.program = &p->program,
           .named = &p->ground,
           .ground = &o->ground,
           .tuffy = to->dialect == LPMLN_TUFFY};
  if (!to->separate && o->list.n)
    m.evidence = o->literals.at, m.evidences = o->list.at[0].size;
  to_markov_write(&m);
  if (to->separate && !m.refusal.n) {
    write_data(p, o, &m, answer);
    note_ties(p, m.rules);
  }
  Status status = m.refusal.n ? refuse(p, m.refusal.at, NULL) : OK;
  answer->text = problem_keep_text(p, m.out.at);
  to_markov_names_free(&m.names);
  vec_free(&m.out);
  vec_free(&m.refusal);
  return status;
}

static Status to_mln(lpmln *p, void *data) {
  const ToMarkovAsking *to = data;
  Status status = problem_prepare(p, to->separate);
  if (status != OK)
    return status;
  if (p->ground.inconsistent)
    return problem_no_model(p);
  lpmln_mln *answer = problem_keep(p, 1, sizeof *answer);
  Observations o;
  observations_make(p, &o);
  status = o.analysis.tight ? write_mln(p, to, &o, answer) : refuse_loop(p, &o);
  observations_free(&o);
  if (status == OK)
    *to->answer = answer;
  return status;
}

lpmln_status lpmln_translate_mln(lpmln *p, lpmln_dialect dialect, bool separate,
                                 const lpmln_mln **answer) {
  *answer = NULL;
  return problem_run(p, to_mln, &(ToMarkovAsking){dialect, separate, answer});
}
