/* guesses.c - see guesses.h. */
#include "infer/guesses.h"

#include "base/arena.h"
#include "base/graph.h"
#include "language/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void guesses_free(Guesses *g) {
  ground_free(&g->ground);
  vec_free(&g->list);
}

/* ---- double negation --------------------------------------------------------------------- */

/* `a :- B, not x.  x :- not a.` is how `a :- B, not not a.` was ground: the choice {a} :- B. */
typedef struct {
  uint32_t *denies; /* by atom x: a + 1, if x holds iff a does not and has no name; else 0 */
} Mirrors;

static Mirrors mirrors_of(const Ground *g) {
  Mirrors m = {memory_zero(g->atoms.n, sizeof *m.denies)};
  bool *more = memory_zero(g->atoms.n, 1);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    bool plain = r->heads == 1 && r->size == 1 && r->instance == NONE && !r->choice && !r->weighted;
    for (uint32_t h = 0; h < r->heads; h++) {
      Atom x = rule_heads(g, r)[h];
      bool denies = plain && g->atoms.at[x].name == NONE && lit_negated(rule_body(g, r)[0]);
      more[x] |= !denies || m.denies[x];
      m.denies[x] = denies ? lit_atom(rule_body(g, r)[0]) + 1 : 0;
    }
  }
  for (Atom a = 0; a < g->atoms.n; a++)
    if (more[a])
      m.denies[a] = 0;
  free(more);
  return m;
}

/* Which literal of the body is `not not` the head; NONE: none is. */
static uint32_t doubled(const Ground *g, const Mirrors *m, const Rule *r) {
  if (r->heads != 1 || r->choice || r->weighted || r->instance != NONE)
    return NONE;
  for (uint32_t k = 0; k < r->size; k++) {
    Lit l = rule_body(g, r)[k];
    if (lit_negated(l) && m->denies[lit_atom(l)] == rule_heads(g, r)[0] + 1)
      return k;
  }
  return NONE;
}

/* ---- what the atom depends on ----------------------------------------------------------- */

/* Edges from heads to bodies, and between the heads of a rule. */
static GraphEdges dependencies(const Ground *g, const Mirrors *m) {
  GraphEdges edges = {0};
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    uint32_t twice = doubled(g, m, r);
    for (uint32_t h = 0; h < r->heads; h++) {
      Atom head = rule_heads(g, r)[h];
      for (uint32_t k = 0; k < r->size; k++)
        if (k != twice)
          vec_push(&edges, (GraphEdge){head, lit_atom(rule_body(g, r)[k])});
      for (uint32_t k = 0; !r->choice && k < r->heads; k++)
        vec_push(&edges, (GraphEdge){head, rule_heads(g, r)[k]});
    }
  }
  return edges;
}

/* A hard constraint makes each of its atoms depend on the others. */
static void add_constraints(const Ground *g, GraphEdges *edges) {
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t k = 0; !r->heads && r->instance == NONE && k < r->size; k++)
      vec_push(edges, (GraphEdge){lit_atom(rule_body(g, r)[k]),
                                  lit_atom(rule_body(g, r)[(k + 1) % r->size])});
  }
}

/* Marks, by atom, what marked atoms depend on. */
static void reach(const Ground *g, const GraphEdges *edges, bool *seen) {
  GraphLists lists = graph_lists(edges, g->atoms.n);
  Atoms waiting = {0};
  for (Atom a = 0; a < g->atoms.n; a++)
    if (seen[a])
      vec_push(&waiting, a);
  while (waiting.n) {
    Atom a = waiting.at[--waiting.n];
    for (uint32_t i = lists.start[a]; i < lists.start[a + 1]; i++)
      if (!seen[lists.at[i]]) {
        seen[lists.at[i]] = true;
        vec_push(&waiting, lists.at[i]);
      }
  }
  vec_free(&waiting);
  graph_lists_free(&lists);
}

/* What a program looks like to those who list guesses; by atom. */
typedef struct {
  Mirrors mirrors;
  bool *upstream;      /* the query depends on it */
  bool *open;          /* of a disjunction, or negated in a loop through itself */
  bool *inner;         /* its component depends on others */
  bool *tied;          /* a guess, a constraint or the evidence depends on it */
  uint32_t *rules;     /* how many have it as a head */
  uint32_t *component; /* of the dependency graph */
} Look;

