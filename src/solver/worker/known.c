/* known.c - see known.h. */
#include "solver/worker/known.h"

#include "base/hash.h"
#include "solver/worker/bytes.h"

#include <assert.h>
#include <stdlib.h>

static KnownModel *place_of(const Known *k, KnownModel m) {
  assert(k->n < k->room);
  size_t i = m.first & (k->room - 1);
  while ((k->at[i].first || k->at[i].second) &&
         (k->at[i].first != m.first || k->at[i].second != m.second))
    i = (i + 1) & (k->room - 1);
  return &k->at[i];
}

static void grow(Known *k) {
  Known larger = {.n = k->n, .room = k->room ? 2 * k->room : 256};
  larger.at = allocate(larger.room, sizeof *larger.at);
  for (size_t i = 0; i < k->room; i++)
    if (k->at[i].first || k->at[i].second)
      *place_of(&larger, k->at[i]) = k->at[i];
  free(k->at);
  *k = larger;
}

bool known_add(Known *k, const uint8_t *model, size_t bytes) {
  if (k->n >= KNOWN_MOST)
    return true;
  if (2 * k->n >= k->room)
    grow(k);
  KnownModel m = {hash_bytes(HASH_START, model, bytes), 1};
  for (size_t i = 0; i < bytes; i++)
    m.second = hash_word(m.second, model[i]);
  KnownModel *to = place_of(k, m);
  if (to->first || to->second)
    return false;
  *to = m;
  k->n++;
  return true;
}

void known_free(Known *k) {
  free(k->at);
  *k = (Known){0};
}
