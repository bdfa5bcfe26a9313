/* save.c - a circuit and its roots as bytes, and back; see circuit.h.
**
** The file: the eight bytes "LPMLNCIR", then 32-bit words in the machine's layout:
** the version, the arrays (each after its length), and last a checksum over
** everything before.  Loading trusts nothing: lengths are checked against
** the bytes that are there, and circuit_check looks at every reference.  The
** bit sets of circuit_check are too much for big circuits, so references are
** checked here in linear time and the sets only where they are affordable. */
#include "base/bytes.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "circuit/circuit.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "LPMLNCIR"
#define VERSION 0x0a0b0002u          /* its bytes tell the layout of the machine */
#define AFFORDABLE ((size_t)1 << 24) /* words of bit sets */

Status circuit_save(const Circuit *c, const CircuitRoot *roots, size_t n, Text *out) {
  assert(c->nodes.n >= 2 && (roots || !n));
  size_t start = out->n;
  if (c->children.n > UINT32_MAX || c->terms.n > UINT32_MAX || n > UINT32_MAX)
    return LIMIT;
  text_add(out, MAGIC, 8);
  put_u32(out, VERSION);
  put_u32(out, c->weights);
  put_u32(out, c->atoms);
  put_vec(out, &c->nodes);
  put_vec(out, &c->children);
  put_vec(out, &c->variables);
  put_vec(out, &c->blocks);
  put_vec(out, &c->terms);
  put_vec(out, &c->constants);
  put_vec(out, &c->members);
  put_vec(out, &c->starts);
  put_u32(out, (uint32_t)n);
  for (size_t i = 0; i < n; i++) {
    put_vec(out, &roots[i].parts);
    put_vec(out, &roots[i].copies);
  }
  put_u64(out, hash_bytes(HASH_START, out->at + start, out->n - start));
  return OK;
}

static void get_circuit(Bytes *b, Circuit *c) {
  c->weights = bytes_u32(b);
  c->atoms = bytes_u32(b);
  bytes_vec(b, &c->nodes);
  bytes_vec(b, &c->children);
  bytes_vec(b, &c->variables);
  bytes_vec(b, &c->blocks);
  bytes_vec(b, &c->terms);
  bytes_vec(b, &c->constants);
  bytes_vec(b, &c->members);
  bytes_vec(b, &c->starts);
}

/* Nodes and variables: what makes every loop over the arrays safe. */
static bool nodes_fit(const Circuit *c) {
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
    if (c->variables.at[i].block >= c->blocks.n || c->variables.at[i].sort > CIRCUIT_DETERMINED)
      return false;
  return c->nodes.n >= 2;
}

static bool blocks_fit(const Circuit *c) {
  size_t placed = 0;
  for (size_t b = 0; b < c->blocks.n; b++) {
    const CircuitBlock *block = &c->blocks.at[b];
    if (block->atoms > block->count || (size_t)block->first + block->count > c->variables.n)
      return false;
    placed += block->count;
    for (uint32_t k = 0; k < block->count; k++)
      if (c->variables.at[block->first + k].block != b)
        return false;
  }
  return placed == c->variables.n;
}

static bool weights_fit(const Circuit *c) {
  bool good = true;
  for (size_t i = 0; good && i < c->terms.n; i++)
    good = c->terms.at[i].literal < 2 * c->variables.n && c->terms.at[i].weight < c->weights;
  for (size_t i = 0; good && i < c->constants.n; i++)
    good = c->constants.at[i] < c->weights;
  return good;
}

bool circuit_fits(const Circuit *c) { return nodes_fit(c) && blocks_fit(c) && weights_fit(c); }

static bool members_fit(const Circuit *c) {
  bool good = c->starts.n > 0;
  for (size_t i = 0; good && i < c->members.n; i++)
    good = c->members.at[i] < c->atoms;
  for (size_t i = 0; good && i + 1 < c->starts.n; i++)
    good = c->starts.at[i] <= c->starts.at[i + 1];
  return good && c->starts.at[c->starts.n - 1] == c->members.n;
}

static bool root_fits(const Circuit *c, const CircuitRoot *root) {
  size_t next = 0;
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    if (part->node >= c->nodes.n || part->block >= c->blocks.n || part->node == CIRCUIT_FALSE ||
        part->first != next || next + part->copies > root->copies.n)
      return false;
    next += part->copies;
    for (uint32_t k = 0; k < part->copies; k++) {
      uint32_t component = root->copies.at[part->first + k];
      if (component + (size_t)1 >= c->starts.n ||
          c->starts.at[component + 1] - c->starts.at[component] != c->blocks.at[part->block].atoms)
        return false;
    }
  }
  return next == root->copies.n;
}

/* Linear checks always; the meaning, where its sets are affordable, is circuit_check's. */
static bool sound(const Circuit *c, const CircuitRoot *roots, size_t n) {
  if (!circuit_fits(c) || !members_fit(c))
    return false;
  for (size_t i = 0; i < n; i++)
    if (!root_fits(c, &roots[i]))
      return false;
  size_t widest = 0;
  for (size_t b = 0; b < c->blocks.n; b++)
    if (c->blocks.at[b].count > widest)
      widest = c->blocks.at[b].count;
  if (widest / 64 + 1 > AFFORDABLE / c->nodes.n)
    return true; /* the checksum has to do */
  return !circuit_check(c, roots, n);
}

static Status load(Circuit *c, CircuitRoot *roots, size_t n, Bytes *b) {
  get_circuit(b, c);
  if (bytes_u32(b) != n || b->bad)
    return INPUT;
  for (size_t i = 0; i < n; i++) {
    bytes_vec(b, &roots[i].parts);
    bytes_vec(b, &roots[i].copies);
  }
  return b->bad || bytes_left(b) || !sound(c, roots, n) ? INPUT : OK;
}

Status circuit_load(Circuit *c, CircuitRoot *roots, size_t n, const char *bytes, size_t length) {
  *c = (Circuit){0};
  for (size_t i = 0; i < n; i++)
    roots[i] = (CircuitRoot){0};
  if (length < 20 || memcmp(bytes, MAGIC, 8) != 0)
    return INPUT;
  Bytes tail = bytes_of(bytes + length - 8, 8), b = bytes_of(bytes + 8, length - 16);
  if (hash_bytes(HASH_START, bytes, length - 8) != bytes_u64(&tail) || bytes_u32(&b) != VERSION)
    return INPUT;
  Status status = load(c, roots, n, &b);
  if (status != OK) {
    circuit_free(c);
    for (size_t i = 0; i < n; i++)
      circuit_root_free(&roots[i]);
  }
  return status;
}
