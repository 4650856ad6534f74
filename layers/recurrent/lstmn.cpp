#include "layers/recurrent/lstmn.h"

#include <utility>

#include "autograd/array.h"
#include "autograd/ops/softmax.h"
#include "layers/padding.h"

namespace softalign::layers {

Lstmn::Lstmn(const Params& p, std::size_t E, std::size_t H, std::size_t A, const Scheme& init)
    : cell(p / "cell", E, H, init),
      W_h(p.declare("W_h", {H, A}, init.attention)),
      W_x(p.declare("W_x", {E, A}, init.attention)),
      W_t(p.declare("W_t", {H, A}, init.attention)),
      v(p.declare("v", {A}, init.attention_v)) {}

Lstmn::Past Lstmn::start(std::size_t R) const {
  return {{}, {}, autograd::constant(autograd::zeros({R, cell.U.dim(0)}))};
}

Lstmn::Look Lstmn::look(const Asked& asked, const Past& past) const {
  const std::size_t R = past.h_tilde.dim(0), H = past.h_tilde.dim(1);
  if (past.tape.empty()) return {past.h_tilde, autograd::constant(autograd::zeros({R, H})), {}};
  const Ids each = autograd::all_rows(R);
  const Var q = asked.query + matmul(past.h_tilde, W_t);                                   // (R, A)
  const Var s = softmax(additive_scores(q, autograd::stack(past.keys), v, {}, {}, each));  // (R, t-1)
  const Var hc = weighted_sum(s, autograd::stack(past.tape), each);                        // (R, 2H)
  return {slice(hc, 1, 0, H), slice(hc, 1, H, 2 * H), s};
}

Lstmn::Past Lstmn::kept(Past past, const Look& look, const LSTMState& now) const {
  past.tape.push_back(autograd::concat({now.h, now.c}, 1));
  past.keys.push_back(matmul(now.h, W_h));
  past.h_tilde = look.h_tilde;
  return past;
}

Lstmn::Step Lstmn::step(const Asked& asked, Past past) const {
  const Look look = this->look(asked, past);
  const LSTMState now = cell.step({asked.gates, {}}, {look.h_tilde, look.c_tilde});
  return {now, look.weights, kept(std::move(past), look, now)};
}

Lstmn::Sequence Lstmn::run(const Var& x, std::vector<std::size_t> lengths, autograd::Direction direction) const {
  const std::size_t S = x.dim(0), B = x.dim(1);
  if (lengths.empty()) lengths.assign(B, S);
  const bool backward = direction == autograd::Direction::backward;
  const Ids rows = backward ? reversed_rows(S, lengths) : Ids();
  const Asked asked = ask(backward ? reordered(x, rows) : x);
  Sequence out;
  std::vector<Var> h, c;
  Past past = start(B);
  for (std::size_t t = 0; t < S; ++t) {
    Step step = this->step({at(asked.gates, t), at(asked.query, t)}, std::move(past));
    past = std::move(step.past);
    h.push_back(step.now.h), c.push_back(step.now.c);
    if (t > 0) out.weights.push_back(step.weights);
  }
  Ids ends;  // the rows of each text's last word, as it is read
  for (std::size_t b = 0; b < B; ++b) ends.push_back(static_cast<Id>((lengths[b] - 1) * B + b));
  const auto ending = [&](const Var& states) { return gather(reshape(states, {S * B, states.dim(2)}), ends); };
  out.h = autograd::stack(h), out.c = autograd::stack(c);
  out.last = {ending(out.h), ending(out.c)};
  if (backward) out.h = reordered(out.h, rows), out.c = reordered(out.c, rows);
  return out;
}

}  // namespace softalign::layers
