# SPDX-License-Identifier: Apache-2.0
"""Makes of a netlist (Yosys: write_json) what two of them have to have in common to be the same to a user.

Large memories are taken out. What one is told becomes an output, and what it says an input: two blocks that tell theirs
the same for as long as theirs say the same are the same with any memory that begins the same. What a write carries
counts where it writes. What a stream shows counts where it is valid. Out of reset all of this counts, as theorems do,
which assume nothing of the neighbours before; a memory is told something in reset as well."""
import json
import re

AXI = "addr|len|size|burst|lock|cache|prot|qos|region|user|id|data|strb|last|resp"
LARGE = 4096  # bits; a smaller one stays, with all that is known of its contents


def number(value):
    return int(value, 2) if isinstance(value, str) else value


def cell(kind, **ports):
    """One of Yosys' own cells, without signs."""
    widths = {f"{p}_WIDTH": len(bits) for p, bits in ports.items()}
    signs = {f"{p}_SIGNED": 0 for p in ports if p != "Y"}
    ways = dict.fromkeys(ports, "input") | {"Y": "output"}
    return {"type": kind, "parameters": widths | signs, "attributes": {}, "port_directions": ways, "connections": ports}


def told(memory, wire):
    """{name: bits} of all that a memory is told, and the cells that make them. wire(n): n new wires."""
    par, pins = memory["parameters"], memory["connections"]
    width, abits = number(par["WIDTH"]), number(par["ABITS"])
    out, cells = {"raddr": pins["RD_ADDR"], "ren": pins["RD_EN"], "wen": pins["WR_EN"]}, []
    if pins["WR_EN"]:
        out["wdata"] = wire(len(pins["WR_EN"]))
        cells.append(cell("$and", A=pins["WR_DATA"], B=pins["WR_EN"], Y=out["wdata"]))
    for k in range(number(par["WR_PORTS"])):
        any_bit, addr = wire(1), wire(abits)
        cells.append(cell("$reduce_or", A=pins["WR_EN"][k * width:(k + 1) * width], Y=any_bit))
        cells.append(cell("$and", A=pins["WR_ADDR"][k * abits:(k + 1) * abits], B=any_bit * abits, Y=addr))
        out[f"waddr{k}"] = addr
    return out, cells


def wires(module):
    """What gives n new wires."""
    used = [*module["netnames"].values(), *module["ports"].values()]
    last = max((b for net in used for b in net["bits"] if isinstance(b, int)), default=1)

    def wire(n):
        nonlocal last
        last += n
        return list(range(last - n + 1, last + 1))
    return wire


def without(module):
    """Changes the module; the names and shapes of the memories that are gone."""
    gone, wire = [], wires(module)
    for name, memory in sorted(module["cells"].items()):
        par = memory["parameters"]
        if memory["type"] != "$mem_v2" or number(par["SIZE"]) * number(par["WIDTH"]) <= LARGE:
            continue
        assert not number(par["RD_CLK_ENABLE"]), name
        outs, cells = told(memory, wire)
        at = f"mem{len(gone)}"
        module["ports"][f"{at}_said"] = {"direction": "input", "bits": memory["connections"]["RD_DATA"]}
        for word, bits in outs.items():
            if bits:
                module["ports"][f"{at}_{word}"] = {"direction": "output", "bits": bits}
        module["cells"].update((f"{at}_cell{k}", c) for k, c in enumerate(cells))
        del module["cells"][name]
        gone.append((name, *(par[p] for p in ("SIZE", "WIDTH", "OFFSET", "INIT"))))
    return gone


def quiet(module):
    """Changes the module: what its streams show is 0 where it is not valid. <name>_o and <name>_data_o stand beside
    <name>_valid_o; channels of AXI have their own names."""
    ports, wire = module["ports"], wires(module)
    for valid in [n for n, p in ports.items() if p["direction"] == "output" and len(p["bits"]) == 1]:
        m = re.fullmatch(r"(\w+)_valid_o|(\w+_(?:aw|ar|w|r|b))valid(_o)?", valid)
        if not m:
            continue
        shown = rf"{m[1]}(_data)?_o" if m[1] else rf"{m[2]}({AXI}){m[3] or ''}"
        for name in [n for n, p in ports.items() if re.fullmatch(shown, n) and p["direction"] == "output"]:
            mask(module, wire, name, ports[valid]["bits"])


def mask(module, wire, name, by):
    """An output is 0 where `by`, a bit, is."""
    port = module["ports"][name]
    bits, port["bits"] = port["bits"], wire(len(port["bits"]))
    at = f"mask{len(module['cells'])}"
    module["cells"][at] = cell("$and", A=bits, B=by * len(bits), Y=port["bits"])
    module["netnames"].pop(name, None)  # it names what was shown


def awake(module):
    """Changes the module: outputs are 0 in reset."""
    ports, wire = module["ports"], wires(module)
    reset = ports.get("rst_ni")
    for name in [n for n, p in ports.items() if reset and p["direction"] == "output"]:
        mask(module, wire, name, reset["bits"])


def cut(*paths):
    """The same netlists, one a file, quiet and without large memories; False if they do not have the same ones."""
    found = []
    for path in paths:
        with open(path, encoding="utf-8") as f:
            design = json.load(f)
        (module,) = design["modules"].values()
        quiet(module)
        awake(module)
        found.append((without(module), sorted((n, len(p["bits"])) for n, p in module["ports"].items())))
        with open(path, "w", encoding="utf-8") as f:
            json.dump(design, f)
    return all(one == found[0] for one in found)
