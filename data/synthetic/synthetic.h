// This file lists the synthetic corpora that make_corpus generates from a seed, except grammars and sequence tasks.
// Each line of a corpus has one example with its gold links.
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
#include "data/io/file_set.h"

namespace softalign::data {

struct SyntheticCorpus {
  std::string_view name, about;
  std::string_view task;           // the task that a model learns from it, as in the file `task` (docs/formats.md)
  std::vector<std::string> split;  // default sizes: NAME=N
  std::function<SyntheticExample(autograd::Random&)> draw;
};

const std::vector<SyntheticCorpus>& synthetic_corpora();
const SyntheticCorpus* find_synthetic_corpus(std::string_view name);  // nullptr if there is none

// Returns `count` different examples. The same seed gives the same examples. Throws Error if there are not enough
// different examples.
std::vector<SyntheticExample> draw_different(const SyntheticCorpus& corpus, std::size_t count, std::uint64_t seed);

// Returns the files of a corpus: NAME.tsv with one example per line, and its pictures. The picture of line 1 is
// NAME-pictures/000001.png.
std::vector<NewFile> files_of(const std::string& name, std::span<const SyntheticExample> examples);
std::string pictures_folder(const std::string& name);
std::string picture_name(const std::string& name, std::size_t i);  // file name of the picture of example i, from 0

// --- These functions say whether make_corpus wrote the files of a folder, so that it may overwrite them ---

// Returns "" if FILE looks like the output of format_tsv, or if FILE does not exist. Otherwise returns the reason, for
// example that a line has no gold links.
std::string problem_of_earlier_pairs(const std::string& file);

// Returns "" if FOLDER/NAME.tsv, the folder NAME-pictures and the file `task` look like the output of files_of for this
// corpus. Otherwise returns the reason, for example that the file `task` names another task. If NAME.tsv and
// NAME-pictures do not exist, the function reads only the file `task`.
std::string problem_of_earlier_output(const std::string& folder, const std::string& name,
                                      const SyntheticCorpus& corpus);

}  // namespace softalign::data
