/* fuzz_plingo.c - any bytes through the front end for plingo and P-log, for libFuzzer: a
** program and, after a line `%%%%`, evidence.  What is inside of its rules is our own
** language's to refuse. */
#include "fuzz/front_end.h"

#include "dialects/plingo/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  return run_front_end(plingo_read, NULL, bytes, size);
}
