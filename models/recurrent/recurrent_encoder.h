// RecurrentEncoder embeds the source words and reads the embeddings with stacked recurrent layers. The layers are cells
// (for example LSTMs) or LSTMNs, which are LSTMs that attend to their earlier states.
#pragma once

#include <variant>

#include "layers/dense/embedding.h"
#include "layers/recurrent/lstmn.h"
#include "layers/recurrent/stacks.h"
#include "models/encoder.h"

namespace softalign::models {

// With --reverse-source, the encoder reads the words from the last to the first, and </s> remains last:
// Sutskever et al. 2014, section 3.3.
class RecurrentEncoder : public Encoder {
 public:
  using Stack = std::variant<layers::RecurrentStack, layers::LayerStack<layers::Lstmn>>;

  // Without a `cell`, the layers are LSTMNs (layers/recurrent/lstmn.h). layers/recurrent/cell.h lists the kinds of
  // cells.
  RecurrentEncoder(const ModelOptions& options, std::optional<layers::CellKind> cell, Directions directions,
                   layers::Embedding source, const autograd::Params& p, const layers::InitialiserConfig& init);
  std::size_t width() const override {
    return std::visit([](const auto& stack) { return stack.width(); }, stack_);
  }
  bool attends() const override { return std::holds_alternative<layers::LayerStack<layers::Lstmn>>(stack_); }
  EncoderOutput operator()(const Batch& batch, ReturnWeights return_weights, const Training* training) const override;

 private:
  bool reverse_;
  layers::Dropout dropout_;
  layers::Embedding source_;
  Stack stack_;
};

}  // namespace softalign::models
