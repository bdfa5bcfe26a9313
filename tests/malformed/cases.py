"""Wrong and hostile inputs, and what lpmln must say about each.

    bad(name, text, pattern, place)       p.lp holds the text; exit 3, nothing on stdout
    bad(…, code=4, arguments=[…], files={…})

`pattern` is a regular expression that standard error must contain; `place` is
LINE:COLUMN in p.lp, or FILE:LINE:COLUMN, of one of the diagnostics.  The texts
are strings or bytes; big ones are functions, called when the case is run.
"""

import os
from dataclasses import dataclass, field

CASES = []


@dataclass
class Case:
    name: str
    text: object = None
    pattern: str = ""
    place: str = ""
    code: int = 3
    arguments: list = field(default_factory=lambda: ["infer", "p.lp"])
    files: dict = field(default_factory=dict)
    input: bytes = b""
    prepare: object = None    # called in the case's folder
    dies: bool = False        # libclingo may die of it: the worker's reports do not count
    stdout: str = ""          # a regular expression, where there is an answer
    absent: str = ""          # must not be on standard error
    caret: str = ""           # the line under the source line, from its indentation on


def bad(name, text, pattern, place="", **more):
    CASES.append(Case(name, text, pattern, place, **more))


def fine(name, text, pattern="", **more):
    CASES.append(Case(name, text, pattern, **{"code": 0, **more}))


def query(name, text, pattern, place="", program="{p(1..2)}. {a;b}.", **more):
    bad("query: " + name, program, pattern, place and "<query>:" + place,
        arguments=["infer", "p.lp", "-q", text], **more)


def evidence(name, text, pattern, place="", program="{p(1..2)}. {a;b}.", **more):
    bad("evidence: " + name, program, pattern, place and "e.obs:" + place,
        arguments=["infer", "p.lp", "-e", "e.obs"], files={"e.obs": text}, **more)


def constant(name, value, pattern, **more):
    bad("constant: " + name, "p(x).", pattern, arguments=["infer", "p.lp", "-c", value], **more)


def include(name, text, pattern, place="1:10", **more):
    bad("include: " + name, text, pattern, place, **more)


# ---- bytes ------------------------------------------------------------------------

bad("NUL in a rule", b"p :- q\0.", "NUL byte", "1:7")
bad("NUL in a comment", b"p. % a\0b\nq.", "NUL byte", "1:7")
bad("NUL in a string", b'p("a\0b").', "NUL byte", "1:5")
bad("NUL alone", b"\0", "NUL byte", "1:1")
bad("NUL at the end", b"p.\n\0", "NUL byte", "2:1")
bad("a megabyte of NUL", lambda: b"\0" * 10**6, "NUL byte", "1:1")

BAD_UTF8 = {
    "lone continuation": b"\x80",
    "lone lead byte": b"\xc3",
    "overlong slash, two bytes": b"\xc0\xaf",
    "overlong slash, three bytes": b"\xe0\x80\xaf",
    "overlong slash, four bytes": b"\xf0\x80\x80\xaf",
    "overlong NUL": b"\xc0\x80",
    "high surrogate": b"\xed\xa0\x80",
    "low surrogate": b"\xed\xbf\xbf",
    "pair of surrogates": b"\xed\xa0\x80\xed\xb0\x80",
    "three bytes cut to two": b"\xe2\x82",
    "four bytes cut to three": b"\xf0\x9f\x98",
    "over U+10FFFF": b"\xf4\x90\x80\x80",
    "five bytes": b"\xf8\x88\x80\x80\x80",
    "0xfe": b"\xfe",
    "0xff": b"\xff",
    "latin 1": "é".encode("latin-1"),
}
for what, sequence in BAD_UTF8.items():
    bad("UTF-8 in a string: " + what, b'p("' + sequence + b'").', "not valid UTF-8", "1:4")
    bad("UTF-8 in a comment: " + what, b"p.\n%" + sequence + b"\nq.", "not valid UTF-8", "2:2")
    bad("UTF-8 in a name: " + what, b"pq" + sequence + b"(1).", "not valid UTF-8", "1:3")
    bad("UTF-8 at the end: " + what, b"p. " + sequence, "not valid UTF-8", "1:4")
bad("UTF-8 in a block comment", b"%* \xff *% p.", "not valid UTF-8", "1:4")
bad("UTF-16", "p(1).\n".encode("utf-16"), "not valid UTF-8", "1:1")
evidence("bad UTF-8", b":- not a.\n:- \xc3(.\n", "not valid UTF-8", "2:4")
evidence("NUL", b":- not a.\0", "NUL byte", "1:10")
query("bad UTF-8", b"a, \xff", "not valid UTF-8", "1:4")
constant("bad UTF-8", b"x=\xff", "not valid UTF-8")

bad("letter outside of ASCII in a name", "naïve(1).", "unexpected character 'ï'", "1:3")
bad("typographic quotes", "p(“a”).", "unexpected character '“'", "1:3")
bad("typographic minus", "p(−1).", "unexpected character '−'", "1:3")
bad("no-break space", "p :-\u00a0q.", "unexpected character", "1:5")
bad("control character", b"p \x01 .", "unexpected control character", "1:3")
bad("escape sequence", b"p\x1b[31m.", "unexpected control character", "1:2")
bad("DEL", b"p\x7f.", "unexpected control character", "1:2")
fine("byte order mark", b"\xef\xbb\xbf{p}.\n", stdout=r"p\s+0\.5")
bad("byte order mark in the middle", b"p.\n\xef\xbb\xbfq.", "unexpected character", "2:1")
fine("CRLF", b"{p}.\r\n2 q :- p.\r\n% comment\r\n", stdout=r"p\s+0\.5")
bad("CRLF and an error", b"{p}.\r\nq(X) :- p.\r\n", "unsafe variable X", "2:3")
fine("empty", b"")
fine("only comments", b"% nothing\n%* here *%\n")
fine("only white space", b" \t\r\n\f\v\n")
fine("UTF-8 in strings and comments", "{p(\"Zoë → 😀\")}. % “fine”", stdout="Zoë → 😀")

# ---- strings, comments, names ---------------------------------------------------------

