#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""params.py [--check | --stub TOP | --cases TOP]: what follows from rtl/top/params.txt.

Without an option it writes the defaults and the checks of the tops, model/src/params.h (the same for the models), the
tables of docs/integration.md, and each default that stands elsewhere, as the page says by `copy`; --check names file
and parameter of what would change, of a range that a comment says wrongly, and of a copy that the page does not know.
--stub prints a top's parameters and checks as a module of their own, and
--cases values for it: `good|bad NAME=VALUE ...`, a line each.
"""
import glob
import itertools
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE, MODEL, GUIDE = "rtl/top/params.txt", "model/src/params.h", "docs/integration.md"
NODE = "model/src/tocsin_model.c"
FILES = {"aa_iommu": "rtl/aa/aa_iommu.sv", "xtq_nic": "rtl/xtq/xtq_nic.sv", "tocsin": "rtl/top/tocsin.sv",
         "ax_iommu": "rtl/axi/ax_iommu.sv", "px_host": "rtl/pcie/px_host.sv"}
# How a default stands in a file of its kind: what is before the name, the name, what is between, the value.
DEFAULT = {
    ".sv": r"^(  parameter (?:int unsigned|bit|logic \[\d:0\]) +|`define TOCSIN_)(\w+)( = | )([\w']+)",
    ".c": r"^(#define CFG_|  (?:hw|cfg)(?:->|\.)(?:\w+\.)?|.*_PARAMS_DEFAULT, \.)(\w+)( = | )(\d+)(?!\w)",
    ".py": r'(")([A-Z]\w+)(": )(\d+)',
    ".mk": r"(?<!\S)()(\w+)(=)(\d+)(?!\S)"}
SPELT = {"DATA_W": "DataW"}


class Param:
    def __init__(self, name, flags, default, kind, low, high, text):
        self.name, self.flags, self.kind, self.text = name, flags, kind, text
        self.default, self.low, self.high = default, low, high

    def span(self):
        if self.kind == "bits":
            return f"{self.high.bit_length()} bits"
        kind = {"range": "", "pow2": "a power of two, ", "pow2-or-0": "0 or a power of two, "}[self.kind]
        return f"{kind}{self.low} to {self.high}"

    def shown(self):
        return f"{self.default:0{self.high.bit_length()}b}" if self.kind == "bits" else str(self.default)

    def must(self):
        return f"{self.name} must be {self.span()}"

    def wrong(self, v):
        """An expression that is true when v is refused."""
        terms = [f"{v} < {self.low}"] * (self.low > 0) + [f"{v} > {self.high}"]
        terms += [f"({v} & ({v} - 1)) != 0"] * (self.kind != "range")
        text = " || ".join(terms)
        return f"{v} != 0 && ({text})" if self.kind == "pow2-or-0" else text

    def edges(self):
        """What is refused beside the range, and the range's ends."""
        bad = [self.high * 2 if self.kind != "range" else self.high + 1]
        bad += [self.low - 1] * (self.low > 1 or self.kind != "pow2-or-0" and self.low > 0)
        bad += [6] * (self.kind != "range" and self.low < 6 < self.high)
        return bad, [self.low, self.high] + [0] * (self.kind == "pow2-or-0")


class Rule:
    def __init__(self, flags, expr, sentence):
        self.flags, self.expr, self.sentence = flags, expr, sentence

    def renamed(self, names):
        def sub(text):
            return re.sub(r"\w+", lambda m: names.get(m[0], m[0]), text)
        return Rule(self.flags, sub(self.expr), sub(self.sentence))


class Copy:
    """Defaults that stand in PATH, or in what it says of VARIABLE: a top's, but for some that differ with reason."""

    def __init__(self, where, top, differs):
        self.path, _, self.variable = where.partition(":")
        self.top, self.differs = top, {n: int(v) for n, v in differs.items()}


