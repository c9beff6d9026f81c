// SPDX-License-Identifier: Apache-2.0
// What the parts of the test of irregular.hpp share. A check that fails throws, at whatever rank: the program ends and
// says where it was.
#ifndef TOCSIN_IRREGULAR_TEST_CPP_CHECK_HPP
#define TOCSIN_IRREGULAR_TEST_CPP_CHECK_HPP

#include <stdexcept>
#include <string>

#include "tocsin/irregular.hpp"

namespace irr = tocsin::irregular;

#define CHECK(x) check_that((x), #x, __FILE__, __LINE__)
inline void check_that(bool good, const char *what, const char *file, int line) {
  if (!good)
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": at rank " +
                             std::to_string(irr::rank()) + ": " + what);
}

[[noreturn]] inline void never(const char *what) { throw std::runtime_error(what); }

// The sentence of what f throws.
template <class F>
std::string sentence(F f) {
  try {
    f();
  } catch (const std::exception &e) {
    return e.what();
  }
  return "nothing";
}
template <class F>
irr_status reason(F f) {
  try {
    f();
  } catch (const irr::error &e) {
    return e.reason();
  }
  return IRR_OK;
}
inline bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

void test_tasks();
void test_delegates();
void test_messages();
void test_pointers();
void test_arrays();
void test_told();
#endif
