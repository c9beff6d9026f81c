# SPDX-License-Identifier: Apache-2.0
"""ax_iommu, the IOMMU in a system of AXI alone: an accelerator (AxiMaster of cocotbext-axi) that knows I/O addresses,
memories behind both of its AXI4 masters, a CPU at its registers; the golden model watches the TLPs inside."""
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiBurstType, AxiBus, AxiLiteBus, AxiLiteMaster, AxiMaster, AxiRam, AxiResp

from golden import Checker

LOG, PAGE, ALSO, NONE = 0x8000, 0x10000, 0x11000, 0x30000  # a log; I/O addresses: open, puts are logged, nothing there
HOST = 0x20000                                              # where PAGE and ALSO lie in memory
RID, OTHER = 0x0100, 0x0200                                 # requester ids, as AxUSER: the second has no tables

AXI = {"aw": "id addr len size burst user valid ready", "w": "data strb last valid ready", "b": "id resp valid ready",
       "ar": "id addr len size burst user valid ready", "r": "id data resp last valid ready"}
AXIL = {"aw": "addr valid ready", "w": "data strb valid ready", "b": "resp valid ready", "ar": "addr valid ready",
        "r": "data resp valid ready"}


def touch(dut):
    """Looks every pin up by its name. What cocotb finds by listing (as the buses do) is, in Verilator,
    no port but its copy inside."""
    for prefix, channels in (("s_axi", AXI), ("d_axi", AXI), ("m_axi", AXI), ("s_axil", AXIL)):
        for channel, names in channels.items():
            for name in names.split():
                if name != "user" or prefix != "m_axi":
                    getattr(dut, f"{prefix}_{channel}{name}")


def idle(rng):
    """Cycles in which a channel rests, now and then."""
    while True:
        yield rng.random() < 0.3


class Bench:
    def __init__(self, dut):
        self.dut, self.rng = dut, random.Random(int(os.environ.get("SEED", "1")))
        touch(dut)
        cocotb.start_soon(Clock(dut.clk_i, 10, units="ns").start())
        for pin in ("rst_ni", "tag_free_i", "cfg_tmo_i"):
            getattr(dut, pin).value = 0
        dut.cfg_mps_i.value = 1   # 256 bytes, as AA_CTL below says
        dut.cfg_mrrs_i.value = 2  # 512

        def at(kind, bus, prefix, **more):
            return kind(bus.from_prefix(dut, prefix), dut.clk_i, dut.rst_ni, reset_active_level=False, **more)
        self.accelerator = at(AxiMaster, AxiBus, "s_axi")
        self.data = at(AxiRam, AxiBus, "d_axi", size=1 << 20)
        self.own = at(AxiRam, AxiBus, "m_axi", size=1 << 20)
        self.regs = at(AxiLiteMaster, AxiLiteBus, "s_axil")
        self.checker = Checker(dut.u_iommu, dut.clk_i, NumPorts=1)  # its own clk_i moves a step later

    def pauses(self):
        for ram in (self.data, self.own):
            for channel in (ram.write_if.aw_channel, ram.write_if.w_channel, ram.write_if.b_channel,
                            ram.read_if.ar_channel, ram.read_if.r_channel):
                channel.set_pause_generator(idle(self.rng))
        for channel in (self.accelerator.write_if.aw_channel, self.accelerator.write_if.w_channel,
                        self.accelerator.write_if.b_channel, self.accelerator.read_if.ar_channel,
                        self.accelerator.read_if.r_channel):
            channel.set_pause_generator(idle(self.rng))

    def poke(self, addr, value):
        self.own.write(addr, value.to_bytes(8, "little"))

    async def start(self):
        """Tables for RID: PAGE to HOST, read and write; ALSO the same page, read alone, puts into the log of IUID 5."""
        await ClockCycles(self.dut.clk_i, 4)
        self.dut.rst_ni.value = 1
        cocotb.start_soon(self.checker.run())
        self.poke(0x1010, 0x2001)
        self.poke(0x2000, 0x3001)
        self.poke(0x2008, 0x010a)
        for table in (3, 4, 5):
            self.poke(table << 12, (table << 12) + 0x1003)
        self.poke(0x6080, HOST | 3)
        self.poke(0x6088, 0x8050_0000_0000_1181 | HOST)
        await self.regs.write_qword(0x20, 0x1000)       # RTADDR
        await self.regs.write_dword(0x18, 0x40000000)   # GCMD: set the root pointer, then translate
        await self.regs.write_dword(0x18, 0x80000000)
        await self.regs.write_dword(0x1010, 0x551)      # AA_CTL: Active Access on
        await self.regs.write_qword(0x2000, LOG)        # log 0: 4 KiB, IUID 5, open
        await self.regs.write_qword(0x2008, 0x8000_0000_000c_0005)

    async def put(self, addr, data, rid=RID, **more):
        answer = await with_timeout(self.accelerator.write(addr, data, user=rid, **more), 200, "us")
        return answer.resp

    async def get(self, addr, length, rid=RID, **more):
        answer = await with_timeout(self.accelerator.read(addr, length, user=rid, **more), 200, "us")
        return answer.resp, answer.data


