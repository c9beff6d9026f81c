# SPDX-License-Identifier: Apache-2.0
"""TLPs of cocotbext-pcie on the streams of aa_iommu and xtq_nic: hdr is the header, DW0 highest; data byte 0 lowest;
strb a bit a DW."""
from cocotb.queue import Queue
from cocotb.triggers import RisingEdge
from cocotbext.pcie.core.tlp import Tlp


class TlpSource:
    """Drives a stream that the hardware takes: names end in _i, ready in _o."""

    def __init__(self, dut, name, clock):
        self.pin = {n: getattr(dut, f"{name}_{n}_i") for n in ("valid", "hdr", "data", "strb", "seq", "sop", "eop")}
        self.ready, self.clock, self.queue = getattr(dut, f"{name}_ready_o"), clock, Queue()
        self.beat = len(self.pin["data"]) // 8
        self.pin["valid"].value = 0

    async def send(self, tlp, seq=0):
        await self.queue.put((tlp, seq))

    async def run(self):
        while True:
            tlp, seq = await self.queue.get()
            header = int.from_bytes(bytes(tlp.pack_header()).ljust(16, b"\0"), "big")
            data = bytes(tlp.get_data())
            beats = max(1, -(-len(data) // self.beat))
            for i in range(beats):
                part = data[i * self.beat:(i + 1) * self.beat]
                values = {"hdr": header, "data": int.from_bytes(part, "little"),
                          "strb": (1 << (len(part) + 3) // 4) - 1, "seq": seq, "sop": i == 0,
                          "eop": i == beats - 1, "valid": 1}
                for name, value in values.items():
                    self.pin[name].value = int(value)
                await RisingEdge(self.clock)
                while not self.ready.value:
                    await RisingEdge(self.clock)
            self.pin["valid"].value = 0


class TlpSink:
    """Takes a stream that the hardware gives; `recv` gives a TLP and its seq."""

    def __init__(self, dut, name, clock):
        self.pin = {n: getattr(dut, f"{name}_{n}_o") for n in ("valid", "hdr", "data", "strb", "seq", "sop", "eop")}
        self.ready, self.clock, self.queue = getattr(dut, f"{name}_ready_i"), clock, Queue()
        self.beat = len(self.pin["data"]) // 8
        self.ready.value = 0

    async def recv(self):
        return await self.queue.get()

    async def run(self):
        self.ready.value = 1
        while True:
            await RisingEdge(self.clock)
            if not self.pin["valid"].value:
                continue
            if self.pin["sop"].value:
                header, data = int(self.pin["hdr"].value).to_bytes(16, "big"), b""
            dws = bin(int(self.pin["strb"].value)).count("1")
            data += int(self.pin["data"].value).to_bytes(self.beat, "little")[:4 * dws]
            if self.pin["eop"].value:
                tlp = Tlp.unpack_header(header)
                if data:
                    tlp.set_data(data)  # without, Length is what the header says
                await self.queue.put((tlp, int(self.pin["seq"].value)))
