// This file is the experiment `reproduce gaps`. A masked language model fills a gap from both sides, and attends to the
// word that determines the gap.
#include "apps/language_models/gaps.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "models/language_models/masked_language_model.h"

namespace softalign::apps {

namespace {

using autograd::Id;
using autograd::Ids;
using autograd::Random;
using autograd::Var;
using layers::PositionKind;
using models::MaskedLanguageModel;

constexpr std::size_t genders = 3, numbers = 2, stems = 4, adjectives = 5;

// Lexicon has the vocabulary in the order of the ids.
struct Lexicon {
  std::vector<std::string> words;
  Id articles, nouns, verbs, adjective, nun, mask;  // the first id of each kind

  Lexicon() {
    const auto add = [&](const std::vector<std::string>& more) {
      const Id first = static_cast<Id>(words.size());
      words.insert(words.end(), more.begin(), more.end());
      return first;
    };
    articles = add({"ta", "te", "to"});
    nouns = static_cast<Id>(words.size());
    for (const char gender : {'a', 'e', 'o'})
      for (const char* number : {"", "s"})
        for (const char* stem : {"b?m?", "d?l?", "r?b?", "z?d?"}) {
          std::string noun = stem;
          noun[1] = noun[3] = gender;
          add({noun + number});
        }
    verbs = static_cast<Id>(words.size());
    for (const char* number : {"", "en"})
      for (const char* stem : {"lukat", "mirat", "sofat", "tunat"}) add({std::string(stem) + number});
    adjective = add({"gro", "kli", "nova", "rota", "longa"});
    nun = add({"nun"}), mask = add({"[MASK]"});
  }