bad("string without end", 'p("abc).\nq.', "string does not end", "1:3")
bad("string without end at the end", 'p.\nq("', "string does not end", "2:3")
bad("string over two lines", 'p("a\nb").', "string does not end", "1:3")
bad("string that ends in a backslash", 'p("a\\', "string does not end", "1:3")
bad("unknown escape", r'p("a\t").', "unknown escape", "1:5")
bad("script in a wrong string", 'p("\\x. #script (python) print(7) #end. ").', "unknown escape", "1:4")
bad("include in a wrong string", 'p("\\x. #include <incmode>. ").', "unknown escape", "1:4")
bad("comment without end", "p.\n%* comment\nq.", "comment does not end", "2:1")
bad("nested comment without end", "%* %* *%\nq.", "comment does not end", "1:1")
bad("a million opened comments", lambda: "p.\n" + "%*" * 10**6, "comment does not end", "2:1")
bad("name of underscores", "p(___).", "'___' is no name", "1:3")
bad("name that starts with a digit", "p(1a).", "syntax error, unexpected a name", "1:4")
bad("long name that is none", lambda: "p(" + "_" * 10**7 + ").", r"'_+…", "1:3", absent="_{1000}")
bad("long unknown directive", lambda: "#" + "x" * 10**7 + ".", "unknown directive #x+…", "1:1",
    absent="x{1000}")

# ---- brackets ---------------------------------------------------------------------------

for a, b in ("(", ")"), ("{", "}"), ("[", "]"):
    bad(f"unclosed {a}", f"q.\np :- {a} a.", "not closed before the statement ends", "2:6")
    bad(f"unopened {b}", f"p :- a {b}.", "nothing to close here", "1:8")
    bad(f"only {a}", a, "not closed before the statement ends|can't start with", "1:1")
    bad(f"only {b}", b, "nothing to close here", "1:1")
for text in "p(1]", "p(1}", "p :- {a)", "p :- {a]", "p :- [a)", "p :- [a}":
    bad(f"mismatch {text}", text + ".", r"does not close the '[({[]' before", f"1:{len(text)}")
bad("mismatch over lines", "p(\n1\n].", r"does not close the '\(' before", "3:1")
bad("rule in brackets", "[p].", "can't start with '\\['", "1:1")

MILLION = 10**6
DEEP = "nested deeper than 500"
NESTED = {
    "terms": ("p(" + "(" * MILLION + "1" + ")" * MILLION + ").", "1:502"),
    "functions": ("p(" + "f(" * MILLION + "1" + ")" * MILLION + ").", "1:1002"),
    "unclosed terms": ("p" + "(" * MILLION, "1:502"),
    "braces": ("{" * MILLION + "a" + "}" * MILLION + ".", "1:501"),
    "square brackets": ("p :- " + "[" * MILLION + "].", "1:506"),
    "a body": ("p :- q(" + "(" * MILLION + "1" + ")" * MILLION + ").", "1:507"),
    "a constant": ("#const x = " + "(" * MILLION + "1" + ")" * MILLION + ".", "1:512"),
    "a #show term": ("#show " + "(" * MILLION + "1" + ")" * MILLION + ".", "1:507"),
    "a parameter's name": ("@w(" + "(" * MILLION + "1" + ")" * MILLION + ") p.", "1:504"),
    "a bound": ("(" * MILLION + "1" + ")" * MILLION + " {a}.", "1:501"),
}
for what, (text, place) in NESTED.items():
    bad("a million deep: " + what, text, DEEP, place)
fine("a million deep: a weight", "(" * MILLION + "1" + ")" * MILLION + " p.", stdout=r"p\s+0\.73")
fine("a million deep: minus signs of a weight", "-" * MILLION + "1 p.", stdout=r"p\s+0\.73")
bad("a million deep: unclosed weight", "(" * MILLION + "1 p.", DEEP, "1:501")
fine("a million deep: an initial value", "@w(1," + "(" * MILLION + "1" + ")" * MILLION + ") p.",
     stdout=r"p\s+0\.73")
bad("a million deep: unclosed initial value", "@w(1," + "(" * MILLION + "1 p.", "not closed", "1:3")
evidence("a million deep", ":- p(" + "(" * MILLION + "1" + ")" * MILLION + ").", DEEP, "1:505")
query("deep", "p(" + "(" * 50000 + "1" + ")" * 50000 + ")", DEEP, "1:502")
fine("500 deep", "{p(" + "(" * 490 + "1" + ")" * 490 + ")}.", stdout=r"p\(1\)\s+0\.5")

LONG = "more than 1000 operators"
bad("a million minus signs", "p(" + "-" * MILLION + "1).", LONG, "1:1003")
bad("a million complements", "p(" + "~" * MILLION + "1).", LONG, "1:1003")
bad("a million summands", "p(1" + "+1" * MILLION + ").", LONG, "1:2004")
bad("a million powers", "p(1" + "**1" * MILLION + ").", LONG, "1:3004")
bad("a million absolute values", "p(" + "|" * MILLION + "1" + "|" * MILLION + ").", LONG, "1:1004")
bad("a million summands of a parameter", "@w(1" + "+1" * MILLION + ") p.", LONG, "1:2005")
query("many minus signs", "p(" + "-" * 10**5 + "1)", LONG, "1:1003")
evidence("a million minus signs", ":- p(" + "-" * MILLION + "1).", LONG, "1:1006")
bad("a million nots", ":- " + "not " * MILLION + "a.", "no rule derives this atom", "1:4000004", code=0)
fine("a thousand disjuncts with bars", "|".join(f"a{i}" for i in range(1002)) + ".",
     arguments=["translate", "p.lp", "--to", "asp"])

# ---- statements ---------------------------------------------------------------------------

