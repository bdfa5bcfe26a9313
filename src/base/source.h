/* source.h - the texts of a program.
**
** A place is a source and a byte offset; lines and columns are counted only
** when a diagnostic is shown.  Sources are never removed, so places last as
** long as the problem. */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t source; /* NONE_SOURCE: nowhere in particular */
  uint32_t offset, length;
} Place;

#define NONE_SOURCE UINT32_MAX
#define NOWHERE ((Place){NONE_SOURCE, 0, 0})
#define WHOLE_FILE UINT32_MAX /* as an offset: no line of it in particular */

/* Text from `at` on stands for a place of another text. */
typedef struct {
  size_t at;
  Place place;
} Piece;

typedef VEC(Piece) Pieces; /* ordered by `at` */

/* The piece that byte `at` is in, or NOWHERE. */
Place pieces_origin(const Pieces *, size_t at);

typedef struct {
  char *name;  /* as the user wrote it */
  char *bytes; /* owned, not written to; bytes[length] is NUL */
  size_t length;
  void *view;    /* of a long text, which lies in a file without a name; bytes are in it… */
  size_t viewed; /* …of so many bytes */
  Pieces map;    /* of a text that we made from another: where its parts came from */
  bool derived;  /* it is such a text, whatever its map */
} Source;

typedef struct {
  VEC(Source) list;
} Sources; /* {0} is empty */

void sources_free(Sources *);

/* Takes the bytes, which must end in NUL.  Fails over 2^31 bytes. */
uint32_t source_add(Sources *, const char *name, char *bytes, size_t length);

/* Reads a file or, as "-", standard input: see input_read.  NONE_SOURCE: errno says what is
** wrong.  A long text goes to the disk: see spool.h. */
uint32_t source_read(Sources *, const char *path);

/* The text before this offset need not stay in memory: whoever looks there again reads it again. */
void source_forget(const Source *, size_t before);

/* Its ending says that it is a table. */
bool source_names_table(const char *name);

/* Where a place of a derived text came from; other places are their own origin. */
Place source_origin(const Sources *, Place);

typedef struct {
  unsigned line, column;  /* from 1 */
  uint32_t start, length; /* of the whole line, in bytes */
} Position;

Position source_position(const Source *, uint32_t offset);

#endif
