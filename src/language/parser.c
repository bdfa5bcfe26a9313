/* parser.c - tokens to statements: weights, heads, bodies, directives.
**
** Knows clingo's language only as far as statements go; what is inside of
** literals is checked by clingo itself.  Every error is reported with its
** place, and parsing goes on behind the next full stop. */
#include "language/program.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  MOST_NESTING = 500,    /* clingo dies of deep terms… */
  MOST_OPERATORS = 1000, /* …and of long sums and rows of minus signs */
  MOST_FILES = 1000
};

typedef struct {
  Program *program;
  const char *root; /* for #include */
  uint32_t unit, source;
  const Token *t; /* the unit's tokens */
  uint32_t now;
  bool observations, blocks;
  uint32_t block;
} Parser;

static const Source *source_of(const Parser *p) {
  return &p->program->sources.list.at[p->source];
}

static bool is(const Parser *p, uint32_t token, const char *text) {
  return token_is(source_of(p), &p->t[token], text);
}

static Place place_of(const Parser *p, uint32_t from, uint32_t to) {
  uint32_t end = p->t[to].offset + p->t[to].length;
  return (Place){p->source, p->t[from].offset, end - p->t[from].offset};
}

#define error(p, token, hint, ...)                                             \
  report_error(&(p)->program->sources, place_of(p, token, token), hint, __VA_ARGS__)

/* ---- the end of a statement ------------------------------------------- */

static TokenKind closing(TokenKind open) {
  return open == T_OPEN         ? T_CLOSE
         : open == T_OPEN_BRACE ? T_CLOSE_BRACE
                                : T_CLOSE_BRACKET;
}

/* A full stop, unless it is the point of a decimal. */
static bool ends(const Parser *p, uint32_t i) {
  const Token *t = &p->t[i];
  if (t->kind != T_DOT)
    return t->kind == T_END || t->kind == T_DASHES;
  return !(i && t[-1].kind == T_NUMBER && t[1].kind == T_NUMBER &&
           t[-1].offset + t[-1].length == t->offset && t->offset + 1 == t[1].offset);
}

static bool opens(TokenKind kind) {
  return kind == T_OPEN || kind == T_OPEN_BRACE || kind == T_OPEN_BRACKET;
}

static bool closes(TokenKind kind) {
  return kind == T_CLOSE || kind == T_CLOSE_BRACE || kind == T_CLOSE_BRACKET;
}

static void report_mismatch(Parser *p, uint32_t open, uint32_t close) {
  char what = source_of(p)->bytes[p->t[open].offset];
  error(p, close, NULL, "this does not close the '%c' before it", what);
  report_note(&p->program->sources, place_of(p, open, open), NULL, "this is not closed");
}

/* Brackets must match and may not be too deep. */
static bool check_brackets(Parser *p, Range r) {
  VEC(uint32_t) open = {0};
  bool good = true;
  for (uint32_t i = r.from; good && i < r.to; i++) {
    TokenKind kind = p->t[i].kind;
    bool match = open.n && closing(p->t[open.at[open.n - 1]].kind) == kind;
    if (opens(kind))
      vec_push(&open, i);
    open.n -= match;
    good = (match || !closes(kind)) && open.n <= MOST_NESTING;
    if (open.n > MOST_NESTING)
      error(p, i, NULL, "nested deeper than %d", MOST_NESTING);
    else if (!good && open.n)
      report_mismatch(p, open.at[open.n - 1], i);
    else if (!good)
      error(p, i, NULL, "nothing to close here");
  }
  if (good && open.n) {
    error(p, open.at[open.n - 1], NULL, "this is not closed before the statement ends");
    good = false;
  }
  vec_free(&open);
  return good;
}

/* Operators of one term.  `|` is one only in a row: else it separates. */
static bool check_operators(Parser *p, Range r) {
  uint32_t count = 0;
  for (uint32_t i = r.from; i < r.to; i++) {
    TokenKind kind = p->t[i].kind;
    bool row = kind == T_BAR && i > r.from && p->t[i - 1].kind == T_BAR;
    if (row || (kind >= T_PLUS && kind <= T_OPERATOR))
      count++;
    else if (kind == T_COMMA || kind == T_SEMICOLON || kind == T_COLON || kind == T_IF ||
             kind == T_COMPARISON || kind == T_BAR)
      count = 0;
    if (count > MOST_OPERATORS) {
      error(p, i, NULL, "more than %d operators in one term", MOST_OPERATORS);
      return false;
    }
  }
  return true;
}

