/* solving.c - see solving.h. */
#include "solver/worker/solving.h"

#include "solver/protocol.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static clingo_literal_t literal_of(const Solver *s, int32_t literal) {
  assert((uint32_t)abs(literal) <= s->count);
  return literal < 0 ? -(clingo_literal_t)s->atoms[-literal] : (clingo_literal_t)s->atoms[literal];
}

static bool add_rule(Solver *s, clingo_backend_t *backend, Bytes *r) {
  bool weighted = bytes_u8(r), choice = bytes_u8(r), good;
  uint32_t heads = bytes_count(r, 4);
  clingo_atom_t *head = allocate(heads, sizeof *head);
  for (uint32_t i = 0; i < heads; i++)
    head[i] = s->atoms[bytes_u32(r)];
  uint32_t size = bytes_count(r, 4);
  clingo_literal_t *body = allocate(size, sizeof *body);
  for (uint32_t i = 0; i < size; i++)
    body[i] = literal_of(s, bytes_i32(r));
  if (weighted) {
    clingo_weighted_literal_t *sum = allocate(size, sizeof *sum);
    int32_t bound = bytes_i32(r);
    for (uint32_t i = 0; i < size; i++)
      sum[i] = (clingo_weighted_literal_t){body[i], bytes_i32(r)};
    good = clingo_backend_weight_rule(backend, choice, head, heads, bound, sum, size);
    free(sum);
  } else {
    good = clingo_backend_rule(backend, choice, head, heads, body, size);
  }
  free(head);
  free(body);
  return good;
}

static void on_quiet(clingo_warning_t code, char const *message, void *data) {
  (void)code, (void)message, (void)data;
}

static bool solver_read(Solver *s, Bytes *r, const char *const *arguments, size_t n) {
  clingo_backend_t *backend;
  s->count = bytes_u32(r);
  s->atoms = allocate((size_t)s->count + 1, sizeof *s->atoms);
  bool good = clingo_control_new(arguments, n, on_quiet, NULL, 0, &s->control) &&
              clingo_control_backend(s->control, &backend) && clingo_backend_begin(backend);
  for (uint32_t i = 1; good && i <= s->count; i++)
    good = clingo_backend_add_atom(backend, NULL, &s->atoms[i]);
  for (uint32_t rules = bytes_u32(r); good && rules; rules--)
    good = add_rule(s, backend, r);
  return good && clingo_backend_end(backend);
}

static void solver_free(Solver *s) {
  if (s->control)
    clingo_control_free(s->control);
  free(s->atoms);
}

static bool minimal(Solving *s, const clingo_model_t *model, bool *result) {
  clingo_solve_handle_t *handle;
  clingo_solve_result_bitset_t found;
  for (uint32_t i = 0; i < s->pairs; i++) {
    bool value;
    if (!clingo_model_is_true(model, s->pair[i], &value))
      return false;
    s->assumed[i] = value ? s->assume[i] : -s->assume[i];
  }
  if (!clingo_control_solve(s->checker.control, 0, s->assumed, s->pairs, NULL, NULL, &handle))
    return false;
  bool good = clingo_solve_handle_get(handle, &found);
  *result = !(found & clingo_solve_result_satisfiable);
  return clingo_solve_handle_close(handle) && good;
}

/* Sends what is waiting if it is much or old. */
static void send_models(Solving *s, bool now) {
  if (!s->open)
    return;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  double age =
      (double)(time.tv_sec - s->sent.tv_sec) + 1e-9 * (double)(time.tv_nsec - s->sent.tv_nsec);
  if (!now && s->out->n < 1 << 16 && age < 0.05)
    return;
  end(s->out, s->message);
  flush(s->out);
  s->open = false;
  s->sent = time;
}

/* Writes the model, unless it was there before. */
static bool put_model(Solving *s, const clingo_model_t *model) {
  size_t bytes = ((size_t)s->bits + 7) / 8;
  memset(s->model, 0, bytes);
  for (uint32_t i = 0; i < s->bits; i++) {
    bool value = false;
    s->failed |= !clingo_model_is_true(model, s->report[i], &value);
    s->model[i / 8] |= (uint8_t)(value << (i & 7));
  }
  if (s->once && !known_add(&s->known, s->model, bytes))
    return false;
  if (!s->open)
    s->message = begin(s->out, REPLY_MODELS), s->open = true;
  for (size_t i = 0; i < bytes; i++)
    reply_u8(s->out, s->model[i]);
  return true;
}

static bool on_event(clingo_solve_event_type_t type, void *event, void *data, bool *goon) {
  Solving *s = data;
  *goon = true;
  if (type != clingo_solve_event_type_model)
    return true;
  bool keep = true;
  if (s->checked && !minimal(s, event, &keep))
    return false;
  if (keep && put_model(s, event))
    *goon = ++s->seen != s->most;
  if ((s->seen & 255) == 0 || s->checked || s->out->n > 1 << 16)
    send_models(s, false);
  return !s->failed;
}

clingo_literal_t *take_literals(Bytes *r, uint32_t *n, const Solver *s) {
  *n = bytes_count(r, 4);
  clingo_literal_t *list = allocate(*n, sizeof *list);
  for (uint32_t i = 0; i < *n; i++)
    list[i] = literal_of(s, bytes_i32(r));
  return list;
}

bool solving_run(Solving *s, uint32_t most, const clingo_literal_t *assumed, size_t n) {
  assert(s->solver.control && (assumed || !n));
  clingo_solve_handle_t *handle;
  clingo_solve_result_bitset_t found;
  s->most = most;
  s->seen = 0;
  free(s->model);
  s->model = allocate((size_t)s->bits / 8 + 1, 1);
  clock_gettime(CLOCK_MONOTONIC, &s->sent);
  if (!clingo_control_solve(s->solver.control, 0, assumed, n, on_event, s, &handle))
    return false;
  bool good = clingo_solve_handle_get(handle, &found);
  good = clingo_solve_handle_close(handle) && good;
  send_models(s, true);
  return good;
}

/* What to report of models, and the checker. */
static bool solving_read(Solving *s, Bytes *request) {
  static const char *const one[] = {"1", NO_EQUIVALENCES};
  s->report = take_literals(request, &s->bits, &s->solver);
  Bytes ahead = *request;
  if (!bytes_u32(&ahead)) {
    bytes_u32(request);
    return true;
  }
  s->checked = true;
  if (!solver_read(&s->checker, request, one, 2))
    return false;
  s->pair = take_literals(request, &s->pairs, &s->solver);
  s->assume = take_literals(request, &s->pairs, &s->checker);
  s->assumed = allocate(s->pairs, sizeof *s->assumed);
  return true;
}

bool solving_begin(Solving *s, Bytes *request, Buffer *out, const char *const *arguments,
                   size_t n) {
  *s = (Solving){.out = out};
  return solver_read(&s->solver, request, arguments, n) && solving_read(s, request);
}

void solving_free(Solving *s) {
  known_free(&s->known);
  free(s->model);
  free(s->report);
  free(s->pair);
  free(s->assume);
  free(s->assumed);
  solver_free(&s->solver);
  solver_free(&s->checker);
  *s = (Solving){0};
}

void solve(Bytes *request, Buffer *out) {
  static const char *const all[] = {"0", NO_EQUIVALENCES};
  Solving s;
  uint32_t most = bytes_u32(request);
  bool good = solving_begin(&s, request, out, all, 2);
  s.once = true;
  good = good && solving_run(&s, most, NULL, 0);
  done(out, good);
  solving_free(&s);
}
