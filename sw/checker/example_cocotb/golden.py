# SPDX-License-Identifier: Apache-2.0
"""The golden model looks over a test bench's shoulder, by ctypes: Python's aa_checker.sv.

    checker = golden.Checker(dut, NumPorts=1, Window=8, ...)     every parameter of the IOMMU that is not as by default
    cocotb.start_soon(checker.run())                             of an IOMMU inside: Checker(dut.u_iommu,
                                                                 clock=dut.clk_i, ...)
    ...
    checker.end()                                                raises AssertionError with the report
                                                                 of the first difference

It reads the pins of aa_iommu at each rising edge and drives none. The library is tocsin_dpi.c of `pkg-config
--variable=share tocsin`, compiled with -shared -fPIC; TOCSIN_CHECKER names it.
"""
import ctypes
import os
import weakref

from cocotb.triggers import RisingEdge

DEFAULTS = {"NumPorts": 1, "Window": 8, "Walkers": 4, "IotlbEntries": 64, "IotlbWays": 4, "IotlbRandom": 0,
            "SpEntries": 4, "CtxEntries": 16, "PscEntries": 8, "NumLogs": 8, "LogDepth": 16, "TagEntries": 32,
            "FlushPages": 4, "FlushWaiters": 8, "ScratchWords": 16, "ActiveAccess": 1, "DataW": 256, "Retire": 1}
DEV_REQ, HOST_CPL, HOST_REQ, DEV_CPL = range(4)
SLOTS, RECORD = 9, 157  # aa_pkg::RetireSlots, aa_pkg::RetireW


