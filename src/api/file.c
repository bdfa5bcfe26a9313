/* file.c - a model as one file: the texts it was made from, the ground program and the
** circuit; see model.h.
**
** Read in place of a program, it is taken as its texts; what it tells is answered without
** grounding and compiling.  The file has a version and a checksum, and loading checks every
** reference: a damaged or forged file is refused, never believed. */
#include "api/model.h"

#include "api/sealed.h"
#include "base/bytes.h"
#include "base/diagnostic.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/strata.h"
#include "dialects/dialect.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "ground/read.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "LPMLNCMP"
#define VERSION 0x0a0b0008u /* its bytes tell the layout of the machine */

bool model_recognise(const char *bytes, size_t length) {
  return length >= 8 && !memcmp(bytes, MAGIC, 8);
}

/* ---- writing -------------------------------------------------------------------- */

static void put_texts(Text *out, const Sealed *s) {
  const Sources *sources = &s->program.sources;
  put_u32(out, (uint32_t)sources->list.n);
  for (size_t i = 0; i < sources->list.n; i++) {
    put_string(out, sources->list.at[i].name, strlen(sources->list.at[i].name));
    put_string(out, sources->list.at[i].bytes, sources->list.at[i].length);
  }
  put_u32(out, (uint32_t)s->texts.n);
  for (size_t i = 0; i < s->texts.n; i++) {
    const ReadText *text = &s->texts.at[i];
    put_u32(out, (uint32_t)text->role);
    put_string(out, text->dialect->name, strlen(text->dialect->name));
    put_u32(out, text->source);
  }
  put_u32(out, (uint32_t)s->queries.n);
  for (size_t i = 0; i < s->queries.n; i++)
    put_string(out, s->queries.at[i], strlen(s->queries.at[i]));
  put_u32(out, (uint32_t)s->constants.n);
  for (size_t i = 0; i < s->constants.n; i++)
    put_string(out, s->constants.at[i], strlen(s->constants.at[i]));
  put_u32(out, (uint32_t)s->interventions.n);
  for (size_t i = 0; i < s->interventions.n; i++)
    put_string(out, s->interventions.at[i], strlen(s->interventions.at[i]));
  put_u32(out, s->closed_world + 2u * s->open_world + 4u * (s->open != NULL));
  if (s->open)
    put_string(out, s->open, strlen(s->open));
  put_u32(out, s->problog_clauses);
}

static void put_observations(Text *out, const Observations *o) {
  put_vec(out, &o->violations);
  put_vec(out, &o->columns);
  put_vec(out, &o->list);
  put_vec(out, &o->literals);
  put_vec(out, &o->of_block);
}

void model_write(const lpmln_model *m, Text *out) {
  assert(!out->n && m->sealed->ground && m->weights);
  Text circuit = {0};
  CircuitRoot roots[] = {m->program, m->observed};
  (void)circuit_save(&m->circuit, roots, 2, &circuit);
  text_add(out, MAGIC, 8);
  put_u32(out, VERSION);
  put_texts(out, m->sealed);
  ground_put(&m->sealed->is.ground, out);
  put_observations(out, &m->sealed->is.observed);
  put_bytes(out, m->weights, m->sealed->is.ground.weights.n * sizeof *m->weights);
  put_string(out, circuit.at, circuit.n);
  vec_free(&circuit);
  put_u64(out, hash_bytes(HASH_START, out->at, out->n));
}

/* ---- reading --------------------------------------------------------------------- */

static char *take_text(Bytes *b) {
  uint32_t length;
  const char *at = bytes_string(b, &length);
  return memory_copy(at, length);
}

static void take_sources(Bytes *b, Sources *to) {
  for (uint32_t n = bytes_count(b, 8); n && !b->bad; n--) {
    char *name = take_text(b);
    uint32_t length;
    const char *bytes = bytes_string(b, &length);
    source_add(to, name, memory_copy(bytes, length), length);
    free(name);
  }
}

static void take_texts(Bytes *b, Sealed *to) {
  take_sources(b, &to->program.sources);
  for (uint32_t n = bytes_count(b, 12); n && !b->bad; n--) {
    ReadText text = {.role = (lpmln_role)bytes_u32(b)};
    char *dialect = take_text(b);
    text.dialect = dialect_named(dialect);
    text.source = bytes_u32(b);
    b->bad |= text.source >= to->program.sources.list.n || text.role > LPMLN_DATA || !text.dialect;
    vec_push(&to->texts, text);
    free(dialect);
  }
  for (uint32_t n = bytes_count(b, 4); n && !b->bad; n--)
    vec_push(&to->queries, take_text(b));
  for (uint32_t n = bytes_count(b, 4); n && !b->bad; n--)
    vec_push(&to->constants, take_text(b));
  for (uint32_t n = bytes_count(b, 4); n && !b->bad; n--)
    vec_push(&to->interventions, take_text(b));
  uint32_t worlds = bytes_u32(b);
  to->closed_world = worlds & 1, to->open_world = worlds & 2;
  if (worlds & 4)
    to->open = take_text(b);
  to->problog_clauses = bytes_u32(b) == 1;
}

