/* main.c - the lpmln program: a client of the library that reads options,
** asks one question, prints diagnostics and the answer. */
#include "cli/learn.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "report/json.h"
#include "report/print.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static lpmln *running; /* for the signal handler only */

static void on_interrupt(int signal) {
  (void)signal;
  lpmln_interrupt(running);
}

static void catch_interrupts(lpmln *p) {
  struct sigaction action = {.sa_handler = on_interrupt};
  running = p;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/* ---- questions ------------------------------------------------------------------ */

/* Answers go to memory first: messages are printed before them. */
static FILE *out;

static lpmln_status infer(lpmln *p, const Settings *s) {
  HtmlRun run = report_run(p, s);
  const lpmln_inference *answer;
  lpmln_status status = lpmln_infer(p, &answer);
  if (answer && s->json)
    json_inference(out, s->library.seed, answer);
  else if (answer)
    print_inference(out, answer);
  if (answer && s->report)
    status = write_report(s, html_inference(&run, answer), status);
  return status;
}

static lpmln_status show_models(const Settings *s, lpmln_status status, const lpmln_models *answer,
                                bool count) {
  if (answer && s->json)
    json_models(out, s->command->name, s->library.seed, answer, count);
  else if (answer)
    print_models(out, answer, count);
  return status;
}

static lpmln_status map(lpmln *p, const Settings *s) {
  const lpmln_models *answer;
  lpmln_status status = lpmln_map(p, &answer);
  return show_models(s, status, answer, false);
}

static lpmln_status models(lpmln *p, const Settings *s) {
  const lpmln_models *answer;
  lpmln_status status = lpmln_list_models(p, s->number, &answer);
  return show_models(s, status, answer, true);
}

static lpmln_status sample(lpmln *p, const Settings *s) {
  HtmlRun run = report_run(p, s);
  const lpmln_samples *answer;
  lpmln_status status = s->uniform ? lpmln_draw_uniform(p, s->number, &answer)
                                   : lpmln_draw_samples(p, s->number, &answer);
  if (answer && s->json)
    json_samples(out, s->library.seed, answer);
  else if (answer)
    print_samples(out, answer);
  if (answer && s->report)
    status = write_report(s, html_samples(&run, answer), status);
  return status;
}

static lpmln_status check(lpmln *p, const Settings *s) {
  const lpmln_analysis *answer;
  lpmln_status status = lpmln_check(p, &answer);
  if (answer && s->json)
    json_analysis(out, s->library.seed, answer);
  else if (answer)
    print_analysis(out, answer);
  return status;
}

static lpmln_status to_asp(lpmln *p, const Settings *s, const char **text) {
  return lpmln_translate_asp(p, s->form, text);
}

static lpmln_status to_nnf(lpmln *p, const Settings *s, const char **text) {
  (void)s;
  return lpmln_translate_nnf(p, text);
}

static lpmln_status to_lpmln(lpmln *p, const Settings *s, const char **text) {
  (void)s;
  return lpmln_translate_lpmln(p, text);
}

/* FILE, or FILE-1, FILE-2, … before the ending if there are several. */
static bool write_database(const char *file, const char *text, size_t number, size_t count) {
  const char *dot = strrchr(file, '.');
  size_t stem = dot && !strchr(dot, '/') ? (size_t)(dot - file) : strlen(file),
         room = strlen(file) + 24;
  char *path = malloc(room);
  if (!path)
    return false;
  if (count == 1)
    snprintf(path, room, "%s", file);
  else
    snprintf(path, room, "%.*s-%zu%s", (int)stem, file, number, file + stem);
  bool good = write_file(path, text, strlen(text));
  if (!good)
    (void)cannot_write(path);
  free(path);
  return good;
}

static lpmln_status to_mln(lpmln *p, const Settings *s, const char **text) {
  const lpmln_mln *answer;
  lpmln_status status = lpmln_translate_mln(p, s->dialect, s->data_output, &answer);
  *text = answer ? answer->text : NULL;
  for (size_t i = 0; answer && i < answer->data_count; i++)
    if (!write_database(s->data_output, answer->data[i], i + 1, answer->data_count))
      return LPMLN_LIMIT;
  return status;
}

/* Of the names of lpmln_target. */
static lpmln_status to_other(lpmln *p, const Settings *s, const char **text) {
  static const char *const names[] = {"plingo", "wcnf", "aspif", "dot", "dot-circuit"};
  int i = 0;
  while (strcmp(s->target, names[i]) != 0)
    i++;
  return lpmln_translate(p, (lpmln_target)i, text);
}

/* Training data goes to a file of its own. */
static lpmln_status write_data(const Settings *s, const char *data, lpmln_status status) {
  if (data && !write_file(s->data_output, data, strlen(data)))
    return cannot_write(s->data_output);
  return status;
}

static lpmln_status to_problog(lpmln *p, const Settings *s, const char **text) {
  const char *data = NULL;
  lpmln_status status = lpmln_translate_problog(p, text, s->data_output ? &data : NULL);
  return write_data(s, data, status);
}

static const struct {
  const char *name;
  lpmln_status (*write)(lpmln *, const Settings *, const char **text);
} targets[] = {
    {"asp", to_asp},         {"nnf", to_nnf},           {"lpmln", to_lpmln}, {"mln", to_mln},
    {"problog", to_problog}, {"plingo", to_other},      {"wcnf", to_other},  {"aspif", to_other},
    {"dot", to_other},       {"dot-circuit", to_other},
};

static lpmln_status translate(lpmln *p, const Settings *s) {
  size_t i = 0;
  const char *text;
  while (strcmp(s->target, targets[i].name) != 0) /* options.c knows no others */
    i++;
  lpmln_status status = targets[i].write(p, s, &text);
  if (text)
    fputs(text, out);
  return status;
}

static lpmln_status compile(lpmln *p, const Settings *s) {
  const char *bytes;
  size_t length = 0;
  lpmln_status status = lpmln_compile(p, &bytes, &length);
  if (bytes && !write_file(s->output, bytes, length)) {
    fprintf(stderr, "lpmln: can't write '%s'\n", s->output);
    return LPMLN_LIMIT;
  }
  return status;
}

static lpmln_status ask(lpmln *p, const Settings *s) {
  switch (s->command->id) {
  case C_LEARN: return learn(p, s, out);
  case C_INFER: return infer(p, s);
  case C_MAP: return map(p, s);
  case C_MODELS: return models(p, s);
  case C_SAMPLE: return sample(p, s);
  case C_CHECK: return check(p, s);
  case C_TRANSLATE: return translate(p, s);
  case C_COMPILE: return compile(p, s);
  }
  return LPMLN_INTERNAL;
}

/* ---- around them ------------------------------------------------------------------ */

/* NAME=NUMBER; a name may have a = of its own. */
static lpmln_status set_weight(lpmln *p, const char *text) {
  const char *sign = strrchr(text, '=');
  char *name = strndup(text, (size_t)(sign - text)), *end;
  double value = strtod(sign + 1, &end);
  lpmln_status status = !name ? LPMLN_LIMIT : LPMLN_USAGE;
  if (name && *name && end != sign + 1 && !*end)
    status = lpmln_set_weight(p, name, value);
  if (status == LPMLN_USAGE)
    fprintf(stderr, "lpmln: --weight takes NAME=NUMBER, not '%s'\n", text);
  free(name);
  return status;
}

static lpmln_status add_inputs(lpmln *p, const Settings *s) {
  lpmln_status status = LPMLN_OK;
  for (size_t i = 0; !status && i < s->program_count; i++)
    status = lpmln_add_file(p, LPMLN_PROGRAM, s->programs[i]);
  for (size_t i = 0; !status && i < s->evidence_count; i++)
    status = lpmln_add_file(p, LPMLN_EVIDENCE, s->evidence[i]);
  for (size_t i = 0; !status && i < s->data_count; i++)
    status = lpmln_add_file(p, LPMLN_DATA, s->data[i]);
  for (size_t i = 0; !status && i < s->test_count; i++) {
    size_t n = strlen(s->tests[i]);
    bool table = n > 4 && !strcmp(s->tests[i] + n - 4, ".csv");
    status = lpmln_add_file(p, table ? LPMLN_TEST_DATA : LPMLN_TEST, s->tests[i]);
  }
  for (size_t i = 0; !status && i < s->weight_count; i++)
    status = set_weight(p, s->weights[i]);
  for (size_t i = 0; !status && i < s->query_count; i++)
    status = lpmln_add_query(p, s->queries[i]);
  for (size_t i = 0; !status && i < s->constant_count; i++) {
    char *name = strdup(s->constants[i]), *value = name ? strchr(name, '=') : NULL;
    if (value)
      *value = 0;
    status = value ? lpmln_define(p, name, value + 1) : LPMLN_LIMIT;
    free(name);
  }
  return status;
}

static void tell(const lpmln *p, const Settings *s) {
  size_t count;
  const lpmln_diagnostic *d = lpmln_diagnostics(p, &count);
  for (size_t i = 0; i < count; i++)
    if (!s->quiet || d[i].severity == LPMLN_ERROR)
      print_diagnostic(stderr, &d[i]);
}

int main(int argc, char **argv) {
  static Settings settings;
  char *line = command_line(argc, argv); /* before options are sorted to the front */
  int done = options_parse(argc, argv, &settings);
  settings.line = line;
  if (done >= 0 || !line) {
    free(line);
    return done >= 0 ? done : LPMLN_LIMIT;
  }
  lpmln *p = lpmln_new(&settings.library);
  if (!p)
    return LPMLN_LIMIT;
  catch_interrupts(p);
  lpmln_status status = add_inputs(p, &settings);
  char *text = NULL;
  size_t length = 0;
  out = open_memstream(&text, &length);
  if (!out)
    return LPMLN_LIMIT;
  Progress progress;
  progress_begin(&progress, p, settings.quiet, settings.verbose);
  if (status == LPMLN_OK)
    status = ask(p, &settings);
  progress_end(&progress);
  fclose(out);
  tell(p, &settings);
  fwrite(text, 1, length, stdout);
  free(text);
  if (status == LPMLN_INTERRUPTED)
    fprintf(stderr, "lpmln: interrupted\n");
  lpmln_free(p);
  free(line);
  if (fflush(stdout) || ferror(stdout)) {
    fprintf(stderr, "lpmln: can't write the answer\n");
    return LPMLN_LIMIT;
  }
  return (int)status;
}
