// SPDX-License-Identifier: Apache-2.0
// Arrays that are spread over the ranks, loops over them, copies, objects of each rank.
#include "check.hpp"

namespace {

// Each element once, at its home, with its number; also of parts that begin and end anywhere.
void loops() {
  const auto owner = irr::alloc<std::uint64_t>(5000);
  const irr::global_array<std::uint64_t> a = owner.view();
  const auto homes = irr::make_local<std::uint64_t>();
  irr::forall(a, [homes](std::uint64_t i, std::uint64_t &x) {
    if (i % 11 == 0) irr::yield();
    x += i + 1;
    ++*homes;
  });
  for (std::uint64_t i = 0; i < a.size(); i += 13) CHECK(a[i].read() == i + 1);
  std::uint64_t all = 0;
  for (unsigned r = 0; r < irr::ranks(); r++) {
    const std::uint64_t its = irr::call(r, [homes] { return *homes; });
    CHECK(its >= 5000 / irr::ranks() - 16 && its <= 5000 / irr::ranks() + 16);
    all += its;
  }
  CHECK(all == 5000);
  for (std::uint64_t from : {0u, 1u, 7u, 8u, 100u, 4990u})
    for (std::uint64_t n : {0u, 1u, 3u, 8u, 10u}) {
      irr::forall(irr::global_array<std::uint64_t>(a[from], n),
                  [](std::uint64_t i, std::uint64_t &x) { x += i << 32; });
      for (std::uint64_t i = 0; i < n; i++) {
        CHECK(a[from + i].read() == ((from + i + 1) | i << 32));
        a[from + i].write(from + i + 1);
      }
      CHECK(!from || a[from - 1].read() == from);
      CHECK(from + n == 5000 || a[from + n].read() == from + n + 1);
    }
  CHECK(has(sentence([&] {
              irr::forall(a, [](std::uint64_t i, std::uint64_t &) {
                if (i == 4000) throw std::runtime_error("4000");
              });
            }),
            "4000"));
}

void spread() {
  const auto sum = irr::make_local<std::uint64_t>();
  irr::forall_spread(10, 1013, [sum](std::uint64_t i) { *sum += i; });
  std::uint64_t all = 0;
  for (unsigned r = 0; r < irr::ranks(); r++) all += irr::call(r, [sum] { return *sum; });
  CHECK(all == (10 + 1012) * 1003 / 2);
  irr::forall_spread(5, 5, [](std::uint64_t) { never("an empty range has no elements"); });
  CHECK(reason([] { irr::forall_spread(6, 5, [](std::uint64_t) {}); }) == IRR_E_ARG);
  CHECK(reason([] { irr::forall(6, 5, [](std::uint64_t) {}); }) == IRR_E_ARG);
}

// What is given back is there again, whoever had it.
void memory() {
  const std::uint64_t rank_bytes = irr_heap_bytes(irr::detail::member().r.heap) / irr::ranks();
  for (unsigned i = 0; i < 12; i++) {
    auto a = irr::alloc<std::uint64_t>(rank_bytes / 24);
    auto b = std::move(a);
    CHECK(!a.begin() && a.size() == 0 && b.size() == rank_bytes / 24);
    b[b.size() - 1].write(i);
  }
  irr::on_all([rank_bytes] {
    for (unsigned i = 0; i < 4; i++) {
      const auto a = irr::alloc<std::uint64_t>(rank_bytes / 64, i);
      CHECK(a[a.size() - 1].read() == i);
    }
  });
  irr::quiet();
  if (irr::ranks() > 2)
    for (unsigned i = 0; i < 4; i++) {  // larger than the part of a rank
      const auto a = irr::alloc<std::uint64_t>(rank_bytes / 8);
      a[a.size() - 1].write(i);
      CHECK(a[a.size() - 1].read() == i && a[0].read() == 0);
    }
  irr::quiet();
  CHECK(has(sentence([rank_bytes] { (void)irr::alloc<std::uint64_t>(rank_bytes * irr::ranks()); }),
            "raise irr_team_options"));
  struct wide {
    char c[128];
  };
  CHECK(has(sentence([] { (void)irr::alloc<wide>(3); }), "larger than a block"));
}

// The parts of all ranks are full: an array without elements is of what is for all, and takes nobody's place there.
void none_of_full() {
  const auto kept = irr::make_local<std::vector<irr_address>>();
  irr::quiet();
  irr::on_all([kept] {
    irr_address a;
    while (irr_global_malloc(irr::detail::member().r.heap, 1, &a) == IRR_OK) kept->push_back(a);
  });
  {
    const auto some = irr::alloc<std::uint64_t>(10, 7);
    {
      const auto none = irr::alloc<std::uint64_t>(0);
      CHECK(none.size() == 0 && none.begin() != some.begin());
    }
    irr::quiet();
    const auto other = irr::alloc<std::uint64_t>(10, 8);
    CHECK(some[9].read() == 7 && other[9].read() == 8);
  }
  irr::on_all([kept] {
    for (const irr_address a : *kept)
      while (irr_global_free(irr::detail::member().r.heap, a, nullptr, nullptr, nullptr) == IRR_BUSY) irr::yield();
  });
  irr::quiet();
}

void copies() {
  const auto a = irr::alloc<std::uint32_t>(700, 9);
  {
    irr::cached<std::uint32_t> c(a[100], 300, IRR_CACHE_READ_WRITE);
    CHECK(c.size() == 300 && c[0] == 9 && c[299] == 9);
    for (std::uint32_t &x : c) x = static_cast<std::uint32_t>(&x - c.data());
    CHECK(a[150].read() == 9);
    c.release();
    CHECK(a[150].read() == 50);
  }
  {
    irr::cached<std::uint32_t> c(a[0], 10, IRR_CACHE_WRITE);
    for (std::uint32_t &x : c) x = 77;
  }
  irr::cached<std::uint32_t> all(a.begin(), a.size());
  for (std::uint32_t i = 0; i < 700; i++) CHECK(all[i] == (i < 10 ? 77 : i < 100 || i >= 400 ? 9 : i - 100));
  CHECK(reason([] { irr::cached<std::uint32_t>(irr::global_ptr<std::uint32_t>(1ull << 40), 1); }) == IRR_E_RANGE);
}

void locals() {
  const auto text = irr::make_local<std::string>(3ul, 'x');
  const auto other = irr::make_local<std::vector<int>>();
  irr::on_all([text, other] {
    *text += std::to_string(irr::rank());
    other->push_back(static_cast<int>(irr::rank()));
  });
  irr::on_all([text, other] {
    CHECK(*text == "xxx" + std::to_string(irr::rank()));
    CHECK(other->size() == 1 && other->front() == static_cast<int>(irr::rank()));
  });
  if (irr::ranks() > 1)
    CHECK(has(sentence([] {
                irr::on_all([] {
                  if (irr::rank()) irr::make_local<int>();
                });
              }),
              "rank 0"));
}

}  // namespace

void test_arrays() {
  loops();
  spread();
  memory();
  none_of_full();
  copies();
  locals();
}
