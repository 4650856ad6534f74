// Synthetic corpora that make_corpus generates from a seed, except grammars and sequence tasks. Each line has one
// example with its gold.
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

// Returns the given number of different examples. The same seed gives the same examples. Error: there are not enough
// different ones.
std::vector<SyntheticExample> draw_different(const SyntheticCorpus& corpus, std::size_t count, std::uint64_t seed);

// NAME.tsv with one example per line, and its pictures NAME-pictures/000001.png, numbered as the lines.
std::vector<NewFile> files_of(const std::string& name, std::span<const SyntheticExample> examples);
std::string pictures_folder(const std::string& name);
std::string picture_name(const std::string& name, std::size_t i);  // of the example i, from 0

// --- whether make_corpus has written the files of a folder, so that it may overwrite them ---

// Returns why FILE does not contain pairs with gold as format_tsv writes them; "" if it does, or does not exist.
std::string problem_of_earlier_pairs(const std::string& file);

// Returns why files_of did not write FOLDER/NAME.tsv, NAME-pictures and the file `task` for this corpus: another task,
// a line without gold, or pictures with other names or another number. It is "" if files_of wrote them, or if they do
// not exist and the file `task` fits.
std::string problem_of_earlier_output(const std::string& folder, const std::string& name,
                                      const SyntheticCorpus& corpus);

}  // namespace softalign::data
