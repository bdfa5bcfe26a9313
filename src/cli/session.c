/* session.c - see session.h. */
#include "cli/session.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/sanitized.h"
#include "base/source.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "report/json.h"
#include "report/print.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- interrupts ------------------------------------------------------------------- */

static const Session *running; /* for the signal handler, which knows nothing else */
static lpmln_program *beside;  /* a further question, for the report; NULL: none */

static void on_interrupt(int signal) {
  (void)signal;
  lpmln_program_interrupt(running->program);
  for (size_t i = 0; i < running->others.n; i++)
    lpmln_program_interrupt(running->others.at[i]);
  lpmln_program_interrupt(beside);
}

/* Its programs are all there.  A second signal ends the process, whatever it does. */
static void catch_interrupts(const Session *s) {
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
  assert(s->program && !running);
  running = s;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

void session_interrupts(lpmln_program *program) {
  assert(running);
  beside = program;
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
    bool table = source_names_table(files->at[i]);
    status = lpmln_program_add_file(p, table ? LPMLN_TEST_DATA : LPMLN_TEST, files->at[i]);
  }
  return status;
}

/* What is not a file. */
static lpmln_status add_questions(lpmln_program *p, const Settings *s) {
  lpmln_status status = LPMLN_OK;
  for (size_t i = 0; status == LPMLN_OK && i < s->weights.n; i++)
    status = lpmln_program_set_weight(p, s->weights.at[i].name, s->weights.at[i].value);
  for (size_t i = 0; status == LPMLN_OK && i < s->queries.n; i++)
    status = lpmln_program_add_query(p, s->queries.at[i]);
  for (size_t i = 0; status == LPMLN_OK && i < s->interventions.n; i++)
    status = lpmln_program_do(p, s->interventions.at[i]);
  for (size_t i = 0; status == LPMLN_OK && i < s->constants.n; i++)
    status = lpmln_program_define(p, s->constants.at[i].name, s->constants.at[i].value);
  return status;
}

/* `program`: one of the programs; NULL: all of them, which are one. */
static lpmln_status add_inputs(lpmln_program *p, const Settings *s, const char *program) {
  lpmln_status status = program ? lpmln_program_add_file(p, LPMLN_PROGRAM, program)
                                : add_files(p, LPMLN_PROGRAM, &s->programs);
  if (status == LPMLN_OK)
    status = add_files(p, LPMLN_EVIDENCE, &s->evidence);
  if (status == LPMLN_OK)
    status = add_files(p, LPMLN_DATA, &s->data);
  if (status == LPMLN_OK)
    status = add_tests(p, &s->tests);
  return status == LPMLN_OK ? add_questions(p, s) : status;
}

/* ---- sessions --------------------------------------------------------------------- */

void session_limit_memory(size_t mebibytes) {
#ifdef SANITIZED
  (void)mebibytes;
#else
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) || mebibytes >= RLIM_INFINITY >> 20)
    return;
  rlim_t bytes = (rlim_t)mebibytes << 20;
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes) {
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_DATA, &limit);
  }
#endif
}

/* Each file is a program of its own. */
static lpmln_status add_each(Session *s) {
  const Settings *wanted = s->settings;
  lpmln_status status = add_inputs(s->program, wanted, wanted->programs.at[0]);
  for (size_t i = 0; status == LPMLN_OK && i < s->others.n; i++)
    status = add_inputs(s->others.at[i], wanted, wanted->programs.at[i + 1]);
  return status;
}

static void make_programs(Session *s, bool several) {
  s->program = lpmln_program_new(&s->settings->library);
  bool made = s->program;
  vec_reserve(&s->others, s->settings->programs.n);
  for (size_t i = 1; several && made && i < s->settings->programs.n; i++) {
    lpmln_program *other = lpmln_program_new(&s->settings->library);
    vec_push(&s->others, other);
    made = other;
  }
  if (!made)
    memory_fail();
}

