// This file is the experiment `reproduce dnc` (Graves et al. 2016). A text stores sequences under keys and asks for
// each sequence by its key. A text can have more words than the memory has positions.
#include "apps/addressing/neural_computer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/random.h"
#include "autograd/var.h"
#include "models/addressing/neural_computer.h"
#include "models/addressing/turing_machine.h"
#include "models/language_models/next_word.h"

namespace softalign::apps {

namespace {

using autograd::Id;
using autograd::Random;
using autograd::Real;
using autograd::Var;

constexpr std::size_t letters = 16;
constexpr Id mark = letters + most_sequences, nothing = mark + 1;

}  // namespace

KeyedSequences::KeyedSequences(std::size_t sequences, std::size_t length, std::size_t texts, std::uint64_t seed,
                               Asked order)
    : n(sequences), m(length), B(texts), words(steps() * B, nothing), said(steps() * B, -1), read_at(steps() * B, -1) {
  if (n > most_sequences) throw std::invalid_argument(fmt::format("KeyedSequences: {} sequences, more than keys", n));
  Random random(seed);
  std::vector<std::vector<Id>> keys(B, std::vector<Id>(most_sequences));  // one list per text, in the order of storing
  for (std::vector<Id>& own : keys) {
    std::iota(own.begin(), own.end(), static_cast<Id>(letters));
    for (std::size_t i = own.size() - 1; i > 0; --i) std::swap(own[i], own[random.below(i + 1)]);
  }
  struct Stored {
    Id key;
    std::size_t first;  // the step at which its first letter was read
  };
  std::vector<std::vector<Stored>> stored(B);  // per text: stored and not yet asked for
  std::size_t t = 0, next = 0;
  for (std::size_t asked = 0; asked < n;) {
    const std::size_t live = stored[0].size();
    // With first_last, the first stored sequence is kept until it is the last one to ask for.
    const std::size_t kept = order == Asked::first_last && asked + 1 < n ? 1 : 0;
    const bool store = next < n && live < stored_at_once && (live <= kept || random.below(2) == 0);
    for (std::size_t b = 0; b < B; ++b) {
      const auto row = [&](std::size_t step) { return step * B + b; };
      if (store) {
        words[row(t)] = keys[b][next];
        stored[b].push_back({keys[b][next], t + 1});
        for (std::size_t i = 1; i <= m; ++i) words[row(t + i)] = static_cast<Id>(random.below(letters));
      } else {
        const auto chosen = stored[b].begin() + static_cast<std::ptrdiff_t>(kept + random.below(live - kept));
        words[row(t)] = mark, words[row(t + 1)] = chosen->key;
        for (std::size_t i = 0; i < m; ++i) {
          said[row(t + 2 + i)] = words[row(chosen->first + i)];
          read_at[row(t + 2 + i)] = static_cast<Id>(chosen->first + i);
        }
        stored[b].erase(chosen);
      }
    }
    t += store ? 1 + m : 2 + m;
    ++(store ? next : asked);
  }
}

std::size_t KeyedSequences::words_known() { return static_cast<std::size_t>(nothing) + 1; }

bool KeyedSequences::is_letter(Id word) { return word >= 0 && word < static_cast<Id>(letters); }

namespace {

using models::NeuralComputer;
using models::NextWord;
using models::TuringMachine;

constexpr std::size_t most_taught = 6, longest = 3, B = 16, steps = 8000, tested = 50;
constexpr std::size_t waited_for = 12;      // sequences of a text that asks for its first sequence last
constexpr std::size_t sequences_shown = 6;  // sequences of the text whose weights are drawn
const std::vector<std::size_t> counts{2, 4, 6, 8, 12, 16, 20};

enum class Model { lstm, turing_machine, neural_computer };
// A model is trained once and tested with memories of several sizes. For an LSTM, the size is 0.
struct Kind {
  Model model;
  std::size_t hidden;
  double rate;  // learning rate: the better one of 0.003 and 0.005
  std::size_t taught_positions;
  std::vector<std::pair<std::string, std::size_t>> tests;  // name, positions
};
// All models have about the same number of parameters. The second Turing machine is also tested with 128 positions,
// which are more than the words that a text stores.
const std::vector<Kind> kinds{
    {Model::lstm, 80, 5e-3, 0, {{"LSTM", 0}}},
    {Model::turing_machine, 64, 3e-3, 16, {{"neural Turing machine", 16}}},
    {Model::turing_machine, 64, 3e-3, 32, {{"Turing machine, trained with 32", 128}, {"the same Turing machine", 16}}},
    {Model::neural_computer, 64, 5e-3, 16, {{"differentiable neural computer", 16}}}};

// Answers has the output of a model for a batch. A model with a memory also has the weightings (B, N) of each step. The
// neural computer also has the read modes (B, 3) of each step.
struct Answers {
  Var logits;
  std::vector<Var> written, read, modes;
};
using Answering = std::function<Answers(const KeyedSequences&, std::size_t positions)>;

// Reached has percentages over the texts with one number of sequences.
struct Reached {
  double letters = 0, sequences = 0;  // correct letters; sequences without an error
  std::optional<double> hit;          // letters that are read from the position where they were written
  std::optional<double> forward;      // weight of the forward mode from the second letter on
  double last = 0;                    // correct letters of the sequence that is asked for last
};
struct Learnt {
  std::vector<std::vector<Reached>> at;  // per test and number of sequences
  std::vector<double> waited;            // per test: correct letters of a first sequence that is asked for last
  std::vector<data::Record> records;
  std::size_t parameters = 0;
};

std::size_t strongest(const Var& w, std::size_t b) { return largest(w, b, w.dim(1)); }

Reached reached(const KeyedSequences& test, const Answers& answers) {
  Hits letters_right, sequences_right, hits, forward, last;
  for (std::size_t b = 0; b < test.B; ++b) {
    bool all = true;
    for (std::size_t t = 0, i = 0; t < test.steps(); ++t) {  // i counts the letters of a sequence
      const std::size_t row = t * test.B + b;
      if (test.said[row] < 0) continue;
      const bool right =
          largest(answers.logits, row, KeyedSequences::words_known()) == static_cast<std::size_t>(test.said[row]);
      letters_right.count(right), all = all && right;
      if (t + test.m >= test.steps()) last.count(right);
      if (!answers.read.empty())
        hits.count(strongest(answers.read[t], b) ==
                   strongest(answers.written[static_cast<std::size_t>(test.read_at[row])], b));
      if (!answers.modes.empty() && i > 0) forward.count(static_cast<double>(answers.modes[t].value()[b * 3 + 2]));
      if (++i == test.m) sequences_right.count(all), all = true, i = 0;
    }
  }
  const auto percent = [](const Hits& counted) {
    return counted.all > 0 ? std::optional(counted.percent()) : std::nullopt;
  };
  return {letters_right.percent(), sequences_right.percent(), percent(hits), percent(forward), last.percent()};
}

// Returns two records of the first text: the positions to which its letters are written, and the positions from which
// they are read. Each letter has a row, and each memory position has a column.
std::vector<data::Record> records_of(const KeyedSequences& test, const Answers& answers) {
  std::vector<data::Record> both(2);
  for (data::Record& record : both) {
    const bool writes = &record == &both.front();
    const std::size_t N = answers.read.front().dim(1);
    record.source_eos = record.target_eos = false;
    for (std::size_t i = 0; i < N; ++i) record.source.push_back(std::to_string(i));
    for (std::size_t t = 0; t < test.steps(); ++t) {
      const Id letter = writes ? test.words[t * test.B] : test.said[t * test.B];
      if (!KeyedSequences::is_letter(letter)) continue;
      const Real* const w = (writes ? answers.written : answers.read)[t].value().data();
      record.target.emplace_back(1, static_cast<char>('a' + letter));
      record.weights.matrix.emplace_back(w, w + N);
    }
  }
  return both;
}

// Trains on texts with random numbers of sequences and letters, and then tests.
Learnt learnt(const Kind& kind, std::uint64_t seed, const autograd::Params& params, const Answering& model) {
  Random random(seed);
  learn(params, steps, kind.rate, [&](std::size_t step) {
    const KeyedSequences batch(1 + random.below(most_taught), 1 + random.below(longest), B, seed * steps + step);
    const Var logits =
        reshape(model(batch, kind.taught_positions).logits, {batch.said.size(), KeyedSequences::words_known()});
    return mean(cross_entropy(logits, batch.said, {.ignore = -1}));
  });
  Learnt result{{}, {}, {}, params.count()};
  const autograd::NoGrad no_grad;
  for (const auto& [name, positions] : kind.tests) {
    result.at.emplace_back();
    for (const std::size_t n : counts) {
      const KeyedSequences test(n, longest, tested, test_seed + n);
      const Answers answers = model(test, positions);
      result.at.back().push_back(reached(test, answers));
      if (n == sequences_shown && kind.model == Model::neural_computer) result.records = records_of(test, answers);
    }
    const KeyedSequences waits(waited_for, longest, tested, test_seed, Asked::first_last);
    result.waited.push_back(reached(waits, model(waits, positions)).last);
  }
  return result;
}

Learnt learnt(const Kind& kind, std::uint64_t seed) {
  const autograd::Params params{Random(seed)};
  const std::size_t V = KeyedSequences::words_known();
  if (kind.model == Model::lstm) {
    const NextWord model({.layer = NextWord::Layer::lstm, .words = V, .embedding = 16, .hidden = kind.hidden}, params);
    return learnt(kind, seed, params, [&](const KeyedSequences& batch, std::size_t) {
      return Answers{model(batch.words, batch.B).logits, {}, {}, {}};
    });
  }
  if (kind.model == Model::turing_machine) {
    const TuringMachine model({.words = V, .hidden = kind.hidden}, params);
    return learnt(kind, seed, params, [&](const KeyedSequences& batch, std::size_t positions) {
      const TuringMachine::Output out = model(batch.words, batch.B, positions);
      return Answers{out.logits, out.written, out.read, {}};
    });
  }
  const NeuralComputer model({.words = V, .hidden = kind.hidden}, params);
  return learnt(kind, seed, params, [&](const KeyedSequences& batch, std::size_t positions) {
    const NeuralComputer::Output out = model(batch.words, batch.B, positions);
    Answers answers{out.logits, out.written, {}, {}};
    for (const auto& heads : out.read) answers.read.push_back(heads.front());
    for (const auto& heads : out.modes) answers.modes.push_back(heads.front());
    return answers;
  });
}

// Tested has the results of one test of a kind of model, with every seed.
struct Tested {
  std::string name;
  std::size_t positions, test;
  const std::vector<Learnt>* seeds;

