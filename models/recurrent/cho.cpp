#include "models/recurrent/cho.h"

#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "models/decoder.h"
#include "models/family.h"
#include "models/recurrent/recurrent_options.h"

namespace softalign::models {

Cho::Cho(const ModelOptions& o, const autograd::Params& p)
    : initialiser_(layers::initialiser_config(*o.initialiser, o.hidden)),
      words_(make_embeddings(o, o.embedding, o.readout, p, initialiser_)),
      encoder_(o, o.cell, Directions::forward, words_.source, p / "encoder", initialiser_),
      V_(p / "summary", o.hidden, o.hidden, initialiser_.input(1)),
      decoder_(o, words_.target, p) {}

// c = tanh(V h_S)
Memory Cho::read(const Batch& batch, const Training* training) const {
  const EncoderOutput h = encoder_(batch, ReturnWeights::no, training);
  return decoder_.memory(batch.source_lengths, tanh(V_(h.forward.back().h)));
}

ChoDecoder::ChoDecoder(const ModelOptions& o, TargetEmbedding words, const autograd::Params& p)
    : initialiser_(layers::initialiser_config(*o.initialiser, o.hidden)),
      dropout_{o.dropout, o.variational_dropout},
      words_(std::move(words)),
      V_prime_(p / "start", o.hidden, o.hidden, initialiser_.input(1)),
      cell_(p / "decoder", o.cell, o.embedding, o.hidden, initialiser_),
      C_((p / "decoder").declare("C", {o.hidden, cell_.gates()}, initialiser_.input(cell_.gates() / o.hidden))),
      readout_(p / "readout", o.readout_kind, 2 * o.hidden + o.embedding, o.readout, initialiser_) {}

Memory ChoDecoder::memory(std::vector<std::size_t> lengths, const Var& c) const {
  return {std::move(lengths), Source{c}};
}

// h'_0 = tanh(V' c)
State ChoDecoder::start(const Memory& memory) const {
  return {Hidden{cell_.start(tanh(V_prime_(memory.as<Source>().c)))}, each_once(memory)};
}

// h'_t = cell([E y_{t-1}; c], h'_{t-1})        p(y_t) = softmax(W readout(h'_t, c, E y_{t-1}))
Step ChoDecoder::step(const Ids& previous, const State& state, const Memory& memory) const {
  const Var y = words_(previous);                               // (R, E)
  const Var c = gather(memory.as<Source>().c, state.sentence);  // (R, H)
  const Hidden now{cell_.step(cell_.read(y) + layers::Term{c, C_}, state.as<Hidden>().h)};
  return {words_.logits(readout_(now.h.h, c, y)), {now, state.sentence}, {}};
}

TeacherForced ChoDecoder::teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const {
  const std::size_t B = memory.size();
  Random* const random = randomness(training);
  const Var& c = memory.as<Source>().c;
  const Var y = dropout_(words_(targets.in, B), random);  // (T, B, E)
  const Var yW = cell_.project(y), cC = matmul(c, C_);    // (T, B, gates)  (B, gates)
  layers::Cell::State now = cell_.start(tanh(V_prime_(c)));
  std::vector<Var> h;
  for (std::size_t t = 0; t < targets.steps; ++t) {
    now = cell_.step(at(yW, t) + cC, now);
    h.push_back(now.h);
  }
  const Var c_each = stack(std::vector<Var>(targets.steps, c));         // (T, B, H)
  const Var written = dropout_(readout_(stack(h), c_each, y), random);  // (T, B, l)
  return {words_.losses(written, targets.out, training), {}};
}

std::unique_ptr<Decoder> ChoDecoder::with_words(const Ids& words) const {
  return with_only(*this, &ChoDecoder::words_, words);
}

Family cho() {
  Family f{.name = "encdec",
           .author = "cho",
           .title = "encoder-decoder without attention",
           .attention = layers::ScoreKind::none};
  f.uses = recurrent_options({"attention", "summary", "reverse-source", "readout", "readout-kind"});
  f.chosen = [](const ModelOptions& o) { return o.summary == Summary::every_step; };
  f.choose = [](ModelOptions& o) { o.summary = Summary::every_step; };
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_no_attention(o) +
           Conflicts{
               {o.layers > 1, "summary every-step has only one decoder layer. For more layers, use --summary once"}} +
           conflicts_of_depth(o) + conflicts_of_tie(o, "readout", o.readout);
  };
  f.make = make<Cho>;
  return f;
}

}  // namespace softalign::models
