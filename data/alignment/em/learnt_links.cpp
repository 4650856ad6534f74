#include "data/alignment/em/learnt_links.h"

#include <algorithm>
#include <utility>

#include "data/alignment/symmetrisation.h"

namespace softalign::data {

namespace {

bool can_align(const Pair& pair) { return !pair.blank && !EmAligner::too_long(pair); }

// places_of returns the index of each pair among the pairs to learn from. Other pairs have no index.
std::vector<std::optional<std::size_t>> places_of(const std::vector<Pair>& pairs, std::size_t most_words) {
  std::vector<std::optional<std::size_t>> places(pairs.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (can_align(pairs[i]) && std::max(pairs[i].source.size(), pairs[i].target.size()) <= most_words)
      places[i] = next++;
  return places;
}

EmAligner aligner_of(const std::vector<Pair>& pairs, const std::vector<std::optional<std::size_t>>& places,
                     const EmOptions& options) {
  const auto has_place = [](const auto& place) { return place.has_value(); };
  if (std::all_of(places.begin(), places.end(), has_place)) return EmAligner(pairs, options);
  std::vector<Pair> some;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (places[i]) some.push_back(pairs[i]);
  return EmAligner(some, options);
}

}  // namespace

CorpusAligner::CorpusAligner(const std::vector<Pair>& pairs, const EmOptions& options, std::size_t most_words)
    : places_(places_of(pairs, most_words)), em_(aligner_of(pairs, places_, options)) {
  for (const auto& place : places_) learnt_ += place.has_value();
}

void CorpusAligner::align(const std::vector<Pair>& pairs, std::size_t begin, std::size_t end, const Use& use) const {
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t i = begin; i < end; ++i)
    if (can_align(pairs[i])) use(i, places_[i] ? em_.leave_one_out(*places_[i], pairs[i]) : em_.posteriors(pairs[i]));
}

void CorpusAligner::align_others(const std::vector<Pair>& pairs, std::size_t begin, std::size_t end,
                                 const Use& use) const {
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t i = begin; i < end; ++i)
    if (can_align(pairs[i])) use(i, em_.posteriors(pairs[i]));
}

std::vector<Links> learn_links(const std::vector<Pair>& pairs, const EmOptions& options,
                               const std::function<bool()>& stop) {
  std::vector<Links> links(pairs.size());
  CorpusAligner aligner(pairs, options);
  for (std::size_t round = 0; round < aligner.em().rounds(); ++round) {
    aligner.em().round();
    if (stop && stop()) return {};
  }
  aligner.align(pairs, 0, pairs.size(), [&](std::size_t i, const EmAligner::BidirectionalPosteriors& both) {
    links[i] = joint_links({}, both.forward, both.backward, pairs[i].source.size(), pairs[i].target.size());
  });
  return links;
}

}  // namespace softalign::data
