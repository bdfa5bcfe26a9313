/* html_chains.c - how far sampled answers can be trusted: do the chains agree, how many
** independent samples are they worth, and what is proven about their steps. */
#include "report/html_parts.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>

#define ALARMING 1.01 /* R-hat above it: the chains have not forgotten where they began */

enum { FEW = 400 }; /* effective samples: errors themselves are rough below */

void html_guarantee(Text *to, lpmln_guarantee guarantee, double epsilon, double doubt) {
  assert(epsilon >= 0 && doubt >= 0 && doubt < 1);
  if (guarantee == LPMLN_EXACTLY) {
    text_puts(to, "Every step is drawn exactly from its distribution.");
  } else if (guarantee == LPMLN_NEAR_UNIFORM) {
    text_puts(to, "Every step is drawn from its distribution within a factor of ");
    html_plain(to, 1 + epsilon, 2);
    text_puts(to, ", with a probability of ");
    html_plain(to, 1 - doubt, 2);
    text_puts(to, " at least.");
  } else {
    text_puts(to, "Heuristic: the distribution is the right one, but it is not proven that the "
                  "chains reach every "
                  "stable model.");
  }
}

typedef struct {
  const lpmln_marginal *least, *worst; /* by effective size, by R-hat; NULL: none was sampled */
  size_t exact;
} Extremes;

static Extremes extremes_of(const lpmln_inference *a) {
  Extremes e = {0};
  for (size_t i = 0; i < a->count; i++) {
    const lpmln_marginal *m = &a->marginals[i];
    e.exact += m->error == 0;
    if (isfinite(m->ess) && (!e.least || m->ess < e.least->ess))
      e.least = m;
    if (isfinite(m->rhat) && (!e.worst || m->rhat > e.worst->rhat))
      e.worst = m;
  }
  return e;
}

static void say(Text *to, bool alarming, const char *what, const lpmln_marginal *m, double value,
                int digits) {
  text_printf(to, "<li%s>%s ", alarming ? " class=\"warning\"" : "", what);
  html_plain(to, value, digits);
  text_puts(to, " (<code>");
  html_name(to, m->atom);
  text_puts(to, "</code>)");
}

/* ---- trace plots ------------------------------------------------------------------------- */

enum { WIDTH = 480, HEIGHT = 104, LEFT = 36, RIGHT = 8, TOP = 20, BOTTOM = 20, COLOURS = 4 };

typedef struct {
  double low, high;
} Range;

static Range range_of(const lpmln_mixing *m) {
  Range r = {1, 0};
  for (size_t i = 0; i < m->chains * m->pieces; i++)
    r.low = fmin(r.low, m->shares[i]), r.high = fmax(r.high, m->shares[i]);
  r.low = floor(10 * r.low) / 10, r.high = ceil(10 * r.high) / 10;
  return r.high > r.low ? r : (Range){fmax(r.low - 0.1, 0), fmin(r.high + 0.1, 1)};
}

static double y_of(Range r, double share) {
  assert(share >= r.low - 1e-9 && share <= r.high + 1e-9);
  return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (share - r.low) / (r.high - r.low);
}

static void draw_level(Text *to, Range r, double share) {
  NumberText y = number_as('f', 1, y_of(r, share));
  text_printf(to,
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%s\" y2=\"%s\"/>"
              "<text class=\"tick\" x=\"%d\" y=\"%s\">",
              LEFT, WIDTH - RIGHT, y.text, y.text, LEFT - 6, NUMBER_FIXED(y_of(r, share) + 4, 1));
  html_plain(to, share, 1);
  text_puts(to, "</text>\n");
}

static void draw_chain(Text *to, const lpmln_mixing *m, Range r, size_t chain) {
  double step = (double)(WIDTH - LEFT - RIGHT) / (double)(m->pieces > 1 ? m->pieces - 1 : 1);
  text_printf(to, "<polyline class=\"chain c%zu\" points=\"", chain % COLOURS);
  for (size_t p = 0; p < m->pieces; p++)
    text_printf(to, "%s,%s ", NUMBER_FIXED(LEFT + step * (double)p, 1),
                NUMBER_FIXED(y_of(r, m->shares[chain * m->pieces + p]), 1));
  text_puts(to, "\"/>\n");
}

/* The name stands above the picture, where it may break. */
static void draw_mixing(Text *to, const lpmln_mixing *m, size_t samples) {
  Range r = range_of(m);
  text_puts(to, "<figure><figcaption><code>");
  html_name(to, m->atom);
  text_printf(to,
              "</code></figcaption><svg class=\"curve\" viewBox=\"0 0 %d %d\" role=\"img\" "
              "aria-label=\"chains\">\n",
              WIDTH, HEIGHT);
  draw_level(to, r, r.low);
  draw_level(to, r, r.high);
  for (size_t c = 0; c < m->chains; c++)
    draw_chain(to, m, r, c);
  text_printf(to,
              "<text class=\"tick first\" x=\"%d\" y=\"%d\">1</text><text class=\"tick\" "
              "x=\"%d\" y=\"%d\">%zu samples</text>\n</svg></figure>\n",
              LEFT, HEIGHT - 6, WIDTH - RIGHT, HEIGHT - 6, samples / m->chains);
}

static void draw_traces(Text *to, const lpmln_inference *a) {
  if (!a->mixing_count || a->mixing[0].pieces < 2)
    return;
  text_printf(to,
              "<p class=\"note\">In which share of its samples an atom was true, by piece of "
              "each of the %zu chains. Chains that agree lie on each other; the atoms with the "
              "largest R-hat.</p>\n",
              a->mixing[0].chains);
  for (size_t i = 0; i < a->mixing_count; i++)
    draw_mixing(to, &a->mixing[i], a->samples);
}

void html_chains(Text *to, const lpmln_inference *a) {
  if (!a->samples)
    return;
  Extremes e = extremes_of(a);
  assert(e.exact <= a->count);
  html_section(to, "chains", "How far the samples can be trusted");
  text_puts(to, "<ul>\n<li>Probabilities are shares of <b>");
  text_printf(to,
              "<data data-of=\"samples\" value=\"%zu\">%zu</data></b> samples of Markov chains; "
              "the line on a bar is "
              "where the exact value is with 95%% confidence.</li>\n",
              a->samples, a->samples);
  if (e.exact)
    text_printf(to, "<li>%zu of the %zu were computed exactly.</li>\n", e.exact, a->count);
  if (e.worst) {
    bool alarming = e.worst->rhat > ALARMING;
    say(to, alarming, "Do the chains agree? The largest R-hat is", e.worst, e.worst->rhat, 4);
    text_puts(to, alarming ? ": not yet. More samples or a longer burn-in are needed, and errors "
                             "may be larger than stated.</li>\n"
                           : "; 1 is perfect, up to 1.01 is fine.</li>\n");
  }
  if (e.least) {
    bool alarming = e.least->ess < FEW;
    say(to, alarming, "The samples are worth at least", e.least, e.least->ess, 0);
    text_puts(to, alarming ? " independent ones, which is few: errors themselves are rough.</li>\n"
                           : " independent ones.</li>\n");
  }
  text_puts(to, "<li>");
  html_guarantee(to, a->guarantee, a->epsilon, a->doubt);
  text_puts(to, "</li>\n</ul>\n");
  draw_traces(to, a);
  text_puts(to, "</section>\n");
}
