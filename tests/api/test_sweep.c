/* test_sweep.c - every question of the public interface under memory that is out at its n-th
** allocation: LPMLN_LIMIT or the right answer, and then the right answer from the same handle.
**
** LONG: every n.  Otherwise LPMLN_FAILURES of them, over the whole question, from LPMLN_SEED on.
** A question that fails is asked alone, at that allocation, as `test_sweep NAME N`. */
#include "failing.h"

#include "api.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/* An answer in one number, of which every figure and every text has a share. */
typedef struct {
  lpmln_status status;
  double digest;
} Reply;

static double text_digest(const char *text) {
  double sum = 0;
  for (size_t i = 0; text && text[i]; i++)
    sum += (double)(i % 64 + 1) * (unsigned char)text[i];
  return sum;
}

static void add(double *digest, double x) { *digest = *digest * 0.75 + (isfinite(x) ? x : 17); }

/* ---- questions ---------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  const char *text, *evidence, *data; /* NULL: none */
  const char *dialect;                /* NULL: lpmln */
  lpmln_method method;
  Reply (*ask)(lpmln_program *, const void *how);
  const void *how;
} Question;

static Reply inference(lpmln_program *p, const void *how) {
  (void)how;
  const lpmln_inference *x = lpmln_infer(p);
  Reply r = {x->about.status, 0};
  add(&r.digest, x->log_partition);
  add(&r.digest, x->log_evidence);
  for (size_t i = 0; i < x->count; i++) {
    add(&r.digest, text_digest(x->marginals[i].atom));
    add(&r.digest, x->marginals[i].probability);
  }
  lpmln_answer_free(x);
  return r;
}

static Reply models_of(const lpmln_models *x) {
  Reply r = {x->about.status, text_digest(x->total)};
  for (size_t i = 0; i < x->count; i++) {
    add(&r.digest, x->models[i].probability);
    for (size_t k = 0; k < x->models[i].atom_count; k++)
      add(&r.digest, text_digest(x->models[i].atoms[k]));
    for (size_t k = 0; k < x->models[i].violated_count; k++)
      add(&r.digest, text_digest(x->models[i].violated[k].instance));
  }
  lpmln_answer_free(x);
  return r;
}

static Reply map(lpmln_program *p, const void *how) { return (void)how, models_of(lpmln_map(p)); }
static Reply list(lpmln_program *p, const void *how) {
  return (void)how, models_of(lpmln_list(p, 3));
}

static Reply explanation(lpmln_program *p, const void *how) {
  const lpmln_explanation *x = lpmln_why(p, how);
  Reply r = {x->about.status, x->probability};
  for (size_t i = 0; i < x->count; i++) {
    add(&r.digest, x->proofs[i].share);
    for (size_t k = 0; k < x->proofs[i].input_count; k++)
      add(&r.digest, text_digest(x->proofs[i].inputs[k]));
  }
  for (size_t i = 0; i < x->change_count; i++)
    add(&r.digest, x->changes[i].probability_with);
  lpmln_answer_free(x);
  return r;
}

static Reply comparison(lpmln_program *p, const void *how) {
  (void)how;
  const lpmln_comparison *x = lpmln_compare((lpmln_program *const[]){p, p}, 2);
  Reply r = {x->about.status, x->observations};
  for (size_t i = 0; i < x->count; i++)
    add(&r.digest, x->models[i].bic);
  lpmln_answer_free(x);
  return r;
}

static Reply samples_of(const lpmln_samples *x) {
  Reply r = {x->about.status, (double)x->count};
  for (size_t i = 0; i < x->count; i++)
    for (size_t k = 0; k < x->samples[i].atom_count; k++)
      add(&r.digest, text_digest(x->samples[i].atoms[k]));
  lpmln_answer_free(x);
  return r;
}

static Reply draw(lpmln_program *p, const void *how) {
  return (void)how, samples_of(lpmln_draw(p, 4));
}
static Reply uniform(lpmln_program *p, const void *how) {
  return (void)how, samples_of(lpmln_draw_uniform(p, 4));
}

static Reply check(lpmln_program *p, const void *how) {
  (void)how;
  const lpmln_analysis *x = lpmln_check(p);
  Reply r = {x->about.status, (double)(x->rules + x->atoms + x->components)};
  add(&r.digest, text_digest(x->coherent));
  add(&r.digest, text_digest(x->simple_reason));
  add(&r.digest, text_digest(x->loop));
  add(&r.digest, (double)x->advice_count); /* what it says may be about time */
  lpmln_answer_free(x);
  return r;
}

