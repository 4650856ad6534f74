// Corpora drawn from a seed, an example a line with its gold: what make_corpus has besides grammars and sequence tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/storage/random.h"
#include "data/io/file_set.h"
#include "data/pictures/picture.h"

namespace data {

struct Drawn {
  std::string line;     // of the corpus, without its end; of a picture what follows its name, the tab included
  std::string content;  // examples that have it in common differ in noise only
  std::optional<Picture> picture;
};

struct DrawnCorpus {
  std::string_view name, about;
  std::string_view task;           // that a model learns from it: what the file `task` says (docs/formats.md)
  std::vector<std::string> split;  // how many by default: NAME=N
  Drawn (*draw)(autograd::Random& random);
};

const std::vector<DrawnCorpus>& drawn_corpora();
const DrawnCorpus* find_drawn_corpus(std::string_view name);  // nullptr: none has the name

// So many examples, no two of one content; the same seed gives the same ones. std::runtime_error: there are not so
// many.
std::vector<Drawn> draw_different(const DrawnCorpus& corpus, size_t count, uint64_t seed);

// NAME.tsv, a line an example, and what its lines name: NAME-pictures/000001.png, counted as lines are.
std::vector<NewFile> files_of(const std::string& name, std::span<const Drawn> examples);
std::string pictures_folder(const std::string& name);
std::string picture_name(const std::string& name, size_t i);  // of the example i, from 0

}  // namespace data
