#!/usr/bin/env python3
"""Tests of --report: the numbers on the page are those of the JSON answer, nothing of the user's
becomes markup, and a real browser shows it without a complaint; there, boxes are measured on
screens of four widths, in light and dark.  Without Chromium the last part is skipped, and counted."""

import argparse
import csv
import html.parser
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

import browser

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import closing  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NETWORK = ["examples/network/network.lpmln", "-e", "examples/network/network.obs"]
DIAGNOSIS = ["examples/notebooks/diagnosis.lpmln", "--data", "examples/notebooks/patients.csv"]
SMOKERS = ["examples/smokers/smokers.lpmln", "-e", "examples/smokers/smokers.obs"]
WIDTHS = (360, 768, 1200, 1600)  # pixels
VIRUS = ["examples/virus/virus.lpmln", "-e", "examples/virus/virus.obs"]

# Every name below wants to be more than text; the file's does, too.
HOSTILE_NAME = 'a"><script>alert(1)<\'&.lpmln'
HOSTILE = r'''% </td></table><script>alert("comment")</script>
node("<script>alert(1)</script>"; "\"><img src=x onerror=alert(2)>"; "</svg><b>"; "&lt;").
edge("<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>").
edge("\"><img src=x onerror=alert(2)>", "</svg><b>").
edge("</svg><b>", "<script>alert(1)</script>"). edge("</svg><b>", "&lt;").
@w("</title><script>alert(3)</script>") extra.
@w(bad(X)) bad(X) :- node(X).
'''
# What follows from friends is nearly everything; the picture is of the friends themselves.
SOCIAL = """person(1..4). @w(friend, -1) friend(X,Y) :- person(X), person(Y), X < Y.
reach(X,Y) :- friend(X,Y). reach(Y,X) :- friend(X,Y). reach(X,Y) :- reach(X,Z), reach(Z,Y).
"""
GIVEN = 'has_disease("D"). not has_disease("E").\n'
HOSTILE_DATA = 'bad("&lt;"). not bad("</svg><b>"). extra.\n---\nnot extra.\n'


class Page(html.parser.HTMLParser):
    """What is on a page: numbers by (field, name), elements, attributes, text."""

    def __init__(self, text):
        super().__init__()
        self.numbers, self.tags, self.attributes, self.words = [], set(), set(), []
        self.scripts, self.shapes = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.shapes.append(tag)
        if tag == "script":
            self.scripts.append("")
        values = dict(attributes)
        self.attributes.update(name for name, _ in attributes)
        if tag == "data":
            value = values["value"]
            self.numbers.append((values["data-of"], values.get("data-name"),
                                 None if value == "null" else float(value)))

    def handle_data(self, data):
        if self.cdata_elem == "script":
            self.scripts[-1] += data
        else:
            self.words.append(data)

    def text(self):
        return "".join(self.words)


class Suite(closing.Tally):
    def __init__(self, lpmln, folder):
        super().__init__()
        self.lpmln, self.folder = os.path.abspath(lpmln), folder

    def ask(self, name, *arguments):
        """The answer as JSON, and the path of the report."""
        path = os.path.join(self.folder, name + ".html")
        done = subprocess.run([self.lpmln, *arguments, "--report", path, "--format", "json"],
                              capture_output=True, text=True, timeout=300, cwd=ROOT)
        self.check(f"{name}: answered ({done.stderr.strip()})", done.returncode == 0)
        return json.loads(done.stdout), path


# ---- numbers ----------------------------------------------------------------------------------

def wanted_of_learning(answer, counts=False):
    wanted = {(field, None): answer[field] for field in ("log_likelihood", "seed", "observations")
              if answer[field] is not None}
    if answer["method"] == "mc-asp":
        wanted.update({("gradient", None): answer["gradient"], ("gradient_error", None): answer["gradient_error"]})
    for weight in answer["weights"]:
        for field in ("weight", "standard_error", "holds", "mc_error"):
            if weight.get(field) is not None:
                wanted[field, weight["parameter"]] = weight[field]
        if counts:
            wanted.update({(f"{when}.{field}", weight["parameter"]): value
                           for when in ("start", "end") for field, value in weight[when].items()})
    if answer["test_log_likelihood"] is not None:
        wanted["test_log_likelihood", None] = answer["test_log_likelihood"]
    wanted.update({("folds", str(i + 1)): value for i, value in enumerate(answer["folds"])})
    for group in answer["unidentified"]:
        if group["at_least_one"] is not None:
            wanted["at_least_one", group["parameters"][0]] = group["at_least_one"]
    return wanted


