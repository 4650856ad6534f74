#include "apps/ranks/all_reduce.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

#include "apps/ranks/quantised.h"

#ifdef SOFTALIGN_MPI
#define OMPI_SKIP_MPICXX  // leaves out the C++ interface, which MPI has abandoned
#include <mpi.h>
#endif

namespace softalign::apps {

namespace {

constexpr std::size_t at_once = std::size_t{1} << 23;  // limit of numbers in transit, which need memory

// Returns the number of bytes of these numbers on the network.
std::size_t bytes_of(std::size_t numbers, GradientDtype gradient_dtype) {
  switch (gradient_dtype) {
    case GradientDtype::float32:
      return numbers * sizeof(Real);
    case GradientDtype::bfloat16:
      return numbers * sizeof(Bfloat16);
    case GradientDtype::int8:
      return quantised_bytes(numbers);
  }
  return 0;
}

}  // namespace

std::size_t AllReduce::bytes(const Communicator& ranks, std::size_t numbers, GradientDtype gradient_dtype) {
  const std::size_t words = ranks.alone() ? 0 : std::min(numbers, at_once);
  const std::size_t travelling = bytes_of(2 * words + words / ranks.count(), gradient_dtype);
  if (gradient_dtype != GradientDtype::int8 || ranks.alone()) return travelling;
  return travelling + (words + words / ranks.count() + numbers) * sizeof(Real);  // Sum::exact, and the errors
}

#ifdef SOFTALIGN_MPI
namespace {

// These types convert numbers to the words that are sent, and back.
struct Whole {
  using Word = Real;
  static Word word(Real x) { return x; }
  static Real number(Word x) { return x; }
};
struct Rounded {
  using Word = Bfloat16;
  static Word word(Real x) { return to_bfloat16(x); }
  static Real number(Word x) { return from_bfloat16(x); }
};

struct Quantised {};

template <class Work>
void as_they_travel(GradientDtype gradient_dtype, const Work& work) {
  switch (gradient_dtype) {
    case GradientDtype::float32:
      return work(Whole());
    case GradientDtype::bfloat16:
      return work(Rounded());
    case GradientDtype::int8:
      return work(Quantised());
  }
}

struct Sum {
  std::vector<std::span<Real>> pieces, errors;
  std::vector<Real> exact;                       // int8: numbers plus old errors, then new errors, then sums
  std::size_t rank = 0, numbers = 0, slice = 0;  // `numbers` in all pieces; each rank sums `slice` of them
  std::vector<std::byte> mine, theirs, added;    // words that are sent
  MPI_Request arriving = MPI_REQUEST_NULL, leaving = MPI_REQUEST_NULL;

  template <class Form>
  void pack(Form) {
    auto* to = reinterpret_cast<typename Form::Word*>(mine.data());
    for (const std::span<Real>& piece : pieces) to = std::transform(piece.begin(), piece.end(), to, Form::word);
  }
  // Rounds each sum to a word even in the rank that computes it, so that all ranks get the same sums.
  template <class Form>
  void add(Form, std::size_t count) {
    const auto* from = reinterpret_cast<const typename Form::Word*>(theirs.data());
    auto* to = reinterpret_cast<typename Form::Word*>(added.data());
    for (std::size_t i = 0; i < slice; ++i) {
      Real sum = Form::number(from[i]);
      for (std::size_t r = 1; r < count; ++r) sum += Form::number(from[r * slice + i]);
      to[i] = Form::word(sum);
    }
  }
  template <class Form>
  void unpack(Form) const {
    const auto* from = reinterpret_cast<const typename Form::Word*>(mine.data());
    for (const std::span<Real>& piece : pieces) {
      std::transform(from, from + piece.size(), piece.begin(), Form::number);
      from += piece.size();
    }
  }

  // With int8, each slice is quantised separately. Each rank keeps the rounding errors of its own numbers and of the
  // sums that it computed.
  std::span<Real> slice_of(std::size_t r) { return std::span(exact).subspan(r * slice, slice); }
  void copy_exact_to(const std::vector<std::span<Real>>& parts) const {
    auto from = exact.begin();
    for (const std::span<Real>& part : parts) {
      std::copy_n(from, part.size(), part.begin());
      from += static_cast<std::ptrdiff_t>(part.size());
    }
  }
  void pack(Quantised) {
    const std::size_t count = mine.size() / added.size();
    exact.assign(count * slice, 0);
    auto to = exact.begin();
    for (std::size_t p = 0; p < pieces.size(); ++p)
      to = std::transform(pieces[p].begin(), pieces[p].end(), errors[p].begin(), to, std::plus());
    for (std::size_t r = 0; r < count; ++r) quantise(slice_of(r), mine.data() + r * added.size());
  }
  void add(Quantised, std::size_t count) {
    std::vector<Real> sum(slice);
    for (std::size_t r = 0; r < count; ++r) add_dequantised(theirs.data() + r * added.size(), sum);
    quantise(sum, added.data());
    const std::span<Real> lost = slice_of(rank);
    std::transform(lost.begin(), lost.end(), sum.begin(), lost.begin(), std::plus());
    copy_exact_to(errors);
  }
  void unpack(Quantised) {
    const std::size_t count = mine.size() / added.size();
    for (std::size_t r = 0; r < count; ++r) dequantise(mine.data() + r * added.size(), slice_of(r));
    copy_exact_to(pieces);
  }
};

}  // namespace

class AllReduce::UnderWay {
 public:
  // There are two communicators, because all ranks must start the operations of a communicator in the same order.
  // MPI_Finalize frees the communicators.
  UnderWay(std::size_t rank, std::size_t count, GradientDtype gradient_dtype)
      : rank_(rank), count_(count), dtype_(gradient_dtype) {
    MPI_Comm_dup(MPI_COMM_WORLD, &there_);
    MPI_Comm_dup(MPI_COMM_WORLD, &back_);
  }
  // If sums are unfinished, a rank has failed. MPI may still write to their memory, so it is never freed.
  ~UnderWay() {
    if (!sums_.empty()) new std::deque<Sum>(std::move(sums_));
  }

