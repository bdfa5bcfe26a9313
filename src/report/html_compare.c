/* html_compare.c - programs learned from the same observations, side by side; and decisions. */
#include "report/criterion.h"
#include "report/html_parts.h"

#include <assert.h>
#include <math.h>

static void write_cell(Text *to, const char *of, const char *name, double value, int digits,
                       bool best) {
  text_printf(to, "<td class=\"num\">%s", best ? "<b>" : "");
  html_number(to, of, name, value, digits);
  text_printf(to, "%s</td>", best ? "</b>" : "");
}

static void write_remark(Text *to, const lpmln_compared *m) {
  text_puts(to, !m->converged                ? " <small>not converged</small>"
                : m->diverging               ? " <small>a weight goes to infinity</small>"
                : m->parameters < m->weights ? " <small>not all weights are determined</small>"
                                             : "");
}

static void write_model(Text *to, const lpmln_comparison *a, const lpmln_compared *m) {
  bool aic = lowest_aic(a, m), bic = lowest_bic(a, m);
  text_puts(to, "<tr><th scope=\"row\"><code>");
  html_escape(to, m->program);
  text_puts(to, "</code>");
  write_remark(to, m);
  text_puts(to, "</th>");
  write_cell(to, "log_likelihood", m->program, m->log_likelihood, 4, false);
  write_cell(to, "parameters", m->program, (double)m->parameters, 0, false);
  write_cell(to, "aic", m->program, m->aic, 2, aic);
  write_cell(to, "bic", m->program, m->bic, 2, bic);
  text_puts(to, "</tr>\n");
}

void html_compared(Text *to, const lpmln_comparison *a) {
  assert(a->models && a->count);
  html_section(to, "models", "Side by side");
  text_puts(to, "<table class=\"list folds\" style=\"--numbers:4\"><thead><tr><th>program</th><th "
                "class=\"num\">ln "
                "likelihood</th><th class=\"num\">parameters</th><th class=\"num\">AIC</th><th "
                "class=\"num\">BIC</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < a->count; i++)
    write_model(to, a, &a->models[i]);
  text_puts(to, "</tbody></table>\n<p class=\"note\">AIC and BIC weigh the likelihood against the "
                "number of parameters; the lowest is the best.</p></section>\n");
}

static void write_test(Text *to, const lpmln_comparison *a, const lpmln_ratio_test *t) {
  assert(t->smaller < a->count && t->larger < a->count);
  text_puts(to, "<li><code>");
  html_escape(to, a->models[t->smaller].program);
  text_puts(to, "</code> is <code>");
  html_escape(to, a->models[t->larger].program);
  text_puts(to, "</code> with parameters fixed or tied. If it were right, a likelihood ratio of ");
  html_plain(to, t->statistic, 4);
  text_printf(to, " with %zu degree%s of freedom or a larger one would have a probability of ",
              t->degrees, t->degrees == 1 ? "" : "s");
  html_plain_probability(to, t->p_value);
  text_puts(to, ".");
  if (t->doubt) {
    text_puts(to, " Doubtful: ");
    html_sentence(to, t->doubt);
    text_puts(to, ".");
  }
  text_puts(to, "</li>\n");
}

void html_ratio_tests(Text *to, const lpmln_comparison *a) {
  if (!a->test_count)
    return;
  html_section(to, "tests", "Is the larger one needed?");
  text_puts(to, "<ul>\n");
  for (size_t i = 0; i < a->test_count; i++)
    write_test(to, a, &a->tests[i]);
  text_puts(to, "</ul></section>\n");
}

/* ---- decisions -------------------------------------------------------------------------- */

void html_decisions(Text *to, const lpmln_decision *a) {
  assert(a->count && a->values);
  html_section(to, "decisions", a->count == 1 ? "What to do" : "What to do: all are as good");
  text_puts(to, "<table class=\"list\"><thead><tr><th>decision</th>");
  for (size_t k = 0; k < a->count; k++)
    text_puts(to, "<th class=\"num\"></th>");
  text_puts(to, "</tr></thead><tbody>\n");
  for (size_t i = 0; i < a->atom_count; i++) {
    text_puts(to, "<tr><th scope=\"row\"><code>");
    html_name(to, a->atoms[i]);
    text_puts(to, "</code></th>");
    for (size_t k = 0; k < a->count; k++)
      text_printf(to, "<td class=\"num\">%s</td>", a->values[k][i] ? "<b>yes</b>" : "no");
    text_puts(to, "</tr>\n");
  }
  text_puts(to, "</tbody></table></section>\n");
}
