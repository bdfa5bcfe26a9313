/* worker.c - the process that runs libclingo; the only file that sees it.
**
** Small inputs can kill libclingo, so it lives in a process of its own: reads
** requests from standard input and writes replies to standard output, which
** are the two ends of one socket (ground/protocol.h).  It ends when the socket
** does, and stops itself at its memory limit (first argument, in MiB). */
#include "ground/protocol.h"
#include "worker/clingo_api.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* ---- bytes in and out ------------------------------------------------------ */

typedef struct {
  char *at;
  size_t n, room;
} Buffer;

static _Noreturn void out_of_memory(void) { _exit(WORKER_OUT_OF_MEMORY); }

static void put(Buffer *b, const void *bytes, size_t n) {
  if (b->n + n > b->room) {
    b->room = 2 * (b->n + n) + 4096;
    b->at = realloc(b->at, b->room);
    if (!b->at)
      out_of_memory();
  }
  if (n)
    memcpy(b->at + b->n, bytes, n);
  b->n += n;
}

static void put_u8(Buffer *b, uint8_t x) { put(b, &x, sizeof x); }
static void put_u32(Buffer *b, uint32_t x) { put(b, &x, sizeof x); }
static void put_string(Buffer *b, const char *s, size_t n) {
  put_u32(b, (uint32_t)n);
  put(b, s, n);
}

static void write_all(const char *at, size_t n) {
  while (n) {
    ssize_t done = write(STDOUT_FILENO, at, n);
    if (done <= 0)
      _exit(0); /* nobody listens any more */
    at += done, n -= (size_t)done;
  }
}

static void flush(Buffer *b) {
  write_all(b->at, b->n);
  b->n = 0;
}

/* A message is open between begin and end; full buffers are sent between. */
static size_t begin(Buffer *b, uint32_t type) {
  size_t at = b->n;
  put(b, &(Header){type, 0}, sizeof(Header));
  return at;
}

static void end(Buffer *b, size_t at) {
  Header header;
  memcpy(&header, b->at + at, sizeof header);
  header.length = (uint32_t)(b->n - at - sizeof header);
  memcpy(b->at + at, &header, sizeof header);
  if (b->n > 1 << 16)
    flush(b);
}

/* Takes an unfinished message back if it went wrong. */
static bool end_if(Buffer *b, size_t at, bool good) {
  if (good)
    end(b, at);
  else
    b->n = at;
  return good;
}

static bool read_all(void *to, size_t n) {
  for (char *at = to; n;) {
    ssize_t got = read(STDIN_FILENO, at, n);
    if (got <= 0)
      return false;
    at += got, n -= (size_t)got;
  }
  return true;
}

/* A request being taken apart; the library wrote it, so it is well-formed. */
typedef struct {
  const char *at;
} Reader;

static void take(Reader *r, void *to, size_t n) {
  memcpy(to, r->at, n);
  r->at += n;
}
static uint8_t take_u8(Reader *r) {
  uint8_t x;
  take(r, &x, sizeof x);
  return x;
}
static uint32_t take_u32(Reader *r) {
  uint32_t x;
  take(r, &x, sizeof x);
  return x;
}
static int32_t take_i32(Reader *r) { return (int32_t)take_u32(r); }

static void *allocate(size_t n, size_t size) {
  void *block = calloc(n ? n : 1, size);
  if (!block)
    out_of_memory();
  return block;
}

static char *take_string(Reader *r) {
  uint32_t n = take_u32(r);
  char *s = allocate((size_t)n + 1, 1);
  take(r, s, n);
  return s;
}

static void done(Buffer *out, bool good) {
  const char *message = good ? "" : clingo_error_message();
  uint32_t outcome = good                                            ? OUTCOME_OK
                     : clingo_error_code() == clingo_error_bad_alloc ? OUTCOME_MEMORY
                                                                     : OUTCOME_ERROR;
  size_t at = begin(out, REPLY_DONE);
  put_u32(out, outcome);
  put_string(out, message ? message : "", message ? strlen(message) : 0);
  end(out, at);
  flush(out);
}

