/* problog.c - ProbLog programs and their examples for learning; see problog.h. */
#include "language/problog.h"

static bool is_program(const ImportInput *input) { return input->role == LPMLN_PROGRAM; }

static Writer *writer_for(Import *import, const ImportInput *input) {
  return input->role == LPMLN_TEST ? &import->tests
         : import->blocks          ? &import->observations
                                   : &import->evidence;
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

void import_problog(Import *import) {
  Problog p = {.import = import, .sources = &import->program->sources};
  Sentences *texts = memory_zero(import->inputs.n, sizeof *texts);
  import->program->prolog = true;
  for (size_t i = 0; i < import->inputs.n; i++)
    problog_parse(&p, import->inputs.at[i].source, !is_program(&import->inputs.at[i]), &texts[i]);
  for (size_t i = 0; !p.failed && i < import->inputs.n; i++)
    if (is_program(&import->inputs.at[i]))
      problog_clauses(&p, &texts[i]);
  for (size_t i = 0; !p.failed && i < import->inputs.n; i++)
    if (!is_program(&import->inputs.at[i]))
      problog_observe(&p, &texts[i], import->blocks || import->inputs.at[i].role == LPMLN_TEST);
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
  for (size_t i = 0; !p.failed && i < import->inputs.n; i++)
    if (!is_program(&import->inputs.at[i]))
      problog_write_observations(&p, &texts[i], writer_for(import, &import->inputs.at[i]));
  for (size_t i = 0; i < import->inputs.n; i++)
    sentences_free(&texts[i]);
  free(texts);
  problog_free(&p);
}
