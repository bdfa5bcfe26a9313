/* indexed.c - see indexed.h.  Atoms get the argument wherever they stand: in literals, conditions,
** choices, aggregates of bodies, formulas, and those of #domain, which join the bodies.  What else
** there is (aggregates of heads, other directives) is refused. */
#include "write/indexed.h"

#include "base/graph.h"
#include "base/source.h"
#include "ground/observations.h"
#include "ground/script.h"
#include "language/instance.h"
#include "language/lexer.h"
#include "lpmln/lpmln.h"
#include "write/lpmln.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INDICES = 100000 };

typedef struct {
  const Program *program;
  const Ground *ground;
  const Statement *s; /* at hand */
  const Token *t;
  const char *index; /* what the argument is: a variable or a number */
  Text *out;
} Indexing;

static Indexing indexing(const Task *task, const Statement *s, const char *index, Text *out) {
  const Program *p = task->program;
  return (Indexing){p, task->ground, s, program_tokens(p, s), index, out};
}

static bool opens(TokenKind k) { return k == T_OPEN || k == T_OPEN_BRACE; }
static bool closes(TokenKind k) { return k == T_CLOSE || k == T_CLOSE_BRACE; }

static void write_tokens(Indexing *x, Range r) { program_write(x->program, x->s, r, x->out); }

/* Behind the parenthesis that closes the one at `open`, or the end. */
static uint32_t behind(const Indexing *x, uint32_t open, uint32_t to) {
  int depth = 0;
  for (uint32_t i = open; i < to; i++) {
    depth += opens(x->t[i].kind) - closes(x->t[i].kind);
    if (!depth)
      return i + 1;
  }
  return to;
}

/* A pool of alternatives that are one argument each? */
static bool pool_of_one(const Indexing *x, Range inside) {
  int depth = 0;
  bool pool = false;
  for (uint32_t i = inside.from; i < inside.to; i++) {
    TokenKind kind = x->t[i].kind;
    if (!depth && kind == T_COMMA)
      return false;
    pool |= !depth && kind == T_SEMICOLON;
    depth += opens(kind) - closes(kind);
  }
  return pool;
}

/* `a` becomes a(M), `a(X)` becomes a(X,M), `a(X;Y)` a((X;Y),M), else each alternative of a pool
** gets it. */
static bool write_atom(Indexing *x, Range r) {
  uint32_t name = r.from + (r.from < r.to && x->t[r.from].kind == T_MINUS), from = r.from;
  int depth = 0;
  if (name >= r.to || x->t[name].kind != T_IDENTIFIER)
    return false;
  if (name + 1 == r.to) {
    write_tokens(x, r);
    text_printf(x->out, "(%s)", x->index);
    return true;
  }
  if (x->t[name + 1].kind != T_OPEN || behind(x, name + 1, r.to) != r.to)
    return false;
  if (pool_of_one(x, (Range){name + 2, r.to - 1})) {
    write_tokens(x, (Range){r.from, name + 2});
    text_puts(x->out, "(");
    write_tokens(x, (Range){name + 2, r.to});
    text_printf(x->out, ",%s)", x->index);
    return true;
  }
  for (uint32_t i = name + 1; i < r.to; i++) {
    TokenKind kind = x->t[i].kind;
    if (depth == 1 && (kind == T_SEMICOLON || i + 1 == r.to)) {
      bool empty = x->t[i - 1].kind == T_OPEN || x->t[i - 1].kind == T_SEMICOLON;
      write_tokens(x, (Range){from, i});
      text_printf(x->out, "%s%s", empty ? "" : ",", x->index);
      from = i;
    }
    depth += opens(kind) - closes(kind);
  }
  write_tokens(x, (Range){from, r.to});
  return true;
}

/* A formula in parentheses: an atom is a name that no comparison is next to. */
static bool write_formula(Indexing *x, Range r) {
  bool first = true; /* here a literal or a formula begins */
  for (uint32_t i = r.from; i < r.to;) {
    TokenKind kind = x->t[i].kind;
    uint32_t name = i + (kind == T_MINUS), end = name + 1;
    if (first && name < r.to && x->t[name].kind == T_IDENTIFIER) {
      if (end < r.to && x->t[end].kind == T_OPEN)
        end = behind(x, end, r.to);
      bool term = end < r.to && !closes(x->t[end].kind) && x->t[end].kind != T_COMMA &&
                  x->t[end].kind != T_SEMICOLON;
      if (term)
        write_tokens(x, (Range){i, end});
      else if (!write_atom(x, (Range){i, end}))
        return false;
      i = end, first = false;
      continue;
    }
    if (kind == T_DIRECTIVE || kind == T_OPEN_BRACE || kind == T_COLON)
      return false;
    if (!first && kind == T_OPEN) { /* a term's */
      write_tokens(x, (Range){i, behind(x, i, r.to)});
      i = behind(x, i, r.to);
      continue;
    }
    first = kind == T_NOT || kind == T_COMMA || kind == T_SEMICOLON || (first && kind == T_OPEN);
    write_tokens(x, (Range){i, i + 1});
    bool tight = kind == T_OPEN || i + 1 == r.to || closes(x->t[i + 1].kind);
    text_puts(x->out, tight ? "" : " ");
    i++;
  }
  return true;
}

