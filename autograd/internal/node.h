// Node: what a Var points to. Only the engine and the ops that need its insides include this.
#pragma once

#include <cstdint>

#include "autograd/gradient.h"
#include "autograd/var.h"

namespace softalign::autograd {

struct Node {
  const char* op = "";
  Array value;
  Gradient grad;
  std::vector<Gradient> shard_grads;  // leaf: those of shards 1, 2, .. while several run (autograd/parallel/shards.h)
  std::vector<Var> inputs;
  Var::Rule rule;             // none on leaves and constants, and none after backward
  std::uint64_t order = 0;    // age: an op is younger than its inputs
  std::uint64_t version = 0;  // leaf: how often somebody may have written into its value
  bool needs_grad = false;
  bool reads_value = true;  // its rule asks for y
  bool freed = false;       // backward has been here

  Node(const char* op, Array value, bool needs_grad);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();
};

// What nobody computed: a variable, a parameter. A node that backward has freed has no rule either.
inline bool is_leaf(const Node& node) { return !node.rule && !node.freed; }

// Gives x's numbers back where nobody reads them any more: x is the only handle, so that no other op has it, and its
// own rule takes dy alone. For an op that does not read x on its way back; x keeps its shape.
void give_back(const Var& x);

// The gradient that this thread's shard adds to. Nodes that an op made belong to one shard anyway.
Gradient& own_gradient(Node& node);

}  // namespace softalign::autograd
