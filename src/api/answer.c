/* answer.c - see answer.h. */
#include "api/answer.h"

#include "base/caret.h"
#include "base/memory.h"
#include "base/source.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* What stands before the content of an answer. */
typedef struct {
  Arena arena;
  max_align_t content[];
} Held;

/* Every answer type is smaller than this. */
static const struct {
  lpmln_answer about;
  max_align_t nothing[64];
} no_memory = {.about = {.status = LPMLN_LIMIT,
                         .diagnostic_count = 1,
                         .diagnostics = &(const lpmln_diagnostic){.severity = LPMLN_ERROR,
                                                                  .message = "memory is out"},
                         .messages = "lpmln: error: memory is out\n"}};

const void *answer_no_memory(void) { return &no_memory; }

Answer answer_begin(size_t size) {
  assert(size >= sizeof(lpmln_answer) && size <= sizeof no_memory);
  Answer a = {0};
  Held *held = arena_zero(&a.arena, 1, sizeof *held + size);
  a.content = held->content;
  return a;
}

static lpmln_diagnostic diagnostic_of(Arena *arena, const Sources *sources, const Diagnostic *d) {
  assert(d->place.source == NONE_SOURCE || d->place.source < sources->list.n);
  lpmln_diagnostic to = {.severity = d->severity,
                         .message = arena_text(arena, d->message),
                         .hint = arena_text(arena, d->hint)};
  if (d->place.source == NONE_SOURCE)
    return to;
  const Source *source = &sources->list.at[d->place.source];
  Position at = source_position(source, d->place.offset);
  uint32_t left = at.length >= at.column ? at.length - at.column + 1 : 1;
  to.file = arena_text(arena, source->name);
  to.line = at.line, to.column = at.column;
  to.length = d->place.length < left ? d->place.length : left;
  to.source = arena_bytes(arena, source->bytes + at.start, at.length);
  return to;
}

static void write_diagnostics(Answer *a, const Diagnostics *texts, const Diagnostics *question) {
  lpmln_answer *about = a->content;
  size_t first = texts ? texts->list.n : 0, n = first + question->list.n;
  lpmln_diagnostic *list = arena_zero(&a->arena, n, sizeof *list);
  Text text = {0};
  for (size_t i = 0; i < n; i++) {
    const Diagnostics *from = i < first ? texts : question;
    list[i] = diagnostic_of(&a->arena, from->sources, &from->list.at[i < first ? i : i - first]);
    caret_write(&text, &list[i]);
  }
  about->diagnostic_count = n;
  about->diagnostics = list;
  about->messages = arena_bytes(&a->arena, text.at, text.n);
  vec_free(&text);
}

const void *answer_end(Answer *a, Status status, const Diagnostics *texts,
                       const Diagnostics *question) {
  assert(a->content && question && status <= LPMLN_INTERRUPTED);
  ((lpmln_answer *)a->content)->status = status;
  write_diagnostics(a, texts, question);
  Held *held = (Held *)((char *)a->content - offsetof(Held, content));
  held->arena = a->arena;
  return a->content;
}

void lpmln_answer_free(const void *answer) {
  if (!answer || answer == &no_memory)
    return;
  const Held *held = (const Held *)((const char *)answer - offsetof(Held, content));
  Arena arena = held->arena;
  arena_free(&arena);
}
