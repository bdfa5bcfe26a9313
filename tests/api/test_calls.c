/* test_calls.c - random sequences of public calls: made, added to, asked, interrupted, out of
** time or memory, asked again, saved, loaded, freed, in any order, also with NULL.
**
**   test_calls SEED COUNT     so many sequences; closes with 'N passed, N failed, 0 skipped'
**   test_calls --replay FILE  one sequence again, as its trace says
**
** Nothing may crash, and what a program answers is what a new one answers that was given the
** same.  Each sequence runs in a process of its own and writes its calls down before it makes
** them; a trace that fails is cut down, line by line, before it is shown. */
#include "failing.h"

#include "api.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- calls ------------------------------------------------------------------------------- */

/* clang-format off */
#define CALLS(X) \
  X(new) X(free) X(text) X(evidence) X(rows) X(file) X(query) X(define) X(weight) X(infer) \
  X(map) X(list) X(draw) X(uniform) X(check) X(sources) X(translate) X(table) X(learn) \
  X(compile) X(keep) X(drop) X(save) X(load) X(state) X(end) X(observe) X(clear) X(set) X(seed) \
  X(limit) X(sinfer) X(smap) X(slist) X(sdraw) X(evaluate) X(interrupt) X(stop) X(fail) X(same)
/* clang-format on */

typedef enum {
#define NAME(name) CALL_##name,
  CALLS(NAME)
#undef NAME
      CALL_COUNT
} CallKind;

static const char *const names[] = {
#define NAME(name) #name,
    CALLS(NAME)
#undef NAME
};

typedef struct {
  CallKind kind;
  unsigned a, b;
} Call;

enum { PLACES = 3, MOST_GIVEN = 24, MOST_CALLS = 60 };

/* What a program was given, so that another one can be given the same. */
typedef struct {
  char kind; /* 't' text, 'e' evidence, 'q' query, 'd' definition, 'w' weight, 'r' rows */
  unsigned which;
} Given;

typedef struct {
  lpmln_program *program[PLACES];
  lpmln_options options[PLACES];
  Given given[PLACES][MOST_GIVEN];
  size_t given_count[PLACES];
  lpmln_model *model[PLACES];
  lpmln_state *state[PLACES];
  const lpmln_bytes *bytes;
  bool failing; /* the next call runs out of memory */
} World;

static const char *const texts[] = {
    "1 a. 2 b :- a.",
    "{ c }. d :- c, not b. 0.5 :- d.",
    "@w(1) e(1..3). @w(2,0.3) f(X) :- e(X), not c.",
    "a ; b :- c. :- a, b.",
    "r(1). r(X+1) :- r(X), X < 4, e(X).",
    "p :- .", /* wrong */
    "0.3 :: h. 0.2 :: i; 0.5 :: j :- h.",
    "1 n(X) :- X = 1..k. #const k = 2.",
};
static const char *const evidences[] = {"a.",        "not b.",    ":- not c, a.",
                                        "d. not d.", "nonsense(", "e(1). not f(2)."};
static const char *const tables[] = {"a,b\n1,0\n,1\n", "c\n1\n0\nNA\n", "a,#count\n1,3\n",
                                     "a,b\n1\n"};
static const char *const queries[] = {"a", "e/1", "f(X)", "a, not b", "zzz", "(("};
static const char *const targets[] = {"asp", "aspif",  "wcnf", "nnf",    "problog",
                                      "mln", "plingo", "dot",  "nothing"};
#define PICK(list, i) ((list)[(i) % (sizeof(list) / sizeof *(list))])

static _Noreturn void wrong(const char *what) {
  fprintf(stderr, "WRONG %s\n", what);
  _exit(99);
}
#define must(condition) ((condition) ? (void)0 : wrong(#condition))

/* ---- answers ------------------------------------------------------------------------------ */

static void look(const lpmln_answer *x) {
  must(x && x->messages && (x->diagnostics || !x->diagnostic_count));
  must(x->status <= LPMLN_INTERNAL || x->status == LPMLN_INTERRUPTED);
  must(x->status == LPMLN_OK || x->diagnostic_count || x->status == LPMLN_INTERRUPTED ||
       x->status == LPMLN_USAGE);
}

static void add(double *digest, double x) { *digest = *digest * 0.75 + (isfinite(x) ? x : 17); }

static double look_inference(const lpmln_inference *x) {
  double digest = 0;
  look(&x->about);
  for (size_t i = 0; i < x->count; i++) {
    double p = x->marginals[i].probability;
    must(x->about.status != LPMLN_OK || (p >= 0 && p <= 1 + 1e-12));
    add(&digest, p);
    add(&digest, (double)strlen(x->marginals[i].atom));
  }
  add(&digest, x->about.status);
  lpmln_answer_free(x);
  return digest;
}

