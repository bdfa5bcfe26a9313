/* search.c - see search.h. */
#include "compile/search.h"

#include "base/limits.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 20000 };   /* words of a theory, above which near comes first */
#define AHEAD 1e-4        /* a progress that says something */
#define FAR_AHEAD 50      /* ratio of two of them */
#define STUCK 0.99        /* share of the rest that is still there after twice the work */
enum { BUDGET = 500000 }; /* work of the first attempt: a few milliseconds */

void search_begin(Search *s, const Theory *t, Circuit *c, const uint32_t *variable,
                  SearchChoice choice) {
  assert(t->mirror.n <= t->atoms);
  *s = (Search){.theory = t,
                .circuit = c,
                .variable = variable,
                .choice = choice,
                .far = choice == CHOOSE_FAR || (choice == CHOOSE_BOTH && t->rules.n < LARGE)};
  residual_begin(&s->residual, t);
  vec_reserve(&s->results, 1); /* so that offsets are never from NULL */
}

void search_free(Search *s) {
  residual_free(&s->residual);
  vec_free(&s->frames);
  vec_free(&s->results);
  free(s->memo);
  *s = (Search){0};
}

void search_forget(Search *s) {
  free(s->memo);
  s->memo = NULL;
  s->memo_room = s->memo_used = 0;
}

static SearchMemo *memo_at(const Search *s, const ResidualKey *key) {
  assert(s->memo_used < s->memo_room && !(s->memo_room & (s->memo_room - 1)));
  size_t at = key->word[0] & (s->memo_room - 1);
  while (s->memo[at].used &&
         (s->memo[at].key.word[0] != key->word[0] || s->memo[at].key.word[1] != key->word[1]))
    at = (at + 1) & (s->memo_room - 1);
  return &s->memo[at];
}

static void memo_grow(Search *s) {
  SearchMemo *old = s->memo;
  size_t room = s->memo_room;
  s->memo_room = room ? 2 * room : 64;
  s->memo = memory_zero(s->memo_room, sizeof *s->memo);
  for (size_t i = 0; i < room; i++)
    if (old[i].used)
      *memo_at(s, &old[i].key) = old[i];
  free(old);
}

static void memo_add(Search *s, const ResidualKey *key, uint32_t node) {
  assert(node < s->circuit->nodes.n);
  if (2 * (s->memo_used + 1) > s->memo_room)
    memo_grow(s);
  SearchMemo *memo = memo_at(s, key);
  if (memo->used)
    return;
  *memo = (SearchMemo){*key, node, true};
  s->memo_used++;
}

static uint32_t memo_find(const Search *s, const ResidualKey *key) {
  if (!s->memo_room)
    return CIRCUIT_NONE;
  const SearchMemo *memo = memo_at(s, key);
  return memo->used ? memo->node : CIRCUIT_NONE;
}

/* Simplifies under the branch's decision and pushes what it told as nodes. */
static void start_branch(Search *s, SearchFrame *f, bool fresh) {
  Residual *r = &s->residual;
  f->words = r->words.n, f->next = f->parts = r->parts.n, f->results = s->results.n;
  uint32_t decision = f->input == THEORY_NONE ? THEORY_NONE : lit_of(f->input, f->low);
  s->branches++;
  if (!residual_simplify(r, &f->part, decision, fresh)) {
    vec_push(&s->results, CIRCUIT_FALSE);
    return;
  }
  for (size_t i = 0; i < r->told.n; i++) {
    uint32_t variable = s->variable[r->told.at[i] >> 1];
    if (variable != CIRCUIT_NONE)
      vec_push(&s->results, circuit_literal(s->circuit, variable, r->told.at[i] & 1));
  }
}

