#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""asked.py A=1,B=2: whether these words of PARAMS= can be parameters; what else is asked for by pairs of words."""
import re
import sys


def parameters(words):
    """[[A, 1], ...]. The packages take another width for the default one, which only the tops refuse."""
    found = [w for w in words.split(",") if w]
    for w in found:
        if not re.fullmatch(r"DataW=(128|256|512)|(?!DataW=)[A-Za-z]\w*=[\w']+", w):
            raise SystemExit(f"PARAMS={words}: {w}: NAME=VALUE,... is wanted, and DataW=128, 256 or 512")
    return [w.split("=") for w in found]


def moves(words):
    """[[OLD, NEW], ...]"""
    found = [w for w in words.split(",") if w]
    if not all(re.fullmatch("[^=]+=[^=]+", w) for w in found):
        raise SystemExit(f"MOVED={words}: OLD=NEW,... is wanted")
    return [w.split("=") for w in found]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    parameters(sys.argv[1])
