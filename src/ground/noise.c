/* noise.c - noise atoms: `a :- noise(k).  -u : noise(k).` for each atom a that was
** observed, so that an observation which the program can't explain is possible
** but improbable. */
#include "learn/learning.h"

#include "ground/script.h"

#include <stdlib.h>

static bool is_ground(const Token *t, Range r) {
  bool plain = !range_empty(r) && t[r.from + (t[r.from].kind == T_MINUS)].kind == T_IDENTIFIER;
  for (uint32_t i = r.from; i < r.to; i++)
    plain &= t[i].kind != T_VARIABLE && t[i].kind != T_ANONYMOUS && t[i].kind != T_DOTS &&
             t[i].kind != T_SEMICOLON;
  return plain;
}

/* Does the statement say that a ground atom was observed?  Which one? */
static bool observed_atom(const Program *program, const Statement *s, Range *atom) {
  const Token *t = program_tokens(program, s);
  Parts parts = {0};
  program_parts(program, s, s->body, &parts);
  bool single = parts.n == 1 && !parts.at[0].conditional && !parts.at[0].braces;
  bool negated = s->kind == S_RULE || s->denied;
  vec_free(&parts);
  *atom = s->body;
  for (; single && atom->from < atom->to && t[atom->from].kind == T_NOT; atom->from++)
    negated = !negated;
  return single && !negated && is_ground(t, *atom);
}

char *noise_rules(const lpmln *p, double weight) {
  const Program *program = &p->program;
  Names atoms = {0};
  Text text = {0}, atom = {0};
  char *noise = fresh_name(program, "noise", false);
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    Range range;
    if (s->block == PROGRAM_BLOCK || s->block >= p->tests || !observed_atom(program, s, &range))
      continue;
    atom.n = 0;
    program_write(program, s, range, &atom);
    size_t known = atoms.list.n;
    if (names_add(&atoms, atom.at, atom.n) == known)
      text_printf(&text, "%s :- %s(%zu).\n%.17g : %s(%zu).\n", atom.at, noise, known, -weight,
                  noise, known);
  }
  names_free(&atoms);
  vec_free(&atom);
  free(noise);
  return text.n ? text_take(&text) : NULL;
}