static bool write_literal(Indexing *x, Range r) {
  assert(x->index && r.from <= r.to);
  int depth = 0;
  bool compared = false;
  for (uint32_t i = r.from; i < r.to; i++) {
    depth += opens(x->t[i].kind) - closes(x->t[i].kind);
    compared |= !depth && x->t[i].kind == T_COMPARISON;
  }
  if (compared) {
    write_tokens(x, r);
    return true;
  }
  for (; r.from < r.to && x->t[r.from].kind == T_NOT; r.from++)
    text_puts(x->out, "not ");
  return r.from < r.to && x->t[r.from].kind == T_OPEN ? write_formula(x, r) : write_atom(x, r);
}

/* Literals between separators, which are written as they are. */
static bool write_literals(Indexing *x, Range r) {
  uint32_t from = r.from;
  int depth = 0;
  for (uint32_t i = r.from; i <= r.to; i++) {
    TokenKind kind = i < r.to ? x->t[i].kind : T_SEMICOLON;
    bool ends = !depth && (kind == T_COMMA || kind == T_SEMICOLON || kind == T_COLON);
    if (ends && !write_literal(x, (Range){from, i}))
      return false;
    if (ends && i < r.to)
      text_puts(x->out, kind == T_COMMA ? ", " : kind == T_COLON ? " : " : "; "), from = i + 1;
    depth += opens(kind) - closes(kind);
  }
  return true;
}

/* `tuple : literals; …` of an aggregate. */
static bool write_elements(Indexing *x, Range r) {
  uint32_t from = r.from, colon = 0;
  int depth = 0;
  for (uint32_t i = r.from; i <= r.to; i++) {
    TokenKind kind = i < r.to ? x->t[i].kind : T_SEMICOLON;
    if (!depth && kind == T_COLON && colon++)
      return false; /* of a head */
    if (!depth && kind == T_COLON) {
      write_tokens(x, (Range){from, i + 1});
      text_puts(x->out, " ");
      from = i + 1;
    } else if (!depth && kind == T_SEMICOLON) {
      if (!colon)
        write_tokens(x, (Range){from, i});
      else if (from < i && !write_literals(x, (Range){from, i}))
        return false;
      text_puts(x->out, i < r.to ? "; " : "");
      from = i + 1, colon = 0;
    }
    depth += opens(kind) - closes(kind);
  }
  return true;
}

/* A literal with or without conditions, or bounds around braces. */
static bool write_part(Indexing *x, const Part *part) {
  Range r = part->range;
  uint32_t open = r.from, close = r.to - 1;
  bool aggregate = false;
  if (!part->braces)
    return write_literals(x, r);
  while (open < r.to && x->t[open].kind != T_OPEN_BRACE)
    aggregate |= x->t[open++].kind == T_DIRECTIVE;
  while (close > open && x->t[close].kind != T_CLOSE_BRACE)
    close--;
  write_tokens(x, (Range){r.from, open + 1});
  Range inside = {open + 1, close};
  if (close > open + 1 && !(aggregate ? write_elements : write_literals)(x, inside))
    return false;
  write_tokens(x, (Range){close, r.to});
  return true;
}

static bool write_parts(Indexing *x, Range r) {
  Parts parts = {0};
  bool good = true;
  program_parts(x->program, x->s, r, &parts);
  for (size_t i = 0; good && i < parts.n; i++) {
    text_puts(x->out, i ? "; " : "");
    good = write_part(x, &parts.at[i]);
  }
  vec_free(&parts);
  return good;
}

/* The atoms of #domain for the rule's variables. */
static bool write_domains(Indexing *x) {
  Shape shape;
  shape_make(x->program, NULL, x->s, false, "", &shape);
  bool good = true;
  for (size_t i = 0; good && i < shape.domains.n; i++) {
    const Statement *d = &x->program->statements.at[shape.domains.at[i]];
    Indexing of = {x->program, x->ground, d, program_tokens(x->program, d), x->index, x->out};
    text_puts(x->out, i || !range_empty(x->s->body) ? "; " : "");
    good = write_parts(&of, d->body);
  }
  bool open = shape.domains.n && range_empty(x->s->body);
  text_puts(x->out, open ? "; " : "");
  shape_free(&shape);
  return good;
}

static bool write_weight(const Indexing *x) {
  bool good = write_lpmln_weight(x->program, x->ground, x->s, x->out);
  text_puts(x->out, x->s->weight_kind == WEIGHT_HARD ? "" : " : ");
  return good;
}

static bool write_rule(Indexing *x, const char *index) {
  const Statement *s = x->s;
  bool good = write_parts(x, s->head);
  text_puts(x->out, range_empty(s->head) ? ":- " : " :- ");
  good = good && write_parts(x, s->body) && write_domains(x);
  text_printf(x->out, "%s%s(%s).\n", range_empty(s->body) ? "" : "; ", index, x->index);
  return good;
}

