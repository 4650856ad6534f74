#include "apps/run/memory_need.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/memory.h"
#include "data/io/error.h"

namespace softalign::apps {

double total(const MemoryNeed& need) {
  double sum = 0;
  for (const MemoryPart& part : need) sum += part.bytes;
  return sum;
}

std::string describe(const MemoryNeed& need) {
  std::string text;
  for (const MemoryPart& part : need)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part.what, autograd::format_bytes(part.bytes));
  return text;
}

void check_memory(const std::string& who, const MemoryNeed& need, const std::string& advice) {
  const autograd::MemoryLimit& limit = autograd::memory_limit();
  const auto most = static_cast<double>(limit.bytes);
  if (total(need) <= most) return;
  throw data::Error(
      data::ErrorKind::out_of_memory,
      fmt::format("not enough memory: {} needs about {}, and {} has {}. The parts are {}. {}", who,
                  autograd::format_bytes(total(need)), limit.of, autograd::format_bytes(most), describe(need), advice));
}

namespace {

double height(const std::function<void(const data::Batch&)>& work, const data::EncodedPair& pair, std::size_t pairs) {
  const std::vector<data::EncodedPair> corpus(pairs, pair);
  data::Indices all(pairs);
  for (std::size_t i = 0; i < pairs; ++i) all[i] = i;
  return arrays_at_most([&] { work(data::make_batch(corpus, all)); });
}

// Growth has the coefficients of y = .. + slope x + curve x^2 through three points. If points coincide, unknown
// coefficients are 0.
struct Growth {
  double slope = 0, curve = 0;
};

struct Point {
  std::size_t x = 0;  // words
  double y = 0;       // bytes
};

Growth growth(const Point& p, const Point& q, const Point& r) {
  if (r.x == p.x) return {};
  const auto x = static_cast<double>(p.x), middle = static_cast<double>(q.x), end = static_cast<double>(r.x);
  const double chord = (r.y - p.y) / (end - x);
  if (q.x == p.x || q.x == r.x) return {.slope = chord};
  const double bend = (r.y - q.y) / (end - middle) - (q.y - p.y) / (middle - x);
  const double curve = std::max(0., bend / (end - x));
  return {.slope = chord - curve * (x + end), .curve = curve};
}

}  // namespace

double arrays_at_most(const std::function<void()>& work) {
  autograd::forget_most_array_bytes();
  const auto before = static_cast<double>(autograd::array_bytes().now);
  work();
  return static_cast<double>(autograd::array_bytes().most) - before;
}

BatchMemory::BatchMemory(const std::function<void(const data::Batch&)>& work, const Example& example,
                         std::size_t source, std::size_t target) {
  // With fewer pairs, the peak memory of a step would come from the gradients of the weights, and not from the
  // activations.
  constexpr std::size_t B = 24, few = 8, many = 24;  // number of pairs; numbers of words
  const std::size_t S = std::min(source, few), T = std::min(target, few);
  const std::size_t S3 = std::min(source, many), T3 = std::min(target, many);
  const std::size_t S2 = (S + S3) / 2, T2 = (T + T3) / 2;
  const auto live = [] { return static_cast<double>(autograd::array_bytes().now); };
  const auto of = [&](std::size_t pairs, std::size_t s, std::size_t t) { return height(work, example(s, t), pairs); };
  const double before = live();
  of(B, S, T);
  const double kept = live() - before;
  const double small = of(B, S, T), twice = of(2 * B, S, T);
  const double wide = of(B, S3, T), tall = of(B, S, T3), both = of(B, S3, T3);
  const Growth of_source = growth({S, small}, {S2, of(B, S2, T)}, {S3, wide});
  const Growth of_target = growth({T, small}, {T2, of(B, S, T2)}, {T3, tall});
  const double area = static_cast<double>((S3 - S) * (T3 - T)), pairs = static_cast<double>(B);
  e_ = area > 0 ? std::max(0., (both - wide - tall + small) / (pairs * area)) : 0;
  f_ = of_source.curve / pairs;
  g_ = of_target.curve / pairs;
  const auto s = static_cast<double>(S), t = static_cast<double>(T);
  c_ = of_source.slope / pairs - e_ * t;
  d_ = of_target.slope / pairs - e_ * s;
  const double pair = (twice - small) / pairs;
  a_ = kept + small - pairs * pair;
  b_ = pair - c_ * s - d_ * t - e_ * s * t - f_ * s * s - g_ * t * t;
}

double BatchMemory::operator()(std::size_t pairs, std::size_t source, std::size_t target) const {
  const auto B = static_cast<double>(pairs), S = static_cast<double>(source), T = static_cast<double>(target);
  return waste * std::max(0., a_ + B * (b_ + c_ * S + d_ * T + e_ * S * T + f_ * S * S + g_ * T * T));
}

}  // namespace softalign::apps
