/* test_base.c - what everything stands on: memory, arenas, bytes, hashes, names, places and
** carets. */
#include "unit.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/caret.h"
#include "base/csv.h"
#include "base/diagnostic.h"
#include "base/digest.h"
#include "base/hash.h"
#include "base/names.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/seen.h"

#include <stdio.h>

/* ---- memory ------------------------------------------------------------------------------ */

static void guards(void **state) {
  (void)state;
  MemoryGuard outer, inner;
  volatile int reached = 0;
  if (memory_guard(&outer)) {
    reached |= 2;
  } else {
    if (memory_guard(&inner))
      reached |= 1;
    else
      memory_fail();
    memory_unguard(&inner);
    (void)memory_resize(NULL, SIZE_MAX / 2, 3); /* overflows */
    reached |= 4;
  }
  memory_unguard(&outer);
  assert_int_equal(reached, 3);
}

static void fail_at_five(void *data, size_t i) {
  (void)data;
  if (i == 5)
    memory_fail();
}

static bool fails_with(unsigned threads, size_t n) {
  MemoryGuard guard;
  bool out = memory_guard(&guard);
  if (!out)
    parallel_for(threads, n, fail_at_five, NULL);
  memory_unguard(&guard);
  return out;
}

/* Out of memory in a thread is so for the caller, whoever it happens to. */
static void threads_fail(void **state) {
  (void)state;
  for (unsigned threads = 0; threads < 5; threads++)
    assert_true(fails_with(threads, 9));
  assert_false(fails_with(3, 5));
  assert_false(fails_with(3, 0));
}

/* An element that could not be made is not there. */
static void pushes(void **state) {
  (void)state;
  VEC(char *) list = {0};
  MemoryGuard guard;
  if (!memory_guard(&guard))
    vec_push(&list, memory_resize(NULL, SIZE_MAX, 2));
  memory_unguard(&guard);
  assert_int_equal(list.n, 0);
  vec_free(&list);
}

static void texts(void **state) {
  (void)state;
  Text t = {0};
  for (int i = 0; i < 1000; i++)
    text_printf(&t, "%d,", i);
  assert_int_equal(t.n, strlen(t.at));
  assert_int_equal(t.n, 10 * 2 + 90 * 3 + 900 * 4);
  char *taken = text_take(&t);
  assert_true(!t.at && !t.n);
  assert_string_equal(taken + strlen(taken) - 4, "999,");
  free(taken);
}

/* ---- arenas ------------------------------------------------------------------------------- */

/* Nothing moves, nothing overlaps, everything is zero and aligned. */
static void arenas(void **state) {
  (void)state;
  enum { PIECES = 2000 };
  Arena arena = {0};
  Random random = random_make(1, 0);
  unsigned char *piece[PIECES];
  size_t size[PIECES];
  for (size_t i = 0; i < PIECES; i++) {
    size[i] = random_below(&random, i % 100 ? 60 : 5000);
    piece[i] = arena_zero(&arena, size[i], 1);
    assert_int_equal((uintptr_t)piece[i] % 16, 0);
    for (size_t k = 0; k < size[i]; k++)
      assert_int_equal(piece[i][k], 0);
    memset(piece[i], (int)(i & 0xff), size[i]);
  }
  for (size_t i = 0; i < PIECES; i++)
    for (size_t k = 0; k < size[i]; k++)
      assert_int_equal(piece[i][k], i & 0xff);
  arena_free(&arena);
  arena_free(&arena); /* empty: nothing to do */
}

