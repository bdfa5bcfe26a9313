/* comma.h - a locale of our own, with a decimal comma and with dots between thousands. */
#ifndef TESTS_COMMA_H
#define TESTS_COMMA_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* True: LC_NUMERIC is that locale from now on. */
static bool comma_begin(void) {
  static const char source[] = "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                               "thousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
  char folder[] = "/tmp/lpmln-locale-XXXXXX", path[256], command[1024];
  if (!mkdtemp(folder))
    return false;
  snprintf(path, sizeof path, "%s/source", folder);
  FILE *file = fopen(path, "w");
  if (!file)
    return false;
  fputs(source, file);
  fclose(file);
  snprintf(command, sizeof command,
           "localedef --no-archive -c -f ANSI_X3.4-1968 -i %s %s/xx_XX >%s/log 2>&1", path, folder,
           folder);
  (void)!system(command); /* it warns, and says so with its code */
  setenv("LOCPATH", folder, 1);
  bool made = setlocale(LC_NUMERIC, "xx_XX") != NULL;
  snprintf(command, sizeof command, "rm -rf %s", folder);
  (void)!system(command);
  return made;
}

#endif
