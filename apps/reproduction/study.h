// This file defines a study. A study has the claims of a paper, and trainings that check the claims on a small corpus.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/training/metrics.h"
#include "data/metrics/mean_and_range.h"

namespace softalign::apps {

// The struct Experiment describes a model to train. `options` are the options of `train`, except the corpus, the seed
// and the folder.
struct Experiment {
  std::string name;  // name of its folder; two studies can share an experiment, which is trained once
  std::vector<std::string> options;
  std::size_t longest = 0;  // training pairs have at most this many words; 0: the whole corpus
};

// The struct Part contains the scores that `evaluate` reports for a part of the test set, for example for one tag.
struct Part {
  std::size_t pairs = 0;
  double bleu = 0;            // percent
  std::optional<double> aer;  // percent; none without attention or gold
};
using Parts = std::map<std::string, Part>;

// RunOutcome has the results of `train` and `evaluate` for one training.
struct RunOutcome {
  double perplexity = 0, bleu = 0, exact_match = 0;
  std::optional<double> aer;           // percent; none without attention or gold
  std::optional<double> em_aer;        // percent, AER of EM links from the same training pairs; none without gold
  bool attends = false;                // the model has attention
  double words_per_second = 0;         // target words trained on, mean over the epochs
  double seconds = 0;                  // duration of the training
  std::size_t parameters = 0;          // number of parameters
  Parts by_length = {}, by_tag = {};   // by source length, for example "1-10"; by tag, if the corpus has tags
  std::vector<CurvePoint> curve = {};  // one point per epoch, on the validation pairs
};
using RunOutcomes = std::map<std::string, std::vector<RunOutcome>>;  // name of an experiment -> one outcome per seed

// Row is a row of the report's table, with the results of one experiment. `paper` is the number that the paper reports
// for its model. A family is a group of rows that follow each other and share a chart.
struct Row {
  std::string label, experiment, paper, family = "";
};

// Verdict is the result of checking a claim. It says whether our results confirm the claim, and has the numbers that
// show this. The struct Claim has a claim of the paper in words, and the function that checks it.
struct Verdict {
  bool held = false;
  std::string figures;
};
struct Claim {
  std::string text;
  std::function<Verdict(const RunOutcomes&)> check;
};

struct Study {
  std::string name, title;
  std::string paper_setting;  // corpus and models of the paper's figures
  std::vector<Experiment> experiments;
  std::vector<Row> rows;
  std::vector<Claim> claims;
  bool by_length = false;  // the test set has sentences of all lengths, and a chart shows BLEU against length
};

// Each of these functions returns one study. Each study is defined in its own source file, and most studies check one
// paper. models_study compares all recurrent models.
Study sutskever_study();
Study bahdanau_study();
Study luong_study();
Study transformer_study();
Study models_study();

// These functions return means over the seeds. They throw std::out_of_range for an experiment without outcomes.
double mean_bleu(const RunOutcomes& outcomes, const std::string& experiment);
double mean_perplexity(const RunOutcomes& outcomes, const std::string& experiment);
double mean_aer(const RunOutcomes& outcomes, const std::string& experiment);  // NaN without AER
double mean_bleu(const RunOutcomes& outcomes, const std::string& experiment, const std::string& bin);  // NaN if empty

// Returns the ranges of source length for which there are outcomes, sorted by number: "1-10" before "11-20".
std::vector<std::string> lengths_of(const RunOutcomes& outcomes);

// Returns the claim that the experiment `better` has a higher mean BLEU than the experiment `worse`.
Claim claim_bleu(const std::string& text, const std::string& better, const std::string& worse);

// A Figure returns a number from the outcome of a training, or nothing if the training has no such number.
using Figure = std::function<std::optional<double>(const RunOutcome&)>;

// Returns the mean and the range of a number over the seeds of an experiment. Returns nothing if the number is missing
// or NaN for one seed.
std::optional<data::MeanAndRange> mean_and_range(const std::vector<RunOutcome>& seeds, const Figure& figure);

// Returns the function that finds BLEU or AER for a part of the test set. The part is a range of source lengths such as
// "11-20" (RunOutcome::by_length), or a tag such as "negation" (RunOutcome::by_tag). The number is missing if the test
// set has no such part.
Figure bleu_of_part(Parts RunOutcome::*parts, const std::string& name);
Figure aer_of_part(Parts RunOutcome::*parts, const std::string& name);

}  // namespace softalign::apps
