# SPDX-License-Identifier: Apache-2.0
"""Circles of files: which file of a folder needs which other, by the functions that it calls or names, and by the data
of others that it looks at.
Files that need each other in a ring can only be understood together; a ring of more than LIMIT files is broken
by moving what is common to all below them, and what calls all above.
"""
import glob
import os
import re

import functions

LIMIT = 3
# A folder of C, and where the headers are that declare its functions.
FOLDERS = {
    "model/src": ("model/include/tocsin",),
    "sw/lib": ("sw/include/tocsin",),
    "verif/cosim": (),
    "verif/cosim_aa": (),
    "verif/cosim_nic": (),
    "verif/cosim_tocsin": (),
}
# Members of structures are not functions, whatever they are called; nor is what a file itself declares
# with a type before it.
WORD = re.compile(r"(?<![\w.])(?<!->)([A-Za-z_]\w*)(\s*\()?")
DECLARED = re.compile(r"\b(?!(?:return|case|goto|else|sizeof)\b)[A-Za-z_]\w*(?:\s+\*?|\s*\*+\s*)"
                      r"([A-Za-z_]\w*)\s*(?=[=;,)\[])")
TYPE = re.compile(r"\}\s*([A-Za-z_]\w*)\s*;")
# Data that a header declares, and a file defines: at the beginning of a line, where functions begin as well.
EXTERN = re.compile(r"^extern\s([^;{(]*);", re.M)
NAMES = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^]]*\]\s*)?(?:,|$)")
DATA = re.compile(r"^(?!static\b|extern\b|typedef\b|return\b)[A-Za-z_][\w\s*]*?"
                  r"([A-Za-z_]\w*)\s*(?:\[[^]]*\])?\s*=", re.M)


def uses(text):
    """The names that are called, or given as values."""
    found = [m.groups() for m in WORD.finditer(text)]
    return ({name for name, call in found if call}
            | {name for name, _ in found} - set(DECLARED.findall(text))) - set(TYPE.findall(text))


def bodies(text):
    """{function: its text}, and of these the functions that other files cannot name."""
    lines, bare, own = text.split("\n"), functions.bare(text).split("\n"), set()
    out = {}
    for first, name, count in functions.functions(text):
        out[name] = "\n".join(bare[first - 1:first - 1 + count])
        if re.match(r"\s*static\b", lines[first - 1]) or name == "main":
            own.add(name)
    return out, own


def needs(files, headers):
    """{file: {another: names}} of {name: text}; headers: texts that declare functions, besides the headers among
    the files. A header is needed for the functions that it defines; one that only declares belongs to nobody."""
    declared = set().union(*(WORD.findall(functions.bare(t))
                             for t in list(headers) + [t for f, t in files.items() if f.endswith(".h")]))
    declared = {name for name, call in declared if call}
    data = {name for t in [*headers, *files.values()] for names in EXTERN.findall(functions.bare(t))
            for name in NAMES.findall(names)}
    made, has = {}, {}
    for f, text in files.items():
        has[f], own = bodies(text)
        if not f.endswith(".h"):
            made.update({name: f for name in set(DATA.findall(functions.bare(text))) & data})
        for name in has[f]:
            if f.endswith(".h") or (name not in own and name in declared):
                made[name] = f
    out = {f: {} for f in files}
    for f, text in files.items():
        text = "\n".join(has[f].values()) if f.endswith(".h") else functions.bare(text)
        for name in (uses(text) - set(has[f])) & set(made):
            out[f].setdefault(made[name], set()).add(name)
    return out


def circles(graph):
    """Sets of files each of which needs, in one or more steps, each other of its set."""
    reach = {}
    for f in graph:
        seen, todo = set(), [f]
        while todo:
            for g in graph[todo.pop()]:
                if g not in seen:
                    seen.add(g)
                    todo.append(g)
        reach[f] = seen
    return {frozenset({f} | {g for g in reach[f] if f in reach[g]}) for f in graph if f in reach[f]}


def complain(folder, graph, ring):
    out = (f"{folder}: a circle of {len(ring)} files; at most {LIMIT}: "
           "put what they share below them, and what calls all above\n")
    for f in sorted(ring):
        for g in sorted(set(graph[f]) & ring):
            out += f"  {f} needs {g}: {' '.join(sorted(graph[f][g]))}\n"
    return out


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def check(root):
    bad = ""
    for folder, include in FOLDERS.items():
        files = {os.path.basename(p): read(p)
                 for p in sorted(glob.glob(os.path.join(root, folder, "**", "*.[ch]"), recursive=True))}
        graph = needs(files, [read(p) for d in include for p in sorted(glob.glob(os.path.join(root, d, "*.h")))])
        bad += "".join(complain(folder, graph, ring) for ring in sorted(circles(graph), key=sorted)
                       if len(ring) > LIMIT)
    return bad
