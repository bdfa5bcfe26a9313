/* infer.c - probabilities, stable models and samples of a program. */
#include "infer/infer.h"

#include "api/handle.h"
#include "api/sealed.h"
#include "api/state.h"
#include "infer/layers.h"

#include <stdbool.h>
#include <stddef.h>

static Status answer_infer(Task *t, Sealed *s, void *answer, const void *data) {
  (void)s, (void)data;
  return infer(t, answer);
}

/* A compiled file counts by weight, not by rule, and does not tell every event: its text is ground
** for that. */
const lpmln_inference *lpmln_infer(lpmln_program *p) {
  bool counts = p && (p->options.counts || p->options.sensitivity || p->options.next);
  return ask(p, &(Request){.size = sizeof(lpmln_inference),
                           .run = answer_infer,
                           .run_told = counts ? NULL : state_infer});
}

static Status answer_models(Task *t, Sealed *s, void *answer, const void *wanted) {
  (void)s;
  return infer_models(t, *(const Wanted *)wanted, answer);
}

static const lpmln_models *list(lpmln_program *p, Wanted wanted) {
  return ask(p, &(Request){.size = sizeof(lpmln_models),
                           .run = answer_models,
                           .run_told = state_list,
                           .data = &wanted});
}

static Status answer_visible(Task *t, Sealed *s, void *answer, const void *data) {
  (void)s, (void)data;
  return layers_visible(t, answer);
}

const lpmln_models *lpmln_map(lpmln_program *p) {
  if (p && p->options.visible)
    return ask(p, &(Request){.size = sizeof(lpmln_models), .run = answer_visible});
  return list(p, (Wanted){.ties = true});
}

static Status answer_decision(Task *t, Sealed *s, void *answer, const void *data) {
  (void)s, (void)data;
  return layers_decide(t, answer);
}

const lpmln_decision *lpmln_decide(lpmln_program *p) {
  return ask(p, &(Request){.size = sizeof(lpmln_decision),
                           .reading = {.utilities = true},
                           .run = answer_decision});
}

const lpmln_models *lpmln_list(lpmln_program *p, size_t most) {
  return list(p, (Wanted){.most = most});
}

static Status answer_samples(Task *t, Sealed *s, void *answer, const void *count) {
  (void)s;
  return infer_sample(t, *(const size_t *)count, false, answer);
}

const lpmln_samples *lpmln_draw(lpmln_program *p, size_t count) {
  return ask(p, &(Request){.size = sizeof(lpmln_samples),
                           .run = answer_samples,
                           .run_told = state_draw,
                           .data = &count});
}

static Status answer_uniform(Task *t, Sealed *s, void *answer, const void *count) {
  (void)s;
  return infer_sample(t, *(const size_t *)count, true, answer);
}

const lpmln_samples *lpmln_draw_uniform(lpmln_program *p, size_t count) {
  return ask(p, &(Request){.size = sizeof(lpmln_samples), .run = answer_uniform, .data = &count});
}

static Status answer_trace(Task *t, Sealed *s, void *answer, const void *steps) {
  (void)s;
  return infer_trace(t, *(const size_t *)steps, answer);
}

const lpmln_trace *lpmln_draw_trace(lpmln_program *p, size_t steps) {
  return ask(p, &(Request){.size = sizeof(lpmln_trace), .run = answer_trace, .data = &steps});
}

static Status answer_chain(Task *t, Sealed *s, void *answer, const void *steps) {
  (void)s;
  return infer_chain(t, *(const size_t *)steps, answer);
}

const lpmln_chain *lpmln_check_chain(lpmln_program *p, size_t steps) {
  return ask(p, &(Request){.size = sizeof(lpmln_chain), .run = answer_chain, .data = &steps});
}

static Status answer_check(Task *t, Sealed *s, void *answer, const void *data) {
  (void)s, (void)data;
  return infer_check(t, answer);
}

const lpmln_analysis *lpmln_check(lpmln_program *p) {
  return ask(
      p,
      &(Request){.size = sizeof(lpmln_analysis), .reading = {.blocks = true}, .run = answer_check});
}