/* ---- grounding ---------------------------------------------------------------- */

typedef struct {
  Buffer *out;
  const char *prefix;
  clingo_symbol_t *shown; /* what output_atom named */
  size_t shown_count, shown_room;
  char *text; /* of one symbol */
  size_t text_room;
} Grounding;

static void on_log(clingo_warning_t code, char const *message, void *data) {
  Grounding *g = data;
  size_t at = begin(g->out, REPLY_LOG);
  put_u32(g->out, (uint32_t)code);
  put_string(g->out, message, strlen(message));
  end(g->out, at);
}

static void put_rule(Buffer *out, bool choice, const clingo_atom_t *head, size_t heads,
                     size_t size) {
  put_u8(out, choice);
  put_u32(out, (uint32_t)heads);
  put(out, head, heads * sizeof *head);
  put_u32(out, (uint32_t)size);
}

static bool on_rule(bool choice, clingo_atom_t const *head, size_t heads,
                    clingo_literal_t const *body, size_t size, void *data) {
  Grounding *g = data;
  size_t at = begin(g->out, REPLY_RULE);
  put_rule(g->out, choice, head, heads, size);
  put(g->out, body, size * sizeof *body);
  end(g->out, at);
  return true;
}

static bool on_weight_rule(bool choice, clingo_atom_t const *head, size_t heads,
                           clingo_weight_t bound, clingo_weighted_literal_t const *body,
                           size_t size, void *data) {
  Grounding *g = data;
  size_t at = begin(g->out, REPLY_WEIGHT);
  put_rule(g->out, choice, head, heads, size);
  for (size_t i = 0; i < size; i++)
    put(g->out, &body[i].literal, sizeof body[i].literal);
  put(g->out, &bound, sizeof bound);
  for (size_t i = 0; i < size; i++)
    put(g->out, &body[i].weight, sizeof body[i].weight);
  end(g->out, at);
  return true;
}

static bool on_external(clingo_atom_t atom, clingo_external_type_t type, void *data) {
  Grounding *g = data;
  size_t at = begin(g->out, REPLY_EXTERNAL);
  put_u32(g->out, atom);
  put_u32(g->out, (uint32_t)type);
  end(g->out, at);
  return true;
}

static bool put_symbol(Grounding *g, clingo_symbol_t symbol) {
  size_t n;
  if (!clingo_symbol_to_string_size(symbol, &n))
    return false;
  if (n > g->text_room) {
    free(g->text);
    g->text = allocate(g->text_room = 2 * n, 1);
  }
  if (!clingo_symbol_to_string(symbol, g->text, n))
    return false;
  put_string(g->out, g->text, n - 1); /* n counts the NUL */
  return true;
}

static bool on_term(clingo_symbol_t symbol, clingo_literal_t const *condition, size_t size,
                    void *data) {
  Grounding *g = data;
  size_t at = begin(g->out, REPLY_TERM);
  bool good = put_symbol(g, symbol);
  put_u32(g->out, (uint32_t)size);
  put(g->out, condition, size * sizeof *condition);
  return end_if(g->out, at, good);
}

static bool on_shown(clingo_symbol_t symbol, clingo_atom_t atom, void *data) {
  Grounding *g = data;
  (void)atom;
  if (g->shown_count == g->shown_room) {
    g->shown_room = 2 * g->shown_room + 64;
    g->shown = realloc(g->shown, g->shown_room * sizeof *g->shown);
    if (!g->shown)
      out_of_memory();
  }
  g->shown[g->shown_count++] = symbol;
  return true;
}

static int compare_symbols(const void *a, const void *b) {
  clingo_symbol_t x = *(const clingo_symbol_t *)a, y = *(const clingo_symbol_t *)b;
  return (x > y) - (x < y);
}

