/* clause.c - sentences to clauses, queries, evidence and observations. */
#include "dialects/problog/problog.h"

#include "base/memory.h"
#include "base/names.h"
#include "language/instance.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

void clause_free(Clause *c) {
  vec_free(&c->heads);
  vec_free(&c->body);
  vec_free(&c->names);
  vec_free(&c->goals);
}

uint32_t problog_predicate(Problog *p, uint32_t name, uint32_t arity) {
  assert(name < p->names.list.n && p->signatures.list.n == p->predicates.n);
  Text text = {0};
  text_printf(&text, "%s/%u", problog_text(p, name), arity);
  size_t known = p->signatures.list.n;
  uint32_t number = names_add(&p->signatures, text.at, text.n);
  if (number == known)
    vec_push(&p->predicates, (Predicate){.name = name, .arity = arity});
  vec_free(&text);
  return number;
}

uint32_t problog_predicate_of(Problog *p, TermId atom) {
  Term t = *problog_at(p, atom);
  bool quoted = t.kind == P_STRING && *problog_text(p, t.name) == '\'';
  if (t.kind == P_COMPOUND || t.kind == P_ATOM || quoted)
    return problog_predicate(p, t.name, t.count);
  problog_error(p, t.place,
                t.kind == P_VARIABLE ? "which goal it is must be known beforehand" : NULL,
                "this is no atom");
  return UINT32_MAX;
}

Predicate *problog_predicate_at(Problog *p, TermId atom) {
  uint32_t number = problog_predicate_of(p, atom); /* may move them, so it comes first */
  assert(number < p->predicates.n);
  return &p->predicates.at[number];
}

uint32_t problog_add_clause(Problog *p, Clause *c) {
  assert(c->names.n == c->variables);
  uint32_t number = (uint32_t)p->clauses.n;
  vec_push(&p->clauses, *c);
  for (size_t i = 0; i < c->heads.n; i++) {
    uint32_t predicate = problog_predicate_of(p, c->heads.at[i].head);
    if (predicate == UINT32_MAX)
      continue;
    Predicate *to = &p->predicates.at[predicate];
    to->defined = true;
    if (!to->clauses.n || to->clauses.at[to->clauses.n - 1] != number)
      vec_push(&to->clauses, number);
  }
  *c = (Clause){0};
  return number;
}

/* ---- annotations --------------------------------------------------------------------- */

static bool good_probability(Problog *p, TermId t, double value) {
  if (value >= 0 && value <= 1)
    return true;
  problog_error(p, problog_at(p, t)->place, NULL, "%g is no probability", value);
  return false;
}

/* t(_), t(0.3), t(_, X) */
static void read_parameter(Problog *p, Alternative *a) {
  assert(problog_at(p, a->expression)->count);
  TermId start = problog_argument(p, a->expression, 0);
  bool real;
  a->kind = A_PARAMETER;
  a->probability = NAN;
  if (problog_at(p, start)->kind == P_VARIABLE)
    return;
  if (!problog_value(p, start, &a->probability, &real))
    problog_error(p, problog_at(p, start)->place, "write t(_) or t(0.3)",
                  "the first argument of t is the probability to start from");
  else if (good_probability(p, start, a->probability) &&
           (a->probability == 0 || a->probability == 1))
    a->kind = A_NUMBER; /* expectation maximisation never leaves 0 and 1 */
}

/* How many literals and heads have the variable. */
static size_t uses(const Problog *p, const Clause *c, uint32_t variable) {
  size_t count = 0;
  Variables v = {0};
  for (size_t i = 0; i < c->heads.n; i++, v.n = 0) {
    problog_variables(p, c->heads.at[i].head, &v);
    count += variables_have(&v, variable);
  }
  for (size_t i = 0; i < c->body.n; i++, v.n = 0) {
    const Literal *l = &c->body.at[i];
    problog_variables(p, l->left, &v);
    if (l->right != NO_TERM)
      problog_variables(p, l->right, &v);
    if (l->more != NO_TERM)
      problog_variables(p, l->more, &v);
    count += variables_have(&v, variable);
  }
  vec_free(&v);
  return count;
}

