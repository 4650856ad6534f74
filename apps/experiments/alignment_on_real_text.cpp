// This file is the study `reproduce alignment-on-real-text`. It asks two questions about the attention of a trained
// decoder. The first is when attention aligns real sentences well: the study changes the sentences to align, the query,
// the encoder and the training, one at a time. The second is whether the attention weights cause the words: the study
// removes single weights.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "apps/experiments/experiment.h"
#include "apps/experiments/real_text.h"
#include "apps/experiments/real_text_claims.h"
#include "apps/experiments/test_seed.h"
#include "apps/reproduction/jobs.h"
#include "apps/reproduction/runner.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_text.h"
#include "data/corpus/pharaoh.h"
#include "data/corpus/readers.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/own_files.h"

namespace softalign::apps {

namespace {

using data::Pair;
using Pairs = std::vector<Pair>;

using R = RealTextResults;

constexpr std::size_t joined_pairs = 3, default_epochs = 4;
constexpr double unknown_share = 0.3;

struct Model {
  std::string name, label;
  std::vector<std::string> options = {};
  bool long_texts = false;      // the training pairs also contain joined pairs
  std::size_t least_count = 2;  // words that occur less often in the training pairs of the user are unknown
  std::size_t passes = 1;       // factor of the number of epochs
};
// Returns the options of an encoder whose states know only their own word and its neighbours. All other options are the
// defaults of RNNsearch.
std::vector<std::string> narrow_encoder(const std::string& positions) {
  return {"--encoder", "convolution", "--layers", "1",     "--positions", positions,
          "--dropout", "0.2",         "--lr",     "0.005", "--warmup",    "0"};
}
const std::vector<Model> models{
    {.name = "alignment-base", .label = "RNNsearch"},
    {.name = "alignment-no-query-word", .label = "query without the previous word", .options = {"--no-query-word"}},
    {.name = "alignment-narrow",
     .label = "encoder that reads one neighbour on each side",
     .options = narrow_encoder("none")},
    {.name = "alignment-narrow-positions",
     .label = "the same encoder, with positions",
     .options = narrow_encoder("sinusoidal")},
    {.name = "alignment-bridging", .label = "source embeddings in keys and values", .options = {"--source-bridging"}},
    {.name = "alignment-state-dropout", .label = "dropout of the encoder states", .options = {"--state-dropout"}},
    {.name = "alignment-subwords", .label = "subwords", .options = {"--tokenizer", "sentencepiece"}},
    {.name = "alignment-longer", .label = "twice as many epochs", .passes = 2},
    {.name = "alignment-joined", .label = "trained on joined pairs too", .long_texts = true},
    {.name = "alignment-unknown", .label = "more unknown words", .least_count = 5},
    {.name = "alignment-joined-unknown",
     .label = "joined pairs and more unknown words",
     .long_texts = true,
     .least_count = 5}};

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

// Reads the links in a file, which has one line per pair.
AllLinks read_links(const Pairs& pairs, const std::string& file) {
  const std::vector<std::string> lines = data::read_lines(file);
  if (lines.size() != pairs.size())
    throw std::runtime_error(fmt::format("{} has {} lines, expected {}", file, lines.size(), pairs.size()));
  AllLinks links;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    links.push_back(
        data::parse_gold(lines[i], pairs[i].source.size(), pairs[i].target.size(), fmt::format("{}:{}", file, i + 1))
            .sure);
  return links;
}

SeedScores scores_of(const Pairs& pairs, const std::vector<AllLinks>& seeds) {
  SeedScores scores;
  for (const AllLinks& links : seeds) {
    scores.emplace_back(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) scores.back()[i].add(links[i], *pairs[i].gold);
  }
  return scores;
}

// Adds the steps at which the model would write the target word of the pair. A word without gold links, or outside of
// the vocabulary, does not count.
void add_causes(Causes& causes, const LoadedRun& run, const std::string& file) {
  const Pairs pairs =
      read_corpus({.tsv = file, .source = {}, .target = {}, .alignment = {}}, run.options, 0, data::TooLong::refuse)
          .pairs;
  const std::vector<data::EncodedPair> ids = encode(run, pairs);
  const autograd::Random random(test_seed);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::vector<AblatedStep> steps = ablate_steps(*run.model, ids[i], random.split(i));
    data::Links links = pairs[i].gold->sure;
    links.insert(links.end(), pairs[i].gold->possible.begin(), pairs[i].gold->possible.end());
    for (std::size_t t = 0; t < steps.size(); ++t) {
      const auto of_word = [t](const data::Link& link) { return link.target == t; };
      if (steps[t].word != ids[i].target[t] || steps[t].word == data::unk_id ||
          std::none_of(links.begin(), links.end(), of_word))
        continue;
      const bool aligned = std::find(links.begin(), links.end(), data::Link{steps[t].attended, t}) != links.end();
      (aligned ? causes.aligned : causes.misaligned).add(steps[t]);
    }
  }
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
    Pairs twice = without_links(train);
    const Pairs longer = joined(twice, joined_pairs);
    twice.insert(twice.end(), longer.begin(), longer.end());
    write_pairs(folder_ + "/joined/train.tsv", twice);
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
    for (std::size_t i = R::long_pairs; i < R::first_gold; ++i) sets_[i].pairs = read_gold(sets_[i].file);
    sets_.insert(sets_.end(), gold_.begin(), gold_.end());
    pairs_ = train.size();
  }

