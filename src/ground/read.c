/* read.c - collects what the worker says and assembles the ground program.
**
** The grounder's rules are kept raw until all are there.  Then markers are
** resolved: the choice rule {s(i,…)} :- B gives an instance its body, the rules
** below s give its head.  Where the head is one disjunction or one constraint
** the instance becomes that soft rule.  Other heads (bounds, aggregates) keep s
** as an atom: with u :- B, <a constraint below s is violated>  and  s :- B, not u
** the soft rule is violated iff u holds, so it is the soft constraint :- u.  */
#include "ground/read.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/source.h"
#include "ground/assemble.h"
#include "ground/messages.h"
#include "language/instance.h"
#include "solver/protocol.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void raw_free(RawProgram *raw) {
  vec_free(&raw->rules);
  vec_free(&raw->pool);
  vec_free(&raw->atoms);
  vec_free(&raw->markers);
  vec_free(&raw->arguments);
  vec_free(&raw->externals);
  vec_free(&raw->terms);
  vec_free(&raw->text);
  vec_free(&raw->underived);
  growths_free(&raw->growths);
}

static uint32_t take_text(RawProgram *raw, Bytes *r) {
  assert(!raw->text.n || !raw->text.at[raw->text.n - 1]);
  uint32_t n, at = (uint32_t)raw->text.n;
  const char *s = bytes_string(r, &n);
  text_add(&raw->text, s, n);
  raw->text.n++; /* keep the NUL */
  return at;
}

static void take_words(RawProgram *raw, Bytes *r, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    vec_push(&raw->pool, bytes_i32(r));
}

enum { MOST_ATOM = 1 << 30 }; /* larger ones can't be numbered */

static bool literal_fits(int32_t literal) {
  return literal != 0 && literal >= -MOST_ATOM && literal <= MOST_ATOM;
}

/* Heads are atoms. */
static bool rule_fits(const RawProgram *raw, const RawRule *rule) {
  for (uint32_t k = 0; k < rule->heads + rule->size; k++) {
    int32_t literal = raw->pool.at[rule->first + k];
    if (!literal_fits(literal) || (k < rule->heads && literal < 0))
      return false;
  }
  return true;
}

/* Is the argument a number from 0, and below that? */
static bool argument_below(const RawProgram *raw, const RawMarker *m, uint32_t i, size_t limit) {
  if (i >= m->count || raw->arguments.at[m->first + i].type != 'n')
    return false;
  long number = strtol(raw->text.at + raw->arguments.at[m->first + i].text, NULL, 10);
  return number >= 0 && (size_t)number < limit;
}

/* Is there a predicate that is set, and an atom of it, from that argument on? */
static bool set_fits(const Script *script, const RawProgram *raw, const RawMarker *m, uint32_t i) {
  if (!argument_below(raw, m, i, script->set.n))
    return false;
  size_t number = strtoul(raw->text.at + raw->arguments.at[m->first + i].text, NULL, 10);
  return m->count == i + 1 + (script->set.at[number].arity > 0);
}

/* Has the marker the arguments that the script gave it? */
static bool marker_fits(const Program *p, const Script *script, const RawProgram *raw,
                        const RawMarker *m) {
  uint32_t number = 0;
  if (m->count)
    number = (uint32_t)strtoul(raw->text.at + raw->arguments.at[m->first].text, NULL, 10);
  switch (m->letter) {
  case MARK_SOFT:
  case MARK_COIN:
  case MARK_HARD:
    return argument_below(raw, m, 0, script->rules.n) &&
           m->count == 2 + script->rules.at[number].count;
  case MARK_PARAMETER: return argument_below(raw, m, 0, script->rules.n) && m->count == 2;
  case MARK_GIVEN:
    return argument_below(raw, m, 0, script->queries.n) &&
           m->count == 1 + script->queries.at[number].count;
  case MARK_QUERY:
    return argument_below(raw, m, 0, script->queries.n) &&
           m->count ==
               1 + (query_is_atom(p, &p->statements.at[script->queries.at[number].statement])
                        ? 1
                        : script->queries.at[number].count);
  case MARK_VIOLATION:
    return argument_below(raw, m, 0, p->block_count) && argument_below(raw, m, 1, p->statements.n);
  case MARK_OBSERVED: return argument_below(raw, m, 0, script->atoms.list.n);
  case MARK_DECISION:
    return argument_below(raw, m, 0, p->statements.n) && m->count <= 2 &&
           p->statements.at[number].kind == S_DECISION;
  case MARK_UTILITY:
    return argument_below(raw, m, 0, script->utilities.n) &&
           m->count == 2 + script->utilities.at[number].count;
  case MARK_WANTED:
    return argument_below(raw, m, 0, p->statements.n) && set_fits(script, raw, m, 1);
  case MARK_DERIVED: return set_fits(script, raw, m, 0);
  case MARK_PARTLY: return argument_below(raw, m, 0, p->statements.n);
  case MARK_RELAY: return m->count == 1;
  case MARK_LISTED: return argument_below(raw, m, 0, p->block_count) && m->count == 2;
  default: return true; /* nobody reads its arguments */
  }
}

