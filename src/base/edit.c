/* edit.c - see edit.h. */
#include "base/edit.h"

#include <assert.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned edit_distance(const char *a, size_t n, const char *b, size_t m) {
  assert((a || !n) && (b || !m));
  if (n > EDIT_LONGEST || m > EDIT_LONGEST)
    return n == m && !memcmp(a, b, n) ? 0 : (unsigned)(n > m ? n : m);
  unsigned rows[3][EDIT_LONGEST + 1]; /* of the last letters of a, in turn */
  for (unsigned j = 0; j <= m; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    unsigned *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
    now[0] = (unsigned)i;
    for (size_t j = 1; j <= m; j++) {
      now[j] = least(least(now[j - 1], before[j]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least(now[j], earlier[j - 2] + 1);
    }
  }
  return rows[n % 3][m];
}

unsigned edit_slips(size_t length) { return length < 3 ? 1 : length < 8 ? 2 : 3; }
