#include "data/grammar/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "autograd/random.h"
#include "data/grammar/derivation.h"
#include "data/grammar/surface.h"
#include "data/io/error.h"

namespace softalign::data {
namespace {

// After this many attempts in a row without a new pair, the sampler assumes that there are no further sentences.
constexpr std::size_t patience = 20000;

// Every second pair is the best of this many random pairs. The best pair has the word that occurred least often so far.
// Otherwise the rarer forms of a rich inflection ("vendues") would hardly occur in a corpus of this size.
constexpr std::size_t draws_for_rare_words = 6;

// even_quotas returns how many pairs each source length gets, among the lengths that the grammar has.
std::vector<std::size_t> even_quotas(const SampleOptions& options, const std::vector<double>& probability) {
  std::vector<std::size_t> lengths;
  for (std::size_t n = options.min_length; n <= options.max_length; ++n) {
    if (probability[n] > 0) lengths.push_back(n);
  }
  std::vector<std::size_t> quotas(options.max_length + 1, 0);
  // The remainder goes to lengths that are far from each other.
  for (std::size_t i = 0; i < options.pairs; ++i) ++quotas[lengths[i * lengths.size() / options.pairs]];
  return quotas;
}

std::size_t draw_length(const SampleOptions& options, const std::vector<double>& probability, Random& random) {
  return options.min_length + random.choose(std::span(probability).subspan(options.min_length));
}

class Sampler {
 public:
  Sampler(const Grammar& grammar, const SampleOptions& options, const std::vector<Pair>& excluded)
      : grammar_(grammar), options_(options), derivations_(grammar, options.max_length), random_(options.seed) {
    for (const Pair& pair : excluded) {
      sources_.insert(join_words(pair.source));
      targets_.insert(join_words(pair.target));
    }
  }

  std::vector<Pair> sample() {
    const std::vector<double>& probability = derivations_.length_probability();
    const auto first = probability.begin() + static_cast<std::ptrdiff_t>(options_.min_length);
    if (std::none_of(first, probability.end(), [](double p) { return p > 0; })) {
      throw Error(
          ErrorKind::bad_data,
          fmt::format("{}: the grammar derives no sentence with {} to {} words. Change --min-length or --max-length",
                      grammar_.file, options_.min_length, options_.max_length));
    }
    std::vector<Pair> pairs;
    if (options_.spread) {
      const std::vector<std::size_t> quotas = even_quotas(options_, probability);
      for (std::size_t n = 0; n < quotas.size(); ++n) {
        for (std::size_t i = 0; i < quotas[n]; ++i) pairs.push_back(draw_new(n, pairs.size()));
      }
    } else {
      while (pairs.size() < options_.pairs) pairs.push_back(draw_new(0, pairs.size()));
    }
    random_.shuffle(pairs);
    return pairs;
  }

 private:
  // draw_new returns a pair that has not occurred before. The pair has `length` source words, unless `length` is 0.
  Pair draw_new(std::size_t length, std::size_t found) {
    for (std::size_t attempt = 0; attempt < patience; ++attempt) {
      const std::size_t n = length > 0 ? length : draw_length(options_, derivations_.length_probability(), random_);
      std::optional<Pair> pair = draw_pair(n, found % 2 == 0 ? 1 : draws_for_rare_words);
      if (!pair) continue;
      sources_.insert(join_words(pair->source));
      targets_.insert(join_words(pair->target));
      for (const Tokens* side : {&pair->source, &pair->target}) {
        for (const std::string& word : *side) ++seen_[word];
      }
      return *pair;
    }
    throw Error(ErrorKind::bad_data,
                fmt::format("{}: the program found no new pair{} in {} attempts, and has {} of {} pairs. Generate "
                            "fewer or longer pairs, or add rules or words",
                            grammar_.file, length > 0 ? fmt::format(" of {} source words", length) : "", patience,
                            found, options_.pairs));
  }

  std::optional<Pair> draw_pair(std::size_t length, std::size_t draws) {
    std::optional<Pair> best;
    for (std::size_t i = 0; i < draws; ++i) {
      Pair pair = spell_out(grammar_, derivations_.draw(length, random_));
      if (admissible(pair) && (!best || rarest(pair) < rarest(*best))) best = std::move(pair);
    }
    return best;
  }

  // rarest returns how often the rarest word of the pair has occurred so far.
  std::size_t rarest(const Pair& pair) const {
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const Tokens* side : {&pair.source, &pair.target}) {
      for (const std::string& word : *side) {
        const auto found = seen_.find(word);
        least = std::min(least, found == seen_.end() ? 0 : found->second);
      }
    }
    return least;
  }

  bool admissible(const Pair& pair) const {
    if (sources_.count(join_words(pair.source)) || targets_.count(join_words(pair.target))) return false;
    const auto fits = [&](std::size_t length) {
      return length >= options_.min_length && length <= options_.max_length;
    };
    if (!fits(pair.source.size())) return false;  // contractions shorten the source
    if (!options_.spread && !fits(pair.target.size())) return false;
    return std::none_of(grammar_.reserved.begin(), grammar_.reserved.end(), [&](const Tokens& words) {
      return std::search(pair.source.begin(), pair.source.end(), words.begin(), words.end()) != pair.source.end();
    });
  }

  const Grammar& grammar_;
  const SampleOptions& options_;
  Derivations derivations_;
  Random random_;
  // The sampler only looks words up in these containers. It never iterates over them, because their order is not fixed.
  std::unordered_set<std::string> sources_, targets_;
  std::unordered_map<std::string, std::size_t> seen_;
};

}  // namespace

std::vector<Pair> sample_corpus(const Grammar& grammar, const SampleOptions& options,
                                const std::vector<Pair>& excluded) {
  if (options.min_length < 1 || options.min_length > options.max_length) {
    throw std::invalid_argument(fmt::format("sample_corpus: lengths from {} to {}; expected 1 <= min <= max",
                                            options.min_length, options.max_length));
  }
  return Sampler(grammar, options, excluded).sample();
}

}  // namespace softalign::data
