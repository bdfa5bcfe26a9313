/* directive.c - #show and its like, #domain, #include, and what is refused. */
#include "language/parser.h"

#include "base/diagnostic.h"
#include "base/edit.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/source.h"
#include "language/lexer.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 1000 };

typedef struct {
  const char *name;
  enum { PASS, DOMAIN, DECISION, UTILITY, INCLUDE, REFUSED } action;
  const char *reason;
} Directive;

static const Directive directives[] = {
    {"#show", PASS, NULL},
    {"#const", PASS, NULL},
    {"#external", PASS, NULL},
    {"#defined", PASS, NULL},
    {"#domain", DOMAIN, NULL},
    {"#decision", DECISION, NULL},
    {"#utility", UTILITY, NULL},
    {"#include", INCLUDE, NULL},
    {"#minimize", REFUSED, "optimisation has no meaning here: give rules weights instead"},
    {"#maximize", REFUSED, "optimisation has no meaning here: give rules weights instead"},
    {"#minimise", REFUSED, "optimisation has no meaning here: give rules weights instead"},
    {"#maximise", REFUSED, "optimisation has no meaning here: give rules weights instead"},
    {"#edge", REFUSED, "acyclicity constraints are not supported: define reachability by rules"},
    {"#heuristic", REFUSED, "solver heuristics do not change probabilities: remove it"},
    {"#project", REFUSED, "stable models are never merged: use #show to choose what is printed"},
    {"#theory", REFUSED, "theory atoms are not part of the language"},
    {"#program", REFUSED, "a program has one part only"},
};

static void report_unknown_directive(Parser *p) {
  const Token *t = &p->t[p->now];
  const char *text = parser_source(p)->bytes + t->offset, *nearest = NULL;
  unsigned least = 3;
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
    const char *name = directives[i].name;
    unsigned d = edit_distance(text, t->length, name, strlen(name));
    if (d < least)
      least = d, nearest = directives[i].name;
  }
  Text hint = {0};
  if (nearest)
    text_printf(&hint, "did you mean %s?", nearest);
  else
    text_puts(&hint, "comments start with %");
  diagnose_hinted(program_said(p->program), LPMLN_ERROR, parser_place(p, p->now, p->now),
                  text_take(&hint), "unknown directive %.*s", (int)t->length, text);
}

static void parse_include(Parser *p, uint32_t stop);

/* What an external atom may be; a variable has its value from the body. */
static bool is_truth(const Parser *p, Range r) {
  bool known = parser_is(p, r.from, "true") || parser_is(p, r.from, "false") ||
               parser_is(p, r.from, "free") || p->t[r.from].kind == T_VARIABLE;
  return known && r.from + 1 == r.to;
}

/* `[default]` and the like, behind the full stop. */
static bool parse_brackets(Parser *p, Statement *s, uint32_t open) {
  assert(p->t[open].kind == T_OPEN_BRACKET);
  uint32_t i = open + 1;
  while (p->t[i].kind != T_CLOSE_BRACKET && !parser_ends(p, i))
    i++;
  if (p->t[i].kind != T_CLOSE_BRACKET) {
    parser_error(p, open, NULL, "this is not closed");
    return false;
  }
  s->whole.to = i + 1;
  Range inside = {open + 1, i};
  if (parser_is(p, p->now, "#external") && !is_truth(p, inside)) {
    parser_error(p, open + 1, "write [true], [false] or [free]",
                 "this is no value of an external atom");
    return false;
  }
  return parser_check_decimals(p, inside) && parser_check_brackets(p, inside) &&
         parser_check_operators(p, inside);
}

static void parse_pass(Parser *p, Statement *s, uint32_t stop) {
  s->kind = S_PASS;
  bool brackets = p->t[stop + 1].kind == T_OPEN_BRACKET && !parser_is(p, p->now, "#show");
  if (brackets && !parse_brackets(p, s, stop + 1))
    return;
  if (parser_check_terms(p, (Range){p->now + 1, s->whole.to}))
    vec_push(&p->program->statements, *s);
}

/* The parenthesis that closes this one; brackets are known to match. */
static uint32_t closing_of(const Parser *p, uint32_t open) {
  assert(p->t[open].kind == T_OPEN);
  uint32_t i = open, depth = 0;
  do {
    depth += p->t[i].kind == T_OPEN;
    depth -= p->t[i].kind == T_CLOSE;
  } while (depth && ++i);
  return i;
}

static void parse_domain(Parser *p, Statement *s, uint32_t stop) {
  s->kind = S_DOMAIN;
  s->body = (Range){p->now + 1, stop};
  const Token *first = &p->t[s->body.from];
  bool atom = first->kind == T_IDENTIFIER && first[1].kind == T_OPEN &&
              closing_of(p, s->body.from + 1) == stop - 1;
  bool variable = false;
  for (uint32_t i = s->body.from; i < stop; i++)
    variable |= p->t[i].kind == T_VARIABLE;
  if (!atom)
    parser_error(p, s->body.from, "write #domain person(X).", "#domain takes one atom");
  else if (!variable)
    parser_error(p, s->body.from, "write #domain person(X).", "this #domain names no variable");
  else if (parser_check_inside(p, s->body)) {
    vec_push(&p->program->domains, (uint32_t)p->program->statements.n);
    vec_push(&p->program->statements, *s);
  }
}

