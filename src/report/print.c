/* print.c - see print.h. */
#include "report/print.h"

#include <math.h>
#include <string.h>

/* ---- diagnostics ---------------------------------------------------------------- */

/* Text of the user's: nothing in it may command the terminal. */
static void print_clean(FILE *to, const char *text, size_t length) {
  for (size_t i = 0; i < length && text[i]; i++) {
    unsigned char c = (unsigned char)text[i];
    fputc(c == 127 || (c < 32 && c != '\t') ? '?' : c, to);
  }
}

/* The caret's line: tabs stay tabs, a UTF-8 character is one column. */
static void print_caret(FILE *to, const lpmln_diagnostic *d) {
  const char *s = d->source;
  for (unsigned i = 0; i + 1 < d->column && s[i]; i++)
    if (((unsigned char)s[i] & 0xc0) != 0x80)
      fputc(s[i] == '\t' ? '\t' : ' ', to);
  fputc('^', to);
  for (unsigned i = d->column; i + 1 < d->column + d->length && s[i - 1]; i++)
    if (((unsigned char)s[i] & 0xc0) != 0x80)
      fputc('~', to);
  fputc('\n', to);
}

/* Long lines are cut around the place. */
static void print_source(FILE *to, lpmln_diagnostic d) {
  enum { WIDTH = 160, BEFORE = 60 };
  size_t n = strlen(d.source);
  if (d.column > WIDTH - BEFORE) {
    unsigned skip = d.column - BEFORE;
    while (skip && ((unsigned char)d.source[skip] & 0xc0) == 0x80)
      skip--;
    d.source += skip, d.column -= skip, n -= skip;
  }
  int shown = n > WIDTH ? WIDTH : (int)n;
  if (d.column + d.length > WIDTH)
    d.length = d.column < WIDTH ? WIDTH - d.column : 1;
  while (shown > 0 && ((unsigned char)d.source[shown] & 0xc0) == 0x80)
    shown--; /* not inside of a character */
  fputs("    ", to);
  print_clean(to, d.source, (size_t)shown);
  fputs("\n    ", to);
  print_caret(to, &d);
}

void print_diagnostic(FILE *to, const lpmln_diagnostic *d) {
  static const char *const severity[] = {"note", "warning", "error"};
  if (d->file)
    fprintf(to, "%s:%u:%u: ", d->file, d->line, d->column);
  else
    fprintf(to, "lpmln: ");
  fprintf(to, "%s: ", severity[d->severity]);
  print_clean(to, d->message, strlen(d->message));
  fputc('\n', to);
  if (d->source && *d->source)
    print_source(to, *d);
  if (d->hint)
    fprintf(to, "    hint: %s\n", d->hint);
}

/* ---- answers ---------------------------------------------------------------------- */

static void print_incomplete(FILE *to, const lpmln_answer *about) {
  if (!about->complete && about->method == LPMLN_ENUMERATE)
    fprintf(to, "INCOMPLETE: only %s stable models were seen; what follows is about these alone\n",
            about->models_seen);
  else if (!about->complete && about->method == LPMLN_MC_ASP)
    fprintf(to, "INCOMPLETE: cut short; what follows is from fewer samples than asked for\n");
  else if (!about->complete)
    fprintf(to, "INCOMPLETE: there are more than the following\n");
}

static int width_of(const lpmln_inference *answer) {
  size_t width = 0;
  for (size_t i = 0; i < answer->count; i++) {
    size_t n = strlen(answer->marginals[i].atom);
    width = n > width ? n : width;
  }
  return width > 60 ? 60 : (int)width;
}

static void print_estimate(FILE *to, const lpmln_marginal *m, int width) {
  fprintf(to, "%-*s  %.6f", width, m->atom, m->probability);
  if (m->error == 0)
    fprintf(to, "  %8s\n", "exact");
  else if (isnan(m->ess))
    fprintf(to, "  %8.6f  %7s  %6s\n", m->error, "-", "-");
  else
    fprintf(to, "  %8.6f  %7.0f  %6.4f\n", m->error, m->ess, m->rhat);
}

