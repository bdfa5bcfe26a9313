/* coherence.c - see coherence.h: stable models are counted on the circuit.
**
** The number of stable models as a function of the soft atoms is computed
** upwards: a node's is constant if its children's are, and for a decision on a
** soft atom if these are equal, too.  Where a free choice is decided above soft
** atoms, two functions that vary may have a constant sum; then a soft atom is
** given a value, once this one and once the other, and the pass starts again.
** So all is exact, and the worst that can happen is that it takes too long. */
#include "infer/coherence.h"

#include "base/arena.h"
#include "base/big.h"
#include "circuit/dyadic.h"

#include <assert.h>
#include <gmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 1 << 12, MOST_STEPS = 1 << 27, FREE = -1 };

static const char *no(Coherence *k, const Task *task, const char *reason) {
  k->count = NULL;
  return k->reason = arena_text(task->answer, reason);
}

/* As in circuit/count.c, a share of all assignments to the inputs that are not
** soft: number / 2^depth. */
typedef struct {
  Dyadic is;
  bool constant;
} Share;

/* One part of the circuit. */
typedef struct {
  const Ground *ground;
  const Circuit *circuit;
  const CircuitPart *part;
  const Atom *members;      /* by variable of the block */
  const bool *soft;         /* by atom */
  int8_t *value;            /* by variable of the block, of soft atoms: FREE, 0, 1 */
  bool *reachable;          /* by node */
  Share *shares;            /* by node */
  VEC(uint32_t) decided;    /* variables with a value, in order */
  mpz_t count, first_count; /* of the last constant pass and of the first one */
  int8_t *first_value;      /* the values of the first constant pass; NULL: none yet */
  uint32_t passes;
} Counting;

static bool is_soft(const Counting *c, uint32_t variable) {
  const CircuitBlock *block = &c->circuit->blocks.at[c->part->block];
  return variable - block->first < block->atoms && c->soft[c->members[variable - block->first]];
}

static int8_t *value_of(const Counting *c, uint32_t variable) {
  assert(is_soft(c, variable));
  return &c->value[variable - c->circuit->blocks.at[c->part->block].first];
}

static void copy_share(const Share *from, Share *to) {
  to->constant = from->constant;
  to->is.depth = from->is.depth;
  mpz_set(to->is.number, from->is.number);
}

static void count_decision(Counting *c, const CircuitNode *node, Share *s) {
  const Share *high = &c->shares[node->first], *low = &c->shares[node->second];
  bool soft = is_soft(c, node->variable);
  int8_t value = soft ? *value_of(c, node->variable) : FREE;
  if (value != FREE) {
    copy_share(value ? high : low, s);
    return;
  }
  s->constant = high->constant && low->constant;
  if (soft) {
    bool equal =
        s->constant && high->is.depth == low->is.depth && !mpz_cmp(high->is.number, low->is.number);
    s->constant = equal;
    if (equal)
      copy_share(high, s);
  } else if (s->constant) {
    dyadic_add(&high->is, &low->is, &s->is);
    s->is.depth += c->circuit->variables.at[node->variable].sort == CIRCUIT_INPUT;
    dyadic_reduce(&s->is);
  }
}

static void count_product(Counting *c, const CircuitNode *node, Share *s) {
  const uint32_t *children = c->circuit->children.at + node->first;
  s->constant = true;
  s->is.depth = 0;
  mpz_set_ui(s->is.number, 1);
  for (uint32_t k = 0; k < node->second; k++) {
    const Share *child = &c->shares[children[k]];
    if (child->constant && !mpz_sgn(child->is.number)) { /* no matter what the others are */
      copy_share(child, s);
      return;
    }
    s->constant &= child->constant;
    if (s->constant)
      mpz_mul(s->is.number, s->is.number, child->is.number), s->is.depth += child->is.depth;
  }
  if (s->constant)
    dyadic_reduce(&s->is);
}

