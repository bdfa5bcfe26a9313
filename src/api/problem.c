/* problem.c - see problem.h. */
#include "api/problem.h"

#include "api/bundle.h"
#include "infer/hard.h"
#include "api/dialects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *lpmln_version(void) { return LPMLN_VERSION; }

const char *lpmln_method_name(lpmln_method method) {
  static const char *const names[] = {"auto", "exact", "mc-asp", "enumerate", "closed-form"};
  return names[method];
}

lpmln_options lpmln_options_default(void) {
  return (lpmln_options){
      .method = LPMLN_AUTO,
      .threads = 1,
      .memory_limit = 4096,
      .compile_limit = 120,
      .sampling = {.chains = 4, .burn_in = SIZE_MAX, .thin = 1, .block_moves = SIZE_MAX}};
}

lpmln *lpmln_new(const lpmln_options *options) {
  lpmln *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->options = options ? *options : lpmln_options_default();
  if (p->options.include_root)
    p->include_root = strdup(p->options.include_root);
  if (p->options.worker)
    p->worker_path = strdup(p->options.worker);
  return p;
}

static void forget_answer(lpmln *p) {
  for (size_t i = 0; i < p->answers.n; i++)
    free(p->answers.at[i]);
  vec_free(&p->answers);
}

static void forget_stages(lpmln *p) {
  for (size_t i = 0; i < p->diagnostics.n; i++)
    free((char *)p->diagnostics.at[i].source);
  vec_free(&p->diagnostics);
  if (p->compiling)
    compile_free(&p->compiled);
  p->compiling = false;
  analysis_free(&p->analysis);
  ground_free(&p->ground);
  dialects_free(p);
  program_free(&p->program);
  bundle_free(&p->bundle);
  p->program = (Program){0};
  p->prepared = p->from_bundle = false;
}

void lpmln_free(lpmln *p) {
  if (!p)
    return;
  forget_answer(p);
  forget_stages(p);
  worker_free(&p->worker);
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
  vec_free(&p->new_weights);
  vec_free(&p->inputs);
  vec_free(&p->queries);
  vec_free(&p->constants);
  free(p->include_root);
  free(p->worker_path);
  free(p);
}

void lpmln_interrupt(lpmln *p) { atomic_store(&p->stop, true); }

lpmln_stage lpmln_progress(lpmln *p, uint64_t *models) {
  *models = atomic_load(&p->models);
  return (lpmln_stage)atomic_load(&p->stage);
}

void *problem_keep(lpmln *p, size_t count, size_t size) {
  void *block = memory_zero(count, size);
  vec_push(&p->answers, block);
  return block;
}

char *problem_keep_text(lpmln *p, const char *text) {
  char *copy = memory_copy(text, strlen(text));
  vec_push(&p->answers, copy);
  return copy;
}

Status problem_run(lpmln *p, Job job, void *data) {
  MemoryGuard guard;
  Status status;
  forget_answer(p);
  p->limits = (Limits){.memory = p->options.memory_limit, .stop = &p->stop};
  if (p->options.time_limit > 0)
    p->limits.deadline = clock_now() + p->options.time_limit;
  if (memory_guard(&guard))
    status = LIMIT;
  else
    status = job(p, data);
  memory_unguard(&guard);
  atomic_store(&p->stage, LPMLN_IDLE);
  return status;
}

/* ---- inputs --------------------------------------------------------------------- */

typedef struct {
  lpmln_role role;
  const char *name, *bytes;
  size_t length;
} Adding;

static Status add_input(lpmln *p, void *data) {
  const Adding *a = data;
  forget_stages(p);
  Input input = {.role = a->role, .length = a->length};
  input.name = memory_copy(a->name, strlen(a->name));
  if (a->bytes)
    input.bytes = memory_copy(a->bytes, a->length);
  vec_push(&p->inputs, input);
  return OK;
}

lpmln_status lpmln_add_file(lpmln *p, lpmln_role role, const char *path) {
  return problem_run(p, add_input, &(Adding){role, path, NULL, 0});
}

lpmln_status lpmln_add_text(lpmln *p, lpmln_role role, const char *name, const char *bytes,
                            size_t length) {
  return problem_run(p, add_input, &(Adding){role, name, bytes, length});
}

static Status add_query(lpmln *p, void *data) {
  const char *query = data;
  forget_stages(p);
  vec_push(&p->queries, memory_copy(query, strlen(query)));
  return OK;
}

lpmln_status lpmln_add_query(lpmln *p, const char *query) {
  return problem_run(p, add_query, (void *)(uintptr_t)query);
}

typedef struct {
  const char *name, *value;
} Constant;

static Status add_constant(lpmln *p, void *data) {
  const Constant *constant = data;
  forget_stages(p);
  Text text = {0};
  text_printf(&text, "%s=%s", constant->name, constant->value);
  vec_push(&p->constants, text_take(&text));
  return OK;
}