bad("no full stop", "p :- q", "the statement does not end", "1:6")
bad("no full stop before a rule", "p :- q\nr :- s.", "unexpected ':-' inside of a statement", "2:3")
bad("no full stop before a fact", "p(1)\nq(2).", "syntax error, unexpected a name", "2:1")
bad("no full stop before a directive", "p\n#show p/1.", "unexpected '#show' inside", "2:1")
bad("no full stop before a script", "p :- q\n#script (lua) x #end.", "unexpected #script", "2:1")
bad("empty statement", "p. .", "an empty statement", "1:4")
bad("only a full stop", ".", "an empty statement", "1:1")
bad("two full stops", "p..", "the statement does not end", "1:2")
bad("if in brackets", "2 p(X :- q(1)).", "unexpected ':-' inside", "1:7")
bad("two ifs", "p :- q :- r.", "unexpected ':-' inside", "1:8")
bad("rule without head or body, twice if", ":- :- .", "unexpected ':-' inside", "1:4")
bad("decimal in a fact", "p(2.5).", "decimal number inside of a rule", "1:3")
bad("decimal in a body", "p :- q(X), X < 0.5.", "decimal number inside of a rule", "1:16")
bad("decimal in a constant", "#const x=0.5.", "decimal number inside of a rule", "1:10")
bad("comma at the end", "p :- q, .", "syntax error", "1:9")
bad("comma at the start", "p :- , q.", "syntax error", "1:6")
bad("only a comma", ",.", "syntax error", "1:1")
bad("not at the end", "p :- not.", "syntax error", "1:9")
bad("body without a head sign", "p q.", "syntax error, unexpected a name", "1:3")
bad("comparison without a side", "p :- X = .", "syntax error", "1:10")
bad("csp term", "p :- 1 $< 2.", r"unexpected character '\$'", "1:8")
bad("csp variable", "$x $= 1.", r"unexpected character '\$'", "1:1")
bad("backquote", "p :- `q`.", "unexpected character '`'", "1:6")
bad("exclamation mark", "p :- !q.", "unexpected character '!'", "1:6")
bad("Prolog list", "p([1,2]).", r"'\[' is not understood", "1:3")
bad("C", "int main(void) { return 0; }", "the statement does not end", "1:28")
bad("JSON", '{"a": [1, 2.5]}', "decimal number inside|does not end")
bad("HTML", "<!DOCTYPE html><html></html>", "unexpected character '!'", "1:2")
bad("Prolog", "p(X) :- q(X), !, r(X).", "unexpected character '!'", "1:15")

bad("too big by one", "p(2147483648).", "does not fit into 32 bits", "1:3")
fine("as big as can be", "{p(2147483647)}.", stdout="2147483647")
bad("10^30", "p(1" + "0" * 30 + ").", "does not fit into 32 bits", "1:3")
bad("a number of a million digits", "p(" + "9" * MILLION + ").", "does not fit into 32 bits", "1:3")
bad("too big, hexadecimal", "p(0xffffffff).", "does not fit into 32 bits", "1:3")
bad("too big, octal", "p(0o777777777777).", "does not fit into 32 bits", "1:3")
bad("too big, binary", "p(0b" + "1" * 33 + ").", "does not fit into 32 bits", "1:3")
bad("hexadecimal without digits", "p(0x).", "syntax error", "1:4")
bad("too big in a body", "p :- q(X), X < 99999999999.", "does not fit into 32 bits", "1:16")
bad("too big as a bound", "99999999999 {a}.", "does not fit into 32 bits", "1:1")
bad("too big as a parameter", "@w(99999999999) p.", "does not fit into 32 bits", "1:4")
bad("too big in an interval", "p(1..99999999999).", "does not fit into 32 bits", "1:6")
bad("too big in a pool", "p(1;99999999999).", "does not fit into 32 bits", "1:5")
constant("too big", "x=99999999999", "does not fit into 32 bits")
evidence("too big", ":- p(99999999999).", "does not fit into 32 bits", "1:6")
query("too big", "p(99999999999)", "does not fit into 32 bits", "1:3")

# ---- weights ----------------------------------------------------------------------------------

FINITE = "not a finite number"
bad("weight 1e999", "1e999 p.", FINITE, "1:1")
bad("weight -1e999", "-1e999 p.", FINITE, "1:1")
fine("weight 1e-999", "1e-999 p.", stdout=r"p\s+0\.5")
bad("weight of a million digits", "9" * MILLION + " p.", FINITE, "1:1")
bad("hexadecimal weight of a million digits", "0x" + "f" * MILLION + " p.", FINITE, "1:1")
bad("weight 1/0", "1/0 p.", FINITE, "1:1")
bad("weight 0/0", "0/0 p.", FINITE, "1:1")
bad("weight 1/(2-2)", "p.\n  1/(2-2) : p.", FINITE, "2:3")
bad("weight @log(0)", "@log(0) p.", FINITE, "1:1")
bad("weight @log(-1)", "@log(-1) p.", FINITE, "1:1")
bad("weight @log(0.2/0)", "@log(0.2/0) p.", FINITE, "1:1")
bad("weight @exp(1000)", "@exp(1000) p.", FINITE, "1:1")
bad("weight @log(@log(1))", "@log(@log(1)) p.", FINITE, "1:1")
bad("weight inf - inf", "@exp(1000)-@exp(1000) p.", FINITE, "1:1")
bad("instance weight W/0", "W/0 p(X) :- c(X,W). c(1,2).", FINITE, "1:1")
bad("instance weight 1/W", "1/W p(X) :- c(X,W). c(1,2). c(2,0).", FINITE, "1:1")
bad("instance weight @log(W)", "@log(W) p(X) :- c(X,W). c(1,-2).", FINITE, "1:1")
bad("instance weight @exp(W)", "@exp(W) p(X) :- c(X,W). c(1,2000).", FINITE, "1:1")
NUMBER = "the weight is not a number"
bad("instance weight is an atom", "W p(X) :- c(X,W). c(1,abc).", NUMBER + ": abc", "1:1")
bad("instance weight is a word", 'W p(X) :- c(X,W). c(1,"abc").', NUMBER + ': "abc"', "1:1")
bad("instance weight is an empty string", 'W p(X) :- c(X,W). c(1,"").', NUMBER, "1:1")
bad("instance weight is a blank", 'W p(X) :- c(X,W). c(1," ").', NUMBER, "1:1")
bad("instance weight with a tail", 'W p(X) :- c(X,W). c(1,"0.5x").', NUMBER, "1:1")
bad("instance weight inf", 'W p(X) :- c(X,W). c(1,"inf").', NUMBER, "1:1")
bad("instance weight nan", 'W p(X) :- c(X,W). c(1,"nan").', NUMBER, "1:1")
bad("instance weight 1e999", 'W p(X) :- c(X,W). c(1,"1e999").', NUMBER, "1:1")
bad("instance weight with a comma", 'W p(X) :- c(X,W). c(1,"0,5").', NUMBER, "1:1")
bad("instance weight is a tuple", "W p(X) :- c(X,W). c(1,(1,2)).", NUMBER, "1:1")
bad("instance weight is #inf", "W p(X) :- c(X,W). c(1,#inf).", NUMBER, "1:1")
bad("instance weight, one of many", "c(1..50,1).\nW p(X) :- c(X,W).\nc(7,x).", NUMBER + ": x", "2:1")
bad("weight without a rule", "2.5 .", "a weight without a rule", "1:1")
bad("weight without a rule, colon", "2.5 : .", "a weight without a rule", "1:1")
bad("parameter without a rule", "@w(1).", "a weight without a rule", "1:1")
bad("bare parameter without a rule", "@w.", "a weight without a rule", "1:1")
bad("variable alone", "W.", "a weight without a rule", "1:1")
bad("unknown function", "@sin(1) p.", "there is no function @sin", "1:1")
bad("unknown function inside", "2*@sin(1) p.", "there is no function @sin", "1:3")
bad("@ alone", "@ p.", "there is no function @p", "1:1")
bad("@log without parentheses", "@log p.", "@log takes a number in parentheses", "1:1")
bad("@log of nothing", "@log() p.", "error:", "1:1")
bad("unclosed @log", "@log(2 p.", "not closed", "1:5")
bad("weight with a name", "2*a p.", "syntax error", "1:5")
bad("weight that ends in an operator", "2* p.", "syntax error")
bad("weight with a remainder", "7\\2 p.", "syntax error", "1:5")
bad("weight with a power", "2**3 p.", "syntax error", "1:6")
bad("weight is an interval", "1..2 p.", "syntax error", "1:6")
bad("two weights", "1.5 2.5 p.", "syntax error|decimal number")
bad("weight is a string", '"0.5" p.', "syntax error", "1:7")
bad("weight behind the rule", "p :- q. 2.5", "does not end", "1:11")
bad("weight behind the rule, in brackets", "p :- q. [2]", "can't start with '\\['", "1:9")
bad("weight in a body", "p :- 2.5 q.", "decimal number inside", "1:6")
bad("unsafe variable of a weight", "W p(X) :- q(X). q(1).", "unsafe variable W", "1:1")
bad("function in a rule", "p(@f(X)) :- q(X).", r"external functions \(@f\)", "1:3")
bad("function in a body", "p(X) :- X = @f(1).", r"external functions \(@f\)", "1:13")
bad("@w in a rule", "p(X) :- @w(1).", r"external functions \(@f\)", "1:9")
bad("@log in a rule", "p(X) :- X = @log(1).", r"external functions \(@f\)", "1:13")
bad("function in a constant", "#const x = @f(1).", r"external functions \(@f\)", "1:12")

