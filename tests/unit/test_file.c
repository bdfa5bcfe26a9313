/* test_file.c - files that are written, and checkpoints: whatever happens to the bytes, no
** other answer comes out of them. */
#include "unit.h"

#include "base/file.h"
#include "base/source.h"
#include "learn/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/lpmln-file-XXXXXX";

static Text contents(const char *path) {
  Text text = {0};
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  for (int c; (c = getc(file)) != EOF;)
    text_add(&text, (const char[]){(char)c}, 1);
  fclose(file);
  text_add(&text, "", 0);
  return text;
}

static void expect_contents(const char *path, const char *wanted) {
  Text text = contents(path);
  assert_string_equal(text.at, wanted);
  vec_free(&text);
}

/* ---- files ------------------------------------------------------------------------------- */

static void replacing(void **state) {
  (void)state;
  assert_true(file_replace("a", "one", 3));
  expect_contents("a", "one");
  assert_true(file_replace("a", "", 0));
  expect_contents("a", "");
  int file = file_begin("a", "head\n", 5);
  assert_true(file >= 0);
  expect_contents("a", "head\n"); /* it is there while it is written */
  assert_true(file_append(file, "row\n", 4));
  expect_contents("a", "head\nrow\n");
  assert_true(file_end(file));
  assert_true(file_same("a", "./a") && !file_same("a", "b"));
}

/* Someone else's file stays theirs; without the right to give it away it is written in place. */
static void owners(void **state) {
  (void)state;
  struct stat before, after;
  if (geteuid()) {
    printf("skipped: 1 × only root gives files away\n");
    skip();
  }
  assert_true(file_replace("theirs", "old", 3));
  assert_int_equal(chown("theirs", 12345, 23456), 0);
  assert_int_equal(chmod("theirs", 0666), 0);
  assert_true(file_replace("theirs", "new", 3));
  assert_int_equal(stat("theirs", &before), 0);
  assert_true(before.st_uid == 12345 && before.st_gid == 23456 && (before.st_mode & 07777) == 0666);
  assert_int_equal(chmod(".", 0777), 0);
  assert_true(file_replace("locked", "", 0));
  pid_t child = fork();
  if (!child) {
    bool good = !setgid(999) && !setuid(999) && file_replace("theirs", "newer", 5);
    good = good && !file_replace("locked", "x", 1) && errno == EACCES;
    _exit(good ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(stat("theirs", &after), 0);
  assert_true(after.st_uid == 12345 && after.st_ino == before.st_ino);
  expect_contents("theirs", "newer");
}

/* A disk that is full leaves what was there. */
static void full(void **state) {
  (void)state;
  struct rlimit before;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  assert_true(file_replace("kept", "whole", 5));
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, before.rlim_max});
  char much[1000] = {0};
  bool written = file_replace("kept", much, sizeof much);
  int reason = errno;
  setrlimit(RLIMIT_FSIZE, &before);
  assert_true(!written && reason == EFBIG);
  expect_contents("kept", "whole");
  assert_int_equal(system("test -z \"$(ls -A | grep lpmln-)\""), 0);
}

/* ---- checkpoints ------------------------------------------------------------------------------
 */

enum { RECORDS = 6, LENGTH = 3 };

static void fill(double *question, double *answer, int i) {
  for (int k = 0; k < LENGTH; k++)
    question[k] = 0.1 * i + k, answer[k] = -1.0 / (i + k + 1);
}

static void write_journal(const char *path, bool resume) {
  Journal j;
  double question[LENGTH], answer[LENGTH], old[LENGTH];
  assert_int_equal(journal_begin(&j, path, "a run", resume), JOURNAL_OK);
  for (int i = 0; i < RECORDS; i++) {
    fill(question, answer, i);
    if (!journal_read(&j, 'e', question, LENGTH, old, LENGTH))
      journal_write(&j, 'e', question, LENGTH, answer, LENGTH);
    else
      assert_memory_equal(old, answer, sizeof old); /* the same bits or none */
  }
  journal_end(&j);
  assert_int_equal(j.status, LPMLN_OK);
  journal_free(&j);
}

static JournalOutcome outcome_of(const char *path, const char *key, bool resume) {
  Journal j;
  JournalOutcome outcome = journal_begin(&j, path, key, resume);
  journal_free(&j);
  return outcome;
}

/* Any bit: refused, or (the end of the last line) one record fewer. */
static void flipped_bits(void **state) {
  (void)state;
  write_journal("c", false);
  Text whole = contents("c");
  size_t refused = 0, shorter = 0;
  for (size_t bit = 0; bit < 8 * whole.n; bit++) {
    Text bad = {0};
    text_add(&bad, whole.at, whole.n);
    bad.at[bit / 8] = (char)(bad.at[bit / 8] ^ 1 << bit % 8);
    assert_true(file_replace("d", bad.at, bad.n));
    vec_free(&bad);
    if (outcome_of("d", "a run", true) != JOURNAL_OK) {
      refused++;
      continue;
    }
    shorter++;
    write_journal("d", true);
    expect_contents("d", whole.at);
  }
  assert_int_equal(shorter, 8); /* the bits of the last newline */
  assert_int_equal(refused, 8 * (whole.n - 1));
  vec_free(&whole);
}

