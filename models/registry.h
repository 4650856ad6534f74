// The registry builds the model that the options name. models/families.h finds its family (kind of model).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/families.h"
#include "models/options.h"
#include "models/seq2seq.h"
#include "models/task.h"

namespace softalign::models {

// Returns the task of the model that the options choose, or translation if the model is unknown.
Task task_of(const ModelOptions& options);
// Returns the name of the model that the options choose. If this model cannot do `task`, returns the most similar model
// that can: for example transformer-lm for transformer, if the task is language modelling. If no model is similar,
// returns the default model of the task. Returns an unknown name unchanged.
std::string model_for(Task task, const ModelOptions& options);
// default_model returns the default model of a task. models_of returns the names of all models of a task, for messages:
// "transformer-lm, rnn-lm".
std::string default_model(Task task);
std::string models_of(Task task);

// Some encoders and models have their own defaults of options. Returns the own defaults of the chosen encoder and
// model, in the form of config.json. Returns {} if the model is unknown.
std::string own_defaults(const ModelOptions& options);

// Returns the names of the options that affect the model.
std::vector<std::string> uses_of(const ModelOptions& options);

// Returns the largest number of words that a sentence may have, without </s>. A table of positions limits this number,
// for example the table of learned positions. If the model has no such table, there is no limit, and the function
// returns std::numeric_limits<std::size_t>::max().
std::size_t most_words(const ModelOptions& options);

// Replaces an author's name with the model's name, for example bahdanau with rnnsearch. Sets options without a value
// (encoder, attention, positions and initialiser) to the defaults of the model.
ModelOptions completed(ModelOptions o);

// Returns the reason why no model can be built from these options, or "" if one can be built. For an unknown name, the
// text lists the known names. Other reasons are a size of 0, and options that do not fit together.
std::string problem_of(const ModelOptions& options);

// Builds the model and creates its parameters in p. Throws std::invalid_argument with the text of problem_of if no
// model can be built.
std::unique_ptr<Seq2Seq> make_model(const ModelOptions& options, const autograd::Params& p);

// Returns the number of the model's parameters without building the model.
std::size_t count_parameters(const ModelOptions& options);

}  // namespace softalign::models
