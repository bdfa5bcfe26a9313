/* translations.c - the questions that are answered by a text in another language. */
#include "infer/problem.h"
#include "translate/lpmln.h"

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
  translate_lpmln(&p->program, &text);
  return keep(p, &text, data);
}

lpmln_status lpmln_translate_lpmln(lpmln *p, const char **text) {
  *text = NULL;
  return problem_run(p, to_lpmln, text);
}
