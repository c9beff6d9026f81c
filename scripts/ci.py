#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ci.py check | run: what the hosted runs, the container and the development container do are the
README's two commands.

check  reads .github/workflows/ci.yml, the Containerfile and devcontainer.json, and says what in them is something else
run    check, then the commands themselves, one after the other, in the shell that they get there;
       the first that fails ends it

What installs make on a bare system is the same line everywhere; `run` leaves it out, `make matrix` has it
run on a bare system.
"""
import json
import os
import re
import subprocess
import sys

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BARE = "apt-get update && apt-get install -y --no-install-recommends make git ca-certificates"
TWO = ["make run", "make test"]
SYSTEMS = {"debian:12": "Debian 12", "debian:13": "Debian 13", "ubuntu:24.04": "Ubuntu 24.04"}


class Wrong(Exception):
    pass


def want(what, found, wanted):
    if found != wanted:
        raise Wrong(f"{what}: found {found!r}, wanted {wanted!r}")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def workflow(text):
    """The commands of the hosted runs; the sources come between the first of them and the others."""
    name, known = "ci.yml", yaml.safe_load(text)
    want(f"{name}: keys", sorted(map(str, known)), ["True", "jobs", "name"])  # YAML has it that `on` is true
    want(f"{name}: when", known[True], {"push": None, "pull_request": None})
    want(f"{name}: number of jobs", len(known["jobs"]), 1)
    job = next(iter(known["jobs"].values()))
    want(f"{name}: keys of the job", sorted(job), ["container", "runs-on", "steps", "strategy", "timeout-minutes"])
    want(f"{name}: systems", {k: sorted(v) for k, v in job["strategy"]["matrix"].items()}, {"system": sorted(SYSTEMS)})
    want(f"{name}: container", job["container"], "${{ matrix.system }}")
    steps, fetched, runs = job["steps"], None, []
    for step in steps:
        if step.get("uses", "").startswith("actions/checkout@"):
            want(f"{name}: keys of what fetches the sources", list(step), ["uses"])
            fetched = len(runs)
        elif "run" in step:
            want(f"{name}: keys of {step['run']!r}", sorted(set(step) - {"name"}), ["run"])
            runs.append(step["run"].strip())
        else:
            want(f"{name}: an action that is always done, after the commands", (len(runs), step.get("if")),
                 (3, "always()"))
    want(f"{name}: commands before the sources are there", fetched, 1)
    return runs


def instructions(text):
    """(word, rest) of a Containerfile."""
    lines = re.sub(r"^\s*#[^\n]*\n", "", text, flags=re.M).replace("\\\n", " ").split("\n")
    return [tuple(line.split(None, 1)) for line in lines if line.strip()]


def containerfile(text):
    """Stages and commands. The last one is what the container does when it is run."""
    stages, runs, last = [], [], None
    for word, rest in instructions(text):
        if word == "ARG":
            key, _, value = rest.partition("=")
            want("Containerfile: argument", (key, value in SYSTEMS), ("SYSTEM", True))
        elif word == "FROM":
            stages.append(re.fullmatch(r"(\S+) AS (\w+)", rest).groups())
        elif word == "RUN":
            runs.append(rest)
        elif word == "CMD":
            last = " ".join(json.loads(rest))
        else:
            want("Containerfile: instruction", word in ("COPY", "WORKDIR"), True)
    want("Containerfile: stages", stages, [("${SYSTEM}", "bare"), ("bare", "tocsin")])
    return [s for _, s in stages], runs + [last]


def devcontainer(text, stages):
    """The command after its creation."""
    made = json.loads(re.sub(r"^\s*//[^\n]*\n", "", text, flags=re.M))
    build = made["build"]
    # Of the many that the development containers' schema has: an unknown one would be passed over in silence.
    want("devcontainer.json: keys", sorted(made), ["build", "customizations", "name", "postCreateCommand"])
    want("devcontainer.json: keys of build", sorted(build), ["context", "dockerfile", "target"])
    want("devcontainer.json: Containerfile", os.path.normpath(os.path.join(".devcontainer", build["dockerfile"])),
         "Containerfile")
    want("devcontainer.json: context", os.path.normpath(os.path.join(".devcontainer", build["context"])), ".")
    want("devcontainer.json: stage exists", build["target"] in stages, True)
    return [v for k, v in made.items() if k.endswith("Command")]


def check(source=read):
    """The two commands, if all three files are about them and nothing else."""
    want("ci.yml: commands", workflow(source(".github/workflows/ci.yml")), [BARE, *TWO])
    stages, runs = containerfile(source("Containerfile"))
    want("Containerfile: commands", runs, [BARE, *TWO])
    want("devcontainer.json: commands", devcontainer(source(".devcontainer/devcontainer.json"), stages), TWO[:1])
    readme = source("README.md")
    shown = re.search(r"^## Two commands\n\n((?:    [^\n]*\n)+)", readme, flags=re.M)
    want("README.md: commands", re.findall(r"^    (make \w+)", shown.group(1) if shown else "", flags=re.M), TWO)
    want("README.md: systems without a word", [v for v in SYSTEMS.values() if v not in readme], [])
    return TWO


def main():
    if sys.argv[1:] not in (["check"], ["run"]):
        raise SystemExit(__doc__)
    try:
        commands = check()
    except (Wrong, KeyError, ValueError, AttributeError, OSError) as e:
        raise SystemExit(f"ci.py: {e!r}" if not isinstance(e, Wrong) else f"ci.py: {e}") from e
    print("ci.py: workflow, Containerfile and devcontainer.json do " + " and ".join(commands), flush=True)
    for command in commands if sys.argv[1] == "run" else []:
        print(f"ci.py: {command}", flush=True)
        code = subprocess.run(["sh", "-e", "-c", command], cwd=ROOT, check=False).returncode
        if code:
            raise SystemExit(f"ci.py: {command}: exit code {code}")


if __name__ == "__main__":
    main()
