"""The notebooks of examples/notebooks run from top to bottom."""

import glob
import os

import pytest
from conftest import EXAMPLES

NOTEBOOKS = sorted(glob.glob(os.path.join(EXAMPLES, "notebooks", "*.ipynb")))


def test_there_are_some():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=os.path.basename)
def test_notebook(path):
    for package in ("pandas", "sklearn", "matplotlib", "ipykernel"):
        pytest.importorskip(package)
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": os.path.dirname(path)}}).execute()
    shown = [out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs]
    assert any("text/html" in out.get("data", {}) for out in shown) and any("image/png" in out.get("data", {}) for out in shown)
