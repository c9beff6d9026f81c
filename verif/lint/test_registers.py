#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_registers.py DIR: what PeakRDL made of the register maps says what the C headers say.

Each register of the IP-XACT file lies where tocsin/aa_regs.h or nic_regs.h has it, arrays with their stride and number,
and its fields have the same bits; and the headers have nothing more. The pages for readers and the UVM package
name every register.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = {"aa": (0, "AA"), "nic": (0x100000, "NIC")}  # of the space of tocsin
NS = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"


def headers():
    """{(part, register): (offset, stride, number, {field: mask})}"""
    out = {}
    for part, (base, up) in PARTS.items():
        text = (ROOT / f"model/include/tocsin/{part}_regs.h").read_text()
        value = {k: int(v, 0) for k, v in re.findall(r"^#define (\w+) (0x[0-9A-F]+|\d+)(?:U|ULL)?\b", text, flags=re.M)}
        names = [m for m in re.findall(rf"^#define {up}_REG_(\w+) ", text, flags=re.M)
                 if not m.endswith(("_STRIDE", "_NUM"))]
        for n in names:
            # the macros of a register follow one another
            body = text.split(f"#define {up}_REG_{n} ", 1)[1].split("\n\n", 1)[0]
            fields = {f: int(v, 0) for f, v in re.findall(rf"^#define {up}_{n}_(\w+)_MASK (0x[0-9A-F]+)", body,
                                                          flags=re.M)}
            out[part, n] = (base + value[f"{up}_REG_{n}"], value.get(f"{up}_REG_{n}_STRIDE", 0),
                            value.get(f"{up}_REG_{n}_NUM", 0), fields)
    return out


def number(node, name, default=None):
    found = node.find(NS + name)
    if found is None:
        return default
    text = found.text.strip()
    return int(text[2:], 16) if text.startswith("'h") else int(text)


def name_of(node):
    return node.find(NS + "name").text


def walk(node, base, array, out, part):
    for file in node.findall(NS + "registerFile"):
        num, size = number(file, "dim", 0), number(file, "range")
        walk(file, base + number(file, "addressOffset"), (size, num) if num else array, out, part or name_of(file))
    for reg in node.findall(NS + "register"):
        num = number(reg, "dim", 0)
        bits = number(reg, "size") // 8
        stride, count = (bits, num) if num else array
        fields = {name_of(f): ((1 << number(f, "bitWidth")) - 1) << number(f, "bitOffset")
                  for f in reg.findall(NS + "field")}
        fields.pop("VALUE", None)
        out[part, name_of(reg)] = (base + number(reg, "addressOffset"), stride, count, fields)


def ipxact(path):
    out = {}
    for block in ET.parse(path).getroot().iter(NS + "addressBlock"):
        base = number(block, "baseAddress")
        walk(block, base, (0, 0), out, "nic" if base >= PARTS["nic"][0] else "aa")
    return out


def main(folder):
    folder = pathlib.Path(folder)
    want, got = headers(), ipxact(folder / "tocsin.xml")
    bad = [f"{part}: {reg}: header {want.get((part, reg), 'has it not')}, IP-XACT {got.get((part, reg), 'has it not')}"
           for part, reg in sorted(want.keys() | got.keys()) if want.get((part, reg)) != got.get((part, reg))]
    pages = "".join(p.read_text(errors="replace") for p in (folder / "html").rglob("*")
                    if p.suffix in (".html", ".js", ".json"))
    uvm = (folder / "tocsin.sv").read_text()
    for part, reg in want:
        bad += [f"{part}: {reg}: not in {what}" for what, text in (("the pages", pages), ("the UVM package", uvm))
                if not re.search(rf"\b\w*{reg}\b", text)]
    print("\n".join(bad) or f"registers: {len(want)} in IP-XACT, pages and UVM as in the C headers")
    return bool(bad) or not want


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