static bool check_decimals(Parser *p, Range r) {
  for (uint32_t i = r.from; i < r.to; i++)
    if (p->t[i].kind == T_DOT) {
      report_error(&p->program->sources, place_of(p, i - 1, i + 1),
                   "clingo has integers only: write a string such as \"0.5\"",
                   "a decimal number inside of a rule");
      return false;
    }
  return true;
}

/* The statement's full stop; what is before it must be in order. */
static bool find_stop(Parser *p, uint32_t from, uint32_t *stop) {
  uint32_t i = from;
  while (!ends(p, i))
    i++;
  *stop = i;
  Range r = {from, i};
  if (!check_decimals(p, r) || !check_brackets(p, r) || !check_operators(p, r))
    return false;
  if (p->t[i].kind == T_DOT)
    return true;
  error(p, i > from ? i - 1 : i, "every statement ends in a full stop",
        "the statement does not end");
  return false;
}

static void skip_statement(Parser *p) {
  while (!ends(p, p->now))
    p->now++;
  if (p->t[p->now].kind == T_DOT)
    p->now++;
  if (p->t[p->now].kind == T_OPEN_BRACKET) { /* of a weak constraint */
    while (p->t[p->now].kind != T_CLOSE_BRACKET && !ends(p, p->now))
      p->now++;
    if (p->t[p->now].kind == T_CLOSE_BRACKET)
      p->now++;
  }
}

/* ---- the inside of a statement ------------------------------------------- */

