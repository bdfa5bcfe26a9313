/* worker.c - the process that runs libclingo, and grounding; with the other
** files of this folder the only code that sees libclingo.
**
** Small inputs can kill libclingo, so it lives in a process of its own: reads
** requests from standard input and writes replies to standard output, which
** are the two ends of one socket (solver/protocol.h).  It ends when the socket
** does, and stops itself at its memory limit (first argument, in MiB); it opens
** nothing (solver/worker/confine.h). */
#include "base/bytes.h"
#include "solver/protocol.h"
#include "solver/worker/bytes.h"
#include "solver/worker/clingo_api.h"
#include "solver/worker/confine.h"
#include "solver/worker/endless.h"
#include "solver/worker/sampling.h"
#include "solver/worker/solving.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- grounding ---------------------------------------------------------------- */

typedef struct {
  Buffer *out;
  const char *prefix;
  Endless endless;
  clingo_symbol_t *shown; /* what output_atom named */
  size_t shown_count, shown_room;
  char *text; /* of one symbol */
  size_t text_room;
} Grounding;

static void on_log(clingo_warning_t code, char const *message, void *data) {
  Grounding *g = data;
  size_t at = begin(g->out, REPLY_LOG);
  reply_u32(g->out, (uint32_t)code);
  reply_string(g->out, message, strlen(message));
  end(g->out, at);
}

static void put_rule(Buffer *out, bool choice, const clingo_atom_t *head, size_t heads,
                     size_t size) {
  reply_u8(out, choice);
  reply_u32(out, (uint32_t)heads);
  reply_bytes(out, head, heads * sizeof *head);
  reply_u32(out, (uint32_t)size);
}

static bool on_rule(bool choice, clingo_atom_t const *head, size_t heads,
                    clingo_literal_t const *body, size_t size, void *data) {
  Grounding *g = data;
  size_t at = begin(g->out, REPLY_RULE);
  put_rule(g->out, choice, head, heads, size);
  reply_bytes(g->out, body, size * sizeof *body);
  end(g->out, at);
  return endless_look(&g->endless, g->out);
}

static bool on_weight_rule(bool choice, clingo_atom_t const *head, size_t heads,
                           clingo_weight_t bound, clingo_weighted_literal_t const *body,
                           size_t size, void *data) {
  Grounding *g = data;
  size_t at = begin(g->out, REPLY_WEIGHT);
  put_rule(g->out, choice, head, heads, size);
  for (size_t i = 0; i < size; i++)
    reply_bytes(g->out, &body[i].literal, sizeof body[i].literal);
  reply_bytes(g->out, &bound, sizeof bound);
  for (size_t i = 0; i < size; i++)
    reply_bytes(g->out, &body[i].weight, sizeof body[i].weight);
  end(g->out, at);
  return true;
}

static bool on_external(clingo_atom_t atom, clingo_external_type_t type, void *data) {
  Grounding *g = data;
  size_t at = begin(g->out, REPLY_EXTERNAL);
  reply_u32(g->out, atom);
  reply_u32(g->out, (uint32_t)type);
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
  reply_string(g->out, g->text, n - 1); /* n counts the NUL */
  return true;
}

static bool on_term(clingo_symbol_t symbol, clingo_literal_t const *condition, size_t size,
                    void *data) {
  Grounding *g = data;
  size_t at = begin(g->out, REPLY_TERM);
  bool good = put_symbol(g, symbol);
  reply_u32(g->out, (uint32_t)size);
  reply_bytes(g->out, condition, size * sizeof *condition);
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
  assert(!strncmp(name, g->prefix, strlen(g->prefix)));
  clingo_symbol_t const *arguments;
  size_t n;
  if (!clingo_symbol_arguments(symbol, &arguments, &n))
    return false;
  size_t at = begin(g->out, REPLY_MARKER);
  reply_u32(g->out, atom);
  reply_u8(g->out, fact);
  reply_u8(g->out, (uint8_t)name[strlen(g->prefix)]);
  reply_u32(g->out, (uint32_t)n);
  bool good = true;
  for (size_t i = 0; good && i < n; i++) {
    reply_u8(g->out, type_letter(arguments[i]));
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
  bool shown =
      g->shown_count && bsearch(&symbol, g->shown, g->shown_count, sizeof symbol, compare_symbols);
  size_t at = begin(g->out, REPLY_ATOM);
  reply_u32(g->out, atom);
  reply_u8(g->out, fact);
  reply_u8(g->out, shown);
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
        !put_atom(g, symbol, (uint32_t)literal, fact) || !clingo_symbolic_atoms_next(atoms, i, &i))
      return false;
  }
}

static void ground(Bytes *request, Buffer *out, bool only_parse) {
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
  g.endless = (Endless){.control = control, .prefix = prefix};
  if (!only_parse)
    good = good && clingo_control_ground(control, &base, 1, NULL, NULL) && put_atoms(&g, control);
  if (g.endless.name)
    endless_done(&g.endless, out);
  else
    done(out, good);
  if (control)
    clingo_control_free(control);
  free(g.shown);
  free(g.text);
  free(prefix);
  free(text);
}

/* ---- the process ------------------------------------------------------------------ */

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "lpmln-worker is started by liblpmln, not by hand\n");
    return 2;
  }
  confine(strtoul(argv[1], NULL, 10));
  Header header;
  Buffer out = {0};
  Sampling sampling = {0};
  char *request;
  for (uint64_t number = 0; (request = read_request(&header, number)); number++) {
    Bytes reader = bytes_of(request, header.length);
    if (header.type == REQUEST_SOLVE)
      solve(&reader, &out);
    else if (header.type == REQUEST_LOAD)
      sampling_load(&sampling, &reader, &out);
    else if (header.type == REQUEST_CELL)
      sampling_cell(&sampling, &reader, &out);
    else
      ground(&reader, &out, header.type == REQUEST_PARSE);
    free(request);
  }
  sampling_free(&sampling);
  free(out.at);
  leave(0);
}
