/* bytes.c - a sealed ground program as bytes: for compiled files, and for other processes. */
#include "base/bytes.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdint.h>

void ground_put(const Ground *g, Text *out) {
  assert(g->sealed);
  put_vec(out, &g->names);
  put_vec(out, &g->atoms);
  put_vec(out, &g->rules);
  put_vec(out, &g->pool);
  put_vec(out, &g->instances);
  put_vec(out, &g->soft);
  put_vec(out, &g->weights);
  put_vec(out, &g->queries);
  put_vec(out, &g->terms);
  put_u64(out, g->own.atoms);
  put_u64(out, g->own.rules);
  put_u64(out, g->observed.atoms);
  put_u64(out, g->observed.rules);
  put_u32(out, g->received);
  put_u32(out, g->inconsistent);
}

void ground_get(Ground *g, Bytes *b) {
  assert(!g->atoms.n && !g->sealed);
  bytes_vec(b, &g->names);
  bytes_vec(b, &g->atoms);
  bytes_vec(b, &g->rules);
  bytes_vec(b, &g->pool);
  bytes_vec(b, &g->instances);
  bytes_vec(b, &g->soft);
  bytes_vec(b, &g->weights);
  bytes_vec(b, &g->queries);
  bytes_vec(b, &g->terms);
  g->own.atoms = bytes_u64(b), g->own.rules = bytes_u64(b);
  g->observed.atoms = bytes_u64(b), g->observed.rules = bytes_u64(b);
  g->received = bytes_u32(b);
  g->inconsistent = bytes_u32(b) == 1;
  g->sealed = true;
}
