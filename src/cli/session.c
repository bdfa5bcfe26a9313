/* session.c - see session.h. */
#include "cli/session.h"

#include "report/print.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ---- interrupts ------------------------------------------------------------------- */

static lpmln_program *running; /* for the signal handler, which knows nothing else */

static void on_interrupt(int signal) {
  (void)signal;
  lpmln_program_interrupt(running);
}

static void catch_interrupts(lpmln_program *program) {
  struct sigaction action = {.sa_handler = on_interrupt};
  assert(program && !running);
  running = program;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/* Before the program is freed: from now on a signal ends the process. */
static void leave_interrupts(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  running = NULL;
}

/* ---- inputs ----------------------------------------------------------------------- */

static lpmln_status add_files(lpmln_program *p, lpmln_role role, const Words *files) {
  lpmln_status status = LPMLN_OK;
  for (size_t i = 0; status == LPMLN_OK && i < files->n; i++)
    status = lpmln_program_add_file(p, role, files->at[i]);
  return status;
}

/* A table of tests is told by its name. */
static lpmln_status add_tests(lpmln_program *p, const Words *files) {
  lpmln_status status = LPMLN_OK;
  for (size_t i = 0; status == LPMLN_OK && i < files->n; i++) {
    const char *dot = strrchr(files->at[i], '.');
    bool table = dot && dot != files->at[i] && !strcmp(dot, ".csv");
    status = lpmln_program_add_file(p, table ? LPMLN_TEST_DATA : LPMLN_TEST, files->at[i]);
  }
  return status;
}

static lpmln_status add_inputs(lpmln_program *p, const Settings *s) {
  lpmln_status status = add_files(p, LPMLN_PROGRAM, &s->programs);
  if (status == LPMLN_OK)
    status = add_files(p, LPMLN_EVIDENCE, &s->evidence);
  if (status == LPMLN_OK)
    status = add_files(p, LPMLN_DATA, &s->data);
  if (status == LPMLN_OK)
    status = add_tests(p, &s->tests);
  for (size_t i = 0; status == LPMLN_OK && i < s->weights.n; i++)
    status = lpmln_program_set_weight(p, s->weights.at[i].name, s->weights.at[i].value);
  for (size_t i = 0; status == LPMLN_OK && i < s->queries.n; i++)
    status = lpmln_program_add_query(p, s->queries.at[i]);
  for (size_t i = 0; status == LPMLN_OK && i < s->constants.n; i++)
    status = lpmln_program_define(p, s->constants.at[i].name, s->constants.at[i].value);
  return status;
}

/* ---- sessions --------------------------------------------------------------------- */

lpmln_status session_open(Session *s, const Settings *settings) {
  assert(settings->command && settings->programs.n);
  *s = (Session){.settings = settings, .program = lpmln_program_new(&settings->library)};
  if (!s->program)
    memory_fail();
  catch_interrupts(s->program);
  lpmln_status status = add_inputs(s->program, settings);
  if (status == LPMLN_OK)
    progress_begin(&s->progress, s->program, settings->quiet, settings->verbose);
  return status;
}

bool session_answered(Session *s, const lpmln_answer *about) {
  assert(about && (about->diagnostics || !about->diagnostic_count));
  progress_end(&s->progress);
  for (size_t i = 0; i < about->diagnostic_count; i++)
    if (!s->settings->quiet || about->diagnostics[i].severity == LPMLN_ERROR)
      print_diagnostic(stderr, &about->diagnostics[i]);
  return about->method != LPMLN_AUTO;
}

int session_close(Session *s, lpmln_status status) {
  progress_end(&s->progress); /* if the question was not asked */
  if (s->out.n)
    fwrite(s->out.at, 1, s->out.n, stdout);
  if (status == LPMLN_INTERRUPTED)
    fputs("lpmln: interrupted\n", stderr);
  leave_interrupts();
  lpmln_program_free(s->program);
  vec_free(&s->out);
  if (fflush(stdout) || ferror(stdout)) {
    fputs("lpmln: can't write the answer\n", stderr);
    return LPMLN_LIMIT;
  }
  return (int)status;
}
