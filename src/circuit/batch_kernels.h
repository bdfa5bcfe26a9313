/* batch_kernels.h - what the files of batch.h share, above all its inner loops.
**
** Both kinds of loops go over some steps, upwards or downwards, for all lanes of a tile.
** Downwards, a step's adjoint is given to what it read.  The adjoints of false
** (which no step reads), true and the literals must be 0 before; what a step
** made needs no clearing, as the first addition to it is an assignment. */
#ifndef CIRCUIT_BATCH_KERNELS_H
#define CIRCUIT_BATCH_KERNELS_H

#include "circuit/batch.h"

#ifdef __clang__ /* gcc -std=c11 contracts nothing; results are the same bits */
#pragma STDC FP_CONTRACT OFF
#endif

/* One version for each width of vectors, chosen when the program is loaded;
** sanitizers are not ready that early.  For static functions with names of
** their own: compilers do not agree on what others are called. */
#ifdef __has_feature
#define BATCH_HAS_FEATURE(x) __has_feature(x)
#else
#define BATCH_HAS_FEATURE(x) 0
#endif
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !BATCH_HAS_FEATURE(address_sanitizer) &&      \
    !BATCH_HAS_FEATURE(thread_sanitizer) && !BATCH_HAS_FEATURE(memory_sanitizer)
#define BATCH_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define BATCH_CLONES
#endif

/* Helpers must become part of each version. */
#define BATCH_INLINE static inline __attribute__((always_inline))

/* Kernels compute with halves of tiles: gcc keeps a vector in memory that is wider
** than the machine's, and one that is narrower costs nothing.  What is an array of
** BatchLanes is one of twice as many halves. */
typedef double BatchHalf __attribute__((vector_size(4 * BATCH_TILE)));
typedef int64_t BatchBits __attribute__((vector_size(4 * BATCH_TILE)));
enum { BATCH_HALF = BATCH_TILE / 2 };

/* The slot that a step reads, and the one whose adjoint it adds to: false for
** none.  Without a branch, which could not be foreseen. */
BATCH_INLINE size_t batch_slot(uint32_t operand) { return operand & ~BATCH_FRESH; }

BATCH_INLINE size_t batch_before(uint32_t operand) { return operand & ((operand >> 31) - 1); }

/* Plain numbers. */
void batch_lanes_up(const BatchStep *steps, size_t n, BatchLanes *value);
void batch_lanes_down(const BatchStep *steps, size_t n, const BatchLanes *value,
                      BatchLanes *adjoint);

/* mantissa * 2^exponent, the mantissa 0 or about 1; the exponent, a whole number,
** is below all others if it is 0.  A slot has two of them, one for each half. */
typedef struct {
  BatchHalf mantissa, exponent;
} BatchScaled;

void batch_scaled_up(const BatchStep *steps, size_t n, BatchScaled *value);
void batch_scaled_down(const BatchStep *steps, size_t n, const BatchScaled *value,
                       BatchScaled *adjoint);

/* value * adjoint / root as plain numbers, for each of n slots. */
void batch_scaled_shares(const BatchScaled *value, const BatchScaled *adjoint, size_t n,
                         const BatchScaled *root, BatchLanes *share);

/* One lane of a slot: puts 1 or 0 there, tells ln of what is there. */
void batch_scaled_set(BatchScaled *slot, unsigned lane, bool one);
double batch_scaled_log(const BatchScaled *slot, unsigned lane);

/* Determined variables that are not mentioned take no part. */
static inline bool batch_counts(const BatchPlan *plan, uint32_t v) {
  return plan->input[v] || plan->mentioned[v];
}

/* The factors of a tile, plain or scaled ones, and ln of what scaling them took
** away, which is added to log_value. */
void batch_factors_set(const BatchPlan *, BatchWork *, const double *weights,
                       const int8_t *evidence);
void batch_factors_scaled(const BatchPlan *, const BatchWork *, BatchScaled *value);
void batch_factors_scale(const BatchPlan *, const BatchWork *, BatchLanes *log_value);

/* While a plan is made: the id of the first step's result, after the slots of
** constants and literals; and the plan's second half, from steps that come after
** what they read, by ids, to what batch.h says of them. */
static inline uint32_t batch_first_result(const BatchPlan *plan) { return 2 + 2 * plan->variables; }
void batch_order(BatchPlan *);

#endif