def wanted_of_balances(answer):
    return wanted_of_learning(answer, counts=True)


def test_mixing(suite, answer):
    """The pieces of all chains together are the samples."""
    probability = {marginal["atom"]: marginal["probability"] for marginal in answer["marginals"]}
    for trace in answer["mixing"]:
        shares = [share for chain in trace["shares"] for share in chain]
        suite.check(f"chains: the trace of {trace['atom']}",
                    len(shares) == 200 and abs(sum(shares) / 200 - probability[trace["atom"]]) < 1e-9)


def wanted_of_inference(answer):
    wanted = {(field, None): answer[field] for field in ("log_evidence", "log_partition", "seed", "samples")
              if answer.get(field) is not None}
    for marginal in answer["marginals"]:
        wanted["probability", marginal["atom"]] = marginal["probability"]
        for field in ("error", "ess", "rhat"):
            if marginal.get(field):
                wanted[field, marginal["atom"]] = marginal[field]
    for table, fields in (("counts", ("expected", "expected_given_evidence")), ("sensitivity", ("derivative",))):
        for i, row in enumerate(answer.get(table, [])):
            wanted.update({(field, str(i + 1)): row[field] for field in fields})
    wanted.update({("information", row["atom"]): row["information"] for row in answer.get("next", [])})
    return wanted


def wanted_of_samples(answer):
    samples = answer["samples"]
    wanted = {("count", None): len(samples), ("seed", None): answer["seed"]}
    for sample in samples:
        for atom in sample:
            wanted["share", atom] = wanted.get(("share", atom), 0) + 1 / len(samples)
    certain = ("contact(", "person(", 'carries_virus("A")')  # these are left out
    return {key: value for key, value in wanted.items() if not (key[1] or "").startswith(certain)}


def wanted_of_models(answer):
    wanted = {("seed", None): answer["seed"]}
    for i, model in enumerate(answer["models"]):
        wanted["probability", str(i + 1)] = model["probability"]
        wanted["log_weight", str(i + 1)] = model["log_weight"]
    return wanted


def wanted_of_explanation(answer):
    wanted = {("probability", None): answer["probability"], ("seed", None): answer["seed"]}
    for i, proof in enumerate(answer["proofs"]):
        wanted.update({(field, str(i + 1)): proof[field] for field in ("share", "probability")})
    for piece in answer["evidence"]:
        wanted["probability_without", piece["literal"]] = piece["probability_without"]
    for change in answer["changes"]:
        wanted.update({(field, change["literal"]): change[field]
                       for field in ("probability", "probability_with", "probability_without")})
    return wanted


def wanted_of_comparison(answer):
    wanted = {(field, None): answer[field] for field in ("observations", "seed")}
    for model in answer["models"]:
        wanted.update({(field, model["program"]): model[field]
                       for field in ("log_likelihood", "parameters", "aic", "bic")})
    return wanted


def wanted_of_decision(answer):
    return {(field, None): answer[field] for field in ("expected_utility", "seed")}


def wanted_of_analysis(answer):
    fields = ("rules", "soft_rules", "parameters", "atoms", "open_atoms", "ground_rules", "soft_instances", "components",
              "distinct_components", "largest_component", "loops", "circuit_nodes", "seed")
    return {(field, None): answer[field] for field in fields}


def same_number(x, y):
    return x is not None and y is not None and math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-15)


def test_numbers(suite, name, page, wanted):
    """Each number of the page is in the JSON, and each of the JSON is on the page."""
    extra = [n for n in page.numbers if not same_number(wanted.get(n[:2]), n[2])]
    missing = set(wanted) - {n[:2] for n in page.numbers}
    suite.check(f"{name}: {extra[:3]} are not in the answer", not extra)
    suite.check(f"{name}: {sorted(missing, key=str)[:3]} are not on the page", not missing)


# ---- pages ------------------------------------------------------------------------------------

