/* status.h - how an operation ended.
**
** Internally the values of the public lpmln_status, under short names.  The
** user's fault (INPUT, NO_ANSWER), the environment's (LIMIT, INTERRUPTED) and
** ours (INTERNAL) are different things; only our own bugs are asserted. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "lpmln/lpmln.h"

typedef lpmln_status Status;

#define OK LPMLN_OK
#define NO_ANSWER LPMLN_NO_ANSWER
#define USAGE LPMLN_USAGE
#define INPUT LPMLN_INPUT
#define LIMIT LPMLN_LIMIT
#define INTERNAL LPMLN_INTERNAL
#define INTERRUPTED LPMLN_INTERRUPTED

#endif
