/* program.c - the pieces of a parsed program; see program.h. */
#include "language/program.h"

#include "language/table.h"

#include <assert.h>
#include <stdlib.h>

void program_free(Program *p) {
  for (size_t i = 0; i < p->units.n; i++)
    vec_free(&p->units.at[i].tokens);
  for (size_t i = 0; i < p->statements.n; i++)
    vec_free(&p->statements.at[i].expression);
  for (size_t i = 0; i < p->included.n; i++)
    free(p->included.at[i]);
  vec_free(&p->units);
  vec_free(&p->statements);
  vec_free(&p->domains);
  vec_free(&p->blocks);
  vec_free(&p->unknown);
  for (size_t i = 0; i < p->tables.n; i++)
    table_clear(&p->tables.at[i]);
  vec_free(&p->tables);
  vec_free(&p->included);
  names_free(&p->parameters);
  vec_free(&p->initials);
  for (size_t i = 0; i < p->shown_as.n; i++)
    free(p->shown_as.at[i]);
  vec_free(&p->shown_as);
  names_free(&p->renamed);
  free(p->guard);
  vec_free(&p->guards);
  names_free(&p->hidden);
  names_free(&p->chance_names);
  vec_free(&p->chances);
  diagnostics_free(&p->said);
  sources_free(&p->sources);
}

Block *program_add_block(Program *p, Place place) {
  vec_push(&p->blocks, (Block){.number = p->block_count, .count = 1, .place = place});
  p->block_count++;
  return &p->blocks.at[p->blocks.n - 1];
}

const ObservedTable *program_table(const Program *p, uint32_t block) {
  assert(block < p->block_count);
  for (size_t i = 0; i < p->tables.n; i++)
    if (block >= p->tables.at[i].first && block - p->tables.at[i].first < p->tables.at[i].rows)
      return &p->tables.at[i];
  return NULL;
}

/* That is no row. */
static const Block *block_numbered(const Program *p, uint32_t number) {
  size_t low = 0, high = p->blocks.n;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    *(p->blocks.at[middle].number <= number ? &low : &high) = middle;
  }
  assert(p->blocks.at[low].number == number);
  return &p->blocks.at[low];
}

double program_block_count(const Program *p, uint32_t block) {
  const ObservedTable *t = program_table(p, block);
  return t ? t->counts.at[block - t->first] : block_numbered(p, block)->count;
}

Place program_block_place(const Program *p, uint32_t block) {
  const ObservedTable *t = program_table(p, block);
  return t ? table_place(p, t, block - t->first) : block_numbered(p, block)->place;
}

bool program_block_complete(const Program *p, uint32_t block) {
  return !program_table(p, block) && block_numbered(p, block)->complete;
}

Statement program_given(const Statement *s) {
  assert(s->kind == S_QUERY && !range_empty(s->given));
  Statement given = *s;
  given.body = s->given;
  given.given = (Range){0, 0};
  given.formula = true;
  return given;
}

Place program_place(const Program *p, const Statement *s, Range r) {
  assert(s->unit < p->units.n && r.from < p->units.at[s->unit].tokens.n);
  assert(r.to <= p->units.at[s->unit].tokens.n);
  const Token *t = program_tokens(p, s);
  uint32_t from = t[r.from].offset, to = from + t[r.from].length;
  if (!range_empty(r))
    to = t[r.to - 1].offset + t[r.to - 1].length;
  return (Place){p->units.at[s->unit].source, from, to - from};
}

void program_write(const Program *p, const Statement *s, Range r, Text *out) {
  assert(range_empty(r) || r.to <= p->units.at[s->unit].tokens.n);
  const Token *t = program_tokens(p, s);
  const char *bytes = program_source(p, s)->bytes;
  for (uint32_t i = r.from; i < r.to; i++) {
    if (i > r.from && t[i - 1].offset + t[i - 1].length < t[i].offset)
      text_puts(out, " ");
    text_add(out, bytes + t[i].offset, t[i].length);
  }
  text_add(out, "", 0);
}

