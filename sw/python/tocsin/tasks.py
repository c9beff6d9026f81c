# SPDX-License-Identifier: Apache-2.0
"""XTQ: queues whose tasks are run by an agent in software, and kernels and functions that are Python functions."""
import weakref

import numpy as np

from tocsin._tocsin import ffi, lib
from tocsin.core import Part, base_of, called, check, local, waits


class Task:
    """What a kernel is told; its payload and arguments are there while it runs (ValueError: no more). target
    is the array of its registration, or None."""

    __slots__ = ("_c", "arg", "function", "index", "target")

    def __init__(self, c, target):
        self._c, self.target, self.function, self.index, self.arg = c, target, c.function, c.index, tuple(c.arg)

    def _there(self):
        if self._c is None:
            raise ValueError("this Task has run: copy its payload and arguments before")
        return self._c

    def _copy(self, pointer, shape, dtype):
        dtype, shape = np.dtype(dtype), (shape,) if np.isscalar(shape) else tuple(shape)
        if not pointer:
            return None
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        return np.frombuffer(bytes(ffi.buffer(pointer, size)), dtype).reshape(shape)

    def payload(self, shape, dtype=np.uint8):
        """A copy of the first of its payload, None if it has none. How long that is the two have to agree on."""
        return self._copy(self._there().payload, shape, dtype)

    def args(self, shape, dtype=np.uint8):
        """The same of a kernel's arguments; the first 16 bytes are the target's and the payload's address."""
        return self._copy(self._there().args, shape, dtype)


class Kernel:
    """An entry of a process's table of kernels, or of functions, until it or its queue is closed."""

    def __init__(self, queue, index, function, target, call):
        process = queue._process
        self._queue, self._index, self._function, self._target = queue, index, function, target
        signal = ffi.new("aql_signal **")
        check(lib.xtq_signal_open(process.c, 0, signal))
        self._signal = signal[0]
        self._handle = ffi.new_handle((weakref.ref(process._core.fabric), target, call))
        code = ffi.new("xtq_code *", {"signal": self._signal})
        code.code = lib.toc_agent_code(queue._agent, lib.tocsin_py_kernel, self._handle)
        if target is not None:
            code.target = local(target, False)[0]
        enter = lib.xtq_register_function if function else lib.xtq_register_kernel
        status = enter(process.c, index, code) if code.code else lib.TOC_E_NOMEM
        if status != lib.TOC_OK:
            lib.xtq_signal_close(process.c, self._signal)
        check(status)

    def _open(self):
        if self._queue is None:
            raise ValueError("this Kernel is closed")
        return self._queue

    @property
    def runs(self):
        """How often it has run; what it raised counts as well."""
        self._open()
        return -self._signal.value

    def wait(self, runs, timeout=None):
        """Until it has run so often since it was made."""
        queue = self._open()
        queue._settle(waits(lib.xtq_signal_wait, queue._process.c, self._signal, -runs, timeout=timeout))

    def close(self):
        """Tasks that name it are refused. What is in the queue still runs."""
        if self._queue is None:
            return
        queue, process = self._queue, self._queue._process
        leave = lib.xtq_unregister_function if self._function else lib.xtq_unregister_kernel
        check(leave(process.c, self._index))
        self._queue = None
        queue._kernels.discard(self)
        queue._gone.append(self)  # a packet may name its signal and its code: they go with the queue

    def _forget(self, process):
        lib.xtq_signal_close(process.c, self._signal)


class Queue(Part):
    """A queue of tasks, entered in the table of its process under a number, and the agent that runs them."""

    def __init__(self, process, number, packets, multi, automatic):
        o, q, a = ffi.new("xtq_queue_options *",
                          {"packets": packets, "multi": multi}), ffi.new("xtq_queue **"), ffi.new("toc_agent **")
        check(lib.xtq_queue_open(process.c, o, q))
        status = lib.toc_agent_open(q[0], automatic, a)
        if status == lib.TOC_OK:
            status = lib.xtq_register_queue(process.c, number, q[0])
        if status != lib.TOC_OK:
            lib.xtq_queue_close(q[0])
        check(status)
        super().__init__(process, q[0])
        self.number, self._agent, self._kernels, self._gone = number, a[0], set(), []

    def kernel(self, index, call, target=None):
        """Tasks for this index run call(Task); target: an array of Process.alloc that they get. What it raises comes
        out of the next call that runs or waits for something."""
        return self._enter(index, call, target, False)

    def function(self, index, call, target=None):
        """The same for agent dispatches, in a table of their own."""
        return self._enter(index, call, target, True)

    def _enter(self, index, call, target, function):
        self.c  # noqa: B018: it must be open
        if target is not None and base_of(target) is None:
            raise ValueError("not an array of Process.alloc")
        made = Kernel(self, index, function, target, call)
        self._kernels.add(made)
        return made

    def run(self, most=0):
        """Runs tasks that are there, at most `most` (0: all), in this thread; how many there were."""
        n = ffi.new("unsigned *")
        self.c  # noqa: B018
        self._settle(lib.toc_agent_run(self._agent, most, n))
        return n[0]

    def close(self):
        """What is in it and has not run is lost."""
        if self._c is None:
            return
        for k in list(self._kernels):
            k.close()
        process = self._process
        status = lib.xtq_queue_close(self._c)  # waits for the kernel that is running
        if status == lib.TOC_OK:
            for k in self._gone:
                k._forget(process)
            self._gone = []
        else:
            process._core.kept.append((self._gone, self._kernels))
        if status not in (lib.TOC_E_TIMEOUT, lib.TOC_E_IN_USE):  # then it is open, and may be closed again
            self._drop()
        check(status)


def run(call, task):
    try:
        call(task)
    finally:
        task._c = None


def handle(arg, c):
    core, target, call = ffi.from_handle(arg)
    core = core()
    if core:
        core.guard(run, call, Task(c, target))


@ffi.def_extern()
def tocsin_py_kernel(arg, c):
    called("handler", handle, arg, c)
