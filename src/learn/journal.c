/* journal.c - see journal.h. */
#include "learn/journal.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAUSE 0.2 /* seconds between two times that records go to the disk */
#define DIGITS 16 /* of 64 bits */
#define TITLE "lpmln checkpoint "
#define FORMAT "2" /* 1 had no check sums of records */

/* ---- the file ------------------------------------------------------------------------ */

static bool read_file(int file, Text *to) {
  char buffer[65536];
  for (;;) {
    ssize_t n = read(file, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n == 0;
    text_add(to, buffer, (size_t)n);
  }
}

static bool starts_with(const Text *text, const char *start, size_t length) {
  return text->n >= length && !memcmp(text->at, start, length);
}

/* A new file, unless what stands there is something else of the user's. */
static JournalOutcome begin_new(Journal *j, const char *header, size_t length) {
  struct stat about;
  int old =
      stat(j->path, &about) || !S_ISREG(about.st_mode) ? -1 : open(j->path, O_RDONLY | O_CLOEXEC);
  bool foreign = false;
  if (old >= 0) {
    char start[sizeof TITLE - 1];
    ssize_t n = pread(old, start, sizeof start, 0);
    foreign = n && (n != sizeof start || memcmp(start, TITLE, sizeof start) != 0);
    close(old);
  }
  if (foreign)
    return JOURNAL_FOREIGN;
  j->file = file_begin(j->path, header, length);
  return j->file >= 0 ? JOURNAL_OK : JOURNAL_UNWRITABLE;
}

/* ---- check sums ------------------------------------------------------------------------ */

static uint64_t sum_of(const double *question, uint32_t n) {
  uint64_t h = HASH_START;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &question[i], sizeof bits);
    h = hash_word(h, bits);
  }
  return h;
}

/* 64 bits, as we write them. */
static bool read_bits(const char *at, size_t left, uint64_t *bits) {
  *bits = 0;
  for (int i = 0; left >= DIGITS && i < DIGITS; i++) {
    char c = at[i];
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
      return false;
    *bits = *bits << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return left >= DIGITS;
}

/* Whether the line that ends before `end` closes with the sum of what it says; the sum
** goes on with it. */
static bool line_good(const char *line, const char *end, uint64_t *sum) {
  size_t length = (size_t)(end - line);
  uint64_t said;
  if (length < DIGITS || !read_bits(end - DIGITS, DIGITS, &said))
    return false;
  *sum = hash_bytes(*sum, line, length - DIGITS);
  return *sum == said;
}

/* All records; a last line without an end is left out. */
static bool records_good(Text *text, size_t at, uint64_t sum) {
  const char *line = text->at + at, *end, *all = text->at + text->n;
  while ((end = memchr(line, '\n', (size_t)(all - line)))) {
    if (!line_good(line, end, &sum))
      return false;
    line = end + 1;
  }
  text->n = (size_t)(line - text->at);
  return true;
}

/* ---- beginning and ending ------------------------------------------------------------------ */

static JournalOutcome read_old(Journal *j, const char *header, size_t length) {
  if (flock(j->file, LOCK_EX | LOCK_NB))
    return JOURNAL_IN_USE;
  if (!read_file(j->file, &j->text))
    return JOURNAL_UNWRITABLE;
  if (!starts_with(&j->text, TITLE, sizeof TITLE - 1))
    return JOURNAL_FOREIGN;
  if (!starts_with(&j->text, header, length))
    return JOURNAL_OTHER_RUN;
  if (!records_good(&j->text, length, j->sum))
    return JOURNAL_DAMAGED;
  j->at = length;
  j->reading = j->at < j->text.n;
  if (!j->reading && ftruncate(j->file, (off_t)j->at))
    return JOURNAL_UNWRITABLE;
  return JOURNAL_OK;
}

JournalOutcome journal_begin(Journal *j, const char *path, const char *key, bool resume) {
  assert(path && !strchr(key, '\n'));
  Text header = {0};
  *j = (Journal){.path = memory_copy(path, strlen(path)), .file = -1};
  text_printf(&header, TITLE FORMAT " %s\n", key);
  j->sum = hash_bytes(HASH_START, header.at, header.n);
  if (resume)
    j->file = file_lift(open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK));
  JournalOutcome outcome = JOURNAL_UNWRITABLE;
  if (j->file >= 0)
    outcome = read_old(j, header.at, header.n);
  else if (!resume || errno == ENOENT)
    outcome = begin_new(j, header.at, header.n);
  vec_free(&header);
  return outcome;
}

void journal_end(Journal *j) {
  if (!j->path || j->file < 0)
    return;
  if (!file_end(j->file))
    j->status = INPUT;
  j->file = -1;
}

void journal_free(Journal *j) {
  if (j->path && j->file >= 0)
    close(j->file);
  vec_free(&j->text);
  vec_free(&j->record);
  free(j->path);
  *j = (Journal){0};
}

/* ---- records ---------------------------------------------------------------------------- */

static void begin_record(Text *to, char letter, const double *question, uint32_t n) {
  to->n = 0;
  text_printf(to, "%c %016" PRIx64 " ", letter, sum_of(question, n));
}

/* The records that follow are of no use: what comes is appended in their place. */
static void stop_reading(Journal *j) {
  j->reading = false;
  if (ftruncate(j->file, (off_t)j->at))
    j->status = INPUT;
}

bool journal_read(Journal *j, char letter, const double *question, uint32_t n, double *answer,
                  uint32_t m) {
  if (!j || !j->reading)
    return false;
  assert(j->at < j->text.n);
  const char *line = j->text.at + j->at, *end = memchr(line, '\n', j->text.n - j->at);
  size_t start = 1 + 1 + DIGITS + 1, length = start + ((size_t)m + 1) * (DIGITS + 1);
  begin_record(&j->record, letter, question, n);
  bool good = end && (size_t)(end + 1 - line) == length && !memcmp(line, j->record.at, start);
  for (uint32_t i = 0; good && i < m; i++) {
    uint64_t bits;
    good = read_bits(line + start + (size_t)i * (DIGITS + 1), DIGITS, &bits);
    memcpy(&answer[i], &bits, sizeof bits);
  }
  if (!good || !line_good(line, end, &j->sum)) {
    stop_reading(j);
    return false;
  }
  j->at += length, j->replayed++;
  if (j->at == j->text.n)
    stop_reading(j); /* a last line without an end goes */
  return true;
}

static void append(Journal *j) {
  if (!file_append(j->file, j->record.at, j->record.n)) {
    j->status = INPUT;
    return;
  }
  if (clock_now() < j->synced + PAUSE)
    return;
  if (!file_sync(j->file))
    j->status = INPUT;
  j->synced = clock_now();
}

void journal_write(Journal *j, char letter, const double *question, uint32_t n,
                   const double *answer, uint32_t m) {
  if (!j || !j->path || j->status != OK)
    return;
  assert(!j->reading && j->file >= 0);
  begin_record(&j->record, letter, question, n);
  for (uint32_t i = 0; i < m; i++) {
    uint64_t bits;
    memcpy(&bits, &answer[i], sizeof bits);
    text_printf(&j->record, "%016" PRIx64 " ", bits);
  }
  j->sum = hash_bytes(j->sum, j->record.at, j->record.n);
  text_printf(&j->record, "%016" PRIx64 "\n", j->sum);
  append(j);
}
