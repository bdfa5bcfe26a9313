/* sides_journal.c - what sampled sides were asked, in the journal; see sides.h.
**
** A record has the moments and the states of all chains after them, so that a resumed run, which
** reads answers back as long as they last, goes on from there with the same samples. */
#include "learn/sides.h"

#include "base/memory.h"
#include "learn/journal.h"
#include "sample/chains.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LETTER = 'm', SINGLE = 6 };

static size_t state_words(const Sides *s) {
  size_t words = 0;
  for (size_t i = 0; i < s->count; i++)
    words += s->side[i].begun ? chains_words(&s->side[i].mixed.chains) : 0;
  return words;
}

/* Matrices are symmetric. */
static size_t triangle(const Moments *m) { return m->wide ? m->n : (size_t)m->n * (m->n + 1) / 2; }

static size_t record_words(const Sides *s, const Moments *m) {
  return 3 * (size_t)m->n + 3 * triangle(m) + SINGLE + state_words(s);
}

/* ---- words of moments -------------------------------------------------------------------- */

/* One list to the record, or back. */
typedef struct {
  double *at;
  bool back;
} Copying;

static void copy(Copying *c, double *list, size_t n) {
  if (c->back)
    memcpy(list, c->at, n * sizeof *list);
  else
    memcpy(c->at, list, n * sizeof *list);
  c->at += n;
}

static void copy_matrix(Copying *c, const Moments *m, double *matrix) {
  if (m->wide) {
    copy(c, matrix, m->n);
    return;
  }
  for (uint32_t i = 0; i < m->n; i++) {
    copy(c, matrix + (size_t)i * m->n, i + 1);
    for (uint32_t k = 0; c->back && k < i; k++)
      matrix[(size_t)k * m->n + i] = matrix[(size_t)i * m->n + k];
  }
}

static void copy_all(Copying *c, Sides *s, const Moments *m) {
  double single[SINGLE] = {s->rhat, s->ess[0], s->ess[1], s->near, s->heuristic, s->along};
  copy(c, m->gradient, m->n);
  copy(c, m->observed, m->n);
  copy(c, m->expected, m->n);
  copy_matrix(c, m, m->program);
  copy_matrix(c, m, m->curvature);
  copy_matrix(c, m, m->noise);
  copy(c, single, SINGLE);
  s->rhat = single[0], s->ess[0] = single[1], s->ess[1] = single[2];
  s->near = single[3] != 0, s->heuristic = single[4] != 0, s->along = single[5];
}

/* ---- records ------------------------------------------------------------------------------ */

/* Chains go to where they were when the last record was written. */
static void catch_up(Sides *s) {
  const uint64_t *from = s->state;
  assert(s->behind && from);
  for (size_t i = 0; i < s->count; i++)
    if (s->side[i].begun) {
      chains_restore(&s->side[i].mixed.chains, from);
      from += chains_words(&s->side[i].mixed.chains);
    }
  s->behind = false;
}

bool sides_read(Sides *s, const double *question, Moments *m) {
  Journal *j = &s->l->journal;
  size_t words = record_words(s, m), state = state_words(s);
  if (!j->reading && !s->behind)
    return false;
  double *record = memory_zero(words, sizeof *record);
  bool found = journal_read(j, LETTER, question, m->n + 1, record, (uint32_t)words);
  if (found) {
    Copying c = {record, true};
    copy_all(&c, s, m);
    s->state = memory_resize(s->state, state, sizeof *s->state);
    memcpy(s->state, c.at, state * sizeof *s->state);
    s->behind = true, s->unsettled = false;
  } else if (s->behind) {
    catch_up(s);
  }
  free(record);
  return found;
}

void sides_write(Sides *s, const double *question, const Moments *m) {
  Journal *j = &s->l->journal;
  if (!j->path)
    return;
  size_t words = record_words(s, m), state = state_words(s);
  double *record = memory_zero(words, sizeof *record);
  uint64_t *states = memory_zero(state, sizeof *states), *at = states;
  Copying c = {record, false};
  copy_all(&c, s, m);
  for (size_t i = 0; i < s->count; i++)
    if (s->side[i].begun) {
      chains_save(&s->side[i].mixed.chains, at);
      at += chains_words(&s->side[i].mixed.chains);
    }
  memcpy(c.at, states, state * sizeof *states);
  journal_write(j, LETTER, question, m->n + 1, record, (uint32_t)words);
  free(states);
  free(record);
}
