// ModelOptions has all options that decide which model is built. The defaults are suitable for the toy corpus.
// named_options.cpp gives each option its name, help text and legal values. Family::uses (models/family.h) says which
// options a model uses. completed() (models/registry.h) sets the model's own defaults.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "autograd/names.h"
#include "layers/kinds.h"

namespace softalign::models {

// Tie says which layers share one table of word vectors. With `target`, the output layer and the target embedding share
// their table. With `all`, the source embedding shares this table, too.
enum class Tie { none, target, all };
constexpr auto names_of(Tie) {
  return autograd::names<Tie>({{"none", Tie::none}, {"target", Tie::target}, {"all", Tie::all}});
}

// For the model rnnsearch: the readout layer reads the decoder state s_i (current) or s_{i-1} (previous).
enum class ReadoutState { current, previous };
constexpr auto names_of(ReadoutState) {
  return autograd::names<ReadoutState>({{"current", ReadoutState::current}, {"previous", ReadoutState::previous}});
}

// For the model rnnsearch: the first decoder state s_0 is computed from the backward encoder's last state h<-_1, or
// from the last states of both directions.
enum class InitialState { backward, both };
constexpr auto names_of(InitialState) {
  return autograd::names<InitialState>({{"backward", InitialState::backward}, {"both", InitialState::both}});
}

// For the model encdec: one vector summarises the source. The decoder reads this vector once, or at every step.
enum class Summary { once, every_step };
constexpr auto names_of(Summary) {
  return autograd::names<Summary>({{"once", Summary::once}, {"every-step", Summary::every_step}});
}

// For the model lstmn: Fusion says how the decoder combines the attention to the source with the attention to the
// earlier states of the decoder.
enum class Fusion { shallow, deep };
constexpr auto names_of(Fusion) {
  return autograd::names<Fusion>({{"shallow", Fusion::shallow}, {"deep", Fusion::deep}});
}

// For the memory network: HopTying says which embedding tables the hops (attention steps) share.
enum class HopTying { adjacent, layer_wise };
constexpr auto names_of(HopTying) {
  return autograd::names<HopTying>({{"adjacent", HopTying::adjacent}, {"layer-wise", HopTying::layer_wise}});
}

// For the Transformer: alignments are computed from the attention weights, or from the norms of the weighted vectors
// (layers/transformer/norm_based_analysis.h).
enum class AlignmentBy { norms, weights };
constexpr auto names_of(AlignmentBy) {
  return autograd::names<AlignmentBy>({{"norms", AlignmentBy::norms}, {"weights", AlignmentBy::weights}});
}

struct ModelOptions {
  std::string model = "rnnsearch";
  layers::CellKind cell = layers::CellKind::lstm;
  std::string encoder;                // "": the model's default, see completed(); models/encoder.h lists the encoders
  std::size_t source_vocabulary = 0;  // V_x, set from the corpus
  std::size_t target_vocabulary = 0;  // V_y
  std::size_t embedding = 64;         // E, m in Bahdanau et al.
  std::size_t hidden = 128;           // H, n
  std::size_t layers = 1;
  bool residual = false;  // the input of each layer but the first is added to its output
  Tie tie = Tie::none;
  double dropout = 0.2;              // dropout of embeddings, between layers and before the output layer
  bool variational_dropout = false;  // one mask per sequence (Gal & Ghahramani 2016)
  std::optional<layers::InitialiserKind> initialiser;  // none: the model's default, see completed()

  // These options are for attention (layers/attention/).
  std::optional<layers::ScoreKind> attention;  // none: the model's default, see completed()
  layers::WindowKind attention_window = layers::WindowKind::global;
  std::size_t attention_size = 128;   // A, n': inner size of additive, concat and qkv
  double window = 10;                 // D: a local attention window has 2D + 1 words
  std::size_t known_positions = 101;  // L, positions (with </s>) of location scores and learned positions
  std::size_t heads = 1;              // K
  bool scale = false;                 // dot, general: divided by sqrt(H)
  bool coverage = false;
  bool hard_attention = false;  // show-attend-tell: true attends to one position, false to the mean of all positions

  // These options are for the models rnnsearch and encdec (of Cho et al. 2014).
  std::size_t readout = 64;                                        // l: size after maxout or tanh
  layers::ReadoutKind readout_kind = layers::ReadoutKind::maxout;  // Bahdanau et al. 2015, appendix A.2.2
  // These options are for the model rnnsearch.
  ReadoutState readout_state = ReadoutState::current;   // previous: as in appendix A.2.2
  InitialState initial_state = InitialState::backward;  // the paper's: s_0 = tanh(W_s h<-_1)
  bool query_word = true;                               // the query of the attention is [s_{i-1}; E y_{i-1}]
  bool source_bridging = false;                         // the attention reads [h_j; E x_j] (Kuang et al. 2018)
  bool state_dropout = false;                           // dropout of the encoder states h_j, too
  // These options are for the model luong.
  bool unidirectional = false;  // true in the paper
  bool input_feeding = true;
  // This option is for the model encdec, and for luong with a unidirectional encoder.
  bool reverse_source = false;      // Sutskever et al. 2014, section 3.3
  Summary summary = Summary::once;  // only for encdec. once: Sutskever et al. 2014; every step: Cho et al. 2014
  Fusion fusion = Fusion::shallow;  // only for the model lstmn
  // These options are for the model memory-network.
  std::size_t hops = 2;                     // number of times that the network attends to the story
  HopTying hop_tying = HopTying::adjacent;  // Sukhbaatar et al. 2015, section 2.2
  bool hop_relu = false;                    // Sukhbaatar et al. 2015, section 5: ReLU on half of the units
  // Only for the model decomposable: words attend to their own sentence first (Parikh et al. 2016, section 3.4).
  bool intra_sentence = false;
  // These options are for the encoder `picture`, which scales all pictures to this height and width.
  std::size_t picture_height = 24, picture_width = 24;
  // These options are for the model transformer, where d is `hidden`.
  layers::Norm norm = layers::Norm::pre;          // the paper uses post
  std::optional<layers::PositionKind> positions;  // none: the model's default, see completed()
  layers::SelfAttentionKind self_attention = layers::SelfAttentionKind::softmax;
  std::size_t feed_forward = 512;  // f
  AlignmentBy alignment_by = AlignmentBy::norms;
};

}  // namespace softalign::models
