/* display.c - ground atoms of an translated program as its users write them: pairs
** that end in () are lists, strings with quotes inside are quoted atoms, strings
** that are decimals are numbers, and predicates may have another name. */
#include "dialects/problog/problog.h"

#include "base/memory.h"
#include "base/names.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST_NESTED = 500 }; /* deeper terms are copied as they are */

typedef struct {
  const Program *program;
  const char *at;
  Text *out;
  int depth;
} Display;

void problog_rename(Program *p, const char *predicate, const char *text) {
  assert(p->renamed.list.n == p->shown_as.n);
  uint32_t number = names_add(&p->renamed, predicate, strlen(predicate));
  if (number == p->shown_as.n)
    vec_push(&p->shown_as, memory_copy(text, strlen(text)));
}

/* The string at the quote; steps behind it.  Without clingo's escapes it is as it was read, with
** ProbLog's. */
static void show_string(Display *d) {
  assert(*d->at == '"');
  d->at++;
  Text inside = {0};
  text_puts(&inside, "");
  for (; *d->at && *d->at != '"'; d->at++) {
    bool escaped = *d->at == '\\' && d->at[1];
    d->at += escaped;
    text_add(&inside, escaped && *d->at == 'n' ? "\n" : d->at, 1);
  }
  d->at += *d->at == '"';
  double value;
  const char *quote = *inside.at == '\'' || weight_from_text(inside.at, &value) ? "" : "\"";
  text_printf(d->out, "%s%s%s", quote, inside.at, quote);
  vec_free(&inside);
}

static void show_term(Display *d);

/* Behind `(`: terms, and the closing parenthesis. */
static void show_arguments(Display *d) {
  text_puts(d->out, "(");
  while (*d->at && *d->at != ')') {
    show_term(d);
    if (*d->at == ',')
      text_add(d->out, d->at++, 1);
  }
  d->at += *d->at == ')';
  text_puts(d->out, ")");
}

/* Behind the `(` of a pair: a loop, for lists are long. */
static void show_list(Display *d) {
  size_t open = 1;
  text_puts(d->out, "[");
  for (bool more = *d->at != ')'; more;) {
    show_term(d);
    bool pair = d->at[0] == ',' && d->at[1] == '(', end = pair && d->at[2] == ')';
    more = pair && !end;
    if (more) {
      text_puts(d->out, ", ");
      d->at += 2, open++;
    } else if (end) {
      d->at += 3;
    } else if (*d->at == ',') {
      text_puts(d->out, " | ");
      d->at++;
      show_term(d);
    }
  }
  text_puts(d->out, "]");
  for (; open && *d->at == ')'; open--)
    d->at++;
}

/* Anything else up to the next separator: a name, a number. */
static void show_word(Display *d) {
  const char *from = d->at;
  while (*d->at && !strchr("(),\"", *d->at))
    d->at++;
  text_add(d->out, from, (size_t)(d->at - from));
}

static void show_term(Display *d) {
  if (++d->depth > MOST_NESTED) {
    text_puts(d->out, d->at);
    d->at += strlen(d->at);
  } else if (*d->at == '"') {
    show_string(d);
  } else if (*d->at == '(') {
    d->at++;
    show_list(d);
  } else {
    show_word(d);
    if (*d->at == '(') {
      d->at++;
      show_arguments(d);
    }
  }
  d->depth--;
}

void problog_display(const Program *p, const char *atom, Text *out) {
  Display d = {p, atom, out, 0};
  if (!strncmp(atom, "not ", 4)) {
    text_puts(out, "\\+");
    d.at += 4;
  }
  size_t n = strcspn(d.at, "(");
  uint32_t renamed = names_find(&p->renamed, d.at, n);
  if (renamed != UINT32_MAX) {
    text_puts(out, p->shown_as.at[renamed]);
    d.at += n;
    if (*d.at == '(') {
      d.at++;
      show_arguments(&d);
    }
  } else {
    show_term(&d);
  }
  text_puts(out, d.at); /* of a conjunction */
}
