// RNNsearch is by Bahdanau, Cho & Bengio 2015, "Neural machine translation by jointly learning to align and translate".
//
//   h_j = [h->_j; h<-_j]                          bidirectional encoder                      section 3.2
//   s_0 = tanh(W_s h<-_1)                                                                   appendix A.1.2
//   c_i = attention(s_{i-1}, h)                   alpha_ij is the attention of y_i to x_j    section 3.1, eq. 5-6
//   s_i = cell([E y_{i-1}; c_i], s_{i-1})         LSTM by default, the paper's GRU by option  section 3.1
//   p(y_i) = softmax(W_o t_i)                     t_i = readout(s_i, c_i, E y_{i-1})         eq. 4, appendix A.1.2
//
// h_j is the encoder output of source word x_j: the states of a forward and a backward cell. s_i is the state of the
// decoder when it writes word y_i, and c_i is the context vector. E y_{i-1} is the embedding of the previous word. The
// readout is a layer before the output layer. W_s and W_o are learned.
//
// By default, the query of the attention is [s_{i-1}; E y_{i-1}], as in later versions of the authors' program
// GroundHog. With an option, the readout uses s_{i-1} instead of s_i, as in the appendix. An encoder output has the
// size D = 2H, where H is the size of a state. With other encoders, s_0 is computed from the mean of the encoder
// outputs. With source-side bridging (Kuang et al. 2018), h_j also contains the embedding of x_j.
#pragma once

#include "layers/attention/attention.h"
#include "layers/dense/dropout.h"
#include "layers/dense/linear.h"
#include "layers/dense/output.h"
#include "models/embeddings.h"
#include "models/encoder.h"
#include "models/seq2seq.h"

namespace softalign::models {

// RNNsearchDecoder computes everything after the encoder: s_0 and all steps. It can attend to any encoder outputs, for
// example the words of a sentence or the cells of a picture.
class RNNsearchDecoder : public Decoder {
 public:
  // D is the size of an encoder output h_j. N is the size of the vector from which the first state s_0 is computed.
  RNNsearchDecoder(const ModelOptions& options, TargetEmbedding words, std::size_t D, std::size_t N,
                   const autograd::Params& p);

  // Stores the encoder outputs `states` (S, B, D) of size D, for B sources with at most S words. The first state of the
  // decoder is computed from `summary`, which has one vector per source.
  Memory memory(std::vector<std::size_t> lengths, const Var& states, const Var& summary) const;

  bool attends() const override { return true; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;
  std::unique_ptr<Decoder> with_attention_hook(const AttentionHook& hook) const override;
  std::unique_ptr<Decoder> with_words(const Ids& words) const override;

 private:
  struct Source {
    layers::AttentionMemory h;  // encoder outputs and keys
    Var summary;
  };
  struct Hidden {
    layers::Cell::State s;
    layers::Attention::State attention;
    template <class Visit>
    void each(Visit&& visit) {
      visit("s", s), visit("attention", attention);
    }
  };
  struct Next {
    Hidden hidden;
    layers::AttentionOutput attended;
  };
  Hidden first(const Source& source) const;
  // Computes the state s_i and the context c_i of step i. The inputs are y, the embedding of the previous word, and
  // `before`, the results of step i-1.
  Next advance(const Var& y, const Hidden& before, const layers::AttentionMemory& h, const Ids& sentence) const;

  bool query_word_, previous_state_;  // the query contains y, too; the readout uses s_{i-1}
  layers::InitialiserConfig initialiser_;
  layers::Dropout dropout_;
  TargetEmbedding words_;
  layers::Linear start_;  // (N, H)
  layers::Cell cell_;     // E -> H
  layers::Attention attention_;
  layers::Readout readout_;
  Var C_;  // (D, gates) multiplies the context for the gates of the cell
};

class RNNsearch : public Seq2Seq {
 public:
  RNNsearch(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }
  std::vector<Heads> self_attention(const Batch& batch) const override { return self_attention_of(*encoder_, batch); }

 private:
  Memory read(const Batch& batch, const Training* training) const override;
  std::size_t summary_width(const ModelOptions& options) const;                        // N
  Var summary(const EncoderOutput& h, const std::vector<std::size_t>& lengths) const;  // (B, N)

  bool from_both_ends_, bridging_;  // s_0 from [h->_S; h<-_1]; the decoder reads [h_j; E x_j]
  layers::Dropout dropout_, state_dropout_;
  Embeddings words_;
  std::unique_ptr<Encoder> encoder_;
  RNNsearchDecoder decoder_;
};

}  // namespace softalign::models