class Top:
    def __init__(self, name, struct, width):
        self.name, self.struct, self.params, self.rules, self.width, self.copies = name, struct, {}, [], width, []

    def default(self, name):
        return self.width if name == "DataW" else self.params[name].default if name in self.params else None

    def inherit(self, other, names):
        for p in other.params.values():
            new = names.get(p.name, p.name)
            if new and not new.isdigit():
                self.params[new] = Param(new, self.flags(p, names), p.default, p.kind, p.low, p.high, p.text)
        for r in other.rules:
            flags, r = self.flags(r, names), r.renamed(names)
            r.flags = flags
            if r.sentence not in [s.sentence for s in self.rules] and not r.expr.endswith(">= 1"):
                self.rules.append(r)

    @staticmethod
    def flags(of, names):
        return of.flags.replace("a", "" if "ActiveAccess" in names else "a")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def load():
    tops, width = {}, 0
    for n, line in enumerate(read(SOURCE).splitlines(), 1):
        words, _, text = line.rpartition(" | ") if " | " in line else (line, "", "")
        words = words.split()
        if not words or words[0] == "#":
            continue
        if words[0] == "macro":
            width = int(words[2])
        elif words[0] == "top":
            top = tops[words[1]] = Top(words[1], words[2], width)
        elif words[0] == "inherit":
            top.inherit(tops[words[1]], dict(w.split("=") for w in words[2:]))
        elif words[0] == "rule":
            top.rules.append(Rule(words[1], " ".join(words[2:]), text.strip()))
        elif words[0] == "copy":
            top.copies.append(Copy(words[1], top, dict(w.split("=") for w in words[2:])))
        elif len(words) == 6 and words[3] in ("range", "pow2", "pow2-or-0", "bits"):
            name, flags, default, kind, low, high = words
            top.params[name] = Param(name, flags, int(default, 0), kind, int(low), int(high), text.strip())
        else:
            raise SystemExit(f"{SOURCE}:{n}: what is this?")
    return tops


def declared(top):
    """Parameters of a top as its file declares them: name to type."""
    found = re.findall(r"^  parameter (int unsigned|bit|logic \[\d:0\]) +(\w+) =", read(FILES[top]), flags=re.M)
    return {name: kind for kind, name in found}


def number(text):
    return int(text.split("'b")[-1], 2 if "'b" in text else 10)


def sv_checks(top):
    """Checks, and what the blocks inside are given: defaults if anything is wrong, so that this is all that is said."""
    have, out, bad = declared(top.name), [], []
    ours = [p for p in top.params.values() if have.get(p.name) == "int unsigned"]
    names, asked = {"DataW": "cm_pkg::DataW"}, {"DataW": "cm_pkg::AskedDataW"}
    checks = [(f"Bad{p.name}", p.flags, p.wrong(p.name), p.must()) for p in ours]
    for i, r in enumerate(top.rules):
        width_alone = set(re.findall("[A-Z][A-Za-z]+", r.expr)) == {"DataW"}
        checks.append((f"BadRule{i}", r.flags, f"!({r.renamed(asked if width_alone else names).expr})", r.sentence))
    for name, flags, wrong, must in checks:
        label = re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "_", name).lower()
        bad.append(name)
        said = f"localparam bit {name} = " + (f"ActiveAccess && ({wrong})" if "a" in flags else wrong) + ";"
        said = re.sub(r"(?<!\|\|)(?<!&&) ", "\u00a0", said)  # a line ends behind one of these only
        said = textwrap.wrap(said, 120, initial_indent="  ", subsequent_indent="    ", break_long_words=False)
        said = "\n".join(said).replace("\u00a0", " ")
        out.append(f"{said}\n  if ({name}) begin : gen_{label}\n    $error(\"{top.name}: {must}\");\n  end\n")
    lines = textwrap.wrap(" || ".join(bad), 100, break_long_words=False)
    out.append("  localparam bit Bad = " + "\n    ".join(lines) + ";\n")
    out.append("  // What the blocks are given: defaults if anything is wrong.\n")
    out += [f"  localparam int unsigned Safe{p.name} = Bad ? {p.default} : {p.name};\n" for p in ours]
    return "".join(out)


