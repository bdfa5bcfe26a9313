/* valid.c - re-checks every reference of a ground program: for files, whose
** bytes nobody vouches for, and for debug builds. */
#include "ground/ground.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_bool(const bool *value) {
  unsigned char byte;
  memcpy(&byte, value, 1);
  return byte <= 1;
}

static bool name_valid(const Ground *g, uint32_t name) { return name < g->names.n; }

static bool atom_valid(const Ground *g, const AtomInfo *a) {
  return is_bool(&a->shown) && a->truth <= ATOM_IMPOSSIBLE &&
         (a->name == NONE ? !a->shown : name_valid(g, a->name));
}

static bool open_atom(const Ground *g, Atom a) {
  return a < g->atoms.n && g->atoms.at[a].truth == ATOM_OPEN;
}

static bool rule_valid(const Ground *g, const Rule *r) {
  if (!is_bool(&r->choice) || !is_bool(&r->weighted))
    return false;
  if (r->weighted && (!r->size || r->bound <= 0)) /* sealing makes it a plain one */
    return false;
  uint64_t words = (uint64_t)r->heads + (uint64_t)r->size * (r->weighted ? 2 : 1);
  if (r->first + words > g->pool.n)
    return false;
  for (uint32_t h = 0; h < r->heads; h++)
    if (!open_atom(g, rule_heads(g, r)[h]))
      return false;
  for (uint32_t k = 0; k < r->size; k++)
    if (!open_atom(g, lit_atom(rule_body(g, r)[k])) ||
        (r->weighted && (rule_weights(g, r)[k] == 0 || rule_weights(g, r)[k] > INT32_MAX)))
      return false;
  bool soft = r->instance != NONE;
  return !soft || (r->instance < g->instances.n && !r->choice && !r->weighted);
}

static bool events_valid(const Ground *g, const Event *at, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!name_valid(g, at[i].text) || at[i].atom >= g->atoms.n ||
        (at[i].given != NONE && at[i].given >= g->atoms.n))
      return false;
  return true;
}

bool ground_valid(const Ground *g) {
  bool good = !g->names.n || g->names.at[g->names.n - 1] == 0;
  for (size_t i = 0; good && i < g->atoms.n; i++)
    good = atom_valid(g, &g->atoms.at[i]);
  for (size_t i = 0; good && i < g->rules.n; i++)
    good = rule_valid(g, &g->rules.at[i]);
  for (size_t i = 0; good && i < g->instances.n; i++) {
    const Instance *x = &g->instances.at[i];
    good = x->soft < g->soft.n && (x->weight == NONE || x->weight < g->weights.n) &&
           name_valid(g, x->text) && name_valid(g, x->values);
  }
  for (size_t i = 0; good && i < g->weights.n; i++)
    good = g->weights.at[i].soft < g->soft.n &&
           (g->weights.at[i].name == NONE || name_valid(g, g->weights.at[i].name));
  good = good && g->own.atoms <= g->observed.atoms && g->observed.atoms <= g->atoms.n &&
         g->own.rules <= g->observed.rules && g->observed.rules <= g->rules.n;
  for (size_t i = 0; good && i < g->utilities.n; i++)
    good = g->utilities.at[i].atom < g->atoms.n && isfinite(g->utilities.at[i].value);
  return good && events_valid(g, g->queries.at, g->queries.n) &&
         events_valid(g, g->decisions.at, g->decisions.n) &&
         events_valid(g, g->terms.at, g->terms.n);
}
