// How translations are found: the options of search and sampling that programs share, and the sampling of many
// sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/common_options.h"
#include "data/corpus/batches.h"
#include "models/search/beam_search.h"
#include "models/search/sampling.h"

namespace softalign::apps {

// --beam, --normalisation, --length-penalty, --coverage-penalty.
void declare(CommandLine& line, models::BeamOptions& options);

// --sample, --temperature, --top-k, --top-p. `samples` is 0 unless --sample is given.
void declare(CommandLine& line, models::SamplingOptions& options);
// UsageError: an option of sampling without --sample, or --sample with an option of search.
void check_decoding(const CommandLine& line, const models::BeamOptions& search,
                    const models::SamplingOptions& sampling);

// The samples of each sentence. `numbers` are the sentences' places in the input: sample n of sentence i is drawn from
// the seed, i and n alone, so that the batches it comes in do not matter.
std::vector<std::vector<models::Hypothesis>> sample(const models::Seq2Seq& model,
                                                    const std::vector<data::EncodedPair>& sources,
                                                    const std::vector<std::size_t>& numbers,
                                                    const models::SamplingOptions& options, std::uint64_t seed);

}  // namespace softalign::apps
