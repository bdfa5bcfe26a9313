/* simple.c - are all soft rules facts whose atoms no hard rule derives?  See
** coherence.h. */
#include "infer/coherence.h"

#include "base/memory.h"
#include "base/source.h"
#include "ground/ground.h"
#include "infer/task.h"
#include "language/lexer.h"
#include "language/program.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of soft rules are those of the problem, whatever copy g is. */
static const Statement *statement_of(const Task *task, uint32_t soft) {
  assert(soft < task->ground->soft.n);
  return &task->program->statements.at[task->ground->soft.at[soft].statement];
}

static void write_place(const Task *task, const Statement *s, Text *out) {
  const char *file;
  unsigned line;
  Text text = {0};
  program_describe(task->program, s, &file, &line, &text);
  text_printf(out, "%s:%u", file, line);
  vec_free(&text);
}

static bool no_fact(const Task *task, const Statement *s, Text *reason) {
  text_puts(reason, "the soft rule at ");
  write_place(task, s, reason);
  text_puts(reason, " is no fact");
  return false;
}

/* Does a hard rule's head mention the predicate of the statement's head?  For
** what simplification has removed from the ground program. */
static bool hard_head(const Program *program, const Statement *fact) {
  const Token *t = program_tokens(program, fact);
  const Source *source = program_source(program, fact);
  uint32_t name = fact->head.from + (t[fact->head.from].kind == T_MINUS);
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    if (s->kind != S_RULE || s->block != PROGRAM_BLOCK || s->weight_kind != WEIGHT_HARD)
      continue;
    const Source *other = program_source(program, s);
    for (uint32_t k = s->head.from; k < s->head.to; k++) {
      const Token *x = &program_tokens(program, s)[k];
      if (x->kind == T_IDENTIFIER && x->length == t[name].length &&
          !memcmp(other->bytes + x->offset, source->bytes + t[name].offset, x->length))
        return true;
    }
  }
  return false;
}

/* A soft fact that always or never holds, by constraints alone. */
static bool settled(const Task *task, const Statement *s, const char *values, bool holds,
                    Text *reason, Text *fixed) {
  if (s->head_kind != HEAD_LITERAL)
    return no_fact(task, s, reason);
  if (hard_head(task->program, s)) {
    text_puts(reason, "a hard rule derives the atom of the soft fact at ");
    write_place(task, s, reason);
    return false;
  }
  if (fixed->n)
    return true;
  Text head = {0};
  program_write(task->program, s, s->head, &head);
  text_printf(fixed, "no stable model has %s%s%s%s", holds ? "not " : "", head.at,
              *values ? ", " : "", values);
  vec_free(&head);
  return true;
}

static bool look_at_rules(const Task *task, const Ground *g, bool *soft, uint32_t *open,
                          Text *reason, Text *fixed) {
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance == NONE)
      continue;
    const Instance *instance = &g->instances.at[r->instance];
    const Statement *s = statement_of(task, instance->soft);
    open[instance->soft]++;
    if (r->heads == 1 && !r->size)
      soft[rule_heads(g, r)[0]] = true;
    else if (r->heads || r->size || s->head_kind != HEAD_LITERAL)
      return no_fact(task, s, reason);
    else if (!settled(task, s, ground_text(g, instance->text), false, reason, fixed))
      return false;
  }
  return true;
}

/* Instances that can't be violated have no rule. */
static bool look_at_soft(const Task *task, const Ground *g, bool *soft, Text *reason, Text *fixed) {
  const Ground *all = task->ground;
  uint32_t *open = memory_zero(all->soft.n, sizeof *open);
  bool good = look_at_rules(task, g, soft, open, reason, fixed);
  for (uint32_t i = 0; good && i < all->soft.n; i++)
    if (open[i] < all->soft.at[i].instances)
      good = settled(task, statement_of(task, i), "", true, reason, fixed);
  free(open);
  return good;
}

bool simple_find(const Task *task, const Ground *g, bool *soft, Text *reason, Text *fixed) {
  assert(g->sealed && !reason->n && !fixed->n);
  if (!look_at_soft(task, g, soft, reason, fixed))
    return false;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t h = 0; r->instance == NONE && h < r->heads; h++) {
      Atom a = rule_heads(g, r)[h];
      if (!soft[a])
        continue;
      text_printf(reason, "a hard rule derives the soft atom %s",
                  ground_text(g, g->atoms.at[a].name));
      return false;
    }
  }
  return true;
}
