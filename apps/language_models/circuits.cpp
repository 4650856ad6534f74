// This file is the experiment `reproduce circuits` (Elhage et al. 2021). It reads bigrams, skip-trigrams and induction
// from the weights of models.
#include "apps/language_models/circuits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/log_sum_exp.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "models/language_models/attention_only.h"

namespace softalign::apps {

namespace {

using autograd::Array;
using autograd::Id;
using autograd::Ids;
using autograd::Random;
using autograd::Var;
using models::AttentionOnly;

constexpr std::array<std::size_t, 7> role_sizes{
    CircuitTexts::cues,  CircuitTexts::pivots, CircuitTexts::cues* CircuitTexts::pivots,
    CircuitTexts::leads, CircuitTexts::leads,  CircuitTexts::names,
    CircuitTexts::names};

}  // namespace

std::size_t CircuitTexts::count(Role role) { return role_sizes[static_cast<std::size_t>(role)]; }

Id CircuitTexts::word(Role role, std::size_t i) {
  std::size_t first = 0;
  for (std::size_t before = 0; before < static_cast<std::size_t>(role); ++before) first += role_sizes[before];
  return static_cast<Id>(first + i);
}

std::size_t CircuitTexts::words_known() {
  return static_cast<std::size_t>(word(Role::last_name, 0)) + count(Role::last_name);
}

Role CircuitTexts::role(Id word) {
  std::size_t role = 0, last = role_sizes[0];
  while (static_cast<std::size_t>(word) >= last) last += role_sizes[++role];
  return static_cast<Role>(role);
}

CircuitTexts::CircuitTexts(std::size_t length, std::size_t texts, Random& random)
    : n(length), B(texts), words(n * B), next(n * B), gold(n * B, -1) {
  constexpr std::size_t latest = 5;  // largest number of pairs before the cue
  for (std::size_t b = 0; b < B; ++b) {
    const std::size_t cue = random.below(cues), before = random.below(latest + 1);
    const autograd::Indices first = random.different(people, names), last = random.different(people, names);
    std::array<Id, people> said_at;
    said_at.fill(-1);
    Ids text, decided;
    const auto pair = [&](Id one, Id other, Id by) {
      text.push_back(one), text.push_back(other);
      decided.push_back(by), decided.push_back(-1);
    };
    Id cue_at = -1;
    for (std::size_t i = 0; text.size() < n + 1; ++i) {
      if (i == before) {
        cue_at = static_cast<Id>(text.size());
        text.push_back(word(Role::cue, cue)), decided.push_back(-1);
      }
      const std::size_t kind = random.below(i < before ? 2 : 3);
      if (kind == 0) {
        const std::size_t lead = random.below(leads), other = random.uniform() < often ? 0 : 1;
        pair(word(Role::lead, lead), word(Role::follower, (lead + other) % leads), -1);
      } else if (kind == 1) {
        const std::size_t who = random.below(people);
        const auto at = static_cast<Id>(text.size() + 1);
        pair(word(Role::first_name, first[who]), word(Role::last_name, last[who]), said_at[who]);
        said_at[who] = at;
      } else {
        const std::size_t pivot = random.below(pivots);
        pair(word(Role::pivot, pivot), word(Role::result, cue * pivots + pivot), cue_at);
      }
    }
    for (std::size_t t = 0; t < n; ++t) {
      words[t * B + b] = text[t], next[t * B + b] = text[t + 1];
      gold[t * B + b] = decided[t];
    }
  }
}

namespace {

constexpr std::size_t n = 48, B = 32, steps = 1500, tested = 200;
constexpr std::size_t shows_cue = CircuitTexts::cues * (CircuitTexts::pivots + 1);  // cues and results

// Found has the measurements of one model in percent. `bigram` and `direct` are distances from the true distribution in
// nats.
struct Found {
  double bigram = 0, skip = 0, induction = 0;
  std::optional<double> attention;                               // attention to the word that determines the next word
  std::optional<double> direct, seeks, raises, copies, matches;  // read from the weights
  std::vector<data::Record> tables;                              // tables of these weights
};

// Returns how far softmax(logits) is from the true distribution after a lead, in nats: KL(truth || model).
double far_from_bigram(const autograd::Real* logits, std::size_t lead) {
  const std::size_t V = CircuitTexts::words_known();
  const double total = autograd::log_sum_exp(logits, V);
  double far = 0;
  for (const auto& [other, p] : {std::pair(0, CircuitTexts::often), std::pair(1, 1 - CircuitTexts::often)}) {
    const auto v = static_cast<std::size_t>(
        CircuitTexts::word(Role::follower, (lead + static_cast<std::size_t>(other)) % CircuitTexts::leads));
    far += p * (std::log(p) - (static_cast<double>(logits[v]) - total));
  }
  return far;
}

// Returns the percentage of right columns among the largest ones. It reads the rows of a table (V, V) that belong to
// words of one role. In each row it takes the `right(row).size()` largest columns, of another role or of all words.
double largest_are_right(const Array& table, Role rows, std::optional<Role> columns,
                         const std::function<Ids(std::size_t row)>& right) {
  const std::size_t V = CircuitTexts::words_known();
  Hits hits;
  for (std::size_t i = 0; i < CircuitTexts::count(rows); ++i) {
    const autograd::Real* row = table.data() + static_cast<std::size_t>(CircuitTexts::word(rows, i)) * V;
    Ids order;
    for (Id v = 0; v < static_cast<Id>(V); ++v)
      if (!columns || CircuitTexts::role(v) == *columns) order.push_back(v);
    std::stable_sort(order.begin(), order.end(), [&](Id a, Id b) { return row[a] > row[b]; });
    const Ids wanted = right(i);
    for (std::size_t k = 0; k < wanted.size(); ++k)
      hits.count(std::find(wanted.begin(), wanted.end(), order[k]) != wanted.end());
  }
  return hits.percent();
}

Ids words_of(Role role) {
  Ids all;
  for (std::size_t i = 0; i < CircuitTexts::count(role); ++i) all.push_back(CircuitTexts::word(role, i));
  return all;
}

// Returns a part of a table (V, V). A softmax over the columns of one role makes each row sum to 1.
data::Record part_of(const Array& table, Role rows, Role columns) {
  const auto name = [](Role role, std::size_t i) {
    static constexpr std::array<const char*, 7> letters{"a", "b", "c", "x", "y", "F", "L"};
    if (role == Role::result) return fmt::format("c{}{}", i / CircuitTexts::pivots + 1, i % CircuitTexts::pivots + 1);
    return fmt::format("{}{}", letters[static_cast<std::size_t>(role)], i + 1);
  };
  data::Record record;
  record.source_eos = record.target_eos = false;
  for (std::size_t j = 0; j < CircuitTexts::count(columns); ++j) record.source.push_back(name(columns, j));
  for (std::size_t i = 0; i < CircuitTexts::count(rows); ++i) {
    record.target.push_back(name(rows, i));
    const autograd::Real* const row = table.data() +
                                      static_cast<std::size_t>(CircuitTexts::word(rows, i)) * table.dim(1) +
                                      CircuitTexts::word(columns, 0);
    const std::size_t size = CircuitTexts::count(columns);
    const autograd::Real total = autograd::log_sum_exp(row, size);
    std::vector<float> weights;
    for (std::size_t j = 0; j < size; ++j) weights.push_back(static_cast<float>(std::exp(row[j] - total)));
    record.weights.matrix.push_back(std::move(weights));
  }
  return record;
}

// Reads the circuits of a model from its weights, without any text.
void read_weights(Found& found, const AttentionOnly& model, std::size_t layers) {
  const auto itself = [](Role role) { return [role](std::size_t i) { return Ids{CircuitTexts::word(role, i)}; }; };
  if (layers == 0) {
    const Array direct = model.direct_path();
    found.direct = 0;
    for (std::size_t i = 0; i < CircuitTexts::leads; ++i) {
      const auto row = static_cast<std::size_t>(CircuitTexts::word(Role::lead, i));
      *found.direct += far_from_bigram(direct.data() + row * direct.dim(1), i) / CircuitTexts::leads;
    }
    found.tables = {part_of(direct, Role::lead, Role::follower)};
  }
  if (layers == 1) {
    const Array ov = model.ov_circuit(0, 0);
    found.seeks = largest_are_right(model.qk_circuit(0, 0), Role::pivot, {}, [](auto) {
      Ids all = words_of(Role::cue);
      for (const Id word : words_of(Role::result)) all.push_back(word);
      return all;
    });
    found.raises = largest_are_right(ov, Role::cue, Role::result, [](std::size_t cue) {
      Ids all;
      for (std::size_t j = 0; j < CircuitTexts::pivots; ++j)
        all.push_back(CircuitTexts::word(Role::result, cue * CircuitTexts::pivots + j));
      return all;
    });
    found.tables = {part_of(ov, Role::cue, Role::result)};
  }
  if (layers == 2) {
    const Array ov = model.ov_circuit(1, 0), qk = model.k_composition(0, 0);
    found.copies = largest_are_right(ov, Role::last_name, Role::last_name, itself(Role::last_name));
    found.matches = largest_are_right(qk, Role::first_name, Role::first_name, itself(Role::first_name));
    found.tables = {part_of(qk, Role::first_name, Role::first_name)};
  }
}

// Returns the weight of a pivot of text b on the words that show its cue: the cue itself, and earlier results.
double weight_on_cue(const CircuitTexts& texts, const autograd::Real* weights, std::size_t b, std::size_t t) {
  double weight = 0;
  for (std::size_t i = 0; i < t; ++i) {
    const Role seen = CircuitTexts::role(texts.words[i * texts.B + b]);
    if (seen == Role::cue || seen == Role::result) weight += static_cast<double>(weights[i]);
  }
  return weight;
}

Found found_by(std::size_t layers, std::uint64_t seed) {
  const autograd::Params params{Random(seed)};
  const std::size_t V = CircuitTexts::words_known();
  const AttentionOnly model({.words = V, .layers = layers}, params);
  Random random(seed);
  learn(params, steps, 1e-2, [&](std::size_t) {
    const CircuitTexts texts(n, B, random);
    return mean(cross_entropy(model(texts.words, B).logits, texts.next, {.ignore = -1}));
  });
  const autograd::NoGrad no_grad;
  Random other(early_test_seed);
  const CircuitTexts test(n, tested, other);
  const AttentionOnly::Output out = model(test.words, tested);
  Found found;
  Hits bigram, skip, induction, cue_weight, name_hit;
  for (std::size_t row = 0; row < n * tested; ++row) {
    const std::size_t t = row / tested, b = row % tested;
    const Role role = CircuitTexts::role(test.words[row]);
    if (role == Role::lead)
      bigram.count(far_from_bigram(out.logits.value().data() + row * V,
                                   static_cast<std::size_t>(test.words[row] - CircuitTexts::word(Role::lead, 0))));
    if (test.gold[row] < 0) continue;
    const bool right = largest(out.logits, row, V) == static_cast<std::size_t>(test.next[row]);
    (role == Role::pivot ? skip : induction).count(right);
    if (out.weights.empty()) continue;
    const Var& weights = out.weights.back();
    if (role == Role::pivot) cue_weight.count(weight_on_cue(test, weights.value().data() + row * n, b, t));
    else name_hit.count(test.words[largest(weights, row, n) * tested + b] == test.next[row]);
  }
  found.bigram = bigram.hits / bigram.all, found.skip = skip.percent(), found.induction = induction.percent();
  if (layers == 1) found.attention = cue_weight.percent();
  if (layers == 2) found.attention = name_hit.percent();
  read_weights(found, model, layers);
  return found;
}

using OfLayers = std::vector<std::vector<Found>>;  // by number of layers, then by seed

std::string setting() {
  return fmt::format(
      "Each text has {} words: one cue, and pairs of words in random order. Bigram: one of two words follows a "
      "lead. Skip-trigram: the word after a pivot depends on the cue earlier in the text ({} cues, {} pivots, {} "
      "results). Induction: the first name of one of {} people is followed by the last name that this person has "
      "in this text, and this is scored from the second occurrence on. The models have attention layers only, with "
      "one head per layer and width 64; training takes {} steps of {} texts. Columns: bigram is the distance in "
      "nats from the true distribution after a lead. Skip-trigram and induction are accuracies in percent. "
      "Attention is, with one layer, the weight of a pivot on the cue and on results; with two layers, how often "
      "the largest weight of a first name in the second layer is on its last name. The other columns are read from "
      "the weights without any text. Table is the distance in nats between softmax(W_E W_U) and the bigrams. QK "
      "finds: of the {} words with the largest scores for a pivot, the percentage of cues and results; chance is "
      "{:.0f}. OV raises: of the four results whose logits a cue raises most, the percentage that belongs to the "
      "cue; chance is 25. OV copies: the percentage of last names that raise their own logit most among all last "
      "names, in the second layer. K matches: the percentage of first names with the largest score for the word "
      "after the same first name (K-composition); chance is 6.",
      n + 1, CircuitTexts::cues, CircuitTexts::pivots, CircuitTexts::cues * CircuitTexts::pivots, CircuitTexts::people,
      steps, B, shows_cue, 100.0 * shows_cue / static_cast<double>(CircuitTexts::words_known()));
}

std::vector<std::string> row_of(std::size_t layers, const std::vector<Found>& seeds) {
  std::vector<std::string> row{std::to_string(layers)};
  const auto add = [&](const auto figure, int digits) {
    row.push_back(to_text(
        mean_and_range_of(seeds, [&](const Found& one) { return std::optional<double>(one.*figure); }), digits));
  };
  add(&Found::bigram, 3), add(&Found::skip, 1), add(&Found::induction, 1), add(&Found::attention, 1);
  add(&Found::direct, 3);
  for (const auto figure : {&Found::seeks, &Found::raises, &Found::copies, &Found::matches}) add(figure, 1);
  return row;
}

std::vector<std::pair<std::string, Verdict>> claims_of(const OfLayers& of_layers) {
  const auto mean = [&](std::size_t layers, const auto figure) {
    return mean_and_range_of(of_layers[layers], [&](const Found& one) { return std::optional<double>(one.*figure); })
        ->mean;
  };
  const double table = mean(0, &Found::direct), guessed = mean(0, &Found::skip), skip = mean(1, &Found::skip);
  const double raises = mean(1, &Found::raises), seeks = mean(1, &Found::seeks), shown_cue = mean(1, &Found::attention);
  const double one = mean(1, &Found::induction), two = mean(2, &Found::induction), hit = mean(2, &Found::attention);
  const double copies = mean(2, &Found::copies), matches = mean(2, &Found::matches);
  return {
      {"Without attention, the product of the two embeddings is the bigram table (Elhage et al. 2021)",
       {table <= 0.01, fmt::format("{:.3f} nats apart", table)}},
      {"One layer learns skip-trigrams; a model without attention guesses one of four results",
       {skip >= 95 && guessed <= 35, fmt::format("{:.1f}% and {:.1f}%", skip, guessed)}},
      {"The QK circuit finds words that show the cue, and the OV circuit raises the results of the cue",
       {raises >= 90 && seeks >= 50 && shown_cue >= 75,
        fmt::format("{:.1f}% raised, {:.1f}% found, {:.1f}% of the weight on these words", raises, seeks, shown_cue)}},
      {"Two layers learn induction, and one does not",
       {two >= 95 && one <= 50, fmt::format("{:.1f}% and {:.1f}%", two, one)}},
      {"The second layer attends to the word after the earlier occurrence of the current word",
       {hit >= 90, fmt::format("{:.1f}% of its largest weights", hit)}},
      {"Both circuits of the second layer can be read: K-composition matches first names, and OV copies last names",
       {copies >= 90 && matches >= 90, fmt::format("{:.1f}% matched, {:.1f}% copied", matches, copies)}}};
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = setting();
  shown.columns = {"layers of attention", "bigram, nats", "skip-trigram", "induction", "attention",
                   "table, nats",         "QK finds",     "OV raises",    "OV copies", "K matches"};
  OfLayers of_layers;
  for (const std::size_t layers : {0, 1, 2}) {
    report(fmt::format("[{}/3] {} layers", layers + 1, layers));
    of_layers.push_back(with_seeds(seeds, [&](std::size_t seed) { return found_by(layers, seed); }));
    shown.rows.push_back(row_of(layers, of_layers.back()));
    for (const data::Record& table : of_layers.back().front().tables) shown.matrices.push_back(table);
  }
  shown.captions = {"words that follow a lead, from W_E W_U", "results that a cue raises, from the OV circuit",
                    "first names (rows) and the first name before the word that they attend to, from K-composition"};
  shown.claims = claims_of(of_layers);
  return shown;
}

}  // namespace

SmallExperiment circuits() {
  return {"circuits", "Circuits: reading the weights of models that have only attention", run};
}

}  // namespace softalign::apps