/* `P is E` in the body, for a P that only the annotation needs, is computed as a weight. */
static void inline_annotation(Problog *p, Clause *c, Alternative *a) {
  const Term *t = problog_at(p, a->expression);
  if (t->kind != P_VARIABLE || c->heads.n > 1 || uses(p, c, t->name) != 1)
    return;
  for (size_t i = 0; i < c->body.n; i++) {
    const Literal *l = &c->body.at[i];
    if (l->kind != L_IS || problog_at(p, l->left)->kind != P_VARIABLE ||
        problog_at(p, l->left)->name != t->name)
      continue;
    a->expression = l->right;
    for (size_t k = i + 1; k < c->body.n; k++)
      c->body.at[k - 1] = c->body.at[k];
    c->body.n--;
    return;
  }
}

static void read_annotation(Problog *p, Clause *c, Alternative *a) {
  bool real, tunable = problog_at(p, a->expression)->kind == P_COMPOUND &&
                       !strcmp(problog_text(p, problog_at(p, a->expression)->name), "t");
  if (tunable) {
    read_parameter(p, a);
    return;
  }
  inline_annotation(p, c, a);
  if (problog_value(p, a->expression, &a->probability, &real)) {
    a->kind = A_NUMBER;
    good_probability(p, a->expression, a->probability);
  } else {
    a->kind = A_EXPRESSION;
    problog_check_expression(p, a->expression, true);
  }
}

/* One more than 1 by rounding is fine. */
static void check_sum(Problog *p, const Clause *c) {
  double sum = 0;
  for (size_t i = 0; i < c->heads.n; i++)
    if (c->heads.at[i].kind == A_NUMBER)
      sum += c->heads.at[i].probability;
  if (sum > 1 + 1e-12)
    problog_error(p, c->place, NULL, "the probabilities of this annotated disjunction add up to %g",
                  sum);
}

/* Once the body has been read: values may come from there. */
static void read_annotations(Problog *p, Clause *c) {
  bool any = false;
  for (size_t i = 0; i < c->heads.n; i++) {
    if (c->heads.at[i].expression != NO_TERM)
      read_annotation(p, c, &c->heads.at[i]), any = true;
    else if (c->heads.n > 1)
      problog_error(p, problog_at(p, c->heads.at[i].head)->place, "write 0.5::a; 0.5::b.",
                    "an alternative without a probability");
  }
  if (any && !p->failed)
    check_sum(p, c);
}

/* ---- heads ------------------------------------------------------------------------------ */

/* Goals that have a meaning already. */
bool problog_check_head(Problog *p, TermId head) {
  static const struct {
    const char *name;
    uint32_t arity;
  } reserved[] = {
      {"\\+", 1},   {"not", 1},     {"::", 2},     {":", 2},    {"=", 2},    {"is", 2},
      {"<", 2},     {">", 2},       {"=<", 2},     {">=", 2},   {"=:=", 2},  {"=\\=", 2},
      {"==", 2},    {"\\==", 2},    {"\\=", 2},    {"->", 2},   {"true", 0}, {"fail", 0},
      {"false", 0}, {"between", 3}, {"forall", 2}, {"call", 1},
  };
  const Term *t = problog_at(p, head);
  const char *name = t->kind == P_COMPOUND || t->kind == P_ATOM ? problog_text(p, t->name) : "";
  bool taken = !strcmp(name, ",") || !strcmp(name, ";");
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    taken |= t->count == reserved[i].arity && !strcmp(name, reserved[i].name);
  if (taken)
    problog_error(p, t->place, NULL, "'%s' can't be defined", name);
  return !taken;
}

