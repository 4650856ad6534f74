// The Transformer's decoder without a source: Liu et al. 2018, "Generating Wikipedia by summarizing long sequences",
// section 4.2.3; Radford et al. 2018, "Improving language understanding by generative pre-training", eq. 2.
//
//   y_0 = sqrt(d) E[w] + P                        words and their places
//   y_l = block(y_{l-1})                          causal self-attention, feed-forward
//   p(y_t | y_<t) = softmax(W y_L)                W = E' if tied
//
// With pre-norm y_L passes one more layer norm (Xiong et al. 2020, table 1). Known words are processed all at once. In
// decoding, a KV cache stores the earlier steps (layers/attention/kv_cache.h).
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
    Var y;                            // (T, B, d) above them all
    std::vector<Var> self_attention;  // weights of each
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