  Id noun(std::size_t gender, std::size_t number, std::size_t stem) const {
    return nouns + static_cast<Id>((gender * numbers + number) * stems + stem);
  }
  Id verb(std::size_t number, std::size_t stem) const { return verbs + static_cast<Id>(number * stems + stem); }
};

const Lexicon& lexicon() {
  static const Lexicon all;
  return all;
}

}  // namespace

std::size_t Sentences::words_known() { return lexicon().words.size(); }
Id Sentences::mask() { return lexicon().mask; }
const std::string& Sentences::name(Id word) { return lexicon().words.at(static_cast<std::size_t>(word)); }

std::pair<Id, Id> Sentences::kind(Decided what) {
  const Lexicon& l = lexicon();
  return what == Decided::article ? std::pair(l.articles, l.nouns) : std::pair(l.verbs, l.adjective);
}

bool Sentences::agree(Decided what, Id one, Id other) {
  const Id per_form = what == Decided::article ? 1 : static_cast<Id>(stems), first = kind(what).first;
  return (one - first) / per_form == (other - first) / per_form;
}

Sentences::Sentences(std::size_t sentences, Random& random) : B(sentences), words(words_each * B), gaps(B) {
  const Lexicon& l = lexicon();
  for (std::size_t b = 0; b < B; ++b) {
    Ids text;
    // Adds a noun phrase. Returns the position of its noun, and the number (singular or plural).
    const auto phrase = [&] {
      const std::size_t gender = random.below(genders), number = random.below(numbers), place = 1 + random.below(3);
      const std::size_t first = text.size();
      const bool has_article = random.below(2) == 0;
      text.push_back(has_article ? l.articles + static_cast<Id>(gender) : l.nun);
      for (std::size_t i = 1; i <= 3; ++i)
        text.push_back(i == place ? l.noun(gender, number, random.below(stems))
                                  : l.adjective + static_cast<Id>(random.below(adjectives)));
      if (has_article) gaps[b].push_back({Decided::article, first, first + place, false});
      return std::pair(first + place, number);
    };
    const auto [subject, number] = phrase();
    const std::size_t verb = text.size();
    text.push_back(l.verb(number, random.below(stems)));
    const bool attractor = phrase().second != number;
    gaps[b].push_back({Decided::verb, verb, subject, attractor});
    for (std::size_t t = 0; t < words_each; ++t) words[t * B + b] = text[t];
  }
}

namespace {

constexpr std::size_t B = 64, steps = 1500, tested = 1000, n = Sentences::words_each;
constexpr double masked = 0.15;  // share of the words

struct Kind {
  std::string name;
  PositionKind positions;
  bool causal;
};
const std::vector<Kind> kinds{{"both sides", PositionKind::sinusoidal, false},
                              {"left side only", PositionKind::learned, true},
                              {"both sides, no positions", PositionKind::none, false}};

// Filled has percentages.
struct Filled {
  double articles = 0, verbs = 0, attracted = 0, hit = 0;
  std::optional<data::Record> record;
};

// Returns the attention of each gap of the first sentence. Only one gap is masked at a time.
data::Record record_of(const MaskedLanguageModel& model, const Sentences& test) {
  data::Record record;
  record.source_eos = record.target_eos = false;
  Ids words;
  for (std::size_t t = 0; t < n; ++t) words.push_back(test.words[t * test.B]);
  for (const Id word : words) record.source.push_back(Sentences::name(word));
  record.gold.emplace();
  for (const Sentences::Gap& gap : test.gaps.front()) {
    Ids hidden = words;
    hidden[gap.at] = Sentences::mask();
    const Var weights = model(hidden, 1).weights.back();
    const autograd::Real* const row = weights.value().data() + gap.at * n;
    record.gold->sure.push_back({gap.gold, record.target.size()});
    record.target.push_back(fmt::format("{} masked", record.source[gap.at]));
    record.weights.matrix.emplace_back(row, row + n);
  }
  return record;
}

// Masks one gap per sentence. Measures the words that the model fills in, and whether the largest weight of the last
// layer is on the noun of the gap.
Filled filled_by(const MaskedLanguageModel& model) {
  const autograd::NoGrad no_grad;
  Random random(early_test_seed);
  const Sentences test(tested, random);
  Ids words = test.words;
  std::vector<Sentences::Gap> all;
  for (std::size_t b = 0; b < tested; ++b) {
    all.push_back(random.one_of(test.gaps[b]));
    words[all.back().at * tested + b] = Sentences::mask();
  }
  const MaskedLanguageModel::Output out = model(words, tested);
  Hits articles, verbs, attracted, hits;
  for (std::size_t b = 0; b < tested; ++b) {
    const Sentences::Gap& gap = all[b];
    const std::size_t row = gap.at * tested + b;
    const auto [first, end] = Sentences::kind(gap.what);
    const autograd::Real* const of_kind = out.logits.value().data() + row * Sentences::words_known() + first;
    const Id filled_in = first + static_cast<Id>(largest(of_kind, static_cast<std::size_t>(end - first)));
    const bool right = Sentences::agree(gap.what, filled_in, test.words[row]);
    (gap.what == Sentences::Decided::article ? articles : gap.attractor ? attracted : verbs).count(right);
    hits.count(largest(out.weights.back(), row, n) == gap.gold);
  }
  return {articles.percent(), verbs.percent(), attracted.percent(), hits.percent(), record_of(model, test)};
}

Filled filled_by(const Kind& kind, std::uint64_t seed) {
  const autograd::Params params{Random(seed)};
  const MaskedLanguageModel model({.words = Sentences::words_known(),
                                   .layers = 1,
                                   .positions = kind.positions,
                                   .max_positions = n,
                                   .causal = kind.causal},
                                  params);
  Random random(seed);
  learn(params, steps, 3e-3, [&](std::size_t) {
    const Sentences sentences(B, random);
    Ids words = sentences.words, hidden(words.size(), -1);
    for (std::size_t row = 0; row < words.size(); ++row)
      if (random.uniform() < masked) hidden[row] = std::exchange(words[row], Sentences::mask());
    return mean(cross_entropy(model(words, B).logits, hidden, {.ignore = -1}));
  });
  return filled_by(model);
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "Each sentence has {} words of an artificial language with {} words. A phrase has a noun and two adjectives "
      "in any order. Its article has the gender of the noun, and the verb has the number of the first noun. "
      "{:.0f}% of the words are masked. The models have one layer of self-attention with one head and width 64; "
      "training takes {} steps of {} sentences. The test has {} sentences with one masked word each. Accuracy in "
      "percent: the most probable of the three articles (chance is 33), or of the two forms of the verb (chance is "
      "50). Other number: verbs whose second noun has another number than the first. Attention: how often the "
      "largest weight of the masked word is on the noun that determines it. The model that reads from the left has "
      "learned positions, because it learnt neither articles nor verbs with sinusoidal positions.",
      n, Sentences::words_known(), 100 * masked, steps, B, tested);
  shown.columns = {"model reads", "articles", "verbs", "verbs, other number", "attention"};
  std::vector<std::vector<Filled>> of_kinds;
  for (const Kind& kind : kinds) {
    report(fmt::format("[{}/{}] {}", of_kinds.size() + 1, kinds.size(), kind.name));
    of_kinds.push_back(with_seeds(seeds, [&](std::size_t seed) { return filled_by(kind, seed); }));
    std::vector<std::string> row{kind.name};
    for (const auto figure : {&Filled::articles, &Filled::verbs, &Filled::attracted, &Filled::hit})
      row.push_back(to_text(
          mean_and_range_of(of_kinds.back(), [&](const Filled& one) { return std::optional<double>(one.*figure); }),
          1));
    shown.rows.push_back(std::move(row));
  }
  const auto mean = [&](std::size_t kind, const auto figure) {
    return mean_and_range_of(of_kinds[kind], [&](const Filled& one) { return std::optional<double>(one.*figure); })
        ->mean;
  };
  const double articles = mean(0, &Filled::articles), from_left = mean(1, &Filled::articles);
  const double verbs = mean(0, &Filled::verbs), attracted = mean(0, &Filled::attracted);
  const double verbs_from_left = mean(1, &Filled::verbs), without = mean(2, &Filled::attracted);
  const double hit = mean(0, &Filled::hit);
  shown.claims = {{"A model that reads both sides predicts articles, and a model that reads from the left guesses "
                   "(Devlin et al. 2019)",
                   {articles >= 95 && from_left <= 45, fmt::format("{:.1f}% and {:.1f}%", articles, from_left)}},
                  {"Both models predict verbs, because the first noun is to the left of its verb",
                   {verbs >= 95 && verbs_from_left >= 95, fmt::format("{:.1f}% and {:.1f}%", verbs, verbs_from_left)}},
                  {"A second noun of another number does not mislead the model; without positions it does",
                   {attracted >= 95 && without <= 70, fmt::format("{:.1f}% and {:.1f}%", attracted, without)}},
                  {"A masked word attends to the noun that determines it",
                   {hit >= 90, fmt::format("{:.1f}% of the masked words", hit)}}};
  shown.matrices = {*of_kinds.front().front().record};
  shown.captions = {"attention of each masked word of a sentence"};
  return shown;
}

}  // namespace

SmallExperiment gaps() { return {"gaps", "Gaps: a masked language model reads both sides", run}; }

}  // namespace softalign::apps