static void look_models(const lpmln_models *x) {
  look(&x->about);
  double sum = 0;
  for (size_t i = 0; i < x->count; i++)
    sum += x->models[i].probability;
  must(x->about.status != LPMLN_OK || !(sum > 1 + 1e-9));
  lpmln_answer_free(x);
}

static void look_samples(const lpmln_samples *x) {
  look(&x->about);
  for (size_t i = 0; i < x->count; i++)
    must(x->samples[i].atoms || !x->samples[i].atom_count);
  lpmln_answer_free(x);
}

static void look_any(const void *answer) {
  look(answer);
  lpmln_answer_free(answer);
}

/* ---- programs ------------------------------------------------------------------------------ */

static lpmln_options options_for(unsigned a) {
  lpmln_options o = options();
  o.threads = 1 + a % 2;
  o.method = (lpmln_method)(a % 7 == 0 ? LPMLN_ENUMERATE : a % 11 == 0 ? LPMLN_EXACT : LPMLN_AUTO);
  o.time_limit = a % 13 == 0 ? 1e-4 : 20;
  o.sampling.chains = 1, o.sampling.samples = 30;
  return o;
}

static lpmln_status give(lpmln_program *p, Given g) {
  const char *text;
  switch (g.kind) {
  case 't':
    text = PICK(texts, g.which);
    return lpmln_program_add_text(p, LPMLN_PROGRAM, "t", text, strlen(text));
  case 'e':
    text = PICK(evidences, g.which);
    return lpmln_program_add_text(p, LPMLN_EVIDENCE, "e", text, strlen(text));
  case 'r':
    text = PICK(tables, g.which);
    return lpmln_program_add_text(p, LPMLN_DATA, "r.csv", text, strlen(text));
  case 'q': return lpmln_program_add_query(p, PICK(queries, g.which));
  case 'd': return lpmln_program_define(p, "k", g.which % 2 ? "1" : "3");
  default:
    return lpmln_program_set_weight(p, g.which % 2 ? "1" : "2",
                                    g.which % 5 == 0 ? NAN : 0.25 * g.which);
  }
}

static void give_and_note(World *w, unsigned at, char kind, unsigned which) {
  lpmln_program *p = w->program[at];
  Given g = {kind, which};
  if (w->given_count[at] == MOST_GIVEN)
    return;
  if (give(p, g) == LPMLN_OK && p)
    w->given[at][w->given_count[at]++] = g;
}

/* A new program with the same inputs gives the same answer. */
static void compare(const World *w, unsigned at) {
  if (!w->program[at] || w->options[at].time_limit < 1)
    return;
  lpmln_program *other = lpmln_program_new(&w->options[at]);
  for (size_t i = 0; i < w->given_count[at]; i++)
    must(give(other, w->given[at][i]) == LPMLN_OK);
  (void)look_inference(lpmln_infer(w->program[at])); /* an interruption is for one question */
  double mine = look_inference(lpmln_infer(w->program[at])),
         theirs = look_inference(lpmln_infer(other));
  lpmln_program_free(other);
  if (mine != theirs)
    fprintf(stderr, "%.17g, a new program %.17g\n", mine, theirs);
  must(mine == theirs);
}

static void ask_learn(lpmln_program *p, unsigned b) {
  lpmln_learning_options o = lpmln_learning_options_default();
  o.optimizer = (lpmln_optimizer)(b % 5), o.iterations = 1 + b % 20, o.restarts = b % 3;
  o.prior = (lpmln_prior)(b % 3), o.prior_strength = 0.1, o.folds = b % 4 == 0 ? 2 : 0;
  look_any(lpmln_learn(p, b % 17 ? &o : NULL));
}

/* ---- states -------------------------------------------------------------------------------- */

static void evaluate(lpmln_state *s, const lpmln_model *m, unsigned b) {
  size_t queries_, parameters;
  double out[3][64];
  lpmln_model_queries(m, &queries_);
  lpmln_model_parameters(m, &parameters);
  if (queries_ > 20 || parameters > 20)
    return;
  lpmln_batch batch = {.rows = 1 + b % 3,
                       .threads = 1 + b % 2,
                       .log_evidence = {out[0], 1, 1},
                       .marginals = {out[1], (ptrdiff_t)queries_, 1},
                       .gradient = {out[2], (ptrdiff_t)parameters, 1}};
  lpmln_status status = lpmln_state_evaluate(s, &batch);
  for (size_t i = 0; status == LPMLN_OK && i < batch.rows * queries_; i++)
    must(isnan(out[1][i]) || (out[1][i] >= 0 && out[1][i] <= 1 + 1e-12));
}

