// A family is a kind of model, for example the Transformer. It has a name, the options that it uses, a check of their
// combination, and a function that builds a model. Each family is defined in its own file
// (models/recurrent/rnnsearch.cpp, ..).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/options.h"
#include "models/seq2seq.h"
#include "models/task.h"

namespace softalign::models {

// A Conflict says why certain options do not fit together. `found` is true if the user's options have this conflict.
struct Conflict {
  bool found;
  std::string reason;
};
using Conflicts = std::vector<Conflict>;
Conflicts operator+(Conflicts a, const Conflicts& b);
Conflicts conflicts_of_no_source(const ModelOptions& options);  // for language models
// Returns the conflicts of a model that supports only the score `own`, with one head of global attention.
Conflicts conflicts_of_own_attention(const ModelOptions& options, layers::ScoreKind own);

struct Family {
  std::string name{};                                     // --model NAME
  std::string author{};                                   // --model AUTHOR works too: the first author of the paper
  std::string title{};                                    // description of the model for --help
  layers::ScoreKind attention = layers::ScoreKind::none;  // default score; none: no attention
  std::string encoder{};  // default encoder; "": recurrent, with the model's kind of cell
  // `task` is the task for which the models of this family are trained. A translation model that works with any encoder
  // can also write captions of pictures, if the user gives `--encoder picture`.
  Task task = Task::translation;
  std::vector<std::string> uses{};  // names of options (models/options.h), see also uses_of
  Conflicts (*conflicts)(const ModelOptions&) = nullptr;
  std::unique_ptr<Seq2Seq> (*make)(const ModelOptions&, const autograd::Params&) = nullptr;
  // The functions chosen, choose and initialiser may be null. Several families may have the same name, for example
  // encdec. chosen(options) then says whether the other options choose this family. The user may also name a model by
  // its author. choose(options) then sets the options of the author's model. For example, `--model cho` means encdec
  // with a decoder that reads the summary of the source at every step. initialiser(options) returns the default
  // initialiser.
  bool (*chosen)(const ModelOptions&) = nullptr;
  void (*choose)(ModelOptions&) = nullptr;
  layers::InitialiserKind (*initialiser)(const ModelOptions&) = nullptr;
  // `defaults` has the options for which the family has its own default value, for example {"epochs", "8"}: the name of
  // the option, and the value as JSON. Options of the training are included. `defaults_of_attention` holds only for
  // the score `attention`, the default score of the family, with a global window.
  std::vector<std::pair<std::string, std::string>> defaults{}, defaults_of_attention{};
};

// Returns the function that builds a model of this class.
template <class Model>
std::unique_ptr<Seq2Seq> make(const ModelOptions& o, const autograd::Params& p) {
  return std::make_unique<Model>(o, p);
}

// Returns the family that the options choose (models/families.cpp). Throws std::invalid_argument for an unknown model.
// The message names the known models.
const Family& family_of(const ModelOptions& options);

// These functions return one family each. The comment next to each function names the paper and the file.
// models/families.cpp lists all families.
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
// These are language models, in models/language_models:
Family transformer_language_model();  // Liu et al. 2018, Radford et al. 2018
Family recurrent_language_model();    // Mikolov et al. 2010
Family lstmn_language_model();        // Cheng, Dong & Lapata 2016

}  // namespace softalign::models
