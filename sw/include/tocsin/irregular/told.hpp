// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: memory whose owner is told of reads. Other ranks read it by gets, with no program at
 * the owner in their path; its pages log the gets, and the owner runs a handler for each record. So a reader need
 * not say that it has read. */
#ifndef TOCSIN_IRREGULAR_TOLD_HPP
#define TOCSIN_IRREGULAR_TOLD_HPP

#include <cstdint>
#include <functional>

#include "tocsin/active.h"
#include "tocsin/irregular/delegates.hpp"

namespace tocsin::irregular {
namespace detail {

inline constexpr std::size_t page_bytes = 4096;

inline toc_qp *open_way() {
  const irr_member &m = member();
  toc_qp_options o{};
  toc_qp *q;
  if (m.processes) o.timeout_us = 1000000;
  tocsin::check(toc_qp_open(m.proc, &o, &q));
  return q;
}
inline toc_address address_of(toc_qp *q) {
  toc_address a;
  tocsin::check(toc_qp_address(q, &a));
  return a;
}

/* A connection for gets, made when the first is wanted. It closes with the process. */
inline toc_qp *way(unsigned to) {
  state &s = mine();
  while (s.connecting) yield();
  if (s.ways.size() < ranks()) s.ways.resize(ranks());
  if (s.ways[to]) return s.ways[to];
  struct turn {
    state &s;
    explicit turn(state &of) : s(of) { s.connecting = true; }
    ~turn() { s.connecting = false; }
  } one(s);
  toc_qp *q = open_way();
  const toc_address own = address_of(q);
  const toc_address its = irregular::call(to, [own] {
    toc_qp *back = open_way();
    tocsin::check(toc_qp_connect(back, &own));
    return address_of(back);
  });
  tocsin::check(toc_qp_connect(q, &its));
  return s.ways[to] = q;
}

/* A page that devices write, while it is used. */
class page {
 public:
  page() : s_(mine()) {
    if (s_.pages.empty()) {
      tocsin::check(toc_alloc(member().proc, page_bytes, TOC_READ | TOC_WRITE, &p_));
    } else {
      p_ = s_.pages.back();
      s_.pages.pop_back();
    }
  }
  page(const page &) = delete;
  page &operator=(const page &) = delete;
  ~page() { s_.pages.push_back(p_); }
  void *get() const noexcept { return p_; }

 private:
  state &s_;
  void *p_ = nullptr;
};

}  // namespace detail

/* What readers need: plain data, to be captured and sent. */
template <class T>
class told_view {
 public:
  told_view() noexcept = default;
  told_view(unsigned home, toc_remote at, std::uint64_t n) noexcept : home_(home), at_(at), n_(n) {}
  std::uint64_t size() const noexcept { return n_; }
  unsigned home() const noexcept { return home_; }
  /* Element i, by a get. Not at its home, which has told::operator[] and tells nobody. By a task. */
  T read(std::uint64_t i) const {
    if (i >= n_) throw error(IRR_E_RANGE, "element " + std::to_string(i) + " of " + std::to_string(n_));
    if (home_ == rank()) throw error(IRR_E_ARG, "the home reads its own memory, and not by gets");
    const detail::page to;
    toc_req r;
    tocsin::check(toc_get(detail::way(home_), to.get(), toc_at(at_, i * sizeof(T)), sizeof(T), &r));
    while (!toc_done(r)) yield();
    tocsin::check(toc_wait(r, 1));
    T v;
    std::memcpy(static_cast<void *>(&v), to.get(), sizeof v);
    return v;
  }

 private:
  unsigned home_ = 0;
  toc_remote at_{};
  std::uint64_t n_ = 0;
};

/* n elements of this rank, all zero, and told(i) for each read of element i: between tasks, so that it may tell, spawn
 * and complete, but not wait. A read that was told need not have arrived: over a link that loses frames its answer may
 * be lost, and it is served, and told, again. Its owner keeps it until nobody reads any more. By a task. */
template <class T>
class told {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) <= 512,
                "elements are plain values whose size is a power of two, 512 at most, so that a read has one record");

 public:
  told(std::uint64_t n, std::function<void(std::uint64_t)> f)
      : proc_(detail::member().proc), n_(n), told_(std::move(f)) {
    if (n > (SIZE_MAX - detail::page_bytes) / sizeof(T)) throw error(IRR_E_NOMEM, "no address space holds so many");
    try {
      open((n * sizeof(T) + detail::page_bytes - 1) / detail::page_bytes * detail::page_bytes);
    } catch (...) {
      close();
      throw;
    }
  }
  told(const told &) = delete;
  told &operator=(const told &) = delete;
  ~told() {
    auto &logs = detail::mine().logs;
    logs.erase(std::find(logs.begin(), logs.end(), log_));
    close();
  }
  T &operator[](std::uint64_t i) noexcept { return p_[i]; }
  std::uint64_t size() const noexcept { return n_; }
  told_view<T> view() const { return {rank(), at_, n_}; }

 private:
  void open(std::size_t bytes) {
    void *p;
    toc_rule rule{};
    tocsin::check(toc_alloc(proc_, bytes, TOC_READ | TOC_WRITE, &p));
    p_ = static_cast<T *>(p);
    bytes_ = bytes;
    std::memset(p, 0, bytes);
    tocsin::check(toc_iova(proc_, p, &iova_));
    tocsin::check(toc_log_open(proc_, nullptr, &log_));
    rule.get = TOC_COUNT;
    rule.log = log_;
    rule.handler = on_get;
    rule.arg = this;
    tocsin::check(toc_associate_iova(proc_, iova_, bytes_, &rule));
    tocsin::check(toc_expose(proc_, p_, bytes_, TOC_READ, &at_));
    detail::mine().logs.push_back(log_);
  }
  /* What there is of it. */
  void close() noexcept {
    if (at_.key) static_cast<void>(toc_hide(proc_, at_));
    if (log_) static_cast<void>(toc_dissociate(proc_, iova_, bytes_));
    if (log_) static_cast<void>(toc_log_close(log_));
    if (p_) static_cast<void>(toc_free(proc_, p_));
  }
  static void on_get(void *arg, const toc_access *a) noexcept {
    told *t = static_cast<told *>(arg);
    try {
      t->told_((a->addr - t->iova_) / sizeof(T));
    } catch (...) {
      detail::fails_team();
    }
  }
  toc_proc *proc_;
  std::uint64_t n_;
  std::function<void(std::uint64_t)> told_;
  T *p_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint64_t iova_ = 0;
  toc_log *log_ = nullptr;
  toc_remote at_{};
};

}  // namespace tocsin::irregular
#endif
