// SPDX-License-Identifier: Apache-2.0
/* Part of tocsin.hpp: logs, rules whose handlers are lambdas, boxes. active.h says what they are. */
#ifndef TOCSIN_ACTIVE_HPP
#define TOCSIN_ACTIVE_HPP

#include <cstring>

#include "tocsin/fabric.hpp"

namespace tocsin {

/* An access that a log has recorded; good while its handler runs, or until log::each returns. */
class access {
 public:
  explicit access(const toc_access &a) : a_(a) {}
  const toc_access *operator->() const noexcept { return &a_; }
  /* Its data; empty: it was recorded without. */
  span<const std::uint8_t> data() const noexcept { return {a_.data, a_.data ? a_.bytes : 0}; }
  /* The first bytes of them as a T. TOC_E_RANGE: they are fewer. */
  template <class T>
  T as() const {
    static_assert(std::is_trivially_copyable_v<T>, "records are bytes");
    T v;
    if (data().size() < sizeof v)
      throw error(TOC_E_RANGE, "a record of " + std::to_string(data().size()) + " bytes is no such object");
    std::memcpy(&v, a_.data, sizeof v);
    return v;
  }

 private:
  const toc_access &a_;
};

namespace detail {

struct handler : std::enable_shared_from_this<handler> {
  fabric_state *fabric;
  std::function<void(const access &)> call;
  static void run(void *arg, const toc_access *a) noexcept {
    std::shared_ptr<handler> h = static_cast<handler *>(arg)->shared_from_this(); /* its rule may go meanwhile */
    h->fabric->guard([&] { h->call(access(*a)); });
  }
};

struct log_state {
  std::shared_ptr<process_state> process;
  toc_log *c = nullptr;
  log_state(std::shared_ptr<process_state> p, const toc_log_options &o) : process(std::move(p)) {
    tocsin::check(toc_log_open(process->c, &o, &c));
  }
  log_state(const log_state &) = delete;
  log_state &operator=(const log_state &) = delete;
  ~log_state() { toc_log_close(c); }
};

}  // namespace detail

/* What pages say about puts and gets, as long as this lives; its handler may go with it at any time, also from within
 * itself. To say something else of the same pages, let the old rule go first (TOC_E_IN_USE). */
class rule {
 public:
  rule(std::shared_ptr<detail::process_state> p, std::shared_ptr<void> keep, std::shared_ptr<detail::handler> h,
       std::uint64_t iova, std::uint64_t bytes, const toc_rule &r)
      : p_(std::move(p)), keep_(std::move(keep)), h_(std::move(h)), iova_(iova), bytes_(bytes) {
    p_->rule_begin(iova, bytes);
    toc_status s = toc_associate_iova(p_->c, iova, bytes,
                                      &r); /* without the lock: it waits for handlers, which may have rules too */
    if (s == TOC_OK) return;
    const error why(s);
    if (s == TOC_E_TIMEOUT) take_back(); /* it stands all the same: a handler of before does not end */
    p_->rule_end(iova, bytes);
    throw why;
  }
  rule(rule &&) noexcept = default;
  rule &operator=(rule &&o) noexcept {
    if (this == &o) return *this;
    rule gone(std::move(*this));
    p_ = std::move(o.p_);
    keep_ = std::move(o.keep_);
    h_ = std::move(o.h_);
    iova_ = o.iova_;
    bytes_ = o.bytes_;
    return *this;
  }
  ~rule() {
    if (!p_) return;
    take_back();
    p_->rule_end(iova_, bytes_);
  }

 private:
  void take_back() {
    toc_status s = toc_dissociate(p_->c, iova_, bytes_); /* waits for the handler, if another thread runs it */
    if (s != TOC_OK && h_) p_->keep(h_);
  }
  std::shared_ptr<detail::process_state> p_;
  std::shared_ptr<void> keep_;
  std::shared_ptr<detail::handler> h_;
  std::uint64_t iova_, bytes_;
};

/* A log. Its rules keep it open. */
class log {
 public:
  log(std::shared_ptr<detail::process_state> p, const toc_log_options &o)
      : l_(std::make_shared<detail::log_state>(std::move(p), o)) {}
  log(log &&) noexcept = default;
  log &operator=(log &&) noexcept = default;

