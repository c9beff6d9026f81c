#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""frames.py FILE: a capture of XtqPuts whose every field is known, good ones and such as no NIC sends (test.sh)."""
import struct
import sys


def frame(opcode, body, cut=0, link=0):
    """Ethernet, IP, UDP and BTH around a body; `cut` bytes of it are missing, `link` bytes of padding
    follow the ICRC."""
    pad = -len(body) % 4
    bth = struct.pack(">BBHII", opcode, 0x40 | pad << 4, 0xFFFF, 0x00012345, 0x80000000 | 77)
    packet = bth + body[:len(body) - cut] + bytes(pad) + b"ICRC"
    udp = struct.pack(">HHHH", 49152, 4791, 8 + len(packet), 0)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp) + len(packet), 0, 0x4000, 64, 17, 0,
                     bytes([10, 84, 0, 0]), bytes([10, 84, 0, 1]))
    return bytes.fromhex("02544f43000102544f4300000800") + ip + udp + packet + bytes(link)


def without_udp(f):
    """The same as RoCE over Ethernet alone, which is no NIC's of ours."""
    grh = struct.pack(">IHBB", 6 << 28, len(f) - 42, 0x1B, 64) + bytes(32)
    return f[:12] + b"\x89\x15" + grh + f[42:]


def message(kind, command, args, payload, wrong=0, process=9):
    whole = len(command) + len(args) + len(payload) + wrong
    return struct.pack(">QII", 0x1122334455667788, 0xAABBCCDD, whole) + \
        struct.pack(">BBHIII", kind, 0, process, len(args), len(payload), 0) + command + args + payload


def kernel(index, queue):
    return struct.pack("<HHHHHHIIIIIQQHHIQ", 0x1402, 3, 8, 4, 2, 0, 64, 32, 16, 0, 0, index, 0, queue, 0, 0, 0)


def function(index, queue):
    return struct.pack("<HHIQ4QHHIQ", 0x1404, 0x8001, 0, index, 0, 0, 7, 8, queue, 0, 0, 0)


ARGS, PAYLOAD = bytes(range(32)), b"payload" + b"!" * 6
FRAMES = [
    frame(0xCA, message(0, kernel(42, 513), ARGS, PAYLOAD)),
    frame(0xCA, message(1, function(43, 6), b"", b""), link=5),
    frame(0xC6, message(0, kernel(44, 1), ARGS, bytes(300))[:32 + 256], link=3),
    frame(0xC7, bytes(128)),
    frame(0xCA, message(2, kernel(45, 1), b"", b"")),
    frame(0xCA, message(0, kernel(46, 1), ARGS, PAYLOAD, wrong=4)),
    frame(0xCA, message(0, kernel(47, 1), b"", b""), cut=20),
    frame(0xCA, b""),
    frame(0x0A, struct.pack(">QII", 0x5000, 1, 8) + bytes(8)),
    without_udp(frame(0xCA, message(0, kernel(48, 1), ARGS, PAYLOAD))),
    frame(0xCA, message(0, kernel(49, 1), ARGS, PAYLOAD)),
    frame(0xCA, message(0, kernel(50, 1), ARGS, PAYLOAD)),
]
CAPTURED = {10: 42 + 12 + 32 + 64, 11: 100}  # less than all, as `tcpdump -s` does

with open(sys.argv[1], "wb") as out:
    out.write(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    for n, f in enumerate(FRAMES):
        kept = CAPTURED.get(n, len(f))
        out.write(struct.pack("<IIII", n, 0, kept, len(f)) + f[:kept])