static void add_head(Problog *p, Clause *c, TermId t) {
  Alternative a = {.head = t, .kind = A_NONE, .expression = NO_TERM};
  if (problog_is(p, t, "::", 2)) {
    a.expression = problog_argument(p, t, 0);
    a.head = problog_argument(p, t, 1);
  }
  if (problog_is(p, a.head, "\\+", 1))
    a.head = problog_negative_head(p, a.head);
  if (a.head == NO_TERM)
    return;
  if (!problog_check_head(p, a.head))
    return;
  if (problog_predicate_of(p, a.head) != UINT32_MAX)
    vec_push(&c->heads, a);
}

static void add_heads(Problog *p, Clause *c, TermId head) {
  if (problog_at(p, head)->kind == P_COMPOUND &&
      !strcmp(problog_text(p, problog_at(p, head)->name), ";"))
    for (uint32_t i = 0; i < problog_at(p, head)->count; i++)
      add_head(p, c, problog_argument(p, head, i));
  else
    add_head(p, c, head);
}

static Clause new_clause(const Sentences *s, const Sentence *sentence) {
  Clause c = {.variables = sentence->variables, .place = sentence->place};
  for (uint32_t i = 0; i < sentence->variables; i++)
    vec_push(&c.names, s->variable_names.at[sentence->first_name + i]);
  return c;
}

/* ---- queries and evidence ------------------------------------------------------------------ */

static TermId positive_of(Problog *p, TermId t, bool *positive) {
  while (problog_is(p, t, "\\+", 1) || problog_is(p, t, "not", 1)) {
    *positive = !*positive;
    t = problog_argument(p, t, 0);
  }
  return t;
}

static void add_asked(Problog *p, AskedList *list, Clause *c, TermId atom, bool positive) {
  c->never |= problog_predicate_of(p, atom) == UINT32_MAX;
  uint32_t number = problog_add_clause(p, c);
  vec_push(list, (Asked){atom, positive, number});
}

static void add_query(Problog *p, Clause *c, TermId head, TermId body) {
  bool positive = true, holds = true;
  TermId atom = positive_of(p, problog_argument(p, head, 0), &positive);
  vec_push(&c->heads,
           (Alternative){.head = atom, .expression = NO_TERM}); /* bindings apply to it */
  if (body != NO_TERM)
    holds = problog_body(p, c, body);
  atom = c->heads.at[0].head;
  vec_free(&c->heads);
  if (holds && !p->failed)
    add_asked(p, &p->queries, c, atom, positive);
}

/* evidence(a), evidence(\+a), evidence(a, true) */
static bool read_evidence(Problog *p, TermId t, TermId *atom, bool *positive) {
  *positive = true;
  *atom = positive_of(p, problog_argument(p, t, 0), positive);
  if (problog_at(p, t)->count == 2) {
    TermId value = problog_argument(p, t, 1);
    bool no = problog_is(p, value, "false", 0) || problog_is(p, value, "fail", 0);
    if (!no && !problog_is(p, value, "true", 0)) {
      problog_error(p, problog_at(p, value)->place, NULL, "evidence is true or false");
      return false;
    }
    *positive ^= no;
  }
  if (!problog_ground(p, *atom)) {
    problog_error(p, problog_at(p, *atom)->place, "write it out for each atom",
                  "evidence with variables");
    return false;
  }
  return problog_predicate_of(p, *atom) != UINT32_MAX;
}

static bool is_evidence(const Problog *p, TermId t) {
  return problog_is(p, t, "evidence", 1) || problog_is(p, t, "evidence", 2);
}

void problog_observe(Problog *p, const Sentences *s, bool blocks) {
  for (size_t i = 0; i < s->list.n; i++) {
    const Sentence *sentence = &s->list.at[i];
    TermId atom;
    bool positive;
    if (sentence->dashes && !blocks) {
      problog_error(p, sentence->place,
                    "evidence holds at once; several observations are for learning",
                    "'---' separates observations, but this is evidence");
    } else if (!sentence->dashes && !is_evidence(p, sentence->term)) {
      problog_error(p, sentence->place,
                    "blocks of evidence(atom, true). are separated by ---; files named "
                    ".obs are read as observations of LPMLN",
                    "this is no evidence");
    } else if (!sentence->dashes && read_evidence(p, sentence->term, &atom, &positive)) {
      Clause c = new_clause(s, sentence);
      add_asked(p, &p->observed, &c, atom, positive);
    }
  }
}

