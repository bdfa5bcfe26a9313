/* test_file.c - compiled files: same answers, new weights and evidence, damage refused. */
#include "api.h"

static const char text[] = "@w(1,0.7) a. @w(2) b :- a. { c }. d :- c, not b. 2 :- d, a.\n"
                           "e(1..2) :- c. @w(f(X)) f(X) :- e(X).";

static const lpmln_bytes *compiled(const char *evidence) {
  lpmln_options o = options();
  lpmln_program *p = program_with(&o, text, evidence);
  const lpmln_answer *about;
  lpmln_model *model = lpmln_compile(p, NULL, &about);
  assert_non_null(model);
  assert_int_equal(status_of(about), LPMLN_OK);
  const lpmln_bytes *bytes = lpmln_model_save(model);
  assert_int_equal(bytes->about.status, LPMLN_OK);
  lpmln_model_free(model);
  lpmln_program_free(p);
  return bytes;
}

/* The file in place of a program. */
static lpmln_program *program_from(const lpmln_options *o, const char *bytes, size_t length) {
  lpmln_program *p = lpmln_program_new(o);
  assert_int_equal(lpmln_program_add_text(p, LPMLN_PROGRAM, "file", bytes, length), LPMLN_OK);
  return p;
}

static void expect_same(const lpmln_inference *x, const lpmln_inference *y) {
  assert_int_equal(x->about.status, LPMLN_OK);
  assert_int_equal(y->about.status, LPMLN_OK);
  assert_near(x->log_partition, y->log_partition, 1e-12);
  assert_near(x->log_evidence, y->log_evidence, 1e-12);
  assert_int_equal(x->count, y->count);
  for (size_t i = 0; i < x->count; i++) {
    assert_string_equal(x->marginals[i].atom, y->marginals[i].atom);
    assert_near(x->marginals[i].probability, y->marginals[i].probability, 1e-12);
  }
  lpmln_answer_free(x);
  lpmln_answer_free(y);
}

static void same_answers(void **state) {
  (void)state;
  const lpmln_bytes *bytes = compiled(":- not c.");
  lpmln_options o = options();
  lpmln_program *file = program_from(&o, bytes->bytes, bytes->length),
                *fresh = program_with(&o, text, ":- not c.");
  lpmln_answer_free(bytes);
  for (int round = 0; round < 2; round++) { /* the second with new weights */
    expect_same(lpmln_infer(file), lpmln_infer(fresh));
    const lpmln_models *m = lpmln_list(file, 0), *n = lpmln_list(fresh, 0);
    assert_string_equal(m->total, n->total);
    assert_int_equal(m->count, n->count);
    for (size_t i = 0; i < m->count; i++) {
      assert_int_equal(m->models[i].violated_count, n->models[i].violated_count);
      for (size_t k = 0; k < m->models[i].violated_count; k++) {
        assert_string_equal(m->models[i].violated[k].rule, n->models[i].violated[k].rule);
        assert_string_equal(m->models[i].violated[k].file, n->models[i].violated[k].file);
      }
    }
    lpmln_answer_free(m);
    lpmln_answer_free(n);
    lpmln_program_set_weight(file, "f(2)", -1.5), lpmln_program_set_weight(fresh, "f(2)", -1.5);
    lpmln_program_set_weight(file, "1", 3), lpmln_program_set_weight(fresh, "1", 3);
  }
  /* more evidence: about its atoms, and about anything */
  static const char *const more[] = {"not a.", ":- b, f(1)."};
  for (size_t i = 0; i < 2; i++) {
    lpmln_program_add_text(file, LPMLN_EVIDENCE, "more", more[i], strlen(more[i]));
    lpmln_program_add_text(fresh, LPMLN_EVIDENCE, "more", more[i], strlen(more[i]));
    expect_same(lpmln_infer(file), lpmln_infer(fresh));
  }
  lpmln_program_free(file);
  lpmln_program_free(fresh);
}

