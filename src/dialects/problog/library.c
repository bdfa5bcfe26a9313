/* library.c - the predicates on lists that ProbLog's library has, as
** clauses: they are computed by calls like any other. */
#include "dialects/problog/problog.h"

#include "base/memory.h"
#include "base/source.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const struct {
  const char *name;
  uint32_t arity;
  const char *clauses;
} library[] = {
    {"member", 2, "member(X,[X|_]). member(X,[_|T]) :- member(X,T)."},
    {"memberchk", 2, "memberchk(X,L) :- member(X,L)."},
    {"append", 3, "append([],L,L). append([X|K],L,[X|M]) :- append(K,L,M)."},
    {"length", 2, "length([],0). length([_|T],N) :- length(T,M), N is M+1."},
    {"reverse", 2, "reverse(L,R) :- 'reverse onto'(L,[],R)."},
    {"'reverse onto'", 3,
     "'reverse onto'([],R,R). 'reverse onto'([X|T],K,R) :- 'reverse onto'(T,[X|K],R)."},
    {"last", 2, "last([X],X). last([_|T],X) :- last(T,X)."},
    {"nth0", 3, "nth0(0,[X|_],X). nth0(N,[_|T],X) :- nth0(M,T,X), N is M+1."},
    {"nth1", 3, "nth1(1,[X|_],X). nth1(N,[_|T],X) :- nth1(M,T,X), N is M+1."},
    {"sum_list", 2, "sum_list([],0). sum_list([X|T],S) :- sum_list(T,R), S is R+X."},
    {"sumlist", 2, "sumlist(L,S) :- sum_list(L,S)."},
    {"select", 3, "select(X,[X|T],T). select(X,[Y|T],[Y|R]) :- select(X,T,R)."},
};

static void add(Problog *p, const char *clauses) {
  Sentences s = {0};
  uint32_t source =
      source_add(p->sources, "<library>", memory_copy(clauses, strlen(clauses)), strlen(clauses));
  p->sources->list.at[source].derived = true; /* no user's: nothing is said of it */
  problog_parse(p, source, false, &s);
  problog_clauses(p, &s);
  sentences_free(&s);
}

void problog_library(Problog *p) {
  for (size_t q = 0; q < p->predicates.n; q++) { /* it grows */
    const char *name = problog_text(p, p->predicates.at[q].name);
    for (size_t i = 0; !p->predicates.at[q].defined && i < sizeof library / sizeof *library; i++)
      if (!strcmp(name, library[i].name) && p->predicates.at[q].arity == library[i].arity) {
        add(p, library[i].clauses);
        break;
      }
  }
}
