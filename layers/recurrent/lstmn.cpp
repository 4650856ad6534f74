#include "layers/recurrent/lstmn.h"

#include <utility>

#include "autograd/array.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/softmax.h"
#include "layers/padding.h"

namespace softalign::layers {

Lstmn::Lstmn(const Params& p, std::size_t E, std::size_t H, std::size_t A, const InitialiserConfig& init)
    : cell(p / "cell", E, H, init),
      W_h(p.declare("W_h", {H, A}, init.attention)),
      W_x(p.declare("W_x", {E, A}, init.attention)),
      W_t(p.declare("W_t", {H, A}, init.attention)),
      v(p.declare("v", {A}, init.attention_v)) {}

Lstmn::Cache Lstmn::start(std::size_t R) const {
  return {{}, {}, autograd::constant(autograd::zeros({R, cell.U.dim(0)}))};
}

Lstmn::Attended Lstmn::attend(const InputTerms& input, const Cache& cache) const {
  const std::size_t R = cache.h_tilde.dim(0), H = cache.h_tilde.dim(1);
  if (cache.tape.empty()) return {cache.h_tilde, autograd::constant(autograd::zeros({R, H})), {}};
  const Ids each = autograd::all_rows(R);
  const Var q = input.query + matmul(cache.h_tilde, W_t);                                   // (R, A)
  const Var s = softmax(additive_scores(q, autograd::stack(cache.keys), v, {}, {}, each));  // (R, t-1)
  const Var hc = weighted_sum(s, autograd::stack(cache.tape), each);                        // (R, 2H)
  return {slice(hc, 1, 0, H), slice(hc, 1, H, 2 * H), s};
}

Lstmn::Cache Lstmn::kept(Cache cache, const Attended& attended, const LSTMState& now) const {
  cache.tape.push_back(autograd::concat({now.h, now.c}, 1));
  cache.keys.push_back(matmul(now.h, W_h));
  cache.h_tilde = attended.h_tilde;
  return cache;
}

Lstmn::Step Lstmn::step(const InputTerms& input, Cache cache) const {
  const Attended attended = this->attend(input, cache);
  const LSTMState now = cell.step({input.gates, {}}, {attended.h_tilde, attended.c_tilde});
  return {now, attended.weights, kept(std::move(cache), attended, now)};
}

Lstmn::Sequence Lstmn::run(const Var& x, std::vector<std::size_t> lengths, autograd::Direction direction) const {
  const std::size_t S = x.dim(0), B = x.dim(1);
  if (lengths.empty()) lengths.assign(B, S);
  const bool backward = direction == autograd::Direction::backward;
  const Ids rows = backward ? reversed_rows(S, lengths) : Ids();
  const InputTerms input = terms(backward ? reordered(x, rows) : x);
  Sequence out;
  std::vector<Var> h, c;
  Cache cache = start(B);
  for (std::size_t t = 0; t < S; ++t) {
    Step step = this->step({at(input.gates, t), at(input.query, t)}, std::move(cache));
    cache = std::move(step.cache);
    h.push_back(step.now.h), c.push_back(step.now.c);
    if (t > 0) out.weights.push_back(step.weights);
  }
  Ids ends;  // the row of the last word of each text, in reading order
  for (std::size_t b = 0; b < B; ++b) ends.push_back(static_cast<Id>((lengths[b] - 1) * B + b));
  const auto ending = [&](const Var& states) { return gather(reshape(states, {S * B, states.dim(2)}), ends); };
  out.h = autograd::stack(h), out.c = autograd::stack(c);
  out.last = {ending(out.h), ending(out.c)};
  if (backward) out.h = reordered(out.h, rows), out.c = reordered(out.c, rows);
  return out;
}

}  // namespace softalign::layers
