/* answers.c - see answers.h. */
#include "language/answers.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "language/instance.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define NOTHING "(nothing is true)"

static const char *skip_blank(const char *s) { return s + strspn(s, " \t\r\n"); }

static bool is_json(const char *bytes) { return *bytes == '{' && *skip_blank(bytes + 1) == '"'; }

/* The end of the line, or of the text. */
static const char *line_end(const char *s) { return s + strcspn(s, "\n"); }

/* `Answer: 3` of clingo, `2: probability …` of models. */
static bool announces(const char *line) {
  if (!strncmp(line, "Answer: ", 8))
    return true;
  size_t digits = strspn(line, "0123456789");
  return digits && !strncmp(line + digits, ": ", 2) && strstr(line, "probability ") &&
         strstr(line, "probability ") < line_end(line);
}

static bool has_announcement(const char *s) {
  for (; *s; s = line_end(s) + (*line_end(s) == '\n'))
    if (announces(s))
      return true;
  return false;
}

/* The end of the atom: a blank outside of strings. */
static const char *atom_end(const char *s, const char *end) {
  bool quoted = false;
  for (; s < end && (quoted || !isspace((unsigned char)*s)); s++) {
    if (quoted && *s == '\\' && s + 1 < end)
      s++;
    else if (*s == '"')
      quoted = !quoted;
  }
  return s;
}

/* A name, and arguments in parentheses that close at the end. */
static bool is_atom(const char *s, const char *end) {
  const char *name = s += *s == '-';
  s += strspn(s, "_'");
  if (!islower((unsigned char)*s))
    return false;
  while (s < end && (isalnum((unsigned char)*s) || *s == '_' || *s == '\''))
    s++;
  if (s == end)
    return end - name != 3 || strncmp(name, "not", 3) != 0;
  bool quoted = false;
  size_t depth = 0;
  for (; s < end; s++) {
    bool behind = !depth && *s != '('; /* a name is followed by parentheses, these by nothing */
    if (behind)
      return false;
    if (quoted && *s == '\\')
      s++;
    else if (*s == '"')
      quoted = !quoted;
    else if (!quoted)
      depth += (*s == '(') - (size_t)(*s == ')');
  }
  return !depth && !quoted;
}

/* Lines of atoms, as `sample` prints them; a text of observations has full stops. */
static bool is_plain(const char *s) {
  for (s = skip_blank(s); *s; s = skip_blank(s)) {
    const char *end = line_end(s);
    if (!strncmp(s, NOTHING, sizeof NOTHING - 1)) {
      s += sizeof NOTHING - 1;
      continue;
    }
    end = atom_end(s, end);
    if (!is_atom(s, end))
      return false;
    s = end;
  }
  return true;
}

bool answers_recognise(const Program *p, uint32_t source) {
  assert(source < p->sources.list.n);
  const char *s = skip_blank(p->sources.list.at[source].bytes);
  if (!*s || strlen(s) + (size_t)(s - p->sources.list.at[source].bytes) !=
                 p->sources.list.at[source].length)
    return false; /* nothing, or a NUL byte: for the lexer to say */
  return is_json(s) || has_announcement(s) || is_plain(s);
}

/* ---- writing observations --------------------------------------------------------------- */

typedef struct {
  const Source *source;
  uint32_t number;
  Writer to;
  uint32_t sets; /* written so far */
} Answers;

static void open_set(Answers *a) {
  writer_puts(&a->to, a->sets++ ? "\n---\n:- #false. " : ":- #false. "); /* it may have no atom */
}

static void write_atom(Answers *a, const char *from, const char *to, const char *text) {
  Place place = {a->number, (uint32_t)(from - a->source->bytes), (uint32_t)(to - from)};
  writer_place(&a->to, place, text);
  writer_puts(&a->to, ". ");
}

/* ---- text -------------------------------------------------------------------------------- */

static void read_line(Answers *a, const char *s) {
  const char *end = line_end(s);
  open_set(a);
  s += strspn(s, " \t");
  if (!strncmp(s, NOTHING, sizeof NOTHING - 1))
    return;
  while (s < end) {
    const char *next = atom_end(s, end);
    char *atom = memory_copy(s, (size_t)(next - s));
    if (*atom)
      write_atom(a, s, next, atom);
    free(atom);
    s = next;
    while (s < end && isspace((unsigned char)*s))
      s++;
  }
  writer_puts(&a->to, "\n");
}