def test_harmless(suite, name, page):
    suite.check(f"{name}: one script, which is ours",
                len(page.scripts) == 1 and "class List" in page.scripts[0] and "alert" not in page.scripts[0])
    suite.check(f"{name}: nothing but markup of ours",
                not page.tags & {"img", "link", "iframe", "object", "b2", "base", "form"})
    suite.check(f"{name}: no handlers, no addresses",
                not any(a.startswith("on") or a in ("src", "href", "srcset") for a in page.attributes))


def test_network_words(suite, page):
    text = page.text()
    for part in ("at least one holds with probability 0.50", "fail(7, T)", "the best estimate is never",
                 "→ −∞", "seed", "lpmln learn examples/network/network.lpmln"):
        suite.check(f"network: says '{part}'", part in text)
    suite.check("network: the graph is drawn", "circle" in page.tags and "polyline" in page.tags)


def test_hostile_words(suite, page):
    text = page.text()
    for part in ("<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "</svg><b>", "&lt;",
                 "</title><script>alert(3)</script>", 'alert("comment")', HOSTILE_NAME):
        suite.check(f"hostile: '{part}' is text", part in text)


def test_table_words(suite, page):
    """A table is data: its header's cells are no programs, and the title has one name a file."""
    text = page.text()
    suite.check("diagnosis: one name in the title", "diagnosis.lpmln – lpmln learn" in text)
    suite.check("diagnosis: prior, test data, correlations",
                all(part in text for part in ("95% of the prior", "test data, 400 observations", "other_sneeze: −0.8")))
    test_calibration(suite, page)
    suite.check("diagnosis: one program", text.count("patients.csv observed, ") == 1 and "patients.csv1" not in text)


def predictions(models, rows):
    """(Predicted, true) of each known cell, from the other cells of its row and all stable models."""
    for row in rows:
        for column, cell in row.items():
            others = [(c, v) for c, v in row.items() if v and c != column]
            agree = [(p, column in atoms) for p, atoms in models if all((c in atoms) == (v == "1") for c, v in others)]
            if cell:
                yield sum(p for p, true in agree if true) / sum(p for p, _ in agree), cell == "1"


def test_calibration(suite, page):
    """What is predicted on the page, against an enumeration of the stable models."""
    done = subprocess.run([suite.lpmln, "models", os.path.join(suite.folder, "learned.lpmln"), "-n", "0", "--method",
                           "enumerate", "--format", "json"], capture_output=True, text=True, timeout=300, cwd=ROOT)
    models = [(model["probability"], set(model["atoms"])) for model in json.loads(done.stdout)["models"]]
    with open(os.path.join(ROOT, DIAGNOSIS[2]), newline="") as file:
        cells = list(predictions(models, csv.DictReader(file)))
    wanted = []
    for i in range(10):
        bin_ = [(p, true) for p, true in cells if min(int(10 * p), 9) == i]
        if bin_:
            wanted.append((len(bin_), sum(p for p, _ in bin_) / len(bin_), sum(true for _, true in bin_) / len(bin_)))
    found = [tuple(map(float, bin_)) for bin_ in
             re.findall(r"(\d+) cells?: predicted ([0-9.]+), true in a share of ([0-9.]+)", page.text())]
    suite.check(f"diagnosis: calibration {found[:2]}, not {wanted[:2]}", len(found) == len(wanted) and
                all(abs(x - y) < 6e-4 for a, b in zip(found, wanted) for x, y in zip(a, b)))


def test_chains_words(suite, page):
    """Four chains in four pictures; that their mean is the probability is checked where JSON is at hand."""
    suite.check("chains: trace plots", page.shapes.count("polyline") == 16 and "Chains that agree" in page.text())


def test_given_words(suite, page):
    """P(has_disease("C")) is 0.50 before the evidence (the page 'infer'), 0.65 given it."""
    suite.check("given: before and after", 'has_disease("C")0.500.65' in page.text())


def test_social_words(suite, page):
    suite.check("social: the graph is what the program guesses", "The relation friend." in page.text())


