// SPDX-License-Identifier: Apache-2.0
// Global pointers: arithmetic, homes, operations on words and on what is none.
#include "check.hpp"

namespace {

struct alignas(16) pair {
  std::uint64_t key, value;
};

void arithmetic() {
  const auto a = irr::alloc<std::uint32_t>(1000, 5);
  const irr::global_ptr<std::uint32_t> p = a.begin();
  irr::global_ptr<std::uint32_t> q = p;
  CHECK(p + 10 == 10 + p && (p + 10) - p == 10 && p - (p + 10) == -10 && p + 10 - 10 == p);
  CHECK(++q == p + 1 && q++ == p + 1 && q == p + 2 && --q == p + 1 && q-- == p + 1 && q == p);
  CHECK(p < p + 1 && p <= p && p + 1 > p && p >= p && p != p + 1 && a.end() - a.begin() == 1000);
  CHECK((q += 16).address() == p.address() + 64 && (q -= 16) == p);
  CHECK(p && !irr::global_ptr<int>() && !irr::global_ptr<int>(nullptr));
  for (int i = 0; i < 1000; i++) {
    CHECK((p + i).home() == ((p.address() + 4u * static_cast<unsigned>(i)) / 64) % irr::ranks());
    const bool here = (p + i).home() == irr::rank();
    if (here && irr::detail::member().store)
      CHECK(reason([&] { (void)(p + i).local(); }) == IRR_E_ARG);
    else
      CHECK(((p + i).local() != nullptr) == here);
  }
}

template <class T>
void operations(T one, T two) {
  const auto a = irr::alloc<T>(300);
  for (int i = 0; i < 300; i += 7) {
    const irr::global_ptr<T> p = a[static_cast<std::uint64_t>(i)];
    CHECK(p.read() == T());
    p.write(one);
    CHECK(p.read() == one && p.fetch_add(two) == one && p.read() == static_cast<T>(one + two));
    CHECK(p.compare_exchange(one, two) == static_cast<T>(one + two) && p.read() == static_cast<T>(one + two));
    CHECK(p.compare_exchange(static_cast<T>(one + two), one) == static_cast<T>(one + two) && p.read() == one);
  }
  T sum{};
  for (std::uint64_t i = 0; i < 300; i++) sum = static_cast<T>(sum + a[i].read());
  CHECK(sum == static_cast<T>(one * static_cast<T>(43)));
}

void structs() {
  const auto a = irr::alloc<pair>(100, pair{1, 2});
  a[63].write({7, 8});
  CHECK(a[62].read().value == 2 && a[63].read().key == 7);
  CHECK(a[63].call([](pair &x) { return x.value += 2; }) == 10);
  auto later = a[63].async([](pair &x) { return x; });
  a[5].tell([](pair &x) { x.key = 99; });
  a[6].spawn([](pair &x) {
    irr::yield();
    x.key = 98;
  });
  CHECK(later.get().value == 10);
  irr::quiet();
  CHECK(a[5].read().key == 99 && a[6].read().key == 98);
}

void mistakes() {
  const irr_heap *h = irr::detail::member().r.heap;
  const irr::global_ptr<std::uint64_t> past(irr_heap_bytes(h)), none, crooked(60);
  CHECK(reason([&] { past.read(); }) == IRR_E_RANGE);
  CHECK(reason([&] { none.write(1); }) == IRR_E_RANGE);
  CHECK(has(sentence([&] { crooked.read(); }), "a 8-byte object that lies in two blocks of 64 bytes"));
  CHECK(reason([&] { irr::global_ptr<std::uint64_t>(4).read(); }) == IRR_E_ALIGN);
  CHECK(reason([&] { irr::global_ptr<int>(irr_address_2d(irr::ranks(), &h)).read(); }) == IRR_E_RANGE);
}

// To memory of one rank.
void own_memory() {
  std::uint64_t word = 1;
  const auto p = irr::global_ptr<std::uint64_t>::to(word);
  CHECK(p.home() == 0 && p.local() == &word);
  irr::on_all([p] {
    CHECK(p.home() == 0);
    for (int i = 0; i < 100; i++) p.fetch_add(1);
  });
  CHECK(word == 1 + 100 * irr::ranks());
  p.write(3);
  CHECK(word == 3 && p.read() == 3);
  std::uint64_t row[4] = {0, 1, 2, 3};
  const auto r = irr::global_ptr<std::uint64_t>::to(row[0]);
  CHECK(irr::call(irr::ranks() - 1, [r] { return ((r + 3) - r); }) == 3 && (r + 2).read() == 2);
}

}  // namespace

void test_pointers() {
  arithmetic();
  operations<std::uint64_t>(5, 1ull << 63);
  operations<std::int64_t>(-5, 3);
  operations<double>(0.5, 0.25);
  operations<float>(1.5f, 2.0f);
  operations<std::uint16_t>(65535, 3);
  operations<std::uint8_t>(200, 100);
  structs();
  mistakes();
  own_memory();
}
