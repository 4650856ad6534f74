// Sampling draws each word of a translation at random, with the probabilities that the model gives. Options make the
// probabilities sharper or exclude improbable words.
#pragma once

#include <cstddef>
#include <vector>

#include "models/search/hypothesis.h"
#include "models/seq2seq.h"

namespace softalign::models {

// SamplingOptions says how words are sampled. The comment above choices() explains temperature, top k and nucleus.
struct SamplingOptions {
  std::size_t samples = 1;     // per sentence
  double temperature = 1;      // T > 0; towards 0 the draws become greedy search
  std::size_t top_k = 0;       // 0: no limit
  double top_p = 1;            // in (0, 1]; 1: no limit
  std::size_t max_length = 0;  // largest number of words; 0: twice the number of source words plus 10
};

// Checks the options of sampling. Throws std::invalid_argument if `samples` is 0, or if temperature or top_p is out of
// range.
void check(const SamplingOptions& options);

// A Choice is one word of the distribution from which a word is sampled. The probabilities of all choices sum to 1.
struct Choice {
  Id id;
  double probability;
};

// Returns the distribution from which a word is sampled. The probability q_v of word v is proportional to exp(x_v / T),
// where x_v is its logit and T is the temperature. Two options restrict the words:
//   top k:    the k most probable (Fan et al. 2018, "Hierarchical neural story generation", section 5.2)
//   nucleus:  the smallest set of most probable words whose q sums to at least p (Holtzman et al. 2020, "The
//             curious case of neural text degeneration", section 3.1)
// If you give both, the smaller set counts. If two words are equally probable, the word with the smaller id comes
// first.
std::vector<Choice> choices(const Real* logits, std::size_t V, const SamplingOptions& options);

// Samples translations. Hypothesis [b][n] of the result is sample n of sentence b. Samples may repeat. A sample uses
// only the random stream streams[b].split(n), so it does not depend on the other sentences or on the number of samples.
// log_prob and score of a hypothesis are the model's log p(y | x), without temperature and limits. Throws
// std::runtime_error like beam_search. Throws std::invalid_argument for options that check() refuses, or if the number
// of streams differs from the number of sentences.
std::vector<std::vector<Hypothesis>> sample(const Decoder& decoder, const Memory& memory,
                                            const SamplingOptions& options, const std::vector<Random>& streams);
std::vector<std::vector<Hypothesis>> sample(const Seq2Seq& model, const Batch& batch, const SamplingOptions& options,
                                            const std::vector<Random>& streams);

}  // namespace softalign::models
