/* define.c - auxiliary definitions of the groups of a formula; see instance.h.
**
** A group in parentheses becomes an atom with the variables that occur inside and are
** global in the statement,
**
**   h :- p(X), not (q(X), r(X)).      h :- p(X), not f(X).    f(X) :- q(X), r(X), p(X).
**
** with one rule for each alternative.  What stands beside the group joins the rule where
** there are variables, so that they are bound; as `p, not (p, g)` is `p, not g`, under
** `not not`, too, this changes nothing.  The predicate is told by the place of its group:
** unit and token. */
#include "language/formula.h"
#include "language/instance.h"

#include "base/memory.h"
#include "language/lexer.h"
#include "language/program.h"

#include <assert.h>
#include <string.h>

static bool within(Range outer, Range r) { return outer.from <= r.from && r.to <= outer.to; }

/* Does the variable occur in the range, or stand for a pool or interval there? */
static bool occurs(const Program *p, const Shape *shape, const Variable *v, Range r) {
  const Token *t = program_tokens(p, shape->statement);
  const Source *source = program_source(p, shape->statement);
  for (uint32_t i = r.from; !v->fresh && i < r.to; i++)
    if (t[i].kind == T_VARIABLE && token_is(source, &t[i], v->name))
      return true;
  for (size_t i = 0; v->fresh && i < shape->bindings.n; i++)
    if (!strcmp(shape->bindings.at[i].text, v->name) && within(r, shape->bindings.at[i].range))
      return true;
  return false;
}

/* True: it has variables. */
static bool write_name(Text *to, const Program *p, const Shape *shape, const char *prefix,
                       uint32_t group) {
  Range r = shape->formula.groups.at[group].range;
  const char *before = "(";
  text_printf(to, "%s%u_%u", prefix, shape->statement->unit, r.from);
  for (size_t i = 0; i < shape->variables.n; i++)
    if (occurs(p, shape, &shape->variables.at[i], r)) {
      text_printf(to, "%s%s", before, shape->variables.at[i].name);
      before = ",";
    }
  text_puts(to, *before == ',' ? ")" : "");
  return *before == ',';
}

/* Three and more `not` are one or two. */
static const char *sign_of(uint32_t nots) { return !nots ? "" : nots % 2 ? "not " : "not not "; }

void shape_formulas(const Program *p, const char *prefix, Shape *shape) {
  assert(shape->statement->formula && !shape->formula.groups.n);
  formula_read(p, shape->statement, &shape->formula);
  for (uint32_t i = 1; i < shape->formula.groups.n; i++) {
    const Element *e = &shape->formula.elements.at[shape->formula.groups.at[i].element];
    Text text = {0};
    text_puts(&text, sign_of(e->nots));
    write_name(&text, p, shape, prefix, i);
    vec_push(&shape->replacements, (Replacement){e->range, text_take(&text)});
  }
  for (size_t i = 0; i < shape->formula.elements.n; i++) {
    const Element *e = &shape->formula.elements.at[i];
    Range more = {e->range.from, e->range.from + e->nots - (e->nots % 2 ? 1 : 2)};
    if (e->inside == NO_GROUP && e->nots > 2) /* clingo knows two */
      vec_push(&shape->replacements, (Replacement){more, memory_copy("", 0)});
  }
}

void writer_alternative(Writer *w, const Program *p, const Shape *shape, uint32_t group,
                        uint32_t alternative) {
  const char *before = "";
  for (size_t i = 0; i < shape->formula.elements.n; i++) {
    const Element *e = &shape->formula.elements.at[i];
    if (e->group != group || e->alternative != alternative)
      continue;
    writer_puts(w, before), before = "; ";
    writer_tokens(w, p, shape, e->range);
  }
}

/* What stands beside the group and beside those around it and may bind variables. */
static void write_context(Writer *w, const Program *p, const Shape *shape, uint32_t group) {
  const Formula *f = &shape->formula;
  while (group) {
    const Element *of = &f->elements.at[f->groups.at[group].element];
    for (size_t i = 0; i < f->elements.n; i++) {
      const Element *e = &f->elements.at[i];
      if (e->group != of->group || e->alternative != of->alternative || e->nots || e->conditional ||
          e->inside != NO_GROUP)
        continue;
      writer_puts(w, "; ");
      writer_tokens(w, p, shape, e->range);
    }
    group = of->group;
  }
  Statement bare = *shape->statement;
  Shape domains = *shape;
  bare.body = (Range){0, 0};
  domains.statement = &bare;
  writer_body(w, p, &domains, "; ");
}

/* The rules of one group. */
static void define_group(Writer *w, const Program *p, const Shape *shape, const char *prefix,
                         uint32_t group) {
  const Group *g = &shape->formula.groups.at[group];
  for (uint32_t k = 0; k < g->alternatives; k++) {
    Text name = {0};
    bool variables = write_name(&name, p, shape, prefix, group);
    writer_place(w, program_place(p, shape->statement, g->range), name.at);
    vec_free(&name);
    writer_puts(w, " :- ");
    writer_alternative(w, p, shape, group, k);
    if (variables)
      write_context(w, p, shape, group);
    writer_puts(w, ".\n");
  }
}

void writer_definitions(Writer *w, const Program *p, const Shape *shape, const char *prefix) {
  for (uint32_t i = 1; i < shape->formula.groups.n; i++)
    define_group(w, p, shape, prefix, i);
}

void writer_whole(Writer *w, const Program *p, const Shape *shape, const char *prefix) {
  assert(shape->formula.groups.n);
  Text name = {0};
  write_name(&name, p, shape, prefix, 0);
  writer_place(w, program_place(p, shape->statement, shape->statement->body), name.at);
  vec_free(&name);
}

void writer_define_whole(Writer *w, const Program *p, const Shape *shape, const char *prefix) {
  define_group(w, p, shape, prefix, 0);
}
