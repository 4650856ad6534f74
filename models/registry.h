// The registry: options -> model. It lists all families of models (models/family.h) and finds the one that the options
// choose.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/family.h"
#include "models/options.h"
#include "models/seq2seq.h"
#include "models/task.h"

namespace softalign::models {

const std::vector<std::string>& known_models();  // the families' names, each once
std::vector<std::string> known_authors();

// For --help: "rnnsearch: Bahdanau et al.; .." and "additive for rnnsearch, ..".
std::string describe_models();
std::string describe_attentions();

// That of the chosen family; translation of an unknown model.
Task task_of(const ModelOptions& options);
// The family of that task that the options choose, or that is nearest to what they choose: transformer-lm for the
// transformer, and for what no language model is like. An unknown name stays as it is.
std::string model_for(Task task, const ModelOptions& options);
// Where no model is chosen; and all that fit, for messages: "transformer-lm, rnn-lm".
std::string default_model(Task task);
std::string models_of(Task task);

// The defaults of the chosen encoder and family, as config.json has them; {} of an unknown model.
std::string own_defaults(const ModelOptions& options);
// For --help, of an option for which families have one: "; transformer: 2". Language models have those of the family
// that they are like.
std::string describe_own_defaults(const std::string& option);
// The value that the one family takes which uses the option, if only one does and has a default of its own; or "".
std::string default_of_only_user(const std::string& option);

// The names of the options that change something about the model; the others do not.
std::vector<std::string> uses_of(const ModelOptions& options);

// Words that a sentence may have, </s> not counted: where places are a table (learned ones, self-attention by place) as
// many as it knows; else std::numeric_limits<std::size_t>::max().
std::size_t most_words(const ModelOptions& options);

// An author's name replaced by the model's, and what is left empty, encoder, attention, positions and initialiser,
// filled in as the family has it.
ModelOptions completed(ModelOptions o);

// Why no model can be built from these options: an unknown name (the known ones are listed), a size of 0, a combination
// that makes no sense, with the reason. "" if one can.
std::string problem_of(const ModelOptions& options);

// Declares the model's parameters in p. std::invalid_argument, saying the problem, if there is one.
std::unique_ptr<Seq2Seq> make_model(const ModelOptions& options, const autograd::Params& p);

// Numbers in the parameters of that model, none of which is made.
std::size_t count_parameters(const ModelOptions& options);

// Every family. A new one is entered here.
inline std::vector<Family> families() {
  return {rnnsearch(),
          luong(),
          sutskever(),
          cho(),
          cheng(),
          transformer(),
          show_attend_tell(),
          sukhbaatar(),
          hermann(),
          parikh(),
          transformer_language_model(),
          recurrent_language_model(),
          lstmn_language_model()};
}

}  // namespace softalign::models
