/* reject.c - see reject.h. */
#include "sample/reject.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the plan -------------------------------------------------------------------------- */

typedef struct {
  Reject *r;
  const uint32_t *part_of_atom;
} Planning;

static const Rule *rule_at(const Reject *r, uint32_t i) { return &r->ground->rules.at[i]; }

static bool is_guessed(const Reject *r, Atom a) {
  return r->strata.guessed[a] && r->ground->atoms.at[a].truth == ATOM_OPEN;
}

static bool is_check(const Reject *r, const Rule *x) {
  return x->instance == NONE && !x->choice &&
         !(x->heads == 1 && !is_guessed(r, rule_heads(r->ground, x)[0]));
}

static RejectPart *part_of(const Planning *p, Atom a) {
  uint32_t part = p->part_of_atom[a];
  return &p->r->part[part == NONE ? p->r->parts : part];
}

static RejectPart *part_of_rule(const Planning *p, const Rule *x) {
  const Ground *g = p->r->ground;
  assert(x->heads + x->size);
  return part_of(p, x->heads ? rule_heads(g, x)[0] : lit_atom(rule_body(g, x)[0]));
}

static void find_able(const Planning *p) {
  const Reject *r = p->r;
  const Analysis *an = r->analysis;
  for (uint32_t i = 0; i <= r->parts; i++)
    r->part[i].able = !r->ground->inconsistent;
  for (Atom a = 0; a < r->ground->atoms.n; a++)
    if (is_guessed(r, a) && an->looping[an->scc[a]])
      part_of(p, a)->able = false;
}

/* A guessed atom may lack support unless some rule gives it always. */
static void find_supported(const Planning *p) {
  const Reject *r = p->r;
  const Ground *g = r->ground;
  bool *always = memory_zero(g->atoms.n, sizeof *always);
  GraphEdges edges = {0};
  for (uint32_t i = 0; i < g->rules.n; i++) {
    const Rule *x = rule_at(r, i);
    for (uint32_t h = 0; h < x->heads; h++) {
      Atom a = rule_heads(g, x)[h];
      always[a] |= !x->weighted && !x->size && (x->choice || x->heads == 1);
      if (is_guessed(r, a))
        vec_push(&edges, (GraphEdge){a, i});
    }
  }
  p->r->heads = graph_lists(&edges, g->atoms.n);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (is_guessed(r, a) && !always[a])
      vec_push(&part_of(p, a)->supported, a);
  vec_free(&edges);
  free(always);
}

static bool is_early(const Reject *r, const Rule *x) {
  for (uint32_t i = 0; i < x->heads; i++)
    if (!is_guessed(r, rule_heads(r->ground, x)[i]))
      return false;
  for (uint32_t k = 0; k < x->size; k++)
    if (!is_guessed(r, lit_atom(rule_body(r->ground, x)[k])))
      return false;
  return true;
}

typedef struct {
  uint32_t length, rule;
} Sized;

static int compare_sized(const void *a, const void *b) {
  const Sized *x = a, *y = b;
  if (x->length != y->length)
    return x->length < y->length ? -1 : 1;
  return (x->rule > y->rule) - (x->rule < y->rule);
}

static void need(RejectPart *part, bool *listed, Atom a) {
  if (!listed[a])
    vec_push(&part->guessed, a);
  listed[a] = true;
}