static void take_rule(RawProgram *raw, Bytes *r, bool weighted) {
  RawRule rule = {.choice = bytes_u8(r), .weighted = weighted};
  rule.first = (uint32_t)raw->pool.n;
  rule.heads = bytes_count(r, 4);
  take_words(raw, r, rule.heads);
  rule.size = bytes_count(r, 4);
  take_words(raw, r, rule.size);
  if (weighted) {
    rule.bound = bytes_i32(r);
    take_words(raw, r, rule.size);
  }
  r->bad |= !rule_fits(raw, &rule);
  vec_push(&raw->rules, rule);
}

static void take_atom(RawProgram *raw, Bytes *r) {
  RawAtom atom = {.atom = bytes_u32(r)};
  r->bad |= atom.atom > MOST_ATOM;
  atom.fact = bytes_u8(r);
  atom.shown = bytes_u8(r);
  atom.name = take_text(raw, r);
  vec_push(&raw->atoms, atom);
}

static void take_marker(const Program *program, const Script *script, RawProgram *raw, Bytes *r) {
  RawMarker marker = {.atom = bytes_u32(r)};
  r->bad |= marker.atom > MOST_ATOM;
  marker.fact = bytes_u8(r);
  marker.letter = (char)bytes_u8(r);
  marker.count = bytes_count(r, 5);
  marker.first = (uint32_t)raw->arguments.n;
  for (uint32_t i = 0; i < marker.count; i++) {
    Argument argument = {.type = (char)bytes_u8(r)};
    argument.text = take_text(raw, r);
    r->bad |= argument.type == 's' && strlen(raw->text.at + argument.text) < 2; /* quotes */
    vec_push(&raw->arguments, argument);
  }
  r->bad = r->bad || !marker_fits(program, script, raw, &marker);
  vec_push(&raw->markers, marker);
}

static void take_term(RawProgram *raw, Bytes *r) {
  RawTerm term = {.name = take_text(raw, r), .size = bytes_count(r, 4)};
  term.first = (uint32_t)raw->pool.n;
  take_words(raw, r, term.size);
  for (uint32_t k = 0; k < term.size; k++)
    r->bad |= !literal_fits(raw->pool.at[term.first + k]);
  vec_push(&raw->terms, term);
}

static void take_external(RawProgram *raw, Bytes *r) {
  RawExternal external = {.atom = bytes_u32(r)};
  external.type = bytes_u32(r);
  vec_push(&raw->externals, external);
}

static void take_log(const Program *program, Diagnostics *said, const Script *script,
                     RawProgram *raw, Bytes *r) {
  uint32_t n;
  (void)bytes_u32(r);
  const char *text = bytes_string(r, &n);
  char *message = memory_copy(text, n);
  messages_say(program, said, script, message, &raw->underived);
  free(message);
}

static void take_largest(RawProgram *raw, Bytes *r) {
  RawLargest largest = {.name = take_text(raw, r)};
  largest.atoms = bytes_u32(r);
  largest.rules = bytes_u32(r);
  largest.number = bytes_u32(r);
  raw->largest = largest;
}

static void take_growth(RawProgram *raw, Bytes *r) {
  uint32_t length;
  const char *name = bytes_string(r, &length);
  Growth growth = {.atoms = bytes_u32(r)};
  growth.counted = bytes_u32(r);
  if (r->bad)
    return;
  vec_reserve(&raw->growths, 1); /* before the name, which would be lost */
  growth.name = memory_copy(name, length);
  vec_push(&raw->growths, growth);
}

/* False: this is no reply of a worker that is in its right mind. */
static bool take_reply(const Program *program, Diagnostics *said, const Script *script,
                       RawProgram *raw, Header header, const char *bytes) {
  Bytes r = bytes_of(bytes, header.length);
  switch (header.type) {
  case REPLY_ATOM: take_atom(raw, &r); break;
  case REPLY_MARKER: take_marker(program, script, raw, &r); break;
  case REPLY_RULE: take_rule(raw, &r, false); break;
  case REPLY_WEIGHT: take_rule(raw, &r, true); break;
  case REPLY_TERM: take_term(raw, &r); break;
  case REPLY_EXTERNAL: take_external(raw, &r); break;
  case REPLY_LARGEST: take_largest(raw, &r); break;
  case REPLY_GROWTH: take_growth(raw, &r); break;
  case REPLY_LOG: take_log(program, said, script, raw, &r); break;
  default: return false;
  }
  /* all of it was understood, and what is kept can be numbered */
  return !r.bad && !bytes_left(&r) && raw->pool.n <= UINT32_MAX && raw->text.n <= UINT32_MAX &&
         raw->arguments.n <= UINT32_MAX && raw->rules.n < UINT32_MAX;
}

