/* print.h - answers for people: aligned text. */
#ifndef REPORT_PRINT_H
#define REPORT_PRINT_H

#include "base/memory.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stdio.h>

void print_diagnostic(FILE *, const lpmln_diagnostic *);

/* Of answers with content.  `count`: how many there are is a part of it. */
void print_inference(Text *, const lpmln_inference *);
void print_models(Text *, const lpmln_models *, bool count);
void print_samples(Text *, const lpmln_samples *);
void print_learning(Text *, const lpmln_learning *); /* learning.c */
void print_analysis(Text *, const lpmln_analysis *);

void print_advice(Text *, const char *const *advice, size_t count);

#endif