/* Short rules reject most, so they come first, and so do the atoms that they are about. */
static void order_checks(const Planning *p) {
  const Reject *r = p->r;
  const Ground *g = r->ground;
  bool *listed = memory_zero(g->atoms.n, sizeof *listed);
  VEC(Sized) checks = {0};
  for (uint32_t i = 0; i < g->rules.n; i++)
    if (is_check(r, rule_at(r, i)) && rule_at(r, i)->heads + rule_at(r, i)->size)
      vec_push(&checks, (Sized){rule_at(r, i)->heads + rule_at(r, i)->size, i});
  if (checks.n)
    qsort(checks.at, checks.n, sizeof *checks.at, compare_sized);
  for (size_t i = 0; i < checks.n; i++) {
    const Rule *x = rule_at(r, checks.at[i].rule);
    RejectPart *part = part_of_rule(p, x);
    if (!is_early(r, x)) {
      vec_push(&part->late, (RejectCheck){checks.at[i].rule, 0});
      continue;
    }
    for (uint32_t h = 0; h < x->heads; h++)
      need(part, listed, rule_heads(g, x)[h]);
    for (uint32_t k = 0; k < x->size; k++)
      need(part, listed, lit_atom(rule_body(g, x)[k]));
    vec_push(&part->early, (RejectCheck){checks.at[i].rule, (uint32_t)part->guessed.n});
  }
  for (Atom a = 0; a < g->atoms.n; a++)
    if (is_guessed(r, a))
      need(part_of(p, a), listed, a);
  vec_free(&checks);
  free(listed);
}

static void place_groups(const Planning *p) {
  const Strata *s = &p->r->strata;
  for (uint32_t i = 0; i < s->group_count; i++)
    vec_push(&part_of_rule(p, rule_at(p->r, s->rules[s->groups[i]]))->groups, i);
}

/* What the literals of the solver mean. */
static void find_meanings(Reject *r) {
  const Encoding *e = r->encoding;
  const Layout *layout = &e->layout;
  r->meaning = memory_zero((size_t)e->p.atoms + 1, sizeof *r->meaning);
  r->reported = memory_zero(layout->bits, sizeof *r->reported);
  r->rule = memory_zero(r->ground->instances.n, sizeof *r->rule);
  for (uint32_t i = 0; i <= e->p.atoms; i++)
    r->meaning[i] = NONE;
  for (uint32_t i = 0; i < r->ground->instances.n; i++) {
    if (e->violation[i] > 0)
      r->meaning[e->violation[i]] = 2 * i + 1;
    if (layout->of_instance[i] < layout->bits)
      r->reported[layout->of_instance[i]] = 2 * i + 1;
  }
  for (Atom a = 0; a < r->ground->atoms.n; a++)
    if (e->atom[a]) { /* a violation may be an atom, which comes first */
      r->meaning[e->atom[a]] = 2 * a;
      r->reported[layout->of_atom[a]] = 2 * a;
    }
  for (uint32_t i = 0; i < r->ground->rules.n; i++)
    if (rule_at(r, i)->instance != NONE)
      r->rule[rule_at(r, i)->instance] = i;
}

void reject_begin(Reject *r, const Ground *g, const Analysis *an, const Encoding *e,
                  const uint32_t *part_of_atom, uint32_t parts) {
  assert(g->sealed && e->g == g && !r->part);
  *r = (Reject){.ground = g, .analysis = an, .encoding = e, .parts = parts};
  r->part = memory_zero((size_t)parts + 1, sizeof *r->part);
  r->fixed = memory_zero(g->atoms.n, sizeof *r->fixed);
  r->atoms = memory_zero(g->atoms.n, sizeof *r->atoms);
  memset(r->fixed, -1, g->atoms.n);
  strata_make(g, an, &r->strata);
  const Planning p = {r, part_of_atom};
  find_able(&p);
  find_supported(&p);
  order_checks(&p);
  place_groups(&p);
  find_meanings(r);
}

void reject_free(Reject *r) {
  for (uint32_t i = 0; r->part && i <= r->parts; i++) {
    vec_free(&r->part[i].guessed);
    vec_free(&r->part[i].early);
    vec_free(&r->part[i].groups);
    vec_free(&r->part[i].late);
    vec_free(&r->part[i].supported);
  }
  free(r->part);
  if (r->ground)
    strata_free(&r->strata);
  graph_lists_free(&r->heads);
  vec_free(&r->demands);
  free(r->meaning);
  free(r->reported);
  free(r->rule);
  free(r->fixed);
  free(r->atoms);
  free(r->failed);
  *r = (Reject){0};
}