/* Whatever else is guessed. */
static void find_open(const Ground *g, Look *s) {
  s->open = memory_zero(g->atoms.n, 1);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    uint32_t twice = doubled(g, &s->mirrors, r);
    for (uint32_t h = 0; h < r->heads; h++) {
      Atom head = rule_heads(g, r)[h];
      s->open[head] |= !r->choice && r->heads > 1;
      for (uint32_t k = 0; k < r->size; k++) {
        Lit l = rule_body(g, r)[k];
        s->open[lit_atom(l)] |=
            lit_negated(l) && k != twice && s->component[lit_atom(l)] == s->component[head];
      }
    }
  }
}

static void find_inner(const Ground *g, Look *s) {
  s->inner = memory_zero(g->atoms.n, 1);
  bool *of = memory_zero(g->atoms.n, 1); /* by component */
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t h = 0; h < r->heads; h++)
      for (uint32_t k = 0; k < r->size; k++) {
        uint32_t component = s->component[rule_heads(g, r)[h]];
        of[component] |= k != doubled(g, &s->mirrors, r) &&
                         s->component[lit_atom(rule_body(g, r)[k])] != component;
      }
  }
  for (Atom a = 0; a < g->atoms.n; a++)
    s->inner[a] = of[s->component[a]];
  free(of);
}

static bool is_guessing(const Ground *g, const Look *s, const Rule *r) {
  return r->heads > 1 || (r->heads && (r->choice || r->instance != NONE)) ||
         doubled(g, &s->mirrors, r) != NONE;
}

static void count_rules(const Ground *g, Look *s) {
  s->rules = memory_zero(g->atoms.n, sizeof *s->rules);
  for (size_t i = 0; i < g->rules.n; i++)
    for (uint32_t h = 0; h < g->rules.at[i].heads; h++)
      s->rules[rule_heads(g, &g->rules.at[i])[h]]++;
}

/* Rules that guess, but for facts that are all there is of their atom; hard constraints; loops
** through negation; evidence. */
static void find_tied(const Ground *g, const GraphEdges *edges, const Lit *evidence,
                      size_t evidences, Look *s) {
  s->tied = memory_zero(g->atoms.n, 1);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    bool ties = is_guessing(g, s, r) || (!r->heads && r->instance == NONE);
    for (uint32_t k = 0; ties && k < r->size; k++)
      s->tied[lit_atom(rule_body(g, r)[k])] = true;
    for (uint32_t h = 0; ties && h < r->heads; h++) {
      Atom head = rule_heads(g, r)[h];
      s->tied[head] |= r->size || s->rules[head] > 1;
    }
  }
  for (Atom a = 0; a < g->atoms.n; a++)
    s->tied[a] |= s->open[a];
  for (size_t i = 0; i < evidences; i++)
    s->tied[lit_atom(evidence[i])] = true;
  reach(g, edges, s->tied);
}

static Look look_of(const Ground *g, const Lit *evidence, size_t evidences, Atom query) {
  Look s = {.mirrors = mirrors_of(g), .upstream = memory_zero(g->atoms.n, 1)};
  GraphEdges edges = dependencies(g, &s.mirrors);
  s.component = graph_component_of(&edges, g->atoms.n);
  find_open(g, &s);
  find_inner(g, &s);
  edges = dependencies(g, &s.mirrors);
  count_rules(g, &s);
  find_tied(g, &edges, evidence, evidences, &s);
  add_constraints(g, &edges);
  s.upstream[query] = true;
  reach(g, &edges, s.upstream);
  vec_free(&edges);
  return s;
}

static void look_free(Look *s) {
  free(s->mirrors.denies);
  free(s->upstream);
  free(s->open);
  free(s->tied);
  free(s->rules);
  free(s->inner);
  free(s->component);
}

/* The soft constraint that forbids an atom without a name, and nothing else: then the atom is
** that an instance with such a head is violated.  NONE: there is none. */
static uint32_t constraint_of(const Ground *g, Atom a) {
  for (uint32_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance != NONE && !r->heads && r->size == 1 && rule_body(g, r)[0] == lit_of(a, false))
      return i;
  }
  return NONE;
}

