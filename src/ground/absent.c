/* absent.c - see absent.h.
**
** Atoms are found by their tokens.  A ground atom with plain arguments is looked up among those
** of the program; of another one, the grounder may give more to its predicate than its text
** tells, only the predicate. */
#include "ground/absent.h"

#include "base/limits.h"
#include "base/names.h"
#include "ground/messages.h"
#include "ground/nearest.h"
#include "ground/script.h"
#include "language/lexer.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const Program *program;
  const Ground *ground;
  Diagnostics *said;
  bool strict;
  bool intervened;  /* an intervention may have taken the rules of an atom */
  Names atoms;      /* that may hold, as they are shown… */
  Names signatures; /* …and theirs: `p/2` */
  Names constants;  /* of #const */
  Names defined;    /* signatures of #defined: that nothing derives them is known */
  Nearest nearest;
} Absent;

static lpmln_severity severity_of(bool strict) { return strict ? LPMLN_ERROR : LPMLN_WARNING; }

static const char nothing_derives[] = "no rule derives this atom";

/* ---- what there is ------------------------------------------------------------------- */

static void add_signature(Names *to, const char *name, size_t length, unsigned arity) {
  Text text = {0};
  text_printf(&text, "%.*s/%u", (int)length, name, arity);
  names_add(to, text.at, text.n);
  vec_free(&text);
}

static void find_atoms(Absent *a) {
  const Ground *g = a->ground;
  for (Atom atom = 0; atom < g->atoms.n; atom++) {
    if (g->atoms.at[atom].name == NONE || g->atoms.at[atom].truth == ATOM_IMPOSSIBLE)
      continue;
    limits_poll();
    const char *text = ground_text(g, g->atoms.at[atom].name);
    names_add(&a->atoms, text, strlen(text));
    add_signature(&a->signatures, text, strcspn(text, "("), ground_arity(text));
  }
}

/* What #const and #defined name. */
static void find_constants(Absent *a) {
  for (size_t i = 0; i < a->program->statements.n; i++) {
    const Statement *s = &a->program->statements.at[i];
    const Token *t = program_tokens(a->program, s) + s->whole.from;
    const Source *source = program_source(a->program, s);
    if (s->kind == S_PASS && token_is(source, t, "#const"))
      names_add(&a->constants, source->bytes + t[1].offset, t[1].length);
    else if (s->kind == S_PASS && token_is(source, t, "#defined")) {
      Text signature = {0};
      for (uint32_t k = s->whole.from + 1; k < s->whole.to && t[k - s->whole.from].kind != T_DOT;
           k++)
        program_write(a->program, s, (Range){k, k + 1}, &signature);
      names_add(&a->defined, signature.at, signature.n);
      vec_free(&signature);
    }
  }
}

/* ---- atoms of a statement ------------------------------------------------------------ */

static bool computes(TokenKind kind) {
  return kind == T_PLUS || kind == T_STAR || kind == T_SLASH || kind == T_OPERATOR ||
         kind == T_COMPARISON || kind == T_DOTS || kind == T_AT;
}

static bool operand(TokenKind kind) {
  return kind == T_IDENTIFIER || kind == T_VARIABLE || kind == T_NUMBER || kind == T_STRING ||
         kind == T_CLOSE || kind == T_ANONYMOUS;
}

/* The end of a name and its arguments. */
static uint32_t term_end(const Token *t, uint32_t i, uint32_t end) {
  int depth = 0;
  if (i + 1 >= end || t[i + 1].kind != T_OPEN)
    return i + 1;
  for (i++; i < end; i++) {
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
    if (!depth)
      return i + 1;
  }
  return end;
}

/* The atom from *at on, which steps behind it; false: there is no more.  `*tuple`: terms of an
** aggregate, not atoms. */
static bool next_atom(const Token *t, Range r, uint32_t *at, bool *tuple, Range *atom) {
  for (uint32_t i = *at; i < r.to; i++) {
    if (t[i].kind == T_OPEN_BRACE)
      *tuple = i > r.from && t[i - 1].kind == T_DIRECTIVE;
    else if (t[i].kind == T_CLOSE_BRACE || t[i].kind == T_COLON)
      *tuple = false;
    if (t[i].kind != T_IDENTIFIER)
      continue;
    uint32_t end = term_end(t, i, r.to), first = i;
    bool sign = i > r.from && t[i - 1].kind == T_MINUS;
    bool minus = sign && i > r.from + 1 && operand(t[i - 2].kind);
    first -= sign;
    bool term = *tuple || minus || (first > r.from && computes(t[first - 1].kind)) ||
                (end < r.to && (computes(t[end].kind) || t[end].kind == T_MINUS));
    *at = i = end;
    *atom = (Range){first, end};
    if (!term)
      return true;
    i--;
  }
  return false;
}

