/* plain.h - texts of users on their way to a terminal: nothing in them may command it. */
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

/* The length of the character that begins at `text`.  `*control`: it is one of C0 (but no tab),
** DEL, of C1 in UTF-8, one that turns the direction of text, or a byte that is not UTF-8. */
size_t plain_character(const char *text, size_t length, bool *control);

/* Control characters as \x1b; those of `kept` stay. */
void plain_write(Text *, const char *text, size_t length, const char *kept);

#endif
