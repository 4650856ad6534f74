// The registry maps options to a model. It lists all families of models (models/family.h) and finds the one that the
// options choose.
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

const std::vector<std::string>& known_models();  // returns each family's name once
std::vector<std::string> known_authors();

// These return text for --help: "rnnsearch: Bahdanau et al.; .." and "additive for rnnsearch, ..".
std::string describe_models();
std::string describe_attentions();

// Returns the task of the chosen family. For an unknown model, it returns translation.
Task task_of(const ModelOptions& options);
// Returns the family for this task that the options choose. If the options choose a family of another task, it returns
// the most similar family. For example, transformer becomes transformer-lm, and so does a family without a similar
// language model. An unknown name stays unchanged.
std::string model_for(Task task, const ModelOptions& options);
// default_model returns the default model of a task. models_of returns a list of all its models, for messages:
// "transformer-lm, rnn-lm".
std::string default_model(Task task);
std::string models_of(Task task);

// Returns the defaults of the chosen encoder and family in the form of config.json. For an unknown model, it returns
// {}.
std::string own_defaults(const ModelOptions& options);
// Returns text for --help about the families that have their own default of an option: "; 2 for transformer".
// A language model has the default of its similar family.
std::string describe_own_defaults(const std::string& option);
// Returns the default of an option if only one family uses this option and has its own default for it. Otherwise, it
// returns "".
std::string default_of_only_user(const std::string& option);

// Returns the names of the options that affect the model.
std::vector<std::string> uses_of(const ModelOptions& options);

// Returns the largest number of words that a sentence may have, without </s>. A table of positions (learned positions,
// positional attention) limits this number. Without such a table, it is std::numeric_limits<std::size_t>::max().
std::size_t most_words(const ModelOptions& options);

// Replaces an author's name by the model's name, and sets empty options (encoder, attention, positions and initialiser)
// to the defaults of the family.
ModelOptions completed(ModelOptions o);

// Returns why no model can be built from these options, or "" if one can be built. The problem may be an unknown name
// (the text lists the known ones), a size of 0, or options that do not fit together (the text gives the reason).
std::string problem_of(const ModelOptions& options);

// Builds the model and declares its parameters in p. Throws std::invalid_argument with the text of problem_of if no
// model can be built.
std::unique_ptr<Seq2Seq> make_model(const ModelOptions& options, const autograd::Params& p);

// Returns the number of the model's parameters without building the model.
std::size_t count_parameters(const ModelOptions& options);

// Returns every family. Add a new family here.
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
