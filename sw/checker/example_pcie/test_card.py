# SPDX-License-Identifier: Apache-2.0
"""The card in a slot: cocotbext-pcie's root complex and its model of the hard core of UltraScale+. The host sets
the IOMMU up by BAR 0; two functions behind the IOMMU put, get and add, at host memory below and above 4 GiB;
the golden model watches the IOMMU."""
import os
import random

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge, with_timeout
from cocotbext.axi import AxiBus, AxiRam, AxiStreamBus, MemoryRegion
from cocotbext.pcie.core import RootComplex
from cocotbext.pcie.core.tlp import CplStatus, Tlp, TlpType
from cocotbext.pcie.core.utils import PcieId
from cocotbext.pcie.xilinx.us import UltraScalePlusPcieDevice

from golden import Checker
from tlp_stream import TlpSink, TlpSource

LOG = 0x8000
LOW, HIGH, LOGGED, NOWHERE = 0x10000, 0x11000, 0x12000, 0x13000  # I/O addresses, a page each
FAR = 0x12_3456_7000                                              # a page of the host above 4 GiB
# functions behind the IOMMU; the card itself gets another id
ONE, TWO = PcieId(5, 0, 0), PcieId(5, 0, 1)
AXI = {"aw": "id addr len size burst valid ready", "w": "data strb last valid ready", "b": "id resp valid ready",
       "ar": "id addr len size burst valid ready", "r": "id data resp last valid ready"}


CREDITS = ("ph", "pd", "nph", "npd", "cplh", "cpld", "sel")


def rests(seed):
    rng = random.Random(seed)
    while True:
        yield rng.random() < 0.4


def touch(dut):
    """Looks every pin up by its name. What cocotb finds by listing (as the buses do) is, in Verilator,
    no port but its copy inside."""
    pins = ["clk", "rst", "dropped", "stray", "plant", "cfg_max_payload", "cfg_max_read_req"]
    pins += [f"m_axi_{channel}{name}" for channel, names in AXI.items() for name in names.split()]
    pins += [f"{bus}_{name}" for bus in ("s_axis_rc", "m_axis_rq", "s_axis_cq", "m_axis_cc")
             for name in ("tdata", "tkeep", "tvalid", "tready", "tlast", "tuser")]
    pins += [f"s_axis_rq_seq_num_{i}" for i in (0, 1, "valid_0", "valid_1")]
    pins += [f"cfg_fc_{name}" for name in CREDITS]
    pins += [f"dev_{stream}_{name}_{take if name == 'ready' else give}"
             for stream, give, take in (("req", "i", "o"), ("cpl", "o", "i"))
             for name in ("valid", "ready", "hdr", "data", "strb", "seq", "sop", "eop")]
    for pin in pins:
        getattr(dut, pin)


