#include "models/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "data/io/choice.h"
#include "layers/padding.h"

namespace softalign::models {

Var mean_over_words(const Var& states, const std::vector<std::size_t>& lengths) {
  const std::size_t B = lengths.size();
  autograd::Array weight = layers::word_mask(states.dim(0), lengths);  // (S, B, 1)
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] /= static_cast<Real>(lengths[i % B]);
  return sum(states * autograd::constant(std::move(weight)), {0});
}

namespace {

const std::vector<EncoderKind>& all() {
  static const std::vector<EncoderKind> kinds{recurrent_encoder(), lstmn_encoder(), convolution_encoder(),
                                              transformer_encoder(), picture_encoder()};
  return kinds;
}

// find_kind returns nullptr if no encoder has the name.
const EncoderKind* find_kind(const std::string& name) {
  for (const EncoderKind& k : all())
    if (std::find(k.names.begin(), k.names.end(), name) != k.names.end()) return &k;
  return nullptr;
}

}  // namespace

std::vector<std::string> known_encoders() {
  std::vector<std::string> known;
  for (const EncoderKind& kind : all()) known.insert(known.end(), kind.names.begin(), kind.names.end());
  return known;
}

const EncoderKind& encoder_kind(const std::string& name) {
  if (const EncoderKind* kind = find_kind(name)) return *kind;
  throw std::invalid_argument(data::unknown_name("encoder", name, known_encoders()));
}

bool is_recurrent(const std::string& name) {
  const EncoderKind* kind = find_kind(name);
  return kind != nullptr && kind->recurrent;
}

bool reads_pictures(const ModelOptions& o) {
  const EncoderKind* kind = find_kind(o.encoder);
  return kind != nullptr && !kind->reads_words;
}

std::unique_ptr<Encoder> make_encoder(const ModelOptions& o, Directions recurrent, layers::Embedding source,
                                      const autograd::Params& p) {
  return encoder_kind(o.encoder).make(o, recurrent, std::move(source), p, encoder_initialiser(o));
}

layers::InitialiserConfig encoder_initialiser(const ModelOptions& o) {
  const std::string& made_for = family_of(o).encoder;
  const bool own = made_for.empty() ? is_recurrent(o.encoder) : made_for == o.encoder;
  return layers::initialiser_config(own ? *o.initialiser : encoder_kind(o.encoder).initialiser, o.hidden);
}

Conflicts conflicts_of_encoder(const ModelOptions& o, std::size_t E) {
  const EncoderKind& kind = encoder_kind(o.encoder);
  const std::size_t own = kind.embedding(o);
  return kind.conflicts(o) + Conflicts{{o.tie == Tie::all && own != E,
                                        fmt::format("tie all: the encoder reads word vectors with {} numbers, but the "
                                                    "decoder reads {}. Make hidden and embedding equal",
                                                    own, E)}};
}

}  // namespace softalign::models
