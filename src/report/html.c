/* html.c - pages from their parts; see html.h. */
#include "report/html.h"

#include "base/number.h"
#include "report/html_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- the frame ------------------------------------------------------------------------ */

enum { MOST_NAMED = 4 };

/* The programs' names without their folders, each once. */
static void write_title(Text *to, const HtmlRun *run) {
  Names seen = {0};
  for (size_t i = 0; i < run->sources->text_count && seen.list.n < MOST_NAMED; i++) {
    const lpmln_text *text = &run->sources->texts[i];
    size_t before = seen.list.n;
    if (text->role != LPMLN_PROGRAM || names_add(&seen, text->name, strlen(text->name)) != before)
      continue;
    const char *slash = strrchr(text->name, '/');
    text_puts(to, before ? ", " : "");
    html_escape(to, strcmp(text->name, "<stdin>") ? (slash ? slash + 1 : text->name)
                                                  : "standard input");
  }
  if (!seen.list.n)
    text_puts(to, "lpmln");
  if (!strcmp(run->command, "compare"))
    text_puts(to, " and others");
  names_free(&seen);
}

/* No script but ours, no picture, no connection: the browser itself sees to it. */
static void open_page(Text *to, const HtmlRun *run) {
  text_printf(to,
              "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
              "style-src 'unsafe-inline'; script-src '%s'\">\n"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
              html_script_hash);
  write_title(to, run);
  text_printf(to, " – lpmln %s</title>\n", run->command);
  html_style(to);
  text_printf(to, "</head><body>\n<header><div><p class=\"kicker\">lpmln %s · %s</p><h1>",
              lpmln_version(), run->command);
  write_title(to, run);
  text_puts(to, "</h1>");
}

/* What was run, under what it is about: the end of the head's left side. */
static void close_title(Text *to, const HtmlRun *run) {
  text_puts(to, "<p class=\"typed\"><code>");
  html_escape(to, run->line);
  text_puts(to, "</code></p></div>\n<dl>");
}

static void close_head(Text *to, const HtmlRun *run, const lpmln_answer *about) {
  if (strcmp(run->command, "check")) { /* it has advice about that */
    html_fact(to, "engine");
    text_puts(to, lpmln_method_name(about->method));
    text_puts(to, about->exact ? "" : ", approximate");
    html_fact_end(to);
  }
  html_fact(to, "seed");
  text_printf(to, "<data data-of=\"seed\" value=\"%llu\">%llu</data>",
              (unsigned long long)run->seed, (unsigned long long)run->seed);
  html_fact_end(to);
  text_puts(to, "</dl></header>\n<main>\n<div>\n");
}

static void next_column(Text *to) { text_puts(to, "</div><div>\n"); }

/* A page is made under a memory guard: it is whole, or NULL. */
typedef void (*Writer)(Text *, const HtmlRun *, const void *answer);

static char *write_page(Writer write, const HtmlRun *run, const void *answer) {
  Text text = {0};
  open_page(&text, run);
  write(&text, run, answer);
  text_puts(&text, "</div></main>\n");
  html_script(&text);
  text_puts(&text, "</body></html>\n");
  return text_take(&text);
}

static char *make_page(Writer write, const HtmlRun *run, const void *answer) {
  MemoryGuard guard;
  assert(run->command && run->line && run->sources);
  assert(((const lpmln_answer *)answer)->method != LPMLN_AUTO);
  char *page = memory_guard(&guard) ? NULL : write_page(write, run, answer);
  memory_unguard(&guard);
  return page;
}

static void write_log(Text *to, const char *title, const char *of, double value) {
  if (!isfinite(value))
    return; /* not known */
  html_fact(to, title);
  html_number(to, of, NULL, value, 4);
  html_fact_end(to);
}

/* ---- learn ------------------------------------------------------------------------------ */

/* The atom that a weight is about: its name, or the fact that it is the weight of. */
static HtmlValue value_of(const lpmln_learning *a, const lpmln_learned *w) {
  HtmlValue v = {.text = w->parameter,
                 .length = strlen(w->parameter),
                 .value = html_chance(w),
                 .low = NAN,
                 .high = NAN};
  HtmlAtom atom;
  if ((!html_atom(v.text, v.length, &atom) || !atom.arity) && w->rule_count == 1)
    html_bare_rule(w->rules[0].text, &v.text, &v.length);
  v.open = !w->identified;
  if (!w->identified && w->group < a->group_count && isfinite(a->groups[w->group].at_least_one))
    v.free = true, v.low = 0, v.high = a->groups[w->group].at_least_one;
  return v;
}

