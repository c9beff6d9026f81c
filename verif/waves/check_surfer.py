#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_surfer.py FILE.sucl: what Surfer (0.6; no system that Tocsin is tried on has it) would make
of a file of commands, by its manual and its sources: each line is a command with the argument that it takes;
each variable is one that fst2vcd finds in the wave, a vector of one bit with its index; the cursor is in the window,
of which the commands have left few cycles. Prints how many variables it has."""
import os
import re
import subprocess
import sys

# Command: its whole argument. The rest of a line behind # is a comment, and ; ends a command.
TAKES = {"load_file": r".+", "divider_add": r"\w+", "variable_add": r"[^\s.]+(\.[^\s.]+)+", "zoom_in": r"",
         "cursor_set": r"\d+"}
FEW = 1000  # units of time: 100 cycles


def wave(path):
    """{name as variable_add takes it}, and when the wave ends."""
    text = subprocess.run(["fst2vcd", "-f", path], stdout=subprocess.PIPE, check=True, encoding="latin-1").stdout
    scope, names, end = [], set(), 0
    for line in text.splitlines():
        word = line.split()
        if line.startswith("$scope"):
            scope.append(word[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var"):
            index = re.fullmatch(r"\[(\d+):\1\]", word[5])
            names.add(".".join(scope + [word[4]]) + (f"[{index.group(1)}]" if index else ""))
        elif line.startswith("#"):
            end = int(line[1:])
    return names, end


def main(path):
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    commands = []
    for number, line in enumerate(lines, 1):
        name, _, argument = line.partition(" ")
        assert name in TAKES and re.fullmatch(TAKES[name],
                                              argument) and not re.search("[#;]", line), f"{path}:{number}: {line!r}"
        commands.append((name, argument))
    assert commands[0][0] == "load_file" and os.path.exists(commands[0][1]), "the wave is loaded first"
    names, end = wave(commands[0][1])
    left, right, cursor = 0, end, None
    for name, argument in commands:
        if name == "variable_add":
            assert argument in names, f"{path}: the wave has no {argument}"
        elif name == "zoom_in":
            left, right = left + (right - left) / 4, right - (right - left) / 4
        elif name == "cursor_set":
            cursor = int(argument)
            if not left < cursor < right:
                left, right = cursor - (right - left) / 2, cursor + (right - left) / 2
    assert cursor is not None and left < cursor < right, (f"{path}: the cursor is at {cursor}, "
                                                          f"the window {left:.0f} to {right:.0f}")
    assert right - left < FEW, f"{path}: the window is {right - left:.0f} wide"
    print(sum(name == "variable_add" for name, _ in commands))


if __name__ == "__main__":
    main(sys.argv[1])