  // Returns the number of bytes that this rank sends in each of the two steps.
  std::size_t begin(std::vector<std::span<Real>> pieces, std::vector<std::span<Real>> errors, std::size_t numbers) {
    while (!sums_.empty() && numbers_ + numbers > at_once) finish_first();
    Sum sum;
    if (!spare_.empty()) sum = std::move(spare_.back()), spare_.pop_back();
    sum.pieces = std::move(pieces), sum.errors = std::move(errors);
    sum.rank = rank_, sum.numbers = numbers, sum.slice = (numbers + count_ - 1) / count_;
    const std::size_t bytes = bytes_of(sum.slice, dtype_);
    sum.mine.resize(bytes * count_), sum.theirs.resize(bytes * count_), sum.added.resize(bytes);
    as_they_travel(dtype_, [&](auto form) { sum.pack(form); });
    const int each = static_cast<int>(bytes);
    MPI_Ialltoall(sum.mine.data(), each, MPI_BYTE, sum.theirs.data(), each, MPI_BYTE, there_, &sum.arriving);
    numbers_ += numbers;
    sums_.push_back(std::move(sum));
    return bytes * (count_ - 1);
  }

  void progress() {
    while (added_ < sums_.size()) {
      int has_arrived = 0;
      MPI_Test(&sums_[added_].arriving, &has_arrived, MPI_STATUS_IGNORE);
      if (!has_arrived) return;
      add_next();
    }
  }

  void finish() {
    while (added_ < sums_.size()) add_next();
    while (!sums_.empty()) finish_first();
  }

 private:
  void add_next() {
    Sum& sum = sums_[added_++];
    MPI_Wait(&sum.arriving, MPI_STATUS_IGNORE);
    as_they_travel(dtype_, [&](auto form) { sum.add(form, count_); });
    const int each = static_cast<int>(sum.added.size());
    MPI_Iallgather(sum.added.data(), each, MPI_BYTE, sum.mine.data(), each, MPI_BYTE, back_, &sum.leaving);
  }

  void finish_first() {
    if (added_ == 0) add_next();
    Sum& sum = sums_.front();
    MPI_Wait(&sum.leaving, MPI_STATUS_IGNORE);
    as_they_travel(dtype_, [&](auto form) { sum.unpack(form); });
    numbers_ -= sum.numbers;
    spare_.push_back(std::move(sum));
    sums_.pop_front();
    --added_;
  }

  std::size_t rank_, count_;
  GradientDtype dtype_;
  MPI_Comm there_ = MPI_COMM_NULL, back_ = MPI_COMM_NULL;
  std::deque<Sum> sums_;
  std::size_t added_ = 0, numbers_ = 0;  // number of added sums; numbers in all sums
  // The buffers are kept from step to step, because the system takes longer to provide new memory than everything else
  // here takes.
  std::vector<Sum> spare_;
};

AllReduce::AllReduce(const Communicator& ranks, GradientDtype gradient_dtype) : ranks_(ranks), dtype_(gradient_dtype) {
  if (!ranks.alone()) under_way_ = std::make_unique<UnderWay>(ranks.rank(), ranks.count(), gradient_dtype);
}

void AllReduce::begin(const std::vector<std::span<Real>>& pieces, const std::vector<std::span<Real>>& errors) {
  if (!under_way_) return;
  constexpr std::size_t most = std::size_t{1} << 20;  // numbers per message, so that others can be summed meanwhile
  std::vector<std::span<Real>> together, their_errors;
  std::size_t numbers = 0;
  const auto begin_those = [&] {
    if (numbers == 0) return;
    const std::size_t bytes =
        under_way_->begin(std::exchange(together, {}), std::exchange(their_errors, {}), std::exchange(numbers, 0));
    ranks_.count_sent(2 * bytes, 2 * (ranks_.count() - 1));
  };
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for (std::size_t begin = 0; begin < pieces[p].size();) {
      const std::size_t size = std::min(pieces[p].size() - begin, most - numbers);
      together.push_back(pieces[p].subspan(begin, size));
      if (!errors.empty()) their_errors.push_back(errors[p].subspan(begin, size));
      begin += size;
      numbers += size;
      if (numbers == most) begin_those();
    }
  begin_those();
}

void AllReduce::progress() {
  if (under_way_) under_way_->progress();
}

void AllReduce::finish() {
  if (under_way_) under_way_->finish();
}

#else  // with one process, there is nothing to add

class AllReduce::UnderWay {};
AllReduce::AllReduce(const Communicator& ranks, GradientDtype gradient_dtype) : ranks_(ranks), dtype_(gradient_dtype) {}
void AllReduce::begin(const std::vector<std::span<Real>>&, const std::vector<std::span<Real>>&) {}
void AllReduce::progress() {}
void AllReduce::finish() {}

#endif

AllReduce::~AllReduce() = default;

}  // namespace softalign::apps