/* White space becomes one blank. */
static void write_origin(const Source *source, Place place, Text *out) {
  bool blank = false;
  for (uint32_t i = place.offset; i < place.offset + place.length; i++) {
    char c = source->bytes[i];
    bool white = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!white || !blank)
      text_add(out, white ? " " : &source->bytes[i], 1);
    blank = white;
  }
  text_add(out, "", 0);
}

/* One of several heads with probabilities: the others are left out. */
static void write_alternative(const Program *p, const Statement *s, Text *out) {
  const Token *t = program_tokens(p, s);
  bool first = s->weight.from == s->whole.from, last = t[s->head.to].kind != T_SEMICOLON;
  text_puts(out, first ? "" : "…; ");
  program_write(p, s, (Range){s->weight.from, s->head.to}, out);
  text_puts(out, last ? "" : "; …");
  text_puts(out, range_empty(s->body) ? "" : " :- ");
  program_write(p, s, s->body, out);
  text_puts(out, ".");
}

void program_describe(const Program *p, const Statement *s, const char **file, unsigned *line,
                      Text *text) {
  const Source *source = program_source(p, s);
  Place here = program_place(p, s, s->whole), place = source_origin(&p->sources, here);
  bool derived = source->derived && place.source != NONE_SOURCE;
  if (derived)
    source = &p->sources.list.at[place.source];
  *file = source->name;
  *line = source_position(source, derived ? place.offset : here.offset).line;
  bool alone =
      s->weight.from == s->whole.from && program_tokens(p, s)[s->head.to].kind != T_SEMICOLON;
  if (derived)
    write_origin(source, place, text);
  else if (s->coin && !alone)
    write_alternative(p, s, text);
  else
    program_write(p, s, s->whole, text);
}

/* Does an operand come next, so that `|` would open an absolute value? */
static bool operand_next(const Token *t, uint32_t from, uint32_t i) {
  if (i == from)
    return true;
  switch (t[i - 1].kind) {
  case T_IDENTIFIER:
  case T_VARIABLE:
  case T_ANONYMOUS:
  case T_NUMBER:
  case T_STRING:
  case T_CLOSE:
  case T_CLOSE_BRACE:
  case T_DIRECTIVE:
  case T_BAR: return false;
  default: return true;
  }
}

void program_parts(const Program *p, const Statement *s, Range r, Parts *parts) {
  assert(range_empty(r) || r.to < p->units.at[s->unit].tokens.n); /* T_END is in no part */
  const Token *t = program_tokens(p, s);
  int depth = 0;
  bool absolute = false; /* between | and | */
  Part part = {.range = {r.from, r.from}};
  for (uint32_t i = r.from; i <= r.to; i++) {
    TokenKind kind = i < r.to ? t[i].kind : T_SEMICOLON;
    bool bar = kind == T_BAR && !depth;
    bool opens = bar && !absolute && operand_next(t, part.range.from, i);
    bool closes = bar && absolute;
    bool ends = i == r.to ||
                (!depth && !opens && !closes &&
                 (kind == T_SEMICOLON || kind == T_BAR || (kind == T_COMMA && !part.conditional)));
    if (ends) {
      part.range.to = i;
      if (!range_empty(part.range))
        vec_push(parts, part);
      part = (Part){.range = {i + 1, i + 1}};
      absolute = false;
      continue;
    }
    absolute = opens || (absolute && !closes);
    depth += kind == T_OPEN || kind == T_OPEN_BRACE || kind == T_OPEN_BRACKET;
    depth -= kind == T_CLOSE || kind == T_CLOSE_BRACE || kind == T_CLOSE_BRACKET;
    part.conditional |= kind == T_COLON && !depth;
    part.braces |= kind == T_OPEN_BRACE && depth == 1;
  }
}
