// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: work for other ranks. What travels is copied as bytes: lambdas may capture plain
 * values alone (message.hpp). A reference, or a pointer, is plain to the compiler as well; it means nothing at
 * a rank in another process. */
#ifndef TOCSIN_IRREGULAR_DELEGATES_HPP
#define TOCSIN_IRREGULAR_DELEGATES_HPP

#include <array>
#include <deque>

#include "tocsin/irregular/tasks.hpp"

namespace tocsin::irregular {
namespace detail {

template <class R>
constexpr bool may_answer() noexcept {
  if constexpr (std::is_void_v<R>)
    return true;
  else
    return std::is_trivially_copyable_v<R> && sizeof(R) <= IRR_ANSWER_MOST;
}
template <class R>
inline constexpr bool can_answer = may_answer<R>();

/* What f returns is the answer. */
template <class F>
void answers(irr_answer &answer, F &&f) {
  using R = std::invoke_result_t<F>;
  static_assert(can_answer<R>, "a delegate answers with plain values of at most 256 bytes");
  if constexpr (std::is_void_v<R>) {
    f();
  } else {
    const R r = f();
    std::memcpy(answer.word, &r, sizeof r);
    if (sizeof r > answer.bytes) answer.bytes = static_cast<std::uint32_t>(sizeof r);
  }
}

/* ---- messages: a lambda that somebody waits for; one that nobody waits for */
template <class F>
struct called {
  static constexpr bool answered = true;
  F f;
  void run(irr_answer &a) { answers(a, f); }
};
template <class F>
struct sent {
  static constexpr bool answered = false;
  F f;
  void run(irr_answer &) { f(); }
};

/* ---- sending */

/* Sent from where nothing may wait, and there was no room: goes, in order, when there is. */
struct unsent {
  struct message {
    unsigned to;
    std::vector<unsigned char> bytes;
  };
  irr_later later;
  std::deque<message> left;
  bool waits = false;

