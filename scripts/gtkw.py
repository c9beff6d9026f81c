#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gtkw.py BLOCK [WAVE.fst]: writes a GTKWave save file beside the wave, and says how to open it.

Bit ranges in a save file must be those of the wave, so it is made anew for each wave, from the hierarchy that the wave
itself holds; no parameter set has a file that does not fit. What is shown, in which groups:
    verif/waves/BLOCK.txt if there is one: `-Group`, then one path a line under the block's instance, `*` for any part of a
    name; a struct brings all of its fields;
    else the block's ports, grouped by the comments of its port list, and its registers (*_q).
Without WAVE: the newest build/sim/BLOCK/*-waves/wave.fst. A path that the wave lacks is an error.

gtkw.py --check: every path of every verif/waves/*.txt exists in the RTL, every block's ports are found; needs no wave.
"""
import fnmatch
import glob
import os
import re
import struct
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rtl  # noqa: E402

ROOT = rtl.ROOT


def lz4(src, size):
    """One LZ4 block."""
    out, p = bytearray(), 0
    while p < len(src):
        token = src[p]
        p += 1
        n = token >> 4
        if n == 15:
            while src[p] == 255:
                n, p = n + 255, p + 1
            n, p = n + src[p], p + 1
        out += src[p:p + n]
        p += n
        if p >= len(src):
            break
        back = src[p] | src[p + 1] << 8
        p += 2
        n = (token & 15) + 4
        if token & 15 == 15:
            while src[p] == 255:
                n, p = n + 255, p + 1
            n, p = n + src[p], p + 1
        for _ in range(n):
            out.append(out[-back])
    if len(out) != size:
        raise SystemExit("gtkw.py: the wave's hierarchy does not unpack")
    return bytes(out)


def hierarchy(path):
    """Bytes of the hierarchy block of an FST file (libfst's block types 4, 6 and 7; 254 is a gzipped file)."""
    with open(path, "rb") as f:
        data = f.read()
    p = 0
    while p + 9 <= len(data):
        kind, length = data[p], struct.unpack(">Q", data[p + 1:p + 9])[0]
        body = data[p + 9:p + 1 + length]
        if kind == 254:
            raise SystemExit(f"gtkw.py: {path}: packed FST files are not read")
        if kind in (4, 6, 7) and length > 16:
            size, body = struct.unpack(">Q", body[:8])[0], body[8:]
            if kind == 4:
                return zlib.decompress(body, 47)
            if kind == 7:
                middle = struct.unpack(">Q", body[:8])[0]
                body = lz4(body[8:], middle)
            return lz4(body, size)
        if length < 8:
            break
        p += 1 + length
    raise SystemExit(f"gtkw.py: {path} has no hierarchy: was the run cut off?")


def signals(path):
    """[(path without range, range or '', bits)] in the wave's order, parameters left out."""
    h, p, scope, out = hierarchy(path), 0, [], []

    def text():
        nonlocal p
        end = h.index(0, p)
        s, p = h[p:end].decode("latin-1"), end + 1
        return s

    def number():
        nonlocal p
        v = shift = 0
        while True:
            b = h[p]
            p += 1
            v |= (b & 127) << shift
            shift += 7
            if b < 128:
                return v

    while p < len(h):
        tag = h[p]
        p += 1
        if tag == 254:  # scope: type, name, component
            p += 1
            scope.append(text())
            text()
        elif tag == 255:
            scope.pop()
        elif tag == 252:  # attribute: type, subtype, name, value
            p += 2
            text()
            number()
        elif tag != 253:  # a variable: direction, name, bits, alias
            p += 1
            name, _, rng = text().partition(" ")
            bits = number()
            number()
            if tag not in (4, 5):
                out.append((".".join(scope + [name]), rng, bits))
    return out


def ports(block):
    """[(group, [names])] of a module's port list, by its comments."""
    src = rtl.text(rtl.index()[block])
    at = re.search(r"^module\s+\w+", src, re.M).end()
    first = re.search(r"^\s*(input|output)\b|^\) \($", src[at:], re.M)
    last = src.index("\n);", at)
    groups = [("Ports", [])]
    for line in src[at + first.start():last].split("\n"):
        comment = re.match(r"\s*// (.*)", line)
        port = re.match(r"\s*(?:input|output)\b[^/]*?(\w+),?\s*(?://.*)?$", line)
        if comment:
            groups.append((comment.group(1).rstrip("."), []))
        elif port:
            groups[-1][1].append(port.group(1))
    return [g for g in groups if g[1]]


