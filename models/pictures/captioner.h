// Captioner: pictures read by a convolutional network, captions written by the decoder of Xu et al. 2015.
#pragma once

#include <memory>

#include "models/encoder.h"
#include "models/pictures/show_attend_tell.h"
#include "models/seq2seq.h"

namespace softalign::models {

class Captioner : public Seq2Seq {
 public:
  Captioner(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  std::unique_ptr<Encoder> encoder_;
  ShowAttendTell decoder_;
};

}  // namespace softalign::models
