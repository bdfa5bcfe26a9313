/* help.c - what is said about the options, from their table; see options.h. */
#include "cli/options.h"

#include "base/memory.h"
#include "base/number.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <string.h>

bool option_takes_argument(const Option *o) { return o->type != FLAG && !o->optional; }

const char *option_name_at(const Option *o, size_t i) {
  size_t count = 0;
  if (o->names) {
    const lpmln_choice *names = o->names(&count);
    return i < count ? names[i].name : NULL;
  }
  while (o->choices && o->choices[count].name)
    count++;
  return i < count ? o->choices[i].name : NULL;
}

void option_argument(Text *to, const Option *o) {
  if (o->argument)
    text_puts(to, o->argument);
  else
    option_values(to, o);
}

void option_values(Text *to, const Option *o) {
  const char *name = option_name_at(o, 0);
  text_puts(to, !name && o->argument ? o->argument : "");
  for (size_t i = 0; (name = option_name_at(o, i)); i++)
    text_printf(to, "%s%s", i ? "|" : "", name);
}

void option_wants(Text *to, const Option *o) {
  assert(o->type != FLAG);
  if (o->type != COUNT && o->type != NUMBER) {
    option_values(to, o);
    return;
  }
  text_puts(to, o->type == COUNT ? "a whole number " : "a number ");
  if (o->least > 0 && o->least < 1e-99)
    text_puts(to, "above 0");
  else
    text_printf(to, "from %g", o->least);
  if (o->most < 1000)
    text_printf(to, " to %g", o->most);
}

/* ---- defaults ------------------------------------------------------------------------ */

static uint64_t whole_at(const Option *o, const void *field) {
  uint64_t all = 0;
  uint32_t half = 0;
  bool truth = false;
  void *to = o->size == sizeof all ? (void *)&all : o->size == sizeof half ? &half : (void *)&truth;
  memcpy(to, field, o->size);
  return all + half + truth; /* two of them are 0 */
}

/* What the field is before anything is parsed. */
static void write_default(Text *to, const Option *o) {
  Settings s;
  settings_default(&s);
  const void *field = (const char *)&s + o->field;
  double number;
  if (o->type == NUMBER) {
    memcpy(&number, field, sizeof number);
    number_write(to, number);
  } else if (o->type == COUNT) {
    text_printf(to, "%llu", (unsigned long long)whole_at(o, field));
  } else if (o->type == CHOICE) {
    const Choice *c = o->choices;
    while (c->name && (uint64_t)c->value != whole_at(o, field))
      c++;
    assert(c->name);
    text_puts(to, c->name);
  }
}

void option_help(Text *to, const Option *o) {
  bool said = o->type == NUMBER || o->type == COUNT || o->type == CHOICE;
  text_puts(to, o->help);
  if (!said && !o->otherwise)
    return;
  text_puts(to, o->otherwise && strchr(o->otherwise, ' ') ? " (default: " : " (default ");
  if (o->otherwise)
    text_puts(to, o->otherwise);
  else
    write_default(to, o);
  text_puts(to, ")");
}

/* ---- help ------------------------------------------------------------------------------ */

enum { MARGIN = 28, WIDTH = 90 }; /* columns: where texts begin, where they end */

static size_t columns(const char *text, size_t length) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++)
    n += ((unsigned char)text[i] & 0xc0) != 0x80; /* a byte that begins a character */
  return n;
}

/* Words from `column` on, in further lines below `margin`. */
static void write_words(Text *to, const char *words, size_t column, size_t margin) {
  while (*words) {
    size_t length = strcspn(words, " "), width = columns(words, length);
    if (column > margin && column + 1 + width > WIDTH) {
      text_printf(to, "\n%*s", (int)margin, "");
      column = margin;
    } else if (column > margin) {
      text_puts(to, " ");
      column++;
    }
    text_add(to, words, length);
    column += width;
    words += length + strspn(words + length, " ");
  }
  text_puts(to, "\n");
}

/* What a name means, beside it, or below it if it is long. */
static void write_entry(Text *to, const char *name, const char *meaning, size_t margin) {
  size_t width = columns(name, strlen(name));
  text_puts(to, name);
  if (width + 2 > margin)
    text_puts(to, "\n");
  text_printf(to, "%*s", (int)(width + 2 > margin ? margin : margin - width), "");
  write_words(to, meaning, margin, margin);
}

static void write_option(Text *to, const Option *o) {
  Text left = {0}, right = {0};
  text_puts(&left, "  ");
  if (o->letter)
    text_printf(&left, "-%c, ", o->letter);
  text_printf(&left, "%s--%s%s", o->letter ? "" : "    ", o->name,
              option_takes_argument(o) ? " " : "");
  option_argument(&left, o);
  option_help(&right, o);
  write_entry(to, left.at, right.at, MARGIN);
  vec_free(&left);
  vec_free(&right);
}

/* Names that the library knows, with what it says about them. */
static void write_names(Text *to, const Option *o) {
  size_t count;
  const lpmln_choice *names = o->names(&count);
  text_printf(to, "\n%s of --%s:\n", o->argument, o->name);
  for (size_t i = 0; i < count; i++)
    text_printf(to, "  %-12s  %s\n", names[i].name, names[i].summary);
}

static void write_commands(Text *to) {
  text_printf(to, "lpmln %s: probabilistic answer set programs\n\n  lpmln COMMAND PROGRAM…\n\n",
              lpmln_version());
  for (size_t i = 0; i < command_count; i++)
    text_printf(to, "  %-10s  %s\n", commands[i].name, commands[i].summary);
  text_puts(to, "\n`lpmln COMMAND --help` tells the options of a command.\n"
                "`-` in place of a file reads standard input.\n");
}

static void write_about(Text *to, const Command *command) {
  text_printf(to, "lpmln %s %s\n\n%c%s.", command->name, command->usage,
              toupper((unsigned char)*command->summary), command->summary + 1);
  write_words(to, command->details, columns(command->summary, strlen(command->summary)) + 1, 0);
}

/* Of all commands: what every one of them takes. */
static bool concerns(const Option *o, const Command *command) {
  unsigned all = 0;
  for (size_t i = 0; i < command_count; i++)
    all |= commands[i].bit;
  unsigned wanted = command ? command->bit : all;
  return (o->commands & wanted) == wanted;
}

void options_help(Text *to, const Command *command) {
  if (command)
    write_about(to, command);
  else
    write_commands(to);
  text_puts(to, command ? "\nOptions:\n" : "\nOptions of every command:\n");
  for (size_t i = 0; i < option_count; i++)
    if (concerns(&options[i], command))
      write_option(to, &options[i]);
  for (size_t i = 0; i < option_count; i++)
    if (options[i].names && concerns(&options[i], command))
      write_names(to, &options[i]);
}
