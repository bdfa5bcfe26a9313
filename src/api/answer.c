/* answer.c - see answer.h. */
#include "api/answer.h"

#include "base/caret.h"
#include "base/memory.h"
#include "base/source.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

static const struct {
  lpmln_answer about;
  max_align_t nothing[64];
} no_time = {.about = {.status = LPMLN_LIMIT,
                       .diagnostic_count = 1,
                       .diagnostics =
                           &(const lpmln_diagnostic){
                               .severity = LPMLN_WARNING,
                               .message = "the time limit was reached while reading the texts",
                               .hint = "raise it with option time_limit"},
                       .messages =
                           "lpmln: warning: the time limit was reached while reading the texts\n"
                           "    hint: raise it with option time_limit\n"}},
  interrupted = {.about = {.status = LPMLN_INTERRUPTED, .messages = ""}};

const void *answer_no_memory(void) { return &no_memory; }

const void *answer_stopped(Status status) {
  assert(status == LIMIT || status == INTERRUPTED);
  return status == LIMIT ? &no_time : &interrupted;
}

static bool is_constant(const void *answer) {
  return answer == &no_memory || answer == &no_time || answer == &interrupted;
}

Answer answer_begin(size_t size) {
  assert(size >= sizeof(lpmln_answer) && size <= sizeof no_memory);
  Answer a = {0};
  Held *held = arena_zero(&a.arena, 1, sizeof *held + size);
  a.content = held->content;
  return a;
}

/* What is missing at the end of a text is missing behind its last character. */
static uint32_t shown_offset(const Source *s, uint32_t offset) {
  size_t end = s->length;
  while (end && isspace((unsigned char)s->bytes[end - 1]))
    end--;
  return offset < s->length || !end ? offset : (uint32_t)end - 1;
}

static lpmln_diagnostic diagnostic_of(Arena *arena, const Sources *sources, const Diagnostic *d) {
  assert(d->place.source == NONE_SOURCE || d->place.source < sources->list.n);
  lpmln_diagnostic to = {.severity = d->severity,
                         .message = arena_text(arena, d->message),
                         .hint = arena_text(arena, d->hint)};
  if (d->place.source == NONE_SOURCE)
    return to;
  const Source *source = &sources->list.at[d->place.source];
  to.file = arena_text(arena, source->name);
  if (d->place.offset == WHOLE_FILE)
    return to;
  Position at = source_position(source, shown_offset(source, d->place.offset));
  uint32_t left = at.length >= at.column ? at.length - at.column + 1 : 1;
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

static const void *hand_over(Answer *a, Status status) {
  assert(a->content && status <= LPMLN_INTERRUPTED);
  ((lpmln_answer *)a->content)->status = status;
  Held *held = (Held *)((char *)a->content - offsetof(Held, content));
  held->arena = a->arena;
  return a->content;
}

const void *answer_end(Answer *a, Status status, const Diagnostics *texts,
                       const Diagnostics *question) {
  assert(question);
  write_diagnostics(a, texts, question);
  return hand_over(a, status);
}

typedef VEC(lpmln_diagnostic) Gathered;

static bool is_said(const Gathered *list, const lpmln_diagnostic *d) {
  for (size_t i = 0; i < list->n; i++) {
    const lpmln_diagnostic *old = &list->at[i];
    bool same_file = d->file && old->file ? !strcmp(d->file, old->file) : d->file == old->file;
    if (same_file && d->line == old->line && d->column == old->column &&
        !strcmp(d->message, old->message))
      return true;
  }
  return false;
}

static lpmln_diagnostic copy_of(Arena *arena, const lpmln_diagnostic *d) {
  lpmln_diagnostic to = *d;
  to.file = arena_text(arena, d->file);
  to.message = arena_text(arena, d->message);
  to.hint = arena_text(arena, d->hint);
  to.source = arena_text(arena, d->source);
  return to;
}

const void *answer_gather(Answer *a, Status status, const void *const *answers, size_t count) {
  lpmln_answer *about = a->content;
  Gathered list = {0};
  Text text = {0};
  for (size_t i = 0; i < count; i++) {
    const lpmln_answer *from = answers[i];
    for (size_t k = 0; from && k < from->diagnostic_count; k++)
      if (!is_said(&list, &from->diagnostics[k])) {
        vec_push(&list, copy_of(&a->arena, &from->diagnostics[k]));
        caret_write(&text, &from->diagnostics[k]);
      }
  }
  about->diagnostic_count = list.n;
  about->diagnostics = arena_take(&a->arena, &list);
  about->messages = arena_bytes(&a->arena, text.at, text.n);
  vec_free(&text);
  return hand_over(a, status);
}

void lpmln_answer_free(const void *answer) {
  if (!answer || is_constant(answer))
    return;
  const Held *held = (const Held *)((const char *)answer - offsetof(Held, content));
  Arena arena = held->arena;
  arena_free(&arena);
}
