#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wire.py FILE: every frame of a pcapng is one that tshark dissects as RoCEv2 without complaint,
and has the right ICRC.

tshark judges the form: nothing malformed, no expert's warning, right IP checksum, headers of each opcode where they
belong. It shows the ICRC but does not judge it, so that is computed here from the RoCEv2 annex with zlib's CRC. Last,
the check itself is checked: a copy with one byte of some frames changed, and one frame cut short, must give just those.
"""
import os
import struct
import subprocess
import sys
import tempfile
import zlib

FIELDS = ["frame.number", "_ws.malformed", "_ws.expert.message", "ip.checksum.status", "ip.len", "udp.length",
          "infiniband.bth.opcode", "infiniband.invariant.crc", "ipv6.plen", "vlan.id"]
OTHERS = ["rpcordma", "smb_direct", "lnet", "iser", "infiniband_sdp"]  # what may lie in a SEND's payload
# opcodes that a run must show; those of XtqPut are the manufacturer's own, of which tshark knows the BTH only
CNP = 0x81  # congestion notification
OPCODES = set(range(0x00, 0x15)) | {0x16, 0x17, CNP} | {0xC6, 0xC7, 0xC8, 0xCA}


def blocks(data):
    """Offset and length of the bytes of each frame."""
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if kind == 6:
            yield at + 28, struct.unpack_from("<I", data, at + 20)[0]
        at += size


def layout(frame):
    """Where IP begins, and UDP, in an Ethernet frame with a VLAN tag or without."""
    ip = 18 if frame[12:14] == b"\x81\x00" else 14
    return ip, ip + (40 if frame[ip - 2:ip] == b"\x86\xdd" else 20)


def icrc(frame):
    """Fields that change on the way count as ones."""
    ip, udp = layout(frame)
    b = bytearray(b"\xff" * 8 + frame[ip:-4])
    udp += 8 - ip
    if udp == 8 + 40:
        b[8] |= 0x0F
        places = (9, 10, 11, 8 + 7)  # traffic class, flow label; hop limit
    else:
        places = (8 + 1, 8 + 8, 8 + 10, 8 + 11)  # TOS, TTL, checksum
    for at in places + (udp + 6, udp + 7, udp + 12):  # UDP checksum, BTH reserved
        b[at] = 0xFF
    return struct.pack("<I", zlib.crc32(bytes(b)))


def cnp_good(frame, udp):
    """A CNP has BECN, asks for no ACK, PSN 0 and 16 bytes of 0; no other frame has BECN, and none FECN."""
    bth, rest = frame[udp + 8:udp + 20], frame[udp + 20:-4]
    if bth[0] != CNP:
        return bth[4] == 0
    return bth[1] == 0x40 and bth[4] == 0x40 and bth[8:12] == bytes(4) and rest == bytes(16)


def tshark(path):
    # Random bytes are no packets of other protocols, whatever they seem to begin with. A UDP checksum of 0 over IPv6
    # is what tunnels may send (RFC 6936), and RoCEv2 does: its ICRC covers more.
    cmd = ["tshark", "-r", path, "-o", "ip.check_checksum:TRUE", "-o", "udp.ignore_ipv6_zero_checksum:TRUE"]
    cmd += ["--disable-heuristic", "eth_over_ib"] + [x for p in OTHERS for x in ("--disable-protocol", p)]
    cmd += ["-T", "fields", "-E", "separator=|"]
    out = subprocess.run(cmd + [x for f in FIELDS for x in ("-e", f)], check=True, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    return [dict(zip(FIELDS, line.split("|"))) for line in out.splitlines()]


def judge(path):
    """{number of a frame: what is wrong with it}, opcodes seen, families with a tag and without, frames."""
    with open(path, "rb") as f:
        data = f.read()
    frames = [data[a:a + n] for a, n in blocks(data)]
    rows = tshark(path)
    bad, seen, kinds = {}, set(), set()
    if len(rows) != len(frames):
        bad[0] = f"tshark sees {len(rows)} frames of {len(frames)}"
    for row, frame in zip(rows, frames):
        why = []
        if row["_ws.malformed"] or row["_ws.expert.message"]:
            why.append("tshark: " + (row["_ws.malformed"] or row["_ws.expert.message"]))
        ip, udp = layout(frame)
        v6 = udp - ip == 40
        kinds.add((v6, bool(row["vlan.id"])))
        if (ip == 18) != bool(row["vlan.id"]) or v6 != bool(row["ipv6.plen"]):
            why.append("another family or tag")
        if not v6 and row["ip.checksum.status"] != "1":
            why.append("IP checksum")
        said = (row["ipv6.plen"], udp) if v6 else (row["ip.len"], ip)
        if said[0] != str(len(frame) - said[1]) or row["udp.length"] != str(len(frame) - udp):
            why.append(f"lengths {said[0]}, {row['udp.length']} of {len(frame)} bytes")
        if not row["infiniband.bth.opcode"]:
            why.append("not RoCEv2")
        elif row["infiniband.bth.opcode"].isdigit():
            seen.add(int(row["infiniband.bth.opcode"]))
        if not cnp_good(frame, udp):
            why.append("out of form for a CNP, or BECN in another frame")
        want = icrc(frame)
        if frame[-4:] != want:
            why.append(f"ICRC: got {frame[-4:].hex()}, want {want.hex()}")
        shown = row["infiniband.invariant.crc"]
        if shown and int(shown, 16) != int.from_bytes(frame[-4:], "big"):
            why.append(f"tshark finds another ICRC: {shown}")
        if why:
            bad[int(row["frame.number"])] = "; ".join(why)
    return bad, seen, kinds, len(frames)


def bent(path, out):
    """A copy in which some frames are wrong; their numbers."""
    with open(path, "rb") as f:
        data = bytearray(f.read())
    places = list(blocks(data))
    numbers = [1, 7, len(places) // 3, len(places) // 2, len(places)]
    for k, number in enumerate(numbers):
        at, n = places[number - 1]
        ip, udp = layout(data[at:at + n])
        # last before the ICRC, opcode, IP address, ICRC, QP
        data[at + (n - 5, udp + 8, udp - 4, n - 1, udp + 13)[k]] ^= 1 << k
    cut = len(places) // 4
    at, n = places[cut - 1]
    struct.pack_into("<II", data, at - 8, n - 1, n - 1)
    with open(out, "wb") as f:
        f.write(data)
    return set(numbers + [cut])


def main():
    path = sys.argv[1]
    bad, seen, kinds, frames = judge(path)
    for number, why in sorted(bad.items())[:10]:
        print(f"{path}: frame {number}: {why}")
    missing = ", ".join(f"{o:02X}" for o in sorted(OPCODES - seen))
    if missing:
        print(f"{path}: opcodes never seen: {missing}")
    if len(kinds) != 4:
        print(f"{path}: IPv4 and IPv6, with a tag and without: only {sorted(kinds)}")
    with tempfile.TemporaryDirectory() as d:
        copy = os.path.join(d, "bent.pcapng")
        want = bent(path, copy)
        got = set(judge(copy)[0])
    if got != want and not bad:
        print(f"a copy with frames {sorted(want)} changed: {sorted(got)} are noticed")
    print(f"wire: {frames} frames, {len(seen)} opcodes, {len(kinds)} kinds, {len(bad)} bad; "
          f"of {len(want)} frames changed {len(want & got)} noticed")
    sys.exit(bool(bad or missing or len(kinds) != 4 or got != want))


if __name__ == "__main__":
    main()