/* There is no evidence whose world could be closed. */
static void warn_of_world(const Settings *s) {
  static const lpmln_diagnostic said = {.severity = LPMLN_WARNING,
                                        .message = "nothing is closed: there is no evidence",
                                        .hint = "give it with -e FILE; it may be empty"};
  if (s->library.closed_world && !s->evidence.n && !s->data.n && !s->quiet)
    print_diagnostic(stderr, &said);
}

lpmln_status session_open(Session *s, const Settings *settings) {
  assert(settings->command && settings->programs.n);
  *s = (Session){.settings = settings, .began = clock_now()};
  bool several = settings->command->bit == C_COMPARE;
  warn_of_world(settings);
  make_programs(s, several);
  session_limit_memory(settings->library.memory_limit);
  catch_interrupts(s);
  lpmln_status status = several ? add_each(s) : add_inputs(s->program, settings, NULL);
  if (status == LPMLN_LIMIT)
    memory_fail();
  if (status == LPMLN_OK)
    progress_begin(&s->progress, s->program, settings->quiet, settings->verbose);
  return status;
}

/* ---- without the evidence ---------------------------------------------------------- */

/* Standard input was read, and can't be again. */
static lpmln_status add_again(lpmln_program *p, const Session *s, const lpmln_sources *read) {
  const Words *files = &s->settings->programs;
  lpmln_status status = LPMLN_OK;
  for (size_t i = 0; status == LPMLN_OK && i < files->n; i++) {
    const lpmln_text *text = NULL;
    for (size_t k = 0; k < read->text_count && !strcmp(files->at[i], "-"); k++)
      if (read->texts[k].role == LPMLN_PROGRAM && !strcmp(read->texts[k].name, "<stdin>"))
        text = &read->texts[k];
    status = text ? lpmln_program_add_text(p, LPMLN_PROGRAM, text->name, text->bytes, text->length)
                  : lpmln_program_add_file(p, LPMLN_PROGRAM, files->at[i]);
  }
  return status;
}

static const lpmln_inference *infer_again(const Session *s, const lpmln_sources *read,
                                          double seconds) {
  lpmln_options library = s->settings->library;
  library.time_limit = seconds;
  library.counts = library.sensitivity = library.next = false;
  lpmln_program *p = lpmln_program_new(&library);
  lpmln_status status = p ? add_again(p, s, read) : LPMLN_LIMIT;
  if (status == LPMLN_OK)
    status = add_questions(p, s->settings);
  session_interrupts(p);
  const lpmln_inference *a = status == LPMLN_OK ? lpmln_infer(p) : NULL;
  session_interrupts(NULL);
  lpmln_program_free(p);
  return a;
}

double session_seconds(const Session *s) {
  double taken = clock_now() - s->began, limit = s->settings->library.time_limit;
  double seconds = fmax(2 * taken, 2);
  return limit > 0 ? fmin(seconds, limit - taken) : seconds;
}

const lpmln_inference *session_before(Session *s, const lpmln_sources *read) {
  double seconds = session_seconds(s);
  if (!s->settings->evidence.n || seconds < 0.01)
    return NULL;
  const lpmln_inference *a = infer_again(s, read, seconds);
  bool good = a && a->about.status == LPMLN_OK && a->about.complete;
  if (!good)
    lpmln_answer_free(a);
  return good ? a : NULL;
}

/* ---- answers ----------------------------------------------------------------------- */

bool session_answered(Session *s, const lpmln_answer *about) {
  assert(about && (about->diagnostics || !about->diagnostic_count));
  progress_end(&s->progress);
  for (size_t i = 0; i < about->diagnostic_count; i++)
    if (!s->settings->quiet || about->diagnostics[i].severity == LPMLN_ERROR)
      print_diagnostic(stderr, &about->diagnostics[i]);
  bool answered = about->method != LPMLN_AUTO;
  s->failed = !answered && about->status != LPMLN_OK;
  if (s->failed && s->settings->format == FORMAT_JSON)
    json_failure(&s->out, s->settings->command->name, (int)about->status, about->diagnostics,
                 about->diagnostic_count);
  return answered;
}

