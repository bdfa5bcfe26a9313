/* html_samples.c - what was drawn: how often each atom was true, and the samples themselves. */
#include "report/html_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 2000, MOST_SAMPLES = 50 };

void html_always(const HtmlRun *run, Names *to) {
  const lpmln_sources *all = run->sources;
  assert(all->certain || !all->certain_count);
  for (size_t i = 0; i < all->certain_count; i++)
    names_add(to, all->certain[i], strlen(all->certain[i]));
}

static bool is_always(const Names *always, const char *atom) {
  return names_find(always, atom, strlen(atom)) != UINT32_MAX;
}

static bool has_atom(const lpmln_sample *sample, const char *atom) {
  for (size_t k = 0; k < sample->atom_count; k++)
    if (!strcmp(sample->atoms[k], atom))
      return true;
  return false;
}

static int by_atom(const void *a, const void *b) {
  return strverscmp(((const HtmlValue *)a)->text, ((const HtmlValue *)b)->text);
}

void html_frequencies(const lpmln_samples *a, const Names *always, HtmlValues *to) {
  Names atoms = {0};
  assert(!to->n); /* values and names have the same numbers */
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < a->samples[i].atom_count; k++) {
      const char *atom = a->samples[i].atoms[k];
      if (is_always(always, atom))
        continue;
      size_t n = strlen(atom);
      uint32_t which = names_add(&atoms, atom, n);
      assert(which <= to->n);
      if (which == to->n)
        vec_push(to, (HtmlValue){.text = atom, .length = n, .low = NAN, .high = NAN});
      to->at[which].value += 1;
    }
  for (size_t i = 0; i < to->n; i++)
    to->at[i].value /= (double)a->count;
  if (to->n)
    qsort(to->at, to->n, sizeof *to->at, by_atom);
  names_free(&atoms);
}

/* Of how many independent samples those of a chain are worth for an atom: the variance of the
** means of batches tells. */
static double worth_of(const lpmln_samples *a, const char *atom, double p) {
  size_t batch = (size_t)sqrt((double)a->count), batches = a->count / (batch ? batch : 1);
  double variance = 0;
  if (a->about.method != LPMLN_MC_ASP || a->uniform || batches < 4 || !(p > 0 && p < 1))
    return (double)a->count;
  for (size_t b = 0; b < batches; b++) {
    double mean = 0;
    for (size_t i = b * batch; i < (b + 1) * batch; i++)
      mean += has_atom(&a->samples[i], atom);
    mean /= (double)batch;
    variance += (mean - p) * (mean - p) / (double)(batches - 1);
  }
  double worth = variance > 0 ? p * (1 - p) / variance * (double)batches : (double)a->count;
  return fmin(fmax(worth, 1), (double)a->count);
}

void html_drawn(Text *to, const lpmln_samples *a, const HtmlValues *shares) {
  static const char *const column[] = {"share"};
  html_section(to, "frequencies", "How often each atom was true");
  html_bars_open(to, "atom", column, 1, true);
  for (size_t i = 0; i < shares->n && i < MOST_ROWS; i++) {
    const HtmlValue *v = &shares->at[i];
    HtmlBar bar = {.value = v->value, .before = NAN};
    html_confine(v->value, worth_of(a, v->text, v->value), &bar.low, &bar.high);
    text_puts(to, "<tr><th scope=\"row\"><code>");
    html_name(to, v->text);
    text_puts(to, "</code></th>");
    html_bar(to, &bar);
    text_puts(to, "<td class=\"num\">");
    html_probability(to, "share", v->text, v->value);
    text_puts(to, "</td></tr>\n");
  }
  html_bars_close(to, shares->n, MOST_ROWS);
  text_puts(to, "<p class=\"note\">The line on a bar: where the probability is with 95% "
                "confidence.</p></section>\n");
}

void html_atoms(Text *to, const char *const *atoms, size_t count, const Names *always) {
  size_t written = 0;
  for (size_t k = 0; k < count; k++) {
    if (is_always(always, atoms[k]))
      continue;
    text_puts(to, written++ ? " <span class=\"atom\">" : "<span class=\"atom\">");
    html_name(to, atoms[k]);
    text_puts(to, "</span>");
  }
  text_puts(to, written ? "" : "<i>nothing more is true</i>");
}

void html_left_out(Text *to, const Names *always) {
  size_t n = always->list.n;
  if (n)
    text_printf(to,
                "<p class=\"note\">Without the %zu atom%s that hold%s in every stable model.</p>\n",
                n, n == 1 ? "" : "s", n == 1 ? "s" : "");
}

void html_sample_list(Text *to, const lpmln_samples *a, const Names *always) {
  html_section(to, "samples", "The samples");
  text_puts(to, "<div class=\"scroll\"><table class=\"code\"><tbody>\n");
  for (size_t i = 0; i < a->count && i < MOST_SAMPLES; i++) {
    text_printf(to, "<tr><td class=\"line\">%zu</td><td>", i + 1);
    html_atoms(to, a->samples[i].atoms, a->samples[i].atom_count, always);
    text_puts(to, "</td></tr>\n");
  }
  text_puts(to, "</tbody></table></div>\n");
  if (a->count > MOST_SAMPLES)
    text_printf(to, "<p class=\"note\">The first %d of %zu.</p>\n", MOST_SAMPLES, a->count);
  html_left_out(to, always);
  text_puts(to, "</section>\n");
}
