/* infer.c - questions and the engine that answers them. */
#include "infer/engine.h"
#include "infer/hard.h"

#include <math.h>
#include <stdlib.h>

/* `auto`, when compiling is too hard: programs with few stable models are enumerated. */
enum { FEW_MODELS = 100000, FEW_SECONDS = 5 };

void problem_evidence(const lpmln *p, Lit **lits, size_t *count) {
  const Ground *g = &p->ground;
  *lits = memory_zero(g->violations.n, sizeof **lits);
  *count = g->violations.n;
  for (size_t i = 0; i < g->violations.n; i++)
    (*lits)[i] = lit_of(g->violations.at[i].atom, true);
}

Status problem_no_model(lpmln *p) {
  diagnose_error(&p->program.sources, NOWHERE, "`lpmln check` tells which hard rules are in the way",
               "the program has no probabilistic stable model");
  return NO_ANSWER;
}

Status problem_no_evidence(lpmln *p) {
  size_t before = p->program.sources.errors;
  Status status = explain_impossible(p, 0);
  if (p->program.sources.errors == before)
    diagnose_error(&p->program.sources, NOWHERE, NULL, "no stable model agrees with the evidence");
  return status == OK ? NO_ANSWER : status;
}

/* The circuit answers unless the user wants otherwise; violable hard rules are
** a matter of counting models. */
static bool wants_circuit(const lpmln *p) {
  return (p->options.method == LPMLN_AUTO || p->options.method == LPMLN_EXACT) &&
         p->hard_bound == NONE;
}

/* `auto`, and there is still time: go on with another engine. */
static bool goes_on(const lpmln *p, Status status) {
  return status == LIMIT && p->options.method == LPMLN_AUTO && limits_check(&p->limits) == OK;
}

static void say_fallback(lpmln *p, const char *what) {
  diagnose_note(&p->program.sources, NOWHERE, "--method exact stops here instead",
              "the program is too hard to compile: %s", what);
}

static bool plainly_impossible(const lpmln *p) {
  for (size_t i = 0; i < p->ground.violations.n; i++)
    if (p->ground.atoms.at[p->ground.violations.at[i].atom].truth == ATOM_CERTAIN)
      return true;
  return false;
}

static Status begin(lpmln *p) {
  Status status = problem_prepare(p, false);
  if (status == OK && plainly_impossible(p))
    return problem_no_evidence(p);
  p->compile_seconds = p->options.method == LPMLN_AUTO ? fmax(p->options.compile_limit, 1e-3) : 0;
  if (status == OK && p->options.method == LPMLN_EXACT && p->hard_bound != NONE)
    diagnose_note(&p->program.sources, NOWHERE, NULL,
                "hard rules are violated, so the stable models are enumerated");
  return status;
}

typedef struct {
  const lpmln_inference **inference;
  const lpmln_models **models;
  const lpmln_samples **samples;
  Wanted wanted;
  size_t count;
  bool uniform;
} Asking;

/* Too hard to compile: enumerated if that is quick, else sampled. */
static Status infer_without_circuit(lpmln *p, lpmln_inference *answer) {
  double left = p->limits.deadline > 0 ? (p->limits.deadline - clock_now()) / 4 : FEW_SECONDS;
  Status status = enumerate_infer_few(p, FEW_MODELS, fmin(left, FEW_SECONDS), answer);
  if (status == OK)
    say_fallback(p, "its stable models were enumerated");
  if (!goes_on(p, status))
    return status;
  say_fallback(p, "what does not compile by itself is sampled by Markov chains, see the errors");
  return mcasp_infer(p, true, answer);
}

static Status infer(lpmln *p, void *data) {
  const Asking *a = data;
  Status status = begin(p);
  if (status != OK)
    return status;
  lpmln_inference *answer = problem_keep(p, 1, sizeof *answer);
  if (wants_circuit(p)) {
    status = exact_infer(p, answer);
    if (goes_on(p, status))
      status = infer_without_circuit(p, answer);
  } else if (p->options.method == LPMLN_MC_ASP) {
    status = mcasp_infer(p, false, answer);
  } else {
    status = enumerate_infer(p, answer);
  }
  *a->inference = answer->about.method == LPMLN_AUTO ? NULL : answer;
  return status;
}

