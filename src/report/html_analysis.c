/* html_analysis.c - what a program is, in numbers and sentences. */
#include "report/html_parts.h"

#include <assert.h>

static void open_row(Text *to, const char *what) {
  text_printf(to, "<tr><th scope=\"row\">%s</th><td>", what);
}

static void close_row(Text *to) { text_puts(to, "</td></tr>\n"); }

/* Numbers of one row: a sum, and what a part of it is called. */
typedef struct {
  const char *of;
  size_t value;
  const char *before; /* stands in front */
} Part;

static void write_counts(Text *to, const char *what, const Part *parts, size_t n) {
  open_row(to, what);
  for (size_t i = 0; i < n; i++) {
    text_puts(to, parts[i].before);
    html_number(to, parts[i].of, NULL, (double)parts[i].value, 0);
  }
  close_row(to);
}

static void write_answer(Text *to, const char *what, bool yes, const char *why) {
  open_row(to, what);
  text_puts(to, yes ? "yes" : "no");
  if (why) {
    text_puts(to, ": ");
    html_escape(to, why);
  }
  close_row(to);
}

static void write_coherence(Text *to, const lpmln_analysis *a) {
  open_row(to, "coherent");
  if (a->coherent)
    text_printf(to, "%s-coherent", a->coherent);
  else
    text_puts(to, "no");
  if (!a->coherent && a->coherence_reason) {
    text_puts(to, ": ");
    html_escape(to, a->coherence_reason);
  }
  close_row(to);
}

static void write_circuit(Text *to, const lpmln_analysis *a) {
  if (!a->circuit_nodes)
    return;
  write_counts(to, "circuit", &(Part){"circuit_nodes", a->circuit_nodes, "nodes: "}, 1);
}

void html_analysis_facts(Text *to, const lpmln_analysis *a) {
  assert(a->tight || a->loop);
  const Part rules[] = {{"rules", a->rules, ""}, {"soft_rules", a->soft_rules, ", soft: "}};
  const Part atoms[] = {{"atoms", a->atoms, ""}, {"open_atoms", a->open_atoms, ", open: "}};
  const Part ground[] = {{"ground_rules", a->ground_rules, ""},
                         {"soft_instances", a->soft_instances, ", soft instances: "}};
  const Part parts[] = {{"components", a->components, ""},
                        {"distinct_components", a->distinct_components, ", different: "},
                        {"largest_component", a->largest_component, ", atoms of the largest: "}};
  html_section(to, "analysis", "What the program is");
  text_puts(to, "<table class=\"facts\"><tbody>\n");
  write_counts(to, "rules", rules, 2);
  write_counts(to, "parameters", &(Part){"parameters", a->parameters, ""}, 1);
  write_counts(to, "ground atoms", atoms, 2);
  write_counts(to, "ground rules", ground, 2);
  write_counts(to, "components", parts, 3);
  write_counts(to, "positive loops", &(Part){"loops", a->loops, ""}, 1);
  write_answer(to, "tight", a->tight, a->loop);
  write_answer(to, "free of head cycles", a->head_cycle_free, NULL);
  write_answer(to, "simple", a->simple, a->simple_reason);
  write_coherence(to, a);
  write_answer(to, "hard rules agree", !a->hard_inconsistent, NULL);
  if (a->observations)
    write_counts(to, "observations", &(Part){"observations", a->observations, ""}, 1);
  write_circuit(to, a);
  text_puts(to, "</tbody></table></section>\n");
}

void html_advice(Text *to, const char *const *advice, size_t count) {
  assert(advice || !count);
  if (!count)
    return;
  html_section(to, "advice", "What to know about it");
  text_puts(to, "<ul>\n");
  for (size_t i = 0; i < count; i++) {
    text_puts(to, "<li>");
    html_sentence(to, advice[i]);
    text_puts(to, "</li>\n");
  }
  text_puts(to, "</ul></section>\n");
}