def template(block):
    path = os.path.join(ROOT, "verif", "waves", block + ".txt")
    if not os.path.exists(path):
        return None
    groups = []
    with open(path, encoding="utf-8") as f:
        for line in map(str.strip, f):
            if line.startswith("-"):
                groups.append((line[1:], []))
            elif line and not line.startswith("#"):
                groups[-1][1].append(line)
    return groups


def write(block, wave):
    have = signals(wave)
    tops = [n.split(".") for n, _, _ in have]
    # the instance: the deepest nesting of scopes called like the block, else what the harness shows at the root
    depth = max((n.index(block) + (n[n.index(block) + 1:n.index(block) + 2] == [block]) + 1 for n in tops if block in n[:-1]),
                default=0)
    inside = [(".".join(n[depth:]), h) for n, h in zip(tops, have) if len(n) > depth and (not depth or n[depth - 1] == block)]
    groups = template(block)
    if groups is None:
        regs = [k for k, _ in inside if re.fullmatch(r"(?!f_)\w+_q", k.split(".")[0])]
        groups = ports(block) + [("Registers", list(dict.fromkeys(k.split(".")[0] for k in regs)))]
    lines = [f'[dumpfile] "{os.path.abspath(wave)}"', "[timestart] 0", "[size] 1500 900", "[pos] -1 -1",
             "[sst_width] 220", "[signals_width] 260", "[sst_expanded] 1"]
    missing, used = [], set()
    for title, wanted in groups:
        lines += ["@200", "-" + title]
        for want in wanted:
            hits = [h for k, h in inside if fnmatch.fnmatchcase(k.replace("[", "("), want.replace("[", "(")) or
                    fnmatch.fnmatchcase(k.replace("[", "("), want.replace("[", "(") + ".*")]
            if not hits:
                missing.append(want)
            for name, rng, bits in hits:
                if name not in used:
                    used.add(name)
                    lines += ["@28" if bits == 1 else "@22", name + rng]
    out = os.path.splitext(wave)[0] + ".gtkw"
    with open(out, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    if missing:
        raise SystemExit(f"gtkw.py: {wave} has no " + ", ".join(missing))
    print(f"  open: gtkwave {os.path.relpath(out, os.getcwd())}")


def instance(module, name):
    """The module of an instance, as the source of its parent says."""
    src = re.sub(r"//[^\n]*", "", rtl.text(rtl.index()[module]))
    for m in re.finditer(r"\b(\w+)\s*(#\s*\((?:[^;]*?)\)\s*)?" + re.escape(name) + r"\s*\(", src):
        if m.group(1) in rtl.index():
            return m.group(1)
    return None


def check():
    bad = count = 0
    for block in rtl.modules():
        for _, wanted in ports(block):
            count += len(wanted)
        if not ports(block):
            print(f"gtkw.py: no ports found in {block}")
            bad += 1
        for title, wanted in template(block) or []:
            for path in wanted:
                module, parts = block, path.split(".")
                while len(parts) > 1 and (parts[0].startswith(("u_", "gen_"))):
                    part = parts.pop(0)
                    if part.startswith("gen_"):
                        ok = re.search(r"\b" + part.split("[")[0] + r"\b", rtl.text(rtl.index()[module]))
                        module = module if ok else None
                    else:
                        module = instance(module, part)
                    if not module:
                        break
                pattern = re.escape(parts[0]).replace(r"\*", r"\w*")
                count += 1
                if not module or not re.search(r"\b" + pattern + r"\b", rtl.text(rtl.index()[module])):
                    print(f"verif/waves/{block}.txt: {title}: no {path}")
                    bad += 1
    print(f"waves: {count} names looked for, {bad} problems")
    return bad != 0


if __name__ == "__main__":
    args = sys.argv[1:]
    if args == ["--check"]:
        sys.exit(check())
    if len(args) not in (1, 2) or args[0].startswith("-"):
        raise SystemExit(__doc__)
    found = args[1:] or sorted(glob.glob(os.path.join(ROOT, "build", "sim", args[0], "*-waves", "wave.fst")),
                               key=os.path.getmtime)
    if not found:
        raise SystemExit(f"gtkw.py: no wave of {args[0]}: make sim BLOCK={args[0]} WAVES=1")
    write(args[0], found[-1])
