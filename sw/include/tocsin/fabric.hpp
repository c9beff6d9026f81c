// SPDX-License-Identifier: Apache-2.0
/* Part of tocsin.hpp: fabrics, processes, memory, connections, requests and events. tocsin.h says what they are. */
#ifndef TOCSIN_FABRIC_HPP
#define TOCSIN_FABRIC_HPP

#include <functional>
#include <optional>

#include "tocsin/owner.hpp"
#include "tocsin/xtq.h"

namespace tocsin {

/* All fields 0 or NULL: the default then. */
struct options : toc_options {
  options() : toc_options{} {}
};

/* A request under way; a value, which need not be waited for. Requests of a connection end in order. */
class request {
 public:
  request(std::shared_ptr<detail::fabric_state> f, toc_req r) : f_(std::move(f)), r_(r) {}
  void wait(timeout t = standard) const { f_->check(toc_wait(r_, detail::us(t))); }
  /* How it ended, without an exception for how. */
  [[nodiscard]] toc_status status(timeout t = standard) const {
    toc_status s = toc_wait(r_, detail::us(t));
    if (s == TOC_OK) f_->rethrow();
    return s;
  }
  [[nodiscard]] bool done() const { return toc_done(r_); }

 private:
  std::shared_ptr<detail::fabric_state> f_;
  toc_req r_;
};

/* Memory that peers may use, as long as this lives. */
class region {
 public:
  region(std::shared_ptr<detail::process_state> p, std::shared_ptr<void> memory, toc_remote r)
      : p_(std::move(p)), memory_(std::move(memory)), r_(r) {}
  region(region &&) noexcept = default;
  region &operator=(region &&o) noexcept {
    if (this == &o) return *this;
    region gone(std::move(*this));
    p_ = std::move(o.p_);
    memory_ = std::move(o.memory_);
    r_ = o.r_;
    return *this;
  }
  ~region() {
    if (p_) static_cast<void>(toc_hide(p_->c, r_));
  }
  /* What a peer is told; plain data. */
  toc_remote remote() const noexcept { return r_; }
  operator toc_remote() const noexcept { return r_; }

 private:
  std::shared_ptr<detail::process_state> p_;
  std::shared_ptr<void> memory_;
  toc_remote r_;
};

/* DMA memory of a process, as n objects of T, all zero. It is given back when it and every region
 * and rule on it are gone. */
template <class T>
class memory {
  static_assert(std::is_trivially_copyable_v<T>,
                "devices see bytes: only trivially copyable types can be put, got or allocated");

 public:
  memory(std::shared_ptr<detail::process_state> p, std::size_t n, unsigned rights)
      : m_(std::make_shared<detail::memory_state>(std::move(p), bytes(n), rights)), n_(n) {}
  T *data() const noexcept { return static_cast<T *>(m_->ptr); }
  std::size_t size() const noexcept { return n_; }
  T *begin() const noexcept { return data(); }
  T *end() const noexcept { return data() + n_; }
  T &operator[](std::size_t i) const { return data()[i]; }
  span<T> all() const noexcept { return {data(), n_}; }
  /* Where devices see it. */
  std::uint64_t iova() const noexcept { return m_->iova; }
  region expose(unsigned rights = TOC_READ | TOC_WRITE) const {
    toc_remote r;
    check(toc_expose(m_->process->c, m_->ptr, m_->bytes, rights, &r));
    return {m_->process, m_, r};
  }
  const std::shared_ptr<detail::memory_state> &state() const noexcept { return m_; }

 private:
  static std::size_t bytes(std::size_t n) {
    if (n > SIZE_MAX / sizeof(T)) throw error(TOC_E_ARG, std::to_string(n) + " objects are more than there are bytes");
    return n * sizeof(T);
  }
  std::shared_ptr<detail::memory_state> m_;
  std::size_t n_;
};

/* A connection. What is put must stay as it is until the request has ended. */
class connection : public detail::owner<toc_qp, detail::process_state, &toc_qp_close> {
 public:
  using owner::owner;

