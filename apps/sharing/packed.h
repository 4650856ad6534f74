// Results as bytes, for another process of the same program: numbers as they lie in memory, what has a length behind
// it, what has fields one after the other.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "data/alignment/weights.h"
#include "models/search/hypothesis.h"

// The fields of what travels. A list that lacks one does not compile.
namespace softalign::data {
inline auto fields(Head& x) {
  auto& [layer, head, kind, matrix, scores] = x;
  return std::tie(layer, head, kind, matrix, scores);
}
inline auto fields(Norms& x) {
  auto& [source, context] = x;
  return std::tie(source, context);
}
inline auto fields(Weights& x) {
  auto& [matrix, heads, scores, norms, gate] = x;
  return std::tie(matrix, heads, scores, norms, gate);
}
}  // namespace softalign::data

namespace softalign::models {
inline auto fields(Hypothesis& x) {
  auto& [ids, finished, log_prob, score, word_log_prob, weights] = x;
  return std::tie(ids, finished, log_prob, score, word_log_prob, weights);
}
}  // namespace softalign::models

namespace softalign::apps {

// visit(field) of each, down to numbers; lengths and whether something is there come before what they are of.
class Packer {
 public:
  template <class T>
  void operator()(const T& x) {
    if constexpr (std::is_trivially_copyable_v<T>) bytes_.append(reinterpret_cast<const char*>(&x), sizeof x);
    else std::apply([&](auto&... field) { ((*this)(field), ...); }, fields(const_cast<T&>(x)));
  }
  void operator()(const std::string& x) { (*this)(x.size()), bytes_ += x; }
  void operator()(const std::vector<bool>& x) {
    (*this)(x.size());
    for (const bool one : x) (*this)(one);
  }
  template <class T>
  void operator()(const std::vector<T>& x) {
    (*this)(x.size());
    if constexpr (std::is_trivially_copyable_v<T>)
      bytes_.append(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(T));
    else
      for (const T& one : x) (*this)(one);
  }
  template <class T>
  void operator()(const std::optional<T>& x) {
    (*this)(x.has_value());
    if (x) (*this)(*x);
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// The same in the same order, from the bytes. std::runtime_error where they end too early.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : left_(bytes) {}

  template <class T>
  void operator()(T& x) {
    if constexpr (std::is_trivially_copyable_v<T>) copy(&x, sizeof x);
    else std::apply([&](auto&... field) { ((*this)(field), ...); }, fields(x));
  }
  void operator()(std::string& x) { x.resize(length()), copy(x.data(), x.size()); }
  void operator()(std::vector<bool>& x) {
    x.resize(length());
    for (auto one : x) one = next<bool>();
  }
  template <class T>
  void operator()(std::vector<T>& x) {
    x.resize(length());
    if constexpr (std::is_trivially_copyable_v<T>) copy(x.data(), x.size() * sizeof(T));
    else
      for (T& one : x) (*this)(one);
  }
  template <class T>
  void operator()(std::optional<T>& x) {
    x.reset();
    if (next<bool>()) (*this)(x.emplace());
  }

  template <class T>
  T next() {
    T x;
    (*this)(x);
    return x;
  }
  bool done() const { return left_.empty(); }

 private:
  // Every element takes a byte at least.
  std::size_t length() {
    const auto length = next<std::size_t>();
    if (length > left_.size()) end_too_early();
    return length;
  }
  void copy(void* to, std::size_t size) {
    if (size > left_.size()) end_too_early();
    std::copy_n(left_.data(), size, static_cast<char*>(to));  // to nowhere, of an empty list
    left_.remove_prefix(size);
  }
  [[noreturn]] static void end_too_early() {
    throw std::runtime_error("processes share other work: is one another version?");
  }

  std::string_view left_;
};

}  // namespace softalign::apps
