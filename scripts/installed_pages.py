#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""installed_pages.py PREFIX: makes the links of the pages that `make install` has put below PREFIX/share/doc/tocsin
lead to what is installed. Pages have them by the names of the tree. A hardware file is in share/tocsin/rtl, a header in
include/tocsin; what is not installed (sources, tests) stays as words, with the name that it has in the sources.
"""
import os
import re
import sys

LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\(([^()\s#:]+)(#[^()\s]*)?\)")
FENCE = re.compile(r"^(```.*?^```)", re.S | re.M)


def elsewhere(prefix, path):
    """Where a file of the tree is below PREFIX, if it is."""
    share = "share/tocsin/rtl" if path.startswith("rtl/") else "share/tocsin"
    found = os.path.join(prefix, share, os.path.basename(path))
    if "/include/" in path:
        found = os.path.join(prefix, "include", path.partition("/include/")[2])
    return found if os.path.isfile(found) else None


def mended(prefix, docs, page, text):
    folder = os.path.dirname(page)

    def one(m):
        words, target, place = m.group(1), m.group(2), m.group(3) or ""
        there = os.path.normpath(os.path.join(folder, target))
        if os.path.exists(there):
            return m.group(0)
        path = os.path.relpath(there, docs)
        found = elsewhere(prefix, path)
        if found:
            return f"[{words}]({os.path.relpath(found, folder)}{place})"
        return words if os.path.basename(path) in words else f"{words} ({path})"

    parts = FENCE.split(text)
    return "".join(p if p.startswith("```") else LINK.sub(one, p) for p in parts)


def main():
    prefix = sys.argv[1]
    docs = os.path.join(prefix, "share/doc/tocsin")
    for folder, _, names in os.walk(docs):
        for name in names:
            page = os.path.join(folder, name)
            if not name.endswith(".md"):
                continue
            with open(page, encoding="utf-8") as f:
                was = f.read()
            text = mended(prefix, docs, page, was)
            if text != was:
                with open(page, "w", encoding="utf-8") as f:
                    f.write(text)


if __name__ == "__main__":
    main()
