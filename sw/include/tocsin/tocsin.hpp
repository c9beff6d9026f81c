// SPDX-License-Identifier: Apache-2.0
/* Tocsin for C++17: the C interface (tocsin.h and its neighbours, which say what everything means) with owners
 * that close what they hold, spans, handlers and kernels that are lambdas, and errors that are thrown,
 * or are values (`attempt`).
 *
 *   tocsin::fabric f(2);
 *   tocsin::process here = f.open_process(0), there = f.open_process(1);
 *   auto [qp, back] = tocsin::connect(here, there);
 *   auto mine = here.alloc<std::uint64_t>(512), its = there.alloc<std::uint64_t>(512);
 *   tocsin::region far = its.expose();
 *
 *   tocsin::log log = there.open_log();
 *   tocsin::rule rung = log.on(its, TOC_REDIRECT, TOC_SEE_NOTHING,
 *                              [](const tocsin::access &a) { std::cout << a.as<std::uint64_t>() << "\n"; });
 *   mine[0] = 42;
 *   qp.put(mine.all().first(1), far).wait();
 *   while (log.run() == 0 && log.wait()) continue;
 *
 * LIFETIME. An object is closed when its owner goes, but never before what is in it: a log keeps its process open, a
 * rule its log and its memory, so that the order in which owners go does not matter. get() is the C object, for what
 * these classes do not have.
 *
 * ERRORS. Every function throws tocsin::error for what the C function returns; where nothing has come in time is no
 * surprise (events, records) the result says so instead. What a handler or kernel throws does not cross the library: it
 * comes out of the next call of this interface that runs, asks for or waits for something on the fabric, in whichever
 * thread, or of fabric::rethrow; none is lost, and the log goes on behind the record. A call that has an error of its
 * own, or an event, gives that, and the exception comes out of the one behind it; a request that throws has not begun.
 *
 * THREADS. As the C interface; one object of these classes must not be changed by two threads at a time. */
#ifndef TOCSIN_TOCSIN_HPP
#define TOCSIN_TOCSIN_HPP

#include "tocsin/active.hpp"
#include "tocsin/fabric.hpp"
#include "tocsin/result.hpp"
#include "tocsin/tasks.hpp"

#endif
