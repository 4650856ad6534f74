#include "models/recurrent/sutskever.h"

#include <utility>

#include "models/decoder.h"
#include "models/family.h"
#include "models/recurrent/recurrent_options.h"

namespace softalign::models {

Sutskever::Sutskever(const ModelOptions& o, const autograd::Params& p)
    : initialiser_(layers::initialiser_config(*o.initialiser, o.hidden)),
      words_(make_embeddings(o, o.embedding, o.hidden, p, initialiser_)),
      encoder_(o, o.cell, Directions::forward, words_.source, p / "encoder", initialiser_),
      decoder_(o, words_.target, p) {}

Memory Sutskever::read(const Batch& batch, const Training* training) const {
  return decoder_.memory(batch.source_lengths, {encoder_(batch, ReturnWeights::no, training).forward});
}

SutskeverDecoder::SutskeverDecoder(const ModelOptions& o, TargetEmbedding words, const autograd::Params& p)
    : initialiser_(layers::initialiser_config(*o.initialiser, o.hidden)),
      dropout_{o.dropout, o.variational_dropout},
      words_(std::move(words)),
      stack_(p / "decoder", o.cell, o.embedding, o.hidden, o.layers, o.residual, initialiser_) {}

Memory SutskeverDecoder::memory(std::vector<std::size_t> lengths, layers::DecoderStack::State v) const {
  return {std::move(lengths), Hidden{std::move(v)}};
}

// h_0 = v
State SutskeverDecoder::start(const Memory& memory) const { return {memory.as<Hidden>(), each_once(memory)}; }

// p(y_t) = softmax(W h_t)
Step SutskeverDecoder::step(const Ids& previous, const State& state, const Memory&) const {
  const auto [h, stack] = stack_.step(stack_.read(words_(previous)), state.as<Hidden>().h);
  return {words_.logits(h), {Hidden{stack}, state.sentence}, {}};
}

TeacherForced SutskeverDecoder::teacher_forced(const Memory& memory, const Targets& targets,
                                               const Training* training) const {
  const std::size_t B = memory.size();
  Random* const random = randomness(training);
  const Var y = dropout_(words_(targets.in, B), random);  // (T, B, E)
  layers::DecoderStack::Step now{{}, memory.as<Hidden>().h};
  std::vector<Var> h;
  for (std::size_t t = 0; t < targets.steps; ++t) {
    now = stack_.step(stack_.read(at(y, t)), now.state, dropout_, random);
    h.push_back(now.h);
  }
  return {words_.losses(dropout_(stack(h), random), targets.out, training), {}};
}

std::unique_ptr<Decoder> SutskeverDecoder::with_words(const Ids& words) const {
  return with_only(*this, &SutskeverDecoder::words_, words);
}

Family sutskever() {
  Family f{.name = "encdec",
           .author = "sutskever",
           .title = "encoder-decoder without attention",
           .attention = layers::ScoreKind::none};
  f.uses = recurrent_options({"attention", "summary", "reverse-source"});
  f.chosen = [](const ModelOptions& o) { return o.summary != Summary::every_step; };
  f.choose = [](ModelOptions& o) { o.summary = Summary::once; };
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_no_attention(o) + conflicts_of_depth(o) + conflicts_of_tie(o, "hidden", o.hidden);
  };
  f.make = make<Sutskever>;
  return f;
}

}  // namespace softalign::models
