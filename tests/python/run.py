#!/usr/bin/env python3
"""The Python package as users get it: the wheel, in environments of its own.

    python3 tests/python/run.py [--bare]

Builds the wheel (scripts/wheel) and the site (scripts/site), checks types with mypy, then runs python/tests, the doctests
and the documents with the wheel installed, in this Python, and all but documents and notebooks in
the newest other one that is here.  --bare also installs it in a Debian system with nothing
but Python (debootstrap, as root), and builds the source archive.  What can't be had from PyPI is skipped
and counted.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import closing  # noqa: E402

PLACE = os.path.join(ROOT, "build", "python")
NEEDED = "numpy cffi pytest"
EXTRAS = "pandas scikit-learn matplotlib tqdm arviz scipy"
TOOLS = "nbclient nbformat ipykernel mypy pandas-stubs"
COUNTS = re.compile(r"(\d+) (passed|failed|skipped|error)")


def run(*command, **more):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **more)


def wheel():
    (found,) = glob.glob(os.path.join(PLACE, "dist", "*.whl"))
    return found


def install(python, packages):
    """Whether all of them could be had; what can be had is installed."""
    def done(*names):
        return not run(python, "-m", "pip", "install", "--quiet", *names, timeout=900).returncode

    names = packages.split()
    return done(*names) or all([done(name) for name in names])


def environment(python, name):
    """A new virtual environment with the wheel and what the tests need; None: that can't be had."""
    folder = os.path.join(PLACE, name)
    own = os.path.join(folder, "bin", "python")
    if not os.path.exists(own) and run(python, "-m", "venv", folder).returncode:
        return None
    if not install(own, NEEDED):
        return None
    done = run(own, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", wheel())
    return own if not done.returncode else None


def newest_other():
    """Another CPython that can make environments, the newest one."""
    found = glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3")) + glob.glob("/usr/bin/python3.[0-9]*")
    found += glob.glob("/usr/local/bin/python3.[0-9]*")
    versions = {}
    for python in found:
        if python[-1].isdigit():
            done = run(python, "-c", "import ensurepip, sys; print(*sys.version_info[:2])")
            if not done.returncode:
                versions[tuple(map(int, done.stdout.split()))] = python
    versions.pop(tuple(sys.version_info[:2]), None)
    newer = {version: python for version, python in versions.items() if version >= (3, 9)}
    return newer[max(newer)] if newer else None


def judge(tally, name, done):
    if not tally.check(name, not done.returncode):
        print(done.stdout + done.stderr)


def pytest(tally, python, *arguments):
    done = run(python, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", "-rs", *arguments, timeout=1800)
    counts = {word: int(n) for n, word in COUNTS.findall(done.stdout.strip().splitlines()[-1])}
    tally.passed += counts.get("passed", 0)
    tally.failed += counts.get("failed", 0) + counts.get("error", 0) or (1 if done.returncode else 0)
    for n, reason in re.findall(r"^SKIPPED \[(\d+)\] \S+ (.*)$", done.stdout, re.M):
        tally.skip(reason, int(n))
    if done.returncode:
        print(done.stdout + done.stderr)


def site(tally):
    """The documents: no link leads nowhere, every name of the reference is there."""
    done = run("scripts/site", timeout=900)
    if done.returncode and not os.path.exists(os.path.join(PLACE, "site", "bin", "mkdocs")):
        return tally.skip("MkDocs can't be had from PyPI")
    return judge(tally, "scripts/site", done)


def bare(tally):
    """A system in which there is no compiler and none of our packages."""
    if os.geteuid() or not shutil.which("debootstrap"):
        return tally.skip("no debootstrap, or not root")
    system, suite = os.path.join(PLACE, "bare"), "bookworm"
    wheels = os.path.join(system, "wheels")
    if not os.path.exists(os.path.join(system, "usr", "bin", "python3")):
        shutil.rmtree(system, ignore_errors=True)
        if run("debootstrap", "--variant=minbase", "--include=python3,python3-venv", suite, system).returncode:
            return tally.skip("debootstrap can't reach its packages")
    shutil.rmtree(wheels, ignore_errors=True)
    os.makedirs(wheels)
    shutil.copy(wheel(), wheels)
    with open(os.path.join(ROOT, "examples", "bird", "bird.lpmln"), encoding="utf-8") as file:
        program = file.read()
    script = (f"import lpmln\np = lpmln.Program(text={program!r})\n"
              "assert abs(p.prob('bird(jo)') - 0.909969) < 1e-6 and len(p.models()) == 3\n"
              "import shutil\nassert not any(map(shutil.which, ('cc', 'gcc', 'clang', 'clingo')))\n")
    with open(os.path.join(system, "check.py"), "w", encoding="utf-8") as file:
        file.write(script)
    done = run("chroot", system, "python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
    if run(sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--python-version",
           done.stdout.strip(), "--dest", wheels, "numpy", "cffi").returncode:
        return tally.skip("no packages from PyPI")
    run("mount", "-t", "proc", "proc", os.path.join(system, "proc"))
    try:
        judge(tally, "a bare system", run(
            "chroot", system, "sh", "-ec", "rm -rf /v; python3 -m venv /v; "
            "/v/bin/pip install --quiet --no-index --find-links /wheels lpmln; /v/bin/python /check.py"))
    finally:
        run("umount", os.path.join(system, "proc"))
    return None


def source_archive(tally):
    """Builds where the repository is not; its libraries are those of this system."""
    (archive,) = glob.glob(os.path.join(PLACE, "dist", "*.tar.gz"))
    folder = os.path.join(PLACE, "source")
    own = os.path.join(folder, "bin", "python")
    shutil.rmtree(folder, ignore_errors=True)
    if run(sys.executable, "-m", "venv", folder).returncode or not install(own, NEEDED):
        return tally.skip("no packages from PyPI")
    judge(tally, "the source archive", run(own, "-m", "pip", "install", "--quiet", "--no-deps", archive, timeout=1800))
    judge(tally, "what it built", run(own, "-m", "pytest", "-q", "-p", "no:cacheprovider", "python/tests/test_questions.py",
                                      "-k", "bird or virus or random"))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bare", action="store_true", help="also in a system of its own")
    options = parser.parse_args()
    tally = closing.Tally()
    python = None
    if os.environ.get("NO_PEERS"):
        tally.skip("NO_PEERS: nothing is taken from PyPI")
    else:
        built = run("scripts/wheel", timeout=900)
        if built.returncode and not os.path.exists(os.path.join(PLACE, "tools", "bin", "auditwheel")):
            tally.skip("no packages from PyPI")
        else:
            judge(tally, "scripts/wheel", built)
            python = None if built.returncode else environment(sys.executable, "own")
    if python:
        extras = install(python, f"{EXTRAS} {TOOLS}")
        install(python, "mpi4py")  # or its test is skipped
        pytest(tally, python, "python/tests")
        if extras:
            pytest(tally, python, "--doctest-modules", "--pyargs", "lpmln")
            judge(tally, "mypy --strict", run(python, "-m", "mypy", "--config-file", "python/pyproject.toml"))
        else:
            tally.skip("extras can't be had from PyPI")
        other = newest_other()
        second = other and environment(other, "other")
        if second:
            install(second, EXTRAS)
            pytest(tally, second, *(f"python/tests/test_{each}.py" for each in ("questions", "rows", "fit", "extras")))
        else:
            tally.skip("no other Python")
        site(tally)
        if options.bare:
            bare(tally)
            source_archive(tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