  template <class Figure>
  std::optional<data::MeanAndRange> of(std::size_t n, const Figure& figure) const {
    const auto i = static_cast<std::size_t>(std::find(counts.begin(), counts.end(), n) - counts.begin());
    return mean_and_range_of(*seeds, [&](const Learnt& one) { return std::optional<double>(one.at[test][i].*figure); });
  }
  std::optional<data::MeanAndRange> waited() const {
    return mean_and_range_of(*seeds, [&](const Learnt& one) { return std::optional<double>(one.waited[test]); });
  }
};

std::vector<Tested> tests_of(const std::vector<std::vector<Learnt>>& of_kinds) {
  std::vector<Tested> all;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    for (std::size_t test = 0; test < kinds[k].tests.size(); ++test)
      all.push_back({kinds[k].tests[test].first, kinds[k].tests[test].second, test, &of_kinds[k]});
  return all;
}

LineChart chart_of_counts(const std::vector<Tested>& tests) {
  LineChart chart{.title = "letters, percent",
                  .x_title = "sequences in the text",
                  .x = {},
                  .high = 100,
                  .series = {},
                  .context = {}};
  for (const std::size_t n : counts) chart.x.push_back(std::to_string(n));
  for (std::size_t k = 0; k < tests.size(); ++k) {
    const std::string memory = tests[k].positions > 0 ? fmt::format(", {}", tests[k].positions) : "";
    Series series{tests[k].name + memory, k, {}};
    for (const std::size_t n : counts) series.values.push_back(tests[k].of(n, &Reached::letters));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

const std::size_t most = counts.back(), most_words = most * (longest + 1);  // of a text in the test

std::string setting() {
  return fmt::format(
      "A text stores sequences of letters under keys, at most {} at a time, and asks for each sequence once by its "
      "key, in random order. Training uses 1 to {} sequences of 1 to {} letters and {} steps of {} texts; the test has "
      "{} other texts per number of sequences, with {} letters each. A text of {} sequences stores {} words. In "
      "percent: letters that are right, sequences that are right, letters that are read from the position where they "
      "were written, the weight of the forward mode from the second letter on, and letters that are right of a first "
      "sequence that waits until {} others have been stored and asked for.",
      stored_at_once, most_taught, longest, steps, B, tested, longest, most, most_words, waited_for - 1);
}

std::vector<std::string> columns() {
  std::vector<std::string> titles{"model", "parameters", "positions"};
  for (const std::size_t n : {most_taught, most})
    for (const char* what : {"letters", "sequences"}) titles.push_back(fmt::format("{}, of {}", what, n));
  titles.push_back(fmt::format("read where written, of {}", most));
  titles.emplace_back("forward mode");
  titles.push_back(fmt::format("first sequence, asked after {}", waited_for - 1));
  return titles;
}

std::vector<std::string> row_of(const Tested& test) {
  std::vector<std::string> row{test.name, std::to_string(test.seeds->front().parameters),
                               test.positions > 0 ? std::to_string(test.positions) : "-"};
  for (const std::size_t n : {most_taught, most})
    for (const auto figure : {&Reached::letters, &Reached::sequences}) row.push_back(to_text(test.of(n, figure), 1));
  for (const auto figure : {&Reached::hit, &Reached::forward}) row.push_back(to_text(test.of(most, figure), 1));
  row.push_back(to_text(test.waited(), 1));
  return row;
}

std::vector<std::pair<std::string, Verdict>> claims_of(const std::vector<Tested>& tests) {
  const Tested &machine = tests[1], &other_machine = tests[3], &computer = tests.back();
  const auto mean = [](const Tested& test, const auto figure) { return test.of(most, figure)->mean; };
  const double said = mean(computer, &Reached::letters), hit = mean(computer, &Reached::hit);
  const double forward = mean(computer, &Reached::forward), waited = computer.waited()->mean;
  const double machine_waited = machine.waited()->high, other_waited = other_machine.waited()->high;
  return {{fmt::format("A neural computer with {} positions answers texts that store {} words, because it frees memory "
                       "(allocation)",
                       computer.positions, most_words),
           {said >= 90, fmt::format("letters {:.1f}%", said)}},
          {"It reads each letter from the position where it wrote it", {hit >= 90, fmt::format("{:.1f}%", hit)}},
          {"It follows the temporal links from letter to letter", {forward >= 50, fmt::format("{:.1f}%", forward)}},
          {fmt::format("It keeps a sequence while {} others are stored and asked for", waited_for - 1),
           {waited >= 90, fmt::format("letters {:.1f}%", waited)}},
          {fmt::format("No neural Turing machine with {} positions keeps it, for any memory size in training",
                       machine.positions),
           {machine_waited < 50 && other_waited < 50,
            fmt::format("best seed {:.1f}%, and {:.1f}% if trained with {} positions", machine_waited, other_waited,
                        kinds[2].taught_positions)}}};
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = setting();
  shown.columns = columns();
  std::vector<std::vector<Learnt>> of_kinds;
  for (const Kind& kind : kinds) {
    report(fmt::format("[{}/{}] {}", of_kinds.size() + 1, kinds.size(), kind.tests.front().first));
    of_kinds.push_back(with_seeds(seeds, [&](std::size_t seed) { return learnt(kind, seed); }));
  }
  const std::vector<Tested> tests = tests_of(of_kinds);
  for (const Tested& test : tests) shown.rows.push_back(row_of(test));
  shown.matrices = of_kinds.back().front().records;
  shown.captions = {"where each letter is written", "where each letter is read"};
  shown.charts.push_back(chart_of_counts(tests));
  shown.claims = claims_of(tests);
  return shown;
}

}  // namespace

SmallExperiment neural_computer() {
  return {
      "dnc",
      "Differentiable neural computer: it finds a stored sequence by its key, and writes new sequences over old ones",
      run};
}

}  // namespace softalign::apps
