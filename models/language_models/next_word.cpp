#include "models/language_models/next_word.h"

namespace softalign::models {

namespace {

using AnyLayer = std::variant<layers::Cell, layers::Lstmn>;

AnyLayer make_layer(const NextWord::Options& o, const autograd::Params& p, const layers::InitialiserConfig& init) {
  if (o.layer == NextWord::Layer::lstm) return layers::Cell(p, layers::CellKind::lstm, o.embedding, o.hidden, init);
  return layers::Lstmn(p, o.embedding, o.hidden, o.attention_size, init);
}

}  // namespace

NextWord::NextWord(const Options& o, const autograd::Params& p)
    : words_(p / "words", o.words, o.embedding, layers::normal(1)),
      layer_(make_layer(o, p / "layer", initialiser_)),
      output_(p / "output", o.hidden, o.words, initialiser_.input(1)) {}

NextWord::Output NextWord::operator()(const Ids& words, std::size_t B) const {
  const Var x = words_(words, B);  // (T, B, E)
  if (const auto* lstmn = std::get_if<layers::Lstmn>(&layer_)) {
    const layers::Lstmn::Sequence read = lstmn->run(x);
    return {output_(read.h), read.weights};
  }
  const std::vector<std::size_t> lengths(B, x.dim(0));
  return {output_(std::get<layers::Cell>(layer_).run(x, lengths, autograd::Direction::forward).h), {}};
}

}  // namespace softalign::models
