/* bundle.c - see bundle.h.  Numbers are in the machine's own layout; the byte
** order is part of the version word, so that a foreign file is refused. */
#include "api/bundle.h"

#include "infer/hard.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "LPMLNCMP"
#define VERSION 0x0a0b0003u

static uint64_t checksum(const char *bytes, size_t length) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++)
    h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  return h;
}

bool bundle_recognise(const char *bytes, size_t length) {
  return length >= 8 && !memcmp(bytes, MAGIC, 8);
}

/* ---- writing -------------------------------------------------------------------- */

static void put_u32(Text *out, uint32_t x) { text_add(out, (const char *)&x, sizeof x); }

static void put_bytes(Text *out, const void *at, size_t length) {
  put_u32(out, (uint32_t)length);
  text_add(out, at, length);
}

#define put_vec(out, v) put_bytes(out, (v)->at, (v)->n * sizeof *(v)->at)

static void put_inputs(Text *out, const lpmln *p) {
  put_u32(out, (uint32_t)p->program.sources.list.n);
  for (size_t i = 0; i < p->program.sources.list.n; i++) {
    const Source *s = &p->program.sources.list.at[i];
    put_bytes(out, s->name, strlen(s->name));
    put_bytes(out, s->bytes, s->length);
  }
  put_u32(out, (uint32_t)p->inputs.n);
  for (size_t i = 0; i < p->inputs.n; i++) {
    put_u32(out, (uint32_t)p->inputs.at[i].role);
    put_u32(out, (uint32_t)p->inputs.at[i].language);
    put_u32(out, p->inputs.at[i].source);
  }
  put_u32(out, (uint32_t)p->queries.n);
  for (size_t i = 0; i < p->queries.n; i++)
    put_bytes(out, p->queries.at[i], strlen(p->queries.at[i]));
  put_u32(out, (uint32_t)p->constants.n);
  for (size_t i = 0; i < p->constants.n; i++)
    put_bytes(out, p->constants.at[i], strlen(p->constants.at[i]));
  put_u32(out, p->options.closed_world);
  put_u32(out, p->options.problog_clauses);
}

static void put_ground(Text *out, const Ground *g) {
  put_vec(out, &g->names);
  put_vec(out, &g->atoms);
  put_vec(out, &g->rules);
  put_vec(out, &g->pool);
  put_vec(out, &g->instances);
  put_vec(out, &g->soft);
  put_vec(out, &g->weights);
  put_vec(out, &g->violations);
  put_vec(out, &g->queries);
  put_vec(out, &g->terms);
  put_u32(out, g->blocks);
  put_u32(out, g->received);
  put_u32(out, g->inconsistent);
}

void bundle_save(const lpmln *p, const CircuitRoot *program, const CircuitRoot *observed,
                 Text *out) {
  Text circuit = {0};
  CircuitRoot roots[] = {*program, *observed};
  circuit_save(&p->compiled.circuit, roots, 2, &circuit);
  text_add(out, MAGIC, 8);
  put_u32(out, VERSION);
  put_inputs(out, p);
  put_ground(out, &p->ground);
  put_bytes(out, circuit.at, circuit.n);
  vec_free(&circuit);
  uint64_t sum = checksum(out->at, out->n);
  text_add(out, (const char *)&sum, sizeof sum);
}

/* ---- reading --------------------------------------------------------------------- */

typedef struct {
  const char *at, *end;
  bool bad; /* sticky */
} Bytes;

static uint32_t take_u32(Bytes *b) {
  uint32_t x = 0;
  b->bad |= b->end - b->at < (ptrdiff_t)sizeof x;
  if (!b->bad) {
    memcpy(&x, b->at, sizeof x);
    b->at += sizeof x;
  }
  return x;
}

static const char *take_bytes(Bytes *b, uint32_t *length) {
  *length = take_u32(b);
  b->bad |= b->end - b->at < (ptrdiff_t)*length;
  if (b->bad)
    *length = 0;
  const char *at = b->at;
  b->at += *length;
  return at;
}

