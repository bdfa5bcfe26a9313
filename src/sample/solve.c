/* solve.c - see solve.h: ground program to REQUEST_SOLVE, and its replies. */
#include "sample/solve.h"

#include "sample/minimality.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void layout_free(Layout *layout) {
  free(layout->of_atom);
  free(layout->of_instance);
  *layout = (Layout){0};
}

/* ---- solver programs --------------------------------------------------------- */

void solver_rule(SolverProgram *p, bool choice, const uint32_t *heads, uint32_t head_count,
                 const int32_t *body, uint32_t size) {
  payload_u8(&p->rules, false);
  payload_u8(&p->rules, choice);
  payload_u32(&p->rules, head_count);
  text_add(&p->rules, (const char *)heads, head_count * sizeof *heads);
  payload_u32(&p->rules, size);
  text_add(&p->rules, (const char *)body, size * sizeof *body);
  p->count++;
}

void solver_sum(SolverProgram *p, uint32_t head, int32_t bound, const int32_t *body,
                const uint32_t *weights, uint32_t size) {
  payload_u8(&p->rules, true);
  payload_u8(&p->rules, false);
  payload_u32(&p->rules, 1);
  payload_u32(&p->rules, head);
  payload_u32(&p->rules, size);
  text_add(&p->rules, (const char *)body, size * sizeof *body);
  payload_u32(&p->rules, (uint32_t)bound);
  text_add(&p->rules, (const char *)weights, size * sizeof *weights);
  p->count++;
}

void solver_write(const SolverProgram *p, Text *payload) {
  payload_u32(payload, p->atoms);
  payload_u32(payload, p->count);
  text_add(payload, p->rules.at, p->rules.n);
}

void solver_free(SolverProgram *p) {
  vec_free(&p->rules);
  vec_free(&p->body);
}

/* ---- the translation ------------------------------------------------------------ */

typedef struct {
  const Question *q;
  const Ground *g;
  SolverProgram p;
  uint32_t *atom;      /* by atom: the solver's, 0 if not open */
  int32_t *violation;  /* by instance: the solver's literal, 0: none */
  Layout *layout;
  VEC(int32_t) reported;
} Translation;

static int32_t literal(const Translation *t, Lit l) {
  int32_t atom = (int32_t)t->atom[lit_atom(l)];
  assert(atom);
  return lit_negated(l) ? -atom : atom;
}

/* The rule's body in p.body; a weighted one becomes an atom first. */
static void take_body(Translation *t, const Rule *r) {
  SolverProgram *p = &t->p;
  p->body.n = 0;
  for (uint32_t k = 0; k < r->size; k++)
    vec_push(&p->body, literal(t, rule_body(t->g, r)[k]));
  if (r->weighted) {
    uint32_t sum = ++p->atoms;
    solver_sum(p, sum, r->bound, p->body.at, rule_weights(t->g, r), r->size);
    p->body.n = 0;
    vec_push(&p->body, (int32_t)sum);
  }
}

static void add(Translation *t, bool choice, const uint32_t *heads, uint32_t count) {
  solver_rule(&t->p, choice, heads, count, t->p.body.at, (uint32_t)t->p.body.n);
}

/* The atom's strongly connected component, if a disjunction has two heads there. */
static uint32_t cyclic_scc(const Translation *t, Atom a) {
  uint32_t scc = t->q->analysis->scc[a];
  return t->q->analysis->head_cyclic[scc] ? scc : NONE;
}

/* Heads of one component together, the others negated in the body: a single
** head is a normal rule, several a choice whose minimality is checked. */
static void add_disjunction(Translation *t, const Rule *r) {
  const Atom *heads = rule_heads(t->g, r);
  size_t body = t->p.body.n;
  for (uint32_t h = 0; h < r->heads; h++) {
    VEC(uint32_t) group = {0};
    bool first = true;
    uint32_t scc = cyclic_scc(t, heads[h]);
    t->p.body.n = body;
    for (uint32_t i = 0; i < r->heads; i++) {
      bool together = i == h || (scc != NONE && cyclic_scc(t, heads[i]) == scc);
      first &= !together || i >= h;
      if (together)
        vec_push(&group, t->atom[heads[i]]);
      else
        vec_push(&t->p.body, -(int32_t)t->atom[heads[i]]);
    }
    if (first) /* each group once, at its first head */
      add(t, group.n > 1, group.at, (uint32_t)group.n);
    if (first && group.n > 1) {
      for (size_t i = 0; i < group.n; i++)
        vec_push(&t->p.body, -(int32_t)group.at[i]);
      add(t, false, NULL, 0);
    }
    vec_free(&group);
  }
}

/* u :- B, not heads; a single literal stands for itself. */
static int32_t violation_of(Translation *t, const Rule *r) {
  size_t body = t->p.body.n;
  for (uint32_t h = 0; h < r->heads; h++)
    vec_push(&t->p.body, -(int32_t)t->atom[rule_heads(t->g, r)[h]]);
  int32_t result;
  if (t->p.body.n == 1) {
    result = t->p.body.at[0];
  } else {
    uint32_t u = ++t->p.atoms;
    add(t, false, &u, 1);
    result = (int32_t)u;
  }
  t->p.body.n = body;
  return result;
}

static void add_soft(Translation *t, const Rule *r) {
  assert(!r->weighted && !r->choice);
  if (!r->heads && !r->size) {
    t->layout->of_instance[r->instance] = ALWAYS;
    return;
  }
  int32_t violated = violation_of(t, r);
  t->violation[r->instance] = violated;
  if (r->heads == 1) {
    add(t, true, &t->atom[rule_heads(t->g, r)[0]], 1);
  } else if (r->heads > 1) {
    vec_push(&t->p.body, -violated);
    add_disjunction(t, r);
  }
}

