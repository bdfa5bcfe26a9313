/* output.c - see output.h. */
#include "cli/output.h"

#include "base/file.h"
#include "base/memory.h"
#include "cli/complain.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Standard input and output as files, if they are; a terminal or a pipe may be both. */
static bool is_stream(int stream, const struct stat *file) {
  struct stat other;
  return !fstat(stream, &other) && S_ISREG(other.st_mode) && other.st_dev == file->st_dev &&
         other.st_ino == file->st_ino;
}

static const char *input_at(const Words *files, const char *path) {
  for (size_t i = 0; i < files->n; i++)
    if (file_same(files->at[i], path))
      return files->at[i];
  return NULL;
}

/* What the question reads or prints to and writing to `path` would destroy; NULL: nothing. */
static const char *destroys(const Settings *s, const char *path) {
  const Words *const inputs[] = {&s->programs, &s->evidence, &s->data, &s->tests};
  const char *const others[] = {s->candidates, s->elsewhere};
  struct stat file;
  if (stat(path, &file) || !S_ISREG(file.st_mode))
    return NULL;
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
    if (input_at(inputs[i], path))
      return input_at(inputs[i], path);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i] && file_same(others[i], path))
      return others[i];
  return is_stream(STDIN_FILENO, &file)    ? "standard input"
         : is_stream(STDOUT_FILENO, &file) ? "standard output"
                                           : NULL;
}

static bool same_output(const char *a, const char *b) { return !strcmp(a, b) || file_same(a, b); }

lpmln_status outputs_refuse(const Settings *s) {
  const char *const outputs[] = {s->output, s->data_output, s->report, s->history,
                                 s->learning.checkpoint};
  enum { OUTPUTS = sizeof outputs / sizeof *outputs };
  for (size_t i = 0; i < OUTPUTS; i++) {
    if (outputs[i] && !strcmp(outputs[i], "-"))
      return usage_error("'-' is standard input; a file of that name is './-'");
    const char *lost = outputs[i] ? destroys(s, outputs[i]) : NULL;
    if (lost)
      return usage_error("writing to '%s' would destroy %s", outputs[i],
                         strcmp(lost, outputs[i]) != 0 ? lost : "it, and it is read");
    for (size_t k = 0; outputs[i] && k < i; k++)
      if (outputs[k] && same_output(outputs[i], outputs[k]))
        return usage_error("two answers can't both go to '%s'", outputs[i]);
  }
  return LPMLN_OK;
}

/* An #included file is known when the question was answered. */
static bool is_included(const Session *s, const char *path) {
  const lpmln_sources *all = lpmln_program_sources(s->program);
  bool found = false;
  for (size_t i = 0; !found && i < all->text_count; i++)
    found = file_same(all->texts[i].name, path);
  lpmln_answer_free(all);
  return found;
}

lpmln_status write_file(const Session *s, const char *path, const char *bytes, size_t length) {
  assert(path && (bytes || !length));
  if (destroys(s->settings, path) || (file_same(path, path) && is_included(s, path))) {
    complain("error: '%s' is read, so it is not written to", path);
    return LPMLN_INPUT;
  }
  return file_replace(path, bytes, length) ? LPMLN_OK : cannot_write(path);
}

lpmln_status cannot_write(const char *path) {
  complain("error: can't write '%s': %s", path, strerror(errno));
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

bool read_file(const char *path, Text *to) {
  FILE *file = fopen(path, "r");
  char room[4096];
  size_t n = 0;
  text_puts(to, "");
  while (file && (n = fread(room, 1, sizeof room, file)) > 0)
    text_add(to, room, n);
  bool good = file && !ferror(file) && strlen(to->at) == to->n;
  if (!good)
    complain("error: can't read '%s': %s", path,
             file && !ferror(file) ? "it is no text" : strerror(errno));
  if (file)
    fclose(file);
  return good;
}
