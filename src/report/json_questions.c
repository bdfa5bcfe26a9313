/* json_questions.c - decisions, comparisons, explanations, and programs in another form, as JSON;
** see json.h. */
#include "report/json.h"
#include "report/json_parts.h"

#include <assert.h>
#include <jansson.h>

static json_t *decided(const lpmln_decision *a, const bool *values) {
  json_t *list = json_array();
  for (size_t i = 0; i < a->atom_count; i++) {
    json_t *o = json_object();
    json_object_set_new(o, "atom", json_of_text(a->atoms[i]));
    json_object_set_new(o, "value", json_boolean(values[i]));
    json_array_append_new(list, o);
  }
  return list;
}

void json_decision(Text *to, uint64_t seed, const lpmln_decision *a) {
  json_t *o = json_open("decide", seed, &a->about), *ties = json_array();
  assert(a->count);
  json_object_set_new(o, "decisions", decided(a, a->values[0]));
  json_object_set_new(o, "expected_utility", json_of_real(a->expected_utility));
  for (size_t i = 0; i < a->count; i++)
    json_array_append_new(ties, decided(a, a->values[i]));
  json_object_set_new(o, "ties", ties);
  json_close(to, o);
}

/* ---- programs in another form -------------------------------------------------------- */

void json_translation(Text *to, uint64_t seed, const char *target, const lpmln_translation *a) {
  json_t *o = json_open("translate", seed, &a->about);
  assert(target && a->text);
  json_object_set_new(o, "method", json_null()); /* no engine was asked */
  json_object_set_new(o, "exact", json_true());
  json_object_set_new(o, "complete", json_true());
  json_object_del(o, "models_seen");
  json_object_set_new(o, "target", json_of_text(target));
  json_object_set_new(o, "text", json_of_text(a->text));
  json_object_set_new(o, "data", json_of_names(a->data, a->data_count));
  json_close(to, o);
}

void json_compiled(Text *to, uint64_t seed, const lpmln_answer *about, const char *file,
                   size_t bytes) {
  json_t *o = json_open("compile", seed, about);
  assert(file);
  json_object_set_new(o, "file", json_of_text(file));
  json_set_count(o, "bytes", bytes);
  json_close(to, o);
}

/* ---- comparing programs ------------------------------------------------------------- */

static json_t *compared_object(const lpmln_compared *m) {
  json_t *o = json_object();
  json_object_set_new(o, "program", json_of_text(m->program));
  json_object_set_new(o, "log_likelihood", json_of_real(m->log_likelihood));
  json_set_count(o, "parameters", m->parameters);
  json_object_set_new(o, "aic", json_of_real(m->aic));
  json_object_set_new(o, "bic", json_of_real(m->bic));
  json_set_count(o, "weights", m->weights);
  json_set_count(o, "diverging", m->diverging);
  json_object_set_new(o, "converged", json_boolean(m->converged));
  return o;
}

static json_t *ratio_object(const lpmln_comparison *a, const lpmln_ratio_test *t) {
  json_t *o = json_object();
  json_object_set_new(o, "smaller", json_of_text(a->models[t->smaller].program));
  json_object_set_new(o, "larger", json_of_text(a->models[t->larger].program));
  json_object_set_new(o, "statistic", json_of_real(t->statistic));
  json_set_count(o, "degrees", t->degrees);
  json_object_set_new(o, "p_value", json_of_real(t->p_value));
  json_object_set_new(o, "doubt", json_of_text(t->doubt));
  return o;
}

void json_comparison(Text *to, uint64_t seed, const lpmln_comparison *a) {
  json_t *o = json_open("compare", seed, &a->about), *models = json_array(), *tests = json_array();
  for (size_t i = 0; i < a->count; i++)
    json_array_append_new(models, compared_object(&a->models[i]));
  for (size_t i = 0; i < a->test_count; i++)
    json_array_append_new(tests, ratio_object(a, &a->tests[i]));
  json_set_count(o, "observations", (size_t)a->observations);
  json_object_set_new(o, "models", models);
  json_object_set_new(o, "tests", tests);
  json_close(to, o);
}

/* ---- why ---------------------------------------------------------------------------- */

static json_t *proof_object(const lpmln_proof *p) {
  json_t *o = json_object();
  json_object_set_new(o, "inputs", json_of_names(p->inputs, p->input_count));
  json_object_set_new(o, "rules", json_of_names(p->rules, p->rule_count));
  json_object_set_new(o, "probability", json_of_real(p->probability));
  json_object_set_new(o, "log_probability", json_of_real(p->log_probability));
  json_object_set_new(o, "share", json_of_real(p->share));
  return o;
}

static json_t *piece_object(const lpmln_piece *e) {
  return json_pack("{s:o,s:o}", "literal", json_of_text(e->literal), "probability_without",
                   json_of_real(e->probability_without));
}

static json_t *change_object(const lpmln_change *c) {
  return json_pack("{s:o,s:o,s:o,s:o}", "literal", json_of_text(c->literal), "probability",
                   json_of_real(c->probability), "probability_with",
                   json_of_real(c->probability_with), "probability_without",
                   json_of_real(c->probability_without));
}

void json_explanation(Text *to, uint64_t seed, const lpmln_explanation *a) {
  json_t *o = json_open("why", seed, &a->about), *proofs = json_array(), *evidence = json_array(),
         *changes = json_array();
  for (size_t i = 0; i < a->count; i++)
    json_array_append_new(proofs, proof_object(&a->proofs[i]));
  for (size_t i = 0; i < a->evidence_count; i++)
    json_array_append_new(evidence, piece_object(&a->evidence[i]));
  for (size_t i = 0; i < a->change_count; i++)
    json_array_append_new(changes, change_object(&a->changes[i]));
  json_object_set_new(o, "query", json_of_text(a->query));
  json_object_set_new(o, "probability", json_of_real(a->probability));
  json_object_set_new(o, "proofs", proofs);
  json_object_set_new(o, "evidence", evidence);
  json_object_set_new(o, "changes", changes);
  json_close(to, o);
}
