/* bound_graph.c - nodes and branches, from residuals; see bound.h. */
#include "compile/bound.h"

#include "base/memory.h"
#include "circuit/circuit.h"
#include "compile/residual.h"
#include "compile/theory.h"
#include "ground/ground.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLOOR 1e-4500L /* no factor is 0: what is possible stays so */

/* ---- factors ---------------------------------------------------------------------- */

static long double softplus(long double x) {
  return x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x));
}

/* Of one variable, from the ln of its two factors: to sum 1, or so that the larger is 1. */
static void normalise(Bound *b, size_t variable, bool sums, long double holds, long double fails) {
  long double *to = b->factor + 2 * variable, larger = fmaxl(holds, fails);
  long double all = sums ? fails + softplus(holds - fails) : larger;
  assert(isfinite(holds) && isfinite(fails));
  to[0] = fmaxl(expl(holds - all), FLOOR), to[1] = fmaxl(expl(fails - all), FLOOR);
  double size = (double)(fabsl(holds) + fabsl(fails) + fabsl(all));
  b->factor_error = fmax(b->factor_error, (8 + size) * 0x1p-62);
  b->log_scale += (double)all;
  b->scale_error += (size + fabs(b->log_scale)) * DBL_EPSILON;
}

static void make_factors(Bound *b, const double *weights) {
  const Theory *t = &b->unit->theory;
  size_t n = b->unit->variables.n;
  long double *log = memory_zero(2 * n, sizeof *log);
  for (size_t i = 0; i < t->terms.n; i++) {
    uint32_t literal = t->terms.at[i].literal, variable = b->unit->variable[literal >> 1];
    assert(variable < n);
    log[lit_of(variable, literal & 1)] -= weights[t->terms.at[i].weight];
  }
  b->factor = memory_zero(2 * n, sizeof *b->factor);
  for (size_t v = 0; v < n; v++)
    normalise(b, v, b->unit->variables.at[v].sort == CIRCUIT_INPUT && !b->best, log[2 * v],
              log[2 * v + 1]);
  free(log);
}

void bound_begin(Bound *b, const CompileUnit *unit, const double *weights, const bool *asked,
                 bool best) {
  assert(unit->begun && weights);
  *b = (Bound){.unit = unit, .current = UINT32_MAX, .best = best};
  residual_begin(&b->residual, &unit->theory);
  b->residual.rank = unit->theory.rank.at;
  make_factors(b, weights);
  b->asked = memory_zero(unit->variables.n, sizeof *b->asked);
  for (uint32_t a = 0; a < unit->theory.atoms; a++)
    if (asked[a] && unit->variable[a] != CIRCUIT_NONE)
      b->asked[unit->variable[a]] = true;
  for (uint32_t a = 0; a < unit->theory.atoms; a++)
    b->residual.output[a] = unit->theory.event.at[a];
}

void bound_free(Bound *b) {
  residual_free(&b->residual);
  for (size_t i = 0; i < b->nodes.n; i++)
    free(b->nodes.at[i].words);
  free(b->factor);
  free(b->asked);
  free(b->memo);
  vec_free(&b->nodes);
  vec_free(&b->branches);
  vec_free(&b->links);
  vec_free(&b->told);
  vec_free(&b->questions);
  vec_free(&b->wanted);
  vec_free(&b->order);
  vec_free(&b->stack);
  vec_free(&b->stamp);
  vec_free(&b->value);
  vec_free(&b->scratch);
  *b = (Bound){0};
}

/* ---- nodes ------------------------------------------------------------------------ */

/* The place of a key in the memo: its node's, or an empty one. */
static uint32_t *memo_at(const Bound *b, const ResidualKey *key) {
  assert(b->memo_room && !(b->memo_room & (b->memo_room - 1)));
  size_t at = key->word[0] & (b->memo_room - 1);
  for (; b->memo[at]; at = (at + 1) & (b->memo_room - 1)) {
    const ResidualKey *other = &b->nodes.at[b->memo[at] - 1].key;
    if (other->word[0] == key->word[0] && other->word[1] == key->word[1])
      break;
  }
  return &b->memo[at];
}

static void memo_grow(Bound *b) {
  free(b->memo);
  b->memo_room = b->memo_room ? 2 * b->memo_room : 64;
  b->memo = memory_zero(b->memo_room, sizeof *b->memo);
  for (size_t i = 0; i < b->nodes.n; i++)
    *memo_at(b, &b->nodes.at[i].key) = (uint32_t)i + 1;
}

/* If nothing constrains what is left, every assignment is a model, and an event costs at
** most its smaller factor. */
static long double least_value(const Bound *b, const uint32_t *words, size_t size) {
  long double least = 1;
  uint32_t last = THEORY_NONE;
  for (size_t i = 0; i < size; i += rule_words(words + i)) {
    uint32_t head = words[i];
    if (head == THEORY_NONE)
      return 0;
    if (head != last && b->unit->theory.event.at[head]) {
      const long double *factor = b->factor + 2 * (size_t)b->unit->variable[head];
      least *= fminl(factor[0], factor[1]);
    }
    last = head;
  }
  return least;
}

