/* html.h - an answer as one page for a browser, to keep or to show.
**
** The page is a single file without scripts, fonts or images from elsewhere: text,
** style and pictures drawn as SVG.  The same run gives the same bytes.  A number on it
** is a <data> element that has all its digits, and says by data-of and data-name which
** field of the JSON answer it is. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "lpmln/lpmln.h"

#include <stddef.h>
#include <stdint.h>

/* An iteration of learning, for the plot. */
typedef struct {
  size_t run; /* which start */
  double log_likelihood, gradient_sum;
} HtmlIteration;

typedef struct {
  const char *command; /* learn, infer, sample */
  const char *line;    /* the whole command, as typed */
  uint64_t seed;
  const lpmln_sources *sources; /* of the program that answered */
  const HtmlIteration *iterations;
  size_t iteration_count;
} HtmlRun;

/* The page; the caller frees.  NULL: memory is out. */
char *html_learning(const HtmlRun *, const lpmln_learning *);
char *html_inference(const HtmlRun *, const lpmln_inference *);
char *html_samples(const HtmlRun *, const lpmln_samples *);

#endif
