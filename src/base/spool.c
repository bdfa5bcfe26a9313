/* spool.c - see spool.h. */
#include "base/spool.h"

#include "base/file.h"

#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LONG = 1 << 24 }; /* bytes of a text that stay in memory */

static void close_file(Spool *s) {
  if (s->open)
    close(s->file);
  s->open = false;
}

void spool_free(Spool *s) {
  close_file(s);
  if (s->view)
    munmap(s->view, s->spilled + 1);
  vec_free(&s->text);
  *s = (Spool){0};
}

size_t spool_length(const Spool *s) { return s->spilled + s->text.n; }

/* All of it in memory again: the disk is full. */
static void take_back(Spool *s) {
  Text all = {0};
  vec_reserve(&all, s->spilled + s->text.n + 1);
  for (ssize_t got = 1; all.n < s->spilled && got > 0; all.n += (size_t)(got > 0 ? got : 0))
    got = pread(s->file, all.at + all.n, s->spilled - all.n, (off_t)all.n);
  if (all.n < s->spilled)
    memory_fail(); /* it is nowhere */
  text_add(&all, s->text.at, s->text.n);
  vec_free(&s->text);
  close_file(s);
  s->text = all, s->spilled = 0;
}

static void spill(Spool *s) {
  if (!s->tried) {
    s->file = file_unnamed();
    s->open = s->file >= 0;
  }
  s->tried = true;
  if (!s->open)
    return;
  if (!file_append(s->file, s->text.at, s->text.n)) {
    take_back(s);
    return;
  }
  s->spilled += s->text.n;
  s->text.n = 0;
}

void spool_add(Spool *s, const char *bytes, size_t n) {
  assert(!s->view && (bytes || !n));
  text_add(&s->text, bytes, n);
  if (s->text.n >= LONG && (!s->tried || s->open))
    spill(s);
}

void spool_end(Spool *s) {
  assert(!s->view);
  text_add(&s->text, "", 0);
  if (!s->open)
    return;
  size_t length = s->spilled + s->text.n;
  void *view = MAP_FAILED;
  if (file_append(s->file, s->text.at, s->text.n + 1))
    view = mmap(NULL, length + 1, PROT_READ, MAP_SHARED, s->file, 0);
  if (view == MAP_FAILED) {
    take_back(s);
    return;
  }
  close_file(s);
  s->view = view, s->spilled = length;
  vec_free(&s->text);
}
