// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: owners of the C objects, for programs that put a rank together by themselves;
 * `run` does that for all others.
 *
 *   tocsin::irregular::net n(process, net_options);            // keeps its process open
 *   tocsin::irregular::heap h(n, heap_options);                // keeps its net open
 *   tocsin::irregular::scheduler s;
 *   irr_rank r = tocsin::irregular::join(s, h);                // delegate.h: what tasks use
 */
#ifndef TOCSIN_IRREGULAR_OWNERS_HPP
#define TOCSIN_IRREGULAR_OWNERS_HPP

#include <memory>

#include "tocsin/fabric.hpp"
#include "tocsin/irregular/delegate.h"
#include "tocsin/irregular/error.hpp"

namespace tocsin::irregular {

namespace detail {
struct net_state {
  process of;
  irr_net *c = nullptr;
  net_state(const process &p, const irr_net_options &o) : of(p) {
    check(irr_net_open(p.state()->fabric->c, p.get(), &o, &c));
  }
  net_state(const net_state &) = delete;
  net_state &operator=(const net_state &) = delete;
  ~net_state() { irr_net_close(c); }
};
struct heap_state {
  std::shared_ptr<net_state> net;
  irr_heap *c = nullptr;
  heap_state(std::shared_ptr<net_state> n, const irr_heap_options &o) : net(std::move(n)) {
    check(irr_heap_open(net->c, &o, &c));
  }
  heap_state(const heap_state &) = delete;
  heap_state &operator=(const heap_state &) = delete;
  ~heap_state() { irr_heap_close(c); }
};
struct closes_scheduler {
  void operator()(irr_sched *s) const noexcept { irr_close(s); }
};
}  // namespace detail

class net {
 public:
  net(const process &p, const irr_net_options &o) : n_(std::make_shared<detail::net_state>(p, o)) {}
  irr_net *get() const noexcept { return n_->c; }
  unsigned rank() const noexcept { return irr_net_rank(get()); }
  unsigned ranks() const noexcept { return irr_net_ranks(get()); }
  /* What ranks in other processes need, and what they say of themselves. */
  irr_face face(unsigned to) const {
    irr_face f;
    check(irr_net_face(get(), to, &f));
    return f;
  }
  void connect(unsigned to, const irr_face &theirs) const { check(irr_net_connect(get(), to, &theirs)); }
  bool poll() const {
    bool moved;
    check(irr_net_poll(get(), &moved));
    return moved;
  }
  irr_traffic counts() const noexcept {
    irr_traffic t;
    irr_net_counts(get(), &t);
    return t;
  }
  const std::shared_ptr<detail::net_state> &state() const noexcept { return n_; }

 private:
  std::shared_ptr<detail::net_state> n_;
};

/* Connects the nets of one process, nets[i] being rank i. */
template <class Nets>
void join_all(const Nets &nets) {
  std::vector<irr_net *> c;
  for (const net &n : nets) c.push_back(n.get());
  check(irr_net_join(c.data(), static_cast<unsigned>(c.size())));
}

class heap {
 public:
  heap(const net &n, const irr_heap_options &o) : h_(std::make_shared<detail::heap_state>(n.state(), o)) {}
  irr_heap *get() const noexcept { return h_->c; }
  std::uint64_t bytes() const noexcept { return irr_heap_bytes(get()); }
  std::uint32_t block() const noexcept { return irr_heap_block(get()); }
  irr_net *its_net() const noexcept { return h_->net->c; }

 private:
  std::shared_ptr<detail::heap_state> h_;
};

/* Of the thread that opens it. */
class scheduler {
 public:
  explicit scheduler(const irr_options &o = {}) {
    irr_sched *s;
    check_task(irr_open(&o, &s));
    s_.reset(s);
  }
  irr_sched *get() const noexcept { return s_.get(); }
  void spawn(irr_task_fn *f, const irr_args &a = {}, irr_counter *join = nullptr) const {
    check_task(irr_spawn(get(), f, &a, join));
  }
  void run() const { check_task(irr_run(get())); }
  bool step() const { return irr_step(get()); }
  std::uint64_t left() const noexcept { return irr_left(get()); }

 private:
  std::unique_ptr<irr_sched, detail::closes_scheduler> s_;
};

/* Lets the scheduler poll the heap's net (irr_rank_begin). The result stays where it is, and alive,
 * while tasks use it. */
inline std::unique_ptr<irr_rank> join(const scheduler &s, const heap &h) {
  auto r = std::make_unique<irr_rank>(irr_rank{s.get(), h.its_net(), h.get()});
  check(irr_rank_begin(r.get()));
  return r;
}

}  // namespace tocsin::irregular
#endif
