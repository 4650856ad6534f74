#include "apps/pages/report/readings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "apps/inference/align_pairs.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_text.h"

namespace softalign::apps {

namespace {

constexpr std::size_t most_pairs = 1000;

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
  const auto found = search(*run.model, run.params, {encoded(source)}, {});
  return words_of(run, found.front().front());
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
      readings.test_pairs = readings.pairs.size();
      readings.pairs.resize(std::min(readings.pairs.size(), most_pairs));
      readings.example = choose_example(readings.pairs);
    }
    Reading reading{row.experiment, job->folder, {}, {}};
    reading.translation = translate(run, readings.pairs[readings.example]);
    if (outcomes.at(row.experiment).front().attends) {
      align_pairs(run, job->folder, readings.pairs, Tokens::words, Looks::at_source,
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

// Places of the sentences that are easily read; of all, where those are fewer than `count`.
std::vector<std::size_t> short_sentences(const std::vector<data::Pair>& pairs, std::size_t count) {
  constexpr std::size_t longest = 12;
  std::vector<std::size_t> all(pairs.size()), few;
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::copy_if(all.begin(), all.end(), std::back_inserter(few),
               [&](std::size_t i) { return longer_side(pairs[i]) <= longest; });
  return few.size() >= count ? few : all;
}

// Every two models over every one of the sentences, the farthest apart first.
std::vector<Disagreement> distances(const Readings& readings, const std::vector<std::size_t>& sentences) {
  std::vector<Disagreement> all;
  const std::vector<Reading>& models = readings.models;
  for (std::size_t a = 0; a < models.size(); ++a) {
    for (std::size_t b = a + 1; b < models.size(); ++b) {
      if (models[a].records.empty() || models[b].records.empty()) continue;
      for (const std::size_t i : sentences) {
        all.push_back({i, a, b, attention_distance(models[a].records[i], models[b].records[i])});
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.distance > y.distance; });
  return all;
}

}  // namespace

std::vector<Disagreement> greatest_disagreements(const Readings& readings, std::size_t count) {
  const std::vector<Disagreement> all = distances(readings, short_sentences(readings.pairs, count));
  std::vector<Disagreement> greatest;
  std::map<std::size_t, std::size_t> taken;  // how often each model was
  std::set<std::size_t> sentences;
  const auto times = [&](const Disagreement& d) { return taken[d.a] + taken[d.b]; };
  while (greatest.size() < count) {
    const Disagreement* next = nullptr;
    for (const Disagreement& d : all) {
      if (sentences.count(d.sentence) == 0 && (!next || times(d) < times(*next))) next = &d;
    }
    if (!next) break;
    greatest.push_back(*next);
    sentences.insert(next->sentence);
    ++taken[next->a];
    ++taken[next->b];
  }
  return greatest;
}

}  // namespace softalign::apps
