// This file divides work among several processes. All processes run the same program in the same order.
// scatter_gather() gives each process a part of the work, and then every process gets all results. A single process
// does all of the work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "data/alignment/attention_weights.h"
#include "data/io/error.h"
#include "models/search/hypothesis.h"

// Packer and Unpacker send results as bytes between processes of the same program. Numbers are sent as they are in
// memory. A list starts with its length, and the fields of a struct follow each other. For each struct, a function
// fields() below lists all fields. If it leaves out a field, it does not compile.
namespace softalign::data {
inline auto fields(Head& x) {
  auto& [layer, head, kind, matrix, scores] = x;
  return std::tie(layer, head, kind, matrix, scores);
}
inline auto fields(Norms& x) {
  auto& [source, context] = x;
  return std::tie(source, context);
}
inline auto fields(AttentionWeights& x) {
  auto& [matrix, heads, scores, norms, gate, layer_share] = x;
  return std::tie(matrix, heads, scores, norms, gate, layer_share);
}
}  // namespace softalign::data

namespace softalign::models {
inline auto fields(Hypothesis& x) {
  auto& [ids, finished, log_prob, score, word_log_prob, weights] = x;
  return std::tie(ids, finished, log_prob, score, word_log_prob, weights);
}
}  // namespace softalign::models

namespace softalign::apps {

// Packer writes all fields of a value as bytes. The length of a list, and a flag for an optional value, come before the
// data.
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

// Unpacker reads the fields that a Packer has written, in the same order. It throws data::Error (wrong_usage) if the
// bytes end too early.
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
  // Returns the length of the next list. Throws data::Error if it is larger than the number of bytes that are left.
  std::size_t length() {
    const auto length = next<std::size_t>();
    if (length > left_.size()) end_too_early();
    return length;
  }
  void copy(void* to, std::size_t size) {
    if (size > left_.size()) end_too_early();
    std::copy_n(left_.data(), size, static_cast<char*>(to));  // an empty list may have no memory to copy to
    left_.remove_prefix(size);
  }
  [[noreturn]] static void end_too_early() {
    throw data::Error(data::ErrorKind::wrong_usage,
                      "a process has sent incomplete results. Start the same version of the program in all processes");
  }

  std::string_view left_;
};

// ProcessGroup describes a group of processes that work together, and says which of them this process is.
struct ProcessGroup {
  std::size_t rank = 0, count = 1;  // number of this process, and number of processes
  // Sends `mine` to all processes, and returns the strings of all processes, in the order of their ranks. All processes
  // must call it.
  std::function<std::vector<std::string>(std::string mine)> exchange = [](std::string mine) {
    return std::vector<std::string>{std::move(mine)};
  };

  bool alone() const { return count == 1; }
  bool first() const { return rank == 0; }
};

// Calls `get` in the first process, and returns its strings in all processes.
std::vector<std::string> broadcast(const ProcessGroup& processes, const std::function<std::vector<std::string>()>& get);

// Calls mine() in each process and returns all results in order. If mine() throws in one process, this function throws
// in all processes. If it throws in several, all processes throw the exception of the first of them.
std::vector<std::string> all_gather(const ProcessGroup& processes, const std::function<std::string()>& mine);

// Returns those of the indices 0 .. n - 1 that this process works on.
std::vector<std::size_t> rank_slice(const ProcessGroup& processes, std::size_t n);

// Divides n pieces of work among the processes, and returns all n results in every process. work(mine, results)
// computes the results whose indices are in `mine`. If `work` throws in one process, all processes throw.
template <class Result, class Work>
std::vector<Result> scatter_gather(const ProcessGroup& processes, std::size_t n, const Work& work) {
  std::vector<Result> results(n);
  const std::vector<std::size_t> mine = rank_slice(processes, n);
  if (processes.alone()) {
    work(mine, results);
    return results;
  }
  const std::vector<std::string> all = all_gather(processes, [&] {
    work(mine, results);
    Packer packed;
    for (const std::size_t i : mine) packed(results[i]);
    return packed.take();
  });
  for (std::size_t rank = 0; rank < processes.count; ++rank) {
    if (rank == processes.rank) continue;
    Unpacker theirs(all[rank]);
    for (std::size_t i = rank; i < n; i += processes.count) theirs(results[i]);
  }
  return results;
}

// Divides the parts of a long text among the processes. make(part, text) computes a part, and appends it to `text`. The
// first process calls `write` with the text of each part, in order. If `make` throws, the text before the error is
// still written, and then all processes throw.
void write_in_order(const ProcessGroup& processes, std::size_t parts,
                    const std::function<void(std::size_t part, std::string& text)>& make,
                    const std::function<void(const std::string&)>& write);

}  // namespace softalign::apps
