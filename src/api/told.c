/* told.c - what is asked of a compiled file, looked up without the grounder; see model.h. */
#include "api/handle.h"
#include "api/model.h"
#include "api/sealed.h"
#include "base/memory.h"
#include "dialects/dialect.h"
#include "ground/ground.h"
#include "ground/read.h"
#include "ground/script.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

void asking_free(Asking *a) {
  vec_free(&a->evidence);
  vec_free(&a->statements);
  vec_free(&a->queries);
  vec_free(&a->names);
}

void asking_of_model(const lpmln_model *m, Asking *to) {
  for (size_t i = 0; i < m->queries.n; i++) {
    vec_push(&to->queries, m->queries.at[i]);
    vec_push(&to->names, m->query_names.at[i]);
  }
}

/* Nothing but the file and evidence in our own language. */
static bool only_evidence(const lpmln_model *m, const Sealed *s, const lpmln_program *p) {
  size_t programs = 0;
  for (size_t i = 0; i < p->inputs.n; i++) {
    programs += p->inputs.at[i].role == LPMLN_PROGRAM;
    bool rows = p->inputs.at[i].role == LPMLN_DATA && s->reading.rows;
    if (p->inputs.at[i].role != LPMLN_PROGRAM && p->inputs.at[i].role != LPMLN_EVIDENCE && !rows)
      return false;
  }
  for (size_t i = m->sealed->texts.n; i < s->texts.n; i++)
    if (s->texts.at[i].dialect->read)
      return false;
  bool more = p->inputs.n > 1;
  return programs == 1 && !p->constants.n && !p->interventions.n && !p->options.violable &&
         (p->options.method == LPMLN_AUTO || p->options.method == LPMLN_EXACT) &&
         p->options.closed_world == m->sealed->closed_world && !(more && p->options.closed_world) &&
         !p->options.closed;
}

/* A literal about a ground atom of the model. */
static bool find_literal(const lpmln_model *m, const Program *program, const Statement *s,
                         Asking *to) {
  Range range;
  bool negated;
  if (!script_observed(program, s, &range, &negated))
    return false;
  Text text = {0};
  program_write(program, s, range, &text);
  Atom a = model_atom(m, text.at, text.n);
  vec_free(&text);
  if (a == NONE)
    return false;
  vec_push(&to->evidence, lit_of(a, negated));
  vec_push(&to->statements, (uint32_t)(s - program->statements.at));
  return true;
}

static bool find_evidence(const lpmln_model *m, const Sealed *s, Asking *to) {
  for (size_t i = 0; i < s->program.blocks.n; i++)
    if (s->program.blocks.at[i].complete)
      return false;
  for (size_t i = 0; i < s->program.statements.n; i++) {
    const Statement *statement = &s->program.statements.at[i];
    bool compiled = i >= s->compiled_from && i < s->compiled_to;
    bool observed = statement->block != PROGRAM_BLOCK &&
                    (statement->kind == S_RULE || statement->kind == S_LITERAL);
    if (!compiled && observed && !find_literal(m, &s->program, statement, to))
      return false;
  }
  return true;
}

/* Ground atoms and signatures; those that the model was compiled for come first. */
static bool find_queries(const lpmln_model *m, const lpmln_program *p, Asking *to) {
  const Ground *g = &m->sealed->is.ground;
  to->always = m->always || p->queries.n;
  if (m->always || !p->queries.n)
    asking_of_model(m, to);
  for (size_t i = 0; i < p->queries.n; i++) {
    size_t before = to->queries.n;
    if (!model_atoms(g, p->queries.at[i], &to->queries))
      return false;
    for (size_t k = before; k < to->queries.n; k++)
      vec_push(&to->names, ground_text(g, g->atoms.at[to->queries.at[k]].name));
  }
  assert(to->queries.n == to->names.n);
  return true;
}

bool model_finds(const lpmln_model *m, const Sealed *s, const lpmln_program *p, Asking *to) {
  return only_evidence(m, s, p) && find_evidence(m, s, to) && find_queries(m, p, to);
}
