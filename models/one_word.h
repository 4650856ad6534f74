// OneWord is a decoder that answers with exactly one word. docs/notation.md explains the letters.
//
//   p(y | x) = p(y_1 | x) p(</s> | y_1)          p(</s> | y_1) = 1
//
// It attends to the memory once, so </s> has the same weights as y_1.
#pragma once

#include <vector>

#include "data/corpus/batch.h"
#include "models/embeddings.h"

namespace softalign::models {

// Parts has the words of each part of each source, in their order. A part ends with </s>.
using Parts = std::vector<std::vector<Ids>>;
Parts parts_of(const data::Batch& batch);

class OneWord : public Decoder {
 public:
  bool attends() const override { return true; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  // Throws std::invalid_argument if targets have several words.
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;

 protected:
  struct Answer {
    Var readout;           // (R, l) input of the output layer
    BatchWeights weights;  // (R, S)
  };

 private:
  // Returns one row for each of the sources, which may repeat.
  virtual Answer answer(const Memory& memory, const Ids& sources, const Training* training) const = 0;
  virtual const TargetEmbedding& words() const = 0;
};

}  // namespace softalign::models