static char *take_text(Bytes *b, uint32_t *length) {
  const char *at = take_bytes(b, length);
  return memory_copy(at, *length);
}

#define take_vec(b, v)                              \
  do {                                              \
    uint32_t length_;                               \
    const char *at_ = take_bytes(b, &length_);      \
    (b)->bad |= length_ % sizeof *(v)->at != 0;     \
    length_ -= length_ % (uint32_t)sizeof *(v)->at; \
    vec_reserve(v, length_ / sizeof *(v)->at);      \
    if (length_)                                    \
      memcpy((v)->at, at_, length_);                \
    (v)->n = length_ / sizeof *(v)->at;             \
  } while (0)

static void take_inputs(Bytes *b, Bundle *to) {
  uint32_t length;
  for (uint32_t n = take_u32(b); n && !b->bad; n--) {
    char *name = take_text(b, &length);
    uint32_t size;
    char *bytes = take_text(b, &size);
    vec_push(&to->sources, (Source){.name = name, .bytes = bytes, .length = size});
  }
  for (uint32_t n = take_u32(b); n && !b->bad; n--) {
    BundleInput input = {.role = (lpmln_role)take_u32(b)};
    input.language = (lpmln_language)take_u32(b);
    input.source = take_u32(b);
    b->bad |= input.source >= to->sources.n || input.role > LPMLN_DATA ||
              (int)input.language >= LANGUAGES;
    vec_push(&to->inputs, input);
  }
  for (uint32_t n = take_u32(b); n && !b->bad; n--)
    vec_push(&to->queries, take_text(b, &length));
  for (uint32_t n = take_u32(b); n && !b->bad; n--)
    vec_push(&to->constants, take_text(b, &length));
  to->closed_world = take_u32(b) == 1;
  to->problog_clauses = take_u32(b) == 1;
}

static void take_ground(Bytes *b, Ground *g) {
  take_vec(b, &g->names);
  take_vec(b, &g->atoms);
  take_vec(b, &g->rules);
  take_vec(b, &g->pool);
  take_vec(b, &g->instances);
  take_vec(b, &g->soft);
  take_vec(b, &g->weights);
  take_vec(b, &g->violations);
  take_vec(b, &g->queries);
  take_vec(b, &g->terms);
  g->blocks = take_u32(b);
  g->received = take_u32(b);
  g->inconsistent = take_u32(b) == 1;
  g->sealed = true;
}

bool bundle_load(const char *bytes, size_t length, Bundle *to) {
  uint64_t sum;
  Bytes b = {bytes + 8, bytes + length - sizeof sum, false};
  if (length < 8 + 4 + sizeof sum)
    return false;
  memcpy(&sum, b.end, sizeof sum);
  if (sum != checksum(bytes, length - sizeof sum) || take_u32(&b) != VERSION)
    return false;
  take_inputs(&b, to);
  take_ground(&b, &to->ground);
  uint32_t size;
  const char *circuit = take_bytes(&b, &size);
  if (b.bad || b.at != b.end || !ground_valid(&to->ground))
    return false;
  to->loaded = circuit_load(&to->circuit, to->roots, 2, circuit, size) == OK;
  return to->loaded && to->circuit.atoms == to->ground.atoms.n &&
         to->circuit.weights == to->ground.weights.n;
}

void bundle_free(Bundle *b) {
  for (size_t i = 0; i < b->sources.n; i++) {
    free(b->sources.at[i].name);
    free(b->sources.at[i].bytes);
  }
  for (size_t i = 0; i < b->queries.n; i++)
    free(b->queries.at[i]);
  for (size_t i = 0; i < b->constants.n; i++)
    free(b->constants.at[i]);
  vec_free(&b->sources);
  vec_free(&b->inputs);
  vec_free(&b->queries);
  vec_free(&b->constants);
  ground_free(&b->ground);
  if (b->loaded) {
    circuit_free(&b->circuit);
    circuit_root_free(&b->roots[0]);
    circuit_root_free(&b->roots[1]);
  }
  *b = (Bundle){0};
}
