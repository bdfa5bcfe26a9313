/* factors.c - what a part says as factors; see flat.h.
**
** A derived atom that rules read is decided like an input, with its definition as a factor
** that says whether it was decided as derived.  That is right if no definition depends on
** itself.  A twin is the input that it must agree with.
**
** A definition with many rules may read too much at once: a table of a Bayesian network has
** a row, with choices of its own, for all values of what it depends on.  But of such rows one
** applies at most.  If a <- K1, O1; a <- K2, O2; ... where no two of the K hold together, and
** what O mentions is in no other rule for a, then a is as derived iff
**   K1 -> (a <-> O1),  K2 -> (a <-> O2),  ...,  a -> K1 or K2 or ...
** each of which reads little. */
#include "compile/flat.h"

#include "compile/exclusive.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Flat *f;
  const Residual *r;
  const uint32_t *variable; /* by atom: in the circuit */
  bool *needed;             /* by atom */
  bool *defined;            /* by atom: its rules have been met */
  bool *read;               /* by atom: derived, and in a body */
  uint32_t *input;          /* by atom: that a twin agrees with; THEORY_NONE: it is none */
  uint32_t *uses;           /* by atom: in the rules of one head */
  const uint32_t *table;    /* by atom: not 0 if it is a value of a table */
  size_t begin, end;        /* of the rules in the residual's words, needs excepted */
} Maker;

static void read_needs(Maker *m, const ResidualPart *part) {
  const Words *words = &m->r->words;
  m->begin = part->begin, m->end = part->end;
  for (; m->begin < m->end && words->at[m->begin] == THEORY_NONE && words->at[m->begin + 1] == 2;
       m->begin += 3)
    m->needed[words->at[m->begin + 2] >> 1] = true;
}

/* Twins agree with an input: a constraint says that they hold if it does; the other
** direction is a constraint, too, or in all of their rules. */
static void find_twins(Maker *m) {
  const Theory *t = m->r->theory;
  const uint32_t *words = m->r->words.at;
  uint32_t *back = memory_zero(t->atoms, sizeof *back);
  for (size_t i = m->begin; i < m->end; i += rule_words(words + i)) {
    const uint32_t *rule = words + i;
    for (uint32_t k = 0; rule[0] == THEORY_NONE && rule[1] == 4 && k < 2; k++) {
      uint32_t twin = rule[2 + k] >> 1, input = rule[3 - k] >> 1;
      if (t->input.at[twin] || !t->input.at[input] || !((rule[2] ^ rule[3]) & 1))
        continue;
      *(rule[2 + k] & 1 ? &m->input[twin] : &back[twin]) = rule[2 + k] & 1 ? input : input + 1;
    }
  }
  for (size_t i = m->begin; i < m->end; i += rule_words(words + i)) {
    uint32_t twin = words[i];
    if (twin == THEORY_NONE || m->input[twin] == THEORY_NONE)
      continue;
    bool tied = back[twin] == m->input[twin] + 1 || rule_mentions(words + i, 2 * m->input[twin]);
    if (!tied || m->needed[twin] || m->variable[twin] != CIRCUIT_NONE)
      m->input[twin] = THEORY_NONE;
  }
  free(back);
}

/* Notes what the bodies read; false if a definition waits for itself, or what they read
** can't be decided. */
static bool check_rule(Maker *m, const uint32_t *rule) {
  for (uint32_t k = 0; k < rule_size(rule); k++) {
    uint32_t atom = rule[2 + k] >> 1;
    if (m->r->theory->input.at[atom])
      continue;
    if (rule[0] != THEORY_NONE && !m->defined[atom])
      return false;
    if (m->input[atom] != THEORY_NONE)
      continue;
    if (m->needed[atom] || m->variable[atom] == CIRCUIT_NONE ||
        (m->r->reduced && m->r->theory->loop.at[atom]))
      return false;
    m->read[atom] = true;
  }
  return true;
}

