/* number.h - numbers as text, in no locale: the decimal point is a point.
**
** A program that uses the library may have set any locale, and what we write is read
** again, by us and by others.  Nothing here looks at the locale or changes it. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include "base/memory.h"

#include <stdbool.h>

enum { NUMBER_ROOM = 352, NUMBER_DIGITS = 20 }; /* -DBL_MAX with so many digits fits */

typedef struct {
  char text[NUMBER_ROOM];
} NumberText;

/* As printf's %.*f, %.*e or %.*g: `style` is that letter, `digits` at most NUMBER_DIGITS. */
NumberText number_as(char style, int digits, double);

/* For the arguments of a printf: the text lives until the statement ends. */
#define NUMBER_FIXED(value, digits) (number_as('f', (digits), (value)).text)
#define NUMBER_SHORT(value, digits) (number_as('g', (digits), (value)).text)

/* With as few digits as number_parse needs to come within this distance of the value, from
** `least` on; at most 17, which tell every double. */
NumberText number_close(double, int least, double within);

/* With 15 digits, or 16 or 17 if number_parse reads the same number only then. */
void number_write(Text *, double);

void number_fixed(Text *, double, int digits); /* digits after the point */

/* Reads what strtod reads in the C locale.  False: there is no number.  *end is what
** follows it.  What is too large is infinite: the caller asks whether it is finite. */
bool number_parse(const char *text, const char **end, double *value);

#endif
