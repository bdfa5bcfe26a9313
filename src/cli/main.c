/* main.c - the lpmln program: a client of the library that reads options, asks one
** question, prints messages and the answer. */
#include "cli/run.h"

int main(int argc, char **argv) { return run_guarded(argc, argv, NULL); }
