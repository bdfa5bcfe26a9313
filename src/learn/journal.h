/* journal.h - what a run has computed, in a file, so that a killed run can go on.
**
** liblbfgs can't save its state, so every result is written down; a resumed run
** starts from the beginning and reads them back as long as they last.  It asks
** the same questions, so it gets the same bits and ends the same.
**
** A file is a header that says what run it is of and then records: a letter, a
** check sum of the question and the answer in hexadecimal floating point.  It is
** always replaced as a whole (written beside, then renamed), so at any moment
** the file is whole. */
#ifndef LEARN_JOURNAL_H
#define LEARN_JOURNAL_H

#include "base/memory.h"
#include "base/status.h"

typedef struct {
  char *path;      /* NULL: nothing is written */
  Text text;       /* what the file says or should say */
  size_t at;       /* the records before have been read back */
  bool reading;    /* there are more */
  size_t replayed; /* records, read back */
  bool dirty;
  double written; /* when, by clock_now */
  Status status;  /* the first failure */
} Journal;        /* {0} is one that does nothing */

/* `key`: a line that says what run it is of.  If `resume`, the file is read: INPUT
** if it is there but of another run, OK with nothing to read if it is not. */
Status journal_begin(Journal *, const char *path, const char *key, bool resume);
void journal_free(Journal *);

/* The answer to the question, if the file has it.  Both take NULL journals. */
bool journal_read(Journal *, char letter, const double *question, uint32_t n, double *answer,
                  uint32_t m);
void journal_write(Journal *, char letter, const double *question, uint32_t n, const double *answer,
                   uint32_t m);

/* Replaces the file if there is something new and it is time, or if it must. */
void journal_flush(Journal *, bool must);

#endif