/* What the file tells is answered without grounding; for the rest it says what is missing. */
static void no_worker(void **state) {
  (void)state;
  static const char *const told[] = {"a.", "not b.", "c. not a.", ":- not b.", "f(1). not f(2)."};
  const lpmln_bytes *bytes = compiled(NULL);
  lpmln_options o = options(), none = options();
  none.worker = "/nowhere/lpmln-worker";
  for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
    lpmln_program *file = program_from(&none, bytes->bytes, bytes->length),
                  *fresh = program_with(&o, text, told[i]);
    lpmln_program_add_text(file, LPMLN_EVIDENCE, "e", told[i], strlen(told[i]));
    expect_same(lpmln_infer(file), lpmln_infer(fresh));
    const lpmln_models *m = lpmln_map(file), *n = lpmln_map(fresh);
    assert_int_equal(m->about.status, LPMLN_OK);
    assert_int_equal(m->count, n->count);
    assert_near(m->models->probability, n->models->probability, 1e-12);
    lpmln_answer_free(m);
    lpmln_answer_free(n);
    assert_int_equal(status_of(lpmln_draw(file, 5)), LPMLN_OK);
    lpmln_program_free(file);
    lpmln_program_free(fresh);
  }
  lpmln_program *file = program_from(&none, bytes->bytes, bytes->length);
  lpmln_program_add_text(file, LPMLN_EVIDENCE, "e", ":- a, b.", 8);
  const lpmln_inference *answer = lpmln_infer(file);
  assert_int_equal(answer->about.status, LPMLN_INTERNAL);
  assert_non_null(strstr(answer->about.messages, "/nowhere/lpmln-worker"));
  lpmln_answer_free(answer);
  lpmln_program_free(file);
  lpmln_answer_free(bytes);
}

/* Loaded and saved again, it is the same file. */
static void saved_again(void **state) {
  (void)state;
  const lpmln_bytes *bytes = compiled("c.");
  lpmln_model *model = lpmln_model_load(bytes->bytes, bytes->length, NULL);
  assert_non_null(model);
  const lpmln_bytes *again = lpmln_model_save(model);
  assert_int_equal(again->length, bytes->length);
  assert_memory_equal(again->bytes, bytes->bytes, bytes->length);
  lpmln_model_free(model);
  lpmln_answer_free(again);
  lpmln_answer_free(bytes);
}

static lpmln_status ask(const char *bytes, size_t length) {
  lpmln_options o = options();
  lpmln_program *p = program_from(&o, bytes, length);
  lpmln_status status = status_of(lpmln_infer(p));
  lpmln_program_free(p);
  const lpmln_answer *about;
  lpmln_model *model = lpmln_model_load(bytes, length, &about);
  assert_int_equal(model != NULL, about->status == LPMLN_OK);
  assert_true(model || *about->messages);
  lpmln_model_free(model);
  lpmln_answer_free(about);
  return status;
}

static void damage(void **state) {
  (void)state;
  const lpmln_bytes *from = compiled("c.");
  size_t length = from->length;
  char *bytes = malloc(length);
  memcpy(bytes, from->bytes, length);
  assert_int_equal(ask(bytes, length), LPMLN_OK);
  for (size_t i = 8; i < length; i += 7) {
    bytes[i] ^= 0x10;
    assert_int_equal(ask(bytes, length), LPMLN_INPUT);
    bytes[i] ^= 0x10;
  }
  for (size_t n = 8; n < length; n += 101)
    assert_int_equal(ask(bytes, n), LPMLN_INPUT);
  assert_null(lpmln_model_load(bytes, 0, NULL));
  assert_null(lpmln_model_load(NULL, 0, NULL));
  assert_null(lpmln_model_load(NULL, 100, NULL));
  free(bytes);
  lpmln_answer_free(from);
}

/* The checksum, as base/hash.h has it. */
static void sign(char *bytes, size_t length) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t k = 0; k < length - 8; k++) {
    h = (h ^ (unsigned char)bytes[k]) * 0x100000001b3u;
    h ^= h >> 29;
  }
  memcpy(bytes + length - 8, &h, sizeof h);
}

/* A right checksum over wrong bytes: every reference is checked. */
static void forgery(void **state) {
  (void)state;
  const lpmln_bytes *from = compiled("c.");
  size_t length = from->length, believed = 0;
  char *bytes = malloc(length);
  memcpy(bytes, from->bytes, length);
  sign(bytes, length);
  assert_memory_equal(bytes, from->bytes, length); /* the right checksum indeed */
  for (size_t i = 12; i + 8 < length; i += 5) {
    char kept = bytes[i];
    bytes[i] = (char)(bytes[i] ^ 0x41);
    sign(bytes, length);
    believed += ask(bytes, length) == LPMLN_OK; /* any answer, but no crash */
    bytes[i] = kept;
  }
  assert_true(believed > 0); /* in texts: else the checksum was wrong */
  free(bytes);
  lpmln_answer_free(from);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_answers), cmocka_unit_test(no_worker), cmocka_unit_test(saved_again),
      cmocka_unit_test(damage),       cmocka_unit_test(forgery),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
