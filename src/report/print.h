/* print.h - answers for people: aligned text. */
#ifndef REPORT_PRINT_H
#define REPORT_PRINT_H

#include "base/memory.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stdio.h>

void print_diagnostic(FILE *, const lpmln_diagnostic *);

/* As printf; control characters but new lines are escaped. */
__attribute__((format(printf, 2, 3))) void print_plain(FILE *, const char *format, ...);

/* Of answers with content.  `count`: how many there are is a part of it. */
void print_inference(Text *, const lpmln_inference *);
void print_models(Text *, const lpmln_models *, bool count);
void print_samples(Text *, const lpmln_samples *);
void print_learning(Text *, const lpmln_learning *);
/* n(O), E[n] and the gradient by parameter, at the start and at the end; of one point. */
void print_learning_counts(Text *, const lpmln_learning *);
void print_balances(Text *, const char *title, const char *const *names, const lpmln_balance *,
                    size_t n); /* learning.c */
void print_splitting(Text *, const lpmln_splitting *);
void print_elsewhere(Text *, const lpmln_weights *);
void print_induction(Text *, const lpmln_induction *);     /* induction.c */
void print_comparison(Text *, const lpmln_comparison *);   /* comparison.c */
void print_explanation(Text *, const lpmln_explanation *); /* explanation.c */
void print_decision(Text *, const lpmln_decision *);
void print_analysis(Text *, const lpmln_analysis *);
void print_chain(Text *, const lpmln_chain *); /* markov.c */
void print_trace(Text *, const lpmln_trace *);

/* Columns of a text, a character each; and what to give `%-*s` for a column of that width. */
size_t print_columns(const char *);
int print_room(int width, const char *);

/* Atoms on one line, and a new line. */
void print_atoms(Text *, const char *const *atoms, size_t count);

void print_advice(Text *, const char *const *advice, size_t count);

#endif
