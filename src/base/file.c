/* file.c - see file.h. */
#include "base/file.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 }; /* at a name that nobody has */

/* ---- bytes ----------------------------------------------------------------------- */

bool file_append(int file, const void *bytes, size_t length) {
  assert(file >= 0 && (bytes || !length));
  for (const char *at = bytes; length;) {
    ssize_t n = write(file, at, length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    at += n, length -= (size_t)n;
  }
  return true;
}

bool file_sync(int file) {
  assert(file >= 0);
  return !fsync(file) || errno == EINVAL || errno == EROFS || errno == ENOTSUP; /* a pipe */
}

bool file_end(int file) {
  bool good = file_sync(file);
  int reason = errno;
  bool closed = close(file) == 0;
  if (!good)
    errno = reason;
  return good && closed;
}

int file_lift(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO)
    return descriptor;
  int lifted = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), reason = errno;
  close(descriptor);
  errno = reason;
  return lifted;
}

int file_unnamed(void) {
  const char *folder = getenv("TMPDIR");
  Text path = {0};
  text_printf(&path, "%s/lpmln-XXXXXX", folder && *folder ? folder : "/tmp");
  int file = file_lift(mkostemp(path.at, O_CLOEXEC)), reason = errno;
  if (file >= 0)
    unlink(path.at);
  vec_free(&path);
  errno = reason;
  return file;
}

/* ---- where ------------------------------------------------------------------------ */

static int fail_with(int reason) {
  errno = reason;
  return -1;
}

/* The folder of a path, with its slash. */
static size_t folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash + 1 - path) : 0;
}

/* A file of our own in the folder of `target`; its path goes to `beside`. */
static int open_beside(const char *target, mode_t mode, Text *beside) {
  size_t folder = folder_of(target);
  for (int i = 0; i < TRIES; i++) {
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
      return -1;
    beside->n = 0;
    text_add(beside, target, folder);
    text_printf(beside, ".lpmln-%016" PRIx64, number);
    int file =
        file_lift(open(beside->at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (file >= 0 || errno != EEXIST)
      return file;
  }
  return -1;
}

/* The new name is on the disk as well; not every file system can tell.  Cuts the path of a file in
** the folder down to that: memory may be out, and a file is open. */
static void sync_folder(char *path) {
  path[folder_of(path)] = '\0';
  int file = open(*path ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0) {
    (void)fsync(file);
    close(file);
  }
}

/* ---- replacing ---------------------------------------------------------------------- */

/* Looks as the old one did.  False: its owner can't be given to the new one. */
static bool look_like(int file, const struct stat *old) {
  struct stat mine;
  if (fstat(file, &mine))
    return false;
  if ((mine.st_uid != old->st_uid || mine.st_gid != old->st_gid) &&
      fchown(file, old->st_uid, old->st_gid))
    return false;
  return !fchmod(file, old->st_mode & 07777);
}

static int begin_in_place(const char *path, int flags, const void *bytes, size_t length) {
  int file = file_lift(open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags));
  if (file < 0 || file_append(file, bytes, length))
    return file;
  int reason = errno;
  close(file);
  return fail_with(reason);
}

/* `old`: what is at the target; NULL: nothing. */
static int begin_beside(const char *target, const struct stat *old, const void *bytes,
                        size_t length) {
  Text beside = {0};
  int file = open_beside(target, old ? 0600 : 0666, &beside), reason = errno;
  bool own = file >= 0 && (!old || look_like(file, old));
  bool good =
      own && file_append(file, bytes, length) && file_sync(file) && rename(beside.at, target) == 0;
  if (file >= 0 && !good) {
    reason = errno;
    close(file);
    unlink(beside.at);
  }
  if (good)
    sync_folder(beside.at);
  vec_free(&beside);
  if (file >= 0 && !own) /* it is someone else's, who lets us write */
    return begin_in_place(target, O_TRUNC, bytes, length);
  return good ? file : fail_with(reason);
}

static int begin_regular(const char *path, const struct stat *old, const void *bytes,
                         size_t length) {
  char *target = realpath(path, NULL);
  if (!target)
    return -1;
  int file =
      faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) ? -1 : begin_beside(target, old, bytes, length);
  int reason = errno;
  free(target);
  return file >= 0 ? file : fail_with(reason);
}

int file_begin(const char *path, const void *bytes, size_t length) {
  assert(path && (bytes || !length));
  struct stat old;
  if (stat(path, &old)) /* a link that points nowhere is refused */
    return errno != ENOENT || !lstat(path, &old) ? -1 : begin_beside(path, NULL, bytes, length);
  if (S_ISDIR(old.st_mode))
    return fail_with(EISDIR);
  if (S_ISREG(old.st_mode))
    return begin_regular(path, &old, bytes, length);
  return begin_in_place(path, 0, bytes, length);
}

bool file_replace(const char *path, const void *bytes, size_t length) {
  int file = file_begin(path, bytes, length);
  return file >= 0 && file_end(file);
}

bool file_same(const char *path, const char *other) {
  assert(path && other);
  struct stat a, b;
  return !stat(path, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