static void write_lead(Text *to, const HtmlRun *run, const lpmln_learning *a) {
  text_printf(to,
              "<p class=\"lead\">%zu weight%s learned from <data data-of=\"observations\" "
              "value=\"%s\">%s"
              "</data> observation%s: the most likely values, and how sure they are.</p>",
              a->weight_count, a->weight_count == 1 ? "" : "s", NUMBER_SHORT(a->observations, 17),
              NUMBER_SHORT(a->observations, 15), a->observations == 1 ? "" : "s");
  close_title(to, run);
  write_log(to, "log-likelihood", "log_likelihood", a->log_likelihood);
  if (a->about.method == LPMLN_MC_ASP && isfinite(a->gradient)) {
    html_fact(to, "largest derivative");
    html_number(to, "gradient", NULL, a->gradient, 3);
    text_puts(to, " ± ");
    html_number(to, "gradient_error", NULL, a->gradient_error, 3);
    html_fact_end(to);
  }
  if (a->about.method != LPMLN_CLOSED_FORM) {
    html_fact(to, "search");
    text_printf(to, "%s, %s", lpmln_optimizer_name(a->optimizer),
                a->converged ? "converged" : "not converged");
    html_fact_end(to);
  }
  close_head(to, run, &a->about);
}

static void write_learning(Text *to, const HtmlRun *run, const void *answer) {
  const lpmln_learning *a = answer;
  HtmlValues values = {0};
  for (size_t i = 0; i < a->weight_count; i++)
    if (isfinite(html_chance(&a->weights[i])))
      vec_push(&values, value_of(a, &a->weights[i]));
  write_lead(to, run, a);
  html_findings(to, a);
  html_graph(to, run, &values);
  html_messages(to, &a->about);
  next_column(to);
  html_weights(to, run, a);
  html_balances(to, run, a);
  html_convergence(to, run, a);
  html_fit(to, a);
  html_calibration(to, run);
  html_correlations(to, a);
  next_column(to);
  html_program(to, run, a);
  html_data(to, run);
  vec_free(&values);
}

char *html_learning(const HtmlRun *run, const lpmln_learning *a) {
  return make_page(write_learning, run, a);
}

/* ---- infer ------------------------------------------------------------------------------- */

static void write_inference(Text *to, const HtmlRun *run, const void *answer) {
  const lpmln_inference *a = answer;
  HtmlValues values = {0};
  for (size_t i = 0; i < a->count; i++)
    vec_push(&values, (HtmlValue){.text = a->marginals[i].atom,
                                  .length = strlen(a->marginals[i].atom),
                                  .value = a->marginals[i].probability,
                                  .low = NAN,
                                  .high = NAN});
  text_printf(to, "<p class=\"lead\">Probabilities of %zu atom%s%s.</p>", a->count,
              a->count == 1 ? "" : "s", a->log_evidence < 0 ? ", given the evidence" : "");
  close_title(to, run);
  bool complete = a->about.complete || a->samples;
  write_log(to, "ln P(evidence)", "log_evidence", complete ? a->log_evidence : NAN);
  write_log(to, "ln of the sum of weights", "log_partition", complete ? a->log_partition : NAN);
  close_head(to, run, &a->about);
  html_marginals(to, run, a);
  html_questions(to, a);
  next_column(to);
  html_chains(to, a);
  html_graph(to, run, &values);
  html_messages(to, &a->about);
  html_data(to, run);
  next_column(to);
  html_program(to, run, NULL);
  vec_free(&values);
}

char *html_inference(const HtmlRun *run, const lpmln_inference *a) {
  return make_page(write_inference, run, a);
}

/* ---- sample -------------------------------------------------------------------------------- */

static void write_samples(Text *to, const HtmlRun *run, const void *answer) {
  const lpmln_samples *a = answer;
  HtmlValues shares = {0};
  Names always = {0};
  html_always(run, &always);
  html_frequencies(a, &always, &shares);
  text_printf(to,
              "<p class=\"lead\"><data data-of=\"count\" value=\"%zu\">%zu</data> random stable "
              "model%s%s. ",
              a->count, a->count, a->count == 1 ? "" : "s",
              a->uniform ? ", each as likely as any other" : "");
  html_guarantee(to, a->guarantee, a->epsilon, a->doubt);
  text_puts(to, "</p>");
  close_title(to, run);
  close_head(to, run, &a->about);
  html_drawn(to, a, &shares);
  next_column(to);
  html_graph(to, run, &shares);
  html_sample_list(to, a, &always);
  html_messages(to, &a->about);
  next_column(to);
  html_program(to, run, NULL);
  html_data(to, run);
  vec_free(&shares);
  names_free(&always);
}

