/* input.c - see input.h.
**
** Files are opened and read without waiting: a pipe that nobody writes to, or a terminal, is
** waited for where limits and interruptions are seen. */
#include "base/input.h"

#include "base/file.h"
#include "base/limits.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK = 1 << 16, LONGEST = INT32_MAX }; /* places are 32-bit numbers */

const char *input_trouble(int reason) {
  return reason == EBADMSG ? "what is compressed in it is damaged" : strerror(reason);
}

static bool fail_with(int reason) {
  errno = reason;
  return false;
}

/* ---- what is compressed -------------------------------------------------------------- */

static bool is_compressed(const char *at, size_t n) {
  return n >= 2 && (unsigned char)at[0] == 0x1f && (unsigned char)at[1] == 0x8b;
}

/* Zeros fill up a block of a tape. */
static bool only_zeros(const unsigned char *at, size_t n) {
  while (n && !at[n - 1])
    n--;
  return !n;
}

/* Several compressed files one behind the other are one. */
static int expand_all(z_stream *z, Text *to) {
  char block[BLOCK];
  int code = Z_OK;
  while (code == Z_OK && to->n <= LONGEST) {
    z->next_out = (unsigned char *)block, z->avail_out = BLOCK;
    code = inflate(z, Z_NO_FLUSH);
    text_add(to, block, BLOCK - z->avail_out);
    if (code == Z_STREAM_END && is_compressed((const char *)z->next_in, z->avail_in))
      code = inflateReset(z);
  }
  return code;
}

static bool expand(const Text *raw, Text *to) {
  assert(raw->n <= LONGEST && is_compressed(raw->at, raw->n));
  z_stream z = {.next_in = (unsigned char *)raw->at, .avail_in = (unsigned)raw->n};
  int code = inflateInit2(&z, 15 + 16); /* the largest window, a header of gzip */
  if (code == Z_OK)
    code = expand_all(&z, to);
  bool whole = code == Z_STREAM_END && only_zeros(z.next_in, z.avail_in);
  (void)inflateEnd(&z);
  if (code == Z_MEM_ERROR)
    memory_fail();
  return whole || fail_with(to->n > LONGEST ? EFBIG : EBADMSG);
}

/* ---- files ----------------------------------------------------------------------------- */

static bool take(int file, Text *to) {
  char block[BLOCK];
  for (;;) {
    limits_await(file);
    ssize_t got = read(file, block, sizeof block);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
      continue;
    if (got <= 0)
      return !got;
    text_add(to, block, (size_t)got);
    if (to->n > LONGEST)
      return fail_with(EFBIG);
  }
}

static bool take_expanded(int file, Text *raw, Text *to) {
  if (!take(file, raw))
    return false;
  if (is_compressed(raw->at, raw->n))
    return expand(raw, to);
  *to = *raw, *raw = (Text){0};
  return true;
}

bool input_read(const char *path, Text *to) {
  assert(path && !to->n);
  bool standard = !strcmp(path, "-");
  int file =
      standard ? STDIN_FILENO : file_lift(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file < 0)
    return false;
  Text raw = {0};
  MemoryGuard guard;
  bool over = memory_guard(&guard); /* memory, or a limit: the file does not stay open */
  bool good = !over && take_expanded(file, &raw, to);
  int reason = errno;
  memory_unguard(&guard);
  if (!standard)
    close(file);
  vec_free(&raw);
  if (!good)
    vec_free(to);
  if (over)
    memory_fail();
  errno = reason;
  return good;
}
