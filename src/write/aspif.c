/* aspif.c - see aspif.h.  A soft rule H :- B becomes
**
**   unsat :- B, not H.     H :- B, not unsat.      (one head: {H} :- B.)
**
** Atoms that are certain are shown without a condition and are in no rule. */
#include "write/aspif.h"

#include "base/number.h"
#include "write/scale.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const Ground *g;
  Text *out;
  const char *unsat;
  uint32_t atoms;   /* made so far */
  uint32_t *unsats; /* by instance: its atom; 0: it can't be violated */
} Output;

static long number(Lit l) {
  long atom = (long)lit_atom(l) + 1;
  return lit_negated(l) ? -atom : atom;
}

/* ---- rules ------------------------------------------------------------------------ */

static void write_heads(Output *o, bool choice, const Rule *r) {
  text_printf(o->out, "1 %d %u", choice, r->heads);
  for (uint32_t h = 0; h < r->heads; h++)
    text_printf(o->out, " %u", rule_heads(o->g, r)[h] + 1);
}

static void write_literals(Output *o, const Rule *r) {
  for (uint32_t k = 0; k < r->size; k++) {
    text_printf(o->out, " %ld", number(rule_body(o->g, r)[k]));
    if (r->weighted)
      text_printf(o->out, " %u", rule_weights(o->g, r)[k]);
  }
}

static void write_hard(Output *o, const Rule *r) {
  write_heads(o, r->choice, r);
  if (r->weighted)
    text_printf(o->out, " 1 %d", r->bound);
  else
    text_puts(o->out, " 0");
  text_printf(o->out, " %u", r->size);
  write_literals(o, r);
  text_puts(o->out, "\n");
}

/* Its body is plain, see ground.h. */
static void write_soft(Output *o, const Rule *r) {
  uint32_t unsat = o->unsats[r->instance] = ++o->atoms;
  text_printf(o->out, "1 0 1 %u 0 %u", unsat, r->size + r->heads);
  write_literals(o, r);
  for (uint32_t h = 0; h < r->heads; h++)
    text_printf(o->out, " -%u", rule_heads(o->g, r)[h] + 1);
  text_puts(o->out, "\n");
  if (!r->heads)
    return;
  write_heads(o, r->heads == 1, r);
  text_printf(o->out, " 0 %u", r->size + (r->heads > 1));
  write_literals(o, r);
  if (r->heads > 1)
    text_printf(o->out, " -%u", unsat);
  text_puts(o->out, "\n");
}

static void write_required(Output *o, Lit l) {
  Truth truth = o->g->atoms.at[lit_atom(l)].truth;
  if (truth == ATOM_OPEN)
    text_printf(o->out, "1 0 0 0 1 %ld\n", -number(l));
  else if ((truth == ATOM_CERTAIN) == lit_negated(l))
    text_puts(o->out, "1 0 0 0 0\n");
}

/* ---- what is shown and minimised ---------------------------------------------------- */

static void show(Output *o, const char *text, size_t length, uint32_t atom) {
  text_printf(o->out, "4 %zu %.*s", length, (int)length, text);
  text_printf(o->out, atom ? " 1 %u\n" : " 0\n", atom);
}

/* An atom or a term under its name, unless it is impossible. */
static void show_atom(Output *o, Atom a, const char *text) {
  Truth truth = o->g->atoms.at[a].truth;
  if (truth != ATOM_IMPOSSIBLE)
    show(o, text, strlen(text), truth == ATOM_OPEN ? a + 1 : 0);
}

static void show_unsat(Output *o, uint32_t i) {
  const Instance *instance = &o->g->instances.at[i];
  const char *values = ground_text(o->g, instance->values);
  Text name = {0};
  text_printf(&name, "%s(%u,\"%s\"%s%s)", o->unsat, instance->soft + 1,
              NUMBER_SHORT(o->g->weights.at[instance->weight].value, 17), *values ? "," : "",
              values);
  show(o, name.at, name.n, o->unsats[i]);
  vec_free(&name);
}

static void write_minimize(Output *o, double scale) {
  Text terms = {0};
  unsigned count = 0;
  for (uint32_t i = 0; i < o->g->instances.n; i++) {
    double weight = scale_round(o->g->weights.at[o->g->instances.at[i].weight].value, scale);
    if (o->unsats[i])
      text_printf(&terms, " %u %.0f", o->unsats[i], weight), count++;
  }
  if (count)
    text_printf(o->out, "2 0 %u%s\n", count, terms.at);
  vec_free(&terms);
}

void write_aspif(const Ground *g, const char *unsat, const Lit *required, size_t count,
                 double scale, Text *out) {
  Output o = {.g = g, .out = out, .unsat = unsat, .atoms = (uint32_t)g->atoms.n};
  o.unsats = memory_zero(g->instances.n, sizeof *o.unsats);
  text_puts(out, "asp 1 0 0\n");
  if (g->inconsistent)
    text_puts(out, "1 0 0 0 0\n");
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance == NONE)
      write_hard(&o, r);
    else
      write_soft(&o, r);
  }
  for (size_t i = 0; i < count; i++)
    write_required(&o, required[i]);
  write_minimize(&o, scale);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].name != NONE && g->atoms.at[a].shown)
      show_atom(&o, a, ground_text(g, g->atoms.at[a].name));
  for (size_t i = 0; i < g->terms.n; i++)
    show_atom(&o, g->terms.at[i].atom, ground_text(g, g->terms.at[i].text));
  for (uint32_t i = 0; i < g->instances.n; i++)
    if (o.unsats[i])
      show_unsat(&o, i);
  text_puts(out, "0\n");
  free(o.unsats);
}
