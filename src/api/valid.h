/* valid.h - options of the public questions, checked before anything is done with them.
**
** Each function returns what is wrong with them, as a sentence that lives for ever, or NULL.
** They are the caller's: any number may stand where a choice is wanted, and any double. */
#ifndef API_VALID_H
#define API_VALID_H

#include "lpmln/lpmln.h"

const char *valid_options(const lpmln_options *);
const char *valid_learning(const lpmln_learning_options *);
const char *valid_why(const lpmln_why_options *);
const char *valid_induction(const lpmln_induction_options *);
const char *valid_translation(const lpmln_translation_options *);
const char *valid_compiling(const lpmln_compile_options *);
const char *valid_ranks(const lpmln_ranks *);

#endif
