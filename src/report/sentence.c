/* sentence.c - see sentence.h. */
#include "report/sentence.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static const char NAME[] = "abcdefghijklmnopqrstuvwxyz_";

/* Fields that the command line calls otherwise. */
static const struct {
  const char *field, *option;
} renamed[] = {
    {"evidence", "-e"},
    {"query", "-q"},
    {"dialect", "--from"},
    {"target", "--to"},
    {"markov", "--dialect"},
    {"noise", "--noisy"},
    {"block_moves", "--blocks"},
    {"bounded", "--bounds"},
    {"observables", "--observable"},
    {"violable", "--hard-rules violable"},
};

static void write_option(Text *to, const char *field, size_t length) {
  assert(length && strspn(field, NAME) >= length);
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
    if (strlen(renamed[i].field) == length && !strncmp(renamed[i].field, field, length)) {
      text_puts(to, renamed[i].option);
      return;
    }
  text_puts(to, "--");
  for (size_t i = 0; i < length; i++)
    text_add(to, field[i] == '_' ? "-" : field + i, 1);
}

void sentence_write(Text *to, const char *sentence) {
  static const char word[] = "option ";
  const char *rest = sentence, *found = sentence;
  assert(sentence);
  while ((found = strstr(found, word))) {
    const char *field = found + strlen(word);
    size_t length = strspn(field, NAME);
    bool inside = found > sentence && isalnum((unsigned char)found[-1]); /* of a longer word */
    if (inside || !length) {
      found = field;
      continue;
    }
    text_add(to, rest, (size_t)(found - rest));
    write_option(to, field, length);
    rest = field + length;
    if (*rest == '=') {
      size_t value = strcspn(++rest, " \t\n;:)");
      text_puts(to, " ");
      text_add(to, rest, value);
      rest += value;
    }
    found = rest;
  }
  text_puts(to, rest);
}
