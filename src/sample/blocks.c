/* blocks.c - see blocks.h. */
#include "sample/blocks.h"

#include "circuit/circuit.h"
#include "compile/strata.h"
#include "ground/analysis.h"

#include <assert.h>
#include <stdint.h>

enum { FIRST_SIZE = 8, LEAST_SIZE = 2, MOST_SIZE = 64, BRANCHES = 200 };

void blocks_begin(BlockMoves *b, const Target *t, const Limits *limits) {
  assert(t->ground.sealed && t->strata.guessed);
  CompileOptions options = compile_options_default();
  options.branches = BRANCHES;
  options.stop = limits->stop;
  *b = (BlockMoves){.target = t, .size = FIRST_SIZE, .begun = true};
  compile_begin(&b->compiled, &t->ground, &t->analysis, &options);
}

void blocks_free(BlockMoves *b) {
  if (!b->begun)
    return;
  compile_free(&b->compiled);
  vec_free(&b->fixed);
}

static void fix(void *data, Atom a, bool value) {
  BlockMoves *b = data;
  vec_push(&b->fixed, lit_of(a, !value));
}

static void tune_size(BlockMoves *b, bool fits) {
  if (fits && b->size < MOST_SIZE)
    b->size++;
  else if (!fits)
    b->size = b->size > 5 * LEAST_SIZE / 4 ? b->size * 4 / 5 : LEAST_SIZE;
}

Status blocks_move(BlockMoves *b, Region *region, const double *weights, bool tune, Random *random,
                   bool *atoms) {
  assert(b->begun && region->target == b->target && b->size >= LEAST_SIZE);
  const Target *t = b->target;
  CircuitRoot root = {0};
  Compiled *c = &b->compiled;
  for (uint32_t k = 0; k < t->analysis.components; k++)
    region_choose(region, k, b->size, random);
  b->fixed.n = 0;
  for (size_t i = 0; i < t->evidence.n; i++)
    vec_push(&b->fixed, t->evidence.at[i]);
  region_fix_others(region, atoms, fix, b);
  Status status = compile_root(c, b->fixed.at, b->fixed.n, NULL, 0, &root);
  if (status == OK) {
    CircuitValues values;
    circuit_values_make(&c->circuit, &values);
    circuit_evaluate(&c->circuit, weights, &values);
    circuit_sample(&c->circuit, &values, &root, random, atoms);
    circuit_values_free(&values);
    strata_extend(&t->ground, &t->strata, atoms);
  }
  if (tune)
    tune_size(b, status == OK);
  circuit_root_free(&root);
  compile_compact(c, NULL, 0); /* nothing is remembered that would change the next block's budget */
  return status == LIMIT ? OK : status;
}
