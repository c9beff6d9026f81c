# SPDX-License-Identifier: Apache-2.0
"""Which signals of a wave are codes, and what they are called: GTKWave's translate files, from the enums of the RTL.

A signal is a code if its module declares it with an enum type (`state_e state_q;`), or with a packed struct whose field
is of one, or if it is a response of AXI.
"""
import os
import re

import rtl

AXI = {0: "OKAY", 1: "EXOKAY", 2: "SLVERR", 3: "DECERR"}
# Codes that are plain bits: their paths, and the constants or the enum of aa_pkg whose names they have.
PLAIN = [(r"\bret_note\.code$", r"localparam logic \[3:0\] (Note\w+) = 4'd(\d+);"),
         (r"\bret_(decide|cpl)\.code$", r"\b(Out\w+) = 4'd(\d+)")]


def source(module):
    return re.sub(r"//[^\n]*", "", rtl.text(rtl.index()[module]))


def instance(module, name):
    """The module of an instance, as the source of its parent says."""
    for m in re.finditer(r"\b(\w+)\s*(#\s*\((?:[^;]*?)\)\s*)?" + re.escape(name) + r"\s*\(", source(module)):
        if m.group(1) in rtl.index():
            return m.group(1)
    return None


def package(name):
    return re.sub(r"//[^\n]*", "", rtl.text(rtl.index()[name])) if name in rtl.index() else ""


def enum(text, name):
    """{value: label} of `typedef enum ... name;`"""
    found = re.search(r"typedef enum logic[^{]*\{([^}]*)\}\s*" + name + r"\s*;", text)
    out, at = {}, 0
    for item in found.group(1).split(",") if found else []:
        label, _, value = (part.strip() for part in item.partition("="))
        at = int(re.sub(r"^\d*'d", "", value)) if re.fullmatch(r"(\d+'d)?\d+", value) else at
        out[at], at = label, at + 1
    return out


def field_type(text, struct, field):
    found = re.search(r"typedef struct packed\s*\{([^}]*)\}\s*" + struct + r"\s*;", text)
    kind = re.search(r"(?:\w+::)?(\w+)\s+" + field + r"\s*;", found.group(1)) if found else None
    return kind.group(1) if kind else ""


def codes_of(block, path):
    """{value: label} of a path under a block, or {}."""
    module, parts = block, path.split(".")
    while len(parts) > 1 and parts[0].startswith(("u_", "gen_")):
        part = parts.pop(0)
        module = module if part.startswith("gen_") else instance(module, part)
        if not module:
            return {}
    if re.search(r"_axi\w*_[br]resp", parts[-1]):
        return AXI
    for where, names in PLAIN:
        if re.search(where, path) and block.startswith(("aa_", "tocsin")):
            return {int(value): label for label, value in re.findall(names, package("aa_pkg"))}
    text = source(module)
    declared = re.search(r"(?:\b(\w+)::)?\b(\w+_[te])\s+(?:\w+\s*,\s*)*" + re.escape(parts[0]) + r"\b", text)
    if not declared:
        return {}
    kind = declared.group(2)
    where = package(declared.group(1)) if declared.group(1) else text
    for field in parts[1:]:
        kind = field_type(where, kind, field)
    return enum(where, kind) if kind.endswith("_e") else {}


def files(block, names, folder):
    """Writes translate files, from binary, for those of [(path, bits)] that are codes; {path: file}."""
    out, made = {}, {}
    for path, bits in names:
        codes = codes_of(block, path)
        if not codes or bits > 8 or max(codes) >> bits:
            continue
        text = "".join(f"{value:0{bits}b} {label}\n" for value, label in sorted(codes.items()))
        if text not in made:
            os.makedirs(folder, exist_ok=True)
            made[text] = os.path.join(folder, f"{len(made)}.txt")
            with open(made[text], "w", encoding="utf-8") as f:
                f.write(text)
        out[path] = made[text]
    return out
