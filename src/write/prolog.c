/* prolog.c - clingo's names and terms in Prolog's writing. */
#include "write/problog.h"

#include "base/memory.h"
#include "base/number.h"
#include "ground/ground.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Predicates that ProbLog has already, and how many arguments they take: the
** user's get another name. */
static const struct {
  const char *name;
  unsigned least, most;
} taken[] = {
    {"true", 0, 0},
    {"fail", 0, 0},
    {"false", 0, 0},
    {"is", 2, 2},
    {"not", 1, 1},
    {"query", 1, 1},
    {"evidence", 1, 2},
    {"call", 1, 9},
    {"between", 3, 3},
    {"succ", 2, 2},
    {"plus", 3, 3},
    {"length", 2, 2},
    {"sort", 2, 2},
    {"var", 1, 1},
    {"nonvar", 1, 1},
    {"atom", 1, 1},
    {"atomic", 1, 1},
    {"number", 1, 1},
    {"integer", 1, 1},
    {"float", 1, 1},
    {"rational", 1, 1},
    {"compound", 1, 1},
    {"callable", 1, 1},
    {"simple", 1, 1},
    {"primitive", 1, 1},
    {"dbreference", 1, 1},
    {"ground", 1, 1},
    {"functor", 3, 3},
    {"arg", 3, 3},
    {"compare", 3, 3},
    {"findall", 3, 3},
    {"all", 3, 3},
    {"all_or_none", 3, 3},
    {"consult", 1, 1},
    {"use_module", 1, 2},
    {"module", 2, 2},
    {"write", 1, 9},
    {"writeln", 1, 9},
    {"writenl", 1, 9},
    {"nl", 0, 0},
    {"error", 1, 9},
    {"debugprint", 1, 9},
    {"clause", 2, 3},
    {"once", 1, 1},
    {"subquery", 2, 5},
    {"subquery_in_scope", 3, 6},
    {"call_in_scope", 2, 10},
    {"call_nc", 1, 9},
    {"try_call", 1, 9},
    {"is_list", 1, 1},
    {"possible", 1, 1},
    {"unknown", 1, 1},
    {"atom_number", 2, 2},
    {"nocache", 2, 2},
    {"numbervars", 2, 3},
    {"varnumbers", 2, 2},
    {"subsumes_term", 2, 2},
    {"subsumes_chk", 2, 2},
    {"sample_uniform1", 3, 3},
    {"seq", 1, 1},
    {"condition", 1, 1},
    {"set_state", 1, 1},
    {"reset_state", 0, 0},
    {"check_state", 1, 1},
    {"print_state", 0, 0},
    {"find_scope", 2, 2},
    {"create_scope", 2, 2},
    {"cmd_args", 1, 1},
    {"trace", 0, 0},
    {"notrace", 0, 0},
    {"mod", 2, 2},
    {"rem", 2, 2},
    {"xor", 2, 2},
};

static bool is_taken(const char *name, size_t length, unsigned arity) {
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (strlen(taken[i].name) == length && !strncmp(taken[i].name, name, length) &&
        arity >= taken[i].least && arity <= taken[i].most)
      return true;
  return false;
}

void prolog_name(const char *name, size_t length, Text *out) {
  bool plain = length && islower((unsigned char)*name);
  for (size_t i = 0; i < length; i++)
    plain &= isalnum((unsigned char)name[i]) || name[i] == '_';
  text_puts(out, plain ? "" : "'");
  for (size_t i = 0; i < length; i++) {
    text_puts(out, name[i] == '\'' ? "\\" : "");
    text_add(out, name + i, 1);
  }
  text_puts(out, plain ? "" : "'");
}

/* Names that start with p_ are ours. */
void prolog_predicate(const char *name, size_t length, unsigned arity, Text *out) {
  text_puts(out,
            is_taken(name, length, arity) || (length > 1 && !strncmp(name, "p_", 2)) ? "p_" : "");
  prolog_name(name, length, out);
}

/* The string at the quote; its end. */
static const char *string_end(const char *s) {
  for (s++; *s && *s != '"'; s++)
    s += *s == '\\' && s[1];
  return s + (*s == '"');
}

void prolog_ground(const char *atom, Text *out) {
  bool start = false; /* of a term */
  size_t n = strcspn(atom, "(");
  prolog_predicate(atom, n, ground_arity(atom), out);
  for (atom += n; *atom;) {
    const char *from = atom;
    if (*atom == '"') {
      atom = string_end(atom);
      text_add(out, from, (size_t)(atom - from));
    } else if (*atom == '(' && start) { /* a tuple */
      text_puts(out, atom[1] == ')' ? "tuple" : "tuple(");
      atom += atom[1] == ')' ? 2 : 1;
      if (*atom == ',')
        atom += atom[1] == ')'; /* (a,) */
    } else if (strchr("(),", *atom)) {
      text_add(out, atom++, 1);
    } else if (isdigit((unsigned char)*atom) || (*atom == '-' && isdigit((unsigned char)atom[1]))) {
      while (*atom && !strchr("(),\"", *atom))
        atom++;
      text_add(out, from, (size_t)(atom - from));
    } else {
      while (*atom && !strchr("(),\"", *atom))
        atom++;
      prolog_name(from, (size_t)(atom - from), out);
    }
    start = from[0] == '(' || from[0] == ',';
  }
}

/* e^w/(1+e^w), with the digits that are more than rounding: 0.001 has become a weight and
** comes back as 0.001. */
void prolog_probability(double weight, Text *out) {
  double p = 1 / (1 + exp(-weight));
  NumberText digits = number_close(p, 1, 1e-14 * fmin(p, 1 - p));
  text_printf(out, "%s%s", digits.text, strpbrk(digits.text, ".e") ? "" : ".0");
}