static void refuse_directive(Parser *p, Statement *s, const Directive *d, uint32_t stop) {
  parser_error(p, p->now, d->action == REFUSED ? d->reason : NULL, "%s is not available %s",
               d->name, p->observations ? "in observations" : "in lpmln");
  if (p->t[stop + 1].kind == T_OPEN_BRACKET)
    parse_brackets(p, s, stop + 1);
}

void parse_directive(Parser *p, Statement *s, uint32_t stop) {
  assert(p->t[p->now].kind == T_DIRECTIVE && p->t[stop].kind == T_DOT);
  const Directive *d = NULL;
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
    if (parser_is(p, p->now, directives[i].name))
      d = &directives[i];
  if (!d)
    report_unknown_directive(p);
  else if (d->action == REFUSED || (p->observations && d->action != DOMAIN))
    refuse_directive(p, s, d, stop);
  else if (d->action == DOMAIN)
    parse_domain(p, s, stop);
  else if (d->action == DECISION)
    parse_decision(p, s, stop);
  else if (d->action == INCLUDE)
    parse_include(p, stop);
  else
    parse_pass(p, s, stop);
}

/* ---- #include ------------------------------------------------------------- */

static bool below(const char *path, const char *root) {
  size_t n = strlen(root);
  while (n > 1 && root[n - 1] == '/')
    n--;
  return !strncmp(path, root, n) && (n == 1 || path[n] == '/');
}

/* The file: relative to the including one, or else to the root.  NULL if there
** is none; `real` is its real path. */
static char *find_included(const Parser *p, const char *name, char **real) {
  assert(p->root);
  const char *here = parser_source(p)->name, *slash = strrchr(here, '/');
  Text path = {0};
  if (*name != '/')
    text_printf(&path, "%.*s", slash ? (int)(slash + 1 - here) : 0, here);
  text_puts(&path, name);
  *real = realpath(path.at, NULL);
  if (!*real && *name != '/') {
    path.n = 0;
    text_printf(&path, "%s/%s", p->root, name);
    *real = realpath(path.at, NULL);
  }
  return text_take(&path);
}

/* A pipe or a device could keep us waiting for ever. */
static bool is_file(const char *path) {
  struct stat about;
  return !stat(path, &about) && S_ISREG(about.st_mode);
}

static bool read_already(const Program *program, const char *real) {
  for (size_t i = 0; i < program->included.n; i++)
    if (!strcmp(program->included.at[i], real))
      return true;
  return false;
}

/* A text that came with a compiled program. */
static bool include_embedded(Parser *p, const char *name) {
  Program *program = p->program;
  const char *here = parser_source(p)->name, *slash = strrchr(here, '/');
  Text path = {0};
  text_printf(&path, "%.*s%s", slash && *name != '/' ? (int)(slash + 1 - here) : 0, here, name);
  const Source *found = NULL;
  for (size_t i = 0; i < program->embedded_count; i++)
    if (!strcmp(program->embedded[i].name, path.at))
      found = &program->embedded[i];
  if (found) {
    char *copy = memory_copy(found->bytes, found->length);
    program_read(program, source_add(&program->sources, path.at, copy, found->length), NULL);
  }
  vec_free(&path);
  return found;
}

static void include_file(Parser *p, const char *name, Place place) {
  Program *program = p->program;
  Diagnostics *said = program_said(program);
  if (include_embedded(p, name))
    return;
  char *root = p->root ? realpath(p->root, NULL) : NULL, *real = NULL, *path = NULL;
  if (root)
    path = find_included(p, name, &real);
  if (!root)
    diagnose_error(said, place, "give option include_root=DIR",
                   "this text has no folder to include files from");
  else if (!real)
    diagnose_error(said, place, NULL, "there is no file '%s' to include", name);
  else if (!below(real, root))
    diagnose_error(said, place, "allow another folder with option include_root=DIR",
                   "'%s' is outside of the program's folder", name);
  else if (!is_file(real))
    diagnose_error(said, place, NULL, "'%s' is not a file", name);
  else if (read_already(program, real))
    diagnose_error(said, place, "every file is read once; remove this line",
                   "'%s' is read already, or includes itself", name);
  else if (program->included.n >= MOST_FILES)
    diagnose_error(said, place, NULL, "more than %d files", MOST_FILES);
  else {
    uint32_t source = source_read(&program->sources, path);
    if (source == NONE_SOURCE)
      diagnose_error(said, place, NULL, "can't read '%s': %s", path, input_trouble(errno));
    else
      program_read(program, source, p->root);
  }
  free(path);
  free(real);
  free(root);
}

static void parse_include(Parser *p, uint32_t stop) {
  const Token *t = &p->t[p->now + 1];
  if (t->kind != T_STRING || t->length == 2 || p->now + 2 != stop) {
    parser_error(p, p->now + 1, "write #include \"file.lpmln\".",
                 "#include takes the name of a file");
    return;
  }
  char *name = memory_copy(parser_source(p)->bytes + t->offset + 1, t->length - 2);
  include_file(p, name, parser_place(p, p->now + 1, p->now + 1));
  free(name);
}
