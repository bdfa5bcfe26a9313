/* test_stream.c - a worker whose words are changed on the way: a bit, a byte, a message lost,
** repeated, exchanged, or the end missing.  No answer may differ because of it.
**
** Started as a worker, this program stands between the library and the real one. */
#include "api.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- between the two --------------------------------------------------------------------- */

enum { HEADER = 16, NONE = -1 }; /* type, length, sum: see solver/protocol.h */

typedef struct {
  char kind;      /* 'b' bit, 'd' drop a byte, 'l' lose, 'r' repeat, 'x' exchange, 'e' end */
  long at;        /* byte of the stream, or message */
  long seen;      /* bytes so far */
  long message;   /* so far */
  char *held;     /* 'x': the message that waits */
  size_t waiting; /* its bytes */
} Tampering;

static _Noreturn void hang_up(void) {
  shutdown(1, SHUT_RDWR);
  _exit(0);
}

static void put(const char *at, size_t n) {
  while (n) {
    ssize_t sent = write(1, at, n);
    if (sent <= 0)
      hang_up();
    at += sent, n -= (size_t)sent;
  }
}

static bool get(int from, char *at, size_t n) {
  while (n) {
    ssize_t got = read(from, at, n);
    if (got <= 0)
      return false;
    at += got, n -= (size_t)got;
  }
  return true;
}

/* Bytes are changed inside of messages, whole messages otherwise. */
static void forward(Tampering *t, char *bytes, size_t n) {
  bool here = t->message++ == t->at;
  long inside = t->at / 8 - t->seen;
  t->seen += (long)n;
  if (t->kind == 'b' && inside >= 0 && inside < (long)n)
    bytes[inside] = (char)(bytes[inside] ^ 1 << t->at % 8);
  if ((t->kind == 'd' || t->kind == 'e') && inside >= 0 && inside < (long)n) {
    put(bytes, (size_t)inside);
    if (t->kind == 'e')
      hang_up();
    put(bytes + inside + 1, n - (size_t)inside - 1);
    return;
  }
  if (t->kind == 'x' && here) {
    t->held = malloc(n);
    memcpy(t->held, bytes, t->waiting = n);
    return;
  }
  if (t->kind != 'l' || !here)
    put(bytes, n);
  if (t->kind == 'r' && here)
    put(bytes, n);
  put(t->held, t->waiting);
  t->waiting = 0;
}

static void forward_replies(int from, Tampering *t) {
  for (;;) {
    char header[HEADER];
    uint32_t length;
    if (!get(from, header, sizeof header))
      hang_up();
    memcpy(&length, header + 4, sizeof length);
    char *message = malloc(HEADER + (size_t)length);
    memcpy(message, header, HEADER);
    if (!get(from, message + HEADER, length))
      hang_up();
    forward(t, message, HEADER + (size_t)length);
    free(message);
  }
}

static int stand_between(char **argv) {
  int ends[2];
  Tampering t = {.at = NONE};
  sscanf(getenv("LPMLN_TAMPER"), "%c%ld", &t.kind, &t.at);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return 1;
  if (!fork()) {
    dup2(ends[1], 0);
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    execv(getenv("LPMLN_TEST_WORKER"), argv);
    _exit(1);
  }
  close(ends[1]);
  if (!fork()) /* requests as they are */
    for (char block[4096];;) {
      ssize_t got = read(0, block, sizeof block);
      if (got <= 0 || write(ends[0], block, (size_t)got) != got) {
        shutdown(ends[0], SHUT_RDWR);
        _exit(0);
      }
    }
  forward_replies(ends[0], &t);
  return 0;
}

/* ---- the questions ------------------------------------------------------------------------ */

static char self[4096];

static const char text[] = "1 a(1..3). 2 b(X) :- a(X), not c(X). { c(X) : a(X) }. :- b(1), b(2).\n"
                           "d :- 2 { b(X) }. d ; e :- c(2).";

/* A number that every part of the answer has a share in; NAN: there is no answer. */
static double ask_tampered(lpmln_method method, char kind, long at) {
  char how[32];
  lpmln_options o = options();
  o.worker = self, o.method = method, o.sampling.chains = 1, o.sampling.samples = 50;
  o.threads = 1, o.time_limit = kind == '-' ? 0 : 5;
  snprintf(how, sizeof how, "%c%ld", kind, at);
  setenv("LPMLN_TAMPER", how, 1);
  lpmln_program *p = program_with(&o, text, NULL);
  const lpmln_inference *x = lpmln_infer(p);
  double sum = NAN;
  if (x->about.status == LPMLN_OK) {
    sum = method == LPMLN_MC_ASP ? 0 : x->log_partition;
    for (size_t i = 0; i < x->count; i++)
      sum += (double)(i + 1) * x->marginals[i].probability + (double)strlen(x->marginals[i].atom);
  } else if (x->count) { /* of the chains that had begun when time was over, and no others */
    assert_int_equal(x->about.status, LPMLN_LIMIT);
    assert_true(method == LPMLN_MC_ASP && !x->about.complete);
  }
  lpmln_answer_free(x);
  lpmln_program_free(p);
  return sum;
}

static long tries(void) { return getenv("LONG") ? 1000 : 28; }

static void tampered(void **state) {
  (void)state;
  static const lpmln_method methods[] = {LPMLN_EXACT, LPMLN_ENUMERATE, LPMLN_MC_ASP};
  static const char kinds[] = {'b', 'b', 'd', 'e', 'l', 'r', 'x'};
  const char *seed = getenv("LPMLN_SEED");
  uint64_t random = 88172645463325252u + (seed ? strtoull(seed, NULL, 10) : 0);
  long found = 0, all = 0;
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    double right = ask_tampered(methods[m], '-', NONE);
    assert_true(isfinite(right));
    for (long i = 0; i < tries(); i++) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      char kind = kinds[(size_t)i % sizeof kinds];
      bool whole = strchr("lrx", kind) != NULL;
      long at = (long)(random % (whole ? 30 : 8 * 1500));
      double answer = ask_tampered(methods[m], kind, at);
      all++, found += isnan(answer);
      if (!isnan(answer) && answer != right) {
        fprintf(stderr, "method %d, %c%ld: %.17g, not %.17g\n", (int)methods[m], kind, at, answer,
                right);
        fail();
      }
    }
  }
  print_message("%ld of %ld were found out, the others were behind the end\n", found, all);
  assert_true(found > all / 2);
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[0], "lpmln-worker"))
    return stand_between(argv);
  if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(tampered)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
