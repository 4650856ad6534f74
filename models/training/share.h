// Which part of every batch is this process's, where several train together.
#pragma once

#include <cstddef>

namespace softalign::models {

// Each cuts a batch into the parts of all, and takes those of its place.
struct Share {
  std::size_t place = 0, of = 1;
};

}  // namespace softalign::models
