/* journal.h - what a run has computed, in a file, so that a killed run can go on.
**
** liblbfgs can't save its state, so every result is written down; a resumed run
** starts from the beginning and reads them back as long as they last.  It asks
** the same questions, so it gets the same bits and ends the same.
**
** A file is a line that says what run it is of and a line for each record: a
** letter, a check sum of the question, the bits of the answer and a check sum of
** all that stands before it in the file.  Records are appended one by one, so
** that a kill costs at most the last one, which then has no end; a line that has
** an end but another sum is damage, and the file is refused. */
#ifndef LEARN_JOURNAL_H
#define LEARN_JOURNAL_H

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  char *path;      /* NULL: nothing is written */
  int file;        /* if path: open for appending */
  Text text;       /* what the file said when the run began */
  size_t at;       /* the records before have been read back */
  bool reading;    /* there are more */
  size_t replayed; /* records, read back */
  uint64_t sum;    /* of the file up to `at`, or to what was appended last */
  Text record;     /* under construction */
  double synced;   /* when, by clock_now */
  Status status;   /* INPUT: a record could not be written */
} Journal;         /* {0} is one that does nothing */

typedef enum {
  JOURNAL_OK,
  JOURNAL_OTHER_RUN, /* the file is of another run */
  JOURNAL_FOREIGN,   /* the file is no checkpoint */
  JOURNAL_DAMAGED,
  JOURNAL_IN_USE,    /* another process writes to it */
  JOURNAL_UNWRITABLE /* errno says why */
} JournalOutcome;

/* `key`: a line that says what run it is of.  If `resume`, what the file has is read;
** nothing is there to read if there is no file.  What is no checkpoint is never touched. */
JournalOutcome journal_begin(Journal *, const char *path, const char *key, bool resume);
void journal_end(Journal *); /* all of it is on the disk, or `status` says so */
void journal_free(Journal *);

/* The answer to the question, if the file has it.  Both take NULL journals. */
bool journal_read(Journal *, char letter, const double *question, uint32_t n, double *answer,
                  uint32_t m);
void journal_write(Journal *, char letter, const double *question, uint32_t n, const double *answer,
                   uint32_t m);

#endif
