// RecurrentEncoder: how the recurrent models read a sentence, word embeddings and a recurrent stack over them.
#pragma once

#include "layers/dense/linear.h"
#include "layers/recurrent/recurrent_stack.h"
#include "models/options.h"
#include "models/seq2seq.h"

namespace models {

// By option the words are read from the last to the first, </s> still last: Sutskever et al. 2014, section 3.3.
class RecurrentEncoder {
 public:
  RecurrentEncoder(const ModelOptions& options, layers::Embedding source, const autograd::Params& p,
                   const layers::RecurrentStack::Options& stack, const layers::Scheme& init);
  std::size_t width() const { return stack_.width(); }  // D

  // States (S, B, D) in the order of the words, and each layer's last ones.
  layers::RecurrentStack::Output operator()(const Batch& batch, const Training* training) const;

 private:
  bool reverse_;
  layers::Dropout dropout_;
  layers::Embedding source_;
  layers::RecurrentStack stack_;
};

// The options' stack: one way, or both, whose states are added or stand beside each other.
enum class Directions { forward, both, added };
layers::RecurrentStack::Options stack_options(const ModelOptions& options, Directions directions);

}  // namespace models
