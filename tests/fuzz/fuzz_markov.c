/* fuzz_markov.c - any bytes through the front end for Markov logic, for libFuzzer: a
** network and, after a line `%%%%`, a database. */
#include "fuzz/front_end.h"

#include "dialects/markov/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  return run_front_end(markov_read, only_ascii, bytes, size);
}
