/* program.c - the public program: texts and options. */
#include "api/handle.h"
#include "api/valid.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "dialects/dialect.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"
#include "solver/client.h"
#include "write/target.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *lpmln_version(void) { return LPMLN_VERSION; }
int lpmln_abi(void) { return LPMLN_ABI; }

const char *lpmln_method_name(lpmln_method method) {
  static const char *const names[] = {"auto",      "exact",       "mc-asp",
                                      "enumerate", "closed-form", "bounds"};
  return (unsigned)method <= LPMLN_BOUNDS ? names[method] : "unknown";
}

const char *lpmln_guarantee_name(lpmln_guarantee guarantee) {
  static const char *const names[] = {"exact", "near-uniform", "heuristic", "bounds"};
  return (unsigned)guarantee <= LPMLN_CERTAIN ? names[guarantee] : "unknown";
}

const lpmln_choice *lpmln_dialects(size_t *count) { return dialect_choices(count); }
const lpmln_choice *lpmln_targets(size_t *count) { return target_choices(count); }

lpmln_options lpmln_options_default(void) {
  return (lpmln_options){
      .method = LPMLN_AUTO,
      .threads = 1,
      .memory_limit = 4096,
      .compile_limit = -1,
      .sampling = {.chains = 4, .burn_in = SIZE_MAX, .thin = 1, .block_moves = SIZE_MAX}};
}

/* ---- new and free ---------------------------------------------------------------------- */

/* False: memory is out. */
static bool own_text(const char **text) {
  char *copy = *text ? strdup(*text) : NULL;
  bool good = copy || !*text;
  *text = copy;
  return good;
}

lpmln_program *lpmln_program_new(const lpmln_options *options) {
  lpmln_program *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  pthread_mutex_init(&p->workers.lock, NULL);
  p->options = options ? *options : lpmln_options_default();
  bool good = own_text(&p->options.dialect);
  good = own_text(&p->options.include_root) && good;
  good = own_text(&p->options.worker) && good;
  good = own_text(&p->options.closed) && good;
  good = own_text(&p->options.open) && good;
  p->worker.wanted = p->options.worker;
  if (!good) {
    lpmln_program_free(p);
    return NULL;
  }
  return p;
}

lpmln_program *lpmln_program_of(const char *text) {
  lpmln_program *p = lpmln_program_new(NULL);
  if (p && text &&
      lpmln_program_add_text(p, LPMLN_PROGRAM, "<text>", text, strlen(text)) == LPMLN_OK)
    return p;
  lpmln_program_free(p);
  return NULL;
}

void lpmln_program_free(lpmln_program *p) {
  if (!p)
    return;
  program_forget(p);
  worker_free(&p->worker);
  pthread_mutex_destroy(&p->workers.lock);
  for (size_t i = 0; i < p->inputs.n; i++) {
    free(p->inputs.at[i].name);
    free(p->inputs.at[i].bytes);
  }
  for (size_t i = 0; i < p->queries.n; i++)
    free(p->queries.at[i]);
  for (size_t i = 0; i < p->constants.n; i++)
    free(p->constants.at[i]);
  for (size_t i = 0; i < p->new_weights.n; i++)
    free(p->new_weights.at[i].name);
  vec_free(&p->inputs);
  for (size_t i = 0; i < p->interventions.n; i++)
    free(p->interventions.at[i]);
  vec_free(&p->interventions);
  vec_free(&p->queries);
  vec_free(&p->constants);
  vec_free(&p->new_weights);
  free((char *)(uintptr_t)p->options.dialect);
  free((char *)(uintptr_t)p->options.include_root);
  free((char *)(uintptr_t)p->options.worker);
  free((char *)(uintptr_t)p->options.closed);
  free((char *)(uintptr_t)p->options.open);
  free(p);
}

lpmln_status lpmln_program_share(lpmln_program *p, const lpmln_ranks *ranks) {
  if (!p)
    return LIMIT;
  if (ranks && (valid_ranks(ranks) || ranks->rank))
    return USAGE;
  p->share.ranks = ranks ? *ranks : (lpmln_ranks){0};
  return OK;
}

/* ---- what is added --------------------------------------------------------------------- */

/* Adds one thing, or leaves everything as it was: LIMIT. */
typedef void (*Adding)(lpmln_program *, const void *what);

static Status add(lpmln_program *p, Adding adding, const void *what) {
  MemoryGuard guard;
  volatile Status status = OK;
  if (!p)
    return LIMIT;
  if (memory_guard(&guard))
    status = LIMIT;
  else
    adding(p, what);
  memory_unguard(&guard);
  return status;
}

