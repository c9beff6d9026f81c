# SPDX-License-Identifier: Apache-2.0
"""One manual page a function: what man.py writes beside the page of a header. All of it comes from the headers: the comment of the
declaration, the types in it, and of a status what each error means.

Comments of the driver name errors without their prefix (E_FULL), pages in full. What every function may say, by the
header's own words (STATUS in tocsin.h), stands in EVERYWHERE.
"""
import re

from man_roff import groups, prose, prototype, roff, summary, verbatim

STATUS = re.compile(r"typedef enum (\w+_status) \{(.*?)\n\} \1;", re.S)
EVERYWHERE = {"toc_status": [("TOC_E_ARG", "an argument is wrong, or NULL where nothing allows it; nothing has happened"),
                             ("TOC_E_DEAD", "the device or backend does not answer; only where the device is asked")]}


class Types:
    """What all headers declare: the errors of each status type, and the declaration of every other type."""

    def __init__(self, headers):
        self.status, self.declared = {}, {}
        for header, text in headers.items():
            for name, body in STATUS.findall(text):
                code = re.findall(r"\b(\w+_(?:E_\w+|OK))\b[^,/]*,?\s*(?:/\*\s*(.*?)\s*\*/|// *(.*))?", body)
                self.status[name] = {k: v or w for k, v, w in code if not k.endswith("_E_COUNT")}
            for kind, what in groups(text):
                for code in what[1] if kind == "group" else []:
                    found = re.match(r"typedef (?:struct|enum) \w* ?\{.*\} (\w+);$", "\n".join(code), re.S)
                    if found and found.group(1) not in self.status:
                        self.declared[found.group(1)] = (header, what[0], code)


def full_names(text):
    """The text of a header of the driver, with E_FULL as TOC_E_FULL."""
    return re.sub(r"(?<![A-Z_])E_(?=[A-Z])", "TOC_E_", text)


def returned(declaration, name):
    """The type that a function returns."""
    before = declaration[:declaration.index(name + "(")]
    return " ".join(w for w in before.replace("*", " * ").split() if w not in ("static", "inline", "const", "struct")).replace(" *", "*")


def return_value(kind, remark, types, everywhere):
    if kind in types.status:
        ok = next(n for n in types.status[kind] if n.endswith("_OK"))
        out = [f"\\fB{ok}\\fR (0), or one of the errors below."]
        return out + (["Results that go through pointers are zero (NULL) then; toc_why(3) has a sentence about it."]
                      if kind == "toc_status" else [])
    if kind == "void":
        return ["None."]
    if remark:
        return [roff(remark[0].upper() + remark[1:].rstrip(".") + ".")]
    of = "NULL" if kind.endswith("*") else {"bool": "false", "int": "-1"}.get(kind, "0")
    said = roff(kind.replace("*", " *")) + ", as described."
    return [said] + ([f"For an argument that makes no sense it is {of}."] if everywhere else [])


def errors(kind, text, types):
    """[(name, meaning)]: what the comment names, in its own words if it has some; then what every function of its kind may say."""
    known = {n: t for n, t in types.status[kind].items() if not n.endswith("_OK")}
    named = [n for n in known if re.search(rf"\b{n}\b", text)]
    said = {n: re.search(rf"\b{n}: ([^.;]+)[.;]", text) for n in named}
    everywhere = EVERYWHERE.get(kind, list(known.items()))  # of the models' few, any
    return [(n, said[n].group(1) if said[n] else known[n]) for n in named] + [e for e in everywhere if e[0] not in named]


def function_page(header, package, heading, comment, codes, at, types, siblings):
    declaration, name, remark = prototype(codes[at])
    kind = returned(declaration, name)
    own = package == "tocsin-driver"
    about = summary(" ".join(comment[:comment.index("")] if "" in comment else comment)) if comment else remark or f"{heading}, {header}"
    beside = [prototype(c) for i, c in enumerate(codes) if i != at]
    out = ['.\\" SPDX-License-Identifier: Apache-2.0', f'.TH {name} 3 "" Tocsin Tocsin', ".ad l", ".nh", ".SH NAME",
           f"{name} \\- {roff(about)}", ".SH SYNOPSIS", f"\\fB#include <tocsin/{header}>\\fR", ".PP",
           f"cc ... $(pkg\\-config \\-\\-cflags \\-\\-libs {package})"]
    for p in [prototype(codes[at])] + [p for p in beside if p]:
        out += [".PP", ".in +4", ".ti -4", "\\fB" + roff(p[0]) + ";\\fR", ".in -4"]
    out += [".SH DESCRIPTION"] + (prose(comment) if comment else [])
    if remark:
        out += [".PP", roff(f"{name}: {remark[0].lower() + remark[1:]}")]
    if not comment and not remark:
        out += [roff(f"The page of {header}(3) says how it goes with the others.")]
    used = [t for t in types.declared if re.search(rf"\b{t}\b", declaration)]
    for t in used:
        where, said, code = types.declared[t]
        out += [".SS " + t] + (prose(said) if said and said != comment else []) + verbatim(code)
    out += [".SH RETURN VALUE", *return_value(kind, remark if not comment else "", types, own)]
    if kind in types.status:
        out += [".SH ERRORS"]
        for n, text in errors(kind, " ".join(comment + [remark]), types):
            out += [".TP", f"\\fB{n}\\fR", roff(text[0].upper() + text[1:].rstrip(".") + ".")]
    also = [f"\\fB{header}\\fR(3)"] + [f"\\fB{s}\\fR(3)" for s in siblings if s != name]
    return "\n".join(out + [".SH SEE ALSO", ",\n".join(also)]) + "\n"


def function_pages(header, package, text, types):
    """{name.3: page} of all functions of a header."""
    found, heading = [], "Overview"
    for kind, what in groups(text):
        if kind == "heading":
            heading = what
        else:
            found += [(heading, what[0], what[1], i, prototype(code)[1]) for i, code in enumerate(what[1]) if prototype(code)]
    pages = {}
    for heading, comment, codes, i, name in found:
        siblings = [f[4] for f in found if f[0] == heading][:12]
        pages[f"{name}.3"] = function_page(header, package, heading, comment, codes, i, types, siblings)
    return pages
