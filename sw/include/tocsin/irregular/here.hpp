// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: the rank that this thread runs, and what every wait does. */
#ifndef TOCSIN_IRREGULAR_HERE_HPP
#define TOCSIN_IRREGULAR_HERE_HPP

#include <cxxabi.h>

#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "tocsin/active.h"
#include "tocsin/irregular/message.hpp"

namespace tocsin::irregular {

namespace detail {

/* What a message has thrown here, until its sender asks for it. */
struct last_thrown {
  unsigned from = 0;
  std::uint32_t question = 0;
  irr_status as = IRR_E_THROWN;
  std::string text;
};
inline constexpr std::size_t thrown_most = 4096; /* the oldest is forgotten: nobody may ever ask */

/* What a rank has besides the C objects. */
struct state {
  irr_member *member = nullptr;
  std::vector<std::shared_ptr<void>> locals; /* local.hpp */
  std::shared_ptr<void> unsent;              /* delegates.hpp */
  std::deque<last_thrown> thrown;            /* the last one is of the message that has just ended */
  std::uint32_t questions = 0;               /* that this rank has sent */
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

/* Of an error without the name of its reason, which whoever throws it again puts before it. */
inline std::string bare(const error &e) {
  const std::string name = std::string(irr_name(e.reason())) + ": ";
  std::string text = e.what();
  if (!text.compare(0, name.size(), name)) text.erase(0, name.size());
  return text;
}

inline irr_status thrown_here(bool answered) noexcept {
  if (!answered) {
    fails_team();
    return IRR_E_THROWN;
  }
  last_thrown last;
  try {
    try {
      throw;
    } catch (const error &e) { /* not as the message's status: IRR_BUSY would let it run again */
      last.text = bare(e);
      last.as = e.reason();
    } catch (const std::bad_alloc &) {
      throw;
    } catch (const std::exception &e) {
      last.text = e.what();
    } catch (...) {
      last.text = "an exception of an unknown type";
    }
    mine().thrown.push_back(std::move(last));
  } catch (...) {
    return IRR_E_NOMEM;
  }
  return IRR_E_THROWN;
}

inline void keep_thrown(unsigned from, std::uint32_t question) noexcept {
  auto &thrown = mine().thrown;
  if (thrown.empty()) return;
  thrown.back().from = from;
  thrown.back().question = question;
  if (thrown.size() > thrown_most) thrown.pop_front();
}

inline last_thrown take_thrown(unsigned from, std::uint32_t question) {
  auto &thrown = mine().thrown;
  const auto is = [=](const last_thrown &l) { return l.from == from && l.question == question; };
  const auto at = std::find_if(thrown.begin(), thrown.end(), is);
  if (at == thrown.end()) return {from, question, IRR_E_THROWN, "so many exceptions that this one is forgotten"};
  last_thrown last = std::move(*at);
  thrown.erase(at);
  return last;
}

/* Never 0. */
inline std::uint32_t next_question() {
  state &s = mine();
  return ++s.questions ? s.questions : ++s.questions;
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
