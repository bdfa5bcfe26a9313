/* search.c - see search.h. */
#include "compile/search.h"

#include "base/limits.h"
#include "compile/ahead.h"
#include "compile/memo.h"
#include "compile/progress.h"
#include "compile/relay.h"
#include "ground/ground.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 20000 }; /* words of a theory, above which near comes first */
/* How often limits are looked at: a branch may be a few words or millions. */
enum { LOOK_BRANCHES = 256, LOOK_WORK = 500000 };

void search_begin(Search *s, const Theory *t, Circuit *c, const uint32_t *variable,
                  SearchChoice choice) {
  assert(t->mirror.n <= t->atoms);
  *s = (Search){.theory = t,
                .circuit = c,
                .variable = variable,
                .choice = choice,
                .way = t->rules.n < LARGE ? WAY_FAR : WAY_NEAR};
  residual_begin(&s->residual, t);
  vec_reserve(&s->results, 1); /* so that offsets are never from NULL */
}

void search_free(Search *s) {
  residual_free(&s->residual);
  vec_free(&s->frames);
  free(s->rank);
  free(s->down);
  vec_free(&s->results);
  vec_free(&s->cuts);
  memo_free(&s->memo);
  ahead_free(s->crew);
  *s = (Search){0};
}

void search_forget(Search *s) { memo_free(&s->memo); }

void search_remember(Search *s, const ResidualKey *key, uint32_t node) {
  assert(s->relay || node < s->circuit->nodes.n);
  memo_add(&s->memo, key, (uintptr_t)node + 1, s->ahead ? ahead_lock(s->ahead) : NULL);
}

uint32_t search_find(const Search *s, const ResidualKey *key) {
  uintptr_t found = memo_find(&s->memo, key);
  return found ? (uint32_t)(found - 1) : CIRCUIT_NONE;
}

/* ---- branches ------------------------------------------------------------------------ */

/* What simplifying found when a helper did it. */
static void follow_step(Search *s, const AheadBranch *b) {
  s->residual.work += b->work;
  if (b->conflict)
    vec_push(&s->results, CIRCUIT_FALSE);
  for (uint32_t i = 0; i < b->tolds; i++)
    vec_push(&s->results, circuit_literal(s->circuit, b->told[i] >> 1, b->told[i] & 1));
  for (uint32_t i = 0; i < b->parts; i++)
    vec_push(&s->residual.parts, b->part[i]);
}

/* Simplifies under the branch's decision and pushes what it told as nodes. */
static void start_branch(Search *s, SearchFrame *f, bool fresh) {
  Residual *r = &s->residual;
  f->words = r->words.n, f->next = f->parts = r->parts.n, f->results = s->results.n;
  uint32_t decision = f->input == THEORY_NONE ? THEORY_NONE : lit_of(f->input, f->low);
  s->branches++;
  if (f->step && !s->helps) {
    follow_step(s, &f->step->branch[f->low]);
    return;
  }
  uint64_t work = r->work;
  bool possible = residual_simplify(r, &f->part, decision, fresh);
  if (f->step)
    ahead_branch(s->helps, &f->step->branch[f->low], r->work - work, !possible, f->parts);
  if (!possible)
    vec_push(&s->results, CIRCUIT_FALSE);
  for (size_t i = 0; i < r->told.n && possible && !s->helps; i++) {
    uint32_t variable = s->variable[r->told.at[i] >> 1];
    if (variable != CIRCUIT_NONE)
      vec_push(&s->results, circuit_literal(s->circuit, variable, r->told.at[i] & 1));
  }
}

static uint32_t choose(const Search *s, const ResidualPart *part) {
  uint32_t first = s->first ? residual_choose_of(&s->residual, part, s->first) : THEORY_NONE;
  if (first != THEORY_NONE)
    return first;
  switch (s->way) {
  case WAY_NEAR: return residual_choose_near(&s->residual, part);
  case WAY_HEADS: return residual_choose_head(&s->residual, part);
  case WAY_DOWN: return residual_choose_next(&s->residual, part);
  case WAY_TREE: return residual_choose_first(&s->residual, part);
  default: return residual_choose_far(&s->residual, part);
  }
}

static void open_frame(Search *s, const ResidualPart *part) {
  AheadStep *step = s->ahead ? ahead_find(s->ahead, part) : NULL;
  s->lost |= !step && !ahead_has_words(part);
  if (s->lost)
    return;
  uint32_t input = step ? step->input : choose(s, part);
  if (s->helps)
    step = ahead_begin(s->helps, part, input);
  bool low = s->helps && ahead_low_first(s->helps, &part->key);
  vec_push(&s->frames, (SearchFrame){.part = *part, .input = input, .low = low, .step = step});
  s->deepest = s->frames.n > s->deepest ? s->frames.n : s->deepest;
  start_branch(s, &s->frames.at[s->frames.n - 1], false);
}

/* A part of the whole question may tell derived atoms that nobody asks for; below a decision
** that would be wrong, because the other branch does not tell them. */
static uint32_t find_part(const Search *s, const ResidualKey *key) {
  uint32_t node = search_find(s, key);
  for (size_t i = 0; node == CIRCUIT_NONE && s->frames.n == 1 && i < s->cuts.n; i++)
    if (s->cuts.at[i].key.word[0] == key->word[0] && s->cuts.at[i].key.word[1] == key->word[1])
      node = s->cuts.at[i].node;
  return node;
}

