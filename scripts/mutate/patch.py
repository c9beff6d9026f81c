# SPDX-License-Identifier: Apache-2.0
"""Planted bugs kept as patches (verif/mutants/*.patch): is each still found, and by what?"""
import functools
import glob
import hashlib
import json
import os
import re
import subprocess
import time

from mutate import judges, tree

MUTANTS = "verif/mutants"
KILLED = os.path.join(tree.ROOT, MUTANTS, "killed.txt")
HEAD = """# SPDX-License-Identifier: Apache-2.0
# The planted bugs that were found, and by which target, written by `make mutate PATCHES=1`. `digest` is that of the
# patch, the blocks that it touches and their tests; what has another one is judged again.
#
# digest     patch                                    killed by
"""
BASELINE = os.path.join(tree.OUT, "baseline.json")


class Bad(Exception):
    """The patch cannot be judged: it has no head, does not apply, does not compile, or its target fails without it."""


class Patch:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.name = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as f:
            self.text = f.read()
        head = re.split(r"^(?:diff |--- )", self.text, maxsplit=1, flags=re.M)[0]
        self.what = " ".join(re.split(r"^Kill:", head, flags=re.M)[0].split())
        kill = re.search(r"^Kill:((?:.*\\\n)*.*)$", head, flags=re.M)
        self.kill = []
        for word in (kill.group(1).replace("\\\n", " ").split() if kill else []):
            if "=" in word and self.kill:  # NAME=value belongs to the target before it
                self.kill[-1].append(word)
            else:
                self.kill.append([word])
        self.files = sorted(set(re.findall(r"^\+\+\+ b/(\S+)", self.text, flags=re.M)))
        if not self.what or not self.kill:
            raise Bad("its head wants a sentence that says what is broken, and a line `Kill: TARGET ...`")
        if not self.files:
            raise Bad("there is no diff in it (`+++ b/FILE`)")

    def apply(self, where):
        env = tree.environment({"GIT_CEILING_DIRECTORIES": os.path.dirname(where.dir)})
        p = subprocess.run(["git", "apply", "--whitespace=nowarn", self.path], cwd=where.dir, env=env,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if p.returncode:
            raise Bad("it does not apply:\n" + p.stdout.rstrip())


def baseline(target, say):
    """A target that fails without any patch finds nothing. Remembered for as long as the sources are the same."""
    now = tree.key()
    try:
        with open(BASELINE, encoding="utf-8") as f:
            known = json.load(f)
    except FileNotFoundError:
        known = {}
    name = " ".join(target)
    if known.get(name) == now:
        return
    say(f"  {name} without the patch ...")
    plain = tree.Tree("plain")
    plain.sync()
    code, out = plain.make(*target, log=os.path.join(tree.OUT, "plain.log"))
    if code:
        raise Bad(f"{name} fails without the patch too:\n" + tail(out))
    known[name] = now
    with open(BASELINE + ".new", "w", encoding="utf-8") as f:
        json.dump(known, f, indent=1)
    os.replace(BASELINE + ".new", BASELINE)


def tail(out, lines=25):
    return "\n".join("  | " + line for line in out.rstrip().split("\n")[-lines:])


def judge(patch, say):
    """By which target the patch is killed, or None."""
    where = tree.Tree("patch")
    where.sync()
    patch.apply(where)
    named = [" ".join(t) for t in patch.kill]
    for target in patch.kill + [t for t in judges.targets(patch.files) if " ".join(t) not in named]:
        name, began = " ".join(target), time.time()
        say(f"  {name} ...")
        code, out = where.make(*target, log=os.path.join(tree.OUT, "logs", f"{patch.name}-{target[0]}.log"))
        how = tree.outcome(code, out)
        if how == "broken":
            raise Bad(f"{name} cannot be made with it:\n" + tail(out))
        if how == "undecided":
            say(f"  {name}: no answer after {time.time() - began:.0f} s")
        if how == "failed":
            baseline(target, say)
            why = next((line for line in out.split("\n") if re.match(r"FAIL|%Error|.*(mismatch|differ|failed)", line)),
                       "")
            say(f"  {name}: fails after {time.time() - began:.0f} s: {why.strip()[:200]}")
            if name not in named:
                say(f"  none of the targets that the patch names kills it: {', '.join(named)}")
            return name
    return None


@functools.lru_cache(maxsize=None)
def around(files, tests):
    """What a verdict on these files depends on, beside the patch: blocks and their tests, of the model the tests that
    the patch names."""
    names = set(files).union(*(judges.depends("source", b) for b in judges.blocks(files)))
    for f in files:
        if f.startswith("model/"):
            names |= judges.of_model(f, tests)
    return judges.key([n for n in names if os.path.exists(os.path.join(tree.ROOT, n))], files)


def digest(patch):
    tests = tuple(re.sub("^unit(san)?-", "", target) for target, *_ in patch.kill)
    return hashlib.sha256((patch.text + around(tuple(patch.files), tests)).encode()).hexdigest()[:12]


class Book:
    """verif/mutants/killed.txt: {patch: (digest, target)}. It is committed, so another machine goes on from there."""

    def __init__(self, path=None):
        self.path, self.rows = path or KILLED, {}
        try:
            with open(self.path, encoding="utf-8") as f:
                rows = [line.split(None, 2) for line in f if line.strip() and not line.startswith("#")]
        except FileNotFoundError:
            return
        self.rows = {name: (found, target.strip()) for found, name, target in rows}

    def killer(self, patch):
        """The target that kills it, if that was seen of the present sources."""
        found, target = self.rows.get(patch.name, (None, None))
        return target if found == digest(patch) else None

    def put(self, patch, target):
        """target: None, if it lives."""
        self.rows.pop(patch.name, None)
        if target:
            self.rows[patch.name] = (digest(patch), target)
        with open(self.path + ".new", "w", encoding="utf-8") as f:
            f.write(HEAD)
            f.writelines(f"{found} {name:40} {by}\n" for name, (found, by) in sorted(self.rows.items()))
        os.replace(self.path + ".new", self.path)


def run(paths, say=print):
    """Judges the patches; results as mutate.json has them, and how many could not be judged. Of several, those are left
    out that the book has as killed; one that is named is judged in any case."""
    with tree.alone("patch", say):
        return judged(paths, say)


def judged(paths, say):
    found, bad, book, several = [], 0, Book(), len(paths) > 1
    if several:  # what is kept no more
        names = {os.path.splitext(os.path.basename(p))[0] for p in paths}
        book.rows = {name: row for name, row in book.rows.items() if name in names}
    for i, path in enumerate(paths, 1):
        began, name = time.time(), os.path.basename(path)
        entry = {"block": name.split("-")[0], "mutant": name, "kind": "patch", "killed_by": None,
                 "status": "survived", "line": 0}
        try:
            patch = Patch(path)
            entry.update(file=patch.files[0], what=patch.what)
            known = book.killer(patch) if several else None
            if known is None:
                say(f"[{i}/{len(paths)}] {name}")
                entry.update(killed_by=judge(patch, say))
                book.put(patch, entry["killed_by"])
                say(f"{'killed by ' + entry['killed_by'] if entry['killed_by'] else 'SURVIVES everything'}: "
                    f"{name}: {patch.what}")
            else:
                entry.update(killed_by=known)
            entry["status"] = "killed" if entry["killed_by"] else "survived"
        except (Bad, tree.Cut, OSError) as e:
            bad += 1
            entry.update(status="error", what=str(e).split("\n", maxsplit=1)[0])
            say(f"ERROR {name}: {e}")
        entry["seconds"] = round(time.time() - began, 1)
        found.append(entry)
    return found, bad


def cost(path):
    """Block tests and theorems before lockstep, and those of one target together, which share most of a build."""
    kill = re.search(r"^Kill: *(\S+)", judges.read(path), flags=re.M)
    target = kill.group(1) if kill else ""
    return (not target.startswith(("sim-", "unit-")), not target.startswith("formal"), target.endswith("default"),
            target, path)


def kept():
    return sorted(glob.glob(os.path.join(tree.ROOT, MUTANTS, "*.patch")), key=cost)
