/* print.c - see print.h. */
#include "report/print.h"

#include "base/caret.h"
#include "base/number.h"
#include "report/sentence.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *sentence_of(const char *said) {
  Text text = {0};
  sentence_write(&text, said);
  return text_take(&text);
}

void print_diagnostic(FILE *to, const lpmln_diagnostic *said) {
  assert(said->message);
  lpmln_diagnostic d = *said;
  char *message = sentence_of(said->message), *hint = said->hint ? sentence_of(said->hint) : NULL;
  d.message = message, d.hint = hint;
  Text text = {0};
  caret_write(&text, &d);
  fwrite(text.at, 1, text.n, to);
  vec_free(&text);
  free(message);
  free(hint);
}

/* ---- answers ---------------------------------------------------------------------- */

void print_advice(Text *to, const char *const *advice, size_t count) {
  assert(advice || !count);
  for (size_t i = 0; i < count; i++) {
    text_puts(to, "* ");
    sentence_write(to, advice[i]);
    text_puts(to, "\n");
  }
}

static void print_incomplete(Text *to, const lpmln_answer *about) {
  if (!about->complete && about->method == LPMLN_ENUMERATE)
    text_printf(to,
                "INCOMPLETE: only %s stable models were seen; what follows is about these alone\n",
                about->models_seen);
  else if (!about->complete && about->method == LPMLN_MC_ASP)
    text_printf(to, "INCOMPLETE: cut short; what follows is from fewer samples than asked for\n");
  else if (!about->complete)
    text_printf(to, "INCOMPLETE: there are more than the following\n");
}

static int width_of(const lpmln_inference *answer) {
  size_t width = 0;
  for (size_t i = 0; i < answer->count; i++) {
    size_t n = strlen(answer->marginals[i].atom);
    width = n > width ? n : width;
  }
  return width > 60 ? 60 : (int)width;
}

static void print_estimate(Text *to, const lpmln_marginal *m, int width) {
  text_printf(to, "%-*s  %s", width, m->atom, NUMBER_FIXED(m->probability, 6));
  if (m->error == 0)
    text_printf(to, "  %8s\n", "exact");
  else if (isnan(m->ess))
    text_printf(to, "  %8s  %7s  %6s\n", NUMBER_FIXED(m->error, 6), "-", "-");
  else
    text_printf(to, "  %8s  %7s  %6s\n", NUMBER_FIXED(m->error, 6), NUMBER_FIXED(m->ess, 0),
                NUMBER_FIXED(m->rhat, 4));
}

static void print_estimates(Text *to, const lpmln_inference *answer) {
  int width = width_of(answer);
  text_printf(to, "%% %zu samples of Markov chains, ", answer->samples);
  if (answer->guarantee == LPMLN_EXACTLY)
    text_printf(to, "each step exactly uniform\n");
  else if (answer->guarantee == LPMLN_NEAR_UNIFORM)
    text_printf(to, "each step uniform within a factor of %s\n",
                NUMBER_SHORT(1 + answer->epsilon, 3));
  else
    text_printf(to, "heuristic: steps change some atoms at a time\n");
  text_printf(to, "%-*s  %8s  %8s  %7s  %6s\n", width, "%", "estimate", "error", "ESS", "R-hat");
  for (size_t i = 0; i < answer->count; i++)
    print_estimate(to, &answer->marginals[i], width);
}

void print_inference(Text *to, const lpmln_inference *answer) {
  int width = width_of(answer);
  print_incomplete(to, &answer->about);
  if (answer->about.method == LPMLN_MC_ASP) {
    print_estimates(to, answer);
    return;
  }
  for (size_t i = 0; i < answer->count; i++) {
    const lpmln_marginal *m = &answer->marginals[i];
    text_printf(to, "%-*s  %s%s\n", width, m->atom, answer->about.complete ? "" : "incomplete ",
                NUMBER_FIXED(m->probability, 6));
  }
}

static void print_atoms(Text *to, const char *const *atoms, size_t count) {
  for (size_t i = 0; i < count; i++)
    text_printf(to, "%s%s", i ? " " : "", atoms[i]);
  text_printf(to, "%s\n", count ? "" : "(nothing is true)");
}

static void print_model(Text *to, const lpmln_stable_model *model, size_t number, bool complete) {
  text_printf(to, "%zu: %sprobability %s, log weight %s\n  ", number, complete ? "" : "incomplete ",
              NUMBER_FIXED(model->probability, 6), NUMBER_SHORT(model->log_weight, 6));
  print_atoms(to, model->atoms, model->atom_count);
  for (size_t i = 0; i < model->violated_count; i++) {
    const lpmln_violation *v = &model->violated[i];
    text_printf(to, "  violates %s:%u: %s%s%s%s\n", v->file, v->line, v->rule,
                *v->instance ? "  [" : "", v->instance, *v->instance ? "]" : "");
  }
}

void print_models(Text *to, const lpmln_models *answer, bool count) {
  print_incomplete(to, &answer->about);
  for (size_t i = 0; i < answer->count; i++)
    print_model(to, &answer->models[i], i + 1, answer->about.complete);
  if (count)
    text_printf(to, "%s stable model%s%s\n", answer->total, strcmp(answer->total, "1") ? "s" : "",
                answer->about.complete ? "" : " seen so far");
}

void print_samples(Text *to, const lpmln_samples *answer) {
  print_incomplete(to, &answer->about);
  for (size_t i = 0; i < answer->count; i++)
    print_atoms(to, answer->samples[i].atoms, answer->samples[i].atom_count);
}

/* What is not known is not denied. */
static void print_denied(Text *to, const char *what, const char *reason) {
  text_printf(to, "%-18s %s%s\n", what, strncmp(reason, "not known", 9) ? "no: " : "", reason);
}

void print_analysis(Text *to, const lpmln_analysis *a) {
  text_printf(to, "rules              %zu, of them soft %zu\n", a->rules, a->soft_rules);
  text_printf(to, "parameters         %zu\n", a->parameters);
  text_printf(to, "ground atoms       %zu, of them open %zu\n", a->atoms, a->open_atoms);
  text_printf(to, "ground rules       %zu, of them soft instances %zu\n", a->ground_rules,
              a->soft_instances);
  text_printf(to, "positive loops     %zu%s%s%s\n", a->loops,
              a->tight ? " (tight)" : " (not tight): ",
              a->tight        ? ""
              : a->loops == 1 ? "through "
                              : "one through ",
              a->tight ? "" : a->loop);
  text_printf(to, "head cycles        %s\n", a->head_cycle_free ? "none" : "yes");
  text_printf(to, "components         %zu, different ones %zu, the largest has %zu atom%s\n",
              a->components, a->distinct_components, a->largest_component,
              a->largest_component == 1 ? "" : "s");
  if (a->simple)
    text_printf(to, "simple             yes\n");
  else
    print_denied(to, "simple", a->simple_reason);
  if (a->coherent)
    text_printf(to, "coherent           %s-coherent\n", a->coherent);
  else
    print_denied(to, "coherent", a->coherence_reason);
  text_printf(to, "hard rules         %s\n", a->hard_inconsistent ? "inconsistent" : "consistent");
  if (a->observations)
    text_printf(to, "observations       %zu\n", a->observations);
  print_advice(to, a->advice, a->advice_count);
}
