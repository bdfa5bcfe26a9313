/* json_infer.c - what is asked of one program as JSON; see json.h. */
#include "report/json.h"
#include "report/json_parts.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *mixing(const lpmln_inference *a) {
  json_t *list = json_array();
  for (const lpmln_mixing *m = a->mixing; m < a->mixing + a->mixing_count; m++) {
    json_t *chains = json_array();
    for (size_t c = 0; c < m->chains; c++)
      json_array_append_new(chains, json_of_reals(m->shares + c * m->pieces, m->pieces));
    json_array_append_new(list,
                          json_pack("{s:o,s:o}", "atom", json_of_text(m->atom), "shares", chains));
  }
  return list;
}

static json_t *counts(const lpmln_inference *a, bool sampled) {
  json_t *list = json_array();
  for (size_t i = 0; i < a->rule_count; i++) {
    const lpmln_count *c = &a->counts[i];
    json_t *o = json_object();
    json_object_set_new(o, "rule", json_of_text(c->rule));
    json_object_set_new(o, "file", json_of_text(c->file));
    json_object_set_new(o, "line", json_integer(c->line));
    json_object_set_new(o, "parameter", json_of_text(c->parameter));
    json_object_set_new(o, "instances", json_integer((json_int_t)c->instances));
    json_object_set_new(o, "expected", json_of_real(c->expected));
    json_object_set_new(o, "expected_given_evidence", json_of_real(c->given));
    if (sampled) {
      json_object_set_new(o, "error", json_of_real(c->expected_error));
      json_object_set_new(o, "error_given_evidence", json_of_real(c->given_error));
    }
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *sensitivities(const lpmln_inference *a) {
  json_t *list = json_array();
  for (size_t i = 0; i < a->sensitivity_count; i++) {
    json_t *o = json_object();
    json_object_set_new(o, "query", json_of_text(a->sensitivities[i].query));
    json_object_set_new(o, "parameter", json_of_text(a->sensitivities[i].parameter));
    json_object_set_new(o, "derivative", json_of_real(a->sensitivities[i].derivative));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *next_atoms(const lpmln_inference *a) {
  json_t *list = json_array();
  for (size_t i = 0; i < a->next_count; i++) {
    json_t *o = json_object();
    json_object_set_new(o, "atom", json_of_text(a->next[i].atom));
    json_object_set_new(o, "information", json_of_real(a->next[i].information));
    json_array_append_new(list, o);
  }
  return list;
}

void json_inference(Text *to, uint64_t seed, const lpmln_inference *a) {
  json_t *o = json_open("infer", seed, &a->about), *list = json_array();
  bool bounds = a->about.method == LPMLN_BOUNDS;
  bool sampled = a->about.method == LPMLN_MC_ASP || bounds;
  bool complete = a->about.complete || sampled; /* a partial sum is no answer */
  if (sampled) {
    json_object_set_new(o, "samples", json_integer((json_int_t)a->samples));
    json_set_guarantee(o, a->guarantee, a->epsilon, a->doubt);
  }
  json_object_set_new(o, "log_partition", complete ? json_of_real(a->log_partition) : json_null());
  json_object_set_new(o, "log_evidence", complete ? json_of_real(a->log_evidence) : json_null());
  if (sampled) {
    json_object_set_new(o, "log_partition_error", json_of_real(a->log_partition_error));
    json_object_set_new(o, "log_evidence_error", json_of_real(a->log_evidence_error));
  }
  if (bounds) {
    json_object_set_new(o, "log_partition_lower", json_of_real(a->log_partition_lower));
    json_object_set_new(o, "log_partition_upper", json_of_real(a->log_partition_upper));
    json_object_set_new(o, "log_evidence_lower", json_of_real(a->log_evidence_lower));
    json_object_set_new(o, "log_evidence_upper", json_of_real(a->log_evidence_upper));
  }
  for (size_t i = 0; i < a->count; i++) {
    json_t *m = json_object();
    json_object_set_new(m, "atom", json_of_text(a->marginals[i].atom));
    json_object_set_new(m, "probability", json_of_real(a->marginals[i].probability));
    json_object_set_new(m, "log_probability", json_of_real(a->marginals[i].log_probability));
    json_object_set_new(m, "error", complete ? json_of_real(a->marginals[i].error) : json_null());
    if (bounds) {
      json_object_set_new(m, "lower", json_of_real(a->marginals[i].lower));
      json_object_set_new(m, "upper", json_of_real(a->marginals[i].upper));
    }
    if (sampled) {
      json_object_set_new(m, "ess", json_of_real(a->marginals[i].ess));
      json_object_set_new(m, "rhat", json_of_real(a->marginals[i].rhat));
    }
    json_array_append_new(list, m);
  }
  json_object_set_new(o, "marginals", list);
  if (a->mixing_count)
    json_object_set_new(o, "mixing", mixing(a));
  if (a->counts)
    json_object_set_new(o, "counts", counts(a, sampled));
  if (a->sensitivities)
    json_object_set_new(o, "sensitivity", sensitivities(a));
  if (a->next)
    json_object_set_new(o, "next", next_atoms(a));
  json_close(to, o);
}

/* Both parts of an impossible row are null. */
static json_t *row_object(const double *probabilities, size_t count, double log_evidence) {
  json_t *o = json_object();
  bool possible = log_evidence > -INFINITY || isnan(log_evidence); /* NAN: not known */
  json_object_set_new(o, "log_evidence", json_of_real(log_evidence));
  json_object_set_new(o, "probabilities",
                      possible ? json_of_reals(probabilities, count) : json_null());
  return o;
}

void json_table(Text *to, uint64_t seed, const lpmln_table *a) {
  json_t *o = json_open("infer", seed, &a->about), *rows = json_array();
  assert((a->probabilities && a->log_evidence) || !a->row_count || !a->query_count);
  json_object_set_new(o, "queries", json_of_names(a->queries, a->query_count));
  for (size_t i = 0; i < a->row_count; i++) {
    const double *row = a->query_count ? a->probabilities + i * a->query_count : NULL;
    json_array_append_new(rows, row_object(row, a->query_count, a->log_evidence[i]));
  }
  json_object_set_new(o, "rows", rows);
  json_close(to, o);
}

static json_t *model_object(const lpmln_stable_model *model) {
  json_t *o = json_object(), *violated = json_array();
  for (size_t i = 0; i < model->violated_count; i++) {
    const lpmln_violation *v = &model->violated[i];
    json_t *each = json_object();
    json_object_set_new(each, "rule", json_of_text(v->rule));
    json_object_set_new(each, "instance", json_of_text(v->instance));
    json_object_set_new(each, "file", json_of_text(v->file));
    json_object_set_new(each, "line", json_integer(v->line));
    json_object_set_new(each, "weight", json_of_real(v->weight));
    json_array_append_new(violated, each);
  }
  json_object_set_new(o, "atoms", json_of_names(model->atoms, model->atom_count));
  json_object_set_new(o, "probability", json_of_real(model->probability));
  json_object_set_new(o, "log_probability", json_of_real(model->log_probability));
  json_object_set_new(o, "log_weight", json_of_real(model->log_weight));
  json_object_set_new(o, "violated", violated);
  return o;
}

void json_models(Text *to, const char *command, uint64_t seed, const lpmln_models *a, bool count) {
  json_t *o = json_open(command, seed, &a->about), *list = json_array();
  if (count)
    json_object_set_new(o, "count", a->about.complete ? json_of_text(a->total) : json_null());
  for (size_t i = 0; i < a->count; i++)
    json_array_append_new(list, model_object(&a->models[i]));
  json_object_set_new(o, "models", list);
  if (!a->about.complete)
    json_object_set_new(o, "log_weight_upper", json_of_real(a->log_weight_upper));
  json_close(to, o);
}

void json_samples(Text *to, uint64_t seed, const lpmln_samples *a) {
  json_t *o = json_open("sample", seed, &a->about), *list = json_array();
  json_object_set_new(o, "uniform", json_boolean(a->uniform));
  json_set_guarantee(o, a->guarantee, a->epsilon, a->doubt);
  for (size_t i = 0; i < a->count; i++)
    json_array_append_new(list, json_of_names(a->samples[i].atoms, a->samples[i].atom_count));
  json_object_set_new(o, "samples", list);
  json_close(to, o);
}

static json_t *kept_object(const lpmln_kept *k) {
  json_t *o = json_object();
  json_object_set_new(o, "rule", json_of_text(k->instance.rule));
  json_object_set_new(o, "instance", json_of_text(k->instance.instance));
  json_object_set_new(o, "file", json_of_text(k->instance.file));
  json_object_set_new(o, "line", json_integer(k->instance.line));
  json_object_set_new(o, "violated", json_boolean(k->violated));
  return o;
}

void json_trace(Text *to, uint64_t seed, const lpmln_trace *a) {
  json_t *o = json_open("sample", seed, &a->about), *list = json_array(), *samples = json_array();
  for (size_t i = 0; i < a->count; i++) {
    const lpmln_step *step = &a->steps[i];
    json_t *each = json_object(), *kept = json_array();
    for (size_t k = 0; k < step->kept_count; k++)
      json_array_append_new(kept, kept_object(&step->kept[k]));
    json_object_set_new(each, "before", json_of_names(step->before.atoms, step->before.atom_count));
    json_object_set_new(each, "kept", kept);
    json_object_set_new(each, "candidates", json_of_real(step->candidates));
    json_object_set_new(each, "counted", json_boolean(step->counted));
    json_array_append_new(list, each);
    json_array_append_new(samples, json_of_names(step->after.atoms, step->after.atom_count));
  }
  json_object_set_new(o, "samples", samples);
  json_object_set_new(o, "trace", list);
  json_close(to, o);
}

void json_chain(Text *to, uint64_t seed, const lpmln_chain *a) {
  json_t *o = json_open("check", seed, &a->about), *chain = json_object();
  json_t *models = json_array(), *matrix = json_array();
  for (size_t i = 0; i < a->states; i++) {
    json_array_append_new(models, model_object(&a->models[i]));
    json_array_append_new(matrix, json_of_reals(a->matrix + i * a->states, a->states));
  }
  json_object_set_new(chain, "states", json_integer((json_int_t)a->states));
  json_object_set_new(chain, "ergodic", json_boolean(a->ergodic));
  json_object_set_new(chain, "least", json_of_real(a->least));
  json_object_set_new(chain, "detailed_balance", json_boolean(a->balanced));
  json_object_set_new(chain, "balance_error", json_of_real(a->balance));
  json_object_set_new(chain, "stationary_error", json_of_real(a->stationary));
  json_object_set_new(chain, "steps", json_integer((json_int_t)a->steps));
  json_object_set_new(chain, "chi_square", json_of_real(a->chi_square));
  json_object_set_new(chain, "degrees", json_integer((json_int_t)a->degrees));
  json_object_set_new(chain, "p_value", json_of_real(a->p_value));
  json_object_set_new(chain, "shares", json_of_reals(a->shares, a->states));
  json_object_set_new(chain, "models", models);
  json_object_set_new(chain, "matrix", matrix);
  json_object_set_new(o, "chain", chain);
  json_close(to, o);
}

/* A decimal number, as a string where JSON's readers would lose digits. */
static json_t *whole(const char *digits) {
  if (!digits || strlen(digits) > 15)
    return json_of_text(digits);
  return json_integer(strtoll(digits, NULL, 10));
}

void json_analysis(Text *to, uint64_t seed, const lpmln_analysis *a) {
  json_t *o = json_open("check", seed, &a->about);
  json_set_count(o, "rules", a->rules);
  json_set_count(o, "soft_rules", a->soft_rules);
  json_set_count(o, "parameters", a->parameters);
  json_set_count(o, "atoms", a->atoms);
  json_set_count(o, "open_atoms", a->open_atoms);
  json_set_count(o, "ground_rules", a->ground_rules);
  json_set_count(o, "soft_instances", a->soft_instances);
  json_object_set_new(o, "tight", json_boolean(a->tight));
  json_object_set_new(o, "loop", json_of_text(a->loop));
  json_object_set_new(o, "head_cycle_free", json_boolean(a->head_cycle_free));
  json_set_count(o, "loops", a->loops);
  json_set_count(o, "components", a->components);
  json_set_count(o, "distinct_components", a->distinct_components);
  json_set_count(o, "largest_component", a->largest_component);
  json_object_set_new(o, "simple", json_boolean(a->simple));
  json_object_set_new(o, "simple_reason", json_of_text(a->simple_reason));
  json_object_set_new(o, "coherent", whole(a->coherent));
  json_object_set_new(o, "coherence_reason", json_of_text(a->coherence_reason));
  json_object_set_new(o, "hard_inconsistent", json_boolean(a->hard_inconsistent));
  json_object_set_new(o, "circuit_nodes",
                      a->about.method == LPMLN_EXACT ? json_integer((json_int_t)a->circuit_nodes)
                                                     : json_null());
  json_t *asked = json_object();
  json_object_set_new(asked, "compiles", json_boolean(a->asked_compiles));
  json_set_count(asked, "width", a->asked_width);
  json_set_count(asked, "branches", a->asked_branches);
  json_set_count(asked, "nodes", a->asked_nodes);
  json_object_set_new(asked, "seconds", json_of_real(a->asked_seconds));
  json_object_set_new(o, "asked", asked);
  json_set_count(o, "observations", a->observations);
  json_object_set_new(o, "advice", json_of_sentences(a->advice, a->advice_count));
  json_close(to, o);
}
