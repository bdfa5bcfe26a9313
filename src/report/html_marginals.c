/* html_marginals.c - probabilities of atoms as bars, and what was drawn. */
#include "report/html_parts.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 2000, MOST_SAMPLES = 50 };

static void open_bars(Text *to, const char *what, bool chains) {
  text_printf(to,
              "<table class=\"bars%s\" style=\"--step:25%%\"><thead><tr><th>atom</th><th "
              "class=\"axis\"><div>"
              "<span style=\"left:0\">0</span><span style=\"left:50%%\">0.5</span>"
              "<span style=\"left:100%%\">1</span></div></th><th "
              "class=\"num\">%s</th>%s</tr></thead><tbody>\n",
              chains ? " chains" : "", what,
              chains ? "<th class=\"num\">ESS</th><th class=\"num\">R-hat</th>" : "");
}

/* The error of a sampled probability is drawn as far as it reaches twice. */
static void draw_bar(Text *to, const char *of, const char *atom, double p, double error) {
  text_puts(to, "<tr><th scope=\"row\"><code>");
  html_escape(to, atom);
  text_printf(to, "</code></th><td class=\"plot\"><div><i class=\"bar\" style=\"width:%s%%\"></i>",
              NUMBER_FIXED(100 * p, 2));
  if (error > 0) {
    double low = fmax(p - 1.96 * error, 0), high = fmin(p + 1.96 * error, 1);
    text_printf(to, "<i class=\"err\" style=\"left:%s%%;width:%s%%\"></i>",
                NUMBER_FIXED(100 * low, 2), NUMBER_FIXED(100 * (high - low), 2));
  }
  text_puts(to, "</div></td><td class=\"num\">");
  html_probability(to, of, atom, p);
  if (error > 0) {
    text_puts(to, " <small>± ");
    html_number(to, "error", atom, error, 4);
    text_puts(to, "</small>");
  }
  text_puts(to, "</td>");
}

static void write_chains(Text *to, const lpmln_marginal *m) {
  text_puts(to, "<td class=\"num\">");
  if (isfinite(m->ess))
    html_number(to, "ess", m->atom, m->ess, 0);
  text_puts(to, "</td><td class=\"num\">");
  if (isfinite(m->rhat))
    html_number(to, "rhat", m->atom, m->rhat, 3);
  text_puts(to, "</td>");
}

static void close_bars(Text *to, size_t count) {
  text_puts(to, "</tbody></table>\n");
  if (count > MOST_ROWS)
    text_printf(to, "<p class=\"note\">%zu more are in the answer as JSON.</p>\n",
                count - MOST_ROWS);
  text_puts(to, "</section>\n");
}

void html_marginals(Text *to, const lpmln_inference *a) {
  html_section(to, "marginals", "Probabilities");
  if (!a->about.complete)
    text_puts(to, "<p class=\"warning\">Cut short: these are shares of what was seen.</p>\n");
  open_bars(to, "probability", a->samples > 0);
  for (size_t i = 0; i < a->count && i < MOST_ROWS; i++) {
    const lpmln_marginal *m = &a->marginals[i];
    draw_bar(to, "probability", m->atom, m->probability, m->error);
    if (a->samples)
      write_chains(to, m);
    text_puts(to, "</tr>\n");
  }
  close_bars(to, a->count);
}

/* ---- samples ----------------------------------------------------------------------- */

void html_always(const HtmlRun *run, Names *to) {
  const lpmln_sources *all = run->sources;
  assert(all->certain || !all->certain_count);
  for (size_t i = 0; i < all->certain_count; i++)
    names_add(to, all->certain[i], strlen(all->certain[i]));
}

static bool is_always(const Names *always, const char *atom) {
  return names_find(always, atom, strlen(atom)) != UINT32_MAX;
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

void html_drawn(Text *to, const HtmlValues *shares) {
  html_section(to, "frequencies", "How often each atom was true");
  open_bars(to, "share", false);
  for (size_t i = 0; i < shares->n && i < MOST_ROWS; i++) {
    draw_bar(to, "share", shares->at[i].text, shares->at[i].value, 0);
    text_puts(to, "</tr>\n");
  }
  close_bars(to, shares->n);
}

static void write_sample(Text *to, const lpmln_sample *sample, const Names *always) {
  size_t written = 0;
  for (size_t k = 0; k < sample->atom_count; k++) {
    if (is_always(always, sample->atoms[k]))
      continue;
    text_puts(to, written++ ? " " : "");
    html_escape(to, sample->atoms[k]);
  }
  text_puts(to, written ? "" : "<i>nothing more is true</i>");
}

void html_sample_list(Text *to, const lpmln_samples *a, const Names *always) {
  html_section(to, "samples", "The samples");
  text_puts(to, "<div class=\"scroll\"><table class=\"code\"><tbody>\n");
  for (size_t i = 0; i < a->count && i < MOST_SAMPLES; i++) {
    text_printf(to, "<tr><td class=\"line\">%zu</td><td>", i + 1);
    write_sample(to, &a->samples[i], always);
    text_puts(to, "</td></tr>\n");
  }
  text_puts(to, "</tbody></table></div>\n");
  if (a->count > MOST_SAMPLES)
    text_printf(to, "<p class=\"note\">The first %d of %zu.</p>\n", MOST_SAMPLES, a->count);
  if (always->list.n)
    text_printf(to,
                "<p class=\"note\">Without the %zu atom%s that hold%s in every stable model.</p>\n",
                always->list.n, always->list.n == 1 ? "" : "s", always->list.n == 1 ? "s" : "");
  text_puts(to, "</section>\n");
}
