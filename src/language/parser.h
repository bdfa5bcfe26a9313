/* parser.h - what the parts of the parser share.  Each part is one subject:
** delimit.c finds where a statement ends and what must not be inside of it,
** leading.c reads the weight in front, directive.c the directives, observe.c
** observations and queries, and parser.c puts rules and statements together. */
#ifndef LANGUAGE_PARSER_H
#define LANGUAGE_PARSER_H

#include "base/diagnostic.h"
#include "base/source.h"
#include "language/lexer.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  Program *program;
  const char *root; /* for #include */
  uint32_t unit, source;
  const Token *t; /* the unit's tokens */
  uint32_t now;
  bool observations, blocks;
  uint32_t block;
} Parser;

/* Lexes the source into a new unit. */
Parser parser_begin(Program *, uint32_t source, const char *root, bool dashes);

static inline const Source *parser_source(const Parser *p) {
  return &p->program->sources.list.at[p->source];
}

static inline bool parser_is(const Parser *p, uint32_t token, const char *text) {
  return token_is(parser_source(p), &p->t[token], text);
}

static inline Place parser_place(const Parser *p, uint32_t from, uint32_t to) {
  uint32_t end = p->t[to].offset + p->t[to].length;
  return (Place){p->source, p->t[from].offset, end - p->t[from].offset};
}

#define parser_error(p, token, hint, ...) \
  diagnose_error(program_said((p)->program), parser_place(p, token, token), hint, __VA_ARGS__)

static inline bool parser_opens(TokenKind kind) {
  return kind == T_OPEN || kind == T_OPEN_BRACE || kind == T_OPEN_BRACKET;
}

static inline bool parser_closes(TokenKind kind) {
  return kind == T_CLOSE || kind == T_CLOSE_BRACE || kind == T_CLOSE_BRACKET;
}

/* delimit.c: a full stop (no decimal point), or the end of the text; the stop of
** the statement; the way behind it after an error; checks that report. */
bool parser_ends(const Parser *, uint32_t token);
bool parser_find_stop(Parser *, uint32_t from, uint32_t *stop);
void parser_skip(Parser *);
bool parser_check_brackets(Parser *, Range);
bool parser_check_operators(Parser *, Range);
bool parser_check_decimals(Parser *, Range);
bool parser_check_inside(Parser *, Range);
bool parser_check_terms(Parser *, Range); /* the same, where a variable may stand alone */
bool parser_starts_aggregate(const Parser *, uint32_t token);

/* arrow.c: `head <- body` has the token of `:-`; before statements are parsed. */
void parser_turn_arrows(Parser *);

/* leading.c: the weight at p->now, if there is one; false after an error. */
bool parse_weight(Parser *, Statement *);
void parse_check_initial(Parser *, const Statement *);

/* coin.c: does the statement at p->now have `::`?  All of it. */
bool parser_has_coins(const Parser *);
void parse_coins(Parser *);

/* decision.c: of `#utility(V) literals : body.` the value at p->now, which becomes the first token
** behind it; the rest.  `#decision atom : body.` */
bool parse_utility_value(Parser *, Statement *);
void parse_utility(Parser *, Statement *, uint32_t stop);
void parse_decision(Parser *, Statement *, uint32_t stop);

/* directive.c, parser.c: the directive, the statement at p->now. */
void parse_directive(Parser *, Statement *, uint32_t stop);
void parse_statement(Parser *);

#endif
