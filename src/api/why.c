/* why.c - the public question: why is a query probable? */
#include "infer/why.h"

#include "api/handle.h"
#include "api/sealed.h"
#include "api/valid.h"

lpmln_why_options lpmln_why_options_default(void) {
  return (lpmln_why_options){.most = 10, .least_share = 1e-3};
}

static Status answer_why(Task *t, Sealed *s, void *answer, const void *options) {
  (void)s;
  return why(t, options, answer);
}

const lpmln_explanation *lpmln_why(lpmln_program *p, const lpmln_why_options *options) {
  lpmln_why_options defaults = lpmln_why_options_default();
  const lpmln_why_options *o = options ? options : &defaults;
  return ask(p, &(Request){.size = sizeof(lpmln_explanation),
                           .wrong = valid_why(o),
                           .run = answer_why,
                           .data = o});
}
