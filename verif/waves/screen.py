#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""screen.py SCREEN.xwd OUT.png: fails if a screenshot of GTKWave (Xvfb's frame buffer) shows no waves: few green edges,
or few rows of them. Writes it as a PNG for people."""
import struct
import sys
import zlib

with open(sys.argv[1], "rb") as f:
    data = f.read()
head = struct.unpack(">25I", data[:100])
size, width, height, line, colours = head[0], head[4], head[5], head[12], head[19]
pixels = data[size + 12 * colours:]
rows, green = [], {}
for y in range(height):
    row = pixels[y * line:y * line + 4 * width]
    rgb = bytearray(3 * width)
    rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
    rows.append(b"\0" + bytes(rgb))
    # GTKWave draws waves in pure green, of full or of lesser brightness
    green[y] = [x for x in range(width) if not row[4 * x] and not row[4 * x + 2] and row[4 * x + 1] > 100]


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


with open(sys.argv[2], "wb") as f:
    f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b""))
levels = sum(len(xs) > 100 for xs in green.values())  # rows of dots with long lines: a wave has one or two
edges = 0  # vertical runs of 8 dots
for y in range(0, height - 8):
    below = set(green[y + 1]).intersection(*(green[y + k] for k in range(2, 8)))
    edges += sum(x in below and x not in green[y - 1] for x in green[y]) if y else 0
print(f"{levels} lines, {edges} edges")
sys.exit(levels < 10 or edges < 20)
