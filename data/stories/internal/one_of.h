// A word at random.
#pragma once

#include <string>
#include <vector>

#include "autograd/storage/random.h"

namespace data {

inline const std::string& one_of(const std::vector<std::string>& words, autograd::Random& random) {
  return words[random.below(words.size())];
}

}  // namespace data
