#include "models/recurrent/sutskever.h"

#include "models/families.h"
#include "models/recurrent/conflicts.h"
#include "models/recurrent/reading.h"

namespace models {

Sutskever::Sutskever(const ModelOptions& o, const autograd::Params& p)
    : options_(o),
      scheme_(layers::scheme(o.initialiser)),
      dropout_{o.dropout, o.variational_dropout},
      words_(o, o.hidden, p, scheme_),
      encoder_(p / "encoder", {o.cell, o.embedding, o.hidden, o.layers, false, o.residual}, scheme_),
      decoder_(p / "decoder", o.cell, o.embedding, o.hidden, o.layers, o.residual, scheme_) {}

Memory Sutskever::encode(const Batch& batch, const Training* training) const {
  const Ids words = options_.reverse_source ? reversed(batch) : batch.source;
  const Var x = dropout_(words_.source(words), batch.size, randomness(training));  // (S*B, E)
  Memory memory = layers::blank_memory(batch.source_lengths, batch.source_steps);
  for (const layers::States& last : encoder_(x, batch.source_lengths, dropout_, randomness(training)).last_forward)
    memory.summary.insert(memory.summary.end(), last.begin(), last.end());  // v, each (B, H)
  return memory;
}

// h_0 = v
State Sutskever::start(const Memory& memory) const { return {memory.summary, each_sentence_once(memory)}; }

// p(y_t) = softmax(W h_t)
Step Sutskever::step(const Ids& previous, const State& state, const Memory&) const {
  const auto [h, states] = decoder_.step(decoder_.project(words_.target(previous)), state.parts);
  return {words_.logits(h), {states, state.sentence}, {}, {}};
}

Forced Sutskever::forced(const Batch& batch, const Training* training) const {
  const std::size_t B = batch.size, T = batch.target_steps;
  Random* const random = randomness(training);
  const Var yW = decoder_.project(dropout_(words_.target(batch.target_in), B, random));  // (T*B, gates)
  layers::DecoderStack::Step now{{}, encode(batch, training).summary};
  std::vector<Var> h;
  for (std::size_t t = 0; t < T; ++t) {
    now = decoder_.step(at_step(yW, t, B), now.states, dropout_, random);
    h.push_back(now.h);
  }
  return {words_.losses(dropout_(concat(h, 0), B, random), batch.target_out, training), {}, {}};
}

// --model encdec with its default summary, once.
Family sutskever() {
  Family f{.name = "encdec", .title = "one vector for a whole sentence", .attention = "none"};
  f.uses = recurrent_options({"attention", "summary", "reverse-source"});
  f.chosen = [](const ModelOptions& o) { return o.summary != "every-step"; };
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_no_attention(o) + conflicts_of_depth(o) + conflicts_of_tie(o, "hidden", o.hidden);
  };
  f.make = make<Sutskever>;
  return f;
}

}  // namespace models
