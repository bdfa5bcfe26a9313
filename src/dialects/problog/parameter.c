/* parameter.c - names for what t(…) stands for, that people recognise. */
#include "dialects/problog/problog.h"

#include "base/memory.h"
#include "base/names.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* Arguments of a parameter's name: those behind the first of t(_, X), or the
** constants of the head, which then shares the name with others of its predicate. */
static bool write_arguments(Problog *p, const Clause *c, const Alternative *a, bool chained,
                            Text *to) {
  Term t = *problog_at(p, a->expression), head = *problog_at(p, a->head);
  bool shares = false;
  text_puts(to, "");
  for (uint32_t i = 1; i < t.count; i++) {
    text_puts(to, to->n ? "," : "(");
    problog_write_term(p, c, problog_argument(p, a->expression, i), to);
  }
  for (uint32_t i = 0; t.count == 1 && !chained && i < head.count; i++) {
    TermId argument = problog_argument(p, a->head, i);
    if (!problog_ground(p, argument))
      continue;
    text_puts(to, to->n ? "," : "(");
    problog_write_term(p, c, argument, to);
    shares = true;
  }
  text_puts(to, to->n ? ")" : "");
  return shares;
}

/* Notes the name as taken; false if it is already, or if one that shares its
** functor stands against one that does not. */
static bool take_name(Problog *p, const char *functor, const char *arguments, bool shares) {
  Text other = {0}, own = {0}, full = {0};
  text_printf(&other, "%c %s", shares ? 'o' : 's', functor);
  text_printf(&own, "%c %s", shares ? 's' : 'o', functor);
  text_printf(&full, "= %s%s", functor, shares ? arguments : "");
  bool unused = names_find(&p->parameters, other.at, other.n) == UINT32_MAX &&
                names_find(&p->parameters, full.at, full.n) == UINT32_MAX;
  if (unused) {
    names_add(&p->parameters, own.at, own.n);
    names_add(&p->parameters, full.at, full.n);
  }
  vec_free(&other);
  vec_free(&own);
  vec_free(&full);
  return unused;
}

/* The predicate's name, or that and a number. */
void problog_name_parameter(Problog *p, const Clause *c, const Alternative *a, bool chained,
                            Text *functor, Text *arguments) {
  assert(a->kind == A_PARAMETER);
  const Predicate *q = problog_predicate_at(p, a->head);
  bool shares = write_arguments(p, c, a, chained, arguments);
  text_puts(functor, q->text);
  for (unsigned k = 2; !take_name(p, functor->at, arguments->at, shares); k++) {
    functor->n = 0;
    text_printf(functor, "%s_%u", q->text, k);
  }
}
