# SPDX-License-Identifier: Apache-2.0
"""aa_iommu between a device, a root complex of cocotbext-pcie and memory of cocotbext-axi; the golden model watches."""
import os

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AddressSpace, AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam, MemoryRegion
from cocotbext.pcie.core import RootComplex
from cocotbext.pcie.core.tlp import CplStatus, Tlp, TlpType
from cocotbext.pcie.core.utils import PcieId

from golden import Checker
from tlp_stream import TlpSink, TlpSource
from waves import Recorder, compare

LOG, PAGE, ALSO = 0x8000, 0x10000, 0x11000  # a log; I/O addresses of an open page and of one whose puts are logged


class Root(RootComplex):
    """A root complex whose other side is the IOMMU's host port."""

    def __init__(self, dut):
        super().__init__()
        self.up, self.down, self.seen = TlpSink(dut, "host_req", dut.clk_i), TlpSource(dut, "host_cpl", dut.clk_i), []

    async def downstream_send(self, tlp):
        await self.down.send(tlp)

    async def listen(self):
        while True:
            tlp, _ = await self.up.recv()
            self.seen.append(tlp)
            await self.downstream_recv(tlp)


AXI = {"aw": "id addr len size burst cache prot valid ready", "w": "data strb last valid ready",
       "b": "id resp valid ready", "ar": "id addr len size burst cache prot valid ready",
       "r": "id data resp last valid ready"}
AXIL = {"aw": "addr valid ready", "w": "data strb valid ready", "b": "resp valid ready", "ar": "addr valid ready",
        "r": "data resp valid ready"}
STREAM = "valid ready hdr data strb seq sop eop"


def touch(dut):
    """Looks every pin up by its name. What cocotb finds by listing (as the buses do) is, in Verilator,
    no port but its copy inside."""
    for prefix, channels in (("m_axi", AXI), ("s_axil", AXIL)):
        for channel, names in channels.items():
            for name in names.split():
                getattr(dut, f"{prefix}_{channel}{name}")
    for stream, give, take in (("dev_req", "i", "o"), ("host_cpl", "i", "o"), ("dev_cpl", "o", "i"),
                               ("host_req", "o", "i")):
        for name in STREAM.split():
            getattr(dut, f"{stream}_{name}_{take if name == 'ready' else give}")


class Bench:
    def __init__(self, dut):
        self.dut = dut
        touch(dut)
        cocotb.start_soon(Clock(dut.clk_i, 10, units="ns").start())
        for pin in ("host_cpl_error_i", "dev_reset_i", "task_done_valid_i", "task_done_log_i", "rst_ni"):
            getattr(dut, pin).value = 0
        dut.host_np_ready_i.value = dut.task_ready_i.value = 1
        self.ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk_i, dut.rst_ni, reset_active_level=False,
                          size=1 << 20)
        self.regs = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_ni,
                                  reset_active_level=False)
        self.host, space = MemoryRegion(1 << 20), AddressSpace(2**64)
        space.register_region(self.host, 0, 1 << 20)
        self.root = Root(dut)
        self.root.mem_address_space = space  # its own is laid out for devices' BARs
        self.requests, self.answers = TlpSource(dut, "dev_req", dut.clk_i), TlpSink(dut, "dev_cpl", dut.clk_i)
        self.checker = Checker(dut, NumPorts=1)

    async def start(self):
        await ClockCycles(self.dut.clk_i, 4)
        for part in (self.root.up, self.root.down, self.requests, self.answers, self.checker):
            cocotb.start_soon(part.run())
        cocotb.start_soon(self.root.listen())
        self.dut.rst_ni.value = 1

    def poke(self, addr, value):
        self.ram.write(addr, value.to_bytes(8, "little"))

    async def translate(self, task=0):
        """Tables for 01:00.0: PAGE to 20000h, read and write; ALSO the same page, read alone, puts
        into the log of IUID 5."""
        self.poke(0x1010, 0x2001)
        self.poke(0x2000, 0x3001)
        self.poke(0x2008, 0x010a)
        for table in (3, 4, 5):
            self.poke(table << 12, (table << 12) + 0x1003)
        self.poke(0x6080, 0x20003)
        self.poke(0x6088, 0x8050_0000_0002_1181)
        await self.regs.write_qword(0x20, 0x1000)       # RTADDR
        await self.regs.write_dword(0x18, 0x40000000)   # GCMD: set the root pointer, then translate
        await self.regs.write_dword(0x18, 0x80000000)
        await self.regs.write_dword(0x1010, 0x551)      # AA_CTL: Active Access on
        await self.regs.write_qword(0x2000, LOG)        # log 0: 4 KiB, IUID 5, open
        await self.regs.write_qword(0x2008, 0x8000_0000_000c_0005 | task << 28)  # LOG_CFG.TASK

    async def put(self, addr, data, seq=0):
        tlp = Tlp()
        tlp.fmt_type, tlp.requester_id = TlpType.MEM_WRITE, PcieId(1, 0, 0)
        tlp.set_addr_be_data(addr, data)
        await self.requests.send(tlp, seq)

    async def get(self, addr, length, tag):
        tlp = Tlp()
        tlp.fmt_type, tlp.requester_id, tlp.tag = TlpType.MEM_READ, PcieId(1, 0, 0), tag
        tlp.set_addr_be(addr, length)
        await self.requests.send(tlp, seq=7)
        answer, _ = await with_timeout(self.answers.recv(), 20, "us")
        assert answer.tag == tag, answer
        return answer