QUESTIONS = [  # name, what is asked, which numbers the page has
    ("network", ["learn", *NETWORK], wanted_of_learning),
    ("virus", ["learn", *VIRUS, "--seed", "3"], wanted_of_learning),
    ("diagnosis", ["learn", *DIAGNOSIS, "--prior", "0,2", "--test", DIAGNOSIS[2], "-o", "{folder}/learned.lpmln"],
     wanted_of_learning),
    ("smokers", ["learn", *SMOKERS, "--folds", "4"], wanted_of_learning),
    ("counts", ["learn", *NETWORK, "--counts"], wanted_of_balances),
    ("infer", ["infer", *VIRUS[:1], "-w", "1=0.6", "-w", "2=0.5"], wanted_of_inference),
    ("sample", ["sample", *VIRUS[:1], "-n", "60", "--seed", "7"], wanted_of_samples),
    ("chains", ["infer", *VIRUS[:1], "--method", "mc-asp", "--seed", "1", "--samples", "200"], wanted_of_inference),
    ("stochastic", ["learn", *NETWORK, "--method", "mc-asp", "--seed", "1"], wanted_of_learning),
    ("given", ["infer", *VIRUS[:1], "-w", "1=0.6", "-w", "2=0.5", "-e", "{folder}/given.obs"], wanted_of_inference),
    ("social", ["infer", "{folder}/social.lpmln"], wanted_of_inference),
    ("questions", ["infer", *VIRUS[:1], "-w", "1=0.6", "-w", "2=0.5", "-e", "{folder}/given.obs", "--counts", "--sensitivity",
                   "--next"], wanted_of_inference),
    ("map", ["map", "examples/bird/bird.lpmln"], wanted_of_models),
    ("models", ["models", *VIRUS[:1], "-n", "12"], wanted_of_models),
    ("why", ["why", *VIRUS[:1], "-w", "1=0.6", "-w", "2=0.5", "-e", "{folder}/given.obs", "-q", 'has_disease("H")'],
     wanted_of_explanation),
    ("compare", ["compare", "examples/coin/coin.lpmln", "examples/coin/fair.lpmln", "-e", "examples/coin/coin.obs"],
     wanted_of_comparison),
    ("diverging", ["compare", NETWORK[0], "{folder}/a-long-name-of-a-network.lpmln", *NETWORK[1:]], wanted_of_comparison),
    ("decide", ["decide", "{folder}/decide.lpmln"], wanted_of_decision),
    ("check", ["check", *VIRUS[:1]], wanted_of_analysis),
    ("hostile", ["learn", "{folder}/" + HOSTILE_NAME, "-e", "{folder}/<b>.obs", "--prior", "0,2"], wanted_of_learning),
]
DECIDE = """0.3 :: rain. #decision umbrella. #utility(-10) rain, not umbrella. #utility(-2) umbrella.\n"""
TEXTS = {"decide.lpmln": DECIDE, "given.obs": GIVEN, "social.lpmln": SOCIAL, HOSTILE_NAME: HOSTILE, "<b>.obs": HOSTILE_DATA}


def make_pages(suite):
    """Name, path and the numbers wanted."""
    shutil.copy(os.path.join(ROOT, NETWORK[0]), os.path.join(suite.folder, "a-long-name-of-a-network.lpmln"))
    for name, text in TEXTS.items():
        with open(os.path.join(suite.folder, name), "w") as file:
            file.write(text)
    pages = []
    for name, question, wanted_of in QUESTIONS:
        answer, path = suite.ask(name, *(part.replace("{folder}", suite.folder) for part in question))
        pages.append((name, path, wanted_of(answer)))
        if name == "chains":
            test_mixing(suite, answer)
    return pages


WORDS = {"network": test_network_words, "diagnosis": test_table_words, "social": test_social_words, "given": test_given_words,
         "chains": test_chains_words,
         "hostile": test_hostile_words}


def test_files(suite, pages):
    for name, path, wanted in pages:
        with open(path) as file:
            page = Page(file.read())
        test_numbers(suite, name, page, wanted)
        test_harmless(suite, name, page)
        if name in WORDS:
            WORDS[name](suite, page)


def test_repeatable(suite):
    texts = []
    for _ in range(2):
        _, path = suite.ask("again", "learn", *NETWORK)
        with open(path) as file:
            texts.append(file.read())
    suite.check("the same run gives the same page", texts[0] == texts[1])


