#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""genblock.py FILE...: generate blocks without a name, a line each. scripts/lint.py asks it about every source.

Verilator calls them GENUNNAMED, but only since 5.020 or so. An older Verilator must find them too,
or what is clean on one system is not on the next: so this reads the text. It walks the items of a module.
What is procedural (always, initial, final, function, task) it steps over; what is left of `if`, `for` and `case`
is generate, and needs `begin : name`.
"""
import re
import sys

TOKEN = re.compile(r"[A-Za-z_$`][\w$]*|\d[\w']*|\S")
CLOSE = {"function": "endfunction", "task": "endtask", "case": "endcase", "casez": "endcase", "casex": "endcase",
         "begin": "end", "(": ")"}
PROCEDURAL = ("always", "always_ff", "always_comb", "always_latch", "initial", "final", "`FV_COMB")


def tokens(text):
    """(line, token) of everything but comments, strings and compiler directives."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())  # noqa: E731
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)
    text = re.sub(r"^[ \t]*`(?:define|ifn?def|elsif|else|endif|include|default_nettype)\b(?:[^\n]*\\\n)*[^\n]*",
                  blank, text, flags=re.M)
    out, line, at = [], 1, 0
    for m in TOKEN.finditer(text):
        line, at = line + text.count("\n", at, m.start()), m.start()
        out.append((line, m.group()))
    return out + [(line, "")] * 3


class Walk:
    def __init__(self, text):
        self.tok, self.found = tokens(text), []

    def word(self, i):
        return self.tok[min(i, len(self.tok) - 1)][1]

    def over(self, i):
        """Behind the group that opens at i."""
        first, last, depth = self.word(i), CLOSE[self.word(i)], 0
        while self.word(i):
            w = self.word(i)
            depth += CLOSE.get(w) == last
            depth -= w == last
            i += 1
            if depth == 0:
                break
        return i + 2 if first == "begin" and self.word(i) == ":" else i

    def statement(self, i):
        """Behind the procedural statement that begins at i."""
        while self.word(i) in ("@", "unique", "priority", "if", "for", "while", "repeat"):
            i += 1
            if self.word(i) == "(":
                i = self.over(i)
            elif self.word(i) == "*":
                i += 1
        if self.word(i) in ("begin", "case", "casez", "casex"):
            i = self.over(i)
        else:
            while self.word(i) not in (";", ""):
                i += 1
            i += 1
        return self.statement(i + 1) if self.word(i) == "else" else i

    def named(self, i, what, line):
        """The body at i of a generate construct: bad unless it is `begin : name`."""
        if self.word(i) != "begin":
            self.found.append((line, f"the body of this {what} has no name: write `begin : gen_...`"))

    def items(self):
        i = 0
        while self.word(i):
            line, w = self.tok[i]
            if w in ("function", "task"):
                i = self.over(i)
            elif w in PROCEDURAL:
                i = self.statement(i + 1)
            elif w in ("if", "for") and self.word(i + 1) == "(":
                i = self.over(i + 1)
                self.named(i, f"generate {w}", line)
            elif w == "else":
                i += 1
                if self.word(i) != "if":
                    self.named(i, "generate else", line)
            elif w == "begin" and self.word(i + 1) != ":":
                self.found.append((line, "a generate block without a name: write `begin : gen_...`"))
                i += 1
            else:
                i += 1
        return self.found


def unnamed(text):
    return Walk(text).items()


if __name__ == "__main__":
    bad = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as f:
            for n, msg in unnamed(f.read()):
                print(f"{path}:{n}: {msg}")
                bad = 1
    sys.exit(bad)
