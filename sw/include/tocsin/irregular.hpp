// SPDX-License-Identifier: Apache-2.0
/* Irregular programs in C++17: the C interface (tocsin/irregular/team.h and its neighbours, which say what everything
 * means) with lambdas as tasks and delegates, global pointers and arrays, futures, and errors that are thrown, or are
 * values (`attempt`).
 *
 *   using namespace tocsin::irregular;
 *   int status = start([] {                                      // a task of rank 0
 *     auto table = alloc<std::uint64_t>(1000);                   // spread over all ranks, all 0
 *     auto t = table.view();
 *     forall_spread(0, 100000, [t](std::uint64_t i) {            // at all ranks
 *       t[i * 7919 % 1000].tell([](std::uint64_t &x) { x++; });  // at the home of that element, alone there
 *     });
 *     quiet();                                                   // all that was told has been done
 *     std::cout << t[42].read() << "\n";
 *   });
 *   std::exit(status);
 *
 * WHERE LAMBDAS RUN. What does not leave the rank (spawn, async(f), forall over a range) is any callable. What may
 * leave it (call, tell, async, spawn_on, on_all, forall over an array, forall_spread, and those of global_ptr) is
 * copied as bytes: it captures plain values by value. A lambda by `call`, `async` and `tell` is a delegate: it runs
 * alone at its rank and must not wait, but may tell and spawn; by the others it is a task, which may wait.
 *
 * ALL RANKS RUN THE SAME EXECUTABLE, with the same libraries. A lambda is known on the wire by the place of its
 * type in the sorted list of all that the program sends; the list is made before main, so what comes with a library
 * that is loaded later than `run` has no number and is refused when it is sent. Ranks whose lists differ are
 * refused when they join.
 *
 * ERRORS. Functions throw `error` (a tocsin::error with the irr_status that it came from), and what C returns otherwise
 * as tocsin::error. What a delegate, or a task with a counter, throws comes to whoever waits for it, with its sentence,
 * as `error`; at the same rank, as what it is. What nobody waits for ends the program: it comes out of `run`.
 *
 * TASKS AND EXCEPTIONS. A task may wait in a catch block, and in a destructor that unwinding calls. It must not by
 * functions of the C interface: those know nothing of exceptions.
 *
 * PARTS. owners.hpp: schedulers, nets and heaps by themselves; told.hpp: memory whose owner is told of reads;
 * local.hpp: an object a rank. */
#ifndef TOCSIN_IRREGULAR_HPP
#define TOCSIN_IRREGULAR_HPP

#include "tocsin/irregular/array.hpp"
#include "tocsin/irregular/delegates.hpp"
#include "tocsin/irregular/local.hpp"
#include "tocsin/irregular/owners.hpp"
#include "tocsin/irregular/pointer.hpp"
#include "tocsin/irregular/program.hpp"
#include "tocsin/irregular/tasks.hpp"
#include "tocsin/irregular/told.hpp"

#endif
