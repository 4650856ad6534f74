// The factory: options -> model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/options.h"
#include "models/seq2seq.h"

namespace models {

const std::vector<std::string>& known_models();
const std::vector<std::string>& known_attentions();

// Declares the model's parameters in p. std::invalid_argument for an unknown name (the message lists the known ones)
// or a size of 0.
std::unique_ptr<Seq2Seq> make_model(const ModelOptions& options, const autograd::Params& p);

}  // namespace models