def test_unwritable(suite):
    done = subprocess.run([suite.lpmln, "infer", "examples/bird/bird.lpmln", "--report", "/nowhere/page.html"],
                          capture_output=True, text=True, timeout=60, cwd=ROOT)
    suite.check("a report that can't be written is an error, the answer is printed",
                done.returncode == 3 and "can't write" in done.stderr and "bird(jo)" in done.stdout)


# ---- in the browser ---------------------------------------------------------------------------

def test_boxes(suite, window, pages):
    """Nothing is cut, nothing overlaps, all of it can be read, on any screen."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "boxes.js")) as file:
        measure = file.read()
    for name, path, _ in pages:
        window.open(path)
        for width in WIDTHS:
            for dark in (False, True):
                window.window(width, dark)
                wrong = window.run(measure)
                suite.check(f"{name}, {width} pixels{', dark' if dark else ''}: {len(wrong)} × {wrong[:4]}", not wrong)
        window.window(WIDTHS[0])
        window.run("document.querySelectorAll('details').forEach(details => details.open = true)")
        wrong = window.run(measure)
        suite.check(f"{name}, all details open: {len(wrong)} × {wrong[:4]}", not wrong)


def test_screen(suite, window, path):
    """The network's report fits on a wide screen, and is dark if that is wanted."""
    light = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).reduce((sum, c) => sum + Number(c), 0) / 3"
    window.window(1600)
    window.open(path)
    high = window.run("document.body.offsetHeight")
    suite.check(f"network: fits on a screen (ends at {high})", high <= 900)
    suite.check("network: light", window.run(light) > 200)
    window.window(1600, dark=True)
    suite.check("network: dark", window.run(light) < 60)


def test_tools(suite, window, path):
    """A long list is grouped, opened, filtered and sorted; a picture is saved."""
    rows = ("[...document.querySelectorAll('#marginals tbody tr')].filter(row => row.getClientRects().length)"
            ".map(row => row.cells[0].textContent)")
    window.window(1200)
    window.open(path)
    click = "document.querySelectorAll('#marginals {}')[{}].click()"
    suite.check("tools: few rows are not grouped", len(window.run(rows)) == 22)
    window.run(click.format("input[type=checkbox]", 0))
    suite.check("tools: groups", window.run(rows) == ["▸ friend 6: 0.27 to 0.27", "▸ reach 16: 0.39 to 0.61"])
    window.run(click.format(".group button", 0))
    suite.check("tools: a group opens", len(window.run(rows)) == 8)
    window.run("(box => { box.value = 'reach(1,'; box.dispatchEvent(new Event('input')) })"
               "(document.querySelector('#marginals input[type=search]'))")
    suite.check("tools: filtered", window.run(rows) == [f"reach(1,{i})" for i in range(1, 5)])
    window.run(click.format("thead button", 1))
    suite.check("tools: sorted, the most probable first", window.run(rows)[0] == "reach(1,1)")
    window.run(click.format("thead button", 1))
    suite.check("tools: sorted, the least probable first", window.run(rows)[3] == "reach(1,1)")
    document = xml.dom.minidom.parseString(window.run("picture(document.querySelector('svg'))"))
    suite.check("tools: a picture as SVG", len(document.getElementsByTagName("circle")) == 4
                and "rgb" in document.documentElement.getAttribute("style"))


def test_browser(suite, pages):
    with browser.Browser() as window:
        for name, path, wanted in pages:
            complaints = window.open(path)
            page = Page(window.run("document.documentElement.outerHTML"))
            suite.check(f"{name}: the browser complains: {complaints[:1]}", not complaints)
            test_numbers(suite, name + " in the browser", page, wanted)
            test_harmless(suite, name + " in the browser", page)
        test_boxes(suite, window, pages)
        paths = {name: path for name, path, _ in pages}
        test_screen(suite, window, paths["network"])
        test_tools(suite, window, paths["social"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(options.lpmln, folder)
        pages = make_pages(suite)
        test_files(suite, pages)
        test_repeatable(suite)
        test_unwritable(suite)
        if browser.PROGRAM:
            test_browser(suite, pages)
        else:
            suite.skip("chromium is not there: a page in a browser", len(pages))
    return suite.close()


if __name__ == "__main__":
    sys.exit(main())
