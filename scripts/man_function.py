# SPDX-License-Identifier: Apache-2.0
"""One manual page a function: what man.py writes beside the page of a header. All of it comes from the headers: the
comment of the declaration, the types in it, and of a status what each error means.

Comments of the driver name errors without their prefix (E_FULL), pages in full. What every function may say, by the
header's own words (STATUS in tocsin.h), stands in EVERYWHERE.
"""
import os
import re

from man_roff import groups, prose, prototype, roff, summary, verbatim

STATUS = re.compile(r"typedef enum (\w+_status) \{(.*?)\n\} \1;", re.S)
EVERYWHERE = {("tocsin-driver", "toc_status"): [
    ("TOC_E_ARG", "an argument is wrong, or NULL where nothing allows it; nothing has happened"),
    ("TOC_E_DEAD", "the device or backend does not answer; only where the device is asked")]}
# The functions of this package name all their errors; what a failure says, by package.
NAMED = "tocsin-irregular"
WHY = {"tocsin-driver": "Results that go through pointers are zero (NULL) then; toc_why(3) has a sentence about it.",
       "tocsin-irregular": "irr_why(3) has a sentence about an error."}


class Header:
    """Where a public header is installed, the name of its page, and the pkg-config package that it belongs to."""

    def __init__(self, path):
        self.include = path[path.index("tocsin/", path.index("include/")):]
        self.folder = os.path.dirname(path)
        self.page = self.include.split("/", 1)[1].replace("/", "_")
        self.package = ("tocsin-irregular" if "/irregular/" in path else "tocsin-driver" if path.startswith("sw/")
                        else "tocsin")

    def top(self, name, about):
        """How a page of something in it begins."""
        return ['.\\" SPDX-License-Identifier: Apache-2.0', f'.TH {name} 3 "" Tocsin Tocsin', ".ad l",
                ".nh", ".SH NAME",
                f"{name} \\- {roff(about)}", ".SH SYNOPSIS", f"\\fB#include <{self.include}>\\fR", ".PP",
                f"cc ... $(pkg\\-config \\-\\-cflags \\-\\-libs {roff(self.package)})"]


class Types:
    """What all headers (Header: text) declare: the errors of each status type, and the declaration
    of every other type."""

    def __init__(self, headers):
        self.status, self.declared = {}, {}
        for text in headers.values():
            for name, body in STATUS.findall(text):
                code = re.findall(r"\b(\w+_(?:E_\w+|OK|BUSY))\b[^,/]*,?\s*(?:/\*\s*(.*?)\s*\*/|// *(.*))?", body)
                self.status[name] = {k: v or w for k, v, w in code if not k.endswith("_E_COUNT")}
            for kind, what in groups(text):
                for code in what[1] if kind == "group" else []:
                    found = re.match(r"typedef (?:struct|enum) \w* ?\{.*\} (\w+);$", "\n".join(code), re.S)
                    if found and found.group(1) not in self.status:
                        self.declared[found.group(1)] = (what[0], code)


def full_names(text):
    """The text of a header of the driver, with E_FULL as TOC_E_FULL."""
    return re.sub(r"(?<![A-Z_])E_(?=[A-Z])", "TOC_E_", text)


def returned(declaration, name):
    """The type that a function returns."""
    before = declaration[:declaration.index(name + "(")]
    return " ".join(w for w in before.replace("*", " * ").split()
                    if w not in ("static", "inline", "const", "struct")).replace(" *", "*")


def return_value(kind, remark, types, package):
    if kind in types.status:
        ok = next(n for n in types.status[kind] if n.endswith("_OK"))
        out = [f"\\fB{ok}\\fR (0), or one of the errors below."]
        return out + ([WHY[package]] if kind == "toc_status" else [])
    if kind == "void":
        return ["None."]
    if remark:
        return [roff(remark[0].upper() + remark[1:].rstrip(".") + ".")]
    of = "NULL" if kind.endswith("*") else {"bool": "false", "int": "-1"}.get(kind, "0")
    said = roff(kind.replace("*", " *")) + ", as described."
    return [said] + ([f"For an argument that makes no sense it is {of}."] if package == "tocsin-driver" else [])


def errors(kind, text, types, package):
    """[(name, meaning)]: what the comment names, in its own words if it has some; then what every function
    of its kind may say."""
    known = {n: t for n, t in types.status[kind].items() if not n.endswith("_OK")}
    named = [n for n in known if re.search(rf"\b{n}\b", text)]
    said = {n: re.search(rf"\b{n}: ([^.;]+)[.;]", text) for n in named}
    # Of the models' few, any.
    everywhere = EVERYWHERE.get((package, kind), [] if package == NAMED else list(known.items()))
    return ([(n, said[n].group(1) if said[n] else known[n]) for n in named]
            + [e for e in everywhere if e[0] not in named])


def described(header, name, section, comment, remark):
    """DESCRIPTION: what stands above the function or behind it, then what its section says of all of its functions."""
    heading, about = section
    out = [".SH DESCRIPTION"] + (prose(comment) if comment else [])
    if remark:
        out += [".PP", roff(f"{name}: {remark[0].lower() + remark[1:]}")]
    if not comment and not remark:
        out += [roff(f"The page of {header.page}(3) says how it goes with the others.")]
    return out + ([".SS " + roff(heading[0].upper() + heading[1:]), *prose(about)] if about else [])


def function_page(header, section, comment, codes, at, types, siblings):
    declaration, name, remark = prototype(codes[at])
    kind = returned(declaration, name)
    package = header.package
    about = summary(" ".join(comment[:comment.index("")] if "" in comment else comment)) if comment else ""
    beside = [prototype(c) for i, c in enumerate(codes) if i != at]
    out = header.top(name, about or remark or f"{section[0]}, {header.page}")
    for p in [prototype(codes[at])] + [p for p in beside if p]:
        out += [".PP", ".in +4", ".ti -4", "\\fB" + roff(p[0]) + ";\\fR", ".in -4"]
    out += described(header, name, section, comment, remark)
    used = [t for t in types.declared if re.search(rf"\b{t}\b", declaration)]
    for t in used:
        said, code = types.declared[t]
        out += [".SS " + t] + (prose(said) if said and said != comment else []) + verbatim(code)
    out += [".SH RETURN VALUE", *return_value(kind, remark if not comment else "", types, package)]
    if kind in types.status:
        out += [".SH ERRORS"]
        for n, text in errors(kind, " ".join(comment + [remark]), types, package):
            out += [".TP", f"\\fB{n}\\fR", roff(text[0].upper() + text[1:].rstrip(".") + ".")]
    also = [f"\\fB{header.page}\\fR(3)"] + [f"\\fB{s}\\fR(3)" for s in siblings if s != name]
    return "\n".join(out + [".SH SEE ALSO", ",\n".join(also)]) + "\n"


def functions(text):
    """((heading, what stands under it before any declaration), comment, codes, which of them, name) of all
    functions of a header."""
    found, heading, about, first = [], "Overview", [], False
    for kind, what in groups(text):
        if kind == "heading":
            heading, about, first = what, [], True
            continue
        if first and not what[1]:
            about = what[0]
        first = False
        found += [((heading, about), what[0], what[1], i, prototype(code)[1])
                  for i, code in enumerate(what[1]) if prototype(code)]
    return found


def function_pages(header, text, types):
    """{name.3: page} of all functions of a header."""
    found = functions(text)
    pages = {}
    for section, comment, codes, i, name in found:
        siblings = [f[4] for f in found if f[0] == section][:12]
        pages[f"{name}.3"] = function_page(header, section, comment, codes, i, types, siblings)
    return pages
