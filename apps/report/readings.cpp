#include "apps/report/readings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "apps/support/align_pairs.h"
#include "apps/support/corpus_files.h"
#include "apps/support/run_text.h"

namespace apps {

namespace {

std::size_t longer_side(const data::Pair& pair) { return std::max(pair.source.size(), pair.target.size()); }

// Pairs of sure links that cross: one starts before and ends after the other.
std::size_t crossings(const data::Pair& pair) {
  std::size_t count = 0;
  if (!pair.gold) return 0;
  for (const data::Link& a : pair.gold->sure) {
    for (const data::Link& b : pair.gold->sure) count += a.source < b.source && a.target > b.target;
  }
  return count;
}

data::Tokens translate(const Run& run, const data::Pair& pair) {
  const SourceText source = source_text(run, pair.source);
  const auto found = search(*run.model, {source.ids}, {});
  return hypothesis_record(run, source, found.front().front(), "greedy", 0, 0).target;
}

}  // namespace

std::size_t choose_example(const std::vector<data::Pair>& pairs) {
  constexpr std::size_t fewest = 6, most = 10;
  const auto off = [=](const data::Pair& pair) {  // words too many and too few
    const std::size_t shorter_side = std::min(pair.source.size(), pair.target.size());
    return std::max(longer_side(pair), most) - most + fewest - std::min(shorter_side, fewest);
  };
  const auto better = [&](const data::Pair& a, const data::Pair& b) {
    if (off(a) != off(b)) return off(a) < off(b);
    return crossings(a) > crossings(b);
  };
  return static_cast<std::size_t>(std::min_element(pairs.begin(), pairs.end(), better) - pairs.begin());
}

Readings read_test_set(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options) {
  Readings readings;
  const std::vector<Job> jobs = jobs_of(study, options);
  for (const Row& row : study.rows) {
    const auto job =
        std::find_if(jobs.begin(), jobs.end(), [&](const Job& each) { return each.name == row.experiment; });
    const Run run = load_run(job->folder);
    if (readings.pairs.empty()) {
      CorpusFiles files;
      files.tsv = test_file(study, options);
      constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
      readings.pairs = read_corpus(files, run.options, any, data::TooLong::refuse).pairs;
      readings.example = choose_example(readings.pairs);
    }
    Reading reading{row.experiment, job->folder, run.params.count(), {}, {}};
    reading.translation = translate(run, readings.pairs[readings.example]);
    if (outcomes.at(row.experiment).front().attends) {
      align_pairs(run, job->folder, readings.pairs, Tokens::words,
                  [&](const data::Record& record) { reading.records.push_back(record); });
    }
    readings.models.push_back(std::move(reading));
  }
  return readings;
}

double attention_distance(const data::Record& a, const data::Record& b) {
  double sum = 0;
  for (std::size_t t = 0; t < a.matrix.size(); ++t) {
    for (std::size_t s = 0; s < a.matrix[t].size(); ++s) sum += std::abs(a.matrix[t][s] - b.matrix[t][s]) / 2;
  }
  return sum / static_cast<double>(a.matrix.size());
}

namespace {

// The two that are farthest apart over a sentence, and the mean distance over all pairs of models.
std::pair<Disagreement, double> compare(const Readings& readings, const std::vector<std::size_t>& models,
                                        std::size_t sentence) {
  Disagreement farthest{sentence, 0, 0, -1};
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t j = i + 1; j < models.size(); ++j, ++count) {
      const double distance = attention_distance(readings.models[models[i]].records[sentence],
                                                 readings.models[models[j]].records[sentence]);
      sum += distance;
      if (distance > farthest.distance) farthest = {sentence, models[i], models[j], distance};
    }
  }
  return {farthest, sum / static_cast<double>(count)};
}

}  // namespace

std::vector<Disagreement> greatest_disagreements(const Readings& readings, std::size_t most) {
  std::vector<std::size_t> models;
  for (std::size_t m = 0; m < readings.models.size(); ++m) {
    if (!readings.models[m].records.empty()) models.push_back(m);
  }
  if (models.size() < 2) return {};
  constexpr std::size_t easily_read = 12;
  std::vector<std::size_t> sentences(readings.pairs.size());
  std::iota(sentences.begin(), sentences.end(), std::size_t{0});
  const auto longer = std::stable_partition(
      sentences.begin(), sentences.end(), [&](std::size_t i) { return longer_side(readings.pairs[i]) <= easily_read; });
  if (static_cast<std::size_t>(longer - sentences.begin()) >= most) sentences.erase(longer, sentences.end());

  std::vector<std::pair<Disagreement, double>> all;
  for (const std::size_t sentence : sentences) all.push_back(compare(readings, models, sentence));
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<Disagreement> greatest;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) greatest.push_back(all[i].first);
  return greatest;
}

}  // namespace apps
