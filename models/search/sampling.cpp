#include "models/search/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/search/hypothesis.h"

namespace softalign::models {
namespace {

// Sample is one translation that is not complete yet.
struct Sample {
  std::size_t sentence;
  Random random;
  Hypothesis hypothesis{};
};

Id draw(const std::vector<Choice>& from, Random& random) {
  std::vector<double> weights;
  for (const Choice& choice : from) weights.push_back(choice.probability);
  return from[random.choose(weights)].id;
}

void check(const SamplingOptions& options, std::size_t sentences, std::size_t streams) {
  models::check(options);
  if (streams != sentences)
    throw std::invalid_argument(fmt::format("sample: {} streams for {} sentences", streams, sentences));
}

}  // namespace

void check(const SamplingOptions& o) {
  if (o.samples == 0) throw std::invalid_argument("sample: 0 samples, at least 1 must be drawn");
  if (!(o.temperature > 0) || std::isinf(o.temperature))
    throw std::invalid_argument(
        fmt::format("sample: temperature {}, expected a number above 0; greedy search is a beam of 1", o.temperature));
  if (!(o.top_p > 0 && o.top_p <= 1))
    throw std::invalid_argument(fmt::format("sample: top p {}, expected a number above 0, at most 1", o.top_p));
}

std::vector<Choice> choices(const Real* logits, std::size_t V, const SamplingOptions& o) {
  std::vector<Choice> words;
  double largest = -INFINITY;
  for (std::size_t v = 0; v < V; ++v) {
    if (!writable(static_cast<Id>(v)) || std::isinf(logits[v])) continue;
    words.push_back({static_cast<Id>(v), logits[v]});
    largest = std::max(largest, words.back().probability);
  }
  double total = 0;
  for (Choice& word : words) total += word.probability = std::exp((word.probability - largest) / o.temperature);

  if (o.top_k > 0 || o.top_p < 1) {
    const auto behind = [](const Choice& a, const Choice& b) {
      return a.probability != b.probability ? a.probability < b.probability : a.id > b.id;
    };
    std::vector<Choice> best;
    double mass = 0;
    std::make_heap(words.begin(), words.end(), behind);
    while (!words.empty() && (o.top_k == 0 || best.size() < o.top_k) && mass < o.top_p * total) {
      std::pop_heap(words.begin(), words.end(), behind);
      best.push_back(words.back());
      mass += best.back().probability;
      words.pop_back();
    }
    words = best;
    total = mass;
  }
  for (Choice& word : words) word.probability /= total;
  return words;
}

std::vector<std::vector<Hypothesis>> sample(const Decoder& decoder, const Memory& memory,
                                            const SamplingOptions& options, const std::vector<Random>& streams) {
  check(options, memory.size(), streams.size());
  const autograd::NoGrad no_grad;
  std::vector<Sample> samples;
  Ids parents, previous;          // of each row: the row that it continues, and the word that it wrote last
  std::vector<std::size_t> live;  // of each row: its sample
  for (std::size_t b = 0; b < memory.size(); ++b) {
    for (std::size_t n = 0; n < options.samples; ++n) {
      live.push_back(samples.size());
      parents.push_back(static_cast<Id>(b));
      previous.push_back(data::start_id);
      samples.push_back({b, streams[b].split(n)});
    }
  }

  State state = decoder.start(memory);
  for (std::size_t number = 1; !live.empty(); ++number) {
    state = select(state, parents);
    const Step step = decoder.step(previous, state, memory);
    const Prediction prediction = predict(step, memory, number);
    const std::size_t V = prediction.logits.dim(1);
    std::vector<std::size_t> going_on;
    parents.clear();
    previous.clear();
    for (std::size_t row = 0; row < live.size(); ++row) {
      Sample& s = samples[live[row]];
      const std::size_t source_length = memory.lengths[s.sentence];
      const Real* logits = prediction.logits.data() + row * V;
      const auto from = choices(logits, V, options);
      if (from.empty()) continue;  // every word is forbidden
      const Id id = draw(from, s.random);
      const bool cut = id != data::end_id && number > length_limit(options.max_length, source_length);
      if (!cut) append(s.hypothesis, id, prediction.log_p(row, logits[id]), step.weights, row, source_length);
      if (cut || id == data::end_id) continue;
      going_on.push_back(live[row]);
      parents.push_back(static_cast<Id>(row));
      previous.push_back(id);
    }
    state = step.state;
    live = going_on;
  }

  std::vector<std::vector<Hypothesis>> sampled(memory.size());
  for (Sample& s : samples) {
    s.hypothesis.score = s.hypothesis.log_prob;
    sampled[s.sentence].push_back(std::move(s.hypothesis));
  }
  return sampled;
}

std::vector<std::vector<Hypothesis>> sample(const Seq2Seq& model, const Batch& batch, const SamplingOptions& options,
                                            const std::vector<Random>& streams) {
  check(options, batch.size, streams.size());
  if (batch.size == 0) return {};
  const autograd::NoGrad no_grad;
  return sample(model.decoder(), model.encode(batch), options, streams);
}

}  // namespace softalign::models
