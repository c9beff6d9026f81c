// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: the rank that this thread runs, and what every wait does. */
#ifndef TOCSIN_IRREGULAR_HERE_HPP
#define TOCSIN_IRREGULAR_HERE_HPP

#include <cxxabi.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "tocsin/active.h"
#include "tocsin/irregular/message.hpp"

namespace tocsin::irregular {

namespace detail {

/* What a rank has besides the C objects. */
struct state {
  irr_member *member = nullptr;
  std::vector<std::shared_ptr<void>> locals; /* local.hpp */
  std::shared_ptr<void> unsent;              /* delegates.hpp */
  std::string thrown;                        /* the sentence of the last exception that a message has thrown here, */
  irr_status thrown_as = IRR_E_THROWN;       /* and its reason */
  std::vector<toc_log *> logs;               /* told.hpp: run with every poll */
  std::vector<toc_qp *> ways;                /* told.hpp: to each rank, if it was needed */
  std::vector<void *> pages;                 /* told.hpp: DMA memory that nobody uses now */
  bool dealing = false;                      /* array.hpp: somebody allocates for all ranks */
  bool connecting = false;                   /* told.hpp */
};

inline irr_member &member() {
  irr_member *m = irr_here();
  if (!m || !m->mine) throw error(IRR_E_ARG, "this thread runs no rank: call it in what `run` was given");
  return *m;
}
inline state &mine() { return *static_cast<state *>(member().mine); }

/* The C++ library keeps one list of the exceptions that are being handled for each thread, and tasks share theirs: one
 * that waits while it handles an exception, or unwinds, takes its part of the list with it. */
class handling {
 public:
  handling() noexcept {
    std::memcpy(kept_, list(), sizeof kept_);
    std::memset(list(), 0, sizeof kept_);
  }
  ~handling() { std::memcpy(list(), kept_, sizeof kept_); }
  handling(const handling &) = delete;
  handling &operator=(const handling &) = delete;

 private:
  static void *list() noexcept { return __cxxabiv1::__cxa_get_globals(); }
  void *kept_[2]; /* the ABI's two members: the list, and how many are on their way */
};

/* All that may give the core away goes through here. */
template <class F>
auto waits(F &&f) {
  const handling kept;
  return f();
}

/* The exception that is being handled has nobody who could take it. */
inline void fails_team() noexcept {
  irr_member *m = irr_here();
  toc_status s = TOC_E_REMOTE;
  std::string why;
  try {
    throw;
  } catch (const tocsin::error &e) {
    s = e.status();
    why = e.what();
  } catch (const std::exception &e) {
    why = e.what();
  } catch (...) {
    why = "an exception of an unknown type";
  }
  if (m) irr_team_fail(m, s, why.c_str());
}

inline irr_status thrown_here(bool answered) noexcept {
  if (!answered) {
    fails_team();
    return IRR_E_THROWN;
  }
  state &s = mine();
  s.thrown_as = IRR_E_THROWN;
  try {
    throw;
  } catch (const error &e) { /* not as the message's status: IRR_BUSY would let it run again */
    const std::string name = std::string(irr_name(e.reason())) + ": ";
    s.thrown = e.what();
    if (!s.thrown.compare(0, name.size(), name)) s.thrown.erase(0, name.size());
    s.thrown_as = e.reason();
  } catch (const std::bad_alloc &) {
    return IRR_E_NOMEM;
  } catch (const std::exception &e) {
    s.thrown = e.what();
  } catch (...) {
    s.thrown = "an exception of an unknown type";
  }
  return IRR_E_THROWN;
}

}  // namespace detail

/* This rank, and how many there are. */
inline unsigned rank() { return detail::member().rank; }
inline unsigned ranks() { return detail::member().ranks; }
/* Behind all tasks that are ready. */
inline void yield() {
  detail::waits([] { irr_yield(detail::member().r.s); });
}

}  // namespace tocsin::irregular
#endif
