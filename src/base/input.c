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

enum {
  BLOCK = 1 << 16,
  LONGEST = INT32_MAX, /* places are 32-bit numbers */
  FIRST_BYTE = 0x1f    /* of what gzip has made */
};

const char *input_trouble(int reason) {
  return reason == EBADMSG ? "what is compressed in it is damaged" : strerror(reason);
}

static bool fail_with(int reason) {
  errno = reason;
  return false;
}

/* What has been read of a file so far. */
typedef struct {
  Spool *to;
  z_stream z;
  bool compressed, ended; /* whether what is compressed has come to an end */
} Input;

/* ---- what is compressed -------------------------------------------------------------- */

static bool is_compressed(const char *at, size_t n) {
  return n >= 2 && (unsigned char)at[0] == FIRST_BYTE && (unsigned char)at[1] == 0x8b;
}

/* Zeros fill up a block of a tape. */
static bool only_zeros(const unsigned char *at, size_t n) {
  while (n && !at[n - 1])
    n--;
  return !n;
}

/* Several compressed files one behind the other are one. */
static bool go_on(Input *in) {
  z_stream *z = &in->z;
  if (in->ended && z->avail_in && *z->next_in == FIRST_BYTE)
    in->ended = inflateReset(z) != Z_OK;
  return !in->ended;
}

static bool expand(Input *in, char *at, size_t n) {
  char block[BLOCK];
  z_stream *z = &in->z;
  z->next_in = (unsigned char *)at, z->avail_in = (unsigned)n;
  for (bool full = false; (z->avail_in || full) && go_on(in);) {
    z->next_out = (unsigned char *)block, z->avail_out = BLOCK;
    int code = inflate(z, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR)
      memory_fail();
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      return fail_with(EBADMSG);
    spool_add(in->to, block, BLOCK - z->avail_out);
    in->ended = code == Z_STREAM_END;
    full = !z->avail_out;
  }
  return only_zeros(z->next_in, z->avail_in) || fail_with(EBADMSG);
}

static void begin(Input *in, const char *at, size_t n) {
  if (!is_compressed(at, n))
    return;
  if (inflateInit2(&in->z, 15 + 16) != Z_OK) /* the largest window, a header of gzip */
    memory_fail();
  in->compressed = true;
}

/* ---- files ----------------------------------------------------------------------------- */

/* Until the block is full or there is no more; less than 0: errno says why. */
static ssize_t fill(int file, char *block) {
  size_t n = 0;
  while (n < BLOCK) {
    limits_await(file);
    ssize_t got = read(file, block + n, BLOCK - n);
    if (got < 0 && errno != EAGAIN && errno != EINTR)
      return got;
    if (!got)
      break;
    n += got > 0 ? (size_t)got : 0;
  }
  return (ssize_t)n;
}

static bool take_all(Input *in, int file) {
  char block[BLOCK];
  ssize_t n = fill(file, block);
  begin(in, block, n > 0 ? (size_t)n : 0);
  for (; n > 0; n = fill(file, block)) {
    if (!in->compressed)
      spool_add(in->to, block, (size_t)n);
    else if (!expand(in, block, (size_t)n))
      return false;
    if (spool_length(in->to) > LONGEST)
      return fail_with(EFBIG);
  }
  if (!n && in->compressed && !in->ended)
    return fail_with(EBADMSG);
  if (!n)
    spool_end(in->to);
  return !n;
}

bool input_read(const char *path, Spool *to) {
  assert(path && !spool_length(to));
  bool standard = !strcmp(path, "-");
  int file =
      standard ? STDIN_FILENO : file_lift(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file < 0)
    return false;
  Input in = {.to = to};
  MemoryGuard guard;
  bool over = memory_guard(&guard); /* memory, or a limit: the file does not stay open */
  bool good = !over && take_all(&in, file);
  int reason = errno;
  memory_unguard(&guard);
  if (in.compressed)
    (void)inflateEnd(&in.z);
  if (!standard)
    close(file);
  if (!good)
    spool_free(to);
  if (over)
    memory_fail();
  errno = reason;
  return good;
}
