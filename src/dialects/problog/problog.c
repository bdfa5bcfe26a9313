/* problog.c - ProbLog programs and their examples for learning; see problog.h. */
#include "dialects/problog/problog.h"

#include "dialects/problog/read.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stdlib.h>

static bool is_program(const DialectInput *input) { return input->role == LPMLN_PROGRAM; }

static Writer *writer_for(Dialect *dialect, const DialectInput *input) {
  return input->role == LPMLN_TEST ? &dialect->tests
         : dialect->blocks         ? &dialect->observations
                                   : &dialect->evidence;
}

static void problog_free(Problog *p) {
  for (size_t i = 0; i < p->clauses.n; i++)
    clause_free(&p->clauses.at[i]);
  for (size_t i = 0; i < p->predicates.n; i++) {
    Predicate *q = &p->predicates.at[i];
    for (size_t k = 0; k < q->calls.n; k++)
      free(q->calls.at[k]), free(q->called.at[k]);
    vec_free(&q->calls);
    vec_free(&q->called);
    vec_free(&q->clauses);
    free(q->text);
    free(q->possible);
  }
  vec_free(&p->clauses);
  vec_free(&p->predicates);
  vec_free(&p->terms);
  vec_free(&p->arguments);
  vec_free(&p->queries);
  vec_free(&p->evidence);
  vec_free(&p->observed);
  names_free(&p->names);
  names_free(&p->signatures);
  names_free(&p->used);
  names_free(&p->parameters);
}

void problog_read(Dialect *dialect) {
  assert(dialect->program && dialect->inputs.n);
  Problog p = {.dialect = dialect, .sources = &dialect->program->sources};
  Sentences *texts = memory_zero(dialect->inputs.n, sizeof *texts);
  dialect->program->display = problog_display;
  dialect->program->defined = true;
  dialect->program->founded =
      "ProbLog refuses such programs, too; as LPMLN they may have several stable models";
  for (size_t i = 0; i < dialect->inputs.n; i++)
    problog_parse(&p, dialect->inputs.at[i].source, !is_program(&dialect->inputs.at[i]), &texts[i]);
  for (size_t i = 0; !p.failed && i < dialect->inputs.n; i++)
    if (is_program(&dialect->inputs.at[i]))
      problog_clauses(&p, &texts[i]);
  for (size_t i = 0; !p.failed && i < dialect->inputs.n; i++)
    if (!is_program(&dialect->inputs.at[i]))
      problog_observe(&p, &texts[i], dialect->blocks || dialect->inputs.at[i].role == LPMLN_TEST);
  if (!p.failed)
    problog_library(&p);
  if (!p.failed)
    problog_deny(&p);
  if (!p.failed)
    problog_plan(&p);
  if (!p.failed)
    problog_rules(&p);
  if (!p.failed)
    problog_calls(&p);
  if (!p.failed)
    problog_possible(&p);
  for (size_t i = 0; !p.failed && i < dialect->inputs.n; i++)
    if (!is_program(&dialect->inputs.at[i]))
      problog_write_observations(&p, &texts[i], writer_for(dialect, &dialect->inputs.at[i]));
  for (size_t i = 0; i < dialect->inputs.n; i++)
    sentences_free(&texts[i]);
  free(texts);
  problog_free(&p);
}
