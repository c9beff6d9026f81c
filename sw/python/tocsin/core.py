# SPDX-License-Identifier: Apache-2.0
"""How calls fail, and what owns the objects of C: each is closed when nothing refers to it any more,
and what is in it keeps it."""
import atexit
import collections
import enum
import math
import os
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


def waits(call, *args, timeout):
    """What call(*args, microseconds) gives. To wait for ever is to wait again and again: signals come in between."""
    if timeout != FOREVER:
        return call(*args, us(timeout))
    status = lib.TOC_E_TIMEOUT
    while status == lib.TOC_E_TIMEOUT:
        status = call(*args, 0)
    return status


class Inside(threading.local):
    """What of the program this thread runs for the library."""
    listener = handler = False


inside = Inside()
late = collections.deque()  # what must not be given back from there: soon after


def called(what, call, *args):
    """Runs call, which C has called; nothing that it refers to outlives it."""
    before = getattr(inside, what)
    setattr(inside, what, True)
    try:
        call(*args)
    finally:
        setattr(inside, what, before)


def give_back_late():
    while late and not (inside.listener or inside.handler):
        try:
            late.popleft().give_back()
        except IndexError:  # another thread has
            return


atexit.register(give_back_late)


class Core:
    """Of C, and given back when nothing refers to it any more. A collector runs where it likes: a listener must not
    call the library, from a handler no process is closed, and in a child of fork() all is its parent's."""

    waits_for_handlers = True

    def __init__(self):
        self.pid = os.getpid()

    def __del__(self):
        if inside.listener or (inside.handler and self.waits_for_handlers):
            late.append(self)
        else:
            self.give_back()

    def is_ours(self):
        return self.pid == os.getpid()


class FabricCore(Core):
    """The fabric of C, what handlers have raised, and what C may call."""

    def __init__(self, options):
        super().__init__()
        p = ffi.new("toc_fabric **")
        self.c = None
        give_back_late()
        check(lib.toc_open(options, p))
        self.c = p[0]
        self.raised = collections.deque()
        self.lock = threading.Lock()
        self.listens = threading.Lock()  # what C calls, and `listener`, are set together
        self.listener = None

    def give_back(self):
        if self.c and self.is_ours():
            c, self.c = self.c, None
            lib.toc_close(c)

    def settle(self, status):
        """Behind calls that may have run handlers: raises what those have raised first, then what the call says."""
        error = failed(status) if status != lib.TOC_OK else None
        give_back_late()
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


class ProcessCore(Core):
    def __init__(self, fabric, node):
        super().__init__()
        p = ffi.new("toc_proc **")
        self.c = None
        self.fabric = fabric
        check(lib.toc_proc_open(node, p))
        self.c = p[0]
        self.kept = []  # handlers of rules that could not be taken away

    def give_back(self):
        if self.c and self.fabric.c and self.is_ours():  # a collector may take the fabric first
            c, self.c = self.c, None
            lib.toc_proc_close(c)


class MemoryCore(Core):
    """What an array lies in: the base of all its views."""

    waits_for_handlers = False

    def __init__(self, process, size, rights):
        super().__init__()
        p = ffi.new("void **")
        self.ptr = None
        self.process = process
        check(lib.toc_alloc(process.c, size, rights, p))
        self.ptr = p[0]

    def give_back(self):
        if self.ptr and self.process.c and self.process.fabric.c and self.is_ours():
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