/* ---- the list --------------------------------------------------------------------------- */

static void add(Guesses *to, Guess guess) {
  for (size_t i = 0; i < to->list.n; i++)
    if (lit_atom(to->list.at[i].holds) == lit_atom(guess.holds))
      return;
  vec_push(&to->list, guess);
}

/* An atom that holds iff the body of a rule, without one literal, does. */
static Atom tell_body(Ground *g, uint32_t rule, uint32_t without) {
  const Rule from = g->rules.at[rule]; /* rules move */
  Atom told = ground_atom(g, NULL);
  uint32_t *to = ground_rule(g, (Rule){.heads = 1,
                                       .size = from.size - (without != NONE),
                                       .weighted = from.weighted,
                                       .bound = from.bound,
                                       .instance = NONE});
  uint32_t words = from.size * (from.weighted ? 2 : 1), n = 0;
  to[n++] = told;
  for (uint32_t k = 0; k < words; k++)
    if (k != without)
      to[n++] = g->pool.at[from.first + from.heads + k];
  return told;
}

/* An atom that holds iff the body holds and none of these heads does. */
static Atom tell_failure(Ground *g, uint32_t rule, uint32_t without, uint32_t first,
                         uint32_t heads) {
  Lit body = lit_of(tell_body(g, rule, without), false);
  Atom told = ground_atom(g, NULL);
  uint32_t *to = ground_rule(g, (Rule){.heads = 1, .size = heads + 1, .instance = NONE});
  to[0] = told, to[1] = body;
  for (uint32_t h = 0; h < heads; h++)
    to[2 + h] = lit_of(rule_heads(g, &g->rules.at[rule])[first + h], true);
  return told;
}

/* `heads` of a rule, from `first` on: they fail together. */
static void add_head(Guesses *to, const Look *s, Guess guess, uint32_t without, uint32_t first,
                     uint32_t heads) {
  Ground *g = &to->ground;
  const Rule *r = &g->rules.at[guess.rule];
  guess.head = rule_heads(g, r)[first];
  bool fact = r->size == (without != NONE) && heads == 1;
  guess.holds = fact ? lit_of(guess.head, false)
                     : lit_of(tell_failure(g, guess.rule, without, first, heads), true);
  guess.level = fact ? 0 : guess.level;
  guess.free = fact && !s->tied[guess.head];
  add(to, guess);
}

static void add_soft(Guesses *to, size_t rules, const Look *s) {
  for (uint32_t i = 0; i < rules; i++) {
    const Rule *r = &to->ground.rules.at[i];
    if (r->instance != NONE && r->heads && s->upstream[rule_heads(&to->ground, r)[0]])
      add_head(to, s, (Guess){.kind = GUESS_SOFT, .rule = i}, NONE, 0, r->heads);
  }
}

static void add_choices(Guesses *to, size_t rules, const Look *s) {
  for (uint32_t i = 0; i < rules; i++) {
    const Guess guess = {.kind = GUESS_CHOICE, .rule = i, .level = 1};
    uint32_t twice = doubled(&to->ground, &s->mirrors, &to->ground.rules.at[i]);
    bool choice = to->ground.rules.at[i].choice || twice != NONE;
    for (uint32_t h = 0; choice && h < to->ground.rules.at[i].heads; h++)
      if (s->upstream[rule_heads(&to->ground, &to->ground.rules.at[i])[h]])
        add_head(to, s, guess, twice, h, 1);
  }
}

/* Those with a name first; that an instance with bounds is violated has one, too. */
static void add_atoms(Guesses *to, size_t atoms, const Look *s) {
  for (int named = 1; named >= 0; named--)
    for (Atom a = 0; a < atoms; a++) {
      bool told = to->ground.atoms.at[a].name != NONE || constraint_of(&to->ground, a) != NONE;
      uint8_t level = !told ? 2 : s->inner[a] ? 1 : 0;
      if (s->open[a] && s->upstream[a] && told == named)
        add(to, (Guess){lit_of(a, false), GUESS_ATOM, NONE, a, false, level});
    }
}

