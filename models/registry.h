// The registry: options -> model. Each family of models brings its name, the options it uses, what does not fit
// together and its maker in a file of its own (models/recurrent/rnnsearch.cpp, ..). The list of all families, where a
// new one is entered twice, is at the end.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/options.h"
#include "models/seq2seq.h"
#include "models/task.h"

namespace softalign::models {

// Options that do not fit together, and why.
struct Conflict {
  bool found;
  std::string reason;
};
using Conflicts = std::vector<Conflict>;
Conflicts operator+(Conflicts a, const Conflicts& b);
Conflicts conflicts_of_no_source(const ModelOptions& options);      // of a language model
Conflicts conflicts_of_own_attention(const ModelOptions& options);  // of a family whose paper has one kind of attention

struct Family {
  std::string name{};    // --model NAME
  std::string author{};  // --model AUTHOR means it too: the paper's first author, if the name is not theirs
  std::string title{};   // of that name, for --help
  layers::ScoreKind attention = layers::ScoreKind::none;  // by default; none: it does not attend
  std::string encoder{};                                  // that it was made with; "": of its cell
  // What translates with an encoder of its own choice writes captions with encoder picture.
  Task task = Task::translation;
  std::vector<std::string> uses{};  // names of options (models/options.h), see also uses_of
  Conflicts (*conflicts)(const ModelOptions&) = nullptr;
  std::unique_ptr<Seq2Seq> (*make)(const ModelOptions&, const autograd::Params&) = nullptr;
  // Optional. Of families with one name, whether these options choose this one, and how the author's name does; and the
  // initialiser it has by default.
  bool (*chosen)(const ModelOptions&) = nullptr;
  void (*choose)(ModelOptions&) = nullptr;
  layers::InitialiserKind (*initialiser)(const ModelOptions&) = nullptr;
  // Optional: defaults of its own, of how it is trained among them: names of options, and values as JSON has them.
  std::vector<std::pair<std::string, std::string>> defaults{};
};

// The maker of a family whose model is of this class.
template <class Model>
std::unique_ptr<Seq2Seq> make(const ModelOptions& o, const autograd::Params& p) {
  return std::make_unique<Model>(o, p);
}

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

// The family that the options choose. std::invalid_argument for an unknown model, naming the known ones.
const Family& family_of(const ModelOptions& options);

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

// Every family.
Family rnnsearch();         // Bahdanau, Cho & Bengio 2015           models/recurrent/rnnsearch.cpp
Family luong();             // Luong, Pham & Manning 2015            models/recurrent/luong.cpp
Family sutskever();         // Sutskever, Vinyals & Le 2014          models/recurrent/sutskever.cpp
Family cho();               // Cho et al. 2014                       models/recurrent/cho.cpp
Family cheng();             // Cheng, Dong & Lapata 2016             models/recurrent/cheng.cpp
Family transformer();       // Vaswani et al. 2017                   models/transformer/transformer.cpp
Family show_attend_tell();  // Xu et al. 2015: captions              models/pictures/show_attend_tell.cpp
Family sukhbaatar();        // Sukhbaatar et al. 2015: answers       models/stories/memory_network.cpp
Family hermann();           // Hermann et al. 2015: answers          models/stories/attentive_reader.cpp
Family parikh();            // Parikh et al. 2016: entailment        models/sentence_pairs/decomposable_attention.cpp
// Language models, in models/language_models:
Family transformer_language_model();  // Liu et al. 2018, Radford et al. 2018
Family recurrent_language_model();    // Mikolov et al. 2010
Family lstmn_language_model();        // Cheng, Dong & Lapata 2016

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
