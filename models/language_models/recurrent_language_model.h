// This recurrent language model is by Mikolov et al. 2010, "Recurrent neural network based language model". It uses the
// cells of Sundermeyer et al. 2012, "LSTM neural networks for language modeling".
//
//   h_t = stack(E y_{t-1}, h_{t-1})               h_0 = 0
//   p(y_t | y_<t) = softmax(W h_t)
//
// E y_{t-1} is the embedding of the previous word. h_t has the states of the stacked recurrent layers at step t, and W
// is the output matrix. The code uses the decoder of models/recurrent/sutskever.h without a source.
#pragma once

#include "models/recurrent/sutskever.h"

namespace softalign::models {

class RecurrentLanguageModel : public Seq2Seq {
 public:
  RecurrentLanguageModel(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  std::size_t hidden_, layers_;
  layers::InitialiserConfig initialiser_;
  SutskeverDecoder decoder_;
};

}  // namespace softalign::models
