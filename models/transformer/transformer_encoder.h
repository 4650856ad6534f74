// TransformerEncoder: Vaswani et al. 2017, sections 3.1, 3.4 and 3.5.
//
//   x_0 = sqrt(d) E[w] + P                        words and their places
//   x_l = encoder block(x_{l-1})                  self-attention, feed-forward
//
// With pre-norm x_L passes one more layer norm (Xiong et al. 2020, table 1).
#pragma once

#include <optional>
#include <vector>

#include "layers/transformer/block.h"
#include "layers/transformer/positions.h"
#include "models/encoders.h"

namespace softalign::models {

class TransformerEncoder : public Encoder {
 public:
  TransformerEncoder(const ModelOptions& options, layers::Embedding source, const autograd::Params& p,
                     const layers::Scheme& init);
  std::size_t width() const override { return width_; }
  bool attends() const override { return true; }
  EncoderOutput operator()(const Batch& batch, Wanted looks, const Training* training = nullptr) const override;

 private:
  std::size_t width_;  // d
  layers::Dropout dropout_;
  layers::Embedding source_;
  layers::Positions positions_;
  std::vector<layers::EncoderBlock> blocks_;
  std::optional<layers::LayerNorm> last_;  // pre-norm only
};

}  // namespace softalign::models
