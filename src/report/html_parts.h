/* html_parts.h - the parts of a page, one file each; see html.h. */
#ifndef REPORT_HTML_PARTS_H
#define REPORT_HTML_PARTS_H

#include "base/memory.h"
#include "base/names.h"
#include "lpmln/lpmln.h"
#include "report/html.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- html_write.c: text and numbers ---------------------------------------------- */

/* The only way for anything of the user's into the page. */
void html_escape(Text *, const char *text);
void html_escape_part(Text *, const char *text, size_t length);

/* The same for an atom, a parameter or a rule, which may break after commas and brackets. */
void html_name(Text *, const char *text);
void html_name_part(Text *, const char *text, size_t length);

/* A number with `digits` after the point, for people; a minus sign is a minus sign. */
void html_plain(Text *, double, int digits);

/* The same as a <data> element: `of` names the field of the JSON answer, `name` the
** atom or parameter (NULL: none). */
void html_number(Text *, const char *of, const char *name, double, int digits);

/* A learned weight; one that diverges shows where to. */
void html_weight(Text *, const lpmln_learned *, int digits);

/* A probability, with as many digits as it needs. */
void html_probability(Text *, const char *of, const char *name, double);
void html_plain_probability(Text *, double); /* one that is not in the answer; NAN: none */

/* A sentence of the library; options are spoken of as on the command line. */
void html_sentence(Text *, const char *);

void html_section(Text *, const char *id, const char *title); /* close with </section> */

/* An entry of the list of facts in the page's head; close with html_fact_end. */
void html_fact(Text *, const char *name);
void html_fact_end(Text *);

double html_logistic(double weight);

/* How probable a fact is: as its language has it, or in the learned program; NAN: no fact. */
double html_chance(const lpmln_learned *);
void html_write_chance(Text *, const lpmln_learned *);

/* Does its weight alone decide that? */
bool html_independent(const lpmln_learned *);

/* The 95% interval of such a probability; false: there is none. */
bool html_interval(const lpmln_learned *, double *low, double *high);

/* ---- html_atom.c: atoms as text ---------------------------------------------------- */

enum { HTML_ARGUMENTS = 8 };

typedef struct {
  const char *name; /* of the predicate */
  size_t length;
  size_t arity;
  const char *argument[HTML_ARGUMENTS];
  size_t size[HTML_ARGUMENTS]; /* of an argument in bytes, blanks trimmed */
} HtmlAtom;

/* False for what is no atom of at most HTML_ARGUMENTS arguments. */
bool html_atom(const char *text, size_t length, HtmlAtom *);

/* A rule's text without its weight and the closing point. */
void html_bare_rule(const char *text, const char **start, size_t *length);

/* ---- values to show ------------------------------------------------------------------- */

/* Something with a probability, and how sure one can be of it. */
typedef struct {
  const char *text; /* an atom */
  size_t length;
  double value;     /* its probability */
  double low, high; /* where it may be; NAN: not known, or exact */
  bool free;        /* anywhere between low and high is as likely */
  bool open;        /* the data does not determine it alone */
} HtmlValue;

typedef VEC(HtmlValue) HtmlValues;

/* ---- html_bars.c: tables with a bar in each row --------------------------------------- */

typedef struct {
  double value;
  double low, high; /* a line on it; NAN: none */
  double before;    /* a mark; NAN: none */
} HtmlBar;

/* `list`: rows begin with an atom, so that they can be sorted and grouped; else with something
** longer, which gets a line of its own. */
void html_bars_open(Text *, const char *first, const char *const *columns, size_t count, bool list);
void html_bar(Text *, const HtmlBar *); /* a cell */
void html_bars_close(Text *, size_t count, size_t shown);

/* Where a share of `worth` samples is with 95% confidence, by Wilson's formula. */
void html_confine(double share, double worth, double *low, double *high);

/* ---- html_graph.c, html_layout.c: pictures of binary relations ------------------------ */

/* Draws a relation that is certain or, if there is none, a probable one; its nodes are
** coloured by a predicate among the values that has one atom a node.  Nothing is
** written if there is no such relation. */
void html_graph(Text *, const HtmlRun *, const HtmlValues *);

typedef struct {
  uint32_t from, to;
  double value; /* 0 to 1, or NAN: certain */
} HtmlEdge;

typedef struct {
  double x, y; /* within 0 to 1 */
} HtmlPoint;

/* Layers from left to right if there is no cycle, else by distances in the graph. */
void html_layout(uint32_t nodes, const HtmlEdge *, size_t count, HtmlPoint *);

/* ---- the others -------------------------------------------------------------------------- */

/* html_chains.c: how far samples can be trusted */
void html_guarantee(Text *, lpmln_guarantee, double epsilon, double doubt);
void html_chains(Text *, const lpmln_inference *);

void html_marginals(Text *, const HtmlRun *, const lpmln_inference *); /* html_marginals.c */
/* html_questions.c */
void html_questions(Text *, const lpmln_inference *);
void html_balances(Text *, const HtmlRun *, const lpmln_learning *); /* if asked for */

/* html_samples.c; atoms that hold always are left out */
void html_always(const HtmlRun *, Names *);
void html_left_out(Text *, const Names *always);
void html_atoms(Text *, const char *const *atoms, size_t count, const Names *always);
void html_frequencies(const lpmln_samples *, const Names *always, HtmlValues *);
void html_drawn(Text *, const lpmln_samples *, const HtmlValues *shares);
void html_sample_list(Text *, const lpmln_samples *, const Names *always);

/* html_models.c */
void html_model_list(Text *, const lpmln_models *, const Names *always);
void html_true_atoms(const lpmln_stable_model *, HtmlValues *);

/* html_why.c */
void html_proofs(Text *, const lpmln_explanation *);
void html_pieces(Text *, const lpmln_explanation *);
void html_changes(Text *, const lpmln_explanation *);

/* html_compare.c */
void html_compared(Text *, const lpmln_comparison *);
void html_ratio_tests(Text *, const lpmln_comparison *);
void html_decisions(Text *, const lpmln_decision *);

/* html_analysis.c */
void html_analysis_facts(Text *, const lpmln_analysis *);
void html_advice(Text *, const char *const *advice, size_t count);

/* html_fit.c: data held out; correlations of the estimates */
void html_calibration(Text *, const HtmlRun *); /* html_calibration.c */
void html_fit(Text *, const lpmln_learning *);
void html_correlations(Text *, const lpmln_learning *);

/* html_script.c, and the hash by which the browser knows it */
void html_script(Text *);
extern const char html_script_hash[];

void html_style(Text *);                                                /* html_style.c */
void html_findings(Text *, const lpmln_learning *);                     /* html_findings.c */
void html_weights(Text *, const HtmlRun *, const lpmln_learning *);     /* html_weights.c */
void html_convergence(Text *, const HtmlRun *, const lpmln_learning *); /* html_plot.c */
/* html_program.c; the learned weights stand in the margin, if there are any. */
void html_program(Text *, const HtmlRun *, const lpmln_learning *);
void html_data(Text *, const HtmlRun *);
void html_messages(Text *, const lpmln_answer *);

#endif
