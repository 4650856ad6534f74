// models/training/step.cpp calls this sum, by MPI, between the backward pass and the clipping of the gradient.
#include "apps/ranks/gradient_sum.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "autograd/optimise/gradient_pieces.h"
#include "autograd/var.h"

namespace softalign::apps {
namespace {

using autograd::Parameter;

// Returns the number of values per row.
std::size_t width_of(const Parameter& p) { return p.var.value().size() / p.var.dim(0); }

// Returns the gradient of the parameter. If there is none, it becomes zeros.
std::span<Real> numbers_of(const Parameter& p) {
  p.var.zeroed_grad();
  autograd::Array& numbers = p.var.grad_slot().array;
  return {numbers.data(), numbers.size()};
}

// A gradient is `nothing` in a rank that had no sentence. Otherwise it is `whole`, or it has some rows, and its form is
// `whole` plus their number.
enum : std::uint32_t { nothing = 0, whole = 1 };

std::uint32_t form_of(const Parameter& p) {
  if (autograd::grad_is_sparse(p.var)) return whole + static_cast<std::uint32_t>(autograd::touched_rows(p.var).size());
  return p.var.grad().defined() ? whole : nothing;
}

// Forms has the forms of all parameters in all ranks.
class Forms {
 public:
  Forms(const Communicator& ranks, const autograd::Params& params) : size_(params.all().size()) {
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
      // A whole table is sent twice: to the ranks that add up its parts, and back.
      is_whole_.push_back(is_whole_somewhere || all_rows > 2 * params.all()[p].var.dim(0));
    }
  }

  std::size_t rows(std::size_t rank, std::size_t p) const {
    const std::uint32_t form = forms_[rank * size_ + p];
    return form > whole ? form - whole : 0;
  }
  // Returns true if the gradient is whole in some rank, or if the ranks together have many rows of it.
  bool is_whole(std::size_t p) const { return is_whole_[p]; }

 private:
  std::size_t size_;
  std::vector<std::uint32_t> forms_;
  std::vector<bool> is_whole_;
};

// Rows has the rows that a rank sends, in the order of the parameters.
struct Rows {
  std::vector<std::uint32_t> ids;
  std::vector<Real> numbers;
};

Rows rows_of(const autograd::Params& params, const Forms& forms) {
  Rows rows;
  for (const autograd::Piece& piece : gradient_pieces(params)) {
    if (forms.is_whole(piece.parameter)) continue;
    const std::size_t width = width_of(params.all()[piece.parameter]);
    if (piece.begin % width == 0) rows.ids.push_back(static_cast<std::uint32_t>(piece.begin / width));
    rows.numbers.insert(rows.numbers.end(), piece.gradient, piece.gradient + piece.size);
  }
  return rows;
}

void add_rows(const Communicator& ranks, const autograd::Params& params, const Forms& forms, const Rows& mine) {
  const auto& all = params.all();
  std::vector<std::size_t> ids(ranks.count()), numbers(ranks.count());  // per rank
  for (std::size_t r = 0; r < ranks.count(); ++r)
    for (std::size_t p = 0; p < all.size(); ++p)
      if (!forms.is_whole(p)) ids[r] += forms.rows(r, p), numbers[r] += forms.rows(r, p) * width_of(all[p]);
  const std::vector<std::uint32_t> all_ids = ranks.joined(mine.ids, ids);
  const std::vector<Real> all_rows = ranks.joined(mine.numbers, numbers);
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

GradientSum::GradientSum(const Communicator& ranks, const autograd::Params& params, GradientDtype gradient_dtype)
    : ranks_(ranks),
      params_(params),
      sums_(ranks, gradient_dtype),
      has_errors_(gradient_dtype == GradientDtype::int8),
      done_(params.all().size()) {
  for (std::size_t p = 0; p < params.all().size(); ++p) places_[params.all()[p].var.node().get()] = p;
}

void GradientSum::done(const autograd::Var& parameter) {
  const auto its = places_.find(parameter.node().get());
  if (ranks_.alone() || its == places_.end()) return;
  done_[its->second] = true;
  if (in_bucket_.empty()) order_.push_back(static_cast<std::uint32_t>(its->second));
  begin_next();
}

void GradientSum::begin_next() {
  const auto is_done = [&](std::size_t p) { return done_[p]; };
  for (; next_ < buckets_.size(); ++next_) {
    const std::vector<std::size_t>& bucket = buckets_[next_];
    if (!std::all_of(bucket.begin(), bucket.end(), is_done)) break;
    begin(bucket);
  }
  sums_.progress();
}

void GradientSum::begin(const std::vector<std::size_t>& parameters) {
  std::vector<std::span<Real>> pieces, errors;
  if (has_errors_) errors_.resize(done_.size());
  for (const std::size_t p : parameters) {
    pieces.push_back(numbers_of(params_.all()[p]));
    if (!has_errors_) continue;
    errors_[p].resize(pieces.back().size());
    errors.emplace_back(errors_[p]);
  }
  sums_.begin(pieces, errors);
}

void GradientSum::finish() {
  if (ranks_.alone()) return;
  done_.assign(done_.size(), true);
  begin_next();
  const Forms forms(ranks_, params_);
  std::vector<std::size_t> rest;
  for (std::size_t p = 0; p < done_.size(); ++p)
    if (forms.is_whole(p) && (in_bucket_.empty() || !in_bucket_[p])) rest.push_back(p);
  begin(rest);
  add_rows(ranks_, params_, forms, rows_of(params_, forms));
  sums_.finish();
  if (in_bucket_.empty()) agree_on_buckets();
  done_.assign(done_.size(), false);
  next_ = 0;
}

// Divides the parameters without sparse gradients into buckets that are large enough for a message. Their order is the
// order in which the rank with the most finished parameters finished them.
void GradientSum::agree_on_buckets() {
  constexpr std::size_t least = 100'000;  // numbers per bucket
  std::vector<std::size_t> sizes;
  for (const std::uint64_t size : ranks_.all(order_.size())) sizes.push_back(size);
  std::vector<std::uint32_t> order = ranks_.joined(order_, sizes);
  const auto most = std::max_element(sizes.begin(), sizes.end());
  order.erase(order.begin(), order.begin() + std::accumulate(sizes.begin(), most, std::ptrdiff_t{0}));
  order.resize(*most);
  in_bucket_.assign(done_.size(), false);
  std::size_t numbers = least;
  for (const std::size_t p : order) {
    const autograd::Var& var = params_.all()[p].var;
    if (autograd::grad_is_sparse(var)) continue;
    if (numbers >= least) buckets_.emplace_back(), numbers = 0;
    buckets_.back().push_back(p);
    numbers += var.value().size();
    in_bucket_[p] = true;
  }
}

}  // namespace softalign::apps
