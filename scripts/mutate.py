#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutate.py [--patch FILE | --patches]: plants bugs and says what finds them.

--patch FILE   one planted bug: exit code 0 and by what, if it is killed; 1 if it survives; 2 if it cannot be judged
--patches      all of verif/mutants
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mutate import patch  # noqa: E402


def say(text):
    print(text, flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--patch")
    ap.add_argument("--patches", action="store_true")
    args = ap.parse_args()
    if args.patch or args.patches:
        results, bad = patch.run([args.patch] if args.patch else patch.kept(), say)
        lived = [r for r in results if r["status"] == "survived"]
        if args.patches:
            say(f"{len(results)} planted bugs: {sum(r['status'] == 'killed' for r in results)} killed, {len(lived)} survive, "
                f"{bad} cannot be judged")
        return 2 if bad else 1 if lived else 0
    ap.print_help()
    return 2


if __name__ == "__main__":
    sys.exit(main())
