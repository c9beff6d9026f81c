// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: a program, from its first task to its end. */
#ifndef TOCSIN_IRREGULAR_PROGRAM_HPP
#define TOCSIN_IRREGULAR_PROGRAM_HPP

#include <cstdio>

#include "tocsin/irregular/told.hpp"

namespace tocsin::irregular {

/* All fields 0 or NULL: the default then (team.h). open, first, close, arg and program are `run`'s own. */
struct options : irr_team_options {
  options() : irr_team_options{} {}
};

namespace detail {

template <class F>
struct program_of {
  F *main;
  std::exception_ptr thrown;

  static bool poll(void *arg) noexcept {
    const state *s = static_cast<const state *>(arg);
    bool moved = false;
    unsigned ran;
    const bool good = irr_net_poll(s->member->r.net, &moved) == IRR_OK;
    for (std::size_t i = 0; i < s->logs.size(); i++)
      if (toc_log_run_count(s->logs[i], 0, &ran) == TOC_OK && ran) moved = true;
    return good && moved;
  }
  static toc_status open(irr_member *m, void *) noexcept {
    irr_function f{};
    f.run = arrive;
    f.answer_bytes = IRR_ANSWER_MOST;
    const toc_status named = irr_name_overflows(m->r.s);
    if (named != TOC_OK) return named;
    state *s = new (std::nothrow) state;
    if (!s) return TOC_E_NOMEM;
    s->member = m;
    m->mine = s;
    irr_on_poll(m->r.s, poll, s);
    return irr_net_register(m->r.net, cpp_function, &f) == IRR_OK ? TOC_OK : TOC_E_IN_USE;
  }
  static toc_status first(irr_member *, void *arg) noexcept {
    auto *p = static_cast<program_of *>(arg);
    try {
      (*p->main)();
      return TOC_OK;
    } catch (...) {
      p->thrown = std::current_exception();
      fails_team();
      return TOC_E_REMOTE;
    }
  }
  static toc_status close(irr_member *m, void *) noexcept {
    delete static_cast<state *>(m->mine);
    m->mine = nullptr;
    return TOC_OK;
  }
};

}  // namespace detail

/* Runs main() as a task of rank 0, where TOCSIN_RANKS or a launcher says (team.h), and returns when it has returned, no
 * task is left anywhere, and what was told has run. Throws what main has thrown, else an error if a rank has failed or
 * tasks are left that nothing can wake. What comes behind it is done once in each process. A task that runs out of its
 * stack (options.tasks.stack_bytes) is named before the process dies of it (irr_name_overflows). */
template <class F>
void run(F &&main, const options &o = options()) {
  detail::program_of<std::remove_reference_t<F>> p{&main, nullptr};
  using program = decltype(p);
  irr_team_options with = o;
  with.program = detail::kinds::all().close();
  with.qps += 2 * IRR_TEAM_RANKS_MOST; /* told.hpp: both ends of a way to each */
  with.open = program::open;
  with.first = program::first;
  with.close = program::close;
  with.arg = &p;
  const toc_status s = irr_team_run(&with);
  if (p.thrown) std::rethrow_exception(p.thrown);
  check_task(s);
}

/* The same for `return start(...)` in main: 0, or 1 and a sentence on the error output. */
template <class F>
int start(F &&main, const options &o = options()) {
  try {
    run(std::forward<F>(main), o);
    return 0;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
  } catch (...) {
    std::fprintf(stderr, "an exception of an unknown type\n");
  }
  return 1;
}

/* Returns when nothing else moves at any rank: every other task has ended or is blocked, and what was told has run.
 * By one task of rank
 * 0. */
inline void quiet() {
  check(detail::waits([] { return irr_team_quiet(&detail::member()); }));
}

}  // namespace tocsin::irregular
#endif
