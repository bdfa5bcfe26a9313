/* fuzz_problog.c - any bytes through the front end for ProbLog, for libFuzzer: a program
** and, after a line `%%%%`, examples. */
#include "fuzz/front_end.h"

#include "dialects/problog/read.h"

/* Lists that are nested too deep as pairs, and divisions by 0 in probabilities, are errors
** of our own language. */
static bool plain(const uint8_t *bytes, size_t size) {
  size_t commas = 0;
  for (size_t i = 0; i < size; i++)
    commas += bytes[i] == ',' || bytes[i] == '(' || bytes[i] == '|';
  return commas < 400 && only_ascii(bytes, size) && (!size || !memchr(bytes, '/', size));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  return run_front_end(problog_read, plain, bytes, size);
}