/* ---- a batch ----------------------------------------------------------------------------- */

/* These lanes are no stable models; false: none is left. */
static bool fail(Reject *r, const Lanes *failed) {
  if (r->failed) {
    r->failed[r->checks++] += lanes_count(failed);
    return true;
  }
  lanes_and(&r->alive, failed, true);
  return lanes_any(&r->alive);
}

static uint32_t guess(Reject *r, const RejectPart *part, uint32_t made, size_t until,
                      LanesRandom *random) {
  assert(until <= part->guessed.n);
  for (; made < until; made++) {
    Atom a = part->guessed.at[made];
    if (r->fixed[a] < 0)
      lanes_random(random, &r->atoms[a]);
    r->work += LANE_WORDS;
  }
  return made;
}

static bool check(Reject *r, uint32_t rule) {
  const Rule *x = rule_at(r, rule);
  Lanes violated;
  lanes_violated(r->ground, x, r->atoms, NONE, &violated);
  r->work += x->heads + x->size;
  return fail(r, &violated);
}

/* Where the atom holds and none of its rules supports it. */
static bool check_support(Reject *r, Atom a) {
  Lanes lacking = r->atoms[a], supports;
  for (uint32_t i = r->heads.start[a]; i < r->heads.start[a + 1]; i++) {
    const Rule *x = rule_at(r, r->heads.at[i]);
    if (x->choice)
      lanes_body(r->ground, x, r->atoms, &supports);
    else
      lanes_violated(r->ground, x, r->atoms, a, &supports);
    lanes_and(&lacking, &supports, true);
    r->work += x->heads + x->size;
  }
  return fail(r, &lacking);
}

static bool check_demand(Reject *r, const RejectDemand *d) {
  Lanes is = lanes_all(true);
  if (d->instance)
    lanes_violated(r->ground, rule_at(r, r->rule[d->id]), r->atoms, NONE, &is);
  else
    is = r->atoms[d->id];
  Lanes failed = lanes_all(true);
  lanes_and(&failed, &is, d->holds);
  return fail(r, &failed);
}

static bool try_part(Reject *r, const RejectPart *part, LanesRandom *random) {
  uint32_t made = 0;
  bool left = true;
  for (size_t i = 0; left && i < part->early.n; i++) {
    made = guess(r, part, made, part->early.at[i].guesses, random);
    left = check(r, part->early.at[i].rule);
  }
  if (!left)
    return false;
  (void)guess(r, part, made, part->guessed.n, random);
  for (size_t i = 0; i < part->groups.n; i++)
    r->work += lanes_stratum(r->ground, &r->strata, r->analysis, part->groups.at[i], r->atoms);
  for (size_t i = 0; left && i < part->late.n; i++)
    left = check(r, part->late.at[i].rule);
  for (size_t i = 0; left && i < part->supported.n; i++)
    left = check_support(r, part->supported.at[i]);
  return left;
}

static bool try_all(Reject *r, LanesRandom *random) {
  bool left = true;
  r->alive = lanes_all(true);
  r->checks = 0;
  for (uint32_t i = r->first; left && i < r->end; i++)
    left = try_part(r, &r->part[i], random);
  for (size_t i = 0; left && i < r->demands.n; i++)
    left = check_demand(r, &r->demands.at[i]);
  return left;
}

/* ---- a slice ------------------------------------------------------------------------------- */

/* False: the opposite is assumed, too. */
static bool assume(Reject *r, int32_t literal) {
  uint32_t meaning = r->meaning[abs(literal)], id = meaning >> 1;
  bool holds = literal > 0;
  assert(meaning != NONE);
  if ((meaning & 1) || !is_guessed(r, id)) {
    vec_push(&r->demands, (RejectDemand){id, meaning & 1, holds});
    return true;
  }
  bool agrees = r->fixed[id] < 0 || r->fixed[id] == holds;
  r->fixed[id] = holds;
  r->atoms[id] = lanes_all(holds);
  return agrees;
}