INITIAL = "initial value is not a number"
bad("@w(1,)", "@w(1,) p.", INITIAL, "1:6")
bad("@w(,1)", "@w(,1) p.", "the parameter has no name", "1:3")
bad("@w()", "@w() p.", "the parameter has no name", "1:3")
bad("@w(1,x)", "@w(1,x) p.", INITIAL, "1:6")
bad("@w(1,X)", "@w(1,X) p(X) :- q(X).", INITIAL, "1:6")
bad("@w(1,2,3)", "@w(1,2,3) p.", INITIAL, "1:6")
bad("@w(1,1/0)", "@w(1,1/0) p.", INITIAL, "1:6")
bad("@w(1,1e999)", "@w(1,1e999) p.", INITIAL, "1:6")
bad('@w(1,"2")', '@w(1,"2") p.', INITIAL, "1:6")
bad("@w(1", "@w(1", "not closed", "1:3")
bad("@w(1 p.", "@w(1 p.", "not closed", "1:3")
bad("@w(1 p :- q.", "@w(1 p :- q.", "not closed", "1:3")
ONE_TERM = "the name of a parameter is one term"
bad("@w(1;2)", "@w(1;2) p.", ONE_TERM, "1:5")
bad("@w(1..2)", "@w(1..2) p.", ONE_TERM, "1:5")
bad("@w(_)", "@w(_) p.", ONE_TERM, "1:4")
bad("@w(1.5)", "@w(1.5) p.", ONE_TERM, "1:5")
bad("@w(not a)", "@w(not a) p.", ONE_TERM, "1:4")
bad("@w(a:b)", "@w(a:b) p.", ONE_TERM, "1:5")
bad("@w(X<Y)", "@w(X<Y) p.", ONE_TERM, "1:5")
bad("@w({a})", "@w({a}) p.", ONE_TERM, "1:4")
bad("@w(@w(1))", "@w(@w(1)) p.", ONE_TERM, "1:4")
bad("@w(#count)", "@w(#count) p.", ONE_TERM, "1:4")
bad("@w(1+)", "@w(1+) p.", "syntax error", "1:5")
bad("@w((1)(2))", "@w((1)(2)) p.", "syntax error", "1:7")
bad("@w with a statement in it", '@w(1. #include "/etc/hostname". ) p.', "not closed", "1:3")
bad("unsafe parameter", "@w(f(X)) p.", "unsafe variable X", "1:6")
bad("two initial values", "@w(1,0.5) p.\n@w(1,2) q.", r"two initial values: 2 here, 0.5 before(.|\n)*p.lp:1:1: note", "2:1")
bad("two initial values by value", "@w(1+1,0.5) p.\n@w(2,2) q.", "two initial values", "2:1")
bad("two initial values, @getWeight", "@w(a,1) p.\n@getWeight(a,2) q.", "two initial values", "2:1")
bad("two initial values in two files", "@w(1,1) p.", r"two initial values: 2 here, 1 before(.|\n)*p.lp:1:1: note",
    "q.lp:3:1", files={"q.lp": "\n\n@w(1,2) q."}, arguments=["infer", "p.lp", "q.lp"])
bad("alpha without a colon", "alpha p.", "syntax error", "1:7")
bad("alpha without a rule", "alpha : .", "an empty statement", "1:9")
bad("alpha twice", "alpha : alpha : : p.", "syntax error", "1:17")
bad("alpha as a number", "2*alpha : p :- q.", "syntax error")
bad("uneven pool in a soft rule", "2 p(1,2;3).", "different numbers of arguments", "1:4")

# ---- directives ----------------------------------------------------------------------------------