static Reply sources(lpmln_program *p, const void *how) {
  (void)how;
  const lpmln_sources *x = lpmln_program_sources(p);
  Reply r = {x->about.status, (double)x->certain_count};
  for (size_t i = 0; i < x->text_count; i++)
    add(&r.digest, text_digest(x->texts[i].name) + (double)x->texts[i].length);
  lpmln_answer_free(x);
  return r;
}

static Reply translation(lpmln_program *p, const void *how) {
  const lpmln_translation *x = lpmln_translate(p, how);
  Reply r = {x->about.status, text_digest(x->text)};
  for (size_t i = 0; i < x->data_count; i++)
    add(&r.digest, text_digest(x->data[i]));
  lpmln_answer_free(x);
  return r;
}

static Reply rows(lpmln_program *p, const void *how) {
  (void)how;
  const lpmln_table *x = lpmln_infer_rows(p);
  Reply r = {x->about.status, (double)x->impossible};
  for (size_t i = 0; i < x->row_count * x->query_count; i++)
    add(&r.digest, x->probabilities[i]);
  lpmln_answer_free(x);
  return r;
}

static Reply learning(lpmln_program *p, const void *how) {
  const lpmln_learning *x = lpmln_learn(p, how);
  Reply r = {x->about.status, text_digest(x->program)};
  add(&r.digest, x->log_likelihood);
  for (size_t i = 0; i < x->weight_count; i++) {
    add(&r.digest, x->weights[i].weight);
    add(&r.digest, x->weights[i].standard_error);
    add(&r.digest, x->weights[i].holds);
  }
  for (size_t i = 0; i < x->fold_count; i++)
    add(&r.digest, x->folds[i]);
  lpmln_answer_free(x);
  return r;
}

/* Compiled, saved, loaded, and everything that a state answers. */
static Reply state_reply(lpmln_model *m) {
  lpmln_state *s = lpmln_state_new(m);
  Reply r = {s ? LPMLN_OK : LPMLN_LIMIT, 0};
  double marginals[64] = {0}, log_evidence[2] = {0}, counts[64] = {0};
  size_t queries, parameters;
  lpmln_model_queries(m, &queries);
  lpmln_model_parameters(m, &parameters);
  assert_true(queries <= 32 && parameters <= 32);
  lpmln_batch batch = {.rows = 2,
                       .threads = 1,
                       .log_evidence = {log_evidence, 1, 1},
                       .marginals = {marginals, (ptrdiff_t)queries, 1},
                       .counts = {counts, (ptrdiff_t)parameters, 1}};
  if (r.status == LPMLN_OK && parameters)
    r.status = lpmln_state_set_weight(s, lpmln_model_parameters(m, &parameters)[0], 0.5);
  for (int i = 0; r.status == LPMLN_OK && i < 2; i++) {
    const lpmln_inference *x = lpmln_state_infer(s);
    r.status = x->about.status;
    add(&r.digest, x->log_evidence);
    for (size_t k = 0; k < x->count; k++)
      add(&r.digest, x->marginals[k].probability);
    lpmln_answer_free(x);
    Reply parts[] = {models_of(lpmln_state_map(s)), models_of(lpmln_state_list(s, 2)),
                     samples_of(lpmln_state_draw(s, 3))};
    for (size_t k = 0; k < 3; k++) {
      r.status = r.status == LPMLN_OK ? parts[k].status : r.status;
      add(&r.digest, parts[k].digest);
    }
    if (r.status == LPMLN_OK)
      r.status = lpmln_state_evaluate(s, &batch);
    for (size_t k = 0; r.status == LPMLN_OK && k < 2 * queries; k++)
      add(&r.digest, marginals[k]);
    if (r.status == LPMLN_OK)
      r.status = lpmln_state_observe(s, "c", LPMLN_TRUE);
  }
  lpmln_state_free(s);
  return r;
}

static Reply model(lpmln_program *p, const void *how) {
  const lpmln_answer *about;
  lpmln_model *m = lpmln_compile(p, how, &about), *again = NULL;
  Reply r = {about->status, 0};
  lpmln_answer_free(about);
  if (m) {
    const lpmln_bytes *bytes = lpmln_model_save(m);
    r.status = bytes->about.status;
    if (r.status == LPMLN_OK) {
      again = lpmln_model_load(bytes->bytes, bytes->length, &about);
      r.status = about->status;
      lpmln_answer_free(about);
    }
    lpmln_answer_free(bytes);
  }
  if (again)
    r = state_reply(again);
  lpmln_model_free(again);
  lpmln_model_free(m);
  return r;
}

/* ---- the table ---------------------------------------------------------------------------- */

static const char plain[] = "@w(1,0.7) a. @w(2) b :- a. { c }. d :- c, not b. 2 :- d, a.\n"
                            "e(1..2) :- c. 1 f(X) :- e(X). g ; h :- d. g :- h. h :- g.";