void guesses_make(const Ground *g, const Lit *evidence, size_t evidences, Atom query, Guesses *to) {
  assert(g->sealed && g->atoms.at[query].truth == ATOM_OPEN && !to->list.n);
  Look s = look_of(g, evidence, evidences, query);
  bool *none = memory_zero(g->atoms.n, 1);
  ground_without(g, none, &to->ground);
  to->ground.sealed = false;
  add_soft(to, g->rules.n, &s);
  add_choices(to, g->rules.n, &s);
  add_atoms(to, g->atoms.n, &s);
  to->ground.sealed = true;
  assert(ground_valid(&to->ground));
  look_free(&s);
  free(none);
}

/* ---- as text ---------------------------------------------------------------------------- */

void guess_write_literal(const Ground *g, Lit l, Text *to) {
  uint32_t name = g->atoms.at[lit_atom(l)].name;
  text_printf(to, "%s%s", lit_negated(l) ? "not " : "", name == NONE ? "…" : ground_text(g, name));
}

void guess_write_rule(const Ground *g, const Rule *r, Text *to) {
  text_puts(to, r->choice ? "{ " : "");
  for (uint32_t h = 0; h < r->heads; h++) {
    text_puts(to, h ? "; " : "");
    guess_write_literal(g, lit_of(rule_heads(g, r)[h], false), to);
  }
  text_puts(to, r->choice ? " }" : "");
  for (uint32_t k = 0; k < r->size; k++) {
    text_puts(to, k ? ", " : " :- ");
    guess_write_literal(g, rule_body(g, r)[k], to);
  }
}

static void write_instance(const Task *t, const Ground *g, uint32_t instance, Text *to) {
  const Instance *i = &g->instances.at[instance];
  const char *file, *values = ground_text(g, i->text);
  unsigned line;
  program_describe(t->program, &t->program->statements.at[g->soft.at[i->soft].statement], &file,
                   &line, to);
  if (*values)
    text_printf(to, "  [%s]", values);
}

static void write_choice(const Ground *g, const Guess *guess, Text *to) {
  const Rule *r = &g->rules.at[guess->rule];
  const char *before = " :- ";
  text_puts(to, "{ ");
  guess_write_literal(g, lit_of(guess->head, false), to);
  text_puts(to, " }");
  for (uint32_t k = 0; k < r->size; k++) {
    if (!r->choice && g->atoms.at[lit_atom(rule_body(g, r)[k])].name == NONE)
      continue; /* not not the head */
    text_puts(to, before);
    guess_write_literal(g, rule_body(g, r)[k], to);
    before = ", ";
  }
}

static void write_soft(const Task *t, const Ground *g, uint32_t rule, bool negated, Text *to) {
  const Instance *i = &g->instances.at[g->rules.at[rule].instance];
  bool coin = t->program->statements.at[g->soft.at[i->soft].statement].coin;
  text_puts(to, !negated ? "" : coin ? "fails: " : "violated: ");
  write_instance(t, g, g->rules.at[rule].instance, to);
}

const char *guess_text(const Task *t, const Guesses *from, const Guess *guess, bool negated) {
  const Ground *g = &from->ground;
  Text text = {0};
  Atom atom = lit_atom(guess->holds);
  uint32_t forbids = g->atoms.at[atom].name == NONE ? constraint_of(g, atom) : NONE;
  if (g->atoms.at[atom].name != NONE) {
    guess_write_literal(g, negated ? lit_not(guess->holds) : guess->holds, &text);
  } else if (guess->kind == GUESS_SOFT) {
    write_soft(t, g, guess->rule, negated, &text);
  } else if (forbids != NONE) {
    write_soft(t, g, forbids, !negated, &text);
  } else if (guess->kind == GUESS_CHOICE) {
    text_puts(&text, negated ? "refused: " : "");
    write_choice(g, guess, &text);
  } else {
    guess_write_literal(g, negated ? lit_not(guess->holds) : guess->holds, &text);
  }
  const char *made = arena_bytes(t->answer, text.at, text.n);
  vec_free(&text);
  return made;
}
