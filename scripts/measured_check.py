#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""measured_check.py: what is wrong with the figures of the pages: numbers edited by hand, figures that are older than
their sources, numbers without a marker. measured.py says how they are marked.
"""
import glob
import os
import re
import sys

from measured import Book, digest_of_text

MARK = re.compile(r"<!-- (n:(?P<name>[\w-]+)\.(?P<key>[\w-]+)|/|made by: (?P<command>[^;>]+?); "
                  r"sources (?P<sources>\w+); "
                  r"text (?P<text>\w+)|history: (?P<what>[^>]+?)|end) -->")
LOOKS_LIKE_MARK = re.compile(r"<!--\s*(?:n:|/|made by|history|end\b)(?:(?!-->).)*-->")
# What only a measurement can say; sizes, limits and times that a specification sets have other units.
FIGURE = re.compile(r"\b\d[\d,.]*\s(?:MHz|LUT4|instructions|(?:cycles|puts|frames|requests|packets|million "
                    r"inserts) a second)")


def places(where):
    """[(page, line)] -> page:3,4 other:7"""
    lines = {}
    for page, n in where:
        lines.setdefault(page, []).append(n)
    return " ".join(f"{page}:{','.join(str(n) for n in sorted(set(at)))}" for page, at in lines.items())


class Check:
    def __init__(self, book):
        self.book = book
        self.bad = []
        self.old = {}  # name: where it stands
        self.digests = {}  # name: of the sources as they are
        self.numbers = 0
        self.earlier, self.chosen = {}, []
        for n, line in book.lines("docs/measured/except.txt"):
            kind, *rest = (part.strip() for part in line.split("|"))
            if kind == "earlier" and len(rest) == 2 and rest[0] in book.commands and rest[1]:
                self.earlier[rest[0]] = rest[1]
            elif kind == "chosen" and len(rest) == 3 and all(rest):
                self.chosen.append([rest[0], rest[1], n, False])
            else:
                self.say("docs/measured/except.txt", n,
                         "neither `earlier | NAME | reason` nor `chosen | PAGE | words | reason`")

    def say(self, page, line, what):
        self.bad.append(f"{page}:{line}: {what}\n")

    def measured(self, page, line, name, digest):
        if name not in self.digests:
            self.digests[name] = self.book.digest(name)
        if digest != self.digests[name]:
            self.old.setdefault(name, []).append((page, line))

    def number(self, page, line, name, key, value):
        self.numbers += 1
        if name not in self.book.commands:
            self.say(page, line, f"docs/measured/commands.txt has no {name}")
            return
        command = self.book.commands[name].command
        digest, values, _ = self.book.kept(name)
        if values.get(key) is None:
            self.say(page, line, f"docs/measured/{name}.txt has no {key}, which `{command}` would have to measure")
        elif value != values[key]:
            self.say(page, line, f"{name}.{key} is {value} here and {values[key]} where `{command}` "
                                 "measured it; make numbers")
        self.measured(page, line, name, digest)

    def text(self, page, line, m, text):
        self.numbers += 1
        if m["command"] not in self.book.by_command:
            self.say(page, line, f"docs/measured/commands.txt has no `{m['command']}`")
            return
        if digest_of_text(text) != m["text"]:
            self.say(page, line, f"this is not what `{m['command']}` has written: make it again, then make numbers")
        self.measured(page, line, self.book.by_command[m["command"]].name, m["sources"])

    def page(self, page):
        # a page that speaks of markers
        text = re.sub(r"`[^`\n]*<!--[^`\n]*`", lambda m: " " * len(m.group()), self.book.read(page))
        plain, at, open_, start = [], 0, None, 0  # text outside of markers, for the search of numbers without one
        line = lambda pos: text.count("\n", 0, pos) + 1  # noqa: E731
        for m in LOOKS_LIKE_MARK.finditer(text):
            full = MARK.fullmatch(m.group())
            if not full:
                self.say(page, line(m.start()), f"not a marker: {m.group()}")
                continue
            ends = full.group(1) in ("/", "end")
            if ends and open_ is None or ends and (full.group(1) == "/") != bool(open_["name"]):
                self.say(page, line(m.start()), f"{m.group()} ends nothing")
            elif not ends and open_ is not None:
                self.say(page, line(m.start()), f"{m.group()} stands inside of another marker")
            elif not ends:
                if full["name"] and text[:m.start()].endswith("\n"):
                    self.say(page, line(m.start()),
                             f"{m.group()} begins a line, which ends a paragraph of the page: a word before it")
                plain.append(text[at:m.start()])
                open_, start = full, m.end()
            else:
                inside = text[start:m.start()]
                if open_["name"]:
                    self.number(page, line(start), open_["name"], open_["key"], inside)
                elif open_["command"]:
                    self.text(page, line(start), open_, inside[1:])
                plain.append("#" if open_["name"] else re.sub(r"[^\n]", "", inside))
                at, open_ = m.end(), None
        if open_ is not None:
            self.say(page, line(start), f"{open_.group()} has no end")
        else:
            plain.append(text[at:])
        self.bare(page, "".join(plain))

    def bare(self, page, plain):
        for m in FIGURE.finditer(plain):
            first = plain.rfind("\n", 0, m.start()) + 1
            row = plain[first:].split("\n", 1)[0]
            excused = [c for c in self.chosen if c[0] == page and c[1] in row]
            for c in excused:
                c[3] = True
            if not excused:
                self.say(page, plain.count("\n", 0, m.start()) + 1,
                         f"`{m.group()}` stands in no marker: measured by which command?")

    def ages(self):
        """What is older than its sources is named, and is wrong unless it is excepted."""
        for name, where in sorted(self.old.items()):
            what = f"`{self.book.commands[name].command}` measured {places(where)}"
            if name in self.earlier:
                print(f"older than its sources: {what}: {self.earlier[name]}")
            else:
                self.bad.append(f"older than its sources: {what}; measure again, then make numbers, or say why not in "
                                "docs/measured/except.txt\n")
        for name in self.earlier:
            if name not in self.old:
                self.bad.append(f"docs/measured/except.txt: what {name} measures is of the present sources: "
                                "drop its exception\n")
        for page, words, n, used in self.chosen:
            if not used:
                self.say("docs/measured/except.txt", n,
                         f"{page} has no number without a marker beside `{words}`: drop its exception")

    def kept(self):
        rules = "\n".join(self.book.read(os.path.relpath(p, self.book.root)) for p in
                          [self.book.path("Makefile"), *glob.glob(self.book.path("*", "**", "*.mk"), recursive=True)])
        for name, c in self.book.commands.items():
            target = c.command.split()[1]
            if not re.search(rf"^(?:[\w-]+ )*{re.escape(target)}(?: [\w -]+)?:", rules, flags=re.M):
                self.bad.append(f"docs/measured/commands.txt: {name}: no rule makes `{target}`\n")
            if not self.book.kept(name)[2]:
                self.bad.append(f"docs/measured/{name}.txt: edited by hand; `{self.book.commands[name].command}` "
                                "measures it\n")

    def all(self):
        for page in self.book.pages():
            self.page(page)
        self.kept()
        self.ages()
        return self.bad


def main():
    check = Check(Book())
    bad = check.all()
    sys.stdout.write("".join(bad))
    print(f"numbers: {check.numbers} figures, {len(bad)} wrong, {len(check.old)} of {len(check.book.commands)} "
          "commands measured older sources")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
