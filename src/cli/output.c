/* output.c - see output.h. */
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

bool write_file(const char *path, const char *bytes, size_t length) {
  size_t n = strlen(path) + 5;
  char *beside = malloc(n);
  if (!beside)
    return false;
  snprintf(beside, n, "%s.new", path);
  FILE *file = fopen(beside, "wb");
  bool good = file && fwrite(bytes, 1, length, file) == length;
  good = file && fclose(file) == 0 && good && rename(beside, path) == 0;
  if (!good)
    remove(beside);
  free(beside);
  return good;
}

lpmln_status cannot_write(const char *path) {
  fprintf(stderr, "lpmln: error: can't write '%s'\n", path);
  return LPMLN_INPUT;
}

/* A word for the shell. */
static void write_word(FILE *to, const char *word) {
  if (*word &&
      !word[strspn(word,
                   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%")]) {
    fputs(word, to);
    return;
  }
  fputc('\'', to);
  for (; *word; word++)
    if (*word == '\'')
      fputs("'\\''", to);
    else
      fputc(*word, to);
  fputc('\'', to);
}

char *command_line(int argc, char **argv) {
  char *line = NULL;
  size_t length;
  FILE *to = open_memstream(&line, &length);
  if (!to)
    return NULL;
  fputs("lpmln", to);
  for (int i = 1; i < argc; i++) {
    fputc(' ', to);
    write_word(to, argv[i]);
  }
  if (fclose(to)) {
    free(line);
    return NULL;
  }
  return line;
}

HtmlRun report_run(lpmln *p, const Settings *s) {
  return (HtmlRun){
      .command = s->command->name, .line = s->line, .seed = s->library.seed, .problem = p};
}

lpmln_status write_report(const Settings *s, char *page, lpmln_status status) {
  bool written = page && write_file(s->report, page, strlen(page));
  free(page);
  return written || status != LPMLN_OK ? status : cannot_write(s->report);
}
