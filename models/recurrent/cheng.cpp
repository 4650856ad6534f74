#include "models/recurrent/cheng.h"

#include <fmt/format.h>

#include <utility>

#include "layers/recurrent/lstmn.h"
#include "models/decoder.h"
#include "models/encoder.h"
#include "models/recurrent/recurrent_options.h"
#include "models/registry.h"

namespace softalign::models {

Cheng::Cheng(const ModelOptions& o, const autograd::Params& p)
    : scheme_(layers::scheme(o.initialiser)),
      words_(word_tables(o, o.embedding, o.hidden, p, scheme_)),
      encoder_(make_encoder(o, Directions::added, words_.source, p / "encoder")),
      decoder_(o, words_.target, encoder_->width(), p) {}

Memory Cheng::read(const Batch& batch, const Training* training) const {
  const EncoderOutput read = (*encoder_)(batch, Wanted::context, training);
  return decoder_.memory(batch.source_lengths, read.states, read.cells);
}

std::vector<Heads> Cheng::self_attention(const Batch& batch) const {
  EncoderOutput read = (*encoder_)(batch, Wanted::weights);
  read.looks.push_back(
      decoder_.self_attention(decoder_.memory(batch.source_lengths, read.states, read.cells), targets(batch)));
  return read.looks;
}

ChengDecoder::ChengDecoder(const ModelOptions& o, TargetWords words, std::size_t D, const autograd::Params& p)
    : width_(D),
      scheme_(layers::scheme(o.initialiser)),
      dropout_{o.dropout, o.variational_dropout},
      words_(std::move(words)),
      lstmn_(p / "decoder", o.embedding, o.hidden, o.attention_size, scheme_),
      attention_(p / "attention", attention_options(o, o.embedding + D, D), scheme_) {
  if (o.fusion == "deep") deep_.emplace(p / "fusion", D, o.embedding, o.hidden, scheme_);
  else C_ = (p / "decoder").declare("C", {D, 4 * o.hidden}, scheme_.input(4));
}

Memory ChengDecoder::memory(std::vector<std::size_t> lengths, const Var& gamma, const Var& alpha) const {
  layers::Memory source = attention_.memory(lengths, gamma);
  if (deep_) source.values = autograd::concat({gamma, alpha}, 2);  // [gamma_j; alpha_j]
  return {std::move(lengths), source};
}

ChengDecoder::Hidden ChengDecoder::first(const Memory& memory) const {
  return {lstmn_.start(memory.size()), autograd::constant(autograd::zeros({memory.size(), width_})),
          attention_.start(memory.as<layers::Memory>())};
}

State ChengDecoder::start(const Memory& memory) const { return {first(memory), each_once(memory)}; }

ChengDecoder::Next ChengDecoder::advance(const Var& x, const layers::Lstmn::Asked& asked, const Hidden& before,
                                         const layers::Memory& source, const Ids& sentence) const {
  const auto [attended, attention] =
      attention_(autograd::concat({x, before.gamma}, 1), source, sentence, before.attention);
  const Var gamma = slice(attended.context, 1, 0, width_);  // gamma~_t
  const layers::Lstmn::Look look = lstmn_.look(asked, before.past);
  layers::LSTMState now;
  if (deep_) {
    const Var alpha = slice(attended.context, 1, width_, attended.context.dim(1));  // alpha~_t
    now = (*deep_)(asked.gates + matmul(look.h_tilde, lstmn_.cell.U), look.c_tilde, gamma, alpha, x);
  } else {
    now = lstmn_.cell.step({asked.gates, {{gamma, C_}}}, {look.h_tilde, look.c_tilde});
  }
  return {{lstmn_.kept(before.past, look, now), gamma, attention}, now.h, look.weights, attended};
}

// p(y_t) = softmax(W h_t)
Step ChengDecoder::step(const Ids& previous, const State& state, const Memory& memory) const {
  const Var x = words_(previous);  // (R, E)
  const Next now = advance(x, lstmn_.ask(x), state.as<Hidden>(), memory.as<layers::Memory>(), state.sentence);
  return {words_.logits(now.h), {now.hidden, state.sentence}, weights_of(now.attended)};
}

std::vector<ChengDecoder::Next> ChengDecoder::read(const Memory& memory, const Targets& targets, Random* random) const {
  const Ids sentence = each_once(memory);
  const Var x = dropout_(words_(targets.in, memory.size()), random);  // (T, B, E)
  const layers::Lstmn::Asked asked = lstmn_.ask(x);
  std::vector<Next> steps;
  for (std::size_t t = 0; t < targets.steps; ++t)
    steps.push_back(advance(at(x, t), {at(asked.gates, t), at(asked.query, t)},
                            t == 0 ? first(memory) : steps.back().hidden, memory.as<layers::Memory>(), sentence));
  return steps;
}

// The same steps over known words; the output layer after them.
Forced ChengDecoder::forced(const Memory& memory, const Targets& targets, const Training* training) const {
  Random* const random = randomness(training);
  std::vector<Var> h;
  std::vector<Weights> weights;
  for (const Next& now : read(memory, targets, random)) {
    h.push_back(now.h);
    weights.push_back(weights_of(now.attended));
  }
  return {words_.losses(dropout_(stack(h), random), targets.out, training), concat(weights)};
}

Heads ChengDecoder::self_attention(const Memory& memory, const Targets& targets) const {
  std::vector<Var> looks;
  for (const Next& now : read(memory, targets, nullptr))
    if (now.look.defined()) looks.push_back(now.look);
  return {0, "decoder-self", layers::looks(looks, autograd::all_rows(targets.in.size()), memory.size())};
}

std::unique_ptr<Decoder> ChengDecoder::reweighted(const Reweight& change) const {
  auto changed = std::make_unique<ChengDecoder>(*this);
  changed->attention_ = attention_.reweighted(change);
  return changed;
}

std::unique_ptr<Decoder> ChengDecoder::with_words(const Ids& words) const {
  return with_only(*this, &ChengDecoder::words_, words);
}

Family cheng() {
  Family f{.name = "lstmn", .title = "Cheng et al.", .attention = "additive", .encoder = "lstmn"};
  f.uses = attending_options({"encoder", "fusion"});
  std::erase(f.uses, "cell");  // an LSTM's
  f.conflicts = [](const ModelOptions& o) {
    const bool deep = o.fusion == "deep";
    return conflicts_of_attention(o) + conflicts_of_depth(o) + conflicts_of_order(o, true) +
           conflicts_of_tie(o, "hidden", o.hidden) + conflicts_of_encoder(o, o.embedding) +
           Conflicts{{o.attention == "dot",
                      "dot compares numbers one by one, but lstmn asks with a word and what it saw before, which are "
                      "more numbers than a source state has; take general, or luong"},
                     {deep && o.encoder != "lstmn",
                      fmt::format("deep fusion takes the cells that the source was read with, and encoder {} leaves "
                                  "none; take lstmn, or fusion shallow",
                                  o.encoder)},
                     {deep && o.attention == "qkv",
                      "deep fusion averages cells as they are, and qkv projects what it averages; take additive or "
                      "general, or fusion shallow"}};
  };
  f.initialiser = initialiser_by_score;
  f.make = make<Cheng>;
  return f;
}

}  // namespace softalign::models
