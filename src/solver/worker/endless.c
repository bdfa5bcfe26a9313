/* endless.c - see endless.h. */
#include "solver/worker/endless.h"

#include "solver/protocol.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LOOK 4096          /* rules */
#define FIRST_COUNT (1 << 16)    /* rules: fewer are soon ground */
#define DEEPEST 20000            /* terms of people are not nested so deep */
#define MOST_STEPS (2 * DEEPEST) /* into an atom: terms share parts, and may have very many */
#define LOOKS 512                /* atoms of a look */
#define MANY 1024                /* atoms of a predicate that is worth telling */

/* A path into a term, depth first: arguments that are left, by level. */
typedef struct {
  struct {
    const clingo_symbol_t *next, *end;
  } at[DEEPEST + 1];
} Path;

static bool enter(Path *path, size_t depth, clingo_symbol_t symbol) {
  size_t n = 0;
  if (clingo_symbol_type(symbol) != clingo_symbol_type_function ||
      !clingo_symbol_arguments(symbol, &path->at[depth].next, &n))
    return false;
  path->at[depth].end = path->at[depth].next + n;
  return true;
}

/* How deep a term is nested, DEEPEST at most; less if that takes too many steps. */
static size_t depth_of(Path *path, clingo_symbol_t symbol) {
  size_t depth = enter(path, 0, symbol), most = depth;
  for (size_t steps = 0; depth && depth < DEEPEST && steps < MOST_STEPS; steps++) {
    if (path->at[depth - 1].next == path->at[depth - 1].end) {
      depth--;
      continue;
    }
    depth += enter(path, depth, *path->at[depth - 1].next++);
    most = depth > most ? depth : most;
  }
  assert(most <= DEEPEST);
  return most;
}

static bool is_same(const char *a, const char *b) { return a == b || !strcmp(a, b); }

/* All atoms of the predicate that was found. */
static void count(Endless *e, const clingo_symbolic_atoms_t *atoms,
                  clingo_symbolic_atom_iterator_t i) {
  assert(e->name && !e->atoms);
  clingo_symbol_t symbol;
  const char *name;
  bool valid;
  while (clingo_symbolic_atoms_is_valid(atoms, i, &valid) && valid &&
         clingo_symbolic_atoms_symbol(atoms, i, &symbol) && clingo_symbol_name(symbol, &name) &&
         clingo_symbolic_atoms_next(atoms, i, &i))
    e->atoms += is_same(name, e->name);
}

static void look(Endless *e, Path *path) {
  const clingo_symbolic_atoms_t *atoms;
  clingo_symbolic_atom_iterator_t first, i;
  clingo_symbol_t symbol;
  const char *name;
  bool valid;
  size_t seen = 0, stride = e->rules / LOOKS;
  if (!clingo_control_symbolic_atoms(e->control, &atoms) ||
      !clingo_symbolic_atoms_begin(atoms, NULL, &first))
    return;
  for (i = first; !e->name && clingo_symbolic_atoms_is_valid(atoms, i, &valid) && valid;) {
    if (!clingo_symbolic_atoms_symbol(atoms, i, &symbol) || !clingo_symbol_name(symbol, &name) ||
        !clingo_symbolic_atoms_next(atoms, i, &i))
      return;
    size_t depth = (++seen % stride) ? 0 : depth_of(path, symbol);
    if (depth >= DEEPEST && strncmp(name, e->prefix, strlen(e->prefix)) != 0)
      e->name = name, e->depth = depth;
  }
  if (e->name)
    count(e, atoms, first);
}

/* ---- the largest predicates --------------------------------------------------------- */

/* The atoms of a signature. */
typedef struct {
  const char *name;
  size_t atoms;
  clingo_symbol_t first, last;
} Extent;

static bool number_at(clingo_symbol_t symbol, size_t i, int *number) {
  const clingo_symbol_t *arguments;
  size_t n = 0;
  return clingo_symbol_arguments(symbol, &arguments, &n) && i < n &&
         clingo_symbol_type(arguments[i]) == clingo_symbol_type_number &&
         clingo_symbol_number(arguments[i], number);
}

