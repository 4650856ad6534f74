#include "apps/inference/em_baseline.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/run/corpus_files.h"
#include "data/alignment/em/em_aligner.h"
#include "data/alignment/joint_links.h"

namespace apps {

std::string add_em_links(std::vector<EvaluatedPair>& pairs, const Run& run) {
  using data::Pair;
  if (run.options.task != "translation") return "";  // no words of a source to count
  if (std::none_of(pairs.begin(), pairs.end(), [](const EvaluatedPair& e) { return e.pair->gold.has_value(); })) {
    return "";
  }
  data::Corpus training;
  try {
    training = read_corpus(training_files(run.options), run.options, run.options.max_length, data::TooLong::drop,
                           data::Blank::drop);
  } catch (const std::runtime_error& error) {
    return fmt::format(
        "note: no EM links to compare with, since the pairs that the run was trained on are not read: {}\n",
        error.what());
  }
  data::EmAligner forward(training.pairs, &Pair::source, &Pair::target, {});
  data::EmAligner backward(training.pairs, &Pair::target, &Pair::source, {});
  for (std::size_t round = 0; round < forward.rounds(); ++round) {
    forward.round();
    backward.round();
  }
  for (EvaluatedPair& e : pairs) {
    if (!e.pair->gold) continue;
    const data::Tokens &source = e.pair->source, &target = e.pair->target;
    e.em_links = data::joint_links({}, forward.posteriors(source, target), backward.posteriors(target, source),
                                   source.size(), target.size());
  }
  return "";
}

}  // namespace apps
