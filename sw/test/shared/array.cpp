// SPDX-License-Identifier: Apache-2.0
// An irregular program in C++, as strangers write it.
#include <iostream>
#include <tocsin/irregular.hpp>

using namespace tocsin::irregular;

int main() {
  return start([] {
    const auto table = alloc<std::uint64_t>(100);
    std::uint64_t sum = 0;
    forall(table.view(), [](std::uint64_t i, std::uint64_t &x) { x = i; });
    forall(0, 100, [&](std::uint64_t i) { sum += table[i].read(); });
    std::cout << ranks() << " ranks: " << sum << "\n";
  });
}