static int first_number(clingo_symbol_t symbol) {
  int number = 0;
  return number_at(symbol, 0, &number) ? number : 0;
}

static size_t arity_of(clingo_symbol_t symbol) {
  const clingo_symbol_t *arguments;
  size_t n = 0;
  return clingo_symbol_arguments(symbol, &arguments, &n) ? n : 0;
}

/* How far the numbers of its last atom are from those of its first one. */
static uint32_t counted(const Extent *e) {
  int64_t most = 0;
  for (size_t i = arity_of(e->first); i--;) {
    int first = 0, last = 0;
    bool numbers = number_at(e->first, i, &first) && number_at(e->last, i, &last);
    int64_t apart = numbers ? (int64_t)last - first : 0;
    apart = apart < 0 ? -apart : apart;
    most = apart > most ? apart : most;
  }
  return (uint32_t)most;
}

static bool measure(const clingo_symbolic_atoms_t *atoms, clingo_signature_t signature,
                    Extent *extent) {
  clingo_symbolic_atom_iterator_t i;
  bool valid;
  *extent = (Extent){.name = clingo_signature_name(signature)};
  if (!clingo_symbolic_atoms_begin(atoms, &signature, &i))
    return false;
  for (; clingo_symbolic_atoms_is_valid(atoms, i, &valid) && valid; extent->atoms++) {
    if (!clingo_symbolic_atoms_symbol(atoms, i, &extent->last) ||
        !clingo_symbolic_atoms_next(atoms, i, &i))
      return false;
    if (!extent->atoms)
      extent->first = extent->last;
  }
  return true;
}

static void put_growth(const Endless *e, const Extent *extent, Buffer *out) {
  assert(extent->name && extent->atoms);
  if (extent->atoms < MANY || !strncmp(extent->name, e->prefix, strlen(e->prefix)))
    return;
  size_t at = begin(out, REPLY_GROWTH);
  reply_string(out, extent->name, strlen(extent->name));
  reply_u32(out, (uint32_t)extent->atoms);
  reply_u32(out, counted(extent));
  end(out, at);
}

static void tell_largest(const Endless *e, Buffer *out) {
  const clingo_symbolic_atoms_t *atoms;
  size_t n = 0;
  Extent largest = {0}, extent;
  if (!clingo_control_symbolic_atoms(e->control, &atoms) ||
      !clingo_symbolic_atoms_signatures_size(atoms, &n) || !n)
    return;
  clingo_signature_t *signatures = allocate(n, sizeof *signatures);
  bool good = clingo_symbolic_atoms_signatures(atoms, signatures, n);
  for (size_t i = 0; good && i < n; i++) {
    good = measure(atoms, signatures[i], &extent);
    if (good && extent.atoms)
      put_growth(e, &extent, out);
    if (good && extent.atoms > largest.atoms)
      largest = extent;
  }
  free(signatures);
  if (!good || !largest.atoms)
    return;
  size_t at = begin(out, REPLY_LARGEST);
  reply_string(out, largest.name, strlen(largest.name));
  reply_u32(out, (uint32_t)largest.atoms);
  reply_u32(out, (uint32_t)e->rules);
  int number = first_number(largest.last);
  reply_u32(out, number > 0 ? (uint32_t)number : 0);
  end(out, at);
  flush(out);
}

bool endless_look(Endless *e, Buffer *out) {
  size_t n = ++e->rules;
  if (n < FIRST_LOOK || (n & (n - 1)))
    return true;
  Path *path = allocate(1, sizeof *path);
  look(e, path);
  free(path);
  if (!e->name && n >= FIRST_COUNT)
    tell_largest(e, out);
  return !e->name;
}

void endless_done(const Endless *e, Buffer *out) {
  assert(e->name && e->atoms);
  size_t at = begin(out, REPLY_DONE);
  reply_u32(out, OUTCOME_ENDLESS);
  reply_string(out, e->name, strlen(e->name));
  reply_u32(out, (uint32_t)e->atoms);
  reply_u32(out, (uint32_t)e->depth);
  end(out, at);
  flush(out);
}
