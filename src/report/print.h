/* print.h - answers for people: aligned text. */
#ifndef REPORT_PRINT_H
#define REPORT_PRINT_H

#include "lpmln/lpmln.h"

#include <stdio.h>

void print_diagnostic(FILE *, const lpmln_diagnostic *);
void print_inference(FILE *, const lpmln_inference *);
void print_models(FILE *, const lpmln_models *, bool count);
void print_samples(FILE *, const lpmln_samples *);
void print_learning(FILE *, const lpmln_learning *); /* learning.c */
void print_analysis(FILE *, const lpmln_analysis *);

#endif