static uint32_t node_of(Bound *b, const ResidualPart *part) {
  assert(part->begin < part->end && part->next == part->limit);
  if (2 * (b->nodes.n + 1) > b->memo_room)
    memo_grow(b);
  uint32_t *memo = memo_at(b, &part->key);
  if (*memo)
    return *memo - 1;
  const uint32_t *words = b->residual.words.at + part->begin;
  BoundNode node = {
      .key = part->key, .size = (uint32_t)(part->end - part->begin), .question = b->current};
  node.least = least_value(b, words, node.size);
  vec_reserve(&b->nodes, 1);
  node.words = memory_zero(node.size, sizeof *node.words);
  memcpy(node.words, words, node.size * sizeof *words);
  b->nodes.at[b->nodes.n++] = node;
  b->kept += node.size;
  *memo = (uint32_t)b->nodes.n;
  return *memo - 1;
}

/* ---- branches --------------------------------------------------------------------- */

static void multiply(Bound *b, BoundBranch *branch, uint32_t literal) {
  uint32_t variable = b->unit->variable[literal >> 1];
  if (variable == CIRCUIT_NONE)
    return;
  branch->factor = fmaxl(branch->factor * b->factor[lit_of(variable, literal & 1)], FLOOR);
  branch->factors++;
  if (!b->asked[variable])
    return;
  vec_push(&b->told, lit_of(variable, literal & 1));
  branch->tolds++;
}

/* Simplifies a part on the residual's stack under a decision. */
static BoundBranch branch_of(Bound *b, const ResidualPart *part, uint32_t decision, bool fresh) {
  Residual *r = &b->residual;
  size_t words = r->words.n;
  BoundBranch branch = {.factor = 1, .told = (uint32_t)b->told.n, .first = (uint32_t)b->links.n};
  r->parts.n = 0;
  if (!residual_simplify(r, part, decision, fresh)) {
    r->words.n = words;
    return (BoundBranch){0};
  }
  if (decision != THEORY_NONE)
    multiply(b, &branch, decision);
  for (size_t i = 0; i < r->told.n; i++)
    multiply(b, &branch, r->told.at[i]);
  branch.parts = (uint32_t)r->parts.n;
  for (size_t i = 0; i < r->parts.n; i++)
    vec_push(&b->links, node_of(b, &r->parts.at[i]));
  r->words.n = words;
  r->parts.n = 0;
  return branch;
}

/* Which outputs the residual tells: events, and what a question wants. */
static void tell(Bound *b, uint32_t question) {
  bool *output = b->residual.output;
  const Theory *t = &b->unit->theory;
  for (int on = 0; on < 2; on++) {
    uint32_t which = on ? question : b->current;
    if (which >= b->questions.n)
      continue;
    const BoundQuestion *q = &b->questions.at[which];
    for (uint32_t i = q->first; i < q->first + q->count; i++) {
      uint32_t atom = b->wanted.at[i];
      output[atom] = t->event.at[atom] || (on && !t->input.at[atom]);
    }
  }
  b->current = question;
}

static void put_rules(Words *words, const uint32_t *rules, size_t n) {
  words->n = 0;
  vec_reserve(words, n + 1);
  if (n)
    memcpy(words->at, rules, n * sizeof *rules);
  words->n = n;
}

void bound_expand(Bound *b, uint32_t number) {
  assert(number < b->nodes.n && bound_open(b, number));
  BoundNode *node = &b->nodes.at[number];
  Residual *r = &b->residual;
  ResidualPart part = {.end = node->size, .key = node->key};
  tell(b, node->question);
  put_rules(&r->words, node->words, node->size);
  uint32_t input = residual_choose_far(r, &part);
  BoundBranch sides[2];
  for (int low = 0; low < 2; low++)
    sides[low] = branch_of(b, &part, lit_of(input, low), false);
  vec_reserve(&b->branches, 2);
  node = &b->nodes.at[number]; /* nodes have moved */
  node->branch = (uint32_t)b->branches.n;
  b->branches.at[b->branches.n++] = sides[0];
  b->branches.at[b->branches.n++] = sides[1];
  free(node->words);
  node->words = NULL;
  b->kept -= node->size;
}

uint32_t bound_ask(Bound *b, const uint32_t *evidence, size_t evidences, const uint32_t *wanted,
                   size_t wants) {
  assert((evidence || !evidences) && (wanted || !wants));
  const Theory *t = &b->unit->theory;
  Words *words = &b->residual.words;
  BoundQuestion q = {.first = (uint32_t)b->wanted.n, .count = (uint32_t)wants};
  for (size_t i = 0; i < wants; i++)
    vec_push(&b->wanted, wanted[i]);
  vec_push(&b->questions, q);
  uint32_t number = (uint32_t)b->questions.n - 1;
  tell(b, number);
  residual_unwindow(&b->residual);
  put_rules(words, t->rules.at, t->rules.n);
  for (size_t i = 0; i < evidences; i++) {
    const uint32_t rule[] = {THEORY_NONE, 2, lit_not(evidence[i])};
    for (int k = 0; k < 3; k++)
      vec_push(words, rule[k]);
  }
  BoundBranch whole = branch_of(b, &(ResidualPart){.end = words->n}, THEORY_NONE, true);
  b->questions.at[number].whole = whole;
  return number;
}