static uint8_t type_letter(clingo_symbol_t symbol) {
  clingo_symbol_type_t type = clingo_symbol_type(symbol);
  return type == clingo_symbol_type_number ? 'n' : type == clingo_symbol_type_string ? 's' : 'o';
}

/* A marker's arguments one by one. */
static bool put_marker(Grounding *g, clingo_symbol_t symbol, uint32_t atom, bool fact,
                       const char *name) {
  clingo_symbol_t const *arguments;
  size_t n;
  if (!clingo_symbol_arguments(symbol, &arguments, &n))
    return false;
  size_t at = begin(g->out, REPLY_MARKER);
  put_u32(g->out, atom);
  put_u8(g->out, fact);
  put_u8(g->out, (uint8_t)name[strlen(g->prefix)]);
  put_u32(g->out, (uint32_t)n);
  bool good = true;
  for (size_t i = 0; good && i < n; i++) {
    put_u8(g->out, type_letter(arguments[i]));
    good = put_symbol(g, arguments[i]);
  }
  return end_if(g->out, at, good);
}

static bool put_atom(Grounding *g, clingo_symbol_t symbol, uint32_t atom, bool fact) {
  const char *name;
  if (!clingo_symbol_name(symbol, &name))
    return false;
  if (!strncmp(name, g->prefix, strlen(g->prefix)))
    return put_marker(g, symbol, atom, fact, name);
  bool shown = g->shown_count && bsearch(&symbol, g->shown, g->shown_count, sizeof symbol, compare_symbols);
  size_t at = begin(g->out, REPLY_ATOM);
  put_u32(g->out, atom);
  put_u8(g->out, fact);
  put_u8(g->out, shown);
  return end_if(g->out, at, put_symbol(g, symbol));
}

static bool put_atoms(Grounding *g, clingo_control_t *control) {
  clingo_symbolic_atoms_t const *atoms;
  clingo_symbolic_atom_iterator_t i;
  bool valid;
  if (g->shown_count)
    qsort(g->shown, g->shown_count, sizeof *g->shown, compare_symbols);
  if (!clingo_control_symbolic_atoms(control, &atoms) ||
      !clingo_symbolic_atoms_begin(atoms, NULL, &i))
    return false;
  for (;;) {
    clingo_symbol_t symbol;
    clingo_literal_t literal;
    bool fact;
    if (!clingo_symbolic_atoms_is_valid(atoms, i, &valid))
      return false;
    if (!valid)
      return true;
    if (!clingo_symbolic_atoms_symbol(atoms, i, &symbol) ||
        !clingo_symbolic_atoms_is_fact(atoms, i, &fact) ||
        !clingo_symbolic_atoms_literal(atoms, i, &literal) ||
        !put_atom(g, symbol, (uint32_t)literal, fact) ||
        !clingo_symbolic_atoms_next(atoms, i, &i))
      return false;
  }
}

static void ground(Reader *request, Buffer *out, bool only_parse) {
  char *prefix = take_string(request), *text = take_string(request);
  Grounding g = {.out = out, .prefix = prefix};
  clingo_ground_program_observer_t observer = {.rule = on_rule,
                                               .weight_rule = on_weight_rule,
                                               .output_atom = on_shown,
                                               .output_term = on_term,
                                               .external = on_external};
  clingo_part_t base = {"base", NULL, 0};
  clingo_control_t *control = NULL;
  bool good = clingo_control_new(NULL, 0, on_log, &g, 100, &control) &&
              clingo_control_register_observer(control, &observer, true, &g) &&
              clingo_control_add(control, "base", NULL, 0, text);
  if (!only_parse)
    good = good && clingo_control_ground(control, &base, 1, NULL, NULL) && put_atoms(&g, control);
  done(out, good);
  if (control)
    clingo_control_free(control);
  free(g.shown);
  free(g.text);
  free(prefix);
  free(text);
}

/* ---- solving -------------------------------------------------------------------- */

typedef struct {
  clingo_control_t *control;
  clingo_atom_t *atoms; /* ours, from 1, to clingo's */
  uint32_t count;
} Solver;