REFUSED = {
    "#minimize { 1 : a }.": "#minimize is not available",
    "#minimise { 1 : a }.": "#minimise is not available",
    "#maximize { 1@2,X : p(X) }.": "#maximize is not available",
    "#maximise { 1 : a }.": "#maximise is not available",
    "#edge (a,b) : p(a,b).": "#edge is not available",
    "#heuristic a : b. [1,true]": "#heuristic is not available",
    "#project a.": "#project is not available",
    "#project a/1.": "#project is not available",
    "#theory t { x { - : 1, unary }; &a/0 : x, any }.": "#theory is not available",
    "#program base.": "#program is not available",
    "#program step(t).": "#program is not available",
    "#script (python)\nimport os\nos.system('true').\n#end.": "#script is not available",
    "#script (lua) function main(prg) prg:ground() end #end.": "#script is not available",
    "#script (lua)": "#script is not available",
    "#script": "#script is not available",
    ":~ a. [1]": "weak constraints are not available",
    ":~ a, b(X). [X@2,X]": "weak constraints are not available",
    ":~ .": "weak constraints are not available",
    "&a.": "theory atoms are not part",
    "&sum { x } <= 3.": "theory atoms are not part",
    "&diff { a - b } <= 3 :- c.": "theory atoms are not part",
}
for text, pattern in REFUSED.items():
    bad(f"refused: {text.splitlines()[0]}", text, pattern, "1:1")
bad("theory atom in a body", "p :- &a.", "theory atoms are not part", "1:6")
bad("negated theory atom", "p :- not &a { x }.", "theory atoms are not part", "1:10")
bad("weak constraint in a rule", "p :~ q.", "unexpected ':~' inside", "1:3")
bad("minimize in a rule", "p :- #minimize { 1 : a }.", "unexpected '#minimize' inside", "1:6")
bad("soft directive", "2 #show p/1.", "unexpected '#show' inside", "1:3")
bad("soft weak constraint", "2 :~ a.", "unexpected ':~' inside", "1:3")

for word, meant in {"#shw": "#show", "#sohw": "#show", "#cnst": "#const", "#incude": "#include",
                    "#domian": "#domain", "#externl": "#external", "#defind": "#defined",
                    "#minimze": "#minimize", "#Show": "#show"}.items():
    bad(f"misspelt {word}", f"{word} p/1.", f"unknown directive {word}(.|\n)*did you mean {meant}", "1:1")
bad("unknown directive", "#foobar p/1.", "unknown directive #foobar", "1:1")
bad("# alone", "# p.", "unknown directive #", "1:1")
bad("#hide of old", "#hide.", "unknown directive #hide", "1:1")
bad("shebang", "#!/usr/bin/lpmln\np.", "error:", "1:1")
bad("#show garbage", "#show :- p.", "unexpected ':-' inside", "1:7")
fine("#show p/x", "#show p/x.", "operation undefined", place="1:7")
bad("#show 1p/2", "#show 1p/2.", "syntax error", "1:8")
bad("#show without a full stop", "#show p/1", "the statement does not end", "1:9")
bad("#const without a value", "#const x.", "syntax error", "1:9")
bad("#const of a number", "#const 1=2.", "syntax error", "1:8")
bad("#const of a variable", "#const X=2.", "syntax error", "1:8")
bad("#const of a call", "#const f(1)=2.", "syntax error", "1:9")
bad("#const twice", "#const x=1. #const x=2. p(x).", "redefinition of constant", "1:13")
bad("#const cycle", "#const x=y. #const y=x. p(x).", "cyclic constant definition", "1:1")
bad("#const of a variable's value", "#const x=X. p(x).", "error:")
bad("#const in wrong brackets", "#const x=1. [foo]", "error:")
bad("#const in open brackets", "#const x=1. [default", "not closed", "1:13")
bad("statement in the brackets of #external", '#external a. [x. #include "/etc/hostname". ]',
    "not closed", "1:14", absent="hostname:1")
bad("directive in the brackets of #external", '#external a. [ #include "/etc/hostname" ]',
    "no value of an external atom", "1:16")
bad("directive in the brackets of #const", '#const x=1. [ #include "/etc/hostname" ]',
    "unexpected '#include' inside", "1:15")
bad("#external of garbage", "#external 1.", "syntax error", "1:11")
bad("unsafe #external", "#external p(X).", "unsafe variable X", "1:13")
bad("unsafe #show", "#show X.", "unsafe variable X", "1:7")
bad("#defined garbage", "#defined p.", "syntax error", "1:11")
ONE_ATOM = "#domain takes one atom"
bad("#domain of nothing", "#domain.", ONE_ATOM, "1:8")
bad("#domain of a name", "#domain p.", ONE_ATOM, "1:9")
bad("#domain of a variable", "#domain X.", ONE_ATOM, "1:9")
bad("#domain of two atoms", "#domain p(X), q(Y;Z).", ONE_ATOM, "1:9")
bad("#domain of a rule", "#domain p(X) :- q(X).", "error:", "1:9")
bad("#domain of a negation", "#domain not p(X).", ONE_ATOM, "1:9")
bad("#domain of a sum", "#domain p(X)+q(X).", ONE_ATOM, "1:9")
bad("#domain without a variable", "#domain p(a).", "names no variable", "1:9")

# ---- #include -----------------------------------------------------------------------------------

INSIDE = "is read already, or includes itself"
OUTSIDE = "is outside of the program's folder"


def link(target, name):
    return lambda folder: os.symlink(target, os.path.join(folder, name))


def no_files(folder):
    os.mkdir(os.path.join(folder, "sub"))
    os.mkfifo(os.path.join(folder, "pipe"))
    os.symlink("loop", os.path.join(folder, "loop"))


def nested_folder(folder):
    os.mkdir(os.path.join(folder, "sub"))
    with open(os.path.join(folder, "sub", "main.lp"), "w") as file:
        file.write('#include "../p.lp".')


include("itself", '#include "p.lp".', INSIDE)
include("itself by another name", '#include "./p.lp".', INSIDE)
include("itself by a link", '#include "same.lp".', INSIDE, prepare=link("p.lp", "same.lp"))
include("two that include each other", '#include "q.lp".', INSIDE, "q.lp:1:10",
        files={"q.lp": '#include "p.lp".'})
include("three in a circle", '#include "q.lp".', INSIDE, "r.lp:2:10",
        files={"q.lp": '#include "r.lp".', "r.lp": '\n#include "p.lp".'})
include("a file twice", '#include "q.lp". #include "q.lp".', INSIDE, "1:27", files={"q.lp": "q."})
include("a thousand files", '#include "f0.lp".', "more than 1000 files", "f998.lp:1:10",
        files={f"f{i}.lp": f'#include "f{i + 1}.lp".' for i in range(1001)})
