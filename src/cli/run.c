/* run.c - see run.h. */
#include "cli/run.h"

#include "base/memory.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/session.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whatever else is wrong with the options. */
static bool wants_json(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--format=json") ||
        (i + 1 < argc && !strcmp(argv[i], "--format") && !strcmp(argv[i + 1], "json")))
      return true;
  return false;
}

static void print_usage(const Settings *settings) {
  Text text = {0};
  complaint_object(&text, settings->command ? settings->command->name : NULL, LPMLN_USAGE);
  fputs(text.at, stdout);
  vec_free(&text);
}

int run(int argc, char **argv, const lpmln_ranks *ranks) {
  Settings settings;
  int code = options_parse(argc, argv, &settings);
  if (code < 0 && outputs_refuse(&settings) != LPMLN_OK)
    code = LPMLN_USAGE;
  if (code == LPMLN_USAGE && wants_json(argc, argv))
    print_usage(&settings);
  if (code < 0) {
    Session session;
    assert(settings.command && settings.command->ask);
    lpmln_status status = session_open(&session, &settings);
    if (ranks)
      (void)lpmln_program_share(session.program, ranks);
    if (status == LPMLN_OK)
      status = settings.command->ask(&session);
    code = session_close(&session, status);
  }
  settings_free(&settings);
  return code;
}

/* A lost allocation ends the process, which frees everything.  Nothing more is allocated here. */
static int out_of_memory(int argc, char **argv) {
  static const char object[] =
      "{\n \"lpmln\": \"%s\",\n \"command\": \"%s\",\n \"error\": true,\n \"exit_code\": %d,\n"
      " \"diagnostics\": [\n  {\n   \"severity\": \"error\",\n   \"file\": null,\n   \"line\": "
      "null,\n"
      "   \"column\": null,\n   \"length\": null,\n   \"message\": \"memory is out\",\n"
      "   \"hint\": null\n  }\n ]\n}\n";
  const Command *command = argc > 1 ? command_find(argv[1]) : NULL;
  fputs("lpmln: error: memory is out\n", stderr);
  if (wants_json(argc, argv))
    printf(object, lpmln_version(), command ? command->name : "", LPMLN_LIMIT);
  return LPMLN_LIMIT;
}

int run_guarded(int argc, char **argv, const lpmln_ranks *ranks) {
  MemoryGuard guard;
  int code = memory_guard(&guard) ? out_of_memory(argc, argv) : run(argc, argv, ranks);
  memory_unguard(&guard);
  assert(code >= 0);
  return code;
}
