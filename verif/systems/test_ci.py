#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_ci.py: scripts/ci.py takes the files as they are, and finds each way in which one of them may drift from the two commands."""
import os
import subprocess
import sys
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
    ("README.md", "    make test ", "    make check "),
    ("README.md", "Debian 13", "Debian"),
]


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
        p = subprocess.run(["make", "test"], cwd=ci.ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertNotEqual(p.returncode, 0)
        self.assertIn("0 passed, 1 failed", p.stdout)


if __name__ == "__main__":
    unittest.main()
