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

// The task of the chosen family; translation for an unknown model.
Task task_of(const ModelOptions& options);
// The family of that task which the options choose, or the most similar one. For example, transformer is replaced by
// transformer-lm, and so is a family without a similar language model. An unknown name stays unchanged.
std::string model_for(Task task, const ModelOptions& options);
// The default model of a task, and a list of all models that fit, for messages: "transformer-lm, rnn-lm".
std::string default_model(Task task);
std::string models_of(Task task);

// The defaults of the chosen encoder and family, as config.json has them; {} of an unknown model.
std::string own_defaults(const ModelOptions& options);
// Text for --help about defaults of an option in single families: "; transformer: 2". A language model has the default
// of its similar family.
std::string describe_own_defaults(const std::string& option);
// The default of an option in the only family that uses it, if there is one such family with its own default; otherwise
// "".
std::string default_of_only_user(const std::string& option);

// The names of the options that affect the model.
std::vector<std::string> uses_of(const ModelOptions& options);

// The largest number of words of a sentence, without </s>. A table of positions (learned positions, positional
// attention) limits it; otherwise it is std::numeric_limits<std::size_t>::max().
std::size_t most_words(const ModelOptions& options);

// Replaces an author's name by the model's name, and sets empty options (encoder, attention, positions and initialiser)
// to the defaults of the family.
ModelOptions completed(ModelOptions o);

// Returns why no model can be built from these options: an unknown name (with a list of known ones), a size of 0, or a
// combination that makes no sense (with the reason). It is "" if a model can be built.
std::string problem_of(const ModelOptions& options);

// Declares the model's parameters in p. std::invalid_argument, saying the problem, if there is one.
std::unique_ptr<Seq2Seq> make_model(const ModelOptions& options, const autograd::Params& p);

// The number of parameters of that model, which is not built.
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
