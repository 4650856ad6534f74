// This file turns stories (data/stories) into numbers for a memory network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/stories/synthetic_stories.h"
#include "models/stories/memory_network.h"

namespace softalign::apps {

// StoryBatch has B stories of a task. Each story has between max(3, sentences / 2) and `sentences` sentences. The same
// seed gives the same stories.
struct StoryBatch {
  StoryBatch(const std::string& task, std::size_t sentences, std::size_t B, std::uint64_t seed);

  std::vector<data::Story> examples;
  models::Stories stories;
  autograd::Ids answers;  // (B)

  static std::size_t words();  // V
};

}  // namespace softalign::apps