static clingo_literal_t literal_of(const Solver *s, int32_t literal) {
  return literal < 0 ? -(clingo_literal_t)s->atoms[-literal] : (clingo_literal_t)s->atoms[literal];
}

static bool add_rule(Solver *s, clingo_backend_t *backend, Reader *r) {
  bool weighted = take_u8(r), choice = take_u8(r), good;
  uint32_t heads = take_u32(r);
  clingo_atom_t *head = allocate(heads, sizeof *head);
  for (uint32_t i = 0; i < heads; i++)
    head[i] = s->atoms[take_u32(r)];
  uint32_t size = take_u32(r);
  clingo_literal_t *body = allocate(size, sizeof *body);
  for (uint32_t i = 0; i < size; i++)
    body[i] = literal_of(s, take_i32(r));
  if (weighted) {
    clingo_weighted_literal_t *sum = allocate(size, sizeof *sum);
    int32_t bound = take_i32(r);
    for (uint32_t i = 0; i < size; i++)
      sum[i] = (clingo_weighted_literal_t){body[i], take_i32(r)};
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

static bool solver_read(Solver *s, Reader *r, const char *const *arguments, size_t n) {
  clingo_backend_t *backend;
  s->count = take_u32(r);
  s->atoms = allocate((size_t)s->count + 1, sizeof *s->atoms);
  bool good = clingo_control_new(arguments, n, on_quiet, NULL, 0, &s->control) &&
              clingo_control_backend(s->control, &backend) && clingo_backend_begin(backend);
  for (uint32_t i = 1; good && i <= s->count; i++)
    good = clingo_backend_add_atom(backend, NULL, &s->atoms[i]);
  for (uint32_t rules = take_u32(r); good && rules; rules--)
    good = add_rule(s, backend, r);
  return good && clingo_backend_end(backend);
}

static void solver_free(Solver *s) {
  if (s->control)
    clingo_control_free(s->control);
  free(s->atoms);
}

typedef struct {
  Buffer *out;
  uint32_t bits, pairs;
  clingo_literal_t *report; /* bits literals */
  clingo_literal_t *pair;   /* literals of the model… */
  clingo_literal_t *assume; /* …and the checker's atoms, then as assumptions */
  clingo_literal_t *assumed;
  Solver *checker;
  uint64_t most, seen;
  size_t message; /* the open REPLY_MODELS */
  bool open, failed;
  struct timespec sent;
} Solving;

static bool minimal(Solving *s, const clingo_model_t *model, bool *result) {
  clingo_solve_handle_t *handle;
  clingo_solve_result_bitset_t found;
  for (uint32_t i = 0; i < s->pairs; i++) {
    bool value;
    if (!clingo_model_is_true(model, s->pair[i], &value))
      return false;
    s->assumed[i] = value ? s->assume[i] : -s->assume[i];
  }
  if (!clingo_control_solve(s->checker->control, 0, s->assumed, s->pairs, NULL, NULL, &handle))
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
  double age = (double)(time.tv_sec - s->sent.tv_sec) +
               1e-9 * (double)(time.tv_nsec - s->sent.tv_nsec);
  if (!now && s->out->n < 1 << 16 && age < 0.05)
    return;
  end(s->out, s->message);
  flush(s->out);
  s->open = false;
  s->sent = time;
}

static void put_model(Solving *s, const clingo_model_t *model) {
  if (!s->open)
    s->message = begin(s->out, REPLY_MODELS), s->open = true;
  uint8_t byte = 0;
  for (uint32_t i = 0; i < s->bits; i++) {
    bool value = false;
    s->failed |= !clingo_model_is_true(model, s->report[i], &value);
    byte |= (uint8_t)(value << (i & 7));
    if ((i & 7) == 7 || i + 1 == s->bits)
      put_u8(s->out, byte), byte = 0;
  }
}

static bool on_event(clingo_solve_event_type_t type, void *event, void *data, bool *goon) {
  Solving *s = data;
  *goon = true;
  if (type != clingo_solve_event_type_model)
    return true;
  bool keep = true;
  if (s->checker && !minimal(s, event, &keep))
    return false;
  if (keep) {
    put_model(s, event);
    *goon = ++s->seen != s->most;
  }
  if ((s->seen & 255) == 0 || s->checker || s->out->n > 1 << 16)
    send_models(s, false);
  return !s->failed;
}

static clingo_literal_t *take_literals(Reader *r, uint32_t *n, const Solver *s) {
  *n = take_u32(r);
  clingo_literal_t *list = allocate(*n, sizeof *list);
  for (uint32_t i = 0; i < *n; i++)
    list[i] = literal_of(s, take_i32(r));
  return list;
}

static bool solve_all(Solving *s, Solver *solver) {
  clingo_solve_handle_t *handle;
  clingo_solve_result_bitset_t found;
  if (!clingo_control_solve(solver->control, 0, NULL, 0, on_event, s, &handle))
    return false;
  bool good = clingo_solve_handle_get(handle, &found);
  good = clingo_solve_handle_close(handle) && good;
  send_models(s, true);
  return good;
}

static void solve(Reader *request, Buffer *out) {
  static const char *const all[] = {"0"}, *const one[] = {"1"};
  Solver solver = {0}, checker = {0};
  Solving s = {.out = out};
  clock_gettime(CLOCK_MONOTONIC, &s.sent);
  s.most = take_u32(request);
  bool good = solver_read(&solver, request, all, 1);
  if (good) {
    s.report = take_literals(request, &s.bits, &solver);
    Reader ahead = *request;
    if (take_u32(&ahead)) {
      s.checker = &checker;
      good = solver_read(&checker, request, one, 1);
      s.pair = good ? take_literals(request, &s.pairs, &solver) : NULL;
      s.assume = good ? take_literals(request, &s.pairs, &checker) : NULL;
      s.assumed = allocate(s.pairs, sizeof *s.assumed);
    }
    good = good && solve_all(&s, &solver);
  }
  done(out, good);
  free(s.report);
  free(s.pair);
  free(s.assume);
  free(s.assumed);
  solver_free(&solver);
  solver_free(&checker);
}

/* ---- the process ------------------------------------------------------------------ */

static size_t memory_limit; /* bytes; set once, before the watch starts */

static size_t resident(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*s %lu", &pages) != 1)
    pages = 0;
  if (file)
    fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Ends the process when nobody listens or memory is used up, whatever
** libclingo is doing. */
static void *watch(void *unused) {
  (void)unused;
  for (;;) {
    struct pollfd hangup = {.fd = STDIN_FILENO, .events = 0};
    if (poll(&hangup, 1, 50) > 0)
      _exit(0);
    if (resident() > memory_limit)
      out_of_memory();
  }
}

static void limit_process(size_t mebibytes) {
  memory_limit = mebibytes << 20;
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#ifndef SANITIZED /* its shadow memory needs all addresses */
  rlim_t addresses = 2 * (rlim_t)memory_limit + ((rlim_t)1 << 30);
  setrlimit(RLIMIT_AS, &(struct rlimit){addresses, addresses});
#endif
  signal(SIGINT, SIG_IGN); /* Ctrl-C is the library's to handle */
  signal(SIGPIPE, SIG_IGN);
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 18);
  pthread_create(&thread, &small, watch, NULL);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "lpmln-worker is started by liblpmln, not by hand\n");
    return 2;
  }
  limit_process(strtoul(argv[1], NULL, 10));
  Header header;
  Buffer out = {0};
  while (read_all(&header, sizeof header)) {
    char *request = allocate(header.length, 1);
    if (!read_all(request, header.length))
      break;
    Reader reader = {request};
    if (header.type == REQUEST_SOLVE)
      solve(&reader, &out);
    else
      ground(&reader, &out, header.type == REQUEST_PARSE);
    free(request);
  }
  free(out.at);
  return 0;
}
