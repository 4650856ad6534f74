// This file lists the kinds of layers that options choose from. Each kind has a name for options, files and messages.
#pragma once

#include "autograd/names.h"

namespace softalign::layers {

using autograd::all_names;
using autograd::name_of;
using autograd::names;
using autograd::value_named;

// CellKind says whether a recurrent cell is an LSTM, a GRU, or PyTorch's form of the GRU (layers/recurrent/cell.h).
enum class CellKind { lstm, gru, gru_pytorch };
constexpr auto names_of(CellKind) {
  return names<CellKind>({{"lstm", CellKind::lstm}, {"gru", CellKind::gru}, {"gru-pytorch", CellKind::gru_pytorch}});
}

// ScoreKind says how attention scores a source position for a query (layers/attention/attention.h). A model without
// attention has the kind `none`.
enum class ScoreKind { additive, concat, dot, general, location, qkv, none };
constexpr auto names_of(ScoreKind) {
  return names<ScoreKind>({{"additive", ScoreKind::additive},
                           {"concat", ScoreKind::concat},
                           {"dot", ScoreKind::dot},
                           {"general", ScoreKind::general},
                           {"location", ScoreKind::location},
                           {"qkv", ScoreKind::qkv},
                           {"none", ScoreKind::none}});
}

// WindowKind says which source positions a step may attend to (layers/attention/window.h).
enum class WindowKind { global, local_m, local_p };
constexpr auto names_of(WindowKind) {
  return names<WindowKind>(
      {{"global", WindowKind::global}, {"local-m", WindowKind::local_m}, {"local-p", WindowKind::local_p}});
}

// ReadoutKind says which function the readout layer applies to the sum of its inputs (layers/dense/output.h).
enum class ReadoutKind { maxout, tanh };
constexpr auto names_of(ReadoutKind) {
  return names<ReadoutKind>({{"maxout", ReadoutKind::maxout}, {"tanh", ReadoutKind::tanh}});
}

// The enum Norm says whether layer normalisation comes before or after a sub-layer (layers/dense/layer_norm.h).
enum class Norm { post, pre };
constexpr auto names_of(Norm) { return names<Norm>({{"pre", Norm::pre}, {"post", Norm::post}}); }

// PositionKind says how a Transformer encodes positions (layers/transformer/positions.h).
enum class PositionKind { sinusoidal, learned, none, rotary, concatenated };
constexpr auto names_of(PositionKind) {
  return names<PositionKind>({{"sinusoidal", PositionKind::sinusoidal},
                              {"learned", PositionKind::learned},
                              {"none", PositionKind::none},
                              {"rotary", PositionKind::rotary},
                              {"concatenated", PositionKind::concatenated}});
}

// SelfAttentionKind says how self-attention computes its weights (layers/transformer/self_attention.h).
enum class SelfAttentionKind { softmax, linear, delta, positional, factorized };
constexpr auto names_of(SelfAttentionKind) {
  return names<SelfAttentionKind>({{"softmax", SelfAttentionKind::softmax},
                                   {"linear", SelfAttentionKind::linear},
                                   {"delta", SelfAttentionKind::delta},
                                   {"positional", SelfAttentionKind::positional},
                                   {"factorized", SelfAttentionKind::factorized}});
}

// InitialiserKind names a set of functions for the initial values of parameters (layers/init.h).
enum class InitialiserKind { standard, paper, luong, transformer };
constexpr auto names_of(InitialiserKind) {
  return names<InitialiserKind>({{"default", InitialiserKind::standard},
                                 {"paper", InitialiserKind::paper},
                                 {"luong", InitialiserKind::luong},
                                 {"transformer", InitialiserKind::transformer}});
}

}  // namespace softalign::layers
