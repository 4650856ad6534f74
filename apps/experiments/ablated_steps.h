// ablate_steps measures whether attention was a cause. It removes an attention weight at one step of the decoder, and
// finds out whether the model then writes another word (Serrano & Smith 2019).
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/batches.h"
#include "models/seq2seq.h"

namespace softalign::apps {

// AblatedStep describes one step. The last three members say whether the most probable word changes if one weight
// becomes 0 and the other weights are divided by their sum, as in `align --intervene ablate`. The weight is the largest
// one, the second largest one, or a random one of the others.
struct AblatedStep {
  data::Id word = data::pad_id;  // the most probable word with the model's own weights
  std::size_t attended = 0;      // the source position with the largest weight; the last position is </s>
  bool largest = false, second = false, random = false;
};

// Runs the model on the pair with teacher forcing, so that each step follows the words of the pair. Returns one entry
// per target word, without </s>. Returns nothing if the source has fewer than two words, because then there is no third
// weight.
std::vector<AblatedStep> ablate_steps(const models::Seq2Seq& model, const data::EncodedPair& pair,
                                      autograd::Random random);

}  // namespace softalign::apps