static const char learned[] = "@w(1) a. @w(2) b :- a. c :- b.";
static const char seen[] = "a. not b.\n---\nnot a.\n--- 2\nb.\n---\na.\n";
static char checkpoint[64]; /* of this process: main */
static const char table[] = "a,b\n1,1\n1,\n0,0\n";

#define TRANSLATION(target_)                                                \
  {                                                                         \
    "translate " target_, plain, "c.", NULL, NULL, LPMLN_AUTO, translation, \
        &(const lpmln_translation_options) {                                \
      .target = target_                                                     \
    }                                                                       \
  }
#define OPTIONS(...)                                     \
  (&(const lpmln_learning_options){.rate = 0.1,          \
                                   .delta = 0.001,       \
                                   .restarts = SIZE_MAX, \
                                   .prior_deviation = 1, \
                                   .noise_weight = 10,   \
                                   __VA_ARGS__})
#define LEARNING(name_, evidence_, data_, ...) \
  { "learn " name_, learned, evidence_, data_, NULL, LPMLN_AUTO, learning, OPTIONS(__VA_ARGS__) }

static const Question questions[] = {
    {"infer", plain, "not d.", NULL, NULL, LPMLN_AUTO, inference, NULL},
    {"infer enumerate", plain, "not d.", NULL, NULL, LPMLN_ENUMERATE, inference, NULL},
    {"infer mc-asp", plain, "not d.", NULL, NULL, LPMLN_MC_ASP, inference, NULL},
    {"infer problog", "0.3::a. 0.25::b :- a. query(b).", NULL, NULL, "problog", LPMLN_AUTO,
     inference, NULL},
    {"infer markov", "P(x)\nQ(x)\n1.5 P(A)\n-0.25 P(x) => Q(x)\n", NULL, NULL, "mln", LPMLN_AUTO,
     inference, NULL},
    {"infer plingo", "a :- &problog(\"0.3\"). b :- a, &weight(\"1.25\").", NULL, NULL, "plingo",
     LPMLN_AUTO, inference, NULL},
    {"why", "0.3::a. 0.25::b :- a. 0.5::b. query(b).", NULL, NULL, "problog", LPMLN_AUTO,
     explanation, NULL},
    {"compare", learned, seen, NULL, NULL, LPMLN_AUTO, comparison, NULL},
    {"map", plain, "not d.", NULL, NULL, LPMLN_AUTO, map, NULL},
    {"map enumerate", plain, "not d.", NULL, NULL, LPMLN_ENUMERATE, map, NULL},
    {"list", plain, NULL, NULL, NULL, LPMLN_AUTO, list, NULL},
    {"list enumerate", plain, NULL, NULL, NULL, LPMLN_ENUMERATE, list, NULL},
    {"draw", plain, NULL, NULL, NULL, LPMLN_AUTO, draw, NULL},
    {"draw mc-asp", plain, NULL, NULL, NULL, LPMLN_MC_ASP, draw, NULL},
    {"uniform", plain, NULL, NULL, NULL, LPMLN_AUTO, uniform, NULL},
    {"uniform mc-asp", plain, NULL, NULL, NULL, LPMLN_MC_ASP, uniform, NULL},
    {"check", plain, "c.", NULL, NULL, LPMLN_AUTO, check, NULL},
    {"sources", plain, "c.", NULL, NULL, LPMLN_AUTO, sources, NULL},
    {"rows", learned, NULL, table, NULL, LPMLN_AUTO, rows, NULL},
    {"model", plain, NULL, NULL, NULL, LPMLN_AUTO, model, NULL},
    {"model with observables", plain, "c.", NULL, NULL, LPMLN_AUTO, model,
     &(const lpmln_compile_options){1, (const char *const[]){"d"}}},
    TRANSLATION("asp"),
    TRANSLATION("plingo"),
    TRANSLATION("problog"),
    TRANSLATION("mln"),
    TRANSLATION("aspif"),
    TRANSLATION("wcnf"),
    TRANSLATION("nnf"),
    TRANSLATION("dot"),
    LEARNING("auto", seen, NULL, .optimizer = LPMLN_BEST),
    LEARNING("table", NULL, table, .optimizer = LPMLN_BEST),
    LEARNING("lbfgs", seen, NULL, .optimizer = LPMLN_LBFGS),
    LEARNING("newton", seen, NULL, .optimizer = LPMLN_NEWTON),
    LEARNING("em", seen, NULL, .optimizer = LPMLN_EM, .iterations = 20),
    LEARNING("ascent", seen, NULL, .optimizer = LPMLN_ASCENT, .iterations = 20),
    LEARNING("adam", seen, NULL, .optimizer = LPMLN_ADAM, .batch = 1, .iterations = 5),
    LEARNING("checkpoint", seen, NULL, .checkpoint = checkpoint),
    LEARNING("folds", seen, NULL, .folds = 2),
    LEARNING("prior", seen, NULL, .prior = LPMLN_GAUSSIAN),
    LEARNING("noise", seen, NULL, .noise = LPMLN_NOISE_ATOMS),
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

/* ---- the sweep ---------------------------------------------------------------------------- */

static lpmln_program *make(const Question *q) {
  lpmln_options o = options();
  o.method = q->method, o.threads = 1, o.dialect = q->dialect;
  o.sampling.chains = 1, o.sampling.samples = 20, o.sampling.burn_in = 5;
  lpmln_program *p = program_with(&o, q->text, q->evidence);
  if (q->data)
    assert_int_equal(lpmln_program_add_text(p, LPMLN_DATA, "t.csv", q->data, strlen(q->data)),
                     LPMLN_OK);
  return p;
}

typedef struct {
  size_t failures, wrong;
} Tally;

/* Once more, from the handle that has seen it fail. */
static bool same(const Question *q, const Reply *right, const Reply *reply, const char *when,
                 size_t n) {
  bool good = reply->status == right->status && reply->digest == right->digest;
  if (!good)
    fprintf(stderr, "%s, allocation %zu, %s: status %d, digest %.17g, not %.17g\n", q->name, n,
            when, (int)reply->status, reply->digest, right->digest);
  return good;
}

static size_t number(const char *name, size_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoul(text, NULL, 10) : otherwise;
}

/* Every so manieth of a question's allocations. */
static size_t step_of(size_t allocations) {
  return getenv("LONG") ? 1 : 1 + allocations / number("LPMLN_FAILURES", 12);
}

static void sweep(const Question *q, size_t start, Tally *t) {
  lpmln_program *p = make(q);
  fail_at(SIZE_MAX - 1, false);
  Reply right = q->ask(p, q->how);
  size_t step = step_of(SIZE_MAX - 1 - left);
  (void)fail_never();
  lpmln_program_free(p);
  if (right.status != LPMLN_OK && right.status != LPMLN_NO_ANSWER)
    fprintf(stderr, "%s: status %d\n", q->name, (int)right.status);
  assert_true(right.status == LPMLN_OK || right.status == LPMLN_NO_ANSWER);
  bool more = true;
  for (size_t n = 1 + start % step; more; n += step) {
    p = make(q);
    fail_at(n, n / step % 2);
    Reply reply = q->ask(p, q->how);
    more = fail_never();
    t->failures += more;
    bool good = (more && reply.status == LPMLN_LIMIT) || same(q, &right, &reply, "at once", n);
    reply = q->ask(p, q->how);
    good = same(q, &right, &reply, "again", n) && good;
    t->wrong += !good;
    lpmln_program_free(p);
  }
}

static size_t open_descriptors(void) {
  size_t n = 0;
  for (int i = 0; i < 1024; i++)
    n += fcntl(i, F_GETFD) >= 0;
  return n;
}

static void all_questions(void **state) {
  (void)state;
  Tally all = {0};
  size_t start = number("LPMLN_SEED", 1);
  for (size_t i = 0; i < QUESTIONS; i++) {
    Tally t = {0};
    size_t before = open_descriptors();
    sweep(&questions[i], start + 13 * i, &t);
    all.failures += t.failures, all.wrong += t.wrong;
    if (open_descriptors() != before) {
      fprintf(stderr, "%s: descriptors are left open\n", questions[i].name);
      all.wrong++;
    }
  }
  print_message("%zu allocations failed, %zu times something was wrong\n", all.failures, all.wrong);
  assert_int_equal(all.wrong, 0);
  remove(checkpoint);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no worker is left */
  assert_true(all.failures >= 2 * QUESTIONS);
}

static int ask_alone(const char *name, size_t n) {
  for (size_t i = 0; i < QUESTIONS; i++)
    if (!strcmp(questions[i].name, name)) {
      lpmln_program *p = make(&questions[i]);
      fail_at(n, false);
      Reply reply = questions[i].ask(p, questions[i].how);
      printf("%s, status %d, digest %.17g\n", fail_never() ? "failed" : "did not fail",
             (int)reply.status, reply.digest);
      lpmln_program_free(p);
      return 0;
    }
  return 2;
}

int main(int argc, char **argv) {
  snprintf(checkpoint, sizeof checkpoint, "/tmp/lpmln-sweep-%ld", (long)getpid());
  if (argc == 3)
    return ask_alone(argv[1], strtoul(argv[2], NULL, 10));
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_questions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
