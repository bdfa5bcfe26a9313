/* fuzz_compiled.c - forged compiled files, for libFuzzer: any bytes behind right checksums.
**
** A checksum finds damage, it does not prove who wrote a file; so the checksums of every
** input are repaired before it is loaded.  What is loaded is asked everything that a state
** answers.  Its numbers may be wrong, they are the forger's; nothing may crash. */
#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "fuzz/must.h"
#include "lpmln/lpmln.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

enum { SUM = 8, LEAST = 64 };

static void put_sum(char *from, char *to) {
  uint64_t sum = hash_bytes(HASH_START, from, (size_t)(to - from));
  memcpy(to, &sum, SUM);
}

/* The circuit is last, and has a checksum of its own. */
static void repair(char *bytes, size_t size) {
  static const char circuit[] = "LPMLNCIR";
  char *end = bytes + size - SUM, *found = NULL;
  for (char *at = bytes; (at = memmem(at, (size_t)(end - at), circuit, 8)); at += 8)
    found = at;
  if (found && end - found >= 8 + SUM)
    put_sum(found, end - SUM);
  put_sum(bytes, end);
}

static void evaluate(lpmln_state *s, const lpmln_model *m) {
  size_t parameters, observables, queries;
  lpmln_model_parameters(m, &parameters);
  lpmln_model_observables(m, &observables);
  lpmln_model_queries(m, &queries);
  double log_partition[3], log_evidence[3];
  double *marginals = calloc(3 * queries + 1, sizeof *marginals),
         *gradient = calloc(3 * parameters + 1, sizeof *gradient),
         *evidence = calloc(3 * observables + 1, sizeof *evidence);
  lpmln_batch batch = {.rows = 3,
                       .threads = 1,
                       .evidence = {evidence, (ptrdiff_t)observables, 1},
                       .log_partition = {log_partition, 1, 1},
                       .log_evidence = {log_evidence, 1, 1},
                       .marginals = {marginals, (ptrdiff_t)queries, 1},
                       .gradient = {gradient, (ptrdiff_t)parameters, 1}};
  for (size_t i = 0; i < 3 * observables; i++)
    evidence[i] = i % 3 ? 1 : 0;
  (void)lpmln_state_evaluate(s, &batch);
  free(marginals);
  free(gradient);
  free(evidence);
}

static void ask_all(lpmln_model *m) {
  lpmln_state *s = lpmln_state_new(m);
  size_t observables;
  const char *const *names = lpmln_model_observables(m, &observables);
  must(s);
  lpmln_state_limit(s, 2);
  for (int round = 0; round < 2; round++) {
    lpmln_answer_free(lpmln_state_infer(s));
    lpmln_answer_free(lpmln_state_map(s));
    lpmln_answer_free(lpmln_state_list(s, 4));
    lpmln_answer_free(lpmln_state_draw(s, 3));
    evaluate(s, m);
    if (observables)
      (void)lpmln_state_observe(s, names[0], LPMLN_TRUE);
  }
  lpmln_state_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < LEAST)
    return 0;
  char *copy = malloc(size);
  memcpy(copy, bytes, size);
  repair(copy, size);
  lpmln_model *m = lpmln_model_load(copy, size, NULL);
  if (m) {
    ask_all(m);
    const lpmln_bytes *again = lpmln_model_save(m);
    must(again->about.status == LPMLN_OK);
    lpmln_answer_free(again);
  }
  lpmln_model_free(m);
  free(copy);
  return 0;
}

/* A file is words: numbers of things, mostly.  Changed one by one they pass for longer. */
static void change_word(uint8_t *bytes, size_t size, Random *random) {
  size_t at = 4 * random_below(random, size / 4 - 1), from = 4 * random_below(random, size / 4 - 1);
  static const uint32_t some[] = {0, 1, 2, 3, UINT32_MAX, UINT32_MAX - 1, INT32_MAX, 1u << 31};
  uint32_t word;
  memcpy(&word, bytes + at, sizeof word);
  switch (random_below(random, 5)) {
  case 0: word = some[random_below(random, sizeof some / sizeof *some)]; break;
  case 1: word++; break;
  case 2: word--; break;
  case 3: word ^= 1u << random_below(random, 32); break;
  default: memcpy(&word, bytes + from, sizeof word);
  }
  memcpy(bytes + at, &word, sizeof word);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  Random random = random_make(seed, 1);
  if (size < LEAST || random_below(&random, 8) == 0)
    return LLVMFuzzerMutate(bytes, size, most);
  uint8_t *circuit = memmem(bytes, size, "LPMLNCIR", 8); /* alone, every other time */
  bool inner = circuit && random_below(&random, 2);
  size_t skip = inner ? (size_t)(circuit - bytes) : random_below(&random, 4);
  for (uint64_t n = 1 + random_below(&random, 3); n && size - skip >= LEAST; n--)
    change_word(bytes + skip, size - skip, &random);
  return size;
}
