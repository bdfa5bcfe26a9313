/* model.c - see model.h. */
#include "api/model.h"

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/source.h"
#include "compile/compile.h"
#include "ground/read.h"
#include "infer/engine.h"
#include "learn/parameters.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EFFORT = 20000 }; /* branches for telling what nobody asked for by name */

/* ---- making --------------------------------------------------------------------------- */

static void collect_asked(const Task *t, const Atom *asked, size_t n, ModelAtoms *required,
                          ModelAtoms *optional) {
  AskedList list = {0};
  bool always;
  answer_asked(t->program, t->ground, &list, &always);
  for (size_t i = 0; i < list.n; i++)
    vec_push(always ? required : optional, list.at[i].atom);
  for (size_t i = 0; i < n; i++)
    vec_push(required, asked[i]);
  for (size_t i = 0; i < required->n; i++)
    vec_push(optional, required->at[i]);
  vec_free(&list);
}

/* With all that may be asked if that is cheap, else with what was. */
static Status compile_told(Compiled *c, const Task *t, const ModelAtoms *required,
                           const ModelAtoms *optional, CircuitRoot *root) {
  assert(optional->n >= required->n);
  size_t before = c->options.branches;
  c->options.branches = EFFORT;
  Status status = optional->n == required->n
                      ? LIMIT
                      : compile_root(c, t->evidence, t->evidences, optional->at, optional->n, root);
  c->options.branches = before;
  if (status == LIMIT)
    status = compile_root(c, t->evidence, t->evidences, required->at, required->n, root);
  return status;
}

static Status compile_both(Compiled *c, const Task *t, const Atom *asked, size_t n,
                           lpmln_model *m) {
  ModelAtoms required = {0}, optional = {0};
  collect_asked(t, asked, n, &required, &optional);
  Status status = compile_root(c, NULL, 0, NULL, 0, &m->program);
  if (status == OK && !circuit_possible(&m->program))
    status = task_no_model(t);
  if (status == OK)
    status = compile_told(c, t, &required, &optional, &m->observed);
  if (status == OK && !circuit_possible(&m->observed))
    status = task_no_evidence(t);
  if (status == LIMIT)
    diagnose_warning(t->said, NOWHERE, NULL, "compiling: %s", c->message.at);
  vec_free(&required);
  vec_free(&optional);
  return status;
}

/* Moves out of the compilation what the model needs. */
static void take_circuit(Compiled *c, lpmln_model *m) {
  assert(!m->circuit.nodes.n && !m->strata.guessed);
  CircuitRoot *roots[] = {&m->program, &m->observed};
  compile_compact(c, roots, 2);
  m->circuit = c->circuit, c->circuit = (Circuit){0};
  m->strata = c->strata, c->strata = (Strata){0};
}

static void copy_weights(const Task *t, lpmln_model *m) {
  m->weights = memory_zero(t->ground->weights.n, sizeof *m->weights);
  if (t->ground->weights.n)
    memcpy(m->weights, t->weights, t->ground->weights.n * sizeof *m->weights);
  for (size_t i = 0; i < t->evidences; i++)
    vec_push(&m->evidence, t->evidence[i]);
}

#define MODEL_SECONDS 120 /* there is no other engine */

Status model_make(const Task *t, Sealed *sealed, const Atom *asked, size_t n, lpmln_model **to) {
  assert(t->ground == &sealed->is.ground && (asked || !n) && !*to);
  CompileOptions options = task_compile_options(t);
  double seconds = fmin(task_compile_limit(t, MODEL_SECONDS), fmax(task_seconds(t), 1e-3));
  options.seconds = isinf(seconds) ? 0 : seconds;
  Compiled compiled;
  task_stage(t, LPMLN_COMPILING);
  compile_begin(&compiled, t->ground, t->analysis, &options);
  lpmln_model *m = memory_zero(1, sizeof *m);
  atomic_store(&m->holders, 1);
  Status status = compile_both(&compiled, t, asked, n, m);
  if (status == OK) {
    m->sealed = sealed_keep(sealed);
    take_circuit(&compiled, m);
    copy_weights(t, m);
    model_seal(m);
    *to = m;
  } else {
    lpmln_model_free(m);
  }
  compile_free(&compiled);
  return status;
}

/* ---- sealing --------------------------------------------------------------------------- */

static void name_atoms(lpmln_model *m) {
  const Ground *g = &m->sealed->is.ground;
  for (Atom a = 0; a < g->atoms.n; a++) {
    if (g->atoms.at[a].name == NONE)
      continue;
    const char *name = ground_text(g, g->atoms.at[a].name);
    size_t known = m->names.list.n;
    if (names_add(&m->names, name, strlen(name)) == known)
      vec_push(&m->named, a);
  }
}

/* In the order in which they are learned, so that what was learned is a row of weights. */
static void name_parameters(lpmln_model *m) {
  const Ground *g = &m->sealed->is.ground;
  double *weights = memory_zero(g->weights.n, sizeof *weights);
  Parameters all;
  parameters_find(g, weights, (Fixed){0}, &all);
  for (uint32_t i = 0; i < all.n; i++) {
    vec_push(&m->parameters, all.place[i]);
    vec_push(&m->parameter_names, all.name[i]);
  }
  parameters_free(&all);
  free(weights);
}

