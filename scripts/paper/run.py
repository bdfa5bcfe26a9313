#!/usr/bin/env python3
"""Every table and figure of the paper, ours beside theirs: `make paper`.

Writes paper/paper.txt and paper/index.html.  Nothing here is typed in but what the paper prints
(facts.py); everything else is measured and computed by this run.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import time

from tools import ROOT, Tool  # first: it says where the other modules are
from document import Document
import examples
import networks
import stories
import theorems


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--output", default="paper", help="the folder")
    parser.add_argument("--limit", type=float, default=30, help="seconds for one of our runs")
    parser.add_argument("--problog-limit", type=float, default=20, help="seconds for one run of ProbLog (the paper: 1200)")
    parser.add_argument("--theorems", type=int, default=100, help="random programs for each theorem")
    return parser.parse_args(arguments)


def machine():
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            name = re.search(r"model name\s*: (.*)", file.read()).group(1)
    except (OSError, AttributeError):
        pass
    return f"{name}, {os.cpu_count()} cores"


def style_of(lpmln, folder):
    """Reports of lpmln have a style; this page has the same."""
    path = os.path.join(folder, "style.html")
    subprocess.run([lpmln, "infer", "examples/bird/bird.lpmln", "--report", path], check=True, capture_output=True)
    with open(path) as file:
        return re.search(r"<style>\n(.*?)</style>", file.read(), re.S).group(1)


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


def main(arguments):
    options = options_of(arguments)
    lpmln, output = os.path.abspath(options.lpmln), os.path.abspath(options.output)
    os.chdir(ROOT)
    started = time.monotonic()
    version = subprocess.run([lpmln, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    document = Document(
        "Weight learning in LPMLN: the paper’s evaluation, run again",
        f"Every table and figure of Lee and Wang’s Weight Learning in a Probabilistic Extension of Answer Set Programs (2018), "
        f"recomputed by {version} on this machine ({machine()}), {time.strftime('%Y-%m-%d')}. Shaded columns are ours. Where we deviate "
        f"from the paper, it is said where it happens.")
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(lpmln, folder, options.limit)
        for title, part in (("weights", lambda: examples.weights(tool, document)),
                            ("edges", lambda: networks.edges(tool, document, options.problog_limit)),
                            ("convergence", lambda: networks.convergence(tool, document)),
                            ("Markov Logic", lambda: examples.markov(tool, document)),
                            ("coins", lambda: stories.coins(tool, document)),
                            ("robot", lambda: stories.robot(tool, document)),
                            ("theorems", lambda: theorems.theorems(tool, document, options.theorems)),
                            ("beyond the paper", lambda: networks.beyond(tool, document, options.limit))):
            print(f"{time.monotonic() - started:4.0f} s  {title}", flush=True)
            part()
        style = style_of(lpmln, folder)
    write(output, "paper.txt", document.text())
    write(output, "index.html", document.html(style))
    print(f"{time.monotonic() - started:4.0f} s  wrote {options.output}/paper.txt and {options.output}/index.html")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