/* Is the number of stable models the same whatever the free soft atoms are? */
static bool pass(Counting *c) {
  c->passes++;
  for (uint32_t i = 2; i <= c->part->node; i++) {
    if (!c->reachable[i])
      continue;
    const CircuitNode *node = &c->circuit->nodes.at[i];
    if (node->variable != CIRCUIT_NONE)
      count_decision(c, node, &c->shares[i]);
    else
      count_product(c, node, &c->shares[i]);
  }
  const Share *root = &c->shares[c->part->node];
  if (!root->constant)
    return false;
  const CircuitBlock *block = &c->circuit->blocks.at[c->part->block];
  mp_bitcnt_t inputs = 0;
  for (uint32_t v = block->first; v < block->first + block->count; v++)
    inputs += c->circuit->variables.at[v].sort == CIRCUIT_INPUT && !is_soft(c, v);
  assert(root->is.depth <= inputs); /* so that the quotient is exact */
  mpz_mul_2exp(c->count, root->is.number, inputs);
  mpz_tdiv_q_2exp(c->count, c->count, root->is.depth);
  return true;
}

/* After a pass that found no constant: the topmost free soft atom on which the
** root depends. */
static uint32_t varying(const Counting *c) {
  assert(!c->shares[c->part->node].constant);
  bool *asked = memory_zero((size_t)c->part->node + 1, 1);
  uint32_t found = NONE;
  asked[c->part->node] = true;
  for (uint32_t i = c->part->node; found == NONE; i--) {
    const CircuitNode *node = &c->circuit->nodes.at[i];
    if (!asked[i] || c->shares[i].constant)
      continue;
    if (node->variable == CIRCUIT_NONE) {
      for (uint32_t k = 0; k < node->second; k++)
        asked[c->circuit->children.at[node->first + k]] = true;
      continue;
    }
    int8_t value = is_soft(c, node->variable) ? *value_of(c, node->variable) : FREE;
    if (value == FREE && is_soft(c, node->variable))
      found = node->variable;
    asked[node->first] |= value != 0;
    asked[node->second] |= value != 1;
  }
  free(asked);
  return found;
}

/* ---- which assignments differ ------------------------------------------------------ */

static void write_values(const Counting *c, const int8_t *value, Text *out) {
  enum { MOST_NAMED = 8 };
  const CircuitBlock *block = &c->circuit->blocks.at[c->part->block];
  unsigned named = 0, more = 0;
  text_puts(out, "{");
  for (uint32_t v = 0; v < block->atoms; v++) {
    if (!c->soft[c->members[v]] || value[v] == FREE)
      continue;
    if (named == MOST_NAMED) {
      more++;
      continue;
    }
    uint32_t name = c->ground->atoms.at[c->members[v]].name; /* coins have none */
    text_printf(out, "%s%s%s", named++ ? ", " : "", value[v] ? "" : "not ",
                name == NONE ? "a coin" : ground_text(c->ground, name));
  }
  if (more)
    text_printf(out, ", and %u more", more);
  text_puts(out, "}");
}

static void write_count(const mpz_t count, const char *none, Text *out) {
  char *digits = mpz_get_str(NULL, 10, count);
  text_printf(out, " has %s", mpz_sgn(count) ? digits : none);
  free(digits);
}

/* An atom without a value in one of the two assignments can have the other's. */
static void write_difference(const Counting *c, Text *out) {
  assert(c->first_value && mpz_cmp(c->count, c->first_count));
  const CircuitBlock *block = &c->circuit->blocks.at[c->part->block];
  int8_t *one = memory_zero(block->count, 1), *two = memory_zero(block->count, 1);
  for (uint32_t v = 0; v < block->count; v++) {
    one[v] = c->first_value[v] == FREE ? c->value[v] : c->first_value[v];
    two[v] = c->value[v] == FREE ? c->first_value[v] : c->value[v];
  }
  write_values(c, one, out);
  write_count(c->first_count, "no", out);
  text_puts(out, mpz_cmp_ui(c->first_count, 1) > 0 ? " stable models, " : " stable model, ");
  write_values(c, two, out);
  write_count(c->count, "none", out);
  free(one);
  free(two);
}

/* Takes the last value that can be changed; false: all were tried. */
static bool next_values(Counting *c) {
  while (c->decided.n) {
    int8_t *value = value_of(c, c->decided.at[c->decided.n - 1]);
    assert(*value == 0 || *value == 1);
    if (!*value) {
      *value = 1;
      return true;
    }
    *value = FREE;
    c->decided.n--;
  }
  return false;
}

