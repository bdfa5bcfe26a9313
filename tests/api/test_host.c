/* test_host.c - the library in a process that has its own ways: forks, closed standard
** descriptors, children that are reaped or ignored, a locale with a decimal comma. */
#include "api.h"

#include "../comma.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a child no assertion may fail loudly: its exit code tells. */
static bool bird_right(lpmln_program *p) {
  const lpmln_inference *x = lpmln_infer(p);
  double z = 1 + M_E + M_E * M_E;
  bool right = x->about.status == LPMLN_OK && x->count == 3 &&
               fabs(probability(x, "residentBird(jo)") - M_E * M_E / z) < 1e-12;
  lpmln_answer_free(x);
  return right;
}

static void expect_child(pid_t child) {
  int status = -1;
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

/* ---- forks ------------------------------------------------------------------------------- */

/* The child's program has an atom more, of its own. */
static int ask_in_child(lpmln_program *p, int number) {
  char text[32], atom[32];
  snprintf(text, sizeof text, "1 own(%d).", number);
  snprintf(atom, sizeof atom, "own(%d)", number);
  bool good = lpmln_program_add_text(p, LPMLN_PROGRAM, "own", text, strlen(text)) == LPMLN_OK;
  for (int i = 0; good && i < 5; i++) {
    const lpmln_inference *x = lpmln_infer(p);
    good = x->about.status == LPMLN_OK && x->count >= 4 &&
           fabs(probability(x, atom) - 1 / (1 + exp(-1))) < 1e-12;
    lpmln_answer_free(x);
    good = good && lpmln_program_add_query(p, atom) == LPMLN_OK &&
           lpmln_program_add_query(p, "bird/1") == LPMLN_OK &&
           lpmln_program_add_query(p, "residentBird/1") == LPMLN_OK &&
           lpmln_program_add_query(p, "migratoryBird/1") == LPMLN_OK;
  }
  lpmln_program_free(p);
  return good ? 0 : 1;
}

static void forks(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  pid_t children[4];
  assert_true(bird_right(p)); /* the worker runs */
  for (int i = 0; i < 4; i++) {
    children[i] = fork();
    if (!children[i])
      _exit(ask_in_child(p, i));
  }
  for (int i = 0; i < 20; i++) {
    assert_int_equal(lpmln_program_add_text(p, LPMLN_PROGRAM, "more", "fact.", 5), LPMLN_OK);
    assert_true(bird_right(p)); /* grounds again, with the worker it has */
  }
  for (int i = 0; i < 4; i++)
    expect_child(children[i]);
  assert_true(bird_right(p));
  lpmln_program_free(p);
}

/* ---- descriptors --------------------------------------------------------------------------- */

static bool all_closed(void) {
  for (int i = 0; i < 3; i++)
    if (fcntl(i, F_GETFD) != -1)
      return false;
  return true;
}

/* A host that prints although nobody hears: into none of our files. */
static bool print_to_nowhere(void *data, const lpmln_iteration *now) {
  (void)now;
  bool *good = data;
  *good = *good && write(1, "hello\n", 6) < 0 && errno == EBADF && write(2, "hello\n", 6) < 0;
  return true;
}

static int ask_without_descriptors(const char *checkpoint) {
  for (int i = 0; i < 3; i++)
    close(i);
  bool good = true;
  lpmln_program *p = program_of(bird);
  good = good && bird_right(p) && all_closed() && bird_right(p);
  lpmln_program_free(p);
  lpmln_options o = options();
  p = program_with(&o, "@w(1) a. @w(2) b :- a. c :- b.",
                   "a. not b.\n---\nnot a.\n---\nb.\n---\na.\n");
  lpmln_learning_options how = lpmln_learning_options_default();
  how.checkpoint = checkpoint, how.optimizer = LPMLN_LBFGS;
  how.progress = print_to_nowhere, how.progress_data = &good;
  for (int i = 0; i < 2; i++) {
    how.resume = i;
    const lpmln_learning *l = lpmln_learn(p, &how);
    good = good && l->about.status == LPMLN_OK && l->converged && !i == !l->replayed;
    lpmln_answer_free(l);
  }
  lpmln_program_free(p);
  return good && all_closed() ? 0 : 1;
}

static void descriptors(void **state) {
  (void)state;
  char folder[] = "/tmp/lpmln-host-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/c", folder);
  pid_t child = fork();
  if (!child)
    _exit(ask_without_descriptors(path));
  expect_child(child);
  remove(path);
  remove(folder);
}

/* ---- children ----------------------------------------------------------------------------- */

static void reap_all(int signal) {
  (void)signal;
  int before = errno;
  while (waitpid(-1, NULL, WNOHANG) > 0)
    ;
  errno = before;
}

static void expect_memory_limit(void) {
  lpmln_options o = options();
  o.memory_limit = 128, o.time_limit = 60;
  lpmln_program *p = program_with(&o, "p(1..3000). q(X,Y,Z) :- p(X), p(Y), p(Z).", NULL);
  const lpmln_inference *x = lpmln_infer(p);
  assert_int_equal(x->about.status, LPMLN_LIMIT);
  assert_non_null(strstr(x->about.messages, "memory limit"));
  lpmln_answer_free(x);
  lpmln_program_free(p);
}

