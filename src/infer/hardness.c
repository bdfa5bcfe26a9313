/* hardness.c - see hardness.h.
**
** Atoms that share a rule are neighbours.  Eliminating one after the other, always one with the
** fewest neighbours, which then become neighbours of each other, gives the width: how many must
** be looked at together.  The atoms that are left when it is largest are what is hard. */
#include "infer/hardness.h"

#include "base/diagnostic.h"
#include "base/source.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "language/program.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ATOMS = 4000 }; /* of a component that is looked at */
enum { NAMED = 4 };         /* atoms in the sentence */
enum { HARD_WIDTH = 12 };   /* below it nothing is hard */

/* Neighbours of the atoms of one component, as bits. */
typedef struct {
  uint32_t n, words;
  uint64_t *bits;   /* atom after atom */
  uint32_t *degree; /* UINT32_MAX: eliminated */
} Neighbours;

static uint64_t *row_of(const Neighbours *g, uint32_t a) { return g->bits + (size_t)a * g->words; }

static void join(Neighbours *g, uint32_t a, uint32_t b) {
  row_of(g, a)[b >> 6] |= (uint64_t)1 << (b & 63);
  row_of(g, b)[a >> 6] |= (uint64_t)1 << (a & 63);
}

static bool joined(const Neighbours *g, uint32_t a, uint32_t b) {
  return row_of(g, a)[b >> 6] >> (b & 63) & 1;
}

static uint32_t count_neighbours(const Neighbours *g, uint32_t a) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->words; i++)
    n += (uint32_t)__builtin_popcountll(row_of(g, a)[i]);
  return n;
}

/* By atom of the program: its place in the component. */
static void join_rules(const Ground *ground, const uint32_t *place, Neighbours *g) {
  for (size_t i = 0; i < ground->rules.n; i++) {
    const Rule *r = &ground->rules.at[i];
    const uint32_t *at = ground->pool.at + r->first;
    uint32_t n = r->heads + r->size;
    for (uint32_t k = 0; k < n; k++) {
      uint32_t a = place[k < r->heads ? at[k] : lit_atom(at[k])];
      for (uint32_t j = 0; a != NONE && j < k; j++) {
        uint32_t b = place[j < r->heads ? at[j] : lit_atom(at[j])];
        if (a != b && b != NONE)
          join(g, a, b);
      }
    }
  }
}

/* What was found: the widest moment of all components. */
typedef struct {
  uint32_t width;
  Atoms core;
} Widest;

static void note_core(const Neighbours *g, uint32_t a, const Atom *members, Widest *w) {
  w->width = g->degree[a];
  w->core.n = 0;
  vec_push(&w->core, members[a]);
  for (uint32_t b = 0; b < g->n; b++)
    if (joined(g, a, b))
      vec_push(&w->core, members[b]);
}

static void eliminate(Neighbours *g, uint32_t a) {
  for (uint32_t b = 0; b < g->n; b++) {
    if (!joined(g, a, b))
      continue;
    for (uint32_t i = 0; i < g->words; i++)
      row_of(g, b)[i] |= row_of(g, a)[i];
    row_of(g, b)[b >> 6] &= ~((uint64_t)1 << (b & 63));
    row_of(g, b)[a >> 6] &= ~((uint64_t)1 << (a & 63));
    g->degree[b] = count_neighbours(g, b);
  }
  g->degree[a] = UINT32_MAX;
}

static void find_width(Neighbours *g, const Atom *members, Widest *w) {
  for (uint32_t a = 0; a < g->n; a++)
    g->degree[a] = count_neighbours(g, a);
  for (uint32_t left = g->n; left; left--) {
    uint32_t least = 0;
    for (uint32_t a = 1; a < g->n; a++)
      if (g->degree[a] < g->degree[least])
        least = a;
    assert(g->degree[least] < left);
    if (g->degree[least] > w->width)
      note_core(g, least, members, w);
    if (g->degree[least] == left - 1)
      break; /* all that are left are neighbours of each other */
    eliminate(g, least);
  }
}

/* Looks at one component of each kind. */
static void find_widest(const Task *task, Widest *w) {
  const Analysis *an = task->analysis;
  uint32_t *place = memory_zero(task->ground->atoms.n, sizeof *place);
  memset(place, 0xff, task->ground->atoms.n * sizeof *place);
  for (uint32_t k = 0, kinds = 0; k < an->components; k++) {
    uint32_t n = an->first[k + 1] - an->first[k];
    const Atom *members = an->member + an->first[k];
    bool copy = an->kind[k] < kinds;
    kinds += !copy;
    if (copy || n > MOST_ATOMS || n <= w->width)
      continue;
    Neighbours g = {.n = n, .words = (n + 63) / 64};
    g.bits = memory_zero((size_t)n * g.words, sizeof *g.bits);
    g.degree = memory_zero(n, sizeof *g.degree);
    for (uint32_t i = 0; i < n; i++)
      place[members[i]] = i;
    join_rules(task->ground, place, &g);
    find_width(&g, members, w);
    for (uint32_t i = 0; i < n; i++)
      place[members[i]] = NONE;
    free(g.bits);
    free(g.degree);
  }
  free(place);
}

