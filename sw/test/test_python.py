# SPDX-License-Identifier: Apache-2.0
"""The package as it is installed: `make sw-python`."""
import gc
import math
import os
import signal
import threading
import time
import unittest
import weakref

import numpy as np
import tocsin
from tocsin import fabric, ffi, lib
from tocsin.core import base_of


class Two(unittest.TestCase):
    def setUp(self):
        self.f = tocsin.open(nodes=2)
        self.addCleanup(self.f.close)
        self.here, self.there = self.f.process(0), self.f.process(1)
        self.qp, self.back = tocsin.connect(self.here, self.there)
        self.mine, self.its = self.here.alloc(512, np.uint64), self.there.alloc(512, np.uint64)
        self.far = self.there.expose(self.its, tocsin.READ | tocsin.WRITE | tocsin.ATOMIC)

    def put(self, i=0):
        return self.qp.put(self.mine[i:i + 1], self.far + 8 * i)

    def fails(self, name, call, *args):
        with self.assertRaises(tocsin.Error) as e:
            call(*args)
        self.assertEqual(e.exception.name, name)
        self.assertTrue(str(e.exception))

    # ---- tasks
    def test_task(self):
        self.there.feed()
        queue = self.there.queue(3)
        seen = []

        def add(t):
            seen.append((t.function, t.index, t.payload((2, 2), np.uint64).tolist(), t.args(4, np.uint64)[2:].tolist()))
            t.target += t.payload(4, np.uint64)
        kernel = queue.kernel(42, add, target=self.its[8:12])
        self.mine[:4] = [1, 2, 3, 4]
        args = np.array([0, 0, 77, 88], np.uint64).tobytes()
        for runs in (1, 2):
            self.qp.task(42, queue=3, args=args, payload=self.mine[:4]).wait()
            kernel.wait(runs)
        self.assertEqual(list(self.its[8:12]), [2, 4, 6, 8])
        self.assertEqual(seen, [(False, i, [[1, 2], [3, 4]], [77, 88]) for i in (0, 1)])
        self.assertEqual(kernel.runs, 2)
        kernel.close()
        self.fails("TOC_E_INVALID", self.qp.task(42, queue=3, payload=self.mine[:4]).wait)
        self.assertRaises(ValueError, kernel.wait, 3)

    def test_function(self):
        self.there.feed()
        seen = []
        queue = self.there.queue(automatic=False)
        done = queue.function(5, lambda t: seen.append((t.function, t.target, t.arg[2:], t.payload(1))))
        self.qp.task(5, function=True, arg2=6, arg3=7).wait()
        self.assertEqual((seen, done.runs), ([], 0))
        self.fails("TOC_E_TIMEOUT", done.wait, 1, 1e-3)
        self.assertEqual(queue.run(), 1)
        done.wait(1)
        self.assertEqual(seen, [(True, None, (6, 7), None)])
        self.assertEqual(queue.run(), 0)

    def test_task_errors(self):
        queue = self.there.queue()
        self.fails("TOC_E_IN_USE", self.there.queue)
        kernel = queue.kernel(1, lambda t: 1 // 0)
        self.fails("TOC_E_IN_USE", queue.kernel, 1, print)
        self.assertRaises(ValueError, queue.kernel, 2, print, np.zeros(4))
        self.there.feed()
        with self.assertRaises(ZeroDivisionError):
            self.qp.task(1).wait()
            kernel.wait(1)
        kernel.wait(1)
        self.assertRaises(TypeError, self.qp.task, 1, payload=b"bytes")
        queue.close()
        self.assertRaises(ValueError, queue.run)
        self.assertRaises(ValueError, queue.kernel, 2, print)
        self.fails("TOC_E_INVALID", self.qp.task(1).wait)
        self.there.queue().close()

    # ---- memory, requests, events
    def test_memory(self):
        self.mine[:] = np.arange(512)
        self.qp.put(self.mine, self.far).wait()
        np.testing.assert_array_equal(self.its, np.arange(512))
        self.its[5] = 99
        r = self.qp.get(self.mine[8:12], self.far + 32)
        r.wait()
        self.assertTrue(r.done)
        self.assertEqual(list(self.mine[8:12]), [4, 99, 6, 7])
        self.qp.fetch_add(self.mine[0:1], self.far + 40, 1).wait()
        self.qp.compare_swap(self.mine[1:2], self.far + 40, 100, 5).wait()
        self.assertEqual((self.mine[0], self.mine[1], self.its[5]), (99, 100, 5))

    def message(self):
        while True:
            e = self.there.event()
            if e is None or e.kind == lib.TOC_EVENT_RECV:
                return e

    def test_wake(self):
        self.there.wake()
        self.assertEqual(self.there.event().kind, lib.TOC_EVENT_WAKE)

    def test_messages(self):
        buffers = [self.there.alloc(128, np.uint64) for _ in range(3)]
        self.mine[:] = np.arange(512)
        r = self.qp.send(self.mine[3:5])  # waits for a buffer
        self.assertEqual([self.there.receive_into(b) for b in buffers], [0, 1, 2])
        r.wait()
        e = self.message()
        self.assertEqual((e.index, e.status, list(e.data.view(np.uint64))), (0, lib.TOC_RECV_PLAIN, [3, 4]))
        self.assertTrue(np.shares_memory(e.data, buffers[0]))
        self.qp.send(None, imm=9).wait()
        e = self.message()
        self.assertEqual((e.index, e.value, len(e.data), e.connection), (1, 9, 0, self.back))
        back = self.there.withdraw()
        self.assertEqual(len(back), 1)
        self.assertIs(back[0], buffers[2])

    def test_under_way(self):
        for i in range(20):
            tmp = self.here.alloc(1, np.uint64)
            tmp[0] = 1000 + i
            self.qp.put(tmp, self.far + 8 * i)
            del tmp  # nobody else has it
        self.qp.wait()
        self.assertEqual(list(self.its[:20]), list(range(1000, 1020)))

    def test_types(self):
        self.assertEqual(self.here.alloc((3, 4), "f4").shape, (3, 4))
        pair = np.dtype([("key", "<u4"), ("value", "<f8")])
        a = self.here.alloc(7, pair)
        a["value"] = 1.5
        self.assertEqual((a.dtype, a[6]["value"], a.nbytes), (pair, 1.5, 84))
        self.assertFalse(self.here.alloc(4096).any())
        self.assertRaises(TypeError, self.here.alloc, 4, object)
        self.assertRaises(ValueError, self.qp.put, self.mine[::2], self.far)
        self.assertRaises(TypeError, self.qp.put, b"bytes", self.far)
        self.fails("TOC_E_RANGE", self.qp.put, np.zeros(4), self.far)
        fixed = self.mine[:]
        fixed.flags.writeable = False
        self.assertRaises(ValueError, self.qp.get, fixed, self.far)
        self.assertRaises(ValueError, self.qp.fetch_add, self.mine, self.far, 1)

    def test_events(self):
        self.qp.put(None, self.far, imm=77)
        e = self.there.event()
        self.assertEqual((e.kind, e.value, e.connection), (lib.TOC_EVENT_IMM, 77, self.back))
        self.assertIsNone(self.there.event(1e-6))

    def test_errors(self):
        r = self.qp.put(self.mine, self.far + 8)
        self.fails("TOC_E_ACCESS", r.wait)
        self.fails("TOC_E_STOPPED", self.put)
        self.qp.resume()
        self.put().wait()
        self.far.close()
        self.fails("TOC_E_ACCESS", self.qp.put(self.mine, self.far.remote).wait)
        self.fails("TOC_E_BACKEND", tocsin.open, "no such")
        self.assertRaises(TypeError, tocsin.open, no_such_option=1)
        self.assertRaises(IndexError, self.f.process, 2)
        self.assertRaises(ValueError, self.there.event, -1)
        self.assertTrue(issubclass(tocsin.TimedOut, TimeoutError))
        self.assertEqual(tocsin.Status["TOC_E_ACCESS"], lib.TOC_E_ACCESS)

    # ---- handlers
    def test_handler(self):
        got = []
        log = self.there.log()
        self.assertFalse(log.wait(1e-6))
        rule = log.on(self.its, put=tocsin.REDIRECT, get=tocsin.NOTHING, call=got.append)
        self.assertRaises(ValueError, log.on, self.its, tocsin.COUNT)
        for self.mine[3] in range(5):
            self.put(3).wait()
        while len(got) < 5 and log.wait():
            log.run()
        self.assertEqual([a.array(np.uint64)[0] for a in got], list(range(5)))
        self.assertTrue(all(a.is_put and a.address == self.there.address(self.its) + 24 and a.log is log for a in got))
        self.assertFalse(self.its.any())
        rule.close()
        self.put(3).wait()
        self.assertEqual(self.its[3], 4)
        log.on((0x600000000000, 4096), put=tocsin.REDIRECT, get=tocsin.BLOCK)
        log.close()
        self.assertRaises(ValueError, log.run)

    def test_absent_page(self):
        at, wanted = 0x600000, []
        log = self.there.log()
        shut = log.on((at, 4096), put=tocsin.REDIRECT, get=tocsin.BLOCK | tocsin.COUNT, call=wanted.append)
        far = self.there.expose_at(at, 4096, tocsin.READ | tocsin.WRITE | tocsin.PAGED)
        self.its[7] = 99
        get = self.qp.get(self.mine[:1], far + 56)
        self.assertTrue(log.wait())
        log.run()
        self.assertTrue(wanted[0].denied and not wanted[0].is_put and wanted[0].address == at + 56)
        for _ in range(200):
            self.f.progress()
        self.assertFalse(get.done)
        self.assertRaises(ValueError, self.there.place, at, np.zeros(4096, np.uint8))
        self.assertRaises(ValueError, self.there.place, at, self.its[:8])
        self.there.place(at, self.its)
        shut.close()
        get.wait()
        self.assertEqual(self.mine[0], 99)
        self.fails("TOC_E_IN_USE", self.there.place, at, None)
        log.on((at, 4096), put=tocsin.BLOCK, get=tocsin.BLOCK)
        self.there.place(at, None)
        self.fails("TOC_E_ALIGN", self.there.place, at + 8, self.its)

    def test_records(self):
        log = self.there.log(4096)
        log.on(self.its, put=tocsin.LOG, get=tocsin.COUNT)
        self.mine[0] = 6
        self.put().wait()
        self.qp.get(self.mine[1:3], self.far).wait()
        got = []
        while len(got) < 2 and log.wait():
            got += log.accesses()
        self.assertEqual([(a.is_put, a.bytes, a.data and a.data[0]) for a in got], [(True, 8, 6), (False, 16, None)])
        self.assertRaises(ValueError, got[1].array)
        self.assertEqual(log.unread, 0)

    def test_raise(self):
        seen = []

        def call(a):
            seen.append(a)
            if len(seen) % 2:
                raise KeyError(len(seen))

        log = self.there.log()
        log.on(self.its, put=tocsin.REDIRECT, get=tocsin.BLOCK, call=call)
        for i in range(4):
            self.put(i).wait()
        raised = []
        for _ in range(20):
            try:
                if len(seen) < 4 and log.wait():
                    log.run()
                self.f.check()
            except KeyError as e:
                raised.append(e.args[0])
        self.assertEqual((len(seen), raised), (4, [1, 3]))
        self.f.check()

    def test_automatic(self):
        got = []
        log = self.there.log(automatic=True)
        rule = log.on(self.its, put=tocsin.REDIRECT, get=tocsin.BLOCK,
                      call=lambda a: got.append(a) or (len(got) == 9 and rule.close()))
        page = log.flush_page()
        for i in range(9):
            self.put(i).wait()
        self.qp.flush(page)
        self.assertEqual(len(got), 9)
        self.put(20).wait()
        self.assertEqual(len(got), 9)

    def test_threads(self):
        got, stop = [], threading.Event()
        log = self.there.log()
        log.on(self.its, put=tocsin.REDIRECT, get=tocsin.BLOCK, call=got.append)
        page = log.flush_page()

        def read():
            while not stop.is_set():
                if log.wait(1e-3):
                    log.run()

        reader = threading.Thread(target=read)
        reader.start()
        try:
            for i in range(50):
                self.put(i)
            self.qp.wait(math.inf)
            self.qp.flush(page, 1)
            self.assertEqual(len(got), 50)
        finally:
            stop.set()
            reader.join()

    def test_listen(self):
        heard = []
        self.f.listen(heard.append)
        self.put().wait()
        self.f.listen(None)
        n = len(heard)
        frames = [s for s in heard if s.kind == lib.TOC_SEEN_FRAME]
        self.assertEqual([s.node for s in frames], [0, 1])
        self.assertIn(self.mine[:1].tobytes(), frames[0].data)
        self.put().wait()
        self.assertEqual(len(heard), n)


    def test_hidden_by_peer(self):
        self.there.receive_into(self.there.alloc(64))
        self.qp.send(self.mine[:1], hide=self.far.remote.key).wait()
        self.far.close()

    def test_task_that_has_run(self):
        self.there.feed()
        kept = []
        kernel = self.there.queue().kernel(1, kept.append)
        self.qp.task(1, payload=self.mine[:1]).wait()
        kernel.wait(1)
        self.assertRaises(ValueError, kept[0].payload, 8)
        self.assertRaises(ValueError, kept[0].args, 8)

    # ---- two threads, and what runs in between
    def test_event_though_raised(self):
        def stumble(access):
            raise KeyError(access.address)
        self.there.log(automatic=True).on(self.its, put=tocsin.LOG, call=stumble)
        self.qp.put(self.mine[:1], self.far, imm=7)
        event = None
        with self.assertRaises(KeyError):  # before or behind the event, and not in its place
            event = self.there.event(1)
            self.there.event(0.001)
        event = event or self.there.event(1)
        self.assertIsNotNone(event)
        self.assertEqual((event.kind, event.value), (lib.TOC_EVENT_IMM, 7))

    def test_kept_though_raised(self):
        log = self.there.log()
        log.on(self.its, put=tocsin.REDIRECT, get=tocsin.BLOCK, call=lambda a: {}["no"])
        self.put().wait()
        page = self.there.expose(self.there.alloc(64))
        self.assertEqual(lib.toc_log_run_count(log.c, 0, ffi.NULL), lib.TOC_OK)  # nobody has got its KeyError yet
        into = self.here.alloc(64)
        core = weakref.ref(base_of(into))
        with self.assertRaises(KeyError):
            self.qp.get(into, page)
        del into
        self.assertIsNotNone(core())  # it is under way
        self.qp.wait()

    def test_threads_keep(self):
        class Slow:  # both threads have found the same request done before one of them says so
            def __getattr__(self, name):
                return getattr(lib, name)

            def toc_done(self, r):
                done = lib.toc_done(r)
                time.sleep(0.1)
                return done

        absent = self.there.expose_at(1 << 40, 4096, tocsin.READ | tocsin.PAGED)
        self.there.log().on((1 << 40, 4096), put=tocsin.BLOCK, get=tocsin.BLOCK)
        got = []
        self.qp.put(self.mine[:1], self.far).wait()
        self.addCleanup(setattr, fabric, "lib", lib)
        fabric.lib = Slow()
        threads = [threading.Thread(target=lambda: got.append(self.qp.get(self.mine[:1], absent))) for _ in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual({r._c for r in got}, {c for c, _ in self.qp._under_way})

    def test_interrupted(self):
        # what a shell starts in the background ignores it
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        log = self.there.log()
        log.on(self.its, put=tocsin.COUNT)
        for wait in self.there.event, log.wait:
            rescued = []
            timers = [threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)),
                      threading.Timer(3600, lambda: rescued.append((self.there.wake(), self.put())))]
            for t in timers:
                t.start()
            self.assertRaises(KeyboardInterrupt, wait, math.inf)
            self.assertEqual(rescued, [])
            for t in timers:
                t.cancel()

    def test_event_of_buffer_just_posted(self):
        class Slow(dict):
            def __setitem__(self, number, array):
                time.sleep(0.2)
                super().__setitem__(number, array)

        self.there._buffers = Slow()
        buffer = self.there.alloc(64)
        poster = threading.Thread(target=self.there.receive_into, args=(buffer,))
        self.mine[0] = 5
        r = self.qp.send(self.mine[:1])
        poster.start()
        e = self.message()
        poster.join()
        r.wait()
        self.assertEqual(e.data[0], 5)

    def test_events_beside_others(self):
        class Slow:  # while its connection is looked for another thread makes one
            __hash__ = None

            def __eq__(self, other):
                time.sleep(0.1)
                return False

        slow = tocsin.Connection(self.there, Slow())
        self.there.wake()
        opener = threading.Thread(target=lambda: time.sleep(0.05) or self.there.log())
        opener.start()
        try:
            self.assertEqual(self.there.event().kind, lib.TOC_EVENT_WAKE)
        finally:
            opener.join()
            slow._drop()

    def test_listen_at_once(self):
        done = threading.Event()

        def listens():
            while not done.is_set():
                self.f.listen(lambda s: None)

        threads = [threading.Thread(target=listens) for _ in range(4)]
        for t in threads:
            t.start()
        for _ in range(300):
            self.put().wait(math.inf)
        done.set()
        for t in threads:
            t.join()
        self.f.listen(None)

    def test_collected_in_listener(self):
        class Ring:
            pass

        def ring():  # goes when a collector runs, and not before
            r = Ring()
            r.itself, r.array = r, self.here.alloc(4096)
            return weakref.ref(base_of(r.array)), self.here.address(r.array)

        gc.disable()
        try:
            ref, address = ring()
            self.f.listen(lambda s: gc.collect())
            self.put().wait()
            self.f.listen(None)
            self.put().wait()  # gives it back
        finally:
            gc.enable()
        self.assertIsNone(ref())
        p = ffi.new("void **")
        self.assertEqual(lib.toc_pointer(self.here.c, address, 1, p), lib.TOC_E_RANGE)

    def test_fork(self):
        handle = self.f.c
        pid = os.fork()
        if not pid:
            self.f._open = self.here._open = self.there._open = None
            self.here._parts, self.there._parts = set(), set()
            del self.mine, self.its, self.far, self.qp, self.back
            gc.collect()
            os._exit(0 if lib.toc_nodes(handle) == 2 else 1)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)