lpmln_status lpmln_infer(lpmln *p, const lpmln_inference **answer) {
  *answer = NULL;
  return problem_run(p, infer, &(Asking){.inference = answer});
}

static Status list(lpmln *p, void *data) {
  const Asking *a = data;
  Status status = begin(p);
  if (status != OK)
    return status;
  lpmln_models *answer = problem_keep(p, 1, sizeof *answer);
  if (p->options.method == LPMLN_MC_ASP) {
    diagnose_error(&p->program.sources, NOWHERE, NULL,
                 "samples do not tell the most probable stable models");
    return USAGE;
  }
  bool circuit = wants_circuit(p);
  if (circuit)
    status = exact_models(p, a->wanted, answer);
  if (circuit && goes_on(p, status))
    say_fallback(p, "its stable models are enumerated");
  if (!circuit || goes_on(p, status))
    status = enumerate_models(p, a->wanted, answer);
  *a->models = answer->about.method == LPMLN_AUTO ? NULL : answer;
  return status;
}

lpmln_status lpmln_map(lpmln *p, const lpmln_models **answer) {
  *answer = NULL;
  return problem_run(p, list, &(Asking){.models = answer, .wanted = {.ties = true}});
}

lpmln_status lpmln_list_models(lpmln *p, size_t most, const lpmln_models **answer) {
  *answer = NULL;
  return problem_run(p, list, &(Asking){.models = answer, .wanted = {.most = most}});
}

static Status sample(lpmln *p, void *data) {
  const Asking *a = data;
  Status status = begin(p);
  if (status != OK)
    return status;
  bool circuit = wants_circuit(p), chains = p->options.method == LPMLN_MC_ASP && !a->uniform;
  if (!circuit && !chains && !a->uniform) {
    diagnose_error(&p->program.sources, NOWHERE, NULL,
                 "samples need the compiled program, or mc-asp");
    return USAGE;
  }
  lpmln_samples *answer = problem_keep(p, 1, sizeof *answer);
  if (circuit)
    status = exact_sample(p, a->count, a->uniform, answer);
  bool hard = circuit && goes_on(p, status);
  if (hard)
    say_fallback(p, a->uniform ? "stable models are drawn with the solver"
                               : "what does not compile by itself is sampled by Markov chains");
  if (a->uniform && (hard || !circuit))
    status = solver_sample(p, a->count, answer);
  else if (chains || hard)
    status = mcasp_sample(p, hard, a->count, answer);
  *a->samples = answer->about.method == LPMLN_AUTO ? NULL : answer;
  return status;
}

lpmln_status lpmln_draw_samples(lpmln *p, size_t count, const lpmln_samples **answer) {
  *answer = NULL;
  return problem_run(p, sample, &(Asking){.samples = answer, .count = count});
}

lpmln_status lpmln_draw_uniform(lpmln *p, size_t count, const lpmln_samples **answer) {
  *answer = NULL;
  return problem_run(p, sample, &(Asking){.samples = answer, .count = count, .uniform = true});
}

typedef struct {
  Status (*write)(lpmln *, Text *);
  const char **bytes;
  size_t *length;
} File;

/* The compiled program in some form; there is no other engine for that. */
static Status compile(lpmln *p, void *data) {
  const File *file = data;
  Status status = begin(p);
  Text text = {0};
  p->compile_seconds = 0;
  if (status == OK && p->hard_bound != NONE) {
    diagnose_error(&p->program.sources, NOWHERE, NULL,
                 "a program whose hard rules are violated can't be compiled");
    status = NO_ANSWER;
  }
  if (status == OK)
    status = file->write(p, &text);
  if (status == OK) {
    *file->length = text.n;
    char *kept = text_take(&text);
    vec_push(&p->answers, kept);
    *file->bytes = kept;
  }
  vec_free(&text);
  return status;
}

lpmln_status lpmln_compile(lpmln *p, const char **bytes, size_t *length) {
  *bytes = NULL;
  return problem_run(p, compile, &(File){exact_compile, bytes, length});
}

lpmln_status lpmln_translate_nnf(lpmln *p, const char **text) {
  size_t length;
  *text = NULL;
  return problem_run(p, compile, &(File){exact_nnf, text, &length});
}
