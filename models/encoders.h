// Every kind of encoder: the one list to enter a new one in. Each is defined in its own file.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "layers/dense/linear.h"
#include "models/encoder.h"
#include "models/registry.h"

namespace softalign::models {

// How a recurrent encoder goes through the words: one way, or both, whose states are added or stand beside each other.
enum class Directions { forward, both, added };

struct EncoderKind {
  std::vector<std::string> names{};  // --encoder NAME
  bool reads_words = true;           // else pictures
  bool recurrent = false;            // word by word, so that it has last states
  std::vector<std::string> uses{};   // names of options, besides those of every model
  std::vector<std::pair<std::string, std::string>>
      defaults{};                                           // where the model was made for another kind: as Family's
  std::string initialiser{};                                // the same
  std::size_t (*embedding)(const ModelOptions&) = nullptr;  // E_x, what it reads of a word
  Conflicts (*conflicts)(const ModelOptions&) = nullptr;
  std::unique_ptr<Encoder> (*make)(const ModelOptions&, Directions, layers::Embedding source, const autograd::Params&,
                                   const layers::Scheme&) = nullptr;
};
EncoderKind recurrent_encoder();    // models/recurrent/recurrent_encoder.cpp
EncoderKind lstmn_encoder();        // the same
EncoderKind convolution_encoder();  // models/recurrent/convolution_encoder.cpp
EncoderKind transformer_encoder();  // models/transformer/transformer_encoder.cpp
EncoderKind picture_encoder();      // models/pictures/picture_encoder.cpp

const std::vector<std::string>& known_encoders();
const EncoderKind& encoder_kind(const std::string& name);  // std::invalid_argument names the known ones
bool is_recurrent(const std::string& name);
bool reads_pictures(const ModelOptions& options);

// `recurrent`: how a recurrent one goes through the words.
std::unique_ptr<Encoder> make_encoder(const ModelOptions& options, Directions recurrent, layers::Embedding source,
                                      const autograd::Params& p);
// How the encoder and the table of its words begin: as the model does, or as its kind where the model was made for
// another one.
layers::Scheme encoder_scheme(const ModelOptions& options);

// What does not fit the chosen encoder. E: the size of the model's target words.
Conflicts conflicts_of_encoder(const ModelOptions& options, std::size_t E);

}  // namespace softalign::models
