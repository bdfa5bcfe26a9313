/* json.c - see json.h; jansson does the work. */
#include "report/json.h"

#include "report/sentence.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *real(double x) { return isfinite(x) ? json_real(x) : json_null(); }

static json_t *text(const char *s) { return s ? json_string(s) : json_null(); }

static json_t *open_object(const char *command, uint64_t seed, const lpmln_answer *about) {
  json_t *o = json_object();
  json_object_set_new(o, "lpmln", json_string(lpmln_version()));
  json_object_set_new(o, "command", json_string(command));
  json_object_set_new(o, "method", json_string(lpmln_method_name(about->method)));
  json_object_set_new(o, "exact", json_boolean(about->exact));
  json_object_set_new(o, "complete", json_boolean(about->complete));
  json_object_set_new(o, "seed", json_integer((json_int_t)seed));
  if (!about->complete)
    json_object_set_new(o, "models_seen", text(about->models_seen));
  return o;
}

/* Numbers have all their digits, and a point in any locale. */
static void close_object(Text *to, json_t *o) {
  char *written = o ? json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(o);
  if (!written)
    memory_fail();
  text_puts(to, written);
  text_puts(to, "\n");
  free(written);
}

static json_t *names(const char *const *list, size_t n) {
  json_t *array = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(array, text(list[i]));
  return array;
}

static json_t *reals(const double *list, size_t n) {
  json_t *array = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(array, real(list[i]));
  return array;
}

static json_t *sentences(const char *const *list, size_t n) {
  json_t *array = json_array();
  for (size_t i = 0; i < n; i++) {
    Text sentence = {0};
    sentence_write(&sentence, list[i]);
    json_array_append_new(array, text(sentence.at));
    vec_free(&sentence);
  }
  return array;
}

static void set_guarantee(json_t *o, lpmln_guarantee guarantee, double epsilon, double doubt) {
  bool near = guarantee == LPMLN_NEAR_UNIFORM;
  json_object_set_new(o, "guarantee", text(lpmln_guarantee_name(guarantee)));
  json_object_set_new(o, "epsilon", near ? real(epsilon) : json_null());
  json_object_set_new(o, "doubt", near ? real(doubt) : json_null());
}

void json_inference(Text *to, uint64_t seed, const lpmln_inference *a) {
  json_t *o = open_object("infer", seed, &a->about), *list = json_array();
  bool sampled = a->about.method == LPMLN_MC_ASP;
  bool complete = a->about.complete || sampled; /* a partial sum is no answer */
  if (sampled) {
    json_object_set_new(o, "samples", json_integer((json_int_t)a->samples));
    set_guarantee(o, a->guarantee, a->epsilon, a->doubt);
  }
  json_object_set_new(o, "log_partition", complete ? real(a->log_partition) : json_null());
  json_object_set_new(o, "log_evidence", complete ? real(a->log_evidence) : json_null());
  for (size_t i = 0; i < a->count; i++) {
    json_t *m = json_object();
    json_object_set_new(m, "atom", text(a->marginals[i].atom));
    json_object_set_new(m, "probability", real(a->marginals[i].probability));
    json_object_set_new(m, "error", complete ? real(a->marginals[i].error) : json_null());
    if (sampled) {
      json_object_set_new(m, "ess", real(a->marginals[i].ess));
      json_object_set_new(m, "rhat", real(a->marginals[i].rhat));
    }
    json_array_append_new(list, m);
  }
  json_object_set_new(o, "marginals", list);
  close_object(to, o);
}

/* Both parts of an impossible row are null. */
static json_t *row_object(const double *probabilities, size_t count, double log_evidence) {
  json_t *o = json_object();
  bool possible = log_evidence > -INFINITY || isnan(log_evidence); /* NAN: not known */
  json_object_set_new(o, "log_evidence", real(log_evidence));
  json_object_set_new(o, "probabilities", possible ? reals(probabilities, count) : json_null());
  return o;
}

