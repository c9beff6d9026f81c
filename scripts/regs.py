#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generate every view of a register map from its one source.

    scripts/regs.py            write the files below
    scripts/regs.py --check    exit 1 when one of them is stale

    rtl/aa/aa_regs.txt -> rtl/aa/aa_reg_pkg.sv            SystemVerilog package
                          model/include/tocsin/aa_regs.h  C header
                          rtl/aa/REGISTERS.md             tables for readers
                          model/src/regs_table_aa.c       names and texts for programs (tocsin/regs_table.h)
    rtl/nic/nic_regs.txt  likewise
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAPS = {"aa": "the Active Access IOMMU", "nic": "the NIC and XTQ"}
FIRST = {"aa": "VT-d page", "nic": "Global"}
ACCESS = {"ro", "rw", "wo", "w1c", "w1s", "rwd"}


def source(area):
    return f"rtl/{area}/{area}_regs.txt"


class Bad(Exception):
    """An error in the source, with its line number."""


def number(text, where):
    if text == "-":
        return None
    try:
        return int(text, 0)
    except ValueError:
        raise Bad(f"{where}: not a number: {text}") from None


def parse(path):
    """The list of registers; each a dict, fields inside."""
    regs, chapter = [], ""
    for n, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.name}:{n}"
        if line.startswith("# ----"):
            chapter = line.strip("#- ").strip()
            continue
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        word = line.split(None, 5)
        if word[0] == "reg":
            if len(word) != 6:
                raise Bad(f"{where}: reg NAME offset width access reset text")
            m = re.fullmatch(r"([A-Z][A-Z0-9_]*)(?:\[(\d+)\])?", word[1])
            off, _, stride = word[2].partition("+")
            if not m or bool(m[2]) != bool(stride):
                raise Bad(f"{where}: an array is NAME[n] offset+stride")
            # the reset column and the text share what is left after five words
            reset, _, text = word[5].partition(" ")
            reg = dict(name=m[1], num=int(m[2] or 0), off=number(off, where), stride=number(stride or "0", where),
                       width=number(word[3], where), access=word[4], reset=number(reset, where),
                       text=text.strip(), fields=[], counts=[], chapter=chapter, where=where)
            if reg["access"] not in ACCESS or reg["width"] not in (32, 64) or reg["off"] % (reg["width"] // 8):
                raise Bad(f"{where}: access, width or alignment")
            regs.append(reg)
        elif word[0] == "field":
            m = re.fullmatch(r"(\d+):(\d+)", word[2])
            if len(word) < 6 or not m or not regs:
                raise Bad(f"{where}: field NAME msb:lsb access reset text")
            f = dict(name=word[1], msb=int(m[1]), lsb=int(m[2]), access=word[3], reset=number(word[4], where),
                     text=word[5].strip())
            if f["access"] not in ACCESS or f["msb"] < f["lsb"] or f["msb"] >= regs[-1]["width"]:
                raise Bad(f"{where}: access or bit range")
            if f["reset"] is not None and f["reset"] >> (f["msb"] - f["lsb"] + 1):
                raise Bad(f"{where}: reset value does not fit the field")
            regs[-1]["fields"].append(f)
        elif word[0] == "count":
            text = line.split(None, 2)
            if len(text) != 3 or not re.fullmatch(r"[A-Z][A-Z0-9_]*", text[1]) or not regs or not regs[-1]["num"]:
                raise Bad(f"{where}: count NAME text, below an array")
            what, _, more = text[2].partition("; ")
            regs[-1]["counts"].append(dict(name=text[1], text=what.strip(), more=more.strip()))
            if len(regs[-1]["counts"]) > regs[-1]["num"]:
                raise Bad(f"{where}: more counters than {regs[-1]['name']} has places")
        else:
            raise Bad(f"{where}: neither reg nor field nor count")
    check(regs)
    return regs


def check(regs):
    """No overlap of bits or addresses; fill in the reset values that are the sum of the fields."""
    taken = {}
    for r in regs:
        used = 0
        for f in r["fields"]:
            mask = mask_of(f)
            if used & mask:
                raise Bad(f"{r['where']}: fields of {r['name']} overlap at {f['name']}")
            used |= mask
        if r["fields"] and all(f["reset"] is not None for f in r["fields"]):
            total = sum(f["reset"] << f["lsb"] for f in r["fields"])
            if r["reset"] is None:
                r["reset"] = total
            elif r["reset"] != total:
                raise Bad(f"{r['where']}: reset of {r['name']} is not that of its fields ({total:#x})")
        for i in range(max(r["num"], 1)):
            for byte in range(r["off"] + i * r["stride"], r["off"] + i * r["stride"] + r["width"] // 8):
                if byte in taken:
                    raise Bad(f"{r['where']}: {r['name']} overlaps {taken[byte]}")
                taken[byte] = r["name"]


def count_macro(area, r, k):
    """AA_CNT_X, NIC_CNT_X: a register whose name begins with that of the map is not prefixed twice."""
    up = area.upper() + "_"
    return (r["name"] if r["name"].startswith(up) else up + r["name"]) + "_" + k["name"]


def mask_of(f):
    return ((1 << (f["msb"] - f["lsb"] + 1)) - 1) << f["lsb"]


def sv(area, regs):
    out = ["// SPDX-License-Identifier: Apache-2.0",
           f"// Generated by scripts/regs.py from {source(area)}; do not edit. Register offsets, field positions, reset values.",
           "// RegX byte offset; RegXStride, RegXNum for an array; X_F_Lsb, X_F_W of field F; ResetX where it is fixed;",
           "// CntX: which counter.",
           "`default_nettype none", f"package {area}_reg_pkg;"]
    for r in regs:
        n = r["name"]
        out.append("")
        out.append(f"  localparam logic [19:0] Reg{n} = 20'h{r['off']:05X};  // {r['text']}")
        if r["num"]:
            out.append(f"  localparam logic [19:0] Reg{n}Stride = 20'h{r['stride']:05X};")
            out.append(f"  localparam int unsigned Reg{n}Num = {r['num']};")
        if r["reset"] is not None:
            out.append(f"  localparam logic [{r['width'] - 1}:0] Reset{n} = "
                       f"{r['width']}'h{r['reset']:0{r['width'] // 4}X};")
        for f in r["fields"]:
            out.append(f"  localparam int unsigned {n}_{f['name']}_Lsb = {f['lsb']};")
            out.append(f"  localparam int unsigned {n}_{f['name']}_W = {f['msb'] - f['lsb'] + 1};")
        for i, k in enumerate(r["counts"]):
            camel = "".join(w.capitalize() for w in k["name"].split("_"))
            out.append(f"  localparam int unsigned Cnt{camel} = {i};")
    out += ["", "endpackage", "`default_nettype wire"]
    return out


def c(area, regs):
    up = area.upper()
    out = ["// SPDX-License-Identifier: Apache-2.0",
           f"// Generated by scripts/regs.py from {source(area)}; do not edit.",
           f"// Registers of {MAPS[area]}. {up}_REG_<REG> is a byte offset from the start of the register space;",
           f"// an array has _STRIDE and _NUM. A field has _LSB and _MASK (in place). {up}_RESET_<REG>: where it is fixed.",
           "// A counter has its index.",
           f"#ifndef TOCSIN_{up}_REGS_H", f"#define TOCSIN_{up}_REGS_H"]

    def define(name, value, text=""):
        out.append(f"#define {name} {value}" + (f"  // {text}" if text else ""))

    for r in regs:
        n, suffix = r["name"], "ULL" if r["width"] == 64 else "U"
        out.append("")
        define(f"{up}_REG_{n}", f"0x{r['off']:05X}U", r["text"])
        if r["num"]:
            define(f"{up}_REG_{n}_STRIDE", f"{r['stride']}U")
            define(f"{up}_REG_{n}_NUM", f"{r['num']}U")
        if r["reset"] is not None:
            define(f"{up}_RESET_{n}", f"0x{r['reset']:0{r['width'] // 4}X}{suffix}")
        for f in r["fields"]:
            define(f"{up}_{n}_{f['name']}_LSB", f["lsb"], f["text"])
            define(f"{up}_{n}_{f['name']}_MASK", f"0x{mask_of(f):0{r['width'] // 4}X}{suffix}")
        for i, k in enumerate(r["counts"]):
            define(count_macro(area, r, k), i, k["text"])
    out += ["", "#endif"]
    return out


def md(area, regs):
    out = ["<!-- SPDX-License-Identifier: Apache-2.0 -->", f"# Registers of {MAPS[area]}", "",
           f"Generated by `scripts/regs.py` from `{area}_regs.txt`; edit that file. Access: ro, rw, wo, w1c write one to clear,",
           "w1s write one to start (hardware clears), rwd writable while the log or queue pair is off. Bits not named read 0.", ""]
    chapter = None
    for r in regs:
        if r["chapter"] != chapter:
            chapter = r["chapter"]
            out += [f"## {chapter[:1].upper() + chapter[1:] or FIRST[area]}", ""]
        name = r["name"] + (f"[0..{r['num'] - 1}]" if r["num"] else "")
        off = f"0x{r['off']:05X}" + (f" + {r['stride']} n" if r["num"] else "")
        reset = "of the instance" if r["reset"] is None else f"0x{r['reset']:X}"
        out += [f"### {name}", "", f"{off}, {r['width']} bits, {r['access']}, reset {reset}: {r['text']}", ""]
        if r["fields"]:
            out += ["| bits | field | access | reset | meaning |", "|---|---|---|---|---|"]
            for f in r["fields"]:
                bits = str(f["lsb"]) if f["msb"] == f["lsb"] else f"{f['msb']}:{f['lsb']}"
                reset = "-" if f["reset"] is None else f"0x{f['reset']:X}" if f["reset"] > 9 else f["reset"]
                out.append(f"| {bits} | {f['name']} | {f['access']} | {reset} | {f['text']} |")
            out.append("")
        if r["counts"]:
            out += ["| index | counter | counts |", "|---|---|---|"]
            for i, k in enumerate(r["counts"]):
                out.append(f"| {i} | {k['name']} | {k['text']}{'; ' + k['more'] if k['more'] else ''} |")
            out.append("")
    return out[:-1] if out[-1] == "" else out


def table(area, regs):
    def text(s):
        return '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'

    out = ["// SPDX-License-Identifier: Apache-2.0",
           f"// Generated by scripts/regs.py from {source(area)}; do not edit. Registers of {MAPS[area]} for programs that show them.",
           "// clang-format off", '#include "tocsin/regs_table.h"', ""]
    for r in regs:
        if r["fields"]:
            out.append(f"static const tocsin_field {r['name'].lower()}_fields[] = {{")
            out += [f"    {{{text(f['name'])}, {f['msb']}, {f['lsb']}, {text(f['text'])}}}," for f in r["fields"]]
            out += ["};"]
        if r["counts"]:
            out.append(f"static const char *const {r['name'].lower()}_counts[] = {{")
            out += [f"    {text(k['text'])}," for k in r["counts"]]
            out += ["};"]
    out += ["", "static const tocsin_reg regs[] = {"]
    for r in regs:
        n = r["name"]
        fields = f"{n.lower()}_fields, {len(r['fields'])}" if r["fields"] else "NULL, 0"
        out.append(f"    {{{text(n)}, {r['off']:#07x}, {r['stride']}, {r['num']}, {r['width']}, {text(r['access'])}, {text(r['text'])},")
        counts = f"{n.lower()}_counts, {len(r['counts'])}" if r["counts"] else "NULL, 0"
        out.append(f"     {fields}, {counts}}},")
    return out + ["};", "", f"const tocsin_reg_map tocsin_{area}_reg_map = {{regs, {len(regs)}}};"]


VIEWS = {"rtl/{}/{}_reg_pkg.sv": sv, "model/include/tocsin/{1}_regs.h": c, "rtl/{}/REGISTERS.md": md,
         "model/src/regs_table_{}.c": table}


def main(argv):
    if argv not in ([], ["--check"]):
        print(__doc__)
        return 2
    stale = 0
    for area in MAPS:
        try:
            regs = parse(ROOT / source(area))
        except Bad as e:
            print(f"regs.py: {e}", file=sys.stderr)
            return 1
        for form, view in VIEWS.items():
            name = form.format(area, area)
            path, text = ROOT / name, "\n".join(view(area, regs)) + "\n"
            if argv:
                if not path.exists() or path.read_text() != text:
                    print(f"regs.py: {name} is stale: run scripts/regs.py", file=sys.stderr)
                    stale = 1
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