static void add_rule(Translation *t, const Rule *r) {
  take_body(t, r);
  if (r->instance != NONE) {
    add_soft(t, r);
  } else if (r->choice || r->heads <= 1) {
    VEC(uint32_t) heads = {0};
    for (uint32_t h = 0; h < r->heads; h++)
      vec_push(&heads, t->atom[rule_heads(t->g, r)[h]]);
    add(t, r->choice, heads.at, (uint32_t)heads.n);
    vec_free(&heads);
  } else {
    add_disjunction(t, r);
  }
}

/* At most `hard_violated` of the violable hard instances. */
static void add_hard_bound(Translation *t) {
  VEC(int32_t) body = {0};
  VEC(uint32_t) ones = {0};
  int64_t allowed = t->q->hard_violated;
  for (uint32_t i = 0; i < t->g->instances.n; i++) {
    if (t->g->instances.at[i].weight != NONE)
      continue;
    allowed -= t->layout->of_instance[i] == ALWAYS;
    if (t->violation[i]) {
      vec_push(&body, t->violation[i]);
      vec_push(&ones, 1);
    }
  }
  t->p.body.n = 0;
  if (allowed >= 0) {
    uint32_t over = ++t->p.atoms;
    solver_sum(&t->p, over, (int32_t)allowed + 1, body.at, ones.at, (uint32_t)body.n);
    vec_push(&t->p.body, (int32_t)over);
  }
  add(t, false, NULL, 0);
  vec_free(&body);
  vec_free(&ones);
}

static void add_required(Translation *t) {
  for (size_t i = 0; i < t->q->required_count; i++) {
    Lit l = t->q->required[i];
    Truth truth = t->g->atoms.at[lit_atom(l)].truth;
    t->p.body.n = 0;
    if (truth == ATOM_OPEN)
      vec_push(&t->p.body, -literal(t, l));
    if (truth == ATOM_OPEN || (truth == ATOM_CERTAIN) == lit_negated(l))
      add(t, false, NULL, 0);
  }
}

/* Every open atom that somebody may ask for, and every violation. */
static void lay_out(Translation *t) {
  Layout *layout = t->layout;
  for (Atom a = 0; a < t->g->atoms.n; a++) {
    layout->of_atom[a] = t->atom[a] ? (uint32_t)t->reported.n : NONE;
    if (t->atom[a])
      vec_push(&t->reported, (int32_t)t->atom[a]);
  }
  for (uint32_t i = 0; i < t->g->instances.n; i++) {
    if (layout->of_instance[i] == ALWAYS)
      continue;
    layout->of_instance[i] = t->violation[i] ? (uint32_t)t->reported.n : NEVER;
    if (t->violation[i])
      vec_push(&t->reported, t->violation[i]);
  }
  layout->bits = (uint32_t)t->reported.n;
  layout->bytes = (layout->bits + 7) / 8;
}

static void translate(Translation *t, Text *payload) {
  const Ground *g = t->g;
  t->atom = memory_zero(g->atoms.n, sizeof *t->atom);
  t->violation = memory_zero(g->instances.n, sizeof *t->violation);
  t->layout->of_atom = memory_zero(g->atoms.n, sizeof *t->layout->of_atom);
  t->layout->of_instance = memory_zero(g->instances.n, sizeof *t->layout->of_instance);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].truth == ATOM_OPEN)
      t->atom[a] = ++t->p.atoms;
  for (size_t i = 0; i < g->rules.n; i++)
    add_rule(t, &g->rules.at[i]);
  add_required(t);
  if (t->q->hard_violated != NONE)
    add_hard_bound(t);
  lay_out(t);
  payload_u32(payload, t->q->most);
  solver_write(&t->p, payload);
  payload_u32(payload, (uint32_t)t->reported.n);
  text_add(payload, (const char *)t->reported.at, t->reported.n * sizeof *t->reported.at);
  minimality_write(g, t->q->analysis, t->atom, payload);
  solver_free(&t->p);
  vec_free(&t->reported);
  free(t->atom);
  free(t->violation);
}

/* ---- replies ------------------------------------------------------------------------- */

static WorkerOutcome receive(Worker *worker, const Limits *limits, const Layout *layout,
                             ModelsCallback callback, void *data) {
  static const uint8_t nothing[1];
  for (;;) {
    Header header;
    const char *bytes;
    WorkerOutcome outcome = worker_receive(worker, &header, &bytes, limits);
    if (outcome != WORKER_OK)
      return outcome;
    Reader r = {bytes, bytes + header.length};
    if (header.type == REPLY_DONE) {
      uint32_t result = reader_u32(&r);
      return result == OUTCOME_OK       ? WORKER_OK
             : result == OUTCOME_MEMORY ? WORKER_MEMORY
                                        : WORKER_DIED;
    }
    assert(header.type == REPLY_MODELS);
    size_t count = layout->bytes ? header.length / layout->bytes : 1;
    const uint8_t *models = layout->bytes ? (const uint8_t *)bytes : nothing;
    if (!callback(data, layout, models, count)) {
      worker_stop(worker);
      return WORKER_OK;
    }
  }
}

WorkerOutcome solve(const Question *q, Worker *worker, const char *path, const Limits *limits,
                    Layout *layout, ModelsCallback callback, void *data) {
  Text payload = {0};
  Translation t = {.q = q, .g = q->ground, .layout = layout};
  *layout = (Layout){0};
  translate(&t, &payload);
  WorkerOutcome outcome = worker_start(worker, path, limits);
  if (outcome == WORKER_OK)
    outcome = worker_send(worker, REQUEST_SOLVE, &payload, limits);
  vec_free(&payload);
  if (outcome == WORKER_OK)
    outcome = receive(worker, limits, layout, callback, data);
  return outcome;
}
