"""The extension module lpmln._lpmln: the public header as it stands, by cffi in API mode.

The declarations are those of include/lpmln/lpmln.h, read at build time, so there is nothing
here that could disagree with it.
"""

import os
import re

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))
CARRIED = os.path.join(HERE, "native")  # in an sdist
ROOT = CARRIED if os.path.isdir(CARRIED) else os.path.dirname(HERE)
BUILD = os.environ.get("LPMLN_BUILD", "build")


def declarations() -> str:
    """The header without what is for the preprocessor."""
    with open(os.path.join(ROOT, "include", "lpmln", "lpmln.h"), encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'^#ifdef __cplusplus\n.*?^#endif', "", text, flags=re.S | re.M)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    return text.replace("LPMLN_API ", "")


ffi = cffi.FFI()
CALLBACKS = """
extern "Python" bool lpmln_python_progress(void *, const lpmln_iteration *);
extern "Python" bool lpmln_python_send(void *, unsigned, const char *, size_t);
extern "Python" const char *lpmln_python_receive(void *, unsigned *, size_t *);
"""
ffi.cdef(declarations() + CALLBACKS)
ffi.set_source(
    "lpmln._lpmln",
    "#include <lpmln/lpmln.h>\n",
    include_dirs=[os.path.join(ROOT, "include")],
    extra_objects=[os.path.join(ROOT, BUILD, "liblpmln.a")],
    libraries=["gmp", "lbfgs", "z", "m", "pthread"],
    py_limited_api=True,
)
