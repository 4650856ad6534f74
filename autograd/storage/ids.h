// Ids: rows by their numbers: words in an embedding, sentences in a memory.
#pragma once

#include <cstdint>
#include <vector>

namespace softalign::autograd {

using Id = std::int32_t;
using Ids = std::vector<Id>;

}  // namespace softalign::autograd
