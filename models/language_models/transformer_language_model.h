// This language model is the Transformer's decoder without a source: Liu et al. 2018, "Generating Wikipedia by
// summarizing long sequences", section 4.2.3; Radford et al. 2018, "Improving language understanding by generative
// pre-training", eq. 2.
//
//   y_0 = sqrt(d) E[w] + P                        words and their positions
//   y_l = block(y_{l-1})                          causal self-attention, feed-forward
//   p(y_t | y_<t) = softmax(W y_L)                W = E' if tied
//
// E[w] are the embeddings of the words w, d is their size, and P are position vectors. y_l is the output of layer l,
// and L is the number of layers. W is the output matrix; if embeddings are tied, W is the transposed table E.
//
// With pre-norm, one more layer norm follows the last layer (Xiong et al. 2020, table 1). The model processes all known
// words in parallel. When it generates words, a KV cache stores the keys and values of the earlier steps
// (layers/attention/kv_cache.h).
#pragma once

#include <optional>
#include <vector>

#include "layers/transformer/block.h"
#include "layers/transformer/positions.h"
#include "models/embeddings.h"
#include "models/language_models/language_model.h"

namespace softalign::models {

class DecoderOnlyTransformer : public Decoder {
 public:
  DecoderOnlyTransformer(const ModelOptions& options, const autograd::Params& p, const layers::InitialiserConfig& init);

  bool attends() const override { return false; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;
  std::vector<Heads> self_attention(const Targets& targets, std::size_t B) const;

 private:
  struct Layers {
    Var y;                            // (T, B, d) output of the last layer
    std::vector<Var> self_attention;  // attention weights of each layer
  };
  Layers read(const Targets& targets, std::size_t B, layers::ReturnWeights return_weights, Random* random) const;
  Var output(const Var& y) const { return last_ ? (*last_)(y) : y; }

  layers::Dropout dropout_;
  std::size_t known_positions_;
  TargetEmbedding words_;
  layers::Positions positions_;
  std::vector<layers::EncoderBlock> blocks_;
  std::optional<layers::LayerNorm> last_;  // pre-norm only
};

using TransformerLanguageModel = LanguageModel<DecoderOnlyTransformer>;

}  // namespace softalign::models