class Bench:
    def __init__(self, dut):
        self.dut = dut
        touch(dut)
        dut.plant.value = bool(os.environ.get("PLANT"))
        self.rc = RootComplex()
        config = {f"cfg_fc_{n}": getattr(dut, f"cfg_fc_{n}") for n in CREDITS}
        self.core = UltraScalePlusPcieDevice(
            pcie_generation=3, alignment="dword", rc_straddle=True, max_payload_size=1024, enable_client_tag=True,
            enable_extended_tag=True, user_clk=dut.clk, user_reset=dut.rst,
            rq_bus=AxiStreamBus.from_prefix(dut, "m_axis_rq"), rc_bus=AxiStreamBus.from_prefix(dut, "s_axis_rc"),
            cq_bus=AxiStreamBus.from_prefix(dut, "s_axis_cq"), cc_bus=AxiStreamBus.from_prefix(dut, "m_axis_cc"),
            pcie_rq_seq_num0=dut.s_axis_rq_seq_num_0, pcie_rq_seq_num_vld0=dut.s_axis_rq_seq_num_valid_0,
            pcie_rq_seq_num1=dut.s_axis_rq_seq_num_1, pcie_rq_seq_num_vld1=dut.s_axis_rq_seq_num_valid_1,
            cfg_max_payload=dut.cfg_max_payload, cfg_max_read_req=dut.cfg_max_read_req, **config)
        slot = self.rc.make_port()
        slot.connect(self.core)
        self.passed, slot.downstream_port.rx_handler = slot.downstream_port.rx_handler, self.arrive
        self.core.functions[0].configure_bar(0, 1 << 20)
        self.low, self.far = self.rc.mem_pool.alloc_region(4096), MemoryRegion(4096)
        self.rc.mem_address_space.register_region(self.far, FAR, 4096)
        self.ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=1 << 20)
        self.requests, self.answers = TlpSource(dut, "dev_req", dut.clk), TlpSink(dut, "dev_cpl", dut.clk)
        self.checker, self.lost, self.pieces = Checker(dut.u_iommu, dut.clk, NumPorts=1), 0, {}

    async def arrive(self, tlp):
        """A root port that executes FetchAdd, which cocotbext-pcie's does not know; all else it does."""
        if tlp.fmt_type not in (TlpType.FETCH_ADD, TlpType.FETCH_ADD_64):
            return await self.passed(tlp)
        tlp.release_fc()
        old = int.from_bytes(await self.rc.mem_address_space.read(tlp.address, 8), "little")
        new = old + int.from_bytes(tlp.get_data(), "little") & 2**64 - 1
        await self.rc.mem_address_space.write(tlp.address, new.to_bytes(8, "little"))
        answer = Tlp.create_completion_data_for_tlp(tlp, PcieId(0, 0, 0))
        answer.byte_count = 8
        answer.set_data(old.to_bytes(8, "little"))
        await self.rc.send(answer)

    async def count(self):
        """What px_host throws away."""
        while True:
            await RisingEdge(self.dut.clk)
            self.lost += int(self.dut.dropped.value) + int(self.dut.stray.value)

    async def start(self):
        await FallingEdge(self.dut.rst)
        for part in (self.requests, self.answers, self.checker):
            cocotb.start_soon(part.run())
        cocotb.start_soon(self.count())
        await ClockCycles(self.dut.clk, 20)
        await self.rc.enumerate()
        device = self.rc.find_device(self.core.functions[0].pcie_id)
        await device.enable_device()
        await device.set_master()
        self.bar = device.bar_window[0]

    def poke(self, addr, value):
        self.ram.write(addr, value.to_bytes(8, "little"))

    async def translate(self):
        """Tables for both functions, in the card's memory; registers by the bus."""
        low = self.low.get_absolute_address(0)
        assert low < 1 << 32
        self.poke(0x1050, 0x2001)  # root entry of bus 5
        for function in (0, 1):
            self.poke(0x2000 + 16 * function, 0x3001)
            self.poke(0x2008 + 16 * function, 0x010a)
        for table in (3, 4, 5):
            self.poke(table << 12, (table << 12) + 0x1003)
        self.poke(0x6080, low | 3)
        self.poke(0x6088, FAR | 3)
        self.poke(0x6090, 0x8050_0000_0000_1181 | FAR)     # puts into the log of IUID 5
        self.poke(0x6098, 0x70_0000_0003)                  # a page of the host where nothing is
        await self.bar.write_dword(0x20, 0x1000)           # RTADDR
        await self.bar.write_dword(0x24, 0)
        await self.bar.write_dword(0x18, 0x40000000)       # GCMD: set the root pointer, then translate
        await self.bar.write_dword(0x18, 0x80000000)
        await self.bar.write_dword(0x1010, 0x551)          # AA_CTL: Active Access on
        await self.bar.write_dword(0x2000, LOG)            # log 0: 4 KiB, IUID 5, open
        await self.bar.write_dword(0x2004, 0)
        await self.bar.write_dword(0x2008, 0x000c_0005)
        await self.bar.write_dword(0x200c, 0x8000_0000)
        assert await self.bar.read_dword(0) == 0x10, "VER"
        assert (await self.bar.read_dword(0x2008) == 0x000c_0005
                and await self.bar.read_dword(0x200c) & 1 << 31), "log 0 is open"

    async def put(self, who, addr, data):
        tlp = Tlp()
        tlp.fmt_type, tlp.requester_id = TlpType.MEM_WRITE, who
        tlp.set_addr_be_data(addr, data)
        await self.requests.send(tlp)

    async def ask(self, who, addr, length, tag, kind=TlpType.MEM_READ, data=None):
        tlp = Tlp()
        tlp.fmt_type, tlp.requester_id, tlp.tag = kind, who, tag
        if data is None:
            tlp.set_addr_be(addr, length)
        else:
            tlp.set_addr_be_data(addr, data)
            tlp.first_be = tlp.last_be = 0  # reserved in an AtomicOp
        await self.requests.send(tlp)

    async def answer(self):
        """The next answer that is whole: the host may send it in pieces, and those of another request between them."""
        while True:
            tlp, _ = await with_timeout(self.answers.recv(), 50, "us")
            if tlp.status != CplStatus.SC:
                return tlp
            whose = tlp.requester_id, tlp.tag
            before = self.pieces.pop(whose, b"")
            tlp.set_data(before + bytes(tlp.get_data()))
            if tlp.byte_count <= len(tlp.get_data()) - len(before) - (tlp.lower_address & 3):
                return tlp
            self.pieces[whose] = bytes(tlp.get_data())