static bool check_rules(Maker *m) {
  const uint32_t *words = m->r->words.at;
  uint32_t last = THEORY_NONE;
  for (size_t i = m->begin; i < m->end; i += rule_words(words + i)) {
    if (last != THEORY_NONE && words[i] != last)
      m->defined[last] = true;
    last = words[i];
    if (!check_rule(m, words + i))
      return false;
  }
  return true;
}

/* Copies a rule, with inputs in place of twins; nothing if it can't fire. */
static void copy_rule(Maker *m, const uint32_t *rule) {
  Words *to = &m->f->words;
  size_t start = to->n, words = rule_words(rule);
  bool weighted = rule_weighted(rule);
  for (size_t k = 0; k < words; k++) {
    bool literal = k >= 2 && k < 2 + (size_t)rule_size(rule);
    uint32_t atom = literal ? m->input[rule[k] >> 1] : THEORY_NONE;
    uint32_t word = atom == THEORY_NONE ? rule[k] : lit_of(atom, rule[k] & 1);
    if (!literal || weighted) {
      vec_push(to, k == 1 && !weighted ? 0 : word);
    } else if (!rule_add_literal(to, start, word)) {
      to->n = start;
      return;
    }
  }
}

static FlatKind kind_of(const Maker *m, uint32_t head) {
  if (head == THEORY_NONE)
    return FLAT_FORBIDDEN;
  if (m->needed[head])
    return FLAT_NEEDED;
  return m->read[head] || m->input[head] != THEORY_NONE ? FLAT_DEFINED : FLAT_TOLD;
}

/* The rules of one head, or a constraint; returns where they end. */
static size_t add_factor(Maker *m, size_t i) {
  const uint32_t *words = m->r->words.at;
  uint32_t head = words[i];
  size_t start = m->f->words.n;
  do {
    copy_rule(m, words + i);
    i += rule_words(words + i);
  } while (head != THEORY_NONE && i < m->end && words[i] == head);
  FlatFactor factor = {start, m->f->words.n, head, kind_of(m, head)};
  if (head != THEORY_NONE && m->input[head] != THEORY_NONE)
    factor.head = m->input[head];
  m->f->cut |= factor.kind == FLAT_DEFINED;
  if (factor.kind != FLAT_FORBIDDEN || factor.begin < factor.end)
    vec_push(&m->f->factors, factor);
  return i;
}

/* ---- definitions with many rules --------------------------------------------------- */

/* Whether a literal belongs to K: the others read it, too, or it follows from others, or it is a
** value among others. */
static bool is_common(const Maker *m, uint32_t literal) {
  uint32_t atom = literal >> 1;
  return !m->r->theory->input.at[atom] || m->uses[atom] > 1 || m->table[atom];
}

static void count_uses(Maker *m, const FlatFactor *factor, bool reset) {
  const uint32_t *words = m->f->words.at;
  for (size_t i = factor->begin; i < factor->end; i += rule_words(words + i))
    for (uint32_t k = 0; k < rule_size(words + i); k++)
      m->uses[words[i + 2 + k] >> 1] = reset ? 0 : m->uses[words[i + 2 + k] >> 1] + 1;
}

/* The K of all rules, as rules for the head; false if one is empty. */
static bool list_common(const Maker *m, const FlatFactor *factor, Words *to) {
  const uint32_t *words = m->f->words.at;
  for (size_t i = factor->begin; i < factor->end; i += rule_words(words + i)) {
    size_t start = to->n;
    if (rule_weighted(words + i))
      return false;
    vec_push(to, factor->head);
    vec_push(to, 0);
    for (uint32_t k = 0; k < rule_size(words + i); k++)
      if (is_common(m, words[i + 2 + k]) && !rule_add_literal(to, start, words[i + 2 + k]))
        return false;
    if (!rule_size(to->at + start))
      return false;
  }
  return true;
}

/* The constraint that K and `first` do not hold together, or not with the rule's O. */
static void forbid(Maker *m, size_t rule, uint32_t first, bool own) {
  Words *to = &m->f->words;
  size_t start = to->n;
  vec_push(to, THEORY_NONE);
  vec_push(to, 0);
  bool possible = rule_add_literal(to, start, first);
  for (uint32_t k = 0; possible && k < rule_size(to->at + rule); k++) {
    uint32_t literal = to->at[rule + 2 + k];
    if (own || is_common(m, literal))
      possible = rule_add_literal(to, start, literal);
  }
  if (possible)
    vec_push(&m->f->factors, (FlatFactor){start, to->n, THEORY_NONE, FLAT_FORBIDDEN});
  else
    to->n = start;
}

