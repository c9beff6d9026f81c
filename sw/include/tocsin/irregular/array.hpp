// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: arrays that are spread over all ranks, loops over them, and copies of parts of them. */
#ifndef TOCSIN_IRREGULAR_ARRAY_HPP
#define TOCSIN_IRREGULAR_ARRAY_HPP

#include "tocsin/irregular/pointer.hpp"

namespace tocsin::irregular {

/* Where an array is: plain data, to be captured and sent. */
template <class T>
class global_array {
 public:
  global_array() noexcept = default;
  global_array(global_ptr<T> at, std::uint64_t n) noexcept : at_(at), n_(n) {}
  std::uint64_t size() const noexcept { return n_; }
  global_ptr<T> begin() const noexcept { return at_; }
  global_ptr<T> end() const noexcept { return at_ + static_cast<std::ptrdiff_t>(n_); }
  global_ptr<T> operator[](std::uint64_t i) const noexcept { return at_ + static_cast<std::ptrdiff_t>(i); }

 private:
  global_ptr<T> at_;
  std::uint64_t n_ = 0;
};

namespace detail {

/* The blocks of an array that one rank has. */
template <class T>
class piece {
 public:
  piece(global_array<T> a, unsigned rank, unsigned ranks, std::uint64_t block)
      : first_(a.begin().address()), past_(first_ + a.size() * sizeof(T)), block_(block), ranks_(ranks) {
    if (!a.size()) return;
    const std::uint64_t k0 = first_ / block, last = (past_ - 1) / block;
    from_ = k0 + (rank + ranks - k0 % ranks) % ranks;
    if (from_ <= last) blocks_ = (last - from_) / ranks + 1;
  }
  std::uint64_t blocks() const noexcept { return blocks_; }
  /* f(index, object) for each object in block j of them. */
  template <class F>
  void each(std::uint64_t j, F &&f) const {
    const std::uint64_t k = from_ + j * ranks_;
    const irr_address low = std::max(k * block_, first_), high = std::min((k + 1) * block_, past_);
    const pinned<T> x(low);
    const std::uint64_t i = (low - first_) / sizeof(T), n = (high - low) / sizeof(T);
    for (std::uint64_t e = 0; e < n; e++) f(i + e, x.get()[e]);
  }

 private:
  irr_address first_, past_;
  std::uint64_t block_, from_ = 0, blocks_ = 0;
  unsigned ranks_;
};

template <class T, class F>
void run_piece(global_array<T> a, F &f) {
  const piece<T> here(a, rank(), ranks(), irr_heap_block(member().r.heap));
  forall(0, here.blocks(), [&](std::uint64_t j) {
    here.each(j, [&](std::uint64_t i, T &x) {
      if constexpr (std::is_invocable_v<F &, std::uint64_t, T &>)
        f(i, x);
      else
        f(x);
    });
  });
}

}  // namespace detail

/* f(T &), or f(index, T &), for each element, in tasks at the rank that has it: it may wait. Returns when all
 * have been done. Of a heap in a store the page of the element stays as long as f runs: the store needs memory for
 * as many as wait at once. */
template <class T, class F>
void forall(global_array<T> a, F f) {
  on_all([a, f]() mutable { detail::run_piece(a, f); });
}
/* f(i) for all i from begin to below end, each rank a part of them, in tasks there. */
template <class F>
void forall_spread(std::uint64_t begin, std::uint64_t end, F f) {
  if (end < begin) throw error(IRR_E_ARG, "forall_spread: the end is before the beginning");
  on_all([begin, n = end - begin, f]() mutable {
    const std::uint64_t each = n / ranks(), more = n % ranks(), r = rank();
    const std::uint64_t from = begin + each * r + std::min(more, r);
    irregular::forall(from, from + each + (r < more), f);
  });
}

namespace detail {

/* Out of the part for all: at rank 0, one after the other, the same call at each rank. */
inline irr_address deal(std::uint64_t bytes, irr_address back) {
  struct turn {
    state &s = mine();
    turn() {
      while (s.dealing) yield();
      s.dealing = true;
    }
    ~turn() { s.dealing = false; }
  } one;
  irr_address at = IRR_ADDRESS_NONE;
  for (unsigned r = 0; r < ranks(); r++)
    at = irregular::call(r, [bytes, back] {
      irr_address a = back;
      check(bytes ? irr_global_malloc_all(member().r.heap, bytes, &a) : irr_global_free_all(member().r.heap, a));
      return a;
    });
  return at;
}

inline irr_address deal_at_0(std::uint64_t bytes, irr_address back) {
  irr_address result = IRR_ADDRESS_NONE;
  const auto to = global_ptr<irr_address>::to(result);
  counter done;
  spawn_on(0, done, [=] { to.write(deal(bytes, back)); });
  done.wait();
  return result;
}

/* Out of this rank's part if it has room, else of another's, else of what is for all. `bytes` is not 0. */
inline irr_address take(std::uint64_t bytes, bool &common) {
  irr_member &m = member();
  irr_address at;
  common = false;
  for (unsigned i = 0; i < m.ranks; i++) {
    irr_delegate d{};
    d.to = (m.rank + i) % m.ranks;
    d.function = IRR_HEAP_MALLOC;
    d.args = &bytes;
    d.bytes = sizeof bytes;
    const irr_status s = waits([&] { return irr_delegate_to(&m.r, &d, &at); });
    if (s == IRR_OK) return at;
    if (s != IRR_E_NOMEM) throw_answer(s, d.to);
  }
  common = true;
  try {
    return deal_at_0(bytes, 0);
  } catch (const error &e) {
    if (e.reason() != IRR_E_NOMEM) throw;
    throw error(IRR_E_NOMEM, "no " + std::to_string(bytes) +
                                 " bytes in a row are left in the heap; raise irr_team_options.heap.rank_bytes");
  }
}

}  // namespace detail

/* Owns an array. It is given back, without a wait, when its owner goes: in a task, a delegate or a handler. */
template <class T>
class owned_array : public global_array<T> {
 public:
  owned_array(global_array<T> a, bool common) noexcept : global_array<T>(a), common_(common) {}
  owned_array(owned_array &&o) noexcept : global_array<T>(o), common_(o.common_) { o.forget(); }
  owned_array &operator=(owned_array &&o) noexcept {
    std::swap(static_cast<global_array<T> &>(*this), static_cast<global_array<T> &>(o));
    std::swap(common_, o.common_);
    return *this;
  }
  ~owned_array() { give(); }
  /* The same array, to be captured. */
  global_array<T> view() const noexcept { return *this; }

