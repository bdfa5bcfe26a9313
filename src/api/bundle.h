/* bundle.h - a compiled program as one file: the texts it was made from, the
** ground program and the circuit.
**
** Read in place of a program, it is taken as its texts; if nothing new is asked
** (no other text, query or constant) grounding and compiling are skipped.  The
** file has a version and a checksum, and loading checks every reference: a
** damaged or forged file is refused, never believed. */
#ifndef API_BUNDLE_H
#define API_BUNDLE_H

#include "api/problem.h"

bool bundle_recognise(const char *bytes, size_t length);

/* Writes the prepared and compiled problem. */
void bundle_save(const lpmln *, const CircuitRoot *program, const CircuitRoot *observed, Text *out);

/* Reads all but the texts into `to`, and the texts into `inputs`; false: refuse
** the file. */
bool bundle_load(const char *bytes, size_t length, Bundle *to);
void bundle_free(Bundle *);

#endif
