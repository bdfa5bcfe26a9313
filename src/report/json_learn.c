/* json_learn.c - what was learned as JSON; see json.h. */
#include "report/json.h"
#include "report/json_parts.h"

#include <jansson.h>

static json_t *balance_object(const lpmln_balance *b) {
  json_t *o = json_object();
  json_object_set_new(o, "value", json_of_real(b->weight));
  json_object_set_new(o, "observed", json_of_real(b->observed));
  json_object_set_new(o, "expected", json_of_real(b->expected));
  json_object_set_new(o, "gradient", json_of_real(b->gradient));
  return o;
}

static json_t *learned_object(const lpmln_learned *w, bool sampled) {
  json_t *o = json_object(), *rules = json_array();
  json_object_set_new(o, "parameter", json_of_text(w->parameter));
  json_object_set_new(o, "weight", json_of_real(w->weight));
  json_object_set_new(o, "standard_error", json_of_real(w->standard_error));
  if (sampled)
    json_object_set_new(o, "mc_error", json_of_real(w->mc_error));
  json_object_set_new(o, "lower", json_of_real(w->lower));
  json_object_set_new(o, "upper", json_of_real(w->upper));
  json_object_set_new(o, "probability", json_of_real(w->probability));
  if (w->as_probability) {
    json_object_set_new(o, "probability_lower", json_of_real(w->probability_lower));
    json_object_set_new(o, "probability_upper", json_of_real(w->probability_upper));
  }
  json_object_set_new(o, "holds", json_of_real(w->holds));
  json_object_set_new(o, "as_probability", json_boolean(w->as_probability));
  json_object_set_new(o, "diverges", w->diverges ? json_stringn(&w->diverges, 1) : json_null());
  json_object_set_new(o, "identified", json_boolean(w->identified));
  json_object_set_new(o, "at_bound", json_boolean(w->held));
  json_object_set_new(o, "start", balance_object(&w->start));
  json_object_set_new(o, "end", balance_object(&w->end));
  for (size_t i = 0; i < w->rule_count; i++) {
    json_t *rule = json_object();
    json_object_set_new(rule, "file", json_of_text(w->rules[i].file));
    json_object_set_new(rule, "line", json_integer(w->rules[i].line));
    json_object_set_new(rule, "text", json_of_text(w->rules[i].text));
    json_array_append_new(rules, rule);
  }
  json_object_set_new(o, "rules", rules);
  return o;
}

static json_t *group_object(const lpmln_group *g) {
  json_t *o = json_object();
  json_object_set_new(o, "parameters", json_of_names(g->parameters, g->count));
  json_object_set_new(o, "free_directions",
                      g->free_directions ? json_integer((json_int_t)g->free_directions)
                                         : json_null());
  json_object_set_new(o, "at_least_one", json_of_real(g->at_least_one));
  return o;
}

void json_learning(Text *to, uint64_t seed, const lpmln_learning *a) {
  json_t *o = json_open("learn", seed, &a->about), *weights = json_array(), *groups = json_array();
  bool sampled = a->about.method == LPMLN_MC_ASP;
  json_object_set_new(o, "optimizer", json_of_text(lpmln_optimizer_name(a->optimizer)));
  json_object_set_new(o, "converged", json_boolean(a->converged));
  json_set_count(o, "iterations", a->iterations);
  json_set_count(o, "evaluations", a->evaluations);
  json_object_set_new(o, "log_likelihood", json_of_real(a->log_likelihood));
  json_object_set_new(o, "supremum", json_of_real(a->supremum));
  json_object_set_new(o, "objective", json_of_real(a->objective));
  json_object_set_new(o, "gradient", json_of_real(a->gradient));
  if (sampled) {
    json_object_set_new(o, "log_likelihood_error", json_of_real(a->log_likelihood_error));
    json_object_set_new(o, "gradient_error", json_of_real(a->gradient_error));
    json_object_set_new(o, "guarantee", json_of_text(lpmln_guarantee_name(a->guarantee)));
  }
  json_set_count(o, "observations", (size_t)a->observations);
  json_set_count(o, "different_observations", a->different);
  json_set_count(o, "dropped", (size_t)a->dropped);
  json_set_count(o, "circuit_nodes", a->circuit_nodes);
  json_object_set_new(o, "diagnosed", json_boolean(a->diagnosed));
  for (size_t i = 0; i < a->weight_count; i++)
    json_array_append_new(weights, learned_object(&a->weights[i], sampled));
  json_object_set_new(o, "weights", weights);
  for (size_t i = 0; i < a->group_count; i++)
    json_array_append_new(groups, group_object(&a->groups[i]));
  json_object_set_new(o, "unidentified", groups);
  json_object_set_new(o, "runs", json_of_reals(a->runs, a->run_count));
  bool tested = a->test_observations > 0;
  json_object_set_new(o, "test_log_likelihood",
                      tested ? json_of_real(a->test_log_likelihood) : json_null());
  json_object_set_new(o, "folds", json_of_reals(a->folds, a->fold_count));
  json_object_set_new(o, "advice", json_of_sentences(a->advice, a->advice_count));
  json_close(to, o);
}

/* ---- clusters of instances ---------------------------------------------------------- */

