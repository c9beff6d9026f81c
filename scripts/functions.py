# SPDX-License-Identifier: Apache-2.0
"""Functions of C and C++ and their lengths; one of more than LIMIT lines is cut by meaning, or stands in functions.except:
`FILE FUNCTION LINES REASON`. An exception is of a length: the function may become shorter, and no longer.
"""
import os
import re

LIMIT = 80
EXCEPT = "scripts/functions.except"
BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
# The end of a function's head: parentheses without an assignment in them, and what may stand behind these.
NAME = re.compile(r"([\w~]+)\s*\((?:[^=]|[=!<>]=)*\)[\w\s:<>&*-]*$")
AROUND = re.compile(r"\b(extern|namespace|class|struct|union)\b[^()=]*$")


def bare(text):
    """The text without comments, strings and directives, each character in its place."""
    return BLANK.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def functions(text):
    """[(line, name, lines)]. A body belongs to a function if its head ends with parentheses; what stands around functions (extern,
    namespace, a class) is looked into, anything else in braces is not."""
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


def excepted(text):
    """{(file, function): lines}, and what is wrong with the list."""
    out, bad = {}, ""
    for n, line in enumerate(text.split("\n"), 1):
        words = line.split(None, 3)
        if not words or line.startswith("#"):
            continue
        if len(words) < 4 or not words[2].isdigit() or int(words[2]) <= LIMIT:
            bad += f"{EXCEPT}:{n}: not `FILE FUNCTION LINES REASON`, LINES above {LIMIT}\n"
        else:
            out[words[0], words[1]] = int(words[2])
    return out, bad


def check(root, paths, exceptions=None):
    """What is too long, and exceptions of what is not."""
    if exceptions is None:
        with open(os.path.join(root, EXCEPT), encoding="utf-8") as f:
            exceptions = f.read()
    may, bad = excepted(exceptions)
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8") as f:
            for line, name, lines in functions(f.read()):
                most = may.pop((path, name), LIMIT) if lines > LIMIT else LIMIT
                if lines > most:
                    bad += f"{path}:{line}: {name} has {lines} lines; the limit is {most}: cut it by meaning\n"
    return bad + "".join(f"{EXCEPT}: {path}: {name} is no longer so long: drop its exception\n" for path, name in may)