static bool write_observed(Indexing *x) {
  const Statement *s = x->s;
  text_puts(x->out, s->kind == S_RULE ? ":- " : s->denied ? "not " : "");
  bool good = write_parts(x, s->body);
  text_puts(x->out, ".\n");
  return good;
}

static bool refuse(const Task *task, const Statement *s) {
  diagnose_error(
      task->said, program_place(task->program, s, s->whole),
      "literals, choices, formulas and aggregates of bodies have one; aggregates of heads "
      "and most directives have not",
      "there is no place for the index of an observation in this");
  return false;
}

/* Directives that name predicates would have to change, too; #show is left out. */
static bool passes(const Indexing *x) {
  const Source *source = program_source(x->program, x->s);
  return token_is(source, &x->t[x->s->whole.from], "#const");
}

static bool write_program(const Task *task, const char *variable, const char *index, Text *out) {
  const Program *p = task->program;
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    Indexing x = indexing(task, s, variable, out);
    bool good = true;
    if (s->kind == S_RULE && s->block == PROGRAM_BLOCK) {
      if (!write_weight(&x))
        return lpmln_refuse_weight(p, task->said, s);
      good = write_rule(&x, index);
    }
    if (s->kind == S_PASS && passes(&x))
      lpmln_statement(p, s, out);
    else if (s->kind == S_PASS)
      good = token_is(program_source(p, s), &x.t[s->whole.from], "#show");
    if (!good)
      return refuse(task, s);
  }
  return true;
}

/* ---- the data ----------------------------------------------------------------------- */

/* The statements of all blocks, block after block. */
static GraphLists statements_of(const Program *p, uint32_t blocks) {
  GraphEdges edges = {0};
  for (uint32_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (s->block < blocks && (s->kind == S_RULE || s->kind == S_LITERAL) && !lpmln_is_mark(p, s))
      vec_push(&edges, (GraphEdge){s->block, i});
  }
  GraphLists lists = graph_lists(&edges, blocks);
  vec_free(&edges);
  return lists;
}

/* `not p(t,k).` of a ground atom. */
static void write_false(const Indexing *x, Atom a) {
  const char *atom = ground_text(x->ground, x->ground->atoms.at[a].name);
  size_t length = strlen(atom);
  bool plain = atom[length - 1] != ')';
  text_printf(x->out, "not %.*s%s%s).\n", (int)(length - !plain), atom, plain ? "(" : ",",
              x->index);
}

/* What a block says, as of observation `number`. */
static bool write_block(const Task *task, uint32_t block, const GraphLists *lists, size_t next,
                        size_t number, Text *data) {
  Text index = {0};
  const Statement *bad = NULL;
  text_printf(&index, "%zu", number);
  for (uint32_t i = lists->start[block]; !bad && i < lists->start[block + 1]; i++) {
    Indexing x = indexing(task, &task->program->statements.at[lists->at[i]], index.at, data);
    bad = write_observed(&x) ? NULL : x.s;
  }
  Indexing x = {.ground = task->ground, .index = index.at, .out = data};
  for (Atom a; (a = observations_unlisted(task->observed, block, &next)) != NONE;)
    write_false(&x, a);
  vec_free(&index);
  return !bad || refuse(task, bad);
}

static bool write_data(const Task *task, uint32_t blocks, Text *data) {
  size_t number = 0, next = 0;
  bool good = true;
  GraphLists lists = statements_of(task->program, blocks);
  for (uint32_t b = 0; good && b < blocks; b++) {
    for (size_t k = 0; good && (double)k < program_block_count(task->program, b); k++)
      good = write_block(task, b, &lists, next, ++number, data);
    while (observations_unlisted(task->observed, b, &next) != NONE)
      ;
  }
  graph_lists_free(&lists);
  return good;
}

/* How many observations there are; 0: that was said. */
static double count_blocks(const Task *task, uint32_t blocks) {
  const Program *p = task->program;
  double count = 0;
  for (uint32_t b = 0; b < blocks; b++)
    count += program_block_count(p, b);
  if (count > 0 && count <= MOST_INDICES)
    return count;
  diagnose_error(task->said, blocks ? program_block_place(p, 0) : NOWHERE, NULL,
                 "an indexed program needs observations, %d at most", MOST_INDICES);
  return 0;
}

bool write_indexed(const Task *task, Text *out, Text *data) {
  const Program *p = task->program;
  uint32_t blocks = task->tests < p->block_count ? task->tests : p->block_count;
  double count = count_blocks(task, blocks);
  if (!(count > 0))
    return false;
  char *variable = fresh_name(p, "M", false), *index = fresh_name(p, "index", false);
  text_printf(out, "%% Translated by lpmln %s: %.0f observations as one (Section 4.1).\n",
              lpmln_version(), count);
  text_printf(out, "%s(1..%.0f).\n", index, count);
  text_puts(data, "");
  bool good = write_program(task, variable, index, out) && write_data(task, blocks, data);
  free(variable);
  free(index);
  return good;
}
