// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: tasks of this rank, counters, futures, loops. What they run is any callable: it
 * does not leave the rank. */
#ifndef TOCSIN_IRREGULAR_TASKS_HPP
#define TOCSIN_IRREGULAR_TASKS_HPP

#include <optional>

#include "tocsin/irregular/here.hpp"

namespace tocsin::irregular {

/* How much is still to be done. The destructor waits, so that no task completes one that is gone. */
class counter {
 public:
  counter() { irr_counter_init(&c_, detail::member().r.s); }
  counter(const counter &) = delete;
  counter &operator=(const counter &) = delete;
  ~counter() { settle(); }
  void enroll(std::uint64_t n = 1) { irr_enroll(detail::member().r.s, &c_, n); }
  void complete() { irr_complete(detail::member().r.s, &c_); }
  /* Until it is zero. Throws what the first of its tasks has thrown, once. */
  void wait() {
    settle();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }
  irr_counter *get() noexcept { return &c_; }
  void failed(std::exception_ptr e) noexcept {
    if (!thrown_) thrown_ = std::move(e);
  }

 private:
  void settle() {
    detail::waits([this] { irr_wait(c_.home, &c_); });
  }
  irr_counter c_;
  std::exception_ptr thrown_;
};

namespace detail {

template <class F>
void run_task(F &f, counter *join) noexcept {
  try {
    f();
  } catch (...) {
    if (join)
      join->failed(std::current_exception());
    else
      fails_team();
  }
}

/* Small plain closures travel in the task's three words, others in memory of their own. */
template <class F>
inline constexpr bool is_small = std::is_trivially_copyable_v<F> && sizeof(F) <= 2 * sizeof(irr_word) &&
                                 alignof(F) <= alignof(irr_word);

template <class F>
void small_task(irr_sched *, irr_args *a) {
  alignas(F) unsigned char room[sizeof(F)];
  std::memcpy(room, a->w, sizeof(F));
  run_task(*std::launder(reinterpret_cast<F *>(room)), static_cast<counter *>(a->w[2].p));
}

template <class F>
void large_task(irr_sched *, irr_args *a) {
  const std::unique_ptr<F> f(static_cast<F *>(a->w[0].p));
  run_task(*f, static_cast<counter *>(a->w[2].p));
}

template <class F>
void spawn_task(counter *join, F f) {
  irr_sched *s = member().r.s;
  irr_counter *c = join ? join->get() : nullptr;
  irr_args a{};
  a.w[2].p = join;
  if constexpr (is_small<F>) {
    std::memcpy(static_cast<void *>(a.w), &f, sizeof f);
    check_task(irr_spawn(s, small_task<F>, &a, c));
  } else {
    auto kept = std::make_unique<F>(std::move(f));
    a.w[0].p = kept.get();
    check_task(irr_spawn(s, large_task<F>, &a, c));
    static_cast<void>(kept.release());
  }
}

}  // namespace detail

/* f() as a task of this rank; with a counter, which is enrolled now and completed when the task ends. What a task
 * throws comes out of counter::wait; without a counter it ends the program. Also in delegates and handlers. */
template <class F>
void spawn(F f) {
  detail::spawn_task(nullptr, std::move(f));
}
template <class F>
void spawn(counter &join, F f) {
  detail::spawn_task(&join, std::move(f));
}

namespace detail {

/* One value, or how it did not come. Shared by who waits and who brings it, both of one rank. */
template <class T>
struct eventual {
  using held = std::conditional_t<std::is_void_v<T>, char, T>;
  irr_future ready;
  irr_status status = IRR_OK;
  std::exception_ptr thrown;
  std::optional<held> value;
  alignas(held) unsigned char answer[sizeof(held)]; /* of a delegate: bytes */
  unsigned asked = 0;                               /* the rank; it is one more than that, 0: none was */
  std::uint32_t question = 0;

  eventual() { irr_future_init(&ready, member().r.s); }
  void set() { irr_future_set(member().r.s, &ready, 0); }
};

[[noreturn]] void throw_answer(irr_status s, unsigned rank, std::uint32_t question = 0); /* delegates.hpp */

}  // namespace detail

/* What will be there. get() waits, and takes it, once (IRR_E_ARG: it was taken). */
template <class T>
class [[nodiscard]] future {
 public:
  explicit future(std::shared_ptr<detail::eventual<T>> e) : e_(std::move(e)) {}
  bool ready() const noexcept { return !e_ || irr_future_ready(&e_->ready); }
  void wait() const {
    if (!e_) throw error(IRR_E_ARG, "what a future brought was taken already");
    detail::waits([this] { return irr_future_get(detail::member().r.s, &e_->ready); });
  }
  T get() {
    wait();
    const auto e = std::exchange(e_, nullptr);
    if (e->thrown) std::rethrow_exception(e->thrown);
    if (e->status != IRR_OK) detail::throw_answer(e->status, e->asked - 1, e->question);
    if constexpr (!std::is_void_v<T>) {
      if constexpr (std::is_trivially_copyable_v<T>)
        if (e->asked) return *std::launder(reinterpret_cast<T *>(e->answer));
      return std::move(*e->value);
    }
  }

 private:
  std::shared_ptr<detail::eventual<T>> e_;
};

/* Who brings the value of a future by hand, once. */
template <class T>
class promise {
 public:
  promise() : e_(std::make_shared<detail::eventual<T>>()) {}
  future<T> get_future() const { return future<T>(e_); }
  template <class... A>
  void set(A &&...value) const {
    e_->value.emplace(std::forward<A>(value)...);
    e_->set();
  }
  void fail(std::exception_ptr e) const {
    e_->thrown = std::move(e);
    e_->set();
  }

 private:
  std::shared_ptr<detail::eventual<T>> e_;
};

/* f() as a task of this rank, and its result. */
template <class F, class T = std::invoke_result_t<F &>>
future<T> async(F f) {
  auto e = std::make_shared<detail::eventual<T>>();
  spawn([e, f = std::move(f)]() mutable {
    try {
      if constexpr (std::is_void_v<T>)
        f();
      else
        e->value.emplace(f());
    } catch (...) {
      e->thrown = std::current_exception();
    }
    e->set();
  });
  return future<T>(std::move(e));
}

namespace detail {
template <class F>
struct loop {
  F *f;
  std::exception_ptr thrown;
  static void part(irr_sched *, std::uint64_t begin, std::uint64_t end, void *arg) noexcept {
    loop *l = static_cast<loop *>(arg);
    try {
      for (std::uint64_t i = begin; i < end; i++) (*l->f)(i);
    } catch (...) {
      if (!l->thrown) l->thrown = std::current_exception();
    }
  }
};
}  // namespace detail

/* f(i) for all i from begin to below end, in tasks of this rank with at most `threshold` of them each (0: 64 tasks).
 * Returns when all have been done; throws what the first of them has thrown, whose task ends there,
 * while the others go on. */
template <class F>
void forall(std::uint64_t begin, std::uint64_t end, F &&f, std::uint64_t threshold = 0) {
  if (end < begin) throw error(IRR_E_ARG, "forall: the end is before the beginning");
  detail::loop<std::remove_reference_t<F>> all{&f, nullptr};
  irr_loop l{};
  l.begin = begin;
  l.end = end;
  l.threshold = threshold;
  l.body = decltype(all)::part;
  l.arg = &all;
  detail::waits([&] { irr_for(detail::member().r.s, &l); });
  if (all.thrown) std::rethrow_exception(all.thrown);
}

}  // namespace tocsin::irregular
#endif
