// Synthetic corpora, generated from a seed, one example with its gold per line: what make_corpus has besides grammars
// and sequence tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/synthetic_example.h"
#include "data/io/own_files.h"

namespace softalign::data {

struct SyntheticCorpus {
  std::string_view name, about;
  std::string_view task;           // that a model learns from it: what the file `task` says (docs/formats.md)
  std::vector<std::string> split;  // how many by default: NAME=N
  std::function<SyntheticExample(autograd::Random&)> draw;
};

const std::vector<SyntheticCorpus>& synthetic_corpora();
const SyntheticCorpus* find_synthetic_corpus(std::string_view name);  // nullptr: none has the name

// So many examples, no two of one content; the same seed gives the same ones. Error: there are not so
// many.
std::vector<SyntheticExample> draw_different(const SyntheticCorpus& corpus, std::size_t count, std::uint64_t seed);

// NAME.tsv, a line an example, and what its lines name: NAME-pictures/000001.png, counted as lines are.
std::vector<NewFile> files_of(const std::string& name, std::span<const SyntheticExample> examples);
std::string pictures_folder(const std::string& name);
std::string picture_name(const std::string& name, std::size_t i);  // of the example i, from 0

// --- whether make_corpus has written what stands in a folder, so that it may write there again ---

// Why FILE is no pairs with gold as format_tsv writes them; "" if it is, or is not there.
std::string problem_of_earlier_pairs(const std::string& file);

// Why FOLDER/NAME.tsv and what belongs to it, NAME-pictures and the file `task`, are none that files_of makes of this
// corpus: another task, a line without gold, pictures of other names or not as many as lines. "" if they are,
// or are not there under a file `task` that fits.
std::string problem_of_earlier_output(const std::string& folder, const std::string& name,
                                      const SyntheticCorpus& corpus);

}  // namespace softalign::data