/* What is announced is on the next line; without announcements each line is a set. */
static void read_text(Answers *a) {
  bool announced = has_announcement(a->source->bytes), next = !announced;
  for (const char *s = a->source->bytes; *s; s = line_end(s) + (*line_end(s) == '\n')) {
    bool blank = !announced && !*skip_blank(s);
    if (next && !blank && *s != '%')
      read_line(a, s);
    next = !announced || announces(s);
  }
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void put_code(Text *to, unsigned code) {
  char bytes[3] = {(char)code, 0, 0};
  size_t n = 1;
  if (code >= 0x800) {
    bytes[0] = (char)(0xe0 | code >> 12), bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
    bytes[2] = (char)(0x80 | (code & 0x3f)), n = 3;
  } else if (code >= 0x80) {
    bytes[0] = (char)(0xc0 | code >> 6), bytes[1] = (char)(0x80 | (code & 0x3f)), n = 2;
  }
  text_add(to, bytes, n);
}

/* From behind the quote; returns what is behind the closing one, NULL if there is none. */
static const char *read_string(const char *s, Text *to) {
  to->n = 0;
  text_puts(to, "");
  for (; *s && *s != '"'; s++) {
    unsigned code = 0;
    if (*s != '\\') {
      text_add(to, s, 1);
      continue;
    }
    s++;
    if (*s == 'u')
      for (int k = 0; k < 4 && isxdigit((unsigned char)s[1]); k++, s++)
        code = code * 16 +
               (unsigned)(isdigit((unsigned char)s[1]) ? s[1] - '0' : tolower(s[1]) - 'a' + 10);
    else
      code = *s == 'n' ? '\n' : *s == 't' ? '\t' : (unsigned char)*s;
    if (!code)
      return NULL;
    put_code(to, code);
  }
  return *s ? s + 1 : NULL;
}

/* An array of strings, or `samples` of these, behind its key. */
typedef struct {
  int wanted; /* depth of arrays below the key that are sets; 0: nothing was announced */
  int depth;
} Json;

static const char *read_json_string(Answers *a, Json *j, const char *s, Text *text) {
  const char *start = s, *end = read_string(s + 1, text);
  if (!end)
    return NULL;
  if (*skip_blank(end) == ':') {
    bool sets = !strcmp(text->at, "Value") || !strcmp(text->at, "atoms");
    *j = (Json){sets ? 1 : !strcmp(text->at, "samples") ? 2 : 0, 0};
  } else if (j->wanted && j->depth == j->wanted) {
    write_atom(a, start, end, text->at);
  }
  return end;
}

static bool read_json(Answers *a) {
  Json j = {0};
  Text text = {0};
  const char *s = a->source->bytes;
  while (s && *s) {
    if (*s == '"') {
      s = read_json_string(a, &j, s, &text);
      continue;
    }
    if (*s == '[' && j.wanted && ++j.depth == j.wanted)
      open_set(a);
    if (*s == ']' && j.wanted && --j.depth == 0)
      j.wanted = 0;
    s++;
  }
  vec_free(&text);
  return s;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static uint32_t add_source(Program *p, Answers *a) {
  char *name = memory_copy(a->source->name, strlen(a->source->name));
  size_t length = a->to.text.n;
  uint32_t made = source_add(&p->sources, name, text_take(&a->to.text), length);
  p->sources.list.at[made].map = a->to.map;
  p->sources.list.at[made].derived = true;
  free(name);
  return made;
}

void answers_read(Program *p, uint32_t source, bool blocks) {
  assert(answers_recognise(p, source));
  Answers a = {.source = &p->sources.list.at[source], .number = source};
  Place here = {source, 0, 1};
  bool good = true;
  if (is_json(skip_blank(a.source->bytes)))
    good = read_json(&a);
  else
    read_text(&a);
  if (!good || !a.sets) {
    diagnose_error(program_said(p), here,
                   "literals (`a. not b.`), constraints (`:- not a.`), or "
                   "answer sets as clingo or lpmln prints them",
                   "no observation is found here");
    writer_free(&a.to);
    return;
  }
  if (!is_json(skip_blank(a.source->bytes)) && !has_announcement(a.source->bytes))
    diagnose(program_said(p), blocks ? LPMLN_NOTE : LPMLN_WARNING, here,
             "a statement of an observation ends in a full stop",
             "each line is read as an answer set: atoms that it does not list are false");
  size_t first = p->blocks.n ? p->blocks.n - !blocks : 0;
  program_read_observations(p, add_source(p, &a), blocks);
  for (size_t i = first; i < p->blocks.n; i++)
    p->blocks.at[i].complete = true;
}
