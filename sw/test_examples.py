#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_examples.py DIR: what strangers compile, with every compiler that is there, without a warning: each header below
DIR, in C11 and in C++17; the programs of the tutorial and the how-tos; the samples in the comments of the headers;
the checker's C."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WARN = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
COMPILERS = {"c": ("gcc", "clang"), "cpp": ("g++", "clang++")}
STANDARD = {"c": "-std=c11", "cpp": "-std=c++17"}
PAGES = ("TUTORIAL.md", "HOWTO.md", "../docs/irregular.md")

# What the samples in comments take as given.
GIVEN = """#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <tocsin/agent.h>
#define MUST(call) do { if ((call) != TOC_OK) errx(1, "%s", toc_why()); } while (0)
extern toc_proc *p;
extern uint64_t *table, *sum;
extern size_t table_bytes;
extern toc_log *l;
extern xtq_queue *queue;
extern aql_signal *s;
void use(toc_access *a);
void sample(void);
"""
GIVEN_CPP = """#include <cstdlib>
#include <iostream>
#include <tocsin/irregular.hpp>
#include <tocsin/tocsin.hpp>
void sample(void);
"""


def programs(path):
    with open(path, encoding="utf-8") as f:
        return re.findall(r"^```(c|cpp) (\S+)\n(.*?)^```", f.read(), re.S | re.M)


def runs(path):
    """Runs of indented lines in comments."""
    run = []
    with open(path, encoding="utf-8") as f:
        for line in [*f.read().splitlines(), ""]:
            if re.match(r" \*   ", line) or (run and line == " *"):
                run.append(line[5:])
            else:
                if run:
                    yield run
                run = []


def samples(path):
    """The runs that hold statements, each as a unit of its own."""
    for code in runs(path):
        if not any(re.search(r"(;|}|^#endif)$", re.sub(r" *//.*", "", line)) for line in code):
            continue
        outside, inside, depth = [], [], 0
        for line in code:
            if depth or line.startswith(("static ", "#")):
                outside.append(line)
                depth += line.count("{") - line.count("}") if not line.startswith("#") else 0
            elif line != "...":
                inside.append(line)
        yield "\n".join([GIVEN_CPP if path.endswith("pp") else GIVEN, *outside, "void sample(void) {",
                         *inside, "}", ""])


def units(root, work):
    """(name, language, path) of everything."""
    headers = [h for end in ("*.h", "*.hpp", "irregular/*.h", "irregular/*.hpp")
               for h in glob.glob(os.path.join(root, "tocsin", end))]
    for h in sorted(headers):
        name = os.path.relpath(h, root)
        for lang in ("cpp",) if h.endswith("pp") else ("c", "cpp"):
            path = os.path.join(work, f"{name.replace('/', '-')}.{lang}")
            with open(path, "w", encoding="utf-8") as f:
                f.write(f"#include <{name}>\n#include <{name}>\nextern int unit;\n")
            yield name, lang, path
        if not os.path.exists(os.path.join(HERE, "include", name)) and name != "tocsin/version.h":
            continue  # the model's have fragments
        if name.startswith("tocsin/irregular/"):
            continue  # and so have these: what a rank has is the program's
        for i, text in enumerate(samples(h)):
            lang = "cpp" if h.endswith("pp") else "c"
            path = os.path.join(work, f"{os.path.basename(h)}.sample{i}.{lang}")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            yield f"{name}, sample {i + 1}", lang, path
    for page in PAGES:
        for lang, name, text in programs(os.path.join(HERE, page)):
            path = os.path.join(work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            if not name.endswith(".h"):
                yield f"{page}, {name}", lang, path


def main():
    root, bad, n, kinds = sys.argv[1], 0, 0, set()
    with tempfile.TemporaryDirectory() as work:
        todo = list(units(root, work))
        todo += [("tocsin_dpi.c", "c", os.path.join(HERE, "checker", "tocsin_dpi.c"))]
        for lang, compilers in COMPILERS.items():
            for cc in compilers:
                if not shutil.which(cc):
                    print(f"skipped in part: {cc} is not installed")
                    continue
                for name, _, path in [u for u in todo if u[1] == lang]:
                    p = subprocess.run([cc, STANDARD[lang], *WARN, f"-I{root}", path], text=True, check=False,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    n += 1
                    kinds.add(re.sub(r"[ ,].*", "", name))
                    if p.returncode:
                        bad += 1
                        print(f"FAILED {cc} {STANDARD[lang]} of {name}\n{p.stdout[:2000]}")
        found = sum(", sample" in u[0] for u in todo), sum(".md" in u[0] for u in todo)
    print(f"examples: {n} units ({found[0]} samples of headers, {found[1]} programs of pages), {bad} failed")
    return bad or found[0] < 6 or found[1] < 8


sys.exit(main())
