# SPDX-License-Identifier: Apache-2.0
"""Tocsin for Python: machines, processes, puts and gets between them, and memory that rings a bell.

    import numpy as np
    import tocsin

    with tocsin.open(nodes=2) as f:
        here, there = f.process(0), f.process(1)
        qp, back = tocsin.connect(here, there)
        mine, its = here.alloc(512, np.uint64), there.alloc(512, np.uint64)
        log = there.log()
        log.on(its, put=tocsin.REDIRECT, get=tocsin.BLOCK, call=lambda a: print(a.array(np.uint64)))
        mine[0] = 42
        qp.put(mine[:1], there.expose(its)).wait()
        while log.run() == 0 and log.wait():
            pass

Tasks (XTQ) are queues, and kernels that are functions:

        there.feed()
        add = there.queue(0).kernel(42, lambda t: t.target.__iadd__(t.payload(1, np.uint64)), target=its[:1])
        qp.task(42, payload=mine[:1]).wait()   # it is enqueued
        add.wait(1)                            # it has run

Memory is NumPy arrays over DMA memory; any contiguous part of one can be put and got. Time-outs are seconds
of the backend's time; None is the fabric's default, math.inf for ever. What fails raises tocsin.Error: `status`,
`name` ("TOC_E_ACCESS"), and the library's sentence. What a handler raises comes out of the next call that runs or waits
for something on the fabric (or of Fabric.check); the log goes on.

Closing a fabric (or leaving its `with`) closes all that is in it; arrays that are still there keep their memory until
the last one is gone. `tocsin.lib` and `tocsin.ffi` are the whole C interface, for what these classes do not have.
"""
from tocsin._tocsin import ffi, lib
from tocsin.active import Access, Log, Rule
from tocsin.core import FOREVER, Error, Remote, Status, TimedOut
from tocsin.fabric import Connection, Event, Fabric, Process, Region, Request, Seen, connect, open  # noqa: A004
from tocsin.tasks import Kernel, Queue, Task

NOTHING, COUNT, LOG, BLOCK, REDIRECT, WATCH = (lib.TOC_SEE_NOTHING, lib.TOC_COUNT, lib.TOC_LOG, lib.TOC_BLOCK,
                                               lib.TOC_REDIRECT, lib.TOC_WATCH)
READ, WRITE, ATOMIC, PAGED = lib.TOC_READ, lib.TOC_WRITE, lib.TOC_ATOMIC, lib.TOC_PAGED
__version__ = ffi.string(lib.toc_version_text()).decode()
__all__ = ["ATOMIC", "BLOCK", "COUNT", "FOREVER", "LOG", "NOTHING", "PAGED", "READ", "REDIRECT", "WATCH", "WRITE",
           "Access", "Connection", "Error", "Event", "Fabric", "Kernel", "Log", "Process", "Queue", "Region", "Remote",
           "Request", "Rule", "Seen", "Status", "Task", "TimedOut", "connect", "ffi", "lib", "open"]
