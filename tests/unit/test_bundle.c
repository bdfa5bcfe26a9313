/* test_bundle.c - compiled files: same answers, new weights, damage refused. */
#include "unit.h"

#include "lpmln/lpmln.h"

#include <math.h>

static const char text[] = "@w(1,0.7) a. @w(2) b :- a. { c }. d :- c, not b. 2 :- d, a.\n"
                           "e(1..2) :- c. @w(f(X)) f(X) :- e(X).";

static lpmln *problem(const char *bytes, size_t length) {
  lpmln_options o = lpmln_options_default();
  o.worker = getenv("LPMLN_TEST_WORKER");
  lpmln *p = lpmln_new(&o);
  assert_int_equal(lpmln_add_text(p, LPMLN_PROGRAM, "program", bytes, length), LPMLN_OK);
  return p;
}

static char *compiled(size_t *length) {
  lpmln *p = problem(text, sizeof text - 1);
  assert_int_equal(lpmln_add_text(p, LPMLN_EVIDENCE, "e", ":- not c.", 9), LPMLN_OK);
  const char *bytes;
  assert_int_equal(lpmln_compile(p, &bytes, length), LPMLN_OK);
  char *copy = malloc(*length);
  memcpy(copy, bytes, *length);
  lpmln_free(p);
  return copy;
}

static void same_answers(void **state) {
  (void)state;
  size_t length;
  char *bytes = compiled(&length);
  lpmln *file = problem(bytes, length), *fresh = problem(text, sizeof text - 1);
  lpmln_add_text(fresh, LPMLN_EVIDENCE, "e", ":- not c.", 9);
  for (int round = 0; round < 2; round++) { /* the second with new weights */
    const lpmln_inference *x, *y;
    assert_int_equal(lpmln_infer(file, &x), LPMLN_OK);
    assert_int_equal(lpmln_infer(fresh, &y), LPMLN_OK);
    assert_true(fabs(x->log_partition - y->log_partition) < 1e-12);
    assert_true(fabs(x->log_evidence - y->log_evidence) < 1e-12);
    assert_int_equal(x->count, y->count);
    for (size_t i = 0; i < x->count; i++) {
      assert_string_equal(x->marginals[i].atom, y->marginals[i].atom);
      assert_true(fabs(x->marginals[i].probability - y->marginals[i].probability) < 1e-12);
    }
    const lpmln_models *m, *n;
    assert_int_equal(lpmln_list_models(file, 0, &m), LPMLN_OK);
    assert_int_equal(lpmln_list_models(fresh, 0, &n), LPMLN_OK);
    assert_string_equal(m->total, n->total);
    assert_string_equal(m->models[0].violated_count ? m->models[0].violated[0].rule : "",
                        n->models[0].violated_count ? n->models[0].violated[0].rule : "");
    lpmln_set_weight(file, "f(2)", -1.5), lpmln_set_weight(fresh, "f(2)", -1.5);
    lpmln_set_weight(file, "1", 3), lpmln_set_weight(fresh, "1", 3);
  }
  /* more evidence: grounded and compiled anew from the texts in the file */
  const lpmln_inference *x;
  assert_int_equal(lpmln_add_text(file, LPMLN_EVIDENCE, "more", "not a.", 6), LPMLN_OK);
  assert_int_equal(lpmln_infer(file, &x), LPMLN_OK);
  lpmln_free(file);
  lpmln_free(fresh);
  free(bytes);
}

static lpmln_status ask(const char *bytes, size_t length) {
  lpmln *p = problem(bytes, length);
  const lpmln_inference *answer;
  lpmln_status status = lpmln_infer(p, &answer);
  lpmln_free(p);
  return status;
}

static void damage(void **state) {
  (void)state;
  size_t length;
  char *bytes = compiled(&length);
  assert_int_equal(ask(bytes, length), LPMLN_OK);
  for (size_t i = 8; i < length; i += 7) {
    bytes[i] ^= 0x10;
    assert_int_equal(ask(bytes, length), LPMLN_INPUT);
    bytes[i] ^= 0x10;
  }
  for (size_t n = 8; n < length; n += 101)
    assert_int_equal(ask(bytes, n), LPMLN_INPUT);
  free(bytes);
}

/* A right checksum over wrong bytes: every reference is checked. */
static void forgery(void **state) {
  (void)state;
  size_t length;
  char *bytes = compiled(&length);
  for (size_t i = 12; i + 8 < length; i += 5) {
    char kept = bytes[i];
    bytes[i] = (char)(bytes[i] ^ 0x41);
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t k = 0; k < length - 8; k++)
      h = (h ^ (unsigned char)bytes[k]) * 0x100000001b3u;
    memcpy(bytes + length - 8, &h, sizeof h);
    ask(bytes, length); /* any answer, but no crash */
    bytes[i] = kept;
  }
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_answers),
      cmocka_unit_test(damage),
      cmocka_unit_test(forgery),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