class Stuck(unittest.TestCase):
    """A handler that does not end, in a thread of its own."""

    def setUp(self):
        self.f = tocsin.open(nodes=2, patience_ms=30)
        here, self.there = self.f.process(0), self.f.process(1)
        qp, _ = tocsin.connect(here, self.there)
        self.its, self.inside, self.end = self.there.alloc(4096), threading.Event(), threading.Event()
        far, self.mine = self.there.expose(self.its), here.alloc(8)
        self.put = lambda: qp.put(self.mine, far).wait()
        self.log = self.there.log()
        self.rule = self.log.on(self.its, put=tocsin.REDIRECT, get=tocsin.BLOCK,
                                call=lambda a: self.inside.set() or self.end.wait())
        self.put()
        self.thread = threading.Thread(target=self.log.run)
        self.thread.start()
        self.inside.wait()

    def let_go(self):
        self.end.set()
        self.thread.join()

    def tearDown(self):
        self.let_go()
        self.f.close()

    def test_close_again(self):
        self.assertRaises(tocsin.TimedOut, self.log.close)
        self.let_go()
        self.log.close()
        self.mine[0] = 7
        self.put()
        self.assertEqual(self.its[0], 7)
        self.assertRaises(ValueError, self.log.run)

    def test_next_rule(self):
        self.assertRaises(tocsin.TimedOut, self.rule.close)
        self.assertRaises(tocsin.TimedOut, self.log.on, self.its, tocsin.REDIRECT, tocsin.BLOCK, print)
        gc.collect()
        self.let_go()
        self.mine[0] = 7
        self.put()
        self.assertEqual((self.log.run(), self.its[0]), (0, 7))  # the pages are plain


