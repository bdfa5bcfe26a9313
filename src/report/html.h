/* html.h - an answer as one page for a browser, to keep or to show.
**
** The page is a single file without fonts, images or scripts from elsewhere: text, style, pictures
** drawn as SVG and a small script of its own.  The same run gives the same bytes.  A number on it
** is a <data> element that has all its digits, and says by data-of and data-name which field of
** the JSON answer it is. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An iteration of learning, for the plot. */
typedef struct {
  size_t run; /* which start */
  double log_likelihood, gradient_sum;
} HtmlIteration;

/* Cells of test data by the probability that was predicted for them. */
enum { HTML_BINS = 10 };

typedef struct {
  double count[HTML_BINS];                      /* of cells */
  double predicted[HTML_BINS], seen[HTML_BINS]; /* sums: of probabilities, of cells that are 1 */
  double squares;                               /* of errors, added up */
} HtmlCalibration;                              /* {0} is empty */

typedef struct {
  const char *command; /* its name */
  const char *line;    /* the whole command, as typed */
  uint64_t seed;
  const lpmln_sources *sources; /* of the program that answered */
  const HtmlIteration *iterations;
  size_t iteration_count;
  const lpmln_learning_options *learning; /* of learn; NULL */
  const HtmlCalibration *calibration;     /* of learn; NULL */
  bool counts;                            /* of learn: balances are asked for */
  const lpmln_inference *before;          /* of infer: without the evidence; NULL: none */
} HtmlRun;

/* The page; the caller frees.  NULL: memory is out. */
char *html_learning(const HtmlRun *, const lpmln_learning *);
char *html_inference(const HtmlRun *, const lpmln_inference *);
char *html_samples(const HtmlRun *, const lpmln_samples *);
char *html_models(const HtmlRun *, const lpmln_models *);
char *html_analysis(const HtmlRun *, const lpmln_analysis *);
char *html_explanation(const HtmlRun *, const lpmln_explanation *);
char *html_comparison(const HtmlRun *, const lpmln_comparison *);
char *html_decision(const HtmlRun *, const lpmln_decision *);

#endif