void problog_write_observations(Problog *p, const Sentences *s, Writer *to) {
  bool apart = to->text.n > 0; /* a separator is due before the next literal */
  for (size_t i = 0; i < s->list.n; i++) {
    const Sentence *sentence = &s->list.at[i];
    TermId atom;
    bool positive;
    apart |= sentence->dashes && to->text.n;
    if (sentence->dashes || !read_evidence(p, sentence->term, &atom, &positive))
      continue;
    Text text = {0};
    text_puts(&text, positive ? "" : "not ");
    problog_write_atom(p, NULL, problog_predicate_at(p, atom)->text, atom, &text);
    text_puts(&text, ".\n");
    writer_puts(to, apart ? "---\n" : "");
    writer_place(to, sentence->place, text.at);
    apart = false;
    vec_free(&text);
  }
}

/* ---- sentences ------------------------------------------------------------------- */

static void read_directive(Problog *p, TermId t) {
  const Term *term = problog_at(p, t);
  bool library = problog_is(p, t, "use_module", 1) &&
                 problog_is(p, problog_argument(p, t, 0), "library", 1) &&
                 problog_is(p, problog_argument(p, problog_argument(p, t, 0), 0), "lists", 0);
  if (problog_is(p, t, "unknown", 1))
    p->unknown_fails = problog_is(p, problog_argument(p, t, 0), "fail", 0);
  else if (problog_is(p, t, "consult", 1))
    problog_error(p, term->place, "give both files to lpmln", "'consult' is not supported");
  else if (!library)
    problog_error(p, term->place, "library(lists) is known, and unknown(fail)",
                  "this directive is not supported");
}

/* A disjunction as the whole body of a plain clause is several clauses. */
static void add_clause(Problog *p, const Sentences *s, const Sentence *sentence, TermId head,
                       TermId body) {
  bool several = body != NO_TERM && problog_at(p, body)->kind == P_COMPOUND &&
                 !strcmp(problog_text(p, problog_at(p, body)->name), ";") &&
                 !problog_is(p, head, "::", 2) &&
                 !problog_is(p, head, ";", problog_at(p, head)->count);
  uint32_t n = several ? problog_at(p, body)->count : 1;
  for (uint32_t i = 0; i < n && !p->failed; i++) {
    Clause c = new_clause(s, sentence);
    add_heads(p, &c, head);
    if (body != NO_TERM)
      c.never = !problog_body(p, &c, several ? problog_argument(p, body, i) : body);
    if (!p->failed)
      read_annotations(p, &c);
    problog_add_clause(p, &c);
  }
}

static void read_sentence(Problog *p, const Sentences *s, const Sentence *sentence) {
  TermId t = sentence->term, head = t, body = NO_TERM, atom;
  bool positive;
  if (problog_is(p, t, ":-", 1)) {
    read_directive(p, problog_argument(p, t, 0));
    return;
  }
  if (problog_is(p, t, ":-", 2) || problog_is(p, t, "<-", 2))
    head = problog_argument(p, t, 0), body = problog_argument(p, t, 1);
  if (problog_is(p, head, "query", 1) || is_evidence(p, head)) {
    Clause c = new_clause(s, sentence);
    if (problog_is(p, head, "query", 1))
      add_query(p, &c, head, body);
    else if (body != NO_TERM)
      problog_error(p, sentence->place, NULL, "evidence with a body is not supported");
    else if (read_evidence(p, head, &atom, &positive))
      add_asked(p, &p->evidence, &c, atom, positive);
    clause_free(&c);
    return;
  }
  add_clause(p, s, sentence, head, body);
}

void problog_clauses(Problog *p, const Sentences *s) {
  for (size_t i = 0; i < s->list.n; i++) {
    bool failed = p->failed;
    p->failed = false; /* each clause may have its own error */
    read_sentence(p, s, &s->list.at[i]);
    p->failed |= failed;
  }
}
