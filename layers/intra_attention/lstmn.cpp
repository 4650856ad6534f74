#include "layers/intra_attention/lstmn.h"

#include "autograd/ops/softmax.h"
#include "autograd/storage/all_rows.h"

namespace layers {

Lstmn::Lstmn(const Params& p, std::size_t E, std::size_t H, std::size_t A, const Scheme& init)
    : cell(p / "cell", E, H, init),
      W_h(p.declare("W_h", {H, A}, init.attention)),
      W_x(p.declare("W_x", {E, A}, init.attention)),
      W_t(p.declare("W_t", {H, A}, init.attention)),
      v(p.declare("v", {A}, init.attention_v)) {}

Lstmn::Output Lstmn::operator()(const Var& x) const {
  const std::size_t S = x.dim(0), B = x.dim(1), H = cell.U.dim(0);
  const Ids each = autograd::all_rows(B);
  const Var gates = cell.project(x), asked = matmul(x, W_x);  // (S, B, 4H)  (S, B, A)
  Output output;
  std::vector<Var> h, tape, keys;  // h_i, [h_i; c_i] and W_h h_i so far
  LSTMState looked{autograd::constant(autograd::zeros({B, H})), autograd::constant(autograd::zeros({B, H}))};
  for (std::size_t t = 0; t < S; ++t) {
    if (t > 0) {
      const Var q = at(asked, t) + matmul(looked.h, W_t);
      const Var s = softmax(additive_scores(q, autograd::stack(keys), v, {}, {}, each));  // (B, t)
      const Var hc = weighted_sum(s, autograd::stack(tape), each);                        // (B, 2H)
      looked = {slice(hc, 1, 0, H), slice(hc, 1, H, 2 * H)};
      output.weights.push_back(s);
    }
    const LSTMState now = cell.step({at(gates, t), {}}, looked);
    h.push_back(now.h);
    tape.push_back(autograd::concat({now.h, now.c}, 1));
    keys.push_back(matmul(now.h, W_h));
  }
  output.states = autograd::stack(h);
  return output;
}

}  // namespace layers
