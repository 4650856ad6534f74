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

// Experiment is a model to train. `options` are the options of `train`, except the corpus, the seed and the folder.
struct Experiment {
  std::string name;  // of its folder; the same experiment of two studies is trained once
  std::vector<std::string> options;
  std::size_t longest = 0;  // trained on pairs of at most so many words; 0: on the whole corpus
};

// Part has the scores that `evaluate` reports for a part of the test set.
struct Part {
  std::size_t pairs = 0;
  double bleu = 0;            // percent
  std::optional<double> aer;  // percent; none without attention or gold
};
using Parts = std::map<std::string, Part>;

// Outcome has the results of `train` and `evaluate` for one training.
struct Outcome {
  double perplexity = 0, bleu = 0, exact_match = 0;
  std::optional<double> aer;           // percent; none without attention or gold
  std::optional<double> em_aer;        // percent, of EM links learnt from the same pairs; none without gold
  bool attends = false;                // the model has attention
  double words_per_second = 0;         // target words trained on, mean over the epochs
  double seconds = 0;                  // of the training
  std::size_t parameters = 0;          // numbers in them
  Parts by_length = {}, by_tag = {};   // by source length, "1-10"; by construction, where the corpus names them
  std::vector<CurvePoint> curve = {};  // on the validation pairs, epoch by epoch
};
using Outcomes = std::map<std::string, std::vector<Outcome>>;  // by experiment, one a seed

// Row is a row of the table. `paper` is the figure that the paper reports for it. Rows of one family follow each other
// and share a chart.
struct Row {
  std::string label, experiment, paper, family = "";
};

// Verdict is the result of checking a claim. It says whether our results confirm the claim, and has the figures that
// show it. Claim has a claim of the paper in words, and the check.
struct Verdict {
  bool held = false;
  std::string figures;
};
struct Claim {
  std::string text;
  std::function<Verdict(const Outcomes&)> check;
};

struct Study {
  std::string name, title;
  std::string paper_setting;  // what the paper's figures were measured on
  std::vector<Experiment> experiments;
  std::vector<Row> rows;
  std::vector<Claim> claims;
  bool by_length = false;  // tested on sentences of all lengths, BLEU against length drawn
};

// Each function returns a study from its own source file. Most studies check one paper. models_study compares all
// recurrent models.
Study sutskever_study();
Study bahdanau_study();
Study luong_study();
Study transformer_study();
Study models_study();

// Returns the mean over the seeds. Throws std::out_of_range for an experiment without outcomes.
double mean_bleu(const Outcomes& outcomes, const std::string& experiment);
double mean_perplexity(const Outcomes& outcomes, const std::string& experiment);
double mean_aer(const Outcomes& outcomes, const std::string& experiment);                           // NaN without AER
double mean_bleu(const Outcomes& outcomes, const std::string& experiment, const std::string& bin);  // NaN if empty

// Returns the ranges of source length for which there are outcomes, sorted by number: "1-10" before "11-20".
std::vector<std::string> lengths_of(const Outcomes& outcomes);

// "better" has a higher mean BLEU than "worse".
Claim claim_bleu(const std::string& text, const std::string& better, const std::string& worse);

// A Figure returns a number from the outcome of a training, or nothing if the training has no such number.
using Figure = std::function<std::optional<double>(const Outcome&)>;

// Returns the mean and range over the seeds of an experiment. Returns nothing if one seed has no such figure, or if the
// figure is NaN.
std::optional<data::MeanAndRange> mean_and_range(const std::vector<Outcome>& seeds, const Figure& figure);

// Returns the figure for a part of the test set, such as "11-20" of by_length or "negation" of by_tag. The figure is
// missing if the test set has no such part.
Figure bleu_of_part(Parts Outcome::*parts, const std::string& name);
Figure aer_of_part(Parts Outcome::*parts, const std::string& name);

}  // namespace softalign::apps
