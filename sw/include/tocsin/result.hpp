// SPDX-License-Identifier: Apache-2.0
/* Part of tocsin.hpp: how calls fail, and spans.
 *
 *   error        what every function of this interface throws: status(), name() ("TOC_E_ACCESS"),
 *                what(): the sentence of toc_why
 *   attempt      the same without exceptions: attempt([&] { return p.alloc<int>(9); }) is a result<memory<int>>
 *   result<T>    a value or an error, as std::expected has it: has_value, *, ->, value (throws), value_or, error
 */
#ifndef TOCSIN_RESULT_HPP
#define TOCSIN_RESULT_HPP

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
#endif

#include "tocsin/tocsin.h"

namespace tocsin {

class error : public std::runtime_error {
 public:
  explicit error(toc_status s) : error(s, toc_why()) {}
  error(toc_status s, const std::string &why) : std::runtime_error(why), status_(s) {}
  toc_status status() const noexcept { return status_; }
  const char *name() const noexcept { return toc_name(status_); }

 private:
  toc_status status_;
};

/* Throws for everything but TOC_OK. Also for calls of the C interface: check(toc_map(p.get(), ...)). */
inline void check(toc_status s) {
  if (s != TOC_OK) throw error(s);
}

template <class T>
class [[nodiscard]] result {
 public:
  using value_type = T;
  result(T v) : v_(std::in_place_index<0>, std::move(v)) {}
  result(tocsin::error e) : v_(std::in_place_index<1>, std::move(e)) {}
  bool has_value() const noexcept { return v_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  T &value() & { return has_value() ? std::get<0>(v_) : throw std::get<1>(v_); }
  const T &value() const & { return has_value() ? std::get<0>(v_) : throw std::get<1>(v_); }
  T &&value() && { return std::move(value()); }
  template <class U>
  T value_or(U &&other) && {
    return has_value() ? std::move(std::get<0>(v_)) : static_cast<T>(std::forward<U>(other));
  }
  /* Without a value these are as undefined as those of std::expected; error() with one throws
   * std::bad_variant_access. */
  T &operator*() &noexcept { return *std::get_if<0>(&v_); }
  const T &operator*() const &noexcept { return *std::get_if<0>(&v_); }
  T *operator->() noexcept { return std::get_if<0>(&v_); }
  const T *operator->() const noexcept { return std::get_if<0>(&v_); }
  const tocsin::error &error() const { return std::get<1>(v_); }
  toc_status status() const noexcept { return has_value() ? TOC_OK : std::get_if<1>(&v_)->status(); }

 private:
  std::variant<T, tocsin::error> v_;
};

template <>
class [[nodiscard]] result<void> {
 public:
  using value_type = void;
  result() noexcept : r_(true) {}
  result(tocsin::error e) : r_(std::move(e)) {}
  bool has_value() const noexcept { return r_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  void value() const { (void)r_.value(); }
  const tocsin::error &error() const { return r_.error(); }
  toc_status status() const noexcept { return r_.status(); }

 private:
  result<bool> r_;
};

/* What f returns, or the error that it threw; other exceptions go through. */
template <class F>
auto attempt(F &&f) -> result<std::invoke_result_t<F>> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(f)();
      return {};
    } else {
      return std::forward<F>(f)();
    }
  } catch (error &e) {
    return std::move(e);
  }
}

/* Time-outs, of the backend's time: `standard` stands for toc_options.timeout_us; less than nothing, as is left until a
 * moment that is past, is a look. */
using timeout = std::chrono::microseconds;
inline constexpr timeout standard{0};
inline constexpr timeout forever = timeout::max();

#if defined __cpp_lib_span
template <class T>
using span = std::span<T>;
#else
/* What C++20 has as std::span, as far as it is wanted here; a std::span can be made of it. */
template <class T>
class span {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using iterator = T *;
  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr span(T (&a)[N]) noexcept : data_(a), size_(N) {}
  template <class C, class P = decltype(std::declval<C &>().data()),
            class = std::enable_if_t<std::is_convertible_v<std::remove_pointer_t<P> (*)[], T (*)[]>>>
  constexpr span(C &&c) noexcept : data_(c.data()), size_(c.size()) {}
  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr iterator begin() const noexcept { return data_; }
  constexpr iterator end() const noexcept { return data_ + size_; }
  constexpr T &operator[](std::size_t i) const { return data_[i]; }
  constexpr T &front() const { return data_[0]; }
  constexpr T &back() const { return data_[size_ - 1]; }
  constexpr span subspan(std::size_t at, std::size_t n) const { return {data_ + at, n}; }
  constexpr span subspan(std::size_t at) const { return {data_ + at, size_ - at}; }
  constexpr span first(std::size_t n) const { return {data_, n}; }

 private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};
#endif

namespace detail {

inline std::uint64_t us(timeout t) noexcept {
  return t == forever ? TOC_FOREVER : t.count() >= 0 ? static_cast<std::uint64_t>(t.count()) : 1;
}

/* What a request takes: at most 4 GiB - 1. */
template <class T>
std::uint32_t bytes32(span<T> s) {
  static_assert(std::is_trivially_copyable_v<T>,
                "devices see bytes: only trivially copyable types can be put, got or allocated");
  if (s.size_bytes() > UINT32_MAX) throw error(TOC_E_ARG, "a request has less than 4 GiB");
  return static_cast<std::uint32_t>(s.size_bytes());
}

}  // namespace detail
}  // namespace tocsin
#endif
