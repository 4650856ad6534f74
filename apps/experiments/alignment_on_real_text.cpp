// This file is the study `reproduce alignment-on-real-text`. It asks why the attention of a trained decoder aligns real
// sentences little better than the diagonal does. The study changes one thing at a time: the sentences to align, the
// query, the encoder, and the length of the training sentences.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "apps/experiments/experiment.h"
#include "apps/experiments/real_text.h"
#include "apps/reproduction/jobs.h"
#include "apps/reproduction/runner.h"
#include "data/corpus/pharaoh.h"
#include "data/corpus/readers.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/metrics/aer.h"

namespace softalign::apps {

namespace {

using data::Pair;
using Pairs = std::vector<Pair>;

constexpr std::size_t joined_pairs = 3, default_epochs = 4;
constexpr double unknown_share = 0.3;

struct Model {
  std::string name, label;
  std::vector<std::string> options;
  bool long_texts = false;      // the training pairs also contain joined pairs
  std::size_t least_count = 2;  // words that occur less often in the training pairs are unknown
};
const std::vector<Model> models{{"alignment-defaults", "RNNsearch, the defaults", {}},
                                {"alignment-no-query-word", "query without the previous word", {"--no-query-word"}},
                                {"alignment-narrow",
                                 "encoder that reads one neighbour on each side",
                                 {"--encoder", "convolution", "--layers", "1"}},
                                {"alignment-joined", "trained on joined pairs too", {}, true},
                                {"alignment-joined-unknown", "the same, with more unknown words", {}, true, 5}};
const std::size_t defaults = 0, no_query_word = 1, narrow = 2, long_texts = 3, more_unknown = 4;

// A TestSet is a file of sentence pairs with links. The attention of every model is compared with these links.
struct TestSet {
  std::string name, file;
  Pairs pairs;
};
const std::size_t held_out = 0, long_pairs = 1, unknown = 2, first_gold = 3;  // test sets

Pairs read_gold(const std::string& file) {
  Pairs pairs = data::read_tsv(file).pairs;
  for (const Pair& pair : pairs)
    if (!pair.gold)
      throw data::Error(data::ErrorKind::bad_data,
                        fmt::format("{}:{}: the pair has no gold links. Write them into the third column, for example "
                                    "0-0 1-2",
                                    file, pair.line));
  return pairs;
}

void write_pairs(const std::string& file, const Pairs& pairs) { data::write_own_file(file, data::format_tsv(pairs)); }

double aer(const Pairs& pairs, const std::function<data::Links(std::size_t)>& links) {
  data::AlignmentScore score;
  for (std::size_t i = 0; i < pairs.size(); ++i) score.add(links(i), *pairs[i].gold);
  return 100 * score.aer();
}

// Returns the AER of the links in a file, which has one line of links per pair.
double aer_of_file(const Pairs& pairs, const std::string& file) {
  const std::vector<std::string> lines = data::read_lines(file);
  if (lines.size() != pairs.size())
    throw std::runtime_error(fmt::format("{} has {} lines, expected {}", file, lines.size(), pairs.size()));
  return aer(pairs, [&](std::size_t i) {
    return data::parse_gold(lines[i], pairs[i].source.size(), pairs[i].target.size(), fmt::format("{}:{}", file, i + 1))
        .sure;
  });
}

// RealText has the folder and the test sets of the study.
class RealText {
 public:
  explicit RealText(const ReproduceOptions& options) : options_(options), folder_(options.out + "/data/real-text") {
    for (const std::string& file : options.gold)
      gold_.push_back({std::filesystem::path(file).stem().string(), file, read_gold(file)});
  }

  // Writes the training corpora and the test sets.
  void prepare() {
    std::filesystem::create_directories(folder_ + "/joined");
    const Pairs train = data::read_tsv(options_.data + "/train.tsv").pairs;
    Pairs both = without_links(train);
    const Pairs longer = joined(both, joined_pairs);
    both.insert(both.end(), longer.begin(), longer.end());
    write_pairs(folder_ + "/joined/train.tsv", both);
    write_pairs(folder_ + "/joined/valid.tsv", without_links(data::read_tsv(options_.data + "/valid.tsv").pairs));
    // Both sides are written without gold links, so that `evaluate` does not learn EM links again for each training.
    write_pairs(folder_ + "/test.tsv", without_links(data::read_tsv(options_.data + "/test.tsv").pairs));

    const std::string linked = links_of(folder_ + "/test.tsv", "held-out", "tsv");
    const Pairs test = read_gold(linked);
    write_pairs(folder_ + "/joined.tsv", joined(test, joined_pairs));
    write_pairs(folder_ + "/unknown.tsv", with_unknown_words(test, unknown_share));
    sets_ = {{"held-out pairs", linked, test}};
    for (const auto& [name, file] : {std::pair{"joined pairs", "joined"}, std::pair{"unknown words", "unknown"}})
      sets_.push_back({name, fmt::format("{}/{}.tsv", folder_, file), {}});
    for (std::size_t i = long_pairs; i < first_gold; ++i) sets_[i].pairs = read_gold(sets_[i].file);
    sets_.insert(sets_.end(), gold_.begin(), gold_.end());
    pairs_ = train.size();
  }