  /* Pages of memory, or addresses, that are logged here; f(const access &) is called for each record, in the thread
   * that runs the log. What it throws comes out of the next call that runs or waits for something on this fabric. */
  template <class T, class F>
  [[nodiscard]] rule on(const memory<T> &m, unsigned put, unsigned get, F f) const {
    return make(std::make_shared<both>(both{l_, m.state()}), std::move(f), m.iova(),
                (m.state()->bytes + 4095) & ~std::uint64_t{4095}, put, get);
  }
  template <class F>
  [[nodiscard]] rule on(std::uint64_t iova, std::uint64_t bytes, unsigned put, unsigned get, F f) const {
    return make(l_, std::move(f), iova, bytes, put, get);
  }
  /* The same for log::each, without a handler. */
  template <class T>
  [[nodiscard]] rule on(const memory<T> &m, unsigned put, unsigned get) const {
    return on(m, put, get, std::function<void(const access &)>());
  }

  /* Runs the handlers of the records that are there, at most `most` (0: all); how many there were. */
  unsigned run(unsigned most = 0) const {
    unsigned ran;
    l_->process->fabric->check(toc_log_run_count(l_->c, most, &ran));
    return ran;
  }
  /* Waits for a record; false: none has come in time. */
  [[nodiscard]] bool wait(timeout t = standard) const {
    toc_status s = toc_log_wait(l_->c, detail::us(t));
    if (s == TOC_E_TIMEOUT) {
      l_->process->fabric->rethrow();
      return false;
    }
    l_->process->fabric->check(s);
    return true;
  }
  /* Without handlers: f(const access &) for each record that is there, in place, then their space back;
   * how many there were. */
  template <class F>
  unsigned each(F &&f) const {
    struct back {
      toc_log *l;
      ~back() { toc_log_release(l); }
    } release{l_->c};
    toc_access a;
    unsigned n = 0;
    for (; toc_log_next(l_->c, &a); n++) f(access(a));
    return n;
  }
  /* For the flushes of peers. */
  toc_remote flush_page() const {
    toc_remote r;
    check(toc_flush_page(l_->c, &r));
    return r;
  }
  std::size_t unread() const { return toc_log_unread(l_->c); }
  toc_log_state inspect() const {
    toc_log_state s;
    check(toc_log_inspect(l_->c, &s));
    return s;
  }
  int fd() const { return toc_log_fd(l_->c); }
  toc_log *get() const noexcept { return l_->c; }

 private:
  struct both {
    std::shared_ptr<void> log, memory;
  };
  template <class F>
  rule make(std::shared_ptr<void> keep, F f, std::uint64_t iova, std::uint64_t bytes, unsigned put,
            unsigned get) const {
    auto h = std::make_shared<detail::handler>();
    h->fabric = l_->process->fabric.get();
    h->call = std::move(f);
    toc_rule r{};
    r.put = put;
    r.get = get;
    r.log = l_->c;
    if (h->call) {
      r.handler = detail::handler::run;
      r.arg = h.get();
    }
    return {l_->process, std::move(keep), std::move(h), iova, bytes, r};
  }
  std::shared_ptr<detail::log_state> l_;
};

/* Numbers that peers tell by connection::reply. */
class box : public detail::owner<toc_box, detail::process_state, &toc_box_close> {
 public:
  box(std::shared_ptr<detail::process_state> p, toc_box *b, toc_remote where) : owner(std::move(p), b), where_(where) {}
  toc_remote remote() const noexcept { return where_; }
  void wait(unsigned slot, std::uint64_t at_least, timeout t = standard) const {
    parent().fabric->check(toc_box_wait(get(), slot, at_least, detail::us(t)));
  }
  std::uint64_t operator[](unsigned slot) const { return toc_box_value(get(), slot); }

 private:
  toc_remote where_;
};

inline log process::open_log(const toc_log_options &o) const { return {p_, o}; }

inline box process::open_box(unsigned slots) const {
  toc_box *b;
  toc_remote where;
  check(toc_box_open(p_->c, slots, &b, &where));
  return {p_, b, where};
}

/* What needs no log: TOC_WATCH, TOC_BLOCK. */
inline rule process::associate(std::uint64_t iova, std::uint64_t bytes, unsigned put, unsigned get) const {
  toc_rule r{};
  r.put = put;
  r.get = get;
  return {p_, nullptr, nullptr, iova, bytes, r};
}
template <class T>
rule process::associate(const memory<T> &m, unsigned put, unsigned get) const {
  toc_rule r{};
  r.put = put;
  r.get = get;
  return {p_, m.state(), nullptr, m.iova(), (m.state()->bytes + 4095) & ~std::uint64_t{4095}, r};
}

}  // namespace tocsin
#endif
