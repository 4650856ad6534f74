#include "apps/run/batch_memory.h"

#include <algorithm>

#include "autograd/storage/pool.h"
#include "data/corpus/batches.h"

namespace apps {

namespace {

// Blocks of the pool are up to a quarter larger than what was asked for, and batches of many lengths leave blocks of
// sizes that the largest has no use for: 1.2 to 3 times as much in trainings of some models
// (tests/apps/test_memory.py).
constexpr double waste = 1.8;

// Bytes of arrays at the height of the work, beside those that are there before it.
double height(const std::function<void(const data::Batch&)>& work, std::size_t pairs, std::size_t source,
              std::size_t target) {
  const data::EncodedPair pair{data::Ids(source, data::unk_id), data::Ids(target, data::unk_id),
                               data::Links{data::Link{0, 0}}};
  const std::vector<data::EncodedPair> corpus(pairs, pair);
  data::Indices all(pairs);
  for (std::size_t i = 0; i < pairs; ++i) all[i] = i;
  autograd::pool_forget_most();
  const auto before = static_cast<double>(autograd::pool_statistics().asked_bytes);
  work(data::make_batch(corpus, all));
  return static_cast<double>(autograd::pool_statistics().most_asked_bytes) - before;
}

}  // namespace

BatchMemory::BatchMemory(const std::function<void(const data::Batch&)>& work, std::size_t source, std::size_t target) {
  constexpr std::size_t B = 8, few = 8, many = 24;  // pairs, words
  const std::size_t S = std::min(source, few), T = std::min(target, few);
  const std::size_t S2 = std::min(source, many), T2 = std::min(target, many);
  const auto per_word = [](double difference, std::size_t from, std::size_t to) {
    return to > from ? difference / static_cast<double>(B * (to - from)) : 0;
  };
  const auto live = [] { return static_cast<double>(autograd::pool_statistics().asked_bytes); };
  const double before = live();
  height(work, B, S, T);
  const double kept = live() - before;
  const double small = height(work, B, S, T), twice = height(work, 2 * B, S, T);
  const double wide = height(work, B, S2, T), tall = height(work, B, S, T2), both = height(work, B, S2, T2);
  const auto s = static_cast<double>(S), t = static_cast<double>(T);
  const double pair = (twice - small) / static_cast<double>(B);
  a_ = kept + small - static_cast<double>(B) * pair;
  const double by_source = per_word(wide - small, S, S2), by_target = per_word(tall - small, T, T2);
  const double by_both = per_word(per_word(both - wide - tall + small, S, S2), T, T2) * static_cast<double>(B);
  e_ = std::max(0., by_both);
  c_ = by_source - e_ * t;
  d_ = by_target - e_ * s;
  b_ = pair - c_ * s - d_ * t - e_ * s * t;
}

double BatchMemory::operator()(std::size_t pairs, std::size_t source, std::size_t target) const {
  const auto B = static_cast<double>(pairs), S = static_cast<double>(source), T = static_cast<double>(target);
  return waste * std::max(0., a_ + B * (b_ + c_ * S + d_ * T + e_ * S * T));
}

}  // namespace apps