async def published(b, want):
    while await b.regs.read_qword(0x10000) != want:  # LP_PROD of log 0
        await RisingEdge(b.dut.clk_i)


@cocotb.test()
async def bursts(dut):
    """Bursts are translated; what is refused is an error; what is logged is in the log, and not in memory."""
    b = Bench(dut)
    await b.start()
    assert await b.put(PAGE + 8, b"in order") == AxiResp.OKAY
    resp, data = await b.get(PAGE + 8, 8)  # the read is behind the write
    assert resp == AxiResp.OKAY and data == b"in order", (resp, data)
    assert b.data.read(HOST + 8, 8) == b"in order"

    whole = bytes(b.rng.randrange(256) for _ in range(4096))
    assert await b.put(PAGE, whole) == AxiResp.OKAY
    resp, data = await b.get(PAGE, 4096)
    assert resp == AxiResp.OKAY and data == whole

    # a put into a page whose puts are logged: memory stays as it is
    assert await b.put(ALSO + 0x18, b"rings it") == AxiResp.OKAY
    await with_timeout(published(b, 32), 200, "us")
    assert b.own.read(LOG + 16, 8) == b"rings it"
    assert int.from_bytes(b.own.read(LOG, 8), "little") == ALSO + 0x18
    assert b.data.read(HOST, 4096) == whole

    # what has no page, or no tables, is refused
    assert (await b.get(NONE, 64))[0] == AxiResp.SLVERR
    assert (await b.get(PAGE, 64, rid=OTHER))[0] == AxiResp.SLVERR
    assert await b.put(NONE, bytes(64)) == AxiResp.OKAY, "a posted write has no other answer"
    assert (await b.get(PAGE, 64, burst=AxiBurstType.WRAP))[0] == AxiResp.SLVERR
    await ClockCycles(dut.clk_i, 200)
    assert await b.regs.read_dword(0x34) & 2, "FSTS: the fault log tells of what was blocked"
    assert b.data.read(HOST, 4096) == whole
    if os.environ.get("PLANT"):
        return await planted(b)
    b.checker.end()


@cocotb.test(skip=bool(os.environ.get("PLANT")))
async def many(dut):
    """Bursts of any size and alignment, several at once, while every channel rests now and then."""
    b = Bench(dut)
    await b.start()
    b.pauses()
    want = bytearray(4096)
    b.data.write(HOST, bytes(want))
    for _ in range(3):
        # side by side, in pieces of the page of their own
        jobs = []
        for part in range(4):
            at = part * 1024 + b.rng.randrange(200)
            data = bytes(b.rng.randrange(256) for _ in range(1 + b.rng.randrange(800)))
            want[at:at + len(data)] = data
            jobs.append(cocotb.start_soon(b.put(PAGE + at, data, size=b.rng.choice((0, 2, 3, 5)))))
        for job in jobs:
            assert await job == AxiResp.OKAY
        reads = []
        for _ in range(4):
            at = b.rng.randrange(4000)
            length = 1 + b.rng.randrange(min(4096 - at, 900))
            reads.append((at, length, cocotb.start_soon(b.get(PAGE + at, length, size=b.rng.choice((0, 3, 5))))))
        for at, length, job in reads:
            resp, data = await job
            assert resp == AxiResp.OKAY and data == want[at:at + length], (at, length)
    assert b.data.read(HOST, 4096) == bytes(want)
    b.checker.end()


async def planted(b):
    """PLANT=1: the checker is told of one bit less than the pins say, and must not be content."""
    get = b.checker.get
    b.checker.get = lambda name: get(name) ^ (0x1000 << 32 if name == "host_req_hdr_o" else 0)
    await b.put(PAGE + 0x40, b"what")
    await ClockCycles(b.dut.clk_i, 100)
    report = b.checker.report()
    assert report and "stream host_req" in report and "header" in report, report
    b.dut._log.info("the plant was found:\n%s", report)
