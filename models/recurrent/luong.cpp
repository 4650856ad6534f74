#include "models/recurrent/luong.h"

#include "autograd/ops/elementwise.h"
#include "models/families.h"
#include "models/recurrent/attention_options.h"
#include "models/recurrent/conflicts.h"
#include "models/recurrent/reading.h"

namespace models {

using layers::States;

Luong::Luong(const ModelOptions& o, const autograd::Params& p)
    : options_(o),
      scheme_(layers::scheme(o.initialiser)),
      dropout_{o.dropout, o.variational_dropout},
      words_(o, o.hidden, p, scheme_),
      encoder_(p / "encoder", {o.cell, o.embedding, o.hidden, o.layers, o.encoder == "bidirectional", o.residual, true},
               scheme_),
      stack_(p / "decoder", o.cell, o.embedding, o.hidden, o.layers, o.residual, scheme_),
      attention_(p / "attention", attention_options(o, o.hidden, encoder_.width()), scheme_),
      W_c_((p / "attention").declare("W_c", {encoder_.width() + o.hidden, o.hidden}, scheme_.input(1))) {
  const std::size_t gates = stack_.gates();
  if (o.input_feeding) F_ = (p / "decoder").declare("F", {o.hidden, gates}, scheme_.input(gates / o.hidden));
}

Memory Luong::encode(const Batch& batch, const Training* training) const {
  const Ids words = options_.reverse_source ? reversed(batch) : batch.source;
  const Var x = dropout_(words_.source(words), batch.size, randomness(training));    // (S*B, E)
  const auto h = encoder_(x, batch.source_lengths, dropout_, randomness(training));  // (S*B, H)
  Memory memory = layers::blank_memory(batch.source_lengths, batch.source_steps);
  memory.states = options_.reverse_source ? back_in_order(h.states, batch) : h.states;
  attention_.prepare(memory);
  for (std::size_t l = 0; l < options_.layers; ++l) {
    States last = h.last_forward[l];
    for (std::size_t k = 0; k < last.size() && !h.last_backward.empty(); ++k) last[k] = last[k] + h.last_backward[l][k];
    memory.summary.insert(memory.summary.end(), last.begin(), last.end());
  }
  return memory;
}

Luong::Moment Luong::first(const Memory& memory) const {
  return {memory.summary,
          autograd::constant(autograd::zeros({memory.sentences, options_.hidden})),
          attention_.start(memory),
          {}};
}

namespace {

// A state's parts: the stack's, h~, the attention's.
State pack(const States& s, const Var& fed, const States& carried, const Ids& sentence) {
  State state{s, sentence};
  state.parts.push_back(fed);
  state.parts.insert(state.parts.end(), carried.begin(), carried.end());
  return state;
}

}  // namespace

State Luong::start(const Memory& memory) const {
  const Moment now = first(memory);
  return pack(now.s, now.fed, now.carried, each_sentence_once(memory));
}

// h_t = stack([E y_{t-1}; h~_{t-1}])    c_t = attention(h_t, h_bar)    h~_t = tanh(W_c [c_t; h_t])
Luong::Moment Luong::advance(const Var& yW, const Moment& before, const Memory& memory, const Ids& sentence,
                             Random* random) const {
  Var xW = F_.defined() ? yW + matmul(before.fed, F_) : yW;
  const auto [h, s] = stack_.step(std::move(xW), before.s, dropout_, random);
  const auto [glimpse, carried] = attention_(h, memory, sentence, before.carried);
  return {s, tanh(matmul(autograd::concat({glimpse.context, h}, 1), W_c_)), carried, glimpse};
}

// p(y_t) = softmax(W_s h~_t)
Step Luong::step(const Ids& previous, const State& state, const Memory& memory) const {
  const auto fed = state.parts.begin() + static_cast<std::ptrdiff_t>(stack_.parts());
  const Moment before{States(state.parts.begin(), fed), *fed, States(fed + 1, state.parts.end()), {}};
  const Var yW = stack_.project(words_.target(previous));  // (R, gates)
  const Moment now = advance(yW, before, memory, state.sentence, nullptr);
  return {words_.logits(now.fed), pack(now.s, now.fed, now.carried, state.sentence), now.glimpse.weights,
          now.glimpse.heads};
}

// The same steps over known words: all projections of the words before the loop, the output layer after it.
Forced Luong::forced(const Batch& batch, const Training* training) const {
  const std::size_t B = batch.size, T = batch.target_steps;
  Random* const random = randomness(training);
  const Memory memory = encode(batch, training);
  const Ids sentence = each_sentence_once(memory);
  const Var y = dropout_(words_.target(batch.target_in), B, random);  // (T*B, E)
  const Var yW = stack_.project(y);                                   // (T*B, gates)

  Moment now = first(memory);
  std::vector<Var> written;
  Forced forced;
  for (std::size_t t = 0; t < T; ++t) {
    now = advance(at_step(yW, t, B), now, memory, sentence, random);
    written.push_back(now.fed);
    forced.attention.push_back(now.glimpse.weights);
    if (now.glimpse.heads.defined()) forced.heads.push_back(now.glimpse.heads);
  }
  forced.losses = words_.losses(dropout_(concat(written, 0), B, random), batch.target_out, training);  // (T*B)
  return forced;
}

Family luong() {
  Family f{.name = "luong", .title = "Luong et al.", .attention = "general"};
  f.uses = attending_options({"encoder", "input-feeding", "reverse-source"});
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_attention(o) + conflicts_of_depth(o) + conflicts_of_order(o, o.encoder == "bidirectional") +
           conflicts_of_tie(o, "hidden", o.hidden);
  };
  // Unscaled dot and general begin with the paper's small weights: of the default size their scores would choose </s>
  // at every step before anything is learned, and on real text keep to it.
  f.initialiser = [](const ModelOptions& o) -> std::string {
    return !o.scale && (o.attention == "dot" || o.attention == "general") ? "luong" : "default";
  };
  f.make = make<Luong>;
  return f;
}

}  // namespace models
