# SPDX-License-Identifier: Apache-2.0
"""Reads what public headers say, and writes it as manual pages have it (man.py)."""
import re

HEADING = re.compile(r"^(?:/\*|//) -{2,} (.+?) -{2,}(?: \*/)?$")
SKIP = re.compile(r"^(#if|#endif|#else|#include|extern \"C\"|}$|#define TOCSIN_\w+_H$)")
FUNCTION = re.compile(r"^(?:static inline )?(?!typedef)[\w\s*]*?\b(\w+)\(.*\)$")


def no_comments(code):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", code, flags=re.S)


def comment_lines(raw):
    """The text of a comment, without what makes it one; its lines begin in column 0, or where they are indented."""
    lines = [re.sub(r"^(?:/\*| \*/?|//) ?", "", line) for line in raw]
    lines = [re.sub(r"\s*\*/$", "", line).rstrip() for line in lines]
    return [line for line in lines if "SPDX-License-Identifier" not in line]


def items(text):
    """("heading", title), ("comment", lines), ("code", lines) and ("gap", None), in the header's order."""
    lines = text.splitlines()
    while lines:
        line = lines.pop(0)
        raw = [line]
        if not line.strip() or SKIP.match(line):
            yield "gap", None
        elif HEADING.match(line):
            yield "heading", HEADING.match(line).group(1)
        elif line.startswith("/*"):
            while "*/" not in raw[-1]:
                raw.append(lines.pop(0))
            yield "comment", comment_lines(raw)
        elif line.startswith("//"):
            while lines and lines[0].startswith("//") and not HEADING.match(lines[0]):
                raw.append(lines.pop(0))
            yield "comment", comment_lines(raw)
        else:
            while not complete("\n".join(raw)):
                raw.append(lines.pop(0))
            yield "code", raw


def complete(code):
    bare = no_comments(code).rstrip()
    if code.count("/*") != code.count("*/"):
        return False
    if bare.startswith("#"):
        return not bare.endswith("\\")
    return bare.count("{") == bare.count("}") and bare.endswith((";", "}"))


def groups(text):
    """A comment (or none) and the declarations under it."""
    comment, code = None, []
    for kind, what in items(text):
        if kind == "code":
            code.append(what)
            continue
        if comment or code:
            yield "group", (comment or [], code)
        comment, code = (what, []) if kind == "comment" else (None, [])
        if kind == "heading":
            yield kind, what
    if comment or code:
        yield "group", (comment or [], code)


def prototype(code):
    """(declaration, name, remark behind it) of a function, or None."""
    text = "\n".join(code)
    remark = " ".join(re.findall(r"(?:/\*|//) *(.*?) *(?:\*/|$)", text, flags=re.M))
    text = " ".join(no_comments(text).split())
    text = text.split("{")[0].strip().rstrip(";").strip()
    text = re.sub(r"\s*(__attribute__|TOC_MUST_CHECK).*", "", text)
    found = FUNCTION.match(text)
    return (text, found.group(1), remark) if found else None


def roff(line):
    line = line.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("~", "\\(ti")
    line = line.replace("`", "\\(ga").replace("'", "\\(aq")
    return "\\&" + line if line.startswith(".") else line


def verbatim(lines):
    return [".PP", ".nf", ".RS 2"] + [roff(line) for line in lines] + [".RE", ".fi"]


def prose(lines):
    """Paragraphs; runs of indented lines stay as they are."""
    out, same = [], []
    for line in lines + [""]:
        if same and (line.startswith("  ") or not line):
            same.append(line)
            continue
        if same:
            while not same[-1]:
                same.pop()
            out += verbatim(same) + [".PP"]
            same = []
        if line.startswith("  "):
            same = [line]
        else:
            out.append(roff(line) if line else ".PP")
    if same:
        out += verbatim([line for line in same if line])
    while out and out[-1] == ".PP":
        out.pop()
    return out


def group(comment, codes):
    out, same = [], []
    for code in codes:
        p = prototype(code)
        if not p:
            same += code
            continue
        out += verbatim(same) if same else []
        same = []
        out += [".PP", ".in +4", ".ti -4", "\\fB" + roff(p[0]) + ";\\fR", ".in -4"]
        if p[2]:
            out += [".RS 4", roff(p[2]), ".RE"]
    out += verbatim(same) if same else []
    if comment:
        out += [".RS 4", *prose(comment), ".RE"] if codes else [".PP", *prose(comment)]
    return out


def summary(paragraph):
    """The first sentence, without the name that some begin with."""
    return re.sub(r"^\w+: ", "", re.split(r"(?<=[a-zA-Z)`])\. ", paragraph + " ")[0].strip().rstrip("."))