  const std::vector<TestSet>& sets() const { return sets_; }
  std::size_t training_pairs() const { return pairs_; }

  // Returns the AER of `links`, which learns from the training pairs only. A test set of its own links has none.
  std::optional<double> aer_of_em(std::size_t set) const {
    if (set < first_gold) return {};
    return aer_of_file(sets_[set].pairs, links_of(sets_[set].file, fmt::format("gold-{}", set), "pharaoh"));
  }

  struct Trained {
    double bleu = 0;
    std::vector<double> aer;  // one per test set
  };
  Trained train(const Model& model, std::size_t seed) const {
    const std::string run = fmt::format("{}/runs/{}-seed{}", options_.out, model.name, seed);
    const std::string data = model.long_texts ? folder_ + "/joined" : options_.data;
    Job job{model.name, run, data, {}, {"train"}, {"evaluate"}};
    const std::size_t epochs = options_.epochs > 0 ? options_.epochs : default_epochs;
    job.train.insert(job.train.end(), {"--data", data, "--min-count", std::to_string(model.least_count), "--epochs",
                                       std::to_string(epochs), "--seed", std::to_string(seed), "--out", run});
    job.train.insert(job.train.end(), model.options.begin(), model.options.end());
    job.evaluate.insert(job.evaluate.end(), {"--run", run, "--data", folder_ + "/test.tsv", "--json"});
    add_threads(job.train), add_threads(job.evaluate);
    Trained trained{run_job(job).bleu, {}};
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      const std::string links = fmt::format("{}.links-{}", run, i);
      Command align{"align", "--run", run, "--data", sets_[i].file, "--format", "pharaoh"};
      add_threads(align);
      run_or_throw(align, links);
      trained.aer.push_back(aer_of_file(sets_[i].pairs, links));
    }
    return trained;
  }

 private:
  static Pairs without_links(Pairs pairs) {
    for (Pair& pair : pairs) pair.gold.reset(), pair.written.reset(), pair.tags.clear();
    return pairs;
  }

  // Links the words of a file with `links`, and returns the name of the file with the links.
  std::string links_of(const std::string& file, const std::string& name, const std::string& format) const {
    const std::string out = fmt::format("{}/{}.{}", folder_, name, format);
    Command links{"links", "--data", options_.data + "/train.tsv", "--align", file, "--format", format, "--out", out};
    add_threads(links);
    run_or_throw(links, folder_ + "/links.log");
    return out;
  }

  void add_threads(Command& command) const {
    if (options_.threads > 0) command.insert(command.end(), {"--threads", std::to_string(options_.threads)});
  }

