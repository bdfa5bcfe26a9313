/* problem.h - what is behind the public handle: texts, options, and the stages
** that were made from them.  A question prepares the stages that it needs;
** adding a text undoes them. */
#ifndef API_PROBLEM_H
#define API_PROBLEM_H

#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/read.h"
#include "dialects/dialect.h"

#include <stdatomic.h>

enum { LANGUAGES = LPMLN_LANGUAGE_LPMLNMODELS + 1 };

typedef struct {
  lpmln_role role;
  lpmln_language language; /* once read */
  char *name;              /* a path, or the name of `bytes` */
  char *bytes;             /* NULL: a file */
  size_t length;
  uint32_t source; /* once read */
} Input;

typedef struct {
  lpmln_role role;
  lpmln_language language;
  uint32_t source; /* in sources */
} BundleInput;

/* A compiled file, see bundle.h. */
typedef struct {
  VEC(Source) sources; /* owned: all texts, included ones too */
  VEC(BundleInput) inputs;
  VEC(char *) queries;
  VEC(char *) constants;
  bool closed_world, problog_clauses; /* the options that change what texts mean */
  Ground ground;
  Circuit circuit;
  CircuitRoot roots[2]; /* the program, and with its evidence */
  bool loaded;          /* circuit and roots are there */
} Bundle;

typedef struct {
  char *name;
  double value;
} NewWeight;

struct lpmln {
  lpmln_options options;
  char *include_root, *worker_path; /* owned copies of the options' */
  VEC(Input) inputs;
  VEC(char *) queries;
  VEC(char *) constants; /* `name=value` */
  VEC(NewWeight) new_weights;
  atomic_bool stop;
  atomic_int stage;            /* lpmln_stage, for lpmln_progress */
  atomic_uint_fast64_t models; /* seen so far */
  Limits limits;
  Worker worker;

  Bundle bundle;
  bool from_bundle;          /* nothing new is asked: its circuit answers */
  Dialect dialects[LANGUAGES]; /* texts of other languages */
  Program program;
  Ground ground;
  Analysis analysis;
  bool prepared;       /* ground and analysis are there */
  uint32_t tests;      /* observation blocks from this one on are for testing */
  uint32_t hard_bound; /* violable hard instances that must be violated; NONE */

  Compiled compiled;
  bool compiling;         /* compiled has begun */
  double compile_seconds; /* limit of one compilation; 0: none */

  VEC(void *) answers; /* memory of the last answer */
  VEC(lpmln_diagnostic) diagnostics;
};

/* Reads, grounds and analyses.  `blocks`: evidence may have several. */
Status problem_prepare(lpmln *, bool blocks);

/* Memory that lives as long as the answer. */
void *problem_keep(lpmln *, size_t count, size_t size);
char *problem_keep_text(lpmln *, const char *text);

/* Runs one question under a memory guard, with fresh limits and answer. */
typedef Status (*Job)(lpmln *, void *data);
Status problem_run(lpmln *, Job, void *data);

#endif
