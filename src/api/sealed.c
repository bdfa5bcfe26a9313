/* sealed.c - see sealed.h. */
#include "api/sealed.h"

#include "ground/ground.h"

#include <assert.h>
#include <stdlib.h>

Sealed *sealed_new(void) {
  Sealed *s = memory_zero(1, sizeof *s);
  atomic_store(&s->holders, 1);
  s->hard_bound = NONE;
  return s;
}

Sealed *sealed_keep(Sealed *s) {
  size_t before = atomic_fetch_add(&s->holders, 1);
  assert(before > 0);
  (void)before;
  return s;
}

void sealed_end_dialects(Sealed *s) {
  for (size_t i = 0; s->dialects && i < dialect_kind_count; i++)
    dialect_free(&s->dialects[i]);
  free(s->dialects);
  s->dialects = NULL;
}

void sealed_free(Sealed *s) {
  assert(!s || atomic_load(&s->holders));
  if (!s || atomic_fetch_sub(&s->holders, 1) > 1)
    return;
  for (size_t i = 0; i < s->queries.n; i++)
    free(s->queries.at[i]);
  for (size_t i = 0; i < s->constants.n; i++)
    free(s->constants.at[i]);
  for (size_t i = 0; i < s->interventions.n; i++)
    free(s->interventions.at[i]);
  vec_free(&s->interventions);
  free(s->open);
  vec_free(&s->queries);
  vec_free(&s->constants);
  vec_free(&s->texts);
  sealed_end_dialects(s);
  grounded_free(&s->is);
  program_free(&s->program);
  free(s->noise);
  free(s);
}
