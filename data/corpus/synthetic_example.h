// A synthetic example is an example that make_corpus generates from a seed, in its written form.
#pragma once

#include <optional>
#include <string>

#include "data/corpus/picture.h"

namespace softalign::data {

struct SyntheticExample {
  std::string line;     // of the corpus, without its end; of a picture what follows its name, the tab included
  std::string content;  // examples that have it in common differ in noise only
  std::optional<Picture> picture;
};

}  // namespace softalign::data
