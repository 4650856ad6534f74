#include "models/recurrent/cho.h"

#include "autograd/ops/elementwise.h"
#include "models/families.h"
#include "models/recurrent/conflicts.h"
#include "models/recurrent/reading.h"

namespace models {

using layers::States;

Cho::Cho(const ModelOptions& o, const autograd::Params& p)
    : options_(o),
      scheme_(layers::scheme(o.initialiser)),
      dropout_{o.dropout, o.variational_dropout},
      words_(o, o.readout, p, scheme_),
      encoder_(p / "encoder", {o.cell, o.embedding, o.hidden, o.layers, false, o.residual}, scheme_),
      V_(p / "summary", o.hidden, o.hidden, scheme_.input(1)),
      V_prime_(p / "start", o.hidden, o.hidden, scheme_.input(1)),
      cell_(p / "decoder", o.cell, o.embedding, o.hidden, scheme_),
      C_((p / "decoder").declare("C", {o.hidden, cell_.gates()}, scheme_.input(cell_.gates() / o.hidden))),
      readout_(p / "readout", o.readout_kind, 2 * o.hidden + o.embedding, o.readout, scheme_) {}

// c = tanh(V h_S)
Memory Cho::encode(const Batch& batch, const Training* training) const {
  const Ids words = options_.reverse_source ? reversed(batch) : batch.source;
  const Var x = dropout_(words_.source(words), batch.size, randomness(training));  // (S*B, E)
  const auto h = encoder_(x, batch.source_lengths, dropout_, randomness(training));
  Memory memory = layers::blank_memory(batch.source_lengths, batch.source_steps);
  memory.summary = {tanh(V_(h.last_forward.back()[0]))};  // (B, H)
  return memory;
}

// h'_0 = tanh(V' c)
State Cho::start(const Memory& memory) const {
  return {cell_.start(tanh(V_prime_(memory.summary[0]))), each_sentence_once(memory)};
}

// h'_t = cell([E y_{t-1}; c], h'_{t-1})        p(y_t) = softmax(W readout(h'_t, c, E y_{t-1}))
Step Cho::step(const Ids& previous, const State& state, const Memory& memory) const {
  const Var y = words_.target(previous);                    // (R, E)
  const Var c = gather(memory.summary[0], state.sentence);  // (R, H)
  const States h = cell_.step(cell_.project(y) + matmul(c, C_), state.parts);
  return {words_.logits(readout_(h[0], c, y)), {h, state.sentence}, {}, {}};
}

Forced Cho::forced(const Batch& batch, const Training* training) const {
  const std::size_t B = batch.size, T = batch.target_steps;
  Random* const random = randomness(training);
  const Memory memory = encode(batch, training);
  const Var y = dropout_(words_.target(batch.target_in), B, random);    // (T*B, E)
  const Var yW = cell_.project(y), cC = matmul(memory.summary[0], C_);  // (T*B, gates)  (B, gates)
  States now = start(memory).parts;
  std::vector<Var> h;
  for (std::size_t t = 0; t < T; ++t) {
    now = cell_.step(at_step(yW, t, B) + cC, now);
    h.push_back(now[0]);
  }
  const Var c = concat(std::vector<Var>(T, memory.summary[0]), 0);        // (T*B, H)
  const Var written = dropout_(readout_(concat(h, 0), c, y), B, random);  // (T*B, l)
  return {words_.losses(written, batch.target_out, training), {}, {}};
}

Family cho() {
  Family f{.name = "encdec", .title = "one vector for a whole sentence", .attention = "none"};
  f.uses = recurrent_options({"attention", "summary", "reverse-source", "readout", "readout-kind"});
  f.chosen = [](const ModelOptions& o) { return o.summary == "every-step"; };
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_no_attention(o) +
           Conflicts{{o.layers > 1, "the decoder of Cho et al. has one layer; take summary once for deeper ones"}} +
           conflicts_of_depth(o) + conflicts_of_tie(o, "readout", o.readout);
  };
  f.make = make<Cho>;
  return f;
}

}  // namespace models
