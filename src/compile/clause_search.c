/* clause_search.c - parts that are clauses, as propositional model counters compile them.
**
** Decide a variable, propagate, split what is open into components, look each up, go on.  A
** component's key is the sum of the hashes of its clauses, without what is false in them; so it
** stands in the search's memo for all questions.  What is decided is the variable in most of
** the component's clauses: in dense constraints these soon fall apart or repeat, long before the
** bags of a decomposition do.  Nothing is learned from conflicts.  The stack is explicit.  Hot. */
#include "compile/clauses.h"
#include "compile/progress.h"
#include "compile/relay.h"
#include "compile/search.h"

#include "ground/ground.h"

#include <assert.h>
#include <stdlib.h>

enum { OPEN = RESIDUAL_OPEN, TRUE = RESIDUAL_TRUE, FALSE = RESIDUAL_FALSE };
enum { SALT = 6, LOOK = 1024 };
enum {
  BRANCH = 16,
  MANY = 256
}; /* work of a branch; variables from which on looking at them is more */

typedef struct {
  ResidualKey sum;        /* of the codes of what is not false */
  uint32_t open, holding; /* literals that are not false; that are true */
  uint32_t met;           /* when it was met last */
} Clause;

/* A component: its variables are vars[first .. first + count - 1]. */
typedef struct {
  uint32_t first, count;
  uint32_t choice, degree; /* the variable in most of its clauses */
  ResidualKey key;
} Component;

typedef struct {
  Component component;
  bool low, second;
  uint32_t other;            /* node of the branch that is finished */
  uint32_t next;             /* the branch's next component */
  size_t trail, parts, vars; /* heights before the branch */
  size_t results;
} Frame;

typedef struct {
  Search *s;
  const Clauses *c;
  Clause *clause;
  ResidualKey *code; /* by literal */
  uint32_t *node;    /* by literal: a reference (relay.h); CIRCUIT_NONE: not yet */
  uint8_t *value;    /* by literal */
  uint32_t *met;     /* by variable */
  uint32_t clock;    /* the newest time of meeting */
  Words trail;       /* literals that hold */
  size_t applied;    /* of the trail: clauses know of these */
  Words vars;
  VEC(Component) parts;
  VEC(Frame) frames;
  Words results; /* references */
  const SearchLimits *limits;
  uint64_t most;   /* work */
  Status status;   /* of this search */
  uint32_t *found; /* the node of all; CIRCUIT_NONE: not yet */
} Run;

/* ---- values ---------------------------------------------------------------------------- */

static void set(Run *run, uint32_t literal) {
  assert(run->value[literal] == OPEN);
  run->value[literal] = TRUE, run->value[lit_not(literal)] = FALSE;
  vec_push(&run->trail, literal);
}

/* One literal at most is not known to be false; false if all are. */
static bool unit(Run *run, uint32_t clause) {
  const Clauses *c = run->c;
  for (uint32_t i = c->start.at[clause]; i < c->start.at[clause + 1]; i++) {
    uint32_t literal = c->literals.at[i];
    if (run->value[literal] == FALSE)
      continue;
    if (run->value[literal] == OPEN)
      set(run, literal);
    return true;
  }
  return false;
}

/* Tells the clauses of a literal that it holds. */
static bool apply(Run *run, uint32_t literal) {
  const Clauses *c = run->c;
  uint32_t denied = lit_not(literal);
  bool possible = true;
  for (uint32_t i = c->use.at[literal]; i < c->use.at[literal + 1]; i++)
    run->clause[c->uses.at[i]].holding++;
  for (uint32_t i = c->use.at[denied]; i < c->use.at[denied + 1]; i++) {
    Clause *x = &run->clause[c->uses.at[i]];
    x->sum.word[0] -= run->code[denied].word[0];
    x->sum.word[1] -= run->code[denied].word[1];
    if (--x->open < 2 && !x->holding && possible)
      possible = unit(run, c->uses.at[i]);
  }
  return possible;
}

static bool propagate(Run *run) {
  bool possible = true;
  while (possible && run->applied < run->trail.n)
    possible = apply(run, run->trail.at[run->applied++]);
  return possible;
}

static void revoke(Run *run, uint32_t literal) {
  const Clauses *c = run->c;
  uint32_t denied = lit_not(literal);
  for (uint32_t i = c->use.at[literal]; i < c->use.at[literal + 1]; i++)
    run->clause[c->uses.at[i]].holding--;
  for (uint32_t i = c->use.at[denied]; i < c->use.at[denied + 1]; i++) {
    Clause *x = &run->clause[c->uses.at[i]];
    x->sum.word[0] += run->code[denied].word[0];
    x->sum.word[1] += run->code[denied].word[1];
    x->open++;
  }
}

static void take_back(Run *run, size_t trail) {
  while (run->trail.n > trail) {
    uint32_t literal = run->trail.at[--run->trail.n];
    if (run->trail.n < run->applied)
      revoke(run, literal);
    run->value[literal] = run->value[lit_not(literal)] = OPEN;
  }
  run->applied = run->applied < trail ? run->applied : trail;
}

/* ---- components ------------------------------------------------------------------------ */

