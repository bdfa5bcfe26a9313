/* file.h - the one way to write a file.
**
** New content goes to a private temporary beside the target, reaches the disk and takes the
** target's name, mode and owner: at any moment the path holds all of the old or all of the
** new, whatever is planted beside it and however many write at once.  A symbolic link stays
** one; what it points to is replaced.  Devices and pipes are written in place.  Where a
** function fails, errno says why. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The file begun anew with these bytes, open for file_append; -1: what was there is as it
** was. */
int file_begin(const char *path, const void *bytes, size_t length);

/* A record behind what is there, in one piece; it survives the end of this process. */
bool file_append(int file, const void *bytes, size_t length);
bool file_sync(int file); /* from here on it survives the end of the machine */
bool file_end(int file);  /* synced and closed, also if it fails */

/* Begun and ended: all of the file. */
bool file_replace(const char *path, const void *bytes, size_t length);

/* The descriptor, moved above standard error: a host that has closed one of the first three
** would write into it.  -1: it is closed. */
int file_lift(int descriptor);

/* A file without a name, in $TMPDIR or /tmp, that goes with its descriptor; -1: none. */
int file_unnamed(void);

/* Both are there and are one and the same. */
bool file_same(const char *path, const char *other);

#endif