  ReproduceOptions options_;
  std::string folder_;
  std::vector<TestSet> gold_, sets_;
  std::size_t pairs_ = 0;
};

// AERs has the mean AER over the seeds of each model (first index) on each test set (second index), and the AER of the
// diagonal.
struct AERs {
  std::vector<std::vector<double>> of_model;
  std::vector<double> of_diagonal;
};

// Compared has the smallest and the largest difference `second` - `first` of two rows over the test sets from `begin`,
// and the AERs of both rows as text.
struct Compared {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  std::string figures;
};
Compared compared(const std::vector<double>& first, const std::vector<double>& second, std::size_t begin,
                  const std::vector<TestSet>& sets) {
  Compared c;
  for (std::size_t i = begin; i < sets.size(); ++i) {
    c.least = std::min(c.least, second[i] - first[i]), c.most = std::max(c.most, second[i] - first[i]);
    c.figures += fmt::format("{}AER {:.1f} and {:.1f}", c.figures.empty() ? "" : "; ", first[i], second[i]);
  }
  return c;
}

std::vector<std::pair<std::string, Verdict>> claims_of(const AERs& aers, const std::vector<TestSet>& sets) {
  const std::vector<double>&base = aers.of_model[defaults], &diagonal = aers.of_diagonal;
  const auto two = [](double a, double b) { return fmt::format("AER {:.1f} and {:.1f}", a, b); };
  const Compared near = compared(base, diagonal, first_gold, sets);
  const Compared query = compared(base, aers.of_model[no_query_word], first_gold, sets);
  const Compared mixed = compared(base, aers.of_model[narrow], first_gold, sets);
  const std::vector<double>& longer = aers.of_model[long_texts];
  const Compared mended = compared(aers.of_model[more_unknown], base, first_gold, sets);
  return {{"On held-out pairs of the training corpus, attention aligns better than the diagonal",
           {diagonal[held_out] - base[held_out] >= 5, two(base[held_out], diagonal[held_out])}},
          {"On the gold sets, attention is within ten points of the diagonal",
           {near.most <= 10 && near.least >= -10, near.figures}},
          {"Length is a cause: joining three held-out pairs raises AER by at least ten points",
           {base[long_pairs] - base[held_out] >= 10, two(base[held_out], base[long_pairs])}},
          {"Unknown words are a cause: replacing 30% of the words raises AER by at least five points",
           {base[unknown] - base[held_out] >= 5, two(base[held_out], base[unknown])}},
          {"Late words: a query without the previous word raises AER by at least three points",
           {query.least >= 3, query.figures}},
          {"A narrow encoder, whose states do not know the whole sentence, does not lower AER",
           {mixed.least >= 0, mixed.figures}},
          {"Training on joined pairs lowers the AER of joined held-out pairs by at least ten points",
           {base[long_pairs] - longer[long_pairs] >= 10, two(longer[long_pairs], base[long_pairs])}},
          {"Joined pairs and more unknown words in training lower AER on the gold sets by at least three points",
           {mended.least >= 3, mended.figures}}};
}

ExperimentResult run_on_files(const ReproduceOptions& options, const ProgressReport& report) {
  RealText text(options);
  report("links aligns the held-out pairs");
  text.prepare();
  const std::vector<TestSet>& sets = text.sets();

  ExperimentResult shown;
  shown.setting = fmt::format(
      "The number of training pairs is {}, in {} epochs; words that occur once, or in one row fewer than five times, "
      "are unknown. AER in percent, of the attention alone. Held-out pairs: the test pairs, compared with the links of "
      "the program links, so AER shows the difference from these links. Joined pairs: three held-out pairs after each "
      "other. Unknown words: held-out pairs in which 30% of the words are replaced. The other test sets have links "
      "that "
      "people made.",
      text.training_pairs(), options.epochs > 0 ? options.epochs : default_epochs);
  shown.columns = {"links from", "BLEU"};
  for (const TestSet& set : sets) shown.columns.push_back(set.name);

  AERs aers;
  for (const Model& model : models) {
    const auto all = with_seeds(options.seeds, [&](std::size_t seed) {
      report(fmt::format("{}, seed {}", model.label, seed));
      return text.train(model, seed);
    });
    std::vector<std::string> row{model.label};
    row.push_back(to_text(mean_and_range_of(all, [](const auto& one) { return std::optional(one.bleu); }), 1));
    aers.of_model.emplace_back();
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const auto found = mean_and_range_of(all, [i](const auto& one) { return std::optional(one.aer[i]); });
      row.push_back(to_text(found, 1));
      aers.of_model.back().push_back(found->mean);
    }
    shown.rows.push_back(std::move(row));
  }
  std::vector<std::string> diagonal{"the diagonal", "-"}, em{"links", "-"};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    aers.of_diagonal.push_back(aer(sets[i].pairs, [&](std::size_t k) { return diagonal_links(sets[i].pairs[k]); }));
    diagonal.push_back(fmt::format("{:.1f}", aers.of_diagonal.back()));
    const std::optional<double> of_em = text.aer_of_em(i);
    em.push_back(of_em ? fmt::format("{:.1f}", *of_em) : "-");
  }
  shown.rows.push_back(std::move(diagonal)), shown.rows.push_back(std::move(em));
  shown.claims = claims_of(aers, sets);
  return shown;
}

}  // namespace

SmallExperiment alignment_on_real_text() {
  return {.name = "alignment-on-real-text",
          .title = "Alignment on real text: why attention stays near the diagonal",
          .run_on_files = run_on_files};
}

}  // namespace softalign::apps
