// An Encoder reads a source and returns the vectors to which a decoder attends. This file lists all kinds of encoders;
// add a new kind here.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/corpus/batch.h"
#include "layers/attention/memory.h"
#include "layers/dense/embedding.h"
#include "layers/recurrent/cell.h"
#include "models/decoder.h"
#include "models/family.h"
#include "models/options.h"

namespace softalign::models {

using data::Batch;
using layers::ReturnWeights;

struct EncoderOutput {
  Var states;  // (S, B, D) one state per word, in the order of the words
  // These vectors have one last state per recurrent layer. `forward` has the states after the last word. `backward` has
  // the states after the first word, because the backward direction reads from right to left.
  std::vector<layers::Cell::State> forward, backward;
  std::vector<Heads> self_attention = {};  // self-attention of each layer, if the caller wants it
  Var cells = {};                          // (S, B, D) cells of the states, only from LSTMNs
};

class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual std::size_t width() const = 0;          // D
  virtual bool attends() const { return false; }  // true if the source words attend to each other
  virtual EncoderOutput operator()(const Batch& batch, ReturnWeights return_weights,
                                   const Training* training = nullptr) const = 0;
};

// Returns the self-attention weights of the source words. The result is empty if the encoder has no self-attention.
inline std::vector<Heads> self_attention_of(const Encoder& encoder, const Batch& batch) {
  return encoder.attends() ? encoder(batch, ReturnWeights::yes).self_attention : std::vector<Heads>{};
}

// Returns the mean of the states of each sentence, 1/|x| sum_j h_j, where |x| is the number of its words. `states` (S,
// B, D) has the states h_j of B sentences with at most S words. Decoders use the mean if the encoder has no last state.
Var mean_over_words(const Var& states, const std::vector<std::size_t>& lengths);

// A recurrent encoder reads in one direction, or in both. The states of both directions are concatenated or added.
enum class Directions { forward, both, added };

// EncoderKind describes a kind of encoder. Each kind is defined in its own file.
struct EncoderKind {
  std::vector<std::string> names{};  // --encoder NAME
  bool reads_words = true;           // false: it reads pictures
  bool recurrent = false;            // it reads word by word, so it has last states
  std::vector<std::string> uses{};   // names of options, in addition to those of every model
  std::vector<std::pair<std::string, std::string>>
      defaults{};  // defaults of options, if the model was made for another encoder
  layers::InitialiserKind initialiser = layers::InitialiserKind::standard;  // if the model was made for another encoder
  std::size_t (*embedding)(const ModelOptions&) = nullptr;  // E_x, the size of the word embeddings that it reads
  Conflicts (*conflicts)(const ModelOptions&) = nullptr;
  std::unique_ptr<Encoder> (*make)(const ModelOptions&, Directions, layers::Embedding source, const autograd::Params&,
                                   const layers::InitialiserConfig&) = nullptr;
};
EncoderKind recurrent_encoder();    // models/recurrent/recurrent_encoder.cpp
EncoderKind lstmn_encoder();        // models/recurrent/recurrent_encoder.cpp
EncoderKind convolution_encoder();  // models/recurrent/convolution_encoder.cpp
EncoderKind transformer_encoder();  // models/transformer/transformer.cpp
EncoderKind picture_encoder();      // models/pictures/picture_encoder.cpp

std::vector<std::string> known_encoders();
const EncoderKind& encoder_kind(const std::string& name);  // throws std::invalid_argument, which names the known kinds
bool is_recurrent(const std::string& name);
bool reads_pictures(const ModelOptions& options);

// Builds the encoder that the options name. `recurrent` says in which directions a recurrent encoder reads.
std::unique_ptr<Encoder> make_encoder(const ModelOptions& options, Directions recurrent, layers::Embedding source,
                                      const autograd::Params& p);
// Returns the initialiser of the encoder and of its embedding. If the model was made for the chosen kind of encoder,
// the model's initialiser is used. Otherwise, the encoder's own initialiser is used (EncoderKind::initialiser).
layers::InitialiserConfig encoder_initialiser(const ModelOptions& options);

// Returns the reasons why the options do not fit the chosen encoder. E is the size of the model's target embeddings.
Conflicts conflicts_of_encoder(const ModelOptions& options, std::size_t E);

}  // namespace softalign::models
