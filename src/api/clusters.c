/* clusters.c - see clusters.h. */
#include "api/clusters.h"

#include "base/memory.h"
#include "language/lexer.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- which rules --------------------------------------------------------------------- */

/* One parameter for all instances: its name has no variables. */
static bool is_tied(const Program *p, const Statement *s) {
  const Token *t = program_tokens(p, s);
  bool tied = s->kind == S_RULE && s->weight_kind == WEIGHT_PARAMETER && s->block == PROGRAM_BLOCK;
  for (uint32_t i = s->name.from; tied && i < s->name.to; i++)
    tied = t[i].kind != T_VARIABLE && t[i].kind != T_ANONYMOUS;
  return tied && !range_empty(s->name); /* without a name, each rule has one of its own, too */
}

/* The end of a term that starts here, at a comma outside of brackets and strings. */
static const char *term_end(const char *at) {
  int depth = 0;
  bool quoted = false;
  for (; *at && (quoted || depth || *at != ','); at++) {
    if (quoted && *at == '\\' && at[1])
      at++;
    else if (*at == '"')
      quoted = !quoted;
    else if (!quoted)
      depth += (*at == '(') - (*at == ')');
  }
  return at;
}

static TiedRule *rule_of(TiedRules *to, uint32_t statement, const char *name, size_t length) {
  for (size_t i = 0; i < to->n; i++)
    if (to->at[i].statement == statement && strlen(to->at[i].variable) == length &&
        !strncmp(to->at[i].variable, name, length))
      return &to->at[i];
  vec_push(to, (TiedRule){.statement = statement, .variable = memory_copy(name, length)});
  return &to->at[to->n - 1];
}

static void add_value(TiedRule *to, const char *value, size_t length) {
  to->instances++;
  for (size_t i = 0; i < to->values.n; i++)
    if (strlen(to->values.at[i]) == length && !strncmp(to->values.at[i], value, length))
      return;
  if (to->values.n <= MOST_VALUES) /* one more: too many */
    vec_push(&to->values, memory_copy(value, length));
}

/* The substitution `X=1, Y=f(2,3)` of an instance. */
static void add_instance(uint32_t statement, const char *text, TiedRules *to) {
  while (*text) {
    const char *end = term_end(text), *sign = memchr(text, '=', (size_t)(end - text));
    bool variable = sign && (isupper((unsigned char)*text) || *text == '_');
    if (variable)
      add_value(rule_of(to, statement, text, (size_t)(sign - text)), sign + 1,
                (size_t)(end - sign - 1));
    for (text = end; *text == ',' || *text == ' ';)
      text++;
  }
}

static void tied_clear(TiedRule *r) {
  for (size_t i = 0; i < r->values.n; i++)
    free(r->values.at[i]);
  vec_free(&r->values);
  free(r->variable);
}

void tied_free(TiedRules *list) {
  for (size_t i = 0; i < list->n; i++)
    tied_clear(&list->at[i]);
  vec_free(list);
}

void tied_find(const Program *p, const Ground *g, TiedRules *to) {
  assert(g->sealed && !to->n);
  for (size_t i = 0; i < g->instances.n; i++) {
    const Instance *instance = &g->instances.at[i];
    uint32_t statement = g->soft.at[instance->soft].statement;
    if (is_tied(p, &p->statements.at[statement]))
      add_instance(statement, ground_text(g, instance->text), to);
  }
  size_t kept = 0;
  for (size_t i = 0; i < to->n; i++)
    if (to->at[i].values.n >= 2 && to->at[i].values.n <= MOST_VALUES)
      to->at[kept++] = to->at[i];
    else
      tied_clear(&to->at[i]);
  to->n = kept;
}

/* ---- the program that is split -------------------------------------------------------- */

/* The rule without weight and full stop, with one more literal. */
static void write_split(const Program *p, const Clusters *c, size_t number, const char *stem,
                        Text *to) {
  const Statement *s = &p->statements.at[c->rule->statement];
  Range rest = {s->weight.to, s->whole.to};
  const Token *t = program_tokens(p, s);
  if (t[rest.from].kind == T_COLON)
    rest.from++;
  while (rest.to > rest.from && t[rest.to - 1].kind != T_DOT)
    rest.to--;
  rest.to--;
  text_printf(to, "@w(%s%zu(Cluster)) ", stem, number + 1);
  program_write(p, s, rest, to);
  text_printf(to, "%s %s%zu(%s,Cluster).\n", range_empty(s->body) ? " :-" : ",", stem, number + 1,
              c->rule->variable);
  for (size_t i = 0; i < c->rule->values.n; i++)
    text_printf(to, "%s%zu(%s,%zu).%s", stem, number + 1, c->rule->values.at[i], c->group[i] + 1,
                i + 1 == c->rule->values.n ? "\n" : " ");
}

char *clusters_write(const Program *p, const Clusters *list, size_t n, const char *stem) {
  Text text = {0};
  text_puts(&text, "");
  for (uint32_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    size_t k = 0;
    if (s->block != PROGRAM_BLOCK ||
        (s->kind != S_RULE && s->kind != S_DOMAIN && s->kind != S_PASS))
      continue;
    while (k < n && list[k].rule->statement != i)
      k++;
    if (k < n) {
      write_split(p, &list[k], k, stem, &text);
      continue;
    }
    program_write(p, s, s->whole, &text);
    text_puts(&text, "\n");
  }
  return text_take(&text);
}