  const std::vector<TestSet>& sets() const { return sets_; }
  std::size_t training_pairs() const { return pairs_; }
  std::size_t epochs() const { return options_.epochs > 0 ? options_.epochs : default_epochs; }

  // Returns the links of the program `links`, which learns from the training pairs only.
  AllLinks links_of_em(std::size_t set) const {
    return read_links(sets_[set].pairs, links_of(sets_[set].file, fmt::format("gold-{}", set), "pharaoh"));
  }

  struct Trained {
    std::string run;
    double bleu = 0;
    std::vector<AllLinks> links;  // one per test set
  };
  Trained train(const Model& model, std::size_t seed) const {
    const std::string run = fmt::format("{}/runs/{}-seed{}", options_.out, model.name, seed);
    const std::string data = model.long_texts ? folder_ + "/joined" : options_.data;
    // In the joined pairs, each word occurs twice as often as in the pairs of the user.
    const std::size_t least_count = model.least_count * (model.long_texts ? 2 : 1);
    Job job{model.name, run, data, {}, {"train"}, {"evaluate"}};
    job.train.insert(job.train.end(),
                     {"--data", data, "--min-count", std::to_string(least_count), "--epochs",
                      std::to_string(epochs() * model.passes), "--seed", std::to_string(seed), "--out", run});
    job.train.insert(job.train.end(), model.options.begin(), model.options.end());
    job.evaluate.insert(job.evaluate.end(), {"--run", run, "--data", folder_ + "/test.tsv", "--json"});
    add_threads(job.train), add_threads(job.evaluate);
    Trained trained{run, run_job(job).bleu, {}};
    for (std::size_t i = 0; i < sets_.size(); ++i) trained.links.push_back(attention_links(run, i, 0));
    return trained;
  }

  // Aligns a test set. A word takes its weights from the step that writes it, or from a step that is `shift` later.
  AllLinks attention_links(const std::string& run, std::size_t set, std::size_t shift) const {
    const std::string links = fmt::format("{}.links-{}{}", run, set, shift > 0 ? "-shifted" : "");
    Command align{
        "align", "--run", run, "--data", sets_[set].file, "--format", "pharaoh", "--shift", std::to_string(shift)};
    add_threads(align);
    run_or_throw(align, links);
    return read_links(sets_[set].pairs, links);
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

// Returns the AER of each test set as text. For a model, the difference from the diagonal follows in parentheses.
std::vector<std::string> cells_of(const R& r, std::size_t row) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < r.all(); ++i) {
    if (!r.scores[row][i]) {
      cells.emplace_back("-");
      continue;
    }
    std::vector<std::optional<double>> seeds;
    for (const auto& seed : r.of(row, i)) seeds.emplace_back(mean_aer({seed}));
    cells.push_back(to_text(data::mean_and_range(seeds), 1));
    if (row < R::diagonal)
      cells.back() += fmt::format(" ({:+.1f})", mean_aer(r.of(row, i)) - mean_aer(r.of(R::diagonal, i)));
  }
  return cells;
}

