# SPDX-License-Identifier: Apache-2.0
"""Fabrics, processes, memory, connections, requests, events."""
import builtins
import collections
import threading
import weakref

import numpy as np

from tocsin import active, tasks
from tocsin._tocsin import ffi, lib
from tocsin.core import (Error, FabricCore, MemoryCore, Part, ProcessCore, Remote, base_of, called, check,
                         give_back_late, local, us, waits)

Event = collections.namedtuple("Event", "kind value index status connection data", defaults=(None,))
Event.__doc__ = """What has happened to a process: kind is one of lib.TOC_EVENT_*; connection is ours, or None;
data: the bytes of a message (TOC_EVENT_RECV), where they lie in its buffer."""
Seen = collections.namedtuple("Seen", "kind node ns address value data")
Seen.__doc__ = "What a listener hears: kind is one of lib.TOC_SEEN_*; data is a copy."


def remote_of(r):
    r = r.remote if isinstance(r, Region) else r
    return {"addr": r.address, "key": r.key}


class Region(Part):
    """Memory that peers may use, until it is closed or its process is; keeps its array."""

    def __init__(self, process, array, remote):
        super().__init__(process, remote)
        self._array = array
        self.remote = Remote(remote.addr, remote.key)

    def __add__(self, offset):
        return self.remote + offset

    def close(self):
        if self._c is not None:
            status = lib.toc_hide(self._process.c, self._drop()[0])
            self._array = None  # behind it: memory that is exposed is not given back
            if status != lib.TOC_E_ARG:  # a peer has hidden it (send), which is as good
                check(status)


class Request:
    """A request under way; it need not be waited for. Keeps the array that it reads or writes."""

    def __init__(self, connection, c, array):
        self._connection, self._c, self._array = connection, c, array

    def wait(self, timeout=None):
        """Raises how it ended, if not well."""
        self._connection._settle(waits(lib.toc_wait, self._of_open(), timeout=timeout))

    @property
    def done(self):
        return bool(lib.toc_done(self._of_open()))

    def _of_open(self):
        return self._connection.c and self._c[0]


class Connection(Part):
    """A connection; arrays must stay as they are until a request has ended."""

    def _post(self, call, array, *args):
        r = ffi.new("toc_req *")
        status = call(self.c, *args, r)
        if status == lib.TOC_OK:
            self._keep((r, array))
        self._settle(status)
        return Request(self, r, array)

    def _keep(self, request):
        """With the array that it needs, until it has ended. Other threads do so as well."""
        with self._lock:
            self._under_way.append(request)
        oldest = request
        while oldest is not None:
            with self._lock:
                oldest = self._under_way[0] if self._under_way else None
            if oldest is None or not lib.toc_done(oldest[0][0]):  # without the lock: it may run handlers
                return
            with self._lock:
                if self._under_way and self._under_way[0] is oldest:
                    self._under_way.popleft()

    def __init__(self, process, c):
        super().__init__(process, c)
        self._under_way = collections.deque()
        self._lock = threading.Lock()
        self.peer = 0                          # Process.index at the other end

    def put(self, array, to, imm=None):
        """imm: a number for the owner, who gets lib.TOC_EVENT_IMM; array None: the number alone."""
        ptr, n = local(array, False) if array is not None else (ffi.NULL, 0)
        if imm is None:
            return self._post(lib.toc_put, array, ptr, remote_of(to), n)
        return self._post(lib.toc_put_imm, array, ptr, remote_of(to), n, imm)

    def send(self, array, imm=None, hide=None):
        """A message into the peer's next receive buffer. imm: a number with it; hide: the key of a region
        that the peer loses."""
        ptr, n = local(array, False) if array is not None else (ffi.NULL, 0)
        if hide is not None:
            return self._post(lib.toc_send_inv, array, ptr, n, hide)
        if imm is not None:
            return self._post(lib.toc_send_imm, array, ptr, n, imm)
        return self._post(lib.toc_send, array, ptr, n)

    def task(self, index, queue=0, args=b"", payload=None, function=False, process=None, arg2=0, arg3=0, grid=(1,),
             workgroup=(1,)):
        """A task for the peer: kernel (or function) `index` of its table, in its queue `queue`. args: bytes,
        a multiple of 16; payload: an array. process: the peer's Process.index, by default that of tocsin.connect.
        The request ends when the task is enqueued."""
        ptr, n = local(payload, False) if payload is not None else (ffi.NULL, 0)
        args = ffi.from_buffer(args)
        t = ffi.new("xtq_task *", {"function": function, "index": index, "queue": queue, "args": args,
                                   "args_bytes": len(args), "arg2": arg2, "arg3": arg3, "payload": ptr,
                                   "payload_bytes": n})
        t.process = self.peer if process is None else process
        for i, (g, w) in enumerate(zip(grid, workgroup)):
            t.grid[i], t.workgroup[i] = g, w
        return self._post(lib.xtq_put, payload, t)

    def get(self, array, source):
        ptr, n = local(array, True)
        return self._post(lib.toc_get, array, ptr, remote_of(source), n)

    def fetch_add(self, old, to, add):
        """old: eight bytes for the value of before."""
        return self._post(lib.toc_fetch_add, old, self._word(old), remote_of(to), add)

    def compare_swap(self, old, to, compare, swap):
        return self._post(lib.toc_compare_swap, old, self._word(old), remote_of(to), compare, swap)

    @staticmethod
    def _word(array):
        ptr, n = local(array, True)
        if n != 8:
            raise ValueError("an atomic gives back eight bytes")
        return ffi.cast("uint64_t *", ptr)

    def wait(self, timeout=None):
        """All requests so far; raises the first error that nobody has waited for."""
        self._settle(waits(lib.toc_wait_all, self.c, timeout=timeout))

    def flush(self, page, timeout=None):
        """Returns when what this connection has put into the log of that page (Log.flush_page) has been read."""
        self._settle(lib.toc_flush(self.c, remote_of(page), us(timeout)))

    def resume(self):
        """After a request that failed: goes on with what was posted behind it."""
        check(lib.toc_qp_resume(self.c))

    def close(self):
        if self._c is not None:
            lib.toc_qp_close(self._drop())
            self._under_way.clear()


