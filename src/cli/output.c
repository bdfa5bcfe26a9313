/* output.c - see output.h. */
#include "cli/output.h"

#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

bool write_file(const char *path, const char *bytes, size_t length) {
  assert(path && (bytes || !length));
  Text beside = {0};
  text_printf(&beside, "%s.new", path);
  FILE *file = fopen(beside.at, "wb");
  bool good = file && fwrite(bytes, 1, length, file) == length;
  good = file && fclose(file) == 0 && good && rename(beside.at, path) == 0;
  if (!good)
    remove(beside.at);
  vec_free(&beside);
  return good;
}

lpmln_status cannot_write(const char *path) {
  fprintf(stderr, "lpmln: error: can't write '%s'\n", path);
  return LPMLN_INPUT;
}

/* A word for the shell. */
static void write_word(Text *to, const char *word) {
  static const char harmless[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (*word && !word[strspn(word, harmless)]) {
    text_puts(to, word);
    return;
  }
  text_puts(to, "'");
  for (; *word; word++)
    if (*word == '\'')
      text_puts(to, "'\\''");
    else
      text_add(to, word, 1);
  text_puts(to, "'");
}

char *command_line(int argc, char **argv) {
  Text line = {0};
  text_puts(&line, "lpmln");
  for (int i = 1; i < argc; i++) {
    assert(argv[i]);
    text_puts(&line, " ");
    write_word(&line, argv[i]);
  }
  return text_take(&line);
}
