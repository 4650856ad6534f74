// An Encoder reads a source and returns what decoders attend to. This file also lists all kinds of encoders; add a new
// one here. docs/notation.md explains the letters.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/corpus/batch.h"
#include "layers/attention/memory.h"
#include "layers/dense/linear.h"
#include "layers/recurrent/cell.h"
#include "models/decoder.h"
#include "models/family.h"
#include "models/options.h"

namespace softalign::models {

using data::Batch;
using layers::ReturnWeights;

struct EncoderOutput {
  Var states;                                          // (S, B, D) one for each word, in the words' order
  std::vector<layers::Cell::State> forward, backward;  // of each recurrent layer, after the last word and at the first
  std::vector<Heads> self_attention = {};              // self-attention of each layer, if the caller wants it
  Var cells = {};                                      // (S, B, D) cells of the states, only from LSTMNs
};

class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual std::size_t width() const = 0;          // D
  virtual bool attends() const { return false; }  // whether the source's words attend to each other
  virtual EncoderOutput operator()(const Batch& batch, ReturnWeights return_weights,
                                   const Training* training = nullptr) const = 0;
};

// Returns the self-attention of the source's words. It is empty if the encoder has none.
inline std::vector<Heads> self_attention_of(const Encoder& encoder, const Batch& batch) {
  return encoder.attends() ? encoder(batch, ReturnWeights::yes).self_attention : std::vector<Heads>{};
}

// Returns 1/|x| sum_j h_j, the summary of a sentence without a last state: states (S, B, D) -> (B, D)
Var mean_over_words(const Var& states, const std::vector<std::size_t>& lengths);

// A recurrent encoder has one direction, or both with their states added or concatenated.
enum class Directions { forward, both, added };

// EncoderKind describes a kind of encoder. Each kind is defined in its own file.
struct EncoderKind {
  std::vector<std::string> names{};  // --encoder NAME
  bool reads_words = true;           // false: it reads pictures
  bool recurrent = false;            // it reads word by word, so it has last states
  std::vector<std::string> uses{};   // names of options, in addition to those of every model
  std::vector<std::pair<std::string, std::string>>
      defaults{};  // where the model was made for another kind: as Family's
  layers::InitialiserKind initialiser = layers::InitialiserKind::standard;  // the same
  std::size_t (*embedding)(const ModelOptions&) = nullptr;  // E_x, the size of the word embeddings that it reads
  Conflicts (*conflicts)(const ModelOptions&) = nullptr;
  std::unique_ptr<Encoder> (*make)(const ModelOptions&, Directions, layers::Embedding source, const autograd::Params&,
                                   const layers::InitialiserConfig&) = nullptr;
};
EncoderKind recurrent_encoder();    // models/recurrent/recurrent_encoder.cpp
EncoderKind lstmn_encoder();        // the same
EncoderKind convolution_encoder();  // models/recurrent/convolution_encoder.cpp
EncoderKind transformer_encoder();  // models/transformer/transformer.cpp
EncoderKind picture_encoder();      // models/pictures/picture_encoder.cpp

const std::vector<std::string>& known_encoders();
const EncoderKind& encoder_kind(const std::string& name);  // std::invalid_argument names the known ones
bool is_recurrent(const std::string& name);
bool reads_pictures(const ModelOptions& options);

// `recurrent` says which directions a recurrent encoder has.
std::unique_ptr<Encoder> make_encoder(const ModelOptions& options, Directions recurrent, layers::Embedding source,
                                      const autograd::Params& p);
// Returns the initialiser of the encoder and its embedding. It is the model's initialiser, or that of the encoder's
// kind if the model is usually combined with another encoder.
layers::InitialiserConfig encoder_initialiser(const ModelOptions& options);

// Returns why the options do not fit the chosen encoder. E is the size of the model's target embeddings.
Conflicts conflicts_of_encoder(const ModelOptions& options, std::size_t E);

}  // namespace softalign::models
