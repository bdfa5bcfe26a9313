/* target.c - see target.h: the one table of targets, and what each writer needs. */
#include "write/target.h"

#include "base/diagnostic.h"
#include "base/source.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "ground/script.h"
#include "infer/exact.h"
#include "language/program.h"
#include "write/asp.h"
#include "write/aspif.h"
#include "write/dot.h"
#include "write/indexed.h"
#include "write/lpmln.h"
#include "write/negative.h"
#include "write/nnf.h"
#include "write/plingo.h"
#include "write/problog.h"
#include "write/scale.h"
#include "write/wcnf.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void translation_free(Translation *t) {
  vec_free(&t->text);
  for (size_t i = 0; i < t->data.n; i++)
    vec_free(&t->data.at[i]);
  vec_free(&t->data);
}

/* Targets of rules with variables do not write coins. */
static Status refuse_coins(const Task *task) {
  for (size_t i = 0; i < task->program->statements.n; i++) {
    const Statement *s = &task->program->statements.at[i];
    if (!s->coin)
      continue;
    diagnose_error(task->said, program_place(task->program, s, s->whole),
                   "option target=problog, lpmln, aspif, wcnf or nnf may do",
                   "this target does not write probabilities (`p :: head`) yet");
    return NO_ANSWER;
  }
  return OK;
}

static double scale_of(const lpmln_translation_options *o) {
  return o->scale > 0 ? o->scale : SCALE_DEFAULT;
}

static Status to_asp(const Task *task, const lpmln_translation_options *o, Translation *out) {
  Status status = refuse_coins(task);
  if (status == OK)
    status = scale_check(task, scale_of(o));
  AspForm form = {o->form, scale_of(o), task->options->violable};
  if (status == OK)
    write_asp(task->program, task->ground, form, &out->text);
  return status;
}

static void to_lpmln_data(const Task *task, Translation *out) {
  uint32_t blocks = task->program->block_count, end = task->tests < blocks ? task->tests : blocks;
  Text data = {0};
  write_lpmln_data(task->program, task->ground, task->observed, end, &data);
  vec_push(&out->data, data);
}

static Status to_lpmln(const Task *task, const lpmln_translation_options *o, Translation *out) {
  bool good = true;
  if ((o->indexed || o->negative) && refuse_coins(task) != OK)
    return NO_ANSWER;
  if (o->indexed) {
    Text data = {0};
    good = write_indexed(task, &out->text, &data);
    vec_push(&out->data, data);
    return good ? OK : NO_ANSWER;
  }
  if (o->negative)
    write_negative(task->program, task->ground, o->separate, &out->text);
  else
    good = write_lpmln(task->program, task->ground, task->said, o->separate, &out->text);
  if (o->separate)
    to_lpmln_data(task, out);
  return good ? OK : NO_ANSWER;
}

static Status to_problog(const Task *task, const lpmln_translation_options *o, Translation *out) {
  Text data = {0};
  bool good = write_problog(task->program, task->ground, task->said, &out->text,
                            o->separate ? &data : NULL);
  if (o->separate)
    vec_push(&out->data, data);
  return good ? OK : NO_ANSWER;
}

/* Integers of other systems have an end. */
static Status check_weights(const Task *task, double most, const char *system) {
  for (size_t i = 0; i < task->ground->weights.n; i++) {
    const Weight *w = &task->ground->weights.at[i];
    if (fabs(w->value) <= most)
      continue;
    const Statement *s = &task->program->statements.at[task->ground->soft.at[w->soft].statement];
    diagnose_error(task->said, program_place(task->program, s, s->weight), NULL,
                   "%s can't take the weight %g: its weights end at %g", system, w->value, most);
    return NO_ANSWER;
  }
  return OK;
}

static Status to_plingo(const Task *task, const lpmln_translation_options *o, Translation *out) {
  (void)o;
  Status status = refuse_coins(task);
  if (status == OK)
    status = check_weights(task, PLINGO_MOST_WEIGHT, "plingo");
  if (status == OK)
    write_plingo(task->program, task->ground, task->said, &out->text);
  return status;
}