static bool starts_aggregate(const Parser *p, uint32_t i) {
  static const char *const words[] = {"#count", "#sum", "#min", "#max", "#true",
                                      "#false", "#inf", "#sup", "#infimum", "#supremum"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (is(p, i, words[k]))
      return true;
  return false;
}

/* Integers are 32 bits in clingo and wrap silently. */
static bool integer_fits(const char *text, uint32_t length) {
  bool based = length > 2 && text[0] == '0' && text[1] > '9';
  int base = !based ? 10 : text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : 2;
  char *digits = memory_copy(text + 2 * based, length - 2 * based);
  bool fits = length <= 40 && strtoull(digits, NULL, base) <= INT_MAX;
  free(digits);
  return fits;
}

/* `&name` where a term can't stand in front of it. */
static bool theory_atom(const Parser *p, uint32_t first, uint32_t i) {
  const Token *t = &p->t[i];
  if (t->kind != T_OPERATOR || source_of(p)->bytes[t->offset] != '&' ||
      t[1].kind != T_IDENTIFIER)
    return false;
  return i == first || (t[-1].kind >= T_NOT && t[-1].kind != T_CLOSE);
}

/* What must not reach clingo inside of any statement. */
static bool check_inside(Parser *p, Range r) {
  static const char *const stop = "is a full stop missing before it?";
  size_t before = p->program->sources.errors;
  for (uint32_t i = r.from; i < r.to; i++) {
    const Token *t = &p->t[i];
    const char *text = source_of(p)->bytes + t->offset;
    int length = t->length > 40 ? 40 : (int)t->length;
    if (t->kind == T_AT)
      error(p, i, "a weight stands in front of the whole rule",
            "external functions (@f) are not available inside of a rule");
    else if (t->kind == T_SCRIPT)
      error(p, i, stop, "unexpected #script inside of a statement");
    else if (t->kind == T_WEAK || t->kind == T_IF ||
             (t->kind == T_DIRECTIVE && !starts_aggregate(p, i)))
      error(p, i, stop, "unexpected '%.*s' inside of a statement", length, text);
    else if (theory_atom(p, r.from, i))
      error(p, i, NULL, "theory atoms are not part of the language");
    else if (t->kind == T_NUMBER && !integer_fits(text, t->length))
      error(p, i, "write it as a string if it is no number to compute with",
            "the integer does not fit into 32 bits");
  }
  return p->program->sources.errors == before;
}

/* ---- weights ----------------------------------------------------------- */

/* From behind `@w(`: the closing parenthesis, and the comma before the initial
** value (0: none).  False if it is not closed. */
static bool scan_parameter(const Parser *p, uint32_t from, uint32_t *comma, uint32_t *close) {
  uint32_t depth = 0, i = from;
  *comma = 0;
  for (; !ends(p, i) && p->t[i].kind != T_IF; i++) {
    if (!depth && p->t[i].kind == T_CLOSE) {
      *close = i;
      return true;
    }
    depth += p->t[i].kind == T_OPEN;
    depth -= p->t[i].kind == T_CLOSE;
    if (p->t[i].kind == T_COMMA && !depth && !*comma)
      *comma = i;
  }
  return false;
}

/* The name of a parameter: one term, the same for a whole instance. */
static bool check_name(Parser *p, Range r) {
  for (uint32_t i = r.from; i < r.to; i++) {
    TokenKind kind = p->t[i].kind;
    bool part = kind == T_IDENTIFIER || kind == T_VARIABLE || kind == T_NUMBER ||
                kind == T_STRING || kind == T_OPEN || kind == T_CLOSE || kind == T_COMMA ||
                kind == T_BAR || (kind >= T_PLUS && kind <= T_OPERATOR);
    if (!part) {
      error(p, i, "write @w(1), @w(name), @w(fail(X)) or plain @w",
            "the name of a parameter is one term");
      return false;
    }
  }
  return check_brackets(p, r) && check_operators(p, r) && check_inside(p, r);
}

static bool parse_initial(Parser *p, Statement *s, Range r) {
  WeightExpression e = {0};
  WeightParse found;
  bool good = weight_parse(source_of(p), p->t, r.from, &e, &found) &&
              found.end == r.to && weight_constant(&e);
  s->initial = good ? weight_evaluate(&e, NULL) : 0;
  s->has_initial = good = good && isfinite(s->initial);
  vec_free(&e);
  if (!good)
    error(p, r.from, "write a number: @w(1, 0.5)", "the initial value is not a number");
  return good;
}

/* `@w`, `@w(NAME)`, `@w(NAME, INITIAL)`, `@getWeight…` at p->now. */
static bool parse_parameter(Parser *p, Statement *s) {
  uint32_t from = p->now, comma, close;
  s->weight_kind = WEIGHT_PARAMETER;
  p->now += 2;
  if (p->t[p->now].kind == T_OPEN) {
    uint32_t start = ++p->now;
    if (!scan_parameter(p, start, &comma, &close)) {
      error(p, start - 1, NULL, "this is not closed");
      return false;
    }
    p->now = close + 1;
    s->name = (Range){start, comma ? comma : close};
    if (range_empty(s->name)) {
      error(p, start - 1, "write @w(1), @w(name) or plain @w", "the parameter has no name");
      return false;
    }
    if (!check_name(p, s->name) ||
        (comma && !parse_initial(p, s, (Range){comma + 1, close})))
      return false;
  }
  s->weight = (Range){from, p->now};
  return true;
}

static bool bound_follows(const Parser *p, uint32_t i) {
  static const char *const aggregates[] = {"#count", "#sum", "#min", "#max"};
  if (p->t[i].kind == T_OPEN_BRACE || p->t[i].kind == T_COMPARISON)
    return true;
  for (size_t k = 0; k < sizeof aggregates / sizeof *aggregates; k++)
    if (p->t[i].kind == T_DIRECTIVE && is(p, i, aggregates[k]))
      return true;
  return false;
}

/* Older LPMLN tools read the number in `1 {a} 1` as a weight: said once. */
static void note_bound(Parser *p, uint32_t from, uint32_t to) {
  const Sources *sources = &p->program->sources;
  static const char message[] = "this is a bound, as in clingo, not a weight";
  for (size_t i = 0; i < sources->reports.n; i++)
    if (!strcmp(sources->reports.at[i].message, message))
      return;
  report_note(&p->program->sources, place_of(p, from, to),
              "for a weight write a colon behind it: `1 : { a } 1.`", "%s", message);
}

/* An expression at the start of a statement: a weight, or the bound of a head
** that clingo can read (then nothing is consumed). */
static bool parse_expression(Parser *p, Statement *s) {
  WeightParse found;
  uint32_t from = p->now;
  bool good = weight_parse(source_of(p), p->t, from, &s->expression, &found);
  TokenKind next = good ? p->t[found.end].kind : T_END;
  bool bound = good && found.clingo_term && bound_follows(p, found.end);
  if (!good && p->t[found.bad].kind == T_AT) {
    error(p, found.bad, "a weight knows @log, @exp, @w and @getWeight",
          "unknown function in a weight");
    return false;
  }
  if (!good || bound || next == T_OPERATOR || next == T_DOTS) {
    if (bound)
      note_bound(p, from, found.end - 1);
    vec_free(&s->expression);
    return true; /* a hard rule; clingo will say if it is wrong */
  }
  s->weight_kind = WEIGHT_NUMBER;
  s->weight = (Range){from, found.end};
  p->now = found.end;
  if (weight_constant(&s->expression) && !isfinite(weight_evaluate(&s->expression, NULL))) {
    report_error(&p->program->sources, place_of(p, from, found.end - 1), NULL,
                 "the weight is not a finite number");
    return false;
  }
  return true;
}

static bool parse_weight(Parser *p, Statement *s) {
  TokenKind kind = p->t[p->now].kind;
  bool alpha = kind == T_IDENTIFIER && is(p, p->now, "alpha") &&
               p->t[p->now + 1].kind == T_COLON;
  bool parameter = kind == T_AT && (is(p, p->now + 1, "w") || is(p, p->now + 1, "getWeight"));
  bool good = true;
  if (alpha)
    p->now++;
  else if (parameter)
    good = parse_parameter(p, s);
  else if (kind == T_NUMBER || kind == T_VARIABLE || kind == T_OPEN ||
           kind == T_MINUS || kind == T_PLUS || kind == T_AT)
    good = parse_expression(p, s);
  if (good && p->t[p->now].kind == T_COLON && (alpha || s->weight_kind != WEIGHT_HARD))
    p->now++;
  return good;
}

/* Two different explicit initial values of one parameter. */
static void check_initial(Parser *p, const Statement *s) {
  Program *program = p->program;
  Text name = {0};
  if (!s->has_initial)
    return;
  program_write(program, s, s->name, &name);
  Place here = program_place(program, s, s->weight);
  uint32_t number = names_add(&program->parameters, name.at, name.n);
  if (number == program->initials.n)
    vec_push(&program->initials, (Initial){s->initial, here});
  Initial first = program->initials.at[number];
  if (first.value != s->initial) {
    report_error(&program->sources, here,
                 "give the initial value once; the other rules may write @w(NAME) alone",
                 "parameter %s has two initial values: %g here, %g before", name.at,
                 s->initial, first.value);
    report_note(&program->sources, first.place, NULL, "the first initial value of %s", name.at);
  }
  vec_free(&name);
}

/* ---- rules -------------------------------------------------------------- */

/* The `:-` outside of all brackets, or the end. */
static uint32_t find_if(const Parser *p, Range r) {
  int depth = 0;
  uint32_t i = r.from;
  for (; i < r.to && (depth || p->t[i].kind != T_IF); i++)
    depth += opens(p->t[i].kind) - closes(p->t[i].kind);
  return i;
}

static HeadKind head_kind(const Parser *p, const Statement *s) {
  Parts parts = {0};
  HeadKind kind = HEAD_NONE;
  program_parts(p->program, s, s->head, &parts);
  if (parts.n == 1 && parts.at[0].braces && !parts.at[0].conditional) {
    Range r = parts.at[0].range;
    bool named = p->t[r.from].kind == T_DIRECTIVE;
    bool plain = (p->t[r.from].kind == T_OPEN_BRACE || named) &&
                 p->t[r.to - 1].kind == T_CLOSE_BRACE;
    kind = plain ? HEAD_CHOICE : HEAD_BOUNDED;
  } else if (parts.n == 1 && !parts.at[0].conditional) {
    kind = HEAD_LITERAL;
  } else if (parts.n) {
    kind = HEAD_DISJUNCTION;
  }
  vec_free(&parts);
  return kind;
}

static void warn_about_weight(Parser *p, const Statement *s) {
  if (s->weight_kind != WEIGHT_HARD && s->head_kind == HEAD_CHOICE)
    report_warning(&p->program->sources, program_place(p->program, s, s->weight),
                   "a number without a colon, directly before the brace, is a bound",
                   "a choice without bounds can't be violated: the weight has no effect");
}

static void report_no_rule(Parser *p, const Statement *s, uint32_t stop) {
  if (s->weight_kind == WEIGHT_HARD)
    error(p, stop, NULL, "an empty statement");
  else
    report_error(&p->program->sources, program_place(p->program, s, s->weight), NULL,
                 "a weight without a rule");
}

/* Head and body between p->now and the stop. */
static bool parse_rule(Parser *p, Statement *s, uint32_t stop) {
  Range rest = {p->now, stop};
  uint32_t turn = find_if(p, rest);
  s->head = (Range){rest.from, turn};
  s->body = (Range){turn + 1 < stop ? turn + 1 : stop, stop};
  if (turn == stop && range_empty(s->head)) {
    report_no_rule(p, s, stop);
    return false;
  }
  s->head_kind = head_kind(p, s);
  if (!check_inside(p, s->head) || !check_inside(p, s->body))
    return false;
  warn_about_weight(p, s);
  check_initial(p, s);
  return true;
}

/* ---- directives ---------------------------------------------------------- */

typedef struct {
  const char *name;
  enum { PASS, DOMAIN, INCLUDE, REFUSED } action;
  const char *reason;
} Directive;

static const Directive directives[] = {
    {"#show", PASS, NULL},
    {"#const", PASS, NULL},
    {"#external", PASS, NULL},
    {"#defined", PASS, NULL},
    {"#domain", DOMAIN, NULL},
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

/* Edit distance, for names of at most 15 letters. */
static unsigned distance(const char *a, size_t n, const char *b) {
  unsigned row[16];
  size_t m = strlen(b);
  for (unsigned j = 0; j <= m; j++)
    row[j] = j;
  for (size_t i = 0; i < n; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i + 1;
    for (size_t j = 0; j < m; j++) {
      unsigned cost = diagonal + (a[i] != b[j]);
      unsigned other = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
      diagonal = row[j + 1];
      row[j + 1] = cost < other ? cost : other;
    }
  }
  return row[m];
}

static void report_unknown_directive(Parser *p) {
  const Token *t = &p->t[p->now];
  const char *text = source_of(p)->bytes + t->offset, *nearest = NULL;
  unsigned least = 3;
  for (size_t i = 0; t->length < 16 && i < sizeof directives / sizeof *directives; i++) {
    unsigned d = distance(text, t->length, directives[i].name);
    if (d < least)
      least = d, nearest = directives[i].name;
  }
  Text hint = {0};
  if (nearest)
    text_printf(&hint, "did you mean %s?", nearest);
  report_hinted(&p->program->sources, LPMLN_ERROR, place_of(p, p->now, p->now),
                nearest ? text_take(&hint) : NULL, "unknown directive %.*s",
                (int)t->length, text);
}

static void parse_include(Parser *p, uint32_t stop);

/* `[default]` and the like, behind the full stop. */
static bool parse_brackets(Parser *p, Statement *s, uint32_t open) {
  uint32_t i = open + 1;
  while (p->t[i].kind != T_CLOSE_BRACKET && !ends(p, i))
    i++;
  if (p->t[i].kind != T_CLOSE_BRACKET) {
    error(p, open, NULL, "this is not closed");
    return false;
  }
  s->whole.to = i + 1;
  Range inside = {open + 1, i};
  return check_decimals(p, inside) && check_brackets(p, inside) && check_operators(p, inside);
}

static void parse_pass(Parser *p, Statement *s, uint32_t stop) {
  s->kind = S_PASS;
  bool brackets = p->t[stop + 1].kind == T_OPEN_BRACKET && !is(p, p->now, "#show");
  if (brackets && !parse_brackets(p, s, stop + 1))
    return;
  if (check_inside(p, (Range){p->now + 1, s->whole.to}))
    vec_push(&p->program->statements, *s);
}

/* The parenthesis that closes this one; brackets are known to match. */
static uint32_t closing_of(const Parser *p, uint32_t open) {
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
    error(p, s->body.from, "write #domain person(X).", "#domain takes one atom");
  else if (!variable)
    error(p, s->body.from, "write #domain person(X).", "this #domain names no variable");
  else if (check_inside(p, s->body)) {
    vec_push(&p->program->domains, (uint32_t)p->program->statements.n);
    vec_push(&p->program->statements, *s);
  }
}

static void parse_directive(Parser *p, Statement *s, uint32_t stop) {
  const Directive *d = NULL;
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
    if (is(p, p->now, directives[i].name))
      d = &directives[i];
  if (!d)
    report_unknown_directive(p);
  else if (d->action == REFUSED || (p->observations && d->action != DOMAIN))
    error(p, p->now, d->action == REFUSED ? d->reason : NULL, "%s is not available %s",
          d->name, p->observations ? "in observations" : "in lpmln");
  else if (d->action == DOMAIN)
    parse_domain(p, s, stop);
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
  const char *here = source_of(p)->name, *slash = strrchr(here, '/');
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
  const char *here = source_of(p)->name, *slash = strrchr(here, '/');
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
  Sources *sources = &program->sources;
  if (include_embedded(p, name))
    return;
  char *root = p->root ? realpath(p->root, NULL) : NULL, *real = NULL, *path = NULL;
  if (root)
    path = find_included(p, name, &real);
  if (!root)
    report_error(sources, place, "give --include-root DIR",
                 "this text has no folder to include files from");
  else if (!real)
    report_error(sources, place, NULL, "there is no file '%s' to include", name);
  else if (!below(real, root))
    report_error(sources, place, "allow another folder with --include-root DIR",
                 "'%s' is outside of the program's folder", name);
  else if (!is_file(real))
    report_error(sources, place, NULL, "'%s' is not a file", name);
  else if (read_already(program, real))
    report_error(sources, place, "every file is read once; remove this line",
                 "'%s' is read already, or includes itself", name);
  else if (program->included.n >= MOST_FILES)
    report_error(sources, place, NULL, "more than %d files", MOST_FILES);
  else {
    uint32_t source = source_read(sources, path, place);
    if (source != NONE_SOURCE)
      program_read(program, source, p->root);
  }
  free(path);
  free(real);
  free(root);
}

static void parse_include(Parser *p, uint32_t stop) {
  const Token *t = &p->t[p->now + 1];
  if (t->kind != T_STRING || t->length == 2 || p->now + 2 != stop) {
    error(p, p->now + 1, "write #include \"file.lpmln\".", "#include takes the name of a file");
    return;
  }
  char *name = memory_copy(source_of(p)->bytes + t->offset + 1, t->length - 2);
  include_file(p, name, place_of(p, p->now + 1, p->now + 1));
  free(name);
}

/* ---- statements ------------------------------------------------------------ */

static bool refuse_start(Parser *p) {
  TokenKind kind = p->t[p->now].kind;
  if (kind == T_SCRIPT)
    error(p, p->now, "scripts run code; compute such facts beforehand",
          "#script is not available in lpmln");
  else if (kind == T_WEAK)
    error(p, p->now, "optimisation has no meaning here: a soft constraint is `2 :- a.`",
          "weak constraints are not available in lpmln");
  else if (kind == T_OPEN_BRACKET) /* clingo would take it for the end of the statement before */
    error(p, p->now, "a weight stands in front of the rule, without brackets",
          "a statement can't start with '['");
  else
    return false;
  return true;
}

/* A statement of an observation: a constraint, or a literal that was observed. */
static bool observed(Parser *p, Statement *s) {
  const char *wrong = NULL;
  if (s->weight_kind != WEIGHT_HARD)
    wrong = "observations have no weights";
  else if (s->head_kind == HEAD_LITERAL && p->t[s->head.to].kind == T_IF)
    wrong = "a rule with a head is no observation";
  else if (s->head_kind != HEAD_NONE && s->head_kind != HEAD_LITERAL)
    wrong = "this is no observation";
  if (wrong) {
    error(p, s->whole.from, "write literals (`a. not b.`) or constraints (`:- not a.`)",
          "%s", wrong);
    return false;
  }
  if (s->head_kind == HEAD_LITERAL) {
    s->kind = S_LITERAL;
    s->body = s->head;
    s->head = (Range){0, 0};
    s->head_kind = HEAD_NONE;
  }
  return true;
}

static void parse_statement(Parser *p) {
  Statement s = {.unit = p->unit, .block = p->observations ? p->block : PROGRAM_BLOCK};
  uint32_t start = p->now, stop;
  bool directive = p->t[start].kind == T_DIRECTIVE && !starts_aggregate(p, start);
  if (refuse_start(p) || (!directive && !parse_weight(p, &s)) ||
      !find_stop(p, p->now, &stop)) {
    vec_free(&s.expression);
    skip_statement(p);
    return;
  }
  s.whole = (Range){start, stop + 1};
  if (directive) {
    parse_directive(p, &s, stop);
  } else if (parse_rule(p, &s, stop) && (!p->observations || observed(p, &s))) {
    vec_push(&p->program->statements, s);
    s.expression = (WeightExpression){0}; /* the program's now */
  }
  vec_free(&s.expression);
  p->now = s.whole.to;
}

static Parser parser_of(Program *program, uint32_t source, const char *root, bool dashes) {
  Unit unit = {.source = source};
  lex(&program->sources, source, dashes, &unit.tokens);
  vec_push(&program->units, unit);
  return (Parser){.program = program,
                  .root = root,
                  .unit = (uint32_t)(program->units.n - 1),
                  .source = source,
                  .t = unit.tokens.at};
}

void program_read(Program *program, uint32_t source, const char *root) {
  char *real = root ? realpath(program->sources.list.at[source].name, NULL) : NULL;
  if (real)
    vec_push(&program->included, real);
  Parser p = parser_of(program, source, root, false);
  while (p.t[p.now].kind != T_END)
    parse_statement(&p);
}

/* ---- observations and queries ------------------------------------------------ */

/* `--- 25`: the block above was seen 25 times. */
static double separator_count(Parser *p) {
  const Token *t = &p->t[p->now];
  char *text = memory_copy(source_of(p)->bytes + t->offset + 3, t->length - 3);
  text[strcspn(text, "%")] = 0;
  char *rest = NULL, *number = strtok_r(text, " \t\r", &rest), *more = number ? strtok_r(NULL, " \t\r", &rest) : NULL;
  bool digits = !number || (!more && number[strspn(number, "0123456789")] == 0);
  double count = number && digits ? strtod(number, NULL) : 1;
  free(text);
  if (!digits || count < 1 || count > 9007199254740992.0) {
    error(p, p->now, "write --- or --- 25",
          "behind '---' stands how often the block above it was seen");
    return 1;
  }
  return count;
}

static void start_block(Parser *p) {
  p->block = (uint32_t)p->program->blocks.n;
  vec_push(&p->program->blocks, (Block){1, place_of(p, p->now, p->now)});
}

static void parse_separator(Parser *p) {
  if (!p->blocks) {
    error(p, p->now, "evidence holds at once; several observations are for learning",
          "'---' separates observations, but this is evidence");
    p->now++;
    return;
  }
  p->program->blocks.at[p->block].count = separator_count(p);
  p->now++;
  if (p->t[p->now].kind != T_END) /* a trailing --- opens no block */
    start_block(p);
}

void program_read_observations(Program *program, uint32_t source, bool blocks) {
  Parser p = parser_of(program, source, NULL, true);
  p.observations = true, p.blocks = blocks;
  if (blocks || !program->blocks.n) {
    if (p.t[p.now].kind == T_END && blocks)
      return;
    start_block(&p);
  }
  while (p.t[p.now].kind != T_END)
    if (p.t[p.now].kind == T_DASHES)
      parse_separator(&p);
    else
      parse_statement(&p);
}

/* Says what of the tokens before `end` no query has. */
static bool check_query(Parser *p, uint32_t end) {
  static const char *const hint = "an atom, p/2, an atom with variables, or a conjunction 'a, not b'";
  uint32_t slash = 1 + (p->t[0].kind == T_MINUS), wrong = end;
  if (!end) {
    error(p, 0, hint, "an empty query");
    return false;
  }
  for (uint32_t i = end; i--;)
    if (p->t[i].kind == T_DOT || p->t[i].kind == T_IF || p->t[i].kind == T_DIRECTIVE)
      wrong = i;
  bool signature = end > slash && p->t[slash - 1].kind == T_IDENTIFIER && p->t[slash].kind == T_SLASH;
  if (wrong < end)
    error(p, wrong, hint, "this is no query");
  else if (signature && (p->t[slash + 1].kind != T_NUMBER || end != slash + 2))
    error(p, slash, "write p/2 for all atoms p(X,Y)", "a number of arguments must follow");
  else
    return true;
  return false;
}

void program_read_query(Program *program, uint32_t source) {
  Parser p = parser_of(program, source, NULL, false);
  uint32_t end = (uint32_t)program->units.at[p.unit].tokens.n - 1;
  if (end && p.t[end - 1].kind == T_DOT)
    end--;
  Statement s = {.kind = S_QUERY, .unit = p.unit, .whole = {0, end}, .body = {0, end},
                 .block = PROGRAM_BLOCK};
  if (!check_query(&p, end))
    return;
  if (check_brackets(&p, s.body) && check_operators(&p, s.body) && check_inside(&p, s.body))
    vec_push(&program->statements, s);
}
