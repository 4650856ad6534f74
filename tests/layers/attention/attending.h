// A small memory of three sentences to attend to, and all options of attention.
#pragma once

#include <string>
#include <vector>

#include "layers/attention/attention.h"
#include "tests/compare.h"

using namespace softalign;

namespace attending {

using namespace layers;
using autograd::constant;
using compare::random_array;

inline const double close_enough = sizeof(Real) == 8 ? 1e-10 : 1e-5;

inline const std::vector<std::size_t> lengths{4, 1, 3};
inline const Ids sentence{2, 0, 1, 2};  // sentence of each decoder row
inline constexpr std::size_t S = 4, B = 3, R = 4, D = 5;

// Every score with every window. Location attention occurs with a position for every word, and with too few positions.
inline std::vector<AttentionOptions> all() {
  std::vector<AttentionOptions> result;
  for (const auto& [window_name, window] : names_of(WindowKind{})) {
    AttentionOptions o{.window = window, .query = D, .memory = D, .size = 6, .positions = 9, .half_width = 1};
    for (const auto& [score_name, score] : names_of(ScoreKind{})) {
      if (score == ScoreKind::none) continue;
      o.score = score;
      result.push_back(o);
    }
    for (const ScoreKind score : {ScoreKind::dot, ScoreKind::general}) {
      o.score = score;
      o.scale = true;
      result.push_back(o);
    }
    o.scale = false;
    o.score = ScoreKind::additive;
    o.coverage = true;
    result.push_back(o);
    o.coverage = false;
    o.score = ScoreKind::qkv;
    o.heads = 3;
    result.push_back(o);
    o.heads = 1;
    o.score = ScoreKind::location;
    o.positions = 2;
    result.push_back(o);
  }
  return result;
}

inline std::string describe(const AttentionOptions& o) {
  return std::string(name_of(o.score)) + ", " + name_of(o.window) + (o.scale ? ", scaled" : "") +
         (o.coverage ? ", coverage" : "") + (o.heads > 1 ? ", several heads" : "") +
         (o.positions < S ? ", few positions" : "");
}

// The number of words that a row can attend to if the window is global.
inline std::size_t words_of(const AttentionOptions& o, std::size_t row) {
  const std::size_t words = lengths[static_cast<std::size_t>(sentence[row])];
  return o.score == ScoreKind::location ? std::min(words, o.positions) : words;
}

struct Made {
  Params params{Random(1)};
  Attention attention;
  explicit Made(const AttentionOptions& o) : attention(params, o, initialiser_config(InitialiserKind::standard)) {
    Random random(2);
    compare::randomise(params, random);
  }
  Var parameter(const std::string& name) const {
    for (const autograd::Parameter& p : params.all())
      if (p.name == name) return p.var;
    throw std::invalid_argument("no parameter " + name);
  }
};

inline Real at(const Var& x, std::size_t r, std::size_t j) { return x.value()[r * x.dim(1) + j]; }

// The memory of states (S*B, D), where row j*B + b is step j of sentence b.
inline AttentionMemory memory_of(const Attention& attention, const Var& states,
                                 const std::vector<std::size_t>& words = lengths) {
  return attention.memory(words, reshape(states, {states.dim(0) / words.size(), words.size(), states.dim(1)}));
}

// A memory that has positions only, without keys and values.
inline AttentionMemory places(const std::vector<std::size_t>& words, std::size_t steps) {
  return {.sentences = words.size(), .steps = steps, .lengths = words, .keys = {}, .values = {}};
}

struct Seen {
  Var context;
  Var weights;  // (R, S), the mean over the heads
  Var heads;    // (R, K, S), undefined unless there are several heads
};

// Attends with one query after the other; `rows` names the sentence of each row.
inline std::vector<Seen> looks(const Attention& attention, const AttentionMemory& memory,
                               const std::vector<Var>& queries, const Ids& rows = sentence) {
  Attention::State state = select(attention.start(memory), rows);
  std::vector<Seen> result;
  for (const Var& query : queries) {
    const Attention::Step step = attention(query, memory, rows, state);
    const Var& weights = step.attended.weights;
    result.push_back({step.attended.context, mean_over_heads(weights), weights.dim(1) > 1 ? weights : Var()});
    state = step.state;
  }
  return result;
}

inline std::vector<Var> random_queries(std::size_t steps, Random& random, double scale = 1) {
  std::vector<Var> queries;
  for (std::size_t t = 0; t < steps; ++t) queries.push_back(constant(random_array({R, D}, random, scale)));
  return queries;
}

}  // namespace attending
