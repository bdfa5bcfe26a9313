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

/* ---- the largest predicate ---------------------------------------------------------- */

typedef struct {
  const char *name;
  size_t atoms;
  int number; /* the first argument of its last atom */
} Largest;

static int first_number(clingo_symbol_t symbol) {
  const clingo_symbol_t *arguments;
  size_t n = 0;
  int number = 0;
  if (!clingo_symbol_arguments(symbol, &arguments, &n) || !n ||
      clingo_symbol_type(arguments[0]) != clingo_symbol_type_number ||
      !clingo_symbol_number(arguments[0], &number))
    return 0;
  return number;
}

static bool count_signature(const clingo_symbolic_atoms_t *atoms, clingo_signature_t signature,
                            Largest *largest) {
  clingo_symbolic_atom_iterator_t i;
  clingo_symbol_t symbol = 0;
  size_t n = 0;
  bool valid;
  if (!clingo_symbolic_atoms_begin(atoms, &signature, &i))
    return false;
  for (; clingo_symbolic_atoms_is_valid(atoms, i, &valid) && valid; n++)
    if (!clingo_symbolic_atoms_symbol(atoms, i, &symbol) ||
        !clingo_symbolic_atoms_next(atoms, i, &i))
      return false;
  if (n > largest->atoms)
    *largest = (Largest){clingo_signature_name(signature), n, first_number(symbol)};
  return true;
}

static void tell_largest(const Endless *e, Buffer *out) {
  const clingo_symbolic_atoms_t *atoms;
  size_t n = 0;
  Largest largest = {0};
  if (!clingo_control_symbolic_atoms(e->control, &atoms) ||
      !clingo_symbolic_atoms_signatures_size(atoms, &n) || !n)
    return;
  clingo_signature_t *signatures = allocate(n, sizeof *signatures);
  bool good = clingo_symbolic_atoms_signatures(atoms, signatures, n);
  for (size_t i = 0; good && i < n; i++)
    good = count_signature(atoms, signatures[i], &largest);
  free(signatures);
  if (!good || !largest.atoms)
    return;
  size_t at = begin(out, REPLY_LARGEST);
  reply_string(out, largest.name, strlen(largest.name));
  reply_u32(out, (uint32_t)largest.atoms);
  reply_u32(out, (uint32_t)e->rules);
  reply_u32(out, largest.number > 0 ? (uint32_t)largest.number : 0);
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