/* Nothing in it but names and values; NULL: there is more.  Blanks are left out. */
static char *plain_text(const Absent *a, const Statement *s, Range r) {
  const Token *t = program_tokens(a->program, s);
  const char *bytes = program_source(a->program, s)->bytes;
  Text text = {0};
  bool plain = true;
  for (uint32_t i = r.from; plain && i < r.to; i++) {
    bool sign = t[i].kind == T_MINUS && (i == r.from || !operand(t[i - 1].kind));
    bool constant = t[i].kind == T_IDENTIFIER && i > r.from &&
                    names_find(&a->constants, bytes + t[i].offset, t[i].length) != UINT32_MAX;
    plain = (operand(t[i].kind) || t[i].kind == T_OPEN || t[i].kind == T_COMMA || sign) &&
            t[i].kind != T_VARIABLE && t[i].kind != T_ANONYMOUS && !constant;
    text_add(&text, bytes + t[i].offset, t[i].length);
  }
  if (plain)
    return text_take(&text);
  vec_free(&text);
  return NULL;
}

/* Its arguments; UINT32_MAX: a pool. */
static uint32_t arity_of(const Token *t, Range r) {
  int depth = 0;
  uint32_t commas = 0, tokens = 0;
  for (uint32_t i = r.from; i < r.to; i++) {
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
    if (depth == 1 && t[i].kind == T_SEMICOLON)
      return UINT32_MAX;
    commas += depth == 1 && t[i].kind == T_COMMA;
    tokens += depth > 0;
  }
  return tokens > 1 ? commas + 1 : 0;
}

/* ---- what there is to say ------------------------------------------------------------ */

/* The hint, or else what there is. */
static char *or_known(Absent *a, char *hint) { return hint ? hint : nearest_known(&a->nearest); }

/* Was there a rule before the intervention? */
static bool was_derived(const Absent *a, const char *atom) {
  char *name = memory_copy(atom, strcspn(atom, "("));
  bool found = a->intervened && messages_rule(a->program, name + (*name == '-'));
  free(name);
  return found;
}

static void say_signature(Absent *a, const Statement *s, Range r) {
  const Token *t = program_tokens(a->program, s);
  uint32_t arity = arity_of(t, r);
  Text name = {0}, signature = {0};
  text_puts(&name, "");
  for (uint32_t i = r.from; i < r.to && t[i].kind != T_OPEN; i++)
    program_write(a->program, s, (Range){i, i + 1}, &name);
  text_printf(&signature, "%s/%u", name.at, arity);
  if (arity != UINT32_MAX && !a->program->display && !was_derived(a, name.at) &&
      names_find(&a->signatures, signature.at, signature.n) == UINT32_MAX &&
      names_find(&a->defined, signature.at, signature.n) == UINT32_MAX)
    diagnose_hinted(a->said, severity_of(a->strict), program_place(a->program, s, r),
                    or_known(a, nearest_signature(&a->nearest, name.at, name.n, arity)),
                    nothing_derives);
  vec_free(&name);
  vec_free(&signature);
}

static bool is_defined(const Absent *a, const char *atom) {
  Text signature = {0};
  text_printf(&signature, "%.*s/%u", (int)strcspn(atom, "("), atom, ground_arity(atom));
  bool found = names_find(&a->defined, signature.at, signature.n) != UINT32_MAX;
  vec_free(&signature);
  return found;
}

static void say_atom(Absent *a, const Statement *s, Range r) {
  char *text = plain_text(a, s, r);
  if (!text) {
    say_signature(a, s, r);
    return;
  }
  Text shown = {0};
  if (a->program->display)
    a->program->display(a->program, text, &shown);
  else
    text_puts(&shown, text);
  if (names_find(&a->atoms, shown.at, shown.n) == UINT32_MAX && !is_defined(a, text) &&
      !was_derived(a, text))
    diagnose_hinted(a->said, severity_of(a->strict), program_place(a->program, s, r),
                    or_known(a, nearest_atoms(&a->nearest, shown.at)), nothing_derives);
  vec_free(&shown);
  free(text);
}

static void say_atoms(Absent *a, const Statement *s, Range r) {
  uint32_t at = r.from;
  bool tuple = false;
  Range atom;
  while (next_atom(program_tokens(a->program, s), r, &at, &tuple, &atom))
    say_atom(a, s, atom);
}

/* Is there an instance, and one that may hold? */
static bool is_answered(const Absent *a, uint32_t query, bool *possible) {
  bool found = false;
  *possible = false;
  for (size_t i = 0; i < a->ground->queries.n; i++) {
    const Event *e = &a->ground->queries.at[i];
    found |= e->first == query;
    *possible |= e->first == query && a->ground->atoms.at[e->atom].truth != ATOM_IMPOSSIBLE;
  }
  return found;
}

static void say_no_signature(Absent *a, const Statement *s) {
  const Source *source = program_source(a->program, s);
  const Token *arity = program_tokens(a->program, s) + s->body.to - 1;
  Text name = {0};
  program_write(a->program, s, (Range){s->body.from, s->body.to - 2}, &name);
  unsigned number = (unsigned)strtoul(source->bytes + arity->offset, NULL, 10);
  diagnose_hinted(a->said, severity_of(a->strict), program_place(a->program, s, s->whole),
                  or_known(a, nearest_signature(&a->nearest, name.at, name.n, number)),
                  "the program has no atom %s/%u", name.at, number);
  vec_free(&name);
}

