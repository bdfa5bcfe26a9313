/* main.c - the lpmln program: a client of the library that reads options, asks one
** question, prints messages and the answer. */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stdio.h>

static int run(int argc, char **argv) {
  Settings settings;
  int code = options_parse(argc, argv, &settings);
  if (code < 0) {
    Session session;
    assert(settings.command && settings.command->ask);
    lpmln_status status = session_open(&session, &settings);
    if (status == LPMLN_OK)
      status = settings.command->ask(&session);
    code = session_close(&session, status);
  }
  settings_free(&settings);
  return code;
}

/* A lost allocation ends the process, which frees everything. */
static int out_of_memory(void) {
  fputs("lpmln: error: memory is out\n", stderr);
  return LPMLN_LIMIT;
}

int main(int argc, char **argv) {
  MemoryGuard guard;
  int code = memory_guard(&guard) ? out_of_memory() : run(argc, argv);
  memory_unguard(&guard);
  assert(code >= 0);
  return code;
}