static inline uint64_t scramble(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

/* Adds a clause to the component, and the variables that it leads to. */
static void meet_clause(Run *run, uint32_t clause, Component *part) {
  const Clauses *c = run->c;
  Clause *x = &run->clause[clause];
  x->met = run->clock;
  part->key.word[0] += scramble(x->sum.word[0]);
  part->key.word[1] += scramble(x->sum.word[1]);
  for (uint32_t i = c->start.at[clause]; i < c->start.at[clause + 1]; i++) {
    uint32_t variable = c->literals.at[i] >> 1;
    if (run->met[variable] == run->clock || run->value[c->literals.at[i]] != OPEN)
      continue;
    run->met[variable] = run->clock;
    vec_push(&run->vars, variable);
  }
}

/* The clauses of a variable of the component. */
static void meet_variable(Run *run, uint32_t variable, Component *part) {
  const Clauses *c = run->c;
  uint32_t degree = 0;
  for (uint32_t i = c->use.at[2 * variable]; i < c->use.at[2 * variable + 2]; i++) {
    uint32_t clause = c->uses.at[i];
    if (run->clause[clause].holding)
      continue;
    degree++;
    if (run->clause[clause].met != run->clock)
      meet_clause(run, clause, part);
  }
  if (degree > part->degree || (degree == part->degree && variable < part->choice))
    part->choice = variable, part->degree = degree;
  run->s->residual.work += (c->use.at[2 * variable + 2] - c->use.at[2 * variable]) / 4;
}

/* Pushes what is open of these variables as components; what is in no clause is free. */
static void split(Run *run, uint32_t first, uint32_t count) {
  run->clock++;
  run->s->residual.work += count > MANY ? count / 2 : 0;
  for (uint32_t v = first; v < first + count; v++) {
    uint32_t variable = run->vars.at[v];
    if (run->met[variable] == run->clock || run->value[2 * variable] != OPEN)
      continue;
    Component part = {.first = (uint32_t)run->vars.n, .choice = UINT32_MAX};
    residual_key_add(&part.key, SALT, 0);
    run->met[variable] = run->clock;
    vec_push(&run->vars, variable);
    for (size_t i = part.first; i < run->vars.n; i++)
      meet_variable(run, run->vars.at[i], &part);
    part.count = (uint32_t)run->vars.n - part.first;
    if (part.degree)
      vec_push(&run->parts, part);
    else
      run->vars.n = part.first;
  }
}

/* ---- branches -------------------------------------------------------------------------- */

static void tell(Run *run, uint32_t literal) {
  uint32_t variable = run->s->variable[run->c->atoms.at[literal >> 1]];
  if (run->node[literal] == CIRCUIT_NONE)
    run->node[literal] = relay_literal(run->s, variable, literal & 1);
  vec_push(&run->results, run->node[literal]);
}

/* Propagates, tells what follows from the decision, and pushes what is left. */
static void look(Run *run, Frame *f, size_t decided) {
  run->s->states++;
  run->s->residual.work += BRANCH;
  if (!propagate(run)) {
    vec_push(&run->results, CIRCUIT_FALSE);
    return;
  }
  for (size_t i = f->trail + decided; i < run->trail.n; i++)
    tell(run, run->trail.at[i]);
  split(run, f->component.first, f->component.count);
}

static void start_branch(Run *run, Frame *f) {
  f->trail = run->trail.n, f->parts = run->parts.n, f->vars = run->vars.n;
  f->results = run->results.n, f->next = (uint32_t)f->parts;
  set(run, lit_of(f->component.choice, f->low));
  look(run, f, 1);
}

static void open_frame(Run *run, const Component *component) {
  vec_push(&run->frames, (Frame){.component = *component});
  start_branch(run, &run->frames.at[run->frames.n - 1]);
  size_t depth = run->frames.n;
  run->s->deepest = depth > run->s->deepest ? depth : run->s->deepest;
}

static void next_part(Run *run, Frame *f) {
  Component part = run->parts.at[f->next++];
  uint32_t node = search_find(run->s, &part.key);
  if (node == CIRCUIT_NONE) {
    open_frame(run, &part);
    return;
  }
  if (node == CIRCUIT_FALSE) /* the rest of the branch does not matter */
    f->next = (uint32_t)run->parts.n;
  vec_push(&run->results, node);
}

static uint32_t end_branch(Run *run, const Frame *f) {
  uint32_t node = relay_product(run->s, run->results.at + f->results, run->results.n - f->results);
  run->results.n = f->results, run->parts.n = f->parts, run->vars.n = f->vars;
  take_back(run, f->trail);
  return node;
}

/* Goes on to the other branch, or makes the decision and closes the frame. */
static void advance(Run *run, Frame *f, uint32_t node) {
  if (!f->second) {
    f->other = node, f->second = f->low = true;
    start_branch(run, f);
    return;
  }
  Search *s = run->s;
  uint32_t atom = run->c->atoms.at[f->component.choice];
  assert(s->variable[atom] != CIRCUIT_NONE);
  node = relay_decision(s, s->variable[atom], f->other, node);
  search_remember(s, &f->component.key, node);
  run->frames.n--;
  f = &run->frames.at[run->frames.n - 1];
  if (node == CIRCUIT_FALSE)
    f->next = (uint32_t)run->parts.n;
  vec_push(&run->results, node);
}

/* ---- a part ---------------------------------------------------------------------------- */

static void begin(Run *run, Search *s, const Clauses *c) {
  size_t literals = 2 * c->atoms.n;
  *run = (Run){.s = s,
               .c = c,
               .clause = memory_zero(clauses_count(c), sizeof *run->clause),
               .code = memory_zero(literals, sizeof *run->code),
               .node = memory_zero(literals, sizeof *run->node),
               .value = memory_zero(literals, 1),
               .met = memory_zero(c->atoms.n, sizeof *run->met)};
  for (uint32_t l = 0; l < literals; l++) {
    run->code[l] = s->residual.code[lit_of(c->atoms.at[l >> 1], l & 1)];
    run->node[l] = CIRCUIT_NONE;
  }
  for (uint32_t k = 0; k < clauses_count(c); k++) {
    Clause *x = &run->clause[k];
    x->open = c->start.at[k + 1] - c->start.at[k];
    for (uint32_t i = c->start.at[k]; i < c->start.at[k + 1]; i++) {
      x->sum.word[0] += run->code[c->literals.at[i]].word[0];
      x->sum.word[1] += run->code[c->literals.at[i]].word[1];
    }
  }
  vec_reserve(&run->results, 1); /* so that offsets are never from NULL */
}

static void end(Run *run) {
  free(run->clause);
  free(run->code);
  free(run->node);
  free(run->value);
  free(run->met);
  vec_free(&run->trail);
  vec_free(&run->vars);
  vec_free(&run->parts);
  vec_free(&run->frames);
  vec_free(&run->results);
}

/* The frame of the whole part: no decision, what clauses say alone. */
static void ask(Run *run) {
  bool possible = true;
  for (uint32_t v = 0; v < run->c->atoms.n; v++)
    vec_push(&run->vars, v);
  Component all = {.count = (uint32_t)run->c->atoms.n};
  vec_push(&run->frames, (Frame){.component = all, .vars = run->vars.n});
  for (uint32_t k = 0; k < clauses_count(run->c) && possible; k++)
    if (run->clause[k].open < 2)
      possible = unit(run, k);
  if (possible)
    look(run, &run->frames.at[0], 0);
  else
    vec_push(&run->results, CIRCUIT_FALSE);
}

static void search(void *data) {
  Run *run = data;
  ask(run);
  for (size_t step = 1; run->s->residual.work < run->most && run->status == OK; step++) {
    Frame *f = &run->frames.at[run->frames.n - 1];
    if (f->next < run->parts.n) {
      next_part(run, f);
    } else {
      uint32_t product = end_branch(run, f);
      if (run->frames.n == 1) {
        *run->found = product;
        break;
      }
      advance(run, f, product);
    }
    if (!(step % LOOK))
      run->status = search_check(run->s, run->limits, 0);
  }
}

static void add_progress(const Run *run, Progress *p) {
  for (size_t i = run->frames.n; i-- > 0;) {
    const Frame *f = &run->frames.at[i];
    size_t limit = i + 1 < run->frames.n ? run->frames.at[i + 1].parts : run->parts.n;
    double parts = limit > f->parts ? (double)(limit - f->parts) : 1;
    double done = f->next > f->parts ? (double)(f->next - f->parts - 1) : 0;
    progress_add(p, i, f->second, done, parts);
  }
}

static Status clause_part(Search *s, const ResidualPart *part, const SearchLimits *limits,
                          uint64_t most, Progress *seen, uint32_t *node) {
  Clauses c;
  Run run;
  if (!clauses_make(&c, &s->residual, part, s->variable))
    return OK;
  begin(&run, s, &c);
  run.limits = limits, run.most = most, run.found = node;
  Status status = relay_run(s, limits, most - s->residual.work, search, &run, node);
  status = status == OK ? run.status : status;
  if (*node == CIRCUIT_NONE)
    add_progress(&run, seen);
  else if (c.cut)
    vec_push(&s->cuts, (SearchCut){part->key, *node});
  else
    search_remember(s, &part->key, *node);
  end(&run);
  clauses_free(&c);
  return status;
}

Status search_clauses(Search *s, const SearchLimits *limits, uint64_t budget, double *progress) {
  const Residual *r = &s->residual;
  SearchLimits own = *limits;
  uint64_t most = r->work + budget;
  Status status = OK;
  own.branches = 0; /* these cost much less */
  *progress = 0;
  for (size_t p = 0; p < r->parts.n && status == OK && r->work < most; p++) {
    ResidualPart part = r->parts.at[p];
    Progress seen = {0};
    uint32_t node = CIRCUIT_NONE;
    if (search_find(s, &part.key) != CIRCUIT_NONE)
      continue;
    status = clause_part(s, &part, &own, most, &seen, &node);
    if (r->work < most)
      continue;
    progress_add(&seen, false, false, (double)p, (double)r->parts.n);
    *progress = progress_log2(&seen);
  }
  return status;
}
