/* json.c - see json.h; jansson does the work. */
#include "report/json.h"
#include "report/json_parts.h"

#include "report/sentence.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Memory that is out ends the answer, never one of its fields. */
static void *make(size_t n) { return memory_resize(NULL, n, 1); }

/* What is not UTF-8, the name of a file, is shown as far as it is ASCII. */
static json_t *bytes_as_text(const char *s) {
  assert(s);
  Text clean = {0};
  for (; *s; s++)
    text_add(&clean, (unsigned char)*s < 128 ? s : "?", 1);
  json_t *made = json_string(clean.at);
  vec_free(&clean);
  return made;
}

json_t *json_of_real(double x) { return isfinite(x) ? json_real(x) : json_null(); }

json_t *json_of_text(const char *s) {
  json_t *made = s ? json_string(s) : json_null();
  return made ? made : bytes_as_text(s);
}

/* In the words of the command line. */
json_t *json_of_sentence(const char *s) {
  if (!s)
    return json_null();
  Text said = {0};
  sentence_write(&said, s);
  json_t *made = json_of_text(said.at);
  vec_free(&said);
  return made;
}

/* What is about a whole file has no line, column and length; what is about none, no file. */
static json_t *diagnostic_object(const lpmln_diagnostic *d) {
  static const char *const severities[] = {"note", "warning", "error"};
  assert(d->severity <= LPMLN_ERROR && d->message);
  json_t *o = json_object();
  json_object_set_new(o, "severity", json_string(severities[d->severity]));
  json_object_set_new(o, "file", json_of_text(d->file));
  json_object_set_new(o, "line", d->line ? json_integer(d->line) : json_null());
  json_object_set_new(o, "column", d->line ? json_integer(d->column) : json_null());
  json_object_set_new(o, "length", d->line ? json_integer(d->length) : json_null());
  json_object_set_new(o, "message", json_of_sentence(d->message));
  json_object_set_new(o, "hint", json_of_sentence(d->hint));
  return o;
}

static json_t *diagnostics(const lpmln_diagnostic *list, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, diagnostic_object(&list[i]));
  return array;
}

json_t *json_open(const char *command, uint64_t seed, const lpmln_answer *about) {
  json_set_alloc_funcs(make, free);
  json_t *o = json_object();
  json_object_set_new(o, "lpmln", json_string(lpmln_version()));
  json_object_set_new(o, "command", json_string(command));
  json_object_set_new(o, "method", json_string(lpmln_method_name(about->method)));
  json_object_set_new(o, "exact", json_boolean(about->exact));
  json_object_set_new(o, "complete", json_boolean(about->complete));
  json_object_set_new(o, "seed", json_integer((json_int_t)seed));
  if (!about->complete)
    json_object_set_new(o, "models_seen", json_of_text(about->models_seen));
  json_object_set_new(o, "diagnostics", diagnostics(about->diagnostics, about->diagnostic_count));
  return o;
}

/* Numbers have all their digits, and a point in any locale; diagnostics come last. */
void json_close(Text *to, json_t *o) {
  json_t *said = json_incref(json_object_get(o, "diagnostics"));
  json_object_del(o, "diagnostics");
  json_object_set_new(o, "diagnostics", said);
  char *written = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
  json_decref(o);
  if (!written)
    memory_fail();
  text_puts(to, written);
  text_puts(to, "\n");
  free(written);
}

void json_failure(Text *to, const char *command, int code, const lpmln_diagnostic *list,
                  size_t count) {
  assert(code > 0);
  json_set_alloc_funcs(make, free);
  json_t *o = json_object();
  json_object_set_new(o, "lpmln", json_string(lpmln_version()));
  json_object_set_new(o, "command", json_of_text(command));
  json_object_set_new(o, "error", json_true());
  json_object_set_new(o, "exit_code", json_integer(code));
  json_object_set_new(o, "diagnostics", diagnostics(list, count));
  json_close(to, o);
}

json_t *json_of_names(const char *const *list, size_t n) {
  json_t *array = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(array, json_of_text(list[i]));
  return array;
}

json_t *json_of_reals(const double *list, size_t n) {
  json_t *array = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(array, json_of_real(list[i]));
  return array;
}

json_t *json_of_sentences(const char *const *list, size_t n) {
  json_t *array = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(array, json_of_sentence(list[i]));
  return array;
}

void json_set_guarantee(json_t *o, lpmln_guarantee guarantee, double epsilon, double doubt) {
  bool near = guarantee == LPMLN_NEAR_UNIFORM;
  json_object_set_new(o, "guarantee", json_of_text(lpmln_guarantee_name(guarantee)));
  json_object_set_new(o, "epsilon", near ? json_of_real(epsilon) : json_null());
  json_object_set_new(o, "doubt", near ? json_of_real(doubt) : json_null());
}

void json_set_count(json_t *o, const char *key, size_t n) {
  json_object_set_new(o, key, json_integer((json_int_t)n));
}
