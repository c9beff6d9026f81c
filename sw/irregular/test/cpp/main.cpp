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
void dies() {
  irr::promise<int> never;
  irr::tell(irr::ranks() - 1, [] { (void)raise(SIGKILL); });
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
                    {"stuck", stuck}, {"main-throws", main_throws}, {"dies", dies}};

}  // namespace

int main(int argc, char **argv) {
  irr::options o;
  o.heap.rank_bytes = 1 << 20;
  if (argc > 1 && !std::strcmp(argv[1], "twice")) return irr::start(twice, o) || irr::start(twice, o);
  if (argc > 1 && !std::strcmp(argv[1], "two-ranks")) {
    o.ranks = 2;
    return irr::start(twice, o);
  }
  for (const way &w : ways)
    if (argc > 1 && !std::strcmp(argv[1], w.name)) return irr::start(w.run, o);
  return 2;
}
