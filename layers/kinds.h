// This file lists the kinds of layers that options choose from, with their names.
#pragma once

#include "autograd/names.h"

namespace softalign::layers {

using autograd::all_names;
using autograd::name_of;
using autograd::names;
using autograd::value_named;

// layers/recurrent/cell.h implements these.
enum class CellKind { lstm, gru, gru_pytorch };
constexpr auto names_of(CellKind) {
  return names<CellKind>({{"lstm", CellKind::lstm}, {"gru", CellKind::gru}, {"gru-pytorch", CellKind::gru_pytorch}});
}

// layers/attention/attention.h implements these. A model without attention has none.
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

// layers/attention/window.h implements these.
enum class WindowKind { global, local_m, local_p };
constexpr auto names_of(WindowKind) {
  return names<WindowKind>(
      {{"global", WindowKind::global}, {"local-m", WindowKind::local_m}, {"local-p", WindowKind::local_p}});
}

// layers/dense/output.h implements these.
enum class ReadoutKind { maxout, tanh };
constexpr auto names_of(ReadoutKind) {
  return names<ReadoutKind>({{"maxout", ReadoutKind::maxout}, {"tanh", ReadoutKind::tanh}});
}

// layers/dense/layer_norm.h implements these.
enum class Norm { post, pre };
constexpr auto names_of(Norm) { return names<Norm>({{"pre", Norm::pre}, {"post", Norm::post}}); }

// layers/transformer/positions.h implements these. An older name of rotary is relative.
enum class PositionKind { sinusoidal, learned, none, rotary, concatenated };
constexpr auto names_of(PositionKind) {
  return names<PositionKind>({{"sinusoidal", PositionKind::sinusoidal},
                              {"learned", PositionKind::learned},
                              {"none", PositionKind::none},
                              {"rotary", PositionKind::rotary},
                              {"concatenated", PositionKind::concatenated},
                              {"relative", PositionKind::rotary}});
}

// layers/transformer/self_attention.h implements these.
enum class SelfAttentionKind { softmax, linear, delta, positional, factorized };
constexpr auto names_of(SelfAttentionKind) {
  return names<SelfAttentionKind>({{"softmax", SelfAttentionKind::softmax},
                                   {"linear", SelfAttentionKind::linear},
                                   {"delta", SelfAttentionKind::delta},
                                   {"positional", SelfAttentionKind::positional},
                                   {"factorized", SelfAttentionKind::factorized}});
}

// layers/init.h implements these.
enum class InitialiserKind { standard, paper, luong, transformer };
constexpr auto names_of(InitialiserKind) {
  return names<InitialiserKind>({{"default", InitialiserKind::standard},
                                 {"paper", InitialiserKind::paper},
                                 {"luong", InitialiserKind::luong},
                                 {"transformer", InitialiserKind::transformer}});
}

}  // namespace softalign::layers