/* K -> (a <-> O) as constraints: not K, O, not a; not K, a, not o for each o of O.  A needed
** a holds. */
static void add_row(Maker *m, size_t rule, uint32_t head, bool needed) {
  if (!needed)
    forbid(m, rule, lit_of(head, true), true);
  for (uint32_t k = 0; k < rule_size(m->f->words.at + rule); k++) {
    uint32_t literal = m->f->words.at[rule + 2 + k];
    if (is_common(m, literal))
      continue;
    Words *to = &m->f->words;
    size_t factors = m->f->factors.n;
    forbid(m, rule, lit_not(literal), false);
    assert(m->f->factors.n == factors + 1);
    if (!needed)
      (void)rule_add_literal(to, m->f->factors.at[factors].begin, lit_of(head, false));
    m->f->factors.at[factors].end = to->n;
  }
}

/* What of a definition with rows is told or decided: a head that is only told becomes a
** variable if that leaves less to look at together. */
static bool may_split(const Maker *m, const FlatFactor *factor) {
  const uint32_t *words = m->f->words.at;
  size_t first = factor->begin, last = factor->end;
  bool own = factor->kind == FLAT_DEFINED || factor->kind == FLAT_NEEDED;
  if (factor->kind == FLAT_FORBIDDEN || first == last || first + rule_words(words + first) == last)
    return false;
  for (size_t i = first; i < last && !own; i += rule_words(words + i))
    for (uint32_t k = 0; k < rule_size(words + i) && !own; k++)
      own = !is_common(m, words[i + 2 + k]);
  return own && !m->r->theory->input.at[factor->head] &&
         (factor->kind != FLAT_TOLD || m->variable[factor->head] != CIRCUIT_NONE);
}

/* Replaces the definition by its rows if they exclude each other. */
static void split_definition(Maker *m, Exclusive *x, size_t number) {
  FlatFactor factor = m->f->factors.at[number];
  Words common = {0};
  count_uses(m, &factor, false);
  if (may_split(m, &factor) && list_common(m, &factor, &common) &&
      exclusive_bodies(x, &common, 0, common.n)) {
    bool needed = factor.kind == FLAT_NEEDED;
    for (size_t i = factor.begin; i < factor.end; i += rule_words(m->f->words.at + i))
      add_row(m, i, factor.head, needed);
    size_t start = m->f->words.n;
    vec_reserve(&m->f->words, common.n);
    if (common.n)
      memcpy(m->f->words.at + start, common.at, common.n * sizeof *common.at);
    m->f->words.n += common.n;
    m->f->factors.at[number] =
        (FlatFactor){start, m->f->words.n, factor.head, needed ? FLAT_NEEDED : FLAT_COVERED};
    m->read[factor.head] |= !needed;
  }
  count_uses(m, &factor, true);
  vec_free(&common);
}

/* At most one of the atoms holds. */
static void add_group(Maker *m, const Words *group) {
  Words *to = &m->f->words;
  size_t start = to->n;
  vec_push(to, THEORY_NONE);
  vec_push(to, 2 * (uint32_t)group->n + 1);
  for (size_t i = 0; i < group->n; i++)
    vec_push(to, 2 * group->at[i]);
  for (size_t i = 0; i < group->n; i++)
    vec_push(to, 1);
  vec_push(to, 2);
  vec_push(&m->f->factors, (FlatFactor){start, to->n, THEORY_NONE, FLAT_FORBIDDEN});
}

/* At least one of them does: what depends on them need not know of the case that none does. */
static void add_cover(Maker *m, const Words *group) {
  Words *to = &m->f->words;
  size_t start = to->n;
  for (size_t i = 0; i < group->n; i++) {
    vec_push(to, THEORY_NONE);
    vec_push(to, 2);
    vec_push(to, 2 * group->at[i]);
  }
  vec_push(&m->f->factors, (FlatFactor){start, to->n, THEORY_NONE, FLAT_NEEDED});
}

