// Sampling: each word of a translation is sampled from the model's distribution, or from one that is sharpened or
// restricted.
#pragma once

#include <cstddef>
#include <vector>

#include "models/search/hypothesis.h"
#include "models/seq2seq.h"

namespace softalign::models {

// Each word is sampled from q_v ~ exp(x_v / T), with logits x, over the words that remain after
//   top k:    the k most probable (Fan et al. 2018, "Hierarchical neural story generation", section 5.2)
//   nucleus:  the fewest, most probable first, that hold at least p of q (Holtzman et al. 2020, "The curious case of
//             neural text degeneration", section 3.1)
// or by both: then the shorter list counts. Of equally probable words the one with the smaller id comes first.
struct SamplingOptions {
  std::size_t samples = 1;     // per sentence
  double temperature = 1;      // T > 0; towards 0 the draws become greedy search
  std::size_t top_k = 0;       // 0: no limit
  double top_p = 1;            // in (0, 1]; 1: no limit
  std::size_t max_length = 0;  // words a translation may have; 0: twice its source's words plus 10
};

// std::invalid_argument: no samples, or temperature or top_p out of range.
void check(const SamplingOptions& options);

// The distribution that a word is sampled from; its probabilities sum to 1.
struct Choice {
  Id id;
  double probability;
};
std::vector<Choice> choices(const Real* logits, std::size_t V, const SamplingOptions& options);

// Hypothesis [b][n] is sample n of sentence b of the memory. It uses only streams[b].split(n), so neither the other
// sentences of the batch nor the number of samples change it. Samples come in the order of n and may repeat. log_prob
// and score are the model's log p(y | x), without temperature and limits. std::runtime_error as in beam_search;
// std::invalid_argument for options that check() refuses, or another number of streams than of sentences.
std::vector<std::vector<Hypothesis>> sample(const Decoder& decoder, const Memory& memory,
                                            const SamplingOptions& options, const std::vector<Random>& streams);
std::vector<std::vector<Hypothesis>> sample(const Seq2Seq& model, const Batch& batch, const SamplingOptions& options,
                                            const std::vector<Random>& streams);

}  // namespace softalign::models
