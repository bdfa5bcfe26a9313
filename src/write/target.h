/* target.h - the languages and formats that a program can be written in. */
#ifndef WRITE_TARGET_H
#define WRITE_TARGET_H

#include "base/memory.h"
#include "base/status.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"

#include <stddef.h>

/* What a writer writes. */
typedef struct {
  Text text;
  VEC(Text) data; /* training data, if it is wanted separately */
} Translation;    /* {0} is empty */

void translation_free(Translation *);

/* A writer says why the program can't be written: NO_ANSWER. */
typedef Status (*TargetWriter)(const Task *, const lpmln_translation_options *, Translation *);

const lpmln_choice *target_choices(size_t *count);

/* NULL: there is none of this name. */
TargetWriter target_named(const char *name);

/* target_markov.c */
Status target_markov(const Task *, const lpmln_translation_options *, Translation *);

#endif
