#!/usr/bin/env python3
"""`make install` into a fresh folder, and programs of other people against what is there.

    python3 tests/install/run.py [--build build]

A C program finds header and library through pkg-config of that folder alone, statically and
dynamically; it has functions of its own that are called as ours are inside (report, lex, solve);
it runs from another folder with an empty environment and finds the worker.  A C++ compiler takes
the header.  The installed program answers, too, and the folder may be moved.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import closing  # noqa: E402

PROGRAM = r"""
#include <lpmln/lpmln.h>
#include <stdio.h>
#include <string.h>

/* Names that the library has inside, with other meanings. */
int report(int x) { return x + 1; }
int lex(const char *text) { return (int)strlen(text); }
int solve(void) { return 40; }
int memory_copy = 1, infer = 2, program_free = 3;

int main(void) {
  lpmln_program *p = lpmln_program_of("2 a. b :- a.");
  const lpmln_inference *answer = lpmln_infer(p);
  fputs(answer->about.messages, stderr);
  for (size_t i = 0; i < answer->count; i++)
    printf("%s %.6f\n", answer->marginals[i].atom, answer->marginals[i].probability);
  lpmln_model *model = lpmln_compile(p, NULL, NULL);
  lpmln_state *state = lpmln_state_new(model);
  const lpmln_models *best = lpmln_state_map(state);
  printf("%zu %d %s\n", best->count, solve() + report(lex("x")) + (memory_copy + infer + program_free == 6) - 1,
         lpmln_version());
  lpmln_answer_free(best);
  lpmln_state_free(state);
  lpmln_model_free(model);
  lpmln_answer_free(answer);
  lpmln_program_free(p);
  return lpmln_abi() == LPMLN_ABI ? 0 : 1;
}
"""
WANTED = "a 0.880797\nb 0.880797\n1 42 "

OTHER_PROGRAM = r"""
#include <lpmln/lpmln.h>
int main() { return lpmln_abi() == LPMLN_ABI ? 0 : 1; }
"""


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **more)


class Suite(closing.Tally):
    def __init__(self, folder):
        super().__init__()
        self.folder, self.prefix = folder, os.path.join(folder, "x")

    def good(self, what, done, out=""):
        return self.check(f"{what}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}",
                          done.returncode == 0 and done.stdout.startswith(out))

    def flags(self, *how):
        """What pkg-config of the folder says, and nothing else's."""
        done = run(["pkg-config", *how, "lpmln"],
                   env={"PATH": os.environ["PATH"], "PKG_CONFIG_LIBDIR": os.path.join(self.prefix, "lib", "pkgconfig")})
        self.good(f"pkg-config {how}", done)
        return done.stdout.split()


def install(suite, build):
    """From a copy of what is built: the prefix goes into one object."""
    own = os.path.join(suite.folder, "build")
    shutil.copytree(build, own, symlinks=True,
                    ignore=lambda at, names: () if at != build else
                    [n for n in names if n not in ("obj", "prefix") and not n.startswith(("lib", "lpmln", "generate"))])
    done = run(["make", "-s", "BOOTSTRAP=no", f"BUILD={own}", f"PREFIX={suite.prefix}", "install"], cwd=ROOT)
    good = suite.good("make install", done)
    shutil.rmtree(own)  # what is installed stands alone
    return good


def check_files(suite):
    wanted = ("bin/lpmln", "libexec/lpmln/lpmln-worker", "lib/liblpmln.a", "lib/liblpmln.so", "lib/pkgconfig/lpmln.pc",
              "include/lpmln/lpmln.h", "share/man/man1/lpmln.1", "share/bash-completion/completions/lpmln",
              "share/zsh/site-functions/_lpmln", "share/fish/vendor_completions.d/lpmln.fish")
    for name in wanted:
        suite.check(f"{name} is installed", os.path.exists(os.path.join(suite.prefix, name)))
    headers = sorted(os.listdir(os.path.join(suite.prefix, "include", "lpmln")))
    suite.check(f"one header, not {headers}", headers == ["lpmln.h"])


def compile_program(suite, name, text, compiler):
    source, program = os.path.join(suite.folder, name), os.path.join(suite.folder, "bin-" + name.replace(".", "-"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    return program, run([*compiler, "-Wall", "-Wextra", "-Werror", *suite.flags("--cflags"), source,
                         *suite.flags("--libs"), "-o", program])


def check_dynamic(suite):
    program, done = compile_program(suite, "own.c", PROGRAM, ["cc", "-std=c99"])
    if not suite.good("linked with the shared library", done):
        return
    empty = os.path.join(suite.folder, "elsewhere")
    os.makedirs(empty, exist_ok=True)
    library = {"LD_LIBRARY_PATH": os.path.join(suite.prefix, "lib")}
    suite.good("runs from elsewhere", run([program], cwd=empty, env=library), WANTED)
    # with the path inside, the environment may be empty
    source = os.path.join(suite.folder, "own.c")
    inside = program + "-rpath"
    done = run(["cc", *suite.flags("--cflags"), source, *suite.flags("--libs"),
                f"-Wl,-rpath,{suite.prefix}/lib", "-o", inside])
    if suite.good("linked with the path of the library", done):
        suite.good("runs with an empty environment", run([inside], cwd=empty, env={}), WANTED)


def check_static(suite):
    """Our library from the archive, the system's as they are."""
    source, program = os.path.join(suite.folder, "own.c"), os.path.join(suite.folder, "static")
    libraries = [f for f in suite.flags("--libs", "--static") if f != "-llpmln"]
    done = run(["cc", *suite.flags("--cflags"), source, os.path.join(suite.prefix, "lib", "liblpmln.a"), *libraries,
                "-o", program])
    if not suite.good("linked with the archive", done):
        return
    needs = run(["ldd", program]).stdout
    suite.check(f"the archive was taken, not the shared library\n{needs}", "liblpmln" not in needs)
    suite.good("runs with an empty environment", run([program], cwd="/", env={}), WANTED)


def check_languages(suite):
    program, done = compile_program(suite, "other.cc", OTHER_PROGRAM, ["c++"]) if shutil.which("c++") else (None, None)
    if not program:
        suite.skip("there is no C++ compiler")
    elif suite.good("the header in C++", done):
        suite.good("a C++ program", run([program], env={"LD_LIBRARY_PATH": os.path.join(suite.prefix, "lib")}))
    header = os.path.join(suite.prefix, "include", "lpmln", "lpmln.h")
    suite.good("the header by itself, strictly", run(["cc", "-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror",
                                                      "-fsyntax-only", "-x", "c", header]))


def check_command(suite):
    own = os.path.join(suite.prefix, "bin", "lpmln")
    text = os.path.join(suite.folder, "a.lpmln")
    with open(text, "w", encoding="utf-8") as file:
        file.write("2 a.\n")
    suite.good("lpmln", run([own, "infer", text], cwd="/", env={}), "a  0.880797")
    moved = os.path.join(suite.folder, "moved")
    os.rename(suite.prefix, moved)
    suite.good("the same, moved", run([os.path.join(moved, "bin", "lpmln"), "infer", text], cwd="/", env={}),
               "a  0.880797")
    os.rename(moved, suite.prefix)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lpmln-install-") as folder:
        suite = Suite(folder)
        if not shutil.which("pkg-config"):
            suite.skip("pkg-config is not there")
            return suite.close()
        if install(suite, os.path.join(ROOT, options.build)):
            check_files(suite)
            check_dynamic(suite)
            check_static(suite)
            check_languages(suite)
            check_command(suite)
    return suite.close()


if __name__ == "__main__":
    sys.exit(main())
