#include "autograd/optimise/gradient_pieces.h"

#include <algorithm>

#include "autograd/threads/openmp.h"
#include "autograd/var.h"

namespace softalign::autograd {

std::vector<Piece> gradient_pieces(const Params& params, bool whole) {
  constexpr std::size_t largest = 16384;
  std::vector<Piece> pieces;
  for (std::size_t p = 0; p < params.all().size(); ++p) {
    Node& node = *params.all()[p].var.node();
    if (!node.grad.defined()) continue;
    const auto cut = [&](std::size_t begin, std::size_t size, Real* gradient) {
      for (std::size_t i = 0; i < size; i += largest)
        pieces.push_back({p, begin + i, std::min(largest, size - i), gradient + i});
    };
    const Shape& shape = node.value.shape();
    if (node.grad.sparse() && !whole) {
      SparseRows::Part& rows = node.grad.rows().summed(shape.size() / std::max<std::size_t>(shape[0], 1));
      const std::size_t width = rows.sums.dim(1);
      for (std::size_t i = 0; i < rows.ids.size(); ++i)
        cut(static_cast<std::size_t>(rows.ids[i]) * width, width, rows.sums.data() + i * width);
    } else {
      Array& sum = node.grad.dense(shape);
      if (!sum.sole_owner()) sum = sum.clone();  // b + c gives b and c the same array dy
      cut(0, sum.size(), sum.data());
    }
  }
  return pieces;
}

std::vector<std::size_t> ends_of_threads(const std::vector<Piece>& pieces) {
  constexpr std::size_t worth_threads = 65536;  // elements
  std::size_t elements = 0;
  for (const Piece& piece : pieces) elements += piece.size;
  const std::size_t threads = elements >= worth_threads ? static_cast<std::size_t>(omp_get_max_threads()) : 1;
  std::vector<std::size_t> ends;
  for (std::size_t i = 0, before = 0; i < pieces.size(); ++i) {
    if (before * threads >= elements * (ends.size() + 1)) ends.push_back(i);
    before += pieces[i].size;
  }
  ends.push_back(pieces.size());
  return ends;
}

}  // namespace softalign::autograd