static bool query_is_defined(const Absent *a, const Statement *s) {
  char *text = plain_text(a, s, range_empty(s->head) ? s->body : s->head);
  bool defined = text && (is_defined(a, text) || was_derived(a, text));
  free(text);
  return defined;
}

static void say_query(Absent *a, const Statement *s, uint32_t query) {
  size_t before = a->said->list.n;
  bool signature = query_is_signature(a->program, s);
  if (!signature) {
    say_atoms(a, s, s->head);
    say_atoms(a, s, s->body);
    say_atoms(a, s, s->given);
  }
  bool possible, found = is_answered(a, query, &possible);
  bool atom = !signature && query_is_atom(a->program, s);
  if (a->said->list.n > before || possible || (found && (!atom || query_is_defined(a, s))))
    return;
  if (signature)
    say_no_signature(a, s);
  else
    diagnose(a->said, severity_of(a->strict), program_place(a->program, s, s->whole), NULL, "%s",
             found ? nothing_derives : "the query matches nothing");
}

static bool is_observed(const Statement *s) {
  return s->kind == S_LITERAL || s->kind == S_COLUMN ||
         (s->kind == S_RULE && s->block != PROGRAM_BLOCK);
}

static bool inside(Place place, Place whole) {
  return place.source == whole.source && place.offset >= whole.offset &&
         place.offset < whole.offset + whole.length;
}

/* What is in evidence and queries is said of them; texts that we made are nobody's to mend.  What
** stands for a whole rule is no atom of the user's. */
static bool is_rules(const Absent *a, Place place) {
  if (place.source != NONE_SOURCE && a->program->sources.list.at[place.source].derived)
    return false;
  for (size_t i = 0; i < a->program->statements.n; i++) {
    const Statement *s = &a->program->statements.at[i];
    Place whole = program_place(a->program, s, s->whole);
    bool marker = place.offset == whole.offset && place.length == whole.length;
    if ((is_observed(s) || s->kind == S_QUERY || marker) && inside(place, whole))
      return false;
  }
  return true;
}

/* The name at the start of a text and its arguments, which end with their bracket. */
static size_t atom_length(const char *text, size_t name) {
  size_t n = name;
  int depth = 0;
  bool quoted = false;
  if (text[n] != '(')
    return n;
  do {
    n += text[n] == '\\' && quoted && text[n + 1];
    quoted ^= text[n] == '"';
    depth += !quoted && text[n] == '(';
    depth -= !quoted && text[n] == ')';
  } while (text[n++] && depth);
  return n;
}

/* What there is to do about a name that no rule derives, as it is written there; NULL: nothing. */
static char *underived_hint(Absent *a, const char *text) {
  size_t n = text[0] == '-';
  while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '\'')
    n++;
  if (n == (text[0] == '-'))
    return NULL;
  char *atom = memory_copy(text, atom_length(text, n));
  unsigned arity = ground_arity(atom);
  char *hint = nearest_signature(&a->nearest, text, n, arity);
  free(atom);
  if (hint)
    return hint;
  Text defined = {0};
  text_printf(&defined, "if that is right, `#defined %.*s/%u.` says so", (int)n, text, arity);
  return text_take(&defined);
}

/* A name that a rule uses and none derives. */
static void say_underived(Absent *a, Place place) {
  bool known = place.source != NONE_SOURCE && !a->program->display;
  const char *text = known ? a->program->sources.list.at[place.source].bytes + place.offset : NULL;
  diagnose_hinted(a->said, LPMLN_WARNING, place, text ? underived_hint(a, text) : NULL,
                  nothing_derives);
}

void absent_say(const Program *program, const Ground *g, const Places *underived, bool strict,
                Diagnostics *said) {
  assert(g->sealed);
  Absent a = {.program = program,
              .ground = g,
              .said = said,
              .strict = strict,
              .nearest = {.program = program, .ground = g}};
  for (size_t i = 0; i < program->statements.n; i++)
    a.intervened |= program->statements.at[i].kind == S_DO;
  uint32_t queries = 0;
  bool prepared = false; /* once, and only if there is something to look up */
  for (size_t i = 0; i < underived->n; i++)
    if (is_rules(&a, underived->at[i]))
      say_underived(&a, underived->at[i]);
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    if (!is_observed(s) && s->kind != S_QUERY)
      continue;
    if (!prepared)
      find_atoms(&a), find_constants(&a);
    prepared = true;
    limits_poll();
    if (s->kind == S_QUERY)
      say_query(&a, s, queries++);
    else
      say_atoms(&a, s, s->body);
  }
  names_free(&a.atoms);
  names_free(&a.signatures);
  names_free(&a.constants);
  names_free(&a.defined);
}

void absent_say_atom(const Program *program, const Ground *g, Place place, const char *atom,
                     bool strict, Diagnostics *said) {
  Nearest nearest = {.program = program, .ground = g};
  diagnose_hinted(said, severity_of(strict), place, nearest_atoms(&nearest, atom), nothing_derives);
}
