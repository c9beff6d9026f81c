#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generate every view of a register map from its one source, in SystemRDL.

    scripts/regs.py            write the files below
    scripts/regs.py --check    exit 1 when one of them is stale

    rtl/aa/aa_regs.rdl -> rtl/aa/aa_reg_pkg.sv            SystemVerilog package
                          model/include/tocsin/aa_regs.h  C header
                          rtl/aa/REGISTERS.md             tables for readers
                          model/src/regs_table_aa.c       names and texts for programs (tocsin/regs_table.h)
    rtl/nic/nic_regs.rdl  likewise
"""
import re
import sys
from pathlib import Path

from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.node import RegfileNode, RegNode
from systemrdl.rdltypes import AccessType, OnWriteType

ROOT = Path(__file__).resolve().parent.parent
MAPS = {"aa": "the Active Access IOMMU", "nic": "the NIC and XTQ"}
FIRST = {"aa": "VT-d page", "nic": "Global"}


def source(area):
    return f"rtl/{area}/{area}_regs.rdl"


class Bad(Exception):
    """An error in the source."""


def access_of(field):
    """The word of rtl/cm/access.rdl that the field was written with."""
    if field.get_property("while_off"):
        return "rwd"
    write = {OnWriteType.woclr: "w1c", OnWriteType.woset: "w1s"}.get(field.get_property("onwrite"))
    return write or {AccessType.r: "ro", AccessType.rw: "rw", AccessType.w: "wo"}[field.get_property("sw")]


def access_of_reg(reg, fields):
    """What most can be said of the whole: what can be set anywhere makes it so; what is only cleared
    or started does not."""
    if reg.get_property("acts"):
        return "rw"
    kinds = {access_of(f) for f in fields}
    return next((k for k in ("rw", "rwd", "wo", "w1s") if k in kinds), "ro")


def text_of(node):
    return " ".join(node.get_property("desc", default="").split())


def counts_of(reg):
    out = []
    for line in reg.get_property("counts", default=[]):
        name, _, text = line.partition(": ")
        what, _, more = text.partition("; ")
        if not re.fullmatch(r"[A-Z][A-Z0-9_]*", name) or not what:
            raise Bad(f"{reg.get_path()}: counts: not \"NAME: text\": {line}")
        out.append(dict(name=name, text=what, more=more))
    return out


def registers(node, chapter=""):
    """(register, its file if that is an array, its chapter), in the order of addresses."""
    for child in node.children(unroll=False):
        if isinstance(child, (RegNode, RegfileNode)):
            chapter = child.get_property("chapter", default=chapter)
        if isinstance(child, RegNode):
            yield child, None, chapter
        elif isinstance(child, RegfileNode):
            for reg, inner, _ in registers(child):
                if inner or reg.is_array or not child.is_array:
                    raise Bad(f"{child.get_path()}: a file is an array of plain registers")
                yield reg, child, chapter


def parse(path):
    """The list of registers; each a dict, fields inside. What SystemRDL asks for (no overlap, resets that fit)
    its compiler looks at."""
    compiler = RDLCompiler()
    compiler.compile_file(str(path))
    regs = []
    for reg, file, chapter in registers(compiler.elaborate().top):
        array = file or reg
        fields = sorted(reg.fields(), key=lambda f: f.inst.inst_src_ref.line)  # as written
        whole = [f.inst_name for f in fields] == ["VALUE"]
        resets = [f.get_property("reset") for f in fields]
        r = dict(name=reg.inst_name, num=array.array_dimensions[0] if array.is_array else 0,
                 off=(file.raw_address_offset if file else 0) + reg.raw_address_offset,
                 stride=array.array_stride if array.is_array else 0,
                 width=reg.get_property("regwidth"), access=access_of_reg(reg, fields), text=text_of(reg),
                 chapter=chapter, counts=counts_of(reg),
                 reset=None if None in resets else sum(v << f.low for v, f in zip(resets, fields)),
                 fields=[] if whole
                 else [dict(name=f.inst_name, msb=f.high, lsb=f.low, access=access_of(f), reset=v, text=text_of(f))
                                          for v, f in zip(resets, fields)])
        if len(r["counts"]) > r["num"]:
            raise Bad(f"{reg.get_path()}: more counters than places")
        regs.append(r)
    return regs


def count_macro(area, r, k):
    """AA_CNT_X, NIC_CNT_X: a register whose name begins with that of the map is not prefixed twice."""
    up = area.upper() + "_"
    return (r["name"] if r["name"].startswith(up) else up + r["name"]) + "_" + k["name"]


def mask_of(f):
    return ((1 << (f["msb"] - f["lsb"] + 1)) - 1) << f["lsb"]


def sv_struct(r):
    """The register as a packed struct: fields by name, what is between them by its highest bit."""
    out, top = ["  typedef struct packed {"], r["width"] - 1

    def member(msb, lsb, name):
        span = f"[{msb - lsb}:0]" if msb > lsb else ""
        out.append(f"    logic {span:<7}{name};" if span else f"    logic {name};")

    for f in sorted(r["fields"], key=lambda f: -f["lsb"]):
        if f["msb"] < top:
            member(top, f["msb"] + 1, f"rsv{top}")
        member(f["msb"], f["lsb"], f["name"])
        top = f["lsb"] - 1
    if top >= 0:
        member(top, 0, f"rsv{top}")
    return out + [f"  }} {r['name'].lower()}_t;"]


def sv_decode(r):
    """Functions of an address on the register bus (a word of 8 bytes): is it of the register,
    and of which in an array."""
    n, at = r["name"], r["off"] >> 3
    num = 1 << (r["num"] - 1).bit_length() if r["num"] else 1  # an array is decoded to a power of 2
    span = (num - 1) * r["stride"] >> 3
    if not span:
        expr, begin = f"a == 17'h{at:05X}", []
    elif r["stride"] & (r["stride"] - 1) or r["stride"] < 8:
        raise Bad(f"{n}: the stride of an array has to be a power of 2, at least 8")
    elif at & span:  # not at a multiple of its size: how many strides beyond its first
        low = r["stride"].bit_length() - 1
        begin = [f"    logic [19:{low}] d;", f"    d = a[19:{low}] - {20 - low}'h{r['off'] >> low:X};"]
        expr = f"d[19:{low + num.bit_length() - 1}] == '0"
        if low > 3:
            expr += f" && a[{low - 1}:3] == {low - 3}'h{at & (1 << low - 3) - 1:X}"
    else:
        expr, begin = f"(a & 17'h{0x1FFFF & ~span:05X}) == 17'h{at:05X}", []
    out = [f"  function automatic logic at_{n}(input logic [19:3] a);", *begin, f"    at_{n} = {expr};",
           "  endfunction"]
    if span:
        low = r["stride"].bit_length() - 1
        high = low + num.bit_length() - 2
        out += [f"  function automatic logic [{high - low}:0] idx_{n}(input logic [19:3] a);", *begin,
                f"    idx_{n} = {'d' if begin else 'a'}[{high}:{low}];", "  endfunction"]
    return out


def sv(area, regs):
    out = ["// SPDX-License-Identifier: Apache-2.0",
           f"// Generated by scripts/regs.py from {source(area)}; do not edit. Register offsets, field "
           "positions, reset values.",
           "// RegX byte offset; RegXStride, RegXNum for an array; X_F_Lsb, X_F_W of field F; "
           "ResetX where it is fixed;",
           "// x_t the register as a packed struct of its fields; at_X(address) whether a word of the register "
           "bus is of it, idx_X which",
           "// in an array (up to a power of 2; whoever has fewer looks at idx_X); CntX: which counter.",
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
        if r["fields"]:
            out += sv_struct(r)
        out += sv_decode(r)
    out += ["", "endpackage", "`default_nettype wire"]
    return out


def c(area, regs):
    up = area.upper()
    out = ["// SPDX-License-Identifier: Apache-2.0",
           f"// Generated by scripts/regs.py from {source(area)}; do not edit.",
           f"// Registers of {MAPS[area]}. {up}_REG_<REG> is a byte offset from the start of the register space;",
           f"// an array has _STRIDE and _NUM. A field has _LSB and _MASK (in place). {up}_RESET_<REG>: "
           "where it is fixed.",
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
           f"Generated by `scripts/regs.py` from `{area}_regs.rdl`; edit that file. Access: ro, rw, wo, "
           "w1c write one to clear,",
           "w1s write one to start (hardware clears), rwd writable while the log or queue pair is off. "
           "Bits not named read 0.", ""]
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
           f"// Generated by scripts/regs.py from {source(area)}; do not edit. Registers of {MAPS[area]} for "
           "programs that show them.",
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
        out.append(f"    {{{text(n)}, {r['off']:#07x}, {r['stride']}, {r['num']}, {r['width']}, {text(r['access'])}, "
                   f"{text(r['text'])},")
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
        except (Bad, RDLCompileError) as e:
            print(f"regs.py: {source(area)}: {e}", file=sys.stderr)
            return 1
        for form, view in VIEWS.items():
            name = form.format(area, area)
            path, text = ROOT / name, "\n".join(view(area, regs)) + "\n"
            if argv:
                if not path.exists() or path.read_text() != text:
                    print(f"regs.py: {name} is stale: run `make registers`", file=sys.stderr)
                    stale = 1
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