char *html_samples(const HtmlRun *run, const lpmln_samples *a) {
  return make_page(write_samples, run, a);
}

/* ---- map, models ------------------------------------------------------------------------- */

static void write_models(Text *to, const HtmlRun *run, const void *answer) {
  const lpmln_models *a = answer;
  bool best = !strcmp(run->command, "map");
  Names always = {0};
  HtmlValues values = {0};
  html_always(run, &always);
  if (best && a->count)
    html_true_atoms(&a->models[0], &values);
  if (best)
    text_printf(to, "<p class=\"lead\">The most probable stable model%s.</p>",
                a->count == 1 ? "" : "s, which are equally probable");
  else
    text_printf(to, "<p class=\"lead\">%zu of %s stable model%s, the most probable first.</p>",
                a->count, a->total, strcmp(a->total, "1") ? "s" : "");
  close_title(to, run);
  close_head(to, run, &a->about);
  html_model_list(to, a, &always);
  next_column(to);
  html_graph(to, run, &values);
  html_messages(to, &a->about);
  html_data(to, run);
  next_column(to);
  html_program(to, run, NULL);
  vec_free(&values);
  names_free(&always);
}

char *html_models(const HtmlRun *run, const lpmln_models *a) {
  return make_page(write_models, run, a);
}

/* ---- check ------------------------------------------------------------------------------- */

static void write_analysis(Text *to, const HtmlRun *run, const void *answer) {
  const lpmln_analysis *a = answer;
  HtmlValues none = {0};
  text_puts(to, "<p class=\"lead\">What the program is, and which engine fits.</p>");
  close_title(to, run);
  close_head(to, run, &a->about);
  html_analysis_facts(to, a);
  next_column(to);
  html_advice(to, a->advice, a->advice_count);
  html_messages(to, &a->about);
  html_graph(to, run, &none);
  html_data(to, run);
  next_column(to);
  html_program(to, run, NULL);
}

char *html_analysis(const HtmlRun *run, const lpmln_analysis *a) {
  return make_page(write_analysis, run, a);
}

/* ---- why, compare, decide ---------------------------------------------------------------- */

/* The right columns of a page about one program. */
static void close_page(Text *to, const HtmlRun *run, const lpmln_answer *about) {
  html_messages(to, about);
  html_data(to, run);
  next_column(to);
  html_program(to, run, NULL);
}

static void write_explanation(Text *to, const HtmlRun *run, const void *answer) {
  const lpmln_explanation *a = answer;
  text_puts(to, "<p class=\"lead\">Why <code>");
  html_name(to, a->query);
  text_puts(to, "</code> has this probability.</p>");
  close_title(to, run);
  html_fact(to, "probability");
  html_probability(to, "probability", NULL, a->probability);
  html_fact_end(to);
  close_head(to, run, &a->about);
  html_proofs(to, a);
  next_column(to);
  html_pieces(to, a);
  html_changes(to, a);
  close_page(to, run, &a->about);
}

char *html_explanation(const HtmlRun *run, const lpmln_explanation *a) {
  return make_page(write_explanation, run, a);
}

static void write_comparison(Text *to, const HtmlRun *run, const void *answer) {
  const lpmln_comparison *a = answer;
  text_printf(to,
              "<p class=\"lead\">%zu programs, learned from <data data-of=\"observations\" "
              "value=\"%s\">%s</data> observation%s.</p>",
              a->count, NUMBER_SHORT(a->observations, 17), NUMBER_SHORT(a->observations, 15),
              a->observations == 1 ? "" : "s");
  close_title(to, run);
  close_head(to, run, &a->about);
  html_compared(to, a);
  next_column(to);
  html_ratio_tests(to, a);
  html_messages(to, &a->about);
  next_column(to);
  html_data(to, run);
}

char *html_comparison(const HtmlRun *run, const lpmln_comparison *a) {
  return make_page(write_comparison, run, a);
}

static void write_decision(Text *to, const HtmlRun *run, const void *answer) {
  const lpmln_decision *a = answer;
  text_puts(to, "<p class=\"lead\">The decisions of the highest expected utility.</p>");
  close_title(to, run);
  write_log(to, "expected utility", "expected_utility", a->expected_utility);
  close_head(to, run, &a->about);
  html_decisions(to, a);
  next_column(to);
  close_page(to, run, &a->about);
}

char *html_decision(const HtmlRun *run, const lpmln_decision *a) {
  return make_page(write_decision, run, a);
}
