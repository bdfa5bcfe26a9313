/* sources.c - what a program is made of: its texts, and what is certain in it. */
#include "api/handle.h"

#include "api/model.h"
#include "api/sealed.h"
#include "base/arena.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "ground/ground.h"
#include "ground/read.h"
#include "infer/task.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The role of a source; false for what is no text of the user's: queries, constants and
** the bytes of a compiled file. */
static bool role_of(const Sealed *s, uint32_t source, lpmln_role *role) {
  assert(source < s->program.sources.list.n);
  const Source *text = &s->program.sources.list.at[source];
  *role = LPMLN_PROGRAM; /* an included file */
  for (size_t i = 0; i < s->texts.n; i++)
    if (s->texts.at[i].source == source) {
      *role = s->texts.at[i].role;
      return true;
    }
  return text->name[0] != '<' && !text->derived && !model_recognise(text->bytes, text->length);
}

/* A table that lies on the disk need not fit into memory. */
static bool is_cut(const Source *text, lpmln_role role) { return text->view && role == LPMLN_DATA; }

static lpmln_text text_of(const Task *t, const Source *text, lpmln_role role) {
  enum { FIRST = 1 << 16 };
  lpmln_text to = {.role = role,
                   .name = arena_text(t->answer, text->name),
                   .length = text->length,
                   .cut = is_cut(text, role)};
  if (to.cut)
    for (to.length = FIRST; to.length && text->bytes[to.length - 1] != '\n';)
      to.length--;
  to.bytes = arena_bytes(t->answer, text->bytes, to.length);
  return to;
}

static void fill_texts(const Task *t, const Sealed *s, lpmln_sources *answer) {
  VEC(lpmln_text) list = {0};
  for (uint32_t i = 0; i < s->program.sources.list.n; i++) {
    lpmln_role role;
    if (role_of(s, i, &role))
      vec_push(&list, text_of(t, &s->program.sources.list.at[i], role));
  }
  answer->text_count = list.n;
  answer->texts = arena_take(t->answer, &list);
}

static void fill_certain(const Task *t, const Ground *g, lpmln_sources *answer) {
  VEC(const char *) list = {0};
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].truth == ATOM_CERTAIN && g->atoms.at[a].name != NONE)
      vec_push(&list, arena_text(t->answer, ground_text(g, g->atoms.at[a].name)));
  answer->certain_count = list.n;
  answer->certain = arena_take(t->answer, &list);
}

/* A compiled file that answers by itself has the atoms. */
static Status fill(Task *t, Sealed *s, void *answer, const void *data) {
  const lpmln_program *p = data;
  bool told = !s->ground && p->model;
  fill_texts(t, s, answer);
  fill_certain(t, told ? &p->model->sealed->is.ground : t->ground, answer);
  return OK;
}

/* As the last question read them. */
const lpmln_sources *lpmln_program_sources(lpmln_program *p) {
  Reading reading = p && p->sealed ? p->sealed->reading : (Reading){0};
  return ask(p, &(Request){.size = sizeof(lpmln_sources),
                           .reading = reading,
                           .unground = p && p->sealed,
                           .run = fill,
                           .data = p});
}