static void print_estimates(FILE *to, const lpmln_inference *answer) {
  int width = width_of(answer);
  fprintf(to, "%% %zu samples of Markov chains, ", answer->samples);
  if (answer->guarantee == LPMLN_EXACTLY)
    fprintf(to, "each step exactly uniform\n");
  else if (answer->guarantee == LPMLN_NEAR_UNIFORM)
    fprintf(to, "each step uniform within a factor of %.3g\n", 1 + answer->epsilon);
  else
    fprintf(to, "heuristic: steps change some atoms at a time\n");
  fprintf(to, "%-*s  %8s  %8s  %7s  %6s\n", width, "%", "estimate", "error", "ESS", "R-hat");
  for (size_t i = 0; i < answer->count; i++)
    print_estimate(to, &answer->marginals[i], width);
}

void print_inference(FILE *to, const lpmln_inference *answer) {
  int width = width_of(answer);
  print_incomplete(to, &answer->about);
  if (answer->about.method == LPMLN_MC_ASP) {
    print_estimates(to, answer);
    return;
  }
  for (size_t i = 0; i < answer->count; i++) {
    const lpmln_marginal *m = &answer->marginals[i];
    fprintf(to, "%-*s  %s%.6f\n", width, m->atom, answer->about.complete ? "" : "incomplete ",
            m->probability);
  }
}

static void print_atoms(FILE *to, const char *const *atoms, size_t count) {
  for (size_t i = 0; i < count; i++)
    fprintf(to, "%s%s", i ? " " : "", atoms[i]);
  fprintf(to, "%s\n", count ? "" : "(nothing is true)");
}

static void print_model(FILE *to, const lpmln_model *model, size_t number, bool complete) {
  fprintf(to, "%zu: %sprobability %.6f, log weight %.6g\n  ", number, complete ? "" : "incomplete ",
          model->probability, model->log_weight);
  print_atoms(to, model->atoms, model->atom_count);
  for (size_t i = 0; i < model->violated_count; i++) {
    const lpmln_violation *v = &model->violated[i];
    fprintf(to, "  violates %s:%u: %s%s%s%s\n", v->file, v->line, v->rule,
            *v->instance ? "  [" : "", v->instance, *v->instance ? "]" : "");
  }
}

void print_models(FILE *to, const lpmln_models *answer, bool count) {
  print_incomplete(to, &answer->about);
  for (size_t i = 0; i < answer->count; i++)
    print_model(to, &answer->models[i], i + 1, answer->about.complete);
  if (count)
    fprintf(to, "%s stable model%s%s\n", answer->total, strcmp(answer->total, "1") ? "s" : "",
            answer->about.complete ? "" : " seen so far");
}

void print_samples(FILE *to, const lpmln_samples *answer) {
  print_incomplete(to, &answer->about);
  for (size_t i = 0; i < answer->count; i++)
    print_atoms(to, answer->samples[i].atoms, answer->samples[i].atom_count);
}

/* What is not known is not denied. */
static void print_denied(FILE *to, const char *what, const char *reason) {
  fprintf(to, "%-18s %s%s\n", what, strncmp(reason, "not known", 9) ? "no: " : "", reason);
}

void print_analysis(FILE *to, const lpmln_analysis *a) {
  fprintf(to, "rules              %zu, of them soft %zu\n", a->rules, a->soft_rules);
  fprintf(to, "parameters         %zu\n", a->parameters);
  fprintf(to, "ground atoms       %zu, of them open %zu\n", a->atoms, a->open_atoms);
  fprintf(to, "ground rules       %zu, of them soft instances %zu\n", a->ground_rules,
          a->soft_instances);
  fprintf(to, "positive loops     %zu%s%s%s\n", a->loops, a->tight ? " (tight)" : " (not tight): ",
          a->tight        ? ""
          : a->loops == 1 ? "through "
                          : "one through ",
          a->tight ? "" : a->loop);
  fprintf(to, "head cycles        %s\n", a->head_cycle_free ? "none" : "yes");
  fprintf(to, "components         %zu, different ones %zu, the largest has %zu atom%s\n",
          a->components, a->distinct_components, a->largest_component,
          a->largest_component == 1 ? "" : "s");
  if (a->simple)
    fprintf(to, "simple             yes\n");
  else
    print_denied(to, "simple", a->simple_reason);
  if (a->coherent)
    fprintf(to, "coherent           %s-coherent\n", a->coherent);
  else
    print_denied(to, "coherent", a->coherence_reason);
  fprintf(to, "hard rules         %s\n", a->hard_inconsistent ? "inconsistent" : "consistent");
  if (a->observations)
    fprintf(to, "observations       %zu\n", a->observations);
  for (size_t i = 0; i < a->advice_count; i++)
    fprintf(to, "* %s\n", a->advice[i]);
}
