"""Atoms as text: which of them does a pattern mean, which is nearest to a misspelt one."""

from __future__ import annotations

import difflib
import re
from typing import Iterable, Optional, Sequence

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|#?[_\'A-Za-z0-9.]+|[-+*/\\&?^~|@]+|[(),])')
VARIABLE = re.compile(r"_*[A-Z]['\w]*$|_$")
PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|.', re.S)
WORD = re.compile(r"[\w'\"]")
SIGNATURE = re.compile(r"\s*(-?[_']*[a-z]['\w]*)\s*/\s*(\d+)\s*$")


def tokens(term: str) -> list[str]:
    found, at = [], 0
    while at < len(term.rstrip()):
        match = TOKEN.match(term, at)
        if not match:
            return []
        found.append(match[1])
        at = match.end()
    return found


def split(formula: str, at: str = ",") -> list[str]:
    """Cuts a text at a character outside parentheses, braces and quotes.

    >>> split('p("a, b",c), not q')
    ['p("a, b",c)', 'not q']
    """
    parts, depth = [""], 0
    for piece in PIECE.findall(formula):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(piece, 0)
        if piece == at and not depth:
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts]


def joined(words: Sequence[str]) -> str:
    """Tokens as the library writes a term: a blank only where two words would become one."""
    text = ""
    for word in words:
        text += " " * (WORD.match(text[-1:]) is not None and WORD.match(word) is not None) + word
    return text


def canonical(atom: str) -> str:
    """As the library writes it.

    >>> canonical("p( 1, 2 )"), canonical("not  a")
    ('p(1,2)', 'not a')
    """
    return joined(tokens(atom)) or atom.strip()


def arity(atom: str) -> int:
    inside = atom.partition("(")[2].rpartition(")")[0]
    return len(split(inside)) if inside else 0


def closing(words: Sequence[str], at: int) -> int:
    """The end of the argument that begins there."""
    depth = 0
    while at < len(words) and not (depth == 0 and words[at] in ",)"):
        depth += {"(": 1, ")": -1}.get(words[at], 0)
        at += 1
    return at


def matches(pattern: Sequence[str], atom: Sequence[str]) -> bool:
    """Whether variables can be replaced so that the pattern is the atom."""
    bound: dict[str, Sequence[str]] = {}
    i = j = 0
    while i < len(pattern) and j < len(atom):
        if VARIABLE.match(pattern[i]):
            end = closing(atom, j)
            value = atom[j:end]
            if pattern[i] != "_" and bound.setdefault(pattern[i], value) != value:
                return False
            i, j = i + 1, end
        elif pattern[i] == atom[j]:
            i, j = i + 1, j + 1
        else:
            return False
    return i == len(pattern) and j == len(atom)


def select(query: str, atoms: Sequence[str]) -> list[str]:
    """The atoms that a query of one atom, with variables or not, or a signature means; a formula means itself."""
    if query in atoms:
        return [query]
    signature = SIGNATURE.match(query)
    if signature:
        name, n = signature[1], int(signature[2])
        return [atom for atom in atoms if atom.partition("(")[0] == name and arity(atom) == n]
    pattern = tokens(query)
    if not any(VARIABLE.match(word) for word in pattern):
        whole = joined(pattern)
        return [atom for atom in atoms if atom == whole]
    return [atom for atom in atoms if matches(pattern, tokens(atom))]


def nearest(word: str, words: Iterable[str]) -> Optional[str]:
    found = difflib.get_close_matches(canonical(word), list(words), n=1, cutoff=0.5)
    return found[0] if found else None


def literal(formula: str) -> Optional[tuple[str, bool]]:
    """The atom and whether it holds, if the formula is a literal; a constraint of one literal says the contrary.

    >>> literal("not p( 1 )"), literal(":- not q."), literal("a ; b")
    (('p(1)', False), ('q', True), None)
    """
    body = formula.strip().rstrip(".").strip()
    positive = not body.startswith(":-")
    body = body[0 if positive else 2 :].strip()
    while re.match(r"not\b", body):
        positive, body = not positive, body[3:].strip()
    if not re.match(r"-?\s*[_']*[a-z]['\w]*\s*(\(.*\))?$", body, re.S):
        return None
    return canonical(body), positive
