#include "apps/ranks/gradient_sum.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "autograd/leaf_gradients.h"
#include "autograd/optimise/gradient_pieces.h"

namespace apps {
namespace {

using autograd::Parameter;

// Numbers of a row.
std::size_t width_of(const Parameter& p) { return p.var.value().size() / p.var.dim(0); }

// How a gradient is there: not at all (in a rank that had no sentence), whole, or as so many rows beyond `whole`.
enum : std::uint32_t { nothing = 0, whole = 1 };

std::uint32_t form_of(const Parameter& p) {
  if (autograd::grad_is_sparse(p.var)) return whole + static_cast<std::uint32_t>(autograd::touched_rows(p.var).size());
  return p.var.grad().defined() ? whole : nothing;
}

// The forms of all parameters, rank by rank.
class Forms {
 public:
  Forms(const Ranks& ranks, const autograd::Params& params) : size_(params.all().size()) {
    std::vector<std::uint32_t> mine;
    for (const Parameter& p : params.all()) mine.push_back(form_of(p));
    forms_ = ranks.joined(mine);
    for (std::size_t p = 0; p < size_; ++p) {
      std::size_t all_rows = 0;
      bool is_whole_somewhere = false;
      for (std::size_t r = 0; r < ranks.count(); ++r) {
        is_whole_somewhere = is_whole_somewhere || forms_[r * size_ + p] == whole;
        all_rows += rows(r, p);
      }
      // Added up whole, a table travels twice: to where its parts are added, and back.
      is_whole_.push_back(is_whole_somewhere || all_rows > 2 * params.all()[p].var.dim(0));
    }
  }

  std::size_t rows(std::size_t rank, std::size_t p) const {
    const std::uint32_t form = forms_[rank * size_ + p];
    return form > whole ? form - whole : 0;
  }
  // For somewhere it is, or rows are many; else nothing but rows came anywhere, and few.
  bool is_whole(std::size_t p) const { return is_whole_[p]; }

 private:
  std::size_t size_;
  std::vector<std::uint32_t> forms_;
  std::vector<bool> is_whole_;
};

// What is sent of a step: whole gradients side by side, rows one after the other, parameter by parameter.
struct Sending {
  std::vector<Real> numbers;
  std::vector<std::uint32_t> ids;
  std::vector<Real> rows;
};

void add_rows(const Ranks& ranks, const autograd::Params& params, const Forms& forms, const Sending& mine) {
  const auto& all = params.all();
  std::vector<std::size_t> ids(ranks.count()), numbers(ranks.count());  // of each rank
  for (std::size_t r = 0; r < ranks.count(); ++r)
    for (std::size_t p = 0; p < all.size(); ++p)
      if (!forms.is_whole(p)) ids[r] += forms.rows(r, p), numbers[r] += forms.rows(r, p) * width_of(all[p]);
  const std::vector<std::uint32_t> all_ids = ranks.joined(mine.ids, ids);
  const std::vector<Real> all_rows = ranks.joined(mine.rows, numbers);
  std::vector<std::size_t> next_id(ranks.count()), next_row(ranks.count());
  std::exclusive_scan(ids.begin(), ids.end(), next_id.begin(), std::size_t{0});
  std::exclusive_scan(numbers.begin(), numbers.end(), next_row.begin(), std::size_t{0});
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (forms.is_whole(p)) continue;
    all[p].var.zero_grad();
    const std::size_t width = width_of(all[p]);
    for (std::size_t r = 0; r < ranks.count(); ++r) {
      const std::size_t n = forms.rows(r, p);
      if (n == 0) continue;
      const auto from = all_ids.begin() + static_cast<std::ptrdiff_t>(std::exchange(next_id[r], next_id[r] + n));
      autograd::Array values({n, width});
      std::copy_n(all_rows.begin() + static_cast<std::ptrdiff_t>(std::exchange(next_row[r], next_row[r] + n * width)),
                  n * width, values.data());
      add_row_grad(all[p].var, autograd::Ids(from, from + static_cast<std::ptrdiff_t>(n)), values);
    }
  }
}

}  // namespace

void sum_gradients(const Ranks& ranks, const autograd::Params& params, Wire wire) {
  if (ranks.alone()) return;
  const Forms forms(ranks, params);
  const auto& all = params.all();
  for (std::size_t p = 0; p < all.size(); ++p)
    if (forms.is_whole(p)) all[p].var.zeroed_grad();
  static Sending mine;  // kept from step to step: the system takes longer to bring fresh memory than all else here
  mine.numbers.clear(), mine.ids.clear(), mine.rows.clear();
  mine.numbers.reserve(params.count());  // of which pages that nothing is written to take no memory
  const std::vector<autograd::Piece> pieces = gradient_pieces(params);
  for (const autograd::Piece& piece : pieces) {
    const std::size_t width = width_of(all[piece.parameter]);
    const bool whole_one = forms.is_whole(piece.parameter);
    if (!whole_one && piece.begin % width == 0) mine.ids.push_back(static_cast<std::uint32_t>(piece.begin / width));
    std::vector<Real>& to = whole_one ? mine.numbers : mine.rows;
    to.insert(to.end(), piece.gradient, piece.gradient + piece.size);
  }
  ranks.sum(mine.numbers, wire);
  const Real* from = mine.numbers.data();
  for (const autograd::Piece& piece : pieces)
    if (forms.is_whole(piece.parameter))
      std::copy_n(std::exchange(from, from + piece.size), piece.size, piece.gradient);
  add_rows(ranks, params, forms, mine);
}

std::size_t bytes_to_sum_gradients(const Ranks& ranks, const autograd::Params& params, Wire wire) {
  return ranks.alone() ? 0 : params.count() * sizeof(Real) + ranks.bytes_of_sum(params.count(), wire);
}

}  // namespace apps
