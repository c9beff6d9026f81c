// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: pointers that mean the same at every rank. */
#ifndef TOCSIN_IRREGULAR_POINTER_HPP
#define TOCSIN_IRREGULAR_POINTER_HPP

#include "tocsin/irregular/delegates.hpp"

namespace tocsin::irregular {

namespace detail {

/* An object of this rank, for as long as the lambda runs that it is for. Of a heap in a store: its page stays as long;
 * a task waits until it has come, and what is no task runs again then. */
template <class T>
class pinned {
 public:
  explicit pinned(irr_address at) {
    const irr_member &m = member();
    const bool there = irr_address_is_2d(at) || at < irr_heap_bytes(m.r.heap);
    if (!there || irr_address_rank(m.r.heap, at) != m.rank)
      throw error(IRR_E_RANGE, "a global pointer to no memory of this rank");
    void *p = nullptr;
    if (m.store && !irr_address_is_2d(at)) {
      place_ = irr_address_place(m.r.heap, at);
      irr_status s;
      while ((s = irr_paged_hold(m.store, place_, true, &p)) == IRR_BUSY) {
        if (!in_task()) throw absent();
        yield();
      }
      check(s);
      store_ = m.store;
    } else {
      p = irr_address_pointer(m.r.heap, at);
    }
    object_ = static_cast<T *>(p);
  }
  pinned(const pinned &) = delete;
  pinned &operator=(const pinned &) = delete;
  ~pinned() {
    if (store_) irr_paged_let(store_, place_);
  }
  T &operator*() const noexcept { return *object_; }
  T *get() const noexcept { return object_; }

 private:
  T *object_;
  irr_paged *store_ = nullptr;
  std::uint64_t place_ = 0;
};

template <class T, class F>
struct called_at {
  static constexpr bool answered = true;
  irr_address at;
  F f;
  void run(irr_answer &a) {
    const pinned<T> x(at);
    answers(a, [&] { return f(*x); });
  }
};
template <class T, class F>
struct sent_at {
  static constexpr bool answered = false;
  irr_address at;
  F f;
  void run(irr_answer &) { f(*pinned<T>(at)); }
};

}  // namespace detail

/* Points to a T of the heap, or (`to`) of one rank's own memory. Arithmetic as of pointers: of the heap, whose blocks
 * go round the ranks, p + 1 may be at another rank than p. Plain data, to be captured, stored and sent. */
template <class T>
class global_ptr {
  static_assert(std::is_trivially_copyable_v<T>, "global memory is bytes: only trivially copyable types lie there");
  static_assert(
      (sizeof(T) & (sizeof(T) - 1)) == 0,
      "the size of a type in global memory is a power of two, so that none lies in two blocks: pad it by alignas");

 public:
  using element_type = T;
  constexpr global_ptr() noexcept = default;
  constexpr global_ptr(std::nullptr_t) noexcept {}
  constexpr explicit global_ptr(irr_address a) noexcept : at_(a) {}
  /* To an object of this rank, for lambdas that run here. It stays while others use it. */
  static global_ptr to(T &x) { return global_ptr(irr_address_2d(irregular::rank(), &x)); }

  constexpr irr_address address() const noexcept { return at_; }
  constexpr explicit operator bool() const noexcept { return at_ != IRR_ADDRESS_NONE; }
  /* The rank that has it. */
  unsigned home() const {
    checked();
    return irr_address_rank(detail::member().r.heap, at_);
  }
  /* The object, at its home; nullptr elsewhere. IRR_E_ARG: the heap lies in a store, and the object
   * may leave its memory. */
  T *local() const {
    if (home() != irregular::rank()) return nullptr;
    if (detail::member().store && is_linear())
      throw error(IRR_E_ARG, "local() of memory that may leave: the heap lies in a store");
    return detail::pinned<T>(at_).get();
  }

