/* fresh.c - names that no name of the user's starts with; see script.h. */
#include "ground/script.h"

#include "base/memory.h"
#include "language/lexer.h"
#include "language/program.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool name_used(const Program *p, const char *prefix) {
  assert(*prefix);
  size_t n = strlen(prefix);
  for (size_t u = 0; u < p->units.n; u++) {
    const Unit *unit = &p->units.at[u];
    const char *bytes = p->sources.list.at[unit->source].bytes;
    for (size_t i = 0; i < unit->tokens.n; i++) {
      const Token *t = &unit->tokens.at[i];
      if ((t->kind == T_IDENTIFIER || t->kind == T_VARIABLE) && t->length >= n &&
          !strncmp(bytes + t->offset, prefix, n))
        return true;
    }
  }
  return false;
}

char *fresh_name(const Program *p, const char *stem, bool prefix) {
  Text text = {0};
  text_printf(&text, "%s%s", stem, prefix ? "_" : "");
  for (unsigned k = 1; name_used(p, text.at); k++) {
    text.n = 0;
    text_printf(&text, "%s_%u%s", stem, k, prefix ? "_" : "");
  }
  return text_take(&text);
}
