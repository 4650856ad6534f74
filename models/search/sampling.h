// Sampling draws each word of a translation from the model's distribution, or from one that is sharpened or restricted.
#pragma once

#include <cstddef>
#include <vector>

#include "models/search/hypothesis.h"
#include "models/seq2seq.h"

namespace softalign::models {

// Each word is sampled from q_v ~ exp(x_v / T). x are the logits. These options may restrict the words:
//   top k:    the k most probable (Fan et al. 2018, "Hierarchical neural story generation", section 5.2)
//   nucleus:  the smallest set of most probable words whose q sums to at least p (Holtzman et al. 2020, "The
//             curious case of neural text degeneration", section 3.1)
// If both are given, the shorter list counts. Of equally probable words, the one with the smaller id comes first.
struct SamplingOptions {
  std::size_t samples = 1;     // per sentence
  double temperature = 1;      // T > 0; towards 0 the draws become greedy search
  std::size_t top_k = 0;       // 0: no limit
  double top_p = 1;            // in (0, 1]; 1: no limit
  std::size_t max_length = 0;  // words a translation may have; 0: twice its source's words plus 10
};

// Throws std::invalid_argument if there are no samples, or if temperature or top_p is out of range.
void check(const SamplingOptions& options);

// Choice is the distribution that a word is sampled from. Its probabilities sum to 1.
struct Choice {
  Id id;
  double probability;
};
std::vector<Choice> choices(const Real* logits, std::size_t V, const SamplingOptions& options);

// Returns hypothesis [b][n], which is sample n of sentence b of the memory. It uses only streams[b].split(n), so it
// does not depend on the other sentences of the batch or the number of samples. Samples come in the order of n and may
// repeat. log_prob and score are the model's log p(y | x), without temperature and limits. Throws std::runtime_error
// like beam_search. Throws std::invalid_argument for options that check() refuses, or if there is not one stream per
// sentence.
std::vector<std::vector<Hypothesis>> sample(const Decoder& decoder, const Memory& memory,
                                            const SamplingOptions& options, const std::vector<Random>& streams);
std::vector<std::vector<Hypothesis>> sample(const Seq2Seq& model, const Batch& batch, const SamplingOptions& options,
                                            const std::vector<Random>& streams);

}  // namespace softalign::models