  constexpr global_ptr &operator+=(std::ptrdiff_t n) noexcept {
    at_ += static_cast<std::uint64_t>(n) * sizeof(T);
    return *this;
  }
  constexpr global_ptr &operator-=(std::ptrdiff_t n) noexcept { return *this += -n; }
  constexpr global_ptr &operator++() noexcept { return *this += 1; }
  constexpr global_ptr &operator--() noexcept { return *this -= 1; }
  constexpr global_ptr operator++(int) noexcept {
    const global_ptr was = *this;
    ++*this;
    return was;
  }
  constexpr global_ptr operator--(int) noexcept {
    const global_ptr was = *this;
    --*this;
    return was;
  }
  friend constexpr global_ptr operator+(global_ptr p, std::ptrdiff_t n) noexcept { return p += n; }
  friend constexpr global_ptr operator+(std::ptrdiff_t n, global_ptr p) noexcept { return p += n; }
  friend constexpr global_ptr operator-(global_ptr p, std::ptrdiff_t n) noexcept { return p -= n; }
  friend constexpr std::ptrdiff_t operator-(global_ptr a, global_ptr b) noexcept {
    return static_cast<std::ptrdiff_t>(a.at_ - b.at_) / static_cast<std::ptrdiff_t>(sizeof(T));
  }
  friend constexpr bool operator==(global_ptr a, global_ptr b) noexcept { return a.at_ == b.at_; }
  friend constexpr bool operator!=(global_ptr a, global_ptr b) noexcept { return a.at_ != b.at_; }
  friend constexpr bool operator<(global_ptr a, global_ptr b) noexcept { return a.at_ < b.at_; }
  friend constexpr bool operator>(global_ptr a, global_ptr b) noexcept { return b < a; }
  friend constexpr bool operator<=(global_ptr a, global_ptr b) noexcept { return !(b < a); }
  friend constexpr bool operator>=(global_ptr a, global_ptr b) noexcept { return !(a < b); }

  /* f(T &) at its home, as `call`, `async`, `tell` and `spawn_on` run it there. */
  template <class F, class R = std::invoke_result_t<F &, T &>>
  R call(F f) const {
    return detail::ask<R>(home(), detail::called_at<T, F>{at_, f});
  }
  template <class F, class R = std::invoke_result_t<F &, T &>>
  future<R> async(F f) const {
    return detail::ask_later<R>(home(), detail::called_at<T, F>{at_, f});
  }
  template <class F>
  void tell(F f) const {
    detail::send(detail::packed<detail::sent_at<T, F>>({at_, f}).to(home()));
  }
  template <class F>
  void spawn(F f) const {
    irregular::spawn_on(home(), [at = at_, f]() mutable { f(*detail::pinned<T>(at)); });
  }

  /* What it points to, at its home one operation at a time. Words of the heap are done by functions
   * that are built in. */
  T read() const {
    if constexpr (is_word)
      if (is_linear()) {
        std::uint64_t w;
        done(detail::waits([&] { return irr_read(&detail::member().r, at_, &w); }));
        T v;
        std::memcpy(static_cast<void *>(&v), &w, sizeof v);
        return v;
      }
    return call([](T &x) { return x; });
  }
  void write(const T &v) const {
    if constexpr (is_word)
      if (is_linear()) {
        std::uint64_t w;
        std::memcpy(&w, &v, sizeof w);
        done(detail::waits([&] { return irr_write(&detail::member().r, at_, w); }));
        return;
      }
    call([v](T &x) { x = v; });
  }
  /* The value before. */
  T fetch_add(const T &add) const {
    return call([add](T &x) {
      const T was = x;
      x = static_cast<T>(x + add);
      return was;
    });
  }
  /* The value before: the exchange has happened if that is `expected`. */
  T compare_exchange(const T &expected, const T &desired) const {
    return call([expected, desired](T &x) {
      const T was = x;
      if (was == expected) x = desired;
      return was;
    });
  }

 private:
  static constexpr bool is_word = sizeof(T) == sizeof(std::uint64_t) && std::is_default_constructible_v<T>;
  constexpr bool is_linear() const noexcept { return !(at_ & IRR_ADDRESS_2D); }
  void done(irr_status s) const {
    if (s != IRR_OK) detail::throw_answer(s, home());
  }
  void checked() const {
    const irr_heap *h = detail::member().r.heap;
    if (!*this) throw error(IRR_E_RANGE, "a null global pointer is used");
    if (irr_address_is_2d(at_) ? irr_address_2d_rank(at_) >= ranks() : at_ >= irr_heap_bytes(h))
      throw error(IRR_E_RANGE, "a global pointer to nowhere is used");
    if (irr_address_run(h, at_) < sizeof(T))
      throw error(IRR_E_RANGE, "a " + std::to_string(sizeof(T)) + "-byte object that lies in two blocks of " +
                                   std::to_string(irr_heap_block(h)) + " bytes");
  }
  irr_address at_ = IRR_ADDRESS_NONE;
};

}  // namespace tocsin::irregular
#endif
