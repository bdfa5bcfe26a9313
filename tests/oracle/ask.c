/* ask.c - questions from standard input, answers to standard output, in one process: what
** `lpmln COMMAND --format json` would print, without starting it for each of thousands of
** programs.  The questions about a program go to one handle.
**
** A request is a line `METHOD COMMANDS MOST PROGRAM EVIDENCE` (letters of commands: i infer,
** c infer with counts, m map, l models; the most models to list; the bytes of both texts, -1 if
** there is no evidence) and the texts.  For each command comes a line `STATUS BYTES MESSAGES` and
** that many bytes of either. */
#include "base/memory.h"
#include "lpmln/lpmln.h"
#include "report/json.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char method[16], commands[8];
  size_t most;
  int sizes[2]; /* program, evidence */
} Request;

static lpmln_options options_of(const Request *r) {
  lpmln_options o = lpmln_options_default();
  while (o.method != LPMLN_BOUNDS && strcmp(lpmln_method_name(o.method), r->method))
    o.method++;
  o.counts = strchr(r->commands, 'c');
  o.worker = getenv("LPMLN_TEST_WORKER");
  o.threads = 1;
  return o;
}

static lpmln_program *read_program(const Request *r) {
  static const char *const names[] = {"program.lp", "evidence.lp"};
  lpmln_options o = options_of(r);
  lpmln_program *p = lpmln_program_new(&o);
  for (int i = 0; i < 2; i++) {
    size_t n = r->sizes[i] < 0 ? 0 : (size_t)r->sizes[i];
    char *text = malloc(n + 1);
    if (!p || !text || fread(text, 1, n, stdin) != n)
      abort();
    if (r->sizes[i] >= 0)
      (void)lpmln_program_add_text(p, i ? LPMLN_EVIDENCE : LPMLN_PROGRAM, names[i], text, n);
    free(text);
  }
  return p;
}

static const lpmln_answer *ask(lpmln_program *p, char command, size_t most, Text *out) {
  if (command == 'i' || command == 'c') {
    const lpmln_inference *a = lpmln_infer(p);
    if (a->about.method != LPMLN_AUTO)
      json_inference(out, 0, a);
    return &a->about;
  }
  const lpmln_models *a = command == 'm' ? lpmln_map(p) : lpmln_list(p, most);
  if (a->about.method != LPMLN_AUTO)
    json_models(out, command == 'm' ? "map" : "models", 0, a, command == 'l');
  return &a->about;
}

int main(void) {
  Request r;
  while (scanf("%15s %7s %zu %d %d", r.method, r.commands, &r.most, &r.sizes[0], &r.sizes[1]) ==
             5 &&
         getchar() == '\n') {
    lpmln_program *p = read_program(&r);
    for (const char *c = r.commands; *c; c++) {
      Text out = {0};
      const lpmln_answer *about = ask(p, *c, r.most, &out);
      printf("%d %zu %zu\n", (int)about->status, out.n, strlen(about->messages));
      fwrite(out.at, 1, out.n, stdout);
      fputs(about->messages, stdout);
      lpmln_answer_free(about);
      vec_free(&out);
    }
    fflush(stdout);
    lpmln_program_free(p);
  }
  return 0;
}
