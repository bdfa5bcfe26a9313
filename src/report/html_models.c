/* html_models.c - stable models: how probable each is, what is true in it, what it violates. */
#include "report/html_parts.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 200, MOST_VIOLATED = 8 };

static void write_violated(Text *to, const lpmln_stable_model *m) {
  if (!m->violated_count)
    return;
  text_printf(to, "<details><summary><small>violates %zu soft rule%s</small></summary><ul>",
              m->violated_count, m->violated_count == 1 ? "" : "s");
  for (size_t i = 0; i < m->violated_count && i < MOST_VIOLATED; i++) {
    text_puts(to, "<li><code>");
    html_escape(to, m->violated[i].rule);
    text_puts(to, "</code> <small>");
    html_name(to, m->violated[i].instance);
    text_puts(to, "</small></li>");
  }
  if (m->violated_count > MOST_VIOLATED)
    text_printf(to, "<li><small>and %zu more</small></li>", m->violated_count - MOST_VIOLATED);
  text_puts(to, "</ul></details>");
}

/* Its number is its name. */
static void write_model(Text *to, const lpmln_stable_model *m, size_t number, const Names *always) {
  char name[24];
  snprintf(name, sizeof name, "%zu", number);
  HtmlBar bar = {.value = m->probability, .low = NAN, .high = NAN, .before = NAN};
  text_puts(to, "<tr><th scope=\"row\"><code>");
  html_atoms(to, m->atoms, m->atom_count, always);
  text_puts(to, "</code>");
  write_violated(to, m);
  text_puts(to, "</th>");
  html_bar(to, &bar);
  text_puts(to, "<td class=\"num\">");
  html_probability(to, "probability", name, m->probability);
  text_puts(to, "</td><td class=\"num\">");
  html_number(to, "log_weight", name, m->log_weight, 4);
  text_puts(to, "</td></tr>\n");
}

static bool is_true(const lpmln_stable_model *m, const char *atom) {
  for (size_t i = 0; i < m->atom_count; i++)
    if (!strcmp(m->atoms[i], atom))
      return true;
  return false;
}

/* What is true in all of them, but not always, is said once. */
static void say_common(Text *to, const lpmln_models *a, const Names *always, Names *common) {
  VEC(const char *) said = {0};
  for (size_t i = 0; a->count > 1 && i < a->models[0].atom_count; i++) {
    const char *atom = a->models[0].atoms[i];
    size_t n = strlen(atom);
    bool all = names_find(always, atom, n) == UINT32_MAX;
    for (size_t k = 1; all && k < a->count && k < MOST_ROWS; k++)
      all = is_true(&a->models[k], atom);
    if (all)
      vec_push(&said, atom);
  }
  if (said.n) {
    text_puts(to, "<p>In all of them: <code>");
    html_atoms(to, said.at, said.n, always);
    text_puts(to, "</code></p>\n");
  }
  for (size_t i = 0; i < always->list.n; i++)
    names_add(common, always->list.at[i], strlen(always->list.at[i]));
  for (size_t i = 0; i < said.n; i++)
    names_add(common, said.at[i], strlen(said.at[i]));
  vec_free(&said);
}

void html_model_list(Text *to, const lpmln_models *a, const Names *always) {
  static const char *const columns[] = {"probability", "ln weight"};
  Names common = {0};
  assert(a->models || !a->count);
  html_section(to, "models", a->count == 1 ? "The model" : "The models");
  if (!a->about.complete)
    text_puts(to, "<p class=\"warning\">Cut short: there may be others.</p>\n");
  say_common(to, a, always, &common);
  html_bars_open(to, "what is true", columns, 2, false);
  for (size_t i = 0; i < a->count && i < MOST_ROWS; i++)
    write_model(to, &a->models[i], i + 1, &common);
  html_bars_close(to, a->count, MOST_ROWS);
  html_left_out(to, always);
  names_free(&common);
  text_puts(to, "</section>\n");
}

void html_true_atoms(const lpmln_stable_model *m, HtmlValues *to) {
  for (size_t i = 0; i < m->atom_count; i++)
    vec_push(to, (HtmlValue){.text = m->atoms[i],
                             .length = strlen(m->atoms[i]),
                             .value = 1,
                             .low = NAN,
                             .high = NAN});
}
