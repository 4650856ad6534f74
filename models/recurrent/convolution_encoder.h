// ConvolutionEncoder follows Gehring, Auli, Grangier & Dauphin 2017, "A convolutional encoder model for neural machine
// translation", section 3.2. The paper has separate stacks of layers for keys and values. Here, one stack computes
// both.
//
//   x_0 = sqrt(d) E[w] + P                        words and their positions
//   x_l = x_{l-1} + tanh(conv(x_{l-1}))
//
// E[w] are the embeddings of the words w, d is their size, and P are position vectors. The convolution conv reads each
// word and one word on either side. So after L layers, an output depends on L words on either side.
#pragma once

#include <vector>

#include "layers/convolution/convolution.h"
#include "layers/dense/dropout.h"
#include "layers/dense/embedding.h"
#include "layers/transformer/positions.h"
#include "models/encoder.h"

namespace softalign::models {

class ConvolutionEncoder : public Encoder {
 public:
  ConvolutionEncoder(const ModelOptions& options, layers::Embedding source, const autograd::Params& p,
                     const layers::InitialiserConfig& init);
  std::size_t width() const override { return width_; }
  EncoderOutput operator()(const Batch& batch, ReturnWeights return_weights, const Training* training) const override;

 private:
  std::size_t width_;  // d
  layers::Dropout dropout_;
  layers::Embedding source_;
  layers::Positions positions_;
  std::vector<layers::Convolution> layers_;
};

}  // namespace softalign::models