/* ---- which rule -------------------------------------------------------------------------- */

/* Has the head of the statement the predicate of the atom? */
static bool makes(const Program *p, const Statement *s, const char *atom) {
  Text head = {0};
  program_write(p, s, s->head, &head);
  size_t n = strcspn(atom, "(");
  bool same = head.n >= n && !strncmp(head.at, atom, n) && (head.n == n || head.at[n] == '(');
  vec_free(&head);
  return same;
}

/* Which rule made a ground rule: soft ones know it, hard ones are taken for those of the hard rule
** with such a head that has the longest body. */
static uint32_t statement_of(const Task *task, const Rule *r) {
  const Ground *g = task->ground;
  if (r->instance != NONE)
    return g->soft.at[g->instances.at[r->instance].soft].statement;
  uint32_t name = r->heads ? g->atoms.at[rule_heads(g, r)[0]].name : NONE;
  uint32_t best = NONE, longest = 0;
  if (r->heads && name == NONE)
    return NONE;
  for (uint32_t i = 0; i < task->program->statements.n; i++) {
    const Statement *s = &task->program->statements.at[i];
    if (s->kind != S_RULE || s->block != PROGRAM_BLOCK || s->weight_kind != WEIGHT_HARD)
      continue;
    uint32_t length = 1 + s->body.to - s->body.from;
    if (length > longest &&
        (r->heads ? makes(task->program, s, ground_text(g, name)) : s->head_kind == HEAD_NONE))
      best = i, longest = length;
  }
  return best;
}

/* The statement that joins the most atoms of the core; NONE: not known. */
static uint32_t find_statement(const Task *task, const Atoms *core) {
  const Ground *g = task->ground;
  bool *in = memory_zero(g->atoms.n, 1);
  size_t *joins = memory_zero(task->program->statements.n, sizeof *joins);
  uint32_t best = NONE;
  for (size_t i = 0; i < core->n; i++)
    in[core->at[i]] = true;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    size_t inside = 0;
    for (uint32_t k = 0; k < r->heads; k++)
      inside += in[rule_heads(g, r)[k]];
    for (uint32_t k = 0; k < r->size; k++)
      inside += in[lit_atom(rule_body(g, r)[k])];
    uint32_t statement = inside > 1 ? statement_of(task, r) : NONE;
    if (statement == NONE)
      continue;
    joins[statement] += inside - 1;
    if (best == NONE || joins[statement] > joins[best])
      best = statement;
  }
  free(in);
  free(joins);
  return best;
}

/* ---- in words ---------------------------------------------------------------------------- */

static void write_names(const Ground *g, const Atoms *core, Text *to) {
  size_t named = 0;
  for (size_t i = 0; i < core->n && named < NAMED; i++) {
    uint32_t name = g->atoms.at[core->at[i]].name;
    if (name != NONE)
      text_printf(to, "%s%s", named++ ? ", " : " (", ground_text(g, name));
  }
  if (named)
    text_puts(to, core->n > named ? ", …)" : ")");
}

void hardness_write(const Task *task, Text *to) {
  assert(task->ground->sealed && task->analysis->first);
  Widest w = {.width = HARD_WIDTH - 1};
  text_puts(to, "");
  find_widest(task, &w);
  if (w.core.n) {
    text_printf(to, "%zu atoms hang together", w.core.n);
    write_names(task->ground, &w.core, to);
    text_printf(to, ": the width is about %u", w.width);
    uint32_t statement = find_statement(task, &w.core);
    if (statement != NONE) {
      const char *file;
      unsigned line;
      Text rule = {0};
      program_describe(task->program, &task->program->statements.at[statement], &file, &line,
                       &rule);
      text_printf(to, ", most of all by %s:%u: %s", file, line, rule.at);
      vec_free(&rule);
    }
  }
  vec_free(&w.core);
}

void hardness_say(const Task *task) {
  Text text = {0};
  hardness_write(task, &text);
  if (text.n)
    diagnose_note(task->said, NOWHERE,
                  "ask for less, say what is known of these atoms, or rewrite the rule so that "
                  "fewer meet",
                  "hard to compile: %s", text.at);
  vec_free(&text);
}
