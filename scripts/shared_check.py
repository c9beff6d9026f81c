#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shared_check.py: whatever two tests of `make test` would build is in TESTS_SHARED, or behind something that is, and
the same of `make test-all`.

`make test` makes its tests side by side, each by a make of its own: a file that two of them need and that is not
there yet would be written by both at once, and one of them would link half of it. Asks make for its rules as they are
where nothing is built.
"""
import os
import re
import subprocess
import sys
import tempfile


def ask(folder, *words):
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return subprocess.run(["make", "--no-print-directory", f"B={folder}", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env=env, text=True, errors="replace", check=False).stdout


def rules(database, folder):
    """What each target depends on, and which of them are files that are built."""
    needs, made = {}, set()
    for block in database.partition("\n# Files\n")[2].split("\n\n"):
        head = re.search(r"^([^#\t\n:=][^\n:=]*)::?(?: (.*))?$", block, flags=re.M)
        if head and not block.startswith("# Not a target"):
            needs.setdefault(head[1], set()).update((head[2] or "").replace("|", " ").split())
            if "\n\t" in block and head[1].startswith(folder):
                made.add(head[1])
    return needs, made


def behind(targets, needs):
    seen, todo = set(), list(targets)
    while todo:
        for d in needs.get(todo.pop(), set()) - seen:
            seen.add(d)
            todo.append(d)
    return seen


def twice(tests, shared, needs, made, folder):
    """Says what two tests would build; how many files that are."""
    users, first = {}, behind(shared, needs).union(shared)
    for t in tests:
        for d in (behind([t], needs) & made) - first:
            users.setdefault(os.path.relpath(d, folder), []).append(t)
    found = {d: t for d, t in users.items() if len(t) > 1}
    for d, t in sorted(found.items()):
        print(f"{d}: built by {' and '.join(t[:2])}, and not what they share")
    print(f"{len(tests)} tests, {len(made)} files, {len(found)} that two would build at once")
    return len(found)


def main():
    with tempfile.TemporaryDirectory() as folder:
        every = ask(folder, "-s", "tests-all").split()
        needs, made = rules(ask(folder, "-pnk", "MAKE=exit; :", *every), folder)
        bad = 0
        for which in "", "-all":
            tests, shared = (ask(folder, "-s", f"{what}{which}").split() for what in ("tests", "tests-shared"))
            bad += twice(tests, shared, needs, made, folder)
    return 1 if bad or len(made) < len(every) else 0


if __name__ == "__main__":
    sys.exit(main())
