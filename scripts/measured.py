#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of the pages: who measured them, of which sources, and whether they are still true.

measured.py begin NAME     before a measurement: notes the digest of its sources; what changes meanwhile makes it stale
measured.py keep NAME      a measurement, from the standard input: lines `KEY VALUE`, or with --text the text of a page;
                           leaves build/report/NAME.kept with the digest of the sources as they were when it began
measured.py write          takes every build/report/*.kept into docs/measured/NAME.txt and into the pages

In a page a measured number stands in <!-- n:NAME.KEY -->114<!-- / -->, a measured text (a table, a sample of output)
between <!-- made by: COMMAND; sources DIGEST; text DIGEST --> and <!-- end -->, figures of earlier versions,
which no command can make again, between <!-- history: WHAT --> and <!-- end -->. docs/measured/commands.txt has names,
commands and sources; docs/measured/except.txt what is allowed to be old, and numbers that were chosen and not measured.
measured_check.py says what is wrong.
"""
import argparse
import glob
import hashlib
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rtl  # noqa: E402
import sources  # noqa: E402


def digest_of_text(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class Command:
    def __init__(self, name, command, patterns):
        self.name, self.command, self.patterns = name, command, patterns


class Book:
    """All that is kept of figures below one root."""

    def __init__(self, root=rtl.ROOT):
        self.root = root
        self.commands = {}
        for _, line in self.lines("docs/measured/commands.txt"):
            name, command, patterns = (part.strip() for part in line.split("|"))
            self.commands[name] = Command(name, command, patterns.split())
        self.by_command = {c.command: c for c in self.commands.values()}

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def read(self, path):
        with open(self.path(path), encoding="utf-8") as f:
            return f.read()

    def lines(self, path):
        return [(n, s) for n, s in enumerate(self.read(path).split("\n"), 1) if s and not s.startswith("#")]

    def pages(self):
        found = glob.glob(self.path("*.md")) + glob.glob(self.path("*", "**", "*.md"), recursive=True)
        return sorted(p for p in (os.path.relpath(p, self.root) for p in found) if not p.startswith(("build/", ".")))

    def sources(self, name):
        """The files that a measurement is of."""
        out = []
        for pattern in self.commands[name].patterns:
            if pattern.startswith("rtl:"):
                found = [os.path.relpath(os.path.join(rtl.ROOT, p), rtl.ROOT) for p in rtl.files(pattern[4:])]
            else:
                found = [os.path.relpath(p, self.root) for p in glob.glob(self.path(pattern))]
            if not found:
                raise SystemExit(f"docs/measured/commands.txt: {name}: no file is called {pattern}")
            out += found
        return out

    def digest(self, name):
        return sources.digest(self.sources(name), self.root)

    def kept(self, name):
        """(digest of the sources, {key: value}), and whether nobody has changed the values since."""
        path = self.path("docs/measured", name + ".txt")
        if not os.path.exists(path):
            return None, {}, True
        pairs = [line.split(" ", 1) for _, line in self.lines(path)]
        values = dict(pairs[2:])
        untouched = [k for k, _ in pairs[:2]] == ["sources", "values"] and pairs[1][1] == of_values(values)
        return pairs[0][1], values, untouched


def of_values(values):
    return digest_of_text("".join(f"{k} {v}\n" for k, v in values.items()))


def keep(book, name, digest, values=None, text=None):
    """What a command has measured, of sources whose digest it took before it began; `measured.py write`
    brings it into the pages."""
    folder = book.path("build/report")
    os.makedirs(folder, exist_ok=True)
    body = text if text is not None else "".join(f"{k} {v}\n" for k, v in values.items())
    with open(os.path.join(folder, name + ".kept"), "w", encoding="utf-8") as f:
        f.write(f"{'text' if text is not None else 'values'} {digest}\n{body}")


def begin(book, name):
    os.makedirs(book.path("build/report"), exist_ok=True)
    with open(book.path("build/report", name + ".begun"), "w", encoding="utf-8") as f:
        f.write(book.digest(name))


def begun(book, name):
    """The digest that `begin` has noted; it is that of one measurement."""
    path = book.path("build/report", name + ".begun")
    try:
        with open(path, encoding="utf-8") as f:
            digest = f.read()
    except FileNotFoundError:
        raise SystemExit(f"measured.py: {name}: `measured.py begin {name}` comes before it is measured") from None
    os.remove(path)
    return digest


def write_values(book, name, digest, values):
    with open(book.path("docs/measured", name + ".txt"), "w", encoding="utf-8") as f:
        f.write("# SPDX-License-Identifier: Apache-2.0\n"
                f"# What `{book.commands[name].command}` measured, of which sources; `make numbers` writes it here and "
                f"into the pages.\nsources {digest}\nvalues {of_values(values)}\n"
                + "".join(f"{k} {v}\n" for k, v in values.items()))


def filled(page, name, values):
    """The page with the present values of one name."""
    return re.sub(rf"(<!-- n:{re.escape(name)}\.([\w-]+) -->).*?(<!-- / -->)",
                  lambda m: m.group(1) + values.get(m.group(2), "?") + m.group(3), page)


def with_text(page, command, digest, text):
    text = text.strip("\n") + "\n"
    head = f"<!-- made by: {command}; sources {digest}; text {digest_of_text(text)} -->\n"
    return re.sub(rf"<!-- made by: {re.escape(command)};[^>]*-->\n.*?(?=<!-- end -->)", lambda _: head + text,
                  page, flags=re.S)


def write(book):
    done = []
    for path in sorted(glob.glob(book.path("build/report/*.kept"))):
        name = os.path.basename(path)[:-len(".kept")]
        with open(path, encoding="utf-8") as f:
            head, body = f.read().split("\n", 1)
        kind, digest = head.split()
        values = dict(line.split(" ", 1) for line in body.splitlines()) if kind == "values" else None
        if values is not None:
            write_values(book, name, digest, values)
        for page in book.pages():
            old = book.read(page)
            new = (filled(old, name, values) if values is not None
                   else with_text(old, book.commands[name].command, digest, body))
            if new != old:
                with open(book.path(page), "w", encoding="utf-8") as f:
                    f.write(new)
                done.append(page)
        os.remove(path)
        print(f"numbers: {name}, of sources {digest}")
    print(f"numbers: {', '.join(sorted(set(done))) or 'no page'} changed")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=("begin", "keep", "write"))
    p.add_argument("name", nargs="?")
    p.add_argument("--text", action="store_true")
    a = p.parse_args()
    book = Book()
    if a.what == "write":
        write(book)
        return 0
    if a.name not in book.commands:
        p.error(f"docs/measured/commands.txt has no {a.name}")
    if a.what == "begin":
        begin(book, a.name)
        return 0
    body = sys.stdin.read()
    if not body.strip():
        raise SystemExit(f"measured.py: {a.name}: nothing was measured")
    values = None if a.text else dict(s.split(" ", 1) for s in body.splitlines())
    keep(book, a.name, begun(book, a.name), values, body if a.text else None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
