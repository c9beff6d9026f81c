// SPDX-License-Identifier: Apache-2.0
// tocsin.hpp: what it adds to the C interface, lifetimes above all. ASan sees what goes too early (swsan-cpp).
#include <atomic>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <thread>

#include "tocsin/tocsin.hpp"

static int passed, failed;
#define CHECK(x) check_that((x), #x, __LINE__)
static void check_that(bool good, const char *what, int line) {
  (good ? passed : failed)++;
  if (!good) std::printf("test_cpp.cpp:%d: %s\n", line, what);
}
template <class F>
static toc_status thrown(F f) {
  return tocsin::attempt([&] { f(); }).status();
}

namespace {

struct pair {
  explicit pair(unsigned patience_ms = 0) : f(two(patience_ms)) {}
  static tocsin::options two(unsigned patience_ms) {
    tocsin::options o;
    o.nodes = 2;
    o.patience_ms = patience_ms;
    return o;
  }
  tocsin::fabric f;
  tocsin::process here = f.open_process(0), there = f.open_process(1);
  std::pair<tocsin::connection, tocsin::connection> ends = tocsin::connect(here, there);
  tocsin::connection &qp = ends.first;
  tocsin::memory<std::uint64_t> mine = here.alloc<std::uint64_t>(512), its = there.alloc<std::uint64_t>(512);
  tocsin::region far = its.expose(TOC_READ | TOC_WRITE | TOC_ATOMIC);
  tocsin::request put(std::size_t i) { return qp.put(mine.all().subspan(i, 1), toc_at(far, 8 * i)); }
};

void memory_and_events() {
  pair s;
  std::iota(s.mine.begin(), s.mine.end(), 100u);
  s.qp.put(s.mine, s.far).wait();
  CHECK(std::equal(s.mine.begin(), s.mine.end(), s.its.begin()));
  s.its[3] = 7;
  s.qp.get_into(s.mine.all().first(4), s.far).wait();
  CHECK(s.mine[3] == 7 && s.mine[4] == 104);
  s.qp.fetch_add(s.mine[9], toc_at(s.far, 24), 5).wait();
  CHECK(s.mine[9] == 7 && s.its[3] == 12);
  s.qp.compare_swap(s.mine[9], toc_at(s.far, 24), 12, 1).wait();
  CHECK(s.mine[9] == 12 && s.its[3] == 1);
  s.qp.tell(s.far, 77);
  std::optional<toc_event> e = s.there.next_event();
  CHECK(e && e->kind == TOC_EVENT_IMM && e->value == 77 && e->qp == s.ends.second.get());
  CHECK(!s.there.next_event(tocsin::timeout(1)));
  s.there.wake();
  e = s.there.next_event();
  CHECK(e && e->kind == TOC_EVENT_WAKE);
}

void messages() {
  pair s;
  tocsin::memory<std::uint64_t> in = s.there.alloc<std::uint64_t>(512);
  CHECK(s.there.post_receive(in.all().first(256), 2048) == 0 &&
        s.there.post_receive(in.all().subspan(256, 256), 2048) == 1);
  std::iota(s.mine.begin(), s.mine.end(), 100u);
  s.qp.send(s.mine.all().first(3), 42).wait();
  std::optional<toc_event> e;
  do e = s.there.next_event();
  while (e && e->kind != TOC_EVENT_RECV);
  CHECK(e && e->status == TOC_RECV_IMM && e->value == 42 && e->bytes == 24 && e->ptr == in.data() && in[2] == 102);
  s.qp.send_and_hide(s.mine.all().first(1), static_cast<toc_remote>(s.far).key).wait();
  CHECK(thrown([&] { s.put(0).wait(); }) == TOC_E_ACCESS);
  CHECK(s.there.withdraw() == 0);
}

void errors() {
  pair s;
  try {
    s.put(0).wait();
    s.qp.put(s.mine, toc_at(s.far, 8)).wait();
    CHECK(!"an error");
  } catch (const tocsin::error &e) {
    CHECK(e.status() == TOC_E_ACCESS && !std::strcmp(e.name(), "TOC_E_ACCESS") && *e.what());
  }
  CHECK(thrown([&] { s.put(1); }) == TOC_E_STOPPED);
  s.qp.resume();
  CHECK(s.put(1).status() == TOC_OK);
  tocsin::result<tocsin::process> none = tocsin::attempt([&] { return s.f.open_process(9); });
  CHECK(!none && none.status() == TOC_E_ARG && std::strstr(none.error().what(), "9"));
  auto some = tocsin::attempt([&] { return s.here.index(); });
  CHECK(some && *some == 0 && some.value() == 0 && some.status() == TOC_OK);
  CHECK(tocsin::attempt([&]() -> int { throw tocsin::error(TOC_E_FULL); }).value_or(3) == 3);
  int local = 0;
  CHECK(thrown([&] { s.qp.put(tocsin::span<int>(&local, 1), s.far); }) == TOC_E_RANGE);
  CHECK(thrown([&] { s.here.alloc<std::uint64_t>(SIZE_MAX / 8 + 2); }) == TOC_E_ARG);  // 8 bytes, if one multiplies
  tocsin::options o;
  o.backend = "no such";
  CHECK(thrown([&] { tocsin::fabric f(o); }) == TOC_E_BACKEND);
}

void handlers() {
  pair s;
  std::uint64_t sum = 0;
  {
    tocsin::log log = s.there.open_log();
    CHECK(!log.wait(tocsin::timeout(1)));
    tocsin::rule r = log.on(s.its, TOC_REDIRECT, TOC_SEE_NOTHING, [&](const tocsin::access &a) {
      sum += a.as<std::uint64_t>();
      CHECK(a->kind == TOC_PUT && a.data().size() == 8 && a->target == &s.its[0]);
    });
    CHECK(thrown([&] { auto again = log.on(s.its, TOC_COUNT, TOC_COUNT); }) == TOC_E_IN_USE);
    CHECK(thrown([&] { auto none = s.there.associate(s.its.iova(), 0, TOC_BLOCK, TOC_BLOCK); }) == TOC_E_ALIGN);
    CHECK(thrown([&] { auto again = log.on(s.its, TOC_COUNT, TOC_COUNT); }) == TOC_E_IN_USE);  // still
    for (s.mine[0] = 1; s.mine[0] <= 10; s.mine[0]++) s.put(0).wait();
    for (unsigned n = 0; n < 10;) n += log.wait() ? log.run() : 100;
    CHECK(sum == 55 && s.its[0] == 0);
  }
  s.put(0).wait();  // the rule is gone with its owner
  CHECK(s.its[0] == 11);
  tocsin::log log = s.there.open_log();
  tocsin::rule r = log.on(s.its, TOC_LOG, TOC_COUNT);
  s.put(0).wait();
  s.qp.get_into(s.mine.all().first(2), s.far).wait();
  unsigned seen = 0;
  while (seen < 2 && log.wait())
    seen += log.each([&](const tocsin::access &a) {
      CHECK(a->kind == TOC_PUT ? a.as<std::uint64_t>() == 11 : a.data().empty());
      CHECK(a->kind == TOC_PUT || thrown([&] { a.as<char>(); }) == TOC_E_RANGE);
    });
  CHECK(seen == 2 && log.unread() == 0);
  r = log.on(0x600000000000, 4096, TOC_REDIRECT, TOC_BLOCK, [](const tocsin::access &) {});  // and the old one goes
  s.put(0).wait();
  CHECK(!log.wait(tocsin::timeout(1000)));
}

// What a handler throws comes out, each once, and the records behind it are handled.
void exceptions() {
  pair s;
  tocsin::log log = s.there.open_log();
  unsigned ran = 0, caught = 0;
  tocsin::rule r = log.on(s.its, TOC_REDIRECT, TOC_BLOCK, [&](const tocsin::access &a) {
    if (++ran % 2) throw std::runtime_error(std::to_string(a.as<std::uint64_t>()));
  });
  for (unsigned i = 0; i < 4; i++) {
    s.mine[i] = i;
    s.put(i).wait();
  }
  std::string all;
  for (unsigned i = 0; i < 100 && (ran < 4 || caught < 2); i++) try {
      if (log.wait(tocsin::timeout(10))) log.run();
    } catch (const std::runtime_error &e) {
      caught++;
      all += e.what();
    }
  CHECK(ran == 4 && caught == 2 && all == "02");
  s.f.rethrow();
  s.put(0).wait();
  CHECK(log.wait());
  toc_status ignored = toc_log_run(log.get(), 0);  // who runs it by the C interface finds it later
  CHECK(ignored == TOC_OK);
  bool late = false;
  try {
    s.f.progress();
  } catch (const std::runtime_error &) {
    late = true;
  }
  CHECK(late);
}

// What a handler has thrown costs nobody what a call gives: neither an event, nor a request, nor an error.
void exceptions_beside() {
  pair s;
  toc_log_options o{};
  o.automatic = true;
  tocsin::log log = s.there.open_log(o);
  tocsin::rule r = log.on(s.its, TOC_REDIRECT, TOC_BLOCK, [&](const tocsin::access &) { throw std::range_error(""); });
  unsigned caught = 0, events = 0;
  s.qp.put(s.mine.all().first(1), s.far, 42u);
  for (unsigned i = 0; i < 5; i++) try {
      if (auto e = s.there.next_event(tocsin::timeout(1000))) events += e->kind == TOC_EVENT_IMM && e->value == 42;
    } catch (const std::range_error &) {
      caught++;
    }
  CHECK(caught == 1 && events == 1);

  // The next call after one that has thrown where nobody could tell: with nothing begun, or with its own error first.
  tocsin::memory<std::uint64_t> plain = s.there.alloc<std::uint64_t>(512);
  tocsin::region open = plain.expose();
  auto more = tocsin::connect(s.here, s.there);  // goes on when the first one has stopped
  auto throws = [&] {
    toc_req q;
    toc_status put = toc_put(more.first.get(), s.mine.data(), s.far, 8, &q), ended = toc_wait(q, 0);
    while (put == TOC_OK && ended == TOC_OK && log.unread()) toc_progress(s.f.get());
  };
  auto range_error = [](auto f) {
    try {
      f();
    } catch (const std::range_error &) {
      return true;
    }
    return false;
  };
  s.mine[1] = 77;
  throws();
  CHECK(range_error([&] { s.qp.put(s.mine.all().subspan(1, 1), open); }));
  s.qp.wait_all();
  CHECK(plain[0] == 0);
  for (unsigned all = 0; all < 3; all++) {
    tocsin::request bad = s.qp.put(s.mine, toc_at(open, 8));
    while (!bad.done()) continue;
    throws();
    toc_status first = TOC_OK;
    CHECK(!range_error([&] { first = all == 2 ? bad.status() : thrown([&] { all ? s.qp.wait_all() : bad.wait(); }); }));
    CHECK(first == TOC_E_ACCESS);
    s.qp.resume();
    CHECK(range_error([&] { s.f.rethrow(); }));
  }
}

void results() {
  const tocsin::result<std::string> word(std::string("word"));
  CHECK(word->size() == 4 && *word == "word");
}

// A time that is over is no time: not the standard one.
void past() {
  pair s;
  const auto before = s.f.now();
  CHECK(!s.there.next_event(tocsin::timeout(-5)));
  CHECK(s.f.now() - before < std::chrono::microseconds(100));
}

// Automatic, over a flush; the rule goes in its own handler.
void automatic() {
  pair s;
  toc_log_options o{};
  o.bytes = 4096;
  o.automatic = true;
  tocsin::log log = s.there.open_log(o);
  std::uint64_t sum = 0;
  auto big = std::make_shared<std::vector<int>>(1000, 1);
  std::optional<tocsin::rule> r;
  r = log.on(s.its, TOC_REDIRECT, TOC_BLOCK, [&, big](const tocsin::access &a) {
    sum += a.as<std::uint64_t>();
    if (a.as<std::uint64_t>() == 20) r.reset();
    sum += big->at(999);  // the lambda is still there
  });
  toc_remote page = log.flush_page();
  for (s.mine[0] = 1; s.mine[0] <= 20; s.mine[0]++) s.put(0).wait();
  s.qp.flush(page);
  CHECK(sum == 210 + 20 && !r && big.use_count() == 1);
  tocsin::box box = s.here.open_box(2);
  s.ends.second.reply(box.remote(), 1, 5);
  box.wait(1, 5);
  CHECK(box[1] == 5 && box[0] == 0);
}

// A thread reads the log while another one flushes; its rule goes while records come.
void threads() {
  pair s;
  tocsin::log log = s.there.open_log();
  std::atomic<std::uint64_t> sum{0};
  std::atomic<bool> stop{false};
  std::optional<tocsin::rule> r(
      log.on(s.its, TOC_REDIRECT, TOC_BLOCK, [&](const tocsin::access &a) { sum += a.as<std::uint64_t>(); }));
  toc_remote page = log.flush_page();
  std::thread reader([&] {
    while (!stop)
      if (log.wait(tocsin::timeout(200))) log.run();
  });
  for (s.mine[0] = 1; s.mine[0] <= 50; s.mine[0]++) s.put(0).wait();
  s.qp.flush(page, std::chrono::seconds(1));
  CHECK(sum == 1275);
  for (unsigned i = 0; i < 20; i++) s.put(0);
  r.reset();
  s.qp.wait_all();
  stop = true;
  reader.join();
}

// Whatever goes first: what it is needed for keeps it.
void lifetimes() {
  auto f = std::make_unique<tocsin::fabric>(2);
  auto here = std::make_unique<tocsin::process>(f->open_process(0)),
       there = std::make_unique<tocsin::process>(f->open_process(1));
  f.reset();
  auto [qp, back] = tocsin::connect(*here, *there);
  auto mine = here->alloc<std::uint32_t>(4);
  auto its = std::make_unique<tocsin::memory<std::uint32_t>>(there->alloc<std::uint32_t>(4));
  auto log = std::make_unique<tocsin::log>(there->open_log());
  std::uint32_t got = 0;
  tocsin::rule r =
      log->on(*its, TOC_REDIRECT, TOC_BLOCK, [&](const tocsin::access &a) { got = a.as<std::uint32_t>(); });
  toc_log *c = log->get();
  tocsin::region far = its->expose();
  here.reset();
  there.reset();
  its.reset();
  log.reset();
  mine[0] = 9;
  qp.put(mine, far).wait();
  CHECK(toc_log_wait(c, 0) == TOC_OK && toc_log_run(c, 0) == TOC_OK && got == 9);
  tocsin::connection moved(std::move(qp));
  { tocsin::region gone(std::move(far)); }
  CHECK(moved.put(mine, toc_remote{0, 0}).status() == TOC_E_ACCESS);
  moved = std::move(back);
}

void regions() {
  pair s;
  std::uint64_t at;
  auto page = std::make_unique<tocsin::memory<char>>(s.there.alloc<char>(4096));
  const char *ptr = page->data();
  {
    tocsin::rule watch = s.there.associate(*page, TOC_WATCH, TOC_WATCH);
    page.reset();
    CHECK(toc_iova(s.there.get(), ptr, &at) == TOC_OK);  // the rule needs it
  }
  CHECK(toc_iova(s.there.get(), ptr, &at) == TOC_E_RANGE);
  {
    tocsin::log log = s.there.open_log();
    auto more = std::make_unique<tocsin::memory<char>>(s.there.alloc<char>(4096));
    ptr = more->data();
    tocsin::rule count = log.on(*more, TOC_COUNT, TOC_COUNT);
    more.reset();
    CHECK(toc_iova(s.there.get(), ptr, &at) == TOC_OK);
  }
  CHECK(toc_iova(s.there.get(), ptr, &at) == TOC_E_RANGE);
  toc_remote r = s.far;
  s.put(0).wait();
  { tocsin::region gone = std::move(s.far); }
  CHECK(s.qp.put(s.mine.all().first(1), r).status() == TOC_E_ACCESS);
  s.qp.resume();
  tocsin::region first = s.its.expose(), second = s.its.expose(), &same = first;
  r = first;
  first = std::move(second);  // what it was goes at once
  CHECK(s.qp.put(s.mine.all().first(1), r).status() == TOC_E_ACCESS);
  s.qp.resume();
  first = std::move(same);
  CHECK(s.qp.put(s.mine.all().first(1), first).status() == TOC_OK);
  tocsin::rule watch = s.there.associate(s.its, TOC_WATCH, TOC_WATCH), &itself = watch;
  watch = std::move(itself);
  CHECK(thrown([&] { auto again = s.there.associate(s.its, TOC_WATCH, TOC_WATCH); }) == TOC_E_IN_USE);
}

void tasks() {
  pair s;
  tocsin::queue q = s.there.open_queue(xtq_queue_options{});
  CHECK(thrown([&] { q.kernel(1, [](const toc_call &) {}); }) == TOC_E_ARG);  // nobody serves it
  q.name(0);
  q.serve();
  tocsin::signal done = s.there.open_signal(2);
  s.there.feed_buffers(2, 4096);
  q.kernel(
      42,
      [&](const toc_call &c) {
        auto *v = static_cast<const std::uint64_t *>(c.payload);
        *static_cast<std::uint64_t *>(c.target) += std::accumulate(v, v + c.arg[2], std::uint64_t{0});
        if (c.arg[2] == 1) throw std::range_error("one");
      },
      s.its, done);
  std::iota(s.mine.begin(), s.mine.end(), 0u);
  std::uint64_t args[4] = {0, 0, 100, 0};
  tocsin::task t;
  t.index = 42;
  t.process = s.there.index();
  t.args = args;
  t.args_bytes = sizeof args;
  t.payload = s.mine.data();
  t.payload_bytes = 800;
  tocsin::put(s.qp, t).wait();
  done.wait(1);
  CHECK(s.its[0] == 4950);
  args[2] = 1;
  bool one = false;
  try {
    tocsin::put(s.qp, t).wait();
    done.wait();
    s.f.rethrow();
  } catch (const std::range_error &) {
    one = true;
  }
  CHECK(one);
  t.index = 41;
  CHECK(tocsin::put(s.qp, t).status() == TOC_E_INVALID);
  s.qp.resume();
  { tocsin::queue gone = std::move(q); }
  t.index = 42;
  CHECK(tocsin::put(s.qp, t).status() == TOC_E_INVALID);
  tocsin::queue next = s.there.open_queue(xtq_queue_options{});
  next.serve();
  CHECK(thrown([&] { next.serve(); }) == TOC_E_IN_USE);                        // and it is still served
  CHECK(thrown([&] { next.kernel(42, [](const toc_call &) {}); }) == TOC_OK);  // its kernels went with it
}

// A handler does not end, and its pages get another rule: that is refused, and nothing is called that is gone.
void beside_one_that_does_not_end() {
  std::atomic<bool> inside{false}, end{false};
  unsigned second = 0;
  pair s(30);
  tocsin::log log = s.there.open_log();
  std::optional<tocsin::rule> r = log.on(s.its, TOC_REDIRECT, TOC_SEE_NOTHING, [&](const tocsin::access &) {
    inside = true;
    while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  s.put(0).wait();
  toc_status ran = TOC_E_ARG;
  std::thread runs([&] { ran = thrown([&] { log.run(); }); });
  while (!inside) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  r.reset();
  CHECK(thrown([&] {
          auto next = log.on(s.its, TOC_REDIRECT, TOC_SEE_NOTHING, [&](const tocsin::access &) { second++; });
        }) == TOC_E_TIMEOUT);
  end = true;
  runs.join();
  CHECK(ran == TOC_OK);
  s.mine[0] = 9;
  s.put(0).wait();
  log.run();
  CHECK(!second && s.its[0] == 9);
}

}  // namespace

int main() {
  memory_and_events();
  messages();
  errors();
  handlers();
  exceptions();
  exceptions_beside();
  results();
  past();
  automatic();
  threads();
  lifetimes();
  regions();
  tasks();
  beside_one_that_does_not_end();
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
