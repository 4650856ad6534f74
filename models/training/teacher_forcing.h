// This file chooses the words that the decoder reads in training. With teacher forcing, the decoder reads the true
// previous word. Scheduled sampling replaces some of these words by words that the model predicts, and word dropout
// replaces some by <unk>.
#pragma once

#include <cstdint>

#include "autograd/names.h"
#include "models/decoder.h"

namespace softalign::models {

// Scheduled sampling is by Bengio, Vinyals, Jaitly & Shazeer 2015, "Scheduled sampling for sequence prediction with
// recurrent neural networks". In training, the decoder sometimes reads a word that it has predicted, as it always does
// when it translates.
//
// The probability eps of a true word at training step i, counted from 0 (section 2.4):
//   linear           max(floor, k - slope i)
//   exponential      k^i                      k < 1
//   inverse-sigmoid  k / (k + e^(i / k))      k >= 1
//   off              1
enum class SamplingKind { off, linear, exponential, inverse_sigmoid };
constexpr auto names_of(SamplingKind) {
  return autograd::names<SamplingKind>({{"off", SamplingKind::off},
                                        {"linear", SamplingKind::linear},
                                        {"exponential", SamplingKind::exponential},
                                        {"inverse-sigmoid", SamplingKind::inverse_sigmoid}});
}

struct SamplingDecay {
  SamplingKind kind = SamplingKind::off;
  double k = 0;         // 0: the kind's own, 1, 0.9999 and 1000
  double slope = 1e-4;  // linear
  double floor = 0;     // linear
};

// Throws std::invalid_argument for a k, slope or floor that the kind does not admit.
void check(const SamplingDecay& decay);
double teacher_forcing_ratio(const SamplingDecay& decay, std::uint64_t step);

// Returns the targets with new input words (`in`). Each word after <s> stays the true word with probability `eps`.
// Otherwise it is sampled from the model's distribution at that step, given the mixed words before it. The tokens
// <pad>, <s> and </s> are not sampled, because no decoder reads them. No gradient flows through the sampling, as in the
// paper.
//
// Teacher forcing with the result is the same as the paper's step-by-step training, because a step depends only on its
// inputs. Only dropout differs: words are sampled without dropout, and the loss is computed with it.
Targets with_sampled_words(const Decoder& decoder, const Memory& memory, const Targets& targets, double eps,
                           Random& random);

// Word dropout is by Bowman, Vilnis, Vinyals, Dai, Jozefowicz & Bengio 2016, "Generating sentences from a continuous
// space", section 3.1. If the previous word is hidden, the model cannot guess a word such as "than" after "taller". It
// must find the word in the source, so attention learns the position of the word.
//
// Replaces each word that the decoder reads after <s> by <unk> with probability p, and returns the targets.
Targets with_word_dropout(Targets targets, double p, Random random);

}  // namespace softalign::models
