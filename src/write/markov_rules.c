/* markov_rules.c - rules with variables in Markov logic, and their completion. */
#include "write/markov_rules.h"

#include "base/graph.h"
#include "ground/ground.h"
#include "lpmln/lpmln.h"
#include "write/markov_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- loops among predicates -------------------------------------------------------------- */

static bool loops(const ToMarkovNames *names, const ToMarkovRules *rules) {
  GraphEdges edges = {0};
  bool found = false;
  for (size_t i = 0; i < rules->rules.n; i++) {
    const ToMarkovRule *r = &rules->rules.at[i];
    for (size_t k = 1; k < r->literals.n && r->head; k++) {
      const ToMarkovLiteral *l = &r->literals.at[k];
      if (l->kind == MLN_ATOM && !l->negated)
        vec_push(&edges, (GraphEdge){r->literals.at[0].predicate, l->predicate});
    }
  }
  GraphLists lists = graph_lists(&edges, names->predicates.n);
  uint32_t *component = memory_zero(names->predicates.n, sizeof *component);
  graph_components(&lists, names->predicates.n, component);
  for (size_t i = 0; i < edges.n; i++)
    found |= component[edges.at[i].key] == component[edges.at[i].value];
  free(component);
  graph_lists_free(&lists);
  vec_free(&edges);
  return found;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* How the variables of a rule are written: with their own names, or as the
** arguments of a head, and whether `+` was said. */
typedef struct {
  const char **names;
  bool *plus;
} Spelling;

static Spelling spelling_make(const ToMarkovRule *r, bool plus) {
  Spelling s = {memory_zero(r->variables.n, sizeof *s.names),
                memory_zero(r->variables.n, sizeof *s.plus)};
  for (size_t i = 0; i < r->variables.n; i++) {
    s.names[i] = r->variables.at[i].written;
    s.plus[i] = plus && r->variables.at[i].counted;
  }
  return s;
}

static void spelling_free(Spelling *s) {
  free(s->names);
  free(s->plus);
}

static void write_term(ToMarkov *m, ToMarkovTerm t, Spelling *s) {
  if (!t.variable) {
    text_puts(&m->out, m->names.written.at[t.id]);
    return;
  }
  text_printf(&m->out, "%s%s", s->plus[t.id] ? "+" : "", s->names[t.id]);
  s->plus[t.id] = false;
}

static void write_literal(ToMarkov *m, const ToMarkovRule *r, const ToMarkovLiteral *l,
                          bool opposite, Spelling *s) {
  const ToMarkovTerm *terms = r->terms.at + l->first;
  if (l->kind != MLN_ATOM) {
    write_term(m, terms[0], s);
    text_puts(&m->out, (l->kind == MLN_EQUAL) != opposite ? " = " : " != ");
    write_term(m, terms[1], s);
    return;
  }
  const ToMarkovPredicate *p = &m->names.predicates.at[l->predicate];
  text_printf(&m->out, "%s%s(", l->negated != opposite ? "!" : "", p->written);
  for (uint32_t k = 0; k < l->count; k++) {
    text_puts(&m->out, k ? ", " : "");
    write_term(m, terms[k], s);
  }
  if (p->plain)
    text_puts(&m->out, m->names.written.at[names_find(&m->names.constants, "\1", 1)]);
  text_puts(&m->out, ")");
}

/* `a ^ !b => c`, and a clause if there is no head, or for Tuffy. */
static void write_formula(ToMarkov *m, const ToMarkovRule *r) {
  Spelling s = spelling_make(r, true);
  bool clause = m->tuffy || !r->head;
  for (size_t k = r->head; k < r->literals.n; k++) {
    text_puts(&m->out, k == r->head ? "" : clause ? " v " : " ^ ");
    write_literal(m, r, &r->literals.at[k], clause, &s);
  }
  if (r->head && r->literals.n > 1)
    text_puts(&m->out, clause ? " v " : " => ");
  if (r->head)
    write_literal(m, r, &r->literals.at[0], false, &s);
  spelling_free(&s);
}

/* Are the weights of its instances to be learned?  Without any, it is known as a parameter. */
static bool is_learned(const ToMarkov *m, const ToMarkovRule *r) {
  const Ground *g = m->named;
  for (size_t i = 0; i < g->instances.n; i++) {
    uint32_t statement = g->soft.at[g->instances.at[i].soft].statement;
    if (&m->program->statements.at[statement] == r->statement)
      return to_markov_left_out(m, g->instances.at[i].weight);
  }
  return r->statement->weight_kind == WEIGHT_PARAMETER;
}

/* Has a variable no value?  Then the rule has no instance. */
static bool vacuous(const ToMarkov *m, const ToMarkovRule *r) {
  for (size_t i = 0; i < r->variables.n; i++)
    if (!to_markov_type_size(&m->names, r->variables.at[i].slot))
      return true;
  return false;
}

void to_markov_write_rule(ToMarkov *m, const ToMarkovRule *r) {
  if (vacuous(m, r))
    return;
  Text text = {0};
  program_write(m->program, r->statement, r->statement->whole, &text);
  text_printf(&m->out, "// %s\n", text.at);
  vec_free(&text);
  if (r->soft && is_learned(m, r))
    vec_push(&m->marks, ((ToMarkovMark){m->out.n, r->statement, NONE}));
  else if (r->soft)
    to_markov_write_weight(r->weight, &m->out);
  write_formula(m, r);
  text_puts(&m->out, r->soft ? "\n" : ".\n");
}

/* ---- completion ---------------------------------------------------------------------------- */

static void separate(ToMarkov *m, bool *first) {
  text_puts(&m->out, *first ? "" : " ^ ");
  *first = false;
}

/* Head arguments become arg1, arg2, …: a variable is called so at its first
** place, and what else stands there is an equation. */
static void write_equations(ToMarkov *m, const ToMarkovRule *r, Spelling *s, char (*arguments)[16],
                            bool *first) {
  const ToMarkovLiteral *head = &r->literals.at[0];
  for (uint32_t k = 0; k < head->count; k++) {
    ToMarkovTerm t = r->terms.at[head->first + k];
    if (t.variable && s->names[t.id] == r->variables.at[t.id].written) {
      s->names[t.id] = arguments[k];
      continue;
    }
    separate(m, first);
    text_printf(&m->out, "%s = ", arguments[k]);
    write_term(m, t, s);
  }
}

/* One way to derive the head: EXIST the other variables, the body holds. */
static void write_way(ToMarkov *m, const ToMarkovRule *r, char (*arguments)[16]) {
  Spelling s = spelling_make(r, false);
  const ToMarkovLiteral *head = &r->literals.at[0];
  bool *outer = memory_zero(r->variables.n, sizeof *outer), first = true;
  for (uint32_t k = 0; k < head->count; k++)
    if (r->terms.at[head->first + k].variable)
      outer[r->terms.at[head->first + k].id] = true;
  text_puts(&m->out, "(");
  for (size_t i = 0; i < r->variables.n; i++)
    if (!outer[i]) {
      text_printf(&m->out, "%s%s", first ? "EXIST " : ", ", r->variables.at[i].written);
      first = false;
    }
  text_puts(&m->out, first ? "" : " (");
  bool inside = !first;
  first = true;
  write_equations(m, r, &s, arguments, &first);
  for (size_t k = 1; k < r->literals.n; k++) {
    separate(m, &first);
    write_literal(m, r, &r->literals.at[k], false, &s);
  }
  text_puts(&m->out, inside ? "))" : ")");
  free(outer);
  spelling_free(&s);
}

/* Does the rule derive its head for all arguments? */
static bool unconditional(const ToMarkovRule *r) {
  const ToMarkovLiteral *head = &r->literals.at[0];
  bool *seen = memory_zero(r->variables.n, sizeof *seen), all = r->literals.n == 1;
  for (uint32_t k = 0; k < head->count; k++) {
    ToMarkovTerm t = r->terms.at[head->first + k];
    all &= t.variable && !seen[t.id];
    if (t.variable)
      seen[t.id] = true;
  }
  free(seen);
  return all;
}

static void complete(ToMarkov *m, const ToMarkovRules *rules, uint32_t predicate) {
  const ToMarkovPredicate *p = &m->names.predicates.at[predicate];
  char(*arguments)[16] = memory_zero(p->arity, sizeof *arguments);
  size_t ways = 0;
  bool free_choice = false;
  for (uint32_t k = 0; k < p->arity; k++)
    snprintf(arguments[k], sizeof *arguments, "arg%u", k + 1);
  for (size_t i = 0; i < rules->rules.n; i++) {
    const ToMarkovRule *r = &rules->rules.at[i];
    if (!r->head || r->literals.at[0].predicate != predicate || vacuous(m, r))
      continue;
    free_choice |= unconditional(r);
    ways++;
  }
  if (!free_choice) {
    text_printf(&m->out, "%s%s(", ways ? "" : "!", p->written);
    for (uint32_t k = 0; k < p->arity && !p->plain; k++)
      text_printf(&m->out, "%s%s", k ? ", " : "", arguments[k]);
    text_printf(&m->out, "%s)%s",
                p->plain ? m->names.written.at[names_find(&m->names.constants, "\1", 1)] : "",
                ways ? " => " : "");
    const char *before = "";
    for (size_t i = 0; i < rules->rules.n; i++) {
      const ToMarkovRule *r = &rules->rules.at[i];
      if (!r->head || r->literals.at[0].predicate != predicate || vacuous(m, r))
        continue;
      text_puts(&m->out, before), before = " v ";
      write_way(m, r, arguments);
    }
    text_puts(&m->out, ".\n");
  }
  free(arguments);
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool has_facts_only(const ToMarkov *m, const ToMarkovRules *rules, uint32_t predicate) {
  const char *key = m->names.keys.list.at[predicate];
  return names_find(&rules->facts, key, (size_t)(strrchr(key, '/') - key)) != UINT32_MAX;
}

static bool empty(const ToMarkov *m, uint32_t predicate) {
  const ToMarkovPredicate *p = &m->names.predicates.at[predicate];
  for (uint32_t k = 0; k < p->arity; k++)
    if (!to_markov_type_size(&m->names, p->first + k))
      return true;
  return false;
}

static void write_facts(ToMarkov *m, uint32_t predicate) {
  VEC(Atom) atoms = {0};
  for (Atom a = 0; a < m->ground->atoms.n; a++) {
    const AtomInfo *info = &m->ground->atoms.at[a];
    if (info->name != NONE && info->truth != ATOM_IMPOSSIBLE &&
        to_markov_add_atom(&m->names, ground_text(m->ground, info->name)) == predicate)
      vec_push(&atoms, a);
  }
  to_markov_write_possible(m, predicate, atoms.at, atoms.n);
  vec_free(&atoms);
}

static void write_all(ToMarkov *m, const ToMarkovRules *rules) {
  text_printf(
      &m->out, "// Translated by lpmln %s into Markov logic: the rules%s.\n", lpmln_version(),
      m->no_completion ? " as formulas, without their completion" : " and their completion");
  to_markov_write_changes(&m->names, &m->out);
  to_markov_write_declarations(&m->names, true, &m->out);
  text_puts(&m->out, "\n");
  for (uint32_t p = 0; p < m->names.predicates.n; p++)
    if (has_facts_only(m, rules, p) && !empty(m, p))
      write_facts(m, p);
  text_puts(&m->out, "\n");
  for (size_t i = 0; i < rules->rules.n; i++) {
    const ToMarkovRule *r = &rules->rules.at[i];
    if (!r->choice && r->literals.n)
      to_markov_write_rule(m, r);
  }
  if (m->no_completion)
    return;
  text_puts(&m->out, "\n// completion: an atom needs a rule with a true body\n");
  for (uint32_t p = 0; p < m->names.predicates.n; p++)
    if (!has_facts_only(m, rules, p) && !empty(m, p))
      complete(m, rules, p);
}

/* Strong negation has constraints of its own, so there is none. */
static bool add_atoms(ToMarkov *m) {
  for (Atom a = 0; a < m->ground->atoms.n; a++) {
    const AtomInfo *info = &m->ground->atoms.at[a];
    if (info->name == NONE || info->truth == ATOM_IMPOSSIBLE)
      continue;
    if (*ground_text(m->ground, info->name) == '-')
      return false;
    to_markov_add_atom(&m->names, ground_text(m->ground, info->name));
  }
  return true;
}

bool to_markov_write_rules(ToMarkov *m) {
  ToMarkovRules rules = {0};
  bool good = to_markov_read_rules(m, &rules) && (m->no_completion || !loops(&m->names, &rules)) &&
              add_atoms(m);
  if (good) {
    to_markov_names_close(&m->names);
    write_all(m, &rules);
  } else {
    to_markov_names_free(&m->names);
    m->names = (ToMarkovNames){0};
  }
  to_markov_rules_free(&rules);
  return good;
}
