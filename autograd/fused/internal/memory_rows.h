// MemoryRows: which rows of a time-major memory (S*B, K) a decoder row looks at; shared by the attention ops.
#pragma once

#include <fmt/format.h>

#include <stdexcept>

#include "autograd/ops/shape.h"
#include "autograd/var.h"

namespace autograd::inline SOFTALIGN_PRECISION {

struct MemoryRows {
  std::size_t S, B, R;
  Ids sentence;          // (R)
  bool one_each = true;  // row r is sentence r: no two rows write to the same place of the memory's gradient

  MemoryRows(const char* op, const Shape& memory, const Ids& rows, std::size_t sentences)
      : S(sentences ? memory[0] / sentences : 0), B(sentences), R(rows.size()), sentence(rows) {
    if (B == 0 || memory.rank() != 2 || memory[0] % B)
      throw std::invalid_argument(
          fmt::format("{}: memory {} is not (S*B, K) for B = {} sentences", op, to_string(memory), B));
    for (std::size_t r = 0; r < R; ++r) {
      if (sentence[r] < 0 || static_cast<std::size_t>(sentence[r]) >= B)
        throw std::invalid_argument(fmt::format("{}: row {} looks at sentence {} of {}", op, r, sentence[r], B));
      one_each = one_each && static_cast<std::size_t>(sentence[r]) == r;
    }
  }

  std::size_t row(std::size_t r, std::size_t j) const { return j * B + static_cast<std::size_t>(sentence[r]); }

  // (S*B, K) -> (R, S, K): the memory copied out for every row, as the composed definitions see it.
  Var copied_out(const Var& memory) const {
    const std::size_t K = memory.dim(1);
    const Var by_sentence = reshape(transpose(reshape(memory, {S, B, K}), {1, 0, 2}), {B, S * K});
    return reshape(gather(by_sentence, sentence), {R, S, K});
  }
};

}  // namespace autograd::inline SOFTALIGN_PRECISION
