// AnomalyDetection finds the first NaN or infinity of a computation. While an AnomalyDetection exists, it reads the
// value of every op in all threads, and every gradient that a backward rule returns. It keeps the first one that
// contains NaN or infinity. It costs time, because it reads all numbers once more.
//
//   const AnomalyDetection watch;
//   backward(loss_of(batch));
//   if (watch.found()) text = describe(*watch.found(), params);
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "autograd/hooks.h"
#include "autograd/params.h"

namespace softalign::autograd {

struct BadNumber {
  std::string op;
  Shape shape;                       // of its value
  std::vector<Var> inputs;           // finite, or leaves
  std::optional<std::size_t> input;  // backwards: whose gradient is bad; forwards: none, the value is
};

// Returns for example "op matmul, forwards: its value (5, 48) is not finite; from tanh (5, 12) up to 1, encoder/U (12,
// 48) not finite".
std::string describe(const BadNumber& bad, const Params& params);

class AnomalyDetection : public Observer {
 public:
  AnomalyDetection() : Observer(Of::all_threads) {}

  // Returns the first anomaly, if there is one. If several shards found one (autograd/threads/shards.h), it returns
  // that of the lowest shard.
  std::optional<BadNumber> found() const;

  void op_computed(const char* op, const Array& value, const std::vector<Var>& inputs) override;
  void rule_applied(const Node& op) override;
  void products_added(const Var& leaf) override;

 private:
  void check_gradients(const char* op, const Array& value, const std::vector<Var>& inputs);
  void keep(BadNumber bad);

  mutable std::mutex mutex_;
  std::map<std::size_t, BadNumber> first_;  // by shard
};

}  // namespace softalign::autograd
