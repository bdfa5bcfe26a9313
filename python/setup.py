"""Builds the library with its own Makefile and the extension on top of it.

The sources are the folder above this one or, in an sdist, the folder `native` beside it.
"""

import os
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = os.path.dirname(os.path.abspath(__file__))
CARRIED = os.path.join(HERE, "native")
ROOT = CARRIED if os.path.isdir(CARRIED) else os.path.dirname(HERE)
BUILD = os.environ.get("LPMLN_BUILD", "build")  # below ROOT, as the Makefile wants it
SOURCES = ("Makefile", "lpmln.pc.in", "LICENSE", "include", "src", "scripts/bootstrap")


def version() -> str:
    with open(os.path.join(ROOT, "include", "lpmln", "lpmln.h"), encoding="utf-8") as header:
        return re.search(r'define LPMLN_VERSION "(.*)"', header.read())[1]


def make(*targets: str) -> None:
    targets = [os.path.join(BUILD, target) for target in targets]
    subprocess.run(["make", "-s", f"-j{os.cpu_count()}", f"BUILD={BUILD}", *targets], cwd=ROOT, check=True)


class Build(build_py):
    """The worker process goes into the package; the extension is linked with liblpmln.a."""

    def run(self):
        make("liblpmln.a", "lpmln-worker")
        super().run()
        place = os.path.join(self.build_lib, "lpmln", "_native")
        if getattr(self, "editable_mode", False):
            place = os.path.join(HERE, "src", "lpmln", "_native")
        os.makedirs(place, exist_ok=True)
        shutil.copy2(os.path.join(ROOT, BUILD, "lpmln-worker"), place)


class Archive(sdist):
    """An archive that builds where the repository is not."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        ignore = shutil.ignore_patterns("__pycache__", "*.o")
        for name in SOURCES:
            source, to = os.path.join(ROOT, name), os.path.join(base_dir, "native", name)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            if os.path.isdir(source):
                shutil.copytree(source, to, ignore=ignore)
            else:
                shutil.copy2(source, to)


setup(
    version=version(),
    cffi_modules=["build_extension.py:ffi"],
    cmdclass={"build_py": Build, "sdist": Archive},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
