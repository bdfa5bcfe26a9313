"""Wrong and hostile Markov logic networks and databases; see cases.py."""

from cases import bad, fine

HEAD = "person = {Anna, Bob}\nP(person)\nQ(person, city)\ncity = {Rome}\n"
LINE = HEAD.count("\n") + 1


def mln(name, text, pattern, column=None, head=HEAD, **more):
    """One more line after the declarations; the error is in it."""
    place = f"n.mln:{LINE if head == HEAD else 1}:{column}" if column else ""
    bad("mln: " + name, None, pattern, place, arguments=["infer", "n.mln"],
        files={"n.mln": (lambda: head + (text() if callable(text) else text)) if callable(text) or isinstance(text, str)
               else head.encode() + text}, **more)


def database(name, text, pattern, place="", **more):
    bad("db: " + name, None, pattern, place and "n.db:" + place, arguments=["infer", "n.mln", "-e", "n.db"],
        files={"n.mln": HEAD, "n.db": text}, **more)


mln("undeclared predicate", "1 R(x) => P(x)", "the predicate 'R' is not declared", 3, caret="  ^")
mln("too few arguments", "1 Q(x) => P(x)", "declared with 2 arguments, not 1", 3)
mln("too many arguments", "1 P(x, y)", "declared with 1 argument, not 2", 3)
mln("two types for a variable", "1 Q(x, x)", "the variable x is a city here, but a person elsewhere", 8, caret="       ^")
mln("a variable without a type", "1 EXIST y P(x)", "type of the variable y is not known", 9)
mln("a type without constants", "R(place)\n", "the type place has no constants", 3)
mln("weight and full stop", "1 P(x).", "a full stop makes a formula hard", 7)
mln("an infinite weight", "1e999 P(x)", "not a finite number", 1, caret="^~~~~")
mln("no connective", "1 P(x) P(x)", "a connective or the end of the formula", 8)
mln("no operand", "1 P(x) ^", "a predicate or a comparison is expected", 8)
mln("a comma too many", "1 P(x,)", "a constant is expected", 7)
mln("an open parenthesis", "1 (P(x) v P(x)", r"`\)` or a connective", None)
mln("a closing parenthesis", "1 P(x))", "a connective or the end", 7)
mln("only a weight", "1", "is expected", None)
mln("a lower-case constant in a type", "animal = {dog}", "a constant is expected", 11)
mln("an unfinished type", "animal = {Dog", "is expected", None)
mln("a backward range", "number = {5, ..., 1}", "a range of integers", 14)
mln("a huge range", "number = {1, ..., 999999999}", "a range of integers", 14)
mln("a range of names", "number = {A, ..., B}", "a range of integers", 14)
mln("a function", "person mother(person)", "functions are not supported", 8)
mln("a function in a formula", "1 P(mother(x))", "functions are not supported", 5)
mln("arithmetic", "1 P(x) ^ x + 1 = x", "arithmetic is not supported", 12)
mln("include", '#include "other.mln"', "directives are not supported", 1)
mln("a star in the wrong place", "1 *(x = y) ^ P(x)", "", None)
mln("a star before a comparison", "1 * x = y ^ P(x)", "stands before a predicate", 3)
mln("a plus before a constant", "1 P(+Anna)", "`\\+` stands before a variable", 6)
mln("an unknown character", "1 P(x) & P(x)", "no meaning here", 8)
mln("a character of another alphabet", "1 P(é)", "no meaning here", 5)
mln("a broken character", b"1 P(\xff)", "no meaning here", 5)
mln("a NUL byte", b"1 P(x)\0 v P(x)", "no meaning here", 7)
mln("a NUL byte in a string", b'1 P("a\0b")', "NUL", 5)
mln("an open string", '1 P("Anna)', "this string has no end", 5)
mln("an open comment", "/* 1 P(x)", "this comment has no end", 1)
mln("a quantifier without a variable", "1 EXIST P(x)", "a variable is expected", 9)
mln("the disjunction as a variable", "1 EXIST v P(v)", "a variable is expected", 9)
mln("an exclusive argument of a closed predicate", "*R(person!)", "closed-world", 11)
mln("deep parentheses", lambda: "1 " + "(" * 100000 + "P(x)" + ")" * 100000, "nested deeper than 200", None)
mln("deep negation", lambda: "1 " + "!" * 100000 + "P(x)", "nested deeper than 200", None)
mln("deep quantifiers", lambda: "1 " + "EXIST x " * 100000 + "P(x)", "nested deeper than 200", None)
mln("a long chain of implications", lambda: "1 " + " => ".join(["P(x)"] * 100000), "nested deeper than 200", None)
mln("a long chain of equivalences", lambda: "1 " + " <=> ".join(["P(x)"] * 100000), "nested deeper than 200", None)
mln("many stars", "1 " + " v ".join(["*P(x)"] * 11), "more than 10 stars", 1)
mln("many errors", lambda: "1 R(x)\n" * 1000, "there are more errors than these 100", None)
mln("binary", lambda: bytes(range(256)).decode("latin-1") * 100, "", None)
fine("mln: a long disjunction", None, arguments=["infer", "n.mln", "-q", 'p("Anna")'], stdout='p\\("Anna"\\)',
     files={"n.mln": lambda: HEAD + "1 " + " v ".join(["P(x)"] * 20000) + "\n"})
fine("mln: nested equivalences are written once", None, arguments=["infer", "n.mln", "-q", 'p("Anna")'],
     stdout='p\\("Anna"\\) +0.731', files={"n.mln": HEAD + "1 " + "(P(x) <=> " * 60 + "P(x)" + ")" * 60 + "\n"})
fine("mln: an empty file", None, arguments=["infer", "n.mln"], files={"n.mln": ""})

database("undeclared predicate", "R(Anna)\n", "the predicate 'R' is not declared", "1:1")
database("a variable", "P(x)\n", "a constant is expected", "1:3")
database("a formula", "P(Anna) v P(Bob)\n", "the end of the line is expected", "1:9")
database("a weight", "0.7 P(Anna)\n", "a ground atom is expected", "1:1")
database("arguments", "P(Anna, Bob)\n", "declared with 1 argument", "1:1")
database("no parentheses", "P\n", "a ground atom is expected", "1:1")
database("cut short", "P(Anna", "is expected", "")
database("an impossible one", "Q(Anna, Rome)\n!Q(Anna, Rome)\n", "", "", code=1)
bad("db: two databases for a closed predicate", None, "can't have facts in two databases", "b.db:1:1",
    arguments=["check", "n.mln", "-e", "a.db", "-e", "b.db"],
    files={"n.mln": "*P(person)\n", "a.db": "P(Anna)\n", "b.db": "P(Bob)\n"})
