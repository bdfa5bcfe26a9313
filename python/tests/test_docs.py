"""Python in the documents runs as printed: each ```python block, and what it prints if a ```text block follows."""

import contextlib
import io
import os
import re

import pytest
from conftest import ROOT

BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.S | re.M)
PAGES = ("docs/index.md", "docs/python.md", "docs/coming-from.md", "python/README.md")


@pytest.mark.parametrize("page", PAGES)
def test_page(page, monkeypatch):
    pytest.importorskip("pandas")
    if page in ("docs/index.md", "docs/coming-from.md"):
        pytest.importorskip("sklearn")
    monkeypatch.chdir(ROOT)
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        blocks = BLOCK.findall(file.read())
    assert blocks
    names = {}
    for code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page, "exec"), names)  # noqa: S102
        if expected:
            # blanks at the ends of lines and the number of iterations do not count
            plain = [re.sub(r"\d+ iterations", "N iterations", line).rstrip() for line in printed.getvalue().splitlines()]
            assert plain == [re.sub(r"\d+ iterations", "N iterations", line).rstrip() for line in expected.splitlines()]