// Measures what the study needs only for the model without changes.
void measure_base(R& r, const RealText& text, const std::vector<RealText::Trained>& trained) {
  r.links.resize(r.all()), r.shifted.resize(r.all()), r.causes.resize(r.all());
  for (const RealText::Trained& one : trained) {
    const LoadedRun run = load_run(one.run);
    for (std::size_t i = 0; i < r.all(); ++i) {
      r.links[i].push_back(one.links[i]);
      if (i == R::held_out || i >= R::first_gold) add_causes(r.causes[i], run, r.sets[i].file);
      if (i < R::first_gold) continue;
      r.shifted[i].push_back(scores_of(r.sets[i].pairs, {text.attention_links(one.run, i, 1)}).front());
    }
  }
}

ExperimentResult run_on_files(const ReproduceOptions& options, const ProgressReport& report) {
  RealText text(options);
  report("links aligns the held-out pairs");
  text.prepare();

  ExperimentResult shown;
  shown.setting = fmt::format(
      "The number of training pairs is {}, in {} epochs; words that occur once, or with more unknown words fewer than "
      "five times, are unknown. AER in percent, of the attention alone, and in parentheses its difference from the AER "
      "of the diagonal. Held-out pairs: the test pairs, compared with the links of the program links, so AER shows the "
      "difference from these links. Joined pairs: three held-out pairs after each other. Unknown words: held-out pairs "
      "in which 30% of the words are replaced. The other test sets have links that people made. Intervals: 95%, by "
      "paired bootstrap over the pairs.",
      text.training_pairs(), text.epochs());
  shown.columns = {"links from", "BLEU"};
  for (const TestSet& set : text.sets()) shown.columns.push_back(set.name);

  R r;
  r.sets = text.sets();
  for (std::size_t i = 0; i < r.all(); ++i) {
    AllLinks cells;
    for (const Pair& pair : r.sets[i].pairs) cells.push_back(diagonal_links(pair));
    r.scores[R::diagonal].emplace_back(scores_of(r.sets[i].pairs, {cells}));
    r.scores[R::em].emplace_back();
    if (i >= R::first_gold) r.scores[R::em].back() = scores_of(r.sets[i].pairs, {text.links_of_em(i)});
  }
  const auto add_row = [&](const std::string& label, const std::string& bleu, std::size_t row) {
    shown.rows.push_back({label, bleu});
    for (const std::string& cell : cells_of(r, row)) shown.rows.back().push_back(cell);
  };
  for (std::size_t m = 0; m < models.size(); ++m) {
    const auto all = with_seeds(options.seeds, [&](std::size_t seed) {
      report(fmt::format("{}, seed {}", models[m].label, seed));
      return text.train(models[m], seed);
    });
    for (std::size_t i = 0; i < r.all(); ++i) {
      std::vector<AllLinks> seeds;
      for (const auto& one : all) seeds.push_back(one.links[i]);
      r.scores[m].emplace_back(scores_of(r.sets[i].pairs, seeds));
    }
    if (m == R::base) measure_base(r, text, all);
    add_row(models[m].label,
            to_text(mean_and_range_of(all, [](const auto& one) { return std::optional(one.bleu); }), 1), m);
  }
  add_row("the diagonal", "-", R::diagonal), add_row("links", "-", R::em);
  shown.claims = claims_of(r);
  return shown;
}

}  // namespace

SmallExperiment alignment_on_real_text() {
  return {.name = "alignment-on-real-text",
          .title = "Alignment on real text: when attention aligns words, and when it causes them",
          .run_on_files = run_on_files};
}

}  // namespace softalign::apps
