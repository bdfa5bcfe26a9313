/* dot.h - graphs for Graphviz: the dependencies of the ground program, the circuit. */
#ifndef WRITE_DOT_H
#define WRITE_DOT_H

#include "base/memory.h"
#include "circuit/circuit.h"
#include "ground/analysis.h"
#include "ground/ground.h"

/* An atom a node; an edge leads from each body literal to each head (dashed: it
** is negated; red: the rule is soft).  Loops are framed. */
void write_dot(const Ground *, const Analysis *, Text *out);

/* A root of a circuit: a decision is an ellipse (solid: its atom holds, dashed:
** it does not), a product a dot, an equal component drawn once. */
void write_circuit_dot(const Ground *, const Circuit *, const CircuitRoot *, Text *out);

/* The text between quotes, as dot reads it. */
void dot_quote(Text *out, const char *text);

#endif