static void arena_texts(void **state) {
  (void)state;
  Arena arena = {0};
  assert_null(arena_text(&arena, NULL));
  assert_string_equal(arena_text(&arena, ""), "");
  assert_string_equal(arena_printf(&arena, "%s-%d", "x", 7), "x-7");
  char *bytes = arena_bytes(&arena, "a\0b", 3);
  assert_memory_equal(bytes, "a\0b\0", 4);
  VEC(int) list = {0};
  for (int i = 0; i < 3000; i++)
    vec_push(&list, i);
  int *taken = arena_take(&arena, &list);
  assert_true(!list.at && !list.n && !list.room);
  for (int i = 0; i < 3000; i++)
    assert_int_equal(taken[i], i);
  assert_non_null(arena_take(&arena, &list)); /* of nothing */
  MemoryGuard guard;
  volatile bool failed = false;
  if (memory_guard(&guard))
    failed = true;
  else
    arena_zero(&arena, SIZE_MAX / 4, 8);
  memory_unguard(&guard);
  assert_true(failed);
  assert_string_equal(arena_text(&arena, "still"), "still");
  arena_free(&arena);
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static void round_trip(void **state) {
  (void)state;
  Text t = {0};
  VEC(uint32_t) list = {0}, back = {0}, none = {0};
  for (uint32_t i = 0; i < 5; i++)
    vec_push(&list, i * i);
  put_u8(&t, 200);
  put_u32(&t, 0xdeadbeef);
  put_u64(&t, UINT64_MAX - 1);
  put_string(&t, "a\0b", 3);
  put_vec(&t, &list);
  put_vec(&t, &none);
  put_u32(&t, (uint32_t)-5);
  Bytes b = bytes_of(t.at, t.n);
  uint32_t length;
  assert_int_equal(bytes_u8(&b), 200);
  assert_int_equal(bytes_u32(&b), 0xdeadbeef);
  assert_true(bytes_u64(&b) == UINT64_MAX - 1);
  const char *string = bytes_string(&b, &length);
  assert_int_equal(length, 3);
  assert_memory_equal(string, "a\0b", 3);
  bytes_vec(&b, &back);
  assert_int_equal(back.n, 5);
  assert_memory_equal(back.at, list.at, 5 * sizeof *list.at);
  bytes_vec(&b, &none);
  assert_int_equal(none.n, 0);
  assert_int_equal(bytes_i32(&b), -5);
  assert_true(!b.bad && !bytes_left(&b));
  vec_free(&list);
  vec_free(&back);
  vec_free(&none);
  vec_free(&t);
}

/* Once bad, always bad: everything reads as nothing, and nothing is allocated. */
static void expect_bad(Bytes *b) {
  uint32_t length = 7;
  char buffer[4] = "abc";
  VEC(uint64_t) list = {0};
  assert_true(b->bad);
  assert_int_equal(bytes_u8(b), 0);
  assert_int_equal(bytes_u32(b), 0);
  assert_int_equal(bytes_u64(b), 0);
  bytes_string(b, &length);
  assert_int_equal(length, 0);
  bytes_take(b, buffer, sizeof buffer);
  assert_memory_equal(buffer, "\0\0\0\0", 4);
  bytes_vec(b, &list);
  assert_int_equal(list.n, 0);
  assert_true(b->bad);
  vec_free(&list);
}

static void bad_readers(void **state) {
  (void)state;
  Text t = {0};
  put_u32(&t, 4); /* a string of 4 bytes, or 4 numbers, of which only some are there */
  put_bytes(&t, "abcd", 4);
  for (size_t n = 0; n < t.n; n++) {
    char *exact = malloc(n ? n : 1); /* what reads behind it is caught */
    memcpy(exact, t.at, n);
    uint32_t length;
    Bytes b = bytes_of(exact, n);
    bytes_string(&b, &length);
    assert_int_equal(length, 0);
    expect_bad(&b);
    b = bytes_of(exact, n);
    VEC(uint32_t) list = {0};
    bytes_vec(&b, &list);
    expect_bad(&b);
    vec_free(&list);
    free(exact);
  }
  static const uint32_t most[] = {UINT32_MAX, UINT32_MAX / 8 + 1, 2};
  for (size_t i = 0; i < sizeof most / sizeof *most; i++) { /* counts that overflow */
    t.n = 0;
    put_u32(&t, most[i]);
    put_bytes(&t, "abcdefgh", 8);
    Bytes b = bytes_of(t.at, t.n);
    assert_int_equal(bytes_count(&b, 8), 0);
    expect_bad(&b);
  }
  Bytes empty = bytes_of("", 0);
  assert_int_equal(bytes_u8(&empty), 0);
  expect_bad(&empty);
  vec_free(&t);
}

/* ---- hashes and names -------------------------------------------------------------------------
 */

/* The same on every machine, whether in one go or in pieces. */
static void hashes(void **state) {
  (void)state;
  static const char bytes[] = "the quick brown fox";
  uint64_t whole = hash_bytes(HASH_START, bytes, sizeof bytes);
  for (size_t cut = 0; cut <= sizeof bytes; cut++)
    assert_true(hash_bytes(hash_bytes(HASH_START, bytes, cut), bytes + cut, sizeof bytes - cut) ==
                whole);
  assert_true(hash_bytes(HASH_START, "", 0) == HASH_START);
  uint64_t plain = 0xaf63dc4c8601ec8cu; /* FNV-1a of "a", then the stir */
  assert_true(hash_bytes(HASH_START, "a", 1) == (plain ^ plain >> 29));
  enum { MANY = 20000 };
  uint64_t *seen = malloc(MANY * sizeof *seen);
  for (uint64_t i = 0; i < MANY; i++)
    seen[i] = i % 2 ? hash_bytes(HASH_START, &i, sizeof i) : hash_word(HASH_START, i);
  for (size_t bit = 0; bit < 64; bit++) { /* no bit stands still */
    size_t ones = 0;
    for (size_t i = 0; i < MANY; i++)
      ones += seen[i] >> bit & 1;
    assert_true(ones > MANY * 2 / 5 && ones < MANY * 3 / 5);
  }
  free(seen);
}

static void expect_digest(const char *bytes, size_t length, size_t step, const char *wanted) {
  Digest d = digest_begin();
  uint32_t words[8];
  char text[65];
  for (size_t at = 0; at < length; at += step)
    digest_add(&d, bytes + at, step < length - at ? step : length - at);
  digest_end(&d, words);
  for (int i = 0; i < 8; i++)
    snprintf(text + 8 * i, 9, "%08x", words[i]);
  assert_string_equal(text, wanted);
}

/* The examples of FIPS 180-4, and lengths around a block, in pieces. */
static void digests(void **state) {
  (void)state;
  static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  char *many = memory_zero(1000000, 1);
  memset(many, 'a', 1000000);
  expect_digest("", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect_digest("abc", 3, 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect_digest(two, 56, 5, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  expect_digest(many, 64, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  expect_digest(many, 55, 64, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  expect_digest(many, 1000000, 777,
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  free(many);
}

/* Against names, which have numbers by the same rule. */
static void records(void **state) {
  (void)state;
  Random random = random_make(4, 0);
  Seen seen = {0};
  Names known = {0};
  for (int i = 0; i < 5000; i++) {
    char text[8];
    size_t length = (size_t)random_below(&random, 6);
    for (size_t k = 0; k < length; k++)
      text[k] = (char)('a' + random_below(&random, 4));
    assert_int_equal(seen_add(&seen, text, length), names_add(&known, text, length));
  }
  assert_int_equal(seen.ends.n, known.list.n);
  assert_true(known.list.n > 500 && known.list.n < 5000);
  names_free(&known);
  seen_free(&seen);
}

static void names(void **state) {
  (void)state;
  Names n = {0};
  char text[32];
  assert_int_equal(names_find(&n, "x", 1), UINT32_MAX);
  for (uint32_t i = 0; i < 5000; i++) {
    size_t length = (size_t)snprintf(text, sizeof text, "name%u", i / 2);
    assert_int_equal(names_add(&n, text, length), i / 2);
  }
  assert_int_equal(n.list.n, 2500);
  assert_int_equal(names_find(&n, "name2499", 8), 2499);
  assert_int_equal(names_find(&n, "name2499", 7), 249); /* by length, not by NUL */
  assert_int_equal(names_find(&n, "name2500", 8), UINT32_MAX);
  assert_int_equal(names_add(&n, "", 0), 2500);
  assert_int_equal(names_find(&n, "", 0), 2500);
  names_free(&n);
}

/* ---- places and carets --------------------------------------------------------------------------
 */

static void expect_caret(lpmln_diagnostic d, const char *wanted) {
  Text t = {0};
  caret_write(&t, &d);
  assert_string_equal(t.at, wanted);
  vec_free(&t);
}

static void carets(void **state) {
  (void)state;
  expect_caret((lpmln_diagnostic){.severity = LPMLN_NOTE, .message = "well"},
               "lpmln: note: well\n");
  expect_caret((lpmln_diagnostic){LPMLN_ERROR, "f", 2, 5, 3, "no", "do", "a :- bcd."},
               "f:2:5: error: no\n    a :- bcd.\n        ^~~\n    hint: do\n");
  expect_caret((lpmln_diagnostic){LPMLN_WARNING, "f", 1, 1, 0, "hm", NULL, "x"},
               "f:1:1: warning: hm\n    x\n    ^\n");
  expect_caret((lpmln_diagnostic){LPMLN_WARNING, "f", 1, 2, 1, "hm", NULL, ""}, /* no line */
               "f:1:2: warning: hm\n");
  expect_caret((lpmln_diagnostic){LPMLN_ERROR, "f", 1, 3, 1, "tab", NULL, "\ta\tb"},
               "f:1:3: error: tab\n    \ta\tb\n    \t ^\n");
  expect_caret((lpmln_diagnostic){LPMLN_ERROR, "f", 1, 6, 3, "utf", NULL, "p(\xc3\xa4,\xc3\xb6)"},
               "f:1:6: error: utf\n    p(\xc3\xa4,\xc3\xb6)\n        ^~\n");
  expect_caret((lpmln_diagnostic){LPMLN_ERROR, "f", 1, 1, 1, "\x1b[2Jgone", NULL, "\x1b[31m\x7f"},
               "f:1:1: error: \\x1b[2Jgone\n    ?[31m?\n    ^\n");
  expect_caret(
      (lpmln_diagnostic){LPMLN_ERROR, "f", 1, 2, 1, "end", NULL, "a"}, /* behind the line */
      "f:1:2: error: end\n    a\n     ^\n");
}

/* Long lines are cut; the caret stays under its place, whatever it is. */
static void long_lines(void **state) {
  (void)state;
  enum { LENGTH = 1000 };
  char line[LENGTH + 1];
  for (int wide = 0; wide < 2; wide++)
    for (unsigned column = 1; column <= LENGTH + 3; column += 7) {
      for (size_t i = 0; i < LENGTH; i++)
        line[i] = wide ? (char)(i % 2 ? 0xa4 : 0xc3) : (char)('a' + i % 26);
      line[LENGTH] = 0;
      unsigned at = wide ? (column - 1) / 2 * 2 + 1 : column;
      Text t = {0};
      caret_write(&t, &(lpmln_diagnostic){LPMLN_ERROR, "f", 1, at, 2000, "m", NULL, line});
      const char *shown = strchr(t.at, '\n') + 5, *end = strchr(shown, '\n');
      assert_true(end - shown <= 170);
      const char *caret = strchr(end + 1, '^');
      assert_non_null(caret);
      size_t columns = (size_t)(caret - end) - 5, bytes = columns * (wide ? 2 : 1);
      if (at <= LENGTH)
        assert_int_equal(shown[bytes], line[at - 1]);
      assert_true((unsigned char)*shown != 0xa4); /* cut between characters */
      vec_free(&t);
    }
}

static void positions(void **state) {
  (void)state;
  Sources s = {0};
  uint32_t source = source_add(&s, "f", memory_copy("ab\n\ncd", 6), 6);
  const Source *f = &s.list.at[source];
  static const unsigned line[] = {1, 1, 1, 2, 3, 3, 3, 3}, column[] = {1, 2, 3, 1, 1, 2, 3, 3};
  for (uint32_t i = 0; i < 8; i++) {
    Position p = source_position(f, i);
    assert_int_equal(p.line, line[i]);
    assert_int_equal(p.column, column[i]);
    assert_true(p.start + p.length <= 6);
  }
  sources_free(&s);
}

/* Many alike, and what was said already, are not said again. */
static void diagnostics(void **state) {
  (void)state;
  Sources s = {0};
  Diagnostics d = {.sources = &s};
  source_add(&s, "f", memory_copy("abc", 3), 3);
  diagnose_error(&d, NOWHERE, NULL, "wrong %d", 1);
  diagnose_error(&d, NOWHERE, NULL, "wrong %d", 1);
  assert_int_equal(d.list.n, 1);
  diagnose_note(&d, ((Place){0, 1, 1}), "hint", "here");
  assert_int_equal(d.list.n, 2);
  assert_int_equal(d.errors, 2); /* repeats count */
  for (uint32_t i = 0; i < 5000; i++)
    diagnose_warning(&d, NOWHERE, NULL, "number %u", i);
  assert_true(d.list.n < 500);
  diagnostics_keep(&d, 1, 1);
  assert_int_equal(d.list.n, 1);
  assert_int_equal(d.errors, 1);
  diagnostics_free(&d);
  sources_free(&s);
}

/* ---- cells of tables ------------------------------------------------------------------- */

static const char *expect_cell(const char *at, char separator, const char *wanted, bool last) {
  Text cell = {0};
  CsvCell about;
  at = csv_cell(at, separator, &cell, &about);
  assert_string_equal(cell.at, wanted);
  assert_int_equal(about.last, last);
  assert_false(about.endless);
  vec_free(&cell);
  return at;
}

static void test_csv(void **state) {
  (void)state;
  const char *at = "\"p(1,2)\",\"say \"\"hi\"\"\",\r\n1\t2\n";
  assert_int_equal(csv_separator(at), ',');
  assert_int_equal(csv_separator("a,b\tc\n"), '\t');
  at = expect_cell(at, ',', "p(1,2)", false);
  at = expect_cell(at, ',', "say \"hi\"", false);
  at = expect_cell(at, ',', "", true);
  at = expect_cell(at, '\t', "1", false);
  at = expect_cell(at, '\t', "2", true);
  assert_int_equal(*at, 0);
  Text cell = {0};
  CsvCell about;
  csv_cell("\"never", ',', &cell, &about);
  assert_true(about.endless && about.last);
  vec_free(&cell);
  assert_int_equal(csv_truth("TRUE"), '1');
  assert_int_equal(csv_truth("0.0"), '0');
  assert_int_equal(csv_truth("NA"), '?');
  assert_int_equal(csv_truth(""), '?');
  assert_int_equal(csv_truth("2"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(guards),      cmocka_unit_test(threads_fail), cmocka_unit_test(pushes),
      cmocka_unit_test(texts),       cmocka_unit_test(arenas),       cmocka_unit_test(arena_texts),
      cmocka_unit_test(round_trip),  cmocka_unit_test(bad_readers),  cmocka_unit_test(hashes),
      cmocka_unit_test(names),       cmocka_unit_test(carets),       cmocka_unit_test(long_lines),
      cmocka_unit_test(digests),     cmocka_unit_test(records),      cmocka_unit_test(positions),
      cmocka_unit_test(diagnostics), cmocka_unit_test(test_csv),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
