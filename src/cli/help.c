/* help.c - what is said about the options, from their table; see options.h. */
#include "cli/options.h"

#include "base/memory.h"
#include "base/number.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <string.h>

bool option_takes_argument(const Option *o) { return o->type != FLAG; }

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

static void write_option(Text *to, const Option *o) {
  Text left = {0};
  text_puts(&left, "  ");
  if (o->letter)
    text_printf(&left, "-%c, ", o->letter);
  text_printf(&left, "%s--%s%s", o->letter ? "" : "    ", o->name,
              option_takes_argument(o) ? " " : "");
  option_argument(&left, o);
  text_printf(to, "%-30s  ", left.at);
  option_help(to, o);
  text_puts(to, "\n");
  vec_free(&left);
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
  text_printf(to, "lpmln %s: probabilistic answer set programs\n\n", lpmln_version());
  for (size_t i = 0; i < command_count; i++)
    text_printf(to, "  lpmln %-9s %-36s %s\n", commands[i].name, commands[i].usage,
                commands[i].summary);
  text_puts(to, "\n`-` reads standard input. `lpmln COMMAND --help` tells more.\n");
}

void options_help(Text *to, const Command *command) {
  if (command)
    text_printf(to, "lpmln %s %s\n\n%c%s. %s\n", command->name, command->usage,
                toupper((unsigned char)*command->summary), command->summary + 1, command->details);
  else
    write_commands(to);
  text_puts(to, "\nOptions:\n");
  for (size_t i = 0; i < option_count; i++)
    if (!command || (options[i].commands & command->bit))
      write_option(to, &options[i]);
  for (size_t i = 0; i < option_count; i++)
    if (options[i].names && (!command || (options[i].commands & command->bit)))
      write_names(to, &options[i]);
}