static void load(World *w, unsigned at, unsigned b) {
  if (!w->bytes || !w->bytes->bytes)
    return;
  size_t length = b % 5 ? w->bytes->length : b % (w->bytes->length + 1);
  const lpmln_answer *about;
  lpmln_model *m = lpmln_model_load(w->bytes->bytes, length, &about);
  must((m != NULL) == (about->status == LPMLN_OK));
  look_any(about);
  lpmln_model_free(w->model[at]);
  w->model[at] = m;
}

static void compile(World *w, unsigned at, unsigned b) {
  const lpmln_answer *about;
  static const char *const observables[] = {"a", "d", "none"};
  lpmln_compile_options o = {b % 4, observables};
  lpmln_model *m = lpmln_compile(w->program[at], b % 7 ? &o : NULL, &about);
  must((m != NULL) == (about->status == LPMLN_OK));
  look_any(about);
  lpmln_model_free(w->model[at]);
  w->model[at] = m;
}

/* A state holds its model. */
static void make_state(World *w, unsigned at, unsigned b) {
  lpmln_state_free(w->state[at]);
  w->state[at] = lpmln_state_new(w->model[b % PLACES]);
}

static void observe(lpmln_state *s, unsigned b) {
  static const char *const atoms[] = {"a", "b", "c", "d", "e(1)", "none", "("};
  (void)lpmln_state_observe(s, PICK(atoms, b), (lpmln_truth)(b % 3));
}

/* ---- one call ------------------------------------------------------------------------------- */

static void make(World *w, unsigned at, unsigned b) {
  lpmln_program_free(w->program[at]);
  w->options[at] = options_for(b);
  w->program[at] = lpmln_program_new(&w->options[at]);
  w->given_count[at] = 0;
}

static void call_program(World *w, const Call *c, unsigned at) {
  lpmln_program *p = w->program[at];
  switch (c->kind) {
  case CALL_new: make(w, at, c->b); break;
  case CALL_free: lpmln_program_free(p), w->program[at] = NULL; break;
  case CALL_text: give_and_note(w, at, 't', c->b); break;
  case CALL_evidence: give_and_note(w, at, 'e', c->b); break;
  case CALL_rows: give_and_note(w, at, 'r', c->b); break;
  case CALL_query: give_and_note(w, at, 'q', c->b); break;
  case CALL_define: give_and_note(w, at, 'd', c->b); break;
  case CALL_weight: give_and_note(w, at, 'w', c->b); break;
  case CALL_file: (void)lpmln_program_add_file(NULL, LPMLN_PROGRAM, "/dev/null"); break;
  case CALL_infer: (void)look_inference(lpmln_infer(p)); break;
  case CALL_map: look_models(lpmln_map(p)); break;
  case CALL_list: look_models(lpmln_list(p, c->b % 4)); break;
  case CALL_draw: look_samples(lpmln_draw(p, c->b % 4)); break;
  case CALL_uniform: look_samples(lpmln_draw_uniform(p, c->b % 4)); break;
  case CALL_check: look_any(lpmln_check(p)); break;
  case CALL_sources: look_any(lpmln_program_sources(p)); break;
  case CALL_translate:
    look_any(lpmln_translate(p, &(lpmln_translation_options){.target = PICK(targets, c->b)}));
    break;
  case CALL_table: look_any(lpmln_infer_rows(p)); break;
  case CALL_learn: ask_learn(p, c->b); break;
  case CALL_compile: compile(w, at, c->b); break;
  case CALL_interrupt: lpmln_program_interrupt(p); break;
  case CALL_same:
    if (!w->failing)
      compare(w, at);
    break;
  default: break;
  }
}

static void call_state(World *w, const Call *c, unsigned at) {
  lpmln_state *s = w->state[at];
  switch (c->kind) {
  case CALL_keep: lpmln_model_free(lpmln_model_keep(w->model[at])); break;
  case CALL_drop: lpmln_model_free(w->model[at]), w->model[at] = NULL; break;
  case CALL_save: lpmln_answer_free(w->bytes), w->bytes = lpmln_model_save(w->model[at]); break;
  case CALL_load: load(w, at, c->b); break;
  case CALL_state: make_state(w, at, c->b); break;
  case CALL_end: lpmln_state_free(s), w->state[at] = NULL; break;
  case CALL_observe: observe(s, c->b); break;
  case CALL_clear: lpmln_state_clear(s); break;
  case CALL_set:
    (void)lpmln_state_set_weight(s, c->b % 2 ? "1" : "2", c->b % 9 ? 0.5 * c->b : NAN);
    break;
  case CALL_seed: lpmln_state_seed(s, c->b); break;
  case CALL_limit: lpmln_state_limit(s, c->b % 3 ? 10 : 1e-5); break;
  case CALL_sinfer: (void)look_inference(lpmln_state_infer(s)); break;
  case CALL_smap: look_models(lpmln_state_map(s)); break;
  case CALL_slist: look_models(lpmln_state_list(s, 1 + c->b % 4)); break;
  case CALL_sdraw: look_samples(lpmln_state_draw(s, c->b % 4)); break;
  case CALL_evaluate:
    if (s && w->model[at])
      evaluate(s, w->model[at], c->b);
    break;
  case CALL_stop: lpmln_state_interrupt(s); break;
  default: break;
  }
}

