/* answer.h - answers in the making: memory of their own, and what they say of themselves. */
#ifndef API_ANSWER_H
#define API_ANSWER_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/status.h"

#include <stddef.h>

typedef struct {
  Arena arena;
  void *content; /* in the arena; starts with an lpmln_answer */
} Answer;

/* Zeroes of this size, with room for what lpmln_answer_free needs. */
Answer answer_begin(size_t size);

/* Writes the status and what was said, of the texts (may be NULL) and of the question, and
** hands the answer over. */
const void *answer_end(Answer *, Status, const Diagnostics *texts, const Diagnostics *question);

/* Likewise of an answer that was made of others, which may be NULL: it says what they say, each
** thing once. */
const void *answer_gather(Answer *, Status, const void *const *answers, size_t count);

/* An answer without content: memory is out.  Of any type, never to be freed. */
const void *answer_no_memory(void);
const void *answer_stopped(Status); /* LIMIT: of time; or INTERRUPTED */

#endif