  template <class T>
  request put(const memory<T> &src, toc_remote dst) {
    return put(span<const T>(src.data(), src.size()), dst);
  }
  template <class T>
  request put(span<T> src, toc_remote dst) {
    return post([&](toc_req *r) { return toc_put(get(), src.data(), dst, detail::bytes32(src), r); });
  }
  /* With a number for the owner, who gets TOC_EVENT_IMM; of no bytes: the number alone. */
  template <class T>
  request put(span<T> src, toc_remote dst, std::uint32_t imm) {
    return post([&](toc_req *r) { return toc_put_imm(get(), src.data(), dst, detail::bytes32(src), imm, r); });
  }
  request tell(toc_remote dst, std::uint32_t imm) {
    return post([&](toc_req *r) { return toc_put_imm(get(), nullptr, dst, 0, imm, r); });
  }
  /* A message into the peer's next receive buffer, which gets TOC_EVENT_RECV; with a number; or hiding the peer's
   * region of that key. */
  template <class T>
  request send(span<T> src) {
    return post([&](toc_req *r) { return toc_send(get(), src.data(), detail::bytes32(src), r); });
  }
  template <class T>
  request send(span<T> src, std::uint32_t imm) {
    return post([&](toc_req *r) { return toc_send_imm(get(), src.data(), detail::bytes32(src), imm, r); });
  }
  template <class T>
  request send_and_hide(span<T> src, std::uint32_t key) {
    return post([&](toc_req *r) { return toc_send_inv(get(), src.data(), detail::bytes32(src), key, r); });
  }
  template <class T>
  request get_into(const memory<T> &dst, toc_remote src) {
    return get_into(dst.all(), src);
  }
  template <class T>
  request get_into(span<T> dst, toc_remote src) {
    static_assert(!std::is_const_v<T>, "a get writes");
    return post([&](toc_req *r) { return toc_get(get(), dst.data(), src, detail::bytes32(dst), r); });
  }
  /* old: in memory of this process; the value of before. */
  request fetch_add(std::uint64_t &old, toc_remote dst, std::uint64_t add) {
    return post([&](toc_req *r) { return toc_fetch_add(get(), &old, dst, add, r); });
  }
  request compare_swap(std::uint64_t &old, toc_remote dst, std::uint64_t compare, std::uint64_t swap) {
    return post([&](toc_req *r) { return toc_compare_swap(get(), &old, dst, compare, swap, r); });
  }
  void wait_all(timeout t = standard) { parent().fabric->check(toc_wait_all(get(), detail::us(t))); }
  /* Returns when what this connection has put into the log of that page (log::flush_page) has been read. */
  void flush(toc_remote page, timeout t = standard) { parent().fabric->check(toc_flush(get(), page, detail::us(t))); }
  void resume() { check(toc_qp_resume(get())); }
  toc_qp_state save() {
    toc_qp_state s;
    check(toc_qp_save(get(), &s));
    return s;
  }
  void restore(const toc_qp_state &s) { check(toc_qp_restore(get(), &s)); }
  void reply(toc_remote box, unsigned slot, std::uint64_t done) { check(toc_reply(get(), box, slot, done)); }
  toc_address address() const {
    toc_address a;
    check(toc_qp_address(get(), &a));
    return a;
  }
  void connect(const toc_address &peer) { check(toc_qp_connect(get(), &peer)); }

  /* Any request of the C interface: f gets where its toc_req goes. */
  template <class F>
  request post(F &&f) {
    toc_req r;
    parent().fabric->rethrow(); /* before anything is under way */
    check(f(&r));
    return {parent().fabric, r};
  }
};

class log;
class queue;
class signal;
class box;
class rule;

/* A process of a node. Everything of it (memory, connections, logs ...) keeps it open. */
class process {
 public:
  process(std::shared_ptr<detail::fabric_state> f, toc_node *n)
      : p_(std::make_shared<detail::process_state>(std::move(f), n)) {}

