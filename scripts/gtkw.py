#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gtkw.py BLOCK [WAVE.fst [CYCLE]]: writes a GTKWave save file beside the wave, and a file of commands for Surfer,
and says how to open them. They open at the first event, or with a marker on the cycle that is given.
gtkw.py --run BLOCK WAVE.fst COMMAND...: runs what makes the wave, writes the files with a marker on the cycle that
failed, if one did, and ends as the command does.

Bit ranges in a save file must be those of the wave, so it is made anew for each wave, from the hierarchy that the wave
itself holds; no parameter set has a file that does not fit. What is shown, in which groups:
    verif/waves/BLOCK.txt if there is one: `-Group`, then one path a line under the block's instance, `*` for any part
    of a name; a struct brings all of its fields;
    else the block's ports, grouped by the comments of its port list, and its registers (*_q).
Codes (enums of the RTL, AXI responses) are shown by name (gtkw_codes.py).
Without WAVE: the newest build/sim/BLOCK/*-waves/wave.fst. A path that the wave lacks is an error.

gtkw.py --check: every path of every verif/waves/*.txt exists in the RTL, every block's ports are found; needs no wave.
"""
import fnmatch
import glob
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fst  # noqa: E402
import gtkw_codes  # noqa: E402
import rtl  # noqa: E402

ROOT = rtl.ROOT
CYCLE = 10  # of the wave's time
BEFORE = 4  # cycles that are shown before the one that counts
ZOOM = "-5.643856"  # 200 dots for 50 units of time: 40 dots for a cycle, so that values can be read
SURFER_WINDOW = 64 * CYCLE  # at most

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


def place(block, signals):
    """[(path under the block, signal)]: the instance is the deepest nesting of scopes called like the
    block, else the root."""
    names = [s.path.split(".") for s in signals]
    depth = max((n.index(block) + (n[n.index(block) + 1:n.index(block) + 2] == [block]) + 1
                 for n in names if block in n[:-1]),
                default=0)
    return [(".".join(n[depth:]), s) for n, s in zip(names, signals) if len(n) > depth
            and (not depth or n[depth - 1] == block)]


def shown(block, inside):
    """[(title, [(path, signal)])], and what the wave lacks."""
    groups = template(block)
    if groups is None:
        regs = [k for k, _ in inside if re.fullmatch(r"(?!f_)\w+_q", k.split(".")[0])]
        groups = ports(block) + [("Registers", list(dict.fromkeys(k.split(".")[0] for k in regs)))]
    out, missing, used = [], [], set()
    for title, wanted in groups:
        out.append((title, []))
        for want in wanted:
            pattern = want.replace("[", "(")
            hits = [(k, s) for k, s in inside
                    if fnmatch.fnmatchcase(k.replace("[", "("), pattern)
                    or fnmatch.fnmatchcase(k.replace("[", "("), pattern + ".*")]
            if not hits:
                missing.append(want)
            out[-1][1].extend(h for h in hits if h[1].path not in used)
            used.update(h[1].path for h in hits)
    return out, missing


def first_event(wave, groups):
    """When the first `valid` of the first group that has one is 1 after the reset, else when anything of one
    bit rises; 0: never."""
    reset = {s.handle for _, found in groups for _, s in found if s.path.endswith("rst_ni")}
    valid = [{s.handle for _, s in found if re.search("valid", s.path)} for _, found in groups]
    other = [{s.handle for _, s in found if s.bits == 1 and not re.search("clk|rst|ready", s.path)}
             for _, found in groups]
    up = {h: [] for h in reset.union(*valid, *other)}
    for time, handle, value in wave.changes(list(up)):
        if value:
            up[handle].append(time)
    begin = max((up[h][0] for h in reset if up[h]), default=0)
    for handles in valid + other:
        times = [t for h in handles for t in up[h] if t > begin]
        if times:
            return min(times)
    return 0


def one_bit(s):
    """A vector of one bit is called name[0] by both viewers, whatever the file says; "" for everything else."""
    return re.sub(r"^\[(\d+):\1\]$", r"[\1]", s.range) if s.bits == 1 else ""


def gtkwave(path, wave, groups, at, marker, codes):
    lines = [f'[dumpfile] "{os.path.abspath(wave)}"', f"[timestart] {max(0, at - BEFORE * CYCLE)}", "[size] 1800 1000",
             "[pos] -1 -1", f"*{ZOOM} {at if marker else -1}" + " -1" * 26, "[sst_width] 20", "[signals_width] 330",
             "[sst_expanded] 0"]
    for title, found in groups:
        lines += ["@200", "-" + title]
        for name, s in found:
            rng = one_bit(s) or s.range
            if name in codes:
                # binary; by the names that the wave itself has for its enums, else by the file
                lines += ["@100002028", "^1 " + os.path.abspath(codes[name])]
            else:
                lines += ["@28" if s.bits == 1 else "@22"]
            alias = name.replace(".", "/")  # of a path with dots only the last part would be shown
            lines += [f"+{{{alias}}} {s.path}{rng}" if "." in name else s.path + rng]
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


def surfer(path, wave, groups, at, end):
    """A file of commands: the format of Surfer's states changes with its releases, that of its commands does not.
    A divider's name is one word. Zooming keeps the middle of the window, and a cursor outside is brought into it,
    so the cursor comes last."""
    lines = ["load_file " + os.path.abspath(wave)]
    for title, found in groups:
        lines += (["divider_add " + re.sub(r"\W+", "_", title).strip("_")]
                  + ["variable_add " + s.path + one_bit(s) for _, s in found])
    lines += ["zoom_in"] * max(0, math.ceil(math.log2(max(end, 1) / SURFER_WINDOW))) + [f"cursor_set {at}"]
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


def write(block, wave, cycle=None):
    """The save files of a wave; `cycle`: the one that failed."""
    try:
        data = fst.Fst(wave)
    except fst.Bad as e:
        raise SystemExit(f"gtkw.py: {wave}: {e}") from None
    groups, missing = shown(block, place(block, data.signals))
    marked = cycle is not None and cycle * CYCLE <= data.end  # a wave may end before the run
    at = cycle * CYCLE if marked else first_event(data, groups)
    base = os.path.splitext(wave)[0]
    codes = gtkw_codes.files(block, [(k, s.bits) for _, found in groups for k, s in found], base + "-codes")
    gtkwave(base + ".gtkw", wave, groups, at, marked, codes)
    surfer(base + ".sucl", wave, groups, at, data.end)
    if missing:
        raise SystemExit(f"gtkw.py: {wave} has no " + ", ".join(missing))
    here = os.getcwd()
    print(f"  open: gtkwave {os.path.relpath(base + '.gtkw', here)}   (or surfer --command-file "
          f"{os.path.relpath(base + '.sucl', here)})")


def run(block, wave, command):
    """Runs what makes the wave, and marks the cycle of its first failure."""
    cycle = None
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="replace") as p:
        for line in p.stdout:
            print(line, end="", flush=True)
            failed = re.match(r"FAIL\b.* cycle (\d+)|cycle\s+(\d+)$", line)
            if failed and cycle is None:
                cycle = int(failed.group(1) or failed.group(2))
    code = p.returncode
    if os.path.exists(wave):
        write(block, wave, cycle if code else None)
    return code


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
                        module = gtkw_codes.instance(module, part)
                    if not module:
                        break
                pattern = re.escape(parts[0]).replace(r"\*", r"\w*")
                count += 1
                if not module or not re.search(r"\b" + pattern + r"\b", rtl.text(rtl.index()[module])):
                    print(f"verif/waves/{block}.txt: {title}: no {path}")
                    bad += 1
    print(f"waves: {count} names looked for, {bad} problems")
    return bad != 0


def main(args):
    if args == ["--check"]:
        return check()
    if args[:1] == ["--run"] and len(args) > 3:
        return run(args[1], args[2], args[3:])
    if args in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if len(args) not in (1, 2, 3) or args[0].startswith("-"):
        raise SystemExit(__doc__)
    found = args[1:2] or sorted(glob.glob(os.path.join(ROOT, "build", "sim", args[0], "*-waves", "wave.fst")),
                                key=os.path.getmtime)
    if not found:
        raise SystemExit(f"gtkw.py: no wave of {args[0]}: make sim BLOCK={args[0]} WAVES=1")
    write(args[0], found[-1], int(args[2]) if len(args) > 2 else None)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