class Process:
    """A process of a node."""

    def __init__(self, core):
        self._open = core
        self._parts = set()
        self._buffers = {}  # receive buffers, by number
        self._posting = threading.Lock()
        self._placed = {}   # arrays, by the address of the page that they are under

    @property
    def _core(self):
        if self._open is None:
            raise ValueError("this process is closed")
        return self._open

    @property
    def c(self):
        return self._core.c

    @property
    def index(self):
        return lib.toc_proc_index(self.c)

    def alloc(self, shape, dtype=np.uint8, rights=lib.TOC_READ | lib.TOC_WRITE):
        """An array of zeros in DMA memory, given back when it and all its views, regions and rules are gone."""
        dtype, shape = np.dtype(dtype), (shape,) if np.isscalar(shape) else tuple(shape)
        if dtype.hasobject:
            raise TypeError("devices see bytes, not Python objects")
        return MemoryCore(self._core, int(np.prod(shape, dtype=np.int64)) * dtype.itemsize, rights).array(shape, dtype)

    def expose(self, array, rights=lib.TOC_READ | lib.TOC_WRITE):
        """A region of an array for peers."""
        r = ffi.new("toc_remote *")
        ptr, n = local(array, False)
        check(lib.toc_expose(self.c, ptr, n, rights, r))
        return Region(self, array, r)

    def expose_at(self, address, size, rights=lib.TOC_READ | lib.TOC_WRITE):
        """A region of I/O virtual addresses, whose memory comes and goes by `place`. With PAGED a get of a page that
        a rule blocks is asked for again by the hardware of who has asked, until the page is there."""
        r = ffi.new("toc_remote *")
        check(lib.toc_expose_iova(self.c, address, size, rights, r))
        return Region(self, None, r)

    def place(self, address, array, rights=lib.TOC_READ | lib.TOC_WRITE):
        """A page of an array of `alloc` under this address, None: nothing any more. Its rule blocks puts and gets
        meanwhile; when this returns nothing uses what was there before."""
        ptr = ffi.NULL
        if array is not None:
            ptr, n = local(array, False)
            if n < 4096 or base_of(array) is None:
                raise ValueError("not a page of an array of Process.alloc")
        check(lib.toc_place(self.c, address, ptr, rights if array is not None else 0))
        if array is None:
            self._placed.pop(address, None)
        else:
            self._placed[address] = array

    def address(self, array):
        """The I/O virtual address of an array's first byte."""
        p = ffi.new("uint64_t *")
        check(lib.toc_iova(self.c, local(array, False)[0], p))
        return p[0]

    def log(self, size=65536, automatic=False, drop=False):
        """automatic: handlers run in every call that waits on this fabric."""
        return active.Log(self, size, automatic, drop)

    def queue(self, number=0, packets=64, multi=False, automatic=True):
        """A queue for tasks of peers, entered as `number`. automatic: they run in every call that waits on this fabric;
        else by Queue.run. multi: the program enqueues as well."""
        return tasks.Queue(self, number, packets, multi, automatic)

    def feed(self, count=2, size=65536):
        """A ring of buffers for the arguments and payloads of tasks, posted again as they are used up.
        With it there is no receive_into: both take buffers of the process."""
        check(lib.xtq_feed_buffers(self.c, count, size))

    def event(self, timeout=None):
        """The next event, or None if none comes in time."""
        e = ffi.new("toc_event *")
        self._core.fabric.settle(lib.TOC_OK)  # not behind an event, which would be lost
        s = waits(lib.toc_event_next, self.c, e, timeout=timeout)
        if s == lib.TOC_E_TIMEOUT:
            self._core.fabric.settle(lib.TOC_OK)
            return None
        check(s)
        mine = [q for q in list(self._parts) if isinstance(q, Connection) and q._c == e.qp]
        return Event(e.kind, e.value, e.index, e.status, mine[0] if e.qp and mine else None, self._message(e))

    def wake(self):
        """Ends a wait of event(), which gives TOC_EVENT_WAKE; by any thread."""
        check(lib.toc_event_wake(self.c))

    def _message(self, e):
        with self._posting:  # one that is just posted is among them then
            if e.kind == lib.TOC_EVENT_BUFFER:
                self._buffers.pop(e.index - 8, None)  # of the last ones a message may still be to be told of
            buffer = self._buffers.get(e.index) if e.kind == lib.TOC_EVENT_RECV else None
        if buffer is None:
            return None
        at = int(ffi.cast("uintptr_t", e.ptr)) - buffer.ctypes.data
        return buffer.reshape(-1).view(np.uint8)[at:at + e.bytes]

    def receive_into(self, array, least=None):
        """Posts a receive buffer and returns its number. It is used up (TOC_EVENT_BUFFER) when less than least bytes
        are left, by default with its first message."""
        number = ffi.new("uint32_t *")
        ptr, n = local(array, True)
        with self._posting:
            check(lib.toc_recv_post(self.c, ptr, n, n if least is None else least, number))
            self._buffers[number[0]] = array
        return number[0]

    def withdraw(self):
        """Takes back the receive buffers in which nothing has begun: their arrays."""
        count = ffi.new("uint32_t *")
        with self._posting:
            check(lib.toc_recv_withdraw(self.c, count))
            newest = sorted(self._buffers)[len(self._buffers) - count[0]:]
            return [self._buffers.pop(number) for number in newest]

    def close(self):
        """Closes its connections, logs and regions; arrays that are still there keep their memory."""
        if self._open is None:
            return
        failures = []
        for part in list(self._parts):
            try:
                part.close()
            except Error as e:
                failures.append(e)
        if self._buffers:
            lib.toc_recv_withdraw(self.c, ffi.new("uint32_t *"))
            self._buffers.clear()
        self._open = None
        if failures:
            raise failures[0]


