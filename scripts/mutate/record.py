# SPDX-License-Identifier: Apache-2.0
"""verif/MUTATION.md: what was judged to its end, a row for each kind of mutants of a block. It is committed, so one
machine goes on where another stopped; a row counts while the sources that its verdicts depend on are the same."""
import collections
import os
import re

from mutate import tree

PATH = os.path.join(tree.ROOT, "verif/MUTATION.md")
NEW = 50  # of what was never judged; `make mutate N=200` asks for more
ROUND = {"wiring": "source", "logic": "source", "netlist": "netlist", "c": "c"}  # what `make mutate` judges together
HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
# Mutation

Planted bugs and what found them, written by `make mutate` (verif/README.md) when all mutants of a kind and block are
judged. `N` is that of the command, `digest` of the sources that the verdicts depend on; what has another one is judged
again.

| kind | block | folder | N | killed, by what | equivalent | alive | digest |
|---|---|---|---|---|---|---|---|
"""
ALIVE = re.compile(r"- `(.*?):(\d+): (.*)` \((\w+) (\w+) (\S+)\)$")


def word(killed_by):
    """What kills, in a word: the kind of check."""
    return killed_by.split(":")[0].split(" ")[0].split("-")[0]


def killer(entry):
    return word(entry["killed_by"] or entry["status"])


class Record:
    """{(kind, block, folder): [N, {killer: number}, equivalent, [(file, line, what, mutant)], digest]}"""

    def __init__(self, path=PATH):
        self.path, self.rows, self.left = path, {}, set()
        try:
            with open(path, encoding="utf-8") as f:
                lines = f.read().split("\n")
        except FileNotFoundError:
            return
        for line in lines:
            cell = [c.strip() for c in line.strip("|").split("|")]
            if len(cell) == 8 and cell[0] in ROUND:
                by = dict((k, int(n)) for k, n in (c.rsplit(" ", 1) for c in cell[4].split(", ") if c))
                self.rows[tuple(cell[:3])] = [int(cell[3]), by, int(cell[5]), [], cell[7]]
            alive = ALIVE.match(line)
            if alive:
                file, at, what, kind, block, mutant = alive.groups()
                self.rows[kind, block, os.path.dirname(file)][3].append((file, int(at), what, mutant))

    def of(self, kinds, block):
        return {k: row for k, row in self.rows.items() if ROUND[k[0]] == kinds and k[1] == block}

    def number(self, kinds, block):
        """N of its row; NEW of what has none."""
        return max((row[0] for row in self.of(kinds, block).values()), default=NEW)

    def has(self, kinds, block, n, stale):
        """Whether at least n were judged of these sources. stale: their digest, by what killed them."""
        mine = self.of(kinds, block).values()
        key = stale(kinds, block, sorted({by for row in mine for by in row[1]}))[:12]
        return bool(mine) and all(row[0] >= n and row[4] == key for row in mine)

    def leave(self, kinds, block):
        """Some of its mutants cannot be judged: it gets no row."""
        self.left.add((kinds, block))

    def put(self, kinds, block, n, stale, entries):
        """The verdicts on all mutants of a block; nothing if one has none."""
        if not entries or (kinds, block) in self.left or any(e["status"] == "error" for e in entries):
            return
        for old in self.of(kinds, block):
            del self.rows[old]
        key = stale(kinds, block, sorted({word(e["killed_by"]) for e in entries if e["status"] == "killed"}))
        for e in entries:
            row = self.rows.setdefault((e["kind"], block, os.path.dirname(e["file"])),
                                       [n, collections.Counter(), 0, [], key[:12]])
            if e["status"] == "killed":
                row[1][word(e["killed_by"])] += 1
            elif e["status"] == "equivalent":
                row[2] += 1
            else:
                row[3].append((e["file"], e["line"], e["what"].replace("`", "'")[:70], e["mutant"]))
        self.write()

    def settle(self, kinds, block, mutant, by=None):
        """One that lives has been killed by a theorem, or proved equivalent."""
        for row in self.of(kinds, block).values():
            left = [x for x in row[3] if x[3] != mutant]
            gone, row[3] = len(row[3]) - len(left), left
            if by and gone:
                row[1][word(by)] = row[1].get(word(by), 0) + gone
            elif gone:
                row[2] += gone
        self.write()

    def write(self):
        out, lived = HEAD, []
        for (kind, block, folder), (n, by, equal, alive, digest) in sorted(self.rows.items()):
            killed = ", ".join(f"{k} {v}" for k, v in sorted(by.items()))
            out += f"| {kind} | {block} | {folder} | {n} | {killed} | {equal} | {len(alive)} | {digest} |\n"
            lived += [f"- `{file}:{line}: {what}` ({kind} {block} {mutant})"
                      for file, line, what, mutant in sorted(alive)]
        if lived:
            out += "\nAlive:\n\n" + "\n".join(lived) + "\n"
        with open(self.path + ".new", "w", encoding="utf-8") as f:
            f.write(out)
        os.replace(self.path + ".new", self.path)

    def entries(self, kinds, block):
        """For the tables: one entry a mutant. Only those that live are known by name."""
        for (kind, _, folder), (_, by, equal, alive, _) in self.of(kinds, block).items():
            def one(status, by=None, file=folder + "/", line=0, what="", mutant="", kind=kind):
                return {"block": block, "mutant": mutant, "kind": kind, "killed_by": by, "status": status,
                        "file": file, "line": line, "what": what, "seconds": 0}
            for what, number in by.items():
                yield from [one("killed", what)] * number
            yield from [one("equivalent")] * equal
            for file, line, what, mutant in alive:
                yield one("survived", None, file, line, what, mutant)
