#include "models/rnnsearch.h"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "autograd/fused/output_cross_entropy.h"
#include "autograd/ops/elementwise.h"

namespace models {

using autograd::deferred;
using layers::Glimpse;
using layers::States;

namespace {

bool from_both_ends(const std::string& start) {
  if (start == "backward" || start == "both") return start == "both";
  throw std::invalid_argument(fmt::format("unknown start '{}'; known are: backward, both", start));
}

Random* randomness(const Training* training) { return training ? &training->random : nullptr; }

}  // namespace

RNNsearch::RNNsearch(const ModelOptions& o, const autograd::Params& p)
    : options_(o),
      scheme_(layers::scheme(o.initialiser)),
      dropout_{o.dropout, o.variational_dropout},
      source_embedding_(p / "source", o.source_vocabulary, o.embedding, scheme_.embedding),
      target_embedding_(p / "target", o.target_vocabulary, o.embedding, scheme_.embedding),
      encoder_(p / "encoder", {o.cell, o.embedding, o.hidden, o.layers, true}, scheme_),
      start_(p / "start", o.hidden * (from_both_ends(o.start) ? 2 : 1), o.hidden, scheme_.input(1)),
      decoder_{{p / "decoder", o.cell, o.embedding, o.hidden, scheme_},
               {},
               {p / "attention", o.hidden, encoder_.width(), o.attention_size, scheme_}},
      readout_(p / "readout", o.readout_kind, o.hidden + encoder_.width() + o.embedding, o.readout, scheme_),
      output_(p / "output", o.readout, o.target_vocabulary, scheme_.input(1)) {
  const std::size_t gates = decoder_.cell.gates();
  decoder_.C = (p / "decoder").declare("C", {encoder_.width(), gates}, scheme_.input(gates / o.hidden));
}

Memory RNNsearch::encode(const Batch& batch, const Training* training) const {
  const Var x = dropout_(source_embedding_(batch.source), batch.size, randomness(training));           // (S*B, E)
  const auto h = encoder_(x, batch.source_lengths, dropout_, randomness(training));                    // (S*B, D)
  Memory memory;
  memory.sentences = batch.size;
  memory.steps = batch.source_steps;
  memory.states = h.states;
  memory.keys = decoder_.attention.keys(h.states);                                                     // (S*B, A)
  memory.mask = layers::length_mask(batch.source_lengths, batch.source_steps);                         // (B, S)
  memory.summary = h.last_backward.back()[0];                                                          // h<-_1 (B, H)
  if (from_both_ends(options_.start)) memory.summary = autograd::concat({h.last_forward.back()[0], memory.summary}, 1);
  return memory;
}

// s_0 = tanh(W_s h<-_1)
State RNNsearch::start(const Memory& memory) const {
  Ids sentence(memory.sentences);
  std::iota(sentence.begin(), sentence.end(), 0);
  return {decoder_.cell.start(tanh(start_(memory.summary))), sentence};
}

// c_i = attention(s_{i-1}, h)        s_i = cell([E y_{i-1}; c_i], s_{i-1})
RNNsearch::Moment RNNsearch::advance(const Decoder& d, const Var& yW, const States& s, const Memory& memory,
                                     const Ids& sentence) {
  const Glimpse g = d.attention(s[0], memory, sentence);
  return {d.cell.step(yW + matmul(g.context, d.C), s), g};
}

// p(y_i) = softmax(W_o readout(s_i, c_i, E y_{i-1}))
Step RNNsearch::step(const Ids& previous, const State& state, const Memory& memory) const {
  const Var y = target_embedding_(previous);                                                           // (R, E)
  const auto [s, g] = advance(decoder_, decoder_.cell.project(y), state.parts, memory, state.sentence);
  return {output_(readout_(s[0], g.context, y)), {s, state.sentence}, g.weights, {}};
}

// The same steps over known words: all projections of the words before the loop, readout and output after it.
Forced RNNsearch::forced(const Batch& batch, const Training* training) const {
  const std::size_t B = batch.size, T = batch.target_steps;
  Random* const random = randomness(training);
  const Memory memory = encode(batch, training);
  const State first = start(memory);
  const Var y = dropout_(target_embedding_(batch.target_in), B, random);                               // (T*B, E)
  const Var yW = decoder_.cell.project(y);                                                             // (T*B, gates)
  const Decoder decoder = decoder_.for_time_loop();

  Moment now{first.parts, {}};
  std::vector<Var> states, contexts, attention;
  for (std::size_t i = 0; i < T; ++i) {
    now = advance(decoder, slice(yW, 0, i * B, (i + 1) * B), now.s, memory, first.sentence);
    states.push_back(now.s[0]);
    contexts.push_back(now.glimpse.context);
    attention.push_back(now.glimpse.weights);
  }
  const Var t = dropout_(readout_(concat(states, 0), concat(contexts, 0), y), B, random);              // (T*B, l)
  const Real smoothing = training ? training->label_smoothing : 0;
  return {output_cross_entropy(t, output_.W, output_.b, batch.target_out, smoothing, data::pad_id), attention, {}};
}

RNNsearch::Decoder RNNsearch::Decoder::for_time_loop() const {
  return {cell.for_time_loop(), deferred(C), attention.for_time_loop()};
}

}  // namespace models