void json_table(Text *to, uint64_t seed, const lpmln_table *a) {
  json_t *o = open_object("infer", seed, &a->about), *rows = json_array();
  assert((a->probabilities && a->log_evidence) || !a->row_count || !a->query_count);
  json_object_set_new(o, "queries", names(a->queries, a->query_count));
  for (size_t i = 0; i < a->row_count; i++) {
    const double *row = a->query_count ? a->probabilities + i * a->query_count : NULL;
    json_array_append_new(rows, row_object(row, a->query_count, a->log_evidence[i]));
  }
  json_object_set_new(o, "rows", rows);
  close_object(to, o);
}

static json_t *model_object(const lpmln_stable_model *model) {
  json_t *o = json_object(), *violated = json_array();
  for (size_t i = 0; i < model->violated_count; i++) {
    const lpmln_violation *v = &model->violated[i];
    json_t *each = json_object();
    json_object_set_new(each, "rule", text(v->rule));
    json_object_set_new(each, "instance", text(v->instance));
    json_object_set_new(each, "file", text(v->file));
    json_object_set_new(each, "line", json_integer(v->line));
    json_array_append_new(violated, each);
  }
  json_object_set_new(o, "atoms", names(model->atoms, model->atom_count));
  json_object_set_new(o, "probability", real(model->probability));
  json_object_set_new(o, "log_weight", real(model->log_weight));
  json_object_set_new(o, "violated", violated);
  return o;
}

void json_models(Text *to, const char *command, uint64_t seed, const lpmln_models *a, bool count) {
  json_t *o = open_object(command, seed, &a->about), *list = json_array();
  if (count)
    json_object_set_new(o, "count", a->about.complete ? text(a->total) : json_null());
  for (size_t i = 0; i < a->count; i++)
    json_array_append_new(list, model_object(&a->models[i]));
  json_object_set_new(o, "models", list);
  close_object(to, o);
}

void json_samples(Text *to, uint64_t seed, const lpmln_samples *a) {
  json_t *o = open_object("sample", seed, &a->about), *list = json_array();
  json_object_set_new(o, "uniform", json_boolean(a->uniform));
  set_guarantee(o, a->guarantee, a->epsilon, a->doubt);
  for (size_t i = 0; i < a->count; i++)
    json_array_append_new(list, names(a->samples[i].atoms, a->samples[i].atom_count));
  json_object_set_new(o, "samples", list);
  close_object(to, o);
}

/* A decimal number, as a string where JSON's readers would lose digits. */
static json_t *whole(const char *digits) {
  if (!digits || strlen(digits) > 15)
    return text(digits);
  return json_integer(strtoll(digits, NULL, 10));
}

static void set_count(json_t *o, const char *key, size_t n) {
  json_object_set_new(o, key, json_integer((json_int_t)n));
}

void json_analysis(Text *to, uint64_t seed, const lpmln_analysis *a) {
  json_t *o = open_object("check", seed, &a->about);
  set_count(o, "rules", a->rules);
  set_count(o, "soft_rules", a->soft_rules);
  set_count(o, "parameters", a->parameters);
  set_count(o, "atoms", a->atoms);
  set_count(o, "open_atoms", a->open_atoms);
  set_count(o, "ground_rules", a->ground_rules);
  set_count(o, "soft_instances", a->soft_instances);
  json_object_set_new(o, "tight", json_boolean(a->tight));
  json_object_set_new(o, "loop", text(a->loop));
  json_object_set_new(o, "head_cycle_free", json_boolean(a->head_cycle_free));
  set_count(o, "loops", a->loops);
  set_count(o, "components", a->components);
  set_count(o, "distinct_components", a->distinct_components);
  set_count(o, "largest_component", a->largest_component);
  json_object_set_new(o, "simple", json_boolean(a->simple));
  json_object_set_new(o, "simple_reason", text(a->simple_reason));
  json_object_set_new(o, "coherent", whole(a->coherent));
  json_object_set_new(o, "coherence_reason", text(a->coherence_reason));
  json_object_set_new(o, "hard_inconsistent", json_boolean(a->hard_inconsistent));
  json_object_set_new(o, "circuit_nodes",
                      a->circuit_nodes ? json_integer((json_int_t)a->circuit_nodes) : json_null());
  set_count(o, "observations", a->observations);
  json_object_set_new(o, "advice", sentences(a->advice, a->advice_count));
  close_object(to, o);
}

