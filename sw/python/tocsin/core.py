# SPDX-License-Identifier: Apache-2.0
"""How calls fail, and what owns the objects of C: each is closed when nothing refers to it any more,
and what is in it keeps it."""
import collections
import enum
import math
import threading

import numpy as np

from tocsin._tocsin import ffi, lib

FOREVER = math.inf

Status = enum.IntEnum("Status", {ffi.string(lib.toc_name(s)).decode(): s for s in range(lib.TOC_E_COUNT)})
Status.__doc__ = "What C functions return, by its names (TOC_E_ACCESS)."


class Error(Exception):
    """A call has failed: `status` and `name` say how; the text is the library's sentence about it."""

    def __init__(self, status, why=None):
        super().__init__(why or ffi.string(lib.toc_why()).decode() or ffi.string(lib.toc_text(status)).decode())
        self.status = Status(status)
        self.name = self.status.name


class TimedOut(Error, TimeoutError):
    """TOC_E_TIMEOUT."""


def failed(status):
    return TimedOut(status) if status == lib.TOC_E_TIMEOUT else Error(status)


def check(status):
    if status != lib.TOC_OK:
        raise failed(status)


def us(seconds):
    if seconds is None:
        return 0
    if seconds == FOREVER:
        return lib.TOC_FOREVER
    if not seconds >= 0:
        raise ValueError("a time-out is not negative")
    return max(1, round(seconds * 1e6))


class FabricCore:
    """The fabric of C, what handlers have raised, and what C may call."""

    def __init__(self, options):
        p = ffi.new("toc_fabric **")
        self.c = None
        check(lib.toc_open(options, p))
        self.c = p[0]
        self.raised = collections.deque()
        self.lock = threading.Lock()
        self.listener = None

    def __del__(self):
        if self.c:
            c, self.c = self.c, None
            lib.toc_close(c)

    def settle(self, status):
        """Behind calls that may have run handlers: raises what those have raised first, then what the call says."""
        error = failed(status) if status != lib.TOC_OK else None
        with self.lock:
            raised = self.raised.popleft() if self.raised else None
        if raised:
            raise raised
        if error:
            raise error

    def guard(self, call, *args):
        """Runs what the program has given the library; what it raises does not go through C."""
        try:
            call(*args)
        except BaseException as e:  # noqa: BLE001: it is raised by settle()
            with self.lock:
                self.raised.append(e)


class ProcessCore:
    def __init__(self, fabric, node):
        p = ffi.new("toc_proc **")
        self.c = None
        self.fabric = fabric
        check(lib.toc_proc_open(node, p))
        self.c = p[0]
        self.kept = []  # handlers of rules that could not be taken away

    def __del__(self):
        if self.c and self.fabric.c:  # a collector may take the fabric first
            c, self.c = self.c, None
            lib.toc_proc_close(c)


class MemoryCore:
    """What an array lies in: the base of all its views."""

    def __init__(self, process, size, rights):
        p = ffi.new("void **")
        self.ptr = None
        self.process = process
        check(lib.toc_alloc(process.c, size, rights, p))
        self.ptr = p[0]

    def __del__(self):
        if self.ptr and self.process.c and self.process.fabric.c:
            lib.toc_free(self.process.c, self.ptr)

    def array(self, shape, dtype):
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str,
                                    "data": (int(ffi.cast("uintptr_t", self.ptr)), False)}
        made = np.asarray(self).view(dtype)
        del self.__array_interface__
        return made


def base_of(array):
    """The MemoryCore that an array is a view of, or None."""
    while isinstance(array, np.ndarray):
        array = array.base
    return array if isinstance(array, MemoryCore) else None


def local(array, written):
    """(pointer, bytes) of an array that a request reads or writes."""
    if not isinstance(array, np.ndarray):
        raise TypeError("requests take NumPy arrays of Process.alloc, or parts of them")
    if not array.flags.c_contiguous:
        raise ValueError("a request takes memory in one piece: this array is not C-contiguous")
    if written and not array.flags.writeable:
        raise ValueError("this array must not be written")
    return ffi.cast("void *", array.ctypes.data), array.nbytes


class Remote(collections.namedtuple("Remote", "address key")):
    """Memory of a process as its peers name it; plain data. `remote + 8` is 8 bytes further."""

    __slots__ = ()

    def __add__(self, offset):
        return Remote(self.address + offset, self.key)


class Part:
    """Something of a process, open until it is closed or its process is."""

    def __init__(self, process, c):
        self._process = process
        self._c = c
        process._parts.add(self)

    @property
    def c(self):
        """The object of the C interface; ValueError: it is closed."""
        if self._c is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._c

    def _settle(self, status):
        self._process._core.fabric.settle(status)

    def _drop(self):
        c, self._c = self._c, None
        self._process._parts.discard(self)
        return c

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()