Status ground_outcome(Diagnostics *said, WorkerOutcome outcome, const Worker *worker,
                      const char *during) {
  switch (outcome) {
  case WORKER_OK: return OK;
  case WORKER_INTERRUPTED: return INTERRUPTED;
  case WORKER_TIME:
    diagnose_warning(said, NOWHERE, "raise it with option time_limit",
                     "the time limit was reached while %s", during);
    return LIMIT;
  case WORKER_MEMORY:
    diagnose_warning(said, NOWHERE, "raise it with option memory_limit",
                     "the memory limit was reached while %s", during);
    return LIMIT;
  case WORKER_ENDLESS: return LIMIT; /* it was said */
  case WORKER_DIED:
    diagnose_error(said, NOWHERE,
                   "very deep terms, or #const for a name that is also a predicate, do this",
                   "clingo can't take this program: it died while %s", during);
    return INPUT;
  case WORKER_DAMAGED:
    diagnose_error(said, NOWHERE, "ask again; if it happens again, the machine or lpmln is broken",
                   "what the worker process said while %s was damaged", during);
    return INTERNAL;
  case WORKER_MISSING:
    diagnose_error(said, NOWHERE,
                   "install lpmln with `make install`, or say with option worker where it is",
                   "can't start the worker process '%s'", worker->path);
    return INTERNAL;
  }
  return INTERNAL;
}

/* A rule counts without end: that is said.  Looked at when all that grows was told. */
static bool counts_on(const Program *program, Diagnostics *said, RawProgram *raw) {
  bool found = messages_counting(program, said, &raw->growths);
  growths_free(&raw->growths);
  return found;
}

/* Sends the script and takes everything that comes back. */
static WorkerOutcome collect(const Program *program, Diagnostics *said, const Script *script,
                             Worker *worker, uint32_t request, const Limits *limits,
                             RawProgram *raw, bool *good) {
  assert(script->prefix && script->writer.text.at);
  Text payload = {0};
  put_string(&payload, script->prefix, strlen(script->prefix));
  put_string(&payload, script->writer.text.at, script->writer.text.n);
  WorkerOutcome outcome = worker_start(worker, limits);
  if (outcome == WORKER_OK)
    outcome = worker_send(worker, request, &payload, limits);
  vec_free(&payload);
  while (outcome == WORKER_OK) {
    Header header;
    const char *bytes;
    outcome = worker_receive(worker, &header, &bytes, limits);
    if (outcome == WORKER_OK && header.type == REPLY_DONE) {
      Bytes r = bytes_of(bytes, header.length);
      uint32_t result = bytes_u32(&r);
      *good = !r.bad && result == OUTCOME_OK;
      if (result == OUTCOME_ENDLESS)
        return messages_endless(program, said, &r) ? WORKER_ENDLESS : WORKER_DAMAGED;
      return result == OUTCOME_MEMORY ? WORKER_MEMORY : WORKER_OK;
    }
    if (outcome == WORKER_OK && !take_reply(program, said, script, raw, header, bytes)) {
      worker_stop(worker);
      return WORKER_DAMAGED;
    }
    if (outcome == WORKER_OK && header.type == REPLY_LARGEST && counts_on(program, said, raw)) {
      worker_stop(worker);
      return WORKER_ENDLESS;
    }
  }
  return outcome;
}

Status ground_complain(const Program *program, Diagnostics *said, Worker *worker,
                       const Limits *limits) {
  Script script;
  RawProgram raw = {0};
  bool good = false;
  script_make(program, said, (ScriptOptions){0}, &script);
  collect(program, said, &script, worker, REQUEST_PARSE, limits, &raw, &good);
  raw_free(&raw);
  script_free(&script);
  return INPUT;
}

void grounded_free(Grounded *g) {
  analysis_free(&g->analysis);
  ground_free(&g->ground);
  observations_free(&g->observed);
  *g = (Grounded){0};
}

Status ground_read(const Program *program, Diagnostics *said, ScriptOptions options, Worker *worker,
                   const Limits *limits, Grounded *to) {
  assert(!to->ground.sealed && !to->ground.atoms.n);
  Script script;
  RawProgram raw = {0};
  bool good = false;
  Status status = OK;
  script_make(program, said, options, &script);
  if (said->errors) {
    status = INPUT;
  } else {
    WorkerOutcome outcome =
        collect(program, said, &script, worker, REQUEST_GROUND, limits, &raw, &good);
    status = ground_outcome(said, outcome, worker, "grounding");
    if ((outcome == WORKER_TIME || outcome == WORKER_MEMORY) && raw.largest.rules)
      messages_explodes(program, said, &script, raw.text.at + raw.largest.name, raw.largest.atoms,
                        raw.largest.rules, raw.largest.number);
  }
  if (status == OK && !good && !said->errors)
    diagnose_error(said, NOWHERE, NULL, "clingo can't ground this program");
  if (status == OK && said->errors)
    status = INPUT;
  if (status == OK)
    status = assemble(program, said, &script, options, &raw, &to->ground, &to->observed);
  if (status == OK) {
    absent_say(program, &to->ground, &raw.underived, options.strict, said);
    status = said->errors ? INPUT : OK;
  }
  if (status == OK)
    analysis_make(&to->ground, &to->analysis);
  else
    grounded_free(to);
  raw_free(&raw);
  script_free(&script);
  return status;
}
