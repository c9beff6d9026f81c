#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""params.py [--check | --stub TOP | --cases TOP]: what follows from rtl/top/params.txt.

Without an option it writes the checks in the tops, model/src/params.h (the same checks, and the tops' defaults) and the tables of
docs/integration.md; --check says what would change, and whether tocsin's defaults are those of its halves.
--stub prints a top's parameters and checks as a module of their own, and
--cases values for it: `good|bad NAME=VALUE ...`, a line each.
"""
import itertools
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE, MODEL, GUIDE = "rtl/top/params.txt", "model/src/params.h", "docs/integration.md"
FILES = {"aa_iommu": "rtl/aa/aa_iommu.sv", "xtq_nic": "rtl/xtq/xtq_nic.sv", "tocsin": "rtl/top/tocsin.sv",
         "ax_iommu": "rtl/axi/ax_iommu.sv", "px_host": "rtl/pcie/px_host.sv"}
PACKAGE = {"aa_iommu": "cm_pkg", "xtq_nic": "cm_pkg", "tocsin": "cm_pkg", "ax_iommu": "cm_pkg", "px_host": "cm_pkg"}


class Param:
    def __init__(self, name, flags, kind, low, high, text):
        self.name, self.flags, self.kind, self.low, self.high, self.text = name, flags, kind, low, high, text

    def span(self):
        kind = {"range": "", "pow2": "a power of two, ", "pow2-or-0": "0 or a power of two, "}[self.kind]
        return f"{kind}{self.low} to {self.high}"

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


class Top:
    def __init__(self, name, struct):
        self.name, self.struct, self.params, self.rules = name, struct, {}, []

    def inherit(self, other, names):
        for p in other.params.values():
            new = names.get(p.name, p.name)
            if new and not new.isdigit():
                self.params[new] = Param(new, self.flags(p, names), p.kind, p.low, p.high, p.text)
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
    tops = {}
    for n, line in enumerate(read(SOURCE).splitlines(), 1):
        words, _, text = line.rpartition(" | ") if " | " in line else (line, "", "")
        words = words.split()
        if not words or words[0] == "#":
            continue
        if words[0] == "top":
            top = tops[words[1]] = Top(words[1], words[2])
        elif words[0] == "inherit":
            top.inherit(tops[words[1]], dict(w.split("=") for w in words[2:]))
        elif words[0] == "rule":
            top.rules.append(Rule(words[1], " ".join(words[2:]), text.strip()))
        elif len(words) == 5 and words[2] in ("range", "pow2", "pow2-or-0"):
            top.params[words[0]] = Param(words[0], words[1], words[2], int(words[3]), int(words[4]), text.strip())
        else:
            raise SystemExit(f"{SOURCE}:{n}: what is this?")
    return tops


def declared(top):
    """Parameters of a top as its file declares them: name to (type, default)."""
    found = re.findall(r"^  parameter (int unsigned|bit|logic \[\d:0\]) +(\w+) = ([\w']+)", read(FILES[top]), flags=re.M)
    return {name: (kind, default) for kind, name, default in found}


def number(text):
    return int(text.split("'b")[-1], 2 if "'b" in text else 10)


def sv_checks(top):
    """Checks, and what the blocks inside are given: defaults if anything is wrong, so that this is all that is said."""
    have, out, bad = declared(top.name), [], []
    ours = [p for p in top.params.values() if have.get(p.name, ("", ""))[0] != "bit"]
    names = {"DataW": f"{PACKAGE[top.name]}::DataW"}
    asked = {"DataW": f"{PACKAGE[top.name]}::AskedDataW"}
    checks = [(f"Bad{p.name}", p.flags, p.wrong(p.name), p.must()) for p in ours]
    checks += [(f"BadRule{i}", r.flags, f"!({r.renamed(asked if set(re.findall('[A-Z][A-Za-z]+', r.expr)) == {'DataW'} else names).expr})",
                r.sentence) for i, r in enumerate(top.rules)]
    for name, flags, wrong, must in checks:
        label = re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "_", name).lower()
        bad.append(name)
        said = f"localparam bit {name} = " + (f"ActiveAccess && ({wrong})" if "a" in flags else wrong) + ";"
        said = re.sub(r"(?<!\|\|)(?<!&&) ", "\u00a0", said)  # a line ends behind one of these only
        said = "\n".join(textwrap.wrap(said, 120, initial_indent="  ", subsequent_indent="    ", break_long_words=False))
        said = said.replace("\u00a0", " ")
        out.append(f"{said}\n  if ({name}) begin : gen_{label}\n    $error(\"{top.name}: {must}\");\n  end\n")
    lines = textwrap.wrap(" || ".join(bad), 100, break_long_words=False)
    out.append("  localparam bit Bad = " + "\n    ".join(lines) + ";\n  // What the blocks are given: defaults if anything is wrong.\n")
    out += [f"  localparam int unsigned Safe{p.name} = Bad ? {have[p.name][1]} : {p.name};\n" for p in ours]
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
    have, area = declared(top.name), top.struct.split("_")[0].upper()
    ours = [f".{p.name}~=~{number(have[p.name][1])}" for p in top.params.values() if "h" not in p.flags]
    lines = textwrap.wrap(", ".join(ours).replace("~", "\u00a0"), 110)
    return (f"/* Parameters of {top.name} as it has them by default. */\n#define {area}_PARAMS_DEFAULT \\\n  " +
            " \\\n  ".join(lines).replace("\u00a0", " ") + "\n\n")


def c_header(tops):
    text = ("/* SPDX-License-Identifier: Apache-2.0\n * Generated by scripts/params.py from rtl/top/params.txt: change that. */\n"
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
        span = "0, 1" if have[p.name][0] == "bit" else p.span()
        rows.append(f"| `{p.name}` | {number(have[p.name][1])} | {span} | {p.text} |")
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


def outputs(tops):
    out = {MODEL: c_header(tops)}
    for name, path in FILES.items():
        out[path] = spliced(read(path), path, "ranges of parameters, by scripts/params.py", sv_checks(tops[name]), "//")
    if os.path.exists(os.path.join(ROOT, GUIDE)):
        text = read(GUIDE)
        for name, top in tops.items():
            text = spliced(text, GUIDE, f"parameters of {name}", table(top, tops), "<!--")
        out[GUIDE] = text
    return out


def check(tops, out):
    bad = [f"{path} is not what scripts/params.py writes" for path, text in out.items()
           if not os.path.exists(os.path.join(ROOT, path)) or read(path) != text]
    for name, top in tops.items():
        have = declared(name)
        named = {n for n in have if not n.startswith("Axi")}
        bad += [f"{FILES[name]}: {n} has no range in {SOURCE}" for n in named - set(top.params)]
        bad += [f"{SOURCE}: {name} has no parameter {n}" for n in set(top.params) - set(have)]
    for name, (_, default) in declared("tocsin").items():
        for half, old in (("aa_iommu", "Window" if name == "AaWindow" else name), ("xtq_nic", name)):
            half_default = declared(half).get(old, (None, None))[1]
            if half_default not in (None, default) and name != "NumPorts" and not (half == "aa_iommu" and name == "Window"):
                bad.append(f"tocsin: default of {name} is {default}, of {half} {half_default}")
    print("\n".join(bad + [f"params: {len(out)} files, {len(bad)} problems"]))
    return 1 if bad else 0


def stub(top):
    have = declared(top)
    params = ",\n".join(f"  parameter {kind} {name} = {default}" for name, (kind, default) in have.items())
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
    have = {n: number(d) for n, (_, d) in declared(top.name).items()}
    for p in top.params.values():
        if declared(top.name)[p.name][0] == "bit":
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
        return check(tops, outputs(tops))
    elif args:
        raise SystemExit(__doc__)
    else:
        for path, text in outputs(tops).items():
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as f:
                f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
