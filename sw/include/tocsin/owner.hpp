// SPDX-License-Identifier: Apache-2.0
/* Part of tocsin.hpp, internal: what owns the objects of C, and keeps each open until what is in it is gone. */
#ifndef TOCSIN_OWNER_HPP
#define TOCSIN_OWNER_HPP

#include <atomic>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "tocsin/active.h"
#include "tocsin/result.hpp"

namespace tocsin {
namespace detail {

/* What a fabric owns besides the C object: exceptions that handlers have thrown, until a call can throw them. */
struct fabric_state {
  toc_fabric *c = nullptr;
  std::mutex lock;
  std::deque<std::exception_ptr> thrown;
  std::atomic<std::size_t> waiting{0};

  explicit fabric_state(const toc_options &o) { tocsin::check(toc_open(&o, &c)); }
  fabric_state(const fabric_state &) = delete;
  fabric_state &operator=(const fabric_state &) = delete;
  ~fabric_state() { toc_close(c); }

  /* Runs what the program has given the library; its exceptions do not go through C. */
  template <class F>
  void guard(F &&f) noexcept {
    try {
      f();
    } catch (...) {
      std::lock_guard<std::mutex> held(lock);
      thrown.push_back(std::current_exception());
      waiting = thrown.size();
    }
  }
  void rethrow() {
    if (!waiting) return;
    std::unique_lock<std::mutex> held(lock);
    if (thrown.empty()) return;
    std::exception_ptr e = thrown.front();
    thrown.pop_front();
    waiting = thrown.size();
    held.unlock();
    std::rethrow_exception(e);
  }
  /* Behind calls that may have run handlers. What a handler has thrown waits for the next call where this one has an
   * error of its own, which would not be told twice. */
  void check(toc_status s) {
    tocsin::check(s);
    rethrow();
  }
};

struct process_state {
  std::shared_ptr<fabric_state> fabric;
  toc_proc *c = nullptr;
  std::mutex lock;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ruled; /* pages with a rule: address and bytes */
  std::vector<std::shared_ptr<void>> kept;                    /* what the library may still call */

  process_state(std::shared_ptr<fabric_state> f, toc_node *n) : fabric(std::move(f)) {
    tocsin::check(toc_proc_open(n, &c));
  }
  process_state(const process_state &) = delete;
  process_state &operator=(const process_state &) = delete;
  ~process_state() { toc_proc_close(c); }

  void rule_begin(std::uint64_t iova, std::uint64_t bytes) {
    std::lock_guard<std::mutex> held(lock);
    for (auto [at, n] : ruled)
      if (iova < at + n && at < iova + bytes) throw error(TOC_E_IN_USE, "these pages have a rule; let it go first");
    ruled.emplace_back(iova, bytes);
  }
  void rule_end(std::uint64_t iova, std::uint64_t bytes) noexcept {
    std::lock_guard<std::mutex> held(lock);
    std::size_t i = 0;
    /* By both: a range of no bytes, which is refused, may begin where another does. */
    while (ruled[i] != std::pair(iova, bytes)) i++;
    ruled.erase(ruled.begin() + static_cast<std::ptrdiff_t>(i));
  }
  void keep(std::shared_ptr<void> what) {
    std::lock_guard<std::mutex> held(lock);
    kept.push_back(std::move(what));
  }
};

/* Memory, which lives until the last region and rule on it is gone. */
struct memory_state {
  std::shared_ptr<process_state> process;
  void *ptr = nullptr;
  std::uint64_t iova = 0;
  std::size_t bytes;

  memory_state(std::shared_ptr<process_state> p, std::size_t n, unsigned rights) : process(std::move(p)), bytes(n) {
    tocsin::check(toc_alloc(process->c, n, rights, &ptr));
    tocsin::check(toc_iova(process->c, ptr, &iova));
  }
  memory_state(const memory_state &) = delete;
  memory_state &operator=(const memory_state &) = delete;
  ~memory_state() { toc_free(process->c, ptr); }
};

/* A C object that goes with its owner, and what must not go before it. */
template <class T, class Parent, auto Close>
class owner {
 public:
  owner(std::shared_ptr<Parent> parent, T *c) : parent_(std::move(parent)), c_(c) {}
  owner(owner &&o) noexcept : parent_(std::move(o.parent_)), c_(std::exchange(o.c_, nullptr)) {}
  owner &operator=(owner &&o) noexcept {
    if (this != &o) {
      drop();
      parent_ = std::move(o.parent_);
      c_ = std::exchange(o.c_, nullptr);
    }
    return *this;
  }
  ~owner() { drop(); }
  /* The object of the C interface, for what this one does not have; it stays ours. */
  T *get() const noexcept { return c_; }

 protected:
  Parent &parent() const noexcept { return *parent_; }
  const std::shared_ptr<Parent> &shared() const noexcept { return parent_; }

 private:
  void drop() noexcept {
    if (c_) static_cast<void>(Close(std::exchange(c_, nullptr)));
    parent_.reset();
  }
  std::shared_ptr<Parent> parent_;
  T *c_;
};

}  // namespace detail
}  // namespace tocsin
#endif
