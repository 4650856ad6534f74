#include "models/language_models/recurrent_language_model.h"

#include "models/family.h"
#include "models/recurrent/recurrent_options.h"

namespace softalign::models {

RecurrentLanguageModel::RecurrentLanguageModel(const ModelOptions& o, const autograd::Params& p)
    : hidden_(o.hidden),
      layers_(o.layers),
      initialiser_(layers::initialiser_config(*o.initialiser, o.hidden)),
      decoder_(o, {target_embedding(o, o.embedding, p, initialiser_), o, o.hidden, p, initialiser_}, p) {}

// h_0 = 0
Memory RecurrentLanguageModel::read(const Batch& batch, const Training*) const {
  const std::vector<Var> h(layers_, autograd::constant(autograd::zeros({batch.size, hidden_})));
  return decoder_.memory(batch.source_lengths, decoder_.before(h));
}

Family recurrent_language_model() {
  Family f{.name = "rnn-lm", .author = "mikolov", .title = "language model", .attention = layers::ScoreKind::none};
  f.task = Task::language_model;
  f.uses = {"model", "cell",    "embedding",           "hidden",      "layers",           "residual",
            "tie",   "dropout", "variational-dropout", "initialiser", "target-vocabulary"};
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_no_source(o) + conflicts_of_no_attention(o) + conflicts_of_depth(o) +
           conflicts_of_tie(o, "hidden", o.hidden);
  };
  f.make = make<RecurrentLanguageModel>;
  return f;
}

}  // namespace softalign::models