static void children(void **state) {
  (void)state;
  static void (*const handlers[])(int) = {SIG_DFL, SIG_IGN, reap_all};
  for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
    struct sigaction action = {.sa_handler = handlers[i], .sa_flags = SA_RESTART}, before;
    sigaction(SIGCHLD, &action, &before);
    lpmln_program *p = program_of(bird);
    assert_true(bird_right(p));
    expect_memory_limit();
    const lpmln_samples *s = lpmln_draw_uniform(p, 3); /* a worker of its own, started and ended */
    assert_int_equal(s->about.status, LPMLN_OK);
    lpmln_answer_free(s);
    lpmln_program_free(p);
    sigaction(SIGCHLD, &before, NULL);
  }
}

/* Children of the host's are the host's to wait for. */
static void others_children(void **state) {
  (void)state;
  pid_t child = fork();
  if (!child)
    _exit(7);
  lpmln_program *p = program_of(bird);
  assert_true(bird_right(p));
  lpmln_program_free(p);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(WEXITSTATUS(status), 7);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* and of ours none is left */
  assert_int_equal(errno, ECHILD);
}

/* ---- the decimal comma ------------------------------------------------------------------------
 */

typedef struct {
  const char *dialect, *text, *atom;
} Input;

static const Input inputs[] = {
    {"lpmln", "0.25 a. @log(1.5) b :- a. 2.5e-1 c.", "b"},
    {"problog", "0.3::a. 0.25::b :- a. query(b).", "b"},
    {"mln", "P(x)\nQ(x)\n1.5 P(A)\n-0.25 P(x) => Q(x)\n", "Q(\"A\")"},
    {"plingo", "a :- &problog(\"0.3\"). b :- a, &weight(\"1.25\").", "b"},
};
enum { INPUTS = sizeof inputs / sizeof *inputs };

static lpmln_program *input_program(const Input *input) {
  lpmln_options o = options();
  o.dialect = input->dialect;
  return program_with(&o, input->text, NULL);
}

static double ask_input(const Input *input) {
  lpmln_program *p = input_program(input);
  const lpmln_inference *x = lpmln_infer(p);
  if (x->about.status != LPMLN_OK)
    fputs(x->about.messages, stderr);
  assert_int_equal(x->about.status, LPMLN_OK);
  double sum = x->log_partition;
  for (size_t i = 0; i < x->count; i++)
    sum += (double)(i + 1) * x->marginals[i].probability;
  lpmln_answer_free(x);
  lpmln_program_free(p);
  return sum;
}

static char *ask_translation(const char *target) {
  lpmln_program *p = input_program(&inputs[0]);
  const lpmln_translation *t = lpmln_translate(p, &(lpmln_translation_options){.target = target});
  char *text = strdup(t->text ? t->text : t->about.messages);
  lpmln_answer_free(t);
  lpmln_program_free(p);
  return text;
}

/* The learned program, from a run that a checkpoint has. */
static char *ask_learned(const char *checkpoint, bool resume) {
  lpmln_options o = options();
  lpmln_program *p = program_with(&o, "@w(1, 0.5) a. @w(2) b :- a. 0.75 c :- b.",
                                  "a. not b.\n---\nnot a.\n---\nb.\n---\na.\n");
  lpmln_learning_options how = lpmln_learning_options_default();
  how.checkpoint = checkpoint, how.resume = resume, how.optimizer = LPMLN_LBFGS;
  how.prior = LPMLN_GAUSSIAN, how.prior_mean = 0.1, how.prior_deviation = 2.5;
  const lpmln_learning *l = lpmln_learn(p, &how);
  if (l->about.status != LPMLN_OK)
    fputs(l->about.messages, stderr);
  assert_int_equal(l->about.status, LPMLN_OK);
  assert_int_equal(resume, l->replayed > 0);
  char *text = strdup(l->program);
  lpmln_answer_free(l);
  lpmln_program_free(p);
  return text;
}

static void comma(void **state) {
  (void)state;
  double answers[INPUTS];
  size_t targets;
  const lpmln_choice *target = lpmln_targets(&targets);
  char *texts[32], checkpoint[] = "/tmp/lpmln-comma-XXXXXX";
  assert_true(targets < 32);
  close(mkstemp(checkpoint));
  for (size_t i = 0; i < INPUTS; i++)
    answers[i] = ask_input(&inputs[i]);
  for (size_t i = 0; i < targets; i++)
    texts[i] = ask_translation(target[i].name);
  char *learned = ask_learned(checkpoint, false);
  if (!comma_begin()) {
    print_message("skipped: 1 × a locale with a comma: localedef can't make one\n");
    skip();
  }
  for (size_t i = 0; i < INPUTS; i++)
    assert_true(ask_input(&inputs[i]) == answers[i]);
  for (size_t i = 0; i < targets; i++) {
    char *text = ask_translation(target[i].name);
    assert_string_equal(text, texts[i]);
    free(text);
    free(texts[i]);
  }
  char *again = ask_learned(checkpoint, true);
  assert_string_equal(again, learned);
  char shown[8];
  snprintf(shown, sizeof shown, "%g", 1.5);
  assert_string_equal(shown, "1,5"); /* the locale is there, and nobody changed it */
  setlocale(LC_NUMERIC, "C");
  free(again);
  free(learned);
  remove(checkpoint);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forks),           cmocka_unit_test(descriptors), cmocka_unit_test(children),
      cmocka_unit_test(others_children), cmocka_unit_test(comma),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
