// AnomalyDetection finds the first NaN or infinity of a computation. While an AnomalyDetection exists, it reads the
// value of every op in all threads, and every gradient that the backward pass of an op computes. It keeps the first
// value or gradient that contains NaN or infinity. The computation becomes slower, because AnomalyDetection reads all
// numbers a second time.
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
  Shape shape;                       // shape of the op's value
  std::vector<Var> inputs;           // inputs of the op, which are finite unless they are leaves
  std::optional<std::size_t> input;  // the input whose gradient is not finite; none: the op's value is not finite
};

// Returns a text that names the op and its inputs, for example "op matmul, forwards: its value (5, 48) is not finite;
// from tanh (5, 12) up to 1, encoder/U (12, 48) not finite". Here "up to 1" is the largest absolute value of an input,
// and (5, 12) is its shape.
std::string describe(const BadNumber& bad, const Params& params);

class AnomalyDetection : public Observer {
 public:
  AnomalyDetection() : Observer(Of::all_threads) {}

  // Returns the first anomaly, if there is one. Several threads may compute parts of one batch, called shards
  // (autograd/threads/shards.h). If several shards found an anomaly, the function returns the anomaly of the shard with
  // the lowest number.
  std::optional<BadNumber> found() const;

  void op_computed(const char* op, const Array& value, const std::vector<Var>& inputs) override;
  void rule_applied(const Node& op) override;
  void products_added(const Var& leaf) override;

 private:
  void check_gradients(const char* op, const Array& value, const std::vector<Var>& inputs);
  void keep(BadNumber bad);

  mutable std::mutex mutex_;
  std::map<std::size_t, BadNumber> first_;  // first anomaly of each shard
};

}  // namespace softalign::autograd
