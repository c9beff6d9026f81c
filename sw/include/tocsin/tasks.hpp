// SPDX-License-Identifier: Apache-2.0
/* Part of tocsin.hpp: queues, kernels that are lambdas, signals, tasks. xtq.h and agent.h say what they are. */
#ifndef TOCSIN_TASKS_HPP
#define TOCSIN_TASKS_HPP

#include "tocsin/agent.h"
#include "tocsin/fabric.hpp"

namespace tocsin {

namespace detail {
struct signal_state {
  std::shared_ptr<process_state> process;
  aql_signal *c = nullptr;
  signal_state(std::shared_ptr<process_state> p, std::int64_t value) : process(std::move(p)) {
    tocsin::check(xtq_signal_open(process->c, value, &c));
  }
  signal_state(const signal_state &) = delete;
  signal_state &operator=(const signal_state &) = delete;
  ~signal_state() { xtq_signal_close(process->c, c); }
};
}  // namespace detail

/* A completion signal, as long as a kernel or somebody has it. */
class signal {
 public:
  signal(std::shared_ptr<detail::process_state> p, std::int64_t value)
      : s_(std::make_shared<detail::signal_state>(std::move(p), value)) {}
  /* Until its value is at most `value`. */
  void wait(std::int64_t value = 0, timeout t = standard) const {
    s_->process->fabric->check(xtq_signal_wait(s_->process->c, s_->c, value, detail::us(t)));
  }
  std::int64_t value() const noexcept { return s_->c->value; }
  aql_signal *get() const noexcept { return s_->c; }
  const std::shared_ptr<detail::signal_state> &state() const noexcept { return s_; }

 private:
  std::shared_ptr<detail::signal_state> s_;
};

namespace detail {

struct kernel {
  fabric_state *fabric;
  std::function<void(const toc_call &)> call;
  std::shared_ptr<void> target, signal;
  std::uint32_t index;
  bool function;
  static void run(void *arg, const toc_call *c) noexcept {
    auto *k = static_cast<kernel *>(arg);
    k->fabric->guard([&] { k->call(*c); });
  }
};

struct queue_state {
  std::shared_ptr<process_state> process;
  xtq_queue *c = nullptr;
  toc_agent *agent = nullptr;
  std::vector<std::shared_ptr<kernel>> kernels;
  queue_state(std::shared_ptr<process_state> p, const xtq_queue_options &o) : process(std::move(p)) {
    tocsin::check(xtq_queue_open(process->c, &o, &c));
  }
  queue_state(const queue_state &) = delete;
  queue_state &operator=(const queue_state &) = delete;
  ~queue_state() {
    for (auto &k : kernels)
      static_cast<void>((k->function ? xtq_unregister_function : xtq_unregister_kernel)(process->c, k->index));
    toc_agent_close(agent);
    if (xtq_queue_close(c) != TOC_OK)
      for (auto &k : kernels) process->keep(k);
  }
};

}  // namespace detail

/* A queue for tasks, and the accelerator in software that serves it. It is registered with its process under the number
 * that it was asked for, and so are its kernels; with it they go. */
class queue {
 public:
  queue(std::shared_ptr<detail::process_state> p, const xtq_queue_options &o)
      : q_(std::make_shared<detail::queue_state>(std::move(p), o)) {}
  queue(queue &&) noexcept = default;
  queue &operator=(queue &&) noexcept = default;

  /* Peers name it by this number (xtq_task.queue). */
  void name(std::uint32_t index) const { check(xtq_register_queue(q_->process->c, index, q_->c)); }
  /* Runs its tasks here; automatic: as every call that waits on this fabric finds them, in the library's thread. */
  void serve(bool automatic = true) const {
    toc_agent *a;
    check(toc_agent_open(q_->c, automatic, &a)); /* it may have one */
    q_->agent = a;
  }
  /* Kernel (or function) `index` of the process is f(const toc_call &), run by this queue, which must be served. What f
   * throws comes out of the next call that runs or waits for something. target: what its first argument points to;
   * without, that is the sender's. The second one always is the payload. */
  template <class F>
  void kernel(std::uint32_t index, F f) const {
    add(index, std::move(f), false, nullptr, nullptr, nullptr, nullptr);
  }
  template <class F, class T>
  void kernel(std::uint32_t index, F f, const memory<T> &target) const {
    add(index, std::move(f), false, target.data(), target.state(), nullptr, nullptr);
  }
  template <class F, class T>
  void kernel(std::uint32_t index, F f, const memory<T> &target, const signal &done) const {
    add(index, std::move(f), false, target.data(), target.state(), done.get(), done.state());
  }
  template <class F>
  void function(std::uint32_t index, F f) const {
    add(index, std::move(f), true, nullptr, nullptr, nullptr, nullptr);
  }
  template <class F, class T>
  void function(std::uint32_t index, F f, const memory<T> &target, const signal &done) const {
    add(index, std::move(f), true, target.data(), target.state(), done.get(), done.state());
  }
  /* Runs what is there, at most `most` tasks (0: all); how many. */
  unsigned run(unsigned most = 0) const {
    unsigned ran;
    q_->process->fabric->check(toc_agent_run(q_->agent, most, &ran));
    return ran;
  }
  xtq_queue *get() const noexcept { return q_->c; }

 private:
  template <class F>
  void add(std::uint32_t index, F f, bool function, void *target, std::shared_ptr<void> target_state, aql_signal *done,
           std::shared_ptr<void> done_state) const {
    auto k = std::make_shared<detail::kernel>(detail::kernel{
        q_->process->fabric.get(), std::move(f), std::move(target_state), std::move(done_state), index, function});
    xtq_code c{toc_agent_code(q_->agent, detail::kernel::run, k.get()), target, done};
    if (!c.code)
      throw error(q_->agent ? TOC_E_NOMEM : TOC_E_ARG,
                  q_->agent ? "no memory for a kernel" : "the queue is not served yet");
    q_->kernels.reserve(q_->kernels.size() + 1);
    check((function ? xtq_register_function : xtq_register_kernel)(q_->process->c, index, &c));
    q_->kernels.push_back(std::move(k));
  }
  std::shared_ptr<detail::queue_state> q_;
};

/* All fields 0 or NULL: the default then. */
struct task : xtq_task {
  task() : xtq_task{} {}
};

/* Sends a task; the request has ended when it is in the target's queue. */
inline request put(connection &c, const xtq_task &t) {
  return c.post([&](toc_req *r) { return xtq_put(c.get(), &t, r); });
}

inline queue process::open_queue(const xtq_queue_options &o) const { return {p_, o}; }
inline signal process::open_signal(std::int64_t value) const { return {p_, value}; }
inline void process::feed_buffers(unsigned count, std::uint32_t bytes) const {
  check(xtq_feed_buffers(p_->c, count, bytes));
}

}  // namespace tocsin
#endif