static void take_observations(Bytes *b, Observations *o) {
  bytes_vec(b, &o->violations);
  bytes_vec(b, &o->columns);
  bytes_vec(b, &o->list);
  bytes_vec(b, &o->literals);
  bytes_vec(b, &o->of_block);
}

static bool take_weights(Bytes *b, lpmln_model *m) {
  const Ground *g = &m->sealed->is.ground;
  m->weights = memory_zero(g->weights.n, sizeof *m->weights);
  bytes_take(b, m->weights, g->weights.n * sizeof *m->weights);
  for (size_t i = 0; i < g->weights.n; i++)
    if (!isfinite(m->weights[i]) || !isfinite(g->weights.at[i].value))
      return false;
  for (size_t i = 0; i < g->instances.n; i++)
    if (g->instances.at[i].weight == NONE) /* no such program is compiled */
      return false;
  return !b->bad;
}

/* The rules that answers name are those of the texts, read again. */
static bool parse_texts(Sealed *to) {
  assert(!to->ground);
  Sealed *again = sealed_read_again(to);
  bool good = again && !again->program.said.errors;
  for (size_t i = 0; good && i < to->is.ground.soft.n; i++)
    good = to->is.ground.soft.at[i].statement < again->program.statements.n;
  for (size_t i = 0; good && i < to->is.observed.violations.n; i++) {
    uint32_t s = to->is.observed.violations.at[i].statement;
    good = s == NONE || s < again->program.statements.n;
  }
  size_t columns = 0;
  for (size_t i = 0; good && i < again->program.tables.n; i++)
    columns += again->program.tables.at[i].columns.n;
  good = good && to->is.observed.columns.n == columns &&
         (to->is.observed.of_block.n == again->program.block_count ||
          (!to->is.observed.of_block.n &&
           observations_pack(&to->is.observed, &to->is.ground, &again->program)));
  if (good) {
    Program old = to->program;
    to->program = again->program, again->program = old;
    for (size_t i = 0; i < to->texts.n; i++)
      to->texts.at[i].source = again->texts.at[i].source;
  }
  sealed_free(again);
  return good;
}

/* Each instance weighs in the circuit once at the most, or the sum of all weights means nothing. */
static bool weights_agree(const lpmln_model *m) {
  const Ground *g = &m->sealed->is.ground;
  const Circuit *c = &m->circuit;
  uint32_t *left = memory_zero(g->weights.n, sizeof *left);
  bool good = true;
  for (size_t i = 0; i < g->instances.n; i++)
    left[g->instances.at[i].weight]++;
  for (size_t i = 0; good && i < c->terms.n; i++)
    good = left[c->terms.at[i].weight]-- > 0;
  for (size_t i = 0; good && i < c->constants.n; i++)
    good = left[c->constants.at[i]]-- > 0;
  free(left);
  return good;
}

static bool take_circuit(Bytes *b, lpmln_model *m) {
  uint32_t size;
  const char *circuit = bytes_string(b, &size);
  CircuitRoot roots[2];
  if (b->bad || bytes_left(b) || circuit_load(&m->circuit, roots, 2, circuit, size) != OK)
    return false;
  m->program = roots[0], m->observed = roots[1];
  return m->circuit.atoms == m->sealed->is.ground.atoms.n &&
         m->circuit.weights == m->sealed->is.ground.weights.n && weights_agree(m);
}

static bool take_model(Bytes *b, lpmln_model *m) {
  Sealed *s = m->sealed = sealed_new();
  take_texts(b, s);
  ground_get(&s->is.ground, b);
  take_observations(b, &s->is.observed);
  if (b->bad || !ground_valid(&s->is.ground) ||
      !observations_valid(&s->is.observed, &s->is.ground) || !take_weights(b, m) ||
      !take_circuit(b, m) || !parse_texts(s))
    return false;
  s->ground = true;
  analysis_make(&s->is.ground, &s->is.analysis);
  strata_make(&s->is.ground, &s->is.analysis, &m->strata);
  size_t n;
  Lit *evidence = observations_evidence(&s->is.observed, &n);
  for (size_t i = 0; i < n; i++)
    vec_push(&m->evidence, evidence[i]);
  free(evidence);
  return true;
}

lpmln_model *model_read(const char *bytes, size_t length) {
  if (length < 8 + 4 + 8 || !model_recognise(bytes, length))
    return NULL;
  Bytes b = bytes_of(bytes + 8, length - 16), tail = bytes_of(bytes + length - 8, 8);
  if (hash_bytes(HASH_START, bytes, length - 8) != bytes_u64(&tail) || bytes_u32(&b) != VERSION)
    return NULL;
  lpmln_model *m = memory_zero(1, sizeof *m);
  atomic_store(&m->holders, 1);
  if (take_model(&b, m)) {
    model_seal(m);
    return m;
  }
  lpmln_model_free(m);
  return NULL;
}