lpmln_status lpmln_define(lpmln *p, const char *name, const char *value) {
  return problem_run(p, add_constant, &(Constant){name, value});
}

static Status add_weight(lpmln *p, void *data) {
  const NewWeight *weight = data;
  forget_stages(p);
  NewWeight copy = {memory_copy(weight->name, strlen(weight->name)), weight->value};
  vec_push(&p->new_weights, copy);
  return OK;
}

lpmln_status lpmln_set_weight(lpmln *p, const char *parameter, double value) {
  NewWeight weight = {(char *)(uintptr_t)parameter, value};
  return isfinite(value) ? problem_run(p, add_weight, &weight) : USAGE;
}

/* ---- stages ----------------------------------------------------------------------- */

/* The folder of a file, which its #include may read. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return memory_copy(".", 1);
  return memory_copy(path, slash == path ? 1 : (size_t)(slash - path));
}

static bool standard_input_again(const lpmln *p, const Input *input) {
  for (const Input *other = p->inputs.at; other < input; other++)
    if (!input->bytes && !other->bytes && !strcmp(input->name, "-") && !strcmp(other->name, "-"))
      return true;
  return false;
}

static void parse_input(lpmln *p, lpmln_language language, lpmln_role role, uint32_t source,
                        const char *root, bool blocks) {
  if (dialects_keep(p, language, role, source))
    return;
  if (role == LPMLN_DATA || role == LPMLN_TEST_DATA)
    program_read_table(&p->program, source);
  else if (role == LPMLN_EVIDENCE || role == LPMLN_TEST)
    program_read_observations(&p->program, source, blocks);
  else
    program_read(&p->program, source, root);
}

static void read_query(lpmln *p, const char *query) {
  char *copy = memory_copy(query, strlen(query));
  program_read_query(&p->program, source_add(&p->program.sources, "<query>", copy, strlen(query)));
}

static void read_constant(lpmln *p, const char *constant);

/* The texts of a compiled file, as when it was made. */
static void read_bundle(lpmln *p, uint32_t source, bool blocks) {
  const Source *file = &p->program.sources.list.at[source];
  bool first = !p->bundle.sources.n;
  if (!first || !bundle_load(file->bytes, file->length, &p->bundle)) {
    diagnose_error(&p->program.sources, NOWHERE, first ? "compile the program again" : NULL,
                 first ? "'%s' is damaged, or of another version"
                       : "'%s' is a second compiled program",
                 file->name);
    return;
  }
  Bundle *b = &p->bundle;
  p->options.problog_clauses = b->problog_clauses;
  p->program.embedded = b->sources.at;
  p->program.embedded_count = b->sources.n;
  for (size_t i = 0; i < b->constants.n; i++)
    read_constant(p, b->constants.at[i]);
  for (size_t i = 0; i < b->inputs.n; i++) {
    const Source *text = &b->sources.at[b->inputs.at[i].source];
    char *copy = memory_copy(text->bytes, text->length);
    uint32_t again = source_add(&p->program.sources, text->name, copy, text->length);
    parse_input(p, b->inputs.at[i].language, b->inputs.at[i].role, again, NULL, blocks);
  }
  for (size_t i = 0; i < b->queries.n; i++)
    read_query(p, b->queries.at[i]);
}

static void read_input(lpmln *p, Input *input, bool blocks) {
  Program *program = &p->program;
  if (standard_input_again(p, input)) {
    diagnose_error(&program->sources, NOWHERE, NULL, "standard input can be read only once");
    return;
  }
  input->source = input->bytes ? source_add(&program->sources, input->name,
                                            memory_copy(input->bytes, input->length), input->length)
                               : source_read(&program->sources, input->name, NOWHERE);
  if (input->source == NONE_SOURCE)
    return;
  const Source *source = &program->sources.list.at[input->source];
  if (input->role == LPMLN_PROGRAM && bundle_recognise(source->bytes, source->length)) {
    read_bundle(p, input->source, blocks);
    return;
  }
  bool file = !input->bytes && strcmp(input->name, "-") != 0;
  char *folder = p->include_root ? memory_copy(p->include_root, strlen(p->include_root))
                 : file          ? folder_of(input->name)
                                 : NULL;
  input->language = dialects_language(p, input->role, source->name);
  parse_input(p, input->language, input->role, input->source, folder, blocks);
  free(folder);
}

/* -c name=value */
static void read_constant(lpmln *p, const char *constant) {
  Text text = {0};
  text_printf(&text, "#const %s. [override]", constant);
  size_t length = text.n, errors = p->program.sources.errors, n = p->program.statements.n;
  uint32_t source = source_add(&p->program.sources, "<-c>", text_take(&text), length);
  program_read(&p->program, source, NULL);
  const Tokens *tokens = &p->program.units.at[p->program.units.n - 1].tokens;
  const Token *last = tokens->n > 1 ? &tokens->at[tokens->n - 2] : &tokens->at[0];
  bool whole = p->program.statements.n == n + 1 && last->offset + last->length == length;
  if (p->program.sources.errors == errors && !whole)
    diagnose_error(&p->program.sources, NOWHERE, "write -c name=value", "wrong constant '%s'",
                 constant);
}

