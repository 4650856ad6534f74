// This language model is an LSTM that attends to its own earlier states: Cheng et al. 2016, "Long short-term
// memory-networks for machine reading", sections 3.2 and 5.1.
//
//   h_t = layer(E y_{t-1})                        layers/recurrent/lstmn.h
//   p(y_t | y_<t) = softmax(W h_t)
//
// E y_{t-1} is the embedding of the previous word, and h_t is the state of step t. W is the output matrix. If the model
// has several layers, each layer reads the states of the layer below and attends to its own earlier states. The stored
// state contains the earlier states of every layer, so it grows with each step.
#pragma once

#include <vector>

#include "layers/dense/dropout.h"
#include "layers/recurrent/lstmn.h"
#include "models/embeddings.h"
#include "models/language_models/language_model.h"

namespace softalign::models {

class LstmnDecoder : public Decoder {
 public:
  LstmnDecoder(const ModelOptions& options, const autograd::Params& p, const layers::InitialiserConfig& init);

  bool attends() const override { return false; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;
  std::vector<Heads> self_attention(const Targets& targets, std::size_t B) const;

 private:
  struct Hidden {
    std::vector<layers::Lstmn::Cache> layers;  // bottom first
    template <class Visit>
    void each(Visit&& visit) {
      visit("layers", layers);
    }
  };
  struct Layers {
    Var h;                                         // (T, B, H) states of the top layer
    std::vector<std::vector<Var>> self_attention;  // attention weights s_t of each layer
  };
  Layers read(const Targets& targets, std::size_t B, Random* random) const;
  // Returns what layer l passes to the layer above: its states h. With residual connections, layers above the first add
  // their input x.
  Var passed_up(std::size_t l, const Var& h, const Var& x) const { return residual_ && l > 0 ? h + x : h; }

  bool residual_;
  layers::Dropout dropout_;
  TargetEmbedding words_;
  std::vector<layers::Lstmn> layers_;
};

using LstmnLanguageModel = LanguageModel<LstmnDecoder>;

}  // namespace softalign::models
