/* plain.c - see plain.h. */
#include "base/plain.h"

#include <assert.h>
#include <string.h>

/* Of UTF-8; 0: it is none. */
static size_t sequence(const unsigned char *c, size_t length) {
  size_t n = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < n; i++)
    if (i == length || (c[i] & 0xc0) != 0x80)
      return 0;
  return n;
}

static bool commands(const unsigned char *c, size_t n) {
  if (n == 1)
    return (*c < 32 && *c != '\t') || *c == 127;
  if (n == 2)
    return c[0] == 0xc2 && c[1] < 0xa0;
  bool embeds = c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae;   /* U+202A to U+202E */
  bool isolates = c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9; /* U+2066 to U+2069 */
  return n == 3 && c[0] == 0xe2 && (embeds || isolates);
}

size_t plain_character(const char *text, size_t length, bool *control) {
  assert(text && length);
  const unsigned char *c = (const unsigned char *)text;
  size_t n = sequence(c, length);
  *control = !n || commands(c, n);
  return n ? n : 1;
}

static bool is_plain(char c) { return c >= ' ' && c < 127; }

void plain_write(Text *to, const char *text, size_t length, const char *kept) {
  assert(kept && (text || !length));
  size_t from = 0;
  bool control;
  for (size_t i = 0, n; i < length; i += n) {
    n = is_plain(text[i]) ? 1 : 0; /* most are */
    if (n)
      continue;
    n = plain_character(text + i, length - i, &control);
    if (!control || (text[i] && strchr(kept, text[i])))
      continue;
    text_add(to, text + from, i - from);
    for (size_t k = 0; k < n; k++)
      text_printf(to, "\\x%02x", (unsigned char)text[i + k]);
    from = i + n;
  }
  text_add(to, text + from, length - from);
}
