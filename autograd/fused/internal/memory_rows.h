// MemoryRows: which part of a time-major memory (S, B, K) a decoder row looks at; shared by the attention ops.
#pragma once

#include <fmt/format.h>

#include <stdexcept>

#include "autograd/var.h"

namespace softalign::autograd {

struct MemoryRows {
  std::size_t S, B, R;
  Ids sentence;          // (R)
  bool one_each = true;  // row r is sentence r: no two rows write to the same place of the memory's gradient

  MemoryRows(const char* op, const Shape& memory, const Ids& rows)
      : S(memory[0]), B(memory[1]), R(rows.size()), sentence(rows) {
    if (memory.rank() != 3)
      throw std::invalid_argument(fmt::format("{}: memory {} is not (S, B, K)", op, to_string(memory)));
    for (std::size_t r = 0; r < R; ++r) {
      if (sentence[r] < 0 || static_cast<std::size_t>(sentence[r]) >= B)
        throw std::invalid_argument(fmt::format("{}: row {} looks at sentence {} of {}", op, r, sentence[r], B));
      one_each = one_each && static_cast<std::size_t>(sentence[r]) == r;
    }
  }

  std::size_t row(std::size_t r, std::size_t j) const { return j * B + static_cast<std::size_t>(sentence[r]); }
};

}  // namespace softalign::autograd
