# SPDX-License-Identifier: Apache-2.0
"""Makes tocsin._tocsin, cffi's API mode: the declarations are read from the C headers, and the compiler
checks each of them.

In a clone of the repository the static libraries are made (by make) and linked, so that nothing needs to be installed;
elsewhere pkg-config must know an installed `tocsin-driver`.
"""
import os
import re
import subprocess

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
IN_TREE = os.path.exists(os.path.join(ROOT, "sw", "include", "tocsin", "tocsin.h"))
HEADERS = ("tocsin.h", "active.h", "aql.h", "xtq.h", "agent.h")


def pkg_config(*flags):
    return subprocess.run(["pkg-config", *flags, "tocsin-driver"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.split()


def include_dirs():
    if IN_TREE:
        return [os.path.join(ROOT, "sw", "include"), os.path.join(ROOT, "model", "include")]
    return [flag[2:] for flag in pkg_config("--cflags")] + pkg_config("--variable=includedir")


def header(name):
    found = [os.path.join(d, "tocsin", name) for d in include_dirs()]
    return next(path for path in found if os.path.exists(path))


def declarations(path):
    """What cffi can read of a header: no comments, directives, inline functions; the compiler knows the
    values of enumerators."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r'^extern "C" \{$', "", text, flags=re.M)
    text = re.sub(r"^static inline [^{]*\{(?:[^\n]*\}$|.*?^\}$)", "", text, flags=re.M | re.S)
    text = text.replace("TOC_MUST_CHECK", "")
    text = re.sub(r"^}$", "", text, flags=re.M)
    return re.sub(r"\benum\b[^;{]*\{[^}]*\}", lambda m: re.sub(r"=[^,}]+", "= ...", m.group(0)), text)


def link():
    if not IN_TREE:
        return {"libraries": [flag[2:] for flag in pkg_config("--libs-only-l")],
                "library_dirs": [flag[2:] for flag in pkg_config("--libs-only-L")]}
    libs = ["build/lib/libtocsin-driver.a", "build/lib/libtocsin.a"]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    subprocess.run(["make", "-s", *libs], cwd=ROOT, env=env, check=True)
    objects = [os.path.join(ROOT, lib) for lib in libs]
    return {"extra_objects": objects, "depends": objects, "libraries": ["pthread", "m"]}


def make():
    maker = cffi.FFI()
    maker.cdef("\n".join(declarations(header(name)) for name in HEADERS))
    maker.cdef("""
        #define TOC_FOREVER ...
        #define TOC_VERSION ...
        extern "Python" void tocsin_py_handler(void *, const toc_access *);
        extern "Python" void tocsin_py_kernel(void *, const toc_call *);
        extern "Python" void tocsin_py_see(void *, const toc_seen *);
    """)
    maker.set_source("tocsin._tocsin", "\n".join(f"#include <tocsin/{name}>" for name in HEADERS),
                     include_dirs=include_dirs(), **link())
    return maker


ffi = make()
