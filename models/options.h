// ModelOptions: everything that decides which model is built. The defaults train the toy corpus.
#pragma once

#include <cstddef>
#include <string>

namespace models {

struct ModelOptions {
  std::string model = "rnnsearch";
  std::string attention = "additive";
  std::string cell = "lstm";            // lstm | gru | gru-pytorch
  std::size_t source_vocabulary = 0;    // V_x, set from the corpus
  std::size_t target_vocabulary = 0;    // V_y
  std::size_t embedding = 64;           // E, m in Bahdanau et al.
  std::size_t hidden = 128;             // H, n
  std::size_t attention_size = 128;     // A, n'
  std::size_t readout = 64;             // l: size after maxout or tanh
  std::string readout_kind = "maxout";  // maxout (Bahdanau et al., appendix A.2.2) | tanh
  std::string start = "backward";    // s_0 from: backward (tanh(W_s h<-_1), the paper) | both (last of each direction)
  std::size_t layers = 1;            // depth of the encoder
  double dropout = 0.2;              // on embeddings, between layers and on the readout
  bool variational_dropout = false;  // one mask per sequence (Gal & Ghahramani 2016)
  std::string initialiser = "default";  // default | paper (Bahdanau et al., appendix B)
};

}  // namespace models