static json_t *split_object(const lpmln_split *s) {
  json_t *o = json_object(), *groups = json_array();
  for (size_t g = 0; g < s->count; g++) {
    json_t *group = json_object();
    json_object_set_new(group, "weight", json_of_real(s->groups[g].weight));
    json_object_set_new(group, "values", json_of_names(s->groups[g].values, s->groups[g].count));
    json_array_append_new(groups, group);
  }
  json_object_set_new(o, "rule", json_of_text(s->rule));
  json_object_set_new(o, "variable", json_of_text(s->variable));
  json_object_set_new(o, "groups", groups);
  return o;
}

static json_t *try_object(const lpmln_split_try *t) {
  json_t *o = json_object();
  json_object_set_new(o, "rule", json_of_text(t->rule));
  json_object_set_new(o, "file", json_of_text(t->file));
  json_object_set_new(o, "line", json_integer(t->line));
  json_object_set_new(o, "variable", json_of_text(t->variable));
  json_set_count(o, "values", t->values);
  json_set_count(o, "groups", t->groups);
  json_object_set_new(o, "log_likelihood", json_of_real(t->log_likelihood));
  json_object_set_new(o, "gain", json_of_real(t->gain));
  json_object_set_new(o, "taken", json_boolean(t->taken));
  return o;
}

void json_splitting(Text *to, uint64_t seed, const lpmln_splitting *a) {
  json_t *o = json_open("learn", seed, &a->about), *splits = json_array(), *tries = json_array();
  for (size_t i = 0; i < a->count; i++)
    json_array_append_new(splits, split_object(&a->splits[i]));
  for (size_t i = 0; i < a->try_count; i++)
    json_array_append_new(tries, try_object(&a->tries[i]));
  json_set_count(o, "observations", (size_t)a->observations);
  json_object_set_new(o, "log_likelihood_tied", json_of_real(a->tied_log_likelihood));
  json_object_set_new(o, "log_likelihood", json_of_real(a->log_likelihood));
  json_object_set_new(o, "splits", splits);
  json_object_set_new(o, "path", tries);
  json_object_set_new(o, "program", json_of_text(a->program));
  json_close(to, o);
}

/* Read, not learned. */
void json_weights(Text *to, uint64_t seed, const lpmln_weights *a) {
  json_t *o = json_open("learn", seed, &a->about), *weights = json_array();
  for (size_t i = 0; i < a->count; i++) {
    json_t *w = json_object();
    json_object_set_new(w, "parameter", json_of_text(a->weights[i].parameter));
    json_object_set_new(w, "weight", json_of_real(a->weights[i].weight));
    json_array_append_new(weights, w);
  }
  json_object_set_new(o, "weights", weights);
  json_close(to, o);
}

/* ---- choosing rules --------------------------------------------------------------- */

static json_t *candidate_object(const lpmln_candidate *c) {
  json_t *o = json_object();
  json_object_set_new(o, "rule", json_of_text(c->rule));
  json_object_set_new(o, "file", json_of_text(c->file));
  json_object_set_new(o, "line", json_integer(c->line));
  json_object_set_new(o, "kept", json_boolean(c->kept));
  json_object_set_new(o, "weight", json_of_real(c->weight));
  json_object_set_new(o, "standard_error", json_of_real(c->standard_error));
  json_object_set_new(o, "diverges", c->diverges ? json_stringn(&c->diverges, 1) : json_null());
  json_object_set_new(o, "gain", json_of_real(c->gain));
  return o;
}

static json_t *path_object(const lpmln_path_point *p) {
  json_t *o = json_object();
  json_object_set_new(o, "strength", json_of_real(p->strength));
  json_set_count(o, "rules", p->rules);
  json_object_set_new(o, "log_likelihood", json_of_real(p->log_likelihood));
  json_object_set_new(o, "held_out", json_of_real(p->held_out));
  json_object_set_new(o, "chosen", json_boolean(p->chosen));
  return o;
}

static json_t *step_object(const lpmln_induction *a, const lpmln_induction_step *s) {
  json_t *o = json_object();
  json_object_set_new(o, s->added ? "added" : "dropped",
                      json_of_text(a->candidates[s->candidate].rule));
  json_object_set_new(o, "log_likelihood", json_of_real(s->log_likelihood));
  json_object_set_new(o, "score", json_of_real(s->score));
  return o;
}

void json_induction(Text *to, uint64_t seed, const lpmln_induction *a) {
  json_t *o = json_open("induce", seed, &a->about), *candidates = json_array(),
         *path = json_array(), *steps = json_array();
  for (size_t i = 0; i < a->candidate_count; i++)
    json_array_append_new(candidates, candidate_object(&a->candidates[i]));
  for (size_t i = 0; i < a->path_count; i++)
    json_array_append_new(path, path_object(&a->path[i]));
  for (size_t i = 0; i < a->step_count; i++)
    json_array_append_new(steps, step_object(a, &a->steps[i]));
  json_set_count(o, "observations", (size_t)a->observations);
  json_object_set_new(o, "penalty", json_of_real(a->penalty));
  json_object_set_new(o, "log_likelihood", json_of_real(a->log_likelihood));
  json_object_set_new(o, "held_out", json_of_real(a->held_out));
  json_object_set_new(o, "log_likelihood_without", json_of_real(a->base_log_likelihood));
  json_object_set_new(o, "held_out_without", json_of_real(a->base_held_out));
  json_object_set_new(o, "candidates", candidates);
  json_object_set_new(o, "path", path);
  json_object_set_new(o, "steps", steps);
  json_object_set_new(o, "program", json_of_text(a->program));
  json_close(to, o);
}