static bool for_testing(const Input *input) {
  return input->role == LPMLN_TEST || input->role == LPMLN_TEST_DATA;
}

/* Texts of other languages come last, but before what is for testing; their own
** tests are read with them. */
static void read_texts(lpmln *p, bool blocks) {
  for (size_t i = 0; i < p->constants.n; i++)
    read_constant(p, p->constants.at[i]);
  for (size_t i = 0; i < p->inputs.n; i++)
    if (!for_testing(&p->inputs.at[i]) || dialects_foreign(p, &p->inputs.at[i]))
      read_input(p, &p->inputs.at[i], blocks);
  dialects_read(p, blocks);
  p->tests = (uint32_t)p->program.blocks.n;
  dialects_read_tests(p);
  for (size_t i = 0; i < p->inputs.n; i++)
    if (for_testing(&p->inputs.at[i]) && !dialects_foreign(p, &p->inputs.at[i]))
      read_input(p, &p->inputs.at[i], blocks);
  for (size_t i = 0; i < p->queries.n; i++)
    read_query(p, p->queries.at[i]);
}

Status problem_ground(lpmln *p, bool violable) {
  ScriptOptions options = {violable, p->options.closed_world};
  atomic_store(&p->stage, LPMLN_GROUNDING);
  analysis_free(&p->analysis);
  ground_free(&p->ground);
  Status status =
      ground_read(&p->program, options, &p->worker, p->worker_path, &p->limits, &p->ground);
  if (status == OK)
    analysis_make(&p->ground, &p->analysis);
  return status;
}

/* A compiled file alone: no other text, query, constant or reading of it. */
static bool asks_bundle_only(const lpmln *p) {
  return p->bundle.loaded && p->inputs.n == 1 && !p->queries.n && !p->constants.n &&
         !p->options.violable && p->options.closed_world == p->bundle.closed_world;
}

static Status set_weights(lpmln *p) {
  for (size_t i = 0; i < p->new_weights.n; i++) {
    const NewWeight *new = &p->new_weights.at[i];
    bool found = false;
    for (size_t k = 0; k < p->ground.weights.n; k++) {
      Weight *w = &p->ground.weights.at[k];
      if (w->name == NONE || strcmp(ground_text(&p->ground, w->name), new->name) != 0)
        continue;
      w->value = new->value;
      found = true;
    }
    if (!found)
      diagnose_error(&p->program.sources, NOWHERE, "`lpmln check` counts them; @w(NAME) makes one",
                   "the program has no parameter '%s'", new->name);
  }
  return p->program.sources.errors ? INPUT : OK;
}

Status problem_prepare(lpmln *p, bool blocks) {
  if (p->prepared)
    return OK;
  forget_stages(p);
  p->hard_bound = NONE;
  read_texts(p, blocks);
  if (p->program.sources.errors)
    return ground_complain(&p->program, &p->worker, p->worker_path, &p->limits);
  Status status = OK;
  p->from_bundle = asks_bundle_only(p);
  if (p->from_bundle) {
    p->ground = p->bundle.ground;
    p->bundle.ground = (Ground){0};
    analysis_make(&p->ground, &p->analysis);
  } else {
    status = problem_ground(p, false);
  }
  if (status == OK && p->options.violable)
    status = hard_relax(p);
  if (status == OK)
    status = set_weights(p);
  p->prepared = status == OK;
  return status;
}

/* ---- diagnostics -------------------------------------------------------------------- */

static lpmln_diagnostic diagnostic_of(const lpmln *p, const Diagnostic *r) {
  lpmln_diagnostic d = {.severity = r->severity, .message = r->message, .hint = r->hint};
  if (r->place.source == NONE_SOURCE)
    return d;
  const Source *source = &p->program.sources.list.at[r->place.source];
  Position at = source_position(source, r->place.offset);
  uint32_t left = at.length >= at.column ? at.length - at.column + 1 : 1;
  d.file = source->name;
  d.line = at.line, d.column = at.column;
  d.length = r->place.length < left ? r->place.length : left;
  d.source = strndup(source->bytes + at.start, at.length);
  return d;
}

const lpmln_diagnostic *lpmln_diagnostics(const lpmln *problem, size_t *count) {
  lpmln *p = (lpmln *)(uintptr_t)problem; /* the list is a cache */
  MemoryGuard guard;
  if (!memory_guard(&guard))
    for (size_t i = p->diagnostics.n; i < p->program.sources.diagnostics.n; i++)
      vec_push(&p->diagnostics, diagnostic_of(p, &p->program.sources.diagnostics.at[i]));
  memory_unguard(&guard);
  *count = p->diagnostics.n;
  return p->diagnostics.at;
}