include("above", '#include "../p.lp".', OUTSIDE, "sub/main.lp:1:10", prepare=nested_folder,
        arguments=["infer", "sub/main.lp"])
include("absolute", '#include "/etc/hostname".', OUTSIDE)
include("absolute device", '#include "/dev/zero".', OUTSIDE)
include("climbing", '#include "' + "../" * 40 + 'etc/hostname".', OUTSIDE)
include("link that leads out", '#include "out.lp".', OUTSIDE, prepare=link("/etc/hostname", "out.lp"))
include("link to a folder outside", '#include "etc/hostname".', OUTSIDE, prepare=link("/etc", "etc"))
include("link to itself", '#include "loop".', "there is no file 'loop'", prepare=no_files)
include("a folder", '#include "sub".', "'sub' is not a file", prepare=no_files)
include("a pipe", '#include "pipe".', "'pipe' is not a file", prepare=no_files)
include("missing file", '#include "nothing.lp".', "there is no file 'nothing.lp'")
include("missing file, absolute", '#include "/nothing/at/all.lp".', "there is no file")
include("no name", '#include "".', "#include takes the name of a file")
include("long name", lambda: '#include "' + "x" * 10**6 + '".', "there is no file 'x+…",
        absent="x{1000}")
include("in angle brackets", "#include <incmode>.", "#include takes the name of a file")
include("a name without quotes", "#include q.", "#include takes the name of a file")
include("two names", '#include "q.lp" "r.lp".', "#include takes the name of a file")
include("nothing", "#include.", "#include takes the name of a file", "1:9")
include("from standard input", None, "no folder to include files from", "<stdin>:1:10",
        input=b'#include "q.lp".', arguments=["infer", "-"])
include("in evidence", "{a}.", "not available in observations", "e.obs:1:1",
        files={"e.obs": '#include "p.lp".'}, arguments=["infer", "p.lp", "-e", "e.obs"])
include("error in the included file", '#include "q.lp".', "unsafe variable X", "q.lp:3:3",
        files={"q.lp": "a.\n\nq(X).\n"})
include("bad UTF-8 in the included file", '#include "q.lp".', "not valid UTF-8", "q.lp:1:2",
        files={"q.lp": b"%\xff"})
include("root that is missing", '#include "q.lp".', "folder|there is no file",
        arguments=["infer", "--include-root", "nowhere", "p.lp"])

# ---- safety and grounding --------------------------------------------------------------------------

UNSAFE = {
    "fact": ("p(X).", "1:3"),
    "rule": ("p(X) :- q(Y).", "1:3"),
    "negative body": ("p :- not q(X).", "1:12"),
    "soft fact": ("2 p(X).", "1:5"),
    "soft rule": ("@w(1) p(X) :- not q(X).", "1:9"),
    "soft constraint": ("2 :- not q(X).", "1:12"),
    "constraint": (":- not q(X).", "1:10"),
    "comparison": (":- X < 3.", "1:4"),
    "choice": ("{p(X)}.", "1:4"),
    "choice with a condition": ("{p(X,Y) : q(X)}.", "1:6"),
    "soft choice": ("3 1{p(X)}1 :- q(Y).", "1:7"),
    "disjunction": ("p(X) ; q(Y) :- r(X).", "1:10"),
    "conditional head": ("p(X) : q(Y).", "1:3"),
    "aggregate": ("p(X) :- #count{Y : q(Y)} > X.", "1:3"),
    "inside of an aggregate": ("p :- 1 < #sum{X,Y : q(X)}.", "1:17"),
    "arithmetic": ("p(X) :- q(X*X).", "1:3"),
    "anonymous": ("p(_).", "1:3"),
    "interval": ("p(1..X).", "1:6"),
}
for what, (text, place) in UNSAFE.items():
    bad("unsafe " + what, text, "unsafe variable [A-Z_]", place)
bad("unsafe in each of three rules", "p(X).\nq(Y).\n2 r(Z).", r"(?s)variable X.*variable Y.*variable Z", "3:5")
bad("unsafe and a syntax error", "p(X).\nq( .\n", "not closed", "2:2")
evidence("unsafe", "a.\n:- not p(X).", "unsafe variable X", "2:10")
evidence("unsafe literal", "not p(X). p(Y).", "unsafe variable Y", "1:13")
bad("message in a string is no message", 'p(X,"\\n<block>:1:1-2: note: \'Y\' is unsafe").',
    "unsafe variable X", "1:3", absent="variable Y")

LIMITED = ["infer", "--time-limit", "3", "--memory-limit", "300", "p.lp"]
ENDLESS = ["infer", "--time-limit", "40", "--memory-limit", "300", "p.lp"]  # recognised long before, on a busy machine too
LIMIT = "limit was reached while"
bad("infinite: function", "p(f(X)) :- p(X). p(0).", "grounding has no end: 'p' has 32768 atoms", "1:1", code=4,
    arguments=ENDLESS)
bad("infinite: counting", "p(X+1) :- p(X). p(0).", "grounding has no end: this has made 131072 atoms", "1:1", code=4,
    arguments=ENDLESS)
bad("infinite: doubling terms", "p(f(X,X)) :- p(X). p(0).", "grounding has no end", "1:1", code=4, arguments=ENDLESS)
bad("infinite: soft", "p(0). 2 p(f(X)) :- p(X).", "grounding has no end", "1:7", code=4, arguments=ENDLESS)
bad("infinite: tuples", "p(0). p((X,1)) :- p(X).", "grounding has no end", "1:7", code=4, arguments=ENDLESS)
bad("infinite: choice", "{p(X+1)} :- p(X). p(0).", "grounding has no end", "1:1", code=4, arguments=ENDLESS)
bad("infinite: two predicates", "p(h(X)) :- q(X). q(g(X)) :- p(X). p(0).", "grounding has no end", "1:18", code=4,
    arguments=ENDLESS)
bad("huge interval", "p(1..2147483647).", LIMIT, code=4, arguments=LIMITED)
bad("memory", "p(1..2147483647).", "memory limit was reached while grounding", code=4,
    arguments=["infer", "--time-limit", "50", "--memory-limit", "150", "p.lp"])
