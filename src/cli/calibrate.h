/* calibrate.h - do learned probabilities mean what they say? */
#ifndef CLI_CALIBRATE_H
#define CLI_CALIBRATE_H

#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/html.h"

/* Predicts each known cell of the test tables among the texts from the rest of its row, by the
** program with the learned weights.  Nothing is added to `to` if there are no such tables, or the
** program can't be compiled in the time. */
void calibrate(const Session *, const lpmln_sources *, const lpmln_learning *, HtmlCalibration *to);

#endif