  template <class T>
  memory<T> alloc(std::size_t n, unsigned rights = TOC_READ | TOC_WRITE) const {
    return {p_, n, rights};
  }
  /* Addresses that need no memory behind them: pages that only redirect. */
  region expose(std::uint64_t iova, std::uint64_t bytes, unsigned rights) const {
    toc_remote r;
    check(toc_expose_iova(p_->c, iova, bytes, rights, &r));
    return {p_, nullptr, r};
  }
  connection open_connection(const toc_qp_options &o = {}) const {
    toc_qp *q;
    check(toc_qp_open(p_->c, &o, &q));
    return {p_, q};
  }
  /* The next event; nothing: none has come in time. TOC_E_LOST is thrown once when some were lost. */
  std::optional<toc_event> next_event(timeout t = standard) const {
    toc_event e;
    p_->fabric->rethrow(); /* not where an event would be lost */
    toc_status s = toc_event_next(p_->c, &e, detail::us(t));
    if (s == TOC_E_TIMEOUT) {
      p_->fabric->rethrow();
      return {};
    }
    check(s);
    return e;
  }
  /* Ends a wait of next_event, which gives TOC_EVENT_WAKE; by any thread, and by handlers of signals. */
  void wake() const { check(toc_event_wake(p_->c)); }
  /* A receive buffer; its memory stays until TOC_EVENT_BUFFER names its number, which is returned,
   * or withdraw() has taken it back. */
  template <class T>
  std::uint32_t post_receive(span<T> to, std::uint32_t least) const {
    std::uint32_t number;
    check(toc_recv_post(p_->c, to.data(), detail::bytes32(to), least, &number));
    return number;
  }
  std::uint32_t withdraw() const { /* so many, the newest */
    std::uint32_t n;
    check(toc_recv_withdraw(p_->c, &n));
    return n;
  }
  int event_fd() const { return toc_event_fd(p_->c); }
  unsigned index() const { return toc_proc_index(p_->c); }
  toc_proc *get() const noexcept { return p_->c; }
  const std::shared_ptr<detail::process_state> &state() const noexcept { return p_; }

  /* active.hpp */
  log open_log(const toc_log_options &o = {}) const;
  box open_box(unsigned slots) const;
  template <class T>
  rule associate(const memory<T> &m, unsigned put, unsigned get) const;
  rule associate(std::uint64_t iova, std::uint64_t bytes, unsigned put, unsigned get) const;
  /* tasks.hpp */
  queue open_queue(const xtq_queue_options &o) const;
  signal open_signal(std::int64_t value) const;
  void feed_buffers(unsigned count, std::uint32_t bytes) const;

 private:
  std::shared_ptr<detail::process_state> p_;
};

/* A backend and the nodes that it reaches. Everything in it keeps it open. */
class fabric {
 public:
  explicit fabric(unsigned nodes) : fabric(with(nodes)) {}
  explicit fabric(const toc_options &o = options()) : f_(std::make_shared<detail::fabric_state>(o)) {}

  unsigned nodes() const { return toc_nodes(f_->c); }
  process open_process(unsigned node) const {
    toc_node *n = toc_node_at(f_->c, node);
    if (!n) throw error(TOC_E_ARG, "there is no node " + std::to_string(node));
    return {f_, n};
  }
  /* Lets a backend in process run; false: nothing moved. Throws what handlers have thrown. */
  bool progress() const {
    bool moved = toc_progress(f_->c);
    f_->rethrow();
    return moved;
  }
  /* Throws what a handler or kernel has thrown and nobody has got yet; one at a time, in order. */
  void rethrow() const { f_->rethrow(); }
  std::chrono::nanoseconds now() const { return std::chrono::nanoseconds(toc_now(f_->c)); }
  toc_fabric *get() const noexcept { return f_->c; }

 private:
  static options with(unsigned nodes) {
    options o;
    o.nodes = nodes;
    return o;
  }
  std::shared_ptr<detail::fabric_state> f_;
};

/* Both ends of a connection between processes of this fabric. */
inline std::pair<connection, connection> connect(const process &a, const process &b) {
  toc_qp *qa, *qb;
  check(toc_connect(a.get(), b.get(), &qa, &qb));
  return {connection(a.state(), qa), connection(b.state(), qb)};
}

}  // namespace tocsin
#endif