@cocotb.test()
async def a_card(dut):
    b = Bench(dut)
    await b.start()
    await b.translate()

    # both sides of 4 GiB, where the IOMMU makes headers of three and of four DWs
    for page, memory in ((LOW, b.low), (HIGH, b.far)):
        data = bytes(range(1, 201))
        await b.put(ONE, page + 0x104, data)
        await b.ask(ONE, page + 0x104, 200, 3)
        got = await b.answer()
        assert (got.status == CplStatus.SC and got.tag == 3 and got.requester_id == ONE
                and bytes(got.get_data()) == data), got
        assert await memory.read(0x104, 200) == data, "in the host's memory"
    assert await b.far.read(0, 4) == bytes(4)

    # two functions with one tag at once; each gets its own
    await b.put(ONE, LOW, b"one's   ")
    await b.put(ONE, HIGH, b"two's   ")
    await b.ask(ONE, LOW, 8, 9)
    await b.ask(TWO, HIGH, 8, 9)
    got = {(a.requester_id, a.tag): bytes(a.get_data()) for a in (await b.answer(), await b.answer())}
    assert got == {(ONE, 9): b"one's   ", (TWO, 9): b"two's   "}, got

    # an AtomicOp, behind the put of what it adds to
    await b.put(TWO, HIGH + 0x40, (2**64 - 1).to_bytes(8, "little"))
    await b.ask(TWO, HIGH + 0x40, 8, 7, TlpType.FETCH_ADD, (5).to_bytes(8, "little"))
    got = await b.answer()
    assert got.tag == 7 and int.from_bytes(got.get_data(), "little") == 2**64 - 1, got
    assert int.from_bytes(await b.far.read(0x40, 8), "little") == 4

    # refused by the IOMMU; and by the host, whose answer is no damaged TLP
    await b.ask(ONE, 0x30000, 4, 1)
    assert (await b.answer()).status == CplStatus.UR
    await b.ask(TWO, NOWHERE, 4, 2)
    got = await b.answer()
    assert got.status == CplStatus.UR and got.tag == 2 and got.requester_id == TWO, got

    # a put that goes to a log and not to the host; the host reads the producer pointer by its bus
    await b.put(ONE, LOGGED + 0x18, b"rings it")
    for _ in range(200):
        if await b.bar.read_dword(0x10000) == 32:
            break
    assert await b.bar.read_dword(0x10000) == 32, "LP_PROD of log 0"
    assert b.ram.read(LOG + 16, 8) == b"rings it"
    assert await b.far.read(0x18, 8) != b"rings it"
    assert b.lost == 0, "px_host threw nothing away"
    b.checker.end()


@cocotb.test()
async def order(dut):
    """A get never passes the put in front of it, however slow the core is; all tags are in use."""
    b = Bench(dut)
    await b.start()
    await b.translate()
    b.core.rq_sink.set_pause_generator(rests(1))
    b.core.rc_source.set_pause_generator(rests(2))
    rng, want = random.Random(3), {}
    for i in range(120):
        at, data = 16 * i, rng.randbytes(8)  # each its own word, for a later put may pass a get
        page, who = rng.choice((LOW, HIGH)), rng.choice((ONE, TWO))
        await b.put(who, page + at, data)
        for _ in range(rng.randrange(3)):
            await b.put(who, page + 2048 + at, rng.randbytes(8))
        while (who, i % 32) in want:
            got = await b.answer()
            assert bytes(got.get_data()) == want.pop((got.requester_id, got.tag)), got
        want[who, i % 32] = data
        await b.ask(who, page + at, 8, i % 32)
    while want:
        got = await b.answer()
        assert bytes(got.get_data()) == want.pop((got.requester_id, got.tag)), got
    assert b.lost == 0
    b.checker.end()
