# SPDX-License-Identifier: Apache-2.0
"""Reads FST files as Verilator writes them: which signals there are, and the changes of some of them.
Documented by the reader and writer of GTKWave (fstapi); files that are gzipped as a whole are not read."""
import struct
import zlib


class Bad(Exception):
    """A file that is none, or is cut off."""


def lz4(src, size):
    """One LZ4 block."""
    out, p = bytearray(), 0
    while p < len(src):
        token = src[p]
        p += 1
        n = token >> 4
        if n == 15:
            while src[p] == 255:
                n, p = n + 255, p + 1
            n, p = n + src[p], p + 1
        out += src[p:p + n]
        p += n
        if p >= len(src):
            break
        back = src[p] | src[p + 1] << 8
        p += 2
        n = (token & 15) + 4
        if token & 15 == 15:
            while src[p] == 255:
                n, p = n + 255, p + 1
            n, p = n + src[p], p + 1
        for _ in range(n):
            out.append(out[-back])
    if len(out) != size:
        raise Bad("what is packed in it does not unpack")
    return bytes(out)


def number(b, p):
    """(unsigned, behind it): seven bits a byte, the lowest first."""
    v = shift = 0
    while True:
        v |= (b[p] & 127) << shift
        shift += 7
        p += 1
        if b[p - 1] < 128:
            return v, p


def signed(b, p):
    v, q = number(b, p)
    return (v - (1 << 7 * (q - p)) if b[q - 1] & 64 else v), q


class Signal:
    """path without range, range or '', bits, and which of the file's values it shows."""

    def __init__(self, path, rng, bits, handle):
        self.path, self.range, self.bits, self.handle = path, rng, bits, handle


class Fst:
    """signals: in the file's order, parameters left out."""

    def __init__(self, path):
        with open(path, "rb") as f:
            data = f.read()
        self.blocks, hierarchy, p = [], None, 0
        while p + 9 <= len(data):
            kind, length = data[p], struct.unpack(">Q", data[p + 1:p + 9])[0]
            body = data[p + 9:p + 1 + length]
            if kind == 254:
                raise Bad("packed FST files are not read")
            if kind in (4, 6, 7) and length > 16:
                hierarchy = self.unpacked(kind, body)
            elif kind == 8 and length > 40:
                self.blocks.append(body)
            if length < 8:
                break
            p += 1 + length
        if hierarchy is None:
            raise Bad("it has no hierarchy: was the run cut off?")
        self.signals, self.bits = [], []  # bits: of each handle
        self.read_hierarchy(hierarchy)
        self.end = struct.unpack(">Q", self.blocks[-1][8:16])[0] if self.blocks else 0

    @staticmethod
    def unpacked(kind, body):
        size, body = struct.unpack(">Q", body[:8])[0], body[8:]
        if kind == 4:
            return zlib.decompress(body, 47)
        if kind == 7:
            middle = struct.unpack(">Q", body[:8])[0]
            body = lz4(body[8:], middle)
        return lz4(body, size)

    def read_hierarchy(self, h):
        p, scope = 0, []

        def text():
            nonlocal p
            end = h.index(0, p)
            s, p = h[p:end].decode("latin-1"), end + 1
            return s
        while p < len(h):
            tag = h[p]
            p += 1
            if tag == 254:  # scope: type, name, component
                p += 1
                scope.append(text())
                text()
            elif tag == 255:
                scope.pop()
            elif tag == 252:  # attribute: type, subtype, name, value
                p += 2
                text()
                _, p = number(h, p)
            elif tag != 253:  # a variable: direction, name, bits, alias
                p += 1
                name, _, rng = text().partition(" ")
                bits, p = number(h, p)
                alias, p = number(h, p)
                if not alias:
                    self.bits.append(bits)
                if tag not in (2, 4):
                    self.signals.append(Signal(".".join(scope + [name]), rng, bits, (alias or len(self.bits)) - 1))

    def changes(self, handles):
        """(time, handle, whether any of its bits is 1) at the beginning of the file and at every change;
        a handle's in their order."""
        for n, block in enumerate(self.blocks):
            yield from self.block_changes(block, handles, not n)

    def block_changes(self, b, handles, first):
        begin = struct.unpack(">Q", b[:8])[0]
        size, p = number(b, 24)
        packed, p = number(b, p)
        _, p = number(b, p)
        frame = b[p:p + packed] if packed == size else zlib.decompress(b[p:p + packed])
        count, start = number(b, p + packed)
        tsize, tpacked, tcount = struct.unpack(">QQQ", b[-24:])
        at = len(b) - 24 - tpacked
        times = self.times(b[at:at + tpacked] if tpacked == tsize else zlib.decompress(b[at:at + tpacked]), tcount)
        end = at - 8 - struct.unpack(">Q", b[at - 8:at])[0]
        place, length = self.chains(b[end:at - 8], count, end - start)
        for handle in handles:
            if first:
                offset = sum(self.bits[:handle])
                yield begin, handle, b"1" in frame[offset:offset + self.bits[handle]]
            if not place[handle]:
                continue
            q = start + place[handle]
            chain_end = q + length[handle]
            whole, q = number(b, q)
            chain = b[q:chain_end]
            if whole:
                chain = {"4": lambda c, n=whole: lz4(c, n), "Z": zlib.decompress}[chr(b[start])](chain)
            decode = self.one_bit(chain) if self.bits[handle] == 1 else self.many_bits(chain, self.bits[handle])
            yield from ((times[i], handle, v) for i, v in decode)

    @staticmethod
    def times(packed, count):
        out, t, p = [], 0, 0
        for _ in range(count):
            step, p = number(packed, p)
            t += step
            out.append(t)
        return out

    @staticmethod
    def chains(index, count, end):
        """Where each handle's changes are from the start of the values, and how long; a handle may share another's."""
        place, length = [0] * (count + 1), [0] * (count + 1)
        p = i = at = last = alias = 0
        while p < len(index):
            if index[p] & 1:
                v, p = signed(index, p)
                v >>= 1
                if v > 0:
                    at += v
                    if i:
                        length[last] = at - place[last]
                    place[i], last = at, i
                else:
                    alias = v or alias
                    length[i] = alias
                i += 1
            else:
                v, p = number(index, p)
                i += v >> 1
        length[last] = end - place[last]
        for k in range(count):
            if length[k] < 0 and not place[k]:
                of = -length[k] - 1
                place[k], length[k] = place[of], length[of]
        return place, length

    @staticmethod
    def one_bit(chain):
        p = i = 0
        while p < len(chain):
            v, p = number(chain, p)
            i += v >> (4 if v & 1 else 2)
            yield i, not v & 1 and bool(v & 2)

    @staticmethod
    def many_bits(chain, bits):
        p = i = 0
        while p < len(chain):
            v, p = number(chain, p)
            i += v >> 1
            n = bits if v & 1 else (bits + 7) // 8  # letters, or packed
            yield i, b"1" in chain[p:p + n] if v & 1 else any(chain[p:p + n])
            p += n
