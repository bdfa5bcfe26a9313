/* save.c - a circuit and its roots as bytes, and back; see circuit.h.
**
** The file: the eight bytes "LPMLNCIR", then 32-bit little-endian words: the
** version, the arrays (each after its length), and last two words of checksum
** over everything before.  Loading trusts nothing: lengths are checked against
** the bytes that are there, and circuit_check looks at every reference.  The
** bit sets of circuit_check are too much for big circuits, so references are
** checked here in linear time and the sets only where they are affordable. */
#include "circuit/circuit.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "LPMLNCIR"
#define VERSION 1u
#define AFFORDABLE ((size_t)1 << 24) /* words of bit sets */

static void put(Text *out, uint32_t word) {
  char bytes[4] = {(char)(word & 255), (char)(word >> 8 & 255), (char)(word >> 16 & 255),
                   (char)(word >> 24)};
  text_add(out, bytes, 4);
}

static void put_words(Text *out, const void *at, size_t count, size_t words) {
  put(out, (uint32_t)count);
  for (size_t i = 0; i < count * words; i++)
    put(out, ((const uint32_t *)at)[i]);
}

static uint64_t checksum(const char *bytes, size_t length) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++) {
    h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    h ^= h >> 29;
  }
  return h;
}

#define WORDS(T) (sizeof(T) / sizeof(uint32_t))

Status circuit_save(const Circuit *c, const CircuitRoot *roots, size_t n, Text *out) {
  size_t start = out->n;
  if (c->children.n > UINT32_MAX || c->terms.n > UINT32_MAX || n > UINT32_MAX)
    return LIMIT;
  text_add(out, MAGIC, 8);
  put(out, VERSION);
  put(out, c->weights);
  put(out, c->atoms);
  put_words(out, c->nodes.at, c->nodes.n, WORDS(CircuitNode));
  put_words(out, c->children.at, c->children.n, 1);
  put_words(out, c->variables.at, c->variables.n, WORDS(CircuitVariable));
  put_words(out, c->blocks.at, c->blocks.n, WORDS(CircuitBlock));
  put_words(out, c->terms.at, c->terms.n, WORDS(CircuitTerm));
  put_words(out, c->constants.at, c->constants.n, 1);
  put_words(out, c->members.at, c->members.n, 1);
  put_words(out, c->starts.at, c->starts.n, 1);
  put(out, (uint32_t)n);
  for (size_t i = 0; i < n; i++) {
    put_words(out, roots[i].parts.at, roots[i].parts.n, WORDS(CircuitPart));
    put_words(out, roots[i].copies.at, roots[i].copies.n, 1);
  }
  uint64_t sum = checksum(out->at + start, out->n - start);
  put(out, (uint32_t)sum);
  put(out, (uint32_t)(sum >> 32));
  return OK;
}

typedef struct {
  const unsigned char *at;
  size_t left; /* bytes */
  bool bad;
} Reader;

static uint32_t get(Reader *r) {
  if (r->left < 4) {
    r->bad = true;
    return 0;
  }
  uint32_t word = (uint32_t)r->at[0] | (uint32_t)r->at[1] << 8 | (uint32_t)r->at[2] << 16 |
                  (uint32_t)r->at[3] << 24;
  r->at += 4, r->left -= 4;
  return word;
}

static size_t get_count(Reader *r, size_t words) {
  size_t count = get(r);
  if (count > r->left / (4 * words))
    r->bad = true;
  return r->bad ? 0 : count;
}

static void get_words(Reader *r, void *at, size_t words) {
  for (size_t i = 0; i < words; i++)
    ((uint32_t *)at)[i] = get(r);
}

#define GET(r, v, words)                   \
  do {                                     \
    size_t count = get_count(r, words);    \
    vec_reserve(v, count);                 \
    get_words(r, (v)->at, count *(words)); \
    (v)->n = count;                        \
  } while (0)

static void get_circuit(Reader *r, Circuit *c) {
  c->weights = get(r);
  c->atoms = get(r);
  GET(r, &c->nodes, WORDS(CircuitNode));
  GET(r, &c->children, 1);
  GET(r, &c->variables, WORDS(CircuitVariable));
  GET(r, &c->blocks, WORDS(CircuitBlock));
  GET(r, &c->terms, WORDS(CircuitTerm));
  GET(r, &c->constants, 1);
  GET(r, &c->members, 1);
  GET(r, &c->starts, 1);
}

/* What makes every loop over the arrays safe; meaning is circuit_check's. */
static bool references_fit(const Circuit *c) {
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    if (node->variable != CIRCUIT_NONE) {
      if (node->variable >= c->variables.n || node->first >= i || node->second >= i)
        return false;
      continue;
    }
    if ((size_t)node->first + node->second > c->children.n)
      return false;
    for (uint32_t k = 0; k < node->second; k++)
      if (c->children.at[node->first + k] >= i)
        return false;
  }
  for (size_t i = 0; i < c->variables.n; i++)
    if (c->variables.at[i].block >= c->blocks.n)
      return false;
  return c->nodes.n >= 2;
}

static bool sound(const Circuit *c, const CircuitRoot *roots, size_t n) {
  if (!references_fit(c))
    return false;
  size_t widest = 0;
  for (size_t b = 0; b < c->blocks.n; b++)
    if (c->blocks.at[b].count > widest)
      widest = c->blocks.at[b].count;
  if (widest / 64 + 1 > AFFORDABLE / c->nodes.n)
    return true; /* the checksum has to do */
  return !circuit_check(c, roots, n);
}

static Status load(Circuit *c, CircuitRoot *roots, size_t n, Reader *r) {
  get_circuit(r, c);
  if (get(r) != n || r->bad)
    return INPUT;
  for (size_t i = 0; i < n; i++) {
    GET(r, &roots[i].parts, WORDS(CircuitPart));
    GET(r, &roots[i].copies, 1);
  }
  return r->bad || r->left || !sound(c, roots, n) ? INPUT : OK;
}

Status circuit_load(Circuit *c, CircuitRoot *roots, size_t n, const char *bytes, size_t length) {
  *c = (Circuit){0};
  for (size_t i = 0; i < n; i++)
    roots[i] = (CircuitRoot){0};
  if (length < 20 || memcmp(bytes, MAGIC, 8) != 0)
    return INPUT;
  uint64_t sum = checksum(bytes, length - 8);
  Reader tail = {(const unsigned char *)bytes + length - 8, 8, false};
  uint64_t low = get(&tail), high = get(&tail);
  Reader r = {(const unsigned char *)bytes + 8, length - 16, false};
  if (sum != (high << 32 | low) || get(&r) != VERSION)
    return INPUT;
  Status status = load(c, roots, n, &r);
  if (status != OK) {
    circuit_free(c);
    for (size_t i = 0; i < n; i++)
      circuit_root_free(&roots[i]);
  }
  return status;
}
