/* complain.c - see complain.h. */
#include "cli/complain.h"

#include "base/plain.h"
#include "lpmln/lpmln.h"
#include "report/json.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char last[1000]; /* of the process, which asks one question */

void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last, sizeof last, format, arguments);
  va_end(arguments);
  Text plain = {0}; /* one line, whatever is in a file's name */
  plain_write(&plain, last, strlen(last), "");
  fprintf(stderr, "lpmln: %.*s\n", (int)plain.n, plain.at);
  vec_free(&plain);
}

void complaint_object(Text *to, const char *command, int code) {
  static const char error[] = "error: "; /* the object has a field for it */
  bool starts = !strncmp(last, error, sizeof error - 1);
  assert(code > 0);
  lpmln_diagnostic d = {.severity = LPMLN_ERROR, .message = last + (starts ? sizeof error - 1 : 0)};
  json_failure(to, command, code, &d, *last != 0);
}
