#include "layers/attention/attention.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"

namespace softalign::layers {

namespace {

Real scale(const AttentionOptions& o) { return o.scale ? 1 / std::sqrt(static_cast<Real>(o.query)) : 1; }

Score additive(const Params& p, const AttentionOptions& o, const InitialiserConfig& init) {
  return AdditiveScore(p, o.query, o.memory, o.size, o.coverage, init);
}

Score dot(const Params&, const AttentionOptions& o, const InitialiserConfig&) {
  if (o.query == o.memory) return DotScore{scale(o)};
  throw std::invalid_argument(
      fmt::format("dot: a query of {} numbers and source states of {}; they must be of one size", o.query, o.memory));
}

Score general(const Params& p, const AttentionOptions& o, const InitialiserConfig& init) {
  return GeneralScore(p, o.query, o.memory, scale(o), init);
}

Score location(const Params& p, const AttentionOptions& o, const InitialiserConfig& init) {
  return LocationScore(p, o.query, o.positions, init);
}

Score qkv(const Params& p, const AttentionOptions& o, const InitialiserConfig& init) {
  if (o.heads > 0 && o.size % o.heads == 0) return HeadsScore(p, o.query, o.memory, o.size, o.heads, init);
  throw std::invalid_argument(fmt::format("qkv: {} heads do not divide an attention size of {}", o.heads, o.size));
}

Score make_score(const Params& p, const AttentionOptions& o, const InitialiserConfig& init) {
  switch (o.score) {
    case ScoreKind::additive:
    case ScoreKind::concat:
      return additive(p, o, init);
    case ScoreKind::dot:
      return dot(p, o, init);
    case ScoreKind::general:
      return general(p, o, init);
    case ScoreKind::location:
      return location(p, o, init);
    case ScoreKind::qkv:
      return qkv(p, o, init);
    case ScoreKind::none:
      break;
  }
  throw std::invalid_argument("attention: there is no score");
}

// repeat_rows repeats each row of x (R, N) K times: (R*K, N).
Var repeat_rows(const Var& x, std::size_t K) {
  if (K == 1) return x;
  Ids rows;
  for (std::size_t r = 0; r < x.dim(0); ++r) rows.insert(rows.end(), K, static_cast<Id>(r));
  return gather(x, rows);
}

}  // namespace

Attention::Attention(const Params& p, const AttentionOptions& o, const InitialiserConfig& init)
    : score_(make_score(p, o, init)),
      window_(p, o.window, o.query, o.half_width,
              o.score == ScoreKind::location ? o.positions : std::numeric_limits<std::size_t>::max(), init),
      coverage_(o.coverage) {}

AttentionMemory Attention::memory(const std::vector<std::size_t>& lengths, const Var& states) const {
  const HeadsScore* heads = std::get_if<HeadsScore>(&score_);
  return {.sentences = lengths.size(),
          .steps = states.dim(0),
          .lengths = lengths,
          .keys = std::visit([&](const auto& score) { return score.keys(states); }, score_),
          .values = heads ? heads->values(states) : states};
}

Attention::State Attention::start(const AttentionMemory& memory) const {
  State state;
  if (coverage_) state.coverage = autograd::constant(autograd::zeros({memory.sentences, memory.steps}));
  if (window_.counts_steps()) state.step = autograd::constant(autograd::zeros({memory.sentences, 1}));
  return state;
}

Attention::Step Attention::operator()(const Var& query, const AttentionMemory& memory, const Ids& sentence,
                                      const State& state) const {
  const HeadsScore* const heads = std::get_if<HeadsScore>(&score_);
  const std::size_t R = sentence.size(), S = memory.steps, K = heads ? heads->K : 1;

  // e_ij = a(s_{i-1}, h_j)
  const Var e = std::visit([&](const auto& score) { return score(query, memory, sentence, state.coverage); }, score_);
  const Var centre = window_.centre(query, memory, sentence, state.step);                       // (R, 1)
  const Var mask = repeat_rows(autograd::constant(window_.mask(memory, sentence, centre)), K);  // (R*K, S)
  // alpha_ij = exp(e_ij) / sum_k exp(e_ik)
  Var alpha = softmax(e, mask.value());  // (R*K, S)
  if (window_.is_predicted()) alpha = gaussian_window(alpha, repeat_rows(centre, K), window_.half_width() / 2);
  if (hook_) {
    const Var window =
        window_.is_predicted() ? gaussian_window(mask, repeat_rows(centre, K), window_.half_width() / 2) : mask;
    const auto by_head = [&](const Var& x) { return reshape(x, {R, K, S}); };
    alpha = reshape(
        hooked_weights(hook_, by_head(e), by_head(window), window_.is_predicted(), by_head(alpha), memory.values),
        {R * K, S});
  }

  // c_i = sum_j alpha_ij h_j
  AttentionOutput attended;
  const Ids rows = heads ? heads->rows(sentence) : sentence;
  const Var c = weighted_sum(alpha, memory.values, rows);
  attended.context = heads ? matmul(reshape(c, {R, K * c.dim(1)}), heads->W_O) : c;

  if (window_.is_predicted()) alpha = alpha / sum(alpha, {1}, autograd::Keep::yes);
  attended.weights = reshape(alpha, {R, K, S});

  State next;
  if (coverage_) next.coverage = state.coverage + mean_over_heads(attended.weights);
  if (window_.counts_steps()) next.step = state.step + 1;
  return {attended, next};
}

Attention Attention::with_attention_hook(const AttentionHook& hook) const {
  Attention other = *this;
  if (!hook_) {
    other.hook_ = hook;
    return other;
  }
  other.hook_ = [first = hook_, hook](HookInput input) {
    input.weights = first(input);
    return hook(input);
  };
  return other;
}

}  // namespace softalign::layers
