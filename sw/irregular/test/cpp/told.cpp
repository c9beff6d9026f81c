// SPDX-License-Identifier: Apache-2.0
// Memory whose owner is told of reads.
#include "check.hpp"

// One that cannot be made leaves nothing behind: there is as much for the next one.
static void too_many() {
  enum { N = (1 << 20) / sizeof(std::uint64_t) };
  using board = irr::told<std::uint64_t>;
  const auto none = [](std::uint64_t) {};
  CHECK(reason([&] { board b(~std::uint64_t{0} / sizeof(std::uint64_t) + 2, none); }) == IRR_E_NOMEM);
  std::vector<std::unique_ptr<board>> all;
  const auto more = [&] { all.push_back(std::make_unique<board>(N, none)); };
  std::string first = "nothing";
  while (first == "nothing" && all.size() < 40) first = sentence(more);
  CHECK(has(first, "logs are in use"));
  for (unsigned i = 0; i < 80; i++) CHECK(sentence(more) == first);
  all.clear();
  more();
}

void test_told() {
  enum { N = 600 };
  std::vector<unsigned> told(N);
  std::uint64_t reads = 0;
  irr::told<std::uint64_t> board(N, [&](std::uint64_t i) {
    told.at(i)++;
    reads++;
  });
  for (std::uint64_t i = 0; i < N; i++) board[i] = i * i;
  too_many();
  const auto view = board.view();
  CHECK(view.home() == 0 && view.size() == N && board.size() == N);
  CHECK(reason([view] { view.read(0); }) == IRR_E_ARG);
  if (irr::ranks() == 1) return;
  irr::on_all([view] {
    if (!irr::rank()) return;
    irr::forall(0, N, [view](std::uint64_t i) { CHECK(view.read(i) == i * i); });
    CHECK(reason([view] { view.read(N); }) == IRR_E_RANGE);
  });
  while (reads < N * (irr::ranks() - 1)) irr::yield();  // a record may come later than the answer
  for (unsigned n : told) CHECK(n >= irr::ranks() - 1);
}