/* Text for people has no control characters; what programs read has, but on a terminal. */
static void print_answer(const Session *s) {
  const Settings *wanted = s->settings;
  bool table = wanted->data.n && wanted->command->bit & C_INFER;
  bool people = wanted->format == FORMAT_TEXT && !table && !(wanted->command->bit & C_TRANSLATE);
  Text plain = {0};
  if (people || (wanted->format == FORMAT_TEXT && isatty(STDOUT_FILENO)))
    plain_write(&plain, s->out.at, s->out.n, "\n");
  const Text *text = plain.n ? &plain : &s->out;
  fwrite(text->at, 1, text->n, stdout);
  vec_free(&plain);
}

/* False: it says so, and what is aside is lost. */
static bool put_aside(Session *s) {
  if (!s->passed_on)
    s->aside = file_unnamed();
  bool good = s->aside >= 0 && file_append(s->aside, s->out.at, s->out.n);
  if (good)
    return true;
  complain("error: can't put the answer aside: %s", strerror(errno));
  if (s->aside >= 0)
    close(s->aside);
  s->aside = -1;
  return false;
}

bool session_pass_on(Session *s) {
  progress_end(&s->progress);
  if (!s->settings->output)
    print_answer(s);
  bool good = s->settings->output ? put_aside(s) : !ferror(stdout);
  s->passed_on = true, s->out.n = 0;
  return good;
}

/* What is aside, and the rest. */
static lpmln_status write_aside(Session *s) {
  struct stat file;
  if (s->aside < 0 || !put_aside(s) || fstat(s->aside, &file))
    return LPMLN_INPUT;
  size_t length = (size_t)file.st_size;
  void *all = mmap(NULL, length, PROT_READ, MAP_SHARED, s->aside, 0);
  if (all == MAP_FAILED)
    memory_fail();
  lpmln_status status = write_file(s, s->settings->output, all, length);
  munmap(all, length);
  close(s->aside);
  return status;
}

/* In place of an answer, if that was to be JSON. */
static void print_complaint(Session *s, lpmln_status status) {
  if (s->settings->format != FORMAT_JSON)
    return;
  s->out.n = 0;
  complaint_object(&s->out, s->settings->command->name, (int)status);
  print_answer(s);
}

/* learn and compile have another use for the file, and a failure leaves it as it is. */
static lpmln_status write_answer(Session *s, lpmln_status status) {
  const char *file = s->settings->output;
  if (file && s->passed_on) {
    lpmln_status written = s->failed && s->aside >= 0 ? LPMLN_OK : write_aside(s);
    return written == LPMLN_OK ? status : written;
  }
  if (!file || s->failed || s->settings->command->bit & (C_LEARN | C_COMPILE | C_INDUCE)) {
    print_answer(s);
  } else if (write_file(s, file, s->out.at, s->out.n) != LPMLN_OK) {
    print_complaint(s, LPMLN_INPUT);
    return LPMLN_INPUT;
  }
  return status;
}

int session_close(Session *s, lpmln_status status) {
  progress_end(&s->progress); /* if the question was not asked */
  if (s->out.n)
    status = write_answer(s, status);
  else if (status != LPMLN_OK)
    print_complaint(s, status);
  if (status == LPMLN_INTERRUPTED && !ferror(stdout))
    fputs("lpmln: interrupted\n", stderr);
  leave_interrupts();
  lpmln_program_free(s->program);
  for (size_t i = 0; i < s->others.n; i++)
    lpmln_program_free(s->others.at[i]);
  vec_free(&s->others);
  vec_free(&s->out);
  if (fflush(stdout) || ferror(stdout)) {
    fputs("lpmln: can't write the answer\n", stderr);
    return LPMLN_LIMIT;
  }
  return (int)status;
}
