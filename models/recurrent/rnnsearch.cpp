#include "models/recurrent/rnnsearch.h"

#include "autograd/ops/elementwise.h"
#include "models/families.h"
#include "models/recurrent/attention_options.h"
#include "models/recurrent/conflicts.h"
#include "models/recurrent/reading.h"

namespace models {

using layers::States;

RNNsearch::RNNsearch(const ModelOptions& o, const autograd::Params& p)
    : options_(o),
      scheme_(layers::scheme(o.initialiser)),
      dropout_{o.dropout, o.variational_dropout},
      words_(o, o.readout, p, scheme_),
      encoder_(p / "encoder", {o.cell, o.embedding, o.hidden, o.layers, true, o.residual}, scheme_),
      start_(p / "start", o.hidden * (o.start == "both" ? 2 : 1), o.hidden, scheme_.input(1)),
      cell_(p / "decoder", o.cell, o.embedding, o.hidden, scheme_),
      attention_(p / "attention", attention_options(o, o.hidden + (o.query_word ? o.embedding : 0), encoder_.width()),
                 scheme_),
      readout_(p / "readout", o.readout_kind, o.hidden + encoder_.width() + o.embedding, o.readout, scheme_),
      C_((p / "decoder").declare("C", {encoder_.width(), cell_.gates()}, scheme_.input(cell_.gates() / o.hidden))) {}

Memory RNNsearch::encode(const Batch& batch, const Training* training) const {
  const Var x = dropout_(words_.source(batch.source), batch.size, randomness(training));  // (S*B, E)
  const auto h = encoder_(x, batch.source_lengths, dropout_, randomness(training));       // (S*B, D)
  Memory memory = layers::blank_memory(batch.source_lengths, batch.source_steps);
  memory.states = h.states;
  attention_.prepare(memory);
  memory.summary = {h.last_backward.back()[0]};  // h<-_1 (B, H)
  if (options_.start == "both") memory.summary = {autograd::concat({h.last_forward.back()[0], memory.summary[0]}, 1)};
  return memory;
}

// s_0 = tanh(W_s h<-_1)
RNNsearch::Moment RNNsearch::first(const Memory& memory) const {
  return {cell_.start(tanh(start_(memory.summary[0]))), attention_.start(memory), {}};
}

namespace {

// A state's parts: the cell's, the attention's.
State pack(const States& s, const States& carried, const Ids& sentence) {
  State state{s, sentence};
  state.parts.insert(state.parts.end(), carried.begin(), carried.end());
  return state;
}

}  // namespace

State RNNsearch::start(const Memory& memory) const {
  const Moment now = first(memory);
  return pack(now.s, now.carried, each_sentence_once(memory));
}

// c_i = attention(s_{i-1}, h)        s_i = cell([E y_{i-1}; c_i], s_{i-1})
RNNsearch::Moment RNNsearch::advance(const Var& y, const Var& yW, const Moment& before, const Memory& memory,
                                     const Ids& sentence) const {
  const Var query = options_.query_word ? autograd::concat({before.s[0], y}, 1) : before.s[0];
  const auto [glimpse, carried] = attention_(query, memory, sentence, before.carried);
  return {cell_.step(yW + matmul(glimpse.context, C_), before.s), carried, glimpse};
}

// p(y_i) = softmax(W_o readout(s_i, c_i, E y_{i-1}))
Step RNNsearch::step(const Ids& previous, const State& state, const Memory& memory) const {
  const auto cell_parts = state.parts.begin() + static_cast<std::ptrdiff_t>(cell_.parts());
  const Moment before{States(state.parts.begin(), cell_parts), States(cell_parts, state.parts.end()), {}};
  const Var y = words_.target(previous);  // (R, E)
  const Moment now = advance(y, cell_.project(y), before, memory, state.sentence);
  const Var s = options_.readout_state == "previous" ? before.s[0] : now.s[0];
  return {words_.logits(readout_(s, now.glimpse.context, y)), pack(now.s, now.carried, state.sentence),
          now.glimpse.weights, now.glimpse.heads};
}

// The same steps over known words: all projections of the words before the loop, readout and output after it.
Forced RNNsearch::forced(const Batch& batch, const Training* training) const {
  const std::size_t B = batch.size, T = batch.target_steps;
  Random* const random = randomness(training);
  const Memory memory = encode(batch, training);
  const Ids sentence = each_sentence_once(memory);
  const Var y = dropout_(words_.target(batch.target_in), B, random);  // (T*B, E)
  const Var yW = cell_.project(y);                                    // (T*B, gates)

  Moment now = first(memory);
  std::vector<Var> states, contexts;
  Forced forced;
  for (std::size_t i = 0; i < T; ++i) {
    if (options_.readout_state == "previous") states.push_back(now.s[0]);
    now = advance(at_step(y, i, B), at_step(yW, i, B), now, memory, sentence);
    if (options_.readout_state == "current") states.push_back(now.s[0]);
    contexts.push_back(now.glimpse.context);
    forced.attention.push_back(now.glimpse.weights);
    if (now.glimpse.heads.defined()) forced.heads.push_back(now.glimpse.heads);
  }
  const Var t = dropout_(readout_(concat(states, 0), concat(contexts, 0), y), B, random);  // (T*B, l)
  forced.losses = words_.losses(t, batch.target_out, training);
  return forced;
}

Family rnnsearch() {
  Family f{.name = "rnnsearch", .title = "Bahdanau et al.", .attention = "additive"};
  f.uses = attending_options({"readout", "readout-kind", "readout-state", "start", "query-word"});
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_attention(o) +
           Conflicts{{o.attention == "dot",
                      "dot compares numbers one by one, but rnnsearch asks with a state of one size and has source "
                      "states of another (both directions side by side); take general, or luong"}} +
           conflicts_of_depth(o) + conflicts_of_order(o, true) + conflicts_of_tie(o, "readout", o.readout);
  };
  f.make = make<RNNsearch>;
  return f;
}

}  // namespace models
