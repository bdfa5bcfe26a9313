/* translations.c - the questions that are answered by a text in another language. */
#include "api/problem.h"
#include "write/lpmln.h"
#include "write/problog.h"

static Status keep(lpmln *p, Text *text, const char **out) {
  text_add(text, "", 0);
  char *bytes = text_take(text);
  vec_push(&p->answers, bytes);
  *out = bytes;
  return OK;
}

static Status to_lpmln(lpmln *p, void *data) {
  Status status = problem_prepare(p, false);
  if (status != OK)
    return status;
  Text text = {0};
  write_lpmln(&p->program, &text);
  return keep(p, &text, data);
}

typedef struct {
  const char **text, **data;
} TextAndData;

static Status to_problog(lpmln *p, void *pointer) {
  const TextAndData *to = pointer;
  Status status = problem_prepare(p, to->data);
  if (status != OK)
    return status;
  Text text = {0}, data = {0};
  bool good = write_problog(&p->program, &p->ground, &text, to->data ? &data : NULL);
  if (good)
    keep(p, &text, to->text);
  if (good && to->data)
    keep(p, &data, to->data);
  vec_free(&text);
  vec_free(&data);
  return good ? OK : NO_ANSWER;
}

lpmln_status lpmln_translate_problog(lpmln *p, const char **text, const char **data) {
  *text = NULL;
  if (data)
    *data = NULL;
  return problem_run(p, to_problog, &(TextAndData){text, data});
}

lpmln_status lpmln_translate_lpmln(lpmln *p, const char **text) {
  *text = NULL;
  return problem_run(p, to_lpmln, text);
}