/* Cut off anywhere behind its first line, as a kill may leave it: goes on, to the same bytes. */
static void cut_anywhere(void **state) {
  (void)state;
  write_journal("c", false);
  Text whole = contents("c");
  size_t head = (size_t)(strchr(whole.at, '\n') + 1 - whole.at);
  for (size_t n = head; n <= whole.n; n++) {
    assert_true(file_replace("d", whole.at, n));
    write_journal("d", true);
    expect_contents("d", whole.at);
  }
  for (size_t n = 1; n < head; n++) {
    assert_true(file_replace("d", whole.at, n));
    assert_true(outcome_of("d", "a run", true) != JOURNAL_OK);
  }
  vec_free(&whole);
}

static void outcomes(void **state) {
  (void)state;
  write_journal("c", false);
  assert_int_equal(outcome_of("c", "another run", true), JOURNAL_OTHER_RUN);
  assert_true(file_replace("text", "mine", 4));
  assert_int_equal(outcome_of("text", "a run", true), JOURNAL_FOREIGN);
  assert_int_equal(outcome_of("text", "a run", false), JOURNAL_FOREIGN);
  expect_contents("text", "mine");
  assert_int_equal(outcome_of("none/c", "a run", true), JOURNAL_UNWRITABLE);
  assert_int_equal(outcome_of(".", "a run", true), JOURNAL_UNWRITABLE);
  Journal j;
  assert_int_equal(journal_begin(&j, "c", "a run", true), JOURNAL_OK);
  assert_int_equal(outcome_of("c", "a run", true), JOURNAL_IN_USE);
  journal_free(&j);
  assert_int_equal(outcome_of("c", "a run", true), JOURNAL_OK);
  assert_true(file_replace("empty", "", 0));
  assert_int_equal(outcome_of("empty", "a run", false), JOURNAL_OK);
}

/* Records of another question end the reading and are replaced. */
static void other_questions(void **state) {
  (void)state;
  Journal j;
  double question[LENGTH], answer[LENGTH], old[LENGTH];
  write_journal("c", false);
  assert_int_equal(journal_begin(&j, "c", "a run", true), JOURNAL_OK);
  fill(question, answer, 0);
  assert_true(journal_read(&j, 'e', question, LENGTH, old, LENGTH));
  assert_false(journal_read(&j, 'p', question, LENGTH, old, LENGTH));
  journal_write(&j, 'p', question, LENGTH, answer, LENGTH);
  journal_end(&j);
  journal_free(&j);
  assert_int_equal(journal_begin(&j, "c", "a run", true), JOURNAL_OK);
  assert_true(journal_read(&j, 'e', question, LENGTH, old, LENGTH));
  assert_true(journal_read(&j, 'p', question, LENGTH, old, LENGTH));
  assert_false(j.reading);
  assert_int_equal(j.replayed, 2);
  journal_free(&j);
}

/* A long text, with a mark in front, is the same wherever it lies. */
static void expect_long(bool spilled) {
  enum { LINES = 3 << 20 };
  Sources s = {0};
  uint32_t number = source_read(&s, "long");
  assert_int_equal(number, 0);
  const Source *text = &s.list.at[0];
  assert_int_equal(text->view != NULL, spilled);
  assert_int_equal(text->length, 8 * LINES);
  assert_int_equal(text->bytes[text->length], 0);
  for (unsigned i = 0; i < LINES; i += 997) {
    char line[9];
    snprintf(line, sizeof line, "%07u\n", i);
    assert_memory_equal(text->bytes + 8 * i, line, 8);
    source_forget(text, 8 * i);
  }
  assert_int_equal(source_position(text, 8 * LINES - 1).line, LINES);
  sources_free(&s);
}

static void long_texts(void **state) {
  (void)state;
  FILE *file = fopen("long", "wb");
  fputs("\xef\xbb\xbf", file);
  for (unsigned i = 0; i < 3 << 20; i++)
    fprintf(file, "%07u\n", i);
  fclose(file);
  setenv("TMPDIR", folder, 1);
  expect_long(true);
  setenv("TMPDIR", "/nowhere", 1); /* no folder */
  expect_long(false);
  setenv("TMPDIR", folder, 1);
  static const rlim_t full[] = {0, 1 << 20, (17 << 20) + 5};
  struct rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, SIG_IGN);
  for (size_t i = 0; i < sizeof full / sizeof *full; i++) { /* a disk that is full, after a while */
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){full[i], old.rlim_max});
    expect_long(false);
  }
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, SIG_DFL);
  unsetenv("TMPDIR");
  unlink("long");
}

static int enter(void **state) {
  (void)state;
  return mkdtemp(folder) && !chdir(folder) ? 0 : 1;
}

static int leave(void **state) {
  (void)state;
  Text command = {0};
  text_printf(&command, "rm -rf %s", folder);
  int failed = chdir("/") || system(command.at);
  vec_free(&command);
  return failed;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(replacing),       cmocka_unit_test(owners),       cmocka_unit_test(full),
      cmocka_unit_test(flipped_bits),    cmocka_unit_test(cut_anywhere), cmocka_unit_test(outcomes),
      cmocka_unit_test(other_questions), cmocka_unit_test(long_texts),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