def c_function(top):
    area = top.struct.split("_")[0]
    text = f"/* What is wrong with a configuration, as {top.name} says it, or NULL. */\n"
    text += f"static inline const char *{area}_params_wrong(const {top.struct} *c) {{\n"
    flag = re.compile(r"\b(%s)\b" % "|".join([*top.params, "DataW"]))
    for flags, wrong, must in ([(p.flags, p.wrong(p.name), p.must()) for p in top.params.values() if p.high > 1] +
                               [(r.flags, f"!({r.expr})", r.sentence) for r in top.rules]):
        if "h" in flags:
            continue
        wrong = flag.sub(r"c->\1", wrong)
        cond = f"c->ActiveAccess && ({wrong})" if "a" in flags else wrong
        text += f"  if ({cond}) return \"{must}\";\n"
    return text + "  return NULL;\n}\n"


def c_defaults(top):
    """The model's, from the hardware's."""
    area = top.struct.split("_")[0].upper()
    ours = [f".{p.name}~=~{p.default}" for p in top.params.values() if "h" not in p.flags]
    lines = textwrap.wrap(", ".join(ours).replace("~", "\u00a0"), 110)
    return (f"/* Parameters of {top.name} as it has them by default. */\n#define {area}_PARAMS_DEFAULT \\\n  " +
            " \\\n  ".join(lines).replace("\u00a0", " ") + "\n\n")


def c_header(tops):
    text = ("/* SPDX-License-Identifier: Apache-2.0\n"
            " * Generated by scripts/params.py from rtl/top/params.txt: change that. */\n"
            "#ifndef TOCSIN_PARAMS_H\n#define TOCSIN_PARAMS_H\n\n#include <stddef.h>\n\n#include \"tocsin/aa.h\"\n"
            "#include \"tocsin/nic.h\"\n\n")
    return text + "\n".join(c_defaults(t) + c_function(t) for t in tops.values() if t.struct != "-") + "\n#endif\n"


def table(top, tops):
    """The guide's table; of tocsin, only what is its own."""
    have = declared(top.name)
    rows = ["| parameter | default | range | what |", "|---|---|---|---|"]
    for p in top.params.values():
        if top.struct == "-" and any(p.text == q.text and p.name == q.name for t in tops.values() if t is not top
                                     for q in t.params.values()):
            continue
        span = "0, 1" if have.get(p.name) == "bit" else p.span()
        rows.append(f"| `{p.name}` | {p.shown()} | {span} | {p.text} |")
    others = [r.sentence for t in tops.values() if t is not top for r in t.rules] if top.struct == "-" else []
    together = [r.sentence for r in top.rules if r.sentence not in others]
    if together:
        rows += ["", "Together: " + "; ".join(together) + "."]
    return "\n".join(rows) + "\n"