 private:
  void forget() noexcept { static_cast<global_array<T> &>(*this) = global_array<T>(); }
  void give() noexcept {
    const irr_address at = this->begin().address();
    if (!this->begin() || !irr_here()) return; /* at the end the heap goes as a whole */
    try {
      if (common_)
        spawn_on(0, [at] { detail::deal(0, at); });
      else
        spawn([at] {
          detail::waits([&] {
            while (irr_global_free(detail::member().r.heap, at, nullptr, nullptr, nullptr) == IRR_BUSY) yield();
          });
        });
    } catch (...) {
      detail::fails_team();
    }
  }
  bool common_;
};

/* n elements, all `value`. IRR_E_NOMEM; IRR_E_ARG: one is larger than a block (irr_team_options.heap.block). */
template <class T>
owned_array<T> alloc(std::uint64_t n, const T &value = T()) {
  if (sizeof(T) > irr_heap_block(detail::member().r.heap))
    throw error(IRR_E_ARG, "an element of " + std::to_string(sizeof(T)) +
                               " bytes is larger than a block; raise irr_team_options.heap.block");
  if (n > IRR_ADDRESS_NONE / sizeof(T)) throw error(IRR_E_NOMEM, "no address space holds so many");
  bool common;
  const irr_address at = detail::take(std::max<std::uint64_t>(n, 1) * sizeof(T), common);
  owned_array<T> a(global_array<T>(global_ptr<T>(at), n), common);
  irregular::forall(a.view(), [value](T &x) { x = value; });
  return a;
}

/* A copy of n elements from `at` on, fetched and given back as a whole (heap.h, irr_cache). Nobody else sees
 * changes before release(). */
template <class T>
class cached {
 public:
  cached(global_ptr<T> at, std::uint64_t n, irr_cache_mode mode = IRR_CACHE_READ) : data_(n) {
    c_.at = at.address();
    c_.bytes = n * sizeof(T);
    c_.data = data_.data();
    c_.mode = mode;
    check(detail::waits([&] { return irr_cache_take(&detail::member().r, &c_); }));
    held_ = true;
  }
  cached(const cached &) = delete;
  cached &operator=(const cached &) = delete;
  /* What was changed and not released is forgotten, but READ_WRITE and WRITE give it back. */
  ~cached() {
    if (held_) static_cast<void>(detail::waits([&] { return irr_cache_give(&detail::member().r, &c_); }));
  }
  void release() {
    held_ = false;
    check(detail::waits([&] { return irr_cache_give(&detail::member().r, &c_); }));
  }
  T *data() noexcept { return data_.data(); }
  std::size_t size() const noexcept { return data_.size(); }
  T *begin() noexcept { return data_.data(); }
  T *end() noexcept { return data_.data() + data_.size(); }
  T &operator[](std::size_t i) { return data_[i]; }

 private:
  std::vector<T> data_;
  irr_cache c_{};
  bool held_ = false;
};

}  // namespace tocsin::irregular
#endif
