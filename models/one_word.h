// OneWord is a decoder that answers with exactly one word y_1. After this word, the end-of-sentence token </s> has the
// probability 1:
//
//   p(y | x) = p(y_1 | x) p(</s> | y_1)          p(</s> | y_1) = 1
//
// The decoder attends to the memory of the source x only once, so </s> has the same attention weights as y_1.
#pragma once

#include <vector>

#include "data/corpus/batch.h"
#include "models/embeddings.h"

namespace softalign::models {

// The type Parts contains the words of each part of each source, in their order. For example, the parts of a story are
// its sentences and the question. Each part ends with </s>.
using Parts = std::vector<std::vector<Ids>>;
Parts parts_of(const data::Batch& batch);

class OneWord : public Decoder {
 public:
  bool attends() const override { return true; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  // Throws std::invalid_argument if a target has several words.
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;

 protected:
  struct Answer {
    Var readout;           // (R, l) input of the output layer
    BatchWeights weights;  // (R, S)
  };

 private:
  // `sources` has indices of sources in the memory, and an index may repeat. Returns one answer per index.
  virtual Answer answer(const Memory& memory, const Ids& sources, const Training* training) const = 0;
  virtual const TargetEmbedding& words() const = 0;
};

}  // namespace softalign::models
