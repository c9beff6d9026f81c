# SPDX-License-Identifier: Apache-2.0
"""The golden model of xtq_nic by ctypes (tocsin/nic.h, tocsin/nic_frame.h): a NIC of its own, beside or
opposite to the hardware."""
import ctypes as c
import os

GOOD, FRAME_MAX = 0, 14 + 40 + 32 + 4096 + 4
WRITE_ONLY, READ_REQUEST, READ_ONLY, ACK = 0x0a, 0x0c, 0x10, 0x11


class Config(c.Structure):
    _fields_ = [(n, c.c_uint) for n in ("NumProcs", "NumQps", "Contexts", "NumMrs", "RespDepth", "Replay",
                                        "Window", "Requests", "TableBits", "TableCache", "RecvDepth",
                                        "NumLogs", "Frames")]


class Job(c.Structure):  # its beginning; the model gives it, by a pointer
    _fields_ = [("src", c.c_uint8), ("op", c.c_uint8), ("rid", c.c_uint16), ("va", c.c_uint64), ("n", c.c_uint32)]


class Ip6(c.Structure):
    _fields_ = [("hi", c.c_uint64), ("lo", c.c_uint64)]


class Self(c.Structure):
    _fields_ = [("mac", c.c_uint64), ("ip", c.c_uint32), ("tos", c.c_uint8), ("ip6", Ip6)]


class Head(c.Structure):
    _fields_ = [("mac", c.c_uint64), ("ip", c.c_uint32), ("port", c.c_uint16), ("opcode", c.c_uint8), ("se", c.c_bool),
                ("ack_req", c.c_bool), ("pkey", c.c_uint16), ("qp", c.c_uint32), ("psn", c.c_uint32),
                ("va", c.c_uint64), ("rkey", c.c_uint32), ("length", c.c_uint32), ("imm", c.c_uint32),
                ("swap", c.c_uint64), ("compare", c.c_uint64), ("syndrome", c.c_uint8), ("msn", c.c_uint32),
                ("xtq_kind", c.c_uint8), ("xtq_proc", c.c_uint16), ("xtq_args", c.c_uint32), ("xtq_pay", c.c_uint32),
                ("bytes", c.c_uint16), ("v6", c.c_bool), ("ip6", Ip6), ("tag", c.c_bool), ("tci", c.c_uint16),
                ("ce", c.c_bool)]


ON_JOB = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(Job))
ON_WRITE = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(Job), c.c_void_p)
ON_FRAME = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_size_t)


class Ops(c.Structure):
    _fields_ = [("write", ON_WRITE), ("read", ON_JOB), ("atomic", ON_JOB), ("frame", ON_FRAME),
                ("task_done", c.c_void_p), ("retire", c.c_void_p)]


def library():
    lib = c.CDLL(os.environ["TOCSIN_MODEL"])
    lib.nic_frame_build.restype = c.c_size_t
    lib.nic_reg_read.argtypes = [c.c_void_p, c.c_uint32, c.POINTER(c.c_uint64)]
    lib.nic_reg_write.argtypes = [c.c_void_p, c.c_uint32, c.c_uint64, c.c_uint]
    return lib


class Node:
    """A NIC that runs by itself over `memory`, a bytearray; `frames` is what it has sent."""

    def __init__(self, memory):
        self.lib, self.memory, self.frames = library(), memory, []
        config = Config()
        self.lib.nic_config_default(c.byref(config))
        self.ops = Ops(ON_WRITE(self.on_write), ON_JOB(self.on_read), ON_JOB(), ON_FRAME(self.on_frame))
        self.h = c.c_void_p()
        status = self.lib.nic_new(c.byref(config), c.byref(self.ops), None, c.byref(self.h))
        assert status == 0, f"nic_new: {status}"

    def on_write(self, _, job, data):
        j = job[0]
        self.memory[j.va:j.va + j.n] = c.string_at(data, j.n)

    def on_read(self, _, job):
        j = job[0]
        self.lib.nic_read_done(self.h, j.src, bytes(self.memory[j.va:j.va + j.n]), c.c_size_t(j.n), False)

    def on_frame(self, _, data, n):
        self.frames.append(c.string_at(data, n))

    def write(self, addr, value):
        assert self.lib.nic_reg_write(self.h, addr, value, 255) == 0, f"{addr:x}"

    def read(self, addr):
        value = c.c_uint64()
        assert self.lib.nic_reg_read(self.h, addr, c.byref(value)) == 0, f"{addr:x}"
        return value.value

    def receive(self, frame):
        assert self.lib.nic_rx(self.h, frame, c.c_size_t(len(frame)), False) == 0
        self.lib.nic_run(self.h)


def build(lib, me, payload=b"", **head):
    """A frame from `me`, (MAC, IP)."""
    out = c.create_string_buffer(FRAME_MAX)
    h = Head(port=0xc000, pkey=0xffff, bytes=len(payload), **head)
    n = lib.nic_frame_build(c.byref(Self(*me, 0)), c.byref(h), payload, out)
    assert n, "a head that makes no frame"
    return out.raw[:n]