@cocotb.test()
async def puts_and_gets(dut):
    """What a device writes and reads goes where the tables say, and into the log; nothing differs
    from the golden model."""
    b = Bench(dut)
    await b.start()
    await b.translate()
    await b.put(PAGE + 8, b"in order")
    data = bytes(range(200))
    await b.put(PAGE + 0x100, data)
    answer = await b.get(PAGE + 8, 8, 3)
    assert answer.status == CplStatus.SC and bytes(answer.get_data()) == b"in order", answer
    assert (await b.host.read(0x20100, 200)) == data
    assert b.root.seen[0].address == 0x20008, b.root.seen[0]

    await b.put(ALSO + 0x18, b"rings it")
    await with_timeout(published(b), 20, "us")
    assert b.ram.read(LOG + 16, 8) == b"rings it"
    assert int.from_bytes(b.ram.read(LOG, 8), "little") == ALSO + 0x18
    assert len(b.root.seen) == 3, "a put that is redirected must not reach the host"

    refused = await b.get(0x30000, 4, 4)
    assert refused.status == CplStatus.UR, refused
    await reset_amid_get(b)
    await b.put(PAGE + 0x20, b"after it")
    await ClockCycles(dut.clk_i, 100)
    assert (await b.host.read(0x20020, 8)) == b"after it"
    if os.environ.get("PLANT"):
        return await planted(b)
    b.checker.end()