/* Solves the branch's next part from the memo, or opens a frame for it. */
static void next_part(Search *s) {
  assert(s->frames.n && s->frames.at[s->frames.n - 1].next < s->residual.parts.n);
  SearchFrame *f = &s->frames.at[s->frames.n - 1];
  ResidualPart part = s->residual.parts.at[f->next++];
  uint32_t node = memo_find(s, &part.key);
  if (node == CIRCUIT_NONE) {
    vec_push(&s->frames, (SearchFrame){.part = part});
    f = &s->frames.at[s->frames.n - 1];
    f->input = s->far ? residual_choose_far(&s->residual, &part)
                      : residual_choose_near(&s->residual, &part);
    s->deepest = s->frames.n > s->deepest ? s->frames.n : s->deepest;
    start_branch(s, f, false);
    return;
  }
  if (node == CIRCUIT_FALSE) /* the rest of the branch does not matter */
    f->next = s->residual.parts.n;
  vec_push(&s->results, node);
}

/* The branch is through: its product, and the stacks as they were before. */
static uint32_t end_branch(Search *s, const SearchFrame *f) {
  assert(f->results <= s->results.n && f->words <= s->residual.words.n);
  assert(f->parts <= s->residual.parts.n);
  uint32_t node =
      circuit_product(s->circuit, s->results.at + f->results, s->results.n - f->results);
  s->results.n = f->results;
  s->residual.words.n = f->words;
  s->residual.parts.n = f->parts;
  return node;
}

/* Goes on to the low branch, or makes the decision and closes the frame. */
static void advance(Search *s, uint32_t node) {
  assert(s->frames.n > 1); /* the first is the question's */
  SearchFrame *f = &s->frames.at[s->frames.n - 1];
  if (!f->low) {
    f->high = node;
    f->low = true;
    start_branch(s, f, false);
    return;
  }
  assert(s->variable[f->input] != CIRCUIT_NONE);
  node = circuit_decision(s->circuit, s->variable[f->input], f->high, node);
  memo_add(s, &f->part.key, node);
  s->frames.n--;
  f = &s->frames.at[s->frames.n - 1];
  if (node == CIRCUIT_FALSE)
    f->next = s->residual.parts.n;
  vec_push(&s->results, node);
}

static size_t memory_used(const Search *s) {
  const Circuit *c = s->circuit;
  return s->memo_room * sizeof *s->memo + s->residual.words.room * sizeof(uint32_t) +
         c->nodes.room * sizeof *c->nodes.at + c->children.room * sizeof(uint32_t) +
         c->unique_room * sizeof *c->unique;
}

static Status check_limits(const Search *s, const SearchLimits *limits, size_t before) {
  if (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed))
    return INTERRUPTED;
  if (limits->nodes && s->circuit->nodes.n > limits->nodes)
    return LIMIT;
  if (limits->branches && s->branches - before > limits->branches)
    return LIMIT;
  if (limits->memory && memory_used(s) > limits->memory)
    return LIMIT;
  return limits->deadline > 0 && clock_now() > limits->deadline ? LIMIT : OK;
}