def words(value, bits):
    n = -(-bits // 32)
    return (ctypes.c_uint32 * n)(*(value >> 32 * i & 0xffffffff for i in range(n)))


class Checker:
    def __init__(self, dut, clock=None, **parameters):
        wrong = [name for name in parameters if name not in DEFAULTS]
        if wrong:
            raise TypeError(f"no parameter of the IOMMU: {', '.join(wrong)}; there are {', '.join(DEFAULTS)}")
        self.lib = ctypes.CDLL(os.environ["TOCSIN_CHECKER"])
        self.lib.tocsin_new.restype = ctypes.c_void_p
        self.lib.tocsin_report.restype = ctypes.c_char_p
        self.dut, self.clock, self.cycles, self.ended = dut, clock or dut.clk_i, 0, False
        self.reset, self.blind = 0, False
        self.p = {**DEFAULTS, **parameters}
        self.h = ctypes.c_void_p(self.lib.tocsin_new(*map(int, self.p.values())))
        weakref.finalize(self, self.lib.tocsin_free, self.h)

    def get(self, name):
        return int(getattr(self.dut, name).value)

    def call(self, name, *args):
        getattr(self.lib, f"tocsin_{name}")(self.h, *args)

    def fired(self, channel):
        return self.get(f"{channel}valid") and self.get(f"{channel}ready")

    def beat(self, stream, name, taken_side, port, err=0):
        """One beat; `taken_side` is o for what the IOMMU takes, i for what it gives."""
        give = "i" if taken_side == "o" else "o"
        width = self.p["DataW"]

        def field(n, bits):
            return self.get(f"{name}_{n}_{give}") >> bits * port & (1 << bits) - 1
        if not field("valid", 1):
            return
        taken = self.get(f"{name}_ready_{taken_side}") >> port & 1
        if give == "o" and not taken:
            return
        flags = field("sop", 1) | field("eop", 1) << 1 | err << 2 | taken << 3
        self.call("beat", stream, port, flags, field("seq", 8), field("strb", width // 32),
                  words(field("hdr", 128), 128), words(field("data", width), 512))

    def answers(self):
        if self.fired("m_axi_r"):
            self.call("r", self.get("m_axi_rid"), self.get("m_axi_rresp"), words(self.get("m_axi_rdata"), 512))
        if self.fired("m_axi_b"):
            self.call("b", self.get("m_axi_bid"), self.get("m_axi_bresp") >> 1)
        if self.fired("m_axi_ar"):
            self.call("ar", self.get("m_axi_arid"), ctypes.c_longlong(self.get("m_axi_araddr")),
                      self.get("m_axi_arlen"), self.get("m_axi_arsize"))

    def arrivals(self):
        was, self.reset = self.reset, self.get("dev_reset_i")
        for port in range(self.p["NumPorts"]):
            if (was | self.reset) >> port & 1:
                self.call("level", port, self.reset >> port & 1)
            self.beat(DEV_REQ, "dev_req", "o", port)
        self.beat(HOST_CPL, "host_cpl", "o", 0, self.get("host_cpl_error_i"))
        if self.fired("s_axil_aw"):
            self.call("reg_aw", self.get("s_axil_awaddr"))
        if self.fired("s_axil_w"):
            self.call("reg_w", ctypes.c_longlong(self.get("s_axil_wdata")), self.get("s_axil_wstrb"))
        if self.fired("s_axil_ar"):
            self.call("reg_ar", self.get("s_axil_araddr"))

    def records(self):
        valid = self.get("retire_valid_o")
        if not valid:
            return
        every = self.get("retire_o")
        for i in range(SLOTS):
            if valid >> i & 1:
                self.call("retire", words(every >> RECORD * i & (1 << RECORD) - 1, 160))

    def departures(self):
        if self.fired("m_axi_aw"):
            self.call("aw", self.get("m_axi_awid"), ctypes.c_longlong(self.get("m_axi_awaddr")),
                      self.get("m_axi_awlen"), self.get("m_axi_awsize"))
        if self.fired("m_axi_w"):
            self.call("w", words(self.get("m_axi_wdata"), 512), ctypes.c_longlong(self.get("m_axi_wstrb")),
                      self.get("m_axi_wlast"))
        self.beat(HOST_REQ, "host_req", "i", 0)
        for port in range(self.p["NumPorts"]):
            self.beat(DEV_CPL, "dev_cpl", "i", port, self.get("dev_cpl_error_o") >> port & 1)
        if self.fired("s_axil_b"):
            self.call("reg_b", self.get("s_axil_bresp"))
        if self.fired("s_axil_r"):
            self.call("reg_r", ctypes.c_longlong(self.get("s_axil_rdata")), self.get("s_axil_rresp"))
        if self.p["Retire"]:
            if self.get("task_valid_o") and self.get("task_ready_i"):
                self.call("task", self.get("task_log_o"), self.get("task_prod_o"))
            if self.get("task_done_valid_i"):
                self.call("task_done", self.get("task_done_log_i"))
            waits = (not self.get("host_np_ready_i"), self.get("m_axi_awvalid") or self.get("m_axi_wvalid"),
                     self.get("dev_cpl_valid_o"), self.get("host_req_valid_o"))
            self.call("shown", sum(bool(w) << 3 - i for i, w in enumerate(waits)))

    async def run(self):
        while not self.ended:
            await RisingEdge(self.clock)
            if not self.get("rst_ni"):
                self.cycles = self.reset = 0
                self.blind = False
                continue
            self.call("cycle" if self.cycles else "reset")
            self.cycles += 1
            self.answers()
            self.arrivals()
            if self.p["Retire"]:
                self.records()
            self.departures()
            if self.lib.tocsin_failed(self.h):
                break
            if self.lib.tocsin_blind(self.h) and not self.blind:
                self.blind = True
                self.dut._log.warning("flush page, AA_RESET or reset amid a read, without retire port: "
                                      "nothing is compared from here")

    def report(self):
        """The first difference, or None."""
        return self.lib.tocsin_report(self.h).decode() if self.lib.tocsin_failed(self.h) else None

    def end(self):
        self.ended = True
        self.call("end")
        assert self.cycles > 0, "the checker has seen no cycle: was run() started?"
        assert not self.report(), "\n" + self.report()
