#include "apps/decoding/shortlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "data/alignment/lexicon.h"

namespace softalign::apps {
namespace {

using data::Id;
using data::Ids;
using Likely = std::map<Id, double>;  // p by target entry

// The entries of a word: its own, or those of its pieces; unknown ones left out.
Ids entries(const std::string& word, const data::Segmenter& pieces, const data::Vocabulary& vocabulary) {
  Ids ids = vocabulary.ids(pieces.segment({word}).pieces);
  std::erase(ids, data::unk_id);
  return ids;
}

Ids most_probable(const Likely& likely, std::size_t count) {
  std::vector<std::pair<double, Id>> order;
  for (const auto& [id, p] : likely) order.emplace_back(-p, id);
  std::sort(order.begin(), order.end());
  Ids ids;
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) ids.push_back(order[i].second);
  return ids;
}

}  // namespace

models::Shortlist read_shortlist(const std::string& path, const Run& run, std::size_t frequent, std::size_t likely) {
  std::vector<Likely> of_entry(run.source.size());
  Likely of_none;
  bool any = false;
  for (const data::TableRow& row : data::read_table(path)) {
    const Ids targets = entries(row.target, run.target_pieces, run.target);
    const auto add = [&](Likely& to) {
      for (const Id target : targets) to[target] += row.probability;
    };
    if (row.source.empty()) {
      add(of_none);
      continue;
    }
    for (const Id source : entries(row.source, run.source_pieces, run.source)) {
      add(of_entry[static_cast<std::size_t>(source)]);
      any = any || !targets.empty();
    }
  }
  if (!any)
    throw std::runtime_error(fmt::format(
        "{}: no line has a source word and a translation that the run knows; make it from the run's corpus (links "
        "--data CORPUS --table FILE)",
        path));
  Ids always = most_probable(of_none, likely);
  for (std::size_t id = 0; id < std::min(run.target.size(), data::end_id + 1 + frequent); ++id)
    always.push_back(static_cast<Id>(id));
  std::vector<Ids> translations;
  for (const Likely& of_word : of_entry) translations.push_back(most_probable(of_word, likely));
  return {std::move(always), std::move(translations)};
}

}  // namespace softalign::apps
