// RecurrentEncoder: word embeddings and a recurrent stack over them.
#pragma once

#include "layers/dense/linear.h"
#include "layers/recurrent/recurrent_stack.h"
#include "models/encoders.h"

namespace models {

// By option the words are read from the last to the first, </s> still last: Sutskever et al. 2014, section 3.3.
class RecurrentEncoder : public Encoder {
 public:
  // cell: the unit of its layers (layers/recurrent/cell.h)
  RecurrentEncoder(const ModelOptions& options, const std::string& cell, Directions directions,
                   layers::Embedding source, const autograd::Params& p, const layers::Scheme& init);
  std::size_t width() const override { return stack_.width(); }
  Reading operator()(const Batch& batch, Wanted looks, const Training* training) const override;

 private:
  bool reverse_;
  layers::Dropout dropout_;
  layers::Embedding source_;
  layers::RecurrentStack stack_;
};

}  // namespace models