  void keep(irr_net *n, const irr_delegate &d) {
    const unsigned char *b = static_cast<const unsigned char *>(d.args);
    left.push_back({d.to, std::vector<unsigned char>(b, b + d.bytes)});
    if (!waits) irr_net_later(n, &later, step, this);
    waits = true;
  }
  static bool step(void *arg) noexcept {
    unsent *u = static_cast<unsent *>(arg);
    while (!u->left.empty()) {
      irr_delegate d{};
      d.to = u->left.front().to;
      d.function = cpp_function;
      d.args = u->left.front().bytes.data();
      d.bytes = static_cast<std::uint32_t>(u->left.front().bytes.size());
      if (irr_net_send(member().r.net, &d) == IRR_BUSY)
        return false; /* what is for a rank that is gone, goes as well */
      u->left.pop_front();
    }
    u->waits = false;
    return true;
  }
};
inline unsent &unsent_here() {
  std::shared_ptr<void> &u = mine().unsent;
  if (!u) u = std::make_shared<unsent>();
  return *static_cast<unsent *>(u.get());
}

inline bool in_task() { return irr_self(member().r.s) && !irr_delegate_running(); }

inline void send(const irr_delegate &d) {
  irr_member &m = member();
  unsent &u = unsent_here();
  if (in_task()) {
    check(waits([&] { return irr_delegate_tell(&m.r, &d); }));
    return;
  }
  const irr_status s = u.left.empty() ? irr_net_send(m.r.net, &d) : IRR_BUSY;
  if (s == IRR_BUSY)
    u.keep(m.r.net, d);
  else
    check(s);
}

template <class R, class M>
R ask(unsigned rank, const M &message) {
  static_assert(can_answer<R>, "a delegate answers with plain values of at most 256 bytes");
  using held = std::conditional_t<std::is_void_v<R>, char, R>;
  const packed<M> p(message);
  alignas(held) unsigned char answer[sizeof(held)];
  irr_delegate d = p.to(rank);
  d.into = answer;
  d.into_bytes = sizeof answer;
  const irr_status s = waits([&] { return irr_delegate_to(&member().r, &d, nullptr); });
  if (s != IRR_OK) throw_answer(s, rank, p.head.question);
  if constexpr (!std::is_void_v<R>) return *std::launder(reinterpret_cast<held *>(answer));
}

template <class T>
void on_future(void *arg, std::uint64_t) noexcept {
  const std::unique_ptr<std::shared_ptr<eventual<T>>> e(static_cast<std::shared_ptr<eventual<T>> *>(arg));
  (*e)->set();
}

/* As a task's delegates are sent (delegate.h), but nobody waits for the answer yet. */
template <class R, class M>
future<R> ask_later(unsigned rank, const M &message) {
  static_assert(can_answer<R>, "a delegate answers with plain values of at most 256 bytes");
  irr_member &m = member();
  if (!in_task()) throw error(IRR_E_INSIDE);
  const packed<M> p(message);
  auto e = std::make_shared<eventual<R>>();
  auto kept = std::make_unique<std::shared_ptr<eventual<R>>>(e);
  irr_delegate d = p.to(rank);
  d.done = on_future<R>;
  d.arg = kept.get();
  d.status = &e->status;
  d.into = e->answer;
  d.into_bytes = sizeof e->answer;
  e->asked = rank + 1;
  e->question = p.head.question;
  irr_status s;
  for (;;) {
    irr_atomic_begin(m.r.s);
    s = irr_net_send(m.r.net, &d);
    irr_atomic_end(m.r.s);
    if (s != IRR_BUSY) break;
    yield();
  }
  check(s);
  static_cast<void>(kept.release()); /* on_future has it */
  return future<R>(std::move(e));
}

using sentence = std::array<char, IRR_ANSWER_MOST>;

inline sentence as_sentence(const std::string &text) noexcept {
  sentence s{};
  std::memcpy(s.data(), text.data(), std::min(text.size(), s.size() - 1));
  return s;
}

struct last_words {
  irr_status as;
  char text[IRR_ANSWER_MOST - sizeof(irr_status)];
  last_words(irr_status s, const std::string &t) noexcept : as(s), text{} {
    std::memcpy(text, t.data(), std::min(t.size(), sizeof text - 1));
  }
};

[[noreturn]] inline void throw_answer(irr_status s, unsigned at, std::uint32_t question) {
  const std::string where = "at rank " + std::to_string(at) + ": ";
  if (s != IRR_E_THROWN || !question) throw error(s, where + irr_text(s));
  auto last = [from = rank(), question] {
    const last_thrown l = take_thrown(from, question);
    return last_words(l.as, l.text);
  };
  const last_words w = ask<last_words>(at, called<decltype(last)>{last});
  throw error(w.as, where + w.text);
}

/* ---- tasks elsewhere */
struct finished {
  static constexpr bool answered = false;
  counter *join;
  void run(irr_answer &) { join->complete(); }
};
struct failed {
  static constexpr bool answered = false;
  counter *join;
  irr_status status;
  unsigned rank;
  sentence why;
  void run(irr_answer &) {
    join->failed(std::make_exception_ptr(error(status, "at rank " + std::to_string(rank) + ": " + why.data())));
    join->complete();
  }
};

template <class F>
struct started {
  static constexpr bool answered = false;
  F f;
  counter *join; /* of rank `from`; NULL: nobody waits */
  unsigned from;
  void run(irr_answer &) {
    if (!join) {
      spawn(f);
      return;
    }
    spawn([s = *this]() mutable { s.joined(); });
  }
  void joined() {
    std::optional<failed> bad;
    try {
      f();
    } catch (const error &e) {
      bad = failed{join, e.reason(), rank(), as_sentence(bare(e))};
    } catch (const std::exception &e) {
      bad = failed{join, IRR_E_THROWN, rank(), as_sentence(e.what())};
    } catch (...) {
      bad = failed{join, IRR_E_THROWN, rank(), as_sentence("an exception of an unknown type")};
    }
    if (bad)
      send(packed<failed>(*bad).to(from));
    else
      send(packed<finished>(finished{join}).to(from));
  }
};

}  // namespace detail

/* f() at that rank, alone there (a delegate: it may not wait, but tell and spawn), and its result. An exception comes
 * back as error: of class `error` with its reason, any other as IRR_E_THROWN; both with the sentence. */
template <class F, class R = std::invoke_result_t<F &>>
R call(unsigned rank, F f) {
  return detail::ask<R>(rank, detail::called<F>{f});
}
/* The same, while this task goes on. */
template <class F, class R = std::invoke_result_t<F &>>
future<R> async(unsigned rank, F f) {
  return detail::ask_later<R>(rank, detail::called<F>{f});
}
/* The same, and nobody waits: it has run when the program ends, or quiet() returns. Those of one task for one rank run
 * in order. Also in delegates. What it throws ends the program. */
template <class F>
void tell(unsigned rank, F f) {
  detail::send(detail::packed<detail::sent<F>>({f}).to(rank));
}
/* f() as a task there, which may wait. With a counter as `spawn`. */
template <class F>
void spawn_on(unsigned rank, F f) {
  detail::send(detail::packed<detail::started<F>>({f, nullptr, 0}).to(rank));
}
template <class F>
void spawn_on(unsigned rank, counter &join, F f) {
  join.enroll();
  try {
    detail::send(detail::packed<detail::started<F>>({f, &join, irregular::rank()}).to(rank));
  } catch (...) {
    join.complete(); /* there is no task that would */
    throw;
  }
}
/* f() as a task at each rank; returns when all have ended. */
template <class F>
void on_all(F f) {
  counter all;
  for (unsigned r = 0; r < ranks(); r++) spawn_on(r, all, f);
  all.wait();
}

}  // namespace tocsin::irregular
#endif