bad("huge product", "p(1..10000). q(X,Y,Z) :- p(X), p(Y), p(Z).", LIMIT, code=4, arguments=LIMITED)
bad("huge soft rule", "p(1..10000). 2 q(X,Y) :- p(X), p(Y).", LIMIT, code=4, arguments=LIMITED)
bad("too many models", "{p(1..60)}.", LIMIT, code=4, stdout="INCOMPLETE",
    arguments=["infer", "--method", "enumerate", "--time-limit", "1", "p.lp"])

DIED = "clingo can't take this program"
bad("kills libclingo: constant and predicate", "#const b=1. -b.", DIED, dies=True)
bad("kills libclingo: division", "p((-2147483647-1)/(-1)).", DIED, dies=True)
bad("kills libclingo: remainder", "p((-2147483647-1)\\(-1)).", DIED, dies=True)
bad("too deep for libclingo: a term 100,000 deep by rules",
    "p(0,0). p(N+1,f(X)) :- p(N,X), N < 100000. q(X) :- p(100000,X). #show q/1.",
    "terms are nested 20000 deep", "1:9", code=4, arguments=LIMITED)
UNDEFINED = "operation undefined"
fine("undefined sum", "q(a+1). {p}.", UNDEFINED, place="1:3", stdout=r"p\s+0\.5")
fine("undefined division", "q(X/0) :- X = 1..2. {p}.", UNDEFINED, place="1:3", stdout=r"p\s+0\.5")
fine("undefined in a soft rule", "2 q(a*2). {p}.", UNDEFINED, stdout=r"p\s+0\.5")
fine("no rule derives an atom", "{p} :- q.", "no rule derives this atom", place="1:8")

for what, line, pattern, column, code in (
        ("syntax error", "p :- q r.", "syntax error", 8, 3),
        ("unsafe variable", "p(X) :- a.", "unsafe variable X", 3, 3),
        ("undefined operation", "q(a+1).", UNDEFINED, 3, 0)):
    bad(f"line 7 of the second file: {what}", "{a}.\n" * 9, pattern, f"q.lp:7:{column}", code=code,
        files={"q.lp": "% one\n\nb :- a.\n%* four\n*%\n2.5 c :- b.\n" + line + "\nd.\n"},
        arguments=["infer", "p.lp", "q.lp"], stdout=r"a\s+0" if code == 0 else "", absent=r"p\.lp:")

# ---- evidence -----------------------------------------------------------------------------------

evidence("rule with a head", "a :- b.", "a rule with a head is no observation", "1:1")
evidence("rule with an empty body", "a :- .", "a rule with a head is no observation", "1:1")
evidence("choice", "{a}.", "this is no observation", "1:1")
evidence("conditional", "a : b.", "this is no observation", "1:1")
evidence("weight", "2.5 a.", "observations have no weights", "1:1")
evidence("soft constraint", "b.\n2 :- a.", "observations have no weights", "2:1")
evidence("parameter", "@w(1) :- a.", "observations have no weights", "1:1")
evidence("separator", ":- not a.\n---\n:- not b.\n", "'---' separates observations", "2:1")
evidence("separator with a count", ":- not a.\n--- 25\n:- not b.\n", "'---' separates observations", "2:1")
evidence("separator inside of a statement", ":- not a,\n---\nb.\n", "does not end", "1:9")
evidence("#show", "#show a/0.", "#show is not available in observations", "1:1")
evidence("#const", "#const x=1.", "#const is not available in observations", "1:1")
evidence("#minimize", "#minimize{1:a}.", "#minimize is not available in observations", "1:1")
evidence("#script", "#script (lua) #end.", "#script is not available", "1:1")
evidence("weak constraint", ":~ a. [1]", "weak constraints are not available", "1:1")
evidence("no full stop", ":- not a", "does not end", "1:8")
evidence("garbage", "p(", "not closed", "1:2")
evidence("external function", ":- @f(a).", "external functions", "1:4")
evidence("empty statement", "a. . b.", "an empty statement", "1:4")
evidence("impossible", ":- not a. :- a.", "impossible|no stable model agrees", code=1)
evidence("unknown atom", ":- not nothing.", "no rule derives|impossible", code=1)
for count in "x", "0", "-3", "2.5", "1 2", "1e3", "99999999999999999999", "25x", "--":
    bad(f"count of observations: {count}", "{a}.", "how often the block above it was seen", "e.obs:2:1",
        files={"e.obs": f"a.\n--- {count}\n"}, arguments=["check", "p.lp", "-e", "e.obs"])

# ---- queries and constants --------------------------------------------------------------------------

query("empty", "", "an empty query", "1:1")
query("blank", "  ", "an empty query")
query("comment", "% a", "an empty query")
query("full stop", ".", "an empty query|no query")
query("if", ":-", "this is no query", "1:1")
query("rule", "a :- b", "this is no query", "1:3")
query("two statements", "a. b.", "this is no query", "1:2")
query("unclosed", "p(", "not closed before the statement ends", "1:2")
query("unopened", "a)", "nothing to close here", "1:2")
query("mismatch", "p(1}", r"does not close the '\('", "1:4")
query("signature with a name", "p/x", "a number of arguments must follow", "1:2")
query("signature without a number", "p/", "a number of arguments must follow", "1:2")
query("signature with a negative number", "p/-1", "a number of arguments must follow", "1:2")
query("signature with two numbers", "-p/1/2", "a number of arguments must follow", "1:3")
query("directive", "#show", "this is no query", "1:1")
query("string without end", 'p("a', "string does not end", "1:3")
query("unsafe conjunction", "a, not p(X)", "unsafe variable X", "1:10")
query("unsafe negation", "not p(X)", "unsafe variable X", "1:7")
query("comma at the end", "a,", "syntax error")
query("decimal", "p(2.5)", "this is no query", "1:4")
query("function", "p(@f)", "external functions", "1:3")
query("theory atom", "&a", "theory atoms", "1:1")
query("script", "#script (lua) #end", "unexpected #script|no query", "1:1")
query("injection", "a). b(", "this is no query|nothing to close")
query("weight", "2.5 a", "error:")
query("comparison", "p(X), X <", "syntax error")
query("uneven pool", "p(1,2;3)", "different numbers of arguments", "1:2")
query("new line", "a\nb", "syntax error", "2:1")

