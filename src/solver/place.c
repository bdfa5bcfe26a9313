/* place.c - see place.h. */
#include "solver/place.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#ifndef LPMLN_LIBEXEC /* the Makefile says it, of this file alone */
#define LPMLN_LIBEXEC "/usr/local/libexec/lpmln"
#endif

static bool runnable(const char *path) { return access(path, X_OK) == 0; }

/* The worker in the folder of a file, or where `make install` puts it from there;
** NULL if it is in neither. */
static char *worker_near(const char *file) {
  static const char *const places[] = {"lpmln-worker", "../libexec/lpmln/lpmln-worker"};
  const char *slash = strrchr(file, '/');
  for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
    Text path = {0};
    text_printf(&path, "%.*s%s", (int)(slash + 1 - file), file, places[i]);
    if (runnable(path.at))
      return text_take(&path);
    vec_free(&path);
  }
  return NULL;
}

/* Near the running program, near this library, or where it was to be installed. */
char *worker_place(const char *wanted) {
  static const char installed[] = LPMLN_LIBEXEC "/lpmln-worker";
  char self[4096], *found = NULL;
  Dl_info here;
  if (wanted)
    return memory_copy(wanted, strlen(wanted));
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n > 0) {
    self[n] = 0;
    found = worker_near(self);
  }
  if (!found && dladdr(installed, &here) && here.dli_fname)
    found = worker_near(here.dli_fname);
  return found ? found : memory_copy(installed, sizeof installed - 1);
}