@cocotb.test(skip=bool(os.environ.get("PLANT")))
async def timing(dut):
    """The diagrams of the integration guide."""
    b = Bench(dut)

    async def draw(name, what, cycles, *rows):
        recorder = Recorder(dut, *rows)
        cocotb.start_soon(recorder.run())
        await ClockCycles(dut.clk_i, 2)
        await what
        await ClockCycles(dut.clk_i, cycles)
        compare(name, recorder.text())

    def value(label, pin, bits, valid=None, lsb=0):
        return (label, pin, lsb, bits, valid)

    limits = (value("crd_ph_o", "crd_ph_o", 8), value("crd_pd_o", "crd_pd_o", 12))
    sent = value("  hdr[63:32]", "dev_req_hdr_i", 32, "dev_req_valid_i", 32)
    left = value("  hdr[63:32]", "host_req_hdr_o", 32, "host_req_valid_o", 32)
    await draw("reset", b.start(), 20, "rst_ni", "dev_req_ready_o", *limits)
    await ClockCycles(dut.clk_i, 600)
    await draw("register", b.regs.write_dword(0x1010, 0x551), 4, "s_axil_awvalid", "s_axil_awready",
               value("s_axil_awaddr", "s_axil_awaddr", 20, "s_axil_awvalid"), "s_axil_wvalid", "s_axil_wready",
               value("s_axil_wstrb", "s_axil_wstrb", 8, "s_axil_wvalid"), "s_axil_bvalid", "s_axil_bready")
    await b.translate(task=1)
    await b.put(PAGE, b"tables!!")  # from here on the translation hits
    await b.put(ALSO, b"tables!!")
    await with_timeout(published(b), 20, "us")
    await draw("put", b.put(PAGE + 8, bytes(40)), 20, "dev_req_valid_i", "dev_req_ready_o", "dev_req_sop_i",
               "dev_req_eop_i", sent,
               value("dev_req_strb_i", "dev_req_strb_i", 8, "dev_req_valid_i"), "host_req_valid_o", "host_req_sop_o",
               "host_req_eop_o", left, *limits)
    await draw("log", b.put(ALSO + 8, b"rings it"), 24, "dev_req_valid_i", sent, "host_req_valid_o", "m_axi_awvalid",
               "m_axi_awready",
               value("m_axi_awaddr", "m_axi_awaddr", 64, "m_axi_awvalid"),
               value("m_axi_awcache", "m_axi_awcache", 4, "m_axi_awvalid"),
               "m_axi_wvalid", "m_axi_wready", "m_axi_wlast", "m_axi_bvalid")
    await draw("get", b.get(PAGE + 8, 8, 3), 2, "dev_req_valid_i", sent,
               value("dev_req_seq_i", "dev_req_seq_i", 8, "dev_req_valid_i"),
               "host_req_valid_o", left, value("host_req_seq_o", "host_req_seq_o", 8, "host_req_valid_o"),
               "host_cpl_valid_i", "host_cpl_ready_o", "dev_cpl_valid_o", "dev_cpl_ready_i")
    await draw("task", done(dut), 8, "task_done_valid_i",
               value("task_done_log_i", "task_done_log_i", 5, "task_done_valid_i"),
               "task_valid_o", "task_ready_i", *(value(f"task_{n}_o", f"task_{n}_o", bits, "task_valid_o")
                                                 for n, bits in (("log", 5), ("prod", 32), ("cons", 32))))
    b.checker.end()


async def reset_amid_get(b):
    """A device is reset while the host has its read: nobody gets the answer."""
    tlp = Tlp()
    tlp.fmt_type, tlp.requester_id, tlp.tag = TlpType.MEM_READ, PcieId(1, 0, 0), 5
    tlp.set_addr_be(PAGE, 8)
    await b.requests.send(tlp)
    while not b.dut.host_req_valid_o.value:
        await RisingEdge(b.dut.clk_i)
    b.dut.dev_reset_i.value = 1
    await ClockCycles(b.dut.clk_i, 4)
    b.dut.dev_reset_i.value = 0
    await ClockCycles(b.dut.clk_i, 100)
    assert b.answers.queue.empty(), "a read of before the reset is answered"


async def done(dut):
    """The XTQ has enqueued the task of the first record of log 0."""
    dut.task_done_valid_i.value = 1
    await RisingEdge(dut.clk_i)
    dut.task_done_valid_i.value = 0


async def published(b):
    while await b.regs.read_qword(0x10000) != 32:  # LP_PROD of log 0
        await RisingEdge(b.dut.clk_i)


async def planted(b):
    """PLANT=1: the checker is told of one bit less than the pins say, and must not be content."""
    get = b.checker.get
    b.checker.get = lambda name: get(name) ^ (0x1000 << 32 if name == "host_req_hdr_o" else 0)
    await b.put(PAGE + 0x40, b"what")
    await ClockCycles(b.dut.clk_i, 100)
    report = b.checker.report()
    assert report and "stream host_req" in report and "header" in report, report
    b.dut._log.info("the plant was found:\n%s", report)
