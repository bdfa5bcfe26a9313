/* model.h - a program compiled and sealed: what states ask.
**
** Two roots in one circuit: the program, and with its evidence.  The second tells all
** atoms that were asked for or named as observable, and the guessed ones.  Nothing in it
** changes once it is made, so any number of threads may read it. */
#ifndef API_MODEL_H
#define API_MODEL_H

#include "api/sealed.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/strata.h"
#include "ground/ground.h"
#include "infer/task.h"
#include "infer/told.h"
#include "lpmln/lpmln.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef VEC(const char *) ModelNames; /* borrowed from the ground program */

struct lpmln_model {
  atomic_size_t holders;
  Sealed *sealed;
  Circuit circuit;
  CircuitRoot program, observed;
  Told told;  /* of observed */
  Told prior; /* of program */
  Strata strata;
  Names names;       /* of the ground atoms… */
  VEC(Atom) named;   /* …and the atom of each */
  double *weights;   /* by weight of the ground program */
  VEC(Lit) evidence; /* of the model: observed is the program with it */
  VEC(uint32_t) parameters;
  VEC(Atom) observables, queries;
  bool always; /* queries are listed even if certain or impossible */
  ModelNames parameter_names, observable_names, query_names;
};

/* From a ground program; says why if it can't be compiled.  `asked`: atoms that evidence
** will be about. */
Status model_make(const Task *, Sealed *, const Atom *asked, size_t n, lpmln_model **);

/* An atom's text without blanks, but those inside of quotes; to be freed. */
char *atom_bare(const char *text, size_t length);

/* The atom of this name (blanks do not count), or NONE. */
Atom model_atom(const lpmln_model *, const char *text, size_t length);

/* Atoms of a name or a signature; false: there are none. */
typedef VEC(Atom) ModelAtoms;
bool model_atoms(const Ground *, const char *atom_or_signature, ModelAtoms *);

/* ---- told.c: a compiled file in place of a program -------------------------------- */

/* What is asked of a compiled file beside what it was compiled with. */
typedef struct {
  VEC(Lit) evidence;
  VEC(uint32_t) statements; /* of the texts, by piece of evidence */
  ModelAtoms queries;
  ModelNames names; /* of the queries */
  bool always;
} Asking;

void asking_free(Asking *);

/* Adds the queries that the model was compiled for. */
void asking_of_model(const lpmln_model *, Asking *);

/* Looks up evidence and queries of the program's texts; false: not all of it is about atoms
** of the model, so that the texts have to be ground. */
bool model_finds(const lpmln_model *, const Sealed *, const lpmln_program *, Asking *);

/* ---- file.c: a model as bytes ---------------------------------------------------- */

bool model_recognise(const char *bytes, size_t length);
void model_write(const lpmln_model *, Text *out);
lpmln_model *model_read(const char *bytes, size_t length); /* NULL: refused */

/* What both ways to make one do last: names, columns, what it tells. */
void model_seal(lpmln_model *);

#endif
