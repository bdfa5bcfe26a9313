/* markov_weights.c - see markov_weights.h.
**
** The program is translated once more, and the formulas of its parameters are looked for in the
** text.  For how it may have been translated there are few ways: they are tried in turn. */
#include "write/markov_weights.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "dialects/markov/match.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "language/lexer.h"
#include "write/markov.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  bool tuffy, no_completion;
} Way;

typedef struct {
  const Task *task;
  Program *program;
  uint32_t learned, network; /* sources */
  ToMarkov m;                /* the translation that is tried */
  double *to;
} Reading;

static const char *text_at(const Reading *r, Place place) {
  return r->program->sources.list.at[place.source].bytes + place.offset;
}

/* The program's constant that a term of the text is; NULL: none. */
static const char *constant_of(const Reading *r, Place value) {
  const ToMarkovNames *names = &r->m.names;
  const char *text = text_at(r, value);
  for (size_t c = 0; c < names->written.n; c++)
    if (strlen(names->written.at[c]) == value.length &&
        !strncmp(names->written.at[c], text, value.length))
      return names->constants.list.at[c];
  return NULL;
}

/* `X` is called x there. */
static bool same_variable(const char *ours, size_t length, const char *theirs, size_t n) {
  return n == length && tolower((unsigned char)*ours) == *theirs &&
         !strncmp(ours + 1, theirs + 1, n - 1);
}

/* What a variable of the rule is in the match; NULL: not known. */
static const char *value_of(const Reading *r, const MarkovMatches *all, const MarkovMatch *match,
                            const char *name, size_t length) {
  for (size_t i = match->first; i < match->first + match->count; i++) {
    const MarkovValue *v = &all->values.at[i];
    if (match->count == 1 ||
        same_variable(name, length, text_at(r, v->variable), v->variable.length))
      return constant_of(r, v->value);
  }
  return NULL;
}

/* The parameter's name with these values, as the grounder writes it; false: there is none. */
static bool write_name(const Reading *r, const MarkovMatches *all, const MarkovMatch *match,
                       const Statement *s, Text *out) {
  const Token *t = program_tokens(r->task->program, s);
  const Source *source = program_source(r->task->program, s);
  text_puts(out, "");
  for (uint32_t i = s->name.from; i < s->name.to; i++) {
    const char *text = source->bytes + t[i].offset;
    bool variable = t[i].kind == T_VARIABLE;
    const char *value = variable ? value_of(r, all, match, text, t[i].length) : NULL;
    if (variable && !value)
      return false;
    text_add(out, variable ? value : text, variable ? strlen(value) : t[i].length);
  }
  return true;
}

/* The weight of the rule's instances that has the name; of a rule without counted variables
** there is one. */
static uint32_t weight_of(const Reading *r, const Statement *s, const Text *name, bool any) {
  const Ground *g = r->task->ground;
  for (size_t i = 0; i < g->instances.n; i++) {
    uint32_t weight = g->instances.at[i].weight;
    const Statement *its =
        &r->task->program->statements.at[g->soft.at[g->instances.at[i].soft].statement];
    if (its == s && g->weights.at[weight].name != NONE &&
        (any || !strcmp(ground_text(g, g->weights.at[weight].name), name->at)))
      return weight;
  }
  return NONE;
}

static void take(const Reading *r, const MarkovMatches *all, const MarkovMatch *match) {
  const ToMarkovMark *mark = NULL;
  Text name = {0};
  for (size_t i = 0; i < r->m.marks.n && !mark; i++)
    if (r->m.marks.at[i].offset == match->formula)
      mark = &r->m.marks.at[i];
  assert(mark); /* formulas without a weight are marked */
  uint32_t weight = mark->weight;
  if (mark->statement && (!match->count || write_name(r, all, match, mark->statement, &name)))
    weight = weight_of(r, mark->statement, &name, !match->count);
  vec_free(&name);
  if (weight == NONE)
    return;
  if (isnan(r->to[weight]))
    r->to[weight] = match->weight;
  else if (r->to[weight] != match->weight)
    diagnose_note(r->task->said, match->place, NULL,
                  "a second weight of the same formula: the first is taken");
}

/* A translation of the program; NONE_SOURCE: there is none in this way. */
static uint32_t translate(Reading *r, const Ground *g, Way way) {
  ToMarkov *m = &r->m;
  *m = (ToMarkov){.program = r->task->program,
                  .named = r->task->ground,
                  .ground = g,
                  .tuffy = way.tuffy,
                  .learned = true,
                  .no_completion = way.no_completion};
  to_markov_write(m);
  if (m->refusal.n) {
    vec_free(&m->out);
    return NONE_SOURCE;
  }
  size_t length = m->out.n;
  return source_add(&r->program->sources, "<translation>", text_take(&m->out), length);
}

static void read_way(Reading *r, const Ground *g, Way way, Diagnostics *said) {
  MarkovMatches matches = {0};
  r->network = translate(r, g, way);
  if (r->network != NONE_SOURCE)
    markov_match(r->program, said, r->network, r->learned, &matches);
  for (size_t i = 0; i < matches.list.n; i++)
    take(r, &matches, &matches.list.at[i]);
  markov_matches_free(&matches);
  to_markov_free(&r->m);
}

/* How many parameters have no weight yet. */
static size_t unknown(const Task *t, const double *to) {
  size_t count = 0;
  for (size_t i = 0; i < t->ground->weights.n; i++)
    count += isnan(to[i]) && t->ground->weights.at[i].name != NONE;
  return count;
}

/* What was said about the text in the way that was tried first. */
static void pass_on(const Task *t, const Diagnostics *said) {
  for (size_t i = 0; i < said->list.n; i++) {
    const Diagnostic *d = &said->list.at[i];
    if (d->severity == LPMLN_ERROR)
      diagnose_error(t->said, d->place, d->hint, "%s", d->message);
  }
}

Status markov_weights(const Task *t, Program *program, uint32_t learned, double *to) {
  static const Way ways[] = {{false, false}, {true, false}, {false, true}, {true, true}};
  Reading r = {.task = t, .program = program, .learned = learned, .to = to};
  Diagnostics first = {.sources = &program->sources};
  Ground g = ground_view(t->ground, t->ground->observed);
  Analysis an;
  analysis_make(&g, &an);
  for (size_t i = 0; i < t->ground->weights.n; i++)
    to[i] = NAN;
  size_t all = unknown(t, to);
  for (size_t i = 0; i < sizeof ways / sizeof *ways && unknown(t, to); i++) {
    Diagnostics said = {.sources = &program->sources};
    if (an.tight || ways[i].no_completion)
      read_way(&r, &g, ways[i], first.list.n ? &said : &first);
    diagnostics_free(&said);
  }
  Status status = OK;
  if (unknown(t, to) == all) {
    pass_on(t, &first);
    if (!first.errors)
      diagnose_error(t->said, (Place){learned, 0, 0},
                     "it is the translation of the program into Markov logic, with weights",
                     "no formula of this text is that of a parameter");
    status = INPUT;
  }
  diagnostics_free(&first);
  analysis_free(&an);
  return status;
}
