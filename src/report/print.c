/* print.c - see print.h. */
#include "report/print.h"

#include "base/caret.h"
#include "base/number.h"
#include "base/plain.h"
#include "report/sentence.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *sentence_of(const char *said) {
  Text text = {0};
  sentence_write(&text, said);
  return text_take(&text);
}

/* A terminal, unless its user or its kind has none: no-color.org. */
static bool has_colours(FILE *to) {
  const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return isatty(fileno(to)) && !(no && *no) && terminal && *terminal &&
         strcmp(terminal, "dumb") != 0;
}

void print_diagnostic(FILE *to, const lpmln_diagnostic *said) {
  assert(said->message);
  lpmln_diagnostic d = *said;
  char *message = sentence_of(said->message), *hint = said->hint ? sentence_of(said->hint) : NULL;
  d.message = message, d.hint = hint;
  Text text = {0};
  (has_colours(to) ? caret_write_coloured : caret_write)(&text, &d);
  fwrite(text.at, 1, text.n, to);
  vec_free(&text);
  free(message);
  free(hint);
}

void print_plain(FILE *to, const char *format, ...) {
  char *said = NULL;
  va_list arguments;
  va_start(arguments, format);
  int n = vasprintf(&said, format, arguments);
  va_end(arguments);
  if (n < 0)
    memory_fail();
  Text text = {0};
  plain_write(&text, said, (size_t)n, "\n");
  fwrite(text.at, 1, text.n, to);
  vec_free(&text);
  free(said);
}

size_t print_columns(const char *text) {
  size_t n = 0;
  for (; *text; text++)
    n += ((unsigned char)*text & 0xc0) != 0x80; /* in UTF-8 */
  return n;
}

int print_room(int width, const char *text) {
  return width + (int)(strlen(text) - print_columns(text));
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
  else if (!about->complete && about->method == LPMLN_BOUNDS)
    text_printf(
        to, "INCOMPLETE: interrupted; what follows is certain, but not as narrow as it could be\n");
  else if (!about->complete)
    text_printf(to, "INCOMPLETE: there are more than the following\n");
}

static int width_of(const lpmln_inference *answer) {
  size_t width = 0;
  for (size_t i = 0; i < answer->count; i++) {
    size_t n = print_columns(answer->marginals[i].atom);
    width = n > width ? n : width;
  }
  return width > 60 ? 60 : (int)width;
}

/* What six digits can't tell from 0 has its own. */
#define PROBABILITY(p) (number_as((p) > 0 && (p) < 5e-7 ? 'g' : 'f', 6, (p)).text)

static void print_estimate(Text *to, const lpmln_marginal *m, int width) {
  text_printf(to, "%-*s  %s", print_room(width, m->atom), m->atom, NUMBER_FIXED(m->probability, 6));
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
    text_printf(to, "each step exact\n");
  else if (answer->guarantee == LPMLN_NEAR_UNIFORM)
    text_printf(to, "each step uniform within a factor of %s\n",
                NUMBER_SHORT(1 + answer->epsilon, 3));
  else
    text_printf(to, "not proven to reach every stable model\n");
  text_printf(to, "%-*s  %8s  %8s  %7s  %6s\n", width, "%", "estimate", "error", "ESS", "R-hat");
  for (size_t i = 0; i < answer->count; i++)
    print_estimate(to, &answer->marginals[i], width);
}

/* Lower bounds are rounded down and upper ones up: they stay certain. */
static void print_bounds(Text *to, const lpmln_inference *answer) {
  int width = width_of(answer);
  text_puts(to, "% between lower and upper for certain");
  if (answer->samples)
    text_printf(to, ", estimated by %zu samples", answer->samples);
  text_printf(to, "\n%-*s  %8s  %8s  %8s  %8s\n", width, "%", "estimate", "error", "lower",
              "upper");
  for (size_t i = 0; i < answer->count; i++) {
    const lpmln_marginal *m = &answer->marginals[i];
    text_printf(to, "%-*s  %s  %8s", print_room(width, m->atom), m->atom,
                NUMBER_FIXED(m->probability, 6),
                m->error == 0 ? "exact" : NUMBER_FIXED(m->error, 6));
    text_printf(to, "  %s  %s\n", NUMBER_FIXED(floor(1e6 * m->lower) / 1e6, 6),
                NUMBER_FIXED(ceil(1e6 * m->upper) / 1e6, 6));
  }
}

static void print_expected(Text *to, double value, double error, bool sampled) {
  text_printf(to, "  %12s", NUMBER_FIXED(value, 6));
  if (sampled)
    text_printf(to, "  %9s", NUMBER_FIXED(error, 6));
}

/* Without evidence both columns are about the same distribution. */
static void print_counts(Text *to, const lpmln_inference *answer) {
  bool sampled = answer->about.method == LPMLN_MC_ASP || answer->about.method == LPMLN_BOUNDS;
  const char *error = sampled ? "      error" : "";
  if (answer->rule_count)
    text_printf(to, "\n%% violated instances, expected\n%% %9s  %12s%s  %12s%s  rule\n",
                "instances", "in all", error, "if observed", error);
  for (size_t i = 0; i < answer->rule_count; i++) {
    const lpmln_count *c = &answer->counts[i];
    text_printf(to, "%11zu", c->instances);
    print_expected(to, c->expected, c->expected_error, sampled);
    print_expected(to, c->given, c->given_error, sampled);
    text_printf(to, "  %s:%u: %s", c->file, c->line, c->rule);
    if (c->parameter)
      text_printf(to, "  [%s]", c->parameter);
    text_puts(to, "\n");
  }
}

