#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""exports.py write|check MAP ARCHIVE HEADER...: the version script of a shared library, which says what it exports:
what ARCHIVE defines and a HEADER declares, nothing else.

write adds what is new to the node of the version in tocsin/version.h: a name stays for ever in the node of the version
that brought it. check fails for names that are missing, and for names that are gone, which older programs may still
want: that takes a new soname.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NODE = re.compile(r"^([\w.]+) \{\n(.*?)^\}( [\w.]+)?;\n", re.M | re.S)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def version():
    text = read(os.path.join(ROOT, "model/include/tocsin/version.h"))
    return [re.search(rf"#define TOC_VERSION_{part} (\d+)", text).group(1) for part in ("MAJOR", "MINOR")]


def defined(archive):
    out = subprocess.run(["nm", "-g", "--defined-only", archive], check=True, stdout=subprocess.PIPE, text=True).stdout
    return set(re.findall(r"^[0-9a-f]+ [TDRB] (\w+)$", out, re.M))


def declared(headers):
    """Functions, and objects that are `extern`; not the types of functions."""
    text = "\n".join(re.sub(r"/\*.*?\*/|//[^\n]*", "", read(h), flags=re.S) for h in headers)
    text = re.sub(r"^typedef [^;{]*;", "", text, flags=re.M)
    return set(re.findall(r"\b(\w+)\s*\(", text)) | set(re.findall(r"^extern .*?\b(\w+)(?:\[.*\])?;", text, re.M))


def nodes(path):
    """[(name, exported, name of the node before it)], oldest first."""
    if not os.path.exists(path):
        return []
    return [(m.group(1), re.findall(r"^    (\w+);$", m.group(2), re.M), m.group(3)) for m in NODE.finditer(read(path))]


def write(path, found, new):
    name = "_".join([os.path.basename(path)[: -len(".map")].upper().replace("-", "_"), ".".join(version())])
    if new and (not found or found[-1][0] != name):
        found.append((name, [], " " + found[-1][0] if found else None))
    if new:
        found[-1] = (found[-1][0], sorted({*found[-1][1], *new}), found[-1][2])
    out = ("# SPDX-License-Identifier: Apache-2.0\n"
           "# What the library exports, and since which version; `make exports` adds to it.\n")
    for i, (node, names, before) in enumerate(found):
        out += f"{node} {{\n  global:\n" + "".join(f"    {n};\n" for n in names)
        out += ("  local:\n    *;\n" if i == 0 else "") + "}" + (before or "") + ";\n"
    with open(path, "w", encoding="utf-8") as f:
        f.write(out)


def main():
    what, path, archive, *headers = sys.argv[1:]
    have = defined(archive) & declared(headers)
    found = nodes(path)
    said = {n for _, names, _ in found for n in names}
    if what == "write":
        write(path, found, have - said)
        return 0
    for n in sorted(have - said):
        print(f"{path}: {n} is declared by an installed header, but not exported: `make exports`")
    for n in sorted(said - have):
        print(f"{path}: {n} is exported, but no longer there: programs that want it need a library of another soname")
    print(f"{path}: {len(said)} names, {len(said ^ have)} wrong")
    return said != have


sys.exit(main())
