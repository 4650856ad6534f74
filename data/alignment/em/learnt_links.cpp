#include "data/alignment/em/learnt_links.h"

#include <algorithm>
#include <iterator>

#include "data/alignment/symmetrisation.h"

namespace softalign::data {

std::vector<Links> learn_links(const std::vector<Pair>& pairs, const EmOptions& options) {
  const auto learnt = [](const Pair& pair) { return !pair.blank && !EmAligner::too_long(pair); };
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (learnt(pairs[i])) places.push_back(i);
  std::vector<Links> links(pairs.size());
  if (places.empty()) return links;
  std::vector<Pair> some;
  if (places.size() < pairs.size()) std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(some), learnt);
  EmAligner aligner(some.empty() ? pairs : some, options);
  for (std::size_t round = 0; round < aligner.rounds(); ++round) aligner.round();
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Pair& pair = pairs[places[k]];
    const EmAligner::Both both = aligner.leave_one_out(k, pair);
    links[places[k]] = joint_links({}, both.forward, both.backward, pair.source.size(), pair.target.size());
  }
  return links;
}

}  // namespace softalign::data