def spliced(text, path, name, body, comment):
    begin, end = (f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n") if comment == "<!--" else \
        (f"  // {name}: begin\n", f"  // {name}: end\n")
    if begin not in text or end not in text:
        raise SystemExit(f"{path}: no lines `{begin.strip()}` and `{end.strip()}`")
    return text[:text.index(begin) + len(begin)] + body + text[text.index(end):]


def part(text, path, variable):
    """From where to where a file says something of defaults: all of it, or what it gives to a variable of make."""
    if not variable:
        return 0, len(text)
    found = re.search(rf"^{variable} *:=((?:[^\n]*\\\n)*[^\n]*)", text, flags=re.M)
    if not found:
        raise SystemExit(f"{path}: no variable {variable}")
    return found.span(1)


def with_defaults(text, copy, said):
    """A file with the table's defaults in their places; what has to change for that is said."""
    kind = ".c" if copy.path.endswith(".h") else os.path.splitext(copy.path)[1]
    (begin, end), found = part(text, copy.path, copy.variable), set()

    def put(m):
        name = SPELT.get(m[2], m[2])
        want = copy.differs.get(name, copy.top.default(name))
        if want is not None:
            found.add(name)
        if want is None or number(m[4]) == want:
            return m[0]
        said.append(f"{copy.path}: {name} is {m[4]} by default, in {SOURCE} {want}")
        width = m[4].partition("'b")[0] if "'b" in m[4] else ""
        return m[1] + m[2] + m[3] + (f"{width}'b{want:0{width}b}" if width else str(want))
    body = re.sub(DEFAULT[kind], put, text[begin:end], flags=re.M)
    lost = sorted(set(copy.differs) - found) if found else ["no parameter at all"]
    said += [f"{copy.path}: has no default of {name}, {SOURCE} says" for name in lost]
    return text[:begin] + body + text[end:]


def copies(tops):
    for name, top in tops.items():
        yield Copy(FILES[name], top, {})
        yield from top.copies


def outputs(tops, said):
    """Every file as it has to be, and what the defaults in it said otherwise."""
    out = {MODEL: c_header(tops)}
    for copy in copies(tops):
        out[copy.path] = with_defaults(out.get(copy.path) or read(copy.path), copy, said)
    for name, path in FILES.items():
        out[path] = spliced(out[path], path, "ranges of parameters, by scripts/params.py", sv_checks(tops[name]), "//")
    if os.path.exists(os.path.join(ROOT, GUIDE)):
        text = read(GUIDE)
        for name, top in tops.items():
            text = spliced(text, GUIDE, f"parameters of {name}", table(top, tops), "<!--")
        out[GUIDE] = text
    return out


def first_difference(tops, have, want):
    """The parameter of which two texts differ first, and what one of them says of it."""
    have, want = (re.findall(r"\w+|\S", text) for text in (have, want))
    at = next((i for i, (a, b) in enumerate(zip(have, want)) if a != b), min(len(have), len(want)))
    names = {n for top in tops.values() for n in top.params}
    near = next((want[i] for i in range(min(at, len(want) - 1), -1, -1) if want[i] in names), "?")
    return f"{near}: `{' '.join(have[at:at + 6])}`, not `{' '.join(want[at:at + 6])}`"


def spans(tops):
    """Ranges that comments beside a parameter say, in its top and in the model's header."""
    for top in tops.values():
        found = [(FILES[top.name], r"^  parameter [\w: \[\]]*?(\w+) = [\w',]+ *//(.*)")]
        if top.struct != "-":
            header = f"model/include/tocsin/{top.struct.split('_')[0]}.h"
            found.append((header, r"^ +(?:unsigned )?([A-Z]\w+);  */\*(.*)"))
        for path, pattern in found:
            for name, comment in re.findall(pattern, read(path), flags=re.M):
                for low, high in re.findall(r"(\d+)(?: to |\.\.)(\d+)", comment):
                    p = top.params.get(name)
                    if p and (int(low), int(high)) != (p.low, p.high):
                        yield f"{path}: {name}: a comment says {low} to {high}, {SOURCE} {p.span()}"


def unknown(tops):
    """Copies of defaults in the benches that the page does not name."""
    known = {c.path for c in copies(tops)}
    for path in glob.glob(os.path.join(ROOT, "verif", "**", "*.[ch]"), recursive=True):
        path = os.path.relpath(path, ROOT)
        names = re.findall(r"^#define CFG_([A-Z]\w*) \d", read(path), flags=re.M)
        if names and path not in known:
            yield f"{path}: {names[0]} is a default that {SOURCE} has no `copy` of"


def unset(tops):
    """What tocsin's model takes from its halves, and must not: what differs by default."""
    said = set(re.findall(r"^  cfg->(?:\w+\.)?(\w+) = ", read(NODE), flags=re.M))
    for p in tops["tocsin"].params.values():
        halves = [t.default(p.name) for t in tops.values() if t.struct != "-" and p.name in t.params]
        if "h" not in p.flags and halves and p.default not in halves and p.name not in said:
            yield f"{NODE}: {p.name} is not set, and {halves[0]} by the half's default, in {SOURCE} {p.default}"


def problems(tops):
    bad = []
    out = outputs(tops, bad)
    for path, text in out.items():
        have = read(path) if os.path.exists(os.path.join(ROOT, path)) else ""
        if have != text and not any(b.startswith(path + ":") for b in bad):
            bad.append(f"{path} is not what scripts/params.py writes, first of {first_difference(tops, have, text)}")
    for name, top in tops.items():
        have = declared(name)
        bad += [f"{FILES[name]}: {n} is not in {SOURCE}" for n in sorted(set(have) - set(top.params))]
        bad += [f"{FILES[name]}: no parameter {n}, which {SOURCE} has" for n in sorted(set(top.params) - set(have))]
    return [*bad, *spans(tops), *unknown(tops), *unset(tops)]


def check(tops):
    bad = problems(tops)
    print("\n".join(bad + [f"params: {len({c.path for c in copies(tops)}) + 2} files, {len(bad)} problems"]))
    return 1 if bad else 0


def generate(tops):
    for path, text in outputs(tops, []).items():
        with open(os.path.join(ROOT, path), "w", encoding="utf-8") as f:
            f.write(text)


def stub(top):
    have = load()[top].params
    params = ",\n".join(f"  parameter {kind} {name} = {have[name].default}" for name, kind in declared(top).items())
    body = re.search(r"  // ranges of parameters.*?: begin\n(.*?)  // ranges", read(FILES[top]), flags=re.S)[1]
    return f"module {top} #(\n{params}\n) ();\n{body}endmodule\n"


def holds(expr, values):
    """A rule's expression by Python."""
    py = expr.replace("||", " or ").replace("&&", " and ").replace("!I", "not I")
    return bool(eval(re.sub(r"(?<![=!<>])/", "//", py), {}, values))  # the expressions are ours


def eval_wrong(p, v):
    return holds(p.wrong("v"), {"v": v})


def cases(top):
    """Each parameter's edges, every other as by default, or at the value with which the rules hold."""
    have, kinds = {n: p.default for n, p in top.params.items()}, declared(top.name)
    for p in top.params.values():
        if kinds[p.name] != "int unsigned":
            continue
        bad, good = p.edges()
        for v in sorted(set(bad)):
            yield "bad", {p.name: v}, p.must()
        for v in sorted(set(good)):
            want = {p.name: v}
            values = {**have, **want, "DataW": 256}
            for r in top.rules:  # a neighbour at one of its own edges mends what the edge breaks
                for q in top.params.values():
                    for w in [q.high, q.low]:
                        if not holds(r.expr, values) and q.name in r.expr and q.name != p.name and \
                                holds(r.expr, {**values, q.name: w}):
                            want[q.name] = values[q.name] = w
            if all(holds(r.expr, values) for r in top.rules):
                yield "good", want, ""
            else:
                yield "bad", want, next(r.sentence for r in top.rules if not holds(r.expr, values))
    for r in top.rules:  # each broken by itself
        near = {n: [3, *top.params[n].edges()[1]] for n in re.findall(r"\w+", r.expr) if n in top.params}
        for pick in itertools.product(*near.values()):
            want = dict(zip(near, pick))
            broken = [s for s in top.rules if not holds(s.expr, {**have, **want, "DataW": 256})]
            if broken == [r] and not any(eval_wrong(top.params[n], v) for n, v in want.items()):
                yield "bad", want, r.sentence
                break


def main():
    tops, args = load(), sys.argv[1:]
    if args[:1] == ["--stub"]:
        print(stub(args[1]), end="")
    elif args[:1] == ["--cases"]:
        for verdict, values, why in cases(tops[args[1]]):
            print(verdict, ",".join(f"{k}={v}" for k, v in values.items()), why, sep="\t")
    elif args == ["--check"]:
        return check(tops)
    elif args:
        raise SystemExit(__doc__)
    else:
        generate(tops)
    return 0


if __name__ == "__main__":
    sys.exit(main())
