// ModelOptions: everything that decides which model is built. The defaults train the toy corpus.
#pragma once

#include <cstddef>
#include <string>

#include "models/option_table.h"

namespace softalign::models {

struct ModelOptions {
  std::string model = "rnnsearch";
  std::string cell = "lstm";          // gru is that of Cho et al. 2014
  std::string encoder;                // "": the model's own, see completed(). models/encoder.h
  std::size_t source_vocabulary = 0;  // V_x, set from the corpus
  std::size_t target_vocabulary = 0;  // V_y
  std::size_t embedding = 64;         // E, m in Bahdanau et al.
  std::size_t hidden = 128;           // H, n
  std::size_t layers = 1;
  bool residual = false;             // h_l + h_{l-1} goes up from each layer but the first
  std::string tie = "none";          // target: output = target embedding; all: = source embedding too
  double dropout = 0.2;              // on embeddings, between layers and before the output layer
  bool variational_dropout = false;  // one mask per sequence (Gal & Ghahramani 2016)
  std::string initialiser;           // "": the model's own, see completed(). layers/init.h

  // Attention (layers/attention/).
  std::string attention;                    // "": the model's own, see completed()
  std::string attention_window = "global";  // layers/attention/window.h
  std::size_t attention_size = 128;         // A, n': inner size of additive, concat and qkv
  double window = 10;                       // D of the local attention windows: 2D + 1 words
  std::size_t known_positions = 101;  // L, positions that location, learned positions and places know, </s> counted
  std::size_t heads = 1;              // K
  bool scale = false;                 // dot, general: divided by sqrt(H)
  bool coverage = false;
  bool hard_attention = false;  // show-attend-tell: to one place; soft attention is to the mean of all places

  // rnnsearch and Cho's encdec.
  std::size_t readout = 64;             // l: size after maxout or tanh
  std::string readout_kind = "maxout";  // Bahdanau et al. 2015, appendix A.2.2
  // rnnsearch.
  std::string readout_state = "current";   // previous: as in appendix A.2.2
  std::string initial_state = "backward";  // s_0 = tanh(W_s h<-_1), the paper's; both: from the last of each direction
  bool query_word = true;                  // the attention asks with [s_{i-1}; E y_{i-1}]
  // luong.
  bool unidirectional = false;  // true is the paper's
  bool input_feeding = true;
  // luong with a unidirectional encoder, and encdec.
  bool reverse_source = false;  // Sutskever et al. 2014, section 3.3
  // encdec.
  std::string summary = "once";  // once: Sutskever et al. 2014; every-step: Cho et al. 2014
  // lstmn.
  std::string fusion = "shallow";  // of what it finds in the source with its own past; or deep
  // memory-network.
  std::size_t hops = 2;  // hops over the story
  // decomposable.
  bool intra_sentence = false;  // words attend to their own sentence first: Parikh et al. 2016, section 3.4
  // encoder picture: the size that pictures are brought to.
  std::size_t picture_height = 24, picture_width = 24;
  // transformer; d is `hidden`.
  std::string norm = "pre";                // post is the paper's
  std::string positions;                   // "": the model's own, see completed(). layers/transformer/positions.h
  std::string self_attention = "softmax";  // layers/transformer/self_attention.h
  std::size_t feed_forward = 512;          // f
  std::string alignment_by = "norms";      // layers/transformer/norm_based_analysis.h; or weights
};

// All of them by name, with what --help says of each and its legal values: the only place that lists these.
Table table(ModelOptions& options);

}  // namespace softalign::models
