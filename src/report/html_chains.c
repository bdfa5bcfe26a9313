/* html_chains.c - how far sampled answers can be trusted: do the chains agree, how many
** independent samples are they worth, and what is proven about their steps. */
#include "report/html_parts.h"

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
  html_escape(to, m->atom);
  text_puts(to, "</code>)");
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
  text_puts(to, "</li>\n</ul></section>\n");
}
