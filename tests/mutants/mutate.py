"""Mutants: all the ways in which a line of C can be made wrong by a small change.

A mutant is one changed line of a function's body: comments, strings, assertions,
preprocessor lines, declarations without a value and empty values ({0}) stay as they are.  A line gives at
most one mutant, and which one it is depends on the seed, the file and the text of the
line only.  So a change elsewhere in the sources leaves the choice as it is.

Calls that only free memory are not deleted: leaks are found by the sanitized build
of the other suites, which is too slow for mutants.
"""

import dataclasses
import hashlib
import os
import re

NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
ASSERT = re.compile(r"\b(?:static_assert|_Static_assert|assert)\s*\(")
DECLARATION = re.compile(r"^\s*(?:const |static |struct |unsigned |enum )*[A-Za-z_]\w*[ *]+[^=()]*;\s*$")
NO_DECLARATION = re.compile(r"^\s*(?:return|goto|else|case|break|continue)\b")
CALL = re.compile(r"^(\s*(?:else )?)([a-z_]\w*)\(.*\);\s*$")
FREES = re.compile(r"(?:^|_)(?:free|clear|fclose|close|unguard|destroy)$")

# what is found in the masked line, what takes its place
SWAPS = [
    (r" < ", (" <= ",)), (r" <= ", (" < ",)), (r" > ", (" >= ",)), (r" >= ", (" > ",)),
    (r" == ", (" != ",)), (r" != ", (" == ",)),
    (r" \+ ", (" - ",)), (r" - ", (" + ",)), (r" \* ", (" / ",)), (r" / ", (" * ",)),
    (r" \+= ", (" -= ",)), (r" -= ", (" += ",)), (r" \|= ", (" = ",)), (r" &= ", (" = ",)),
    (r" && ", (" || ",)), (r" \|\| ", (" && ",)), (r"(?<=[ (!])!(?=[\w(!*])", ("",)),
    (r"(?<![\w.{])0(?![\w.}])", ("1",)), (r"(?<![\w.])1(?![\w.])", ("0", "2")),
    (r"\btrue\b", ("false",)), (r"\bfalse\b", ("true",)),
    (r"\breturn OK;", ("return INPUT;",)), (r"\breturn NO_MEMORY;", ("return OK;",)),
    (r"\breturn INPUT;", ("return OK;",)),
    (r"\bcontinue;", ("break;",)), (r"\bbreak;", ("continue;",)),
]
SWAPS = [(re.compile(pattern), places) for pattern, places in SWAPS]
NUMBER = re.compile(r"(?<![\w.])([2-9]|[1-9]\d+)(?![\w.])")
CONDITION = re.compile(r"\b(if|while) \(")


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str
    line: int  # from 1
    before: str
    after: str

    def __str__(self):
        return f"{self.path}:{self.line}\n  - {self.before.strip()}\n  + {self.after.strip()}"


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def closing(text, at):
    """The place behind the bracket that closes the one before `at`; None: not in the text."""
    depth = 1
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if not depth:
            return i + 1
    return None


def without_asserts(text):
    for found in ASSERT.finditer(text):
        end = closing(text, found.end()) or len(text)
        text = text[:found.start()] + re.sub(r"[^\n]", " ", text[found.start():end]) + text[end:]
    return text


def outside_functions(text):
    """Blanks everything that is not in the body of a function."""
    kept, depth, body, last = [], 0, False, ""
    for letter in text:
        if letter == "{":
            body = body or (not depth and last == ")")
            depth += 1
        kept.append(letter if (body and depth) or letter == "\n" else " ")
        if letter == "}":
            depth -= 1
            body = body and depth > 0
        last = letter if not letter.isspace() else last
    return "".join(kept)


def masked(text):
    """The text with everything blanked that is to stay."""
    text = DIRECTIVE.sub(blank, NOISE.sub(blank, text))
    return outside_functions(without_asserts(text))


def replaced(line, match, place):
    return line[:match.start()] + place + line[match.end():]


def conditions(line, mask):
    """`if` and `while` with a condition that is always the same."""
    for found in CONDITION.finditer(mask):
        end = closing(mask, found.end())
        if end:
            for forced in ("true", "false") if found.group(1) == "if" else ("false",):
                yield line[:found.end()] + forced + line[end - 1:]


def changes(line, mask):
    """All changed versions of a line."""
    if DECLARATION.match(mask) and not NO_DECLARATION.match(mask) or not mask.strip(" {};\t"):
        return []
    found = [replaced(line, match, place) for pattern, places in SWAPS
             for match in pattern.finditer(mask) for place in places]
    for match in NUMBER.finditer(mask):
        found += [replaced(line, match, str(int(match.group()) + step)) for step in (1, -1)]
    found += conditions(line, mask)
    call = CALL.match(mask)
    if call and not FREES.search(call.group(2)) and call.group(2) not in ("if", "for", "while", "switch", "return"):
        found.append(call.group(1) + ";")
    return [each for each in dict.fromkeys(found) if each.strip() != line.strip()]


def rank(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def mutants_of(path, text, seed):
    """(rank, mutant) of each line that can be changed."""
    seen = {}
    for number, (line, mask) in enumerate(zip(text.split("\n"), masked(text).split("\n")), 1):
        key = line.strip()
        seen[key] = seen.get(key, 0) + 1
        found = changes(line, mask)
        if found:
            order = rank(seed, path, key, seen[key])
            choice = min(found, key=lambda after: rank(order, after.strip()))
            yield order, Mutant(path, number, line, choice)


def draw(root, seed):
    """One mutant for each line of src/ that has any, in the order of the draw."""
    found = []
    for folder, _, names in os.walk(os.path.join(root, "src")):
        for name in names:
            if name.endswith(".c"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    found += mutants_of(os.path.relpath(path, root), file.read(), seed)
    return [mutant for _, mutant in sorted(found, key=lambda pair: pair[0])]
