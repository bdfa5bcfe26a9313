/* caret.h - a diagnostic as text: where it is, what there is to say, the line with a
** caret under the place, a hint. */
#ifndef BASE_CARET_H
#define BASE_CARET_H

#include "base/memory.h"
#include "lpmln/lpmln.h"

/* Whole lines.  Control characters of the user's texts are escaped, in the line that is shown
** with a caret they become question marks. */
void caret_write(Text *, const lpmln_diagnostic *);

/* The same for a terminal that has colours. */
void caret_write_coloured(Text *, const lpmln_diagnostic *);

#endif
