#!/usr/bin/env python3
"""Tests of `make paper`: the generator makes the graphs that are known, the tables have the exact
answers, both writings of a document say the same, and a browser shows the page without complaint."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "scripts", "paper"), os.path.join(ROOT, "tests", "report"),
                os.path.join(ROOT, "tests")]

import tools  # noqa: E402 (found through the line above; it finds the others)
import browser  # noqa: E402
import closing  # noqa: E402
import document  # noqa: E402
import examples  # noqa: E402
import generate  # noqa: E402
import plots  # noqa: E402
import programs  # noqa: E402
import stories  # noqa: E402
import theorems  # noqa: E402

GRAPHS = {"e11": generate.EDGES[10], "e15r5": generate.EDGES[15], "e40": generate.EDGES[40],
          "L20b": generate.layers(20, both=True), "L100b": generate.layers(100, both=True), "G5": generate.grid(5),
          "G7": generate.grid(7)}

# Exact log-likelihoods at the paper's weights and at the maximum, computed by enumeration.
LIKELIHOODS = {"Virus": ("−7.3070", "−7.2235"), "Network, 11 edges, 4 sessions": ("−17.2302", "−10.0439"),
               "Robot, 12 instances": ("−42.3095", "−41.6774"), "Robot, with one more observation": (None, "−42.9859")}


def test_graphs(suite):
    for name, edges in GRAPHS.items():
        suite.check(f"{name} is as in bench/graphs", set(edges) == set(programs.edges_of(name)))
    for wrong in (lambda: generate.layers(11), lambda: generate.layers(8), lambda: generate.random_edges(3, 3)):
        try:
            wrong()
            suite.check("a network that makes no sense is refused", False)
        except ValueError:
            suite.check("refused", True)
    suite.check("random edges are different and no loops",
                len(set(generate.random_edges(10, 3))) == 30 and all(x != y for x, y in generate.random_edges(10, 3)))


def test_forms(suite, tool):
    """The program in both forms, over a graph with cycles, has the same likelihood."""
    data = tool.write("d.obs", generate.observations())
    values = [tool.ask("learn", tool.write("p.lpmln", generate.program(generate.EDGES[15], 4, form)), "-e", data)
              ["log_likelihood"] for form in ("nl", "aux")]
    suite.check("nl and aux agree, with ProbLog's -9.180812", all(abs(v + 9.1808123840) < 1e-6 for v in values))


def test_fit(suite):
    slope, square = tools.fit([(x, 3 * x ** 2.5) for x in (1, 2, 5, 10)], True)
    suite.check("a power is fitted", abs(slope - 2.5) < 1e-9 and square > 1 - 1e-9)
    slope, square = tools.fit([(x, 3 * 1.1 ** x) for x in (1, 2, 5, 10)], False)
    suite.check("an exponential is fitted", abs(slope - 0.0953101798) < 1e-9)
    suite.check("two points are not fitted", tools.fit([(1, 1), (2, 2)], True) is None)


def test_cells(suite):
    for value, text in ((None, "–"), (-0.0001, "0.000"), (-1.5, "−1.500"), (float("inf"), "∞"), (float("nan"), "–")):
        suite.check(f"{value} is {text}", tools.cell(value) == text)


def exact_only(tool, *arguments, limit=None):
    """Sampling has tests of its own, and takes longer."""
    return None if "mc-asp" in arguments or "paper" in arguments else tools.Tool.ask(tool, *arguments, limit=limit)


def test_tables(suite, tool):
    page = document.Document("A <title>", "lead & more")
    tool.ask = lambda *arguments, limit=None: exact_only(tool, *arguments, limit=limit)
    examples.weights(tool, page)
    examples.markov(tool, page)
    text = page.text()
    for name, (paper, exact) in LIKELIHOODS.items():
        row = re.search(re.escape(name) + r"\n\n.*?log-likelihood +(\S+) +\S+ +(\S+)", text, re.S)
        suite.check(f"{name}: {row and row.groups()}", row and row.group(2) == exact and paper in (None, row.group(1)))
    suite.check("nobody infects E, F and G", len(re.findall(r"^  [EFG] .* 0\.0000 +no$", text, re.M)) == 3)
    suite.check("two of three infections are 2/3", len(re.findall(r"^  [BCD] .* 0\.6667 ", text, re.M)) == 3)
    return page


def test_stories(suite, tool):
    page = document.Document("Stories", "")
    stories.coins(tool, page)
    stories.robot(tool, page)
    theorems.theorems(tool, page, 2)
    text = page.text()
    suite.check("the coin, three times", len(re.findall(r"−1\.386294 +−2\.602690", text)) == 3)
    suite.check("noise has another limit", re.search(r"dropped +−1\.098612", text) and re.search(r"u = 20 +−0\.875469", text))
    suite.check("picking up failed", re.search(r'not in room 2 +ab\("pickup_failed",0,1\) +0\.7583', text))
    suite.check("entering failed", re.search(r'nor is the robot +ab\("enter_failed",1,1\) +0\.5506 +1\.0000', text))
    suite.check("six theorems hold", len(re.findall(r" 2 of 2$", text, re.M)) == 6 and "FAILS" not in text)
    suite.check("the counterexample", "1.033, 0.000 or −2.58" in text.replace("\n  | ", " "))


ROW = re.compile(r"^\| (?!in the paper|---)(.*) \| (.*) \| (.*) \|$", re.M)
COMMANDS = {"infer", "sample", "check", "learn", "translate", "models", "map", "induce"}


def test_rows(suite, lpmln):
    """docs/paper.md: the options that a row names are options of a command that it names, the tests are there.  A
    row that is not all there yet is marked."""
    with open("docs/paper.md") as file:
        rows = ROW.findall(file.read())
    suites = set(subprocess.run(["tests/run", "--list"], capture_output=True, text=True, check=True).stdout.split())
    helps = {c: subprocess.run([lpmln, c, "--help"], capture_output=True, text=True, check=True).stdout for c in COMMANDS}
    suite.check("there are rows", len(rows) > 70)
    for what, command, test in rows:
        if "†" in what:
            suite.skip("rows of docs/paper.md that are not all there yet")
            continue
        named = [c for c in COMMANDS if re.search(rf"`{c}\b|[,;] `?{c}\b|`lpmln {c}\b|and `?{c}\b", command)]
        for option in re.findall(r"(?<![\w-])--([a-z][a-z-]+)", command):
            known = any(f"--{option}" in helps[c] for c in named or COMMANDS)
            suite.check(f"{what}: no --{option} of {named}", known)
        for name in re.findall(r"`([^`]+)`", test):
            good = name in suites or os.path.exists(name) or os.path.exists(f"tests/golden/{name}") or name in ("make paper", "nontight")
            suite.check(f"{what}: no test {name}", good)
        suite.check(f"{what}: a command and a test", command and test)


def test_charts(suite, page):
    picture = plots.chart("a & b", "x", "y", [("one", [(1, 1), (10, 100)]), ("two", [(1, 2), (10, 0)]), ("none", [])])
    suite.check("a chart has a line for each that has points", picture.count("<path") == 2)
    suite.check("no number is missing", "nan" not in picture and "inf" not in picture)
    suite.check("nothing to draw, no chart", plots.chart("", "", "", [("a", [])]) == "")
    page.add(document.Figure("caption", [picture]))


def test_browser(suite, page, folder):
    path = os.path.join(folder, "page.html")
    with open(path, "w") as file:
        file.write(page.html(""))
    if not browser.PROGRAM:
        suite.skip("chromium is not there: the page in a browser")
        return
    with browser.Browser() as chromium:
        complaints = chromium.open(path)
        seen = chromium.run("document.documentElement.outerHTML")
    suite.check(f"the browser complains: {complaints[:1]}", not complaints)
    suite.check("tables and pictures arrive", seen.count("<table") == seen.count("</table>") == 6 and "<svg" in seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    options = parser.parse_args()
    suite = closing.Tally()
    lpmln = os.path.abspath(options.lpmln)
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        tool = tools.Tool(lpmln, folder, 30)
        test_rows(suite, lpmln)
        test_graphs(suite)
        test_fit(suite)
        test_cells(suite)
        test_forms(suite, tool)
        test_stories(suite, tool)
        page = test_tables(suite, tool)
        test_charts(suite, page)
        test_browser(suite, page, folder)
    return suite.close()


if __name__ == "__main__":
    sys.exit(main())