static Status to_wcnf(const Task *task, const lpmln_translation_options *o, Translation *out) {
  (void)o;
  Atom obstacle;
  const char *hint = "option target=nnf or option target=aspif may do";
  Status status = write_wcnf(task->ground, task->analysis, task->evidence, task->evidences,
                             &out->text, &obstacle);
  if (status == NO_ANSWER) {
    uint32_t name = task->ground->atoms.at[obstacle].name;
    diagnose_error(task->said, NOWHERE, hint,
                   "clauses for the %u atoms of a loop through disjunctive heads, with %s, would "
                   "be too many",
                   task->analysis->scc_size[task->analysis->scc[obstacle]],
                   name == NONE ? "an auxiliary atom" : ground_text(task->ground, name));
  } else if (status == LIMIT) {
    diagnose_error(task->said, NOWHERE, hint, "the clauses would need more than half a gigabyte");
  }
  return status;
}

static Status to_aspif(const Task *task, const lpmln_translation_options *o, Translation *out) {
  Status status = scale_check(task, scale_of(o));
  if (status != OK)
    return status;
  char *unsat = fresh_name(task->program, "unsat", false);
  write_aspif(task->ground, unsat, task->evidence, task->evidences, scale_of(o), &out->text);
  free(unsat);
  return OK;
}

static Status to_dot(const Task *task, const lpmln_translation_options *o, Translation *out) {
  (void)o;
  write_dot(task->ground, task->analysis, &out->text);
  return OK;
}

/* The compiled program in some form. */
static Status write_circuit(const Task *task,
                            void (*write)(const Ground *, const Circuit *, const CircuitRoot *,
                                          Text *),
                            Text *out) {
  assert(task->ground->sealed);
  if (task->hard_bound != NONE) {
    diagnose_error(task->said, NOWHERE, NULL,
                   "a program whose hard rules are violated can't be compiled");
    return NO_ANSWER;
  }
  if (task_contradicted(task))
    return task_no_evidence(task);
  ExactRoots roots;
  Status status = exact_roots(task, &roots);
  if (status == OK)
    write(task->ground, &roots.c->circuit, &roots.observed, out);
  exact_roots_free(&roots);
  return status;
}

static Status to_nnf(const Task *task, const lpmln_translation_options *o, Translation *out) {
  (void)o;
  return write_circuit(task, write_nnf, &out->text);
}

static Status to_dot_circuit(const Task *task, const lpmln_translation_options *o,
                             Translation *out) {
  (void)o;
  return write_circuit(task, write_circuit_dot, &out->text);
}

static Status to_markov(const Task *task, const lpmln_translation_options *o, Translation *out) {
  return refuse_coins(task) == OK ? target_markov(task, o, out) : NO_ANSWER;
}

#define TARGETS(X)                                                      \
  X("asp", to_asp, "an answer set program for clingo")                  \
  X("nnf", to_nnf, "the compiled circuit, in the format of c2d and d4") \
  X("lpmln", to_lpmln, "LPMLN: what a program of a dialect means")      \
  X("problog", to_problog, "ProbLog, if the program is one")            \
  X("mln", to_markov, "Markov logic, if the program is tight")          \
  X("plingo", to_plingo, "plingo")                                      \
  X("wcnf", to_wcnf, "clauses with weights, for model counters")        \
  X("aspif", to_aspif, "the ground program, for clasp")                 \
  X("dot", to_dot, "its dependencies, for Graphviz")                    \
  X("dot-circuit", to_dot_circuit, "the compiled circuit, for Graphviz")

const lpmln_choice *target_choices(size_t *count) {
#define CHOICE(name, write, summary) {name, summary},
  static const lpmln_choice choices[] = {TARGETS(CHOICE)};
  if (count)
    *count = sizeof choices / sizeof *choices;
  return choices;
}

TargetWriter target_named(const char *name) {
#define WRITER(name, write, summary) write,
  static const TargetWriter writers[] = {TARGETS(WRITER)};
  size_t count;
  const lpmln_choice *choices = target_choices(&count);
  assert(count == sizeof writers / sizeof *writers);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(choices[i].name, name))
      return writers[i];
  return NULL;
}
