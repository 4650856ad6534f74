#include "models/pictures/picture_encoder.h"

#include <fmt/format.h>

#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "models/encoder.h"

namespace softalign::models {

namespace {

constexpr layers::Patch every_second{.size = 3, .stride = 2, .padding = 1}, every{3, 1, 1};

constexpr std::size_t most_cells = 64 * 64;  // a record has at most this many cells (data/alignment/record.h)

}  // namespace

Grid picture_cells(const Grid& pixels) { return grid_of(grid_of(pixels, every_second), every_second); }

PictureEncoder::PictureEncoder(const Options& o, const autograd::Params& p, const layers::InitialiserConfig& init)
    : options_(o),
      conv_1_(p / "conv_1", every_second, 3, o.first, init.input(1)),
      conv_2_(p / "conv_2", every_second, o.first, o.second, init.input(1)),
      conv_3_(p / "conv_3", every, o.second, o.D, init.input(1)),
      P_(p.declare("P", {picture_cells(o.pixels).cells(), 1, o.D}, layers::normal(0.3))) {}

Var PictureEncoder::operator()(const Var& pixels) const {
  const Grid half = grid_of(options_.pixels, every_second);
  const Var edges = relu(conv_1_(pixels, options_.pixels));
  const Var parts = relu(conv_2_(edges, half));
  return relu(conv_3_(parts, grid_of(half, every_second))) + P_;
}

EncoderOutput PictureEncoder::operator()(const Batch& batch, ReturnWeights, const Training*) const {
  if (batch.pictures.empty()) throw std::invalid_argument("encoder picture: the sources are words; pictures expected");
  const Grid& its = options_.pixels;
  autograd::Array pixels({its.cells(), batch.size, 3});
  for (std::size_t b = 0; b < batch.size; ++b) {
    const data::Picture& picture = *batch.pictures[b];
    if (Grid{picture.height, picture.width} != its)
      throw std::invalid_argument(fmt::format("encoder picture: a picture of {} x {} pixels; {} x {} expected",
                                              picture.height, picture.width, its.height, its.width));
    write_pixels(picture, b, pixels);
  }
  return {.states = (*this)(autograd::constant(pixels)), .forward = {}, .backward = {}};
}

EncoderKind picture_encoder() {
  EncoderKind k{.names = {"picture"}, .uses = {"picture-height", "picture-width"}};
  k.reads_words = false;
  k.initialiser = layers::InitialiserKind::standard;
  k.embedding = [](const ModelOptions& o) { return o.hidden; };
  k.conflicts = [](const ModelOptions& o) {
    const bool known = o.picture_height > 0 && o.picture_width > 0;
    const std::size_t cells = known ? picture_cells({o.picture_height, o.picture_width}).cells() : 0;
    return Conflicts{
        {cells > most_cells, fmt::format("pictures of {} x {} pixels have {} cells, but attention is limited to {} "
                                         "cells (256 x 256). Make the pictures smaller",
                                         o.picture_height, o.picture_width, cells, most_cells)},
        {o.tie == Tie::all, "tie all shares the source embedding, and pictures have no words. Use --tie target"},
        {o.reverse_source,
         "reverse-source has no effect, because pictures have no word order. Remove --reverse-source"},
        {o.attention_window != layers::WindowKind::global || o.attention == layers::ScoreKind::location,
         "pictures have no word order, so a local attention window or attention location is impossible; use "
         "attention-window global and another score"}};
  };
  k.make = [](const ModelOptions& o, Directions, layers::Embedding, const autograd::Params& p,
              const layers::InitialiserConfig& init) -> std::unique_ptr<Encoder> {
    return std::make_unique<PictureEncoder>(
        PictureEncoder::Options{.pixels = {o.picture_height, o.picture_width}, .D = o.hidden}, p, init);
  };
  return k;
}

}  // namespace softalign::models
