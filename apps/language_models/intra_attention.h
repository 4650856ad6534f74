// This file generates texts with repeated statements (data/synthetic/repeated_texts.h). A language model reads the
// words of these texts as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autograd/array.h"
#include "data/synthetic/repeated_texts.h"

namespace softalign::apps {

// RepeatsBatch has B texts of six statements about four names. The same seed gives the same texts.
struct RepeatsBatch {
  static constexpr std::size_t statements = 6, names = 4;

  RepeatsBatch(std::size_t B, std::uint64_t seed);

  std::vector<data::Repeats> examples;
  autograd::Ids words, next;  // (T*B), row t*B + b: the words read, and the next words; T is one less than a text has

  static std::size_t words_known();  // V
};

}  // namespace softalign::apps
