#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bitwuzla [--smt2] [-i]: the solver as a program that answers the commands on its input, as yosys-smtbmc talks to
solvers. PyPI has it as a Python package alone; verif/formal/formal.mk puts this beside it as .venv/bin/bitwuzla."""
import importlib.metadata
import re
import sys

import bitwuzla

# What may hold a bracket that is none: a comment, a quoted name, a text.
QUOTED = re.compile(r';[^\n]*|\|[^|]*\||"[^"]*"')


def commands(lines):
    """One command after the other, each as soon as it is complete."""
    text, depth = "", 0
    for line in lines:
        bare = QUOTED.sub("", line)
        depth += bare.count("(") - bare.count(")")
        text += line
        if depth <= 0 and bare.strip():
            yield text
            text, depth = "", 0


def main():
    if "--version" in sys.argv:
        print(importlib.metadata.version("bitwuzla"))
        return
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    for command in commands(sys.stdin):
        if command.strip() == "(exit)":
            break
        parser.parse(command, False, False)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
