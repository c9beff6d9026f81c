# SPDX-License-Identifier: Apache-2.0
"""Functions of C and C++ and their lengths; one of more than LIMIT lines is cut by meaning."""
import os
import re

LIMIT = 80
BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
                   re.S | re.M)
# The end of a function's head: parentheses without an assignment in them, and what may stand behind these.
NAME = re.compile(r"([\w~]+)\s*\((?:[^=]|[=!<>]=)*\)[\w\s:<>&*-]*$")
AROUND = re.compile(r"\b(extern|namespace|class|struct|union)\b[^()=]*$")


def bare(text):
    """The text without comments, strings and directives, each character in its place."""
    return BLANK.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def functions(text):
    """[(line, name, lines)]. A body belongs to a function if its head ends with parentheses; what stands around
    functions (extern, namespace, a class) is looked into, anything else in braces is not."""
    out, kinds, head = [], [], 0
    text = bare(text)
    for m in re.finditer(r"[{};]", text):
        if m.group() == "{" and any(kinds):
            kinds.append((0, ""))
        elif m.group() == "{":
            words = text[head:m.start()]
            name = NAME.search(words)
            around = None if name else AROUND.search(words)
            kinds.append(None if around else (head + len(words) - len(words.lstrip()), name.group(1) if name else ""))
        elif m.group() == "}" and kinds:
            begun = kinds.pop()
            if begun and begun[1]:
                first = text.count("\n", 0, begun[0]) + 1
                out.append((first, begun[1], text.count("\n", 0, m.start()) + 2 - first))
        if not any(kinds):
            head = m.end()
    return out


def check(root, paths):
    """What is too long."""
    bad = ""
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8") as f:
            for line, name, lines in functions(f.read()):
                if lines > LIMIT:
                    bad += f"{path}:{line}: {name} has {lines} lines; the limit is {LIMIT}: cut it by meaning\n"
    return bad
