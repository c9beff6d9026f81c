// SPDX-License-Identifier: Apache-2.0
// Work for other ranks, in all ways, and how it fails.
#include <cmath>

#include "check.hpp"

namespace {

struct three {
  std::uint64_t a[3];
};
struct large {
  std::uint8_t b[1000];
};

void calls() {
  for (unsigned r = 0; r < irr::ranks(); r++) {
    CHECK(irr::call(r, [] { return irr::rank(); }) == r);
    const double half = irr::call(r, [x = 0.25] { return std::sqrt(x); });
    CHECK(half == 0.5);
    const three t = irr::call(r, [r] { return three{{r, r + 1, r + 2}}; });
    CHECK(t.a[0] == r && t.a[2] == r + 2);
    CHECK(irr::call(r, [] { return 'x'; }) == 'x');
    irr::call(r, [] {});
    large l{};
    for (unsigned i = 0; i < sizeof l.b; i++) l.b[i] = static_cast<std::uint8_t>(i * 7 + r);
    CHECK(irr::call(r, [l, r] {
      for (unsigned i = 0; i < sizeof l.b; i++)
        if (l.b[i] != static_cast<std::uint8_t>(i * 7 + r)) return false;
      return true;
    }));
  }
}

void failures() {
  const unsigned last = irr::ranks() - 1;
  const std::string at = "at rank " + std::to_string(last) + ": ";
  CHECK(reason([last] { irr::call(last, [] { throw irr::error(IRR_E_RANGE); }); }) == IRR_E_RANGE);
  CHECK(reason([last] { irr::call(last, [] { throw std::bad_alloc(); }); }) == IRR_E_NOMEM);
  const std::string s = sentence([last] { irr::call(last, [] { throw std::runtime_error("it is so"); }); });
  CHECK(s == "IRR_E_THROWN: " + at + "it is so");
  CHECK(has(sentence([last] { irr::call(last, [] { throw 3; }); }), "an exception of an unknown type"));
  CHECK(reason([last] { irr::call(last, [last] { irr::call(last, [] {}); }); }) == IRR_E_INSIDE);
  CHECK(reason([last] { irr::call(last, [last] { (void)irr::async(last, [] {}); }); }) == IRR_E_INSIDE);
  CHECK(reason([] { irr::call(irr::ranks(), [] {}); }) == IRR_E_ARG);
  auto f = irr::async(last, []() -> int { throw std::runtime_error("later"); });
  CHECK(sentence([&f] { f.get(); }) == "IRR_E_THROWN: " + at + "later");
  // One of class error has its own sentence too; and one that says that there is no room ends what has thrown it.
  const auto refused = [last] { irr::call(last, [] { throw irr::error(IRR_E_RANGE, "no such place"); }); };
  CHECK(reason(refused) == IRR_E_RANGE);
  CHECK(sentence(refused) == "IRR_E_RANGE: " + at + "no such place");
  const auto times = irr::make_local<unsigned>();
  const auto busy = [last, times] {
    irr::call(last, [times] {
      if (++*times < 3) throw irr::error(IRR_BUSY);
    });
  };
  CHECK(reason(busy) == IRR_BUSY);
  CHECK(irr::call(last, [times] { return *times; }) == 1);
  irr::counter all;
  irr::spawn_on(last, all, [] {
    irr::yield();
    throw std::runtime_error("a task");
  });
  CHECK(has(sentence([&all] { all.wait(); }), (at + "a task").c_str()));
  irr::spawn_on(last, all, [] { throw irr::error(IRR_E_RANGE, "no such place"); });
  CHECK(sentence([&all] { all.wait(); }) == "IRR_E_RANGE: " + at + "no such place");
  // What is not sent is not waited for.
  CHECK(reason([&all] { irr::spawn_on(irr::ranks(), all, [] {}); }) == IRR_E_ARG);
  all.wait();
  CHECK(reason([] {
          irr::counter own;
          irr::spawn_on(irr::ranks(), own, [] {});
        }) == IRR_E_ARG);
  CHECK(has(sentence([] {
              irr::on_all([] {
                if (irr::rank() == irr::ranks() - 1) throw irr::error(IRR_E_IN_USE);
              });
            }),
            "IRR_E_IN_USE"));
}

// Each hears what it has asked for, whoever else has thrown there meanwhile, and in whatever order it looks.
void failures_at_once() {
  const unsigned last = irr::ranks() - 1;
  const std::string at = "at rank " + std::to_string(last) + ": ";
  auto range = irr::async(last, []() -> int { throw irr::error(IRR_E_RANGE, "the first"); });
  auto other = irr::async(last, []() -> int { throw std::runtime_error("the second"); });
  auto align = irr::async(last, [] { throw irr::error(IRR_E_ALIGN, "the third"); });
  range.wait(), other.wait(), align.wait();
  CHECK(sentence([&] { align.get(); }) == "IRR_E_ALIGN: " + at + "the third");
  CHECK(sentence([&] { range.get(); }) == "IRR_E_RANGE: " + at + "the first");
  CHECK(sentence([&] { other.get(); }) == "IRR_E_THROWN: " + at + "the second");
  irr::counter all;
  unsigned right = 0;
  for (std::uint64_t i = 0; i < 200; i++)
    irr::spawn(all, [i, last, at, &right] {
      const auto s = sentence([&] { irr::call(last, [i] { throw std::runtime_error(std::to_string(i)); }); });
      right += s == "IRR_E_THROWN: " + at + std::to_string(i);
    });
  all.wait();
  CHECK(right == 200);
  CHECK(irr::call(last, [] { return irr::detail::mine().thrown.size(); }) == 0);
  // What nobody asks for is forgotten in the end.
  const std::uint64_t most = irr::detail::thrown_most;
  auto old = irr::async(last, [] { throw std::runtime_error("long ago"); });
  for (std::uint64_t i = 0; i < most; i++) irr::async(last, [] { throw std::runtime_error("who cares"); }).wait();
  CHECK(irr::call(last, [] { return irr::detail::mine().thrown.size(); }) == most);
  CHECK(has(sentence([&] { old.get(); }), "forgotten"));
  irr::call(last, [] { irr::detail::mine().thrown.clear(); });
}

// What one task tells a rank runs there in order, and all of it before quiet() returns.
void order() {
  const auto list = irr::make_local<std::vector<unsigned>>();
  for (unsigned i = 0; i < 3000; i++) irr::tell(i % irr::ranks(), [list, i] { list->push_back(i); });
  irr::quiet();
  for (unsigned r = 0; r < irr::ranks(); r++)
    irr::spawn_on(r, [list] {
      for (unsigned i = 0; i < list->size(); i++) CHECK((*list)[i] == i * irr::ranks() + irr::rank());
    });
  irr::quiet();
  std::size_t all = 0;
  for (unsigned r = 0; r < irr::ranks(); r++) all += irr::call(r, [list] { return list->size(); });
  CHECK(all == 3000);
}

// A delegate tells two others: more at once than there is room for.
struct tree {
  irr::local<std::uint64_t> count;
  unsigned depth;
  void operator()() const {
    ++*count;
    for (unsigned i = 0; i < 2 && depth; i++) irr::tell((irr::rank() + i + 1) % irr::ranks(), tree{count, depth - 1});
  }
};

void chains() {
  const auto count = irr::make_local<std::uint64_t>();
  irr::tell(0, tree{count, 13});
  irr::quiet();
  std::uint64_t all = 0;
  for (unsigned r = 0; r < irr::ranks(); r++) all += irr::call(r, [count] { return *count; });
  CHECK(all == (1 << 14) - 1);
}

void many_at_once() {
  std::vector<irr::future<std::uint64_t>> f;
  for (std::uint64_t i = 0; i < 2000; i++)
    f.push_back(irr::async(static_cast<unsigned>(i % irr::ranks()), [i] { return i * i; }));
  for (std::uint64_t i = 0; i < f.size(); i++) CHECK(f[i].get() == i * i);
  irr::counter all;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 500; i++)
    irr::spawn(all, [i, &sum] { sum += irr::call(static_cast<unsigned>(i % irr::ranks()), [i] { return i; }); });
  all.wait();
  CHECK(sum == 500 * 499 / 2);
}

}  // namespace

// Lambdas of functions of one name, in this file and in messages.cpp.
static int which(unsigned r) {
  return irr::call(r, [] { return 1; });
}

void test_delegates() {
  calls();
  failures();
  failures_at_once();
  order();
  chains();
  many_at_once();
  for (unsigned r = 0; r < irr::ranks(); r++) CHECK(which(r) == 1);
}
