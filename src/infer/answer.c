/* answer.c - what the engines share: see engine.h. */
#include "infer/engine.h"

#include <stdlib.h>
#include <string.h>

static int compare_asked(const void *a, const void *b) {
  return strverscmp(((const Asked *)a)->text, ((const Asked *)b)->text);
}

static int compare_texts(const void *a, const void *b) {
  return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Queries may be the program's own. */
static bool has_queries(const lpmln *p) {
  for (size_t i = 0; i < p->program.statements.n; i++)
    if (p->program.statements.at[i].kind == S_QUERY)
      return true;
  return false;
}

void answer_asked(const lpmln *p, AskedList *list, bool *always) {
  const Ground *g = &p->ground;
  *always = has_queries(p);
  for (size_t i = 0; i < g->queries.n; i++)
    vec_push(list, (Asked){ground_text(g, g->queries.at[i].text), g->queries.at[i].atom});
  if (*always)
    return;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].shown)
      vec_push(list, (Asked){ground_text(g, g->atoms.at[a].name), a});
  for (size_t i = 0; i < g->terms.n; i++)
    vec_push(list, (Asked){ground_text(g, g->terms.at[i].text), g->terms.at[i].atom});
  if (list->n)
    qsort(list->at, list->n, sizeof *list->at, compare_asked);
}

bool *answer_atoms(const lpmln *p) {
  bool *atoms = memory_zero(p->ground.atoms.n, sizeof *atoms);
  for (Atom a = 0; a < p->ground.atoms.n; a++)
    atoms[a] = p->ground.atoms.at[a].truth == ATOM_CERTAIN;
  return atoms;
}

const char *const *answer_shown(lpmln *p, const bool *atoms, size_t *count) {
  const Ground *g = &p->ground;
  VEC(const char *) list = {0};
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].shown && atoms[a])
      vec_push(&list, ground_text(g, g->atoms.at[a].name));
  for (size_t i = 0; i < g->terms.n; i++) {
    const char *term = ground_text(g, g->terms.at[i].text);
    bool known = !atoms[g->terms.at[i].atom];
    for (size_t k = 0; !known && k < list.n; k++) /* several conditions, one term */
      known = !strcmp(list.at[k], term);
    if (!known)
      vec_push(&list, term);
  }
  if (list.n)
    qsort(list.at, list.n, sizeof *list.at, compare_texts);
  vec_push(&p->answers, (void *)list.at);
  *count = list.n;
  return list.at;
}

static bool violated(const Ground *g, const Rule *r, const bool *atoms) {
  for (uint32_t k = 0; k < r->size; k++)
    if (atoms[lit_atom(rule_body(g, r)[k])] == lit_negated(rule_body(g, r)[k]))
      return false;
  for (uint32_t h = 0; h < r->heads; h++)
    if (atoms[rule_heads(g, r)[h]])
      return false;
  return true;
}

static lpmln_violation violation_of(lpmln *p, const Instance *i) {
  const Statement *s = &p->program.statements.at[p->ground.soft.at[i->soft].statement];
  lpmln_violation v = {.instance = ground_text(&p->ground, i->text)};
  Text text = {0};
  program_describe(&p->program, s, &v.file, &v.line, &text);
  char *rule = text_take(&text);
  vec_push(&p->answers, rule);
  v.rule = rule;
  return v;
}

lpmln_model answer_model(lpmln *p, const bool *atoms, double log_weight, double probability) {
  const Ground *g = &p->ground;
  lpmln_model model = {.log_weight = log_weight, .probability = probability};
  VEC(lpmln_violation) list = {0};
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance != NONE && violated(g, r, atoms))
      vec_push(&list, violation_of(p, &g->instances.at[r->instance]));
  }
  vec_push(&p->answers, list.at);
  model.violated = list.at;
  model.violated_count = list.n;
  model.atoms = answer_shown(p, atoms, &model.atom_count);
  return model;
}

static int compare_models(const void *a, const void *b) {
  const lpmln_model *x = a, *y = b;
  for (size_t i = 0; i < x->atom_count && i < y->atom_count; i++) {
    int order = strverscmp(x->atoms[i], y->atoms[i]);
    if (order)
      return order;
  }
  return (x->atom_count > y->atom_count) - (x->atom_count < y->atom_count);
}

void answer_order(lpmln_model *models, size_t count) {
  for (size_t from = 0, to; from < count; from = to) {
    for (to = from + 1; to < count && models[from].log_weight - models[to].log_weight < 1e-9; to++)
      ;
    qsort(models + from, to - from, sizeof *models, compare_models);
  }
}