class Fabric:
    """A backend and the nodes that it reaches; see tocsin.open."""

    def __init__(self, core):
        self._open = core
        self._processes = weakref.WeakSet()

    @property
    def _core(self):
        if self._open is None:
            raise ValueError("this fabric is closed")
        return self._open

    @property
    def c(self):
        return self._core.c

    def process(self, node=0):
        n = lib.toc_node_at(self.c, node)
        if not n:
            raise IndexError(f"there is no node {node}")
        p = Process(ProcessCore(self._core, n))
        self._processes.add(p)
        return p

    def progress(self):
        """Lets a backend in process run for a moment; False: nothing moved."""
        moved = bool(lib.toc_progress(self.c))
        self.check()
        return moved

    def check(self):
        """Raises what a handler has raised and nobody has got yet."""
        self._core.settle(lib.TOC_OK)

    def listen(self, call):
        """call(Seen) for all that devices and wires do, from now on; None: no more. It must not call the library."""
        core = self._core
        handle = ffi.new_handle((weakref.ref(core), call)) if call else ffi.NULL
        with core.listens:
            lib.toc_listen(core.c, lib.tocsin_py_see if call else ffi.NULL, handle)
            core.listener = handle

    @property
    def now(self):
        """Seconds of the backend's time."""
        return lib.toc_now(self.c) / 1e9

    def close(self):
        if self._open is None:
            return
        try:
            self.listen(None)
            for p in list(self._processes):
                p.close()
        finally:
            self._open = None
            give_back_late()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


def hear(ctx, s):
    ref, call = ffi.from_handle(ctx)
    core = ref()
    if core:
        core.guard(lambda: call(Seen(s.kind, s.node, s.ns, s.addr, s.value,
                                     bytes(ffi.buffer(s.data, s.bytes)) if s.data else b"")))


@ffi.def_extern()
def tocsin_py_see(ctx, s):
    called("listener", hear, ctx, s)


def open(backend=None, **options):  # noqa: A001
    """Opens a fabric: the fields of toc_options by name (nodes=2, seed=7,
    timeout_us=1000, progress=tocsin.lib.TOC_PROGRESS_THREAD)."""
    o, text = ffi.new("toc_options *"), []
    for name, value in {"backend": backend, **options}.items():
        if name in ("see", "see_ctx") or not builtins.hasattr(o, name):
            raise TypeError(f"toc_options has no '{name}'")
        if name in ("backend", "path", "link"):
            if value is None:
                continue
            value = ffi.new("char[]", str(value).encode())
            text.append(value)  # until it is open
        setattr(o, name, value)
    return Fabric(FabricCore(o))


def connect(a, b):
    """Both ends of a connection between two processes."""
    qa, qb = ffi.new("toc_qp **"), ffi.new("toc_qp **")
    check(lib.toc_connect(a.c, b.c, qa, qb))
    ends = Connection(a, qa[0]), Connection(b, qb[0])
    ends[0].peer, ends[1].peer = b.index, a.index
    return ends
