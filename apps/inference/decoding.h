// How translations are found: the options of search and sampling that programs share, the sampling of many sentences,
// and what makes search faster (shortlists, int8 products).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/common_options.h"
#include "apps/run/run_folder.h"
#include "data/corpus/batches.h"
#include "models/search/beam_search.h"
#include "models/search/sampling.h"
#include "models/search/shortlist.h"

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

// The words that --shortlist leaves to each source (models/search/shortlist.h), from a file of `links --table`: the
// `frequent` first words of the run's target vocabulary, what comes from no word, and for each source word the `likely`
// most probable ones. Where the run cuts words into pieces each piece of a word gets the pieces of its translations,
// those that most of them share first. data::Error: the file as data::read_table has it; no row of it has words
// of both vocabularies.
models::Shortlist read_shortlist(const std::string& path, const Run& run, std::size_t frequent = 100,
                                 std::size_t likely = 100);

// Faster decoding that may change a word: --int8 and --shortlist.
struct Faster {
  bool int8 = false;
  std::string table;                           // a file of links --table
  std::optional<models::Shortlist> shortlist;  // made from it
};
void declare(CommandLine& line, Faster& faster);
// Reads the shortlist and brings the integers into force, if they are asked for. data::Error: a language model
// is to have a shortlist; the file, as read_shortlist has it.
void prepare(Faster& faster, const Run& run);

}  // namespace softalign::apps