static void call(World *w, const Call *c) {
  unsigned at = c->a % PLACES;
  if (c->kind == CALL_fail) {
    w->failing = true;
    fail_at(1 + c->b % 900, c->a % 2);
    return;
  }
  call_program(w, c, at);
  call_state(w, c, at);
  if (w->failing)
    (void)fail_never();
  w->failing = false;
}

/* ---- sequences ------------------------------------------------------------------------------- */

typedef struct {
  Call at[MOST_CALLS];
  size_t n;
} Trace;

static uint64_t draw_bits(uint64_t *random) {
  *random ^= *random << 13, *random ^= *random >> 7, *random ^= *random << 17;
  return *random;
}

static Trace random_trace(uint64_t seed) {
  uint64_t random = seed * 0x9e3779b97f4a7c15u + 88172645463325252u;
  Trace t = {.n = 10 + draw_bits(&random) % (MOST_CALLS - 10)};
  for (int i = 0; i < 20; i++)
    (void)draw_bits(&random);
  for (size_t i = 0; i < t.n; i++) {
    CallKind kind = (CallKind)(draw_bits(&random) % CALL_COUNT);
    if (i < 3) /* most have programs to begin with */
      kind = CALL_new;
    else if (i < 7)
      kind = CALL_text;
    t.at[i] = (Call){kind, i < 3 ? (unsigned)i : (unsigned)(draw_bits(&random) % 64),
                     (unsigned)(draw_bits(&random) % 1000)};
  }
  return t;
}

static void write_trace(FILE *to, const Trace *t) {
  for (size_t i = 0; i < t->n; i++)
    fprintf(to, "%s %u %u\n", names[t->at[i].kind], t->at[i].a, t->at[i].b);
}

static bool read_trace(const char *path, Trace *t) {
  FILE *file = fopen(path, "r");
  char name[32];
  unsigned a, b;
  *t = (Trace){0};
  while (file && t->n < MOST_CALLS && fscanf(file, "%31s %u %u", name, &a, &b) == 3)
    for (int k = 0; k < CALL_COUNT; k++)
      if (!strcmp(names[k], name))
        t->at[t->n++] = (Call){(CallKind)k, a, b};
  if (file)
    fclose(file);
  return t->n > 0;
}

static void run_trace(const Trace *t) {
  World w = {0};
  for (size_t i = 0; i < t->n; i++)
    call(&w, &t->at[i]);
  for (unsigned i = 0; i < PLACES; i++) {
    lpmln_program_free(w.program[i]);
    lpmln_state_free(w.state[i]);
    lpmln_model_free(w.model[i]);
  }
  lpmln_answer_free(w.bytes);
}

/* In a process of its own; 0: it went well. */
static int try_trace(const Trace *t, bool quiet) {
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    if (quiet && !freopen("/dev/null", "w", stderr))
      _exit(98);
    alarm(120);
    run_trace(t);
    _exit(0);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

/* Leaves calls out as long as it still fails. */
static Trace cut_down(Trace t) {
  bool shorter = true;
  while (shorter) {
    shorter = false;
    for (size_t i = t.n; i-- > 0;) {
      Trace less = t;
      memmove(&less.at[i], &less.at[i + 1], (t.n - i - 1) * sizeof *t.at);
      less.n--;
      if (try_trace(&less, true))
        t = less, shorter = true;
    }
  }
  return t;
}

static size_t run_sequences(uint64_t seed, size_t count) {
  size_t failed_ = 0;
  for (size_t i = 0; i < count; i++) {
    Trace t = random_trace(seed + i);
    if (!try_trace(&t, false))
      continue;
    failed_++;
    t = cut_down(t);
    fprintf(stderr, "-- sequence %llu fails; its trace, for --replay:\n",
            (unsigned long long)(seed + i));
    write_trace(stderr, &t);
  }
  return failed_;
}

static void sequences(void **state) {
  (void)state;
  assert_int_equal(run_sequences(1, 60), 0);
}

int main(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[1], "--replay")) {
    Trace t;
    if (!read_trace(argv[2], &t))
      return 2;
    run_trace(&t);
    return 0;
  }
  if (argc == 3) {
    size_t count = strtoul(argv[2], NULL, 10),
           bad = run_sequences(strtoull(argv[1], NULL, 10), count);
    printf("%zu passed, %zu failed, 0 skipped\n", count - bad, bad);
    return bad > 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(sequences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
