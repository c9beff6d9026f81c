# SPDX-License-Identifier: Apache-2.0
"""Part selects of a struct's member whose range does not end at 0: Yosys 0.23 takes other bits, and says nothing. (What
comes of it: a write that was translated to the addresses of interrupts passed, in the netlist alone.)"""
import re

STRUCT = re.compile(r"struct\s+packed\s*\{([^}]*)\}\s*(\w+)\s*;")
FIELD = re.compile(r"(?:\w+::)?(\w+)\s*(?:\[([^\]]*)\])?\s*(\w+)\s*;")
NAMES = re.compile(r"\b(\w+_t)\s+(\w+(?:\s*,\s*\w+)*)")
PART = re.compile(r"\b(\w+)((?:\.\w+)+)\[")


def bare(text):
    return re.sub(r"//[^\n]*", "", text)


def structs(texts):
    """{type: {member: (its type, where its range ends, or None)}}"""
    found = {}
    for text in texts:
        for body, name in STRUCT.findall(bare(text)):
            found[name] = {m: (t, r.rpartition(":")[2].strip() if ":" in r else None)
                           for t, r, m in FIELD.findall(body)}
    return found


def parts(text, types, around=""):
    """(line, what is wrong) of each. around: what else declares names."""
    text, bad = bare(text), []
    of = {v.strip(): t for t, names in NAMES.findall(bare(around) + text) if t in types for v in names.split(",")}
    for m in PART.finditer(text):
        kind, low = of.get(m[1]), None
        for member in m[2].split(".")[1:]:
            kind, low = types.get(kind, {}).get(member, (None, None))
        if low not in (None, "0"):
            bad.append((text.count("\n", 0, m.start()) + 1, f"{m[1]}{m[2]}[...]: its range ends at {low}, and Yosys "
                        "takes other bits; give the member a name of its own first"))
    return bad
