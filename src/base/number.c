/* number.c - see number.h. */
#include "base/number.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands between the digits is the locale's decimal point, of one byte or more. */
static void set_point(char *text) {
  static const char digits[] = "0123456789";
  char *at = text + (*text == '-');
  size_t whole = strspn(at, digits);
  if (!whole)
    return; /* inf, nan */
  at += whole;
  if (!*at || *at == '.' || *at == 'e')
    return;
  size_t width = strcspn(at, digits);
  assert(at[width]); /* printf writes no point without digits behind it */
  *at = '.';
  memmove(at + 1, at + width, strlen(at + width) + 1);
}

NumberText number_as(char style, int digits, double value) {
  assert(digits >= 0 && digits <= NUMBER_DIGITS);
  assert(style == 'f' || style == 'e' || style == 'g');
  NumberText to;
  int n = style == 'f'   ? snprintf(to.text, sizeof to.text, "%.*f", digits, value)
          : style == 'e' ? snprintf(to.text, sizeof to.text, "%.*e", digits, value)
                         : snprintf(to.text, sizeof to.text, "%.*g", digits, value);
  assert(n > 0 && n < NUMBER_ROOM);
  (void)n;
  set_point(to.text);
  return to;
}

NumberText number_close(double value, int least, double within) {
  enum { ALWAYS_ENOUGH = 17 }; /* decimal digits of a double */
  assert(least >= 1 && least <= ALWAYS_ENOUGH && within >= 0);
  NumberText text = {{0}};
  for (int digits = least; digits <= ALWAYS_ENOUGH; digits++) {
    const char *end;
    double again;
    text = number_as('g', digits, value);
    if (!number_parse(text.text, &end, &again) || again == value || fabs(again - value) <= within)
      break;
  }
  return text;
}

void number_write(Text *to, double value) { text_puts(to, number_close(value, 15, 0).text); }

void number_fixed(Text *to, double value, int digits) {
  text_puts(to, number_as('f', digits, value).text);
}

/* The C library keeps one C locale: this neither allocates there nor fails. */
bool number_parse(const char *text, const char **end, double *value) {
  assert(text && end && value);
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!plain)
    memory_fail();
  char *stop;
  *value = strtod_l(text, &stop, plain);
  freelocale(plain);
  assert(stop >= text);
  *end = stop;
  return stop != text;
}
