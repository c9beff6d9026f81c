// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp, internal: lambdas on the wire.
 *
 * A message is a struct of plain values with a member run(irr_answer &): a lambda, and where it shall run. Its type has
 * a number, by which the home finds the function that runs it. All types that a program sends are entered into a list
 * before main begins, by a static object of each. The first `run` sorts the list by the names of the types; those of
 * the same name (lambdas of functions of the same name in different source files) stay in the order of static
 * initialisation, which is the same in all processes that run the same executable with the same libraries. So the
 * number of a type is the same at all ranks, wherever they were started and wherever the system has loaded them. A hash
 * of the sorted list, with the sizes, is compared when ranks join: those of another program are refused. */
#ifndef TOCSIN_IRREGULAR_MESSAGE_HPP
#define TOCSIN_IRREGULAR_MESSAGE_HPP

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <typeinfo>
#include <vector>

#include "tocsin/irregular/error.hpp"
#include "tocsin/irregular/team.h"

namespace tocsin::irregular::detail {

inline constexpr unsigned cpp_function = IRR_FUNCTIONS - 1; /* the one delegate that all messages are */
inline constexpr std::uint16_t unnumbered = 0xffff;

struct kind {
  const char *name;
  std::size_t bytes;
  irr_status (*run)(const void *message, irr_answer &answer);
  std::uint16_t number = unnumbered;
  inline kind(const char *n, std::size_t b, irr_status (*r)(const void *, irr_answer &));
};

class kinds {
 public:
  static kinds &all() {
    static kinds k;
    return k;
  }
  /* What comes with a library that is loaded after the first `run` is too late: it stays without a number. */
  void add(kind &k) {
    std::lock_guard<std::mutex> held(lock_);
    if (!hash_) list_.push_back(&k);
  }
  /* Gives the numbers, once. */
  std::uint64_t close() {
    std::lock_guard<std::mutex> held(lock_);
    if (hash_) return hash_;
    std::stable_sort(list_.begin(), list_.end(), [](const kind *a, const kind *b) {
      const int order = std::strcmp(a->name, b->name);
      return order ? order < 0 : a->bytes < b->bytes;
    });
    hash_ = 0xcbf29ce484222325; /* FNV-1a */
    for (std::size_t i = 0; i < list_.size(); i++) {
      if (i < unnumbered) list_[i]->number = static_cast<std::uint16_t>(i);
      for (const char *c = list_[i]->name; *c; c++) mix(static_cast<unsigned char>(*c));
      mix(list_[i]->bytes);
    }
    return hash_ |= 1;
  }
  const kind *at(std::uint32_t number) const noexcept { return number < list_.size() ? list_[number] : nullptr; }

 private:
  void mix(std::uint64_t v) noexcept { hash_ = (hash_ ^ v) * 0x100000001b3; }
  std::mutex lock_;
  std::vector<kind *> list_;
  std::uint64_t hash_ = 0;
};

inline kind::kind(const char *n, std::size_t b, irr_status (*r)(const void *, irr_answer &))
    : name(n), bytes(b), run(r) {
  kinds::all().add(*this);
}

template <class M>
const char *type_name() noexcept {
#if defined __cpp_rtti || defined __GXX_RTTI
  return typeid(M).name();
#else
  return __PRETTY_FUNCTION__;
#endif
}

/* here.hpp: what a message has thrown; kept, as its sender will ask for it; a number that no other question of
 * this rank has. */
irr_status thrown_here(bool answered) noexcept;
void keep_thrown(unsigned from, std::uint32_t question) noexcept;
std::uint32_t next_question();

/* Thrown by a message before it has done anything: memory that it is for is not there yet, and it runs again. */
struct absent {};

template <class M>
irr_status run_message(const void *bytes, irr_answer &answer) {
  alignas(M) unsigned char room[sizeof(M)];
  std::memcpy(room, bytes, sizeof(M));
  try {
    std::launder(reinterpret_cast<M *>(room))->run(answer);
    return IRR_OK;
  } catch (const absent &) {
    return IRR_BUSY;
  } catch (...) {
    return thrown_here(M::answered);
  }
}

template <class M>
struct known {
  static inline kind entry{type_name<M>(), sizeof(M), &run_message<M>};
};

/* As it travels. */
struct envelope {
  std::uint32_t question; /* of its sender, who waits for the answer; else 0 */
  std::uint16_t number, bytes;
};
inline constexpr std::size_t message_most = IRR_ARGS_MOST - sizeof(envelope);

template <class M>
struct packed {
  envelope head;
  unsigned char body[sizeof(M)];
  explicit packed(const M &m) {
    static_assert(std::is_trivially_copyable_v<M>,
                  "what goes to another rank is copied as bytes: lambdas may capture plain values alone (numbers, "
                  "structs of them, "
                  "global_ptr, global_array, local), and no references, strings or containers");
    static_assert(sizeof(M) <= message_most, "a lambda for another rank may capture about 1000 bytes");
    head = {0, known<M>::entry.number, sizeof(M)};
    if (head.number == unnumbered)
      throw error(IRR_E_FUNCTION, std::string("the type ") + known<M>::entry.name +
                                      " is in a library that was loaded after the first run, or no run has begun");
    if constexpr (M::answered) head.question = next_question();
    std::memcpy(body, &m, sizeof m);
  }
  irr_delegate to(unsigned rank) const noexcept {
    irr_delegate d{};
    d.to = rank;
    d.function = cpp_function;
    d.args = this;
    d.bytes = static_cast<std::uint32_t>(offsetof(packed, body) + sizeof(M));
    return d;
  }
};

/* At the home. */
inline irr_status arrive(void *, const irr_arrival *a, irr_answer *answer) {
  envelope e;
  if (a->bytes < sizeof e) return IRR_E_ARG;
  std::memcpy(&e, a->args, sizeof e);
  const kind *k = kinds::all().at(e.number);
  if (!k) return IRR_E_FUNCTION;
  if (k->bytes != e.bytes || a->bytes != sizeof e + e.bytes) return IRR_E_ARG;
  const irr_status s = k->run(static_cast<const unsigned char *>(a->args) + sizeof e, *answer);
  if (s == IRR_E_THROWN && e.question) keep_thrown(a->from, e.question);
  return s;
}

}  // namespace tocsin::irregular::detail
#endif
