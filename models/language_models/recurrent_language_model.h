// The recurrent language model: Mikolov et al. 2010, "Recurrent neural network based language model", with the cells of
// Sundermeyer et al. 2012, "LSTM neural networks for language modeling".
//
//   h_t = stack(E y_{t-1}, h_{t-1})               h_0 = 0
//   p(y_t | y_<t) = softmax(W h_t)
//
// So it is Sutskever's decoder without a source.
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
