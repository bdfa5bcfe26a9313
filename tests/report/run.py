#!/usr/bin/env python3
"""Tests of --report: the numbers on the page are those of the JSON answer, nothing of the user's
becomes markup, and a real browser shows it without a complaint, in light and dark, on a screen
and on a phone.  Without Chromium the last part is skipped, and counted."""

import argparse
import html.parser
import json
import math
import os
import subprocess
import sys
import tempfile

import browser

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import closing  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NETWORK = ["examples/network/network.lpmln", "-e", "examples/network/network.obs"]
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
HOSTILE_DATA = 'bad("&lt;"). not bad("</svg><b>"). extra.\n---\nnot extra.\n'


class Page(html.parser.HTMLParser):
    """What is on a page: numbers by (field, name), elements, attributes, text."""

    def __init__(self, text):
        super().__init__()
        self.numbers, self.tags, self.attributes, self.words = [], set(), set(), []
        self.titles = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        values = dict(attributes)
        self.attributes.update(name for name, _ in attributes)
        if tag == "data":
            value = values["value"]
            self.numbers.append((values["data-of"], values.get("data-name"),
                                 None if value == "null" else float(value)))

    def handle_data(self, data):
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
                              capture_output=True, text=True, timeout=60, cwd=ROOT)
        self.check(f"{name}: answered ({done.stderr.strip()})", done.returncode == 0)
        return json.loads(done.stdout), path


# ---- numbers ----------------------------------------------------------------------------------

def wanted_of_learning(answer):
    wanted = {(field, None): answer[field] for field in ("log_likelihood", "seed", "observations")
              if answer[field] is not None}
    if answer["method"] == "mc-asp":
        wanted.update({("gradient", None): answer["gradient"], ("gradient_error", None): answer["gradient_error"]})
    for weight in answer["weights"]:
        for field in ("weight", "standard_error", "holds", "mc_error"):
            if weight.get(field) is not None:
                wanted[field, weight["parameter"]] = weight[field]
    for group in answer["unidentified"]:
        if group["at_least_one"] is not None:
            wanted["at_least_one", group["parameters"][0]] = group["at_least_one"]
    return wanted


def wanted_of_inference(answer):
    wanted = {(field, None): answer[field] for field in ("log_evidence", "log_partition", "seed", "samples")
              if answer.get(field) is not None}
    for marginal in answer["marginals"]:
        wanted["probability", marginal["atom"]] = marginal["probability"]
        for field in ("error", "ess", "rhat"):
            if marginal.get(field):
                wanted[field, marginal["atom"]] = marginal[field]
    return wanted


def wanted_of_samples(answer):
    samples = answer["samples"]
    wanted = {("count", None): len(samples), ("seed", None): answer["seed"]}
    for sample in samples:
        for atom in sample:
            wanted["share", atom] = wanted.get(("share", atom), 0) + 1 / len(samples)
    certain = ("contact(", "person(", 'carries_virus("A")')  # these are left out
    return {key: value for key, value in wanted.items() if not (key[1] or "").startswith(certain)}


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
    suite.check(f"{name}: nothing but markup of ours",
                not page.tags & {"script", "img", "link", "iframe", "object", "b2", "base", "form"})
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


def make_pages(suite):
    """Name, path and the numbers wanted."""
    pages = []
    answer, path = suite.ask("network", "learn", *NETWORK)
    pages.append(("network", path, wanted_of_learning(answer)))
    answer, path = suite.ask("virus", "learn", *VIRUS, "--seed", "3")
    pages.append(("virus", path, wanted_of_learning(answer)))
    answer, path = suite.ask("infer", "infer", *VIRUS[:1], "-w", "1=0.6", "-w", "2=0.5")
    pages.append(("infer", path, wanted_of_inference(answer)))
    answer, path = suite.ask("sample", "sample", *VIRUS[:1], "-n", "60", "--seed", "7")
    pages.append(("sample", path, wanted_of_samples(answer)))
    answer, path = suite.ask("chains", "infer", *VIRUS[:1], "--method", "mc-asp", "--seed", "1")
    pages.append(("chains", path, wanted_of_inference(answer)))
    answer, path = suite.ask("stochastic", "learn", *NETWORK, "--method", "mc-asp", "--seed", "1")
    pages.append(("stochastic", path, wanted_of_learning(answer)))
    program, data = os.path.join(suite.folder, HOSTILE_NAME), os.path.join(suite.folder, "<b>.obs")
    for name, text in ((program, HOSTILE), (data, HOSTILE_DATA)):
        with open(name, "w") as file:
            file.write(text)
    answer, path = suite.ask("hostile", "learn", program, "-e", data, "--prior", "0,2")
    pages.append(("hostile", path, wanted_of_learning(answer)))
    return pages


def test_files(suite, pages):
    for name, path, wanted in pages:
        with open(path) as file:
            page = Page(file.read())
        test_numbers(suite, name, page, wanted)
        test_harmless(suite, name, page)
        if name == "network":
            test_network_words(suite, page)
        if name == "hostile":
            test_hostile_words(suite, page)


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

def brightness(lines):
    return sum(sum(pixel) for line in lines for pixel in line) / (3 * len(lines) * len(lines[0]))


def test_screen(suite, path):
    """The network's report fits on a screen of 1440 x 900."""
    lines = browser.draw(path, 1440, 1400)
    paper = lines[-1][0]
    ink = [y for y, line in enumerate(lines) if any(pixel != paper for pixel in line)]
    suite.check("network: something is drawn", len({pixel for line in lines for pixel in line}) > 50)
    suite.check(f"network: fits on a screen (ends at {browser.SCALE * (ink[-1] + 1)})",
                browser.SCALE * (ink[-1] + 1) <= 900)
    suite.check("network: light", brightness(lines) > 200)
    suite.check("network: dark", brightness(browser.draw(path, 1440, 900, dark=True)) < 60)


def test_phone(suite, name, path):
    """Nothing sticks out on the right."""
    lines = browser.draw(path, 390, 2400)
    paper = lines[-1][-1]
    suite.check(f"{name}: fits on a phone", all(pixel == paper for line in lines for pixel in line[-2:]))


def test_browser(suite, pages):
    for name, path, wanted in pages:
        document, complaints = browser.read(path)
        page = Page(document)
        suite.check(f"{name}: the browser complains: {complaints[:1]}", not complaints)
        test_numbers(suite, name + " in the browser", page, wanted)
        test_harmless(suite, name + " in the browser", page)
        test_phone(suite, name, path)
    test_screen(suite, pages[0][1])


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
