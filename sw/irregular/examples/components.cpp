// SPDX-License-Identifier: Apache-2.0
// Connected components of a random graph, in C++: every vertex starts with its own number as its label, and tells its
// neighbours when its label falls; a neighbour takes the least that it hears and tells on. Nobody waits: when all is
// quiet, each vertex has the least number of its component. Vertices lie in a global array, edges at the rank that has
// made them, and a delegate does one step at a vertex's home.
//
//   components [VERTICES [EDGES [SEED]]]      TOCSIN_RANKS says how many ranks, and where (tocsin/irregular/team.h)
//
// The answer is checked against one that is found without a network, by merging sets.
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <tocsin/irregular.hpp>

using namespace tocsin::irregular;

static std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

struct graph {
  std::uint64_t vertices, edges, seed;
  std::uint64_t end(std::uint64_t edge, unsigned which) const {
    return mix(seed * 1000003 + 2 * edge + which) % vertices;
  }
};

// The neighbours of a rank's own vertices.
using rows = std::vector<std::vector<std::uint32_t>>;

struct step {
  global_array<std::uint64_t> label;
  local<rows> neighbours;

  // At v's home. Only who has a lower label than v had speaks on.
  void offer(std::uint64_t v, std::uint64_t &mine, std::uint64_t offered) const {
    if (offered >= mine) return;
    mine = offered;
    for (std::uint64_t w : (*neighbours)[v]) tell(w, offered);
  }
  void tell(std::uint64_t v, std::uint64_t offered) const {
    label[v].tell([s = *this, v, offered](std::uint64_t &mine) { s.offer(v, mine, offered); });
  }
};

static std::vector<std::uint64_t> by_merging(const graph &g) {
  std::vector<std::uint64_t> parent(g.vertices);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint64_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (std::uint64_t e = 0; e < g.edges; e++) {
    const std::uint64_t a = root(g.end(e, 0)), b = root(g.end(e, 1));
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint64_t v = 0; v < g.vertices; v++) parent[v] = root(v);
  return parent;
}

static void components(const graph &g) {
  const auto owner = alloc<std::uint64_t>(g.vertices, ~0ull);
  const step s{owner.view(), make_local<rows>(g.vertices)};
  forall_spread(0, g.edges, [g, s](std::uint64_t e) {  // both ends hear of the edge
    for (unsigned i = 0; i < 2; i++)
      s.label[g.end(e, i)].tell([s, v = g.end(e, i), w = g.end(e, 1 - i)](std::uint64_t &) {
        (*s.neighbours)[v].push_back(static_cast<std::uint32_t>(w));
      });
  });
  quiet();
  forall(s.label, [s](std::uint64_t v, std::uint64_t &) { s.tell(v, v); });
  quiet();
  const std::vector<std::uint64_t> want = by_merging(g);
  std::uint64_t roots = 0, wrong = 0, v = 0;
  cached<std::uint64_t> all(s.label.begin(), g.vertices);
  for (std::uint64_t label : all) {
    roots += label == v;
    wrong += label != want[v++];
  }
  std::cout << roots << " components of " << g.vertices << " vertices and " << g.edges << " edges, on " << ranks()
            << " ranks: " << (wrong ? "WRONG" : "as found without a network") << "\n";
  if (wrong) throw std::runtime_error(std::to_string(wrong) + " vertices are in the wrong component");
}

int main(int argc, char **argv) {
  graph g{2000, 1500, 1};
  std::uint64_t *const word[] = {&g.vertices, &g.edges, &g.seed};
  for (int i = 1; i < argc; i++) {
    char *end;
    const std::uint64_t v = std::strtoull(argv[i], &end, 10);
    if (i > 3 || *end || !*argv[i] || argv[i][0] == '-' || (i == 1 && (!v || v > 1 << 24))) {
      std::cerr << "usage: components [VERTICES [EDGES [SEED]]], 1 to 2^24 vertices\n";
      return 2;
    }
    *word[i - 1] = v;
  }
  options o;
  o.heap.rank_bytes = (32 * g.vertices + (1 << 20)) / 4096 * 4096;
  return start([g] { components(g); }, o);
}
