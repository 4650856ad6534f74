#include "models/recurrent/convolution_encoder.h"

#include <string>
#include <utility>

#include "autograd/ops/elementwise.h"
#include "models/decoder.h"
#include "models/transformer/transformer_stack.h"

namespace softalign::models {

namespace {

constexpr std::size_t neighbours = 3;  // kernel width: a word and the words next to it (section 4.3)

std::vector<layers::Convolution> convolutions(const ModelOptions& o, const autograd::Params& p,
                                              const layers::InitialiserConfig& init) {
  std::vector<layers::Convolution> all;
  for (std::size_t l = 0; l < o.layers; ++l)
    all.emplace_back(p / ("layer" + std::to_string(l)), neighbours, o.hidden, o.hidden, layers::Window::centred,
                     init.input(1));
  return all;
}

}  // namespace

ConvolutionEncoder::ConvolutionEncoder(const ModelOptions& o, layers::Embedding source, const autograd::Params& p,
                                       const layers::InitialiserConfig& init)
    : width_(o.hidden),
      dropout_{o.dropout, o.variational_dropout},
      source_(std::move(source)),
      positions_(p / "positions", *o.positions, o.known_positions, o.hidden, init.embedding, "source"),
      layers_(convolutions(o, p, init)) {}

EncoderOutput ConvolutionEncoder::operator()(const Batch& batch, ReturnWeights, const Training* training) const {
  Random* const random = randomness(training);
  Var x = dropout_(positions_(scaled(source_(batch.source, batch.size))), random);  // (S, B, d)
  for (const layers::Convolution& convolution : layers_)
    x = x + tanh(convolution(dropout_(x, random), batch.source_lengths));
  return {.states = x, .forward = {}, .backward = {}};
}

EncoderKind convolution_encoder() {
  EncoderKind k{.names = {"convolution"}, .uses = {"positions"}};
  k.defaults = {{"layers", "4"}, {"dropout", "0.1"}, {"lr", "0.003"}, {"warmup", "400"}};
  k.initialiser = layers::InitialiserKind::transformer;
  k.embedding = [](const ModelOptions& o) { return o.hidden; };
  k.conflicts = [](const ModelOptions& o) {
    return Conflicts{
        odd_sinusoids(o),
        {(o.positions == layers::PositionKind::rotary),
         "positions rotary needs queries and keys, and a convolution has none; use --positions sinusoidal or learned"}};
  };
  k.make = [](const ModelOptions& o, Directions, layers::Embedding source, const autograd::Params& p,
              const layers::InitialiserConfig& init) -> std::unique_ptr<Encoder> {
    return std::make_unique<ConvolutionEncoder>(o, std::move(source), p, init);
  };
  return k;
}

}  // namespace softalign::models
