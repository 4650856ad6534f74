// This file lists the kinds of layers that options choose from. Each kind has a name for options, files and messages.
#pragma once

#include "autograd/names.h"

namespace softalign::layers {

using autograd::all_names;
using autograd::name_of;
using autograd::names;
using autograd::value_named;

// A recurrent cell has one of these kinds, which layers/recurrent/cell.h implements.
enum class CellKind { lstm, gru, gru_pytorch };
constexpr auto names_of(CellKind) {
  return names<CellKind>({{"lstm", CellKind::lstm}, {"gru", CellKind::gru}, {"gru-pytorch", CellKind::gru_pytorch}});
}

// An attention score has one of these kinds, which layers/attention/attention.h implements. A model without attention
// has the kind `none`.
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

// An attention window has one of these kinds, which layers/attention/window.h implements.
enum class WindowKind { global, local_m, local_p };
constexpr auto names_of(WindowKind) {
  return names<WindowKind>(
      {{"global", WindowKind::global}, {"local-m", WindowKind::local_m}, {"local-p", WindowKind::local_p}});
}

// A readout layer has one of these kinds, which layers/dense/output.h implements.
enum class ReadoutKind { maxout, tanh };
constexpr auto names_of(ReadoutKind) {
  return names<ReadoutKind>({{"maxout", ReadoutKind::maxout}, {"tanh", ReadoutKind::tanh}});
}

// Layer normalisation comes after or before a sub-layer (layers/dense/layer_norm.h).
enum class Norm { post, pre };
constexpr auto names_of(Norm) { return names<Norm>({{"pre", Norm::pre}, {"post", Norm::post}}); }

// A Transformer adds positions in one of these ways (layers/transformer/positions.h). An older name of `rotary` is
// `relative`.
enum class PositionKind { sinusoidal, learned, none, rotary, concatenated };
constexpr auto names_of(PositionKind) {
  return names<PositionKind>({{"sinusoidal", PositionKind::sinusoidal},
                              {"learned", PositionKind::learned},
                              {"none", PositionKind::none},
                              {"rotary", PositionKind::rotary},
                              {"concatenated", PositionKind::concatenated},
                              {"relative", PositionKind::rotary}});
}

// Self-attention has one of these kinds, which layers/transformer/self_attention.h implements.
enum class SelfAttentionKind { softmax, linear, delta, positional, factorized };
constexpr auto names_of(SelfAttentionKind) {
  return names<SelfAttentionKind>({{"softmax", SelfAttentionKind::softmax},
                                   {"linear", SelfAttentionKind::linear},
                                   {"delta", SelfAttentionKind::delta},
                                   {"positional", SelfAttentionKind::positional},
                                   {"factorized", SelfAttentionKind::factorized}});
}

// Parameters are initialised in one of these ways, which layers/init.h implements.
enum class InitialiserKind { standard, paper, luong, transformer };
constexpr auto names_of(InitialiserKind) {
  return names<InitialiserKind>({{"default", InitialiserKind::standard},
                                 {"paper", InitialiserKind::paper},
                                 {"luong", InitialiserKind::luong},
                                 {"transformer", InitialiserKind::transformer}});
}

}  // namespace softalign::layers