class Lifetimes(unittest.TestCase):
    def test_options(self):
        with tocsin.open(seed=7, link="udp,local=127.0.0.1:0", path=None) as f:
            self.assertEqual(lib.toc_nodes(f.c), 1)
        for wrong in "see", "see_ctx", "no":
            self.assertRaises(TypeError, tocsin.open, **{wrong: 1})
        with self.assertRaises(tocsin.Error) as e:
            tocsin.open(link="carrier pigeons")
        self.assertIn("pigeons", str(e.exception))

    def test_arrays_outlive(self):
        with tocsin.open() as f:
            p = f.process()
            part = p.alloc(4096, np.uint32)[1000:1010]
            ptr = p.address(part)
            self.assertGreater(ptr, 0)
        part[:] = 7
        gc.collect()
        self.assertEqual(part.sum(), 70)
        self.assertRaises(ValueError, p.alloc, 1)
        self.assertRaises(ValueError, f.process)
        f.close()

    def test_memory_goes_back(self):
        with tocsin.open(node_bytes=4 << 20) as f:
            p = f.process()
            for _ in range(50):
                a = p.alloc(1 << 20)
                a[-1] = 1
                del a
            log = p.log()
            for _ in range(20):
                r = p.expose(p.alloc(1 << 20))
                r.close()
                del r
                log.on(p.alloc(1 << 20), put=tocsin.COUNT).close()

    def test_kept_while_used(self):
        with tocsin.open(nodes=2) as f:
            here, there = f.process(0), f.process(1)
            qp, back = tocsin.connect(here, there)
            far = there.expose(there.alloc(4096)).remote  # nobody else has that array
            src = here.alloc(8)
            src[:] = 3
            got = here.alloc(8)
            gc.collect()
            qp.put(src, far).wait()
            qp.get(got, far).wait()
            self.assertEqual(list(got), [3] * 8)
            there.log(automatic=True).on(there.alloc(4096), put=tocsin.REDIRECT, call=print)
            gc.collect()
            back.close()
            self.assertRaises(ValueError, back.resume)

    def test_forgotten(self):
        for _ in range(20):
            f = tocsin.open()
            f.process().log()
            del f
            gc.collect()

    def test_version(self):
        self.assertEqual(tocsin.__version__,
                         "%d.%d.%d" % (lib.TOC_VERSION // 10000, lib.TOC_VERSION // 100 % 100, lib.TOC_VERSION % 100))


if __name__ == "__main__":
    unittest.main()
