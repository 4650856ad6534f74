// These functions choose the words that the decoder reads in training. With teacher forcing, the decoder reads the
// right previous word. Scheduled sampling replaces some of these words with words that the model predicts. Word dropout
// replaces some with <unk>.
#pragma once

#include <cstdint>

#include "autograd/names.h"
#include "models/decoder.h"

namespace softalign::models {

// With scheduled sampling, the decoder sometimes reads a word that it has predicted, as it always does in translation:
// Bengio, Vinyals, Jaitly & Shazeer 2015, "Scheduled sampling for sequence prediction with recurrent neural networks".
// SamplingKind says how the probability of the right word falls with the training step i = 0, 1, .. (section 2.4). k,
// slope and floor are options.
//
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
  double k = 0;         // 0: default of the kind, which is 1, 0.9999 and 1000
  double slope = 1e-4;  // linear
  double floor = 0;     // linear
};

// Checks the settings of scheduled sampling. Throws std::invalid_argument if k, slope or floor is not allowed for the
// kind of decay.
void check(const SamplingDecay& decay);
double teacher_forcing_ratio(const SamplingDecay& decay, std::uint64_t step);

// Returns targets in which some of the words that the decoder reads are predicted words. Each word after <s> stays the
// right word with probability `eps`. Otherwise, a word that is sampled from the prediction of the model replaces it.
// The model makes this prediction after it has read the words before, some of which are replaced. A sampled word is
// never <pad>, <s> or </s>, because a decoder never reads these tokens inside a sentence. No gradient flows through the
// sampling, as in the paper.
//
// The paper samples during the training step. Here, this function samples all words first, and ordinary teacher forcing
// then reads them. Both ways are equal, because a step depends only on the words that it reads. Only dropout differs:
// the sampling runs without dropout.
Targets with_sampled_words(const Decoder& decoder, const Memory& memory, const Targets& targets, double eps,
                           Random& random);

// Word dropout hides some of the words that the decoder reads: Bowman, Vilnis, Vinyals, Dai, Jozefowicz & Bengio 2016,
// "Generating sentences from a continuous space", section 3.1. For example, "than" is easy to guess after "taller". If
// "taller" is hidden, the model must find the word in the source, so the attention learns its position.
//
// with_word_dropout replaces each input word of the decoder by <unk> with probability p, except <s>. It returns the
// changed targets.
Targets with_word_dropout(Targets targets, double p, Random random);

}  // namespace softalign::models