/* Returns when the question's own frame is through, or with CIRCUIT_NONE when
** `budget` was not enough. */
static Status run(Search *s, const SearchLimits *limits, size_t before, uint64_t budget,
                  uint32_t *node) {
  uint64_t end = s->residual.work + budget;
  *node = CIRCUIT_NONE;
  while (s->residual.work < end) {
    const SearchFrame *f = &s->frames.at[s->frames.n - 1];
    if (f->next < s->residual.parts.n) {
      next_part(s);
      Status status = s->branches % 256 ? OK : check_limits(s, limits, before);
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

static void add_evidence(Words *words, uint32_t literal) {
  vec_push(words, THEORY_NONE);
  vec_push(words, 2);
  vec_push(words, lit_not(literal));
}

ResidualKey search_key(const uint32_t *evidence, size_t evidences, const uint32_t *wanted,
                       size_t wants) {
  ResidualKey key = {{0, 0}};
  residual_key_add(&key, 3, 0);
  for (size_t i = 0; i < evidences; i++)
    residual_key_add(&key, 4, evidence[i]);
  for (size_t i = 0; i < wants; i++)
    residual_key_add(&key, 5, wanted[i]);
  return key;
}

static void add_pair(Words *words, uint32_t first, uint32_t second) {
  vec_push(words, THEORY_NONE);
  vec_push(words, 4);
  vec_push(words, first);
  vec_push(words, second);
}

/* What a question is about. */
typedef struct {
  const uint32_t *evidence, *wanted;
  size_t evidences, wants;
} Question;

/* The truth of an output must be told.  Far: when it comes out.  Near: its
** mirror says it beforehand and can be branched on; else the atoms behind that
** wait for those ahead would have to be remembered, in all combinations. */
static void tell(Search *s, uint32_t atom) {
  assert(atom < s->theory->mirror.n);
  uint32_t mirror = s->theory->mirror.at[atom];
  if (s->far || mirror == THEORY_NONE) {
    s->residual.output[atom] = !s->theory->input.at[atom];
    return;
  }
  add_pair(&s->residual.words, lit_of(mirror, false), lit_of(atom, true));
  add_pair(&s->residual.words, lit_of(mirror, true), lit_of(atom, false));
}

static void tell_all(Search *s, const Question *q) {
  const Theory *t = s->theory;
  memset(s->residual.output, 0, t->atoms);
  for (uint32_t a = 0; a < t->mirror.n; a++)
    if (t->event.at[a])
      tell(s, a);
  for (size_t i = 0; i < q->wants; i++)
    if (!t->event.at[q->wanted[i]])
      tell(s, q->wanted[i]);
}

static void ask(Search *s, const Question *q) {
  assert(theory_valid(s->theory));
  Words *words = &s->residual.words;
  words->n = 0;
  vec_reserve(words, s->theory->rules.n);
  if (s->theory->rules.n)
    memcpy(words->at, s->theory->rules.at, s->theory->rules.n * sizeof *words->at);
  words->n = s->theory->rules.n;
  for (size_t i = 0; i < q->evidences; i++)
    add_evidence(words, q->evidence[i]);
  tell_all(s, q);
  residual_unwindow(&s->residual);
  s->results.n = s->frames.n = 0;
  ResidualPart whole = {.end = words->n};
  vec_push(&s->frames, (SearchFrame){.part = whole, .input = THEORY_NONE});
  start_branch(s, &s->frames.at[0], true);
  if (!s->far)
    residual_window(&s->residual);
}

/* How much of the tree of decisions has been seen, as if both branches of each
** were alike.  Crude, but one way of choosing is often far ahead of the other. */
static double progress(const Search *s) {
  double sum = 0, half = 0.5;
  for (size_t i = 1; i < s->frames.n; i++, half /= 2)
    sum += s->frames.at[i].low ? half : 0;
  return sum;
}

/* Tries the two ways in turn, the one that is far behind with less.  What was
** compiled in vain is in the memo, so going on costs little. */
static Status attempt(Search *s, const Question *q, const SearchLimits *limits, uint32_t *node) {
  double seen[2] = {0, 0};        /* near, far */
  bool stuck[2] = {false, false}; /* twice the budget took it hardly further */
  size_t before = s->branches;
  Status status = check_limits(s, limits, before);
  for (uint64_t budget = BUDGET; status == OK; budget *= 2) {
    double other = seen[!s->far];
    bool behind = other > AHEAD && seen[s->far] < other / FAR_AHEAD;
    behind |= stuck[s->far] && !stuck[!s->far] && other > seen[s->far];
    ask(s, q);
    status = run(s, limits, before, behind ? budget / 8 : budget, node);
    if (status != OK || *node != CIRCUIT_NONE)
      break;
    double now = progress(s);
    stuck[s->far] = seen[s->far] > 0 && 1 - now > STUCK * (1 - seen[s->far]);
    seen[s->far] = now;
    if (s->choice == CHOOSE_BOTH)
      s->far = !s->far;
  }
  return status;
}

Status search_compile(Search *s, const uint32_t *evidence, size_t evidences, const uint32_t *wanted,
                      size_t wants, const SearchLimits *limits, uint32_t *node) {
  assert((evidence || !evidences) && (wanted || !wants));
  ResidualKey key = search_key(evidence, evidences, wanted, wants);
  *node = memo_find(s, &key);
  if (*node != CIRCUIT_NONE)
    return OK;
  Question q = {evidence, wanted, evidences, wants};
  Status status = attempt(s, &q, limits, node);
  if (status == OK)
    memo_add(s, &key, *node);
  return status;
}
