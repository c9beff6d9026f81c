#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_ci.py: scripts/ci.py takes the files as they are, and finds each way in which one of them may drift from
the two commands; those who know the forms of a workflow (its JSON schema) and of a Containerfile (hadolint) have
nothing to say about ours."""
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import ci  # noqa: E402
import matrix  # noqa: E402

YML, BOX, DEV = ".github/workflows/ci.yml", "Containerfile", ".devcontainer/devcontainer.json"
DRIFTS = [
    (YML, "run: make test", "run: make test JOBS=1"),
    (YML, "run: make test", "run: make test || true"),
    (YML, "run: make run", "run: make tools"),
    (YML, "run: make run", "run: make run\n        continue-on-error: true"),
    (YML, "run: make test", "if: false\n        run: make test"),
    (YML, "run: make test", "run: make test\n        env: {TESTS: registers-check}"),
    (YML, '"debian:13", ', ""),
    (YML, "container: ${{ matrix.system }}", "container: debian:12"),
    (YML, "    runs-on: ubuntu-latest", "    runs-on: ubuntu-latest\n    continue-on-error: true"),
    (YML, "      - uses: actions/checkout@v4\n", ""),
    (YML, "actions/checkout@v4", "actions/checkout@v4\n        with: {ref: v0.1}"),
    (YML, "jobs:", "env: {MAKEFLAGS: -n}\njobs:"),
    (YML, "jobs:", "defaults: {run: {shell: 'bash {0} || true'}}\njobs:"),
    (YML, "  push:", "  push: {paths-ignore: ['**']}"),
    (YML, "  pull_request:\n", ""),
    (YML, "        system: [", "        exclude: [{system: 'debian:13'}]\n        system: ["),
    (YML, "    runs-on: ubuntu-latest", "    runs-on: ubuntu-latest\n    env: {MAKEFLAGS: -n}"),
    (YML, "install -y --no-install-recommends make git", "install -y --no-install-recommends make git gcc"),
    (BOX, "RUN make run\n", ""),
    (BOX, '["make", "test"]', '["make", "tools"]'),
    (BOX, '["make", "test"]', '["sh", "-c", "make test"]'),
    (BOX, "RUN make run", "RUN make run || true"),
    (BOX, "ARG SYSTEM=debian:13", "ARG SYSTEM=debian:14"),
    (BOX, "COPY . .", "COPY . .\nENV JOBS=1"),
    (DEV, '"make run"', '"make tools"'),
    (DEV, '"target": "bare"', '"target": "other"'),
    (DEV, "../Containerfile", "Dockerfile"),
    (DEV, '"postCreateCommand"', '"postCreateComand"'),
    (DEV, '"target": "bare"', '"target": "bare", "arguments": {}'),
    ("README.md", "    make test ", "    make check "),
    ("README.md", "Debian 13", "Debian"),
]
# What no engine and no hosted run would take, and ci.py does not look at.
SLIPS = [
    (YML, "    runs-on: ubuntu-latest\n", ""),
    (YML, "    timeout-minutes: 150", "    timeout-minutes: long"),
    (YML, "  pull_request:", "  pull-request:"),
    (YML, "      fail-fast: false", "      fail_fast: false"),
    (BOX, "WORKDIR /tocsin", "WORKDIR tocsin"),
    (BOX, "COPY . .", "COPY ."),
    (BOX, "FROM bare AS tocsin", "FROM bare AS bare"),
]
# Versions of packages and what is left of apt: the container tries the system as it is.
LINTERS = {YML: ["check-jsonschema", "--builtin-schema", "vendor.github-workflows"],
           BOX: ["hadolint", "--ignore", "DL3008", "--ignore", "DL3009"]}


def linted(path, text):
    """What the linter of a file has to say about a text; "" if that is nothing."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, os.path.basename(path))
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)
        command, *options = LINTERS[path]
        p = subprocess.run([os.path.join(os.path.dirname(sys.executable), command), *options, name],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return p.stdout if p.returncode else ""


class Forms(unittest.TestCase):
    def test_as_they_are(self):
        for path in LINTERS:
            self.assertEqual(linted(path, ci.read(path)), "")

    def test_each_slip(self):
        for path, old, new in SLIPS:
            text = ci.read(path)
            self.assertIn(old, text)
            with self.subTest(f"{path}: {old!r} becomes {new!r}"):
                self.assertNotEqual(linted(path, text.replace(old, new)), "")


class Drift(unittest.TestCase):
    def test_as_it_is(self):
        self.assertEqual(ci.check(), ["make run", "make test"])

    def test_each_drift(self):
        for path, old, new in DRIFTS:
            def planted(p, path=path, old=old, new=new):
                text = ci.read(p)
                if p == path:
                    self.assertIn(old, text)
                    return text.replace(old, new)
                return text
            with self.subTest(f"{path}: {old!r} becomes {new!r}"), self.assertRaises(ci.Wrong):
                ci.check(planted)

    def test_systems(self):
        self.assertEqual(set(matrix.SUITES), set(ci.SYSTEMS))

    def test_failing_command_is_told(self):
        """`make test` that fails ends `ci.py run` with its exit code; the variables keep it from making anything."""
        env = dict(os.environ, MAKEFLAGS=" -- TESTS=no-such-test TESTS_SHARED= REPORT=build/report/ci run=")
        p = subprocess.run(["make", "test"], cwd=ci.ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, check=False)
        self.assertNotEqual(p.returncode, 0)
        self.assertIn("0 passed, 1 failed", p.stdout)


if __name__ == "__main__":
    unittest.main()
