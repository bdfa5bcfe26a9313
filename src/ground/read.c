/* read.c - collects what the worker says and assembles the ground program.
**
** The grounder's rules are kept raw until all are there.  Then markers are
** resolved: the choice rule {s(i,…)} :- B gives an instance its body, the rules
** below s give its head.  Where the head is one disjunction or one constraint
** the instance becomes that soft rule.  Other heads (bounds, aggregates) keep s
** as an atom: with u :- B, <a constraint below s is violated>  and  s :- B, not u
** the soft rule is violated iff u holds, so it is the soft constraint :- u.  */
#include "ground/read.h"

#include "base/names.h"
#include "ground/assemble.h"

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
}

static uint32_t take_text(RawProgram *raw, Reader *r) {
  uint32_t n, at = (uint32_t)raw->text.n;
  const char *s = reader_string(r, &n);
  text_add(&raw->text, s, n);
  raw->text.n++; /* keep the NUL */
  return at;
}

static void take_words(RawProgram *raw, Reader *r, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    vec_push(&raw->pool, reader_i32(r));
}

static void take_rule(RawProgram *raw, Reader *r, bool weighted) {
  RawRule rule = {.choice = reader_u8(r), .weighted = weighted};
  rule.first = (uint32_t)raw->pool.n;
  rule.heads = reader_u32(r);
  take_words(raw, r, rule.heads);
  rule.size = reader_u32(r);
  take_words(raw, r, rule.size);
  if (weighted) {
    rule.bound = reader_i32(r);
    take_words(raw, r, rule.size);
  }
  vec_push(&raw->rules, rule);
}

static void take_atom(RawProgram *raw, Reader *r) {
  RawAtom atom = {.atom = reader_u32(r)};
  atom.fact = reader_u8(r);
  atom.shown = reader_u8(r);
  atom.name = take_text(raw, r);
  vec_push(&raw->atoms, atom);
}

static void take_marker(RawProgram *raw, Reader *r) {
  RawMarker marker = {.atom = reader_u32(r)};
  marker.fact = reader_u8(r);
  marker.letter = (char)reader_u8(r);
  marker.count = reader_u32(r);
  marker.first = (uint32_t)raw->arguments.n;
  for (uint32_t i = 0; i < marker.count; i++) {
    Argument argument = {.type = (char)reader_u8(r)};
    argument.text = take_text(raw, r);
    vec_push(&raw->arguments, argument);
  }
  vec_push(&raw->markers, marker);
}

static void take_term(RawProgram *raw, Reader *r) {
  RawTerm term = {.name = take_text(raw, r), .size = reader_u32(r)};
  term.first = (uint32_t)raw->pool.n;
  take_words(raw, r, term.size);
  vec_push(&raw->terms, term);
}

static void take_reply(Program *program, const Script *script, RawProgram *raw, Header header,
                       const char *bytes) {
  Reader r = {bytes, bytes + header.length};
  uint32_t n;
  switch (header.type) {
  case REPLY_ATOM: take_atom(raw, &r); break;
  case REPLY_MARKER: take_marker(raw, &r); break;
  case REPLY_RULE: take_rule(raw, &r, false); break;
  case REPLY_WEIGHT: take_rule(raw, &r, true); break;
  case REPLY_TERM: take_term(raw, &r); break;
  case REPLY_EXTERNAL: {
    RawExternal external = {.atom = reader_u32(&r)};
    external.type = reader_u32(&r);
    vec_push(&raw->externals, external);
    break;
  }
  case REPLY_LOG: {
    reader_u32(&r);
    const char *text = reader_string(&r, &n);
    char *message = memory_copy(text, n);
    messages_report(program, script, message);
    free(message);
    break;
  }
  }
}

Status ground_outcome(Program *program, WorkerOutcome outcome, const Worker *worker,
                      const char *during) {
  Sources *sources = &program->sources;
  switch (outcome) {
  case WORKER_OK: return OK;
  case WORKER_INTERRUPTED: return INTERRUPTED;
  case WORKER_TIME:
    diagnose_warning(sources, NOWHERE, "raise it with --time-limit",
                   "the time limit was reached while %s", during);
    return LIMIT;
  case WORKER_MEMORY:
    diagnose_warning(sources, NOWHERE, "raise it with --memory-limit",
                   "the memory limit was reached while %s", during);
    return LIMIT;
  case WORKER_DIED:
    diagnose_error(sources, NOWHERE,
                 "very deep terms, or #const for a name that is also a predicate, do this",
                 "clingo can't take this program: it died while %s", during);
    return INPUT;
  case WORKER_MISSING:
    diagnose_error(sources, NOWHERE, "install lpmln with `make install`, or build it with `make`",
                 "can't start the worker process '%s'", worker->path);
    return INTERNAL;
  }
  return INTERNAL;
}

/* Sends the script and takes everything that comes back. */
static WorkerOutcome collect(Program *program, const Script *script, Worker *worker,
                             const char *path, uint32_t request, const Limits *limits,
                             RawProgram *raw, bool *good) {
  Text payload = {0};
  payload_string(&payload, script->prefix, strlen(script->prefix));
  payload_string(&payload, script->writer.text.at, script->writer.text.n);
  WorkerOutcome outcome = worker_start(worker, path, limits);
  if (outcome == WORKER_OK)
    outcome = worker_send(worker, request, &payload, limits);
  vec_free(&payload);
  while (outcome == WORKER_OK) {
    Header header;
    const char *bytes;
    outcome = worker_receive(worker, &header, &bytes, limits);
    if (outcome == WORKER_OK && header.type == REPLY_DONE) {
      Reader r = {bytes, bytes + header.length};
      uint32_t result = reader_u32(&r);
      *good = result == OUTCOME_OK;
      return result == OUTCOME_MEMORY ? WORKER_MEMORY : WORKER_OK;
    }
    if (outcome == WORKER_OK)
      take_reply(program, script, raw, header, bytes);
  }
  return outcome;
}

Status ground_complain(Program *program, Worker *worker, const char *path, const Limits *limits) {
  Script script;
  RawProgram raw = {0};
  bool good = false;
  script_make(program, (ScriptOptions){0}, &script);
  collect(program, &script, worker, path, REQUEST_PARSE, limits, &raw, &good);
  raw_free(&raw);
  script_free(&script);
  return INPUT;
}

Status ground_read(Program *program, ScriptOptions options, Worker *worker, const char *path,
                   const Limits *limits, Ground *ground) {
  Script script;
  RawProgram raw = {0};
  bool good = false;
  Status status;
  script_make(program, options, &script);
  if (program->sources.errors) {
    status = INPUT;
  } else {
    WorkerOutcome outcome =
        collect(program, &script, worker, path, REQUEST_GROUND, limits, &raw, &good);
    status = ground_outcome(program, outcome, worker, "grounding");
  }
  if (status == OK && !good && !program->sources.errors)
    diagnose_error(&program->sources, NOWHERE, NULL, "clingo can't ground this program");
  if (status == OK && program->sources.errors)
    status = INPUT;
  if (status == OK)
    status = assemble(program, &script, options, &raw, ground);
  raw_free(&raw);
  script_free(&script);
  return status;
}