/* Decided atoms that exclude each other and the one that was met first. */
static void find_group(Maker *m, const Exclusive *x, uint32_t head, Words *group) {
  group->n = 0;
  vec_push(group, head);
  for (size_t k = 0; k < x->with[head].n; k++) {
    uint32_t other = x->with[head].at[k];
    bool all = m->read[other];
    for (size_t j = 1; all && j < group->n; j++)
      all = exclusive_atoms(x, other, group->at[j]);
    if (all)
      vec_push(group, other);
  }
  for (size_t k = 0; group->n > 1 && k < group->n; k++)
    m->read[group->at[k]] = false; /* it has its group */
}

static bool is_decided(const Maker *m, uint32_t atom) {
  return m->read[atom] || m->r->theory->input.at[atom];
}

/* The values of tables, as far as they are decided. */
static void add_tables(Maker *m, const Cover *c) {
  Words group = {0};
  for (size_t g = 0; g < c->exact.n; g++) {
    uint32_t first = c->start.at[g], last = c->start.at[g + 1];
    bool derived = false;
    group.n = 0;
    for (uint32_t i = first; i < last; i++) {
      derived |= m->read[c->members.at[i]];
      if (is_decided(m, c->members.at[i]))
        vec_push(&group, c->members.at[i]);
    }
    if (group.n < 2 || !derived)
      continue;
    add_group(m, &group);
    if (c->exact.at[g] && group.n == last - first)
      add_cover(m, &group);
    for (size_t k = 0; k < group.n; k++)
      m->read[group.at[k]] = false; /* it has its group */
  }
  vec_free(&group);
}

/* Groups of decided atoms that exclude each other, each in one of them. */
static void find_groups(Maker *m, const Exclusive *x) {
  add_tables(m, &x->cover);
  size_t factors = m->f->factors.n;
  Words group = {0};
  for (size_t i = 0; i < factors; i++) {
    FlatKind kind = m->f->factors.at[i].kind;
    uint32_t head = m->f->factors.at[i].head;
    if ((kind != FLAT_DEFINED && kind != FLAT_COVERED) || !m->read[head])
      continue;
    find_group(m, x, head, &group);
    if (group.n > 1)
      add_group(m, &group);
  }
  vec_free(&group);
}

static void split_definitions(Maker *m) {
  Exclusive x;
  Words before = {0}; /* the rules as they are */
  vec_reserve(&before, m->f->words.n + 1);
  assert(before.at);
  if (m->f->words.n)
    memcpy(before.at, m->f->words.at, m->f->words.n * sizeof *before.at);
  before.n = m->f->words.n;
  exclusive_begin(&x, &before, m->r->theory->atoms);
  m->table = x.cover.group;
  size_t factors = m->f->factors.n;
  for (size_t i = 0; i < factors; i++)
    split_definition(m, &x, i);
  find_groups(m, &x);
  exclusive_free(&x);
  vec_free(&before);
}

bool flat_factors(Flat *f, const Residual *r, const ResidualPart *part, const uint32_t *variable) {
  size_t atoms = r->theory->atoms;
  Maker m = {.f = f,
             .r = r,
             .variable = variable,
             .needed = memory_zero(atoms, 1),
             .defined = memory_zero(atoms, 1),
             .read = memory_zero(atoms, 1),
             .input = memory_zero(atoms, sizeof *m.input),
             .uses = memory_zero(atoms, sizeof *m.uses)};
  memset(m.input, 0xff, atoms * sizeof *m.input);
  read_needs(&m, part);
  find_twins(&m);
  bool good = check_rules(&m);
  for (size_t i = m.begin; good && i < m.end;)
    i = add_factor(&m, i);
  if (good && f->cut)
    split_definitions(&m);
  free(m.needed);
  free(m.defined);
  free(m.read);
  free(m.input);
  free(m.uses);
  return good;
}
