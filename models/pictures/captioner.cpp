#include "models/pictures/captioner.h"

#include "models/encoders.h"
#include "models/families.h"

namespace softalign::models {

Captioner::Captioner(const ModelOptions& o, const autograd::Params& p)
    : encoder_(make_encoder(o, Directions::both, {}, p / "encoder")), decoder_(o, encoder_->width(), p) {}

Memory Captioner::read(const Batch& batch, const Training* training) const {
  return decoder_.memory((*encoder_)(batch, Wanted::context, training).states);
}

Family show_attend_tell() {
  Family f{.name = "show-attend-tell",
           .author = "xu",
           .title = "captions",
           .attention = "additive",
           .encoder = "picture",
           .task = "captioning"};
  f.uses = {"model",   "embedding",           "hidden",      "attention-size",   "look", "tie",
            "dropout", "variational-dropout", "initialiser", "target-vocabulary"};
  f.conflicts = [](const ModelOptions& o) { return conflicts_of_own_attention(o) + conflicts_of_encoder(o, o.hidden); };
  f.make = make<Captioner>;
  f.defaults = {{"embedding", "32"}, {"hidden", "96"},      {"attention-size", "64"},
                {"dropout", "0"},    {"epochs", "8"},       {"lr", "0.003"},
                {"warmup", "50"},    {"word-dropout", "0"}, {"label-smoothing", "0"}};
  return f;
}

}  // namespace softalign::models
