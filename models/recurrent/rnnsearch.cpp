#include "models/recurrent/rnnsearch.h"

#include <utility>

#include "autograd/ops/elementwise.h"
#include "models/decoder.h"
#include "models/encoder.h"
#include "models/family.h"
#include "models/recurrent/recurrent_options.h"

namespace softalign::models {

RNNsearch::RNNsearch(const ModelOptions& o, const autograd::Params& p)
    : from_both_ends_(o.initial_state == InitialState::both),
      bridging_(o.source_bridging),
      dropout_{o.dropout, o.variational_dropout},
      state_dropout_{o.state_dropout ? o.dropout : 0, o.variational_dropout},
      words_(make_embeddings(o, o.embedding, o.readout, p, layers::initialiser_config(*o.initialiser, o.hidden))),
      encoder_(make_encoder(o, Directions::both, words_.source, p / "encoder")),
      decoder_(o, words_.target, encoder_->width() + (bridging_ ? encoder_kind(o.encoder).embedding(o) : 0),
               summary_width(o), p) {}

Memory RNNsearch::read(const Batch& batch, const Training* training) const {
  Random* const random = randomness(training);
  const EncoderOutput h = (*encoder_)(batch, ReturnWeights::no, training);
  Var states = state_dropout_(h.states, random);  // h_j = [h->_j; h<-_j]
  if (bridging_) states = autograd::concat({states, dropout_(words_.source(batch.source, batch.size), random)}, 2);
  return decoder_.memory(batch.source_lengths, states, summary(h, batch.source_lengths));
}

Var RNNsearch::summary(const EncoderOutput& h, const std::vector<std::size_t>& lengths) const {
  if (h.backward.empty()) return mean_over_words(h.states, lengths);
  const Var& h_1 = h.backward.back().h;  // h<-_1 (B, H)
  return from_both_ends_ ? autograd::concat({h.forward.back().h, h_1}, 1) : h_1;
}

std::size_t RNNsearch::summary_width(const ModelOptions& o) const {
  if (!is_recurrent(o.encoder)) return encoder_->width();
  return o.hidden * (from_both_ends_ ? 2 : 1);
}

RNNsearchDecoder::RNNsearchDecoder(const ModelOptions& o, TargetEmbedding words, std::size_t D, std::size_t N,
                                   const autograd::Params& p)
    : query_word_(o.query_word),
      previous_state_(o.readout_state == ReadoutState::previous),
      initialiser_(layers::initialiser_config(*o.initialiser, o.hidden)),
      dropout_{o.dropout, o.variational_dropout},
      words_(std::move(words)),
      start_(p / "start", N, o.hidden, initialiser_.input(1)),
      cell_(p / "decoder", o.cell, o.embedding, o.hidden, initialiser_),
      attention_(p / "attention", attention_options(o, o.hidden + (o.query_word ? o.embedding : 0), D), initialiser_),
      readout_(p / "readout", o.readout_kind, o.hidden + D + o.embedding, o.readout, initialiser_),
      C_((p / "decoder").declare("C", {D, cell_.gates()}, initialiser_.input(cell_.gates() / o.hidden))) {}

Memory RNNsearchDecoder::memory(std::vector<std::size_t> lengths, const Var& states, const Var& summary) const {
  const Source source{attention_.memory(lengths, states), summary};
  return {std::move(lengths), source};
}

// s_0 = tanh(W_s h<-_1)
RNNsearchDecoder::Hidden RNNsearchDecoder::first(const Source& source) const {
  return {cell_.start(tanh(start_(source.summary))), attention_.start(source.h)};
}

State RNNsearchDecoder::start(const Memory& memory) const { return {first(memory.as<Source>()), each_once(memory)}; }

// c_i = attention(s_{i-1}, h)        s_i = cell([E y_{i-1}; c_i], s_{i-1})
// The query is [s_{i-1}; E y_{i-1}] by default, and s_{i-1} with --no-query-word.
RNNsearchDecoder::Next RNNsearchDecoder::advance(const Var& y, const Hidden& before, const layers::AttentionMemory& h,
                                                 const Ids& sentence) const {
  const Var query = query_word_ ? autograd::concat({before.s.h, y}, 1) : before.s.h;
  const auto [attended, attention] = attention_(query, h, sentence, before.attention);
  return {{cell_.step(cell_.read(y) + layers::Term{attended.context, C_}, before.s), attention}, attended};
}

// p(y_i) = softmax(W_o readout(s_i, c_i, E y_{i-1}))
Step RNNsearchDecoder::step(const Ids& previous, const State& state, const Memory& memory) const {
  const auto& before = state.as<Hidden>();
  const Var y = words_(previous);  // (R, E)
  const Next now = advance(y, before, memory.as<Source>().h, state.sentence);
  const Var s = previous_state_ ? before.s.h : now.hidden.s.h;
  return {words_.logits(readout_(s, now.attended.context, y)), {now.hidden, state.sentence}, weights_of(now.attended)};
}

// teacher_forced does the steps of `step` over known words. It computes the readout and the output layer after the
// loop, once for all steps.
TeacherForced RNNsearchDecoder::teacher_forced(const Memory& memory, const Targets& targets,
                                               const Training* training) const {
  const std::size_t B = memory.size();
  Random* const random = randomness(training);
  const auto& source = memory.as<Source>();
  const Ids sentence = each_once(memory);
  const Var y = dropout_(words_(targets.in, B), random);  // (T, B, E)

  Next now{first(source), {}};
  std::vector<Var> states, contexts;
  std::vector<BatchWeights> weights;
  for (std::size_t i = 0; i < targets.steps; ++i) {
    if (previous_state_) states.push_back(now.hidden.s.h);
    now = advance(at(y, i), now.hidden, source.h, sentence);
    if (!previous_state_) states.push_back(now.hidden.s.h);
    contexts.push_back(now.attended.context);
    weights.push_back(weights_of(now.attended));
  }
  const Var t = dropout_(readout_(stack(states), stack(contexts), y), random);  // (T, B, l)
  return {words_.losses(t, targets.out, training), concat(weights)};
}

std::unique_ptr<Decoder> RNNsearchDecoder::with_attention_hook(const AttentionHook& hook) const {
  auto changed = std::make_unique<RNNsearchDecoder>(*this);
  changed->attention_ = attention_.with_attention_hook(hook);
  return changed;
}

std::unique_ptr<Decoder> RNNsearchDecoder::with_words(const Ids& words) const {
  return with_only(*this, &RNNsearchDecoder::words_, words);
}

Family rnnsearch() {
  Family f{
      .name = "rnnsearch", .author = "bahdanau", .title = "Bahdanau et al.", .attention = layers::ScoreKind::additive};
  f.uses = attending_options({"encoder", "readout", "readout-kind", "readout-state", "initial-state", "query-word",
                              "source-bridging", "state-dropout"});
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_attention(o) +
           Conflicts{{o.attention == layers::ScoreKind::dot,
                      "attention dot needs a query and source states of the same size, and the source states of "
                      "rnnsearch are larger (two directions); use --attention general, or model luong"},
                     {o.source_bridging && reads_pictures(o),
                      "source-bridging needs source words, and the encoder reads pictures. Remove --source-bridging"}} +
           conflicts_of_depth(o) + conflicts_of_order(o, true) + conflicts_of_tie(o, "readout", o.readout) +
           conflicts_of_encoder(o, o.embedding);
  };
  f.initialiser = initialiser_by_score;
  f.make = make<RNNsearch>;
  return f;
}

}  // namespace softalign::models