static void print_sensitivity(Text *to, const lpmln_inference *answer) {
  if (answer->sensitivity_count)
    text_puts(to, "\n% derivative of each answer by each weight\n");
  for (size_t i = 0; i < answer->sensitivity_count; i++) {
    const lpmln_sensitivity *s = &answer->sensitivities[i];
    text_printf(to, "%10s  %s by %s\n", NUMBER_FIXED(s->derivative, 6), s->query, s->parameter);
  }
}

static void print_next(Text *to, const lpmln_inference *answer) {
  if (answer->next_count)
    text_puts(to, "\n% what observing an atom would tell, in nats\n");
  for (size_t i = 0; i < answer->next_count; i++)
    text_printf(to, "%10s  %s\n", NUMBER_FIXED(answer->next[i].information, 6),
                answer->next[i].atom);
}

void print_inference(Text *to, const lpmln_inference *answer) {
  int width = width_of(answer);
  print_incomplete(to, &answer->about);
  bool bounds = answer->about.method == LPMLN_BOUNDS;
  bool sampled = answer->about.method == LPMLN_MC_ASP;
  if (bounds)
    print_bounds(to, answer);
  if (sampled)
    print_estimates(to, answer);
  for (size_t i = 0; !bounds && !sampled && i < answer->count; i++) {
    const lpmln_marginal *m = &answer->marginals[i];
    text_printf(to, "%-*s  %s%s\n", print_room(width, m->atom), m->atom,
                answer->about.complete ? "" : "incomplete ", PROBABILITY(m->probability));
  }
  print_counts(to, answer);
  print_sensitivity(to, answer);
  print_next(to, answer);
}

void print_atoms(Text *to, const char *const *atoms, size_t count) {
  for (size_t i = 0; i < count; i++) { /* of millions of models: no printf */
    if (i)
      text_add(to, " ", 1);
    text_puts(to, atoms[i]);
  }
  text_puts(to, count ? "\n" : "(nothing is true)\n");
}

enum { MOST_VIOLATED = 10 }; /* of more, those that are nothing special are only counted */

static void print_model(Text *to, const lpmln_stable_model *model, size_t number, bool complete) {
  text_printf(to, "%zu: %sprobability %s, log weight %s\n  ", number, complete ? "" : "incomplete ",
              PROBABILITY(model->probability), NUMBER_SHORT(model->log_weight, 6));
  print_atoms(to, model->atoms, model->atom_count);
  size_t facts = 0, negative = 0;
  bool many = model->violated_count > MOST_VIOLATED;
  for (size_t i = 0; i < model->violated_count; i++) {
    const lpmln_violation *v = &model->violated[i];
    if (many && (v->fact || v->weight < 0)) {
      facts += v->fact, negative += !v->fact;
      continue;
    }
    text_printf(to, "  violates %s:%u: %s%s%s%s\n", v->file, v->line, v->rule,
                *v->instance ? "  [" : "", v->instance, *v->instance ? "]" : "");
  }
  if (facts)
    text_printf(to, "  violates %zu soft facts (--format json lists them)\n", facts);
  if (negative)
    text_printf(to, "  violates %zu instances of negative weight (--format json lists them)\n",
                negative);
}

#define SAME_WEIGHT 1e-6 /* as ties are */

/* How far the best that was seen may be from the best of all. */
static void print_missed(Text *to, const lpmln_models *answer) {
  if (answer->about.complete || !answer->count || !isfinite(answer->log_weight_upper))
    return;
  double missed = answer->log_weight_upper - answer->models[0].log_weight;
  if (missed <= SAME_WEIGHT)
    text_printf(to, "no stable model is more probable than the first one\n");
  else
    text_printf(to,
                "no stable model has a log weight above %.6g: none is more than %.3g times as "
                "probable as the first one\n",
                answer->log_weight_upper, exp(missed));
}

void print_models(Text *to, const lpmln_models *answer, bool count) {
  print_incomplete(to, &answer->about);
  for (size_t i = 0; i < answer->count; i++)
    print_model(to, &answer->models[i], i + 1, answer->about.complete);
  print_missed(to, answer);
  if (count)
    text_printf(to, "%s stable model%s%s\n", answer->total, strcmp(answer->total, "1") ? "s" : "",
                answer->about.complete ? "" : " seen so far");
}

/* As --do takes them. */
void print_decision(Text *to, const lpmln_decision *answer) {
  print_incomplete(to, &answer->about);
  text_printf(to, "expected utility %s\n", NUMBER_SHORT(answer->expected_utility, 10));
  for (size_t k = 0; k < answer->count; k++) {
    text_printf(to, "%zu: ", k + 1);
    for (size_t i = 0; i < answer->atom_count; i++)
      text_printf(to, "%s%s%s", i ? ", " : "", answer->values[k][i] ? "" : "not ",
                  answer->atoms[i]);
    text_puts(to, "\n");
  }
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
