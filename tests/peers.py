"""Other systems, installed from PyPI below build/ on the first run.

A test that needs one and does not get it is skipped, and says so.  NO_PEERS=1 does without
all of them.
"""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def works(python, statement):
    return os.path.exists(python) and not subprocess.run(
        [python, "-c", statement], capture_output=True, check=False).returncode


def python_with(name, packages, statement):
    """A Python in which the statement works; None: there is none."""
    if os.environ.get("NO_PEERS"):
        return None
    folder = os.path.join(ROOT, "build", name)
    own = os.path.join(folder, "bin", "python")
    for python in (os.environ.get(name.upper() + "_PYTHON", ""), own):
        if python and works(python, statement):
            return python
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True, timeout=60, check=True)
        subprocess.run([os.path.join(folder, "bin", "pip"), "install", "--quiet", *packages.split()],
                       capture_output=True, timeout=180, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return own if works(own, statement) else None
