// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: one object a rank. Variables of the program are shared by ranks that are threads and are not
 * by ranks that are processes; a `local` is each rank's own in both. */
#ifndef TOCSIN_IRREGULAR_LOCAL_HPP
#define TOCSIN_IRREGULAR_LOCAL_HPP

#include "tocsin/irregular/delegates.hpp"

namespace tocsin::irregular {

/* Names the T of whichever rank uses it: plain data, to be captured and sent. They live until the program ends. */
template <class T>
class local {
 public:
  explicit local(std::uint32_t index) noexcept : index_(index) {}
  T &operator*() const { return *static_cast<T *>(detail::mine().locals.at(index_).get()); }
  T *operator->() const { return &**this; }

 private:
  std::uint32_t index_;
};

/* A T at each rank, made there of the same arguments, which travel. By tasks of rank 0. */
template <class T, class... A>
local<T> make_local(A... arguments) {
  if (rank()) throw error(IRR_E_ARG, "make_local is called by tasks of rank 0");
  auto &locals = detail::mine().locals;
  const auto index = static_cast<std::uint32_t>(locals.size());
  locals.emplace_back();
  on_all([index, arguments...] {
    auto &here = detail::mine().locals;
    if (here.size() <= index) here.resize(index + 1);
    here[index] = std::make_shared<T>(arguments...);
  });
  return local<T>(index);
}

}  // namespace tocsin::irregular
#endif
