/* wcnf.c - weighted model counting, in the format of the model counting
** competitions.  A violated instance of weight w multiplies by exp(-w): this is
** the weight of the literal that says so.  The sum over all models is the
** partition function; weights lost in every model are on a variable of their
** own, which always holds. */
#include "write/wcnf.h"

#include "base/number.h"
#include "lpmln/lpmln.h"
#include "write/cnf.h"
#include "write/stable.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct {
  Stable s;
  double *lost[2];  /* by variable: the weights lost if it holds; if it does not */
  bool *weighted;   /* by variable */
  int32_t *event;   /* by instance: its violation, or 0 */
  double always;    /* lost in every model */
  int32_t constant; /* a variable that holds, to carry `always`; 0: none */
} Counting;

static void find_events(Counting *c) {
  const Ground *g = c->s.g;
  c->event = memory_zero(g->instances.n, sizeof *c->event);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance != NONE)
      c->event[r->instance] = stable_violation(&c->s, r);
  }
}

static void weigh(Counting *c) {
  const Ground *g = c->s.g;
  size_t n = (size_t)c->s.cnf.variables + 1;
  c->lost[0] = memory_zero(n, sizeof *c->lost[0]);
  c->lost[1] = memory_zero(n, sizeof *c->lost[1]);
  c->weighted = memory_zero(n, sizeof *c->weighted);
  for (size_t i = 0; i < g->instances.n; i++) {
    int32_t event = c->event[i];
    double weight = g->weights.at[g->instances.at[i].weight].value;
    if (event == CNF_TRUE) {
      c->always += weight;
    } else if (event && event != -CNF_TRUE) {
      c->lost[event < 0][abs(event)] += weight;
      c->weighted[abs(event)] = true;
    }
  }
  if (c->always != 0) {
    c->constant = cnf_variable(&c->s.cnf);
    cnf_clause(&c->s.cnf, &c->constant, 1);
  }
}

/* ---- writing ---------------------------------------------------------------------- */

/* exp(-lost), also where no double holds it. */
static void write_factor(Text *out, double lost) {
  double plain = exp(-lost);
  if (isnormal(plain)) {
    text_puts(out, NUMBER_SHORT(plain, 17));
  } else {
    double power = -lost / log(10), whole = floor(power);
    text_printf(out, "%se%.0f", NUMBER_SHORT(pow(10, power - whole), 15), whole);
  }
}

static void write_weight(Text *out, int32_t variable, double lost, double lost_without) {
  text_printf(out, "c p weight %" PRId32 " ", variable);
  write_factor(out, lost);
  text_printf(out, " 0\nc p weight -%" PRId32 " ", variable);
  write_factor(out, lost_without);
  text_puts(out, " 0\n");
}

static void write_names(const Counting *c, Text *out) {
  const Ground *g = c->s.g;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].name != NONE && g->atoms.at[a].truth == ATOM_OPEN)
      text_printf(out, "c %" PRId32 " %s\n", c->s.atom[a], ground_text(g, g->atoms.at[a].name));
  for (size_t i = 0; i < g->instances.n; i++) {
    const Instance *instance = &g->instances.at[i];
    const char *text = ground_text(g, instance->text);
    if (c->event[i] && abs(c->event[i]) != CNF_TRUE)
      text_printf(out, "c %" PRId32 " (soft rule %" PRIu32 " is violated%s%s)\n", c->event[i],
                  instance->soft + 1, *text ? ": " : "", text);
  }
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].name != NONE && g->atoms.at[a].truth == ATOM_CERTAIN)
      text_printf(out, "c (always true) %s\n", ground_text(g, g->atoms.at[a].name));
  if (c->constant)
    text_printf(out, "c %" PRId32 " (soft rules that are violated in every model)\n", c->constant);
}

static void write_clauses(const Cnf *cnf, Text *out) {
  for (size_t i = 0; i < cnf->literals.n; i++)
    text_printf(out, "%" PRId32 "%s", cnf->literals.at[i], cnf->literals.at[i] ? " " : "\n");
}

static void write_all(const Counting *c, Text *out) {
  const Cnf *cnf = &c->s.cnf;
  text_printf(out,
              "c Translated by lpmln %s for weighted model counters.  The models are the stable\n"
              "c models, one to one; the weighted count is the sum of their weights.\n"
              "c t wmc\np cnf %" PRId32 " %zu\n",
              lpmln_version(), cnf->variables, cnf->clauses);
  write_names(c, out);
  int32_t weighable = c->constant ? cnf->variables - 1 : cnf->variables;
  for (int32_t v = 1; v <= weighable; v++)
    if (c->weighted[v])
      write_weight(out, v, c->lost[0][v], c->lost[1][v]);
  if (c->constant)
    write_weight(out, c->constant, c->always, 0);
  write_clauses(cnf, out);
}

/* ---- the whole ---------------------------------------------------------------------- */

Status write_wcnf(const Ground *g, const Analysis *an, const Lit *required, size_t count, Text *out,
                  Atom *obstacle) {
  Counting c = {0};
  stable_encode(g, an, &c.s);
  for (size_t i = 0; i < count; i++) {
    int32_t atom = c.s.atom[lit_atom(required[i])];
    int32_t literal = lit_negated(required[i]) ? -atom : atom;
    cnf_clause(&c.s.cnf, &literal, 1);
  }
  find_events(&c);
  weigh(&c);
  *obstacle = c.s.obstacle;
  Status status = c.s.obstacle != NONE ? NO_ANSWER : c.s.cnf.full ? LIMIT : OK;
  if (status == OK)
    write_all(&c, out);
  free(c.lost[0]);
  free(c.lost[1]);
  free(c.weighted);
  free(c.event);
  stable_free(&c.s);
  return status;
}
