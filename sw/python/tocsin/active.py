# SPDX-License-Identifier: Apache-2.0
"""Logs, and rules whose handlers are Python functions."""
import weakref

import numpy as np

from tocsin._tocsin import ffi, lib
from tocsin.core import Part, Remote, base_of, called, check, failed, local, waits


class Access:
    """What a record says; a copy, which stays good. data is None where there was none to be recorded."""

    __slots__ = ("address", "bytes", "data", "denied", "kind", "log", "requester", "tag")

    def __init__(self, a, log):
        self.kind, self.address, self.bytes = a.kind, a.addr, a.bytes
        self.data = bytes(ffi.buffer(a.data, a.bytes)) if a.data else None
        self.denied, self.requester, self.tag, self.log = bool(a.denied), a.requester, a.tag, log

    @property
    def is_put(self):
        return self.kind == lib.TOC_PUT

    def array(self, dtype=np.uint8):
        """Its data, as an array."""
        if self.data is None:
            raise ValueError("this access was recorded without data")
        return np.frombuffer(self.data, dtype)


class Rule:
    """What pages say, until it or its log is closed."""

    def __init__(self, log, array, iova, size, handle):
        self._log, self._array, self._iova, self._size, self._handle = log, array, iova, size, handle

    def close(self):
        """The pages are plain memory again."""
        if self._log is None:
            return
        log, self._log = self._log, None
        process = log._process
        # waits for the handler, if another thread runs it
        status = lib.toc_dissociate(process.c, self._iova, self._size)
        log._rules.discard(self)
        if status != lib.TOC_OK:
            process._core.kept.append(self._handle)
        self._array = None
        check(status)


class Log(Part):
    """A log; its rules live with it."""

    def __init__(self, process, size, automatic, drop):
        o, p = ffi.new("toc_log_options *"), ffi.new("toc_log **")
        o.bytes, o.automatic, o.drop = size, automatic, drop
        check(lib.toc_log_open(process.c, o, p))
        super().__init__(process, p[0])
        self._rules = set()

    def on(self, where, put=0, get=0, call=None):
        """Accesses to an array of Process.alloc (its pages), or to (address, bytes), are logged here: call(Access)
        for each, in the thread that runs the log. What it raises comes out of the next call that runs
        or waits for something."""
        array = where if isinstance(where, np.ndarray) else None
        if array is not None:
            iova, size = self._process.address(array), -(-local(array, False)[1] // 4096) * 4096
            if base_of(array) is None:
                raise ValueError("not an array of Process.alloc")
        else:
            iova, size = where
        for old in self._rules:
            if iova < old._iova + old._size and old._iova < iova + size:
                raise ValueError("these pages have a rule of this log: close that first")
        core = self._process._core.fabric
        handle = ffi.new_handle((weakref.ref(core), weakref.ref(self), call)) if call else ffi.NULL
        rule = ffi.new("toc_rule *", {"put": put, "get": get, "log": self.c, "arg": handle})
        if call:
            rule.handler = lib.tocsin_py_handler
        status = lib.toc_associate_iova(self._process.c, iova, size, rule)
        if status == lib.TOC_E_TIMEOUT:  # it stands all the same: a handler of before does not end
            error = failed(status)
            if lib.toc_dissociate(self._process.c, iova, size) != lib.TOC_OK:
                self._process._core.kept.append(handle)
            raise error
        check(status)
        made = Rule(self, array, iova, size, handle)
        self._rules.add(made)
        return made

    def run(self, most=0):
        """Runs the handlers of the records that are there, at most `most` (0: all); how many there were."""
        n = ffi.new("unsigned *")
        self._settle(lib.toc_log_run_count(self.c, most, n))
        return n[0]

    def wait(self, timeout=None):
        """Until there is a record; False: none has come in time."""
        s = waits(lib.toc_log_wait, self.c, timeout=timeout)
        self._settle(lib.TOC_OK if s == lib.TOC_E_TIMEOUT else s)
        return s == lib.TOC_OK

    def accesses(self):
        """The records that are there, without handlers; their space is given back."""
        a, out = ffi.new("toc_access *"), []
        while lib.toc_log_next(self.c, a):
            out.append(Access(a, self))
        check(lib.toc_log_release(self.c))
        return out

    def flush_page(self):
        """For the flushes of peers (Connection.flush)."""
        r = ffi.new("toc_remote *")
        check(lib.toc_flush_page(self.c, r))
        return Remote(r.addr, r.key)

    @property
    def unread(self):
        """Bytes of records."""
        return lib.toc_log_unread(self.c)

    def close(self):
        """TimedOut: it does not drain, and is open; close it again."""
        if self._c is None:
            return
        status = lib.toc_log_close(self._c)
        if status not in (lib.TOC_E_TIMEOUT, lib.TOC_E_IN_USE):
            self._drop()
        if status != lib.TOC_OK:
            self._process._core.kept.append(self._rules)
        else:
            for r in self._rules:
                r._log = r._array = None
            self._rules.clear()
        check(status)


def handle(arg, a):
    core, log, call = ffi.from_handle(arg)
    core, log = core(), log()
    if core and log:
        core.guard(lambda: call(Access(a, log)))


@ffi.def_extern()
def tocsin_py_handler(arg, a):
    called("handler", handle, arg, a)
