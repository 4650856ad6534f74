#include "models/pictures/show_attend_tell.h"

#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "layers/attention/hard_attention.h"
#include "models/decoder.h"
#include "models/encoder.h"
#include "models/family.h"

namespace softalign::models {

ShowAttendTell::ShowAttendTell(const ModelOptions& o, std::size_t D, const autograd::Params& p)
    : initialiser_(layers::initialiser_config(*o.initialiser, o.hidden)),
      dropout_{o.dropout, o.variational_dropout},
      words_(target_embedding(o, o.embedding, p, initialiser_), o, o.embedding, p, initialiser_),
      start_h_(p / "start" / "h", D, o.hidden, initialiser_.input(1)),
      start_c_(p / "start" / "c", D, o.hidden, initialiser_.input(1)),
      cell_(p / "decoder", layers::CellKind::lstm, o.embedding, o.hidden, initialiser_),
      attention_(p / "attention",
                 {.score = layers::ScoreKind::additive, .query = o.hidden, .memory = D, .size = o.attention_size},
                 initialiser_),
      gate_(p / "gate", o.hidden, 1, initialiser_.input(1)),
      C_((p / "decoder").declare("C", {D, cell_.gates()}, initialiser_.input(4))),
      L_h_((p / "output").declare("L_h", {o.hidden, o.embedding}, initialiser_.input(1))),
      L_z_((p / "output").declare("L_z", {D, o.embedding}, initialiser_.input(1))) {
  if (o.hard_attention)
    attention_ = attention_.with_attention_hook(layers::hard_attention_hook(layers::largest_places));
}

Memory ShowAttendTell::memory(const Var& a) const {
  std::vector<std::size_t> cells(a.dim(1), a.dim(0));
  const Source source{attention_.memory(cells, a), mean(a, {0})};
  return {std::move(cells), source};
}

// h_0, c_0 = tanh of affine maps of 1/N sum_i a_i
ShowAttendTell::Hidden ShowAttendTell::first(const Source& source) const {
  return {{tanh(start_h_(source.mean)), tanh(start_c_(source.mean))}, attention_.start(source.cells)};
}

State ShowAttendTell::start(const Memory& memory) const { return {first(memory.as<Source>()), each_once(memory)}; }

// z_t = beta_t sum_i alpha_ti a_i         h_t, c_t = LSTM([E y_{t-1}; z_t], h_{t-1}, c_{t-1})
ShowAttendTell::Next ShowAttendTell::advance(const Var& y, const Hidden& before, const layers::AttentionMemory& cells,
                                             const Ids& picture) const {
  const auto [attended, attention] = attention_(before.s.h, cells, picture, before.attention);
  const Var beta = sigmoid(gate_(before.s.h));
  const Var z = beta * attended.context;
  return {{cell_.step(cell_.read(y) + layers::Term{z, C_}, before.s), attention}, z, attended, beta};
}

Var ShowAttendTell::readout(const Var& y, const Var& h, const Var& z) const {
  return y + matmul(h, L_h_) + matmul(z, L_z_);
}

Step ShowAttendTell::step(const Ids& previous, const State& state, const Memory& memory) const {
  const Var y = words_(previous);  // (R, E)
  const Next now = advance(y, state.as<Hidden>(), memory.as<Source>().cells, state.sentence);
  return {words_.logits(readout(y, now.hidden.s.h, now.z)),
          {now.hidden, state.sentence},
          weights_of(now.attended, now.beta)};
}

// teacher_forced does the steps of `step` over known words. It computes the output layer after the loop, once for all
// steps.
TeacherForced ShowAttendTell::teacher_forced(const Memory& memory, const Targets& targets,
                                             const Training* training) const {
  const std::size_t B = memory.size();
  const auto& source = memory.as<Source>();
  const Ids picture = each_once(memory);
  const Var y = words_(targets.in, B);  // (T, B, E)

  Next now{first(source), {}, {}, {}};
  std::vector<Var> h, z;
  std::vector<BatchWeights> weights;
  for (std::size_t t = 0; t < targets.steps; ++t) {
    now = advance(at(y, t), now.hidden, source.cells, picture);
    h.push_back(now.hidden.s.h), z.push_back(now.z);
    weights.push_back(weights_of(now.attended, now.beta));
  }
  const Var out = dropout_(readout(y, stack(h), stack(z)), randomness(training));  // (T, B, E)
  return {words_.losses(out, targets.out, training), concat(weights)};
}

std::unique_ptr<Decoder> ShowAttendTell::with_attention_hook(const AttentionHook& hook) const {
  auto changed = std::make_unique<ShowAttendTell>(*this);
  changed->attention_ = attention_.with_attention_hook(hook);
  return changed;
}

Captioner::Captioner(const ModelOptions& o, const autograd::Params& p)
    : encoder_(make_encoder(o, Directions::both, {}, p / "encoder")), decoder_(o, encoder_->width(), p) {}

Memory Captioner::read(const Batch& batch, const Training* training) const {
  return decoder_.memory((*encoder_)(batch, ReturnWeights::no, training).states);
}

Family show_attend_tell() {
  Family f{.name = "show-attend-tell",
           .author = "xu",
           .title = "captions",
           .attention = layers::ScoreKind::additive,
           .encoder = "picture",
           .task = Task::captioning};
  f.uses = {"model",   "embedding",           "hidden",      "attention-size",   "hard-attention", "tie",
            "dropout", "variational-dropout", "initialiser", "target-vocabulary"};
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_own_attention(o, layers::ScoreKind::additive) + conflicts_of_encoder(o, o.hidden);
  };
  f.make = make<Captioner>;
  f.defaults = {{"embedding", "32"}, {"hidden", "96"},      {"attention-size", "64"},
                {"dropout", "0"},    {"epochs", "8"},       {"lr", "0.003"},
                {"warmup", "50"},    {"word-dropout", "0"}, {"label-smoothing", "0"}};
  return f;
}

}  // namespace softalign::models
