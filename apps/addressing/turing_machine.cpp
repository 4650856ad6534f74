// This file is the experiment `reproduce turing-machine` (Graves, Wayne & Danihelka 2014). A model learns to copy short
// texts and is tested on longer texts. The neural Turing machine has a memory with heads that write and read.
#include "apps/addressing/turing_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/random.h"
#include "autograd/var.h"
#include "models/addressing/turing_machine.h"
#include "models/language_models/next_word.h"

namespace softalign::apps {

namespace {

constexpr std::size_t alphabet = 26;
constexpr autograd::Id mark = alphabet, nothing = alphabet + 1;

}  // namespace

CopyBatch::CopyBatch(std::size_t length, std::size_t texts, std::uint64_t seed)
    : n(length), B(texts), words((2 * n + 1) * B, nothing), said((2 * n + 1) * B, -1) {
  autograd::Random random(seed);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t b = 0; b < B; ++b)
      said[(n + 1 + t) * B + b] = words[t * B + b] = static_cast<autograd::Id>(random.below(alphabet));
  for (std::size_t b = 0; b < B; ++b) words[n * B + b] = mark;
}

std::size_t CopyBatch::words_known() { return alphabet + 2; }

namespace {

using autograd::Real;
using autograd::Var;
using models::NextWord;
using models::TuringMachine;

constexpr std::size_t longest = 10, steps = 3000, B = 16, tested = 100;
constexpr std::size_t taught_places = 24, places = 64;
struct Kind {
  std::string name;
  bool memory;
  std::size_t hidden, steps;
};
// The first LSTM has slightly more parameters than the machine. The second LSTM is larger and is trained longer, so
// that it learns to copy texts of the training lengths.
const std::vector<Kind> kinds{{"LSTM", false, 48, steps},
                              {"larger LSTM, 4x the steps", false, 128, 4 * steps},
                              {"neural Turing machine", true, 32, steps}};
constexpr double rate = 3e-3;
const std::vector<std::size_t> lengths{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 25, 30};

// Reached has percentages over the texts of one length: correct letters, and texts without an error. `hit` is the
// percentage of the letters that the machine reads from where it wrote them.
struct Reached {
  double letters = 0, texts = 0;
  std::optional<double> hit;
};
struct Learnt {
  std::vector<Reached> at;  // one per length
  std::vector<data::Record> records;
  std::size_t parameters = 0;
};

// Returns the index of the letter whose write weights are most similar to the read weights of text b at step t.
std::size_t letter_read(const TuringMachine::Output& out, std::size_t n, std::size_t t, std::size_t b) {
  const Real* const read = out.read[t].value().data() + b * places;
  std::vector<Real> weights;  // per letter: inner product of its write weights and the read weights
  for (std::size_t i = 0; i < n; ++i) {
    const Real* const written = out.written[i].value().data() + b * places;
    weights.push_back(std::inner_product(read, read + places, written, Real(0)));
  }
  return largest(weights.data(), n);
}

Reached reached(const CopyBatch& test, const Var& logits, const TuringMachine::Output* attention) {
  Hits letters, texts, hits;
  for (std::size_t b = 0; b < test.B; ++b) {
    bool all = true;
    for (std::size_t i = 0; i < test.n; ++i) {
      const std::size_t t = test.n + 1 + i, row = t * test.B + b;
      const bool right = largest(logits, row, CopyBatch::words_known()) == static_cast<std::size_t>(test.said[row]);
      letters.count(right), all = all && right;
      if (attention) hits.count(letter_read(*attention, test.n, t, b) == i);
    }
    texts.count(all);
  }
  return {letters.percent(), texts.percent(), attention ? std::optional(hits.percent()) : std::nullopt};
}

// Trains a model. `model` returns the logits of a batch.
void teach(const Kind& kind, const autograd::Params& params, std::uint64_t seed,
           const std::function<Var(const CopyBatch&)>& model) {
  autograd::Random random(seed);
  learn(params, kind.steps, rate, [&](std::size_t step) {
    const CopyBatch batch(1 + random.below(longest), B, seed * kind.steps + step);
    const Var logits = reshape(model(batch), {batch.said.size(), CopyBatch::words_known()});
    return mean(cross_entropy(logits, batch.said, {.ignore = -1}));
  });
}

Learnt lstm(const Kind& kind, std::uint64_t seed) {
  const autograd::Params params{autograd::Random(seed)};
  const NextWord model(
      {.layer = NextWord::Layer::lstm, .words = CopyBatch::words_known(), .embedding = 16, .hidden = kind.hidden},
      params);
  const auto logits = [&](const CopyBatch& batch) { return model(batch.words, batch.B).logits; };
  teach(kind, params, seed, logits);
  Learnt result{{}, {}, params.count()};
  const autograd::NoGrad no_grad;
  for (const std::size_t n : lengths) {
    const CopyBatch test(n, tested, test_seed + n);
    result.at.push_back(reached(test, logits(test), nullptr));
  }
  return result;
}

// Returns the memory positions on which a step of the first text has a weight of at least 0.01. The memory is circular,
// so the positions start after the longest stretch of unused positions.
std::vector<std::size_t> places_used(const CopyBatch& test, const TuringMachine::Output& out) {
  std::vector<std::size_t> used;
  for (std::size_t n = 0; n < places; ++n)
    for (std::size_t i = 0; i < test.n; ++i)
      if (std::max(out.written[i].value()[n], out.read[test.n + 1 + i].value()[n]) >= Real(0.01)) {
        used.push_back(n);
        break;
      }
  const auto unused_before = [&](std::size_t i) {
    return (used[i] + places - used[(i + used.size() - 1) % used.size()]) % places;
  };
  std::size_t first = 0;
  for (std::size_t i = 1; i < used.size(); ++i)
    if (unused_before(i) > unused_before(first)) first = i;
  std::rotate(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(first), used.end());
  return used;
}

// Returns two records of the first text. The first record has the memory positions to which the letters are written.
// The second record has the positions from which the letters of the copy are read. Each letter has one row.
std::vector<data::Record> records_of(const CopyBatch& test, const TuringMachine::Output& out) {
  std::vector<data::Record> both(2);
  const std::vector<std::size_t> used = places_used(test, out);
  for (data::Record& record : both) {
    const bool writes = &record == &both.front();
    record.source_eos = record.target_eos = false;
    for (const std::size_t n : used) record.source.push_back(std::to_string(n));
    for (std::size_t i = 0; i < test.n; ++i) {
      const autograd::Array& w = (writes ? out.written[i] : out.read[test.n + 1 + i]).value();
      record.target.emplace_back(1, static_cast<char>('a' + test.words[i * test.B]));
      record.weights.matrix.emplace_back();
      for (const std::size_t n : used) record.weights.matrix.back().push_back(static_cast<float>(w[n]));
    }
  }
  return both;
}

Learnt machine(const Kind& kind, std::uint64_t seed) {
  const autograd::Params params{autograd::Random(seed)};
  const TuringMachine model({.words = CopyBatch::words_known(), .hidden = kind.hidden}, params);
  teach(kind, params, seed, [&](const CopyBatch& batch) { return model(batch.words, batch.B, taught_places).logits; });
  Learnt result{{}, {}, params.count()};
  const autograd::NoGrad no_grad;
  for (const std::size_t n : lengths) {
    const CopyBatch test(n, tested, test_seed + n);
    const TuringMachine::Output out = model(test.words, test.B, places);
    result.at.push_back(reached(test, out.logits, &out));
    if (n == 2 * longest) result.records = records_of(test, out);
  }
  return result;
}

// Returns the mean and the range of a figure for texts of n letters, over all trainings.
template <class Figure>
std::optional<data::MeanAndRange> of_length(const std::vector<Learnt>& all, std::size_t n, const Figure& figure) {
  const auto i = static_cast<std::size_t>(std::find(lengths.begin(), lengths.end(), n) - lengths.begin());
  return mean_and_range_of(all, [&](const Learnt& one) { return std::optional<double>(one.at[i].*figure); });
}

LineChart chart_of_lengths(const std::vector<std::vector<Learnt>>& of_kinds) {
  LineChart chart{
      .title = "letters, percent", .x_title = "letters in the text", .x = {}, .high = 100, .series = {}, .context = {}};
  for (const std::size_t n : lengths) chart.x.push_back(std::to_string(n));
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    Series series{kinds[k].name, k, {}};
    for (std::size_t i = 0; i < lengths.size(); ++i)
      series.values.push_back(
          mean_and_range_of(of_kinds[k], [i](const Learnt& one) { return std::optional(one.at[i].letters); }));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  constexpr std::size_t twice = 2 * longest;
  ExperimentResult shown;
  shown.setting = fmt::format(
      "The model reads random letters and a mark, and then has to repeat the letters while it reads nothing. Training "
      "uses 1 to {} letters and {} steps of {} texts (four times as many for the larger LSTM); the test has {} other "
      "texts of each length. The memory of the Turing machine has {} positions of width 20 in training and {} in the "
      "test. In percent: letters that are right, texts that are right, and letters that are read from the position "
      "where they were written.",
      longest, steps, B, tested, taught_places, places);
  shown.columns = {"model", "parameters"};
  for (const std::size_t n : {longest, twice})
    for (const char* what : {"letters", "texts"}) shown.columns.push_back(fmt::format("{}, of {}", what, n));
  shown.columns.push_back(fmt::format("read where written, of {}", twice));
  std::vector<std::vector<Learnt>> of_kinds;
  for (const Kind& kind : kinds) {
    report(fmt::format("[{}/{}] {}", of_kinds.size() + 1, kinds.size(), kind.name));
    auto all =
        with_seeds(seeds, [&](std::size_t seed) { return kind.memory ? machine(kind, seed) : lstm(kind, seed); });
    std::vector<std::string> row{kind.name, std::to_string(all.front().parameters)};
    for (const std::size_t n : {longest, twice})
      for (const auto figure : {&Reached::letters, &Reached::texts})
        row.push_back(to_text(of_length(all, n, figure), 1));
    row.push_back(to_text(of_length(all, twice, &Reached::hit), 1));
    shown.rows.push_back(std::move(row));
    if (kind.memory) {
      shown.matrices = all.front().records;
      shown.captions = {"where each letter is written", "where each letter is read"};
    }
    of_kinds.push_back(std::move(all));
  }
  shown.charts.push_back(chart_of_lengths(of_kinds));
  const auto letters = [&](std::size_t k, std::size_t n) { return of_length(of_kinds[k], n, &Reached::letters)->mean; };
  const double hit = of_length(of_kinds[2], twice, &Reached::hit)->mean;
  shown.claims = {
      {fmt::format("Trained on at most {} letters, a neural Turing machine copies {} (section 4.1)", longest, twice),
       {letters(2, twice) >= 99, fmt::format("letters {:.1f}%", letters(2, twice))}},
      {"It reads each letter from the position where it wrote it (figure 6)", {hit >= 99, fmt::format("{:.1f}%", hit)}},
      {"An LSTM that learned to copy does not generalise to longer texts (figure 5)",
       {letters(1, longest) >= 90 && letters(1, twice) < 50,
        fmt::format("{} letters {:.1f}%, {} letters {:.1f}%", longest, letters(1, longest), twice,
                    letters(1, twice))}}};
  return shown;
}

}  // namespace

SmallExperiment turing_machine() {
  return {"turing-machine", "Neural Turing machine: copying longer texts than in training", run};
}

}  // namespace softalign::apps
