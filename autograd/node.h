// Node: what a Var points to. Only the engine and the ops that need its insides include this.
#pragma once

#include "autograd/ops/deferred.h"
#include "autograd/var.h"

namespace autograd::inline SOFTALIGN_PRECISION {

struct Node {
  const char* op = "";
  Array value;
  Array grad;               // undefined until a gradient arrives
  std::vector<Var> inputs;
  Var::Rule rule;           // none on leaves and constants, and none after backward
  std::uint64_t order = 0;  // age: an op is younger than its inputs
  bool needs_grad = false;
  bool queued = false;      // waiting in the backward walk
  bool freed = false;       // backward has been here
  bool sparse = false;      // leaf: only the touched rows of grad are not zero
  Ids touched;
  std::shared_ptr<DeferredProducts> products;

  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();
};

}  // namespace autograd::inline SOFTALIGN_PRECISION
