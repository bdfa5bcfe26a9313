/* portfolio.c - a question, asked in several ways; see search.h. */
#include "compile/search.h"

#include "base/memory.h"
#include "compile/ahead.h"
#include "ground/ground.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NARROW (-7) /* progress that may end at any time */
enum { SOON = 2, SHARE = 16 };
#define NEARLY (-0.5)     /* progress of what is almost through… */
#define UNKNOWN (-20)     /* …and of what was never tried */
#define LEAD 1            /* of progress, that is clear */
#define FLAT_AT_ONCE 2e6  /* work of flat parts that is not worth a thought */
#define MOST_FLAT 4e8     /* and more than memory allows */
#define CERTAIN 6e6       /* what all others cost that are tried in vain */
enum { BUDGET = 500000 }; /* work of the first attempt: a few milliseconds */
enum { LEAST = 1000000 }; /* effort of looking for flat parts at first… */
enum { AGAIN = 4 };       /* …and times that, when they are looked for again */

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

/* The same by codes: two questions can't be made to collide. */
static ResidualKey question_key(const Search *s, const uint32_t *evidence, size_t evidences,
                                const uint32_t *wanted, size_t wants) {
  const ResidualKey *code = s->residual.code;
  ResidualKey key = {{0, 0}};
  residual_key_add(&key, 3, 0);
  for (size_t i = 0; i < evidences; i++)
    residual_key_code(&key, 4, &code[evidence[i]]);
  for (size_t i = 0; i < wants; i++)
    residual_key_code(&key, 5, &code[2 * (size_t)wanted[i]]);
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
** wait for those ahead would have to be remembered, in all combinations.  What is
** to be decided first has to be branched on. */
static void tell(Search *s, uint32_t atom) {
  assert(atom < s->theory->mirror.n);
  uint32_t mirror = s->theory->mirror.at[atom];
  bool first = s->first && s->first[atom];
  if ((s->way != WAY_NEAR && !first) || mirror == THEORY_NONE) {
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
  s->residual.rank = s->theory->rank.at;
  search_start(s);
  if (s->way == WAY_NEAR || (s->way == WAY_DOWN && search_order_down(s)))
    residual_window(&s->residual);
}

/* What is known about a way of choosing. */
typedef struct {
  uint64_t budget; /* of its next attempt */
  uint64_t spent;
  double now;      /* progress of the attempt under way, if it is no search's */
  double seen;     /* of the last attempt */
  double gain;     /* over the one before */
  double growth;   /* of that, expected for the next */
  double estimate; /* work until it is through */
  int tries;
  bool never;  /* it is no good for this question */
  bool hungry; /* flat parts: more effort than was spent might help */
} Standing;

/* Doublings of the budget until `rest` is done, if the first gains `gain` and each
** `growth` times what the one before did. */
static double doublings(double rest, double gain, double growth, double most) {
  double n = 1;
  for (; n < most && rest > gain; n++)
    rest -= gain, gain *= growth;
  return n;
}

/* After an attempt with `budget` that came to `now`: what it takes if progress goes on
** as in the last doublings.  Work that is linear in the size gains twice as much each
** time, work that is exponential the same; who hardly moves may be close to the end all
** the same, which nobody can tell. */
static void judge(Standing *w, double now) {
  double gain = w->tries ? now - w->seen : 1;
  double growth = w->tries < 2 ? 1.5 : gain < w->gain ? 1 : gain > 2 * w->gain ? 2 : gain / w->gain;
  double most = now > NARROW ? 4 : 6; /* doublings */
  w->estimate = (double)w->budget * exp2(gain > 0 ? doublings(-now, gain, growth, most) : most);
  w->seen = now, w->gain = gain > 0 ? gain : 0, w->growth = growth;
  w->tries++;
  w->budget *= 2;
}

static bool usable(const Search *s, SearchWay way) {
  return !s->first || way == WAY_FAR || way == WAY_HEADS || way == WAY_TREE;
}

/* After a first attempt all estimates are alike; then who saw much more, with as much work, is
** ahead.  Little more says nothing: the parts that one compiled another finds. */
static bool promises_more(const Standing *w, const Standing *than) {
  return w->estimate < than->estimate ||
         (w->estimate == than->estimate && w->tries == than->tries && w->seen > than->seen + LEAD);
}

/* The way that should be through first; each gets a share, whatever it looks like. */
static SearchWay next_way(const Search *s, const Standing *ways, SearchWay first) {
  static const SearchWay order[WAYS] = {WAY_FAR,  WAY_FLAT,  WAY_CLAUSES, WAY_NEAR,
                                        WAY_TREE, WAY_HEADS, WAY_DOWN};
  uint64_t total = 0;
  if (s->choice != CHOOSE_ALL)
    first = (SearchWay)(s->choice - CHOOSE_NEAR);
  if (!usable(s, first))
    first = WAY_FAR;
  if (s->choice != CHOOSE_ALL)
    return first;
  if (!ways[first].tries || ways[first].estimate <= SOON * (double)ways[first].budget)
    return first;
  if (ways[WAY_FLAT].tries && ways[WAY_FLAT].estimate <= CERTAIN)
    return WAY_FLAT;
  for (int i = 0; i < WAYS; i++)
    total += i == WAY_FLAT ? 0 : ways[i].spent;
  SearchWay best = first;
  for (int i = 0; i < WAYS; i++) {
    SearchWay w = order[i];
    if (!usable(s, w) || ways[w].never)
      continue;
    bool due = w == WAY_FLAT ? ways[w].hungry && ways[w].spent * AGAIN < total
                             : ways[w].spent * SHARE < total;
    if (!ways[w].tries || due)
      return w;
    if (promises_more(&ways[w], &ways[best]))
      best = w;
  }
  return best;
}

/* Flat parts, which cost what they cost: little at once, much when no other way promises
** to be through before. */
static Status try_flat(Search *s, const SearchLimits *limits, uint64_t effort, Standing *w) {
  double most = w->tries && w->estimate < INFINITY ? MOST_FLAT : FLAT_AT_ONCE;
  FlatCost cost;
  effort = effort > LEAST ? effort : LEAST;
  Status status = search_flat(s, limits, effort, most, &cost);
  w->estimate = cost.work > 0 && cost.work <= MOST_FLAT ? cost.work : INFINITY;
  w->hungry = cost.more, w->spent = effort;
  w->tries++;
  return status;
}

/* What a way does before the search or in its place; then false, and the search only puts
** together what is known. */
static bool prepare(Search *s, const SearchLimits *limits, uint64_t effort, Standing *w,
                    Status *status) {
  switch (s->way) {
  case WAY_FLAT: *status = try_flat(s, limits, effort, w); return s->choice == CHOOSE_FLAT;
  case WAY_CLAUSES:
    *status = search_clauses(s, limits, w->budget, &w->now);
    w->never = w->now == 0;
    return w->never && s->choice == CHOOSE_CLAUSES;
  case WAY_TREE: return search_decompose(s, effort, limits);
  case WAY_DOWN: w->never = !s->residual.groups.n; return !w->never;
  default: return true;
  }
}

static void ask_ahead(Search *s, const void *question) { ask(s, question); }

/* As if the way had been tried once more, with the success that it had before. */
static void try_in_thought(Standing *w, SearchWay way) {
  double now = w->tries ? w->seen + w->gain * w->growth : UNKNOWN;
  w->spent += w->budget;
  if (way == WAY_FLAT)
    w->tries++, w->hungry = false;
  else
    judge(w, now < NEARLY ? now : NEARLY);
}

/* The attempts after the one under way, if that is not through: of ways for which helpers can do
** something. */
static AheadPlan foresee(const Search *s, const Standing *ways, const Question *q) {
  AheadPlan plan = {.ask = ask_ahead, .question = q};
  Standing after[WAYS];
  SearchWay way = s->way;
  memcpy(after, ways, sizeof after);
  if (s->choice != CHOOSE_ALL ||
      (after[way].tries && after[way].estimate <= (double)after[way].budget))
    return plan;
  for (int i = 0; i < AHEAD_ATTEMPTS; i++) {
    try_in_thought(&after[way], way);
    way = next_way(s, after, way);
    if (way == s->way)
      break;
    if (way == WAY_FLAT || way == WAY_CLAUSES)
      continue;
    bool again = plan.count && plan.next[plan.count - 1].way == way;
    plan.count += !again;
    plan.next[plan.count - 1].way = way;
    plan.next[plan.count - 1].budget = after[way].budget;
  }
  return plan;
}

/* One attempt of the way that was chosen. */
static Status attempt_way(Search *s, const Question *q, const SearchLimits *limits, size_t before,
                          uint64_t began, Standing *ways, uint32_t *node) {
  Standing *w = &ways[s->way];
  AheadPlan plan = foresee(s, ways, q);
  uint64_t start = s->residual.work;
  Status status = OK;
  ask(s, q);
  bool able = prepare(s, limits, start - began, w, &status);
  if (status == OK)
    status = ahead_run(s, limits, before, able ? w->budget : 1, &plan, node);
  if (s->way != WAY_FLAT)
    w->spent += able || w->never ? s->residual.work - start : w->budget;
  return status;
}

/* Tries the ways as they promise.  What was compiled in vain is in the memo, so going
** on costs little. */
static Status attempt(Search *s, const Question *q, const SearchLimits *limits, uint32_t *node) {
  Standing ways[WAYS];
  for (int i = 0; i < WAYS; i++)
    ways[i] = (Standing){.budget = BUDGET};
  size_t before = s->branches;
  uint64_t began = s->residual.work;
  Status status = search_check(s, limits, before);
  if (limits->explored)
    atomic_store_explicit(limits->explored, 0, memory_order_relaxed);
  s->tree = (Decomposition){0};
  s->cuts.n = 0;
  while (status == OK) {
    s->way = next_way(s, ways, s->way);
    Standing *w = &ways[s->way];
    status = attempt_way(s, q, limits, before, began, ways, node);
    if (status != OK || *node != CIRCUIT_NONE)
      break;
    if (s->way != WAY_FLAT) {
      double now = s->way == WAY_CLAUSES ? w->now : search_progress(s);
      if (!w->never)
        search_tell(limits, now);
      judge(w, now);
    } else
      w->budget *= 2;
    if (w->never)
      w->estimate = INFINITY;
  }
  return status;
}

Status search_compile(Search *s, const uint32_t *evidence, size_t evidences, const uint32_t *wanted,
                      size_t wants, const SearchLimits *limits, uint32_t *node) {
  assert((evidence || !evidences) && (wanted || !wants));
  ResidualKey key = question_key(s, evidence, evidences, wanted, wants);
  *node = search_find(s, &key);
  if (*node != CIRCUIT_NONE)
    return OK;
  Question q = {evidence, wanted, evidences, wants};
  Status status = attempt(s, &q, limits, node);
  if (status == OK)
    search_remember(s, &key, *node);
  return status;
}
