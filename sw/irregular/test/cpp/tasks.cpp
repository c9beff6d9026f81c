// SPDX-License-Identifier: Apache-2.0
// Tasks of one rank: counters, futures, loops, exceptions that are handled while others run.
#include <exception>

#include "check.hpp"

namespace {

void counters() {
  std::uint64_t sum = 0;
  irr::counter all;
  const std::string large(100, 'x');
  for (std::uint64_t i = 0; i < 1000; i++) {
    irr::spawn(all, [&sum, i] {
      irr::yield();
      sum += i;
    });
    irr::spawn(all, [&sum, large, p = std::make_unique<std::uint64_t>(i)] {
      irr::yield();
      sum += *p * large.size();
    });
  }
  CHECK(sum == 0);
  all.wait();
  CHECK(sum == 101 * 499500);
  bool done = false;
  {
    irr::counter waited;
    irr::spawn(waited, [&done] {
      for (int i = 0; i < 5; i++) irr::yield();
      done = true;
    });
  }
  CHECK(done);
  irr::counter bad;
  for (int i = 0; i < 3; i++) irr::spawn(bad, [i] { throw std::runtime_error("task " + std::to_string(i)); });
  CHECK(sentence([&] { bad.wait(); }) == "task 0");
  bad.wait();
  bad.enroll(2);
  irr::spawn([&bad] {
    bad.complete();
    bad.complete();
  });
  bad.wait();
}

void futures() {
  auto number = irr::async([] {
    irr::yield();
    return 42;
  });
  CHECK(!number.ready());
  CHECK(number.get() == 42);
  auto nothing = irr::async([] {});
  nothing.get();
  CHECK(number.ready() && reason([&] { number.get(); }) == IRR_E_ARG && reason([&] { nothing.wait(); }) == IRR_E_ARG);
  auto only = irr::async([] { return std::make_unique<std::string>("moved"); });
  CHECK(*only.get() == "moved");
  auto bad = irr::async([]() -> int { throw std::out_of_range("no value"); });
  bool caught = false;
  try {
    bad.get();
  } catch (const std::out_of_range &) {
    caught = true;
  }
  CHECK(caught);
  irr::promise<std::string> p;
  auto text = p.get_future();
  irr::spawn([p] {
    irr::yield();
    p.set("by hand");
  });
  CHECK(text.get() == "by hand");
  irr::promise<int> q;
  q.fail(std::make_exception_ptr(std::runtime_error("by hand")));
  CHECK(sentence([&] { q.get_future().get(); }) == "by hand");
}

void loops() {
  std::vector<int> seen(5000);
  irr::forall(
      10, 5000,
      [&seen](std::uint64_t i) {
        if (i % 7 == 0) irr::yield();
        seen[i]++;
      },
      33);
  for (std::size_t i = 0; i < seen.size(); i++) CHECK(seen[i] == (i >= 10));
  irr::forall(3, 3, [](std::uint64_t) { never("an empty range has no elements"); });
  std::uint64_t ran = 0;
  const auto loop = [&ran] {
    irr::forall(0, 1000, [&ran](std::uint64_t i) {
      if (i == 500) throw std::runtime_error("500");
      ran++;
    });
  };
  CHECK(sentence(loop) == "500");
  CHECK(ran >= 900 && ran < 1000);
}

// Waits while it unwinds.
struct waiter {
  int &count;
  ~waiter() {
    for (int i = 0; i < 3; i++) irr::yield();
    count++;
  }
};

void handler(int i, int &good) {
  int unwound = 0;
  try {
    const waiter w{unwound};
    throw i;
  } catch (int mine) {
    for (int k = 0; k < i % 5; k++) irr::yield();  // others begin and end handling theirs meanwhile
    try {
      try {
        throw std::to_string(i);
      } catch (const std::string &) {
        irr::yield();
        throw;
      }
    } catch (const std::string &inner) {
      irr::yield();
      good += mine == i && inner == std::to_string(i) && unwound == 1 && std::uncaught_exceptions() == 0;
    }
    try {
      irr::yield();
      throw;
    } catch (int again) {
      good += again == i;
    }
  }
  good += !std::current_exception();
}

void exceptions() {
  int good = 0;
  irr::counter all;
  for (int i = 0; i < 200; i++) irr::spawn(all, [i, &good] { handler(i, good); });
  all.wait();
  CHECK(good == 3 * 200);
}

void attempts() {
  auto some = tocsin::attempt([] { return irr::rank(); });
  CHECK(some && *some == irr::rank());
  auto none = tocsin::attempt([] { return irr::global_ptr<int>().read(); });
  CHECK(!none && none.status() == TOC_E_RANGE && has(none.error().what(), "IRR_E_RANGE: a null global pointer"));
}

}  // namespace

void test_tasks() {
  counters();
  futures();
  loops();
  exceptions();
  attempts();
}
