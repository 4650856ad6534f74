// A memory network that answers questions to stories: Sukhbaatar et al. 2015, its equations in
// models/stories/memory_network.h. The output layer is W' = C^H where words are tied, as in the paper's section 2.2, or
// a matrix of its own.
#pragma once

#include "models/one_word.h"
#include "models/seq2seq.h"
#include "models/stories/memory_network.h"

namespace softalign::models {

class Hops : public OneWord {
 public:
  Hops(const ModelOptions& options, const autograd::Params& p);
  Memory memory(const Batch& batch) const;
  std::unique_ptr<Decoder> reweighted(const Reweight& change) const override;

 private:
  Answer answer(const Memory& memory, const Ids& sources, const Training* training) const override;
  const TargetWords& words() const override { return words_; }

  MemoryNetwork network_;
  TargetWords words_;
  Reweight change_;
};

class Sukhbaatar : public Seq2Seq {
 public:
  Sukhbaatar(const ModelOptions& options, const autograd::Params& p) : decoder_(options, p) {}
  const Decoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const Training*) const override { return decoder_.memory(batch); }

  Hops decoder_;
};

}  // namespace softalign::models
