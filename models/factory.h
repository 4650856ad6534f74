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

// What is left empty, filled in as the model has it: rnnsearch additive attention, luong general, encdec none. Luong's
// unscaled dot and general begin with their paper's small weights: of the default size their scores would choose </s>
// at every step before anything is learned, and on real text keep to it. All else begins with the default ones.
ModelOptions completed(ModelOptions o);

// Why no model can be built from these options: an unknown name (the known ones are listed), a size of 0, a combination
// that makes no sense, with the reason. "" if one can.
std::string problem_of(const ModelOptions& options);

// Declares the model's parameters in p. std::invalid_argument, saying the problem, if there is one.
std::unique_ptr<Seq2Seq> make_model(const ModelOptions& options, const autograd::Params& p);

}  // namespace models
