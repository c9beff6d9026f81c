// SPDX-License-Identifier: Apache-2.0
// irregular.hpp: `cpp all` runs all its parts; each other word is a way to fail, whose sentence cpp.sh looks for.
#include <csignal>
#include <cstdio>
#include <cstring>

#include "check.hpp"

namespace {

// Planted bugs are looked for by one part alone.
#ifdef PART
void all() {
  PART();
  std::printf("the part passed on %u ranks\n", irr::ranks());
}
#else
void all() {
  test_tasks();
  test_delegates();
  test_messages();
  test_pointers();
  test_arrays();
  test_told();
  std::printf("all parts passed on %u ranks\n", irr::ranks());
}
#endif

// All parts on a heap eight times its memory, and then what meets pages that are not there.
void paged() {
  all();
  const std::uint64_t n = 60000ull * irr::ranks();
  const auto a = irr::alloc<std::uint64_t>(n);
  irr::forall(a, [](std::uint64_t i, std::uint64_t &x) { x = i; });
  for (std::uint64_t i = 0; i < 1500; i++) {
    const auto p = a[i * 7919 % n];
    p.tell([](std::uint64_t &x) { x += 1; });
    if (i % 3 == 0) CHECK(p.call([](std::uint64_t &x) { return x += 2; }) == i * 7919 % n + 3);
    if (i % 5 == 0)
      p.spawn([](std::uint64_t &x) {
        irr::yield();
        x += 4;
      });
  }
  irr::quiet();
  const auto sum = irr::make_local<std::uint64_t>();
  irr::forall(a, [sum](std::uint64_t &x) { *sum += x; });
  std::uint64_t got = 0;
  for (unsigned r = 0; r < irr::ranks(); r++) got += irr::call(r, [sum] { return *sum; });
  CHECK(got == n * (n - 1) / 2 + 1500 + 500 * 2 + 300 * 4);
  CHECK(irr_paged_count(irr::detail::member().store).brought > 100);
}

// The last rank does what nobody waits for.
void task_throws() {
  irr::spawn_on(irr::ranks() - 1, [] { throw std::runtime_error("a task that nobody waits for"); });
}
void told_throws() {
  irr::promise<int> never;
  irr::tell(irr::ranks() - 1, [] { throw std::runtime_error("a delegate that nobody waits for"); });
  never.get_future().get();
}
void stuck() { irr::promise<int>().get_future().get(); }
void main_throws() { throw std::out_of_range("thrown by main"); }
void main_throws_a_number() { throw 3; }
void dies() {
  irr::promise<int> never;
  irr::tell(irr::ranks() - 1, [] { (void)raise(SIGKILL); });
  never.get_future().get();
}
std::uint64_t endless(std::uint64_t n) {
  volatile std::uint64_t here[32] = {n};
  return n == UINT64_MAX ? 0 : endless(n + 1) + here[n % 32];
}
void too_deep() {
  irr::promise<int> never;
  irr::tell(irr::ranks() - 1, [] { irr::spawn([] { (void)endless(1); }); });
  never.get_future().get();
}
void twice() {
  irr::on_all([] {
    auto a = irr::alloc<int>(10, 3);
    CHECK(a[9].read() == 3);
  });
}

struct way {
  const char *name;
  void (*run)();
};
const way ways[] = {{"all", all},     {"task-throws", task_throws}, {"told-throws", told_throws},
                    {"stuck", stuck}, {"main-throws", main_throws}, {"main-throws-3", main_throws_a_number},
                    {"dies", dies},   {"too-deep", too_deep}};

}  // namespace

int main(int argc, char **argv) {
  irr::options o;
  o.heap.rank_bytes = 1 << 20;
  if (argc > 1 && !std::strcmp(argv[1], "twice")) return irr::start(twice, o) || irr::start(twice, o);
  if (argc > 1 && !std::strcmp(argv[1], "two-ranks")) {
    o.ranks = 2;
    return irr::start(twice, o);
  }
  if (argc > 1 && !std::strcmp(argv[1], "paged")) {
    o.store.memory = o.heap.rank_bytes / 8;
    return irr::start(paged, o);
  }
  for (const way &w : ways)
    if (argc > 1 && !std::strcmp(argv[1], w.name)) return irr::start(w.run, o);
  return 2;
}