static void add_input(lpmln_program *p, const void *what) {
  const Input *from = what;
  vec_reserve(&p->inputs, 1);
  Input input = {.role = from->role, .length = from->length};
  input.name = memory_copy(from->name, strlen(from->name));
  if (from->bytes)
    input.bytes = memory_copy(from->bytes, from->length);
  vec_push(&p->inputs, input);
  program_forget(p);
}

static bool known_role(lpmln_role role) { return (unsigned)role <= LPMLN_TEST_DATA; }

lpmln_status lpmln_program_add_file(lpmln_program *p, lpmln_role role, const char *path) {
  if (!path || !known_role(role))
    return USAGE;
  return add(p, add_input, &(Input){.role = role, .name = (char *)(uintptr_t)path});
}

lpmln_status lpmln_program_add_text(lpmln_program *p, lpmln_role role, const char *name,
                                    const char *bytes, size_t length) {
  if (!name || !bytes || !known_role(role))
    return USAGE;
  return add(p, add_input,
             &(Input){.role = role,
                      .name = (char *)(uintptr_t)name,
                      .bytes = (char *)(uintptr_t)bytes,
                      .length = length});
}

static void add_query(lpmln_program *p, const void *query) {
  vec_reserve(&p->queries, 1);
  vec_push(&p->queries, memory_copy(query, strlen(query)));
  program_forget(p);
}

lpmln_status lpmln_program_add_query(lpmln_program *p, const char *query) {
  return query ? add(p, add_query, query) : USAGE;
}

static void add_intervention(lpmln_program *p, const void *literals) {
  vec_reserve(&p->interventions, 1);
  vec_push(&p->interventions, memory_copy(literals, strlen(literals)));
  program_forget(p);
}

lpmln_status lpmln_program_do(lpmln_program *p, const char *literals) {
  return literals ? add(p, add_intervention, literals) : USAGE;
}

typedef struct {
  const char *name, *value;
} Constant;

static void add_constant(lpmln_program *p, const void *what) {
  const Constant *constant = what;
  Text text = {0};
  vec_reserve(&p->constants, 1);
  text_printf(&text, "%s=%s", constant->name, constant->value);
  vec_push(&p->constants, text_take(&text));
  program_forget(p);
}

lpmln_status lpmln_program_define(lpmln_program *p, const char *name, const char *value) {
  return name && value ? add(p, add_constant, &(Constant){name, value}) : USAGE;
}

static void forget_weight(lpmln_program *p, const char *name) {
  for (size_t i = 0; i < p->new_weights.n; i++)
    if (!strcmp(p->new_weights.at[i].name, name)) {
      free(p->new_weights.at[i].name);
      p->new_weights.at[i] = p->new_weights.at[--p->new_weights.n];
      return;
    }
}

static void add_weight(lpmln_program *p, const void *what) {
  const NewWeight *weight = what;
  if (isnan(weight->value)) {
    forget_weight(p, weight->name);
    return;
  }
  vec_reserve(&p->new_weights, 1);
  NewWeight copy = {memory_copy(weight->name, strlen(weight->name)), weight->value};
  forget_weight(p, copy.name);
  vec_push(&p->new_weights, copy);
}

lpmln_status lpmln_program_set_weight(lpmln_program *p, const char *parameter, double value) {
  if (!parameter || isinf(value))
    return USAGE;
  return add(p, add_weight, &(NewWeight){(char *)(uintptr_t)parameter, value});
}

/* ---- while a question is under way ------------------------------------------------------ */

void lpmln_program_interrupt(lpmln_program *p) {
  if (p)
    atomic_store(&p->stop, true);
}

lpmln_progress lpmln_program_progress(lpmln_program *p) {
  lpmln_progress now = {LPMLN_IDLE, 0, NAN, NAN, NAN};
  if (!p)
    return now;
  now.stage = (lpmln_stage)atomic_load(&p->progress.stage);
  now.models = atomic_load(&p->progress.models);
  double until = atomic_load(&p->progress.until);
  if (until > 0)
    now.seconds_left = fmax(0, until - clock_now());
  if (now.stage == LPMLN_BOUNDING || now.stage == LPMLN_COMPILING)
    now.explored = atomic_load(&p->progress.explored);
  if (now.stage == LPMLN_BOUNDING)
    now.width = atomic_load(&p->progress.width);
  return now;
}
