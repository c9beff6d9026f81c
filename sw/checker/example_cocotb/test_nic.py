# SPDX-License-Identifier: Apache-2.0
"""xtq_nic between a MAC of cocotbext-eth and memory behind TLPs of cocotbext-pcie: the golden model gets the same
registers and frames, and must send the same frames and leave the same memory."""
import os

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamBus
from cocotbext.eth import EthMac, EthMacFrame
from cocotbext.pcie.core.tlp import Tlp, TlpType
from cocotbext.pcie.core.utils import PcieId

from golden_nic import READ_REQUEST, WRITE_ONLY, Node, build
from tlp_stream import TlpSink, TlpSource
from waves import Recorder, compare

ME, PEER = (0x10, 0x0a000001), (0x11, 0x0a000002)  # MAC, IP
QP, PROC, PSN, KEY, DATA, SIZE = 1, 1, 0xfffffe, 0xabcd03, 0x10000, 0x8000
QP_AT = 0x10000 + 256 * QP
REGISTERS = [(0x10, ME[0]), (0x18, ME[1]), (0x20, 0x100), (0x28, 0x200),       # MAC, IP, QP numbers, requester id
             # region 3: read, write, atomic
             (0x4060, DATA), (0x4068, SIZE), (0x4070, 1 << 63 | 7 << 40 | PROC << 32 | KEY),
             (QP_AT + 0x08, PEER[0]), (QP_AT + 0x10, PEER[1] | (0x10109 << 32)), (QP_AT + 0x18, PSN),
             (QP_AT + 0x20, 0x1000), (QP_AT + 0x28, 4 | 0xc000 << 16),
             (QP_AT, 0xffff << 48 | 7 << 28 | 7 << 24 | 1 << 8 | PROC << 4 | 1)]


AXIL = {"aw": "addr valid ready", "w": "data strb valid ready", "b": "resp valid ready", "ar": "addr valid ready",
        "r": "data resp valid ready"}


def touch(dut):
    """Looks every pin up by its name. What cocotb finds by listing (as the buses do) is, in Verilator,
    no port but its copy inside."""
    for channel, names in AXIL.items():
        for name in names.split():
            getattr(dut, f"s_axil_{channel}{name}")
    for name in "data keep valid ready last".split():
        getattr(dut, f"rx_t{name}"), getattr(dut, f"tx_t{name}")
    dut.rx_tuser
    for stream, give, take in (("dev_req", "o", "i"), ("dev_cpl", "i", "o")):
        for name in "valid ready hdr data strb seq sop eop".split():
            getattr(dut, f"{stream}_{name}_{take if name == 'ready' else give}")


class Memory:
    """A host that takes the NIC's writes and answers its reads."""

    def __init__(self, dut):
        self.bytes = bytearray(1 << 18)
        self.up, self.down = TlpSink(dut, "dev_req", dut.clk_i), TlpSource(dut, "dev_cpl", dut.clk_i)

    async def run(self):
        cocotb.start_soon(self.up.run())
        cocotb.start_soon(self.down.run())
        while True:
            tlp, seq = await self.up.recv()
            if tlp.fmt_type in (TlpType.MEM_WRITE, TlpType.MEM_WRITE_64):
                at = tlp.address + tlp.get_first_be_offset()
                data = bytes(tlp.get_data())[tlp.get_first_be_offset():][:tlp.get_be_byte_count()]
                self.bytes[at:at + len(data)] = data
            else:
                cpl = Tlp.create_completion_data_for_tlp(tlp, PcieId(0, 0, 0))
                cpl.byte_count, cpl.lower_address = tlp.get_be_byte_count(), tlp.get_lower_address()
                cpl.set_data(bytes(self.bytes[tlp.address:tlp.address + 4 * tlp.length]))
                await self.down.send(cpl, seq)


