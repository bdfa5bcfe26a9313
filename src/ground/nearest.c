/* nearest.c - see nearest.h.
**
** Predicates differ by slips of the pen or not at all.  Arguments are aligned: a different one
** costs less than one too many, and two that are exchanged less than two different ones. */
#include "ground/nearest.h"

#include "base/edit.h"
#include "base/limits.h"
#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_ARGUMENTS = 8, /* the others are not looked at */
  MOST_NAMED = 3,
  MOST_KNOWN = 8,        /* signatures; more would hide what is wrong */
  MOST_LOOKED = 5000000, /* atoms, for all hints of a program: seconds */
  GAP = 5,               /* cost of an argument too many */
  EXCHANGED = 2,
  FAR = 1000000
};

typedef struct {
  const char *at;
  size_t length;
} Word;

/* The text of an atom, `p(a,"b,c")`, in words: its predicate and its arguments. */
typedef struct {
  Word list[1 + MOST_ARGUMENTS];
  unsigned count;
} Words;

static void words_of(const char *atom, Words *to) {
  size_t start = strcspn(atom, "(");
  int depth = 0;
  bool quoted = false;
  *to = (Words){.list = {{atom, start}}, .count = 1};
  for (size_t i = start; atom[i] && to->count <= MOST_ARGUMENTS; i++) {
    if (atom[i] == '\\' && quoted && atom[i + 1]) {
      i++;
      continue;
    }
    quoted ^= atom[i] == '"';
    depth += !quoted && atom[i] == '(';
    bool ends = !quoted && depth == 1 && (atom[i] == ',' || atom[i] == ')');
    if (ends && i > start + 1)
      to->list[to->count++] = (Word){atom + start + 1, i - start - 1};
    start = ends ? i : start;
    depth -= !quoted && atom[i] == ')';
  }
}

static bool same(const Word *a, const Word *b) {
  return a->length == b->length && !memcmp(a->at, b->at, a->length);
}

static unsigned apart(const Word *a, const Word *b) {
  return same(a, b) ? 0 : edit_distance(a->at, a->length, b->at, b->length);
}

/* Of predicates; FAR: they have nothing to do with each other. */
static unsigned predicate_cost(const Word *a, const Word *b) {
  size_t longer = a->length > b->length ? a->length : b->length;
  size_t shorter = a->length + b->length - longer;
  unsigned slips = edit_slips(shorter);
  if (longer - shorter > slips)
    return FAR;
  unsigned d = apart(a, b);
  return !d ? 0 : d <= slips && d < longer ? 2 + 3 * d : FAR;
}

static unsigned argument_cost(const Word *a, const Word *b) {
  unsigned d = apart(a, b), most = GAP - 1;
  return !d ? 0 : d + 1 < most ? d + 1 : most;
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* The cost of the cheapest alignment. */
static unsigned arguments_cost(const Words *a, const Words *b) {
  assert(a->count && b->count); /* the predicate is one */
  unsigned cost[1 + MOST_ARGUMENTS][1 + MOST_ARGUMENTS];
  for (unsigned i = 0; i < a->count; i++)
    for (unsigned j = 0; j < b->count; j++) {
      cost[i][j] = GAP * (i + j); /* right where one of them is 0 */
      if (i && j)
        cost[i][j] = least(least(cost[i - 1][j], cost[i][j - 1]) + GAP,
                           cost[i - 1][j - 1] + argument_cost(&a->list[i], &b->list[j]));
      if (i > 1 && j > 1 && same(&a->list[i], &b->list[j - 1]) &&
          same(&a->list[i - 1], &b->list[j]))
        cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + EXCHANGED);
    }
  return cost[a->count - 1][b->count - 1];
}

/* ---- the nearest ones ---------------------------------------------------------------- */

typedef struct {
  VEC(const char *) names;
  unsigned cost;
} Found;

static void take(Found *found, const char *name, unsigned cost) {
  if (cost >= FAR || cost > found->cost)
    return;
  if (cost < found->cost)
    found->names.n = 0;
  found->cost = cost;
  vec_push(&found->names, name);
}

