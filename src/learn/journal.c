/* journal.c - see journal.h. */
#include "learn/journal.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAUSE 0.2 /* seconds between two writes */

static bool read_file(Journal *j) {
  FILE *file = fopen(j->path, "rb");
  if (!file)
    return false;
  char buffer[65536];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
    text_add(&j->text, buffer, n);
  fclose(file);
  return true;
}

Status journal_begin(Journal *j, const char *path, const char *key, bool resume) {
  assert(path && !strchr(key, '\n'));
  Text header = {0};
  *j = (Journal){.path = memory_copy(path, strlen(path))};
  text_printf(&header, "lpmln checkpoint 1 %s\n", key);
  bool there = resume && read_file(j);
  bool same = there && j->text.n >= header.n && !memcmp(j->text.at, header.at, header.n);
  if (!there)
    text_add(&j->text, header.at, header.n);
  j->at = header.n;
  j->reading = same;
  vec_free(&header);
  return there && !same ? INPUT : OK;
}

void journal_free(Journal *j) {
  vec_free(&j->text);
  free(j->path);
  *j = (Journal){0};
}

static uint64_t sum_of(const double *question, uint32_t n) {
  uint64_t h = HASH_START;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &question[i], sizeof bits);
    h = hash_word(h, bits);
  }
  return h;
}

bool journal_read(Journal *j, char letter, const double *question, uint32_t n, double *answer,
                  uint32_t m) {
  if (!j || !j->reading)
    return false;
  assert(j->at <= j->text.n);
  char start[32], *at = j->text.at + j->at;
  int length = snprintf(start, sizeof start, "%c %016" PRIx64, letter, sum_of(question, n));
  bool good = !strncmp(at, start, (size_t)length);
  at += good ? length : 0;
  for (uint32_t i = 0; good && i < m; i++) {
    uint64_t bits = 0;
    int used = 0;
    good = sscanf(at, " %16" SCNx64 "%n", &bits, &used) == 1 && used == 17;
    memcpy(&answer[i], &bits, sizeof bits);
    at += good ? used : 0;
  }
  good &= *at == '\n';
  if (good)
    j->at = (size_t)(at + 1 - j->text.at), j->replayed++;
  else
    j->text.n = j->at, j->text.at[j->at] = 0; /* the rest is of no use */
  j->reading = good && j->at < j->text.n;
  return good;
}

/* All of the number, in no locale. */
static void put_bits(Text *to, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  text_printf(to, " %016" PRIx64, bits);
}

void journal_write(Journal *j, char letter, const double *question, uint32_t n,
                   const double *answer, uint32_t m) {
  if (!j || !j->path)
    return;
  assert(!j->reading && j->at == j->text.n);
  text_printf(&j->text, "%c %016" PRIx64, letter, sum_of(question, n));
  for (uint32_t i = 0; i < m; i++)
    put_bits(&j->text, answer[i]);
  text_puts(&j->text, "\n");
  j->at = j->text.n;
  j->dirty = true;
}

static bool replace(const Journal *j) {
  Text beside = {0};
  text_printf(&beside, "%s.new", j->path);
  FILE *file = fopen(beside.at, "wb");
  bool good = file && fwrite(j->text.at, 1, j->text.n, file) == j->text.n && !fflush(file) &&
              !fsync(fileno(file));
  good = file && !fclose(file) && good;
  good = good && !rename(beside.at, j->path);
  vec_free(&beside);
  return good;
}

void journal_flush(Journal *j, bool must) {
  if (!j || !j->path || !j->dirty || (!must && clock_now() < j->written + PAUSE))
    return;
  if (!replace(j) && j->status == OK)
    j->status = INPUT;
  j->dirty = false;
  j->written = clock_now();
}
