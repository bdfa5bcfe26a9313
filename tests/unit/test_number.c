/* test_number.c - numbers as text: what is written is read again, bit by bit, in any locale. */
#include "unit.h"

#include "base/number.h"
#include "base/random.h"
#include "comma.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { NUMBERS = 200000 };

static bool same(double x, double y) { return !memcmp(&x, &y, sizeof x); }

static double random_double(Random *random, size_t i) {
  double x;
  uint64_t bits = random_bits(random);
  if (i % 3 == 0)
    return (double)(int64_t)bits / 1e6;
  if (i % 3 == 1)
    return (double)(bits % 2000001) / 1000 - 1000;
  memcpy(&x, &bits, sizeof x); /* any exponent */
  return isfinite(x) ? x : 0.1;
}

static void expect_round_trip(double x) {
  Text t = {0};
  const char *end;
  double y;
  number_write(&t, x);
  assert_null(strchr(t.at, ','));
  assert_true(number_parse(t.at, &end, &y));
  assert_true(!*end && same(x, y));
  vec_free(&t);
}

static void check_numbers(void) {
  static const double special[] = {0,       -0.0,    1,      0.1,      1e22, 1e23, 5e-324,
                                   -5e-324, 1e308,   1e-308, 1e15,     1e16, 1e17, 0.3,
                                   M_PI,    2.0 / 3, -1e100, 123456.7, 1e-5, 1e-4};
  Random random = random_make(3, 0);
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    expect_round_trip(special[i]);
  for (size_t i = 0; i < NUMBERS; i++)
    expect_round_trip(random_double(&random, i));
  const char *end;
  double x;
  assert_true(number_parse("1.5,2", &end, &x) && x == 1.5 && *end == ',');
  assert_true(number_parse("1,5", &end, &x) && x == 1 && *end == ',');
  assert_true(number_parse(" -1e3x", &end, &x) && x == -1000 && *end == 'x');
  assert_true(number_parse("1e999", &end, &x) && isinf(x));
  assert_false(number_parse("", &end, &x));
  assert_false(number_parse("x", &end, &x));
  assert_false(number_parse(",5", &end, &x));
  assert_string_equal(NUMBER_FIXED(1234567.891, 2), "1234567.89");
  assert_string_equal(NUMBER_SHORT(0.00001234, 3), "1.23e-05");
  assert_string_equal(number_as('e', 2, -12345).text, "-1.23e+04");
  assert_string_equal(NUMBER_FIXED(-1.7976931348623157e308, 0) + 300, "4124858368");
  Text t = {0};
  number_fixed(&t, 0.125, 3);
  text_puts(&t, " ");
  number_write(&t, 0.1);
  assert_string_equal(t.at, "0.125 0.1");
  vec_free(&t);
}

static void plain(void **state) {
  (void)state;
  check_numbers();
}

static void comma(void **state) {
  (void)state;
  char text[16];
  if (!comma_begin()) {
    print_message("skipped: 1 × numbers in a locale with a comma: localedef can't make one\n");
    skip();
  }
  snprintf(text, sizeof text, "%g", 1.5);
  assert_string_equal(text, "1,5"); /* the locale is there */
  check_numbers();
  snprintf(text, sizeof text, "%g", 1.5);
  assert_string_equal(text, "1,5"); /* and nobody changed it */
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plain), cmocka_unit_test(comma)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
