// A SyntheticExample is one example that the program make_corpus generates from a seed: the line that it writes to the
// corpus file, and a picture if the example has one.
#pragma once

#include <optional>
#include <string>

#include "data/corpus/picture.h"

namespace softalign::data {

struct SyntheticExample {
  std::string line;     // line of the corpus, without its end; with a picture, the part after the picture's name
  std::string content;  // examples with the same content differ only in noise
  std::optional<Picture> picture;
};

}  // namespace softalign::data
