/* texts.c - what a question was about: its texts, and what is certain in it. */
#include "api/bundle.h"
#include "api/problem.h"

#include <string.h>

/* The role of a source; false for what is no text of the user's: queries, constants
** and the bytes of a compiled file. */
static bool role_of(const lpmln *p, uint32_t source, lpmln_role *role) {
  const Source *text = &p->program.sources.list.at[source];
  *role = LPMLN_PROGRAM; /* an included file */
  for (size_t i = 0; i < p->inputs.n; i++)
    if (p->inputs.at[i].source == source && !strcmp(p->inputs.at[i].name, text->name)) {
      *role = p->inputs.at[i].role;
      return !bundle_recognise(text->bytes, text->length);
    }
  for (size_t i = 0; i < p->bundle.inputs.n; i++)
    if (!strcmp(p->bundle.sources.at[p->bundle.inputs.at[i].source].name, text->name))
      *role = p->bundle.inputs.at[i].role;
  return text->name[0] != '<';
}

static const lpmln_text *collect_texts(lpmln *p, size_t *count) {
  VEC(lpmln_text) list = {0};
  for (uint32_t i = 0; i < p->program.sources.list.n; i++) {
    const Source *text = &p->program.sources.list.at[i];
    lpmln_role role;
    if (role_of(p, i, &role))
      vec_push(&list, (lpmln_text){role, text->name, text->bytes, text->length});
  }
  vec_push(&p->answers, list.at);
  *count = list.n;
  return list.at;
}

const lpmln_text *lpmln_texts(lpmln *p, size_t *count) {
  MemoryGuard guard;
  *count = 0;
  const lpmln_text *list = memory_guard(&guard) ? NULL : collect_texts(p, count);
  memory_unguard(&guard);
  return list;
}

static const char *const *collect_atoms(lpmln *p, size_t *count) {
  VEC(const char *) list = {0};
  for (Atom a = 0; p->ground.sealed && a < p->ground.atoms.n; a++) {
    const AtomInfo *atom = &p->ground.atoms.at[a];
    if (atom->truth == ATOM_CERTAIN && atom->name != NONE)
      vec_push(&list, ground_text(&p->ground, atom->name));
  }
  vec_push(&p->answers, (void *)list.at);
  *count = list.n;
  return list.at;
}

const char *const *lpmln_certain_atoms(lpmln *p, size_t *count) {
  MemoryGuard guard;
  *count = 0;
  const char *const *list = memory_guard(&guard) ? NULL : collect_atoms(p, count);
  memory_unguard(&guard);
  return list;
}