async def bench(dut):
    """The NIC after its registers: MAC, registers, memory, the golden model of the same."""
    touch(dut)
    cocotb.start_soon(Clock(dut.clk_i, 10, units="ns").start())
    dut.rst_ni.value = 0
    mac = EthMac(tx_bus=AxiStreamBus.from_prefix(dut, "tx"), tx_clk=dut.clk_i, tx_rst=dut.rst_ni,
                 rx_bus=AxiStreamBus.from_prefix(dut, "rx"), rx_clk=dut.clk_i, rx_rst=dut.rst_ni,
                 reset_active_level=False, speed=25e9)
    regs = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_ni, reset_active_level=False)
    memory = Memory(dut)
    golden = Node(bytearray(memory.bytes))
    await ClockCycles(dut.clk_i, 4)
    dut.rst_ni.value = 1
    cocotb.start_soon(memory.run())
    await ClockCycles(dut.clk_i, 600)
    for addr, value in REGISTERS:
        await regs.write_qword(addr, value)
        golden.write(addr, value)
    return mac, regs, memory, golden


COMMON = {"mac": ME[0], "ip": ME[1], "qp": 0x100 << 8 | QP, "rkey": KEY, "ack_req": True}


@cocotb.test()
async def writes_and_reads(dut):
    mac, regs, memory, golden = await bench(dut)
    for addr in (0x00, 0x08, QP_AT, QP_AT + 0x18):
        assert await regs.read_qword(addr) == golden.read(addr), f"register {addr:x}"

    payload = bytes(i * 7 & 255 for i in range(200))
    requests = [build(golden.lib, PEER, payload, opcode=WRITE_ONLY, psn=PSN, va=DATA + 9, length=200, **COMMON),
                build(golden.lib, PEER, b"by RDMA", opcode=WRITE_ONLY, psn=PSN + 1, va=DATA + 0x100,
                      length=7, **COMMON),
                build(golden.lib, PEER, opcode=READ_REQUEST, psn=0, va=DATA + 9, length=200, **COMMON),
                build(golden.lib, PEER, b"wrong", opcode=WRITE_ONLY, psn=1, va=DATA + SIZE, length=5, **COMMON)]
    for request in requests:
        golden.receive(request)
        await mac.rx.send(EthMacFrame(request))
    if os.environ.get("PLANT"):
        golden.frames[0] = golden.frames[0][:-1] + bytes([golden.frames[0][-1] ^ 1])
    assert len(golden.frames) == 4, "two acknowledgements, an answer with data, a refusal"
    for i, want in enumerate(golden.frames):
        got = bytes((await with_timeout(mac.tx.recv(), 50, "us")).data)[:len(want)]
        if os.environ.get("PLANT"):
            assert got != want
            return dut._log.info("the plant was found")
        assert got == want, f"frame {i}: got {got.hex()}, want {want.hex()}"
    await ClockCycles(dut.clk_i, 100)
    assert memory.bytes == golden.memory, "memory differs"
    assert memory.bytes[DATA + 9:DATA + 209] == payload and memory.bytes[DATA + 0x100:DATA + 0x107] == b"by RDMA"


@cocotb.test(skip=bool(os.environ.get("PLANT")))
async def timing(dut):
    """The diagram of the integration guide: a write of 40 bytes, and its acknowledgement."""
    mac, _, _, golden = await bench(dut)
    request = build(golden.lib, PEER, bytes(40), opcode=WRITE_ONLY, psn=PSN, va=DATA, length=40, **COMMON)
    pins = [(f"{stream}_{n}_{o if n == 'ready' else i}", f"{bus}_t{n}")
            for stream, bus, i, o in (("s_axis", "rx", "i", "o"), ("m_axis", "tx", "o", "i"))
            for n in ("valid", "ready", "last")]
    keep = [(f"{stream}_keep", f"{bus}_tkeep", 0, 32, f"{bus}_tvalid")
            for stream, bus in (("s_axis", "rx"), ("m_axis", "tx"))]
    recorder = Recorder(dut, *pins[:3], keep[0], "dev_req_valid_o",
                        ("  hdr[127:120]", "dev_req_hdr_o", 120, 8, "dev_req_valid_o"), *pins[3:], keep[1])
    cocotb.start_soon(recorder.run())
    await ClockCycles(dut.clk_i, 2)
    await mac.rx.send(EthMacFrame(request))
    await with_timeout(mac.tx.recv(), 50, "us")
    await ClockCycles(dut.clk_i, 2)
    compare("frame", recorder.text())
