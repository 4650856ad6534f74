// This file declares the options of search and sampling that several programs share. Its functions sample many
// sentences, and read the options --shortlist and --int8, which make search faster.
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

// Declares --beam, --normalisation, --length-penalty and --coverage-penalty.
void declare(CommandLine& line, models::BeamOptions& options);

// Declares --sample, --temperature, --top-k and --top-p. `samples` is 0 unless the user gives --sample.
void declare(CommandLine& line, models::SamplingOptions& options);
// Throws UsageError if the user gives an option of sampling without --sample, or an option of search with --sample.
void check_decoding(const CommandLine& line, const models::BeamOptions& search,
                    const models::SamplingOptions& sampling);

// Returns the samples of each sentence. `numbers` are the indices of the sentences in the input. Sample n of sentence i
// depends only on the seed, i and n. Therefore the samples do not depend on how the sentences are divided into batches.
std::vector<std::vector<models::Hypothesis>> sample(const models::Seq2Seq& model,
                                                    const std::vector<data::EncodedPair>& sources,
                                                    const std::vector<std::size_t>& numbers,
                                                    const models::SamplingOptions& options, std::uint64_t seed);

// Returns the target words that the model may write for each source (models/search/shortlist.h). The function reads the
// probabilities of translations from a file that `links --table` writes. For every source, the model may write the
// first `frequent` words of the target vocabulary, and the `likely` most probable words that translate no source word,
// for example articles. In addition, it may write the `likely` most probable translations of each source word. With
// subwords, each subword of a source word gets the subwords of the word's translations. Throws data::Error if
// data::read_table refuses the file, or if no row has two words that the vocabularies know.
models::Shortlist read_shortlist(const std::string& path, const LoadedRun& run, std::size_t frequent = 100,
                                 std::size_t likely = 100);

// The struct Faster contains the options --int8 and --shortlist. They make decoding faster, but may change the output.
struct Faster {
  bool int8 = false;
  std::string table;                           // a file that `links --table` writes
  std::optional<models::Shortlist> shortlist;  // read from the table
};
void declare(CommandLine& line, Faster& faster);
// Reads the shortlist and switches int8 on, if the user requests them. Throws data::Error if read_shortlist refuses the
// file. Throws UsageError if the user gives a shortlist to a language model, or --int8 to a build without kernels.
void prepare(Faster& faster, const LoadedRun& run);

}  // namespace softalign::apps