/* False: the counts differ, or it takes too long; `reason` says which. */
static bool count_all(Counting *c, Text *reason) {
  const CircuitBlock *block = &c->circuit->blocks.at[c->part->block];
  size_t steps = 0;
  for (;;) {
    steps += c->part->node + 1;
    if (c->passes == MOST_PASSES || steps > MOST_STEPS) {
      text_puts(reason, "not known: there are too many cases to count");
      return false;
    }
    if (!pass(c)) {
      uint32_t variable = varying(c);
      *value_of(c, variable) = 0;
      vec_push(&c->decided, variable);
      continue;
    }
    if (!c->first_value) {
      c->first_value = memory_zero(block->count, 1);
      memcpy(c->first_value, c->value, block->count);
      mpz_set(c->first_count, c->count);
    } else if (mpz_cmp(c->count, c->first_count)) {
      write_difference(c, reason);
      return false;
    }
    if (!next_values(c))
      return true;
  }
}

/* The nodes up to the part's, and both constants. */
static size_t shares_of(const Counting *c) {
  return (c->part->node > 1 ? c->part->node : 1) + (size_t)1;
}

static void begin(Counting *c) {
  assert(c->part->node < c->circuit->nodes.n && c->part->copies);
  const Circuit *circuit = c->circuit;
  size_t n = shares_of(c);
  c->reachable = memory_zero(circuit->nodes.n, 1);
  c->reachable[c->part->node] = true;
  circuit_mark(circuit, c->reachable);
  c->shares = memory_zero(n, sizeof *c->shares);
  for (size_t i = 0; i < n; i++)
    if (i < 2 || c->reachable[i])
      mpz_init_set_ui(c->shares[i].is.number, i == CIRCUIT_TRUE);
  c->shares[0].constant = c->shares[1].constant = true;
  uint32_t variables = circuit->blocks.at[c->part->block].count;
  c->value = memory_zero(variables, 1);
  memset(c->value, FREE, variables);
  mpz_init(c->count);
  mpz_init(c->first_count);
}

static void end(Counting *c) {
  for (size_t i = 0; i < shares_of(c); i++)
    if (i < 2 || c->reachable[i])
      mpz_clear(c->shares[i].is.number);
  mpz_clear(c->count);
  mpz_clear(c->first_count);
  free(c->reachable);
  free(c->shares);
  free(c->value);
  free(c->first_value);
  vec_free(&c->decided);
}

static void multiply_part(const Ground *g, const Circuit *circuit, const CircuitRoot *root,
                          const CircuitPart *part, const bool *soft, mpz_t product, Text *reason) {
  Counting c = {.ground = g,
                .circuit = circuit,
                .part = part,
                .soft = soft,
                .members = circuit->members.at + circuit->starts.at[root->copies.at[part->first]]};
  begin(&c);
  if (count_all(&c, reason)) {
    mpz_pow_ui(c.count, c.count, part->copies);
    mpz_mul(product, product, c.count);
  }
  end(&c);
}

static void multiply(const Task *task, const Ground *g, const Circuit *circuit,
                     const CircuitRoot *root, const bool *soft, Coherence *k) {
  Text reason = {0};
  mpz_t product;
  big_begin();
  mpz_init_set_ui(product, 1);
  if (!root)
    text_puts(&reason, "not known: the program does not compile in time");
  else if (!circuit_possible(root))
    text_puts(&reason, "there is no stable model");
  for (size_t i = 0; root && i < root->parts.n && !reason.n; i++)
    multiply_part(g, circuit, root, &root->parts.at[i], soft, product, &reason);
  if (reason.n) {
    no(k, task, reason.at);
  } else {
    char *digits = mpz_get_str(NULL, 10, product);
    k->count = arena_text(task->answer, digits);
    free(digits);
  }
  mpz_clear(product);
  vec_free(&reason);
}

void coherence_find(const Task *task, const Ground *g, const Circuit *circuit,
                    const CircuitRoot *root, Coherence *k) {
  assert(!root || circuit);
  bool *soft = memory_zero(g->atoms.n, sizeof *soft);
  Text reason = {0}, fixed = {0};
  *k = (Coherence){0};
  k->simple = simple_find(task, g, soft, &reason, &fixed);
  if (!k->simple) {
    k->simple_reason = arena_text(task->answer, reason.at);
    no(k, task, "it is not simple");
  } else if (!g->instances.n && !fixed.n) {
    no(k, task, "it has no soft rules");
  } else if (fixed.n) {
    no(k, task, fixed.at);
  } else {
    multiply(task, g, circuit, root, soft, k);
  }
  vec_free(&reason);
  vec_free(&fixed);
  free(soft);
}