/* Solves the branch's next part from the memo, or opens a frame for it. */
static void next_part(Search *s) {
  assert(s->frames.n && s->frames.at[s->frames.n - 1].next < s->residual.parts.n);
  SearchFrame *f = &s->frames.at[s->frames.n - 1];
  ResidualPart part = s->residual.parts.at[f->next++];
  if (s->helps)
    ahead_note_order(&s->residual, &part);
  uint32_t node = s->helps ? ahead_known(s->helps, &part) : find_part(s, &part.key);
  if (node == CIRCUIT_NONE) {
    if (s->ahead)
      ahead_note_order(&s->residual, &part);
    open_frame(s, &part);
    return;
  }
  if (node == CIRCUIT_FALSE) /* the rest of the branch does not matter */
    f->next = s->residual.parts.n;
  vec_push(&s->results, node);
}

/* A helper only wants to know whether there are models. */
static uint32_t make_product(const Search *s, const uint32_t *nodes, size_t n) {
  if (!s->helps)
    return circuit_product(s->circuit, nodes, n);
  for (size_t i = 0; i < n; i++)
    if (nodes[i] == CIRCUIT_FALSE)
      return CIRCUIT_FALSE;
  return CIRCUIT_TRUE;
}

static uint32_t make_decision(Search *s, const SearchFrame *f, uint32_t node) {
  assert(f->second && s->variable[f->input] != CIRCUIT_NONE);
  uint32_t high = f->low ? f->other : node, low = f->low ? node : f->other;
  if (s->helps) {
    bool none = high == CIRCUIT_FALSE && low == CIRCUIT_FALSE;
    ahead_end(s->helps, f->step, none);
    return none ? CIRCUIT_FALSE : CIRCUIT_TRUE;
  }
  node = circuit_decision(s->circuit, s->variable[f->input], high, low);
  search_remember(s, &f->part.key, node);
  return node;
}

/* The branch is through: its product, and the stacks as they were before. */
static uint32_t end_branch(Search *s, const SearchFrame *f) {
  assert(f->results <= s->results.n && f->words <= s->residual.words.n);
  assert(f->parts <= s->residual.parts.n);
  uint32_t node = make_product(s, s->results.at + f->results, s->results.n - f->results);
  s->results.n = f->results;
  s->residual.words.n = f->words;
  s->residual.parts.n = f->parts;
  return node;
}

/* Goes on to the other branch, or makes the decision and closes the frame. */
static void advance(Search *s, uint32_t node) {
  assert(s->frames.n > 1); /* the first is the question's */
  SearchFrame *f = &s->frames.at[s->frames.n - 1];
  if (!f->second) {
    f->other = node;
    f->second = true, f->low = !f->low;
    start_branch(s, f, false);
    return;
  }
  node = make_decision(s, f, node);
  s->frames.n--;
  f = &s->frames.at[s->frames.n - 1];
  if (node == CIRCUIT_FALSE)
    f->next = s->residual.parts.n;
  vec_push(&s->results, node);
}

/* But for the circuit. */
static size_t memory_used(const Search *s) {
  return (s->ahead ? ahead_memory(s->ahead) : 0) + s->memo.room * sizeof *s->memo.at +
         s->residual.words.room * sizeof(uint32_t);
}

static bool too_large(const Search *s, const SearchLimits *limits) {
  const Circuit *c = s->circuit;
  size_t used = memory_used(s);
  if (s->relay)
    return relay_look(s->relay, used);
  return (limits->nodes && c->nodes.n > limits->nodes) ||
         (limits->memory && used + circuit_memory(c) > limits->memory);
}

Status search_check(const Search *s, const SearchLimits *limits, size_t before) {
  if (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed))
    return INTERRUPTED;
  if (limits->branches && s->branches - before > limits->branches)
    return LIMIT;
  if (too_large(s, limits))
    return LIMIT;
  return limits->deadline > 0 && clock_now() > limits->deadline ? LIMIT : OK;
}

double search_progress(const Search *s) {
  Progress p = {0};
  for (size_t i = s->frames.n; i-- > 0;) {
    const SearchFrame *f = &s->frames.at[i];
    size_t end = i + 1 < s->frames.n ? s->frames.at[i + 1].parts : f->next;
    double parts = end > f->parts ? (double)(end - f->parts) : 1;
    double done = f->next > f->parts ? (double)(f->next - f->parts - 1) : 0;
    progress_add(&p, i, i && f->low, done, parts);
  }
  return progress_log2(&p);
}

/* What one way has seen is seen. */
void search_tell(const SearchLimits *limits, double share) {
  if (limits->explored &&
      exp2(share) > atomic_load_explicit(limits->explored, memory_order_relaxed))
    atomic_store_explicit(limits->explored, exp2(share), memory_order_relaxed);
}

void search_start(Search *s) {
  s->results.n = s->frames.n = 0;
  ResidualPart whole = {.end = s->residual.words.n};
  vec_push(&s->frames, (SearchFrame){.part = whole, .input = THEORY_NONE});
  start_branch(s, &s->frames.at[0], true);
}

Status search_run(Search *s, const SearchLimits *limits, size_t before, uint64_t budget,
                  uint32_t *node) {
  uint64_t end = s->residual.work + budget, look = 0;
  *node = CIRCUIT_NONE;
  while (s->residual.work < end) {
    const SearchFrame *f = &s->frames.at[s->frames.n - 1];
    if (f->next < s->residual.parts.n) {
      next_part(s);
      bool due = s->helps || s->branches % LOOK_BRANCHES == 0 || s->residual.work >= look;
      look = due ? s->residual.work + LOOK_WORK : look;
      Status status = s->lost ? INTERNAL : due ? search_check(s, limits, before) : OK;
      if (due && limits->explored)
        search_tell(limits, search_progress(s));
      if (status != OK)
        return status;
      continue;
    }
    uint32_t product = end_branch(s, f);
    if (f->input == THEORY_NONE) {
      *node = product;
      return OK;
    }
    advance(s, product);
  }
  return OK;
}