constant("no value", "x=", "syntax error")
constant("no name", "=1", "syntax error")
constant("number", "1=2", "syntax error")
constant("variable", "X=2", "syntax error")
constant("not ground", "x=Y", "error:")
constant("no equals sign", "x", "--const takes NAME=VALUE, not 'x'", code=2)
constant("empty", "", "--const takes NAME=VALUE, not ''", code=2)
constant("injected fact", "x=1. p", "error:")
constant("injected rule", "x=1. :- not q. #const y=1", "error:")
constant("injected script", "x=1. #script (lua) #end", "error:")
constant("injected include", 'x=1. #include "/etc/hostname"', "error:", absent="hostname:1")
constant("unclosed", "x=f(", "not closed")
constant("function", "x=@f(1)", "external functions")
constant("decimal", "x=0.5", "decimal number inside")
constant("string without end", 'x="a', "string does not end")
constant("comment", "x=1 %", "does not end")

# ---- files and options -----------------------------------------------------------------------------

bad("file that is missing", None, "can't read 'no.lp': No such file", arguments=["infer", "no.lp"])
bad("file without a name", None, "can't read '': No such file", arguments=["infer", ""])
bad("folder as a file", None, "can't read '.': Is a directory", arguments=["infer", "."])
bad("file with a name that is too long", None, "can't read 'x+.*", arguments=["infer", "x" * 5000],
    absent="x{1000}")
bad("path through a file", "p.", "can't read 'p.lp/q.lp': Not a directory", arguments=["infer", "p.lp/q.lp"])
bad("second file is missing", "p.", "can't read 'no.lp'", arguments=["infer", "p.lp", "no.lp"])
bad("evidence that is missing", "p.", "can't read 'no.obs'", arguments=["infer", "p.lp", "-e", "no.obs"])
bad("evidence is a folder", "p.", "can't read '.': Is a dir", arguments=["infer", "p.lp", "-e", "."])
bad("garbage on standard input", None, "NUL byte", "<stdin>:1:1", input=bytes(range(256)),
    arguments=["infer", "-"])
bad("the program itself", None, "NUL byte|UTF-8", arguments=["infer", "/proc/self/exe"])
bad("no command", None, "Options of every command:", code=2, arguments=[])
bad("no program", None, "needs a program", code=2, arguments=["infer"])
bad("unknown command", None, "no command 'guess'", code=2, arguments=["guess", "p.lp"])
bad("unknown option", "p.", "unknown option", code=2, arguments=["infer", "--guess", "p.lp"])
for option, value in (("--time-limit", "x"), ("--time-limit", "-1"), ("--time-limit", "nan"),
                      ("--memory-limit", "0"), ("--memory-limit", "1e400"), ("--seed", "-1"),
                      ("--seed", "1.5"), ("--threads", "0"), ("--format", "xml"),
                      ("--method", "guess"), ("--hard-rules", "soft"), ("--hard-rules", "")):
    bad(f"option {option} {value}", "p.", f"{option} takes .*, not '{value}'", code=2,
        arguments=["infer", option, value, "p.lp"])
bad("every command: wrong input, map", "p(X).", "unsafe variable X", "1:3", arguments=["map", "p.lp"])
bad("every command: wrong input, models", "p(X).", "unsafe variable X", "1:3", arguments=["models", "p.lp"])
bad("every command: wrong input, check", "p(X).", "unsafe variable X", "1:3", arguments=["check", "p.lp"])
bad("every command: wrong input, translate", "p( .", "not closed", "1:2",
    arguments=["translate", "p.lp", "--to", "asp"])
bad("JSON has no number either", "p(X).", "unsafe variable X", "1:3", stdout=r'^\{\s*"lpmln": "[^"]*",\s*"command": "infer",\s*"error": true',
    arguments=["infer", "--format", "json", "p.lp"])

# ---- size ---------------------------------------------------------------------------------------

bad("error behind 10 MB in one line", lambda: " " * 10**7 + "p :- .,", "error:", absent=" {1000}")
bad("10 MB without a full stop", lambda: "p" * 10**7, "the statement does not end", "1:1", absent="p{1000}")
bad("2 MB of full stops", lambda: ".." * 10**6, "the statement does not end|empty statement|error:")
bad("2 MB of commas", lambda: "," * 2 * 10**6, "the statement does not end")
bad("10 MB of a string", lambda: '"' + "a" * 10**7, "string does not end", "1:1", absent="a{1000}")
fine("10 MB of a comment", lambda: "%" + "x" * 10**7 + "\n{p}.", stdout=r"p\s+0\.5")
bad("100,000 errors of ours", lambda: "p(1]).\n" * 10**5, "there are more errors than these 100", "100:4",
    absent="p.lp:101:")
bad("100,000 errors of clingo", lambda: "p q.\n" * 10**5, "syntax error", "1:3", absent="p.lp:200:")
bad("100,000 errors in one line", lambda: ". " * 10**5, "there are more errors than these 100", "1:1")
bad("100,000 bad characters", lambda: "$\n" * 10**5, "there are more errors than these 100", "1:1")
bad("100,000 unsafe rules", lambda: "".join(f"p{i}(X).\n" for i in range(10**5)), "unsafe variable X", "1:4",
    absent="p.lp:200:")
bad("100,000 undefined operations, one error", lambda: "q(a+1).\n" * 10**5 + "p(", "not closed", "100001:2")
bad("20,000 parameters with two initial values",
    lambda: "".join(f"@w({i},{i}) p({i}).\n@w({i},x{i}) q.\n@w({i},-1) r.\n" for i in range(20000)),
    "parameter 7 has two initial values", "24:1")
bad("10,000 variables in one rule", lambda: "2 p(" + ",".join(f"X{i}" for i in range(10**4)) + ").",
    "unsafe variable X")
bad("100,000 directives", lambda: "#shw p/1.\n" * 10**5, "there are more errors", "1:1")

# ---- the caret ----------------------------------------------------------------------------------

bad("caret behind tabs", "\tp :-\t\tq r.", "syntax error", "1:10", caret="\t    \t\t  ^")
bad("caret behind UTF-8", 'p("äöü😀") q.', "syntax error", "1:17", caret="          ^")
bad("caret under a range", "p.\n  @foo(1) q.", "there is no function @foo", "2:3", caret="  ^~~~")
bad("caret under a whole weight", "1/0 p.", FINITE, "1:1", caret="^~~")
bad("caret at the end", "p :- q", "does not end", "1:6", caret="     ^")
