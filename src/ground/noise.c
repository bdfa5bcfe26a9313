/* noise.c - noise atoms: `a :- noise(k).  -u : noise(k).` for each atom a that was
** observed, so that an observation which the program can't explain is possible
** but improbable. */
#include "ground/noise.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/number.h"
#include "ground/script.h"
#include "language/lexer.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static bool is_ground(const Token *t, Range r) {
  bool ground = true;
  for (uint32_t i = r.from; i < r.to; i++)
    ground &= t[i].kind != T_VARIABLE && t[i].kind != T_ANONYMOUS && t[i].kind != T_DOTS &&
              t[i].kind != T_SEMICOLON;
  return ground;
}

/* Does the statement say that a ground atom was observed?  Which one? */
static bool observed_atom(const Program *program, const Statement *s, Range *atom) {
  bool negated;
  return script_observed(program, s, atom, &negated) && !negated &&
         is_ground(program_tokens(program, s), *atom);
}

char *noise_predicate(const Program *program) { return fresh_name(program, "noise", false); }

char *noise_rules(const Program *program, uint32_t tests, const char *noise, double weight) {
  assert(noise && isfinite(weight));
  Names atoms = {0};
  Text text = {0}, atom = {0};
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    Range range;
    if (s->block == PROGRAM_BLOCK || s->block >= tests || !observed_atom(program, s, &range))
      continue;
    atom.n = 0;
    program_write(program, s, range, &atom);
    size_t known = atoms.list.n;
    if (names_add(&atoms, atom.at, atom.n) == known)
      text_printf(&text, "%s :- %s(%zu).\n%s : %s(%zu).\n", atom.at, noise, known,
                  NUMBER_SHORT(-weight, 17), noise, known);
  }
  names_free(&atoms);
  vec_free(&atom);
  return text.n ? text_take(&text) : NULL;
}
