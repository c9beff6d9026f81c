# SPDX-License-Identifier: Apache-2.0
"""Where the fields of packed structs are, for C: fields(FILES and FLAGS) for mkshim.py, of the packages
among the files.

For each packed struct T of package x_pkg: X_T_W, and X_T_<FIELD>_LSB, X_T_<FIELD>_W (fields of nested structs too, as
X_T_<FIELD>_<SUB>_LSB, counted from bit 0 of T); X_E_<Name> for values of enums, X_K_<Name> for constants that are
plain numbers. What this small reader does not understand it leaves out.
"""
import os
import re


def value(text, names):
    """A constant expression as an int, or None."""
    text = re.sub(r"(\d+|\w+)?'s?([bodhBODH])([0-9a-fA-F_xXzZ]+)", lambda m: str(int(
        m.group(3).replace("_", ""), {"b": 2, "o": 8, "d": 10, "h": 16}[m.group(2).lower()])), text)
    text = re.sub(r"\w+'\(", "(", re.sub(r"\w+_pkg::", "", text)).replace("$clog2", "clog2")
    text = re.sub(r"(\d)_(?=\d)", r"\1", text)
    m = re.fullmatch(r"\s*(.+?)\s*\?\s*(.+?)\s*:\s*(.+?)\s*", text, flags=re.S)
    if m:
        test = value(m.group(1), names)
        return None if test is None else value(m.group(2 if test else 3), names)
    if not re.fullmatch(r"[\w\s+\-*/%()<>=!&|~^]+", text):
        return None
    try:
        code = text.replace("&&", " and ").replace("||", " or ").replace("/", "//")
        return int(eval(code, {"__builtins__": {}, "clog2": lambda n: max(n - 1, 0).bit_length()}, dict(names)))
    except (NameError, SyntaxError, TypeError, ZeroDivisionError, ValueError):
        return None


class Package:
    def __init__(self, path, defines):
        self.tag = re.sub(r"_pkg$", "", os.path.splitext(os.path.basename(path))[0]).upper()
        with open(path, encoding="utf-8") as f:
            text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", f.read(), flags=re.S)
        macros = dict(re.findall(r"`define\s+(\w+)[ \t]+(\S+)", text))
        macros.update(defines)
        text = re.sub(r"`(define|ifn?def)[^\n]*|`endif|`else", "", text)
        text = re.sub(r"`(\w+)", lambda m: macros.get(m.group(1), " "), text)
        self.names, self.enums, self.types = {}, {}, {}
        item = re.compile(r"localparam\s+(?:[\w:]+\s+)*(?:\[[^\]]*\]\s*)?(\w+)\s*=\s*(.*?);"
                          r"|typedef\s+enum\s+\w+\s*(\[[^\]]*\])?\s*\{(.*?)\}\s*(\w+)\s*;"
                          r"|typedef\s+struct\s+packed\s*\{(.*?)\}\s*(\w+)\s*;"
                          r"|typedef\s+logic\s*(\[[^\]]*\])?\s*(\w+)\s*;", re.S)
        for m in item.finditer(text):
            if m.group(1):
                v = value(m.group(2), self.names)
                if v is not None:
                    self.names[m.group(1)] = v
            elif m.group(5):
                self.types[m.group(5)] = (self.width(m.group(3)), [])
                self.enum(m.group(4))
            elif m.group(7):
                self.struct(m.group(6), m.group(7))
            else:
                self.types[m.group(9)] = (self.width(m.group(8)), [])

    def width(self, span):
        if not span:
            return 1
        high, low = (value(x, self.names) for x in span.strip("[]").split(":"))
        return None if high is None or low is None else high - low + 1

    def enum(self, body):
        at = 0
        for part in body.split(","):
            name, _, text = (x.strip() for x in part.partition("="))
            at = value(text, self.names) if text else at
            if name and at is not None:
                self.names[name] = self.enums[name] = at
                at += 1

    def struct(self, body, name):
        members = []
        for line in filter(str.strip, body.split(";")):
            m = re.fullmatch(r"\s*(?:(?:logic|bit)\s*(\[[^\]]*\])?|([\w:]+))\s+(\w+(?:\s*,\s*\w+)*)\s*|"
                             r"\s*logic\s*(\[[^\]]*\])(\w+)\s*", line)
            if not m:
                return
            kind = (m.group(2) or "").split("::")[-1]
            if kind and kind not in self.types:
                return
            width, inner = self.types[kind] if kind else (self.width(m.group(1)), [])
            if width is None:
                return
            members += [(n.strip(), width, inner) for n in m.group(3).split(",")]
        lsb, fields = sum(w for _, w, _ in members), []
        total = lsb
        for field, width, inner in members:
            lsb -= width
            fields.append((field.upper(), lsb, width))
            fields += [(f"{field.upper()}_{n}", lsb + at, w) for n, at, w in inner]
        self.types[name] = (total, fields)

    def lines(self):
        for name, (width, fields) in self.types.items():
            if fields:
                yield f"#define {self.tag}_{name.upper()}_W {width}U"
                for field, lsb, w in fields:
                    yield f"#define {self.tag}_{name.upper()}_{field}_LSB {lsb}U"
                    yield f"#define {self.tag}_{name.upper()}_{field}_W {w}U"
        for name, v in self.names.items():
            if 0 <= v < 1 << 64:
                letter, suffix = "E" if name in self.enums else "K", "U" if v < 1 << 32 else "ULL"
                yield f"#define {self.tag}_{letter}_{name} {v}{suffix}"


def fields(args):
    defines = dict(a[len("+define+"):].partition("=")[::2] for a in args if a.startswith("+define+"))
    out = ["// Made by mkfields.py; do not edit.", "#ifndef TOCSIN_FIELDS_H", "#define TOCSIN_FIELDS_H"]
    for path in args:
        if path.endswith("_pkg.sv") and not path.endswith("_reg_pkg.sv"):
            out += Package(path, defines).lines()
    return "\n".join(out + ["#endif", ""])