/* ---- learning ------------------------------------------------------------------- */

static json_t *learned_object(const lpmln_learned *w, bool sampled) {
  json_t *o = json_object(), *rules = json_array();
  json_object_set_new(o, "parameter", text(w->parameter));
  json_object_set_new(o, "weight", real(w->weight));
  json_object_set_new(o, "standard_error", real(w->standard_error));
  if (sampled)
    json_object_set_new(o, "mc_error", real(w->mc_error));
  json_object_set_new(o, "lower", real(w->lower));
  json_object_set_new(o, "upper", real(w->upper));
  json_object_set_new(o, "probability", real(w->probability));
  json_object_set_new(o, "holds", real(w->holds));
  json_object_set_new(o, "as_probability", json_boolean(w->as_probability));
  json_object_set_new(o, "diverges", w->diverges ? json_stringn(&w->diverges, 1) : json_null());
  json_object_set_new(o, "identified", json_boolean(w->identified));
  json_object_set_new(o, "at_bound", json_boolean(w->held));
  for (size_t i = 0; i < w->rule_count; i++) {
    json_t *rule = json_object();
    json_object_set_new(rule, "file", text(w->rules[i].file));
    json_object_set_new(rule, "line", json_integer(w->rules[i].line));
    json_object_set_new(rule, "text", text(w->rules[i].text));
    json_array_append_new(rules, rule);
  }
  json_object_set_new(o, "rules", rules);
  return o;
}

static json_t *group_object(const lpmln_group *g) {
  json_t *o = json_object();
  json_object_set_new(o, "parameters", names(g->parameters, g->count));
  json_object_set_new(o, "free_directions",
                      g->free_directions ? json_integer((json_int_t)g->free_directions)
                                         : json_null());
  json_object_set_new(o, "at_least_one", real(g->at_least_one));
  return o;
}

void json_learning(Text *to, uint64_t seed, const lpmln_learning *a) {
  json_t *o = open_object("learn", seed, &a->about), *weights = json_array(),
         *groups = json_array();
  bool sampled = a->about.method == LPMLN_MC_ASP;
  json_object_set_new(o, "optimizer", text(lpmln_optimizer_name(a->optimizer)));
  json_object_set_new(o, "converged", json_boolean(a->converged));
  set_count(o, "iterations", a->iterations);
  set_count(o, "evaluations", a->evaluations);
  json_object_set_new(o, "log_likelihood", real(a->log_likelihood));
  json_object_set_new(o, "supremum", real(a->supremum));
  json_object_set_new(o, "objective", real(a->objective));
  json_object_set_new(o, "gradient", real(a->gradient));
  if (sampled) {
    json_object_set_new(o, "gradient_error", real(a->gradient_error));
    json_object_set_new(o, "guarantee", text(lpmln_guarantee_name(a->guarantee)));
  }
  set_count(o, "observations", (size_t)a->observations);
  set_count(o, "different_observations", a->different);
  set_count(o, "dropped", (size_t)a->dropped);
  set_count(o, "circuit_nodes", a->circuit_nodes);
  json_object_set_new(o, "diagnosed", json_boolean(a->diagnosed));
  for (size_t i = 0; i < a->weight_count; i++)
    json_array_append_new(weights, learned_object(&a->weights[i], sampled));
  json_object_set_new(o, "weights", weights);
  for (size_t i = 0; i < a->group_count; i++)
    json_array_append_new(groups, group_object(&a->groups[i]));
  json_object_set_new(o, "unidentified", groups);
  json_object_set_new(o, "runs", reals(a->runs, a->run_count));
  bool tested = a->test_observations > 0;
  json_object_set_new(o, "test_log_likelihood",
                      tested ? real(a->test_log_likelihood) : json_null());
  json_object_set_new(o, "folds", reals(a->folds, a->fold_count));
  json_object_set_new(o, "advice", sentences(a->advice, a->advice_count));
  close_object(to, o);
}