bool reject_enter(Reject *r, uint32_t part, const int32_t *assumed, size_t n) {
  assert(assumed || !n);
  bool possible = true;
  r->first = part == NONE ? 0 : part;
  r->end = part == NONE ? r->parts + 1 : part + 1;
  r->demands.n = 0;
  for (uint32_t i = r->first; i < r->end; i++) {
    possible &= r->part[i].able;
    for (size_t k = 0; k < r->part[i].guessed.n; k++)
      r->fixed[r->part[i].guessed.at[k]] = -1;
  }
  for (size_t i = 0; i < n && possible; i++)
    possible = assume(r, assumed[i]);
  return possible;
}

enum { LOOK_BATCHES = 16, AGAIN = 4 };
#define LEAST_EFFORT 2e7 /* some hundredths of a second: the estimate may be wrong */
#define MOST_EFFORT 1e10

uint64_t reject_effort(Reject *r, Random *random) {
  size_t checks = r->demands.n;
  LanesRandom lanes;
  lanes_random_make(&lanes, random);
  for (uint32_t i = r->first; i < r->end; i++)
    checks += r->part[i].early.n + r->part[i].late.n + r->part[i].supported.n;
  r->failed = memory_zero(checks, sizeof *r->failed);
  for (int i = 0; i < LOOK_BATCHES; i++)
    (void)try_all(r, &lanes);
  assert(r->checks == checks);
  double share = 0, looked = (double)LOOK_BATCHES * LANES;
  for (size_t i = 0; i < checks; i++)
    share += log2((looked - (double)r->failed[i] + 0.5) / (looked + 0.5));
  free(r->failed);
  r->failed = NULL;
  r->work = 0;
  for (int i = 0; i < LOOK_BATCHES; i++) /* now as they are when it counts */
    (void)try_all(r, &lanes);
  r->batches = fmax(exp2(-share) / LANES, 1);
  double effort = AGAIN * r->batches * (double)r->work / LOOK_BATCHES;
  return (uint64_t)(effort > MOST_EFFORT ? LEAST_EFFORT : fmax(effort, LEAST_EFFORT));
}

Status reject_find(Reject *r, uint64_t effort, const Limits *limits, Random *random) {
  enum { LOOK = 1 << 20 };
  Status status = OK;
  LanesRandom lanes;
  lanes_random_make(&lanes, random);
  r->work = 0;
  for (uint64_t next = LOOK; status == OK && r->work <= effort;) {
    if (try_all(r, &lanes))
      return OK;
    if (r->work < next)
      continue;
    next = r->work + LOOK;
    status = limits_check(limits);
  }
  r->alive = lanes_all(false);
  return status;
}

static bool is_violated(const Reject *r, uint32_t rule, unsigned lane) {
  const Rule *x = rule_at(r, rule);
  bool violated = true;
  assert(!x->weighted);
  for (uint32_t k = 0; k < x->size && violated; k++) {
    Lit l = rule_body(r->ground, x)[k];
    violated = lanes_bit(&r->atoms[lit_atom(l)], lane) != lit_negated(l);
  }
  for (uint32_t h = 0; h < x->heads && violated; h++)
    violated = !lanes_bit(&r->atoms[rule_heads(r->ground, x)[h]], lane);
  return violated;
}

void reject_take(const Reject *r, unsigned lane, const uint32_t *bits, size_t n, uint8_t *to) {
  assert(lane < LANES && lanes_bit(&r->alive, lane));
  memset(to, 0, (n + 7) / 8);
  for (size_t i = 0; i < n; i++) {
    uint32_t meaning = r->reported[bits[i]], id = meaning >> 1;
    bool holds = meaning & 1 ? is_violated(r, r->rule[id], lane) : lanes_bit(&r->atoms[id], lane);
    to[i >> 3] = (uint8_t)(to[i >> 3] | holds << (i & 7));
  }
}