static void name_columns(lpmln_model *m) {
  const Ground *g = &m->sealed->is.ground;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (told_has(&m->told, a) && g->atoms.at[a].name != NONE) {
      vec_push(&m->observables, a);
      vec_push(&m->observable_names, ground_text(g, g->atoms.at[a].name));
    }
  AskedList list = {0};
  answer_asked(&m->sealed->program, g, &list, &m->always);
  for (size_t i = 0; i < list.n; i++) {
    bool open = g->atoms.at[list.at[i].atom].truth == ATOM_OPEN;
    if (!m->always && !open)
      continue;
    vec_push(&m->queries, list.at[i].atom);
    vec_push(&m->query_names, list.at[i].text);
  }
  vec_free(&list);
}

void model_seal(lpmln_model *m) {
  assert(m->circuit.atoms == m->sealed->is.ground.atoms.n);
  assert(m->circuit.weights == m->sealed->is.ground.weights.n);
  assert(circuit_sound(&m->circuit, &m->observed, 1));
  assert(m->sealed && m->sealed->ground && circuit_possible(&m->observed));
  told_make(&m->told, &m->circuit, &m->observed);
  told_make(&m->prior, &m->circuit, &m->program);
  name_atoms(m);
  name_parameters(m);
  name_columns(m);
  assert(m->named.n == m->names.list.n && m->parameters.n == m->parameter_names.n);
  assert(m->observables.n == m->observable_names.n && m->queries.n == m->query_names.n);
}

/* ---- holding ---------------------------------------------------------------------------- */

lpmln_model *lpmln_model_keep(lpmln_model *m) {
  if (m)
    atomic_fetch_add(&m->holders, 1);
  return m;
}

void lpmln_model_free(lpmln_model *m) {
  assert(!m || atomic_load(&m->holders));
  if (!m || atomic_fetch_sub(&m->holders, 1) > 1)
    return;
  told_free(&m->told);
  told_free(&m->prior);
  circuit_root_free(&m->program);
  circuit_root_free(&m->observed);
  circuit_free(&m->circuit);
  strata_free(&m->strata);
  names_free(&m->names);
  vec_free(&m->named);
  vec_free(&m->evidence);
  vec_free(&m->parameters);
  vec_free(&m->observables);
  vec_free(&m->queries);
  vec_free(&m->parameter_names);
  vec_free(&m->observable_names);
  vec_free(&m->query_names);
  free(m->weights);
  sealed_free(m->sealed);
  free(m);
}

/* ---- looking ----------------------------------------------------------------------------- */

char *atom_bare(const char *text, size_t length) {
  Text bare = {0};
  bool quoted = false;
  for (size_t i = 0; i < length; i++) {
    quoted ^= text[i] == '"' && (!i || text[i - 1] != '\\');
    if (quoted || !strchr(" \t\r\n", text[i]))
      text_add(&bare, text + i, 1);
  }
  return text_take(&bare);
}

Atom model_atom(const lpmln_model *m, const char *text, size_t length) {
  char *bare = atom_bare(text, length);
  uint32_t number = names_find(&m->names, bare, strlen(bare));
  free(bare);
  assert(number == UINT32_MAX || number < m->named.n);
  return number == UINT32_MAX ? NONE : m->named.at[number];
}

/* `p/2` */
static bool is_signature(const char *text, size_t *name, unsigned *arity) {
  const char *slash = strrchr(text, '/');
  char *end = NULL;
  if (!slash || !slash[1] || strpbrk(text, "(\" "))
    return false;
  *arity = (unsigned)strtoul(slash + 1, &end, 10);
  *name = (size_t)(slash - text);
  return !*end;
}

static int compare_atoms(const void *a, const void *b, void *ground) {
  const Ground *g = ground;
  return strverscmp(ground_text(g, g->atoms.at[*(const Atom *)a].name),
                    ground_text(g, g->atoms.at[*(const Atom *)b].name));
}

bool model_atoms(const Ground *g, const char *text, ModelAtoms *to) {
  size_t length = 0, before = to->n;
  unsigned arity = 0;
  bool signature = is_signature(text, &length, &arity);
  for (Atom a = 0; a < g->atoms.n; a++) {
    if (g->atoms.at[a].name == NONE)
      continue;
    const char *name = ground_text(g, g->atoms.at[a].name);
    bool same = signature ? !strncmp(name, text, length) && strcspn(name, "(") == length &&
                                ground_arity(name) == arity
                          : !strcmp(name, text);
    if (same)
      vec_push(to, a);
  }
  if (to->n > before)
    qsort_r(to->at + before, to->n - before, sizeof *to->at, compare_atoms, (void *)(uintptr_t)g);
  return to->n > before;
}

const char *const *lpmln_model_parameters(const lpmln_model *m, size_t *count) {
  if (count)
    *count = m ? m->parameter_names.n : 0;
  return m ? m->parameter_names.at : NULL;
}

const char *const *lpmln_model_observables(const lpmln_model *m, size_t *count) {
  if (count)
    *count = m ? m->observable_names.n : 0;
  return m ? m->observable_names.at : NULL;
}

const char *const *lpmln_model_queries(const lpmln_model *m, size_t *count) {
  if (count)
    *count = m ? m->query_names.n : 0;
  return m ? m->query_names.at : NULL;
}

size_t lpmln_model_edges(const lpmln_model *m) {
  size_t edges = m ? m->circuit.children.n : 0;
  for (size_t i = 2; m && i < m->circuit.nodes.n; i++)
    edges += m->circuit.nodes.at[i].variable != CIRCUIT_NONE ? 2 : 0;
  return edges;
}
