// SPDX-License-Identifier: Apache-2.0
// How lambdas are known on the wire.
#include <cstring>

#include "check.hpp"

static int which(unsigned r) {
  return irr::call(r, [] { return 2; });
}

namespace {

template <class F>
std::uint32_t number_of(F) {
  return irr::detail::known<irr::detail::called<F>>::entry.number;
}

// What no rank sends: a number that is too large, a message of another length.
irr_status by_hand(unsigned to, std::uint32_t number, std::uint32_t bytes) {
  const irr::detail::envelope e{0, static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(bytes)};
  irr_delegate d{};
  d.to = to;
  d.function = irr::detail::cpp_function;
  d.args = &e;
  d.bytes = sizeof e;
  return irr_delegate_to(&irr::detail::member().r, &d, nullptr);
}

}  // namespace

void test_messages() {
  const unsigned last = irr::ranks() - 1;
  for (unsigned r = 0; r <= last; r++) CHECK(which(r) == 2);
  const auto first = [] { return 1; };
  const auto second = [] { return 2; };
  irr::call(last, first);
  irr::call(last, second);
  CHECK(number_of(first) != number_of(second));
  for (unsigned r = 0; r <= last; r++)
    CHECK(irr::call(r, [] { return irr::detail::kinds::all().close(); }) == irr::detail::kinds::all().close());
  unsigned n = 0;
  for (const irr::detail::kind *before = nullptr, *k; (k = irr::detail::kinds::all().at(n)); n++, before = k)
    CHECK(k->number == n && (!before || std::strcmp(before->name, k->name) <= 0));
  CHECK(n > 20);
  CHECK(by_hand(last, n, 0) == IRR_E_FUNCTION);
  CHECK(by_hand(last, 0, 0) == IRR_E_ARG);
  CHECK(by_hand(last, number_of(first), 4000) == IRR_E_ARG);
}
