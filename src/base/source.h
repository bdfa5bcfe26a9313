/* source.h - the texts of a problem and what there is to say about them.
**
** A place is a source and a byte offset; lines and columns are counted only
** when a diagnostic is shown.  Sources are never removed, so places last as
** long as the problem. */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/memory.h"
#include "base/status.h"

typedef struct {
  uint32_t source; /* NONE_SOURCE: nowhere in particular */
  uint32_t offset, length;
} Place;

#define NONE_SOURCE UINT32_MAX
#define NOWHERE ((Place){NONE_SOURCE, 0, 0})

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
  char *bytes; /* owned; bytes[length] is NUL */
  size_t length;
  Pieces map;   /* of a text that we made from another: where its parts came from */
  bool derived; /* it is such a text, whatever its map */
} Source;

typedef struct {
  lpmln_severity severity;
  Place place;
  char *message, *hint; /* owned; hint may be NULL */
} Diagnostic;

typedef struct {
  VEC(Source) list;
  VEC(Diagnostic) diagnostics;
  unsigned errors;
} Sources;

void sources_free(Sources *);

/* Takes the bytes, which must end in NUL.  Fails over 2^31 bytes. */
uint32_t source_add(Sources *, const char *name, char *bytes, size_t length);

/* Reads a file or, as "-", standard input; reports what is wrong and returns
** NONE_SOURCE.  The place is where the file was asked for. */
uint32_t source_read(Sources *, const char *path, Place asked);

/* Where a place of a derived text came from; other places are their own origin. */
Place source_origin(const Sources *, Place);

typedef struct {
  unsigned line, column;  /* from 1 */
  uint32_t start, length; /* of the whole line, in bytes */
} Position;

Position source_position(const Source *, uint32_t offset);

/* Says something; the message is printf's, `hint` plain or NULL. */
void diagnose(Sources *, lpmln_severity, Place, const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#define diagnose_error(s, place, hint, ...) diagnose(s, LPMLN_ERROR, place, hint, __VA_ARGS__)
#define diagnose_warning(s, place, hint, ...) diagnose(s, LPMLN_WARNING, place, hint, __VA_ARGS__)
#define diagnose_note(s, place, hint, ...) diagnose(s, LPMLN_NOTE, place, hint, __VA_ARGS__)

/* Like report, with a hint made by printf that report takes over. */
void diagnose_hinted(Sources *, lpmln_severity, Place, char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
