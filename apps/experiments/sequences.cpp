#include "apps/experiments/sequences.h"

#include "data/synthetic/sequences.h"

namespace softalign::apps {

namespace {

constexpr std::size_t letters = 26, numbers = 26, colours = 4;

// "3" -> 2
std::size_t number(const std::string& token) { return static_cast<std::size_t>(std::stoul(token)) - 1; }

// Numbers first, then letters, then letters with a colour.
Id id_of(const std::string& token) {
  const char first = token.front();
  if (first < 'a' || first > 'z') return static_cast<Id>(number(token));
  const auto letter = static_cast<std::size_t>(first - 'a');
  if (token.size() == 1) return static_cast<Id>(numbers + letter);
  return static_cast<Id>(numbers + letters + letter * colours + number(token.substr(2)));
}

}  // namespace

SequenceBatches::SequenceBatches(const std::string& task, std::size_t length, std::size_t B, std::size_t batches,
                                 std::uint64_t seed)
    : B_(B),
      pairs_(data::sample_sequences(
          task, {.pairs = B * batches, .min_length = length, .max_length = length, .seed = seed})) {}

std::size_t SequenceBatches::words() { return numbers + letters + letters * colours; }

Labelled SequenceBatches::labelled(std::size_t batch) const {
  Labelled all{.n = pairs_.front().source.size(),
               .B = B_,
               .words = {},
               .labels = {},
               .gold = Ids(B_ * pairs_.front().source.size())};
  for (std::size_t t = 0; t < all.n; ++t)
    for (std::size_t b = 0; b < B_; ++b) {
      const data::Pair& pair = pairs_[batch * B_ + b];
      all.words.push_back(id_of(pair.source[t]));
      all.labels.push_back(id_of(pair.target[t]));
    }
  for (std::size_t b = 0; b < B_; ++b)
    for (const data::Link& link : pairs_[batch * B_ + b].gold->sure)
      all.gold[link.target * B_ + b] = static_cast<Id>(link.source);
  return all;
}

Recalled SequenceBatches::recalled(std::size_t batch) const {
  Recalled all{
      .n = pairs_.front().source.size() / 2, .B = B_, .keys = {}, .values = {}, .asked = {}, .answers = {}, .gold = {}};
  for (std::size_t i = 0; i < all.n; ++i)
    for (std::size_t b = 0; b < B_; ++b) {
      const data::Tokens& source = pairs_[batch * B_ + b].source;
      all.keys.push_back(id_of(source[2 * i]) - static_cast<Id>(numbers));
      all.values.push_back(id_of(source[2 * i + 1]));
    }
  for (std::size_t b = 0; b < B_; ++b) {
    const data::Pair& pair = pairs_[batch * B_ + b];
    all.asked.push_back(id_of(pair.source.back()) - static_cast<Id>(numbers));
    all.answers.push_back(id_of(pair.target.front()));
    all.gold.push_back(static_cast<Id>(pair.gold->sure.front().source / 2));
  }
  return all;
}

}  // namespace softalign::apps