static int compare_names(const void *a, const void *b) {
  return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* `a, b and c`, of the first `most`. */
static void list_names(Text *to, Found *found, size_t most, const char *last) {
  assert(found->names.n);
  qsort(found->names.at, found->names.n, sizeof *found->names.at, compare_names);
  size_t n = found->names.n < most ? found->names.n : most;
  for (size_t i = 0; i < n; i++)
    text_printf(to, "%s%s", !i ? "" : i + 1 < n ? ", " : last, found->names.at[i]);
}

/* The text of an atom that the program can derive and the user may see; NULL: it is none. */
static const char *derivable(const Nearest *n, Atom a) {
  const AtomInfo *info = &n->ground->atoms.at[a];
  if (info->name == NONE || info->truth == ATOM_IMPOSSIBLE)
    return NULL;
  const char *text = ground_text(n->ground, info->name);
  bool hidden = names_find(&n->program->hidden, text, strcspn(text, "(")) != UINT32_MAX;
  return hidden ? NULL : text;
}

/* Signatures of what is derivable; the names are the caller's. */
static void list_signatures(Nearest *n, Names *to) {
  Text text = {0};
  for (Atom a = 0; a < n->ground->atoms.n && to->list.n <= MOST_KNOWN && n->looked < MOST_LOOKED;
       a++, n->looked++) {
    const char *atom = derivable(n, a);
    if (!atom)
      continue;
    text.n = 0;
    text_printf(&text, "%.*s/%u", (int)strcspn(atom, "("), atom, ground_arity(atom));
    names_add(to, text.at, text.n);
  }
  vec_free(&text);
}

char *nearest_known(Nearest *n) {
  Text text = {0};
  Names known = {0};
  Found found = {0};
  list_signatures(n, &known);
  for (size_t i = 0; i < known.list.n; i++)
    vec_push(&found.names, known.list.at[i]);
  if (known.list.n && known.list.n <= MOST_KNOWN) {
    text_puts(&text, "the program has ");
    list_names(&text, &found, MOST_KNOWN, " and ");
  }
  vec_free(&found.names);
  names_free(&known);
  return text.n ? text_take(&text) : NULL;
}

static char *hint_of(Found *found) {
  Text text = {0};
  if (found->names.n) {
    text_puts(&text, "did you mean ");
    list_names(&text, found, MOST_NAMED, " or ");
    text_puts(&text, "?");
  }
  vec_free(&found->names);
  return text.n ? text_take(&text) : NULL;
}

char *nearest_parameter(const Ground *g, const char *name) {
  assert(g->sealed && name);
  Text text = {0};
  Names seen = {0};
  Found near = {.cost = edit_slips(strlen(name))}, all = {0};
  for (size_t k = 0; k < g->weights.n; k++) {
    if (g->weights.at[k].name == NONE)
      continue;
    const char *other = ground_text(g, g->weights.at[k].name);
    size_t known = seen.list.n;
    if (names_add(&seen, other, strlen(other)) < known)
      continue;
    unsigned slips = edit_distance(name, strlen(name), other, strlen(other));
    take(&near, other, slips < strlen(name) ? slips : FAR);
    vec_push(&all.names, other);
  }
  if (!near.names.n && all.names.n && all.names.n <= MOST_KNOWN) {
    text_puts(&text, "the program has ");
    list_names(&text, &all, MOST_KNOWN, " and ");
  } else if (!near.names.n) {
    text_puts(&text, all.names.n ? "`lpmln check` counts them; @w(NAME) makes one"
                                 : "it has none with a name; @w(NAME) makes one");
  }
  vec_free(&all.names);
  char *hint = hint_of(&near);
  names_free(&seen);
  if (hint)
    vec_free(&text);
  return hint ? hint : text_take(&text);
}

char *nearest_atoms(Nearest *n, const char *atom) {
  assert(n->ground->sealed && atom);
  Found found = {.cost = FAR};
  Words wanted, other;
  words_of(atom, &wanted);
  for (Atom a = 0; a < n->ground->atoms.n && n->looked < MOST_LOOKED; a++, n->looked++) {
    const char *text = derivable(n, a);
    if (!text)
      continue;
    limits_poll();
    Word predicate = {text, strcspn(text, "(")};
    unsigned cost = predicate_cost(&wanted.list[0], &predicate);
    if (cost >= FAR || cost > found.cost)
      continue;
    words_of(text, &other);
    take(&found, text, cost + arguments_cost(&wanted, &other));
  }
  return hint_of(&found);
}

char *nearest_signature(Nearest *n, const char *name, size_t length, unsigned arity) {
  assert(n->ground->sealed && name);
  Found found = {.cost = FAR};
  Names signatures = {0};
  Text text = {0};
  Word wanted = {name, length};
  for (Atom a = 0; a < n->ground->atoms.n && n->looked < MOST_LOOKED; a++, n->looked++) {
    const char *atom = derivable(n, a);
    Word predicate = {atom, atom ? strcspn(atom, "(") : 0};
    unsigned cost = atom ? predicate_cost(&wanted, &predicate) : FAR;
    if (cost >= FAR)
      continue;
    text.n = 0;
    text_printf(&text, "%.*s/%u", (int)predicate.length, atom, ground_arity(atom));
    size_t known = signatures.list.n;
    uint32_t number = names_add(&signatures, text.at, text.n);
    if (number == known)
      take(&found, signatures.list.at[number], cost + (ground_arity(atom) != arity ? GAP : 0));
  }
  char *hint = hint_of(&found);
  names_free(&signatures);
  vec_free(&text);
  return hint;
}
