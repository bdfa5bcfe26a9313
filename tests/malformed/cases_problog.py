"""Wrong and hostile ProbLog programs; see cases.py.  The text is p.lp, read with --from."""

from cases import bad

INFER = ["infer", "--from", "problog", "p.lp"]


def problog(name, text, pattern, place="", **more):
    bad("ProbLog: " + name, text, pattern, place, **{"arguments": INFER, **more})


problog("NUL", b"a.\0b.", "NUL byte", "1:3")
problog("bytes that are no UTF-8", b"a(\xff).", "unexpected character", "1:3")
problog("bytes in quotes that are no UTF-8", b"a('\xff').", "UTF-8")
problog("an open quote", "a('x", "quote is not closed", "1:3")
problog("an open comment", "/* a", "comment is not closed", "1:1")
problog("an open parenthesis", "a :- (b", "expected", "1:7")
problog("no full stop", "a :- b", "full stop", "1:6")
problog("an empty clause", ".", "expected a term", "1:1")
problog("no head", ":- :- .", "expected a term", "1:4")
problog("no probability", "::a.", "expected a term", "1:1")
problog("a variable as a head", "X :- a.", "no atom", "1:1")
problog("a variable as a goal", "a :- X.", "no atom", "1:6")
problog("a number as a goal", "a :- 1.", "no atom", "1:6")
problog("braces", "a :- {b}.", "expected a term", "1:6")
problog("100,000 parentheses", lambda: "a :- " + "(" * 10**5 + "b" + ")" * 10**5 + ".", "too deeply nested", "1:205")
problog("100,000 functions", lambda: "a(" + "f(" * 10**5 + "x" + ")" * 10**5 + ").", "too deeply nested")
problog("100,000 lists", lambda: "a(" + "[" * 10**5 + "]" * 10**5 + ").", "too deeply nested")
problog("10,000 negations", lambda: "a :- " + "\\+ " * 10**4 + "b.", "too deeply nested")
problog("a long sum", lambda: "a(X) :- X is " + "+".join(["1"] * 1000) + ".", "nested more than")
problog("a long list", lambda: "a([" + ",".join(["x"] * 10**4) + "]).", "nested deeper")
problog("100,000 errors", lambda: "a :- .\n" * 10**5, "there are more errors than these 100", "1:6")
problog("a large number", "a(99999999999999999999).", "too large", "1:3")
problog("a probability above 1", "1.5::a.", "1.5 is no probability", "1:1")
problog("a negative probability", "-0.1::a.", "no probability", "1:2")
problog("a sum above 1", "0.7::a; 0.7::b.", "add up to 1.4", "1:1")
problog("an alternative without a probability", "0.7::a; b.", "without a probability", "1:9")
problog("a computed probability above 1", "P::a :- b(P). b(2).", "not between 0 and 1", "1:1")
problog("a probability that is no number", "P::a :- b(P). b(foo).", "not a number: foo", "1:1")
problog("a parameter's start that is no number", "t(a)::b.", "to start from", "1:3")
problog("decimals in comparisons", "a :- b(X), X < 1. b(0.5). query(a).", "no integer", "1:1")
problog("decimals in arithmetic", "a(X) :- b(Y), X is Y+0.5. b(1).", "decimal number", "1:22")
problog("a quotient", "a(X) :- b(Y), X is Y/2. b(1).", "gives a decimal", "1:20")
problog("division by zero", "a(X) :- b(Y), X is 4 // Y. b(0). query(a(_)).", "no value", "1:1")
problog("a product that wraps", "a(X) :- b(Y), X is Y*Y. b(99999). query(a(_)).", "too large", "1:1")
problog("a sum that wraps", "a(X) :- b(Y), X is Y+1. b(2147483647). query(a(_)).", "too large", "1:1")
problog("names compared as numbers", "a :- b(X), X < 3. b(c). query(a).", "no integer", "1:1")
problog("a string like a number", 'a("0.5").', "string is not supported", "1:3")
problog("counting without an end", "a(N) :- M is N+1, a(M). query(a(0)).", "grounding has no end", "1:1", code=4,
        arguments=INFER + ["--time-limit", "40"])
problog("an undefined predicate", "a :- b(1).", "no clause for b/1", "1:6")
problog("an undefined query", "query(b(1)).", "no clause for b/1", "1:7")
problog("an undefined observation", "a. evidence(b).", "no clause for b/0", "1:13")
problog("a loop through negation", "a :- \\+b. b :- \\+a. query(a).", "depends on its own negation", "1:1")
problog("a negation before its value", "a(X) :- \\+b(X,Y), c(Y), c(X). b(1,2). c(1).", "no value yet", "1:11")
problog("no value", "a(X,Y) :- b(X). b(1). query(a(_,_)).", "Y has no value here", "1:1")
problog("no question", "a(X,Y) :- b(X). b(1).", "for which values it holds", "1:1")
problog("a builtin", "a(L) :- findall(X, b(X), L). b(1).", "'findall' is not supported", "1:9")
problog("a cut", "a :- b, !. b.", "'!' is not supported", "1:9")
problog("a condition", "a :- (b -> c ; d). b. c. d.", "'->' is not supported", "1:7")
problog("a builtin as a head", "true :- a. a.", "can't be defined", "1:1")
problog("a negated conjunction as a head", "0.3::\\+(a,b).", "',' can't be defined")
problog("an unknown directive", ":- dynamic(a).", "directive is not supported", "1:4")
problog("evidence with a variable", "a(1). evidence(a(X)).", "evidence with variables", "1:16")
problog("evidence that is neither", "a. evidence(a,maybe).", "true or false", "1:15")
problog("an unknown call", "a :- b(X), call(X). b(c).", "not known beforehand", "1:12")
bad("ProbLog: examples for inference", "a.", "this is evidence", "e.ev:2:1",
    arguments=INFER + ["-e", "e.ev"], files={"e.ev": "evidence(a).\n---\nevidence(a).\n"})
bad("ProbLog: a clause among examples", "a.", "no evidence", "e.ev:1:1",
    arguments=INFER + ["-e", "e.ev"], files={"e.ev": "a.\n"})
bad("ProbLog: no such target", "{a}.", "not a ProbLog program: a choice", "1:1", code=1,
    arguments=["translate", "--to", "problog", "p.lp"])
