// Memory: what an encoder leaves and a decoder looks at. Nothing in it says what was read: words, the cells of a
// picture, the sentences of a story.
#pragma once

#include <any>
#include <cstddef>
#include <utility>
#include <vector>

#include "models/parts.h"

namespace softalign::models {

// B entries, one per source.
class Memory {
 public:
  Memory() = default;
  // `parts`: a struct of the decoder's own, made once per source: states, keys, what it starts from.
  template <class Parts>
  Memory(std::vector<std::size_t> source_lengths, Parts parts)
      : lengths(std::move(source_lengths)), parts_(std::move(parts)) {}

  std::vector<std::size_t> lengths;  // (B) places of each source that can be looked at: words and </s>, cells ..
  std::vector<std::size_t> index;    // (B) the sources' places in the input, for messages; empty: 0 .. B-1
  std::size_t size() const { return lengths.size(); }  // B

  template <class Parts>
  const Parts& as() const {
    return own<Parts>(parts_);
  }

 private:
  std::any parts_;
};

}  // namespace softalign::models
